"""Start positions: all in one part, on free ground, apart, balanced by measure, and refused with a reason."""

import numpy as np
import pytest
from player_worlds import WALKER, land, largest_part

from anabasis import InputError
from anabasis.maps.players.connectivity import connect
from anabasis.maps.players.fairness import measure
from anabasis.maps.players.start_search import anneal, controlled, spread_out
from anabasis.maps.players.starts import starts

# what the maps of the statistics are: width, height, players, water, rock
MAPS = (
    (65, 65, 2, 0.15, 0.05),
    (97, 65, 2, 0.3, 0.1),
    (129, 129, 2, 0.5, 0.05),
    (129, 129, 3, 0.2, 0.1),
    (129, 129, 4, 0.15, 0.1),
    (257, 129, 4, 0.2, 0.05),
    (257, 257, 5, 0.2, 0.1),
    (257, 257, 6, 0.15, 0.1),
    (257, 257, 8, 0.15, 0.05),
)


def world(width, height, seed, water=0.2, rock=0.1):
    return WALKER.cost[connect(land(height, width, seed, water=water, rock=rock), WALKER).terrain]


def faults(cost, found, players):
    """What is wrong with start positions."""
    cells = found.cells
    part = largest_part(np.isfinite(cost))
    if cells.shape != (players, 2) or len(np.unique(cells, axis=0)) != players:
        yield "cells"
    if not part[cells[:, 1], cells[:, 0]].all():
        yield "not in the largest part"
    if not np.array_equal(found.territory >= 0, part):
        yield "territory"
    if not np.isfinite(found.fairness.distances).all():
        yield "not connected"


@pytest.mark.parametrize("case", MAPS, ids=str)
def test_starts_are_connected_and_fair(case):
    width, height, players, water, rock = case
    fair = 0
    for seed in range(3):
        cost = world(width, height, seed, water, rock)
        found = starts(cost, players, seed=seed)
        assert list(faults(cost, found, players)) == []
        again = measure(cost, found.cells)
        assert [one.spread for one in again.criteria] == [one.spread for one in found.fairness.criteria]
        assert found.fairness.ok == (found.fairness.reason == "")
        fair += found.fairness.ok
    assert fair >= 2


@pytest.mark.long
@pytest.mark.parametrize("case", MAPS, ids=str)
def test_nineteen_of_twenty_maps_are_fair(case):
    width, height, players, water, rock = case
    fair = 0
    for seed in range(200):
        cost = world(width, height, seed, water, rock)
        found = starts(cost, players, seed=seed)
        assert list(faults(cost, found, players)) == []
        assert found.fairness.ok or found.fairness.reason
        fair += found.fairness.ok
    assert fair >= 190


def test_starts_are_far_apart():
    """On open ground two players get most of the longest way, four about the side of a quarter each."""
    cost = np.ones((65, 65))
    two = starts(cost, 2, seed=1, margin=4).fairness
    assert two.distances[0, 1] > 0.7 * 64
    four = starts(cost, 4, seed=1, margin=4).fairness
    assert four.criterion("nearest opponent").values.min() > 0.4 * 64
    assert four.ok


def test_a_corridor_is_shared_out_evenly():
    cost = np.full((5, 121), np.inf)
    cost[1:4] = 1.0
    found = starts(cost, 3, seed=0, margin=0, clearing=1)
    x = np.sort(found.cells[:, 0])
    assert found.fairness.ok
    assert np.diff(x).min() > 25


def test_the_same_seed_gives_the_same_starts_and_another_others():
    cost = world(129, 97, 5)
    one, again, other = (starts(cost, 3, seed=seed) for seed in (7, 7, 8))
    assert np.array_equal(one.cells, again.cells)
    assert not np.array_equal(one.cells, other.cells)


