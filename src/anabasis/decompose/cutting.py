"""Cutting: close the gates of a map; what stays connected are its regions.

Gates that turn out to be needless are opened again, so that each region is worth its name and each gate leads from one
region to another (or back to the same one): the "errors removed" of J. Pacovský, "Navigation of units in video games
using flow networks", 2019, who doesn't say how.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["SMALL", "cut"]

SMALL = 8  # a region of so few cells beside a gate is given to its neighbour


def cut(
    lake: NDArray[np.int32], gates: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int32], list[int], NDArray[np.int64]]:
    """Return the regions, int32[height, width], which of the gates are kept, and the two sides of each of these.

    lake: int32[height, width], the lakes of a flooding, -1 in walls. A region is connected by steps along the sides of
    cells. Whoever steps from one region to another, cutting no corner, steps on or off or between cells of a gate that
    has these two sides. Opened again are: gates with nothing behind them; the longest gate of a region that is the home
    of no lake (a sliver between gates), that has at most SMALL cells, or that is a niche: one gate of n cells before
    at most n²/4; and the longest gate at a place where one leads around another.
    """
    from scipy import ndimage

    cells = np.concatenate([*gates, np.zeros(0, np.int64)])
    indptr = np.concatenate([[0], np.cumsum([g.size for g in gates])]).astype(np.int64)
    closed = np.ones(len(gates), bool)
    gate_of = np.full(lake.shape, -1, np.int32)
    gate_of.reshape(-1)[cells] = np.repeat(np.arange(len(gates)), np.diff(indptr))
    pieces, count = ndimage.label((lake >= 0) & (gate_of < 0))  # pyright: ignore[reportGeneralTypeIssues]
    node = pieces.astype(np.int32) - 1
    node.reshape(-1)[cells] = int(count) + np.arange(cells.size)
    parent, area, home = _pieces(node, lake, int(count) + cells.size)
    longest = np.argsort(-np.diff(indptr), kind="stable")
    sides = np.empty((len(gates), 2), np.int64)
    while True:
        _settle(node, gate_of, indptr, cells, closed, longest, parent, area, home, sides)
        region = _regions(node, gate_of, indptr, cells, closed, parent, home, sides)
        around = _ways_around(region, gate_of, indptr, sides)
        if not around.any():
            break
        touched: set[int] = set()
        for gate in longest[around[longest]].tolist():
            if touched.isdisjoint(sides[gate].tolist()):
                touched.update(sides[gate].tolist())
                _open(gate, node, gate_of, indptr, cells, closed, parent, area, home)
    kept = np.flatnonzero(closed)
    return region, kept.tolist(), np.sort(sides[kept], axis=1)


@kernel
def _root(parent: Any, a: int) -> int:
    """Return the root of a piece among those that have been joined."""
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a


@kernel
def _pieces(node: Any, lake: Any, nodes: int) -> Any:
    """Return parent, area and home of each piece; a lake's home is the piece with most of its cells.

    Found as in R. Boyer and J. Moore, "MJRTY: a fast majority vote algorithm", 1981; without a majority, one of those
    with many of them.
    """
    area, home = np.zeros(nodes, np.int64), np.zeros(nodes, np.uint8)
    lakes = lake.max() + 1
    leader, votes = np.full(lakes, -1, np.int64), np.zeros(lakes, np.int64)
    height, width = node.shape
    for y in range(height):
        for x in range(width):
            if node[y, x] < 0:
                continue
            area[node[y, x]] += 1
            k = lake[y, x]
            if votes[k] == 0:
                leader[k] = node[y, x]
            votes[k] += 1 if leader[k] == node[y, x] else -1
    for k in range(lakes):
        if leader[k] >= 0:
            home[leader[k]] = 1
    return np.arange(nodes), area, home


@kernel
def _open(
    gate: int, node: Any, gate_of: Any, indptr: Any, cells: Any, closed: Any, parent: Any, area: Any, home: Any
) -> None:
    """Open a gate: join its cells with the pieces beside it."""
    height, width = node.shape
    closed[gate] = False
    for i in range(indptr[gate], indptr[gate + 1]):
        gate_of[cells[i] // width, cells[i] % width] = -1
    for i in range(indptr[gate], indptr[gate + 1]):
        y, x = cells[i] // width, cells[i] % width
        for k in range(4):
            ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
            if 0 <= ny < height and 0 <= nx < width and node[ny, nx] >= 0 and gate_of[ny, nx] < 0:
                a, b = _root(parent, node[y, x]), _root(parent, node[ny, nx])
                if a != b:
                    parent[a] = b
                    area[b] += area[a]
                    home[b] |= home[a]


@kernel
def _sides_of(gate: int, node: Any, gate_of: Any, indptr: Any, cells: Any, parent: Any) -> Any:
    """Return the pieces along most of the left and of the right side of a gate, -1 for a side that has none."""
    height, width = node.shape
    first, last = cells[indptr[gate]], cells[indptr[gate + 1] - 1]
    along_x, along_y = last % width - first % width, last // width - first // width
    most = 4 * (indptr[gate + 1] - indptr[gate])
    names, votes, count = np.empty(most, np.int64), np.zeros((2, most), np.int64), 0
    for i in range(indptr[gate], indptr[gate + 1]):
        y, x = cells[i] // width, cells[i] % width
        for k in range(4):
            ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
            if not (0 <= ny < height and 0 <= nx < width) or node[ny, nx] < 0 or gate_of[ny, nx] >= 0:
                continue
            a, at = _root(parent, node[ny, nx]), 0
            while at < count and names[at] != a:
                at += 1
            names[at] = a
            count = max(count, at + 1)
            across = along_x * (ny - first // width) - along_y * (nx - first % width)
            if across:
                votes[int(across > 0), at] += 1
            elif first == last:  # one cell: the first piece on one side, what else there is on the other
                votes[0 if at == 0 and votes[0, 0] == 0 else 1, at] += 1 if at == 0 else most
    left, right = -1, -1
    for at in range(count):
        if votes[0, at] and (left < 0 or votes[0, at] > votes[0, left]):
            left = at
        if votes[1, at] and (right < 0 or votes[1, at] > votes[1, right]):
            right = at
    return (names[left] if left >= 0 else -1), (names[right] if right >= 0 else -1)


@kernel
def _settle(
    node: Any,
    gate_of: Any,
    indptr: Any,
    cells: Any,
    closed: Any,
    longest: Any,
    parent: Any,
    area: Any,
    home: Any,
    sides: Any,
) -> None:
    """Open needless gates until none is left, the longest first, and write the pieces on both sides of the others.

    Each gate is judged by the pieces that there are when its turn comes, since one beside it may have been opened.
    """
    degree, changed = np.zeros(len(parent), np.int64), np.zeros(len(parent), np.uint8)
    again = True
    while again:
        again = False
        degree[:], changed[:] = 0, 0
        for g in range(len(closed)):
            if closed[g]:
                sides[g, 0], sides[g, 1] = _sides_of(g, node, gate_of, indptr, cells, parent)
                for s in range(2):
                    if sides[g, s] >= 0:
                        degree[sides[g, s]] += 1
        for g in longest:
            if not closed[g]:
                continue
            a, b = _sides_of(g, node, gate_of, indptr, cells, parent) if again else (sides[g, 0], sides[g, 1])
            needless = a < 0 or b < 0
            if a != b and not needless:
                size = indptr[g + 1] - indptr[g]
                for r in (a, b):
                    niche = degree[r] == 1 and not changed[r] and 4 * area[r] <= size * size
                    needless = needless or not home[r] or area[r] <= SMALL or niche
            if needless:
                again = True
                _open(g, node, gate_of, indptr, cells, closed, parent, area, home)
                changed[_root(parent, node[cells[indptr[g]] // node.shape[1], cells[indptr[g]] % node.shape[1]])] = 1


@kernel
def _regions(node: Any, gate_of: Any, indptr: Any, cells: Any, closed: Any, parent: Any, home: Any, sides: Any) -> Any:
    """Return int32[height, width], the regions in the order of their first cells, and write them as sides of gates.

    Cells of gates, and pockets that are the side of no gate and the home of no lake, go to a region beside them.
    """
    height, width = node.shape
    known = home.copy()
    for g in range(len(closed)):
        if closed[g]:
            known[sides[g, 0]], known[sides[g, 1]] = 1, 1
    region = np.full((height, width), -1, np.int32)
    number, count = np.full(len(parent), -1, np.int32), 0
    touching = np.zeros(len(parent), np.uint8)  # pieces beside a gate; only such ones can be pockets
    for g in range(len(closed)):
        for i in range(indptr[g], indptr[g + 1] if closed[g] else indptr[g]):
            y, x = cells[i] // width, cells[i] % width
            for k in range(4):
                ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                if 0 <= ny < height and 0 <= nx < width and node[ny, nx] >= 0 and gate_of[ny, nx] < 0:
                    touching[_root(parent, node[ny, nx])] = 1
    left, lost = 0, np.empty(1024, np.int64)
    for y in range(height):
        for x in range(width):
            if node[y, x] < 0:
                continue
            r = _root(parent, node[y, x])
            if gate_of[y, x] < 0 and (known[r] or not touching[r]):
                if number[r] < 0:
                    number[r] = count
                    count += 1
                region[y, x] = number[r]
            else:
                if left == len(lost):
                    lost = np.concatenate((lost, lost))
                lost[left] = y * width + x
                left += 1
    for g in range(len(closed)):
        if closed[g]:
            sides[g, 0], sides[g, 1] = number[sides[g, 0]], number[sides[g, 1]]
    _give(region, node, gate_of, parent, number, sides, lost[:left])
    return region


@kernel
def _give(region: Any, node: Any, gate_of: Any, parent: Any, number: Any, sides: Any, lost: Any) -> None:
    """Give each cell that has no region to one beside it, a gate's cell first to the first of the gate's sides.

    A pocket goes as a whole, with the first of its cells.
    """
    height, width = region.shape
    chosen = np.empty(len(lost), np.int32)
    left, own_sides = True, True
    while left:
        left = False
        for i in range(len(lost)):
            y, x = lost[i] // width, lost[i] % width
            chosen[i] = region[y, x]
            g = gate_of[y, x]
            for k in range(4):
                ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                if region[y, x] >= 0 or not (0 <= ny < height and 0 <= nx < width) or region[ny, nx] < 0:
                    continue
                other = region[ny, nx]
                mine = g >= 0 and (other == sides[g, 0] or other == sides[g, 1])
                if (mine and (chosen[i] < 0 or other == sides[g, 0])) or (chosen[i] < 0 and not own_sides):
                    chosen[i] = other
        for i in range(len(lost)):
            y, x = lost[i] // width, lost[i] % width
            pocket = _root(parent, node[y, x]) if gate_of[y, x] < 0 else -1
            if pocket >= 0 and number[pocket] < 0:
                number[pocket] = chosen[i]
            if region[y, x] < 0 and (chosen[i] >= 0 or (pocket >= 0 and number[pocket] >= 0)):
                region[y, x] = number[pocket] if pocket >= 0 else chosen[i]
                left = True
        if not left and own_sides:
            left, own_sides = True, False


@kernel
def _ways_around(region: Any, gate_of: Any, indptr: Any, sides: Any) -> Any:
    """Return bool[gates]: where a step leads from region to region past the gates of these two, the longest gate there.

    Looked at are squares of two by two cells: steps along their upper and left sides, and across.
    """
    height, width = region.shape
    around = np.zeros(len(sides), np.bool_)
    for y in range(height):
        for x in range(width):
            if region[y, x] < 0:
                continue
            for k in range(4):
                # the two cells of a step, and the corners beside it where it slants
                y0, x0 = y, x + (k == 3)
                y1, x1 = y + (k > 0), x + (k in (0, 2))
                if y1 >= height or max(x0, x1) >= width or region[y1, x1] < 0:
                    continue
                a, b = region[y0, x0], region[y1, x1]
                if a < 0 or a == b or region[y0, x1] < 0 or region[y1, x0] < 0:
                    continue
                worst, right = -1, False
                for c in range(4):
                    g = gate_of[y0 if c < 2 else y1, x0 if c % 2 == 0 else x1]
                    if g < 0:
                        continue
                    left, far = sides[g, 0], sides[g, 1]
                    right = right or (left == a and far == b) or (left == b and far == a)
                    if worst < 0 or indptr[g + 1] - indptr[g] > indptr[worst + 1] - indptr[worst]:
                        worst = g
                if not right and worst >= 0:
                    around[worst] = True
    return around
