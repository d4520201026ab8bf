"""Shape: the sides of a map that is to be made, checked before the memory for it is taken."""

from __future__ import annotations

from anabasis.grid import MAX_SIDE
from anabasis.io.size import check_size
from anabasis.options import check_count

__all__ = ["check_shape"]


def check_shape(width: int, height: int, *, least_width: int = 1, least_height: int = 1) -> tuple[int, int]:
    """Return the shape (height, width) of a map.

    Raises InputError for a side that is no whole number from its least to 16384, and for more than 2²⁶ cells.
    """
    columns = check_count(width, "width", least_width, MAX_SIDE)
    rows = check_count(height, "height", least_height, MAX_SIDE)
    check_size(columns, rows, None)
    return rows, columns
