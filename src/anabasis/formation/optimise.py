"""Optimise: put units one by one where the whole formation's shape error is least.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: his greedy optimiser, with which he
chose among the ways to combine the errors of distances and of angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.metrics.formations import COMBINED, Links, angle_error, combined, distance_error, links
from anabasis.noun import freeze, summary
from anabasis.options import MAX_SEED, check_choice, check_count, check_length, check_seed
from anabasis.schema import Schema

__all__ = ["ChoiceExperiment", "best_place", "choice_experiment", "error_map", "optimised", "randomised"]

_CELLS = (32, 32)  # of the coarse raster: rows, columns
_KEPT = 16  # how many squares are refined at each level

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class ChoiceExperiment:
    """What becomes of randomly placed formations when they are optimised by each way to combine the two errors.

    angle_mean, angle_median (degrees²), distance_mean, distance_median (length²): float64[7, iterations + 1], a row for
    each of the ways COMBINED, a column for the start and for the end of each iteration, over all formations.
    """

    angle_mean: NDArray[np.float64]
    angle_median: NDArray[np.float64]
    distance_mean: NDArray[np.float64]
    distance_median: NDArray[np.float64]

    __repr__ = summary


def randomised(schema: Schema, bounds: ArrayLike, *, seed: int) -> NDArray[np.float64]:
    """Return float64[k, 2]: units placed anyhow, evenly over bounds (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = _checked_bounds(bounds)
    generator = np.random.default_rng(check_seed(seed))
    return generator.random((schema.spots, 2)) * (x1 - x0, y1 - y0) + (x0, y0)


def error_map(
    schema: Schema,
    positions: ArrayLike,
    unit: int,
    bounds: ArrayLike,
    *,
    cells: tuple[int, int] = (48, 48),
    how: str = "mean",
    wrapped: bool = True,
) -> NDArray[np.float64]:
    """Return float64[rows, columns]: the whole formation's error if that unit stood in the middle of each cell.

    positions float64[k, 2]; bounds (x0, y0, x1, y1) are divided into cells (rows, columns), row 0 at y0. Errors are
    those of `metrics.formations.shape_error`. Raises InputError for what does not fit.
    """
    search = _Search.of(schema, how, wrapped)
    centres, _ = _raster(_checked_bounds(bounds), _checked_cells(cells))
    found = search.errors(_checked_positions(schema, positions), _checked_unit(schema, unit), centres)
    return found.reshape(cells)


def best_place(
    schema: Schema,
    positions: ArrayLike,
    unit: int,
    bounds: ArrayLike,
    *,
    cells: tuple[int, int] = _CELLS,
    how: str = "mean",
    finest: float = 8.0,
    wrapped: bool = True,
) -> NDArray[np.float64]:
    """Return float64[2]: where in the bounds the unit makes the whole formation's error least; where it is if nowhere.

    A raster of cells (rows, columns) over the bounds comes first; then the best squares are cut into four, and the best
    of those, until no side is longer than `finest`. So it is the best place found, not surely the best there is.
    """
    search = _Search.of(schema, how, wrapped)
    raster = _raster(_checked_bounds(bounds), _checked_cells(cells))
    given, side = _checked_positions(schema, positions), check_length(finest, "finest")
    return search.best(given, _checked_unit(schema, unit), raster, side)


def optimised(
    schema: Schema,
    positions: ArrayLike,
    bounds: ArrayLike,
    *,
    seed: int,
    iterations: int = 1,
    how: str = "mean",
    finest: float = 8.0,
    wrapped: bool = True,
) -> NDArray[np.float64]:
    """Return float64[iterations + 1, k, 2]: the positions given, and those after each iteration.

    An iteration moves each unit, in random order, to its `best_place`; so the error never rises.
    """
    search, raster = _Search.of(schema, how, wrapped), _raster(_checked_bounds(bounds), _CELLS)
    given, side = _checked_positions(schema, positions), check_length(finest, "finest")
    generator = np.random.default_rng(check_seed(seed))
    run = np.repeat(given[None], check_count(iterations, "iterations") + 1, 0)
    for i in range(1, len(run)):
        now = run[i]
        now[:] = run[i - 1]
        for unit in generator.permutation(schema.spots).tolist():
            now[unit] = search.best(now, unit, raster, side)
        if np.array_equal(now, run[i - 1]):  # each unit is at its best place: no order of them changes that
            run[i:] = now
            break
    return run


def choice_experiment(
    schema: Schema,
    bounds: ArrayLike,
    *,
    formations: int = 100,
    iterations: int = 10,
    seed: int,
    finest: float = 8.0,
    wrapped: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> ChoiceExperiment:
    """Optimise randomly placed formations by each of the ways COMBINED; all ways have the same starts and orders.

    The two errors are recorded apart, since combined ones can't be compared. The seed decides everything.
    `progress(done, total)` is called after each formation of each way.
    """
    count = check_count(formations, "formations", 1)
    seeds = np.random.default_rng(check_seed(seed)).integers(MAX_SEED, size=(count, 2)).tolist()
    starts = [randomised(schema, bounds, seed=first) for first, _ in seeds]
    rows: list[NDArray[np.float64]] = []
    for how in COMBINED:
        for start, (_, second) in zip(starts, seeds, strict=True):
            options: dict[str, Any] = {"iterations": iterations, "how": how, "finest": finest, "wrapped": wrapped}
            rows.append(optimised(schema, start, bounds, seed=second, **options))
            if progress is not None:
                progress(len(rows), count * len(COMBINED))
    runs = np.array(rows).reshape(len(COMBINED), count, *rows[0].shape)
    angle, distance = angle_error(schema, runs, wrapped=wrapped), distance_error(schema, runs)
    return ChoiceExperiment(angle.mean(1), np.median(angle, 1), distance.mean(1), np.median(distance, 1))


@dataclass(frozen=True, eq=False)
class _Part:
    """What of the error depends on one unit's place: g of the links, and pairs with one or both of them.

    - own int64[g]: its links; ends int64[g]: the other spots; sign: -1 where the unit is the lower spot of the two;
    - mine int64[p]: for each pair one of its links, as an index of `own`; other int64[q]: the other one, of the pairs
      at the unit, which come first; fixed int64[p - q]: the other one, a link elsewhere, of the pairs at neighbours;
    - limits float64[p]: how far back from 0 a pair's error is taken, in turns; shares float64[p]: its weight;
    - rest, rest_limits: the pairs that don't depend on it; still: the links that don't.
    """

    own: NDArray[np.int64]
    ends: NDArray[np.int64]
    sign: NDArray[np.float64]
    mine: NDArray[np.int64]
    other: NDArray[np.int64]
    fixed: NDArray[np.int64]
    limits: NDArray[np.float64]
    shares: NDArray[np.float64]
    rest: NDArray[np.int64]
    rest_limits: NDArray[np.float64]
    still: NDArray[np.int64]

    @classmethod
    def of(cls, bound: Links, unit: int, wrapped: bool) -> _Part:
        has = (bound.spots == unit).any(1)
        own = np.flatnonzero(has)
        ends = bound.spots[own].sum(1) - unit
        place = np.cumsum(has) - 1  # of a link in `own`
        touched = has[bound.pairs]
        here, beside = np.flatnonzero(touched.all(1)), np.flatnonzero(touched[:, 0] != touched[:, 1])
        rest = np.flatnonzero(~touched.any(1))
        limits = np.full(len(bound.pairs), 0.5) if wrapped else bound.angles
        later = touched[beside, 1]  # whether its link is the second one of the pair
        mine = np.where(later, bound.pairs[beside, 1], bound.pairs[beside, 0])
        return cls(
            own=own,
            ends=ends,
            sign=np.where(ends > unit, -1.0, 1.0),
            mine=place[np.concatenate((bound.pairs[here, 1], mine))],
            other=place[bound.pairs[here, 0]],
            fixed=bound.pairs[beside].sum(1) - mine,
            limits=np.concatenate((limits[here], np.where(later, limits[beside], -limits[beside] % 1))),
            shares=np.concatenate((bound.shares[here], bound.shares[beside])),
            rest=rest,
            rest_limits=limits[rest],
            still=np.flatnonzero(~has),
        )


@dataclass(frozen=True, eq=False)
class _Search:
    """Errors of a formation in which one unit may stand anywhere, prepared for each unit."""

    bound: Links
    parts: tuple[_Part, ...]
    how: str

    @classmethod
    def of(cls, schema: Schema, how: str, wrapped: bool) -> _Search:
        check_choice(how, "combination of errors", COMBINED)
        bound = links(schema)
        return cls(bound, tuple(_Part.of(bound, unit, wrapped) for unit in range(schema.spots)), how)

    def errors(self, positions: NDArray[np.float64], unit: int, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[n]: the error with the unit at each of places float64[n, 2] and all others where they are."""
        bound, part = self.bound, self.parts[unit]
        apart = positions[bound.spots[:, 1]] - positions[bound.spots[:, 0]]
        off = np.arctan2(apart[:, 1], apart[:, 0]) / (2 * np.pi) - bound.turns
        stretch = np.hypot(apart[part.still, 0], apart[part.still, 1]) - bound.lengths[part.still]
        # from the lower spot to the higher one; + 0.0 makes 0 of -0, whose direction would be another
        x = (places[:, 0] - positions[part.ends, 0, None]) * part.sign[:, None] + 0.0
        y = (places[:, 1] - positions[part.ends, 1, None]) * part.sign[:, None] + 0.0
        moved = np.square(np.sqrt(x * x + y * y) - bound.lengths[part.own, None]).sum(0)
        distance = (moved + stretch @ stretch) / max(len(bound.spots), 1)
        turned = np.arctan2(y, x) / (2 * np.pi) - bound.turns[part.own, None]
        wrong = turned[part.mine]
        wrong[: len(part.other)] -= turned[part.other]
        wrong[len(part.other) :] -= off[part.fixed, None]
        wrong -= np.floor(wrong + part.limits[:, None])
        rest = off[bound.pairs[part.rest, 1]] - off[bound.pairs[part.rest, 0]]
        rest -= np.floor(rest + part.rest_limits)
        angle = 360.0**2 * (part.shares @ np.square(wrong) + bound.shares[part.rest] @ np.square(rest))
        return combined(angle, distance, self.how)

    def best(
        self,
        positions: NDArray[np.float64],
        unit: int,
        raster: tuple[NDArray[np.float64], tuple[float, float]],
        finest: float,
    ) -> NDArray[np.float64]:
        """Return the best place found for the unit: the one that it has unless another is better."""
        centres, (wide, high) = raster
        place = positions[unit].copy()
        least = self.errors(positions, unit, place[None])[0]
        while True:
            found = self.errors(positions, unit, centres)
            order = np.argsort(found, kind="stable")[:_KEPT]
            if found[order[0]] < least:
                least, place = found[order[0]], centres[order[0]].copy()
            if wide <= finest and high <= finest:
                return place
            quarters = np.array(((-wide, -high), (wide, -high), (-wide, high), (wide, high))) / 4
            centres = (centres[order][:, None] + quarters).reshape(-1, 2)
            wide, high = wide / 2, high / 2


def _raster(bounds: Bounds, cells: tuple[int, int]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Return the centres of cells, float64[n, 2], row by row, and the size of a cell."""
    (x0, y0, x1, y1), (rows, columns) = bounds, cells
    wide, high = (x1 - x0) / columns, (y1 - y0) / rows
    x, y = np.meshgrid(x0 + (np.arange(columns) + 0.5) * wide, y0 + (np.arange(rows) + 0.5) * high)
    return np.stack((x.ravel(), y.ravel()), 1).astype(np.float64), (wide, high)


def _checked_bounds(bounds: ArrayLike) -> Bounds:
    x0, y0, x1, y1 = freeze(bounds, np.float64, (4,), "bounds").tolist()
    if not (np.isfinite((x0, y0, x1, y1)).all() and x0 < x1 and y0 < y1):
        raise InputError("bounds", found=f"({x0:g}, {y0:g}, {x1:g}, {y1:g})", expected="finite x0 < x1 and y0 < y1")
    return x0, y0, x1, y1


def _checked_cells(cells: tuple[int, int]) -> tuple[int, int]:
    rows, columns = freeze(cells, np.int64, (2,), "cells").tolist()
    return check_count(rows, "rows of cells", 1), check_count(columns, "columns of cells", 1)


def _checked_positions(schema: Schema, positions: ArrayLike) -> NDArray[np.float64]:
    given = freeze(positions, np.float64, (schema.spots, 2), "positions of a formation")
    if not np.isfinite(given).all():
        raise InputError("positions of a formation", found="inf", expected="finite coordinates")
    return given


def _checked_unit(schema: Schema, unit: int) -> int:
    return check_count(unit, "unit", 0, schema.spots - 1)
