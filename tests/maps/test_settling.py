"""The whole step for players: joined, fair as it stands at the end, everything where it may be."""

import numpy as np
import pytest
from player_worlds import WALKER, land
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.players.fairness import measure
from anabasis.maps.players.settling import settle

# width, height, players, water, options
MAPS = (
    (65, 65, 2, 0.2, {}),
    (97, 65, 2, 0.3, {"barrier": "^", "passes": 1}),
    (129, 129, 2, 0.35, {"barrier": "T"}),
    (129, 129, 3, 0.2, {}),
    (129, 129, 4, 0.15, {}),
    (257, 129, 4, 0.2, {"barrier": "^"}),
    (257, 257, 5, 0.2, {}),
    (257, 257, 6, 0.15, {"barrier": "T", "passes": 3}),
    (257, 257, 8, 0.15, {}),
)


def check(terrain, found, players, clearing=3):
    """Whether a settled map keeps its promises; returns whether it is fair."""
    cost = WALKER.cost[found.terrain]
    label, _ = ndimage.label(np.isfinite(cost))
    x, y = found.starts.T
    assert len(set(label[y, x].tolist()) - {0}) == 1, "all players are joined"
    assert len(found.starts) == players
    rows, columns = np.ogrid[: cost.shape[0], : cost.shape[1]]
    for a, b in found.starts:
        assert np.isfinite(cost)[(rows - b) ** 2 + (columns - a) ** 2 <= clearing**2].all()
    places = np.concatenate((found.starts, found.towns.cells, found.resources.cells))
    assert len(np.unique(places, axis=0)) == len(places)
    assert len(set(label[places[:, 1], places[:, 0]].tolist())) == 1
    free = np.isfinite(cost)
    parts = ndimage.label(free)[1]
    free[found.resources.cells[:, 1], found.resources.cells[:, 0]] = False
    assert ndimage.label(free)[1] == parts, "a resource is in the way"
    letters = found.terrain[found.resources.cells[:, 1], found.resources.cells[:, 0]]
    assert not np.isin(letters, [ord(letter) for letter in "=+~"]).any()
    again = measure(cost, found.starts, found.resources)
    assert [one.spread for one in again.criteria] == [one.spread for one in found.fairness.criteria]
    assert found.fairness.ok or found.fairness.reason
    return found.fairness.ok


@pytest.mark.parametrize("case", MAPS, ids=str)
def test_maps_are_settled(case):
    width, height, players, water, options = case
    fair = 0
    for seed in range(2):
        terrain = land(height, width, seed, water=water, rock=0.08)
        fair += check(terrain, settle(terrain, players, seed=seed, movement=WALKER, **options), players)
    assert fair >= 1


@pytest.mark.long
@pytest.mark.parametrize("case", MAPS, ids=str)
def test_nineteen_of_twenty_settled_maps_are_fair(case):
    width, height, players, water, options = case
    fair = 0
    for seed in range(200):
        terrain = land(height, width, seed, water=water, rock=0.08)
        fair += check(terrain, settle(terrain, players, seed=seed, movement=WALKER, **options), players)
    assert fair >= 190


def test_the_same_seed_gives_the_same_map():
    terrain = land(97, 97, 3)
    one, again, other = (settle(terrain, 2, seed=seed, movement=WALKER, barrier="^") for seed in (4, 4, 5))
    assert np.array_equal(one.terrain, again.terrain)
    assert np.array_equal(one.resources.cells, again.resources.cells)
    assert not np.array_equal(one.terrain, other.terrain)


def test_one_more_attempt_is_never_worse():
    def worst(attempts):
        found = settle(land(65, 65, 6), 4, movement=WALKER, attempts=attempts, tolerance=0.05)
        return found.fairness.worst.spread / found.fairness.worst.tolerance

    assert worst(3) <= worst(2) <= worst(1)


def test_land_that_is_too_small_is_refused():
    with pytest.raises(InputError, match="the map can't hold 6 players"):
        settle(np.full((12, 12), ord("."), np.uint8), 6)
    with pytest.raises(InputError, match="start positions; found no free cell"):
        settle(np.full((12, 12), ord("W"), np.uint8), 2)
    with pytest.raises(InputError, match="attempts; found 0"):
        settle(np.full((12, 12), ord("."), np.uint8), 1, attempts=0)
    with pytest.raises(InputError, match="letter of a barrier"):
        settle(np.full((40, 40), ord("."), np.uint8), 2, barrier="G")
