"""Manoeuvring: carries a manoeuvre out in the simulator, where units have bodies, steer, and push one another.

What `formation.march` does on the vertices of a map, this does in continuous space: each formation has one way for its
leader, planned with the room that it needs, and its units follow their spots.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.formation.cells import Cells
from anabasis.formation.leading import leader_way, needed_room
from anabasis.formation.march import March, check_ticks
from anabasis.formation.slots import assign, close_ranks
from anabasis.grid import Grid
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.plan import ORIENTATIONS, FormationPlan, GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group, Limits, Scenario, Steering, Target
from anabasis.search.uncoordinated import plan_astar
from anabasis.sim.simulate import Simulation
from anabasis.sim.spot_following import MovingFormation
from anabasis.sim.walls import clearance_map
from anabasis.trace import Cause, Ending, Trace, UnitState

__all__ = ["simulate_manoeuvre"]

_FASTEST = 0.5  # cells a step: the simulator's limit
_NEAR = 0.25  # who stands farther than this from its place, as a share of a step of the map, is told of
_MOST_NAMED = 6  # units are told by their numbers
_TOLERANCE = 0.25  # how near to its spot a unit has arrived, in radii

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


def simulate_manoeuvre(manoeuvre: Manoeuvre, *, tick: float = 0.05, every: int = 1, seed: int = 0) -> Result[March]:
    """Carry a manoeuvre out in the simulator.

    tick: seconds of a step; every: record each so many of them.

    A unit walks a step of the map in as many seconds as its pace says, on any ground; prices count for the leader's way
    only. All of a formation are as wide as its widest unit. Of the modules two count: `orientation`, all but split, and
    `speed`, of which "own" is as "slowest". A unit that is stuck is given up in the end, and holds no spot any more.

    A place that can't be reached is taken by the nearest one that can. SOLVED once all units have arrived or fallen,
    those who are kept from their places among them; LIMIT if the manoeuvre's limit, or a stall, ends it before, or if
    somebody was given up. Raises InputError for a graph, which has no ground to stand on, for a formation with several
    orders or a later one, and for a tick that is not above 0 or so long that a unit would jump.
    """
    step = check_ticks(manoeuvre, tick, every)
    if not manoeuvre.formations:
        raise InputError("a manoeuvre to simulate", found="no formation", expected="one or more")
    cells = Cells.of(manoeuvre.space)
    taken: set[int] = set()
    groups: list[Group] = []
    plans: list[FormationPlan] = []
    told: list[list[str]] = []
    for i, formation in enumerate(manoeuvre.formations):
        name = formation.name or f"formation {i}"
        plan, said = _plan(formation, cells, name)
        groups.append(_group(formation, plan, cells, step, taken, name))
        plans.append(plan)
        told.append(said)
    limits = Limits(steps=int(np.ceil(manoeuvre.limit / step - 1e-9)))
    scenario = Scenario(cells.grid, tuple(groups), limits=limits, seed=seed, name=manoeuvre.name)

    falls = np.concatenate([formation.falls for formation in manoeuvre.formations])
    own = np.concatenate([plan.spot for plan in plans])
    held = [own]  # the spot of each unit, after each change
    last = [MovingFormation(plan, plan.spot, np.zeros((plan.spot.size, 3))).last for plan in plans]
    ends: list[Floats] = []

    def replan(
        grid: Grid, group: int, units: NDArray[np.int64], positions: Floats, cause: Cause, target: Target
    ) -> GroupPlan:
        """Send who is lost or stuck to its place in the end, by itself."""
        if not ends:
            ends.extend(_ends(plans, last, groups, cells))
        spots = np.where(held[-1] >= 0, held[-1], own)[units]
        ways: list[ArrayLike] = []
        for spot, place in zip(spots.tolist(), positions, strict=True):
            x, y = ends[group][spot].tolist()
            way = plan_astar(grid, Group(place[None], Target(x, y))).value
            ways.append(np.zeros((0, 2)) if way is None else way.path(0))
        return GroupPlan.of_paths(ways)

    orders = [GroupPlan.of_formation(plan) for plan in plans]
    run = Simulation(scenario, orders, seed=seed, replan=replan, record_every=every)
    changes = _carried_out(run, np.ceil(falls / step - 1e-9), held)
    trace = _on_map(run.trace(), cells)
    near = _NEAR * cells.spacing * cells.side
    trouble = tuple(
        "; ".join(told[i] + _trouble(trace, i, held[-1], cells.out(places), near)) for i, places in enumerate(last)
    )
    # a frame shows the end of its step, so what changed after a step is seen in the next one
    spots = np.array(held)[np.searchsorted(changes, trace.times, side="left")]
    spots[trace.state == UnitState.REMOVED] = -1
    found = March(trace, step, trace.positions, spots, trouble)
    left, seconds = int(((trace.arrival < 0) & ~trace.fallen).sum()), trace.steps * step
    if not left:
        return Result(Status.SOLVED, found)
    ended = ", when nobody got on any more" if trace.ending is Ending.STALL else ""
    reason = f"{left} of {trace.size} units were not in their places after {seconds:g} seconds{ended}"
    return Result(Status.LIMIT, found, reason)


def _ends(plans: list[FormationPlan], last: list[Floats], groups: list[Group], cells: Cells) -> list[Floats]:
    """Return float64[k, 2] for each formation: where who holds a spot goes by itself in the end, a cell for each.

    last: where the spots are in the end. Beside walls, where a unit has no room, or cut off from the leader's place, it
    is the middle of the nearest free cell.
    """
    taken: set[int] = set()
    ends: list[Floats] = []
    room = clearance_map(cells.grid.free)[1:-1, 1:-1].astype(np.float64) - 1
    for plan, places, group in zip(plans, last, groups, strict=True):
        row = places.copy()
        for spot in plan.schema.order.tolist():
            place = cells.stand(places[spot], taken, plan.way[-1])
            x, y = np.floor(place).astype(np.int64).tolist()
            taken.add(cells.grid.vertex(x, y))
            row[spot] = place if room[y, x] >= group.radius else (x + 0.5, y + 0.5)
        ends.append(row)
    return ends


def _carried_out(run: Simulation, falls: Floats, held: list[Longs]) -> Longs:
    """Run to the end; return int64[c], the steps after which units fell.

    falls float64[n]: the step after which each unit falls, unless it has arrived; held: the spot of each unit at first,
    to which those after each of the steps are appended, -1 for none.
    """
    changes: list[int] = []
    for due in [*np.unique(falls[np.isfinite(falls)]).tolist(), np.inf]:
        while run.ending is None and run.now < due:
            run.step(int(min(100, due - run.now)))
        if run.ending is not None:
            break
        fallen = np.flatnonzero((falls == due) & (run.units.state <= UnitState.LOST))  # the arrived stand for good
        run.remove(fallen, close_ranks)
        now = held[-1].copy()
        now[fallen] = -1
        for formation in run.plans.formations.values():
            filled = np.flatnonzero(formation.holder >= 0)
            filled = filled[run.units.state[formation.holder[filled]] != UnitState.REMOVED]  # ranks may stay open
            who = formation.holder[filled]
            if (now[who] == filled).all():
                continue
            now[formation.units[np.isin(now[formation.units], filled)]] = -1  # who has left it loses what others hold
            now[who] = filled
        held.append(now)
        changes.append(run.now)
    return np.array(changes, np.int64)


def _on_map(trace: Trace, cells: Cells) -> Trace:
    """Return a trace on cells as seen on the map."""
    counters = replace(trace.counters, distance_travelled=trace.counters.distance_travelled * cells.side)
    return replace(
        trace,
        positions=cells.out(trace.positions),
        radius=trace.radius * cells.side,
        planned_length=trace.planned_length * cells.side,
        counters=counters,
    )


def _plan(formation: Formation, cells: Cells, name: str) -> tuple[FormationPlan, list[str]]:
    """Return the plan of a formation, and what of it can't be done."""
    if len(formation.orders) > 1 or any(order.time > 0 for order in formation.orders):
        found = f"{len(formation.orders)} orders" if len(formation.orders) > 1 else "a later one"
        raise InputError(f"orders of {name} in the simulator", found=found, expected="one at time 0, with way-points")
    orientation = formation.modules.orientation
    if orientation not in ORIENTATIONS:
        expected = " or ".join(ORIENTATIONS)
        raise InputError(f"orientation of {name} in the simulator", found=repr(orientation), expected=expected)
    schema = formation.schema.resized(1 / cells.side)
    places = np.array([formation.start, *(place for order in formation.orders for place in order.places)])
    line = [cells.stand(cells.into(places[0]))]
    line += [cells.stand(place, beside=line[0]) for place in cells.into(places[1:])]
    said = [
        f"the leader can't {'be at' if i else 'start from'} ({x:g}, {y:g}), in a wall, off the map or cut off;"
        " it takes the nearest place that it can"
        for i, ((x, y), stands) in enumerate(zip(places.tolist(), line, strict=True))
        if not np.array_equal(stands, cells.into((x, y)))
    ]
    radius = float(formation.radius.max()) * cells.spacing
    if schema.spots > 1 and schema.spacing < 2 * radius * (1 - Steering().overlap):
        apart, widest = schema.spacing / cells.spacing, float(formation.radius.max())
        said.append(f"its spots are {apart:.3g} steps apart, too near for units of radius {widest:g}")
    through, room = np.array(line), needed_room(schema, radius)
    roomy = _roomy(cells, through, radius)
    way = leader_way(roomy, through, room)
    if way is None:
        way = leader_way(cells.grid, through, room)
        assert way is not None  # noqa: S101 - all places can be reached from the first
        x, y = cells.out(_first_closed(roomy, way)).tolist()
        widest = int(formation.radius.argmax())
        said.append(f"at ({x:.4g}, {y:.4g}) it is too narrow for unit {widest} of radius {formation.radius[widest]:g}")
    speed = "weighted" if formation.modules.speed == "weighted" else "slowest"
    return FormationPlan(schema, way, np.arange(schema.spots), formation.azimuth, speed, orientation), said


