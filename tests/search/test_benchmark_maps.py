import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import label

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import maps


@pytest.mark.parametrize("make", [maps.random_obstacles, maps.rooms, maps.maze])
def test_a_seed_means_one_map(make):
    assert np.array_equal(make(100, 5).cost, make(100, 5).cost)
    assert not np.array_equal(make(100, 5).cost, make(100, 6).cost)


def test_a_maze_is_a_tree_of_rooms():
    free = maps.maze(100, 1, corridor=8).free
    assert label(free)[1] == 1
    count = (100 - 1) // 9
    walls = ~free[: count * 9 + 1, : count * 9 + 1]
    openings = sum((~walls[9 * i, 9 * j + 1 : 9 * j + 9]).all() for i in range(1, count) for j in range(count))
    openings += sum((~walls[9 * j + 1 : 9 * j + 9, 9 * i]).all() for i in range(1, count) for j in range(count))
    assert openings == count * count - 1


def test_rooms_have_doors_of_one_cell():
    free = maps.rooms(129, 4, room=32).free
    for i in range(1, 4):
        for j in range(4):
            inside = slice(32 * j + 1, 32 * j + 32)
            assert free[32 * i, inside].sum() <= 1
            assert free[inside, 32 * i].sum() <= 1
    assert free[32, 1:].sum() > 0


def test_queries_can_be_answered():
    grid = maps.random_obstacles(60, 3, 0.45)
    regions, _ = label(grid.free)
    for start, goal in maps.queries(grid, 50, 1):
        assert regions.reshape(-1)[start] == regions.reshape(-1)[goal] != 0
