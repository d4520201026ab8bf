"""Clearance: against the plainest reading, all distances to all walls, sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from anabasis.decompose.clearance import clearance
from anabasis.grid import Grid
from anabasis.io.movingai import load_map

MAPS = arrays(bool, st.tuples(st.integers(1, 14), st.integers(1, 14)), elements=st.sampled_from([True, True, False]))


def slow_clearance(free: Any, walls: int) -> Any:
    """Return the octile distance to the how many-th nearest wall; as many walls as may be needed lie outside."""
    height, width = free.shape
    edge = walls + 2
    outside = np.pad(free, edge)
    wall_y, wall_x = np.nonzero(~outside)
    depth = np.zeros((height, width), np.int64)
    for y, x in np.argwhere(free):
        dy, dx = abs(wall_y - edge - y), abs(wall_x - edge - x)
        depth[y, x] = np.sort(10 * np.maximum(dx, dy) + 4 * np.minimum(dx, dy))[walls - 1]
    return depth


@settings(deadline=None)
@given(MAPS, st.integers(1, 12))
def test_equals_the_plain_reading(free, walls):
    assert np.array_equal(clearance(Grid.from_free(free), walls), slow_clearance(free, walls))


@pytest.mark.parametrize(("walls", "side", "corner", "middle"), [(1, 10, 10, 30), (2, 14, 10, 30), (4, 20, 14, 30)])
def test_known_values_in_an_open_room(walls, side, corner, middle):
    depth = clearance(Grid.from_free(np.ones((5, 5), bool)), walls)
    assert (depth[0, 2], depth[0, 0], depth[2, 2]) == (side, corner, middle)


def test_a_single_wall_in_the_open_is_passed_over():
    free = np.ones((21, 21), bool)
    free[10, 10] = False
    grid = Grid.from_free(free)
    assert clearance(grid)[10, 11] == 10
    assert clearance(grid, 2)[10, 11] == 100  # the edge of the map is the next wall


def test_no_cell_is_nearer_to_more_walls():
    free = np.random.default_rng(3).random((60, 80)) < 0.8
    grid = Grid.from_free(free)
    depths = np.stack([clearance(grid, walls) for walls in range(1, 9)])
    assert (np.diff(depths, axis=0) >= 0).all()
    assert (depths[:, ~free] == 0).all()
    assert (depths[:, free] >= 10).all()


@settings(deadline=None)
@given(MAPS, st.integers(1, 5))
def test_turned_and_flipped_maps_have_turned_and_flipped_clearance(free, walls):
    depth = clearance(Grid.from_free(free), walls)
    assert np.array_equal(clearance(Grid.from_free(free[:, ::-1]), walls), depth[:, ::-1])
    assert np.array_equal(clearance(Grid.from_free(np.rot90(free)), walls), np.rot90(depth))


@pytest.mark.parametrize("walls", [1, 2, 5])
def test_degenerate_maps(walls):
    assert clearance(Grid.from_free(np.zeros((3, 4), bool)), walls).tolist() == [[0] * 4] * 3
    one = clearance(Grid.from_free(np.ones((1, 1), bool)), walls)
    assert one.tolist() == [[10 if walls <= 4 else 14]]


@pytest.mark.parametrize("walls", [1, 2, 3])
def test_game_map(movingai, walls):
    grid = load_map(movingai / "dao" / "arena.map")
    assert np.array_equal(clearance(grid, walls), slow_clearance(grid.free, walls))