def _roomy(cells: Cells, through: Floats, radius: float) -> Grid:
    """Return a map of the cells in which a unit of this radius has room, and of all around places float64[k, 2]."""
    grid = cells.grid
    x, y = np.meshgrid(np.arange(grid.width) + 0.5, np.arange(grid.height) + 0.5)
    near = [np.hypot(x - place[0], y - place[1]) <= radius + 1 for place in through]
    return replace(grid, cost=np.where(cells.fits(radius) | np.any(near, axis=0), grid.cost, np.inf))


def _first_closed(grid: Grid, way: Floats) -> Floats:
    """Return the middle of the first cell on a way that is closed, or its end."""
    for here, there in pairwise(way):
        for share in np.linspace(0, 1, 2 + int(4 * np.hypot(*(there - here)))).tolist():
            cell = np.floor(here + share * (there - here))
            if not grid.is_free(int(cell[0]), int(cell[1])):
                return cell + 0.5
    return way[-1]


def _group(formation: Formation, plan: FormationPlan, cells: Cells, tick: float, taken: set[int], name: str) -> Group:
    """Return a formation's units where they start, each in its place if that is free, else in the nearest free cell."""
    fastest = float(formation.pace.min())
    speed = tick * cells.spacing / fastest
    if speed > _FASTEST:
        most = f"at most {_FASTEST * fastest / cells.spacing:g} for {name}, so that no step can jump a wall"
        raise InputError("tick", found=f"{tick:g}", expected=most)
    places = plan.way[0] + plan.schema.turned(plan.azimuth)
    positions = places.copy()
    for unit, place in enumerate(places):
        positions[unit] = cells.stand(place, taken, plan.way[0])
        x, y = np.floor(positions[unit]).astype(np.int64).tolist()
        taken.add(cells.grid.vertex(x, y))
    moved = np.flatnonzero((positions != places).any(1))
    positions[moved] = positions[moved][assign(places[moved], positions[moved])]  # so that their ways don't cross
    radius = float(formation.radius.max()) * cells.spacing
    x, y = plan.way[-1].tolist()
    target = Target(x, y, _TOLERANCE * radius)
    return Group(positions, target, radius, speed, name=formation.name, pace=formation.pace / fastest)


