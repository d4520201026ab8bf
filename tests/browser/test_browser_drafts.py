"""What becomes of results when another draft is opened, and of the request when that is undone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import shot, until
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

LONG = 120_000  # ms: a worker that has not simulated yet may have to compile first
UNITS = "section[aria-label='Measured values'] dt"


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


def example(page: Page, name: str) -> None:
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name="files").click()
    page.locator(".pick.tall").filter(has=page.get_by_text(name, exact=True)).click()
    expect(page.locator(".file")).to_have_text(name)


def run(page: Page) -> None:
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click()


def planned(page: Page) -> None:
    run(page)
    page.locator(UNITS).first.wait_for(timeout=LONG)
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
    expect(page.locator(UNITS)).to_have_count(0)
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


def test_results_of_another_map_go_and_those_of_the_same_map_stay(page: Page) -> None:
    example(page, "chokepoint")
    planned(page)
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name="map").click()
    expect(page.locator(UNITS).first).to_be_visible()
    page.get_by_role("button", name="New empty map").click()
    expect(page.locator(UNITS)).to_have_count(0)


def until_over(page: Page, held: Held, jobs: int) -> None:
    """Wait until so many jobs are over, of which the page has not heard yet."""
    for _ in range(1200):
        if held.over() == jobs:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not over: {len(held.waiting)} messages")
