"""Path, Plan, GroupPlan, FormationPlan: the way of a unit, of many agents step by step, of a group, in formation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_kind
from anabasis.schema import Schema

__all__ = ["ORIENTATIONS", "SPEEDS", "FlowField", "FormationPlan", "GroupPlan", "Path", "Plan"]

SPEEDS = ("slowest", "weighted")
"""A formation goes as fast as its slowest unit; or as the mean of its units, each by the weights of its bindings."""

ORIENTATIONS = ("whole", "track", "files")
"""A formation turns as one; or each rank stands on the leader's track, and all as they were drawn in the end; or so
they do, and pass in files where ranks are too wide. Ranks that would touch pass in files in any case."""


@dataclass(frozen=True, eq=False)
class Path:
    """A way through the world.

    vertices: int64[k], may be empty for a path that follows no graph.
    points: float64[k', 2], the corners (x, y) in cell units.
    cost: what walking it costs: exactly the sum of its steps.
    """

    vertices: NDArray[np.int64]
    points: NDArray[np.float64]
    cost: float

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "vertices", freeze(self.vertices, np.int64, (None,), "vertices"))
        set_field(self, "points", freeze(self.points, np.float64, (None, 2), "points"))
        if not np.isfinite(self.cost) or self.cost < 0:
            raise InputError("cost of a path", found=f"{self.cost}", expected="a finite cost of at least 0")
        set_field(self, "cost", float(self.cost))

    @property
    def length(self) -> float:
        """Euclidean length of the polyline in cell units."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum()) if len(self.points) > 1 else 0.0


@dataclass(frozen=True, eq=False)
class Plan:
    """vertices: int64[t, agent]: a column is one agent's path, a row a configuration at one time step."""

    vertices: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        vertices = freeze(self.vertices, np.int64, (None, None), "vertices")
        if vertices.size and vertices.min() < 0:
            raise InputError("vertices of a plan", found=f"{vertices.min()}", expected="vertex numbers from 0")
        set_field(self, "vertices", vertices)

    @property
    def makespan(self) -> int:
        """Number of steps until the last agent rests."""
        return max(0, len(self.vertices) - 1)

    def check_fits(self, agents: int, file: object = None) -> None:
        """Raise InputError unless this has a row or more, and a column for each of so many agents."""
        found = self.vertices.shape[1]
        if found != agents:
            expected = f"{agents}, as in the instance"
            raise InputError("number of agents", file=file, found=f"{found}", expected=expected)
        if not len(self.vertices):
            raise InputError("a plan without a row", file=file, expected="a row or more")

    def arrivals(self, goals: NDArray[np.int64], *, stay: bool = True) -> NDArray[np.int64]:
        """Return int64[k]: the step from which on each agent is at its goal for good, -1 if it does not end there.

        Without `stay` agents vanish at their goals, so it is the first step at the goal. The sum is the sum of costs.
        """
        there = self.vertices == np.asarray(goals)[None, :]
        if not stay:
            return np.where(there.any(axis=0), there.argmax(axis=0), -1)
        away = (~there[::-1]).argmax(axis=0)
        last = np.where(there.all(axis=0), 0, len(there) - away)
        return np.where(last < len(there), last, -1)


@dataclass(frozen=True, eq=False)
class FlowField:
    """One field for a whole group: where to walk from each cell.

    distance: float64[height, width]: cost to the target, inf where it can't be reached.
    direction: float64[height, width, 2]: unit vector to follow, (0, 0) at the target and where nothing is reached; a
    blocked cell points to the nearest free one.
    """

    distance: NDArray[np.float64]
    direction: NDArray[np.float64]

    __repr__ = summary

    def __post_init__(self) -> None:
        distance = freeze(self.distance, np.float64, (None, None), "distance")
        set_field(self, "distance", distance)
        set_field(self, "direction", freeze(self.direction, np.float64, (*distance.shape, 2), "direction"))


@dataclass(frozen=True, eq=False)
class FormationPlan:
    """What a group in formation follows: where its leader's spot goes, and who holds which spot.

    - way: float64[m, 2], m ≥ 1, the polyline that the leader's spot moves along; azimuth: where the formation faces at
      first, in degrees clockwise from north, which is towards lower y;
    - spot: int64[n], the spot that each unit holds, all different;
    - speed: one of SPEEDS; orientation: one of ORIENTATIONS.
    """

    schema: Schema
    way: NDArray[np.float64]
    spot: NDArray[np.int64]
    azimuth: float = 0.0
    speed: str = "slowest"
    orientation: str = "whole"

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.schema, Schema, "schema of a formation plan")
        way = freeze(self.way, np.float64, (None, 2), "way of a formation plan")
        spot = freeze(self.spot, np.int64, (None,), "spots of a formation plan")
        azimuth = float(freeze(self.azimuth, np.float64, (), "azimuth of a formation plan"))
        if not len(way) or not np.isfinite(way).all() or not np.isfinite(azimuth):
            found = "a number that is not finite" if len(way) else "no point"
            raise InputError("way of a formation plan", found=found, expected="a point or more, and finite numbers")
        if spot.size and not 0 <= spot.min() <= spot.max() < self.schema.spots:
            wrong = spot.min() if spot.min() < 0 else spot.max()
            raise InputError("a spot in a formation plan", found=f"{wrong}", expected=f"0 to {self.schema.spots - 1}")
        if len(np.unique(spot)) < spot.size:
            twice = int(np.flatnonzero(np.bincount(spot) > 1)[0])
            raise InputError("spots of a formation plan", found=f"spot {twice} twice", expected="one unit a spot")
        check_choice(self.speed, "speed", SPEEDS)
        check_choice(self.orientation, "orientation", ORIENTATIONS)
        for name, value in (("way", way), ("spot", spot), ("azimuth", azimuth)):
            set_field(self, name, value)


