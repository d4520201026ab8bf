"""A small map that is not symmetric in any way, a scenario on it and a short run, written by hand."""

from __future__ import annotations

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.scenario import Change, Group, Scenario, Target
from anabasis.trace import COUNTERS, Counters, Ending, Trace, UnitState

DRAWING = """
    ##########
    #..S.....#
    #..W..5..#
    #.##.....#
    #T...9...#
    ##########
"""


@pytest.fixture(scope="session")
def grid() -> Grid:
    return Grid.from_text(DRAWING)


@pytest.fixture(scope="session")
def scenario(grid: Grid) -> Scenario:
    north = Group(np.array([[1.5, 1.5], [2.5, 1.5]]), Target(8.5, 1.5, 0.5), radius=0.4, name="north")
    south = Group(np.array([[2.5, 4.5]]), Target(8.0, 4.0, 0.7), radius=0.3)
    return Scenario(grid, (north, south), (Change(5, np.array([[5, 3]]), "W"),))


@pytest.fixture(scope="session")
def trace() -> Trace:
    frames, n = 4, 3
    start = np.array([[1.5, 1.5], [2.5, 1.5], [2.5, 4.5]])
    positions = start + np.arange(frames)[:, None, None] * np.array([[1.5, 0.0], [2.0, 0.0], [1.5, -0.5]])
    state = np.zeros((frames, n), np.uint8)
    state[2:, 1] = UnitState.ARRIVED
    state[1, 2] = UnitState.LOST
    zero = np.zeros(n, np.int64)
    counters = Counters(**dict.fromkeys(COUNTERS, zero))
    return Trace(
        np.array([0, 3, 6, 9]),
        positions,
        np.full((frames, n), np.pi / 2),
        state,
        np.arange(frames).astype(np.uint64),
        np.array([0, 0, 1]),
        np.array([0.4, 0.4, 0.3]),
        np.array([0, 1, 1]),
        np.array([-1, 6, -1]),
        np.ones(n),
        *(np.zeros(0, np.int64) for _ in range(4)),
        counters,
        Ending.STEP_LIMIT,
        0,
    )
