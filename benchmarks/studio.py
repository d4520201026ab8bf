"""The studio in Chromium, drawn in software: pictures a second of 10,000 units that play, and the first paint.

Prints medians of several runs; `--units` and `--runs` change how many.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

from browsing import launched  # pyright: ignore[reportMissingImports] -- found by the line above
from playwright.sync_api import Page, sync_playwright

SIDE = 256
STEPS = 1_500
IDLE = "!document.querySelector('.go .stop') && document.querySelector('.measured dd') !== null"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
DRAWN = "document.querySelector('.stage canvas')?.width > 16 ? performance.now() : 0"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "anabasis", "studio", folder, "--no-open", "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "500"})
        try:
            measure(address(server), given.units, given.runs)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)


def address(server: subprocess.Popen[str]) -> str:
    """Return the address that the command prints."""
    for line in server.stdout or ():
        if found := re.search(r"http://127\.0\.0\.1:\d+/\S+/", line):
            return found[0]
    raise SystemExit("the studio did not begin")


def measure(url: str, units: int, runs: int) -> None:
    """Play the same run several times in windows of 1440 × 900."""
    rates, paints, ready = list[float](), list[float](), list[float]()
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for _ in range(runs):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(url)
            paints.append(until(page, PAINT))
            ready.append(until(page, DRAWN))
            page.goto("about:blank")
            page.goto(url + fragment(state(units)))
            page.wait_for_timeout(1_000)
            until(page, IDLE, 600)
            rates.append(played(page))
            page.close()
        browser.close()
    print(f"first paint       {median(paints):6.0f} ms (slowest {max(paints):.0f})")
    print(f"map on the page   {median(ready):6.0f} ms (slowest {max(ready):.0f})")
    print(f"{units} units      {median(rates):6.1f} pictures a second (fewest {min(rates):.1f})")


def played(page: Page, seconds: float = 6) -> float:
    """Return how many pictures a second are drawn while the run is played."""
    page.locator(".stage").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.wait_for_timeout(1_000)
    script = "new Promise(done => { let n = 0; const from = performance.now(); const next = () => { n++; const passed ="
    script += f" performance.now() - from; if (passed < {1000 * seconds}) requestAnimationFrame(next); else"
    script += " done(1000 * n / passed) }; requestAnimationFrame(next) })"
    rate = float(page.evaluate(script))
    if page.locator(".play").get_attribute("aria-label") != "pause":
        raise SystemExit("the run ended too early")
    return rate


def until(page: Page, script: str, seconds: float = 30) -> float:
    """Ask until the script gives something true."""
    for _ in range(int(seconds * 50)):
        if value := page.evaluate(script):
            return float(value)
        page.wait_for_timeout(20)
    raise SystemExit(f"not true within {seconds} s: {script}")


def state(units: int) -> dict[str, Any]:
    """Return a state of the page: a crowd before a gap, and a method that has been asked for."""
    rows = [["@" if x == SIDE // 2 and not 100 < y < 156 else "." for x in range(SIDE)] for y in range(SIDE)]
    wide = -(-units // 100)
    places = [[2.5 + 1.2 * i, 2.5 + 2.5 * j] for i in range(wide) for j in range(100)][:units]
    group = {
        "name": "crowd",
        "positions": places,
        "target": {"x": 220, "y": 128, "radius": 30},
        "radius": 0.5,
        "speed": 0.15,
    }
    scenario = {
        "schema": "anabasis/scenario",
        "schema_version": 1,
        "name": "crowd",
        "note": "",
        "seed": 0,
        "map": {"text": "\n".join(map("".join, rows))},
        "groups": [group],
        "changes": [],
        "limits": {"steps": STEPS},
        "steering": {},
    }
    draft = {"scenario": scenario, "ends": {"start": None, "goal": None}, "agents": [], "formations": []}
    request = {"family": "group", "method": "vector-field", "options": {}, "seed": 0}
    return {"draft": draft, "mode": "plan", "requests": [request], "asked": [True], "shown": []}


def fragment(state: dict[str, Any]) -> str:
    """Return what stands behind the address for a state of the page."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#s=" + urlsafe_b64encode(data).decode().rstrip("=")


if __name__ == "__main__":
    main()
