"""Sides: which letters lie at the sides of the parts of a map, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["sides"]


def sides(made: NDArray[np.uint8], label: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return int64[parts, 256]: how often each letter outside of all parts lies at the sides of each of them."""
    return _sides(made, label, count)


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
