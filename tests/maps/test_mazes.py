"""Mazes: one way between any two cells, of the widths asked for; Wilson's are every tree with the same chance."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.io.movingai import load_map
from anabasis.maps.structured.maze_trees import ALGORITHMS, EAST, SOUTH, spanning_tree
from anabasis.maps.structured.mazes import maze

SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 30), (30, 1), (7, 5), (23, 40)]


def exits_of(join):
    """How many exits each cell of a tree has."""
    exits = ((join & EAST) > 0).astype(int) + ((join & SOUTH) > 0)
    exits[:, 1:] += (join[:, :-1] & EAST) > 0
    exits[1:] += (join[:-1] & SOUTH) > 0
    return exits


def cells_and_joins(free):
    return free.sum(), (free[1:] & free[:-1]).sum() + (free[:, 1:] & free[:, :-1]).sum()


def dead_ends(free):
    around = np.pad(free, 1).astype(int)
    count = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return (free & (count == 1)).sum()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_tree_spans_the_cells(algorithm, shape):
    columns, rows = shape
    for seed in range(5):
        join = spanning_tree(columns, rows, algorithm=algorithm, seed=seed)
        assert join.shape == (rows, columns)
        assert not (join[:, -1] & EAST).any(), "no way out to the right"
        assert not (join[-1] & SOUTH).any(), "no way out below"
        assert exits_of(join).sum() == 2 * (columns * rows - 1)
        free = maze(2 * columns + 1, 2 * rows + 1, algorithm=algorithm, seed=seed)
        assert ndimage.label(free)[1] == 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("size", [(2, 2), (2, 9), (9, 3), (16, 16), (31, 20), (64, 33)])
def test_a_perfect_maze_is_a_tree_of_cells(algorithm, size):
    for seed in range(3):
        free = maze(*size, algorithm=algorithm, seed=seed)
        cells, joins = cells_and_joins(free)
        assert joins == cells - 1
        assert ndimage.label(free)[1] == 1
        assert not free[0].any()
        assert not free[:, 0].any()


@pytest.mark.parametrize("corridor", [1, 2, 5])
@pytest.mark.parametrize("wall", [1, 2, 3])
@pytest.mark.parametrize("loops", [0.0, 0.6])
def test_widths_only_stretch_the_maze(corridor, wall, loops):
    """The same tree, drawn with other widths, cut off anywhere in its last corridor or the wall behind it."""
    columns, rows = 9, 6
    thin = maze(2 * columns + 1, 2 * rows + 1, seed=4, loops=loops)
    wide = np.repeat(thin, [wall, corridor] * columns + [wall], axis=1)
    wide = np.repeat(wide, [wall, corridor] * rows + [wall], axis=0)
    for cut in range(corridor + wall - 1):
        height, width = (side - cut for side in wide.shape)
        free = maze(width, height, seed=4, loops=loops, corridor=corridor, wall=wall)
        assert np.array_equal(free, wide[:height, :width])


def test_all_trees_are_equally_likely_with_wilson():
    for columns, rows, trees, times in ((2, 2, 4, 200), (3, 2, 15, 100), (3, 3, 192, 40)):
        runs = trees * times
        count = Counter(spanning_tree(columns, rows, algorithm="wilson", seed=seed).tobytes() for seed in range(runs))
        assert len(count) == trees, "Kirchhoff's number of spanning trees"
        chi_square = sum((k - times) ** 2 / times for k in count.values())
        assert abs(chi_square - (trees - 1)) < 5 * math.sqrt(2 * (trees - 1))


def test_the_other_algorithms_favour_some_trees():
    """The statistic above tells them apart, so it is one that can fail; Kruskal's come near in a maze so small."""
    for algorithm in set(ALGORITHMS) - {"wilson", "kruskal"}:
        count = Counter(spanning_tree(3, 2, algorithm=algorithm, seed=seed).tobytes() for seed in range(1500))
        assert sum((k - 100) ** 2 / 100 for k in count.values()) + 100 * (15 - len(count)) > 14 + 5 * math.sqrt(28)