def test_margin_clearing_and_places_are_kept():
    cost = world(129, 129, 2)
    x, y = starts(cost, 4, margin=30).cells.T
    assert min(x.min(), y.min()) >= 30
    assert max(x.max(), y.max()) <= 98
    where = np.zeros(cost.shape, bool)
    where[:, :60] = True
    found = starts(cost, 3, where=where)
    assert (found.cells[:, 0] < 60).all()
    for x, y in starts(cost, 4, clearing=3).cells:
        assert np.isfinite(cost[y - 3 : y + 4, x - 3 : x + 4]).all()


def test_one_player_starts_where_there_is_room():
    cost = world(65, 65, 3)
    found = starts(cost, 1, seed=4)
    assert found.fairness.ok
    assert [one.name for one in found.fairness.criteria] == ["control", "room"]
    assert (found.territory[largest_part(np.isfinite(cost))] == 0).all()


def test_players_part_as_few_cells_as_there_are():
    assert starts(np.ones((1, 1)), 1, clearing=0).cells.tolist() == [[0, 0]]
    assert sorted(starts(np.ones((1, 2)), 2, clearing=0).cells.tolist()) == [[0, 0], [1, 0]]
    assert len(starts(np.ones((3, 40)), 2, clearing=1, margin=0).cells) == 2


def test_maps_that_can_not_hold_the_players_are_refused():
    with pytest.raises(
        InputError, match=r"the map can't hold 8 players; found 36 free cells that hang together, .*; exp"
    ):
        starts(np.ones((8, 8)), 8)
    with pytest.raises(InputError, match=r"Hint: fewer players, a larger map, more land, or a smaller margin"):
        starts(np.where(np.arange(400).reshape(20, 20) % 20 % 3 > 0, 1.0, np.inf), 3)
    with pytest.raises(InputError, match="start positions; found no free cell; expected a map with free ground"):
        starts(np.full((9, 9), np.inf), 2)
    with pytest.raises(InputError, match="start positions; found no free cell"):
        starts(np.ones((9, 9)), 2, where=np.zeros((9, 9), bool))
    for players in (0, 65, 2.5):
        with pytest.raises(InputError, match="players"):
            starts(np.ones((9, 9)), players)
    with pytest.raises(InputError, match="seed; found -1"):
        starts(np.ones((9, 9)), 2, seed=-1)
    with pytest.raises(InputError, match="tolerance"):
        starts(np.ones((9, 9)), 2, tolerance=0.0)
    with pytest.raises(InputError, match="where has the wrong shape"):
        starts(np.ones((9, 9)), 2, where=np.ones((8, 9), bool))


def test_unfair_land_is_told():
    """A large room and a small one, joined by a corridor, with one place in each: they can't be even."""
    cost = np.full((40, 90), np.inf)
    cost[:, :40] = cost[18:22, 70:] = cost[20, :] = 1.0
    where = np.zeros(cost.shape, bool)
    where[20, 20] = where[20, 85] = True
    found = starts(cost, 2, where=where, clearing=0, margin=0, tries=1)
    assert not found.fairness.ok
    assert found.fairness.reason.startswith("control: ")


def test_sites_are_searched_as_well_as_by_trying_all():
    """Two players among twelve candidates on a line of sites: the annealing finds the best pair or an equal one."""
    place = np.arange(36, dtype=np.float64) * 5
    chosen = np.arange(0, 36, 3)
    ways = np.abs(place[chosen][:, None] - place[None, :])
    area, room = np.ones(36), np.full(12, 100.0)
    near = np.argsort(ways[:, chosen], axis=1, kind="stable")[:, 1:5].copy()
    limits = np.full(5, 0.1)
    graph = ways, chosen, area, room, near
    scores = {}
    for a in range(12):
        for b in range(a + 1, 12):
            picks = np.array([a, b])
            scores[a, b] = anneal(graph, picks, limits, key=1, steps=1, heat=0.0)[0]
    score, picks = anneal(graph, spread_out(ways[:, chosen], 2, 0, 0), limits, key=5, steps=4000, heat=0.5)
    assert score == max(scores.values())
    assert scores[tuple(sorted(picks.tolist()))] == score
    held = controlled(ways[picks], area)
    assert held.sum() < 36
    assert held.min() > 0
