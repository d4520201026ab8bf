"""Flow fields: exact distances, and a walk through the vectors from anywhere gets to the target without a wall."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import state_hash
from anabasis.plan import FlowField
from anabasis.result import Status
from anabasis.scenario import Group, Target
from anabasis.search.flow_field import flow_field, flow_field_bfs, plan_vector_field, plan_vector_field_bfs

FIELDS = (flow_field, flow_field_bfs)


def random_grid(rng: np.random.Generator, height: int, width: int, share: float, price: int = 1) -> Grid:
    cost = rng.integers(1, price + 1, (height, width)).astype(float)
    cost[rng.random(cost.shape) < share] = np.inf
    return Grid(cost, np.full(cost.shape, ord("."), np.uint8))


def to_targets(grid: Grid, targets: list[int], neighbours: int, corners: str, steps: bool) -> np.ndarray:
    """Distance to the nearest target by scipy, on the graph of all allowed steps, turned round."""
    tails, heads, weights = [], [], []
    for y, x, dx, dy in product(range(grid.height), range(grid.width), (-1, 0, 1), (-1, 0, 1)):
        if (dx, dy) == (0, 0) or not (grid.is_free(x, y) and grid.is_free(x + dx, y + dy)):
            continue
        sides = grid.is_free(x + dx, y) + grid.is_free(x, y + dy)
        if dx and dy and (neighbours == 4 or sides < {"strict": 2, "loose": 1, "none": 0}[corners]):
            continue
        tails.append(grid.vertex(x + dx, y + dy))
        heads.append(grid.vertex(x, y))
        weights.append(1.0 if steps else float(np.hypot(dx, dy)) * grid.cost[y + dy, x + dx])
    n = grid.cost.size
    return dijkstra(csr_matrix((weights, (tails, heads)), (n, n)), indices=targets).min(axis=0).reshape(grid.cost.shape)


@settings(deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 14),
    st.integers(1, 14),
    st.floats(0, 0.45),
    st.sampled_from([1, 1, 6]),
    st.integers(1, 3),
    st.sampled_from([4, 8]),
    st.sampled_from(["strict", "loose", "none"]),
)
def test_distances_are_those_of_scipy(
    seed: int, width: int, height: int, share: float, price: int, count: int, neighbours: int, corners: str
) -> None:
    rng = np.random.default_rng(seed)
    grid = random_grid(rng, height, width, share, price)
    free = np.flatnonzero(grid.free)
    if not free.size:
        return
    targets = rng.choice(free, count).tolist()
    for make in FIELDS:
        result = make(grid, targets, neighbours=neighbours, corners=corners)
        field = result.value
        assert field is not None
        expected = to_targets(grid, targets, neighbours, corners, make is flow_field_bfs)
        np.testing.assert_allclose(field.distance, expected, rtol=1e-13)
        assert result.stats["reached"] == np.isfinite(expected).sum()
        norm = np.hypot(field.direction[..., 0], field.direction[..., 1])
        moving = (np.isfinite(expected) & (expected > 0)) | ~grid.free
        np.testing.assert_allclose(norm, moving, atol=1e-15)


def test_a_length_is_rounded_once() -> None:
    rng = np.random.default_rng(4)
    grid = random_grid(rng, 90, 120, 0.2)
    target = int(np.flatnonzero(grid.free)[0])
    field = flow_field(grid, target, wall_turn=0).value
    assert field is not None
    checked = 0
    for vertex in rng.choice(np.flatnonzero(np.isfinite(field.distance)), 300):
        x, y = grid.cell(int(vertex))
        straight = diagonal = 0
        while field.distance[y, x] > 0:
            dx, dy = np.sign(field.direction[y, x]).astype(int)
            diagonal, straight = diagonal + bool(dx and dy), straight + (not (dx and dy))
            x, y = x + dx, y + dy
        x, y = grid.cell(int(vertex))
        assert field.distance[y, x] == straight + diagonal * 2**0.5
        checked += diagonal > 0
    assert checked > 200


def walk(grid: Grid, field: FlowField, x: float, y: float) -> int:
    """Walk through the field from cell border to cell border; return the cells passed, -1 for a wall, -2 for no end."""
    cx, cy = int(x), int(y)
    for count in range(6 * grid.cost.size + 50):
        if not grid.is_free(cx, cy):
            return -1
        if field.distance[cy, cx] == 0:
            return count
        vx, vy = field.direction[cy, cx]
        to_x = ((cx + (vx > 0)) - x) / vx if vx else np.inf
        to_y = ((cy + (vy > 0)) - y) / vy if vy else np.inf
        t = min(to_x, to_y)
        x, y = x + t * vx, y + t * vy
        if to_x <= t * (1 + 1e-12):
            cx += 1 if vx > 0 else -1
            x = float(cx + (vx < 0))
        if to_y <= t * (1 + 1e-12):
            cy += 1 if vy > 0 else -1
            y = float(cy + (vy < 0))
    return -2


@settings(deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 12),
    st.integers(2, 12),
    st.floats(0, 0.4),
    st.sampled_from([1, 5]),
    st.sampled_from([0.0, 15.0, 44.0]),
    st.sampled_from([4, 8]),
)
def test_a_walk_from_anywhere_gets_to_the_target_without_a_wall(
    seed: int, width: int, height: int, share: float, price: int, wall_turn: float, neighbours: int
) -> None:
    rng = np.random.default_rng(seed)
    grid = random_grid(rng, height, width, share, price)
    free = np.flatnonzero(grid.free)
    if not free.size:
        return
    for make in FIELDS:
        field = make(grid, rng.choice(free), wall_turn=wall_turn, neighbours=neighbours).value
        assert field is not None
        for y, x in np.argwhere(np.isfinite(field.distance)).tolist():
            for dx, dy in [(0.5, 0.5), *rng.uniform(0.001, 0.999, (3, 2))]:
                assert walk(grid, field, x + dx, y + dy) >= 0


def test_the_walker_finds_walls_and_circles() -> None:
    grid = Grid.from_text("..#")
    into_wall = FlowField([[1, 1, np.inf]], [[[1, 0], [1, 0], [0, 0]]])
    assert walk(grid, into_wall, 0.5, 0.5) == -1
    circle = FlowField([[1, 1, np.inf]], [[[1, 0], [-1, 0], [0, 0]]])
    assert walk(grid, circle, 0.5, 0.5) == -2


def test_vectors_along_a_wall_are_turned_away_from_it() -> None:
    grid = Grid.from_text("##########\n..........\n..........\n..........\n..........")
    for make in FIELDS:
        field = make(grid, grid.vertex(9, 1), wall_turn=20).value
        plain = make(grid, grid.vertex(9, 1), wall_turn=0).value
        assert field is not None and plain is not None
        turned = [np.cos(np.radians(20)), np.sin(np.radians(20))]
        np.testing.assert_allclose(field.direction[1, 1:8], [turned] * 7)
        assert (plain.direction[1, :9] == [1, 0]).all()
        assert (field.direction[2:4, 1:7] == plain.direction[2:4, 1:7]).all(), "far from walls nothing is turned"


def test_most_vectors_close_to_walls_are_turned_on_a_real_shape() -> None:
    free = np.ones((40, 60), bool)
    free[10:30, 20:23] = free[5:12, 40:50] = False
    grid = Grid.from_free(free)
    field, plain = (flow_field(grid, grid.vertex(55, 20), wall_turn=turn).value for turn in (15, 0))
    assert field is not None and plain is not None
    changed = (field.direction != plain.direction).any(axis=2)
    assert changed.sum() > 30
    assert not changed[~free].any()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 14), st.integers(1, 14), st.floats(0.3, 0.98))
def test_walls_point_to_the_nearest_free_cell(seed: int, width: int, height: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    grid = random_grid(rng, height, width, share)
    if not grid.free.any():
        return
    field = flow_field(grid, np.flatnonzero(grid.free)[0]).value
    assert field is not None
    free = np.argwhere(grid.free)[:, ::-1]
    for y, x in np.argwhere(~grid.free).tolist():
        away = free - (x, y)
        length = np.hypot(away[:, 0], away[:, 1])
        nearest = away[length == length.min()] / length.min()
        assert (np.abs(nearest - field.direction[y, x]).max(axis=1) < 1e-12).any()


def test_turning_the_map_turns_the_distances() -> None:
    rng = np.random.default_rng(8)
    grid = random_grid(rng, 30, 21, 0.25, 3)
    target = int(np.flatnonzero(grid.free)[40])
    x, y = grid.cell(target)
    for make in FIELDS:
        field = make(grid, target).value
        flipped = Grid(grid.cost.T[::-1], grid.terrain.T[::-1])
        turned = make(flipped, flipped.vertex(y, grid.width - 1 - x)).value
        assert field is not None and turned is not None
        np.testing.assert_allclose(turned.distance[::-1].T, field.distance, rtol=1e-14)


def test_wrong_fields_are_refused() -> None:
    grid = Grid.from_text("..#")
    for targets, text in (
        ([], "without a target"),
        (3, "a target is outside the map; found vertex 3; expected 0 to 2"),
        (-1, "a target is outside the map"),
        (2, r"a target is blocked; found x=2 \(column\), y=0 \(row\)"),
        (0.5, "whole numbers"),
    ):
        with pytest.raises(InputError, match=text):
            flow_field(grid, targets)
    with pytest.raises(InputError, match="wall_turn of a flow field; found 45; expected 0 to 44 degrees"):
        flow_field(grid, 0, wall_turn=45)
    for turn in (np.nan, None, "15"):
        with pytest.raises(InputError, match="wall_turn of a flow field; found"):
            flow_field(grid, 0, wall_turn=turn)
    with pytest.raises(InputError, match="this needs a map of cells; found a Graph; expected a Grid"):
        flow_field(Graph.from_arcs([[0, 0]], [], [], []), 0)
    with pytest.raises(InputError, match="neighbours"):
        flow_field(grid, 0, neighbours=6)
    with pytest.raises(InputError, match="corner rule"):
        flow_field_bfs(grid, 0, corners="sharp")


@pytest.mark.parametrize("plan", [plan_vector_field, plan_vector_field_bfs])
def test_the_group_planners(plan) -> None:
    grid = Grid.from_text("...#.\n...#.\n...##")
    group = Group([[0.5, 0.5], [4.2, 1.7], [2.9, 2.1]], Target(0.3, 2.9))
    result = plan(grid, group)
    assert result.status is Status.SOLVED
    assert result.value.route.tolist() == [0, -1, 0]
    assert result.stats["without_way"] == 1
    assert result.value.field.distance[2, 0] == 0
    assert not result.value.points.size
    assert state_hash(plan(grid, group, seed=9).value) == state_hash(result.value)

    result = plan(grid, Group([[4.5, 0.5], [4.5, 0.6]], Target(2.5, 1.5)))
    assert result.status is Status.NO_SOLUTION
    assert "no unit can reach the target at x=2 (column), y=1 (row)" in result.reason
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (4, 1)

    with pytest.raises(InputError, match=r"unit 1 stands in a wall or outside the map; found x=3 \(column\)"):
        plan(grid, Group([[0.5, 0.5], [3.5, 0.5]], Target(0.5, 0.5)))
    with pytest.raises(InputError, match="the target lies in a wall or outside the map"):
        plan(grid, Group([[0.5, 0.5]], Target(9.5, 0.5)))
