"""Better starts of LaCAM*: ways that guide, and the search that follows them."""

from itertools import pairwise

import numpy as np
import pytest

from anabasis._kernel.pibt import NO_GUIDE
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.better_starts import GuidedPlan, _guide, _Laying
from anabasis.mapf.board import Board
from anabasis.mapf.configuration_tree import ConfigurationTree, Pushing
from anabasis.mapf.goal_steps import GoalSteps
from anabasis.mapf.lacam import lacam
from anabasis.mapf.pibt import pushing_stack
from anabasis.metrics.plans import plan_faults


def crowd(agents: int, seed: int, side: int = 16) -> Instance:
    """Return agents on a square map, some of whose cells are walls."""
    rng = np.random.default_rng(seed)
    terrain = np.where(rng.random((side, side)) < 0.1, ord("@"), ord(".")).astype(np.uint8)
    free = np.flatnonzero(terrain.ravel() == ord("."))
    return Instance.of(Grid.from_terrain(terrain), rng.permutation(free)[:agents], rng.permutation(free)[:agents])


def pushing(board: Board) -> Pushing:
    """Return what PIBT needs on a board, without a guide."""
    steps = GoalSteps(board, board.agents)
    field = (board.indptr, board.indices, steps.table, steps.rows(board.goals), board.goals, steps.wide, NO_GUIDE)
    now, then = (np.full(board.count, -1, np.int32) for _ in range(2))
    return Pushing(field, pushing_stack(board, board.agents), (now, then), 0, swap=True)


def laid(board: Board, margin: int) -> _Laying:
    """Return the ways of all agents."""
    laying = _Laying(board.distances(), board, margin)
    while not laying.done:
        assert laying.advance()
    return laying


@pytest.mark.parametrize("margin", [0, 3, 10])
def test_ways_are_hardly_longer_than_alone_and_the_longer_they_may_be_the_fewer_collide(margin: int) -> None:
    board = Board(crowd(100, 1), "test")
    near, far = laid(board, margin), laid(board, -1)
    late = [int(near.ways.lies(a)[-1, 1]) - int(near.ways.shortest[a]) for a in range(100)]
    assert min(late) >= 0 and max(late) == margin  # in this crowd there is use for every step
    assert near.collisions.pairs > far.collisions.pairs
    assert max(int(far.ways.lies(a)[-1, 1]) - int(far.ways.shortest[a]) for a in range(100)) > 10


def test_a_guide_leads_along_the_ways() -> None:
    board = Board(crowd(100, 2), "test")
    ways = laid(board, -1).ways
    indptr, places, nexts = _guide(ways)
    again = past = 0
    for agent in range(100):
        way = ways.lies(agent)[:, 0].tolist()
        told = dict(pairwise(way))  # of a place met twice the second time counts
        past += told.pop(way[-1], None) is not None  # it passed its goal before, and is to stay there
        again += len(way) - len(set(way))
        mine = slice(indptr[agent], indptr[agent + 1])
        assert (np.diff(places[mine]) > 0).all()
        assert dict(zip(places[mine].tolist(), nexts[mine].tolist(), strict=True)) == told
    assert again > 0 and past > 0  # there are such ways


def test_an_agent_follows_its_guide_and_finds_its_goal_without() -> None:
    board = Board(Instance.of(Grid.from_text("\n".join(["......"] * 6)), [0], [5]), "test")
    detour = [0, 6, 12, 13, 14, 8]  # down, right, up, and left alone beside the straight way
    guide = np.array([0, 5]), np.array([0, 6, 12, 13, 14], np.int32), np.array([6, 12, 13, 14, 8], np.int32)
    alone = pushing(board)
    rows = []
    for field in (alone.field, (*alone.field[:-1], guide)):
        tree = ConfigurationTree(board.starts, np.array([5]), 4)
        tree.search(alone._replace(field=field), 100, once=True)
        rows.append(tree.rows()[:, 0].tolist())
    assert rows[0] == [0, 1, 2, 3, 4, 5]
    assert rows[1][:6] == detour and rows[1][-1] == 5 and len(rows[1]) == len(detour) + 4


def test_in_a_large_crowd_guided_plans_are_valid_and_cheaper() -> None:
    ratios = []
    for seed in range(5):
        instance = crowd(300, seed, 32)
        board = Board(instance, "test")
        plan = GuidedPlan(board.distances(), board, pushing(board), 1000)
        while plan.advance():
            pass
        assert plan.rows is not None
        guided = board.solved(plan.rows)
        assert guided.value is not None and plan_faults(instance, guided.value) == []
        ratios.append(guided.stats["sum_of_costs"] / lacam(instance).stats["sum_of_costs"])
    assert np.median(ratios) < 0.95, ratios


def test_it_is_given_up_after_so_many_configurations() -> None:
    board = Board(crowd(100, 3), "test")
    plan = GuidedPlan(board.distances(), board, pushing(board), 5)
    parts = 1
    while plan.advance():
        parts += 1
    assert plan.rows is None
    assert parts == 34 + 5  # groups of three, and configurations
