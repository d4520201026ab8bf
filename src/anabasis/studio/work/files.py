"""Jobs that the server begins: what the page's forms are made of, a file opened, a draft saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anabasis.studio.channel import Channel

__all__ = ["open_file", "save_file", "say_tables"]


def say_tables(args: Mapping[str, Any], out: Channel) -> None:
    """Say the `tables` that forms are made of."""
    from anabasis.studio.tables import tables

    out.say("tables", {"tables": tables()})


def open_file(args: Mapping[str, Any], out: Channel) -> None:
    """Say what the file `path` holds, whose name is `name` to the page."""
    from anabasis.studio.opening import opened

    opened(Path(args["path"]), args["name"], out)


def save_file(args: Mapping[str, Any], out: Channel) -> None:
    """Write the draft as the file `path`; say in `saved` what of it the file does not hold."""
    from anabasis.studio.saving import save_draft

    out.say("saved", {"notes": save_draft(args["draft"], Path(args["path"]))})
