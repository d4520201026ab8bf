"""Manoeuvre: formations on a map, where they shall go, and how; what a scenario is for groups without a shape.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: his scenario, with its modules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.noun import array_of, freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_each, check_kind, check_near
from anabasis.schema import Schema

__all__ = [
    "FACING",
    "ORIENTATION",
    "PASSING",
    "PATHS",
    "PLANNING",
    "RADIUS",
    "SLOTS",
    "SPEED",
    "SYNCHRONISATION",
    "TIES",
    "Formation",
    "Manoeuvre",
    "Modules",
    "Order",
]

RADIUS = 0.25
"""Of a unit, in steps of the map, if nothing is said: two that walk along neighbouring vertices don't touch."""

PATHS = ("simple", "combined", "whole")
"""Each unit's own cheapest path; one on which its subordinates, at their offsets, have good ground, too; or all those
below them, as well."""

TIES = ("first", "straight")
"""Of paths that cost the same the one found first; the one nearest to the straight line."""

PLANNING = ("trivial", "periodic", "bends")
"""Everybody straight to the target; in fragments of a fixed length; in fragments that end at bends."""

ORIENTATION = ("whole", "split", "track", "files")
"""The formation turns as one; or its rear keeps the old direction behind a bend; or each rank follows the leader's
track, as wide as the ground is there; or so do ranks of as many files as fit, where the way is too narrow."""

FACING = ("chord", "way")
"""Where a formation faces at the end of a fragment: from where it began; as the leader's way goes on there."""

SLOTS = ("own", "total", "longest")
"""At an order each unit keeps its spot; or spots are given out anew by the least sum of ways, or the least longest."""

SYNCHRONISATION = ("none", "multiplicative", "additive", "adaptive")
"""How those whose way is shorter are slowed down, so that all arrive at once."""

SPEED = ("own", "slowest", "weighted")
"""Each unit goes at its own pace; none faster than the slowest of all; none faster than all do on average, each by the
weights of its bindings."""

PASSING = ("none", "displacement", "vertex")
"""What units do where they meet: nothing; step aside; pass beside the vertex that ways of their formation share."""


@dataclass(frozen=True)
class Modules:
    """How a formation marches; each part is chosen by itself.

    - fragment, period: steps of a fragment, and after how many of them, at most all, the next one is planned, for
      "periodic"; orientation matters where there are fragments;
    - ties, facing, slots: as TIES, FACING and SLOTS say; units only take spots of their class;
    - bend: degrees between directions at which a fragment ends, for "bends"; shortest: steps of a fragment at least;
    - swerve, back: how fast units step aside and back, as shares of their speed; sight: how far they look for others,
      in steps; view: up to how many degrees from ahead.
    """

    paths: str = "combined"
    ties: str = "first"
    planning: str = "periodic"
    fragment: int = 3
    period: int = 2
    bend: float = 10.0
    shortest: int = 3
    orientation: str = "whole"
    facing: str = "chord"
    slots: str = "own"
    synchronisation: str = "adaptive"
    speed: str = "own"
    passing: str = "none"
    swerve: float = 0.5
    back: float = 0.25
    sight: float = 1.0
    view: float = 60.0

    def __post_init__(self) -> None:
        check_choice(self.paths, "paths", PATHS)
        check_choice(self.ties, "ties", TIES)
        check_choice(self.planning, "planning", PLANNING)
        check_choice(self.orientation, "orientation", ORIENTATION)
        check_choice(self.facing, "facing", FACING)
        check_choice(self.slots, "slots", SLOTS)
        check_choice(self.synchronisation, "synchronisation", SYNCHRONISATION)
        check_choice(self.speed, "speed", SPEED)
        check_choice(self.passing, "passing", PASSING)
        for name in ("fragment", "period", "shortest"):
            check_count(getattr(self, name), name, 1)
        for name, most in (
            ("bend", 180.0),
            ("view", 180.0),
            ("swerve", math.inf),
            ("back", math.inf),
            ("sight", math.inf),
        ):
            value = float(freeze(getattr(self, name), np.float64, (), name))
            if not (0 <= value <= most and math.isfinite(value)):
                limit = "a number of at least 0" if most == math.inf else f"degrees from 0 to {most:g}"
                raise InputError(name, found=f"{value:g}", expected=limit)
            set_field(self, name, value)


