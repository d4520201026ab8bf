"""Barriers: two agents that pass both their sides meet, whatever else they do before."""

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.barriers import Barriers
from anabasis.mapf.board import Board
from anabasis.mapf.cbs import cbs
from anabasis.mapf.constraints import Row, breaks, not_at
from anabasis.mapf.single_agents import SingleAgents


def may_pass(board: Board, sides: tuple[tuple[Row, ...], tuple[Row, ...]], bans: tuple[set[Row], set[Row]]) -> bool:
    """Follow two agents by all their walks, whether each has been at its side; tell whether both can without a meeting.

    bans: rows of (vertex, step) that each must keep.
    """
    arcs = [board.indices[i:j].tolist() for i, j in zip(board.indptr[:-1], board.indptr[1:], strict=True)]
    following = board.instance.rules.following
    where = [{(v, t) for _, v, t, _ in side} for side in sides]
    banned = [{(v, t) for _, v, t, _ in ban} for ban in bans]
    first, second = (int(v) for v in board.starts)
    states = {(first, second, (first, 0) in where[0], (second, 0) in where[1])}
    for t in range(1, max(t for side in where for _, t in side) + 1):
        after: set[tuple[int, int, bool, bool]] = set()
        for a, b, past_a, past_b in states:
            for p in [a, *arcs[a]]:
                for q in [b, *arcs[b]]:
                    meet = p == q or (p == b and q == a)
                    close = following and ((p == b and p != a) or (q == a and q != b))
                    if not meet and not close and (p, t) not in banned[0] and (q, t) not in banned[1]:
                        after.add((p, q, past_a or (p, t) in where[0], past_b or (q, t) in where[1]))
        states = after
    return any(past_a and past_b for *_, past_a, past_b in states)


@pytest.mark.parametrize("following", [False, True])
def test_who_passes_both_sides_meets(following: bool) -> None:
    found = 0
    for seed in range(500):
        rng = np.random.default_rng(seed)
        free = rng.random((6, 7)) >= 0.15
        cells = np.flatnonzero(free)
        grid = Grid.from_terrain(np.where(free, ord("."), ord("@")).astype(np.uint8))
        starts, goals = rng.permutation(cells)[:2], rng.permutation(cells)[:2]
        board = Board(Instance.of(grid, starts, goals, rules=Rules(following=following)), "test", can=("following",))
        single = SingleAgents(board)
        if max(single.distances[a, start] for a, (start, _) in enumerate(single.ends)) > 50:
            continue
        bans = [{not_at(int(rng.integers(board.count)), int(rng.integers(1, 6))) for _ in range(4)} for _ in range(2)]
        ways = [single.way(a, single.constraints(a, single.free[a], bans[a])) for a in (0, 1)]
        one, two = ways
        if one is None or two is None:
            continue
        diagrams = single.diagram(0, one), single.diagram(1, two)
        for sides in Barriers(board).rows(diagrams, (one.path, two.path)):
            found += 1
            assert not may_pass(board, sides, (bans[0], bans[1]))
            assert all(any(breaks(row, way.path) for row in side) for side, way in zip(sides, (one, two), strict=True))
            assert single.blocked(0, one, sides[0]) or single.blocked(1, two, sides[1])
    assert found > 30


def test_a_rectangle_round_an_obstacle_is_split_once() -> None:
    """A pillar in the crossing breaks the rectangle, but not the barrier."""
    text = "..........\n" * 4 + "....@.....\n" + "..........\n" * 5
    grid = Grid.from_terrain(np.array([[ord(c) for c in row] for row in text.split()], np.uint8))
    instance = Instance.of(grid, [10 * 2 + 1, 10 * 1 + 2], [10 * 7 + 8, 10 * 8 + 7])
    without = cbs(instance, barrier=False, rectangle=False, heuristic="none")
    result = cbs(instance, rectangle=False, heuristic="none")
    assert result.bound == without.bound
    assert result.stats["barrier"] == 1
    assert result.stats["expanded"] < without.stats["expanded"] / 3
