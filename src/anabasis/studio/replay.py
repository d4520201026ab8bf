"""A replay: one HTML file that plays from disk, without a server and without the network.

The messages stand in it as they are between processes, each with its length before it, deflated and in base64 in
`<script id="replay-data" type="application/octet-stream;base64">`. The page's policy allows the two parts that are in
the file by their hashes, and nothing else; text of users stands in the messages and in the title only.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from anabasis.io.atomic import write_atomic
from anabasis.scenario import Scenario
from anabasis.studio.bundle import bundled
from anabasis.studio.channel import Channel
from anabasis.studio.documents import Draft
from anabasis.studio.runs import say_run
from anabasis.trace import Trace

__all__ = ["check_player", "played", "replay_html", "save_replay"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Anabasis">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="app"></div>
<script id="replay-data" type="application/octet-stream;base64">{data}</script>
<script>{script}</script>
<script type="text/plain">{licences}</script>
</body>
</html>
"""

_POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data: blob:; media-src blob:;"
    " base-uri 'none'; form-action 'none'"
)


def replay_html(messages: Iterable[bytes], title: str) -> bytes:
    """Return the file that plays packed messages: a draft with the map, runs with their frames, scenes.

    Raises InputError if the player is not built into this installation.
    """
    script = _without_tags(bundled("replay.js"), "\\x3c")
    style = _without_tags(bundled("replay.css", needed=False), "\\3c ")
    policy = _POLICY.format(script=_allowed(script), style=_allowed(style))
    page = _PAGE.format(
        policy=html.escape(policy),
        title=html.escape(title),
        style=style,
        data=_packed(messages),
        script=script,
        licences=_without_tags(bundled("LICENSES.txt"), "&lt;"),  # which ask to go wherever the player goes
    )
    return page.encode()


def check_player() -> None:
    """Raise InputError if the player of replays is not built into this installation."""
    bundled("replay.js")


def played(
    draft: Draft, trace: Trace, scenario: Scenario | None = None, *, title: str, head: Mapping[str, Any] | None = None
) -> list[bytes]:
    """Return the messages by which a trace is played on the map of a draft; the rest is as with `say_run`."""
    messages: list[bytes] = []
    out = Channel("run", messages.append)
    out.say("draft", {"draft": draft})
    say_run(out, scenario, trace, title=title, head=head)
    return messages


def save_replay(path: Path, messages: Iterable[bytes], title: str) -> None:
    """Write the file that plays messages; raises InputError as `replay_html`, or if it can't be written."""
    write_atomic(path, replay_html(messages, title))


def _packed(messages: Iterable[bytes]) -> str:
    """Return messages deflated (zlib, as `DecompressionStream("deflate")` reads it) and in base64."""
    squeeze = zlib.compressobj(9)
    parts: list[bytes] = []
    for message in messages:
        parts += [squeeze.compress(struct.pack("<Q", len(message))), squeeze.compress(message)]
    parts.append(squeeze.flush())
    return base64.b64encode(b"".join(parts)).decode()


def _without_tags(text: str, less_than: str) -> str:
    """Return a part of the page without what could end its element or hide its end.

    In texts and patterns of a script, and in texts of a style sheet, `less_than` means the same; plain text has to be
    read as if it did.
    """
    text = text.replace("\r\n", "\n")  # which is what a reader of HTML makes of it, before the hash is taken
    return re.sub(r"<(?=!--|/?script|/?style)", lambda _: less_than, text, flags=re.IGNORECASE)


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
