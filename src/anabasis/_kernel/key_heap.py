"""Key heap: a heap with four children a node of whole numbers, each a key in the high bits and an item in the low ones.

D. B. Johnson, "Priority queues with update and finding minimum spanning trees", 1975 (d-ary heaps). One word an entry
keeps four children in half a line of the cache and makes a comparison of keys and of ties one of numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import leaf

__all__ = ["key_pop", "key_push"]


@leaf
def key_push(heap: NDArray[np.int64], size: int, entry: int) -> int:
    """Add an entry to a heap of `size` entries that has room for it; return the new size."""
    i = size
    while i > 0:
        up = (i - 1) >> 2
        if heap[up] <= entry:
            break
        heap[i] = heap[up]
        i = up
    heap[i] = entry
    return size + 1


@leaf
def key_pop(heap: NDArray[np.int64], size: int) -> int:
    """Take the least entry, heap[0], out of a heap of `size` ≥ 1 entries; return the new size."""
    size -= 1
    last = heap[size]
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        down, least = child, heap[child]
        for other in range(child + 1, min(child + 4, size)):
            found = heap[other]
            down = other if found < least else down
            least = min(found, least)
        if last <= least:
            break
        heap[i] = least
        i = down
    heap[i] = last
    return size
