"""Walks from many sources, against SciPy's Dijkstra, and where their regions meet."""

import numpy as np
import pytest
from player_worlds import WALKER, land, walking

from anabasis import InputError
from anabasis.maps.players.contacts import contacts, spanning
from anabasis.maps.players.distances import check_cells, check_cost, course, walk


def worlds():
    rng = np.random.default_rng(4)
    for seed, shape in enumerate(((1, 1), (1, 30), (30, 1), (17, 40), (40, 17), (33, 33))):
        yield WALKER.cost[land(*shape, seed, cells=2)]
        cost = rng.integers(1, 60, shape) / 7 + 1.0
        yield np.where(rng.random(shape) < 0.3, np.inf, cost)
        yield np.where(rng.random(shape) < 0.2, np.inf, rng.choice([1.0, 5000.0], shape))


def test_distances_and_owners_are_those_of_dijkstra():
    compared = 0
    for cost in worlds():
        free = np.flatnonzero(np.isfinite(cost))
        if not len(free):
            continue
        sources = np.unique(free[:: max(1, len(free) // 5)])
        wanted = walking(cost, sources)
        found = walk(cost, sources)
        nearest = wanted.min(axis=0)
        np.testing.assert_allclose(found.distance.reshape(-1), nearest, rtol=1e-12)
        owner = found.owner.reshape(-1)
        reached = np.isfinite(nearest)
        assert (owner[~reached] == -1).all()
        cells = np.flatnonzero(reached)
        np.testing.assert_allclose(wanted[owner[cells], cells], nearest[cells], rtol=1e-12)
        compared += len(cells)
    assert compared > 3000


def test_a_tie_goes_to_the_lower_label():
    found = walk(np.ones((1, 5)), np.array([4, 0]))
    assert found.owner.tolist() == [[1, 1, 0, 0, 0]]
    found = walk(np.ones((1, 5)), np.array([0, 4]), labels=np.array([7, 3]))
    assert found.owner.tolist() == [[7, 7, 3, 3, 3]]


def test_a_course_costs_what_its_distance_is_and_cuts_no_corner():
    cost = WALKER.cost[land(40, 50, 1)]
    free = np.flatnonzero(np.isfinite(cost))
    found = walk(cost, free[:1])
    for goal in free[::97]:
        if not np.isfinite(found.distance.reshape(-1)[goal]):
            continue
        way = course(found, int(goal))
        assert (way[0], way[-1]) == (free[0], goal)
        y, x = way // 50, way % 50
        length = np.hypot(np.diff(x), np.diff(y))
        assert length.max(initial=1.0) < 1.5
        assert (length * cost.reshape(-1)[way[1:]]).sum() == pytest.approx(found.distance.reshape(-1)[goal])
        assert np.isfinite(cost[y[:-1], x[1:]]).all()
        assert np.isfinite(cost[y[1:], x[:-1]]).all()


def test_a_goal_ends_the_walk_with_the_same_distance():
    for cost in worlds():
        free = np.flatnonzero(np.isfinite(cost))
        if len(free) < 10:
            continue
        goal = int(free[len(free) // 3])
        whole, some = walk(cost, free[:1]), walk(cost, free[:1], goal=goal)
        assert whole.distance.reshape(-1)[goal] == some.distance.reshape(-1)[goal]


def test_regions_meet_where_the_way_is_cheapest():
    cost = np.where(WALKER.cost[land(40, 40, 3, water=0.1)] < np.inf, 1.0, np.inf)
    free = np.flatnonzero(np.isfinite(cost))
    sources = free[[20, 400, 700, 900]]
    found = walk(cost, sources)
    met = contacts(found, cost)
    wanted = walking(cost, sources)[:, sources]
    assert len(met.pair) >= 3
    for pair, way, near, far in zip(met.pair, met.way, met.near, met.far, strict=True):
        assert found.owner.reshape(-1)[[near, far]].tolist() == pair.tolist()
        assert way >= wanted[pair[0], pair[1]] - 1e-9
    tree = spanning(met, 4)
    assert len(tree) == 3
    # Mehlhorn: the tree over these ways is as cheap as the cheapest over all pairs
    from scipy.sparse.csgraph import minimum_spanning_tree

    assert met.way[tree].sum() == pytest.approx(minimum_spanning_tree(wanted).sum())


def test_many_regions_outgrow_the_first_table():
    cost = np.ones((60, 60))
    sources = np.arange(3600)
    met = contacts(walk(cost, sources), cost)
    assert len(met.pair) == 2 * 60 * 59 + 2 * 59 * 59
    assert (np.diff(met.pair[:, 0] * 3600 + met.pair[:, 1]) > 0).all()
    assert len(spanning(met, 3600)) == 3599


def test_what_is_no_map_or_no_cell_is_refused():
    with pytest.raises(
        InputError, match=r"cost of cell x=1 \(column\), y=0 \(row\); found 0.5; expected at least 1, or"
    ):
        check_cost([[1.0, 0.5]])
    with pytest.raises(InputError, match="a map without cells"):
        check_cost(np.zeros((0, 3)))
    cost = check_cost([[1.0, np.inf]])
    with pytest.raises(InputError, match="starts: a cell is outside the map; found x=2"):
        check_cells([[2, 0]], cost, "starts")
    with pytest.raises(InputError, match="starts: a cell is blocked; found x=1"):
        check_cells([[1, 0]], cost, "starts")
    with pytest.raises(InputError, match="starts: a cell is named twice"):
        check_cells([[0, 0], [0, 0]], cost, "starts")
