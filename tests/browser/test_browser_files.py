"""Files in a browser: each kind that can be dropped, and names with markup, wherever a name is shown."""

import base64
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import Studio, drop, shot, state, until
from PIL import Image
from playwright.sync_api import Locator, Page, expect

import anabasis
from anabasis.grid import Grid
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Group, Scenario, Target

LONG = 120_000  # ms: a worker may have to compile first
ROWS = ["......", "..@@..", "......"]
WALL = (92, 97, 105)  # as it is drawn on light ground
MARKUP = "<img src=none.png onerror=document.body.dataset.broken=1>"
TILED = {
    "type": "map",
    "orientation": "orthogonal",
    "infinite": False,
    "width": 6,
    "height": 3,
    "tilewidth": 8,
    "tileheight": 8,
    "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 8, "tileheight": 8, "tiles": []}],
    "layers": [
        {
            "type": "tilelayer",
            "name": "walls",
            "width": 6,
            "height": 3,
            "data": [int(letter == "@") for row in ROWS for letter in row],
        }
    ],
}
LAYER = {
    "__type": "IntGrid",
    "__identifier": "Ground",
    "__cWid": 6,
    "__cHei": 3,
    "__gridSize": 8,
    "layerDefUid": 1,
    "intGridCsv": [1 + (letter == "@") for row in ROWS for letter in row],
    "entityInstances": [],
}
VALUES = [{"value": 1, "identifier": "grass"}, {"value": 2, "identifier": "wall"}]
LDTK = {
    "jsonVersion": "1.5.4",
    "externalLevels": False,
    "defs": {"layers": [{"uid": 1, "identifier": "Ground", "intGridValues": VALUES}]},
    "levels": [{"identifier": "Level_0", "layerInstances": [LAYER]}],
    "worlds": [],
}


def grid() -> Grid:
    return Grid.from_text("\n".join(ROWS))


def scenario(name: str = "two units", group: str = "they") -> Scenario:
    they = Group(np.array([[0.5, 0.5], [0.5, 2.5]]), Target(5.2, 1.5, 0.8), radius=0.3, name=group)
    return Scenario(grid(), (they,), name=name)


def _saved(thing: Any) -> Callable[[Path], object]:
    return lambda path: anabasis.save(thing, path)


def _trace(path: Path) -> None:
    anabasis.save(execute(scenario(), "astar", plan_groups(scenario(), "astar", seed=0), seed=0), path)


def _written(document: Any) -> Callable[[Path], object]:
    return lambda path: path.write_text(json.dumps(document))


KINDS: dict[str, Callable[[Path], object]] = {
    "a.map": _saved(grid()),
    "a.png": _saved(grid()),
    "a.tmj": _written(TILED),
    "a.ldtk": _written(LDTK),
    "a.scenario.toml": _saved(scenario()),
    "a.npz": _trace,
}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_file_can_be_dropped(page: Page, name: str, tmp_path: Path) -> None:
    KINDS[name](tmp_path / name)
    drop(page, name, (tmp_path / name).read_bytes())
    until(page, f"document.querySelector('.file').textContent === '{name}'", 60)
    facts = page.get_by_role("region", name="Measured values")
    expect(facts.get_by_text(name).first).to_be_visible()
    if name == "a.npz":
        expect(page.get_by_label("time", exact=True)).to_be_visible()
        page.get_by_label("step", exact=True).fill("20")
        expect(page.get_by_label("time", exact=True)).to_contain_text("20 /")
    else:
        found = state(page)["draft"]["scenario"]
        assert found["map"]["text"].split("\n") == ROWS
        assert [group["name"] for group in found["groups"]] == (["they"] if "scenario" in name else [])
        page.reload()
        page.locator(".stage").first.wait_for()
        assert state(page)["draft"]["scenario"] == found
        assert not page.get_by_role("alert").is_visible()
    shot(page, f"drop-{name.replace('.', '-')}")


def walls(page: Page) -> int:
    """Return how many pixels of the stage look like wall."""
    with Image.open(io.BytesIO(page.locator(".stage").screenshot())) as picture:
        return int((np.asarray(picture.convert("RGB")) == WALL).all(axis=2).sum())


def test_a_trace_without_its_scenario_is_played_on_an_empty_ground(page: Page, tmp_path: Path) -> None:
    page.wait_for_timeout(300)
    assert walls(page) > 1000  # of the first draft
    _trace(tmp_path / "a.npz")
    drop(page, "a.npz", (tmp_path / "a.npz").read_bytes())
    expect(page.get_by_role("region", name="Measured values")).to_contain_text("on an empty ground")
    page.get_by_label("step", exact=True).fill("15")
    page.wait_for_timeout(300)
    shot(page, "trace-alone")
    assert walls(page) == 0
    page.get_by_role("tab", name="Edit").click()
    page.wait_for_timeout(300)
    assert walls(page) > 1000


def part(page: Page, name: str) -> None:
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name=name).click()


