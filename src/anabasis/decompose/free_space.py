"""Free space: the boundary of what a world leaves free, with sight and place in it, exact and fast.

The obstacles are subtracted from the bounds by Shapely (GEOS). The boundary is kept as corners: each is one free sector
of a boundary point, so that a point in which free sectors only meet is there once for each of them, and nobody passes
from one to the other. How sight is decided is said in `_kernel.free_space`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.free_space import fill_buckets, locate, sees
from anabasis._kernel.geometry import orient
from anabasis.decompose.polygons import check_kind, free_shape
from anabasis.noun import freeze, set_field, summary
from anabasis.world import World

__all__ = ["FreeSpace", "free_space"]

_MOST_BUCKETS = 4096  # along one side


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """The boundary of the free space of a world.

    - bounds: (x_min, y_min, x_max, y_max).
    - corners: float64[n, 2]; after, before: int64[n]: the boundary runs from corner i straight to corner after[i] with
      the free side where orient(corner, next corner, p) > 0; the free sector of corner i opens between the two edges.
    - component: int64[n]: the number of the connected free part whose boundary this is.
    - twin: int64[n]: the next corner at the same point; itself unless free sectors touch in this point only.
    """

    bounds: tuple[float, float, float, float]
    corners: NDArray[np.float64]
    after: NDArray[np.int64]
    before: NDArray[np.int64]
    component: NDArray[np.int64]
    twin: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        corners = freeze(self.corners, np.float64, (None, 2), "corners")
        set_field(self, "corners", corners)
        for name in ("after", "before", "component", "twin"):
            set_field(self, name, freeze(getattr(self, name), np.int64, (len(corners),), name))

    @property
    def size(self) -> int:
        """Number of corners, which is that of boundary edges."""
        return len(self.corners)

    @property
    def parts(self) -> int:
        """Number of connected free parts."""
        return int(self.component.max()) + 1 if self.component.size else 0

    @cached_property
    def turning(self) -> NDArray[np.bool_]:
        """bool[n]: whether the free sector of a corner is larger than 180°: the places where a taut way may bend."""
        out = np.zeros(self.size, bool)
        _mark_turning(self.corners, self.after, self.before, out)
        out.flags.writeable = False
        return out

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """What kernels are handed: see `_kernel.free_space`."""
        x0, y0, x1, y1 = self.bounds
        side = max(
            float(np.sqrt((x1 - x0) * (y1 - y0) / max(self.size, 1))),
            (x1 - x0) / _MOST_BUCKETS,
            (y1 - y0) / _MOST_BUCKETS,
        )
        margin = 1e-6 * side + 1e-14 * max(abs(v) for v in self.bounds)
        frame = np.array([x0, y0, x1, y1, side, margin])
        shape = np.array([np.ceil((x1 - x0) / side), np.ceil((y1 - y0) / side)]).astype(np.int64).clip(1)
        starts, items = np.zeros(shape[0] * shape[1] + 1, np.int64), np.empty(0, np.int64)
        total = fill_buckets(self.corners, self.after, frame, shape, starts, items)
        starts, items = np.cumsum(starts), np.empty(max(total, 1), np.int64)
        fill_buckets(self.corners, self.after, frame, shape, starts, items)
        starts = np.append(starts[1:], total)
        for array in (starts, items, frame, shape):
            array.flags.writeable = False
        return self.corners, self.after, self.before, self.twin, starts, items, frame, shape

    def sees(self, a: ArrayLike, b: ArrayLike) -> bool:
        """Whether the segment between two points (x, y) lies in the closed free space and passes only where is width.

        It may touch corners and run along edges; it may not pass between obstacles that touch each other.
        """
        return bool(self.see([_point(a)], [_point(b)])[0])

    def see(self, points_a: ArrayLike, points_b: ArrayLike) -> NDArray[np.bool_]:
        """Return bool[k]: `sees` for each pair of rows of two float64[k, 2]."""
        a = freeze(points_a, np.float64, (None, 2), "points")
        b = freeze(points_b, np.float64, (len(a), 2), "points")
        out = np.zeros(len(a), bool)
        _see(self.arrays, a, b, out)
        return out

    def free(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return bool[k]: which of the points float64[k, 2] lie in the closed free space (its boundary is free)."""
        return self._locate(points) >= 0

    def part(self, point: ArrayLike) -> int:
        """Return the number of the free part in which a point (x, y) lies, -1 if it is blocked.

        A point in which several parts touch is in one of them.
        """
        edge = int(self._locate([_point(point)])[0])
        return int(self.component[edge]) if edge >= 0 else -1

    def _locate(self, points: ArrayLike) -> NDArray[np.int64]:
        places = freeze(points, np.float64, (None, 2), "points")
        out = np.empty(len(places), np.int64)
        _locate(self.arrays, places, out)
        return out


