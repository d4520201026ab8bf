import numpy as np
import pytest
from way_checks import U_TRAP, check, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.noun import state_hash
from anabasis.search.annealing import annealing
from anabasis.search.hill_climbing import _luby, hill_climbing

BOTH = pytest.mark.parametrize("run", [hill_climbing, annealing])


@BOTH
def test_paths_are_real_and_failures_are_told_from_no_way(run):
    solved = possible = 0
    for space, start, goal, options in worlds(90, side=16):
        result, best = check(run, space, start, goal, options, seed=3)
        possible += np.isfinite(best)
        solved += bool(result)
        if result:
            assert len(set(result.value.vertices.tolist())) == len(result.value.vertices)
        check_traced(run, space, start, goal, options, seed=3, limit=2000)
    assert solved >= 0.95 * possible > 20


@BOTH
def test_a_seed_means_one_path_and_others_differ(run):
    ways = {state_hash(run(U_TRAP, 31, 39, seed=seed).value) for seed in range(8)}
    assert len(ways) > 1
    assert state_hash(run(U_TRAP, 31, 39, seed=2)) == state_hash(run(U_TRAP, 31, 39, seed=2))


@BOTH
def test_gets_out_of_a_trap(run):
    start, goal = U_TRAP.vertex(6, 3), U_TRAP.vertex(9, 3)
    result = run(U_TRAP, start, goal)
    assert result
    assert result.value.cost > 6
    assert result.stats["restarts"] >= (run is hill_climbing)


@BOTH
def test_gives_up_at_the_limit_and_goes_on_without_one(run):
    start, goal = U_TRAP.vertex(1, 3), U_TRAP.vertex(9, 3)
    result = run(U_TRAP, start, goal, limit=5)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 5)
    assert result.bound == 8
    assert run(U_TRAP, start, goal, limit=0)
    walled = Grid.from_text("..#..")
    assert run(walled, 0, 4, limit=0).status is Status.NO_SOLUTION
    assert run(walled, 0, 4, limit=0).stats["expanded"] == 0
    assert run(walled, 0, 4, limit=9).status is Status.NO_SOLUTION


@BOTH
def test_no_part_of_a_graph_is_a_prison(run):
    # from 0 the way to 3 looks worse than the one to 1 and 2, which never come back
    points = [[0, 0], [1, 0], [2, 0], [-5, 0], [3, 0]]
    graph = Graph.from_arcs(points, [0, 1, 2, 0, 3], [1, 2, 1, 3, 4], [1, 1, 1, 5, 9])
    assert run(graph, 0, 4).value.vertices.tolist() == [0, 3, 4]


@BOTH
def test_refuses_wrong_input(run):
    for options in ({"seed": -1}, {"seed": 0.5}, {"metric": "taxi"}, {"limit": -1}, {"neighbours": 6}):
        with pytest.raises(InputError):
            run(U_TRAP, 0, 1, **options)
    for options in ({"temperature": 0}, {"temperature": np.nan}, {"cooling": 1}, {"cooling": 0}):
        with pytest.raises(InputError):
            annealing(U_TRAP, 0, 1, **options)


def test_open_ground_is_climbed_straight():
    ground = Grid.from_free(np.ones((20, 20), bool))
    result = hill_climbing(ground, 0, 399)
    assert result.stats["expanded"] == 19
    assert result.value.cost == pytest.approx(19 * 2**0.5)


def test_colder_walks_go_straighter():
    ground = Grid.from_free(np.ones((30, 30), bool))

    def trials(temperature):
        return np.median(
            [annealing(ground, 0, 899, temperature=temperature, seed=s).stats["expanded"] for s in range(9)]
        )

    assert trials(0.2) < trials(3) < trials(100)


def test_the_sequence_of_luby():
    assert [_luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
