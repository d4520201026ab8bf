"""Species: trees stand where they may, as often as the local probability says."""

import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from anabasis import InputError
from anabasis.maps.cover.site import FERTILE, Site, site
from anabasis.maps.cover.species import (
    SPECIES,
    Species,
    draw_species,
    species_forest,
    suitability,
    tree_probability,
)
from anabasis.maps.cover.trees import Trees, trees_of

NAMES = [kind.name for kind in SPECIES]
PLAIN = {"spacing": 1.0, "growth": 5, "life": 20, "seeds": 1.0, "reach": 2.0, "hardiness": 0.5, "shade": 0.5}
ALL = (0.0, 1.0)


def kind(name="any", *, temperature=ALL, moisture=ALL, height=ALL, abundance=0.5):
    return Species(name, temperature, moisture, height, abundance, **PLAIN)


def fields(width, height, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.random((height, width)) for name in ("temperature", "moisture", "heights")}


def test_suitability_is_the_worst_of_three_trapezoids():
    """Against NumPy's interpolation."""
    given = fields(40, 30)
    ground = site(40, 30, **given)
    for one in SPECIES:
        worst = np.ones((30, 40))
        shares = (given["heights"] - given["heights"].min()) / np.ptp(given["heights"])
        for values, (low, high) in (
            (given["temperature"], one.temperature),
            (given["moisture"], one.moisture),
            (shares, one.height),
        ):
            worst = np.minimum(worst, np.interp(values, [low - 0.1, low, high, high + 0.1], [0, 1, 1, 0]))
        assert np.allclose(suitability(one, ground), worst, atol=1e-12)


def test_no_tree_where_none_may_stand():
    rng = np.random.default_rng(5)
    letters = np.frombuffer((FERTILE + "W^*@=+~i").encode(), np.uint8)
    land = rng.choice(letters, (60, 70))
    ground = site(70, 60, land=land, ground=rng.random((60, 70)) < 0.8, density=np.ones((60, 70)))
    trees = species_forest(70, 60, seed=2, ground=ground, species=[kind(abundance=1.0)])
    assert np.array_equal(trees.field() >= 0, ground.ground), "abundance 1 fills all that may bear trees"
    assert set(bytes(land[ground.ground]).decode()) == set(FERTILE)


def test_density_follows_the_probability():
    """Chi-square over ten classes of local probability, and binomial bounds on the whole."""
    given = fields(300, 260, seed=1)
    ground = site(300, 260, **given, density=np.random.default_rng(2).random((260, 300)))
    chance = tree_probability(ground)
    for stands in (0.0, 12.0):
        stood = draw_species(ground, seed=11, stands=stands) >= 0
        classes = np.minimum((chance * 12).astype(int), 9)
        statistic, freedom = 0.0, 0
        for c in range(10):
            inside = classes == c
            if chance[inside].sum() < 30:
                continue
            spread = (chance[inside] * (1 - chance[inside])).sum()
            statistic += (stood[inside].sum() - chance[inside].sum()) ** 2 / spread
            freedom += 1
        assert freedom >= 8
        assert 0.001 < stats.chi2.sf(statistic, freedom) < 0.999
        assert abs(stood.sum() - chance.sum()) < 4 * np.sqrt((chance * (1 - chance)).sum())
        assert not stood[chance == 0].any()


def test_species_share_by_abundance_and_suitability():
    """Three kinds of weights 1, 2 and 5 in one place; chi-square."""
    kinds = [kind("a", abundance=0.1), kind("b", abundance=0.2), kind("c", abundance=0.5)]
    ground = site(200, 200, density=np.ones((200, 200)))
    drawn = draw_species(ground, seed=3, species=kinds, stands=0)
    counts = np.bincount(drawn.ravel() + 1, minlength=4)
    wanted = 40000 * np.array([0.2, 0.1, 0.2, 0.5])
    assert stats.chisquare(counts, wanted).pvalue > 0.001
    more = draw_species(ground, seed=3, species=[*kinds, kind("d", abundance=0.9)], stands=0)
    assert (more >= 0).all(), "more than 1 counts as 1"
    assert stats.chisquare(np.bincount(more.ravel()), 40000 * np.array([1, 2, 5, 9]) / 17).pvalue > 0.001


