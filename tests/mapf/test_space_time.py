"""Ways in space and time are the shortest of all walks that keep the constraints, and diagrams hold all of those."""

import numpy as np
import pytest

from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import Conflicts
from anabasis.mapf.constraints import LENGTH, MUST, Constraints, Row, never, not_at, not_moving
from anabasis.mapf.space_time import SpaceTime

Rng = np.random.Generator


def a_board(rng: Rng) -> Board | None:
    height, width = rng.integers(1, 4, 2)
    terrain = np.where(rng.random((height, width)) < 0.2, ord("@"), ord(".")).astype(np.uint8)
    grid = Grid.from_terrain(terrain)
    free = np.flatnonzero(grid.free)
    if free.size < 2:
        return None
    start, goal = rng.choice(free, 2)
    rules = Rules(stay=bool(rng.random() < 0.6), wait=bool(rng.random() < 0.8))
    return Board(Instance.of(grid, [start], [goal], rules=rules), "test", can=("vanish", "no wait"))


def some_rows(rng: Rng, board: Board) -> list[Row]:
    rows: list[Row] = []
    for _ in range(rng.integers(0, 5)):
        kind, v, t = (int(i) for i in rng.integers((0, 0, 1), (6, board.count, 5)))
        around = board.indices[board.indptr[v] : board.indptr[v + 1]]
        if kind == 0:
            rows.append(not_at(v, t))
        elif kind == 1:
            rows.append(never(v, t, t + int(rng.integers(0, 3)) if rng.random() < 0.8 else FAR))
        elif kind == 2 and around.size:
            rows.append(not_moving(v, int(rng.choice(around)), t))
        elif kind == 3 and rng.random() < 0.4:
            rows.append((MUST, v, t, t))
        elif kind == 4:
            rows.append((LENGTH, -1, t, FAR))
        elif kind == 5:
            rows.append((LENGTH, -1, 0, t + 2))
    return rows


def walks(board: Board, steps: int) -> list[list[int]]:
    """All walks that arrive for good in the last step."""
    start, goal, rules = int(board.starts[0]), int(board.goals[0]), board.instance.rules
    found = [[start]]
    for _ in range(steps):
        found = [
            [*walk, int(w)]
            for walk in found
            if rules.stay or walk[-1] != goal
            for w in [*([walk[-1]] if rules.wait else []), *board.indices[slice(*board.indptr[walk[-1] :][:2])]]
        ]
    return [walk for walk in found if walk[-1] == goal and (steps == 0 or walk[-2] != goal)]


@pytest.mark.parametrize("seed", range(4))
def test_ways_and_diagrams_hold_what_all_walks_hold(seed: int) -> None:
    rng, longest, known = np.random.default_rng(seed), 6, 0
    for _ in range(120):
        board = a_board(rng)
        if board is None:
            continue
        stay = board.instance.rules.stay
        constraints = Constraints(some_rows(rng, board))
        query = (int(board.starts[0]), int(board.goals[0])), board.distances()[0], constraints.rows
        space_time = SpaceTime(board)
        path = space_time.way(*query, constraints.horizon)
        for steps in range(longest + 1):
            kept = [w for w in walks(board, steps) if not constraints.breaks(np.array(w, np.int32), stay=stay)]
            assert space_time.within(*query, steps) == bool(kept)
            if kept:
                assert path is not None and len(path) - 1 == steps and path.tolist() in kept
                diagram = space_time.diagram(*query, steps)
                assert diagram.single.size == steps + 1
                for t in range(steps + 1):
                    level = set(diagram.vertices[diagram.indptr[t] : diagram.indptr[t + 1]].tolist())
                    assert level == {walk[t] for walk in kept}
                    assert diagram.single[t] == (min(level) if len(level) == 1 else -1)
                known += 1
                break
        else:
            assert path is None or len(path) - 1 > longest
    assert known > 30


@pytest.mark.parametrize("following", [False, True])
def test_conflicts_are_all_that_two_agents_have(following: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        agents, steps = (int(i) for i in rng.integers((1, 1), (6, 7)))
        rows = rng.integers(-1, 5, (steps, agents)).astype(np.int32)
        expected: list[tuple[int, ...]] = []
        for t in range(steps):
            for a in range(agents):
                for b in range(agents):
                    v, there = int(rows[t, a]), rows[t, b] == rows[t, a]
                    if a < b and there and v >= 0:
                        expected.append((a, b, -1, v, t))
                    if t and a != b and v >= 0 and rows[t - 1, b] == v and rows[t - 1, a] != v and not there:
                        if following:
                            expected.append((a, b, -2, v, t))
                        elif a < b and rows[t, b] == rows[t - 1, a] >= 0:
                            expected.append((a, b, int(rows[t - 1, a]), v, t))
        search = Conflicts(5, agents, following=following)
        for _ in range(2):
            assert sorted(map(tuple, search.find(rows, steps).tolist())) == sorted(expected)