def _trouble(trace: Trace, group: int, held: Longs, drawn: Floats, near: float) -> list[str]:
    """Return who of a formation does not stand in its place in the end; near: how far from it one may be.

    held int64[n]: the spot of each unit, -1 for none; drawn float64[k, 2]: where the formation's spots are.
    """
    units = np.flatnonzero(trace.group == group)
    left, state, spot = ~trace.fallen[units], trace.state[-1, units], held[units]
    arrived = state == UnitState.ARRIVED
    off = (spot >= 0) & (np.hypot(*(trace.positions[-1, units] - drawn[spot]).T) > near)
    kinds = (
        (state == UnitState.REMOVED, "stuck and given up", "stuck and given up"),
        (state < UnitState.ARRIVED, "under way", "under way"),
        (arrived & (spot < 0), "without a spot, others closed ranks", "without a spot, others closed ranks"),
        (arrived & off, "kept from its place by walls or others", "kept from their places by walls or one another"),
    )
    found = [(np.flatnonzero(left & which), one, more) for which, one, more in kinds]
    return [f"{_named(who, len(units))} {one if len(who) == 1 else more}" for who, one, more in found if who.size]


def _named(units: Longs, of: int) -> str:
    """Return some of so many units with their verb."""
    if len(units) == 1:
        return f"unit {units[0]} is"
    if len(units) == of:
        return f"all {of} units are"
    if len(units) > _MOST_NAMED:
        return f"{len(units)} of {of} units are"
    return f"units {', '.join(map(str, units[:-1].tolist()))} and {units[-1]} are"
