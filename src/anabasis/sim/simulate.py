"""Simulate: send groups along their plans, step by step, until all units are done or a limit is hit.

A step reads the old state of all units and writes the new one, in three phases: strategic (changes of the map, new
plans, removal), tactical (where each unit wants to go now) and operational (forces and movement). The same scenario,
plans and seed give the same bytes; a stopped run goes on from its saved arrays as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import stream_key
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import GroupPlan
from anabasis.scenario import Change, Scenario, Target, UnitOrder
from anabasis.schema import Schema
from anabasis.sim.collision import move
from anabasis.sim.counting import count
from anabasis.sim.flow_following import follow_field
from anabasis.sim.neighbours import CellList
from anabasis.sim.ordering import Orders
from anabasis.sim.path_following import follow_path
from anabasis.sim.plans import Plans, check_plans
from anabasis.sim.progress import Note, judge
from anabasis.sim.recording import Recording
from anabasis.sim.review import REVIEW_EVERY, Review, crews
from anabasis.sim.spot_following import follow_spots
from anabasis.sim.steering import NOTHING, Felt, Forces
from anabasis.sim.units import Units
from anabasis.sim.walls import Walls, nearest_free
from anabasis.trace import Cause, Ending, Event, Trace, UnitState

__all__ = ["Closing", "Replan", "Simulation", "simulate"]

Replan = Callable[[Grid, int, NDArray[np.int64], NDArray[np.float64], Cause, Target], GroupPlan]
"""(grid as the group sees it now, number of the group, numbers of units, their positions, why, where they go) → their
new plan, with route -1 for a unit that has no way."""

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
    orders: Sequence[UnitOrder] = (),
    record_every: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Trace:
    """Return the trace of a whole run; `plans` has one plan a group, `record_every` is the step between frames.

    `replan` is asked for new plans when units have lost their way and when the map changed, unless the scenario's
    steering says otherwise, and for `orders`; `review` may change plans every REVIEW_EVERY steps. `progress` is told
    (units done, units) now and then. Units are numbered through all groups in order. Raises InputError if the plans or
    orders don't fit the groups.
    """
    run = Simulation(scenario, plans, seed=seed, replan=replan, review=review, orders=orders, record_every=record_every)
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
        orders: Sequence[UnitOrder] = (),
        record_every: int = 1,
        keys: ArrayLike | None = None,
    ) -> None:
        """Make a run at step 0; `keys` (int64[n], all different) replace unit numbers in the random streams."""
        check_plans(scenario, plans)
        _check(seed, record_every)
        self._prepare(scenario, seed, replan, review, record_every)
        self.units = Units.of_scenario(scenario, self._layer_of_group, keys)
        for order in orders:
            self.order(order)
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
        self.orders = Orders()
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

    def step_watching(self, unit: int) -> Felt:
        """Make one step, and return what a unit felt in it; nothing if the run has ended."""
        facing = self.units.facing[unit].copy()
        before = self.now
        self.step()
        if self.now == before:
            return NOTHING
        return self.forces.felt(self.cells, self.units, self.walls.layers, self._keys(), unit, facing)

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

    def change(self, change: Change) -> None:
        """Change the map in a step to come; from then on the scenario of the run has this change too.

        Raises InputError for a step that has been, and for cells outside the map.
        """
        self._check_step(change.step, "step of a change")
        self.scenario = replace(self.scenario, changes=(*self.scenario.changes, change))
        self._changes = [known for known in self.scenario.changes if known.step > self.now]

    def order(self, order: UnitOrder) -> None:
        """Send units elsewhere in a step to come.

        Who is done by then stays what it is; who has no way to the first stop goes on as before. A later stop that
        can't be reached is the end of a unit's way. Raises InputError for a step that has been, for units that don't
        exist, for stops outside the map, and for a run in which nobody makes plans.
        """
        if self.replan is None:
            raise InputError("an order", found="a run without `replan`", expected="one with it, which makes the plan")
        self._check_step(order.step, "step of an order")
        if order.units[-1] >= self.scenario.size:
            expected = f"a unit from 0 to {self.scenario.size - 1}"
            raise InputError("units of an order", found=f"unit {order.units[-1]}", expected=expected)
        for stop in order.stops:
            self.scenario.grid.vertex(*stop.cell)
        self.orders.add(order)

    def _check_step(self, step: int, what: str) -> None:
        if step <= self.now:
            raise InputError(what, found=f"{step}", expected=f"a step after {self.now}, where the run is now")

    def _strategic(self) -> None:
        """Change the map; send off and on who has orders; plan anew for the lost; remove who has no way or is stuck."""
        units = self.units
        if self._changes and self._changes[0].step <= self.now:
            self._change_map()
        self._carry_out_orders()
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
                _check_size(plan, which)
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
        self.forces.apply(self.cells, units, layers, *self._keys())
        move(self.cells, self.forces, units, layers, self.scenario.steering.overlap)
        if count(self.cells, self.forces, units, layers, self.now):
            self._last_arrival = self.now
            self.recording.tell(
                self.now, Event.ARRIVED, np.flatnonzero(units.arrival == self.now), Cause.TARGET_REACHED
            )

    def _keys(self) -> tuple[int, int]:
        """Return the keys of this step's random numbers: those of each step, and those that change rarely."""
        return stream_key(self.seed, _STEERING, self.now), stream_key(self.seed, _STEPPING_BACK, self.now // 32)

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

    def _carry_out_orders(self) -> None:
        """Give plans to who has an order from now on, and to who goes on from a stop; who has no way to one is left."""
        for number, stop, mine in self.orders.due(self.units, self.now):
            plan = self._new_plan(mine, Cause.ORDER, stop)
            able = np.flatnonzero(plan.route >= 0)
            if able.size:
                self.orders.aim(self.units, self.plans, mine[able], number, 0)
                self._take(mine[able], plan.part(able), Cause.ORDER)
        for number, place, stop, mine in self.orders.reached(self.units, self.now):
            self.orders.aim(self.units, self.plans, mine, number, place)
            plan = self._new_plan(mine, Cause.STOP_REACHED, stop)
            self._take(mine, plan, Cause.STOP_REACHED)
            self._remove_if(mine, plan.route < 0, Cause.UNREACHABLE)

    def _new_plan(self, mine: NDArray[np.int64], cause: Cause, target: Target) -> GroupPlan:
        """Ask for a plan of units of one group; raises InputError for one of the wrong size."""
        assert self.replan is not None  # noqa: S101 - `order` and `_plan_anew` see to it
        group = int(self.units.group[mine[0]])
        grid = self.walls.grids[self._layer_of_group[group]]
        plan = self.replan(grid, group, mine, self.units.position[mine], cause, target)
        _check_size(plan, mine)
        return plan

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
        """Ask for new plans, for all of a group at a time that go to one place, and remove units that have no way."""
        if self.replan is None or not self._replans:
            return
        units = self.units
        errands = np.stack([units.group, units.order, units.stop], 1)
        for errand in np.unique(errands[which], axis=0):
            mine = np.flatnonzero(which & (errands == errand).all(axis=1))
            plan = self._new_plan(mine, cause, self.orders.target(self.scenario, units, int(mine[0])))
            route = units.route[mine]
            self._take(mine, plan, cause)
            if cause is not Cause.MAP_CHANGE:  # who has lost the way still belongs to its route
                units.route[mine] = np.where(plan.route >= 0, route, -1)
            self._remove_if(mine, units.route[mine] < 0, Cause.UNREACHABLE)
            self._remove_if(mine, self.plans.missing(units)[mine], Cause.NO_PLAN)

    def _take(self, mine: NDArray[np.int64], plan: GroupPlan, cause: Cause) -> None:
        """Give these units a new plan."""
        self.plans.take(self.units, mine, plan)
        self.units.replans[mine] += 1
        self.units.state[mine] = UnitState.MOVING
        self.recording.tell(self.now, Event.REPLANNED, mine, cause)

    def _remove(self, which: NDArray[np.bool_], cause: Cause) -> None:
        gone = np.flatnonzero(which & (self.units.state <= _UNDER_WAY))
        self.units.state[gone] = UnitState.REMOVED
        self.units.velocity[gone] = 0.0
        self.recording.tell(self.now, Event.REMOVED, gone, cause)

    def _remove_if(self, mine: NDArray[np.int64], which: NDArray[np.bool_], cause: Cause) -> None:
        """Remove those of some units, int64[k], for which bool[k] says so."""
        chosen = np.zeros(self.units.state.size, bool)
        chosen[mine[which]] = True
        self._remove(chosen, cause)

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
        orders: Sequence[UnitOrder] = (),
    ) -> Simulation:
        """Return the run that `state` was taken from, ready to go on; scenario and orders up to then must be the same.

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
        run.orders = Orders(orders)
        run.recording = Recording.of_arrays(_part(state, "recording."))
        return run


def _part(state: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}


def _check_size(plan: GroupPlan, units: NDArray[np.int64]) -> None:
    if plan.size != units.size:
        raise InputError("a new plan has the wrong size", found=f"{plan.size} units", expected=f"{units.size}")


def _check(seed: int, record_every: int) -> None:
    if not 0 <= seed < 2**63:
        raise InputError("seed of a run", found=f"{seed}", expected="a whole number from 0 to 2^63 - 1")
    if record_every < 1:
        raise InputError("steps between frames", found=f"{record_every}", expected="at least 1")
