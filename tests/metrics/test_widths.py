"""The widest way against gaps of known width, and against brute force."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics.widths import widest_ways
from anabasis.scenario import Target


def two_gaps(upper: int, lower: int) -> Grid:
    """A map of 21 × 12 cells with a wall that has gaps of these heights, a row of wall between and around them."""
    column = ("." * upper).center(6, "#") + ("." * lower).center(6, "#")
    return Grid.from_text("\n".join("." * 10 + cell + "." * 10 for cell in column))


@pytest.mark.parametrize(("upper", "lower"), [(0, 1), (2, 1), (3, 4), (0, 0)])
def test_of_two_gaps_the_wider_counts(upper, lower):
    grid = two_gaps(upper, lower)
    ways = widest_ways(grid, [(4, 6), (5.2, 3.7)], Target(17, 6, 2), radius=1)
    assert ways.tolist() == [max(upper, lower)] * 2


def test_a_slanting_gap_is_as_wide_as_between_its_corners():
    rows = ["".join("#" if x == y and y not in (4, 5) else "." for x in range(10)) for y in range(10)]
    grid = Grid.from_text("\n".join(rows))
    assert widest_ways(grid, [(8.5, 1.5)], Target(1.5, 8.5, 1)).tolist() == [pytest.approx(2 * math.sqrt(2))]


def test_a_place_beside_a_wall_is_no_narrow_way():
    grid = two_gaps(2, 0)
    assert widest_ways(grid, [(0.2, 0.2)], Target(17, 6, 2), radius=0.2).tolist() == [0]
    assert widest_ways(grid, [(0.2, 0.2)], Target(17, 6, 2), radius=2).tolist() == [2]


def test_units_beyond_walls_have_no_way():
    grid = two_gaps(0, 0)
    assert widest_ways(grid, [(4, 6), (16, 3)], Target(17, 6, 2)).tolist() == [0, 7]  # within half a cell of y = 3


def test_places_are_points():
    with pytest.raises(InputError, match="shape"):
        widest_ways(two_gaps(1, 1), [1, 2], Target(17, 6, 2))


def brute_force(grid: Grid, start: tuple[float, float], goal: tuple[float, float]) -> float:
    """The widest way between two points on half cells, each wall looked at for each point."""
    walls = [(x, y) for y in range(-1, grid.height + 1) for x in range(-1, grid.width + 1) if not grid.is_free(x, y)]
    room = {
        (i, j): min(math.hypot(max(x - i / 2, 0, i / 2 - x - 1), max(y - j / 2, 0, j / 2 - y - 1)) for x, y in walls)
        for i, j in itertools.product(range(2 * grid.width + 1), range(2 * grid.height + 1))
    }
    begin, end = ((round(2 * x), round(2 * y)) for x, y in (start, goal))
    best, queue = {begin: room[begin]}, [(-room[begin], begin)]
    while queue:
        width, here = heapq.heappop(queue)
        if here == end:
            return -2 * width
        for step in itertools.product((-1, 0, 1), repeat=2):
            there = here[0] + step[0], here[1] + step[1]
            through = min(-width, room.get(there, 0.0))
            if through > best.get(there, 0.0):
                best[there] = through
                heapq.heappush(queue, (-through, there))
    return 0.0


@settings(max_examples=60, deadline=None)
@given(arrays(bool, (6, 7), elements=st.integers(0, 3).map(bool)), st.integers(0, 41), st.integers(0, 41))
def test_against_brute_force(free, start, goal):
    free[np.unravel_index([start, goal], free.shape)] = True
    grid = Grid.from_text("\n".join("".join(".#"[not cell] for cell in row) for row in free))
    (x0, y0), (x1, y1) = ((at % 7 + 0.5, at // 7 + 0.5) for at in (start, goal))
    found = widest_ways(grid, [(x0, y0)], Target(x1, y1, 0.1), radius=0.1)
    assert found.tolist() == [pytest.approx(brute_force(grid, (x0, y0), (x1, y1)))]
