"""Units that are not alike: wide ones keep to ways that have room for them, slow ones are waited for."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.formation.ground import Ground
from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules
from anabasis.metrics.marches import march_faults
from anabasis.schema import Schema

STEP = 20.0
ROW = STEP * math.sqrt(3) / 2
PAIR = Schema.of([[0, 0], [0, 3]], [0, 0])


def two_gates(gap: int) -> Grid:
    """A wall with a gate of one cell ahead, and one of `gap` cells far to the right."""
    price = np.ones((24, 40))
    price[12] = np.inf
    price[12, 10] = 1
    price[12, 30 : 30 + gap] = 1
    return Grid(price, np.zeros(price.shape, np.uint8))


def wide(grid: Grid, radius: list[float], **modules: str) -> tuple[Manoeuvre, March]:
    formation = Formation(
        PAIR,
        (10.5, 18.5),
        0.0,
        Formation.of(PAIR, (0, 0), 0.0, (10.5, 4.5)).orders,
        Modules(**modules),
        radius=np.array(radius),
    )
    manoeuvre = Manoeuvre(grid, (formation,), limit=200.0)
    found = march(manoeuvre).value
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    return manoeuvre, found


@pytest.mark.parametrize("planning", ["trivial", "periodic", "bends"])
def test_a_wide_unit_takes_the_wide_gate_and_its_leader_goes_before_it(planning: str) -> None:
    _, small = wide(two_gates(4), [0.25, 0.25], planning=planning)
    assert small.logical[..., 0].max() < 20
    _, found = wide(two_gates(4), [0.25, 1.4], planning=planning)
    assert (found.logical[..., 0].max(0) > 25).all() and found.trouble == ("",)
    assert found.trace.radius.tolist() == [0.25, 1.4]


def test_a_way_too_narrow_for_a_member_is_told() -> None:
    _, found = wide(two_gates(2), [0.25, 1.4])
    assert found.trouble[0] == (
        "a way is too narrow for unit 1 of radius 1.4, the leader takes it; unit 1 can't reach its place, the way is "
        "too narrow for its radius of 1.4; it goes to the nearest that it can reach"
    )
    assert found.trace.positions[-1, 0, 1] == 4.5 and found.trace.positions[-1, 1, 1] > 13
    _, found = wide(two_gates(2), [1.4, 0.25])
    assert "the leader can't reach its place, the way is too narrow for its radius of 1.4" in found.trouble[0]


def test_who_is_placed_where_it_has_no_room_starts_where_it_has() -> None:
    grid = Grid.from_text("\n".join(["#" * 9, "#.......#", *["#.......#"] * 5, "#" * 9]))
    formation = Formation(Schema.of([[0, 0]], [0]), (1.5, 1.5), 0.0, (), radius=np.array([1.2]))
    found = march(Manoeuvre(grid, (formation,))).value
    assert found.trace.positions[-1].tolist() == [[2.5, 2.5]]


def closed_cells(space: Grid | Lattice) -> list[shapely.Polygon]:
    """What nobody can walk on, and a ring of it around the map."""
    if isinstance(space, Grid):
        free = np.pad(np.isfinite(space.cost), 1)
        return [shapely.box(x - 1, y - 1, x, y) for y, x in np.argwhere(~free)]
    free = np.isfinite(space.cost).any(2)
    cells: list[shapely.Polygon] = []
    for y in range(-1, space.height + 1):
        for x in range(-1, space.width + 1):
            inside = 0 <= y < space.height and 0 <= x < space.width
            if not (inside and free[y, x]):
                angle = np.radians(30 + 60 * np.arange(6))
                middle = np.array(((x + y % 2 / 2) * STEP, y * ROW))
                cells.append(shapely.Polygon(middle + STEP / 3**0.5 * np.stack((np.cos(angle), np.sin(angle)), 1)))
    return cells


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.booleans(), st.floats(0.02, 0.4))
def test_the_clearance_of_a_step_is_its_distance_from_closed_ground(seed: int, triangles: bool, share: float) -> None:
    rng = np.random.default_rng(seed)
    price = np.where(rng.random((7, 8)) < share, np.inf, 1.0)
    price[3, 3:5] = 1.0
    space = Lattice.from_ground(price, STEP) if triangles else Grid(price, np.zeros(price.shape, np.uint8))
    ground = Ground.of(space)
    tails = np.repeat(np.arange(ground.size), np.diff(ground.indptr))
    steps = shapely.linestrings(np.stack((ground.points[tails], ground.points[ground.indices]), 1))
    wanted = shapely.distance(steps, shapely.union_all(closed_cells(space)))
    assert ground.clearance == pytest.approx(wanted, abs=1e-9 * ground.spacing)
    # who isn't asked has room everywhere
    assert not ground.is_wide(ground.spacing / 4) and wanted.min() >= 12**-0.5 * ground.spacing - 1e-9


def test_a_graph_is_without_walls() -> None:
    graph = Graph.from_arcs([(0, 0), (1, 0), (2, 0)], [0, 1, 1, 2], [1, 0, 2, 1], np.ones(4))
    assert np.isinf(Ground.of(graph).clearance).all()


def column(pace: list[float], speed: str, synchronisation: str = "none") -> March:
    schema = schema_of("line", 3, spacing=2.0)
    grid = Grid.from_text("\n".join(["." * 30] * 9))
    formation = Formation.of(
        schema, (3.5, 4.5), 90.0, (23.5, 4.5), Modules(speed=speed, synchronisation=synchronisation)
    )
    formation = Formation(
        formation.schema, formation.start, 90.0, formation.orders, formation.modules, pace=np.array(pace)
    )
    return march(Manoeuvre(grid, (formation,))).value


def test_a_formation_goes_at_the_pace_of_its_slowest_or_of_the_average() -> None:
    pace = [1.0, 4.0, 1.0]  # seconds a cell, over 20 cells
    own, slowest, weighted = (column(pace, speed) for speed in ("own", "slowest", "weighted"))
    assert (own.trace.arrival * own.tick).tolist() == pytest.approx([20.0, 80.0, 20.0])
    assert (slowest.trace.arrival * slowest.tick).tolist() == pytest.approx([80.0, 80.0, 80.0])
    # speeds 1, 1/4, 1, the first one, between the others, counts twice: on average 13/16
    assert (weighted.trace.arrival * weighted.tick).tolist() == pytest.approx(
        [320 / 13, 80.0, 320 / 13], abs=weighted.tick
    )


def test_wrong_radii_and_paces_are_errors() -> None:
    for name, values in (
        ("radius", [0.0, 1.0]),
        ("radius", [math.inf, 1.0]),
        ("radius", [1.0]),
        ("falls", [-1.0, 0.0]),
    ):
        with pytest.raises(InputError, match=name):
            Formation(PAIR, (0.0, 0.0), 0.0, (), **{name: np.array(values)})
    with pytest.raises(InputError, match="speed"):
        Modules(speed="quick")


@pytest.mark.parametrize("radius", [[0.25, 1.0, 0.25], [1.0, 0.25, 0.25]])
def test_a_target_without_room_for_a_unit_is_told(radius: list[float]) -> None:
    rows = ["#" * 40, *["." * 14 + "#" * 26] * 6, "." * 40, *["." * 14 + "#" * 26] * 6, "#" * 40]
    schema = schema_of("column", 3, spacing=2.0)
    order = Formation.of(schema, (0, 0), 0.0, (36.5, 7.5)).orders
    formation = Formation(schema, (7.5, 7.5), 90.0, order, radius=np.array(radius))
    manoeuvre = Manoeuvre(Grid.from_text("\n".join(rows)), (formation,))
    found = march(manoeuvre).value
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    assert found.trouble[0]
    if radius[0] < 1:  # the leader goes where it is sent
        assert found.trace.positions[-1, 0].tolist() == [36.5, 7.5]
