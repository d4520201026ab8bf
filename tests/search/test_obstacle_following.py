import numpy as np
import pytest
from way_checks import U_TRAP, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.astar import astar
from anabasis.search.obstacle_following import obstacle_following


def test_paths_are_real_and_failures_are_told_from_no_way():
    solved = possible = 0
    for space, start, goal, options in worlds(120, kinds="uw"):
        result, best = check(obstacle_following, space, start, goal, options)
        check_traced(obstacle_following, space, start, goal, options)
        possible += np.isfinite(best)
        solved += bool(result)
    assert 0.5 * possible < solved


def test_follows_the_wall_out_of_a_trap_the_long_way():
    start, goal = U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3)
    result = obstacle_following(U_TRAP, start, goal)
    assert result
    assert result.value.cost >= astar(U_TRAP, start, goal).value.cost
    assert result.stats["expanded"] > 6


def test_open_ground_is_crossed_straight():
    ground = Grid.from_free(np.ones((20, 20), bool))
    assert obstacle_following(ground, 0, 399).stats["expanded"] == 19
    assert obstacle_following(ground, 0, 399, neighbours=4).value.cost == 38


def test_gives_up_where_it_comes_round_and_at_the_limit():
    ring = Grid.from_text("""
        .......
        .#####.
        .#...#.
        .#.#.#.
        .#...#.
        .#####.
        .......
    """)
    inside = ring.vertex(2, 2)
    assert obstacle_following(ring, inside, 0).status is Status.NO_SOLUTION
    assert obstacle_following(Grid.from_text(".#.\n###"), 0, 2).status is Status.NO_SOLUTION
    stopped = obstacle_following(U_TRAP, U_TRAP.vertex(1, 3), U_TRAP.vertex(9, 3), limit=4)
    assert (stopped.status, stopped.stats["expanded"]) == (Status.LIMIT, 4)
    with pytest.raises(InputError, match="found a Graph"):
        obstacle_following(Graph.from_arcs([[0, 0]], [], [], []), 0, 0)
