"""A request in words: as a command line and as a program, both on the draft as a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anabasis.studio.asked import asked_table, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.commands import as_command
from anabasis.studio.programs import as_python
from anabasis.studio.words import files_for

__all__ = ["run"]


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Say `words`: `request`, what a job of a family was asked without its draft; `do`, that family; `draft`."""
    do = asked_word(args, "do")
    asked = {**asked_table(args, "request"), "draft": args.get("draft")}
    command, program = as_command(do, asked), as_python(do, asked)
    out.say("words", {"command": command, "python": program, "files": list(files_for(do, args.get("draft")))})
