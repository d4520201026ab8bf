"""Edit mode in a browser: painting, placing, files, generators, all of it by mouse and by keys."""

import time
from typing import Any

import pytest
from browsing import Studio, at, drop, serious, shot, state, until
from playwright.sync_api import Page, expect

WIDTH, HEIGHT = 56, 32  # of the map that a new page shows
BARE = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"


def _drag(
    page: Page, *places: tuple[float, float], button: Any = "left", size: tuple[int, int] = (WIDTH, HEIGHT)
) -> None:
    points = [at(page, x, y, *size) for x, y in places]
    page.mouse.move(*points[0])
    page.mouse.down(button=button)
    for point in points[1:]:
        page.mouse.move(*point)
    page.mouse.up(button=button)


def _click(page: Page, x: float, y: float, button: Any = "left", size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
    _drag(page, (x, y), button=button, size=size)


def _rows(page: Page) -> list[str]:
    return state(page)["draft"]["scenario"]["map"]["text"].split("\n")


def _other_rows(page: Page, before: list[str], seconds: float) -> list[str]:
    """Wait for a map other than the one before, and return its rows."""
    end = time.monotonic() + seconds
    while (rows := _rows(page)) == before:
        assert time.monotonic() < end, f"still the same map after {seconds} s"
        page.wait_for_timeout(50)
    return rows


def _tool(page: Page, name: str) -> None:
    page.get_by_role("toolbar", name="Tools").get_by_role("button", name=name, exact=True).click()


def _part(page: Page, name: str) -> None:
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name=name).click()


@pytest.fixture
def ready(page: Page) -> Page:
    """The page under Edit, when its stage is there and the server has said its tables."""
    page.get_by_role("group", name="What is painted").get_by_role("button", name="terrain").click()
    page.get_by_role("button", name="swamp").wait_for(timeout=60_000)
    page.get_by_role("button", name="wall", exact=True).first.click()
    until(page, "document.querySelector('.stage canvas').width > 300")
    return page


def test_a_stroke_has_no_gaps_and_is_undone_as_one(ready: Page) -> None:
    before = _rows(ready)
    contents = ready.get_by_role("region", name="Contents of the draft")
    expect(contents).to_contain_text("free96 %")
    _drag(ready, (2.5, 2.5), (22.5, 2.5), (22.5, 5.5))
    expect(contents).to_contain_text("free95 %")
    painted = _rows(ready)
    assert painted[2][2:23] == "@" * 21
    assert [row[22] for row in painted[2:6]] == list("@@@@")
    shot(ready, "edit-stroke")
    _click(ready, 10.5, 2.5, button="right")
    assert _rows(ready)[2][9:12] == "@.@"
    ready.get_by_role("button", name="undo").click()
    ready.keyboard.press("Control+z")
    assert _rows(ready) == before
    ready.keyboard.press("Control+y")
    assert _rows(ready) == painted


def test_lines_rectangles_fill_and_costs(ready: Page) -> None:
    _tool(ready, "line")
    _drag(ready, (0.5, 0.5), (9.5, 3.2), (6.5, 0.5))  # only where it ends counts
    assert _rows(ready)[0][:8] == "@" * 7 + "."
    assert "@" not in _rows(ready)[1][:20]
    _tool(ready, "rectangle")
    ready.get_by_role("button", name="cost").click()
    ready.get_by_label("price").fill("4")
    ready.get_by_label("price").press("Enter")
    _drag(ready, (30.5, 2.5), (35.5, 6.5))
    assert [row[29:37] for row in _rows(ready)[1:8]] == ["........", *[".444444."] * 5, "........"]
    ready.get_by_label("operation").select_option("add")
    _drag(ready, (28.5, 3.5), (31.5, 3.5))  # over the wall, which stays
    assert _rows(ready)[3][27:37] == ".@2554444."
    _tool(ready, "fill")
    ready.get_by_role("button", name="terrain").click()
    ready.get_by_role("button", name="swamp").click()
    _click(ready, 33.5, 4.5)
    assert _rows(ready)[4][29:37] == ".SSSSSS."
    assert _rows(ready)[3][27:37] == ".@255SSSS."
    _tool(ready, "pick")
    _click(ready, 28.5, 5.5)
    _tool(ready, "paint")
    _click(ready, 40.5, 2.5)
    assert ready.get_by_role("button", name="wall", exact=True).first.get_attribute("aria-pressed") == "true"


