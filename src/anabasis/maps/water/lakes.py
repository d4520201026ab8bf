"""Lakes: the hollows of a height field, and those that take in no more and become the end of their rivers.

A lake fills its hollow to the lowest outlet; one that would become too deep or too large stops before, as lakes
without an outflow do (after the gradient method told in a bachelor's thesis on terrain for strategy games, 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import DX, DY
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis.maps.parts import parts
from anabasis.maps.water.filling import Filling, checked_heights, fill
from anabasis.noun import freeze
from anabasis.options import check_count, check_length

__all__ = ["end_lakes", "hollows"]

Bools, Ints, Floats = NDArray[np.bool_], NDArray[np.int64], NDArray[np.float64]


def hollows(heights: ArrayLike, filling: Filling) -> Ints:
    """Return int64[height, width]: the number from 0 of each hollow that is under water, -1 on dry ground.

    A hollow's cells are joined through eight neighbours, and its water is level.
    """
    wet = filling.level > freeze(heights, np.float64, filling.level.shape, "heights")
    return parts(wet, corners=True).astype(np.int64) - 1


def end_lakes(
    heights: ArrayLike,
    outlets: ArrayLike | None = None,
    *,
    deepest: float | None = None,
    largest: int | None = None,
    seed: int = 0,
    between: bool = False,
) -> tuple[Ints, Floats, Filling]:
    """Let lakes that would be deeper than `deepest`, or of more cells than `largest`, end the rivers that reach them.

    Returns int64[height, width], the number from 0 of each end lake and -1 elsewhere; float64[k], the level of each;
    and the `Filling` in which they are outlets as well. Such a lake rises from the lowest cell of its hollow as far as
    both bounds allow, and everything around it is at least as high as its water. Without bounds there are none. seed,
    between: as for `fill`. Raises InputError for bounds that aren't positive, and what `fill` refuses.
    """
    ground = checked_heights(heights).copy()
    deep = np.inf if deepest is None else check_length(deepest, "greatest depth of a lake")
    wide = ground.size if largest is None else check_count(largest, "greatest area of a lake", 1)
    leaves = np.zeros(ground.shape, bool) if outlets is None else freeze(outlets, np.bool_, ground.shape, "outlets")
    leaves, number, levels = leaves.copy(), np.full(ground.shape, -1, np.int64), list[float]()
    while True:
        filling = fill(ground, leaves, seed=seed, between=between)
        floors = _too_much(ground, filling, deep, wide)
        if not floors:
            return number, np.array(levels, np.float64), filling
        for floor in floors:
            cells, level = _rise(ground.reshape(-1), ground.shape[1], floor, deep, wide)
            number.reshape(-1)[cells] = len(levels)
            ground.reshape(-1)[cells] = level
            leaves.reshape(-1)[cells] = True
            levels.append(float(level))


def _too_much(ground: Floats, filling: Filling, deepest: float, largest: int) -> list[int]:
    """Return the lowest vertex of each hollow that is deeper or larger than allowed."""
    label = hollows(ground, filling).reshape(-1)
    wet = np.flatnonzero(label >= 0)
    if not wet.size:
        return []
    order = wet[np.lexsort((wet, ground.reshape(-1)[wet], label[wet]))]
    floors = order[np.flatnonzero(np.diff(label[order], prepend=-1))]
    depth = filling.level.reshape(-1)[floors] - ground.reshape(-1)[floors]
    return [int(v) for v in floors[(depth > deepest) | (np.bincount(label[wet]) > largest)]]


@kernel
def _rise(ground: Floats, width: int, floor: int, deepest: float, largest: int) -> tuple[Ints, float]:
    """Let water rise from the vertex `floor`; return the vertices under it, and its level."""
    height, limit = len(ground) // width, ground[floor] + deepest
    cells, met = np.empty(min(largest, len(ground)) + 1, np.int64), np.zeros(len(ground), np.bool_)
    heap, size, count = np.empty((1024, 3), np.float64), 1, 0
    level, lake, top = ground[floor], 1, ground[floor]  # so many cells, under water of this level, have higher shores
    heap_push(heap, 0, float(ground[floor]), float(floor), floor)
    cells[0], met[floor] = floor, True
    while size > 0 and count <= largest:
        v = heap_pop(heap, size)
        size -= 1
        if ground[v] > top:
            top = ground[v]
            level, lake = min(top, limit), count
            if top >= limit:
                break
        cells[count] = v
        count += 1
        if size + 8 > len(heap):
            heap = heap_grown(heap, size, 8)
        y, x = v // width, v % width
        for d in range(8):
            y_2, x_2 = y + DY[d], x + DX[d]
            w = y_2 * width + x_2
            if 0 <= y_2 < height and 0 <= x_2 < width and not met[w]:
                met[w] = True
                heap_push(heap, size, float(ground[w]), float(w), w)
                size += 1
    return cells[:lake].copy(), level
