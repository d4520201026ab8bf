"""What becomes of results when another draft is opened, and of the request when that is undone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import shot, until
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

LONG = 120_000  # ms: a worker that has not simulated yet may have to compile first
FACTS = "section[aria-label='Measured values'] dt"


class Held:
    """The way from the server to a page, which can be closed and opened: what comes meanwhile comes afterwards."""

    def __init__(self) -> None:
        self.closed = False
        self.waiting: list[tuple[WebSocketRoute, str | bytes]] = []

    def route(self, page: WebSocketRoute) -> None:
        def answer(message: str | bytes) -> None:
            if self.closed:
                self.waiting.append((page, message))
            else:
                page.send(message)

        page.connect_to_server().on_message(answer)

    def over(self) -> int:
        """Return how many jobs have ended of which the page has not heard."""
        return sum(
            re.search(rb'"kind": ?"(done|failed)"', message) is not None
            for _, message in self.waiting
            if isinstance(message, bytes)
        )

    def open(self) -> None:
        self.closed = False
        for page, message in self.waiting:
            page.send(message)
        self.waiting.clear()


@pytest.fixture
def held(context: BrowserContext, studio: Any) -> Iterator[Held]:
    """Begun before the page is, so that all of its messages go this way."""
    way = Held()
    context.route_web_socket("**/socket", way.route)
    yield way


def part(page: Page, name: str) -> None:
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name=name).click()


def example(page: Page, name: str) -> None:
    page.get_by_role("tab", name="Edit").click()
    part(page, "files")
    page.locator(".pick.tall").filter(has=page.get_by_text(name, exact=True)).click()
    expect(page.locator(".file")).to_have_text(name)


def run(page: Page) -> None:
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click()


def planned(page: Page) -> None:
    run(page)
    page.locator(FACTS).first.wait_for(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 60)


def test_a_result_that_comes_late_is_not_of_the_next_draft(held: Held, page: Page) -> None:
    example(page, "two routes")
    held.closed = True
    run(page)
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    until_over(page, held, 1)
    example(page, "warehouse")
    held.open()
    page.get_by_role("tab", name="Plan").click()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    page.wait_for_timeout(300)
    expect(page.locator(FACTS)).to_have_count(0)
    shot(page, "drafts-late")


def test_contestants_of_the_draft_before_bring_nothing(held: Held, page: Page) -> None:
    page.get_by_role("tab", name="Compare").click()
    contestants = page.locator(".contestant")
    expect(contestants).to_have_count(2, timeout=LONG)
    for _ in range(2):
        page.get_by_role("button", name="Add one").click()
    held.closed = True
    page.get_by_role("button", name="Run all").click()
    until_over(page, held, 4)
    example(page, "two routes")
    held.open()
    page.get_by_role("tab", name="Compare").click()
    expect(contestants).to_have_count(4)
    page.wait_for_timeout(300)
    assert page.locator("table.results td.state").all_inner_texts() == ["not run yet"] * 4


def until_over(page: Page, held: Held, jobs: int) -> None:
    """Wait until so many jobs are over, of which the page has not heard yet."""
    for _ in range(1200):
        if held.over() == jobs:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not over: {len(held.waiting)} messages")


def test_results_of_another_map_go_and_those_of_the_same_map_are_marked(page: Page) -> None:
    example(page, "chokepoint")
    planned(page)
    earlier = page.get_by_label("Measured values").get_by_text("made of an earlier draft")
    page.get_by_role("tab", name="Edit").click()
    expect(page.locator(FACTS).first).to_be_visible()
    expect(earlier).to_have_count(0)
    part(page, "scenario")
    page.get_by_label("seed", exact=True).fill("17")
    page.keyboard.press("Tab")
    expect(earlier).to_be_visible()
    shot(page, "drafts-earlier")
    page.get_by_role("button", name="undo").click()
    expect(earlier).to_have_count(0)
    part(page, "map")
    page.get_by_role("button", name="New empty map").click()
    expect(page.locator(FACTS)).to_have_count(0)


def test_undoing_an_example_brings_back_what_was_asked_for(page: Page) -> None:
    example(page, "two routes")
    planned(page)
    task = page.get_by_role("region", name="Method").locator("select")
    page.get_by_role("region", name="Method").get_by_label("seed").fill("3")
    example(page, "maze")
    planned(page)
    expect(task.first).to_have_value("search")
    page.locator(".stage").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".file")).to_have_text("two routes")
    expect(task.first).to_have_value("group")
    expect(task.nth(1)).to_have_value("flow-taut")
    expect(page.get_by_role("region", name="Method").get_by_label("seed")).to_have_value("3")
    expect(page.locator(FACTS)).to_have_count(0)
    shot(page, "drafts-undone")
    page.keyboard.press("Control+y")
    expect(task.first).to_have_value("search")
    page.locator(FACTS).first.wait_for()  # both ends are set, so the path is searched at once


def test_a_live_run_stays_in_the_draft_that_it_was_begun_with(page: Page) -> None:
    def live() -> None:
        page.get_by_role("tab", name="Run").click()
        page.get_by_label("What to run").get_by_role("button", name="Live").click()

    def begin() -> None:
        page.get_by_role("button", name=re.compile("^Start( again)?$")).click()
        page.get_by_role("button", name="Go on").wait_for(timeout=LONG)
        expect(page.get_by_label("Live run")).not_to_contain_text("planning")

    example(page, "closing door")
    live()
    begin()
    page.wait_for_timeout(500)  # for the picture
    before = page.locator(".stage").screenshot()
    page.locator(".stage").press("n")
    page.locator(".stage").press("i")
    page.locator(".why li").first.wait_for(timeout=LONG)
    page.locator(".stage").press("Escape")
    example(page, "two routes")
    live()
    expect(page.get_by_text("The scenario has been edited since")).to_be_visible()
    expect(page.locator(".why")).to_have_count(0)
    page.wait_for_timeout(500)
    shot(page, "drafts-live")
    assert page.locator(".stage").screenshot() == before
    page.locator(".stage").press("n")
    page.locator(".stage").press("i")
    page.locator(".why li").first.wait_for(timeout=LONG)
    begin()
    expect(page.locator(".why")).to_have_count(0)
