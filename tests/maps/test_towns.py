"""Towns: apart, on plain ground that can be reached, rather by the water, larger where there is more land."""

import numpy as np
import pytest
from player_worlds import WALKER, land, largest_part
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.players.towns import towns


def test_towns_are_apart_and_on_plain_ground_of_the_largest_part():
    for seed in range(6):
        terrain = land(90, 120, seed, water=0.3)
        cost = WALKER.cost[terrain]
        avoid = np.argwhere(largest_part(np.isfinite(cost)))[[50, -50]][:, ::-1]
        found = towns(terrain, 8, seed=seed, movement=WALKER, apart=12.0, avoid=avoid)
        x, y = found.cells.T
        assert 4 <= len(x) <= 8
        assert (cost[y, x] == 1).all()
        assert largest_part(np.isfinite(cost))[y, x].all()
        spots = np.concatenate((found.cells, avoid))
        apart = np.hypot(*(spots[:, None] - spots[None, :]).transpose(2, 0, 1))
        assert (apart[: len(x)][apart[: len(x)] > 0] >= 12).all()
        assert set(found.size.tolist()) <= {1, 2, 3}


def test_towns_are_nearer_to_water_than_chance():
    near, all_cells = [], []
    for seed in range(10):
        terrain = land(100, 100, seed, water=0.2)
        away = ndimage.distance_transform_cdt(terrain != ord("W"), metric="chessboard")
        found = towns(terrain, 8, seed=seed, movement=WALKER)
        near += away[found.cells[:, 1], found.cells[:, 0]].tolist()
        all_cells.append(away[WALKER.cost[terrain] == 1].mean())
    assert np.mean(near) < 0.7 * np.mean(all_cells)


def test_more_land_makes_a_larger_town():
    terrain = np.full((80, 160), ord("."), np.uint8)
    terrain[:, 80:] = ord("W")
    terrain[35:45, 80:] = ord(".")
    found = towns(terrain, 6, movement=WALKER, apart=25.0)
    size = {bool(x < 60): [] for x in found.cells[:, 0]}
    for (x, _), each in zip(found.cells.tolist(), found.size.tolist(), strict=True):
        size[x < 60].append(each)
    assert max(size[False][-1:]) < max(size[True])


def test_the_same_seed_gives_the_same_towns():
    terrain = land(70, 70, 3)
    one, again, other = (towns(terrain, 5, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.cells, again.cells)
    assert not np.array_equal(one.cells, other.cells)


def test_as_many_as_have_room():
    assert len(towns(np.full((40, 40), ord("."), np.uint8), 50, apart=15.0).cells) < 20
    assert towns(np.full((9, 9), ord("^"), np.uint8), 3).cells.shape == (0, 2)
    assert len(towns(np.full((40, 40), ord("."), np.uint8), 0).cells) == 0
    assert len(towns(np.full((1, 1), ord("."), np.uint8), 1).cells) == 0


def test_wrong_options_are_refused():
    terrain = land(20, 20, 0)
    with pytest.raises(InputError, match="number of towns; found -1"):
        towns(terrain, -1)
    with pytest.raises(InputError, match="apart"):
        towns(terrain, 2, apart=0.0)
    with pytest.raises(InputError, match="unknown movement class"):
        towns(terrain, 2, movement="snail")
