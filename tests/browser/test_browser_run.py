"""Run mode in a browser: playback and why, a live run that takes orders, a game in turns, a formation moved by hand."""

import re

from browsing import at, serious, shot, until
from playwright.sync_api import Page, expect

LONG = 120_000  # ms: a worker that has not simulated yet may have to compile first


def running(page: Page, act: str) -> None:
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("What to run").get_by_role("button", name=act).click()


def started(page: Page, act: str, then: str) -> None:
    """Begin an act, and wait until there is a button that it has when it goes on."""
    running(page, act)
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name=then, exact=True).wait_for(timeout=LONG)


def step(page: Page) -> int:
    return int(page.get_by_label("time", exact=True).inner_text().split("/")[0])


def number(page: Page, name: str) -> float:
    return float(page.locator(f"dd[data-name='{name}']").inner_text().replace(",", ""))


def click(page: Page, x: float, y: float, **how: str) -> None:
    page.mouse.click(*at(page, x, y, 56, 32), **how)  # pyright: ignore[reportArgumentType]


def test_why_a_unit_of_a_planned_run_is_where_it_is(page: Page) -> None:
    running(page, "Playback")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("section[aria-label='Measured values'] dt").first.wait_for(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 60)
    page.get_by_label("step", exact=True).fill("250")
    page.locator(".stage").focus()
    page.keyboard.press("n")
    for switch in ("unit numbers", "lines to goals", "headings"):
        page.get_by_label(switch).check()
    page.get_by_label("colour by").select_option("speed")
    page.locator(".stage").press("i")
    page.locator(".why li").first.wait_for(timeout=LONG)
    sentences = page.locator(".why li").all_inner_texts()
    assert len(sentences) >= 3 and sentences[0].startswith("Unit 0 of blue is on its way")
    expect(page.locator(".why")).to_contain_text("at step 250")
    expect(page.get_by_label("why 2")).to_be_checked()
    assert not serious(page)
    shot(page, "run-why")


def test_in_a_live_run_units_go_where_they_are_sent(page: Page) -> None:
    started(page, "Live", "Go on")
    page.get_by_role("button", name="10 steps on").click()
    until(page, "document.querySelector('output[aria-label=time]').innerText.startsWith('10 ')", 60)
    # everybody is sent to a place in their own room, by way of a stop
    page.get_by_role("button", name="blue").click()
    expect(page.get_by_text("64 chosen")).to_be_visible()
    page.keyboard.down("Shift")
    click(page, 14, 20, button="right")
    page.keyboard.up("Shift")
    click(page, 21, 8, button="right")
    expect(page.get_by_role("region", name="What was told")).to_contain_text("64 units to (14.0, 20.0), (21.0, 8.0)")
    page.get_by_role("button", name="fast", exact=True).click()
    page.locator(".stage").focus()
    page.keyboard.press("Space")
    until(page, "+document.querySelector('dd[data-name=arrived]').innerText > 20", 90)
    shot(page, "run-live-order")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.wait_for_timeout(300)
    # nobody has left the room, so they can only have arrived at the new target
    assert number(page, "removed") == 0
    before, arrived = step(page), number(page, "arrived")
    page.get_by_role("button", name="10 steps back").click()
    until(page, f"document.querySelector('output[aria-label=time]').innerText.startsWith('{before - 10} ')", 60)
    assert number(page, "arrived") <= arrived
    page.keyboard.press(".")
    until(page, f"document.querySelector('output[aria-label=time]').innerText.startsWith('{before - 9} ')", 60)
    # and again with the same orders
    page.get_by_role("button", name="Run again with these orders").click()
    until(page, "document.querySelector('output[aria-label=time]').innerText.startsWith('0 ')", 60)
    page.get_by_role("button", name="Go on").wait_for(timeout=LONG)
    expect(page.get_by_role("region", name="What was told")).to_contain_text("(21.0, 8.0)")


def test_in_a_live_run_a_unit_has_its_speed_after_steps_back(page: Page) -> None:
    started(page, "Live", "Go on")
    page.locator(".stage").press("n")
    assert number(page, "speed") == 0
    for button, reached in (("10 steps on", 10), ("10 steps on", 20), ("10 steps back", 10)):
        page.get_by_role("button", name=button).click()
        until(page, f"document.querySelector('output[aria-label=time]').innerText.startsWith('{reached} ')", 60)
    speed = number(page, "speed")
    page.get_by_role("button", name="Why is it there?").click()
    said = re.search(r"at (\d+)% of its greatest speed", page.locator(".why").inner_text(timeout=LONG))
    assert said is not None and abs(int(said[1]) / 100 * 0.15 - speed) <= 0.002  # 0.15 is the speed of its group


