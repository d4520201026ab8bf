"""Replays play from disk without a server, and players in a notebook beside one another."""

import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browsing import missing, serious, shot, until
from playwright.sync_api import BrowserContext, Page, Route, expect

from anabasis.studio.bundle import STATIC
from anabasis.studio.channel import Channel
from anabasis.studio.jobs import job
from anabasis.studio.replay import replay_html
from anabasis.studio.wire import pack, unpack

NAME = "<img src=x onerror=alert(1)> & </script>"
ROWS = ["." * 24] * 5 + ["." * 11 + "@" + "." * 12] * 4 + ["." * 24] * 5
PLAYER = 1_000_000  # bytes


def draft() -> dict[str, Any]:
    """Return a draft with nine units, in whose names there is markup."""
    positions = [[3.5 + 1.5 * (k % 3), 5.5 + 1.5 * (k // 3)] for k in range(9)]
    group = {
        "name": NAME,
        "positions": positions,
        "radius": 0.5,
        "speed": 0.2,
        "target": {"x": 20, "y": 7, "radius": 3},
    }
    scenario = {
        "schema": "anabasis/scenario",
        "schema_version": 1,
        "name": NAME,
        "note": "",
        "seed": 0,
        "map": {"text": "\n".join(ROWS)},
        "groups": [group],
        "changes": [],
        "limits": {},
        "steering": {},
    }
    return {"scenario": scenario, "ends": {"start": None, "goal": None}, "agents": [], "formations": []}


def messages(*methods: str) -> list[bytes]:
    """Return what the studio's server says of the draft and of its runs."""
    told = [pack({"kind": "draft", "job": "", "draft": draft()})]
    for method in methods:
        job("group").run({"draft": draft(), "method": method, "seed": 0}, Channel(method, told.append))
    return told


@pytest.fixture(scope="module")
def one() -> list[bytes]:
    return messages("vector-field")


@pytest.fixture(scope="module")
def two() -> list[bytes]:
    return messages("astar", "vector-field")


def built(name: str) -> None:
    if not (STATIC / name).is_file():
        missing("the studio's page (python studio/frontend.py build)")


def from_disk(context: BrowserContext, folder: Path, told: list[bytes]) -> Page:
    """Return a replay that was opened from disk."""
    built("replay.js")
    file = folder / "replay.html"
    file.write_bytes(replay_html(told, NAME))
    page = context.new_page()
    page.goto(file.as_uri())
    page.locator(".timeline").wait_for()
    return page


def test_a_replay_plays_from_disk(context: BrowserContext, faults: list[str], tmp_path: Path, one: list[bytes]) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = from_disk(context, tmp_path, one)
    caption = page.locator(".caption")
    expect(caption).to_contain_text("0 of 9 arrived")
    expect(page.locator("h1")).to_contain_text(NAME)
    page.keyboard.press("Space")
    until(page, "Number(document.querySelector('output[aria-label=time]').textContent.split('/')[0]) > 3")
    page.keyboard.press("Space")
    shot(page, "replay")
    page.keyboard.press("End")
    expect(caption).to_contain_text("9 of 9 arrived")
    page.keyboard.press(",")
    page.keyboard.press("Home")
    expect(page.get_by_label("time", exact=True)).to_have_text(f"0 / {last(one)}")
    assert page.locator("img").count() == 0
    assert not faults
    assert asked == [page.url]
    assert serious(page) == []


def test_a_replay_is_small(one: list[bytes]) -> None:
    built("replay.js")
    assert len(replay_html(one, "")) <= PLAYER + sum(map(len, one))


def test_a_replay_compares(context: BrowserContext, faults: list[str], tmp_path: Path, two: list[bytes]) -> None:
    page = from_disk(context, tmp_path, two)
    expect(page.locator(".stage")).to_have_count(2)
    expect(page.locator(".caption")).to_contain_text(["astar", "vector-field"])
    page.get_by_role("button", name="dark colours").or_(page.get_by_role("button", name="light colours")).click()
    page.get_by_label("colour by").select_option("speed")
    page.get_by_label("step", exact=True).fill("40")
    shot(page, "replay_two")
    assert not faults


def test_a_damaged_replay_says_so(context: BrowserContext, tmp_path: Path, one: list[bytes]) -> None:
    built("replay.js")
    file = tmp_path / "bad.html"
    text = replay_html(one, "").decode()
    at = text.index('base64">') + 200
    file.write_text(text[:at] + "AAAA" + text[at + 4 :])
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("#app")).to_contain_text("can't be played")


def last(told: list[bytes]) -> int:
    """Return the number of steps of the longest run in messages."""
    return max(head["steps"] for head, _ in map(unpack, told) if head["kind"] == "run")


NOTEBOOK = "http://127.0.0.1:9/"  # nobody listens there: all answers are given below
CELLS = """<!doctype html><html lang=en><title>n</title><link rel=icon href=data:,>
<style>.app { display: none } button { background: red }</style><div id=a></div><div id=b style="width: 480px"></div>
<script type=module>
import widget from './widget.js';
const ends = [];
for (const id of ['a', 'b']) {
  const data = new DataView(await (await fetch(id)).arrayBuffer());
  ends.push(widget.render({ model: { get: () => data, on() {}, off() {} }, el: document.getElementById(id) }));
}
window.end = () => ends.forEach((end) => end());
</script>"""


def test_players_stand_beside_one_another(
    context: BrowserContext, faults: list[str], one: list[bytes], two: list[bytes]
) -> None:
    built("widget.js")
    stream = {"a": one, "b": two}

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(NOTEBOOK)
        if name == "":
            route.fulfill(body=CELLS, content_type="text/html")
        elif name in stream:
            route.fulfill(body=b"".join(struct.pack("<Q", len(data)) + data for data in stream[name]))
        else:
            route.fulfill(path=STATIC / name, content_type="text/javascript")

    context.route("**/*", answer)
    page = context.new_page()
    page.goto(NOTEBOOK)
    first, second = page.locator("#a"), page.locator("#b")
    expect(second.locator(".stage")).to_have_count(2)
    first.locator(".stage").focus()
    page.keyboard.press("End")
    expect(first.locator(".caption")).to_contain_text("9 of 9 arrived")
    expect(second.get_by_label("time", exact=True)).to_have_text(f"0 / {last(two)}")
    parts = [second.locator(part).bounding_box() for part in ("header", "main", "footer")]
    assert all(above and below and above["y"] + above["height"] <= below["y"] for above, below in pairwise(parts))
    red = "getComputedStyle(document.querySelector('#a > div').shadowRoot.querySelector('button')).backgroundColor"
    assert page.evaluate(red) != "rgb(255, 0, 0)"
    second.scroll_into_view_if_needed()
    shot(page, "notebook")
    page.evaluate("window.end()")
    assert page.locator("canvas").count() == 0
    assert not faults
