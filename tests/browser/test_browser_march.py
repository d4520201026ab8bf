"""A march in a browser: another order while it is played, and what is drawn."""

import re

from browsing import at, serious, shot, state, until
from playwright.sync_api import Page, expect

LONG = 120_000  # ms: a worker may have to load its kernels first


def planned(page: Page) -> None:
    page.get_by_role("button", name="files", exact=True).click()
    page.get_by_role("button", name=re.compile("formation at a gate")).click()
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("section[aria-label='Measured values'] dt").first.wait_for(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 90)


def hashes(page: Page) -> str:
    row = page.locator("section[aria-label='Measured values'] dl > div").filter(
        has=page.get_by_text("hash", exact=True)
    )
    return row.locator("dd").first.inner_text()


def test_an_order_in_a_march(page: Page) -> None:
    planned(page)
    page.get_by_role("tab", name="Run").click()
    draft = state(page)["draft"]
    rows = draft["scenario"]["map"]["text"].split("\n")
    before, orders = hashes(page), draft["formations"][0]["order"]
    page.get_by_label("step", exact=True).fill("200")
    page.get_by_label("bindings, and where each should be").check()
    page.get_by_label("lines between cells").check()
    shot(page, "march-before")
    start = draft["formations"][0]["start"]
    page.mouse.click(*at(page, start[0], start[1], len(rows[0]), len(rows)), button="right")
    expect(page.locator("section[aria-label='Measured values'] dt").first).to_be_visible(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 90)
    kept = state(page)
    told = kept["draft"]["formations"][0]["order"]
    assert told[:-1] == orders
    assert 0 < told[-1]["time"] < 200
    assert abs(told[-1]["places"][0][0] - start[0]) < 0.5
    assert kept["time"] == 200
    assert hashes(page) != before
    shot(page, "march-ordered")
    page.get_by_label("the map itself").uncheck()
    shot(page, "march-alone")
    assert serious(page) == []
    page.keyboard.press("Control+z")
    assert state(page)["draft"]["formations"][0]["order"] == orders
