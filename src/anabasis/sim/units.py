"""Units: the state of all units of a run as plain arrays, numbered through all groups in order.

Positions are in cells, velocities in cells a step. Everything a step reads or writes is here, so that saving these
arrays saves the run. Arrays that only one module works with are bundled for its kernels.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.scenario import Scenario

__all__ = ["Tally", "Track", "Units"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Bundle = TypeVar("Bundle", bound=tuple[Any, ...])


class Track(NamedTuple):
    """What units follow, and what they remember of the points of their plans."""

    field: Ints
    first: Ints
    end: Ints
    near: Ints
    farthest: Ints
    goal: Ints
    apart: Floats
    falling: Bytes
    reach: Floats
    cut: Floats
    look: Bytes


class Tally(NamedTuple):
    """What is counted of units."""

    arrival: Ints
    wall_collisions: Ints
    unit_collisions: Ints
    updates: Ints
    not_full_move: Ints
    cant_move: Ints
    distance_travelled: Floats


@dataclass
class Units:
    """Arrays of length n (or n × 2); they are written to and never replaced.

    facing: unit vector of the last movement. target: x, y and radius. layer: number of the movement class.
    key: what the random streams are keyed by; the order of the keys is the order in which forces are summed up.
    field: number of the field or formation that a unit follows, -1 = its points first … end - 1 of the plan's points.
    Memory of path following: near (the point approached last), farthest (seen with all before it), goal (steered to),
    apart (last distance to `near`, squared), falling, reach (distance to the goal when it was chosen), cut (see
    `GroupPlan`), lost (steps without a point in sight), look (1 = look for points in this step).
    wanted: unit vector toward where the unit wants to go. rest: length of the way that is left; who has less of it may
    push. best: smallest rest so far; idle: steps since then, or as many as of whom it waits behind.
    note: what happened in this step that the strategic phase must hear of (see `progress`).
    order: number of the order that it follows, -1: it goes where its group goes; stop: which of the order's stops is
    its next.
    """

    position: Floats
    velocity: Floats
    facing: Floats
    wanted: Floats
    state: Bytes
    radius: Floats
    speed: Floats
    target: Floats
    group: Ints
    layer: Ints
    key: Ints
    by_key: Ints
    field: Ints
    route: Ints
    first: Ints
    end: Ints
    near: Ints
    farthest: Ints
    goal: Ints
    apart: Floats
    falling: Bytes
    reach: Floats
    cut: Floats
    lost: Ints
    look: Bytes
    rest: Floats
    best: Floats
    idle: Ints
    note: Bytes
    order: Ints
    stop: Ints
    arrival: Ints
    planned_length: Floats
    wall_collisions: Ints
    unit_collisions: Ints
    updates: Ints
    not_full_move: Ints
    cant_move: Ints
    distance_travelled: Floats
    replans: Ints

    @cached_property
    def track(self) -> Track:
        """The arrays of `Track`."""
        return self._bundle(Track)

    @cached_property
    def tally(self) -> Tally:
        """The arrays of `Tally`."""
        return self._bundle(Tally)

    def _bundle(self, kind: type[Bundle]) -> Bundle:
        return kind(*(getattr(self, name) for name in kind.__annotations__))

    @classmethod
    def of_scenario(cls, scenario: Scenario, layer_of_group: list[int], keys: ArrayLike | None = None) -> Units:
        """Return the units of a scenario at rest at their starts, without plans."""
        n = scenario.size
        sizes = [group.size for group in scenario.groups]
        units = cls(**{f.name: _zeros(f.name, n) for f in fields(cls)})
        units.position[:] = np.concatenate([group.positions for group in scenario.groups])
        units.facing[:, 0] = 1.0
        units.group[:] = np.repeat(np.arange(len(sizes)), sizes)
        units.layer[:] = np.repeat(layer_of_group, sizes)
        units.radius[:] = np.repeat([group.radius for group in scenario.groups], sizes)
        units.speed[:] = np.concatenate([group.speeds for group in scenario.groups])
        targets = [(group.target.x, group.target.y, group.target.radius) for group in scenario.groups]
        units.target[:] = np.repeat(np.array(targets, np.float64), sizes, axis=0)
        units.key[:] = np.arange(n) if keys is None else np.asarray(keys, np.int64)
        units.by_key[:] = np.argsort(units.key, kind="stable")
        units.route[:] = -1
        units.field[:] = -1
        units.order[:] = -1
        units.best[:] = np.inf
        units.arrival[:] = -1
        return units

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return copies of all arrays by name."""
        return {f.name: getattr(self, f.name).copy() for f in fields(self)}

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Units:
        """Return units from what `arrays` returned."""
        return cls(**{f.name: arrays[f.name].copy() for f in fields(cls)})


_COLUMNS = {"position": 2, "velocity": 2, "facing": 2, "wanted": 2, "target": 3}
_FLOATS = {
    *_COLUMNS,
    "radius",
    "speed",
    "apart",
    "reach",
    "cut",
    "rest",
    "best",
    "planned_length",
    "distance_travelled",
}
_BYTES = {"state", "falling", "look", "note"}


def _zeros(name: str, n: int) -> NDArray[Any]:
    dtype = np.float64 if name in _FLOATS else np.uint8 if name in _BYTES else np.int64
    return np.zeros((n, _COLUMNS[name]) if name in _COLUMNS else n, dtype)
