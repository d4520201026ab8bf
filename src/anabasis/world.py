"""World: bounds and polygonal obstacles in continuous space.

The frame is that of a grid: x to the right, y down; the world of a grid has cell (x, y) at [x, x+1) × [y, y+1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["FARTHEST", "World", "check_place"]

FARTHEST = 1e100
"""The largest coordinate of a world: areas and their squares stay finite."""


_EXPECTED = f"coordinates of at most {FARTHEST:g}"


@dataclass(frozen=True, eq=False)
class World:
    """A rectangle with polygonal obstacles.

    bounds: (x_min, y_min, x_max, y_max). Ring k is the closed polygon points[rings[k]:rings[k + 1]], float64[·, 2], of
    at least 3 corners, the last not repeating the first.

    A place is blocked if it lies inside an odd number of rings, or outside the bounds: a ring inside an obstacle is a
    hole of it. Rings are simple and don't cross; they may touch, and reach beyond the bounds. Obstacles are open: one
    may walk along an edge and touch a corner, but not pass between obstacles that touch (or touch the bounds). Whether
    rings are so is checked where the free space is made (`decompose.free_space`).
    """

    bounds: tuple[float, float, float, float]
    points: NDArray[np.float64]
    rings: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        _check_numbers(self.points, self.rings)
        points = freeze(self.points, np.float64, (None, 2), "points")
        rings = freeze(self.rings, np.int64, (None,), "rings")
        x0, y0, x1, y1 = (float(v) for v in self.bounds)
        if not (np.isfinite([x0, y0, x1, y1]).all() and x0 < x1 and y0 < y1):
            raise InputError(
                "bounds of a world", found=f"{self.bounds}", expected="(x_min, y_min, x_max, y_max) with min below max"
            )
        if max(map(abs, (x0, y0, x1, y1))) > FARTHEST:
            raise InputError("bounds of a world", found=f"{self.bounds}", expected=_EXPECTED)
        if rings.size < 1 or rings[0] != 0 or rings[-1] != points.shape[0] or (np.diff(rings) < 3).any():
            raise InputError(
                "rings of a world",
                found=f"{rings.tolist()[:8]}",
                expected=f"starts rising from 0 to the {points.shape[0]} corners, at least 3 a ring",
            )
        set_field(self, "bounds", (x0, y0, x1, y1))
        set_field(self, "points", points)
        set_field(self, "rings", rings)

    @classmethod
    def of(cls, bounds: tuple[float, float, float, float], obstacles: list[ArrayLike]) -> World:
        """Make a world from a list of rings, each float[k, 2]."""
        rings = [np.asarray(ring) for ring in obstacles]
        starts = np.cumsum([0, *(len(ring) if ring.ndim else 0 for ring in rings)])
        for k, ring in enumerate(rings):
            _check_numbers(ring, starts - starts[k])
        arrays = [freeze(ring, np.float64, (None, 2), f"obstacle ring {k}") for k, ring in enumerate(rings)]
        return cls(bounds, np.concatenate(arrays) if arrays else np.zeros((0, 2)), starts)


def _check_numbers(points: ArrayLike, rings: ArrayLike) -> None:
    """Raise InputError with the ring and the corner for a coordinate that is not finite or too large.

    Other faults are let be.
    """
    given, starts = np.asarray(points), np.asarray(rings)
    if given.ndim != 2 or given.dtype.kind != "f":
        return
    fits = np.abs(given) <= FARTHEST  # NaN does not
    if fits.all():
        return
    corner = int(np.argwhere(~fits)[0][0])
    ring = max(int(np.searchsorted(starts, corner, side="right")) - 1, 0) if starts.ndim == 1 and starts.size else 0
    raise InputError(
        f"corner {corner - int(starts[ring]) if starts.size else corner} of obstacle ring {ring}",
        found=f"({', '.join(f'{v:g}' for v in given[corner])})",
        expected=_EXPECTED if np.isfinite(given[corner]).all() else "finite coordinates",
    )


def check_place(bounds: tuple[float, float, float, float], place: ArrayLike, role: str) -> tuple[float, float]:
    """Return a place as x and y; raises InputError if it is not two numbers, or lies outside the bounds of a world."""
    x, y = freeze(place, np.float64, (2,), f"the {role}").tolist()
    x0, y0, x1, y1 = bounds
    if not (x0 <= x <= x1 and y0 <= y <= y1):
        raise InputError(
            f"the {role} is outside the world",
            found=f"({x:g}, {y:g})",
            expected=f"x from {x0:g} to {x1:g}, y from {y0:g} to {y1:g}",
        )
    return x, y
