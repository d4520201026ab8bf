"""What is seen: agents that can be told apart, colours of dark pages, room for the maps."""

import base64
import io
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import Studio, at, shot, until
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

WIDE, HIGH = 20, 8
BLUE, VERMILION = (0, 114, 178), (213, 94, 0)


def draft(**parts: Any) -> dict[str, Any]:
    text = "\n".join(["." * WIDE] * HIGH)
    scenario = {"name": "seen", "note": "", "seed": 0, "map": {"text": text}, "groups": [], "changes": []}
    scenario |= {"limits": {}, "steering": {}}
    return {"scenario": scenario, "ends": {"start": None, "goal": None}, "agents": [], "formations": [], **parts}


AGENTS = [{"start": [1, 1], "goal": [18, 1]}, {"start": [1, 6], "goal": [18, 6]}]


def opened(page: Page, studio: Studio, theme: str, family: str, method: str, mode: str = "plan", **parts: Any) -> None:
    """Open an address that holds this draft and this request, under Plan."""
    request = {"family": family, "method": method, "options": {}, "seed": 0}
    kept = {"draft": draft(**parts), "mode": mode, "theme": theme, "requests": [request]}
    kept["shown"] = ["search", "path", "plan", "agents"]
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    coded = squeeze.compress(json.dumps(kept).encode()) + squeeze.flush()
    page.goto("about:blank")
    page.goto(f"{studio.address}#s={base64.urlsafe_b64encode(coded).decode().rstrip('=')}")
    page.locator("section[aria-label=Method] select").first.wait_for()


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("section[aria-label='Measured values'] dt").first.wait_for()
    until(page, "!document.querySelector('.go .stop')", 60)


def pixels(page: Page) -> np.ndarray:
    with Image.open(io.BytesIO(page.screenshot())) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def around(page: Page, x: float, y: float, reach: int = 3) -> np.ndarray:
    """Return the pixels about a place of the map, in rows."""
    px, py = (round(place) for place in at(page, x, y, WIDE, HIGH))
    return pixels(page)[py - reach : py + reach + 1, px - reach : px + reach + 1].reshape(-1, 3)


