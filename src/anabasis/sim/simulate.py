"""Simulate: send groups along their plans, step by step, until all units are done or a limit is hit.

A step reads the old state of all units and writes the new one, in three phases: strategic (changes of the map, new
plans, removal), tactical (where each unit wants to go now) and operational (forces and movement). The same scenario,
plans and seed give the same bytes; a stopped run goes on from its saved arrays as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import stream_key
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import GroupPlan
from anabasis.scenario import Scenario
from anabasis.schema import Schema
from anabasis.sim.collision import move
from anabasis.sim.counting import count
from anabasis.sim.flow_following import follow_field
from anabasis.sim.neighbours import CellList
from anabasis.sim.path_following import follow_path
from anabasis.sim.plans import Plans, check_plans
from anabasis.sim.progress import Note, judge
from anabasis.sim.recording import Recording
from anabasis.sim.review import REVIEW_EVERY, Review, crews
from anabasis.sim.spot_following import follow_spots
from anabasis.sim.steering import Forces
from anabasis.sim.units import Units
from anabasis.sim.walls import Walls, nearest_free
from anabasis.trace import Cause, Ending, Event, Trace, UnitState

__all__ = ["Closing", "Replan", "Simulation", "simulate"]

Replan = Callable[[Grid, int, NDArray[np.int64], NDArray[np.float64], Cause], GroupPlan]
"""(grid as the group sees it now, number of the group, numbers of units, their positions, why) → their new plan,
with route -1 for a unit that has no way."""

Closing = Callable[[Schema, NDArray[np.int64]], NDArray[np.int64]]
"""(a formation's schema, the spots of its units that are left) → the spots that these take, all different."""

_NEVER = 2**62
_UNDER_WAY = int(UnitState.LOST)  # units up to this state; NumPy is slow to compare with an enumeration
_STEERING, _STEPPING_BACK = 1, 2  # streams of random numbers


def simulate(
    scenario: Scenario,
    plans: Sequence[GroupPlan],
    *,
    seed: int,
    replan: Replan | None = None,
    review: Review | None = None,
    record_every: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Trace:
    """Return the trace of a whole run; `plans` has one plan a group, `record_every` is the step between frames.

    `replan` is asked for new plans when units have lost their way and when the map changed, unless the scenario's
    steering says otherwise; `review` may change plans every REVIEW_EVERY steps. `progress` is told (units done, units)
    now and then. Units are numbered through all groups in order. Raises InputError if the plans don't fit the groups.
    """
    run = Simulation(scenario, plans, seed=seed, replan=replan, review=review, record_every=record_every)
    while run.ending is None:
        run.step(100)
        if progress is not None:
            progress(scenario.size - run.under_way, scenario.size)
    return run.trace()


class Simulation:
    """A running simulation: `step` it, save its `state`, take its `trace`."""

    def __init__(
        self,
        scenario: Scenario,
        plans: Sequence[GroupPlan],
        *,
        seed: int,
        replan: Replan | None = None,
        review: Review | None = None,
        record_every: int = 1,
        keys: ArrayLike | None = None,
    ) -> None:
        """Make a run at step 0; `keys` (int64[n], all different) replace unit numbers in the random streams."""
        check_plans(scenario, plans)
        _check(seed, record_every)
        self._prepare(scenario, seed, replan, review, record_every)
        self.units = Units.of_scenario(scenario, self._layer_of_group, keys)
        first = 0
        for plan in plans:
            self.plans.take(self.units, np.arange(first, first + plan.size), plan)
            first += plan.size
        self.units.planned_length[:] = self.plans.lengths(self.units)
        self.recording.chain(self.units)
        self.recording.frame(0, self.units)

    def _prepare(
        self, scenario: Scenario, seed: int, replan: Replan | None, review: Review | None, record_every: int
    ) -> None:
        """Set up a run without units."""
        self.review = review
        self.scenario, self.seed, self.replan, self.record_every = scenario, seed, replan, record_every
        classes = list(dict.fromkeys(group.movement for group in scenario.groups))
        self._layer_of_group = [classes.index(group.movement) for group in scenario.groups]
        self.walls = Walls(scenario.grid, classes)
        steering = scenario.steering
        self._replans = steering.replanning and replan is not None
        widest = max(group.radius for group in scenario.groups)
        fastest = max(group.speed for group in scenario.groups)
        reach = max(steering.avoidance_distance * 2.0 * widest, 2.0 * (widest + fastest))
        self.cells = CellList(scenario.size, scenario.grid.width, scenario.grid.height, reach)
        self.forces = Forces(steering, scenario.size)
        self.plans = Plans()
        self.now = 0
        self.ending: Ending | None = None
        self._last_arrival = 0
        self._changes = list(scenario.changes)
        self.recording = Recording()

    @property
    def under_way(self) -> int:
        """Number of units that have not arrived and were not removed."""
        return int(np.count_nonzero(self.units.state <= _UNDER_WAY))

    def step(self, steps: int = 1) -> None:
        """Go on by so many steps, or until the run ends."""
        for _ in range(steps):
            if self.ending is not None:
                return
            self.now += 1
            self._strategic()
            self._tactical()
            self._operational()
            self.recording.chain(self.units)
            self._end()

    def remove(self, units: ArrayLike, closing: Closing | None = None) -> None:
        """Take units int64[k] out of the run, as casualties; those that are done already stay what they are.

        closing: says how formations that lose units close their ranks; without it holes stay where they are. Raises
        InputError for numbers that no unit has, and for spots that don't fit.
        """
        which = freeze(units, np.int64, (None,), "casualties")
        n = self.scenario.size
        if which.size and not 0 <= which.min() <= which.max() < n:
            wrong = which.min() if which.min() < 0 else which.max()
            raise InputError("a casualty", found=f"unit {wrong}", expected=f"a unit from 0 to {n - 1}")
        fallen = np.isin(np.arange(n), which) & (self.units.state <= _UNDER_WAY)
        self._remove(fallen, Cause.CASUALTY)
        if closing is not None:
            for number in np.unique(self.units.field[fallen]).tolist():
                if number in self.plans.formations:
                    self.plans.formations[number].close(self.units, number, closing)

    def _strategic(self) -> None:
        """Change the map; plan anew for the lost; remove those who have no way or are stuck for good."""
        units = self.units
        if self._changes and self._changes[0].step <= self.now:
            self._change_map()
        if self.now == 1:
            away = ~self._inside_target()
            self._remove((units.route < 0) & away, Cause.UNREACHABLE)
            self._remove(self.plans.missing(units) & away, Cause.NO_PLAN)
        if units.note.any():
            note = units.note.copy()  # new plans clear it
            self._remove(note == Note.STUCK_FOR_GOOD, Cause.STUCK)
            self._plan_anew(note == Note.WANTS_PLAN, Cause.PLAN_OUT_OF_SIGHT)
            self._plan_anew(note == Note.STUCK, Cause.STUCK)
        if self.review is not None and self.scenario.steering.replanning and self.now % REVIEW_EVERY == 0:
            grids = [self.walls.grids[layer] for layer in self._layer_of_group]
            for which, plan in self.review(self.now, crews(units, grids)):
                self._take(which, plan, Cause.BETTER_SPLIT)

    def _tactical(self) -> None:
        """Find where each unit wants to go now, and note who has lost the way."""
        units, steering = self.units, self.scenario.steering
        follow_path(units, self.plans.points, self.walls.layers, self.now)
        for number, field in self.plans.fields.items():
            follow_field(units, number, field)
        follow_spots(units, self.plans.formations, self.walls.layers)
        patience = steering.lost_steps if self._replans else _NEVER
        if judge(units, patience, steering.stuck_steps):
            lost = np.flatnonzero(units.note == Note.LOST)
            units.state[lost] = UnitState.LOST
            self.recording.tell(self.now, Event.LOST, lost, Cause.PLAN_OUT_OF_SIGHT)

    def _operational(self) -> None:
        """Sum up the forces on each unit, move it, count what happened, and let it go if it has arrived."""
        units, layers = self.units, self.walls.layers
        self.cells.sort(units)
        key = stream_key(self.seed, _STEERING, self.now)
        slow_key = stream_key(self.seed, _STEPPING_BACK, self.now // 32)
        self.forces.apply(self.cells, units, layers, key, slow_key)
        move(self.cells, self.forces, units, layers, self.scenario.steering.overlap)
        if count(self.cells, self.forces, units, layers, self.now):
            self._last_arrival = self.now
            self.recording.tell(
                self.now, Event.ARRIVED, np.flatnonzero(units.arrival == self.now), Cause.TARGET_REACHED
            )

    def _change_map(self) -> None:
        due = [change for change in self._changes if change.step <= self.now]
        self._changes = self._changes[len(due) :]
        touched = self.walls.change(due)
        for spots in self.plans.formations.values():
            spots.room = None
        self.recording.tell(self.now, Event.MAP_CHANGED, [-1], Cause.MAP_CHANGE)
        self._displace()
        for group, layer in enumerate(self._layer_of_group):
            if layer in touched:
                self._plan_anew((self.units.state <= _UNDER_WAY) & (self.units.group == group), Cause.MAP_CHANGE)

    def _displace(self) -> None:
        """Put units that the new walls bury onto the nearest free cell: the one way to move beyond the top speed."""
        units = self.units
        at = np.floor(units.position).astype(np.int64) + 1
        buried = (self.walls.layers[units.layer, at[:, 1], at[:, 0]] == 0) & (units.state <= _UNDER_WAY)
        for unit in np.flatnonzero(buried).tolist():
            place = nearest_free(self.walls.layers[units.layer[unit]], *units.position[unit].tolist())
            if place is None:
                self._remove(np.arange(units.state.size) == unit, Cause.MAP_CHANGE)
                continue
            units.position[unit] = place
            units.velocity[unit] = 0.0
            units.look[unit] = 1
            self.recording.tell(self.now, Event.DISPLACED, [unit], Cause.MAP_CHANGE)

    def _plan_anew(self, which: NDArray[np.bool_], cause: Cause) -> None:
        """Ask for new plans, a group at a time, and remove units that have no way."""
        if self.replan is None or not self._replans:
            return
        units = self.units
        for group, layer in enumerate(self._layer_of_group):
            mine = np.flatnonzero(which & (units.group == group))
            if not mine.size:
                continue
            plan = self.replan(self.walls.grids[layer], group, mine, units.position[mine], cause)
            route = units.route[mine]
            self._take(mine, plan, cause)
            if cause is not Cause.MAP_CHANGE:  # who has lost the way still belongs to its route
                units.route[mine] = np.where(plan.route >= 0, route, -1)
            self._remove(which & (units.group == group) & (units.route < 0), Cause.UNREACHABLE)
            self._remove(which & (units.group == group) & self.plans.missing(units), Cause.NO_PLAN)

    def _take(self, mine: NDArray[np.int64], plan: GroupPlan, cause: Cause) -> None:
        """Give these units a new plan."""
        if plan.size != mine.size:
            raise InputError("a new plan has the wrong size", found=f"{plan.size} units", expected=f"{mine.size}")
        self.plans.take(self.units, mine, plan)
        self.units.replans[mine] += 1
        self.units.state[mine] = UnitState.MOVING
        self.recording.tell(self.now, Event.REPLANNED, mine, cause)

    def _remove(self, which: NDArray[np.bool_], cause: Cause) -> None:
        gone = np.flatnonzero(which & (self.units.state <= _UNDER_WAY))
        self.units.state[gone] = UnitState.REMOVED
        self.units.velocity[gone] = 0.0
        self.recording.tell(self.now, Event.REMOVED, gone, cause)

    def _inside_target(self) -> NDArray[np.bool_]:
        gap = self.units.target[:, :2] - self.units.position
        return (gap * gap).sum(axis=1) < self.units.target[:, 2] ** 2

    def _end(self) -> None:
        """Record the step if it is due, and end the run when all is done or a limit is hit."""
        limits, left = self.scenario.limits, self.under_way
        if left == 0:
            self.ending, cause = Ending.ALL_DONE, Cause.ALL_DONE
        elif self.now >= limits.steps:
            self.ending, cause = Ending.STEP_LIMIT, Cause.STEP_LIMIT
        elif left <= limits.stall_units and self._stalled(limits.stall_steps):
            self.ending, cause = Ending.STALL, Cause.STALL
        else:
            if self.now % self.record_every == 0:
                self.recording.frame(self.now, self.units)
            return
        self.recording.tell(self.now, Event.ENDED, [-1], cause)
        self.recording.frame(self.now, self.units)

    def _stalled(self, steps: int) -> bool:
        """Whether for so many steps nobody has arrived and nobody under way has come nearer to the target."""
        idle = self.units.idle[self.units.state <= _UNDER_WAY]
        return self.now - self._last_arrival >= steps and int(idle.min()) >= steps

    def trace(self) -> Trace:
        """Return what has happened; of a run that was not ended, as if the step limit had ended it here."""
        recording = copy(self.recording)
        recording.frames = list(recording.frames)
        recording.frame(self.now, self.units)
        return recording.trace(self.units, Ending.STEP_LIMIT if self.ending is None else self.ending, self.seed)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of all arrays that `from_state` needs to go on."""
        ending = -1 if self.ending is None else int(self.ending)
        parts = {"units": self.units, "plans": self.plans, "recording": self.recording}
        return {
            "run": np.array([self.now, self.seed, self.record_every, self._last_arrival, ending]),
            **{f"{part}.{name}": array for part, owner in parts.items() for name, array in owner.arrays().items()},
        }

    @classmethod
    def from_state(
        cls,
        scenario: Scenario,
        state: dict[str, NDArray[Any]],
        *,
        replan: Replan | None = None,
        review: Review | None = None,
    ) -> Simulation:
        """Return the run that `state` was taken from, ready to go on; the scenario must be the same.

        What `replan` and `review` remember is not in the state: they must stand where they stood then.
        """
        run = cls.__new__(cls)
        now, seed, record_every, last_arrival, ending = state["run"].tolist()
        run._prepare(scenario, seed, replan, review, record_every)
        run.units = Units.of_arrays(_part(state, "units."))
        run.plans = Plans.of_arrays(_part(state, "plans."))
        run.now, run._last_arrival, run.ending = now, last_arrival, None if ending < 0 else Ending(ending)
        run.walls.change([change for change in run._changes if change.step <= now])
        run._changes = [change for change in run._changes if change.step > now]
        run.recording = Recording.of_arrays(_part(state, "recording."))
        return run


def _part(state: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}


def _check(seed: int, record_every: int) -> None:
    if not 0 <= seed < 2**63:
        raise InputError("seed of a run", found=f"{seed}", expected="a whole number from 0 to 2^63 - 1")
    if record_every < 1:
        raise InputError("steps between frames", found=f"{record_every}", expected="at least 1")
