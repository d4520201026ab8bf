"""Contacts: where the regions of a walk meet, and the cheapest tree over them.

Where two regions of one search meet, the cheapest way from the one source to the other is known without another search:
K. Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988. The tree is that of J. B.
Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman problem", 1956.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.maps.players.distances import Walk

__all__ = ["Contacts", "contacts", "spanning"]

_SQRT2 = 2.0**0.5


@dataclass(frozen=True, eq=False)
class Contacts:
    """Where regions of a walk meet, a row for each pair.

    pair: int64[k, 2], the labels, rising. way: float64[k], the price of the cheapest way across. near, far: int64[k],
    the vertices at the border by which it goes, the one of the lower label first.
    """

    pair: NDArray[np.int64]
    way: NDArray[np.float64]
    near: NDArray[np.int64]
    far: NDArray[np.int64]


def contacts(found: Walk, price: NDArray[np.float64], *, smooth: NDArray[np.bool_] | None = None) -> Contacts:
    """Return where the regions of a walk with these prices meet by a step, diagonal ones as in `walk`."""
    open_ground = np.isfinite(price)
    flat = open_ground if smooth is None else smooth & open_ground
    regions = int(found.owner.max()) + 1
    return Contacts(*_contacts(found.distance, found.owner, price, np.ascontiguousarray(flat), regions))


def spanning(met: Contacts, count: int) -> NDArray[np.int64]:
    """Return the rows of `met` that make the cheapest tree over regions 0 to count - 1, the cheapest first."""
    return _kruskal(np.argsort(met.way, kind="stable"), met.pair, count)


@kernel
def _contacts(distance: Any, owner: Any, price: Any, flat: Any, regions: int) -> tuple[Any, Any, Any, Any]:
    """Return pair, way, near and far of `Contacts`; pairs are kept in a table of open addresses until the end."""
    height, width = owner.shape
    size, count = 1024, 0
    keys, way = np.full(size, -1, np.int64), np.empty(size)
    near, far = np.empty(size, np.int64), np.empty(size, np.int64)
    for y in range(height):
        for x in range(width):
            a = owner[y, x]
            if a < 0:
                continue
            for k in range(4):  # right, down, and both diagonals downwards
                dx, dy = (2 - k, 1) if k else (1, 0)
                if not (0 <= x + dx < width and y + dy < height):
                    continue
                b = owner[y + dy, x + dx]
                if b < 0 or a == b:
                    continue
                diagonal = dx != 0 and dy != 0
                if diagonal and not (flat[y, x] and flat[y + dy, x + dx] and flat[y, x + dx] and flat[y + dy, x]):
                    continue
                u, v = y * width + x, (y + dy) * width + x + dx
                entry = price[y + dy, x + dx] if a < b else price[y, x]
                length = distance[y, x] + entry * (_SQRT2 if diagonal else 1.0) + distance[y + dy, x + dx]
                key = min(a, b) * regions + max(a, b)
                place = key * 40503 % size
                while keys[place] != key and keys[place] >= 0:
                    place = (place + 1) % size
                if keys[place] < 0:
                    keys[place], way[place] = key, np.inf
                    count += 1
                if length < way[place]:
                    way[place] = length
                    near[place], far[place] = (u, v) if a < b else (v, u)
                if 2 * count > size:
                    keys, way, near, far = _grown(keys, way, near, far)
                    size = len(keys)
    used = np.flatnonzero(keys >= 0)
    used = used[np.argsort(keys[used])]
    pair = np.empty((count, 2), np.int64)
    pair[:, 0], pair[:, 1] = keys[used] // regions, keys[used] % regions
    return pair, way[used], near[used], far[used]


@kernel
def _grown(keys: Any, way: Any, near: Any, far: Any) -> tuple[Any, Any, Any, Any]:
    """Return a table of twice the size with the same rows."""
    size = 2 * len(keys)
    new, ways = np.full(size, -1, np.int64), np.empty(size)
    left, right = np.empty(size, np.int64), np.empty(size, np.int64)
    for i in range(len(keys)):
        if keys[i] >= 0:
            place = keys[i] * 40503 % size
            while new[place] >= 0:
                place = (place + 1) % size
            new[place], ways[place], left[place], right[place] = keys[i], way[i], near[i], far[i]
    return new, ways, left, right


@kernel
def _kruskal(order: Any, pair: Any, count: int) -> Any:
    """Return the rows of the cheapest spanning forest, taken in the given order."""
    above, chosen, taken = np.arange(count), np.empty(max(count, 1), np.int64), 0
    for row in order:
        a, b = pair[row, 0], pair[row, 1]
        while above[a] != a:
            above[a] = above[above[a]]
            a = above[a]
        while above[b] != b:
            above[b] = above[above[b]]
            b = above[b]
        if a != b:
            above[max(a, b)] = min(a, b)
            chosen[taken] = row
            taken += 1
    return chosen[:taken]