@dataclass(frozen=True, eq=False)
class Order:
    """Where a formation shall go from some time on: through places float64[m, 2], the last of them the target."""

    places: NDArray[np.float64]
    time: float = 0.0

    __repr__ = summary

    def __post_init__(self) -> None:
        places = freeze(self.places, np.float64, (None, 2), "places of an order")
        time = float(freeze(self.time, np.float64, (), "time of an order"))
        if not len(places):
            raise InputError("places of an order", found="none", expected="one or more")
        check_near(places, "places of an order")
        if not 0 <= time < math.inf:
            raise InputError("time of an order", found=f"{time:g}", expected="seconds of at least 0")
        set_field(self, "places", places)
        set_field(self, "time", time)


@dataclass(frozen=True, eq=False)
class Formation:
    """Units in a schema: spot i is held by unit i.

    - start (x, y): the leader's place; azimuth: where they face at first, in degrees clockwise from north;
    - orders: where to go, by their times, all different;
    - pace float64[k]: by what each unit's seconds are multiplied, above 0: 2 is half as fast;
    - radius float64[k]: of each unit, in steps of the map (the shortest of a graph), above 0;
    - falls float64[k]: the seconds at which each unit falls, inf for one that never does.

    Who is wider than RADIUS takes only steps that leave it room, and doesn't step aside. A graph is without walls.
    """

    schema: Schema
    start: tuple[float, float]
    azimuth: float
    orders: tuple[Order, ...]
    modules: Modules = field(default_factory=Modules)
    pace: NDArray[np.float64] = field(default_factory=lambda: np.ones(0))
    radius: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    falls: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    name: str = ""

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.schema, Schema, "schema of a formation")
        check_each(self.orders, Order, "orders of a formation")
        set_field(self, "orders", tuple(self.orders))
        check_kind(self.modules, Modules, "modules of a formation")
        start = freeze(self.start, np.float64, (2,), "start of a formation")
        azimuth = float(freeze(self.azimuth, np.float64, (), "azimuth of a formation"))
        check_near(start, "start of a formation")
        if not math.isfinite(azimuth):
            raise InputError("azimuth of a formation", found=f"{azimuth:g}", expected="finite degrees")
        times = [order.time for order in self.orders]
        if sorted(set(times)) != times:
            raise InputError("orders of a formation", found=f"times {times}", expected="times that rise")
        set_field(self, "start", (float(start[0]), float(start[1])))
        set_field(self, "azimuth", azimuth)
        self._set_each("pace", 1.0)
        self._set_each("radius", RADIUS)
        self._set_each("falls", math.inf)

    def _set_each(self, name: str, usual: float) -> None:
        """Check and set a number for each unit; the usual one for all if none is given."""
        given, k = array_of(getattr(self, name), f"{name} of a formation"), self.schema.spots
        values = freeze(given if given.size else np.full(k, usual), np.float64, (k,), f"{name} of a formation")
        falls = name == "falls"
        wrong = np.flatnonzero(values < 0 if falls else ~((values > 0) & np.isfinite(values)))
        if wrong.size:
            expected = "seconds from 0, inf for never" if falls else "a finite number above 0"
            raise InputError(f"{name} of unit {wrong[0]}", found=f"{values[wrong[0]]:g}", expected=expected)
        set_field(self, name, values)

    @classmethod
    def of(
        cls, schema: Schema, start: ArrayLike, azimuth: float, places: ArrayLike, modules: Modules | None = None
    ) -> Formation:
        """Make a formation with one order, at time 0: a target float64[2], or places to go through float64[m, 2]."""
        way = np.atleast_2d(array_of(places, "places of an order"))
        x, y = freeze(start, np.float64, (2,), "start of a formation").tolist()
        return cls(schema, (x, y), azimuth, (Order(way),), Modules() if modules is None else modules)


@dataclass(frozen=True, eq=False)
class Manoeuvre:
    """Formations on a map of triangles, of cells, or on a graph; limit: seconds after which it ends in any case."""

    space: Lattice | Grid | Graph
    formations: tuple[Formation, ...]
    limit: float = 3600.0
    name: str = ""

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.space, (Lattice, Grid, Graph), "map of a manoeuvre")
        check_each(self.formations, Formation, "formations of a manoeuvre")
        set_field(self, "formations", tuple(self.formations))
        limit = float(freeze(self.limit, np.float64, (), "limit of a manoeuvre"))
        if not 0 < limit < math.inf:
            raise InputError("limit of a manoeuvre", found=f"{limit:g}", expected="seconds above 0")
        set_field(self, "limit", limit)

    @property
    def units(self) -> int:
        """Number of units in all formations."""
        return sum(formation.schema.spots for formation in self.formations)
