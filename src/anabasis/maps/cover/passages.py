"""Passages: ways through woods, so that trees part no land that hung together.

The shortest ways that join all pieces, by searching from all of them at once and joining where the searches meet, the
shortest first: K. Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.maps.parts import parts
from anabasis.movement import movement_class
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["open_passages"]


def open_passages(
    before: NDArray[np.uint8], after: NDArray[np.uint8], *, least: int = 12, movement: str = "land"
) -> NDArray[np.uint8]:
    """Return the land after woods were planted, uint8[height, width], with `f` along ways between the pieces they made.

    Pieces of at least `least` cells that a unit could walk between before, by steps to the sides, it can walk between
    again; smaller ones are clearings without a way. Only cells that were free before change. Work grows with the cells.
    Raises InputError for lands of two sizes and an unknown movement class.
    """
    old = freeze(before, np.uint8, (None, None), "land before")
    new = freeze(after, np.uint8, old.shape, "land after")
    cost = movement_class(movement).cost
    free, passable = np.isfinite(cost[new]), np.isfinite(cost[old])
    label = parts(free).astype(np.int64)
    large = np.bincount(label.reshape(-1), minlength=1) >= check_count(least, "least cells of a piece", 1)
    large[0] = False
    owner = np.where(large[label], label, 0).reshape(-1)
    way = _meet(owner, (free | passable).reshape(-1), new.shape[1])
    made = new.copy()
    made[way.reshape(new.shape) & ~free] = ord("f")
    return made


@kernel
def _meet(owner: NDArray[np.int64], passable: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Return which cells lie on the ways; owner, the piece of each cell (0: none), is filled up by the search."""
    size = len(owner)
    come, away, queue, count = np.full(size, -1, np.int64), np.zeros(size, np.int64), np.empty(size, np.int64), 0
    for cell in range(size):
        if owner[cell]:
            queue[count] = cell
            count += 1
    k = 0
    while k < count:
        cell = queue[k]
        k += 1
        for d in range(4):
            to = _side(cell, d, width, size)
            if to >= 0 and passable[to] and owner[to] == 0:
                owner[to], come[to], away[to] = owner[cell], cell, away[cell] + 1
                queue[count] = to
                count += 1
    links, found = np.empty(2 * size, np.int64), 0
    lengths = np.empty(2 * size, np.int64)
    for cell in range(size):
        for d in range(2):
            to = _side(cell, d, width, size)
            if to >= 0 and owner[cell] != owner[to] and owner[cell] and owner[to]:
                links[found], lengths[found] = 2 * cell + d, away[cell] + away[to]
                found += 1
    return _join(links[:found], lengths[:found], owner, come, width)


@kernel
def _join(
    links: NDArray[np.int64], lengths: NDArray[np.int64], owner: NDArray[np.int64], come: NDArray[np.int64], width: int
) -> NDArray[np.bool_]:
    """Join pieces at the shortest links first, each pair of joined ones once; return the cells of those ways."""
    size = len(owner)
    way, root = np.zeros(size, np.bool_), np.arange(size + 1)
    for n in np.argsort(lengths, kind="mergesort"):
        link = int(links[n])
        cell, to = link >> 1, _side(link >> 1, link & 1, width, size)
        one, two = _root(root, int(owner[cell])), _root(root, int(owner[to]))
        if one == two:
            continue
        root[max(one, two)] = min(one, two)
        for end in (cell, to):
            at = end
            while at >= 0:
                way[at] = True
                at = int(come[at])
    return way


@kernel
def _root(root: NDArray[np.int64], piece: int) -> int:
    """Return the number under which a piece is joined to others, and shorten the way to it."""
    while root[piece] != piece:
        root[piece] = root[root[piece]]
        piece = int(root[piece])
    return piece


@kernel
def _side(cell: int, d: int, width: int, size: int) -> int:
    """Return the cell to the right, below, to the left or above; -1 outside the map."""
    x = cell % width
    if d == 0:
        return cell + 1 if x + 1 < width else -1
    if d == 1:
        return cell + width if cell + width < size else -1
    if d == 2:
        return cell - 1 if x > 0 else -1
    return cell - width if cell >= width else -1
