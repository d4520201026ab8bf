"""The noun Lattice against the definition of its vertices and steps, and the distances of the published scenarios."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from anabasis.errors import InputError
from anabasis.lattice import STEP_NAMES, STEPS, Lattice
from anabasis.noun import state_hash

STEP_TABLE = {  # azimuth, what x and y grow by
    "north-east": (30, 1, -1),
    "east": (90, 2, 0),
    "south-east": (150, 1, 1),
    "south-west": (210, -1, 1),
    "west": (270, -2, 0),
    "north-west": (330, -1, -1),
}

sides = st.integers(1, 6)


def by_coordinates(width: int, height: int) -> dict[tuple[int, int], int]:
    """All vertices by their logical coordinates: those with an even sum, row by row, from 0."""
    vertices = [(x, y) for y in range(height) for x in range(2 * width) if (x + y) % 2 == 0]
    return {place: number for number, place in enumerate(vertices)}


def random_cost(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    cost = rng.uniform(0.5, 2.0, (height, width, 6))
    cost[rng.random(cost.shape) < 0.2] = np.inf
    return cost


def seconds(lattice: Lattice, start: int) -> np.ndarray:
    graph = lattice.graph()
    matrix = csr_array((graph.weights, graph.indices, graph.indptr), (graph.size, graph.size))
    return dijkstra(matrix, indices=start)


def test_steps_are_those_of_the_table():
    assert tuple(STEP_TABLE) == STEP_NAMES
    assert STEPS.tolist() == [[x, y] for _, x, y in STEP_TABLE.values()]
    assert (np.abs(STEPS).sum(axis=1) == 2).all()
    with pytest.raises(ValueError, match="read-only"):
        STEPS[0, 0] = 7


@given(sides, sides)
def test_vertices_and_where_steps_lead(width, height):
    lattice = Lattice.uniform(width, height)
    numbers = by_coordinates(width, height)
    assert (lattice.width, lattice.height, lattice.size) == (width, height, width * height)
    assert [tuple(place) for place in lattice.logical.tolist()] == list(numbers)
    for (x, y), number in numbers.items():
        assert lattice.vertex(x, y) == number
        expected = [numbers.get((x + dx, y + dy), -1) for _, dx, dy in STEP_TABLE.values()]
        assert lattice.heads[number // width, number % width].tolist() == expected
        assert np.isfinite(lattice.cost[number // width, number % width]).tolist() == [head >= 0 for head in expected]


@given(sides, sides)
def test_the_opposite_step_leads_back(width, height):
    heads = Lattice.uniform(width, height).heads.reshape(-1, 6)
    tails, direction = np.nonzero(heads >= 0)
    assert (heads[heads[tails, direction], (direction + 3) % 6] == tails).all()


@given(st.integers(1, 6), st.integers(1, 6), st.floats(0.1, 50))
def test_steps_are_of_one_length_and_go_where_their_names_say(width, height, spacing):
    lattice = Lattice.uniform(width, height, spacing=spacing)
    heads = lattice.heads.reshape(-1, 6)
    tails, direction = np.nonzero(heads >= 0)
    dx, dy = (lattice.points[heads[tails, direction]] - lattice.points[tails]).T
    assert np.hypot(dx, dy) == pytest.approx(np.full(tails.size, spacing))
    azimuths = np.array([azimuth for azimuth, _, _ in STEP_TABLE.values()])
    assert np.degrees(np.arctan2(dx, -dy)) % 360 == pytest.approx(azimuths[direction])
    assert lattice.points[0].tolist() == [0.0, 0.0]


def test_extent_holds_all_vertices_tightly():
    for width, height in ((1, 2), (4, 3), (50, 60)):
        lattice = Lattice.uniform(width, height, spacing=7.0)
        assert lattice.points.min(axis=0).tolist() == [0.0, 0.0]
        assert lattice.points.max(axis=0) == pytest.approx(lattice.extent)


@pytest.mark.parametrize(
    ("size", "start", "target", "edges"),
    [
        ((50, 50), (47, 39), (47, 11), 28),
        ((50, 50), (47, 21), (47, 27), 6),
        ((50, 50), (29, 37), (96, 8), 48),
        ((50, 60), (50, 42), (48, 2), 40),
        ((50, 50), (19, 39), (95, 3), 56),
    ],
)
def test_least_edges_of_the_published_scenarios(size, start, target, edges):
    lattice = Lattice.uniform(*size)
    assert seconds(lattice, lattice.vertex(*start))[lattice.vertex(*target)] == edges


def test_distances_on_uniform_ground_are_those_of_the_formula():
    lattice = Lattice.uniform(9, 8, cost=0.5)
    for start in range(0, lattice.size, 5):
        dx, dy = np.abs(lattice.logical - lattice.logical[start]).T
        assert (seconds(lattice, start) == 0.5 * np.maximum((dx + dy) / 2, dy)).all()


def test_graph_has_the_steps_that_can_be_taken():
    rng = np.random.default_rng(10)
    cost = random_cost(rng, 5, 4)
    graph = Lattice(cost, 3.0).graph()
    numbers = by_coordinates(5, 4)
    expected = []
    for (x, y), number in numbers.items():
        for d, (_, dx, dy) in enumerate(STEP_TABLE.values()):
            head = numbers.get((x + dx, y + dy))
            if head is not None and cost[y, x // 2, d] < np.inf:
                expected.append((number, head, cost[y, x // 2, d]))
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    assert list(zip(tails.tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)) == expected
    assert graph.points.tolist() == Lattice(cost, 3.0).points.tolist()
    assert not graph.symmetric
    assert Lattice.uniform(5, 4).graph().symmetric


def test_a_step_may_lead_one_way_only():
    cost = np.full((1, 3, 6), 1.0)
    cost[0, 1, STEP_NAMES.index("west")] = np.inf
    cost[0, 0, STEP_NAMES.index("east")] = 4.0
    lattice = Lattice(cost)
    assert seconds(lattice, 0).tolist() == [0, 4, 5]
    assert seconds(lattice, 2).tolist() == [np.inf, 1, 0]


def test_what_leads_off_the_map_cannot_be_taken():
    given_cost = np.full((2, 2, 6), 3.0)
    lattice = Lattice(given_cost)
    assert (given_cost == 3.0).all()
    assert (np.isinf(lattice.cost) == (lattice.heads < 0)).all()
    assert np.isfinite(lattice.cost).sum() == 2 * 5  # two rows, and three edges between them
    assert state_hash(Lattice(lattice.cost)) == state_hash(lattice)


def test_from_ground_takes_the_mean_of_both_ends():
    ground = np.array([[1.0, 3.0], [2.0, np.inf]])
    cost = Lattice.from_ground(ground).cost
    east, south_east, south_west, west = (STEP_NAMES.index(n) for n in ("east", "south-east", "south-west", "west"))
    assert cost[0, 0, east] == cost[0, 1, west] == 2.0
    assert cost[0, 0, south_east] == 1.5
    assert cost[0, 1, south_west] == 2.5
    assert np.isinf(cost[1, 1]).all() and cost[0, 1, south_east] == np.inf
    assert np.isfinite(cost).sum() == 6
    assert (Lattice.from_ground(np.full((4, 5), 2.5)).cost == Lattice.uniform(5, 4, 2.5).cost).all()


@given(sides, sides, st.integers(0, 99))
def test_from_ground_costs_the_same_there_and_back(width, height, seed):
    ground = np.random.default_rng(seed).choice([1.0, 2.0, 5.0, np.inf], (height, width))
    lattice = Lattice.from_ground(ground)
    heads, cost = lattice.heads.reshape(-1, 6), lattice.cost.reshape(-1, 6)
    tails, direction = np.nonzero(heads >= 0)
    there = heads[tails, direction]
    flat = ground.ravel()
    assert cost[tails, direction].tolist() == ((flat[tails] + flat[there]) / 2).tolist()
    assert cost[there, (direction + 3) % 6].tolist() == cost[tails, direction].tolist()


def test_a_lattice_is_read_only_and_shares_what_is():
    cost = np.full((3, 4, 6), 2.0)
    lattice = Lattice(cost)
    cost[:] = 9.0
    assert set(lattice.cost[np.isfinite(lattice.cost)].tolist()) == {2.0}
    for array in (lattice.cost, lattice.heads, lattice.logical, lattice.points):
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 1
    assert Lattice(lattice.cost).cost is lattice.cost
    assert repr(lattice) == "Lattice(cost=float64[3, 4, 6], spacing=20.0)"


def test_a_lattice_may_be_empty():
    for lattice in (Lattice(np.zeros((0, 0, 6))), Lattice(np.zeros((0, 5, 6))), Lattice.from_ground(np.zeros((0, 3)))):
        assert lattice.size == 0 == lattice.graph().size == len(lattice.points)


def cost_with(value: float) -> np.ndarray:
    cost = np.full((2, 3, 6), 1.0)
    cost[1, 2, 4] = value
    return cost


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: Lattice(cost_with(0.0)),
            "the step west out of x=5 (column), y=1 (row) of a lattice; found a cost of 0;",
        ),
        (lambda: Lattice(cost_with(-2.0)), "found a cost of -2; expected a cost above 0, inf where the step can't"),
        (lambda: Lattice(cost_with(-math.inf)), "found a cost of -inf"),
        (lambda: Lattice(cost_with(math.nan)), "cost of a lattice holds NaN"),
        (lambda: Lattice(np.ones((2, 3, 4))), "cost of a lattice has the wrong shape; found 2×3×4; expected any×any×6"),
        (lambda: Lattice(cost_with(1.0), 0.0), "spacing of a lattice; found 0.0; expected a length above 0"),
        (lambda: Lattice(cost_with(1.0), math.inf), "spacing of a lattice; found inf"),
        (lambda: Lattice(cost_with(1.0), math.nan), "spacing holds NaN"),
        (lambda: Lattice.from_ground([1.0, 2.0]), "ground of a lattice has the wrong shape"),
        (lambda: Lattice.from_ground([[1.0, math.nan]]), "ground of a lattice holds NaN"),
        (lambda: Lattice.from_ground([[-1.0, 3.0]]), "ground of a lattice; found a cost of -1; expected costs above 0"),
    ],
)
def test_wrong_input(call, said):
    with pytest.raises(InputError) as error:
        call()
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (1, 0, "found x=1 (column), y=0 (row); expected coordinates with an even sum"),
        (-1, 1, "found x=-1 (column), y=1 (row); expected y from 0 to 1, x from 0 to 4 in even rows and 1 to 5 in odd"),
        (6, 0, "expected y from 0 to 1"),
        (0, 1, "expected y from 0 to 1"),
        (7, 1, "expected y from 0 to 1"),
        (0, 2, "expected y from 0 to 1"),
        (1, -1, "expected y from 0 to 1"),
    ],
)
def test_vertices_that_are_not_there(x, y, said):
    lattice = Lattice.uniform(3, 2)
    with pytest.raises(InputError) as error:
        lattice.vertex(x, y)
    assert said in str(error.value)
