"""Scenario: a map, groups with targets, timed changes of the map, the rules and limits of the run, and a seed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.movement import TERRAIN_LETTERS, movement_class
from anabasis.noun import freeze, set_field, summary

__all__ = ["Change", "Group", "Limits", "Scenario", "Steering", "Target", "UnitOrder"]


def _check(owner: Any, *positive: str) -> None:
    """Bring the numbers of a noun into their types; raises InputError unless they are ≥ 0, and those named > 0."""
    for f in fields(owner):
        value, name = getattr(owner, f.name), f"{f.name} of a {type(owner).__name__.lower()}"
        if f.type not in ("float", "int", "bool"):
            continue
        if not isinstance(value, (int, float, np.number, np.bool_)) or not np.isfinite(value):
            raise InputError(name, found=repr(value), expected="a number")
        number = {"float": float, "int": int, "bool": bool}[f.type](value)
        if number != value:
            raise InputError(name, found=f"{value}", expected="a whole number" if f.type == "int" else "true or false")
        if number < 0 or (number == 0 and f.name in positive):
            raise InputError(
                name, found=f"{value}", expected=f"a number {'above' if f.name in positive else 'of at least'} 0"
            )
        set_field(owner, f.name, number)


@dataclass(frozen=True)
class Target:
    """Where a group goes: a place in cell units and the distance at which a unit counts as arrived."""

    x: float
    y: float
    radius: float = 2.0

    def __post_init__(self) -> None:
        _check(self, "radius")

    @property
    def cell(self) -> tuple[int, int]:
        """The cell (x, y) that holds the centre."""
        return int(self.x), int(self.y)


@dataclass(frozen=True, eq=False)
class Group:
    """Units that are sent together: positions float64[n, 2] (x, y of the centres, in cell units), n ≥ 1.

    radius and speed (cells a step, the greatest) hold for each unit of the group. pace: float64[n], at least 1, by what
    each unit is slower than that: 2 is half as fast; none stand for 1 each.
    """

    positions: NDArray[np.float64]
    target: Target
    radius: float = 0.5
    speed: float = 0.15
    movement: str = "land"
    name: str = ""
    pace: NDArray[np.float64] = field(default_factory=lambda: np.ones(0))

    __repr__ = summary

    def __post_init__(self) -> None:
        positions = freeze(self.positions, np.float64, (None, 2), "positions of a group")
        if not len(positions) or not np.isfinite(positions).all():
            raise InputError(
                "positions of a group", found=f"{len(positions)} units", expected="at least one unit at a finite place"
            )
        _check(self, "radius", "speed")
        if self.speed > 0.5:
            raise InputError(
                "speed of a group",
                found=f"{self.speed}",
                expected="at most 0.5 cells a step, so that no step can jump a wall",
            )
        movement_class(self.movement)
        if not isinstance(self.target, Target):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("target of a group", found=repr(self.target), expected="a Target")
        pace = freeze(self.pace, np.float64, (len(positions) if np.size(self.pace) else 0,), "pace of a group")
        wrong = pace[~(np.isfinite(pace) & (pace >= 1))]
        if wrong.size:
            raise InputError("pace of a group", found=f"{wrong[0]:g}", expected="finite numbers of at least 1")
        set_field(self, "positions", positions)
        set_field(self, "pace", pace)

    @property
    def size(self) -> int:
        """Number of units."""
        return len(self.positions)

    @property
    def speeds(self) -> NDArray[np.float64]:
        """float64[n]: the greatest speed of each unit."""
        return self.speed / self.pace if self.pace.size else np.full(self.size, self.speed)

    def vertices(self, grid: Grid, whose: str = "") -> NDArray[np.int64]:
        """Return int64[n]: the vertex under each unit; raises InputError for one in a wall or outside the map."""
        cells = np.floor(self.positions).astype(np.int64)
        bounds = np.array([grid.width, grid.height])
        inside = np.all((cells >= 0) & (cells < bounds), axis=1, keepdims=True)
        x, y = np.where(inside, cells, 0).T
        astray = np.flatnonzero(~(inside[:, 0] & grid.free[y, x]))
        if astray.size:
            raise InputError(
                f"unit {astray[0]}{whose} stands in a wall or outside the map",
                found=cell_text(*cells[astray[0]].tolist()),
                expected="a free cell",
            )
        return y * grid.width + x

    def goal(self, grid: Grid, whose: str = "") -> int:
        """Return the vertex of the target's centre; raises InputError for one in a wall or outside the map."""
        if not grid.is_free(*self.target.cell):
            raise InputError(
                f"the target{whose} lies in a wall or outside the map",
                found=cell_text(*self.target.cell),
                expected="a free cell",
            )
        return grid.vertex(*self.target.cell)


