"""What a search reports: a row of counts, and a log of what it did if it is asked for one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf

__all__ = [
    "COST",
    "EXPAND",
    "EXPANDED",
    "GENERATE",
    "GENERATED",
    "LIMIT",
    "NEAREST",
    "NO_SOLUTION",
    "OPEN",
    "SOLVED",
    "STATUS",
    "UPDATE",
    "note",
]

STATUS, EXPANDED, GENERATED, COST, OPEN, NEAREST = range(6)  # the columns of a row
SOLVED, NO_SOLUTION, LIMIT = range(3)  # what stands in the first of them
GENERATE, EXPAND, UPDATE = 0, 1, 3  # events of a log, as in anabasis.result.TraceEvent


@leaf
def note(log: NDArray[np.float64], k: int, event: int, vertex: int, parent: int, g: float, h: float) -> int:
    """Write row k of a log unless it has none; return the number of rows written."""
    if log.shape[0] == 0:
        return 0
    log[k, 0], log[k, 1], log[k, 2], log[k, 3], log[k, 4] = event, vertex, parent, g, h
    return k + 1