def test_cells_are_independent_without_stands():
    """Neighbouring cells are both of one kind as often as chance says; with stands far more often."""
    kinds = [kind("a", abundance=0.5), kind("b", abundance=0.5)]
    ground = site(200, 200, density=np.ones((200, 200)))
    mixed = draw_species(ground, seed=8, species=kinds, stands=0)
    alike = (mixed[:, 1:] == mixed[:, :-1]).sum()
    assert stats.binomtest(int(alike), 200 * 199, 0.5).pvalue > 0.001
    stands = draw_species(ground, seed=8, species=kinds, stands=12)
    assert (stands[:, 1:] == stands[:, :-1]).mean() > 0.7


def test_species_stand_in_their_climate():
    """From pole to equator and from dry to wet: each kind where it belongs, every kind somewhere."""
    y, x = np.mgrid[0:120, 0:160]
    rng = np.random.default_rng(4)
    ground = site(160, 120, temperature=y / 119, moisture=x / 159, heights=rng.random((120, 160)))
    trees = species_forest(160, 120, seed=1, ground=ground)
    assert set(trees.species) == set(range(len(SPECIES)))
    for number, one in enumerate(SPECIES):
        cells = trees.cells[trees.species == number]
        temperature, moisture = cells[:, 1] / 119, cells[:, 0] / 159
        assert temperature.min() > one.temperature[0] - 0.1 and temperature.max() < one.temperature[1] + 0.1
        assert moisture.min() > one.moisture[0] - 0.1 and moisture.max() < one.moisture[1] + 0.1
    rows = {name: trees.cells[trees.species == NAMES.index(name), 1].mean() for name in ("spruce", "oak", "palm")}
    assert rows["spruce"] < rows["oak"] < rows["palm"]


def test_plain_forest_has_woods_and_clearings():
    trees = species_forest(180, 150, seed=6).field() >= 0
    assert 0.1 < trees.mean() < 0.35
    beside = trees[:, 1:] & trees[:, :-1]
    assert beside.mean() > 1.5 * trees.mean() ** 2, "trees stand together"


@pytest.mark.parametrize("shape", [(1, 1), (1, 30), (30, 1), (17, 5)])
def test_small_maps(shape):
    trees = species_forest(*shape, seed=1, ground=site(*shape, density=np.ones(shape[::-1])))
    assert (trees.width, trees.height) == shape
    assert len(trees.cells) <= shape[0] * shape[1]


def test_no_species_no_trees():
    assert len(species_forest(9, 8, seed=1, species=()).cells) == 0
    assert (draw_species(site(9, 8), seed=1, species=()) == -1).all()


def test_heights_of_any_range_count_as_shares():
    heights = np.random.default_rng(1).integers(-128, 128, (30, 40)).astype(float)
    one = species_forest(40, 30, seed=1, ground=site(40, 30, heights=heights))
    two = species_forest(40, 30, seed=1, ground=site(40, 30, heights=heights * 8 + 1024))
    assert np.array_equal(one.cells, two.cells)
    flat = suitability(SPECIES[0], site(4, 3, heights=np.full((3, 4), 7.0)))
    assert np.array_equal(flat, suitability(SPECIES[0], site(4, 3)))


def test_whole_numbers_may_be_of_any_type():
    one = species_forest(30, 20, seed=4)
    for seed, width in ((np.int64(4), np.int32(30)), (4.0, 30.0)):
        assert np.array_equal(species_forest(width, 20, seed=seed).cells, one.cells)


def test_record_of_trees():
    trees = trees_of(np.array([[-1, 0], [1, -1]]), ["a", "b"])
    assert trees.cells.tolist() == [[1, 0], [0, 1]] and trees.species.tolist() == [0, 1]
    assert trees.field().tolist() == [[-1, 0], [1, -1]]
    kept = trees.kept(np.array([[True, True], [False, True]]))
    assert kept.cells.tolist() == [[1, 0]] and kept.names == ("a", "b")
    for cells, species, message in (
        ([[2, 0]], [0], r"a tree stands outside the map; found x=2 \(column\), y=0 \(row\); expected a cell of 2×2"),
        ([[0, 1], [1, 0]], [0, 0], "trees must stand in different cells, row by row"),
        ([[0, 0], [0, 0]], [0, 0], "trees must stand in different cells, row by row"),
        ([[0, 0]], [1], "species of trees; expected places in names, 0 to 0"),
        ([[0, 0]], [0, 0], "species of trees has the wrong shape"),
    ):
        with pytest.raises(InputError, match=message):
            Trees(2, 2, np.array(cells), np.array(species), ("a",))


