"""Traces: what is wrong with a recorded run, found without the simulator.

Checks what a trace promises about its scenario from the scenario and the frames alone, in plain NumPy. It shares no
code with `sim`, so that a fault there can't hide here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.grid import Grid, cell_text
from anabasis.noun import freeze
from anabasis.scenario import Scenario, UnitOrder
from anabasis.trace import Cause, Ending, Event, Trace, UnitState

__all__ = ["record_faults", "trace_faults"]

_SLACK = 1e-9


def trace_faults(
    scenario: Scenario, trace: Trace, places: ArrayLike | None = None, orders: Sequence[UnitOrder] = ()
) -> list[str]:
    """Return one line for each fault of a trace of this scenario, at most one for each unit and kind; [] if sound.

    places float64[n, 2]: where each unit shall arrive, by default in its group's target, or where `orders` sent it.

    Looks for: wrong units, positions that are not numbers, units faster than they can be between two frames (being
    displaced by a change of the map aside), centres in walls or outside the map as it was at that step, arrivals
    outside the target, units that come back or move after they are done, events out of order or at odds with states,
    arrivals or counters, and units without exactly one fate.
    """
    faults = _wrong_units(scenario, trace)
    if faults:
        return faults
    if not np.isfinite(trace.positions).all():
        frame, unit = np.argwhere(~np.isfinite(trace.positions).all(axis=2))[0]
        return [f"step {trace.times[frame]}: the position of unit {unit} is no number"]
    return [
        *_too_fast(scenario, trace),
        *_in_walls(scenario, trace),
        *_false_arrivals(scenario, trace, places, orders),
        *_false_obedience(trace, orders),
        *record_faults(trace),
    ]


def record_faults(trace: Trace) -> list[str]:
    """Return what in a trace contradicts itself: units that go on after they are done, events, states, counters."""
    return [*_restless(trace), *_event_order(trace), *_fates(trace), *_counters(trace)]


def _wrong_units(scenario: Scenario, trace: Trace) -> list[str]:
    if trace.size != scenario.size:
        return [f"the trace has {trace.size} units, the scenario {scenario.size}"]
    groups = np.repeat(np.arange(len(scenario.groups)), [group.size for group in scenario.groups])
    if (trace.group != groups).any():
        return [f"unit {int(np.flatnonzero(trace.group != groups)[0])} is in the wrong group"]
    if trace.times[0] == 0:
        starts = np.concatenate([group.positions for group in scenario.groups])
        wrong = np.flatnonzero((trace.positions[0] != starts).any(axis=1))
        return [f"unit {unit} starts in the wrong place" for unit in wrong[:1].tolist()]
    return []


def _too_fast(scenario: Scenario, trace: Trace) -> list[str]:
    """Find units that walked further between two frames than their greatest speed allows."""
    speed = np.concatenate([group.speeds for group in scenario.groups])
    gaps = np.diff(trace.times)[:, None]
    walked = np.sqrt((np.diff(trace.positions, axis=0) ** 2).sum(axis=2))
    excused = np.zeros(walked.shape, bool)
    for step, unit in _of_kind(trace, Event.DISPLACED):
        excused[max(int(np.searchsorted(trace.times, step)) - 1, 0), unit] = True
    fast = (walked > gaps * speed * (1 + _SLACK) + _SLACK) & ~excused
    return [
        f"step {trace.times[frame + 1]}: unit {unit} moved {walked[frame, unit]:.6g} cells in {gaps[frame, 0]} steps, "
        f"at most {gaps[frame, 0] * speed[unit]:.6g} is possible"
        for frame, unit in _first_of_each_unit(fast)
    ]


def _in_walls(scenario: Scenario, trace: Trace) -> list[str]:
    """Find centres in walls of the map as it was, as each group's movement class sees it."""
    faults: list[str] = []
    cells = np.floor(trace.positions).astype(np.int64)
    present = trace.state < UnitState.ARRIVED
    for name in dict.fromkeys(group.movement for group in scenario.groups):
        mine = np.array([scenario.groups[g].movement == name for g in trace.group.tolist()])
        buried = np.zeros(present.shape, bool)
        for first, last, grid in _maps(scenario, trace, name):
            x, y = cells[first:last, :, 0], cells[first:last, :, 1]
            inside = (x >= 0) & (y >= 0) & (x < grid.width) & (y < grid.height)
            free = grid.free[np.clip(y, 0, grid.height - 1), np.clip(x, 0, grid.width - 1)]
            buried[first:last] = ~(inside & free) & mine & present[first:last]
        for frame, unit in _first_of_each_unit(buried):
            place = cell_text(*cells[frame, unit].tolist())
            faults.append(f"step {trace.times[frame]}: the centre of unit {unit} is in a wall or off the map: {place}")
    return faults


