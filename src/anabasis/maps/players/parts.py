"""Parts: the parts of a map that hang together by the sides of their cells, and pockets filled with what is around.

A. Rosenfeld and J. L. Pfaltz, "Sequential operations in digital picture processing", 1966 (connected components).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["parts", "sides"]


def parts(free: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the part of each cell, int64[height, width], -1 if it is not free, and the number of cells of each part.

    Cells hang together by their sides, which is how units go that cut no corners.
    """
    label = np.full(free.shape, -1, np.int64)
    count = _label(np.ascontiguousarray(free), label)
    return label, np.bincount(label[label >= 0], minlength=count)


def sides(made: NDArray[np.uint8], label: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return int64[parts, 256]: how often each letter outside of all parts lies at the sides of each of them."""
    return _sides(made, label, count)


@kernel
def _label(free: Any, label: Any) -> int:
    """Number the parts of free cells in the order of their first vertices; return how many there are."""
    height, width = free.shape
    stack, count = np.empty(free.size, np.int64), 0
    for start in range(free.size):
        if not free[start // width, start % width] or label[start // width, start % width] >= 0:
            continue
        stack[0], size = start, 1
        label[start // width, start % width] = count
        while size:
            size -= 1
            y, x = stack[size] // width, stack[size] % width
            for k in range(4):
                ny, nx = y + (k == 1) - (k == 3), x + (k == 0) - (k == 2)
                if 0 <= ny < height and 0 <= nx < width and free[ny, nx] and label[ny, nx] < 0:
                    label[ny, nx] = count
                    stack[size] = ny * width + nx
                    size += 1
        count += 1
    return count


@kernel
def _sides(made: Any, label: Any, count: int) -> Any:
    """Return int64[count, 256]: how often each letter lies at the sides of each part."""
    height, width = made.shape
    around = np.zeros((count, 256), np.int64)
    for y in range(height):
        for x in range(width):
            part = label[y, x]
            if part < 0:
                continue
            for k in range(4):
                ny, nx = y + (k == 1) - (k == 3), x + (k == 0) - (k == 2)
                if 0 <= ny < height and 0 <= nx < width and label[ny, nx] < 0:
                    around[part, made[ny, nx]] += 1
    return around
