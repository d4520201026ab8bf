"""What players have, against SciPy's Dijkstra and counting by hand."""

import numpy as np
import pytest
from player_worlds import WALKER, land, largest_part, walking

from anabasis import InputError
from anabasis.maps.players.fairness import AROUND, CONTROL, mean_times, measure, spread
from anabasis.maps.players.resources import Resources


def some_resources(cells, kinds, amount):
    count = len(cells)
    return Resources(np.array(cells), np.array(kinds), np.zeros(count, np.int64), np.array(amount), ("wood", "gold"))


@pytest.mark.parametrize("seed", range(6))
def test_every_criterion_is_what_dijkstra_says(seed):
    rng = np.random.default_rng(seed)
    cost = WALKER.cost[land(35, 45, seed, cells=3)]
    part = np.argwhere(largest_part(np.isfinite(cost)))
    starts = part[rng.choice(len(part), 3, replace=False)][:, ::-1]
    places = part[rng.choice(len(part), 7, replace=False)][:, ::-1]
    amount = rng.integers(1, 9, 7)
    found = measure(cost, starts, some_resources(places, [0, 1, 0, 1, 1, 0, 0], amount))
    ways = walking(cost, starts[:, 1] * 45 + starts[:, 0])
    order = np.sort(ways, axis=0)
    owner = np.where(np.isfinite(order[0]), np.argmin(ways, axis=0), -1)
    clear = ~np.isfinite(order[0]) | (order[1] > order[0] + 1e-9)
    assert np.array_equal(found.territory.reshape(-1)[clear], owner[clear])
    held = np.isfinite(order[0]) & (order[1] >= CONTROL * order[0] - 1e-9)
    between = ways[:, starts[:, 1] * 45 + starts[:, 0]]
    others = np.sort(between, axis=1)[:, 1:]
    np.testing.assert_allclose(found.distances, between, atol=1e-9)
    np.testing.assert_allclose(found.criterion("nearest opponent").values, others[:, 0])
    np.testing.assert_allclose(found.criterion("mean distance").values, others.mean(axis=1))
    for player in range(3):
        assert abs(found.criterion("control").values[player] - (held & (owner == player)).sum()) <= 2
        assert abs(found.criterion("room").values[player] - (ways[player] <= AROUND + 1e-9).sum()) <= 1
        assert abs(found.land[player] - (owner == player).sum()) <= 3 * (~clear & np.isfinite(order[0])).sum()
    assert found.land.sum() == np.isfinite(order[0]).sum()
    far = ways[:, places[:, 1] * 45 + places[:, 0]]
    np.testing.assert_allclose(found.criterion("way to resources").values, np.sort(far, axis=1)[:, :3].mean(axis=1))
    sole = np.sort(far, axis=0)[1] > 1.25 * np.sort(far, axis=0)[0]
    for number, kind in enumerate(("wood", "gold")):
        wanted = [
            amount[sole & (np.argmin(far, axis=0) == player) & (np.array([0, 1, 0, 1, 1, 0, 0]) == number)].sum()
            for player in range(3)
        ]
        assert found.criterion(f"amount of {kind}").values.tolist() == wanted


def test_a_mirrored_map_is_fair_and_a_lopsided_one_is_not():
    half = WALKER.cost[land(40, 30, 1, water=0.1)]
    half[15:25, 5:15] = 1.0
    cost = np.concatenate((half, half[:, ::-1]), axis=1)
    starts = [[10, 20], [49, 20]]
    resources = some_resources([[12, 20], [47, 20]], [0, 0], [5, 5])
    found = measure(cost, starts, resources)
    assert [one.spread for one in found.criteria] == [0.0] * len(found.criteria)
    assert found.ok
    assert found.reason == ""
    poor = measure(cost, starts, some_resources([[12, 20], [47, 20]], [0, 0], [5, 4]))
    assert not poor.ok
    assert poor.worst.name == "amount of wood"
    assert poor.reason == "amount of wood: 4 to 5, a spread of 0.222 where 0.15 is allowed"
    blocked = cost.copy()
    blocked[:, 40:47] = np.inf
    apart = measure(blocked, starts)
    assert not apart.criterion("nearest opponent").ok
    assert "nearest opponent: inf to inf, a spread of inf" in apart.reason


def test_prices_count():
    cost = np.ones((21, 61))
    cost[:, 31:] = 3.0
    found = measure(cost, [[5, 10], [55, 10]])
    room = found.criterion("room").values
    assert room[0] > 2 * room[1]
    assert found.distances[0, 1] == 25 + 25 * 3
    assert found.distances[1, 0] == 24 * 3 + 26


def test_spreads():
    assert spread(np.array([2.0, 2.0])) == 0
    assert spread(np.array([1.0, 3.0])) == 1
    assert spread(np.array([0.0, 0.0])) == 0
    assert spread(np.array([np.inf, np.inf])) == np.inf
    assert spread(np.array([1.0, np.inf])) == np.inf
    assert [mean_times(players) for players in (2, 3, 4, 8, 16)] == [1, 1.5, 2, 4, 4]


def test_one_player_has_all():
    found = measure(np.ones((5, 5)), [[2, 2]])
    assert found.ok
    assert found.land.tolist() == [25]
    assert found.criterion("control").values.tolist() == [25]


def test_wrong_input_is_refused():
    with pytest.raises(InputError, match="starts; found none; expected at least one"):
        measure(np.ones((3, 3)), np.zeros((0, 2)))
    with pytest.raises(InputError, match=r"starts: a cell is blocked; found x=1 \(column\), y=0 \(row\)"):
        measure([[1.0, np.inf]], [[1, 0]])
    with pytest.raises(InputError, match="tolerance"):
        measure(np.ones((3, 3)), [[0, 0]], tolerance=-1.0)
    with pytest.raises(InputError, match="criterion; found 'luck'; expected control or room"):
        measure(np.ones((3, 3)), [[0, 0]]).criterion("luck")