@dataclass(frozen=True, eq=False)
class Change:
    """From `step` on, `cells` (int64[k, 2] as x, y) have the terrain `letter`."""

    step: int
    cells: NDArray[np.int64]
    letter: str

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "cells", freeze(self.cells, np.int64, (None, 2), "cells of a change"))
        _check(self)
        if len(self.letter) != 1 or self.letter not in TERRAIN_LETTERS:
            raise InputError(
                "terrain of a change", found=repr(self.letter), expected="one of " + " ".join(TERRAIN_LETTERS)
            )


@dataclass(frozen=True, eq=False)
class UnitOrder:
    """From `step` on, `units` (int64[k], numbers in the run, rising) go to the last of `stops` by way of the others.

    A unit has been at a stop on its way once it is nearer to it than that stop's radius.
    """

    step: int
    units: NDArray[np.int64]
    stops: tuple[Target, ...]

    __repr__ = summary

    def __post_init__(self) -> None:
        units = freeze(self.units, np.int64, (None,), "units of an order")
        set_field(self, "units", freeze(np.unique(units), np.int64, (None,), "units of an order"))
        set_field(self, "stops", tuple(self.stops))
        _check(self, "step")
        if not self.units.size or self.units[0] < 0:
            found = f"unit {self.units[0]}" if self.units.size else "none"
            raise InputError("units of an order", found=found, expected="one or more, from 0")
        if not self.stops or not all(isinstance(stop, Target) for stop in self.stops):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError("stops of an order", found=repr(self.stops), expected="one Target or more")


@dataclass(frozen=True)
class Limits:
    """When a run ends although units are under way. All are counts of steps, so runs repeat exactly."""

    steps: int = 20_000
    stall_steps: int = 3_000  # no arrival and nobody nearer to the target for so long, with `stall_units` or fewer left
    stall_units: int = 10

    def __post_init__(self) -> None:
        _check(self, "steps", "stall_steps", "stall_units")


@dataclass(frozen=True)
class Steering:
    """How units steer; lengths are in unit diameters, times in steps, weights in shares of the wanted velocity.

    The wanted velocity is the sum of the weighted forces, cut to the greatest speed; a unit's velocity changes toward
    it by at most `force` of the greatest speed a step.
    """

    seek: float = 1.0
    separation: float = 0.3
    alignment: float = 0.1
    obstacle_avoidance: float = 0.5
    random_feeler: float = 0.5  # weight of the one ray of random length
    collision_avoidance: float = 1.0
    separation_distance: float = 1.5
    avoidance_distance: float = 2.5  # how far a unit watches others for alignment and coming collisions
    avoidance_steps: int = 15  # how far ahead it looks for collisions
    rays: int = 5
    ray_spread: float = 60.0  # degrees to either side of the heading
    ray_length: float = 2.5
    force: float = 0.25
    overlap: float = 0.15  # the deepest overlap that movement may cause, as a share of the distance at touch
    replanning: bool = True
    lost_steps: int = 50  # steps lost before a new plan
    stuck_steps: int = 2_000  # steps without progress before removal; half of them before a new plan

    def __post_init__(self) -> None:
        _check(self, "separation_distance", "avoidance_distance", "ray_length", "force", "lost_steps", "stuck_steps")
        if self.rays > 64:
            raise InputError("rays of a steering", found=f"{self.rays}", expected="at most 64")
        if self.overlap > 0.5:
            raise InputError("overlap of a steering", found=f"{self.overlap}", expected="at most 0.5")


@dataclass(frozen=True, eq=False)
class Scenario:
    """A group task: a map, groups, changes of the map, limits, steering and a seed."""

    grid: Grid
    groups: tuple[Group, ...]
    changes: tuple[Change, ...] = ()
    limits: Limits = field(default_factory=Limits)
    steering: Steering = field(default_factory=Steering)
    seed: int = 0
    name: str = ""
    note: str = ""

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "groups", tuple(self.groups))
        set_field(self, "changes", tuple(sorted(self.changes, key=lambda c: c.step)))
        if not self.groups:
            raise InputError("a scenario without groups", expected="at least one group")
        _check(self)
        if self.seed >= 2**63:
            raise InputError("seed of a scenario", found=f"{self.seed}", expected="a whole number from 0 to 2^63 - 1")
        for g, group in enumerate(self.groups):
            grid = self.grid.with_movement(group.movement)
            group.vertices(grid, f" of group {g}")
            group.goal(grid, f" of group {g}")
        for change in self.changes:
            for x, y in change.cells.tolist():
                self.grid.vertex(x, y)

    @property
    def size(self) -> int:
        """Number of units of all groups."""
        return sum(group.size for group in self.groups)

    def classes(self) -> dict[str, list[int]]:
        """Return the numbers of the groups of each movement class, which see the map alike and share it."""
        found: dict[str, list[int]] = {}
        for number, group in enumerate(self.groups):
            found.setdefault(group.movement, []).append(number)
        return found
