"""Manoeuvring: carries a manoeuvre out in the simulator, where units have bodies, steer, and push one another.

What `formation.march` does on the vertices of a map, this does in continuous space: each formation has one way for its
leader, planned with the room that it needs, and its units follow their spots. A map of triangles is cut into cells half
a step wide, in each of which one can stand if the vertex nearest to its middle has steps.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.formation.ground import Ground
from anabasis.formation.leading import leader_way, needed_room
from anabasis.formation.march import March, check_ticks
from anabasis.formation.slots import close_ranks
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.plan import TURNS, FormationPlan, GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group, Limits, Scenario, Target
from anabasis.search.uncoordinated import plan_astar
from anabasis.sim.simulate import Simulation
from anabasis.sim.spot_following import Spots
from anabasis.trace import Cause, Trace, UnitState

__all__ = ["simulate_manoeuvre"]

_FASTEST = 0.5  # cells a step: the simulator's limit
_NEAR = 0.25  # who stands farther than this from its place, as a share of a step of the map, is told of
_TOLERANCE = 0.25  # how near to its spot a unit has arrived, in radii

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


def simulate_manoeuvre(manoeuvre: Manoeuvre, *, tick: float = 0.05, every: int = 1, seed: int = 0) -> Result[March]:
    """Carry a manoeuvre out in the simulator.

    tick: seconds of a step; every: record each so many of them.

    A unit walks a step of the map in as many seconds as its pace says, on any ground; prices count for the leader's way
    only. All of a formation are as wide as its widest unit. Of the modules two count: `orientation`, whole or track,
    and `speed`, of which "own" is as "slowest". SOLVED once all units stand in their places or have fallen; LIMIT if
    the manoeuvre's limit, or a stall, ends it before; NO_SOLUTION without a way. Raises InputError for a graph, which
    has no ground to stand on, for a formation with several orders or a later one, and for a tick that is not above 0 or
    so long that a unit would jump.
    """
    step = check_ticks(manoeuvre, tick, every)
    if not manoeuvre.formations:
        raise InputError("a manoeuvre to simulate", found="no formation", expected="one or more")
    cells = _Cells.of(manoeuvre.space)
    taken: set[int] = set()
    groups: list[Group] = []
    plans: list[FormationPlan] = []
    for i, formation in enumerate(manoeuvre.formations):
        name = formation.name or f"formation {i}"
        plan = _plan(formation, cells, name)
        if plan is None:
            return Result(Status.NO_SOLUTION, None, f"{name} has no way to its target")
        groups.append(_group(formation, plan, cells, step, taken, name))
        plans.append(plan)
    limits = Limits(steps=int(np.ceil(manoeuvre.limit / step - 1e-9)))
    scenario = Scenario(cells.grid, tuple(groups), limits=limits, seed=seed, name=manoeuvre.name)

    def replan(grid: Grid, group: int, units: NDArray[np.int64], positions: Floats, cause: Cause) -> GroupPlan:
        """Send who is lost or stuck to its place in the end, by itself."""
        first = sum(g.size for g in groups[:group])
        spot = {first + unit: spot for unit, spot in enumerate(plans[group].spot.tolist())}
        for formation in run.plans.formations.values():
            spot |= {unit: k for k, unit in enumerate(formation.holder.tolist()) if unit in spot}
        ways: list[ArrayLike] = []
        for unit, place in zip(units.tolist(), positions, strict=True):
            x, y = cells.stand(last[group][spot[unit]]).tolist()
            way = plan_astar(grid, Group(place[None], Target(x, y))).value
            ways.append(np.zeros((0, 2)) if way is None else way.path(0))
        return GroupPlan.of_paths(ways)

    last = [Spots(plan, plan.spot, np.zeros((plan.spot.size, 3))).last for plan in plans]
    orders = [GroupPlan.of_formation(plan) for plan in plans]
    run = Simulation(scenario, orders, seed=seed, replan=replan, record_every=every)
    falls = np.concatenate([formation.falls for formation in manoeuvre.formations])
    changes, held = _carried_out(run, np.ceil(falls / step - 1e-9), np.concatenate([plan.spot for plan in plans]))
    trace = cells.back(run.trace())
    near = _NEAR * cells.spacing * cells.side
    trouble = tuple(_trouble(trace, i, held[-1], cells.out(places), near) for i, places in enumerate(last))
    # a frame shows the end of its step, so what changed after a step is seen in the next one
    spots = held[np.searchsorted(changes, trace.times, side="left")]
    found = March(trace, step, trace.positions, spots, trouble)
    left, seconds = int(((trace.arrival < 0) & ~trace.fallen).sum()), trace.steps * step
    if not left:
        return Result(Status.SOLVED, found)
    return Result(
        Status.LIMIT, found, f"{left} of {trace.size} units were not in their places after {seconds:g} seconds"
    )


def _carried_out(run: Simulation, falls: Floats, spots: Longs) -> tuple[Longs, Longs]:
    """Run to the end; return int64[c], the steps after which units fell, and int64[c + 1, n]: who held which spot.

    falls float64[n]: the step after which each unit falls, unless it has arrived; spots int64[n]: what they hold first,
    -1 is nothing.
    """
    held, changes = [spots], list[int]()
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
    return np.array(changes, np.int64), np.array(held)


@dataclass(frozen=True, eq=False)
class _Cells:
    """A map as the simulator sees it: a place p of the map is at (p - origin) / side; spacing: its step, in cells."""

    grid: Grid
    side: float
    origin: float
    spacing: float

    @classmethod
    def of(cls, space: Lattice | Grid | Graph) -> _Cells:
        if isinstance(space, Grid):
            return cls(space, 1.0, 0.0, 1.0)
        if isinstance(space, Graph):
            raise InputError("map of a manoeuvre to simulate", found="a graph", expected="a map of triangles or cells")
        from scipy.spatial import KDTree

        ground = Ground.of(space)
        side, edge = space.spacing / 2, space.spacing / 2
        width, height = (int(np.ceil((extent + 2 * edge) / side - 1e-9)) for extent in space.extent)
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        middle = (np.stack((x, y), -1) + 0.5) * side - edge
        apart, near = KDTree(ground.points).query(middle)
        free = ground.walkable[near] & (apart <= space.spacing * 3**-0.5 * (1 + 1e-9))
        tails = np.repeat(np.arange(ground.size), np.diff(ground.indptr))
        steps = np.maximum(np.bincount(tails, minlength=ground.size), 1)
        seconds = np.bincount(tails, ground.weights, ground.size) / steps
        price = np.maximum(seconds / seconds[ground.walkable & (seconds > 0)].min(), 1.0)
        plain = Grid.from_free(free)
        return cls(replace(plain, cost=np.where(free, price[near], np.inf)), side, -edge, space.spacing / side)

    def into(self, places: Floats) -> Floats:
        """Return places of the map as places of the simulator."""
        return (places - self.origin) / self.side

    def out(self, places: Floats) -> Floats:
        """Return places of the simulator as places of the map."""
        return places * self.side + self.origin

    def stand(self, place: Floats, taken: Set[int] = frozenset()) -> Floats:
        """Return a place if its cell is free and nobody has taken it, else the middle of the nearest such cell."""
        x, y = np.floor(place).astype(np.int64).tolist()
        inside = 0 <= x < self.grid.width and 0 <= y < self.grid.height and self.grid.is_free(x, y)
        if inside and self.grid.vertex(x, y) not in taken:
            return place
        return self.grid.centres(self.nearest(place, taken))

    def nearest(self, place: Floats, taken: Set[int]) -> int:
        """Return the free cell nearest to a place that nobody has taken; raises InputError if none is left."""
        rows, columns = np.nonzero(self.grid.free)
        apart = (columns + 0.5 - place[0]) ** 2 + (rows + 0.5 - place[1]) ** 2
        for cell in np.argsort(apart, kind="stable").tolist():
            vertex = int(rows[cell] * self.grid.width + columns[cell])
            if vertex not in taken:
                return vertex
        raise InputError("places of a manoeuvre", found="no free cell left", expected="one for each unit")

    def back(self, trace: Trace) -> Trace:
        """Return a trace as seen on the map."""
        counters = replace(trace.counters, distance_travelled=trace.counters.distance_travelled * self.side)
        return replace(
            trace,
            positions=self.out(trace.positions),
            radius=trace.radius * self.side,
            planned_length=trace.planned_length * self.side,
            counters=counters,
        )


def _plan(formation: Formation, cells: _Cells, name: str) -> FormationPlan | None:
    """Return the plan of a formation, None if there is no way."""
    if len(formation.orders) > 1 or any(order.time > 0 for order in formation.orders):
        found = f"{len(formation.orders)} orders" if len(formation.orders) > 1 else "a later one"
        raise InputError(f"orders of {name} in the simulator", found=found, expected="one at time 0, with way-points")
    turns = formation.modules.orientation
    if turns not in TURNS:
        expected = " or ".join(TURNS)
        raise InputError(f"orientation of {name} in the simulator", found=repr(turns), expected=expected)
    schema = formation.schema.resized(1 / cells.side)
    places = [np.array([formation.start]), *(order.places for order in formation.orders)]
    through = np.array([cells.stand(place) for place in cells.into(np.concatenate(places))])
    way = leader_way(cells.grid, through, needed_room(schema, float(formation.radius.max()) * cells.spacing))
    if way is None:
        return None
    speed = "weighted" if formation.modules.speed == "weighted" else "slowest"
    return FormationPlan(schema, way, np.arange(schema.spots), formation.azimuth, speed, turns)


def _group(formation: Formation, plan: FormationPlan, cells: _Cells, tick: float, taken: set[int], name: str) -> Group:
    """Return a formation's units where they start, each in its place if that is free, else in the nearest free cell."""
    fastest = float(formation.pace.min())
    speed = tick * cells.spacing / fastest
    if speed > _FASTEST:
        most = f"at most {_FASTEST * fastest / cells.spacing:g} for {name}, so that no step can jump a wall"
        raise InputError("tick", found=f"{tick:g}", expected=most)
    positions = plan.way[0] + plan.schema.turned(plan.azimuth)
    for unit, place in enumerate(positions):
        positions[unit] = cells.stand(place, taken)
        x, y = np.floor(positions[unit]).astype(np.int64).tolist()
        taken.add(cells.grid.vertex(x, y))
    radius = float(formation.radius.max()) * cells.spacing
    x, y = plan.way[-1].tolist()
    target = Target(x, y, _TOLERANCE * radius)
    return Group(positions, target, radius, speed, name=formation.name, pace=formation.pace / fastest)


def _trouble(trace: Trace, group: int, held: Longs, drawn: Floats, near: float) -> str:
    """Return who of a formation does not stand in its place in the end, "" if all do; near: how far it may be.

    held int64[n]: the spot of each unit, -1 for the fallen; drawn float64[k, 2]: where the formation's spots are.
    """
    units = np.flatnonzero(trace.group == group)
    fallen = trace.fallen[units]
    off = np.hypot(*(trace.positions[-1, units] - drawn[held[units]]).T)
    said: list[str] = []
    for unit, far, state in zip(range(len(units)), off.tolist(), trace.state[-1, units].tolist(), strict=True):
        if fallen[unit]:
            continue
        if state == UnitState.REMOVED:
            said.append(f"unit {unit} was stuck and was given up")
        elif state != UnitState.ARRIVED:
            said.append(f"unit {unit} is under way")
        elif far > near:
            said.append(f"unit {unit} stands {far:.3g} from its place, which is in a wall or cut off by one")
    return "; ".join(said)
