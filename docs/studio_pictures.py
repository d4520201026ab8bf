"""Make the pictures of the studio in the documentation: `python docs/studio_pictures.py [NAME ...]`, all or some.

It needs Chromium and the studio's page (`python studio/frontend.py build`). A picture has 1280 × 800 pixels; one that
would be large gets 256 colours.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000  # bytes
LONG = 300_000  # ms: what computes for the first time may have to compile

sys.path.insert(0, str(ROOT / "tests" / "browser"))
from browsing import launched, until  # noqa: E402


def example(page: Page, name: str) -> None:
    """Open one of the examples."""
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("button", name="files", exact=True).click()
    page.get_by_role("button", name=re.compile(f"^{name}")).click()


def run(page: Page) -> None:
    """Go to Plan, run what is asked, and wait until it is done."""
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click(timeout=LONG)
    page.locator("section[aria-label='Measured values'] dt").first.wait_for(timeout=LONG)
    until(page, "!document.querySelector('.go .stop')", 60)


def act(page: Page, name: str, then: str) -> None:
    """Begin one of the acts of Run, and wait for a button that it has when it goes on."""
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("What to run").get_by_role("button", name=name).click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name=then, exact=True).wait_for(timeout=LONG)


def seek(page: Page, step: int) -> None:
    """Go to a step."""
    page.get_by_label("step", exact=True).fill(f"{step}")


def spot(page: Page, x: float, y: float, width: int, height: int) -> tuple[float, float]:
    """Return where on the page a place of the map is, while all of it is shown."""
    box = page.locator(".stage").bounding_box()
    assert box is not None  # noqa: S101
    scale = min((box["width"] - 48) / width, (box["height"] - 48) / height)
    left, top = box["x"] + (box["width"] - width * scale) / 2, box["y"] + (box["height"] - height * scale) / 2
    return left + x * scale, top + y * scale


def edit(page: Page) -> None:
    """Two groups before a door that closes."""
    example(page, "closing door")
    page.get_by_role("button", name="draw", exact=True).click()
    page.get_by_role("button", name="disc", exact=True).click()
    page.get_by_role("button", name="Add a group").click()
    page.get_by_role("button", name="36", exact=True).click()
    for start, end, button in (((8, 22), (12, 22), "left"), ((49, 22), (51.5, 22), "right")):
        page.mouse.move(*spot(page, *start, 56, 30))
        page.mouse.down(button=button)  # pyright: ignore[reportArgumentType]
        page.mouse.move(*spot(page, *end, 56, 30), steps=3)
        page.mouse.up(button=button)  # pyright: ignore[reportArgumentType]


def plan(page: Page) -> None:
    """A group over two ways."""
    example(page, "two routes")
    run(page)
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("colour by").select_option("route")
    page.get_by_role("tab", name="Plan").click()
    seek(page, 330)


def search(page: Page) -> None:
    """A search that is under way."""
    example(page, "maze")
    run(page)
    page.get_by_label("steps of the search", exact=True).fill("900")


def why(page: Page) -> None:
    """A unit that waits before a door."""
    example(page, "chokepoint")
    run(page)
    page.get_by_role("tab", name="Run").click()
    page.get_by_role("checkbox", name="plan").uncheck()
    page.get_by_label("colour by").select_option("speed")
    seek(page, 420)
    page.locator(".stage").focus()
    page.keyboard.press("Shift+N")
    page.get_by_role("button", name="Why is it there?").click()
    page.locator(".why li").first.wait_for(timeout=LONG)


def live(page: Page) -> None:
    """A group that was sent elsewhere, on its way there."""
    example(page, "two routes")
    act(page, "Live", "Go on")
    page.get_by_role("button", name="crowd").click()
    for x, y, keys in ((18, 28, ["Shift"]), (48, 28, [])):
        for key in keys:
            page.keyboard.down(key)
        page.mouse.click(*spot(page, x, y, 60, 36), button="right")
        for key in keys:
            page.keyboard.up(key)
    expect(page.get_by_role("region", name="What was told")).to_contain_text("144 units")
    page.get_by_role("button", name="Go on").click()
    until(page, "+document.querySelector('output[aria-label=time]').textContent.split('/')[0] > 200", 120)
    page.get_by_role("button", name="Pause", exact=True).click()


def turns(page: Page) -> None:
    """A random game, one unit with an order, two turns later."""
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("What to run").get_by_role("button", name="Turns").click()
    page.get_by_role("button", name="Random map").click()
    page.get_by_role("button", name="End turn").wait_for(timeout=LONG)
    page.get_by_role("region", name="Units").get_by_role("button", name="A", exact=True).click()
    page.wait_for_timeout(500)
    page.mouse.click(*spot(page, 12.5, 8.5, 20, 20))
    expect(page.get_by_role("region", name="The chosen unit")).to_contain_text("12, 8", timeout=LONG)
    for turn in (1, 2):
        page.get_by_role("button", name="End turn").click()
        expect(page.get_by_label("turn", exact=True)).to_have_text(f"turn {turn}")


def formation(page: Page) -> None:
    """A shape that is being put in order, and what each place would be worth for one of its units."""
    example(page, "formation at a gate")
    act(page, "Formation", "Randomise")
    error = page.locator("dd[data-name=mean]")
    for button in ("Randomise", *["Optimise by one step"] * 3):
        before = error.inner_text()
        page.get_by_role("button", name=button).click()
        expect(error).not_to_have_text(before)
    page.get_by_role("combobox", name="error of").select_option("geometric")
    page.locator(".stage").focus()
    for _ in range(5):
        page.keyboard.press("n")
    page.locator(".legend").first.wait_for()


def compare(page: Page) -> None:
    """Four methods."""
    example(page, "two routes")
    page.get_by_role("tab", name="Compare").click()
    for _ in range(2):
        page.get_by_role("button", name="Add one").click(timeout=LONG)
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_role("button", name="Run all")).to_be_visible(timeout=LONG)
    seek(page, 400)


def share(page: Page) -> None:
    """What can be saved of a run."""
    example(page, "two routes")
    run(page)
    seek(page, 330)
    page.get_by_role("tab", name="Share").click()


PICTURES: dict[str, Callable[[Page], None]] = {
    "edit": edit,
    "plan": plan,
    "search": search,
    "why": why,
    "live": live,
    "turns": turns,
    "formation": formation,
    "compare": compare,
    "share": share,
}
DARK = {"search"}


@contextmanager
def studio() -> Iterator[str]:
    """Run the studio, and give its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "anabasis", "studio", folder, "--no-open", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            assert process.stdout is not None  # noqa: S101
            said = ""
            while (found := re.search(r"http://127\.0\.0\.1:\d+/\S+/", said)) is None:
                line = process.stdout.readline()
                if not line:
                    raise SystemExit("the studio said no address")
                said += line
            yield found[0]
        finally:
            process.terminate()
            process.wait(20)


def save(page: Page, name: str) -> None:
    """Save what the page shows, in few colours."""
    page.mouse.move(2, 2)
    page.wait_for_timeout(700)  # for the last picture, and what follows a change a moment later
    file = IMAGES / f"studio-{name}.png"
    page.screenshot(path=file)
    with Image.open(file) as image:
        picture = image.convert("RGB")
    picture.save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        picture.quantize(256, kmeans=1, dither=Image.Dither.NONE).save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        raise SystemExit(f"{file} has {file.stat().st_size} bytes")
    sys.stdout.write(f"{file.relative_to(ROOT)} {file.stat().st_size}\n")


def main(names: list[str]) -> None:
    """Make the pictures of these names."""
    with sync_playwright() as playwright, studio() as address:
        browser = launched(playwright)
        for name in names or PICTURES:
            context = browser.new_context(
                viewport={"width": 1280, "height": 800}, color_scheme="dark" if name in DARK else "light"
            )
            page = context.new_page()
            page.goto(address)
            page.locator(".stage").first.wait_for()
            PICTURES[name](page)
            save(page, name)
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