def test_keys_alone_paint_and_place(ready: Page) -> None:
    stage = ready.locator(".stage")
    stage.focus()
    for key in ["d", *["Control+ArrowLeft"] * 8, *["Control+ArrowUp"] * 5]:
        ready.keyboard.press(key)
    assert "x=0, y=0" in (ready.locator(".place").text_content() or "")
    for key in ["ArrowRight", "Enter", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowRight"]:
        ready.keyboard.press(key)
    rows = _rows(ready)
    assert (rows[0][:5], rows[1][:5]) == (".@...", ".@@@.")
    for key in ["Delete", "q", "ArrowDown", "Enter", "ArrowRight", "ArrowDown", "Enter"]:
        ready.keyboard.press(key)
    rows = _rows(ready)
    assert [row[:6] for row in rows[:4]] == [".@....", ".@@...", "...@@.", "...@@."]
    shot(ready, "edit-keys")
    for key in ["a", *["Control+ArrowRight"] * 2, "Enter", *["ArrowRight"] * 4, *["ArrowDown"] * 3, "Enter"]:
        ready.keyboard.press(key)
    groups = state(ready)["draft"]["scenario"]["groups"]
    assert len(groups[0]["positions"]) > 64
    ready.keyboard.press("Escape")
    assert not serious(ready)


def test_units_by_number_targets_and_several_groups(ready: Page) -> None:
    ready.keyboard.press("x")
    _drag(ready, (1, 1), (25, 20))
    assert state(ready)["draft"]["scenario"]["groups"][0]["positions"] == []
    ready.keyboard.press("a")
    ready.get_by_role("group", name="Number of units").get_by_role("button", name="100").click()
    _drag(ready, (2, 2), (24, 22))
    _drag(ready, (50.5, 8.5), (50.5, 12.5), button="right")
    group = state(ready)["draft"]["scenario"]["groups"][0]
    assert len(group["positions"]) == 100
    assert (round(group["target"]["x"]), round(group["target"]["y"]), group["target"]["radius"]) == (50, 8, 4)
    for name, wrong in (("target x", "1e9"), ("target y", "-5"), ("target radius", "1e9")):
        ready.get_by_label(name, exact=True).fill(wrong)
        ready.get_by_label(name, exact=True).press("Enter")
    assert state(ready)["draft"]["scenario"]["groups"][0]["target"] == {"x": 55.99, "y": 0, "radius": 56}
    ready.get_by_role("button", name="Add a group").click()
    ready.get_by_label("name").fill("<b>second</b>")
    ready.get_by_label("name").press("Enter")
    ready.get_by_role("group", name="Number of units").get_by_role("button", name="600").click()
    ready.get_by_label("overlapping").check()
    ready.keyboard.press("o")
    _drag(ready, (34, 16), (34, 19))
    ready.keyboard.press("t")
    _click(ready, 10, 28)
    groups = state(ready)["draft"]["scenario"]["groups"]
    assert [len(group["positions"]) for group in groups] == [100, 600]
    assert ready.locator(".pick .name").nth(1).text_content() == "<b>second</b>"
    shot(ready, "edit-groups")
    ready.keyboard.press("i")
    _click(ready, 28.5, 5.5)  # a wall
    assert ready.get_by_text("There is no room").is_visible()
    _click(ready, 36, 28)
    assert len(state(ready)["draft"]["scenario"]["groups"][1]["positions"]) == 601


def test_walls_over_units_are_said_and_mended(ready: Page) -> None:
    ready.keyboard.press("q")
    _drag(ready, (4.5, 6.5), (8.5, 8.5))
    ready.keyboard.press("i")
    ready.get_by_text("stand in a wall").wait_for()
    shot(ready, "edit-strays")
    ready.get_by_role("button", name="Move out").click()
    found = state(ready)["draft"]["scenario"]
    rows = found["map"]["text"].split("\n")
    assert len(found["groups"][0]["positions"]) == 64
    assert not [place for place in found["groups"][0]["positions"] if rows[int(place[1])][int(place[0])] == "@"]


def test_doors(ready: Page) -> None:
    ready.keyboard.press("g")
    ready.get_by_label("at step").fill("150")
    ready.get_by_label("at step").press("Enter")
    _drag(ready, (28.5, 14.5), (28.5, 16.5))
    door = {"step": 150, "terrain": "@", "rectangle": {"x": 28, "y": 14, "width": 1, "height": 3}}
    assert state(ready)["draft"]["scenario"]["changes"] == [door]
    ready.locator("details.item summary").click()
    item = ready.locator("details.item")
    item.get_by_label("becomes").select_option("W")
    assert state(ready)["draft"]["scenario"]["changes"] == [{**door, "terrain": "W"}]
    ready.locator("details.item").get_by_role("button", name="Remove").click()
    assert state(ready)["draft"]["scenario"]["changes"] == []


def test_a_formation_is_placed_turned_and_ordered(ready: Page) -> None:
    ready.keyboard.press("m")
    ready.get_by_label("shape").select_option("box")
    _drag(ready, (12.5, 20.5), (18.5, 20.5))
    _click(ready, 24.5, 20.5, button="right")
    ready.keyboard.down("Shift")
    _click(ready, 24.5, 28.5, button="right")
    ready.keyboard.up("Shift")
    (formation,) = state(ready)["draft"]["formations"]
    assert (formation["shape"], formation["azimuth"]) == ("box", 90)
    places = [[round(x), round(y)] for x, y in formation["order"][0]["places"]]
    assert places in ([[24, 20], [24, 28]], [[25, 21], [25, 29]], [[24, 21], [24, 29]], [[25, 20], [25, 28]])
    ready.wait_for_timeout(1500)
    shot(ready, "edit-formation")


def test_ends_are_set_by_clicks_and_the_path_is_searched_at_once(ready: Page) -> None:
    def ends(start: list[int], goal: list[int] | None) -> None:
        wanted = {"start": start, "goal": goal}
        assert state(ready)["draft"]["ends"] == wanted

    ready.get_by_role("tab", name="Plan").click()
    ready.get_by_role("region", name="Method").locator("select").first.select_option("search")
    _click(ready, 3.5, 3.5)
    ends([3, 3], None)
    _click(ready, 53.5, 3.5)
    ends([3, 3], [53, 3])
    facts = ready.get_by_role("region", name="Measured values")
    facts.get_by_text("cost").first.wait_for(timeout=60_000)
    shot(ready, "plan-ends")
    _drag(ready, (53.5, 3.5), (20.5, 10.5))
    ends([3, 3], [20, 10])
    method = ready.get_by_role("region", name="Method").locator("select").nth(1)
    method.select_option("rrt")
    facts.get_by_text("rrt").first.wait_for(timeout=60_000)
    until(ready, "document.querySelector('.words progress') === null", 60)
    _click(ready, 8.5, 28.5)
    found = state(ready)
    assert found["requests"][0]["seed"] == 1
    assert found["draft"]["ends"] == {"start": [3, 3], "goal": [20, 10]}


def test_agents_by_clicks_and_by_chance(ready: Page) -> None:
    ready.keyboard.press("y")
    _click(ready, 2.5, 2.5)
    _click(ready, 5.5, 2.5)
    _click(ready, 2.5, 2.5)
    assert ready.get_by_text("Agent 0 has its start here.").is_visible()
    assert state(ready)["draft"]["agents"] == [{"start": [2, 2], "goal": [5, 2]}]
    ready.get_by_role("button", name="Place by chance").click()
    first = state(ready)["draft"]["agents"]
    assert len({tuple(agent["start"]) for agent in first}) == 20
    ready.get_by_role("button", name="Next seed").click()
    assert state(ready)["draft"]["agents"] != first
    ready.get_by_role("button", name="From groups").click()
    assert len(state(ready)["draft"]["agents"]) == 64


def test_a_generator_follows_its_sliders_and_is_one_step_back(ready: Page) -> None:
    before = _rows(ready)
    _part(ready, "map")
    ready.get_by_label("kind").select_option("rooms")
    until(ready, "document.querySelector('.edit [aria-live] .failed') === null", 5)
    first = _other_rows(ready, before, 60)
    assert (len(first), len(first[0])) == (48, 64)
    ready.get_by_role("button", name="Next seed").click()
    _other_rows(ready, first, 60)
    shot(ready, "edit-generate")
    ready.keyboard.press("Control+z")
    assert _rows(ready) == before


def test_a_world_shows_its_sites(ready: Page) -> None:
    before = _rows(ready)
    _part(ready, "map")
    ready.get_by_label("kind").select_option("island")
    _other_rows(ready, before, 120)
    legend = ready.get_by_role("tabpanel").locator(".legend")
    legend.get_by_text("start of a player").wait_for()
    ready.wait_for_timeout(300)  # for the next frame
    shot(ready, "edit-world")
    ready.keyboard.press("Control+z")
    assert _rows(ready) == before
    assert legend.count() == 0


def test_a_map_is_dropped_and_a_broken_one_is_explained(ready: Page) -> None:
    before = _rows(ready)
    drop(ready, "bad.map", BARE.replace("height 3", "height 5").encode())
    ready.get_by_role("alert").wait_for()
    assert "bad.map" in (ready.get_by_role("alert").text_content() or "")
    shot(ready, "edit-bad-file")
    assert _rows(ready) == before
    drop(ready, "small.map", BARE.encode())
    until(ready, "document.querySelector('.file').textContent === 'small.map'")
    assert _rows(ready) == ["....", ".@@.", "...."]
    assert not ready.get_by_role("alert").is_visible()
    ready.keyboard.press("Control+z")
    assert _rows(ready) == before


def test_a_draft_is_saved_and_opened_again(ready: Page, studio: Studio, faults: list[str]) -> None:
    _drag(ready, (2.5, 2.5), (12.5, 2.5))
    drawn = state(ready)["draft"]["scenario"]
    _part(ready, "files")
    ready.get_by_label("file", exact=True).fill("mine.scenario.toml")
    ready.get_by_role("button", name="Save as").click()
    until(ready, "document.querySelector('.file').textContent === 'mine.scenario.toml'")
    assert (studio.workspace / "mine.scenario.toml").is_file()
    ready.get_by_role("button", name="maze").click()
    assert state(ready)["draft"]["scenario"]["name"] == "maze"
    ready.get_by_label("file", exact=True).fill("mine.scenario.toml")
    ready.get_by_role("button", name="Save as").click()
    ready.get_by_role("alert").get_by_text("there is such a file").wait_for()
    faults[:] = [fault for fault in faults if "409" not in fault]  # that it was refused is what was meant
    shot(ready, "edit-files")
    ready.get_by_role("list", name="Files of the workspace").get_by_role("button", name="mine").click()
    until(ready, "document.querySelector('.file').textContent === 'mine.scenario.toml'")
    again = state(ready)["draft"]["scenario"]
    assert again["map"]["text"].strip() == drawn["map"]["text"]
    assert [len(group["positions"]) for group in again["groups"]] == [64]


@pytest.mark.parametrize("name", ["closing door", "warehouse", "formation at a gate"])
def test_an_example_of_each_family_can_be_run(ready: Page, name: str) -> None:
    _part(ready, "files")
    ready.get_by_role("button", name=name).click()
    ready.get_by_role("tab", name="Plan").click()
    ready.get_by_role("button", name="Run", exact=True).click()
    until(ready, "document.querySelector('.words .done, .words .failed, .measured dd') !== null", 100)
    assert ready.locator(".words .failed").count() == 0
    shot(ready, f"example-{name.replace(' ', '-')}")


def test_every_part_is_accessible_in_light_and_dark(ready: Page) -> None:
    for _ in range(2):
        for part in ("files", "map", "scenario", "draw"):
            _part(ready, part)
            ready.wait_for_timeout(200)
            assert not serious(ready), part
        ready.get_by_role("button", name="dark or light").click()
