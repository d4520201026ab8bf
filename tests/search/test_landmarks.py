import numpy as np
import pytest
from search_oracle import all_distances
from way_checks import U_TRAP, check_optimal, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.io.movingai import load_map, load_scen
from anabasis.noun import state_hash
from anabasis.search.astar import AStar, astar
from anabasis.search.landmarks import Landmarks, alt
from anabasis.search.moves import Space


@pytest.mark.parametrize("count", [1, 8])
def test_cost_is_the_least(count):
    def run(*query, **options):
        return alt(*query, count=count, **options)

    assert check_optimal(run) > 30


@pytest.mark.long
def test_cost_is_the_least_in_5_000_queries():
    assert check_optimal(alt, count=5_000) > 1_000


def test_no_landmark_overestimates_and_the_farthest_are_chosen():
    for space, start, goal, options in worlds(60, seed=9, side=10):
        search = Landmarks(space, count=3, **options)
        if not search.vertices.size or (isinstance(space, Grid) and not space.free.reshape(-1)[[start, goal]].all()):
            continue
        assert len(set(search.vertices.tolist())) == len(search.vertices) <= 3
        true = all_distances(space, [start], *options.values())[0][goal]
        stopped = search.find(start, goal, limit=1)
        assert stopped.bound <= true * (1 + 1e-12) or stopped.status is Status.NO_SOLUTION
    corridor = Grid.from_free(np.ones((1, 30), bool))
    assert sorted(Landmarks(corridor, count=2).vertices.tolist()) == [0, 29]


def test_recording_changes_nothing_and_one_call_or_many_give_equal_results():
    for space, start, goal, options in worlds(40, seed=4):
        check_traced(alt, space, start, goal, options)
        search = Landmarks(space, **options)
        many = search.find_many([start, goal], [goal, start])
        assert state_hash(many) == state_hash([alt(space, start, goal, **options), search.find(goal, start)])


def test_a_goal_in_another_part_is_known_without_a_search():
    grid = Grid.from_text("....#.")
    for start, goal in ((0, 5), (5, 0)):
        result = alt(grid, start, goal)
        assert result.status is Status.NO_SOLUTION
        assert result.stats["expanded"] == 0
    one_way = Graph.from_arcs([[0, 0], [1, 0], [2, 0]], [0, 1], [1, 2], [1, 1])
    assert alt(one_way, 2, 0).status is Status.NO_SOLUTION
    assert alt(one_way, 0, 2).value.cost == 2


def test_fewer_expansions_than_astar_where_walls_mislead(movingai):
    folder = movingai / "mazes/maze512-8-0.map"
    grid, scen = load_map(folder), load_scen(f"{folder}.scen")
    search, plain = Landmarks(grid, count=8), AStar(grid)
    assert search.bytes == grid.cost.size * 8 * 8
    few = many = 0
    for i in np.linspace(0, scen.size - 1, 20).astype(int).tolist():
        start = grid.vertex(int(scen.start_x[i]), int(scen.start_y[i]))
        goal = grid.vertex(int(scen.goal_x[i]), int(scen.goal_y[i]))
        quick, slow = search.find(start, goal), plain.find(start, goal)
        assert quick.value.cost == slow.value.cost
        few, many = few + quick.stats["expanded"], many + slow.stats["expanded"]
    assert few < 0.45 * many


def test_tables_of_directed_spaces_are_kept_in_both_directions():
    grid = Grid(np.array([[1.0, 5.0, 1.0]]), np.full((1, 3), ord("."), np.uint8))
    search = Landmarks(grid, count=2)
    assert search.bytes == 2 * 2 * 3 * 8
    assert search.find(0, 2).value.cost == 6
    assert Space(grid).unit_cost is False


def test_limit_and_wrong_input():
    start, goal = U_TRAP.vertex(1, 3), U_TRAP.vertex(9, 3)
    result = alt(U_TRAP, start, goal, limit=2)
    assert (result.status, result.stats["expanded"]) == (Status.LIMIT, 2)
    assert result.bound > 8
    assert alt(Grid.from_text("##"), 0, 1).status is Status.NO_SOLUTION
    assert alt(Grid.from_text("##"), 0, 1).reason == astar(Grid.from_text("##"), 0, 1).reason
    for options in ({"count": 0}, {"count": 1.5}, {"limit": -1}, {"corners": "round"}):
        with pytest.raises(InputError):
            alt(U_TRAP, 0, 1, **options)
    with pytest.raises(InputError, match="number of goals"):
        Landmarks(U_TRAP).find_many([0, 1], [2])
