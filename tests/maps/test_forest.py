"""Forest as obstacle: by how much lies under crowns; as a resource: measured, and evened out by thinning."""

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.cover.forest import canopy, clear_ring, forest_land
from anabasis.maps.cover.protection_zone import protection_zone_forest
from anabasis.maps.cover.site import FERTILE
from anabasis.maps.cover.species import species_forest
from anabasis.maps.cover.trees import trees_of
from anabasis.maps.cover.wood import forest_balance, wood_by_player, wood_groves, wood_stock


def scattered(shape, share, seed=0):
    return trees_of(np.where(np.random.default_rng(seed).random(shape) < share, 0, -1), ["any"])


def disc(radius):
    reach = int(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return x * x + y * y <= radius * radius


@pytest.mark.parametrize(("crown", "radius"), [(0, 0), (0, 2), (1, 2), (1.5, 3.7), (2.9, 1), (0.5, 30)])
def test_canopy_against_scipy(crown, radius):
    for shape in ((1, 1), (1, 20), (25, 18)):
        trees = scattered(shape, 0.1)
        covered = ndimage.binary_dilation(trees.field() >= 0, disc(crown))
        met = ndimage.convolve(covered.astype(np.int64), disc(radius).astype(np.int64), mode="constant")
        cells = ndimage.convolve(np.ones(shape, np.int64), disc(radius).astype(np.int64), mode="constant")
        assert np.allclose(canopy(trees, crown=crown, radius=radius), met / cells)


def test_clear_ring_against_distances():
    cells = np.array([[3, 4], [0, 0], [19, 11]])
    y, x = np.mgrid[0:12, 0:20]
    for radius in (0, 1, 2.5, 7):
        square = np.min([(x - i) ** 2 + (y - j) ** 2 for i, j in cells], axis=0)
        assert np.array_equal(clear_ring(20, 12, cells, radius), square <= radius * radius)
    assert not clear_ring(5, 5, np.empty((0, 2), np.int64)).any()


def test_woods_stand_only_where_they_may_and_nothing_else_changes():
    rng = np.random.default_rng(2)
    land = rng.choice(np.frombuffer((FERTILE + "W^*@=+~iT").encode(), np.uint8), (50, 60))
    keep = rng.random((50, 60)) < 0.2
    trees = scattered((50, 60), 0.4)
    made = forest_land(land, trees, keep=keep)
    changed = made != land
    assert changed.any() and not changed[keep].any()
    assert set(bytes(land[changed]).decode()) <= set(FERTILE)
    assert set(bytes(made[changed]).decode()) == {"T", "f"}
    assert land.dtype == made.dtype == np.uint8


def test_close_trees_block_and_sparse_trees_slow():
    land = np.full((60, 80), ord("."), np.uint8)
    cover = canopy(scattered((60, 80), 0.15))
    made = forest_land(land, scattered((60, 80), 0.15), closed=0.7, open_wood=0.4)
    assert np.array_equal(made == ord("T"), cover >= 0.7)
    assert np.array_equal(made == ord("f"), (cover >= 0.4) & (cover < 0.7))
    assert np.array_equal(made == ord("."), cover < 0.4)
    assert (forest_land(land, scattered((60, 80), 1.0)) == ord("T")).all()
    assert (forest_land(land, scattered((60, 80), 0.0), open_wood=0.0) == land).all(), "no trees, no wood"


def test_more_trees_never_make_less_wood():
    land, rank = np.full((40, 40), ord("."), np.uint8), np.zeros(256, np.int64)
    rank[ord("f")], rank[ord("T")] = 1, 2
    numbers = np.random.default_rng(1).random((40, 40))
    before = np.zeros((40, 40), np.int64)
    for share in (0.05, 0.1, 0.2, 0.4):
        made = rank[forest_land(land, trees_of(np.where(numbers < share, 0, -1), ["any"]))]
        assert (made >= before).all() and made.sum() > before.sum()
        before = made


def test_a_spaced_forest_is_a_wood_too():
    """Trees two cells apart close a wood, with open wood at its edge and clearings without any."""
    land = np.full((120, 150), ord("."), np.uint8)
    made = forest_land(land, protection_zone_forest(150, 120, seed=3))
    shares = [(made == ord(letter)).mean() for letter in "Tf."]
    assert shares[0] > 0.15 and shares[1] > 0.02 and shares[2] > 0.5


def test_mirrored_trees_make_mirrored_woods():
    trees = species_forest(50, 40, seed=3)
    land = np.full((40, 50), ord("."), np.uint8)
    mirrored = trees_of(trees.field()[:, ::-1], trees.names)
    assert np.array_equal(forest_land(land, mirrored), forest_land(land, trees)[:, ::-1])


def test_stock_and_groves_against_networkx():
    nx = pytest.importorskip("networkx")
    trees = scattered((30, 40), 0.2, seed=4)
    stock = wood_stock(trees, amount=7)
    assert stock.sum() == 7 * len(trees.cells) and np.array_equal(stock > 0, trees.field() >= 0)
    grove, amounts = wood_groves(stock)
    graph = nx.Graph()
    cells = {tuple(cell) for cell in trees.cells.tolist()}
    graph.add_nodes_from(cells)
    graph.add_edges_from(
        ((x, y), (x + i, y + j))
        for x, y in cells
        for i, j in ((1, 0), (0, 1), (1, 1), (1, -1))
        if (x + i, y + j) in cells
    )
    parts = list(nx.connected_components(graph))
    assert len(parts) == len(amounts) and amounts.sum() == stock.sum()
    for part in parts:
        numbers = {int(grove[y, x]) for x, y in part}
        assert len(numbers) == 1 and amounts[numbers.pop()] == 7 * len(part)
    assert np.array_equal(grove < 0, stock == 0)
    firsts = [np.flatnonzero(grove.ravel() == g)[0] for g in range(len(amounts))]
    assert firsts == sorted(firsts)


def test_wood_by_player_against_loops():
    rng = np.random.default_rng(3)
    stock, territory = rng.integers(0, 9, (12, 17)), rng.integers(-1, 4, (12, 17))
    amounts = wood_by_player(stock, territory, players=6)
    for player in range(6):
        assert amounts[player] == sum(
            int(stock[y, x]) for y in range(12) for x in range(17) if territory[y, x] == player
        )
    assert len(wood_by_player(stock, np.full((12, 17), -1))) == 0


@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.3, 1.0])
def test_balance_evens_out(tolerance):
    rng = np.random.default_rng(5)
    for seed in range(12):
        stock = rng.integers(0, 200, (40, 50)) * (rng.random((40, 50)) < 0.3)
        territory = rng.choice(5, (40, 50), p=[0.1, 0.2, 0.3, 0.05, 0.35]) - 1
        made = forest_balance(stock, territory, seed=seed, tolerance=tolerance)
        assert np.array_equal(made.before, wood_by_player(stock, territory))
        assert np.array_equal(made.after, wood_by_player(made.stock, territory))
        least = made.before.min()
        assert made.after.min() == least
        assert (made.after <= least + np.floor(least * tolerance)).all()
        assert (made.after[made.before > least * (1 + tolerance)] >= least).all(), "no more than needed"
        changed = made.stock != stock
        assert (made.stock <= stock).all()
        assert np.array_equal(np.argwhere(changed)[:, ::-1], made.felled)
        assert not changed[territory < 0].any()
        cut = changed & (made.stock > 0)
        assert all((cut & (territory == p)).sum() <= 1 for p in range(4))
        again = forest_balance(made.stock, territory, seed=seed, tolerance=tolerance)
        assert len(again.felled) == 0 and np.array_equal(again.stock, made.stock)