def _maps(scenario: Scenario, trace: Trace, movement: str) -> list[tuple[int, int, Grid]]:
    """Return (first frame, frame after the last, map) for each time between changes."""
    grid = scenario.grid.with_movement(movement)
    maps: list[tuple[int, int, Grid]] = []
    first = 0
    for change in scenario.changes:
        frame = int(np.searchsorted(trace.times, max(change.step, 1)))
        if frame > first:
            maps.append((first, frame, grid))
            first = frame
        grid = grid.with_terrain(change.cells, change.letter, movement)
    return [*maps, (first, trace.times.size, grid)]


def _false_arrivals(
    scenario: Scenario, trace: Trace, places: ArrayLike | None, orders: Sequence[UnitOrder]
) -> list[str]:
    """Find units that are said to have arrived where the target, or their place, isn't."""
    obeyed = {unit: step for step, unit in _obeyed(trace)}  # the last one of each unit
    targets = [scenario.groups[g].target for g in trace.group.tolist()]
    there = np.array([(target.x, target.y) for target in targets]).reshape(-1, 2)
    if places is not None:
        there = freeze(places, np.float64, there.shape, "places of arrival")
    faults: list[str] = []
    for unit in np.flatnonzero(trace.arrival >= 0).tolist():
        frame = min(int(np.searchsorted(trace.times, trace.arrival[unit])), trace.times.size - 1)
        x, y = trace.positions[frame, unit].tolist()
        sent = [order.stops[-1] for order in orders if order.step == obeyed.get(unit) and unit in order.units]
        ends = [(stop.x, stop.y, stop.radius) for stop in sent] or [(*there[unit].tolist(), targets[unit].radius)]
        gap, radius = min((((x - a) ** 2 + (y - b) ** 2) ** 0.5, radius) for a, b, radius in ends)
        if gap > radius * (1 + _SLACK):
            faults.append(
                f"step {trace.arrival[unit]}: unit {unit} arrived {gap:.6g} cells from its target of radius {radius:g}"
            )
    return faults


def _obeyed(trace: Trace) -> list[tuple[int, int]]:
    """Return (step, unit) of each order that a unit has taken."""
    chosen = (trace.event_kind == Event.REPLANNED) & (trace.event_cause == Cause.ORDER)
    return list(zip(trace.event_step[chosen].tolist(), trace.event_unit[chosen].tolist(), strict=True))


def _false_obedience(trace: Trace, orders: Sequence[UnitOrder]) -> list[str]:
    """Find units that have taken an order that nobody gave them."""
    given = {(order.step, unit) for order in orders for unit in order.units.tolist()}
    return [
        f"step {step}: unit {unit} follows an order that it was not given"
        for step, unit in _obeyed(trace)
        if (step, unit) not in given
    ]


def _restless(trace: Trace) -> list[str]:
    """Find units that move or change their state after they were done."""
    done = trace.state[:-1] >= UnitState.ARRIVED
    moved = (np.diff(trace.positions, axis=0) != 0).any(axis=2)
    wrong = done & (moved | (np.diff(trace.state.astype(np.int64), axis=0) != 0))
    return [
        f"step {trace.times[frame + 1]}: unit {unit} was done and goes on" for frame, unit in _first_of_each_unit(wrong)
    ]