def opened_with(page: Page, studio: Studio, kept: dict[str, Any]) -> None:
    """Open the page with this in its address."""
    squeeze = zlib.compressobj(wbits=-15)
    data = squeeze.compress(json.dumps(kept).encode()) + squeeze.flush()
    page.goto("about:blank")
    page.goto(f"{studio.address}#s={base64.urlsafe_b64encode(data).decode().rstrip('=')}")
    page.locator(".stage").first.wait_for()


def shown(page: Page, *places: Locator) -> None:
    """Assert that these places show the markup as a text, and that it is nothing else anywhere."""
    for place in places:
        expect(place).to_contain_text(MARKUP)
    assert page.locator("img, [onerror]").count() == 0
    assert page.evaluate("document.body.dataset.broken") is None


def test_markup_is_text_in_every_field_that_holds_a_name(page: Page, studio: Studio, faults: list[str]) -> None:
    """Of a scenario, its note, groups, formations and files, and in what is refused."""
    (studio.workspace / f"{MARKUP}.map").write_bytes(b"type octile\nheight 1\nwidth 2\nmap\n..\n")
    anabasis.save(scenario(MARKUP, MARKUP), studio.workspace / "marked.scenario.toml")
    drop(page, "marked.scenario.toml", (studio.workspace / "marked.scenario.toml").read_bytes())
    until(page, "document.querySelector('.file').textContent === 'marked.scenario.toml'", 60)
    draft = state(page)["draft"]
    draft["scenario"]["note"] = MARKUP
    draft["formations"] = [
        {
            "name": MARKUP,
            "shape": "box",
            "units": 2,
            "spacing": 1.0,
            "start": [1.5, 0.5],
            "azimuth": 90,
            "order": [{"places": [[4.5, 0.5]]}],
            "modules": {},
        }
    ]
    opened_with(page, studio, {**state(page), "draft": draft, "file": ""})
    groups, formations = page.get_by_role("region", name="Groups"), page.get_by_role("region", name="Formations")
    part(page, "scenario")
    assert page.get_by_label("name", exact=True).input_value() == MARKUP
    assert page.get_by_label("note").input_value() == MARKUP
    shown(page, page.locator(".file"))
    part(page, "draw")
    page.keyboard.press("i")
    shown(page, groups.locator(".name").first)
    assert groups.get_by_label(f"remove {MARKUP}").is_visible()
    page.keyboard.press("m")
    shown(page, formations.locator(".name").first)
    part(page, "files")
    listed = page.get_by_role("list", name="Files of the workspace")
    shown(page, listed.get_by_text(MARKUP))
    listed.get_by_text(MARKUP).click()
    until(page, "document.querySelector('.file').textContent.includes('onerror')")
    shown(page, page.locator(".file"), page.get_by_role("region", name="Measured values"))
    drop(page, f"{MARKUP}.map", b"type octile\nheight 2\nwidth 2\nmap\n..\n")
    shown(page, page.get_by_role("alert"))
    page.get_by_label("file", exact=True).fill(f"{MARKUP}.none")
    page.get_by_role("button", name="Save as").click()
    shown(page, page.get_by_role("alert").get_by_text(".none"))
    faults[:] = [fault for fault in faults if "400" not in fault]  # that it was refused is what was meant


def test_markup_is_text_where_a_run_is_shown(page: Page, tmp_path: Path) -> None:
    anabasis.save(scenario(MARKUP, MARKUP), tmp_path / "marked.scenario.toml")
    drop(page, "marked.scenario.toml", (tmp_path / "marked.scenario.toml").read_bytes())
    page.get_by_role("tab", name="Run").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("section[aria-label='Measured values'] dt").first.wait_for(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 60)
    page.get_by_label("step", exact=True).fill("10")
    page.get_by_label("colour by").select_option("group")
    shown(page, page.get_by_role("region", name="Colours"))
    page.locator(".stage").press("n")
    page.locator(".stage").press("i")
    page.locator(".why li").first.wait_for(timeout=LONG)
    shown(page, page.locator(".why"))
    page.get_by_label("What to run").get_by_role("button", name="Live").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="Go on", exact=True).wait_for(timeout=LONG)
    shown(page, page.locator(".panel"), page.get_by_role("region", name="Colours"))
    shot(page, "names-live")


def test_an_address_that_is_damaged_is_told(page: Page, studio: Studio) -> None:
    until(page, "document.body.dataset.address === 'kept'", 30)
    kept = state(page)
    del kept["draft"]["scenario"]["groups"][0]["target"]
    opened_with(page, studio, kept)
    expect(page.get_by_role("alert")).to_contain_text("damaged at draft.scenario.groups.0.target")
    page.goto("about:blank")
    page.goto(f"{studio.address}#s=nonsense")
    expect(page.get_by_role("alert")).to_contain_text("is damaged")
    page.goto("about:blank")
    page.goto(f"{studio.address}#open=%zz")
    expect(page.get_by_role("alert")).to_contain_text("is damaged")
    expect(page.get_by_role("toolbar", name="Tools")).to_be_visible()
    expect(page.locator(".file")).to_have_text("two doors")
