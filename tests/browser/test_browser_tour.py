"""The tour of the guide, step by step: whatever it says to press is there, in that order, and does what it says."""

import re
from pathlib import Path

from browsing import ROOT, shot, until
from playwright.sync_api import BrowserContext, Page, expect

GUIDE = (ROOT / "docs" / "guides" / "studio.md").read_text(encoding="utf-8")
LONG = 180_000  # ms: what computes for the first time may have to compile


class Walker:
    """Who follows the tour: presses what has a name, and notes it down."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed: list[str] = []

    def press(self, name: str, times: int = 1) -> None:
        """Press the tab, or else the button, of a name; one that the guide says once may be pressed several times."""
        tab = self.page.get_by_role("tab", name=name, exact=True)
        button = self.page.get_by_role("button", name=name, exact=True)
        for _ in range(times):
            (tab if tab.count() == 1 and self._last() else button).first.click(timeout=LONG)
        self.pressed.append(name)

    def _last(self) -> bool:
        """Say whether the name is meant as that of a mode: "Run" is a mode, and a button under Plan."""
        return not self.pressed or self.pressed[-1] != "Plan"

    def example(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{name}")).click()
        self.pressed.append(name)

    def spot(self, x: float, y: float, width: int, height: int) -> tuple[float, float]:
        """Where on the page a place of the map is, while all of the map is shown."""
        box = self.page.locator(".stage").bounding_box()
        assert box is not None
        scale = min((box["width"] - 48) / width, (box["height"] - 48) / height)
        left, top = box["x"] + (box["width"] - width * scale) / 2, box["y"] + (box["height"] - height * scale) / 2
        return left + x * scale, top + y * scale

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, right: bool = False) -> None:
        """Drag over the first map, which has 56 × 32 cells."""
        self.page.mouse.move(*self.spot(*start, 56, 32))
        self.page.mouse.down(button="right" if right else "left")
        self.page.mouse.move(*self.spot(*end, 56, 32), steps=4)
        self.page.mouse.up(button="right" if right else "left")

    def step(self) -> int:
        return int(self.page.get_by_label("time", exact=True).inner_text().split("/")[0])


def tour() -> list[str]:
    """Return what the guide says to press, in its order."""
    _, text = GUIDE.split("## A tour of two minutes")
    steps = text.split("\n1. ", 1)[1].split("\n## ")[0]
    return re.findall(r"\*\*([^*]+)\*\*", re.sub(r"\s+", " ", steps))


def test_the_tour(page: Page, context: BrowserContext, tmp_path: Path) -> None:
    walker = Walker(page)
    draws_and_plans(walker)
    searches(walker)
    compares(walker)
    file = shares(walker, tmp_path)
    commands(walker)
    assert walker.pressed == tour()
    other = context.new_page()
    other.goto(file.as_uri())
    expect(other.locator(".stage")).to_have_count(4)
    expect(other.locator(".caption").first).to_contain_text("of 144 arrived")


def draws_and_plans(walker: Walker) -> None:
    page = walker.page
    page.locator(".stage").wait_for()
    page.keyboard.press("n")
    walker.drag((16, 27), (25, 27))
    undo = page.get_by_role("button", name="undo", exact=True)
    expect(undo).to_be_enabled()
    walker.press("undo")
    expect(undo).to_be_disabled()
    walker.press("redo")
    expect(undo).to_be_enabled()
    page.keyboard.press("o")
    walker.press("Add a group")
    walker.press("36")
    walker.drag((21.5, 12), (27, 12))
    expect(page.locator(".said")).to_have_text("36 units more.")
    walker.drag((50, 5), (52, 5), right=True)
    expect(page.locator(".said")).to_contain_text("radius 2")
    shot(page, "tour-draft")
    walker.press("Plan")
    page.get_by_role("combobox", name="method").select_option("flow-taut")
    walker.press("Run")
    expect(page.get_by_role("region", name="Measured values")).to_contain_text("last arrival", timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 60)
    page.keyboard.press("Space")
    until(page, "+document.querySelector('output[aria-label=time]').textContent.split('/')[0] > 5")
    page.keyboard.press("Space")
    page.get_by_label("step", exact=True).fill("300")
    page.keyboard.press(",")
    assert walker.step() == 299
    page.keyboard.press(".")
    assert walker.step() == 300
    page.keyboard.press("]")
    expect(page.get_by_label("speed")).to_have_text("120 steps/s")
    page.keyboard.press("[")
    shot(page, "tour-plan")


def searches(walker: Walker) -> None:
    page = walker.page
    walker.press("Edit")
    walker.press("files")
    walker.example("maze")
    walker.press("Plan")
    walker.press("Run")
    panel = page.get_by_role("region", name="Search, step by step")
    expect(panel).to_be_visible(timeout=LONG)
    walker.press("search: to the beginning")
    walker.press("search: one step on", times=5)
    expect(panel).to_contain_text("5 of ")
    for name in ("g", "h", "f = g + h", "parent"):
        expect(panel.locator("dt").get_by_text(name, exact=True)).to_be_visible()


def compares(walker: Walker) -> None:
    page = walker.page
    walker.press("Edit")
    walker.example("two routes")
    walker.press("Compare")
    walker.press("Add one", times=2)
    walker.press("Run all")
    expect(page.get_by_role("button", name="Run all")).to_be_visible(timeout=LONG)
    page.get_by_label("step", exact=True).fill("400")
    expect(page.locator("caption")).to_contain_text("at step 400")
    expect(page.locator("table.results tbody td:nth-child(2)")).to_have_count(4)


def commands(walker: Walker) -> None:
    page = walker.page
    walker.press("Run")
    walker.press("Live")
    walker.press("Start")
    walker.press("Go on")
    until(page, "+document.querySelector('output[aria-label=time]').textContent.split('/')[0] > 20", 60)
    walker.press("Pause")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    walker.press("crowd")
    page.mouse.click(*walker.spot(40, 27, 60, 36), button="right")
    expect(page.get_by_role("region", name="What was told")).to_contain_text("144 units to (40")
    walker.press("Go on")
    page.wait_for_timeout(500)
    walker.press("Pause")
    shot(page, "tour-order")
    page.locator(".stage").focus()
    page.keyboard.press("n")
    walker.press("Why is it there?")
    expect(page.locator(".why li").first).to_contain_text("is on its way to (40", timeout=LONG)


def shares(walker: Walker, folder: Path) -> Path:
    walker.press("Share")
    with walker.page.expect_download(timeout=LONG) as found:
        walker.press("Save HTML")
    file = folder / found.value.suggested_filename
    found.value.save_as(file)
    return file