def light(colours: np.ndarray) -> np.ndarray:
    return colours @ np.array([0.299, 0.587, 0.114])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_agents_keep_their_colours_and_numbers_on_the_way(page: Page, studio: Studio, theme: str) -> None:
    opened(page, studio, theme, "mapf", "lacam", agents=AGENTS)
    run(page)
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("step", exact=True).fill("4")
    page.wait_for_timeout(300)
    shot(page, f"look-agents-{theme}")
    ground = around(page, 10.5, 3.5)[0]
    for y, colour in ((1.5, BLUE), (6.5, VERMILION)):
        assert (around(page, 1.5, y, 8) == ground).all()  # nobody stands at the start any more
        disc = around(page, 5.5, y, 8)
        assert (disc == colour).all(axis=1).mean() > 0.3
        assert light(disc).max() > 230  # its number
        goal = around(page, 18.5, y, 18)
        assert 0.02 < (goal == colour).all(axis=1).mean() < 0.5  # a ring
    swatch = page.locator(".swatch.target").first
    assert swatch.evaluate("swatch => getComputedStyle(swatch).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert "8" not in page.locator("section[aria-label=Colours] .legend").inner_text()


ENDS = {"start": [1, 4], "goal": [18, 4]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_path_is_drawn_when_the_search_has_found_it(page: Page, studio: Studio, theme: str) -> None:
    opened(page, studio, theme, "search", "astar", ends=ENDS)
    run(page)

    def orange() -> bool:
        return bool((around(page, 6.5, 4.5) == VERMILION).all(axis=1).any())

    assert orange()
    page.get_by_label("search: to the beginning").click()
    page.wait_for_timeout(200)
    assert not orange()
    page.get_by_label("shown", exact=True).uncheck()
    page.wait_for_timeout(200)
    assert orange()
    page.get_by_label("shown", exact=True).check()
    page.get_by_label("search: one step on").click()
    page.wait_for_timeout(200)
    assert not orange()
    page.get_by_label("search: to the end").click()
    page.wait_for_timeout(200)
    assert orange()
    page.locator(".stage").first.focus()
    for _ in range(3):
        page.keyboard.press("+")
    shot(page, f"look-search-{theme}")


PAINTED = """() => [...document.querySelectorAll('.legend .swatch.area')].map(
    (swatch) => getComputedStyle(swatch).backgroundColor.match(/[\\d.]+/g).map(Number))"""


def unseen(page: Page, theme: str) -> list[list[float]]:
    """Return the colours of areas in legends that no place of the stage has, over free ground."""
    box = page.locator(".stage").bounding_box()
    assert box is not None
    x, y, wide, high = (int(box[side]) for side in ("x", "y", "width", "height"))
    seen = pixels(page)[y : y + high, x : x + wide].reshape(-1, 3)
    ground = np.array([48, 51, 57] if theme == "dark" else [245, 243, 238])
    painted = page.evaluate(PAINTED)
    assert painted
    found = []
    for red, green, blue, *rest in painted:
        share = rest[0] if rest else 1.0
        colour = share * np.array([red, green, blue]) + (1 - share) * ground
        if np.abs(seen - colour).max(axis=1).min() > 4:
            found.append([red, green, blue, share])
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_legends_have_the_colours_of_the_map(page: Page, studio: Studio, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto("about:blank")
    page.goto(studio.address)
    page.get_by_role("tab", name="Plan").click()
    page.locator("section[aria-label=Method] select").first.select_option("group")
    run(page)
    page.get_by_text("pictures of the map").click()
    page.get_by_label("regions and gates").check()
    page.locator("details .legend").first.wait_for()
    page.wait_for_timeout(300)
    assert not unseen(page, theme)
    page.get_by_label("regions and gates").uncheck()
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("colour by").select_option("speed")
    page.get_by_label("step", exact=True).fill("60")
    page.locator(".stage").press("n")
    page.get_by_role("button", name="Why is it there?").click()
    page.locator(".why li").first.wait_for(timeout=60_000)
    page.wait_for_timeout(300)
    shot(page, f"look-legends-{theme}")
    assert page.locator(".swatch.area").count() == 1  # the next gate
    assert not unseen(page, theme)
    ramp = page.locator(".ramp").first.evaluate("ramp => getComputedStyle(ramp).backgroundImage")
    ends = re.findall(r"rgb\((\d+), (\d+), (\d+)\)", ramp)
    assert max(light(np.array([ends[0], ends[-1]], float))) > 200  # units are drawn in the same colours on any page


@pytest.mark.parametrize("title", ["regions and gates", "distance from walls", "directions to a target"])
def test_pictures_of_the_map_do_not_glare_on_a_dark_page(page: Page, studio: Studio, title: str) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("about:blank")
    page.goto(studio.address)
    page.get_by_role("tab", name="Plan").click()
    page.get_by_text("pictures of the map").click()
    page.get_by_label(title).check()
    page.locator("details .legend").first.wait_for()
    page.wait_for_timeout(300)
    shot(page, f"look-{title.split(maxsplit=1)[0]}-dark")
    box = page.locator(".stage").bounding_box()
    assert box is not None
    seen = pixels(page)[int(box["y"]) + 200 : int(box["y"]) + 500, int(box["x"]) + 60 : int(box["x"]) + 660]
    assert np.quantile(light(seen), 0.5) < 125


def test_a_game_in_turns_does_not_glare_on_a_dark_page(page: Page, studio: Studio) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("about:blank")
    page.goto(studio.address)
    page.get_by_role("tab", name="Run").click()
    page.get_by_role("button", name="Turns").click()
    page.get_by_role("button", name="Random map").click()
    page.locator("section[aria-label=Units] button").first.click()
    page.wait_for_timeout(500)
    shot(page, "look-turns-dark")
    box = page.locator(".stage").bounding_box()
    assert box is not None
    middle = (int(box["y"] + box["height"] / 2), int(box["x"] + box["width"] / 2))
    assert light(pixels(page)[middle[0] - 200 : middle[0] + 200, middle[1] - 200 : middle[1] + 200]).max() < 180
    select = page.get_by_label("a turn is")
    words = select.evaluate("""select => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(select).font;
        return pen.measureText(select.selectedOptions[0].textContent).width;
    }""")
    assert words + 44 <= select.evaluate("select => select.clientWidth")  # 44: its edges and the arrow


def test_four_maps_have_room_in_a_small_window(page: Page) -> None:
    page.set_viewport_size({"width": 900, "height": 600})
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("button", name="All group methods").click()
    page.get_by_role("button", name="Run all").click()
    until(page, "!document.querySelector('.go .stop')", 120)
    expect(page.locator(".stage")).to_have_count(4)
    for seat in page.locator(".seat").all():
        stage, caption = seat.locator(".stage").bounding_box(), seat.locator(".caption").bounding_box()
        assert stage is not None and caption is not None
        assert stage["width"] > 180 and caption["height"] < 40
        # the map begins below the caption
        strip = pixels(page)[int(caption["y"] + caption["height"]) + 2, int(stage["x"]) + 4 : int(stage["x"]) + 180]
        assert (strip == strip[0]).all()
    shot(page, "look-four-small")
    for width, height in ((1024, 640), (1280, 800), (1366, 850)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert page.locator(".wide").evaluate("box => box.scrollWidth - box.clientWidth") <= 0, width
        shot(page, f"look-table-{width}")
    shot(page, "look-four")
    page.get_by_role("tab", name="Share").click()
    expect(page.locator(".caption")).to_have_count(4)
    expect(page.locator(".results tbody th")).to_have_count(8)
    first = page.locator(".caption strong").first.inner_text()
    expect(page.get_by_text(f"units by group, of {first} alone.")).to_be_visible()
    shot(page, "look-four-share")


def test_help_closes_by_every_key_that_should(page: Page) -> None:
    dialog = page.locator("dialog.help")
    for key in ("?", "F1"):
        for end in ("Escape", key, "Close"):
            page.keyboard.press(key)
            expect(dialog).to_be_visible()
            if end == "Close":
                dialog.get_by_role("button", name="Close").click()
            else:
                page.keyboard.press(end)
            expect(dialog).to_be_hidden()
    for _ in range(20):  # no key waits for what the one before it did
        for key in ("?", "Escape", "F1", "F1", "?", "Escape", "?"):
            page.keyboard.press(key)
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    page.get_by_role("button", name="help").click()
    page.keyboard.press("Escape")
    page.keyboard.press(" ")  # plays, and does not press the button again
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="help").click()
    page.keyboard.press("p")  # under the open page of help nothing happens
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("tab", name="Edit")).to_have_attribute("aria-selected", "true")


def test_a_long_name_stays_in_one_line(page: Page, studio: Studio) -> None:
    long = "a scenario whose name goes on " * 20
    scenario = {**draft()["scenario"], "name": long}
    opened(page, studio, "light", "group", "vector-field", scenario=scenario)
    box = page.locator("header").bounding_box()
    assert box is not None and box["height"] < 50
    assert page.locator("header .file").get_attribute("title") == long
    shot(page, "look-long-name")


def test_a_replay_begins_with_what_was_shown(context: BrowserContext, page: Page, tmp_path: Path) -> None:
    page.get_by_role("tab", name="Plan").click()
    run(page)
    page.get_by_label(re.compile("^plan")).uncheck()
    page.get_by_role("tab", name="Share").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save HTML").click()
    found.value.save_as(tmp_path / "replay.html")
    other = context.new_page()
    other.goto((tmp_path / "replay.html").as_uri())
    other.locator(".timeline").wait_for()
    expect(other.get_by_label(re.compile("^plan"))).not_to_be_checked()
    shot(other, "look-replay")