def test_dead_ends_are_as_many_as_theory_says():
    share = {name: (exits_of(spanning_tree(400, 400, algorithm=name)) == 1).mean() for name in ALGORITHMS}
    # Manna, Dhar and Majumdar, "Spanning trees in two dimensions", 1992
    assert share["wilson"] == pytest.approx(8 / math.pi**2 * (1 - 2 / math.pi), abs=0.006)
    assert share["binary_tree"] == pytest.approx(0.25, abs=0.006)
    assert share["depth_first"] < 0.12, "long corridors"
    assert share["prim"] > 0.315, "short dead ends"
    assert share["kruskal"] == pytest.approx(0.305, abs=0.01)


def test_each_algorithm_has_its_look():
    for name in ("binary_tree", "sidewinder"):
        join = spanning_tree(30, 20, algorithm=name, seed=3)
        assert (join[0, :-1] & EAST).all(), "a corridor along the top"
    join = spanning_tree(30, 20, algorithm="division", seed=3)
    upright = ((join[:, :-1] & EAST) > 0).sum(axis=0)
    assert (upright == 1).any(), "a wall from top to bottom with one opening"
    for name in ALGORITHMS:  # above the last row no set of cells ends, so every row is joined with the next
        assert ((spanning_tree(30, 20, algorithm=name, seed=3)[:-1] & SOUTH) > 0).any(axis=1).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_opened_dead_ends(algorithm):
    size = 61, 41
    perfect = maze(*size, seed=2, algorithm=algorithm)
    ends = dead_ends(perfect)
    before, free = ends, perfect
    for loops in (0.25, 0.5, 0.75):
        less = maze(*size, seed=2, algorithm=algorithm, loops=loops)
        assert not (free & ~less).any(), "nothing is closed by opening more"
        assert dead_ends(less) < before
        assert dead_ends(less) <= (1 - loops) * ends + 1
        assert ndimage.label(less)[1] == 1
        before, free = dead_ends(less), less
    assert dead_ends(maze(*size, seed=2, algorithm=algorithm, loops=1.0)) == 0


def test_a_seed_repeats_and_another_differs():
    for algorithm in ALGORITHMS:
        maps = [maze(41, 41, seed=seed, algorithm=algorithm, loops=0.3) for seed in (7, 7, 8, 2**63 - 1)]
        assert np.array_equal(maps[0], maps[1])
        assert not np.array_equal(maps[0], maps[2])
        assert not np.array_equal(maps[2], maps[3])


@pytest.mark.parametrize("corridor", [1, 8, 32])
def test_as_much_is_free_as_in_the_benchmarks(movingai, corridor):
    theirs = load_map(movingai / "mazes" / f"maze512-{corridor}-0.map").free
    ours = maze(512, 512, corridor=corridor)
    assert ours.sum() == pytest.approx(theirs.sum(), rel=2e-4), "of trees of as many cells, but for the cut openings"
    pitch = corridor + 1
    for free in (ours, theirs):
        assert not free[::pitch, ::pitch].any(), "posts"
        assert np.array_equal(free[1:pitch, 1:pitch], np.ones((corridor, corridor), bool))


def test_a_big_maze_is_a_tree():
    for algorithm in ALGORITHMS:
        free = maze(700, 801, algorithm=algorithm)
        cells, joins = cells_and_joins(free)
        assert joins == cells - 1
        assert ndimage.label(free)[1] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "minotaur"}, "unknown maze algorithm; found 'minotaur'; expected depth_first or prim"),
        ({"corridor": 0}, "width of the corridors"),
        ({"wall": 0}, "thickness of the walls"),
        ({"wall": 10}, "width; found 10; expected a whole number from 11"),
        ({"loops": -0.1}, "share of dead ends opened"),
        ({"seed": 2**63}, "seed"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        maze(10, 10, **options)
