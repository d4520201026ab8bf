"""Plan mode in a browser: each family of methods, search steps, pictures of the map, cancelling, the address."""

import re

import pytest
from browsing import at, drop, serious, shot, state, until
from playwright.sync_api import Page, expect

IDLE = "!document.querySelector('.go .stop')"


def planning(page: Page) -> None:
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).wait_for()
    page.locator("section[aria-label=Method] select").first.wait_for()


def chosen(page: Page, family: str, method: str = "") -> None:
    page.locator("section[aria-label=Method] select").first.select_option(family)
    if method:
        page.locator("section[aria-label=Method] select").nth(1).select_option(method)


def run(page: Page, seconds: float = 60) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    begun = page.locator(".go .stop").or_(page.locator(".go .failed"))
    begun.or_(page.locator("section[aria-label='Measured values'] dt").first).first.wait_for()
    until(page, IDLE, seconds)


def fact(page: Page, name: str) -> str:
    row = page.locator("section[aria-label='Measured values'] dl > div").filter(has=page.get_by_text(name, exact=True))
    return row.locator("dd").first.inner_text()


def timeline(page: Page) -> tuple[int, int]:
    now, end = page.get_by_label("time", exact=True).inner_text().split("/")
    return int(now), int(end)


def test_groups(page: Page) -> None:
    planning(page)
    chosen(page, "group", "flow-centres")
    run(page)
    assert fact(page, "arrived") == fact(page, "units") == "64"
    assert fact(page, "valid") == "yes"
    assert timeline(page) == (0, int(fact(page, "steps")))
    shot(page, "plan-groups")


def test_a_path_and_its_search_step_by_step(page: Page) -> None:
    planning(page)
    chosen(page, "search", "astar")
    run(page)
    cost, expanded = fact(page, "cost"), fact(page, "expanded")
    panel = page.get_by_label("Search, step by step")

    def known(name: str) -> str:
        row = panel.locator("dl > div").filter(has=page.locator("dt", has_text=re.compile(f"^{re.escape(name)}$")))
        return row.locator("dd").inner_text()

    assert known("expanded") == expanded
    panel.get_by_label("search: to the beginning").click()
    assert known("step").startswith("0 of ")
    for _ in range(3):
        panel.get_by_label("search: one step on").click()
    assert known("step").startswith("3 of ")
    assert float(known("f = g + h")) == pytest.approx(float(known("g")) + float(known("h")), abs=1e-3)
    panel.get_by_label("search: one step back").click()
    assert known("step").startswith("2 of ")
    panel.get_by_label("steps of the search", exact=True).fill("400")
    shot(page, "plan-search")
    chosen(page, "search", "dijkstra")
    run(page)
    assert fact(page, "cost") == cost
    assert int(fact(page, "expanded").replace(",", "")) > int(expanded.replace(",", ""))


@pytest.mark.parametrize("method", ["rrt", "dstar-lite", "theta", "polyanya"])
def test_other_searches(page: Page, method: str) -> None:
    planning(page)
    chosen(page, "search", method)
    run(page)
    assert fact(page, "status") == "solved"
    shot(page, f"plan-{method}")


def test_a_new_search_is_shown_as_far_as_the_timeline_says(page: Page) -> None:
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name="files").click()
    page.get_by_role("button", name="maze").click()
    planning(page)
    chosen(page, "search", "rrt")
    run(page)
    assert fact(page, "status") != "solved"  # no run to be played, so the timeline has the steps of the search
    panel = page.get_by_label("Search, step by step")

    def shown() -> tuple[int, int]:
        now, end = panel.locator("dl > div").filter(has_text="step").first.locator("dd").inner_text().split(" of ")
        return int(now), int(end)

    assert shown() == timeline(page) == (shown()[1],) * 2
    panel.get_by_label("steps of the search", exact=True).fill("40")
    assert shown()[0] == timeline(page)[0] == 40
    page.get_by_role("slider", name="step", exact=True).fill("50")
    assert shown()[0] == timeline(page)[0] == 50
    page.get_by_label("seed", exact=True).first.fill("7")
    page.get_by_label("seed", exact=True).first.press("Enter")
    until(page, IDLE, 60)
    assert shown() == timeline(page) == (shown()[1],) * 2
    shot(page, "plan-no-path")


