"""Key queue: a priority queue whose items have keys of two parts, may change them, and may leave before their turn.

A heap with four children a node (D. B. Johnson, "Priority queues with update and finding minimum spanning trees",
1975): rows, float64[capacity, 4], hold (key, tie, age, item); place[item] is the row of an item counted from 1, 0 for
none. The smallest key comes first, of equal keys the smallest tie, of equal ties the smallest age, which the caller
counts up, so the order of the items does not depend on the shape of the heap.
"""

from __future__ import annotations

from typing import Any

from anabasis._kernel import leaf

__all__ = ["queue_put", "queue_remove"]


@leaf
def queue_put(rows: Any, place: Any, size: int, item: int, key: float, tie: float, age: float) -> int:
    """Put an item in or change its key; return the new size. With the key that it has, it also keeps its age."""
    i = place[item] - 1
    if i < 0:
        _lift(rows, place, size, item, key, tie, age)
        return size + 1
    old, rest = rows[i, 0], rows[i, 1]
    if key == old and tie == rest:
        return size
    if key < old or (key == old and tie < rest):
        _lift(rows, place, i, item, key, tie, age)
    else:
        _sink(rows, place, size, i, item, key, tie, age)
    return size


@leaf
def queue_remove(rows: Any, place: Any, size: int, item: int) -> int:
    """Take an item out that is in the queue; return the new size."""
    i = place[item] - 1
    place[item] = 0
    size -= 1
    if i == size:
        return size
    key, tie, age, last = rows[size, 0], rows[size, 1], rows[size, 2], int(rows[size, 3])
    up = (i - 1) >> 2
    if i > 0 and _before(key, tie, age, rows, up):
        _lift(rows, place, i, last, key, tie, age)
    else:
        _sink(rows, place, size, i, last, key, tie, age)
    return size


@leaf
def _before(key: float, tie: float, age: float, rows: Any, i: int) -> bool:
    """Whether what has this key, tie and age comes before row i."""
    if key != rows[i, 0]:
        return key < rows[i, 0]
    if tie != rows[i, 1]:
        return tie < rows[i, 1]
    return age < rows[i, 2]


@leaf
def _lift(rows: Any, place: Any, i: int, item: int, key: float, tie: float, age: float) -> None:
    """Put an item at row i or above."""
    while i > 0:
        up = (i - 1) >> 2
        if not _before(key, tie, age, rows, up):
            break
        rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = rows[up, 0], rows[up, 1], rows[up, 2], rows[up, 3]
        place[int(rows[i, 3])] = i + 1
        i = up
    rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = key, tie, age, item
    place[item] = i + 1


@leaf
def _sink(rows: Any, place: Any, size: int, i: int, item: int, key: float, tie: float, age: float) -> None:
    """Put an item at row i or below, in a heap of `size` rows."""
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        least = child
        for other in range(child + 1, min(child + 4, size)):
            if _before(rows[other, 0], rows[other, 1], rows[other, 2], rows, least):
                least = other
        if _before(key, tie, age, rows, least):
            break
        rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = (
            rows[least, 0],
            rows[least, 1],
            rows[least, 2],
            rows[least, 3],
        )
        place[int(rows[i, 3])] = i + 1
        i = least
    rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = key, tie, age, item
    place[item] = i + 1
