"""Towns: neutral places apart from each other, on open ground and by the water, larger where more ground is around.

The sites are scored and taken one after the other, as settlements are placed by B. Beneš et al., "Procedural modelling
of urban road networks", 2014, and A. Emilien et al., "Procedural generation of villages on arbitrary terrains", 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.maps.parts import sized_parts
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze
from anabasis.options import check_count, check_length, check_seed

__all__ = ["Towns", "towns"]

AFLOAT = b"W~+"
STREAM = 280
OPEN, WATER, LAND = 5, 6, 12  # cells, how far plain ground, water, and the land that feeds a town are looked for
_WATER_WORTH, _RANDOM_WORTH = 0.35, 0.25


@dataclass(frozen=True, eq=False)
class Towns:
    """Towns, the best place first: cells int64[k, 2], and size int64[k], 1 to 3 by the share of land around."""

    cells: NDArray[np.int64]
    size: NDArray[np.int64]


def towns(
    terrain: ArrayLike,
    count: int,
    *,
    seed: int = 0,
    movement: str | MovementClass = "land",
    apart: float | None = None,
    avoid: ArrayLike | None = None,
) -> Towns:
    """Return sites of towns on terrain letters, uint8[height, width], in the largest part that hangs together.

    Towns stand on dry ground if the class has any. A site is good where the ground around is plain (the class's lowest
    price) and water is near, and by a random quarter. apart: the least distance between two towns and from the cells of
    `avoid` (int64[k, 2], the starts, say),
    default: the side of a square of land that would be each one's. Where fewer than `count` have room, fewer are
    returned. Raises InputError for wrong options.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    check_count(count, "number of towns")
    check_seed(seed)
    prices = movement_class(movement).cost[codes]
    kept = freeze(np.zeros((0, 2)) if avoid is None else avoid, np.int64, (None, 2), "avoid")
    label, sizes = sized_parts(np.isfinite(prices))
    if not sizes.size or not count:
        return Towns(np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
    part = label == int(np.argmax(sizes))
    away = 0.6 * float((part.sum() / (count + len(kept))) ** 0.5) if apart is None else check_length(apart, "apart")
    cheap = np.isfinite(prices) & (prices <= prices.min())
    dry = cheap & ~np.isin(codes, np.frombuffer(AFLOAT, np.uint8))
    ground = dry if (part & dry).any() else cheap  # ships have no other ground than water
    plain = _box_shares(ground, OPEN)
    water = np.minimum(1.0, 12 * _box_shares(codes == ord("W"), WATER))
    key = stream_key(seed, STREAM, 0)
    worth = _worths(part & ground, plain, water, key, _WATER_WORTH, _RANDOM_WORTH)
    block = max(1, int(away / 3))
    cells = _taken(_candidates(worth, block), worth, kept, away, count)
    around = _box_shares(np.isfinite(prices), LAND)[cells[:, 1], cells[:, 0]]
    return Towns(cells, 1 + (around >= 0.6).astype(np.int64) + (around >= 0.85))


def _box_shares(mask: NDArray[np.bool_], reach: int) -> NDArray[np.float64]:
    """Return the share of the square of 2 · reach + 1 cells around each cell that is in a mask."""
    sums = np.cumsum(np.cumsum(np.pad(mask.astype(np.int64), ((reach + 1, reach), (reach + 1, reach))), axis=0), axis=1)
    n = 2 * reach + 1
    return (sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]) / float(n * n)


def _taken(
    candidates: NDArray[np.int64], worth: NDArray[np.float64], kept: NDArray[np.int64], away: float, count: int
) -> NDArray[np.int64]:
    """Return the best candidates that are far enough apart, int64[k, 2]."""
    order = candidates[np.argsort(-worth.reshape(-1)[candidates], kind="stable")]
    width, chosen, others = worth.shape[1], list[list[int]](), kept.tolist()
    for v in order.tolist():
        if len(chosen) == count:
            break
        x, y = v % width, v // width
        if all((x - a) ** 2 + (y - b) ** 2 >= away * away for a, b in others):
            chosen.append([x, y])
            others.append([x, y])
    return np.array(chosen, np.int64).reshape(-1, 2)


@kernel
def _worths(ground: Any, plain: Any, water: Any, key: int, water_worth: float, random_worth: float) -> Any:
    """Return float64[height, width]: how good each cell is for a town, 0 where none can be."""
    height, width = ground.shape
    worth = np.zeros((height, width))
    for y in range(height):
        for x in range(width):
            if ground[y, x] and plain[y, x] > 0.25:
                chance = random_worth * random_fraction(key, y * width + x, 0)
                worth[y, x] = plain[y, x] + water_worth * water[y, x] + chance
    return worth


@kernel
def _candidates(worth: Any, block: int) -> Any:
    """Return the vertex of the best cell in each square block, the first of equals."""
    height, width = worth.shape
    across = (width + block - 1) // block
    best = np.full(across * ((height + block - 1) // block), -1, np.int64)
    for y in range(height):
        for x in range(width):
            k = y // block * across + x // block
            if worth[y, x] > 0 and (best[k] < 0 or worth[y, x] > worth[best[k] // width, best[k] % width]):
                best[k] = y * width + x
    return best[best >= 0]