def test_discretisation(page: Page) -> None:
    planning(page)
    chosen(page, "space", "hexagonal-6")
    run(page)
    assert int(fact(page, "states").replace(",", "")) > 100
    shot(page, "plan-space")


def test_motion(page: Page) -> None:
    planning(page)
    chosen(page, "drive")
    run(page)
    assert fact(page, "valid") == "yes"
    shot(page, "plan-drive")
    start, ahead, goal, down = (
        at(page, x, y, 56, 32) for x, y in ((8.5, 18.5), (4.5, 18.5), (20.5, 20.5), (20.5, 24.5))
    )
    for place, towards in ((start, ahead), (goal, down)):
        page.mouse.move(*place)
        page.mouse.down()
        page.mouse.move(*towards, steps=4)
        page.mouse.up()
    kept = state(page)
    assert kept["draft"]["ends"] == {"start": [8, 18], "goal": [20, 20]}
    assert kept["requests"][0]["options"] == {"heading": 180, "heading_at_goal": 90}
    until(page, IDLE, 60)
    assert fact(page, "valid") == "yes"
    shot(page, "plan-drive-headings")


def test_many_agents(page: Page) -> None:
    planning(page)
    chosen(page, "mapf", "lacam")
    run(page)
    assert fact(page, "status") == "solved"
    page.get_by_label("step", exact=True).press("End")
    assert timeline(page)[0] == timeline(page)[1] > 20
    shot(page, "plan-agents")
    page.get_by_role("tab", name="Run").click()
    page.locator(".stage").press("n")
    expect(page.get_by_role("region", name="The chosen unit")).to_contain_text("only be told of groups")
    expect(page.get_by_role("button", name="Why is it there?")).to_have_count(0)


