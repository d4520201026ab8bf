"""Parts: the parts of a map that hang together, by the sides of their cells or by their corners too.

A. Rosenfeld and J. L. Pfaltz, "Sequential operations in digital picture processing", 1966 (connected components). Where
a diagonal step needs a free cell beside it, diagonal steps lead no farther than straight ones, so the parts are those
by sides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

__all__ = ["largest_part", "parts", "sized_parts"]


def parts(free: NDArray[np.bool_], *, corners: bool = False) -> NDArray[np.int32]:
    """Return int32[height, width]: the part of each free cell, from 1 in reading order of their first cells; else 0.

    corners: cells that touch at a corner alone hang together as well.
    """
    label = np.zeros(free.shape, np.int32)
    ndimage.label(free, np.ones((3, 3)) if corners else None, output=label)
    return label


def sized_parts(free: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the part of each cell by sides, int64[height, width] from 0, -1 if it is not free, and the cells of each.

    The second is int64[parts].
    """
    label = parts(free)
    return label.astype(np.int64) - 1, np.bincount(label.reshape(-1), minlength=1)[1:]


def largest_part(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return bool[height, width]: the free cells of the largest part, of equals the first in reading order."""
    label = parts(free)
    count = np.bincount(label.reshape(-1))
    count[0] = 0
    return (label == count.argmax()) & free
