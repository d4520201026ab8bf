"""What several kinds of work say in the same way: drafts, facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anabasis.studio.channel import Channel
from anabasis.studio.documents import Draft

__all__ = ["say_draft", "say_facts"]


def say_draft(out: Channel, draft: Draft, lost: Sequence[str], facts: Sequence[tuple[str, Any]]) -> None:
    """Say a draft, and what it was made of. lost: what it can't hold, so that it isn't there."""
    out.say("draft", {"draft": draft})
    text = draft["scenario"]["map"]["text"]
    size = f"{text.find(chr(10)) if chr(10) in text else len(text)} × {text.count(chr(10)) + 1}"
    units = sum(len(group["positions"]) for group in draft["scenario"]["groups"])
    told = [("cells", size), *([("units", units)] if units else []), *(("left out", text) for text in lost)]
    say_facts(out, draft["scenario"]["name"], [*facts, *told])


def say_facts(out: Channel, title: str, rows: Sequence[tuple[str, Any]]) -> None:
    """Say facts, each a name and a value that JSON holds."""
    out.say("facts", {"title": title, "rows": [list(row) for row in rows]})
