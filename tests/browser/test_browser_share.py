"""What leaves the page: the address, pictures and films of what it shows."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from browsing import serious, shot
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from anabasis.io.maps import load_grid
from anabasis.io.scenario import load_scenario
from anabasis.noun import state_hash

RUN = 90_000  # ms that a run may take, with kernels that have to be loaded


@pytest.fixture
def sharing(page: Page) -> Page:
    """The page in mode Share, after a run of the first draft."""
    page.get_by_role("tab", name="Plan").click()
    page.get_by_role("button", name="Run", exact=True).click(timeout=RUN)
    expect(page.get_by_role("region", name="Measured values")).to_contain_text("last arrival", timeout=RUN)
    page.get_by_label("step", exact=True).fill("330")
    page.get_by_role("tab", name="Share").click()
    return page


def saved(page: Page, button: str, folder: Path) -> Path:
    """Press a button, and return the file that the browser saves."""
    with page.expect_download(timeout=RUN) as found:
        page.get_by_role("button", name=button).click()
    file = folder / found.value.suggested_filename
    found.value.save_as(file)
    expect(page.locator(".outcome")).to_contain_text(f"Saved {file.name}")
    return file


def test_the_address_is_copied_and_opens_the_same(context: BrowserContext, sharing: Page) -> None:
    page = sharing
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the address").click()
    expect(page.locator(".outcome")).to_contain_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    other = context.new_page()
    other.goto(text)
    expect(other.get_by_label("time", exact=True)).to_have_text("330 / 713", timeout=RUN)
    shot(page, "share")
    assert serious(page) == []


def test_a_picture_has_the_size_that_was_chosen(sharing: Page, tmp_path: Path) -> None:
    page = sharing
    page.get_by_label("size").select_option("1920 × 1080")
    file = saved(page, "Save PNG", tmp_path)
    with Image.open(file) as image:
        assert (image.format, image.size) == ("PNG", (1920, 1080))
        pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
    blue = np.all(pixels == (0, 114, 178), axis=1).sum()
    assert blue > 2000  # the units
    page.get_by_role("checkbox", name="method, step and arrivals above it").uncheck()
    page.get_by_label("size").select_option("as on the page")
    size = page.locator(".stage").bounding_box()
    with Image.open(saved(page, "Save PNG", tmp_path)) as image:
        assert size is not None
        assert abs(image.width - size["width"]) <= 1 and abs(image.height - size["height"]) <= 1


def test_escape_cancels_what_is_being_saved(sharing: Page) -> None:
    page = sharing
    page.get_by_role("button", name="Save GIF").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".outcome")).to_have_text("GIF: cancelled")


def test_a_film_plays(context: BrowserContext, sharing: Page, tmp_path: Path) -> None:
    page = sharing
    page.get_by_label("size").select_option("640 × 360")
    page.get_by_label("steps a second").fill("600")
    page.keyboard.press("Tab")
    file = saved(page, "Save WebM", tmp_path)
    player = context.new_page()
    player.set_content("<video muted></video>")
    data = base64.b64encode(file.read_bytes()).decode()
    seconds, width, height = player.evaluate(
        """async (data) => {
          const video = document.querySelector('video');
          video.src = 'data:video/webm;base64,' + data;
          await new Promise((resolve, reject) => {
            video.onloadeddata = resolve;
            video.onerror = () => reject(video.error.message);
          });
          video.currentTime = 0.55;
          await new Promise((resolve) => (video.onseeked = resolve));
          return [video.duration, video.videoWidth, video.videoHeight];
        }""",
        data,
    )
    assert 713 / 600 < seconds < 10
    assert (width, height) == (640, 360)
    with Image.open(io.BytesIO(player.locator("video").screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB")).reshape(-1, 3).astype(int)
    assert (np.abs(pixels - (0, 114, 178)).sum(axis=1) < 90).sum() > 100  # units, half of the way


def test_a_film_can_be_cancelled(sharing: Page) -> None:
    page = sharing
    page.get_by_label("steps a second").fill("20")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Save WebM").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("progressbar", name="Film")).to_be_visible()
    expect(page.get_by_role("button", name="Save PNG")).to_be_disabled()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".outcome")).to_have_text("Film: cancelled")
    expect(page.get_by_role("button", name="Save PNG")).to_be_enabled()


def test_the_servers_files_of_a_run(sharing: Page, tmp_path: Path) -> None:
    page = sharing
    page.get_by_label("size").select_option("640 × 360")
    drawing = saved(page, "Save SVG", tmp_path)
    text = drawing.read_text()
    assert drawing.suffix == ".svg" and text.startswith("<svg") and 'width="640" height="360"' in text
    assert "vector-field, step 330: " in text
    page.get_by_label("steps a second").fill("600")
    page.keyboard.press("Tab")
    with Image.open(saved(page, "Save GIF", tmp_path)) as image:
        assert image.format == "GIF" and getattr(image, "n_frames", 1) > 10 and 560 < max(image.size) <= 640


def test_a_replay_is_saved_and_opened_again_from_disk(
    context: BrowserContext, faults: list[str], sharing: Page, tmp_path: Path
) -> None:
    file = saved(sharing, "Save HTML", tmp_path)
    asked: list[str] = []
    other = context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    other.locator(".timeline").wait_for()
    expect(other.locator(".caption")).to_contain_text("vector-field0 of 64 arrived")
    other.keyboard.press("End")
    expect(other.locator(".caption")).to_contain_text("64 of 64 arrived")
    expect(other.get_by_label("time", exact=True)).to_have_text("713 / 713")
    shot(other, "share_replay")
    assert asked == [file.as_uri()]
    assert not faults


def test_words_and_the_draft(context: BrowserContext, sharing: Page, tmp_path: Path) -> None:
    page = sharing
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as command line").click()
    expect(page.locator(".outcome")).to_have_text("Copied as a command line.")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command.startswith("anabasis ") and "two-doors.scenario.toml" in command
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.locator(".outcome")).to_have_text("Copied as Python.")
    program = page.evaluate("navigator.clipboard.readText()")
    assert page.get_by_label("what was copied").input_value() == program
    compile(program, "program", "exec")
    expect(page.locator(".share")).to_contain_text("It reads two-doors.scenario.toml")
    scenario = load_scenario(saved(page, "Download two-doors.scenario.toml", tmp_path))
    assert state_hash(load_scenario(saved(page, "Download the draft", tmp_path))) == state_hash(scenario)
    assert (scenario.name, scenario.size) == ("two doors", 64)
    page.get_by_label("format").select_option(".map")
    assert load_grid(saved(page, "Download the draft", tmp_path)).width == scenario.grid.width
    expect(page.locator(".outcome")).to_contain_text("It does not hold: the groups")
