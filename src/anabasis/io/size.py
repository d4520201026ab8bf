"""Caps on the size of a map, checked before the memory for it is taken."""

from __future__ import annotations

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE

__all__ = ["check_size"]


def check_size(width: int, height: int, file: object, *, max_side: int = MAX_SIDE, max_cells: int = MAX_CELLS) -> None:
    """Raise InputError unless a map of this size may be loaded; the caps can be lowered, not raised."""
    side, cells = min(max_side, MAX_SIDE), min(max_cells, MAX_CELLS)
    found = f"{width} × {height} cells"
    if width < 1 or height < 1:
        raise InputError("the map has no cells", file=file, found=found, expected="sides of at least 1")
    if width > side or height > side:
        raise InputError(
            "the map is too large",
            file=file,
            found=found,
            expected=f"at most {side} cells a side",
            hint="crop or shrink the map",
        )
    if width * height > cells:
        raise InputError(
            "the map is too large",
            file=file,
            found=f"{found} = {width * height}",
            expected=f"at most {cells} cells",
            hint="crop or shrink the map",
        )
