"""The taut string: in the same homotopy class, never longer, bent around corners only, a fixed point."""

from itertools import pairwise

import numpy as np
import pytest
from search_oracle import random_grid

from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics.paths import path_faults
from anabasis.metrics.polylines import world_faults
from anabasis.noun import state_hash
from anabasis.plan import Path
from anabasis.search.anya import Anya
from anabasis.search.astar import AStar
from anabasis.search.taut import taut
from anabasis.world import World


def polyline(points):
    points = np.asarray(points, float)
    return Path([], points, float(np.hypot(*np.diff(points, axis=0).T).sum()) if len(points) > 1 else 0.0)


def winding(points, place):
    """How often a closed polyline goes round a place that does not lie on it, times 2π."""
    angles = np.arctan2(*(points - place).T[::-1])
    turns = np.diff(np.append(angles, angles[0]))
    return float(((turns + np.pi) % (2 * np.pi) - np.pi).sum())


def check_pulled(world, path, pulled):
    ends = {"start": path.points[0], "goal": path.points[-1]}
    assert world_faults(world, pulled, **ends) == []
    assert not pulled.vertices.size
    assert pulled.cost <= path.length * (1 + 1e-12)
    assert pulled.cost == pytest.approx(pulled.length, rel=1e-12)
    places = {tuple(p) for p in world.points.tolist()}
    assert {tuple(p) for p in pulled.points[1:-1].tolist()} <= places, "bends are corners"
    assert state_hash(taut(world, pulled)) == state_hash(pulled), "a fixed point"


def walk(rng, grid, steps):
    """A random walk of straight steps over cells, back and forth and round obstacles."""
    cells = np.argwhere(grid.free)[:, ::-1]
    x, y = cells[rng.integers(len(cells))].tolist()
    points = [(x, y)]
    for _ in range(steps):
        dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[rng.integers(4)]
        for _ in range(rng.integers(1, 5)):
            if not grid.is_free(x + dx, y + dy):
                break
            x, y = x + dx, y + dy
            points.append((x, y))
    return polyline(np.array(points) + 0.5)


def test_walks_on_grids_are_pulled_tight():
    rng, shorter = np.random.default_rng(2), 0
    for _ in range(60):
        grid = random_grid(rng, 14)
        if not grid.free.any():
            continue
        path = walk(rng, grid, 25)
        pulled, world = taut(grid, path), grid_world(grid)
        if len(pulled.points) == 1:
            assert (path.points[0] == path.points[-1]).all()
            continue
        check_pulled(world, path, pulled)
        assert state_hash(taut(world, path)) == state_hash(pulled), "a grid is a world"
        shorter += pulled.cost < path.cost - 1e-9
        # the loop out along the path and back along the string goes round no blocked cell
        loop = np.concatenate((path.points, pulled.points[::-1]))
        for y, x in np.argwhere(~grid.free).tolist():
            assert abs(winding(loop, (x + 0.5, y + 0.5))) < 1e-6
    assert shorter > 20


def test_a_string_lies_on_the_inner_side_of_every_bend():
    rng = np.random.default_rng(3)
    for _ in range(40):
        grid = random_grid(rng, 16)
        if not grid.free.any():
            continue
        points = taut(grid, walk(rng, grid, 30)).points
        for (a, b), (_, c) in pairwise(pairwise(points)):
            turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
            # a hair inside the bend there is a blocked cell, on the line that halves its angle
            inward = (a - b) / np.hypot(*(a - b)) + (c - b) / np.hypot(*(c - b))
            assert turn != 0
            assert not grid.is_free(*np.floor(b + 1e-6 * inward).astype(int).tolist())


def test_shortest_paths_are_taut_and_paths_of_steps_become_nearly_shortest():
    rng, same, count = np.random.default_rng(4), 0, 0
    for _ in range(60):
        grid = random_grid(rng, 20)
        start, goal = rng.integers(grid.cost.size, size=2).tolist()
        best, steps = Anya(grid).find(start, goal).value, AStar(grid).find(start, goal).value
        if best is None or steps is None:
            continue
        assert taut(grid, best).cost == pytest.approx(best.cost, rel=1e-12)
        pulled = taut(grid, steps)
        assert path_faults(grid, pulled, start=start, goal=goal, corners="loose") == []
        assert best.cost * (1 - 1e-12) <= pulled.cost <= steps.cost * (1 + 1e-12)
        count += 1
        same += pulled.cost <= best.cost * (1 + 1e-12)
    assert count > 20
    assert same / count > 0.8


def test_worlds_at_any_angle():
    rng = np.random.default_rng(5)
    for _ in range(15):
        rings, places = [], []
        for number in range(30):
            x, y = 10 + 20 * (number % 6) + rng.uniform(-2, 2), 10 + 20 * (number // 6) + rng.uniform(-2, 2)
            angles = np.sort(rng.uniform(0, 2 * np.pi, 5))
            rings.append(np.stack((x + 7 * np.cos(angles), y + 7 * np.sin(angles)), axis=1))
            places.append(rings[-1].mean(axis=0))
        world = World.of((0, 0, 120, 100), rings)
        space = free_space(world)
        points = [rng.uniform((0, 0), (120, 100))]
        while not space.free([points[0]])[0]:
            points = [rng.uniform((0, 0), (120, 100))]
        while len(points) < 25:
            step = points[-1] + rng.normal(0, 12, 2)
            if space.free([step])[0] and space.sees(points[-1], step):
                points.append(step)
        path = polyline(points)
        pulled = taut(world, path)
        check_pulled(world, path, pulled)
        loop = np.concatenate((path.points, pulled.points[::-1]))
        assert all(abs(winding(loop, place)) < 1e-6 for place in places)


def test_a_loop_round_an_obstacle_stays():
    world = World.of((0, 0, 10, 10), [[(4, 4), (6, 4), (6, 6), (4, 6)]])
    around = [(1, 5), (5, 1), (9, 5), (5, 9), (1, 5), (5, 1), (9, 5)]
    pulled = taut(world, polyline(around))
    assert pulled.points.tolist() == [[1, 5], [4, 4], [6, 4], [6, 6], [4, 6], [4, 4], [6, 4], [9, 5]]
    beside = taut(world, polyline([(1, 5), (5, 1), (9, 5), (5, 1), (1, 5)]))
    assert beside.points.tolist() == [[1, 5]]
    assert beside.cost == 0


def test_paths_that_cannot_be_pulled():
    grid = Grid.from_text(".#\n#.")
    with pytest.raises(InputError, match=r"between two that touch; found from \(0.5, 0.5\) to \(1.5, 1.5\)"):
        taut(grid, polyline([(0.5, 0.5), (1.5, 1.5)]))
    with pytest.raises(InputError, match="through an obstacle"):
        taut(grid, polyline([(0.5, 0.5), (1.5, 0.5)]))
    with pytest.raises(InputError, match="stands in an obstacle"):
        taut(grid, polyline([(1.5, 0.5)]))
    with pytest.raises(InputError, match="knows no prices"):
        taut(Grid.from_text("12"), polyline([(0.5, 0.5), (1.5, 0.5)]))
    assert taut(grid, polyline([(0.5, 0.5)])).points.tolist() == [[0.5, 0.5]]
    assert not len(taut(grid, polyline(np.empty((0, 2)))).points)
