"""Drafts as messages."""

from __future__ import annotations

from collections.abc import Sequence

from anabasis.studio.channel import Channel
from anabasis.studio.documents import Draft
from anabasis.studio.facts import Fact, say_facts

__all__ = ["say_draft"]


def say_draft(out: Channel, draft: Draft, lost: Sequence[str], facts: Sequence[Fact]) -> None:
    """Say a draft, and what it was made of. lost: what it can't hold, so that it isn't there."""
    out.say("draft", {"draft": draft})
    text = draft["scenario"]["map"]["text"]
    size = f"{text.find(chr(10)) if chr(10) in text else len(text)} × {text.count(chr(10)) + 1}"
    units = sum(len(group["positions"]) for group in draft["scenario"]["groups"])
    told: list[Fact] = [("cells", size), *([("units", units)] if units else []), *(("left out", text) for text in lost)]
    say_facts(out, draft["scenario"]["name"], [*facts, *told])
