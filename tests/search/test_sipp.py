"""SIPP: the arrival is that of a breadth-first search over places and times, among obstacles that move, come and go."""

import numpy as np
import pytest
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.result import Status
from anabasis.search.sipp import sipp


def _neighbours(grid: Grid, v: int, eight: bool) -> list[int]:
    x, y = grid.cell(v)
    found: list[int] = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if (dx, dy) == (0, 0) or (dx and dy and not eight):
                continue
            around = [(x + dx, y + dy), (x + dx, y), (x, y + dy)]  # a diagonal needs both sides free
            if all(0 <= a < grid.width and 0 <= b < grid.height and grid.free[b, a] for a, b in around):
                found.append(grid.vertex(x + dx, y + dy))
    return found


def _earliest(grid: Grid, start: int, goal: int, obstacles: NDArray[np.int64], eight: bool) -> int | None:
    """Return the arrival found by a search over (vertex, step), in plain Python."""
    steps = len(obstacles)
    most = steps + grid.width * grid.height + 1  # when nothing moves any more, no way is longer than the map

    def at(t: int) -> list[int]:
        return obstacles[min(t, steps - 1)].tolist() if steps else []

    front = {start} - set(at(0))
    for t in range(most):
        if goal in front and all(goal not in at(u) for u in range(t, max(t, steps) + 1)):
            return t
        before, after = at(t), at(t + 1)
        swaps = {(b, a) for a, b in zip(before, after, strict=True)}
        following = {(u, v) for u in front for v in [u, *_neighbours(grid, u, eight)] if v not in after}
        front = {v for u, v in following if u == v or (u, v) not in swaps}
    return None


def _check_way(grid: Grid, rows: list[int], obstacles: NDArray[np.int64], eight: bool) -> None:
    for t in range(len(rows) + len(obstacles)):
        here = rows[min(t, len(rows) - 1)]
        others = obstacles[min(t, len(obstacles) - 1)].tolist() if len(obstacles) else []
        assert here not in others
        if t:
            before = rows[min(t - 1, len(rows) - 1)]
            assert here == before or here in _neighbours(grid, before, eight)
            past = obstacles[min(t - 1, len(obstacles) - 1)].tolist() if len(obstacles) else []
            assert all(not (p == here and o == before) for p, o in zip(past, others, strict=True) if here != before)


def _drunkards(grid: Grid, rng: np.random.Generator, count: int, steps: int) -> NDArray[np.int64]:
    """Return int64[steps, count]: obstacles that wander, and now and then are nowhere."""
    free = np.flatnonzero(grid.free.ravel())
    rows = np.empty((steps, count), np.int64)
    for i in range(count):
        at = int(rng.choice(free))
        for t in range(steps):
            choices = [at, *_neighbours(grid, at, False)]
            at = int(rng.choice(choices))
            rows[t, i] = at if rng.random() > 0.05 else -1
    return rows


@pytest.mark.parametrize("eight", [False, True])
def test_arrival_is_the_earliest_there_is(eight: bool) -> None:
    rng = np.random.default_rng(11 + eight)
    solved = 0
    for _ in range(250):
        height, width = rng.integers(1, 7, 2)
        free = rng.random((height, width)) > 0.2
        free[0, 0] = True
        grid = Grid.from_free(free)
        cells = np.flatnonzero(free.ravel())
        start, goal = (int(v) for v in rng.choice(cells, 2))
        obstacles = _drunkards(grid, rng, int(rng.integers(0, 6)), int(rng.integers(1, 14)))
        expected = _earliest(grid, start, goal, obstacles, eight)
        result = sipp(grid, start, goal, obstacles=obstacles, neighbours=8 if eight else 4)
        if expected is None:
            assert result.status is Status.NO_SOLUTION and result.reason
            continue
        solved += 1
        assert result.value is not None
        rows = result.value.vertices[:, 0].tolist()
        assert (rows[0], rows[-1]) == (start, goal)
        assert len(rows) - 1 == expected == result.stats["arrival"]
        _check_way(grid, rows, obstacles, eight)
    assert 60 < solved < 240  # both outcomes are met often


def test_waits_before_a_sentry_and_steps_aside() -> None:
    grid = Grid.from_text(".....\n##.##")
    sentry = [[4], [3], [2], [1], [0], [-1]]  # comes along the corridor and leaves the map
    result = sipp(grid, 0, 4, obstacles=sentry)
    assert result.status is Status.NO_SOLUTION  # the bay is taken too late, and the sentry walks on to the end
    aside = sipp(grid, 1, 4, obstacles=[[4], [3], [2], [1], [0], [-1]])
    assert aside.value is not None
    assert aside.value.vertices[:, 0].tolist() == [1, 2, 7, 2, 3, 4]


def test_arcs_of_one_direction() -> None:
    graph = Graph.from_arcs(np.zeros((4, 2)), [0, 1, 2, 3], [1, 2, 3, 0], [1.0, 5.0, 1.0, 1.0])
    result = sipp(graph, 0, 3, obstacles=[[2], [2], [2], [2], [-1]])
    assert result.value is not None and result.stats["arrival"] == 5


def test_reasons_and_errors() -> None:
    grid = Grid.from_text("..#.")
    none = np.zeros((0, 0))
    assert sipp(grid, 0, 3, obstacles=none).reason == (
        "the goal, x=3 (column), y=0 (row), is not connected to the start, x=0 (column), y=0 (row)"
    )
    assert sipp(grid, 0, 2, obstacles=none).reason == "the goal, x=2 (column), y=0 (row), is blocked"
    parked = sipp(grid, 0, 1, obstacles=[[1]])
    assert parked.status is Status.NO_SOLUTION and parked.reason.startswith("the obstacles never let a unit get from")
    big = Grid.from_free(np.ones((9, 9), bool))
    stopped = sipp(big, 0, 80, obstacles=none, limit=3)
    assert stopped.status is Status.LIMIT and stopped.reason == "gave up after 3 expansions" and stopped.bound == 16
    with pytest.raises(InputError, match="obstacles outside the map; found vertex 7 to 7; expected vertices 0 to 3"):
        sipp(grid, 0, 1, obstacles=[[7]])
    with pytest.raises(InputError, match="obstacles has the wrong shape"):
        sipp(grid, 0, 1, obstacles=[1, 2])
    with pytest.raises(InputError, match="number of neighbours"):
        sipp(grid, 0, 1, obstacles=none, neighbours=6)
    with pytest.raises(InputError, match="the goal is outside the map"):
        sipp(grid, 0, 9, obstacles=none)