def test_balance_thins_and_repeats():
    """What is felled lies all over the rich player's wood; the same seed fells the same trees."""
    stock = np.full((40, 80), 10)
    territory = np.zeros((40, 80), np.int64)
    territory[:, 70:] = 1
    made = forest_balance(stock, territory, seed=1, tolerance=0.0)
    felled = np.zeros((40, 80), bool)
    felled[made.felled[:, 1], made.felled[:, 0]] = True
    blocks = felled[:, :70].reshape(4, 10, 7, 10).mean(axis=(1, 3))
    assert blocks.min() > 0.7 and blocks.max() < 0.97
    assert not felled[:, 70:].any()
    assert np.array_equal(made.stock, forest_balance(stock, territory, seed=1, tolerance=0.0).stock)
    assert not np.array_equal(made.stock, forest_balance(stock, territory, seed=2, tolerance=0.0).stock)
    assert (stock == 10).all(), "what was given is as it was"


def test_balanced_trees_become_balanced_land():
    trees = species_forest(90, 60, seed=2)
    territory = np.where(np.mgrid[0:60, 0:90][1] < 60, 0, 1)
    made = forest_balance(wood_stock(trees), territory, seed=1)
    left = trees.kept(made.stock > 0)
    assert 0 < len(trees.cells) - len(left.cells) <= len(made.felled)


def test_wrong_input_is_refused():
    trees, land = scattered((4, 5), 0.5), np.full((4, 5), ord("."), np.uint8)
    stock, territory = wood_stock(trees), np.zeros((4, 5), np.int64)
    for call, message in (
        (lambda: forest_land(land[:3], trees), "land has the wrong shape; found 3×5; expected 4×5"),
        (lambda: forest_land(land, trees, closed=1.5), "share of closed wood; found 1.5"),
        (lambda: forest_land(land, trees, closed=0.2), "share of open wood; found 0.25; expected at most .*, 0.2"),
        (lambda: forest_land(land, trees, keep=land[1:] > 0), "cells to keep free of trees has the wrong shape"),
        (lambda: canopy(trees, crown=-1), "radius of a crown; found -1; expected cells from 0 to 100"),
        (lambda: canopy(trees, radius=1e9), "radius of the canopy; found 1000000000.0"),
        (
            lambda: clear_ring(5, 4, np.array([[5, 0]])),
            "a cell to keep clear lies outside .*; expected cells of 5×4",
        ),
        (lambda: wood_stock(trees, amount=0), "wood of a tree; found 0"),
        (lambda: wood_by_player(-stock - 1, territory), "stock; found -.*; expected amounts of at least 0"),
        (lambda: wood_by_player(stock, territory[1:]), "territory has the wrong shape"),
        (lambda: wood_by_player(stock, territory + 3, players=2), "number of players; found 2"),
        (
            lambda: forest_balance(stock, territory, seed=1, players=2),
            "player 1 has no wood within reach; expected some",
        ),
        (lambda: forest_balance(stock, territory, seed=1, tolerance=2), "tolerance; found 2"),
        (lambda: forest_balance(stock, territory, seed=-1), "seed; found -1"),
    ):
        with pytest.raises(InputError, match=message):
            call()
