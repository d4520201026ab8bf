"""The validator of marches: right ones pass, each kind of spoilt one is told."""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest

from anabasis.decompose.lattices import square_lattice
from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import PASSING, PLANNING, Formation, Manoeuvre, Modules
from anabasis.metrics.marches import _cell_steps, march_faults
from anabasis.schema import Schema

STEP = 20.0
ROW = STEP * math.sqrt(3) / 2


def hills() -> Lattice:
    rng = np.random.default_rng(4)
    price = rng.uniform(1.0, 2.0, (16, 16))
    price[8, :6] = price[8, 10:] = np.inf
    return Lattice.from_ground(price, STEP)


def on_triangles(modules: Modules) -> Manoeuvre:
    formation = Formation.of(schema_of("wedge", 5), (160.0, 12 * ROW), 0.0, (160.0, 3 * ROW), modules)
    return Manoeuvre(hills(), (formation,), limit=200.0)


def on_cells(modules: Modules) -> Manoeuvre:
    free = np.ones((20, 20), bool)
    free[9, :8] = free[9, 12:] = False
    schema = Schema.of([[0, 0], [-2, 2], [2, 2]], [0, 0, 0])
    formation = Formation.of(schema, (10.5, 16.5), 0.0, (10.5, 4.5), modules)
    return Manoeuvre(Grid.from_free(free), (formation,))


def marched(manoeuvre: Manoeuvre, tick: float = 0.05) -> March:
    found = march(manoeuvre, tick=tick).value
    assert found is not None
    return found


def faults(manoeuvre: Manoeuvre, found: March) -> list[str]:
    return march_faults(manoeuvre, found.trace, found.logical, tick=found.tick)


@pytest.mark.parametrize("place", [on_triangles, on_cells])
@pytest.mark.parametrize("planning", PLANNING)
@pytest.mark.parametrize("passing", PASSING)
def test_marches_as_they_are_have_no_fault(place: Callable[[Modules], Manoeuvre], planning: str, passing: str) -> None:
    manoeuvre = place(Modules(planning=planning, passing=passing))
    for tick in (0.05, 0.3):
        assert faults(manoeuvre, marched(manoeuvre, tick)) == []


def test_units_of_different_pace_have_no_fault() -> None:
    plain = on_triangles(Modules(synchronisation="none"))
    (formation,) = plain.formations
    slow = dataclasses.replace(formation, pace=np.array([0.7, 2.0, 1.0, 1.0, 3.0]))
    manoeuvre = dataclasses.replace(plain, formations=(slow,))
    found = marched(manoeuvre)
    assert faults(manoeuvre, found) == []
    assert "quicker than the map allows" in " ".join(faults(plain, found))  # the first is, without its pace


def spoilt(found: March, **changes: object) -> March:
    trace = dataclasses.replace(found.trace, **{k: v for k, v in changes.items() if k != "logical"})
    return March(trace, found.tick, np.asarray(changes.get("logical", found.logical)), found.spot, found.trouble)


@pytest.mark.parametrize("place", [on_triangles, on_cells])
def test_spoilt_marches_are_told(place: Callable[[Modules], Manoeuvre]) -> None:
    manoeuvre = place(Modules())
    found = marched(manoeuvre)
    middle = len(found.trace.times) // 2

    def changed(array: np.ndarray, frame: int, unit: int, by: tuple[float, float]) -> np.ndarray:
        other = array.copy()
        other[frame, unit] += by
        return other

    unit = 1.0 if isinstance(manoeuvre.space, Grid) else STEP
    beside = spoilt(found, logical=changed(found.logical, middle, 1, (0.0, 0.37 * unit)))
    assert any("is on no step" in fault or "quicker" in fault for fault in faults(manoeuvre, beside))
    # the same way in half the time
    half = found.logical[::2]
    times = np.arange(len(half))
    quick = March(
        dataclasses.replace(
            found.trace,
            times=times,
            positions=half,
            headings=found.trace.headings[::2],
            state=found.trace.state[::2],
            hashes=found.trace.hashes[::2],
            arrival=np.full(found.trace.size, -1),
            event_step=np.zeros(0),
            event_kind=np.zeros(0),
            event_unit=np.zeros(0),
            event_cause=np.zeros(0),
        ),
        found.tick,
        half,
        found.spot[::2],
        found.trouble,
    )
    assert any("quicker than the map allows" in fault for fault in faults(manoeuvre, quick))
    frames = np.arange(len(found.logical))
    frames[middle] = 0
    jumped = spoilt(found, logical=found.logical[frames])
    assert any("quicker" in fault for fault in faults(manoeuvre, jumped))
    outside = spoilt(found, positions=changed(found.trace.positions, middle, 0, (0.0, -1e4)))
    assert any("where nobody can walk" in fault for fault in faults(manoeuvre, outside))
    x, y = (0.5, 9.5) if isinstance(manoeuvre.space, Grid) else (STEP, 8 * ROW)  # in the wall
    there = found.trace.positions[middle, 0]
    into = spoilt(found, positions=changed(found.trace.positions, middle, 0, (x - there[0], y - there[1])))
    assert any("where nobody can walk" in fault for fault in faults(manoeuvre, into))
    twice = found.logical.copy()
    twice[-1, 1] = twice[-1, 0]
    said = faults(manoeuvre, spoilt(found, logical=twice))
    assert "unit 0 stands where another one does" in said and "unit 1 stands where another one does" in said
    moved = changed(found.trace.positions, -1, 2, (0.01, 0.0))
    restless = spoilt(found, positions=moved, arrival=found.trace.arrival - 1)
    assert "unit 2 moves after it has arrived" in faults(manoeuvre, restless)


def test_steps_of_cells_are_those_of_the_planner() -> None:
    rng = np.random.default_rng(3)
    cost = np.where(rng.random((9, 11)) < 0.25, np.inf, rng.choice([1.0, 2.0, 3.5], (9, 11)))
    grid = Grid(cost, np.zeros(cost.shape, np.uint8))
    points, tails, heads, weights = _cell_steps(grid)
    graph = square_lattice(grid)
    assert (points == graph.points).all()
    order = np.lexsort((heads, tails))
    theirs_tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    theirs = np.lexsort((graph.indices, theirs_tails))
    assert (tails[order] == theirs_tails[theirs]).all() and (heads[order] == graph.indices[theirs]).all()
    assert weights[order] == pytest.approx(graph.weights[theirs])


def test_a_unit_in_the_middle_of_four_cells_is_on_either_of_the_steps_that_cross_there() -> None:
    grid = Grid.from_text("\n".join(["." * 4] * 4))
    for start, target in (((0.5, 3.5), (3.5, 0.5)), ((3.5, 3.5), (0.5, 0.5))):
        manoeuvre = Manoeuvre(grid, (Formation.of(Schema.of([[0, 0]], [0]), start, 0.0, target),))
        found = march(manoeuvre, tick=2**0.5 / 4).value  # seconds; each second frame is half a step further
        assert (found.logical % 1 == 0).all(2).any()
        assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
