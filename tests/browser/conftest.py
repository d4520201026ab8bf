"""The studio in a browser: a server for each process of the tests, a Chromium for each file, a page for each test."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import pytest
from browsing import Studio, launched, missing, watched
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import anabasis.studio

STATIC = Path(anabasis.studio.__file__).parent / "static"


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The command `anabasis studio`, on a port of its own."""
    if not (STATIC / "index.html").is_file():
        missing("the studio's page (python studio/frontend.py build)")
    folder = tmp_path_factory.mktemp("studio")
    workspace, log = folder / "workspace", folder / "log"
    workspace.mkdir()
    command = [sys.executable, "-m", "anabasis", "studio", str(workspace), "--no-open", "--port", "0"]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, "COLUMNS": "500"}, text=True
        )
    said: SimpleQueue[str] = SimpleQueue()
    assert process.stdout is not None
    reader = Thread(target=lambda lines: [said.put(line) for line in lines], args=(process.stdout,), daemon=True)
    reader.start()
    try:
        yield Studio(_address(process, said, log), workspace, log)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            reader.join(5)
            process.stdout.close()


def _address(process: subprocess.Popen[str], said: SimpleQueue[str], log: Path) -> str:
    """Return the address that the command prints."""
    lines: list[str] = []
    for _ in range(120):
        try:
            lines.append(said.get(timeout=0.5))
        except Empty:
            if process.poll() is not None:
                break
        else:
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S+/", lines[-1]):
                return found[0]
    pytest.fail(f"no address from the studio; it said {''.join(lines)!r} and {log.read_text(encoding='utf-8')!r}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. Of one file alone: Playwright keeps an event loop running, beside which no other can be begun."""
    with sync_playwright() as playwright:
        program = launched(playwright)
        yield program
        program.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile with a window of a usual size."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(10_000)
    expect.set_options(timeout=20_000)  # on a machine that is busy with other tests
    yield context
    context.close()


@pytest.fixture
def faults(context: BrowserContext) -> list[str]:
    """What goes wrong on the pages; a test that means something to go wrong takes it out of this list."""
    return watched(context)


@pytest.fixture
def page(context: BrowserContext, faults: list[str], studio: Studio) -> Iterator[Page]:
    """The studio's page, just opened. The test fails if anything goes wrong on it, or the server wrote a traceback."""
    logged = studio.log.stat().st_size
    page = context.new_page()
    page.goto(studio.address)
    yield page
    page.wait_for_timeout(50)  # for what has been said, and not been heard yet
    assert not faults, "\n".join(faults)
    with studio.log.open(encoding="utf-8", errors="replace") as log:
        log.seek(logged)
        assert "Traceback" not in (text := log.read()), text
