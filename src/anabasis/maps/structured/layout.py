"""Layout: the size and seed of a structured map, checked, and its largest part.

Two cells are in one part if straight steps lead from one to the other. Where a diagonal step needs a free cell beside
it, diagonal steps lead no farther, so the parts are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE
from anabasis.options import check_count

__all__ = ["check_layout", "largest_part", "parts"]


def check_layout(width: int, height: int, seed: int, *, least_width: int = 1, least_height: int = 1) -> None:
    """Raise InputError for a size that no map may have, one below the least of this layout, or a seed that is none."""
    check_count(width, "width", least_width, MAX_SIDE)
    check_count(height, "height", least_height, MAX_SIDE)
    if width * height > MAX_CELLS:
        raise InputError("map size", found=f"{width} × {height} cells", expected=f"at most {MAX_CELLS} cells")
    check_count(seed, "seed", most=2**63 - 1)


def parts(free: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return int32[height, width]: the part of each free cell, from 1 in reading order of their first cells; else 0."""
    label = np.zeros(free.shape, np.int32)
    ndimage.label(free, output=label)
    return label


def largest_part(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return bool[height, width]: the free cells of the largest part, of equals the first in reading order."""
    label = parts(free)
    count = np.bincount(label.reshape(-1))
    count[0] = 0
    return (label == count.argmax()) & free
