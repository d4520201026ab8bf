"""Jittered grid: one tree a square, shifted at random, at least the gap apart along one axis."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import cKDTree

from anabasis import InputError
from anabasis.maps.cover.jittered_grid import jittered_grid, jittered_grid_forest
from anabasis.maps.cover.site import site
from anabasis.maps.cover.species import SPECIES, Species

EVERYWHERE = Species("any", (0.0, 1.0), (0.0, 1.0), (0.0, 1.0), 1.0, 1.0, 5, 20, 1.0, 2.0, 0.5, 0.5)


def nearest(cells):
    """The least distance of each cell to another, in columns or rows, whichever are more."""
    return cKDTree(cells).query(cells, k=2, p=np.inf)[0][:, 1]


@pytest.mark.parametrize(("spacing", "gap"), [(1, 1), (2, 1), (2, 2), (3, 2), (5, 1), (5, 4), (9, 3)])
def test_least_distance_is_the_gap_and_is_reached(spacing, gap):
    found = [nearest(jittered_grid(150, 130, seed=seed, spacing=spacing, gap=gap)).min() for seed in range(4)]
    assert min(found) == gap


def test_no_shift_is_a_regular_grid():
    cells = jittered_grid(40, 31, seed=2, spacing=4, gap=4)
    assert len(set(cells[:, 0] % 4)) == 1 and len(set(cells[:, 1] % 4)) == 1
    assert len(cells) in (70, 80)


def test_one_cell_a_square():
    for seed in range(10):
        cells = jittered_grid(90, 84, seed=seed, spacing=6, gap=2)
        offsets = [(cells[:, k] - o) // 6 for k in (0, 1) for o in range(6)]
        squares = [len(set(zip(one, two, strict=True))) for one in offsets[:6] for two in offsets[6:]]
        assert max(squares) == len(cells), "with the right beginning no square has two"
        assert abs(len(cells) - 15 * 14) < 30


def test_every_cell_is_as_likely():
    counts = np.zeros((20, 30), np.int64)
    for seed in range(4000):
        cells = jittered_grid(30, 20, seed=seed, spacing=5, gap=3)
        counts[cells[:, 1], cells[:, 0]] += 1
    assert stats.chisquare(counts[5:15].sum(axis=0)).pvalue > 0.001
    assert stats.chisquare(counts.sum(axis=1)).pvalue > 0.001
    assert counts.sum() == pytest.approx(4000 * 600 / 25, rel=0.02)


def test_row_by_row_and_repeated():
    cells = jittered_grid(70, 50, seed=2**63 - 1)
    assert (np.diff(cells[:, 1] * 70 + cells[:, 0]) > 0).all()
    assert np.array_equal(cells, jittered_grid(70, 50, seed=2**63 - 1))
    assert not np.array_equal(cells, jittered_grid(70, 50, seed=0))


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (3, 3)])
def test_small_maps(shape):
    for spacing in (1, 3, 100):
        cells = jittered_grid(*shape, seed=1, spacing=spacing, gap=1)
        assert cells.shape[1] == 2 and (cells < shape).all() and (cells >= 0).all()
        jittered_grid_forest(*shape, seed=1, spacing=spacing)


def test_forest_is_thinned_by_the_density():
    rng = np.random.default_rng(3)
    density = rng.random((200, 240))
    ground = site(240, 200, density=density)
    trees = jittered_grid_forest(240, 200, seed=6, ground=ground, species=[EVERYWHERE], spacing=3, gap=2)
    cells = jittered_grid(240, 200, seed=6, spacing=3, gap=2)
    chance = density[cells[:, 1], cells[:, 0]]
    assert {tuple(cell) for cell in trees.cells} <= {tuple(cell) for cell in cells}
    assert abs(len(trees.cells) - chance.sum()) < 4 * np.sqrt((chance * (1 - chance)).sum())
    dense = density[trees.cells[:, 1], trees.cells[:, 0]]
    assert dense.mean() == pytest.approx((chance**2).sum() / chance.sum(), abs=0.02)
    assert nearest(trees.cells).min() >= 2


def test_plain_forest_knows_its_species():
    trees = jittered_grid_forest(90, 80, seed=1)
    assert trees.names == tuple(kind.name for kind in SPECIES)
    assert len(set(trees.species)) == 3, "temperate ground bears pine, birch and oak"
    assert 100 < len(trees.cells) < 1800


def test_wrong_options_are_refused():
    with pytest.raises(InputError, match="gap; found 4; expected a whole number from 1 to 3"):
        jittered_grid(9, 9, seed=1, spacing=3, gap=4)
    with pytest.raises(InputError, match="spacing; found 0; expected a whole number from 1 to 16384"):
        jittered_grid(9, 9, seed=1, spacing=0)
    with pytest.raises(InputError, match="spacing must be whole numbers"):
        jittered_grid(9, 9, seed=1, spacing=2.5)
    with pytest.raises(InputError, match="height; found 20000"):
        jittered_grid(9, 20000, seed=1)
