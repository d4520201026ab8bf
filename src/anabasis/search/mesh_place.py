"""Mesh place: in which polygons of a mesh a place lies, and what a search says of places without a way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.mesh_place import fill_mesh_buckets, polygons_at
from anabasis.decompose.convex_parts import convex_parts
from anabasis.decompose.merging import merging
from anabasis.errors import InputError
from anabasis.navmesh import NavMesh
from anabasis.noun import freeze
from anabasis.world import World, check_place

__all__ = ["MeshPlace", "mesh_of"]

_MOST = 4096  # buckets along one side


def mesh_of(space: World | NavMesh) -> NavMesh:
    """Return the mesh of a world by merging, or a mesh, exactly convex; raises InputError for anything else."""
    if isinstance(space, NavMesh):
        return convex_parts(space)
    if not isinstance(space, World):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            "nothing with a navigation mesh",
            found=type(space).__name__,
            expected="a World or a NavMesh",
            hint="decompose.outline.grid_world makes a World of a Grid",
        )
    return merging(space)


class MeshPlace:
    """Finds the polygons of a mesh that hold a place."""

    def __init__(self, mesh: NavMesh, bounds: tuple[float, float, float, float] | None = None) -> None:
        """Prepare the buckets; without bounds they are those of the mesh's points."""
        self.mesh, self.xy = mesh, mesh.points[mesh.corners]
        points = mesh.points if len(mesh.points) else np.zeros((1, 2))
        self.bounds = (*points.min(axis=0).tolist(), *points.max(axis=0).tolist()) if bounds is None else bounds
        x0, y0, x1, y1 = self.bounds
        width, height = max(x1 - x0, 1e-300), max(y1 - y0, 1e-300)
        side = max(np.sqrt(width * height / max(2 * mesh.size, 1)), max(width, height) / _MOST)
        columns, rows = int(width / side) + 1, int(height / side) + 1
        frame = np.array([x0, y0, side, columns, rows])
        starts, items = np.zeros(columns * rows + 1, np.int32), np.empty((0, 2), np.int32)
        fill_mesh_buckets(mesh.indptr, self.xy, frame, starts, items)
        self.most = int(starts.max(initial=0))
        np.cumsum(starts, out=starts)
        items = np.empty((int(starts[-1]), 2), np.int32)
        fill_mesh_buckets(mesh.indptr, self.xy, frame, starts, items)
        starts[:-1], starts[-1] = starts[1:], len(items)
        self.arrays = starts, items, frame

    def one(self, place: Any, role: str) -> tuple[float, float]:
        """Return a place as x and y; raises InputError if it is not two numbers, or outside the bounds."""
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], float) and isinstance(place[1], float):
            (x, y), (x0, y0, x1, y1) = place, self.bounds
            if x0 <= x <= x1 and y0 <= y <= y1:  # the quick way, for a search can be shorter than the checks
                return x, y
        return check_place(self.bounds, place, role)

    def check(self, places: ArrayLike, role: str) -> NDArray[np.float64]:
        """Return places as float64[k, 2]; raises InputError that names the first outside the bounds."""
        given = freeze(places, np.float64, (None, 2), role)
        x0, y0, x1, y1 = self.bounds
        inside = (given >= (x0, y0)).all(axis=1) & (given <= (x1, y1)).all(axis=1)
        if not inside.all():
            check_place(self.bounds, given[~inside][0], role)
        return given

    def polygons(self, place: tuple[float, float]) -> NDArray[np.int64]:
        """Return the polygons that hold a place, (x, y), their borders included."""
        found = np.empty(self.most + 1, np.int64)
        count = polygons_at(self.arrays, self.xy, *place, found)
        return self.mesh.owner[found[:count]]

    def no_way(
        self, start: tuple[float, float], goal: tuple[float, float], part: NDArray[np.int64]
    ) -> tuple[str, dict[str, float]]:
        """Return why there is no way, and the reached place nearest to the goal, as stats.

        part: int64[m], the connected part of each polygon.
        """
        (x, y), (goal_x, goal_y) = start, goal
        source = self.polygons(start)
        if not source.size:
            return f"the start, ({x:g}, {y:g}), is inside an obstacle", {}
        edges = np.isin(part, part[source])[self.mesh.owner]
        a, b = self.xy[edges], self.mesh.points[self.mesh.ends[edges]]
        along = ((np.array(goal) - a) * (b - a)).sum(axis=1) / ((b - a) ** 2).sum(axis=1)
        places = a + along.clip(0, 1)[:, None] * (b - a)
        near_x, near_y = places[((places - np.array(goal)) ** 2).sum(axis=1).argmin()].tolist()
        stats = {"nearest_x": near_x, "nearest_y": near_y}
        if not self.polygons(goal).size:
            return f"the goal, ({goal_x:g}, {goal_y:g}), is inside an obstacle", stats
        return f"the goal, ({goal_x:g}, {goal_y:g}), is not connected to the start, ({x:g}, {y:g})", stats
