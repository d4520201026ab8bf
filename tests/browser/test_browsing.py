"""What watches over browser tests sees what it has to see."""

import re
from pathlib import Path

import browsing
import pytest
from browsing import serious, shot, until
from playwright.sync_api import BrowserContext, Page, Route

POLICY = "default-src 'self'; img-src 'self' data:"
ADDRESS = "http://127.0.0.1:9/"  # nobody listens there: all answers are given below
DRAWING = """
const canvas = document.querySelector('canvas'), gl = canvas.getContext('webgl2');
for (let i = 0; i < 16; i++) {
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(20 * i, 0, 20, 200);
  gl.clearColor(i / 16, 0.5, 1 - i / 16, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
}
window.ready = 'drawn';
"""


def opened(context: BrowserContext, body: str, script: str = "") -> Page:
    """Return a page of these contents, under a policy as strict as the studio's."""

    def answer(route: Route) -> None:
        if route.request.url == ADDRESS:
            head = "<!doctype html><html lang=en><title>t</title><link rel=icon href=data:,>"
            text = f"{head}{body}<script src=s.js></script>"
            route.fulfill(body=text, content_type="text/html", headers={"Content-Security-Policy": POLICY})
        elif route.request.url.endswith("s.js"):
            route.fulfill(body=script, content_type="text/javascript")
        else:
            route.fulfill(status=404, body="")

    context.route("**/*", answer)
    page = context.new_page()
    page.goto(ADDRESS)
    return page


@pytest.mark.parametrize(
    ("body", "script", "expected"),
    [
        ("", "console.error('one')", "console: one"),
        ("", "missing.value", "script: missing is not defined"),
        ("", "Promise.reject(new Error('two'))", "script: two"),
        ("", "try { eval('1') } catch {}", "console: .*script-src"),
        ("<b style='color:red'>a</b>", "", "console: .*Content Security Policy"),
        ("<script>1</script>", "", "console: .*Content Security Policy"),
        ("<img src=none.png alt=''>", "", "console: Failed to load resource"),
        ("", "fetch('http://localhost.invalid/').catch(() => 0)", "console: .*Content Security Policy"),
    ],
)
def test_faults_are_seen(context: BrowserContext, faults: list[str], body: str, script: str, expected: str) -> None:
    page = opened(context, body, script)
    page.wait_for_timeout(100)
    assert any(re.match(expected, fault, re.DOTALL) for fault in faults), faults


def test_a_page_without_faults_has_none(context: BrowserContext, faults: list[str]) -> None:
    opened(context, "<h1>a</h1>", "console.warn('b')").wait_for_timeout(100)
    assert not faults


def test_a_request_to_another_machine_is_a_fault(context: BrowserContext, faults: list[str]) -> None:
    opened(context, "").evaluate("() => { location = 'http://elsewhere.invalid/' }")
    context.pages[0].wait_for_timeout(100)
    assert "request: http://elsewhere.invalid/" in faults


def test_webgl_is_drawn_without_faults(
    context: BrowserContext, faults: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "SHOTS", tmp_path)
    page = opened(context, "<h1>Bands</h1><canvas width=320 height=200></canvas>", DRAWING)
    assert until(page, "window.ready") == "drawn"
    assert shot(page.locator("canvas"), "bands").stat().st_size
    assert not faults


def test_a_picture_of_nothing_is_refused(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsing, "SHOTS", tmp_path)
    page = opened(context, "<canvas width=320 height=200></canvas>")
    with pytest.raises(AssertionError, match="shows nothing"):
        shot(page, "nothing")


def test_waiting_ends(context: BrowserContext) -> None:
    page = opened(context, "")
    with pytest.raises(AssertionError, match="not true within"):
        until(page, "window.never", seconds=0.1)


def test_axe_finds_what_is_serious(context: BrowserContext, faults: list[str]) -> None:
    page = opened(context, "<main><h1>a</h1><button></button></main>")
    assert [line.split(":")[0] for line in serious(page)] == ["button-name"]
    page = opened(context, "<main><h1>a</h1><button>go</button></main>")
    assert serious(page) == []
    assert not faults
