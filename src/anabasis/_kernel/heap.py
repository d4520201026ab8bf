"""Priority queues: heaps with four children a node, without and with decrease-key.

`heap_push` and `heap_pop` keep rows (key, tie, item) in one array: smallest key first, smallest tie among equal keys.
An item whose key falls is pushed again, and what is stale is skipped when it comes out. `heap_lift` and `heap_first`
keep each item once: keys[i] and order[i] are the key and the item at place i of the heap, place[item] is its i.
D. B. Johnson, "Priority queues with update and finding minimum spanning trees", 1975 (d-ary heaps).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf

__all__ = ["heap_first", "heap_grown", "heap_lift", "heap_pop", "heap_push"]


@kernel
def heap_grown(heap: Any, size: int, more: int) -> Any:
    """Return a longer array with the same `size` rows and room for at least `more`."""
    longer = np.empty((2 * (size + more), 3), np.float64)
    longer[:size] = heap[:size]
    return longer


@leaf
def heap_push(heap: Any, size: int, key: float, tie: float, item: int) -> None:
    """Add a row to a heap of `size` rows that has room for it."""
    i = size
    while i > 0:
        up = (i - 1) >> 2
        if heap[up, 0] < key or (heap[up, 0] == key and heap[up, 1] <= tie):
            break
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[up, 0], heap[up, 1], heap[up, 2]
        i = up
    heap[i, 0], heap[i, 1], heap[i, 2] = key, tie, item


@leaf
def heap_pop(heap: Any, size: int) -> int:
    """Take the first row out of a heap of `size` ≥ 1 rows and return its item; `size - 1` rows are left."""
    item = int(heap[0, 2])
    size -= 1
    key, tie, last = heap[size, 0], heap[size, 1], heap[size, 2]
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        least = child
        for other in range(child + 1, min(child + 4, size)):
            if heap[other, 0] < heap[least, 0] or (
                heap[other, 0] == heap[least, 0] and heap[other, 1] < heap[least, 1]
            ):
                least = other
        if key < heap[least, 0] or (key == heap[least, 0] and tie <= heap[least, 1]):
            break
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[least, 0], heap[least, 1], heap[least, 2]
        i = least
    heap[i, 0], heap[i, 1], heap[i, 2] = key, tie, last
    return item


@leaf
def heap_lift(keys: Any, order: Any, place: Any, i: int, key: float, item: int) -> None:
    """Put an item with its key at place i or above: i is where it is with a greater key, or the first place behind."""
    while i > 0:
        up = (i - 1) >> 2
        if keys[up] <= key:
            break
        keys[i], order[i] = keys[up], order[up]
        place[order[i]] = i
        i = up
    keys[i], order[i], place[item] = key, item, i


@leaf
def heap_first(keys: Any, order: Any, place: Any, size: int) -> int:
    """Take the item of least key out of `size` ≥ 1 items and return it; `size - 1` are left."""
    first = order[0]
    size -= 1
    key, last = keys[size], order[size]
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        down, least = child, keys[child]
        for other in range(child + 1, min(child + 4, size)):
            found = keys[other]
            down = other if found < least else down
            least = min(found, least)
        if key <= least:
            break
        keys[i], order[i] = least, order[down]
        place[order[i]] = i
        i = down
    keys[i], order[i], place[last] = key, last, i
    return first
