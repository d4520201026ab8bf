"""Distances: how far cells are to walk from the nearest of many sources, which source that is, and the way back.

E. W. Dijkstra's search with buckets as wide as the cheapest step, in which no order is needed: R. B. Dial, "Algorithm
360: Shortest-path forest with topological ordering", 1969.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.noun import freeze

__all__ = ["Walk", "check_cells", "check_cost", "course", "walk"]

SOURCE, UNREACHED = 8, 9
_SQRT2 = 2.0**0.5
_STEPS = (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)


@dataclass(frozen=True, eq=False)
class Walk:
    """What a walk from sources found; all arrays are [height, width].

    distance: float64, the price of the cheapest way from a source, inf without one. owner: int64, the label of that
    source, the least of equals, -1 without one. entered: uint8, the step by which the cell was entered.
    """

    distance: NDArray[np.float64]
    owner: NDArray[np.int64]
    entered: NDArray[np.uint8]


def check_cost(cost: ArrayLike) -> NDArray[np.float64]:
    """Return the prices of cells, float64[height, width], inf where blocked; raises InputError for one below 1."""
    prices = freeze(cost, np.float64, (None, None), "cost")
    if not prices.size:
        raise InputError("a map without cells", found="×".join(map(str, prices.shape)), expected="at least one cell")
    if (prices < 1).any():
        y, x = map(int, np.argwhere(prices < 1)[0])
        raise InputError(f"cost of cell {cell_text(x, y)}", found=f"{prices[y, x]:g}", expected="at least 1, or inf")
    return prices


def check_cells(cells: ArrayLike, cost: NDArray[np.float64], name: str) -> NDArray[np.int64]:
    """Return cells as int64[k, 2]; raises InputError for one outside the map, blocked or named twice."""
    places = freeze(cells, np.int64, (None, 2), name)
    height, width = cost.shape
    for x, y in places.tolist():
        if not (0 <= x < width and 0 <= y < height):
            raise InputError(f"{name}: a cell is outside the map", found=cell_text(x, y), expected=f"{width}×{height}")
        if np.isinf(cost[y, x]):
            raise InputError(f"{name}: a cell is blocked", found=cell_text(x, y), expected="a free cell")
    if len(np.unique(places, axis=0)) != len(places):
        raise InputError(f"{name}: a cell is named twice", found=f"{len(places)} cells", expected="different cells")
    return places


def walk(
    price: NDArray[np.float64],
    sources: NDArray[np.int64],
    *,
    labels: NDArray[np.int64] | None = None,
    smooth: NDArray[np.bool_] | None = None,
    goal: int = -1,
) -> Walk:
    """Walk from source vertices, each with a label (its number), over the cells whose price is finite.

    A step costs its length times the price, at least 1, of the cell entered. Diagonal steps need four cells of
    `smooth` (default: all cells whose price is finite), so that no corner is cut. With a goal, a vertex, the walk may
    end when its way is known.
    """
    width = price.shape[1]
    open_ground = np.isfinite(price)
    padded = np.pad(price, 1, constant_values=np.inf)
    flat = np.pad(open_ground if smooth is None else smooth & open_ground, 1)
    inner = _padded(sources, width)
    names = np.arange(len(sources), dtype=np.int64) if labels is None else labels.astype(np.int64)
    highest = float(np.max(price, where=open_ground, initial=1.0))
    distance = np.full(padded.size, np.inf)
    owner, entered = np.full(padded.size, -1, np.int64), np.full(padded.size, UNREACHED, np.uint8)
    offset = np.array([dy * (width + 2) + dx for dx, dy in _STEPS], np.int64)
    end = int(_padded(np.array([goal], np.int64), width)[0]) if goal >= 0 else -1
    bucket = max(1.0, highest / 1024)
    _walk(padded.reshape(-1), flat.reshape(-1), inner, names, offset, end, bucket, highest, distance, owner, entered)
    shape = padded.shape
    return Walk(
        distance.reshape(shape)[1:-1, 1:-1].copy(),
        owner.reshape(shape)[1:-1, 1:-1].copy(),
        entered.reshape(shape)[1:-1, 1:-1].copy(),
    )


def course(found: Walk, vertex: int) -> NDArray[np.int64]:
    """Return the vertices of the way from a source to a vertex that the walk reached."""
    width = found.owner.shape[1]
    offset = np.array([dy * width + dx for dx, dy in _STEPS], np.int64)
    return _course(found.entered.reshape(-1), offset, vertex)[::-1].copy()


def _padded(vertices: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return vertices in a map with one more cell on every side."""
    return (vertices // width + 1) * (width + 2) + vertices % width + 1


@kernel
def _walk(
    price: Any,
    flat: Any,
    sources: Any,
    labels: Any,
    offset: Any,
    goal: int,
    bucket: float,
    highest: float,
    distance: Any,
    owner: Any,
    entered: Any,
) -> None:
    """Walk from all sources; a bucket of the ring is a list of cells, doubly linked, so that a cell is in one only.

    Buckets no wider than the least step are left for good when they are empty; cells of wider ones may come back.
    """
    ring = int(highest * 1.5 / bucket) + 3
    first = np.full(ring, -1, np.int32)
    after, before = np.empty(len(price), np.int32), np.full(len(price), -2, np.int32)  # -2: in no bucket
    waiting = 0
    for i in range(len(sources)):
        v = sources[i]
        if distance[v] == 0.0:
            owner[v] = min(owner[v], labels[i])
            continue
        distance[v], owner[v], entered[v] = 0.0, labels[i], SOURCE
        after[v], before[v] = first[0], -1
        if first[0] >= 0:
            before[first[0]] = v
        first[0] = v
        waiting += 1
    now = 0
    while waiting:
        slot = now % ring
        if first[slot] < 0:
            now += 1
            if goal >= 0 and distance[goal] < now * bucket:
                break
            continue
        u = np.int64(first[slot])
        first[slot] = after[u]
        if after[u] >= 0:
            before[after[u]] = -1
        before[u] = -2
        waiting -= 1
        here, label, level = distance[u], owner[u], flat[u]
        for k in range(8):
            v = u + offset[k]
            if price[v] == np.inf:
                continue
            way = here + (price[v] * _SQRT2 if k > 3 else price[v])
            if way > distance[v] or (way == distance[v] and label >= owner[v]):
                continue
            if k > 3 and not (level and flat[v] and flat[u + offset[k - 4]] and flat[u + offset[(k - 3) & 3]]):
                continue
            if before[v] != -2:
                old = int(distance[v] / bucket) % ring
                if before[v] >= 0:
                    after[before[v]] = after[v]
                else:
                    first[old] = after[v]
                if after[v] >= 0:
                    before[after[v]] = before[v]
                waiting -= 1
            distance[v], owner[v], entered[v] = way, label, k
            new = int(way / bucket) % ring
            after[v], before[v] = first[new], -1
            if first[new] >= 0:
                before[first[new]] = v
            first[new] = v
            waiting += 1


@kernel
def _course(entered: Any, offset: Any, vertex: int) -> Any:
    """Return the vertices from a vertex back to its source."""
    way, count = np.empty(64, np.int64), 0
    v = vertex
    while True:
        if count == len(way):
            way = np.concatenate((way, way))
        way[count] = v
        count += 1
        if entered[v] >= SOURCE:
            break
        v -= offset[entered[v]]
    return way[:count]
