"""Tiny problems of many agents and of changing worlds, with known answers; they compile the kernels of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.grid import Grid
    from anabasis.instance import Instance
    from anabasis.methods import Method

__all__ = ["AgentCheck", "agent_checks"]

AgentCheck = tuple[str, Callable[[], object], object]
"""What is looked at, what computes it, and what it is to be."""

_BAYS = """
.....
.#.#.
.....
"""
_LEAST = 20  # steps of the four agents of `_crossing` together, at the least


def agent_checks() -> Iterator[AgentCheck]:
    """Give the checks: every solver on a map and, where it can, among known changes; what lives longer than a call."""
    from anabasis.methods import METHODS

    for row in METHODS:
        if row.family != "mapf":
            continue
        yield f"{row.name}: four agents cross", partial(_crossed, row), _LEAST if row.optimal else True
        if "changes" in row.can:
            yield f"{row.name}: a door closes", partial(_door, row), True
        if "directed" in row.can:
            yield f"{row.name}: round a ring one way", partial(_ring, row), 6 if row.optimal else True
    yield "least makespan", _makespan, 6
    yield "prices: a wait is cheaper than a hill", _priced, True
    yield "no solution: proved", _unsolvable, [True, False]
    yield "one unit among obstacles whose ways are known", _sipp, 5
    yield "eecbs, lns2: four agents in each other's way", _in_the_way, [[], []]
    yield "the next step, as a wall comes and goes", _stepped, [1, 5, 1]
    yield "a map that is not known is walked", _explored, ["solved", 6.0]
    yield "who has which place is kept, given free and forgotten", _reserved, [[0], [], [0], []]
    yield "a plan on a ring is walked", _traced, [3, 0]
    yield "a path is mended as walls and roads come and go", _mended, [4.0, 8.0, 4.0, 2.0, 4.0]
    yield "lifelong: tasks are done by each strategy", _tasks, [True, True, "", True]
    yield "delays: everybody arrives", _delayed, True
    yield "changes while running: a door closes and opens", _repaired, True
    yield "turns: four units cross a map", _turns, True
    yield "plans: what is read is what was written", _files, True


def _grid() -> Grid:
    from anabasis.grid import Grid

    return Grid.from_text(_BAYS)


def _crossing() -> Instance:
    from anabasis.instance import Instance

    return Instance.of(_grid(), [0, 14, 2, 12], [14, 0, 10, 4])


def _cost(row: Method, instance: Instance) -> object:
    """Return the sum of costs if the solver proves the least, else whether its plan is valid; None if it is not."""
    from anabasis.metrics.plan_review import review_plan
    from anabasis.metrics.plans import plan_faults

    result = row.load()(instance)
    if result.value is None or plan_faults(instance, result.value) or review_plan(instance, result.value):
        return None
    return int(result.stats["sum_of_costs"]) if row.optimal else True


def _crossed(row: Method) -> object:
    return _cost(row, _crossing())


def _door(row: Method) -> object:
    import numpy as np

    from anabasis.instance import Instance

    changes = np.array([2, 8]), np.array([2, 2]), np.array([True, False])
    return _cost(row, Instance(_grid(), np.array([0, 14]), np.array([4, 10]), *changes)) is not None


def _ring(row: Method) -> object:
    return _cost(row, _on_a_ring())


def _on_a_ring() -> Instance:
    from anabasis.graph import Graph
    from anabasis.instance import Instance

    points = [(0, 0), (2, 0), (2, 2), (0, 2)]
    ring = Graph.from_arcs(points, [0, 1, 2, 3], [1, 2, 3, 0], [2.0] * 4)
    return Instance.of(ring, [0, 1], [3, 0])


def _makespan() -> object:
    from anabasis.mapf.cbs import cbs

    return int(cbs(_crossing(), objective="makespan").stats["makespan"])


def _priced() -> object:
    from anabasis.instance import Instance
    from anabasis.mapf.independence import independence

    return bool(independence(Instance.of(_grid(), [0, 4], [4, 0]), solver="priced_cbs"))


def _unsolvable() -> object:
    from anabasis.grid import Grid
    from anabasis.instance import Instance
    from anabasis.mapf.board import Board
    from anabasis.mapf.solvability import solvable

    narrow = Instance.of(Grid.from_text("..."), [0, 2], [2, 0])
    return [solvable(Board(instance, "solvable")) for instance in (_crossing(), narrow)]


def _sipp() -> object:
    import numpy as np

    from anabasis.search.sipp import sipp

    guard = np.array([[4], [3], [2], [1], [0], [5], [10]])
    return int(sipp(_grid(), 10, 4, obstacles=guard).stats["arrival"]) - 1


def _in_the_way() -> object:
    from anabasis.instance import Instance
    from anabasis.mapf.eecbs import eecbs
    from anabasis.mapf.lns2 import lns2
    from anabasis.metrics.plans import plan_faults

    instance = Instance.of(_grid(), [3, 7, 10, 9], [0, 11, 1, 10])
    plans = [solver(instance).value for solver in (eecbs, lns2)]
    return [None if plan is None else plan_faults(instance, plan) for plan in plans]


def _stepped() -> object:
    import numpy as np

    from anabasis.search.dstar_lite import DStarLite

    search = DStarLite(_grid(), 0, 4, neighbours=4)
    return [search.next_step(), *(search.step_after(np.array([2]), np.array([price])) for price in (np.inf, 1.0))]


def _explored() -> object:
    from anabasis.search.exploring import explore_to

    walk = explore_to(_grid(), 5, 9, neighbours=4)
    return [walk.status.value, walk.path.cost]


def _reserved() -> object:
    from anabasis.mapf.board import Board
    from anabasis.mapf.timed_search import Reserved

    reserved = Reserved(Board(_crossing(), "reserved"))
    met: list[object] = []
    for undo in (lambda: reserved.release([0, 1, 2], 0), lambda: reserved.forget(3)):
        reserved.reserve(0, [0, 1, 2], 0)
        met.append(reserved.met([2, 1, 0], 0).tolist())
        undo()
        met.append(reserved.met([2, 1, 0], 0).tolist())
    return met


def _traced() -> object:
    from anabasis.mapf.cbs import cbs
    from anabasis.mapf.execution import plan_trace

    instance = _on_a_ring()
    plan = cbs(instance).value
    trace = None if plan is None else plan_trace(instance, plan)
    return trace and [trace.steps, int(trace.counters.unit_collisions.sum())]


def _mended() -> object:
    from anabasis.graph import Graph
    from anabasis.search.dstar_lite import DStarLite

    search = DStarLite(_grid(), 0, 4, neighbours=4)
    found: list[float] = []
    for price in (1.0, float("inf"), 1.0):
        search.change([2], [price])
        found.append(search.path().bound)
    places = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0)]
    search = DStarLite(Graph.from_arcs(places, [0, 1, 0, 3], [1, 2, 3, 2], [1.0, 1.0, 2.0, 2.0]), 0, 2)
    for weight in (1.0, float("inf")):
        search.change_arcs([1], [2], [weight])
        found.append(search.path().bound)
    return found


def _tasks() -> object:
    from anabasis.grid import Grid
    from anabasis.mapf.errands import Errands, pickup_errands
    from anabasis.mapf.lifelong import lifelong
    from anabasis.mapf.pickup_delivery import token_passing, well_formed

    grid = Grid.from_text("\n".join(["......"] * 6))
    queues = Errands.of_queues([0, 35], [[35, 0], [0, 35]])
    both = [bool(lifelong(grid, queues, strategy=strategy)) for strategy in ("rolling", "inheritance")]
    stream = pickup_errands([0, 5], [14, 21, 26], 4)
    return [*both, well_formed(grid, stream), bool(token_passing(grid, stream))]


def _delayed() -> object:
    from anabasis.mapf.dependency_graph import execute_with_delays
    from anabasis.mapf.eecbs import eecbs
    from anabasis.metrics.plans import plan_faults

    instance = _crossing()
    plan = eecbs(instance).value
    if plan is None:
        return False
    walked = execute_with_delays(instance, plan, chance=0.3, seed=1)
    return not plan_faults(instance, walked.plan) and walked.stretch >= 1


def _repaired() -> object:
    from anabasis.mapf.eecbs import eecbs
    from anabasis.mapf.repair import Replanner
    from anabasis.metrics.plans import plan_faults

    instance = _crossing()
    plan = eecbs(instance).value
    if plan is None:
        return False
    under_way = Replanner(instance, plan)
    under_way.advance(1)
    taken = {*under_way.places.values(), *under_way.wanted.values()}
    free = next(v for v in (7, 5, 9, 12, 1, 3) if v not in taken)
    under_way.close(free)
    under_way.open(free)
    return not plan_faults(under_way.instance, under_way.plan)


def _turns() -> object:
    from anabasis.mapf.turn_based import add_unit, end_turn, order, session_of

    session = session_of(_grid(), neighbours=4, turns=True)
    for name, (x, y) in {"A": (0, 0), "B": (4, 2)}.items():
        session = add_unit(session, name, _tile(x, y), points=2)
    session = order(order(session, "A", _tile(4, 2)), "B", _tile(0, 0))
    for _ in range(8):
        session = end_turn(session)
    return {unit.name: unit.place for unit in session.units} == {"A": _tile(4, 2), "B": _tile(0, 0)}


def _tile(x: int, y: int) -> int:
    return _grid().vertex(x, y)


def _files() -> object:
    import tempfile
    from pathlib import Path

    from anabasis.io.plan_files import PLAN_SUFFIXES, load_plan, save_plan
    from anabasis.mapf.eecbs import eecbs

    instance = _crossing()
    plan = eecbs(instance).value
    if plan is None:
        return False
    same: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in PLAN_SUFFIXES:
            file = Path(folder) / f"plan{suffix}"
            save_plan(file, instance, plan)
            same.append(load_plan(file, instance).plan.vertices.tolist() == plan.vertices.tolist())
    return all(same)
