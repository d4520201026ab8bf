"""Filling: how high water stands in every hollow before it flows over, and which way it drains from every cell.

R. Barnes, C. Lehman and D. Mulla, "Priority-flood: an optimal depression-filling and watershed-labeling algorithm for
digital elevation models", 2014. Heights are replaced by their places in sorted order, equal ones in an order drawn at
random, so that every comparison is one of whole numbers and rivers on a plain wander instead of running in parallel.
Drainage by the steepest of eight descents, and adding up along it: J. O'Callaghan and D. Mark, "The extraction of
drainage networks from digital elevation data", 1984. That ways on smooth slopes don't run straight in eight
directions: J. Fairfield and P. Leymarie, "Drainage networks from grid digital elevation models", 1991, with the
triangles of D. Tarboton, "A new method for the determination of flow directions and upslope areas in grid digital
elevation models", 1997.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_seed

__all__ = ["Filling", "accumulated", "checked_heights", "fill"]

STREAM_TIES, STREAM_BETWEEN = 200, 203

Bools, Ints, Floats = NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Filling:
    """A height field whose hollows are full of water.

    - level: float64[height, width], the least height to which water has to rise on its way from a cell to an outlet;
      above the ground in hollows, else the ground itself.
    - receiver: int64[height, width], the vertex to which a cell drains, one of its eight neighbours; -1 at outlets.
      Level never rises along it.
    - order: int64[height · width], the vertices, each after its receiver.
    """

    level: Floats
    receiver: Ints
    order: Ints

    __repr__ = summary

    def __post_init__(self) -> None:
        level = freeze(self.level, np.float64, (None, None), "level")
        set_field(self, "level", level)
        set_field(self, "receiver", freeze(self.receiver, np.int64, level.shape, "receiver"))
        set_field(self, "order", freeze(self.order, np.int64, (level.size,), "order"))


def checked_heights(heights: ArrayLike) -> Floats:
    """Return heights as read-only float64[height, width]; raises InputError if they are no map of finite numbers."""
    field = freeze(heights, np.float64, (None, None), "heights")
    if not field.size:
        raise InputError("heights are empty", expected="at least one cell")
    if not np.isfinite(field).all():
        raise InputError("heights hold an infinite value", expected="finite numbers")
    return field


def fill(heights: ArrayLike, outlets: ArrayLike | None = None, *, seed: int = 0, between: bool = False) -> Filling:
    """Fill the hollows of a height field, float64[height, width], and let every cell drain.

    outlets: bool[height, width], cells where water leaves besides those at the map's border, such as the sea. A cell
    drains along the steepest descent of the filled surface, the drop divided by the length of the step; where nothing
    descends, towards the outlet of its lake. The seed decides among equal heights. With `between`, the steepest descent
    is a direction, and each cell drains to one of the two neighbours beside it, drawn so that the way keeps to it on
    average. Work grows as n log n with the cells. Raises InputError for heights that are empty or not finite, and for
    outlets of another shape.
    """
    seed, ground = check_seed(seed), checked_heights(heights)
    height, width = ground.shape
    leaves = np.zeros(ground.shape, bool)
    if outlets is not None:
        leaves |= freeze(outlets, np.bool_, ground.shape, "outlets")
    leaves[[0, -1]] = True
    leaves[:, [0, -1]] = True
    cell = _sorted_cells(ground.reshape(-1), seed)
    rank = np.empty(height * width, np.int64)
    rank[cell] = np.arange(height * width)
    level, receiver, order = _flood(rank, cell, leaves.reshape(-1), width)
    surface = ground.reshape(-1)[cell[level]]
    key = stream_key(seed, STREAM_BETWEEN, 0) if between else -1
    _descend(surface, level, width, key, receiver)
    return Filling(surface.reshape(height, width), receiver.reshape(height, width), order)


def accumulated(filling: Filling, rain: ArrayLike | None = None) -> Floats:
    """Return float64[height, width]: the rain, by default 1 a cell, that fell on each cell and on all that drain to it.

    What arrives at the outlets is all that fell.
    """
    shape = filling.level.shape
    flow = np.ones(shape) if rain is None else np.array(freeze(rain, np.float64, shape, "rain"))
    _gather(filling.order, filling.receiver.reshape(-1), flow.reshape(-1))
    return flow


def _sorted_cells(ground: Floats, seed: int) -> Ints:
    """Return int64[n], the vertices from low to high, equal ones in an order drawn at random."""
    cell = np.argsort(ground)
    rising = ground[cell]
    if (rising[1:] == rising[:-1]).any():
        cell = np.argsort(ground, kind="stable")
        _shuffle_equal(cell, ground, stream_key(seed, STREAM_TIES, 0))
    return cell.astype(np.int64, copy=False)


@kernel
def _shuffle_equal(cell: Ints, ground: Floats, key: int) -> None:
    """Shuffle each run of equal heights among the sorted vertices (R. Durstenfeld, "Random permutation", 1964)."""
    first = 0
    for k in range(1, len(cell)):
        if ground[cell[k]] != ground[cell[first]]:
            first = k
            continue
        other = first + random_word(key, k, 0) % (k - first + 1)
        cell[k], cell[other] = cell[other], cell[k]


@kernel
def _flood(rank: Ints, cell: Ints, leaves: Bools, width: int) -> tuple[Ints, Ints, Ints]:
    """Return the level of each vertex as a rank, the neighbour from which it was flooded, and the order of flooding."""
    count = len(rank)
    height = count // width
    level, source, order = rank.copy(), np.full(count, -1, np.int64), np.empty(count, np.int64)
    closed, heap, pit = leaves.copy(), np.empty(count, np.int64), np.empty(count, np.int64)
    size, head, tail, done = 0, 0, 0, 0
    for v in range(count):
        if leaves[v] and _has_shore(leaves, v, width):
            size = key_push(heap, size, int(rank[v]))
        elif leaves[v]:
            order[done] = v
            done += 1
    while size > 0 or head < tail:
        if head < tail:  # what lies under water has the level of what it was flooded from, and needs no heap
            v = pit[head]
            head += 1
        else:
            v = cell[heap[0]]
            size = key_pop(heap, size)
        order[done] = v
        done += 1
        y, x = v // width, v % width
        for d in range(8):
            y_2, x_2 = y + DY[d], x + DX[d]
            if not (0 <= y_2 < height and 0 <= x_2 < width):
                continue
            w = y_2 * width + x_2
            if closed[w]:
                continue
            closed[w] = True
            source[w] = v
            if rank[w] < level[v]:
                level[w] = level[v]
                pit[tail] = w
                tail += 1
            else:
                size = key_push(heap, size, int(rank[w]))
    return level, source, order


@kernel
def _has_shore(leaves: Bools, v: int, width: int) -> bool:
    """Return whether one of the eight neighbours of a vertex is no outlet."""
    y, x = v // width, v % width
    for j in range(max(y - 1, 0), min(y + 2, len(leaves) // width)):
        for i in range(max(x - 1, 0), min(x + 2, width)):
            if not leaves[j * width + i]:
                return True
    return False


@kernel
def _descend(surface: Floats, level: Ints, width: int, key: int, receiver: Ints) -> None:
    """Turn each receiver to a descent of the surface; where nothing descends it stays as it is.

    key: below 0 for the steepest of eight, else the key of the draws between the two beside the steepest direction.
    """
    for v in range(len(surface)):
        if receiver[v] < 0:
            continue
        x = v % width
        steepest, best = 0.0, -1
        for d in range(8):
            if not 0 <= x + DX[d] < width:
                continue
            w = v + DY[d] * width + DX[d]  # inside, since cells at the border are outlets
            slope = (surface[v] - surface[w]) / (2.0**0.5 if d & 1 else 1.0)
            if slope > steepest or (best >= 0 and slope == steepest and level[w] < level[best]):
                steepest, best = slope, w
        if best >= 0:
            receiver[v] = best if key < 0 else _between(surface, v, width, key, steepest, best)


@kernel
def _between(surface: Floats, v: int, width: int, key: int, steepest: float, best: int) -> int:
    """Return a neighbour beside the steepest direction on the eight triangles around a vertex.

    The direction is (1, rise / run) along the triangle's straight step; taking the diagonal one with the probability
    rise / run keeps to it on average. Both neighbours lie lower than the vertex.
    """
    steepest, toward = steepest * steepest, 0.0
    straight, slant = best, best
    for d in range(0, 8, 2):
        one = v + DY[d] * width + DX[d]
        run = surface[v] - surface[one]
        for turn in (1, 7):
            two = v + DY[(d + turn) & 7] * width + DX[(d + turn) & 7]
            rise = surface[one] - surface[two]
            if 0 < rise < run and run * run + rise * rise > steepest:
                steepest, toward = run * run + rise * rise, rise / run
                straight, slant = one, two
    return slant if random_fraction(key, v, 1) < toward else straight


@kernel
def _gather(order: Ints, receiver: Ints, flow: Floats) -> None:
    """Add the flow of each vertex to its receiver's, the last in order first."""
    for k in range(len(order) - 1, -1, -1):
        v = order[k]
        if receiver[v] >= 0:
            flow[receiver[v]] += flow[v]
