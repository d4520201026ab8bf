"""The parts of the front end that are built into the package: the player of replays, that of notebooks, the page."""

from __future__ import annotations

from pathlib import Path

from anabasis.errors import InputError

__all__ = ["STATIC", "bundled"]

STATIC = Path(__file__).parent / "static"


def bundled(name: str, *, needed: bool = True) -> str:
    """Return the text of a file that was built into the package; raises InputError if it wasn't.

    needed: without it a file that isn't there is an empty one.
    """
    try:
        return (STATIC / name).read_text("utf-8")
    except FileNotFoundError:
        if not needed:
            return ""
        raise InputError(
            "the studio is not built into this installation",
            found=f"no {name}",
            expected="what its front end builds",
            hint="install Anabasis again, without ANABASIS_SKIP_STUDIO=1",
        ) from None
