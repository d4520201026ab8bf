"""Resources: as many for each player, as far by foot, none in the way."""

import numpy as np
import pytest
from player_worlds import WALKER, land, part_count, walking

from anabasis import InputError
from anabasis.maps.players.connectivity import connect
from anabasis.maps.players.fairness import measure
from anabasis.maps.players.resources import KINDS, ResourceKind, resources
from anabasis.maps.players.starts import starts


def placed(size, players, seed, **options):
    cost = WALKER.cost[connect(land(size, size, seed, water=0.15, rock=0.05), WALKER, pockets="fill").terrain]
    cells = starts(cost, players, seed=seed).cells
    return cost, cells, resources(cost, cells, seed=seed, **options)


@pytest.mark.parametrize(("size", "players"), [(65, 2), (97, 3), (129, 4), (193, 6)])
def test_all_players_have_as_much_as_far_away(size, players):
    for seed in range(3):
        cost, cells, found = placed(size, players, seed)
        assert found.missing == ()
        for number, kind in enumerate(KINDS):
            of_kind = found.kind == number
            owners = np.bincount(found.owner[of_kind & (found.owner >= 0)], minlength=players)
            assert owners.tolist() == [kind.count] * players
            assert (found.amount[of_kind] == kind.amount).all()
        ways = walking(cost, cells[:, 1] * size + cells[:, 0])[:, found.cells[:, 1] * size + found.cells[:, 0]]
        for k in np.flatnonzero(found.owner >= 0):
            others = np.delete(ways[:, k], found.owner[k])
            assert (others >= 1.25 * ways[found.owner[k], k] - 1e-9).all()
        for k in np.flatnonzero(found.owner < 0):
            two = np.sort(ways[:, k])[:2]
            assert two[1] <= 1.25 * two[0] + 3
        fair = measure(cost, cells, found)
        for kind in KINDS:
            assert fair.criterion(f"amount of {kind.name}").spread == 0
        assert fair.criterion("way to resources").ok


def test_none_is_in_the_way():
    for seed in range(4):
        cost, cells, found = placed(65, 2, seed, kinds=(ResourceKind("wood", count=12, distance=0.5),), spacing=3)
        free = np.isfinite(cost)
        parts = part_count(free)
        free[found.cells[:, 1], found.cells[:, 0]] = False
        assert part_count(free) == parts
        spots = np.concatenate((found.cells, cells))
        apart = np.abs(spots[:, None] - spots[None, :]).max(axis=2)
        assert apart[~np.eye(len(spots), dtype=bool)].min() >= 3
        assert len(found.cells) + len(found.missing) == 24


def test_a_corridor_is_never_blocked():
    cost = np.full((9, 60), np.inf)
    cost[4] = 1.0
    cost[1:8, :8] = cost[1:8, 52:] = 1.0
    found = resources(cost, [[4, 4], [55, 4]], kinds=(ResourceKind("gold", distance=0.5, contested=1),))
    assert all(place[0] < 8 or place[0] >= 52 for place in found.cells.tolist())
    assert found.missing == ("no place for gold between players 1 and 2",)


def test_contested_ones_lie_in_the_middle():
    found = resources(np.ones((31, 61)), [[5, 15], [55, 15]], kinds=(ResourceKind("gold", contested=3),))
    middle = found.cells[found.owner < 0]
    assert len(middle) == 3
    assert (np.abs(middle[:, 0] - 30) <= 2).all()


def test_the_same_seed_gives_the_same_resources():
    cost, cells, found = placed(97, 3, 5)
    again, other = resources(cost, cells, seed=5), resources(cost, cells, seed=6)
    assert np.array_equal(found.cells, again.cells)
    assert not np.array_equal(found.cells, other.cells)


def test_a_single_player_and_no_kinds():
    found = resources(np.ones((40, 40)), [[20, 20]])
    assert found.owner.tolist() == [0] * 4
    empty = resources(np.ones((9, 9)), [[4, 4]], kinds=())
    assert empty.cells.shape == (0, 2)
    assert resources(np.ones((1, 1)), [[0, 0]]).missing[0] == "no place for wood of player 1"


def test_wrong_options_are_refused():
    cost = np.ones((9, 9))
    with pytest.raises(InputError, match="starts; found none"):
        resources(cost, np.zeros((0, 2)))
    with pytest.raises(InputError, match="spacing; found 2"):
        resources(cost, [[0, 0]], spacing=2)
    with pytest.raises(InputError, match=r"distance of wood; found 1.5; expected a share"):
        resources(cost, [[0, 0]], kinds=(ResourceKind("wood", distance=1.5),))
    with pytest.raises(InputError, match="amount of wood; found 0"):
        resources(cost, [[0, 0]], kinds=(ResourceKind("wood", amount=0),))
