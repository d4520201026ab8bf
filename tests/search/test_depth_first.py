import numpy as np
import pytest
from way_checks import RULES, U_TRAP, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.breadth_first import breadth_first, breadth_first_steps
from anabasis.search.depth_first import depth_first, depth_limited, iterative_deepening


@pytest.mark.parametrize("run", [depth_first, depth_limited, iterative_deepening])
def test_a_real_way_is_found_whenever_there_is_one(run):
    solved = 0
    for space, start, goal, options in worlds(90):
        result, best = check(run, space, start, goal, options)
        assert bool(result) == np.isfinite(best)
        check_traced(run, space, start, goal, options)
        solved += bool(result)
        if result:
            assert result.stats["steps"] == len(result.value.vertices) - 1
    assert 20 < solved < 85


def test_deepening_needs_the_fewest_steps():
    for space, start, goal, options in worlds(90, seed=2):
        result = iterative_deepening(space, start, goal, **options)
        if result:
            assert result.stats["steps"] == breadth_first(space, start, goal, **options).stats["steps"]
            assert result.stats["rounds"] == result.stats["steps"] + 1


def test_a_path_of_at_most_so_many_steps_is_found_exactly_if_there_is_one():
    rng = np.random.default_rng(3)
    cut = 0
    for space, start, goal, options in worlds(120, seed=3, side=12):
        if isinstance(space, Grid) and not space.free.reshape(-1)[start]:
            continue
        fewest = int(breadth_first_steps(space, [start], **options)[goal])
        depth = int(rng.integers(1, 20))
        result, _ = check(depth_limited, space, start, goal, options, depth=depth)
        assert bool(result) == (0 <= fewest <= depth)
        check_traced(depth_limited, space, start, goal, options, depth=depth)
        if result:
            assert result.stats["steps"] <= depth
        elif fewest > depth:
            assert result.status is Status.LIMIT
            assert result.reason == f"every way has more than {depth} steps"
            cut += 1
    assert cut > 5


def test_depth_first_goes_far_round_and_each_vertex_is_expanded_once():
    ground = Grid.from_free(np.ones((20, 20), bool))
    result = depth_first(ground, 399, 0)
    assert result.stats["expanded"] <= 399
    assert result.value.cost > 100
    assert iterative_deepening(ground, 399, 0).stats["steps"] == 19


def test_a_graph_with_loops_comes_to_an_end():
    graph = Graph.from_arcs([[0, 0], [1, 0], [2, 0], [3, 0]], [0, 1, 1, 2, 0], [1, 0, 2, 0, 0], [1, 1, 1, 2, 0])
    for run in (depth_first, depth_limited, iterative_deepening):
        assert run(graph, 0, 3).status is Status.NO_SOLUTION
        assert run(graph, 0, 3).stats["nearest"] == 2
        assert run(graph, 0, 2).value.vertices.tolist() == [0, 1, 2]


def test_limit_and_wrong_input():
    for run in (depth_first, depth_limited, iterative_deepening):
        result = run(U_TRAP, 0, U_TRAP.vertex(9, 6), limit=3)
        assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 3)
        with pytest.raises(InputError, match="the goal is outside the map"):
            run(U_TRAP, 0, 700)
    with pytest.raises(InputError, match="limit of depth; found -1"):
        depth_limited(U_TRAP, 0, 1, depth=-1)


def test_the_rules_of_steps_are_kept():
    grid = Grid.from_text(".#\n#.")
    for neighbours, corners in RULES:
        found = iterative_deepening(grid, 0, 3, neighbours=neighbours, corners=corners)
        assert bool(found) == (corners == "none")