def _point(point: ArrayLike) -> NDArray[np.float64]:
    return cast("NDArray[np.float64]", freeze(point, np.float64, (2,), "point"))


known: WeakKeyDictionary[World, FreeSpace] = WeakKeyDictionary()


def free_space(world: World) -> FreeSpace:
    """Return the free space of a world; the same object for the same world.

    Raises InputError for what is no World, and for obstacles that are no polygons: see `polygons.check_world`.
    """
    check_kind(world)
    if world not in known:
        known[world] = _made(world)
    return known[world]


def _made(world: World) -> FreeSpace:
    free = free_shape(world)
    parts = shapely.get_parts(free)
    parts = shapely.orient_polygons(parts[shapely.area(parts) > 0])
    rings, component = shapely.get_rings(parts, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    last = np.append(ring[1:] != ring[:-1], True) if len(ring) else np.zeros(0, bool)
    points, ring = points[~last], ring[~last]  # the end of a ring repeats its beginning
    x0, y0, x1, y1 = world.bounds
    points = np.stack([points[:, 0].clip(x0, x1), points[:, 1].clip(y0, y1)], 1)
    lengths = np.bincount(ring, minlength=len(rings))
    starts = np.cumsum(lengths) - lengths
    after, before = np.arange(len(points)) + 1, np.arange(len(points)) - 1
    after[starts + lengths - 1], before[starts] = starts, starts + lengths - 1
    twin = _twins(points)
    _relink(points, after, before, twin)
    keep = np.ones(len(points), bool)
    _drop_straight(points, after, before, twin, keep)
    number = np.cumsum(keep) - 1
    return FreeSpace(
        world.bounds,
        points[keep],
        number[after[keep]],
        number[before[keep]],
        np.asarray(component)[ring][keep],
        number[twin[keep]],
    )


def _twins(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the next corner at the same place of each corner, going round."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    new = np.append(True, (points[order[1:]] != points[order[:-1]]).any(axis=1))
    twin = np.arange(len(points))
    if new.all():
        return twin
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(points))
    following = np.append(order[1:], 0)
    following[ends - 1] = order[starts]
    twin[order] = following
    return twin


def _relink(
    points: NDArray[np.float64], after: NDArray[np.int64], before: NDArray[np.int64], twin: NDArray[np.int64]
) -> None:
    """Link the edges at points of several corners so that every corner is one free sector."""
    done = twin == np.arange(len(points))
    for first in np.flatnonzero(~done):
        if done[first]:
            continue
        group = [int(first)]
        while twin[group[-1]] != first:
            group.append(int(twin[group[-1]]))
        done[group] = True
        came, goes = [int(before[i]) for i in group], [int(after[i]) for i in group]
        for corner, out in zip(group, goes, strict=True):
            source = came[0]
            for other in came[1:]:  # the sector from the edge that goes out ends at the first edge that comes in
                if _between(points, corner, out, other, source):
                    source = other
            after[corner], before[out] = out, corner
            before[corner], after[source] = source, corner


def _between(points: NDArray[np.float64], centre: int, first: int, middle: int, last: int) -> bool:
    """Whether, turning from `first` to the side where orient is positive, `middle` comes before `last`."""
    o, a, b, c = (tuple(map(float, points[k])) for k in (centre, first, middle, last))
    ab, ac, bc = orient(*o, *a, *b), orient(*o, *a, *c), orient(*o, *b, *c)
    if ab > 0:
        return ac <= 0 or bc > 0
    return ac < 0 and (ab == 0 or bc > 0)


@kernel
def _drop_straight(points: Any, after: Any, before: Any, twin: Any, keep: Any) -> None:
    """Take out corners in the middle of a straight edge that nothing else touches."""
    for i in range(len(points)):
        p, n = before[i], after[i]
        if twin[i] != i or p == n:
            continue
        if orient(points[p, 0], points[p, 1], points[i, 0], points[i, 1], points[n, 0], points[n, 1]) == 0.0:
            keep[i] = False
            after[p], before[n] = n, p


@kernel
def _mark_turning(corners: Any, after: Any, before: Any, out: Any) -> None:
    for i in range(len(corners)):
        p, n = before[i], after[i]
        area = orient(corners[p, 0], corners[p, 1], corners[i, 0], corners[i, 1], corners[n, 0], corners[n, 1])
        out[i] = area < 0.0


@kernel
def _see(space: Any, a: Any, b: Any, out: Any) -> None:
    for k in range(len(a)):
        out[k] = sees(space, a[k, 0], a[k, 1], b[k, 0], b[k, 1])


@kernel
def _locate(space: Any, points: Any, out: Any) -> None:
    for k in range(len(points)):
        out[k] = locate(space, points[k, 0], points[k, 1])
