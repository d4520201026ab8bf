"""What is seen: agents that can be told apart, colours of dark pages, room for the maps."""

import base64
import io
import json
import zlib
from typing import Any

import numpy as np
import pytest
from browsing import at, shot, until
from PIL import Image
from playwright.sync_api import Page

from conftest import Studio

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
