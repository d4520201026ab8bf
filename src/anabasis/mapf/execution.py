"""Execution: a multi-agent plan becomes a trace, exactly: at the places at each step, straight between them.

Agents of a plan may be late or enter and leave; `dependency_graph` and `lifelong` tell how, and what they return can be
shown in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.instance import Instance
from anabasis.metrics.plans import check_judged, plan_faults
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.trace import Cause, Counters, Ending, Event, Trace, UnitState, hashes_of, headings_of

__all__ = ["RADIUS", "plan_places", "plan_trace"]

_MOST = 2**26  # places of all agents in all frames

RADIUS = 0.35
"""Of an agent of one cell, in cells: who enters a cell that another leaves sideways comes as near as 0.707 to it."""

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


def plan_places(instance: Instance, plan: Plan, *, frames: int = 1) -> Floats:
    """Return float64[steps · frames + 1, k, 2]: where the agents are (x, y), in cells; on a graph at its points.

    Each step of the plan is `frames` equal parts of a straight line; an agent of several cells is at their centre.
    Raises InputError if the plan has no row, or not a column for each agent, or unknown vertices, and for more than
    2²⁶ places in all.
    """
    check_judged(instance, plan)
    plan.check_fits(instance.size)
    rows = plan.vertices
    if rows.size and rows.max() >= instance.vertex_count:
        raise InputError("vertices of a plan", found=f"{rows.max()}", expected=f"up to {instance.vertex_count - 1}")
    parts = check_count(frames, "frames", 1, _MOST // max(1, rows.size))
    ends = _points(instance)[plan.vertices] + ((instance.sizes - 1) / 2)[None, :, None]
    share = (np.arange(parts) / parts)[None, :, None, None]
    between = ends[:-1, None] + share * np.diff(ends, axis=0)[:, None]
    return np.concatenate([between.reshape(parts * (len(ends) - 1), *ends.shape[1:]), ends[-1:]])


def plan_trace(instance: Instance, plan: Plan, *, frames: int = 1) -> Trace:
    """Return the trace of a plan walked exactly: `frames` steps of the trace for each step of the plan.

    Agents are circles of RADIUS (times their size, on a grid; on a graph that share of its shortest arc, at most
    RADIUS). They arrive when they are at their goals for good; those that vanish are removed in the next step of the
    plan. Overlaps are counted as collisions, as in a simulation: on a grid there are none unless the rules allow two
    agents to share or to change places.
    Raises InputError as `plan_places`.
    """
    places = plan_places(instance, plan, frames=frames)
    steps, k = len(places) - 1, instance.size
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    arrival = np.where(arrivals >= 0, arrivals * frames, -1)
    state = _states(arrival, steps, frames, stay=instance.rules.stay)
    radius = _radius(instance)
    moved = np.hypot(*np.moveaxis(np.diff(places, axis=0), -1, 0))
    under_way = np.arange(steps)[:, None] < np.where(arrival >= 0, arrival, steps)
    waits = ((moved == 0) & under_way).sum(axis=0)
    length = (moved * under_way).sum(axis=0)
    zero = np.zeros(k, np.int64)
    ended = Ending.ALL_DONE if (arrival >= 0).all() else Ending.STEP_LIMIT
    events = _events(arrival, state, ended, steps)
    return Trace(
        times=np.arange(steps + 1),
        positions=places,
        headings=headings_of(places),
        state=state,
        hashes=hashes_of(places, state),
        group=zero,
        radius=radius,
        route=np.arange(k),
        arrival=arrival,
        planned_length=length,
        event_step=events[:, 0],
        event_kind=events[:, 1],
        event_unit=events[:, 2],
        event_cause=events[:, 3],
        counters=Counters(
            wall_collisions=zero,
            unit_collisions=_collisions(instance, plan, places, state, radius),
            updates=np.where(arrival >= 0, arrival, steps),
            not_full_move=waits,
            cant_move=waits,
            distance_travelled=length,
            replans=zero,
        ),
        ending=ended,
        seed=0,
    )


def _points(instance: Instance) -> Floats:
    """Return float64[vertices, 2], the place of each vertex."""
    if isinstance(instance.space, Graph):
        return instance.space.points
    y, x = np.divmod(np.arange(instance.vertex_count), instance.space.width)
    return np.stack([x, y], axis=-1) + 0.5


def _radius(instance: Instance) -> Floats:
    if not isinstance(instance.space, Graph):
        return np.asarray(RADIUS * instance.sizes, np.float64)
    graph = instance.space
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    arcs = np.hypot(*(graph.points[tails] - graph.points[graph.indices]).T)
    return np.full(instance.size, RADIUS * min(1.0, float(arcs[arcs > 0].min(initial=1.0))))


def _states(arrival: Longs, steps: int, frames: int, *, stay: bool) -> NDArray[np.uint8]:
    """Return uint8[steps + 1, k]: who is under way, there, or gone."""
    state = np.full((steps + 1, arrival.size), UnitState.MOVING, np.uint8)
    time = np.arange(steps + 1)[:, None]
    state[(arrival >= 0) & (time >= arrival)] = UnitState.ARRIVED
    if not stay:
        state[(arrival >= 0) & (time >= arrival + frames)] = UnitState.REMOVED
    return state


def _events(arrival: Longs, state: NDArray[np.uint8], ended: Ending, steps: int) -> Longs:
    """Return int64[E, 4]: (step, kind, unit, cause) of arrivals and removals in order, and of the end."""
    events = [(int(t), Event.ARRIVED, unit, Cause.TARGET_REACHED) for unit, t in enumerate(arrival) if t >= 0]
    for unit in np.flatnonzero((state == UnitState.REMOVED).any(axis=0)).tolist():
        gone = int((state[:, unit] == UnitState.REMOVED).argmax())
        events.append((gone, Event.REMOVED, unit, Cause.TARGET_REACHED))
    events.sort()
    cause = Cause.ALL_DONE if ended is Ending.ALL_DONE else Cause.STEP_LIMIT
    events.append((steps, Event.ENDED, -1, cause))
    return np.array(events, np.int64)


def _collisions(instance: Instance, plan: Plan, places: Floats, state: NDArray[np.uint8], radius: Floats) -> Longs:
    """Return int64[k]: in how many steps each agent overlaps another before it has arrived."""
    count = np.zeros(radius.size, np.int64)
    rules = instance.rules
    apart = not isinstance(instance.space, Graph) and rules.vertex and rules.swap
    if not apart or plan_faults(instance, plan, limit=1):  # else no two ever come as near, see RADIUS
        _overlaps(places, state, radius, int(UnitState.MOVING), int(UnitState.REMOVED), count)
    return count


@kernel
def _overlaps(places: Any, state: Any, radius: Any, moving: int, removed: int, count: Any) -> None:
    """Count the steps in which agents overlap, by looking at every pair."""
    touching = np.zeros(radius.size, np.uint8)
    for t in range(1, len(places)):
        touching[:] = 0
        for a in range(radius.size):
            if state[t, a] == removed:
                continue
            for b in range(a):
                x, y = places[t, a, 0] - places[t, b, 0], places[t, a, 1] - places[t, b, 1]
                reach = radius[a] + radius[b] - 1e-9
                if x * x + y * y < reach * reach and state[t, b] != removed:
                    touching[a] = touching[b] = 1
        for a in range(radius.size):
            if touching[a] and state[t, a] == moving:
                count[a] += 1
