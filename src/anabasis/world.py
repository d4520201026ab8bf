"""World: bounds and polygonal obstacles in continuous space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["World"]


@dataclass(frozen=True, eq=False)
class World:
    """A rectangle with polygonal obstacles.

    bounds: (x_min, y_min, x_max, y_max). Obstacle k is the closed ring points[rings[k]:rings[k + 1]], float64[·, 2],
    of at least 3 corners, the last not repeating the first.
    """

    bounds: tuple[float, float, float, float]
    points: NDArray[np.float64]
    rings: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        points = freeze(self.points, np.float64, (None, 2), "points")
        rings = freeze(self.rings, np.int64, (None,), "rings")
        x0, y0, x1, y1 = (float(v) for v in self.bounds)
        if not (np.isfinite([x0, y0, x1, y1]).all() and x0 < x1 and y0 < y1):
            raise InputError(
                "bounds of a world", found=f"{self.bounds}", expected="(x_min, y_min, x_max, y_max) with min below max"
            )
        if rings.size < 1 or rings[0] != 0 or rings[-1] != points.shape[0] or (np.diff(rings) < 3).any():
            raise InputError(
                "rings of a world",
                found=f"{rings.tolist()[:8]}",
                expected=f"starts rising from 0 to the {points.shape[0]} corners, at least 3 a ring",
            )
        if not np.isfinite(points).all():
            raise InputError("corners of an obstacle", found="inf", expected="finite coordinates")
        set_field(self, "bounds", (x0, y0, x1, y1))
        set_field(self, "points", points)
        set_field(self, "rings", rings)

    @classmethod
    def of(cls, bounds: tuple[float, float, float, float], obstacles: list[ArrayLike]) -> World:
        """Make a world from a list of rings, each float[k, 2]."""
        arrays = [freeze(ring, np.float64, (None, 2), "ring") for ring in obstacles]
        points = np.concatenate(arrays) if arrays else np.zeros((0, 2))
        return cls(bounds, points, np.cumsum([0, *(len(a) for a in arrays)]))
