"""Methods side by side: run, cancel, curves, the table of a results folder while it grows."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import serious, shot, state
from playwright.sync_api import Locator, Page, expect

from anabasis.grid import Grid
from anabasis.lab.compare import compare
from anabasis.lab.suite import Suite
from anabasis.scenario import Group, Scenario, Target

RUN = 90_000  # ms that all methods may take, with kernels that have to be loaded


@pytest.fixture
def comparing(page: Page) -> Page:
    """The page in mode Compare, with two contestants."""
    page.get_by_role("tab", name="Compare").click()
    expect(contestants(page)).to_have_count(
        2, timeout=RUN
    )  # the table of methods comes from a process that has to begin
    return page


def contestants(page: Page) -> Locator:
    return page.locator(".contestant")


def rows(page: Page) -> list[list[str]]:
    """Return the texts of the table of results, a list a row."""
    return [row.locator("th, td").all_inner_texts() for row in page.locator("table.results tbody tr").all()]


def test_four_methods_are_compared(comparing: Page) -> None:
    page = comparing
    for _ in range(2):
        page.get_by_role("button", name="Add one").click()
    expect(page.locator(".stage")).to_have_count(4)
    expect(page.get_by_role("button", name="Add one")).to_be_disabled()
    methods = [page.get_by_label(f"method {k}", exact=True).input_value() for k in range(1, 5)]
    assert len(set(methods)) == 4
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_role("button", name="Run all")).to_be_visible(timeout=RUN)
    page.get_by_label("step", exact=True).fill("330")
    expect(page.locator("caption")).to_contain_text("at step 330")
    found = rows(page)
    assert [row[0].strip() for row in found] == methods
    for _method, arrived, on_way, last, mean, *_ in found:
        now, units = map(int, arrived.split("/"))
        assert 0 < now < units == now + int(on_way)
        assert float(mean) < float(last)
    lasts = [int(row[3]) for row in found]
    best = page.locator("table.results tbody tr td:nth-child(4) strong").all_inner_texts()
    assert best and {int(text) for text in best} == {min(lasts)}
    for number, caption in enumerate(page.locator(".caption").all()):
        expect(caption).to_contain_text(methods[number])
        expect(caption).to_contain_text(f"last at step {lasts[number]}")
    shot(page, "compare_four")
    assert serious(page) == []
    line = "document.querySelector('.curves .now').getBoundingClientRect().x"
    before = page.evaluate(line)
    page.get_by_role("button", name="dark or light").click()
    page.wait_for_timeout(300)  # for the chart
    assert page.evaluate(line) == pytest.approx(before, abs=1)
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("tab", name="Compare").click()
    page.wait_for_timeout(300)
    assert page.evaluate(line) == pytest.approx(before, abs=1)
    page.keyboard.press("End")
    assert all(row[1] == f"{row[1].split('/')[1]}/{row[1].split('/')[1]}" for row in rows(page))
    page.get_by_role("tab", name="Plan").click()
    expect(page.locator(".stage")).to_have_count(1)
    expect(page.get_by_role("region", name="Method").locator("select").nth(1)).to_have_value(methods[0])
    page.get_by_role("tab", name="Compare").click()
    expect(page.locator(".stage")).to_have_count(4)
    assert [row[0].strip() for row in rows(page)] == methods
    expect(page.locator(".caption").last).to_contain_text(f"last at step {lasts[3]}")


def test_all_methods_stand_in_the_table_and_come_on_the_stage(comparing: Page) -> None:
    page = comparing
    page.get_by_role("button", name="All group methods").click()
    expect(page.locator(".stage")).to_have_count(4)
    names = [
        name.strip()
        for name in contestants(page)
        .locator("select[aria-label^=method]")
        .evaluate_all("all => all.map(one => one.value)")
    ]
    assert len(set(names)) == len(names) > 4
    page.get_by_label("seed").fill("5")  # what was asked for before is answered at once
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Run all").click()
    page.keyboard.press("Escape")
    expect(contestants(page).get_by_text("cancelled")).to_have_count(len(names))
    assert all("cancelled" in row[1] for row in rows(page))
    page.locator("table.results").get_by_role("button", name="show").first.click()
    expect(page.locator(".caption strong").last).to_have_text(names[4])
    page.get_by_role("button", name=f"remove {names[4]}").click()
    expect(contestants(page)).to_have_count(len(names) - 1)


def test_after_reloading_the_overlays_of_plan_are_as_before(comparing: Page) -> None:
    page = comparing
    state(page)
    page.reload()
    expect(contestants(page)).to_have_count(2, timeout=RUN)
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("group", name="Parts of Edit mode").get_by_role("button", name="files").click()
    page.get_by_role("button", name="maze").click()
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click()
    shown = page.get_by_role("region", name="Overlays")
    expect(shown.get_by_label("path")).to_be_checked(timeout=RUN)
    expect(page.get_by_label("Search, step by step").get_by_label("shown")).to_be_checked()
    shot(page, "compare_reloaded")


@pytest.fixture
def folder(studio: Any) -> Iterator[Path]:
    """A results folder of three runs, the last of which is still missing."""
    grid = Grid.from_text("\n".join(["." * 16] * 8))
    group = Group(np.array([[2.5, 2.5], [2.5, 4.5]]), Target(12, 4, 2))
    place = studio.workspace / "three.run"
    scenario = Scenario(grid, (group,), name="open")
    compare(Suite.of([scenario], ("astar", "vector-field", "vector-field-bfs"), 1), place)
    yield place
    shutil.rmtree(place)


def test_a_folder_is_shown_while_it_grows(folder: Path, comparing: Page) -> None:
    page = comparing
    with closing(sqlite3.connect(folder / "runs.sqlite")) as journal:
        journal.execute("CREATE TEMP TABLE late AS SELECT * FROM runs WHERE position = 2")
        journal.execute("DELETE FROM runs WHERE position = 2")
        journal.commit()
        state(page)  # the mode stands in the address now
        page.reload()
        expect(contestants(page)).to_have_count(2, timeout=RUN)
        page.get_by_label("results folder", exact=True).select_option("three.run")
        table = page.get_by_role("region", name="Results folder", exact=True)
        expect(table).to_contain_text("2 of 3 runs, goes on")
        expect(table.locator("tbody tr")).to_have_count(2)
        journal.execute("INSERT INTO runs SELECT * FROM late")
        journal.commit()
    expect(table).to_contain_text("3 of 3 runs")
    table.get_by_role("button", name="show the run of open, vector-field, 0").click()
    expect(page.locator(".caption").first).to_contain_text("vector-field0 of 2 arrived")
    table.get_by_role("button", name="show the run of open, astar, 0").click()
    expect(page.locator(".caption").nth(1)).to_contain_text("astar0 of 2 arrived")
    assert [row[0].strip() for row in rows(page)][:2] == ["vector-field", "astar"]
    shot(page, "compare_folder")
    assert serious(page) == []


def test_a_folder_that_is_opened_has_run_nothing_here(folder: Path, page: Page, studio: Any) -> None:
    page.goto("about:blank")
    page.goto(f"{studio.address}#open={folder.name}")
    expect(page.get_by_role("region", name="Results folder", exact=True)).to_contain_text("3 of 3 runs", timeout=RUN)
    expect(contestants(page)).to_have_count(2, timeout=RUN)
    assert [row[1] for row in rows(page)] == ["not run yet"] * 2
    expect(page.locator(".curves")).to_have_count(0)
    expect(page.locator(".caption").first).not_to_contain_text("done")
    shot(page, "compare_opened")
