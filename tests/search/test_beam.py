import numpy as np
import pytest
from way_checks import U_TRAP, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.astar import astar
from anabasis.search.beam import beam
from anabasis.search.breadth_first import breadth_first


@pytest.mark.parametrize("width", [1, 3, 32])
def test_a_real_way_is_found_whenever_there_is_one(width):
    solved = widened = 0
    for space, start, goal, options in worlds(90):
        result, best = check(beam, space, start, goal, options, width=width)
        assert bool(result) == np.isfinite(best)
        solved += bool(result)
        widened += result.stats["width"] > width
        check_traced(beam, space, start, goal, options, width=width)
    assert solved > 20
    assert widened > 0 or width == 32


def test_a_beam_that_forgets_nothing_needs_the_fewest_steps():
    for space, start, goal, options in worlds(60, seed=2):
        result = beam(space, start, goal, **options, width=10**6)
        if result:
            fewest = breadth_first(space, start, goal, **options).stats["steps"]
            assert len(result.value.vertices) - 1 == fewest


def test_wider_beams_cost_less_on_average():
    rng = np.random.default_rng(6)
    ratios = {1: [], 8: [], 64: []}
    while len(ratios[1]) < 40:
        grid = Grid.from_free(rng.random((40, 40)) > 0.3)
        start, goal = rng.choice(np.flatnonzero(grid.free), 2).tolist()
        best = astar(grid, start, goal)
        if best and start != goal:
            for width, found in ratios.items():
                found.append(beam(grid, start, goal, width=width).value.cost / best.value.cost)
    means = [np.mean(found) for found in ratios.values()]
    assert means[0] > means[1] > means[2]
    assert means[2] < 1.02


def test_open_ground_takes_as_many_layers_as_steps():
    ground = Grid.from_free(np.ones((20, 20), bool))
    result = beam(ground, 0, 399, width=1)
    assert (result.stats["expanded"], result.stats["width"]) == (19, 1)


def test_limit_and_wrong_input():
    start, goal = U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3)
    result = beam(U_TRAP, start, goal, width=2, limit=9)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 9)
    loops = Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 1, 1], [1, 0, 1], [0, 0, 0], "zero")
    assert beam(loops, 0, 2).status is Status.NO_SOLUTION
    for options in ({"width": 0}, {"width": 1.5}, {"metric": "taxi"}, {"limit": -1}):
        with pytest.raises(InputError):
            beam(U_TRAP, 0, 1, **options)
