"""Protection zones: no two trees nearer than either's radius, and no room for one more."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import cKDTree

from anabasis import InputError
from anabasis.maps.cover.protection_zone import poisson_disc, protection_zone_forest
from anabasis.maps.cover.site import site
from anabasis.maps.cover.species import SPECIES, draw_species, site_of


def check_maximal(cells, zone, ground):
    """All distances, by brute force: chosen cells keep apart, and each other cell of the ground is too near to one."""
    assert ground[cells[:, 1], cells[:, 0]].all()
    y, x = np.nonzero(ground)
    square = (x[:, None] - cells[None, :, 0]) ** 2 + (y[:, None] - cells[None, :, 1]) ** 2
    near = square < np.maximum(zone[y, x][:, None], zone[cells[:, 1], cells[:, 0]][None, :]) ** 2
    chosen = np.zeros(ground.shape, bool)
    chosen[cells[:, 1], cells[:, 0]] = True
    assert chosen.sum() == len(cells)
    others = near & (square > 0)
    assert not others[chosen[y, x]].any(), "two trees too near"
    assert others[~chosen[y, x]].any(axis=1).all(), "room for one more"


@pytest.mark.parametrize("radius", [0.0, 1.0, 1.5, 2.0, 2.5, 5.0, 100.0])
def test_one_radius_is_kept_and_maximal(radius):
    rng = np.random.default_rng(1)
    for shape in ((1, 1), (1, 30), (23, 31), (40, 17)):
        ground = rng.random(shape) < 0.8
        cells = poisson_disc(shape[1], shape[0], seed=3, radius=radius, ground=ground)
        check_maximal(cells, np.full(shape, radius), ground)


def test_many_radii_are_kept_and_maximal():
    rng = np.random.default_rng(2)
    for seed in range(20):
        shape = (int(rng.integers(1, 40)), int(rng.integers(1, 40)))
        zone = rng.random(shape) * rng.integers(1, 9)
        ground = rng.random(shape) < 0.9
        check_maximal(poisson_disc(shape[1], shape[0], seed=seed, radius=zone, ground=ground), zone, ground)


def test_the_checker_finds_faults():
    ground, zone = np.ones((9, 9), bool), np.full((9, 9), 2.0)
    cells = poisson_disc(9, 9, seed=1)
    check_maximal(cells, zone, ground)
    with pytest.raises(AssertionError, match="room for one more"):
        check_maximal(cells[1:], zone, ground)
    with pytest.raises(AssertionError, match="too near"):
        check_maximal(np.concatenate((cells, cells[:1] + np.array([[1, 0]]))), zone, ground)


def test_distances_on_a_large_map():
    """By a k-d tree: none below the radius, and no cell farther from all than the radius."""
    cells = poisson_disc(500, 400, seed=5, radius=3.0)
    tree = cKDTree(cells)
    nearest = tree.query(cells, k=2)[0][:, 1]
    assert nearest.min() >= 3.0 and nearest.max() < 6.0
    y, x = np.mgrid[0:400, 0:500]
    assert tree.query(np.stack((x.ravel(), y.ravel()), axis=1))[0].max() < 3.0


def test_equal_radii_as_a_field_give_the_same_cells():
    one = poisson_disc(60, 50, seed=4, radius=2.5)
    assert np.array_equal(one, poisson_disc(60, 50, seed=4, radius=np.full((50, 60), 2.5)))
    assert len(poisson_disc(60, 50, seed=5, radius=2.5)) != 0
    assert not np.array_equal(one, poisson_disc(60, 50, seed=5, radius=2.5))


def test_no_part_of_the_map_is_favoured():
    """Counts in the four quarters and in even and odd columns and rows, over many seeds."""
    counts = np.zeros((100, 100), np.int64)
    for seed in range(60):
        cells = poisson_disc(100, 100, seed=seed, radius=3.0)
        np.add.at(counts, (cells[:, 1], cells[:, 0]), 1)
    inner = counts[10:90, 10:90]
    for one, two in ((inner[:40], inner[40:]), (inner[:, :40], inner[:, 40:]), (inner[::2], inner[1::2])):
        assert stats.binomtest(int(one.sum()), int(one.sum() + two.sum()), 0.5).pvalue > 0.001


def test_forest_keeps_the_spacing_of_its_species():
    y, x = np.mgrid[0:60, 0:80]
    ground = site(80, 60, temperature=y / 59, moisture=x / 79)
    spacing = np.array([kind.spacing for kind in SPECIES])
    trees = protection_zone_forest(80, 60, seed=8, ground=ground)
    assert len(set(trees.species)) > 4
    drawn = draw_species(site_of(80, 60, ground, 8), seed=8)
    assert np.array_equal(trees.species, drawn[trees.cells[:, 1], trees.cells[:, 0]])
    check_maximal(trees.cells, spacing[drawn], drawn >= 0)
    wide = protection_zone_forest(80, 60, seed=8, ground=ground, radius=4.0)
    check_maximal(wide.cells, np.full((60, 80), 4.0), drawn >= 0)
    assert len(protection_zone_forest(9, 8, seed=1, species=()).cells) == 0


def test_wrong_radii_are_refused():
    with pytest.raises(InputError, match=r"radius of a zone; found -1.0 to -1.0; expected cells from 0 to 1000"):
        poisson_disc(5, 5, seed=1, radius=-1.0)
    with pytest.raises(InputError, match="radius of a zone holds NaN"):
        poisson_disc(5, 5, seed=1, radius=np.nan)
    with pytest.raises(InputError, match="radius of a zone has the wrong shape; found 4×5; expected 5×4"):
        poisson_disc(4, 5, seed=1, radius=np.ones((4, 5)))
    with pytest.raises(InputError, match="ground has the wrong shape"):
        poisson_disc(4, 5, seed=1, ground=np.ones((4, 5), bool))
    with pytest.raises(InputError, match="width; found 0"):
        poisson_disc(0, 5, seed=1)