def test_wrong_sites_and_species_are_refused():
    with pytest.raises(InputError, match=r"the site is of another size than the map; found 4×3; expected 3×4"):
        species_forest(3, 4, seed=1, ground=site(4, 3))
    with pytest.raises(InputError, match=r"temperature of a site; found 0.0 to 2.0; expected numbers from 0 to 1"):
        site(2, 1, temperature=np.array([[0.0, 2.0]]))
    with pytest.raises(InputError, match="moisture of a site has the wrong shape; found 2×1; expected 1×2"):
        site(2, 1, moisture=np.zeros((2, 1)))
    with pytest.raises(InputError, match=r"heights of a site; found 0.0 to inf; expected finite numbers"):
        site(2, 1, heights=np.array([[0.0, np.inf]]))
    with pytest.raises(InputError, match="density of a site holds NaN"):
        site(1, 1, density=np.array([[np.nan]]))
    with pytest.raises(InputError, match="ground has the wrong shape"):
        Site(np.ones(3, bool), np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1)))
    with pytest.raises(InputError, match="size of stands; found -1; expected cells from 0 to 16384"):
        species_forest(3, 4, seed=1, stands=-1)
    with pytest.raises(InputError, match="seed; found -1"):
        species_forest(3, 4, seed=-1)
    for change, message in (
        ({"temperature": (0.5, 0.4)}, "species 'pine': temperature; found 0.5 to 0.4; expected a range within 0 to 1"),
        ({"abundance": 1.1}, "species 'pine': abundance; found 1.1; expected a share from 0 to 1"),
        ({"spacing": -1.0}, "species 'pine': spacing; found -1.0; expected 0 to 1000"),
        ({"growth": 0}, "species 'pine': growth; found 0"),
        ({"life": 0}, "species 'pine': life; found 0"),
    ):
        with pytest.raises(InputError, match=message):
            dataclasses.replace(SPECIES[0], **change)


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.cover.ecosystem import ecosystem
from anabasis.maps.cover.forest import forest_land
from anabasis.maps.cover.groves import groves
from anabasis.maps.cover.jittered_grid import jittered_grid_forest
from anabasis.maps.cover.passages import open_passages
from anabasis.maps.cover.protection_zone import poisson_disc, protection_zone_forest
from anabasis.maps.cover.site import site
from anabasis.maps.cover.species import species_forest
from anabasis.maps.cover.wood import forest_balance, wood_stock

digest = hashlib.sha256()
y, x = np.mgrid[0:21, 0:26]
ground = site(26, 21, temperature=y / 20, moisture=x / 25, heights=(x * y).astype(float))
for seed in (0, 7, 2**63 - 1):
    for make in (species_forest, protection_zone_forest, jittered_grid_forest):
        for where in (None, ground):
            trees = make(26, 21, seed=seed, ground=where)
            digest.update(trees.cells.tobytes() + trees.species.tobytes())
    grown = ecosystem(26, 21, seed=seed, years=25, planted=9)
    digest.update(grown.trees.cells.tobytes() + grown.ages.tobytes() + grown.counts.tobytes())
    digest.update(poisson_disc(26, 21, seed=seed, radius=0.5 + y / 7).tobytes() + groves(26, 21, seed=seed).tobytes())
    plain = np.full((21, 26), 46, np.uint8)
    wooded = forest_land(plain, trees)
    digest.update(wooded.tobytes() + open_passages(plain, wooded, least=1).tobytes())
    stock, owner = (x * 7 + y) % 5 * wood_stock(trees) + 1, (x > 9).astype(int)
    digest.update(forest_balance(stock, owner, seed=seed).stock.tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_in_every_process_and_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(PYTHONHASHSEED="0") == run(PYTHONHASHSEED="7", NUMBA_DISABLE_JIT="1")