def test_playing_scrubbing_and_stepping_back(page: Page) -> None:
    planning(page)
    run(page)
    end = timeline(page)[1]
    page.get_by_label("play", exact=True).click()
    until(page, "parseInt(document.querySelector('output[aria-label=time]').textContent) > 20")
    page.keyboard.press("Space")
    page.locator(".stage").first.focus()
    page.get_by_label("step", exact=True).fill(str(end // 2))
    assert timeline(page)[0] == end // 2
    shot(page, "run-scrubbed")
    page.locator(".stage").first.focus()
    for _ in range(3):
        page.keyboard.press(",")
    assert timeline(page)[0] == end // 2 - 3
    page.keyboard.press(".")
    assert timeline(page)[0] == end // 2 - 2
    page.keyboard.press("b")
    page.keyboard.press("End")
    page.get_by_label(f"bookmark at step {end // 2 - 2}").click()
    assert timeline(page)[0] == end // 2 - 2
    page.keyboard.press("]")
    assert "120 steps/s" in page.get_by_label("speed", exact=True).inner_text()


def test_pictures_of_the_map(page: Page) -> None:
    planning(page)
    page.get_by_text("pictures of the map").click()
    for title in ("distance from walls", "regions and gates", "flow network and flows"):
        page.get_by_label(title).check()
    legends = page.locator("details .legend")
    expect(legends).to_have_count(3)
    assert "regions: 3" in legends.nth(1).inner_text()
    page.locator(".stage").first.focus()
    page.keyboard.press("m")
    page.get_by_label("set", exact=True).nth(1).wait_for()
    shot(page, "plan-pictures")
    chosen(page, "search", "astar")
    run(page)
    expect(legends).to_have_count(3)  # they are of the map, whatever is planned on it
    for title in ("distance from walls", "regions and gates", "flow network and flows"):
        page.get_by_label(title).uncheck()
    expect(legends).to_have_count(0)
    expect(page.get_by_label("regions and gates")).to_be_visible()  # to be ticked again
    flow = page.get_by_label("flow network and flows")
    flow.check()
    flow.uncheck()  # before it has come
    page.wait_for_timeout(1500)
    expect(legends).to_have_count(0)
    expect(page.get_by_role("checkbox", name="network", exact=False)).to_have_count(1)


def test_a_long_run_is_cancelled(page: Page) -> None:
    planning(page)
    chosen(page, "mapf", "cbs")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    assert page.locator(".go .words").inner_text() == "cancelled"
    shot(page, "plan-cancelled")
    chosen(page, "search", "astar")
    run(page)
    assert fact(page, "status") == "solved"


def test_after_reloading_all_is_there(page: Page) -> None:
    planning(page)
    chosen(page, "search", "theta")
    page.get_by_label("seed", exact=True).first.fill("7")
    page.get_by_label("seed", exact=True).first.press("Enter")
    run(page)
    cost = fact(page, "cost")
    page.locator(".stage").first.focus()
    page.keyboard.press("+")
    page.get_by_label("step", exact=True).fill("50")
    assert state(page)["time"] == 50
    page.reload()
    page.locator("section[aria-label=Method] select").first.wait_for()
    until(page, IDLE)
    assert page.get_by_role("tab", name="Plan").get_attribute("aria-selected") == "true"
    assert page.locator("section[aria-label=Method] select").nth(1).input_value() == "theta"
    assert page.get_by_label("seed", exact=True).first.input_value() == "7"
    assert fact(page, "cost") == cost
    assert timeline(page)[0] == 50
    shot(page, "plan-reloaded")


def test_what_goes_wrong_is_said(page: Page) -> None:
    planning(page)
    chosen(page, "formation")
    run(page)
    assert "formation" in page.locator(".go .failed").inner_text()
    shot(page, "plan-failed")


def clicked(page: Page, x: float, y: float) -> None:
    page.mouse.click(*at(page, x, y, 6, 3))


def colour(page: Page, of: str) -> str:
    return page.locator(of).first.evaluate("found => getComputedStyle(found).color")


def test_why_there_is_no_path_is_said_until_it_is_mended(page: Page) -> None:
    drop(page, "walled.txt", b"....@.\n....@.\n....@.\n")
    expect(page.locator(".file")).to_have_text("walled.txt")
    planning(page)
    chosen(page, "search", "astar")
    run(page)
    expect(page.locator(".go .failed")).to_contain_text("no start")
    bad = colour(page, ".go .failed")
    said = page.get_by_role("region", name="What a click does")
    clicked(page, 4.5, 1.5)
    expect(said).to_contain_text("Nobody can stand there.")
    expect(page.locator(".go .failed")).to_be_visible()
    clicked(page, 0.5, 1.5)
    expect(said).to_contain_text("Now click the goal.")
    expect(page.locator(".go .failed")).to_have_count(0)
    clicked(page, 5.5, 1.5)
    expect(page.locator(".go .done")).to_be_visible(timeout=60_000)
    assert colour(page, ".go .done") == bad
    assert fact(page, "nearest place in reach") == "3, 1"
    shot(page, "plan-no-path")


def test_of_groups_and_agents_that_are_missing_it_is_said_how_to_place_them(page: Page) -> None:
    page.keyboard.press("x")
    for place, move in (((1, 1), page.mouse.down), ((27, 22), page.mouse.up)):
        page.mouse.move(*at(page, *place, 56, 32), steps=3)
        move()
    planning(page)
    for family, problem in (("group", "the group has no units; found none in blue"), ("mapf", "there are no agents")):
        chosen(page, family)
        page.get_by_role("button", name="Run", exact=True).click()
        expect(page.locator(".go .failed")).to_contain_text(problem)
        expect(page.locator(".go .failed")).to_contain_text("under Edit")
    shot(page, "plan-no-agents")
    page.keyboard.press("Control+z")
    expect(page.locator(".go .failed")).to_have_count(0)


@pytest.mark.parametrize("mode", ["Edit", "Plan", "Run", "Compare", "Share"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_for_axe(page: Page, mode: str, theme: str) -> None:
    planning(page)
    if theme == "dark":
        page.get_by_label("dark or light").click()
    run(page)
    page.get_by_role("tab", name=mode).click()
    page.wait_for_timeout(300)
    assert serious(page) == []
