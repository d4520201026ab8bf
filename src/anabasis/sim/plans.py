"""Plans: what all units follow: points, of which each unit has a stretch, and fields and formations by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.plan import FlowField, GroupPlan
from anabasis.scenario import Scenario
from anabasis.sim.progress import Note
from anabasis.sim.spot_following import MovingFormation
from anabasis.sim.units import Units
from anabasis.trace import UnitState

__all__ = ["Plans", "check_plans"]


class Plans:
    """Points, fields and formations; which of them a unit follows stands in `Units`.

    points: float64[k, 3]: x, y and the length of the way from there to the end of the plan. fields, formations: by
    numbers, of which no two are the same.
    """

    def __init__(self) -> None:
        self.points = np.zeros((0, 3))
        self.fields: dict[int, FlowField] = {}
        self.formations: dict[int, MovingFormation] = {}

    def take(self, units: Units, which: NDArray[np.int64], plan: GroupPlan) -> None:
        """Give units (int64[k], their numbers) the plan of k units; a path ends in the target's centre."""
        units.route[which] = plan.route
        number = -1
        for old, spots in self.formations.items():  # who leaves a formation has a target of its own again
            for k in np.flatnonzero(units.field[which] == old).tolist():
                units.target[which[k]] = spots.targets[np.flatnonzero(spots.units == which[k])[0]]
                if len(plan.path(k)):
                    units.target[which[k], :2] = plan.path(k)[-1]
        if plan.field is not None or plan.formation is not None:
            number = max((*self.fields, *self.formations), default=-1) + 1
        if plan.field is not None:
            self.fields[number] = plan.field
        if plan.formation is not None:
            self.formations[number] = MovingFormation(plan.formation, which, units.target[which])
        pieces = [self.points]
        total = len(self.points)
        for k, unit in enumerate(which.tolist()):
            path, target = plan.path(k), units.target[unit, :2]
            units.first[unit] = total
            if len(path):
                pieces.append(_with_rests(path if (path[-1] == target).all() else np.vstack([path, target])))
                total += len(pieces[-1])
            units.end[unit] = total
            units.field[unit] = -1 if len(path) else number
        self.points = np.concatenate(pieces)
        for memory in (units.near, units.farthest, units.goal):
            memory[which] = units.first[which]
        units.apart[which] = 0.0
        units.falling[which] = 0
        units.reach[which] = np.inf
        units.cut[which] = plan.cut
        units.lost[which] = 0
        units.best[which] = np.inf
        units.look[which] = 1
        units.note[which] = Note.NONE
        self._forget(units)

    def aim(self, units: Units, which: NDArray[np.int64], x: float, y: float, radius: float) -> None:
        """Give units another target, whatever they follow until they get a new plan; radius 0: nobody arrives there."""
        units.target[which] = x, y, radius
        for spots in self.formations.values():
            spots.targets[np.isin(spots.units, which)] = x, y, radius

    def _forget(self, units: Units) -> None:
        """Drop fields and points that nobody follows any more."""
        moving = units.state <= UnitState.LOST
        used = set(units.field[moving].tolist())
        self.fields = {number: field for number, field in self.fields.items() if number in used}
        self.formations = {number: spots for number, spots in self.formations.items() if number in used}
        kept = np.where(moving, units.end - units.first, 0)
        if len(self.points) < 2 * kept.sum() + 1000:
            return
        pieces = [self.points[a : a + k] for a, k in zip(units.first.tolist(), kept.tolist(), strict=True)]
        self.points = np.concatenate(pieces)
        start = np.cumsum(kept) - kept
        shift = start - units.first
        for memory in (units.first, units.near, units.farthest, units.goal):
            memory[:] += shift
        units.end[:] = start + kept

    def missing(self, units: Units) -> NDArray[np.bool_]:
        """Return bool[n]: units with neither points nor field."""
        return (units.field < 0) & (units.first == units.end)

    def lengths(self, units: Units) -> NDArray[np.float64]:
        """Return float64[n]: the lengths of the plans from where the units are; 0 where there is none."""
        lengths = np.zeros(units.state.size)
        for unit, (x, y) in enumerate(units.position.tolist()):
            number = int(units.field[unit])
            if number in self.formations:
                lengths[unit] = self.formations[number].length
            elif number >= 0:
                lengths[unit] = self.fields[number].distance[int(y), int(x)]
            elif units.first[unit] < units.end[unit]:
                lengths[unit] = self.points[units.first[unit], 2]
        return np.where(np.isfinite(lengths), lengths, 0.0)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays by name."""
        fields = self.fields.items()
        formations = self.formations.items()
        return {
            "points": self.points,
            **{f"distance.{number}": field.distance for number, field in fields},
            **{f"direction.{number}": field.direction for number, field in fields},
            **{f"formation.{n}.{name}": a for n, spots in formations for name, a in spots.arrays().items()},
        }

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Plans:
        """Return plans from what `arrays` returned."""
        plans = cls()
        plans.points = arrays["points"].copy()
        for name, distance in arrays.items():
            if name.startswith("distance."):
                number = name.removeprefix("distance.")
                plans.fields[int(number)] = FlowField(distance, arrays[f"direction.{number}"])
        for number in sorted({int(name.split(".")[1]) for name in arrays if name.startswith("formation.")}):
            prefix = f"formation.{number}."
            mine = {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}
            plans.formations[number] = MovingFormation.of_arrays(mine)
        return plans


def _with_rests(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points with the length of the rest of the way beside each."""
    steps = np.diff(path, axis=0)
    lengths = np.sqrt((steps * steps).sum(axis=1))
    rests = np.append(np.cumsum(lengths[::-1])[::-1], 0.0)
    return np.column_stack([path, rests])


def check_plans(scenario: Scenario, plans: Sequence[GroupPlan]) -> None:
    """Raise InputError unless there is one plan for each group, for as many units and for this map."""
    if len(plans) != len(scenario.groups):
        raise InputError(
            "plans of a run", found=f"{len(plans)} plans", expected=f"one for each of {len(scenario.groups)} groups"
        )
    for g, (group, plan) in enumerate(zip(scenario.groups, plans, strict=True)):
        if plan.size != group.size:
            raise InputError(f"plan of group {g}", found=f"{plan.size} units", expected=f"{group.size} units")
        if plan.formation is not None:
            x, y = np.floor(plan.formation.way).T
            outside = np.flatnonzero((x < 0) | (y < 0) | (x >= scenario.grid.width) | (y >= scenario.grid.height))
            if outside.size:
                x, y = plan.formation.way[outside[0]].tolist()
                raise InputError(f"way of group {g}", found=f"({x:g}, {y:g})", expected="points on the map")
        if plan.field is not None and plan.field.distance.shape != scenario.grid.cost.shape:
            raise InputError(
                f"field of group {g}",
                found="×".join(map(str, plan.field.distance.shape)),
                expected="×".join(map(str, scenario.grid.cost.shape)),
            )
