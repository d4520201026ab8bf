from __future__ import annotations

import base64
import hashlib
import html
import re
import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from anabasis.errors import InputError
from anabasis.studio import bundle
from anabasis.studio.replay import replay_html
from anabasis.studio.wire import pack

PLAYER = 'const a = "</script><script>alert(1)</script><!--", b = /<\\/SCRIPT>/;\r\nconsole.log(a);'
LICENCES = "The software is provided as is. </script><!-- <script>alert(3)</script>"
STYLE = '.x::after { content: "</style>" }'


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "replay.js").write_bytes(PLAYER.encode())
    (tmp_path / "replay.css").write_text(STYLE)
    (tmp_path / "LICENSES.txt").write_text(LICENCES)
    monkeypatch.setattr(bundle, "STATIC", tmp_path)


class _Elements(HTMLParser):
    """The elements of a page, with what stands in them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attrs, text = self.found[-1]
            self.found[-1] = (tag, attrs, text + data)

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [
            (attrs, text.removesuffix("\n") if tag != "script" else text) for t, attrs, text in self.found if t == tag
        ]


def _messages(data: str) -> list[bytes]:
    raw, found = zlib.decompress(base64.b64decode(data)), []
    while raw:
        (length,) = struct.unpack("<Q", raw[:8])
        found.append(raw[8 : 8 + length])
        raw = raw[8 + length :]
    return found


@pytest.mark.usefixtures("player")
def test_a_replay_holds_its_messages_and_nothing_breaks_out_of_it() -> None:
    said = [pack({"kind": "draft", "draft": {"name": "</script><script>alert(1)</script>"}}), pack({"kind": "run"})]
    page = replay_html(said, "</title><script>alert(2)</script>").decode()
    elements = _Elements(page)
    data, script, licences = [(attrs, text.rstrip("\n")) for attrs, text in elements.of("script")]
    assert data[0] == {"id": "replay-data", "type": "application/octet-stream;base64"}
    assert _messages(data[1]) == said
    assert script[0] == {} and script[1].startswith("const a = ") and script[1].endswith("console.log(a);")
    assert licences[0] == {"type": "text/plain"} and licences[1].startswith("The software is provided")
    assert len(elements.of("style")) == 1 and "alert" not in html.unescape(page).split("<title>")[0]
    assert elements.of("title")[0][1].startswith("</title><script>")
    assert page.lower().count("<script") == 3 and "<!--" not in page


@pytest.mark.usefixtures("player")
def test_the_policy_allows_what_is_in_the_file_and_no_network() -> None:
    page = replay_html([], "t").decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    for name, tag in (("script-src", "<script>"), ("style-src", "<style>")):
        inside = page.split(tag)[1].split(tag.replace("<", "</"))[0]
        assert rules[name] == [f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'"]
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == ["'none'"]
    allowed = {source for name, sources in rules.items() for source in sources}
    assert not any("*" in source or "http" in source or "unsafe" in source or source == "'self'" for source in allowed)
    assert "\r" not in page and page.index("Content-Security-Policy") < page.index("<style>")


def test_without_a_player_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "STATIC", tmp_path)
    with pytest.raises(InputError, match=r"not built into this installation; found no replay\.js.*install Anabasis"):
        replay_html([], "t")