def _event_order(trace: Trace) -> list[str]:
    faults: list[str] = []
    if (np.diff(trace.event_step) < 0).any():
        at = int(np.flatnonzero(np.diff(trace.event_step) < 0)[0])
        faults.append(f"event {at + 1} at step {trace.event_step[at + 1]} stands after step {trace.event_step[at]}")
    if trace.event_step.size and (trace.event_step.min() < 0 or trace.event_step.max() > trace.steps):
        faults.append(f"an event lies outside the run of {trace.steps} steps")
    if ((trace.event_unit < -1) | (trace.event_unit >= trace.size)).any():
        faults.append("an event names a unit that does not exist")
    last: dict[int, int] = {}
    for k, (kind, unit) in enumerate(zip(trace.event_kind.tolist(), trace.event_unit.tolist(), strict=True)):
        if unit in last and unit >= 0:
            faults.append(f"event {k}: unit {unit} is done since event {last[unit]} and has another event")
        if kind in (Event.ARRIVED, Event.REMOVED):
            last.setdefault(unit, k)
    ends = np.flatnonzero(trace.event_kind == Event.ENDED).tolist()
    causes = {Ending.ALL_DONE: Cause.ALL_DONE, Ending.STEP_LIMIT: Cause.STEP_LIMIT, Ending.STALL: Cause.STALL}
    if ends and (ends != [trace.event_kind.size - 1] or trace.event_cause[-1] != causes[trace.ending]):
        faults.append(f"the run's end is not its last event or has another cause than {trace.ending.name}")
    return faults


def _fates(trace: Trace) -> list[str]:
    """Find units whose last state, arrival and events do not tell one story."""
    faults: list[str] = []
    arrived = dict(_pairs_by_unit(trace, Event.ARRIVED))
    removed = dict(_pairs_by_unit(trace, Event.REMOVED))
    for unit, state in enumerate(trace.state[-1].tolist()):
        step = int(trace.arrival[unit])
        if (state == UnitState.ARRIVED) != (step >= 0) or (step >= 0) != (unit in arrived):
            faults.append(f"unit {unit}: its state, its step of arrival and its events disagree on its arrival")
        elif step >= 0 and arrived[unit] != step:
            faults.append(f"unit {unit} arrived at step {step}, its event says {arrived[unit]}")
        if (state == UnitState.REMOVED) != (unit in removed):
            faults.append(f"unit {unit}: its state and its events disagree on its removal")
        if unit in arrived and unit in removed:
            faults.append(f"unit {unit} both arrived and was removed")
    causeless = (trace.event_kind == Event.REMOVED) & (trace.event_cause == Cause.NONE)
    faults += [f"unit {unit} was removed without a cause" for unit in trace.event_unit[causeless].tolist()]
    left = int((trace.state[-1] < UnitState.ARRIVED).sum())
    if (trace.ending is Ending.ALL_DONE) != (left == 0):
        faults.append(f"the run ended as {trace.ending.name} with {left} units under way")
    return faults


def _counters(trace: Trace) -> list[str]:
    """Find counters that can't be: travel times that differ from arrivals, more stops than steps."""
    c = trace.counters
    checks: list[tuple[str, NDArray[np.bool_]]] = [
        ("its updates are not its step of arrival", (trace.arrival >= 0) & (c.updates != trace.arrival)),
        ("more updates than steps", c.updates > trace.steps),
        ("more steps cut short than updates", c.not_full_move > c.updates),
        ("more steps without movement than steps cut short", c.cant_move > c.not_full_move),
        ("more wall collisions than updates", c.wall_collisions > c.updates),
        ("more unit collisions than updates", c.unit_collisions > c.updates),
    ]
    return [f"unit {unit}: {text}" for text, wrong in checks for unit in np.flatnonzero(wrong).tolist()]


def _of_kind(trace: Trace, kind: Event) -> list[tuple[int, int]]:
    """Return (step, unit) of all events of a kind."""
    chosen = trace.event_kind == kind
    return list(zip(trace.event_step[chosen].tolist(), trace.event_unit[chosen].tolist(), strict=True))


def _pairs_by_unit(trace: Trace, kind: Event) -> list[tuple[int, int]]:
    return [(unit, step) for step, unit in _of_kind(trace, kind)]


def _first_of_each_unit(wrong: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (frame, unit) of the first frame in which each unit is wrong."""
    units = np.flatnonzero(wrong.any(axis=0))
    return [(int(wrong[:, unit].argmax()), int(unit)) for unit in units]
