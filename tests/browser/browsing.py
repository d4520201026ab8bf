"""What browser tests do with Chromium: begin it, note what went wrong on a page, take pictures, ask axe."""

import base64
import json
import os
import shutil
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, Request

ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(__file__).resolve().parent / "shots"
AXE = ROOT / "studio" / "node_modules" / "axe-core" / "axe.min.js"

# Software rendering without a GPU process: of the ways that draw WebGL here it is the fastest. The background services
# of the browser only try to reach a network that tests must not need.
ARGUMENTS = [
    "--no-sandbox",  # Chromium refuses to run as root with it
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Studio:
    """A server that runs: the page's address, its workspace, and what it has written to its log."""

    address: str
    workspace: Path
    log: Path


def missing(what: str) -> None:
    """Skip the test, since something is not on this machine; in CI that is an error."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"missing: {what}")
    pytest.skip(f"needs {what}")


def launched(playwright: Playwright) -> Browser:
    """Return the machine's Chromium; skips where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("Chromium (on Debian: apt install chromium)")
    return playwright.chromium.launch(executable_path=program, args=ARGUMENTS)


def watched(context: BrowserContext) -> list[str]:
    """Return a list that gets a line for each thing that goes wrong on the context's pages.

    That is: what is written to the console as an error, breaches of the content security policy among it, errors that
    no script caught, and requests that leave this machine.
    """
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            faults.append(f"console: {message.text} ({message.location['url']})")

    def asked(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname != "127.0.0.1":
            faults.append(f"request: {request.url}")

    context.on("console", heard)
    context.on("weberror", lambda error: faults.append(f"script: {error.error}"))
    context.on("request", asked)
    return faults


def until(page: Page, script: str, seconds: float = 10) -> Any:
    """Ask the page until the script gives something true, and return that.

    Playwright's `wait_for_function` evaluates text inside the page, which the content security policy forbids.
    """
    end = time.monotonic() + seconds
    while not (value := page.evaluate(script)):
        if time.monotonic() > end:
            raise AssertionError(f"not true within {seconds} s: {script}")
        page.wait_for_timeout(20)
    return value


def shot(of: Page | Locator, name: str) -> Path:
    """Take a picture of the page, or of a part of it, as `shots/NAME.png`; one that shows nothing is an error."""
    SHOTS.mkdir(exist_ok=True)
    file = SHOTS / f"{name}.png"
    of.screenshot(path=file)
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
    counts = np.unique(pixels, axis=0, return_counts=True)[1]
    commonest = counts.max() / len(pixels)
    assert len(counts) >= 8 and commonest < 0.995, (
        f"{file} shows nothing: {len(counts)} colours, one on {commonest:.2%}"
    )
    return file


def serious(page: Page) -> list[str]:
    """Return what axe finds serious or critical on the page as it is now, a line for each."""
    if not AXE.is_file():
        missing("axe-core (python studio/frontend.py test)")
    page.evaluate(AXE.read_text(encoding="utf-8"))  # by the debugger, so that the policy of the page does not matter
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{row['id']}: {row['help']}; {', '.join(' '.join(node['target']) for node in row['nodes'])}"
        for row in found
        if row["impact"] in {"serious", "critical"}
    ]


def state(page: Page) -> dict[str, Any]:
    """Return what the page keeps in its address, such as draft and mode, when it has written all of it."""
    until(page, "document.body.dataset.address === 'kept'", 30)
    coded = urlsplit(page.url).fragment.removeprefix("s=")
    data = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4))
    return json.loads(zlib.decompress(data, -15))


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file of this name on the page."""
    script = """([name, coded]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0))], name));
        for (const kind of ['dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
    }"""
    page.evaluate(script, [name, base64.b64encode(data).decode()])


def at(page: Page, x: float, y: float, width: int, height: int) -> tuple[float, float]:
    """Return where a place of a map of width × height cells is on the page while the whole map is shown."""
    box = page.locator(".stage").first.bounding_box()
    assert box is not None
    scale = min((box["width"] - 48) / width, (box["height"] - 48) / height)
    return box["x"] + box["width"] / 2 + (x - width / 2) * scale, box["y"] + box["height"] / 2 + (
        y - height / 2
    ) * scale
