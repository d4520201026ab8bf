"""How large the studio's page and its player are."""

import gzip
import os
import re
from pathlib import Path

import pytest

from anabasis.studio.bundle import STATIC

MISSING = "the studio's page has not been built (python studio/frontend.py build)"


@pytest.fixture
def static() -> Path:
    """What has been built; without it the test is skipped, in CI it is an error."""
    if not (STATIC / "index.html").is_file():
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return STATIC


def test_page_is_at_most_300_kb_compressed(static: Path) -> None:
    parts = [file for file in (static / "assets").iterdir() if file.suffix in {".js", ".css"}]
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in parts}
    assert {Path(name).suffix for name in sizes} == {".js", ".css"}
    assert sum(sizes.values()) <= 300_000, sizes


def test_player_is_at_most_1_mb(static: Path) -> None:
    for parts in (["replay.js", "replay.css"], ["widget.js"]):
        sizes = {name: (static / name).stat().st_size for name in parts}
        assert sum(sizes.values()) <= 1_000_000, sizes


def test_licences_of_what_is_bundled_are_with_it(static: Path) -> None:
    text = (static / "LICENSES.txt").read_text(encoding="utf-8")
    for name in ("pixi.js", "preact", "@preact/signals"):
        assert re.search(rf"^## {name} - \d", text, re.MULTILINE), name
    assert "THE SOFTWARE IS PROVIDED" in text


def test_page_asks_for_nothing_from_elsewhere(static: Path) -> None:
    page = (static / "index.html").read_text(encoding="utf-8")
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert any(address.endswith(".js") for address in addresses)
    assert all(address.startswith(("./", "data:")) for address in addresses), addresses
    assert "<style" not in page and not re.search(r"<script(?![^>]*\bsrc=)", page)  # the policy forbids both