def test_in_a_live_run_a_door_is_closed_and_units_are_taken_out(page: Page) -> None:
    started(page, "Live", "Go on")
    page.get_by_role("button", name="paint").click()
    page.mouse.move(*at(page, 28.5, 14.5, 56, 32))
    page.mouse.down()
    page.mouse.move(*at(page, 28.5, 16.5, 56, 32), steps=3)
    page.mouse.up()
    expect(page.get_by_role("region", name="What was told")).to_contain_text("3 cells to @")
    page.get_by_role("button", name="one step on").click()
    until(page, "document.querySelector('output[aria-label=time]').innerText.startsWith('1 ')", 60)
    assert number(page, "removed") == 64  # nobody has a way any more
    expect(page.get_by_label("Live run")).to_contain_text("all units have arrived or were removed")
    page.get_by_role("button", name="one step back").click()
    until(page, "document.querySelector('output[aria-label=time]').innerText.startsWith('0 ')", 60)
    page.get_by_role("button", name="send units").click()
    # a box of units, and one key
    page.mouse.move(*at(page, 3, 5, 56, 32))
    page.mouse.down()
    page.mouse.move(*at(page, 15, 7.8, 56, 32), steps=3)
    page.mouse.up()
    expect(page.get_by_text("8 chosen")).to_be_visible()
    page.locator(".stage").press("Delete")
    expect(page.get_by_role("region", name="What was told")).to_contain_text("8 units removed")
    shot(page, "run-live-door")
    # a single unit, why by its key
    page.locator(".stage").press("n")
    page.locator(".stage").press("i")
    page.locator(".why li").first.wait_for(timeout=LONG)


def test_turns(page: Page) -> None:
    started(page, "Turns", "End turn")
    page.get_by_role("button", name="add units").click()
    click(page, 4.5, 20.5)
    expect(page.get_by_label("Units", exact=True).get_by_role("button")).to_have_count(2)
    page.get_by_role("button", name="order", exact=True).click()
    click(page, 4.5, 20.5)
    facts = page.get_by_role("region", name="The chosen unit")
    expect(facts).to_contain_text("no order")
    click(page, 9.5, 20.5)
    expect(facts).to_contain_text("9, 20")
    expect(page.locator("dd[data-name='tiles to go']")).to_have_text("5")
    page.get_by_role("button", name="End turn").click()
    expect(page.get_by_label("turn", exact=True)).to_have_text("turn 1")
    expect(page.locator("dd[data-name='tile']")).to_have_text("6, 20")
    # a wall in its way makes it go round
    page.get_by_role("button", name="change tiles").click()
    page.mouse.move(*at(page, 8.5, 19.5, 56, 32))
    page.mouse.down()
    page.mouse.move(*at(page, 8.5, 21.5, 56, 32), steps=4)
    page.mouse.up()
    expect(page.locator("dd[data-name='tiles to go']")).to_have_text("7")
    page.mouse.move(*at(page, 6.5, 20.5, 56, 32))
    for _ in range(7):
        page.mouse.wheel(0, -240)
    page.wait_for_timeout(300)
    shot(page, "run-turns")
    page.locator(".stage").press("t")
    expect(page.get_by_label("turn", exact=True)).to_have_text("turn 2")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_label("turn", exact=True)).to_have_text("turn 1")
    page.get_by_role("button", name="Halt").click()
    expect(facts).to_contain_text("no order")
    assert not serious(page)


def test_a_random_game_of_hexagons(page: Page) -> None:
    running(page, "Turns")
    page.get_by_label("neighbours").select_option("6")
    page.get_by_role("button", name="Random map").click()
    page.get_by_role("button", name="End turn").wait_for(timeout=LONG)
    page.locator(".stage").focus()
    page.keyboard.press("n")
    expect(page.locator("dd[data-name='tile']")).to_have_text("0, 0")
    page.keyboard.press("Enter")  # the cross is in the middle of a map of 20 × 20 tiles
    expect(page.locator("dd[data-name='goal']")).to_have_text(re.compile(r"\d+, \d+"))
    shot(page, "run-turns-hexagons")


def test_a_formation_is_moved_by_hand(page: Page) -> None:
    running(page, "Formation")
    page.get_by_label("units", exact=True).fill("4")
    page.get_by_label("units", exact=True).blur()
    started(page, "Formation", "Randomise")
    expect(page.locator("dd[data-name='mean']")).to_have_text("0")
    page.mouse.move(*at(page, 28, 16, 56, 32))
    page.mouse.down()
    page.mouse.move(*at(page, 33, 12, 56, 32), steps=5)
    page.mouse.up()
    until(page, "+document.querySelector('dd[data-name=mean]').innerText > 1")
    expect(page.get_by_label("Shape", exact=True)).to_contain_text("error with unit 0 there")
    moved = number(page, "mean")
    page.locator(".stage").press("a")
    until(page, f"+document.querySelector('dd[data-name=mean]').innerText !== {moved}")
    page.get_by_role("button", name="Randomise").click()
    until(page, "+document.querySelector('dd[data-name=mean]').innerText.replace(',', '') > 500")
    shot(page, "run-formation")
    before = number(page, "mean")
    page.get_by_role("button", name="Optimise by one step").click()
    until(page, f"+document.querySelector('dd[data-name=mean]').innerText.replace(',', '') < {before}", 30)
    page.get_by_role("button", name="Analyse").click()
    page.locator(".curve canvas").first.wait_for(timeout=LONG)
    assert page.locator(".curve").count() == 2
    page.locator(".curve").last.scroll_into_view_if_needed()
    assert not serious(page)
    shot(page, "run-formation-analysis")