@dataclass(frozen=True, eq=False)
class GroupPlan:
    """What a group does: a path for each unit, one shared field, or a formation.

    - indptr: int64[n + 1] and points: float64[·, 2]: unit i follows points[indptr[i]:indptr[i + 1]] (x, y), which is
      empty for a unit without a way; all are empty with a shared field and in formation.
    - route: int64[n], the number of the route that each unit follows (-1: no way).
    - field: the shared field, or None.
    - cut: float64[n], by how much each unit may shorten its path by walking straight to a later point of it that it
      sees, in cells; one number stands for all. By default inf: it walks to the farthest point in sight.
    - formation: what the units follow in formation, or None.
    """

    indptr: NDArray[np.int64]
    points: NDArray[np.float64]
    route: NDArray[np.int64]
    field: FlowField | None = None
    cut: NDArray[np.float64] = dataclass_field(default_factory=lambda: np.array(np.inf))
    formation: FormationPlan | None = None

    __repr__ = summary

    def __post_init__(self) -> None:
        route = freeze(self.route, np.int64, (None,), "route")
        points = freeze(self.points, np.float64, (None, 2), "points")
        indptr = freeze(self.indptr, np.int64, (route.size + 1,), "indptr")
        if indptr[0] != 0 or indptr[-1] != len(points) or (np.diff(indptr) < 0).any():
            raise InputError(
                "indptr of a group plan",
                found=f"from {indptr[0]} to {indptr[-1]}",
                expected=f"rising from 0 to the {len(points)} points",
            )
        set_field(self, "route", route)
        set_field(self, "points", points)
        set_field(self, "indptr", indptr)
        cut = np.broadcast_to(np.asarray(self.cut, np.float64), route.shape) if np.ndim(self.cut) == 0 else self.cut
        set_field(self, "cut", freeze(cut, np.float64, (route.size,), "cut"))
        if not (self.cut >= 0).all():
            raise InputError("cut of a group plan", found=f"{self.cut.min()}", expected="lengths of at least 0")
        if self.formation is not None and (self.formation.spot.size != route.size or len(points) or self.field):
            found = f"{self.formation.spot.size} spots for {route.size} units" if not len(points) else "paths beside it"
            raise InputError("formation of a group plan", found=found, expected="a spot for each unit and nothing else")

    @property
    def size(self) -> int:
        """Number of units."""
        return int(self.route.size)

    def path(self, unit: int) -> NDArray[np.float64]:
        """Return float64[k, 2]: the points of one unit's path."""
        return self.points[self.indptr[unit] : self.indptr[unit + 1]]

    def part(self, units: ArrayLike) -> GroupPlan:
        """Return the plan of some of the units, int64[m], in that order."""
        mine = freeze(units, np.int64, (None,), "units of a part")
        if self.formation is not None:
            formation = replace(self.formation, spot=self.formation.spot[mine])
            return replace(GroupPlan.of_formation(formation), route=self.route[mine])
        paths = GroupPlan.of_paths([self.path(unit) for unit in mine.tolist()], self.route[mine])
        return replace(paths, field=self.field, cut=self.cut[mine])

    @classmethod
    def of_paths(cls, paths: list[ArrayLike], route: ArrayLike | None = None) -> GroupPlan:
        """Make a plan from one polyline (float[k, 2]) a unit; by default each unit is its own route, -1 if empty."""
        arrays = [freeze(p, np.float64, (None, 2), "path") for p in paths]
        indptr = np.cumsum([0, *(len(a) for a in arrays)])
        points = np.concatenate(arrays) if arrays else np.zeros((0, 2))
        own = np.where(np.diff(indptr) > 0, np.arange(len(arrays)), -1)
        return cls(indptr, points, own if route is None else np.asarray(route))

    @classmethod
    def of_field(cls, field: FlowField, units: int) -> GroupPlan:
        """Make a plan in which every unit follows one shared field."""
        return cls(np.zeros(units + 1, np.int64), np.zeros((0, 2)), np.zeros(units, np.int64), field)

    @classmethod
    def of_formation(cls, formation: FormationPlan) -> GroupPlan:
        """Make a plan in which the units move in formation."""
        n = formation.spot.size
        return cls(np.zeros(n + 1, np.int64), np.zeros((0, 2)), np.zeros(n, np.int64), formation=formation)
