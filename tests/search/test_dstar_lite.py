import copy

import numpy as np
import pytest
from change_worlds import Arcs, arc_changes, cell_changes, directed_world, grid_world, ground, hexagonal_world
from search_oracle import all_distances, walked
from way_checks import check_optimal, check_traced, worlds

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.dstar_lite import DStarLite, dstar_lite
from anabasis.search.lpa_star import LPAStar, lpa_star
from anabasis.search.moving_target import MovingTarget

NO_CELLS, NO_PRICES = np.empty(0, np.int64), np.empty(0)
TERRAIN = ([1.0], [1.0, 2.0, 8.0], [1.0, 1.1, 2.7])


def check_answer(unit, space, neighbours, corners):
    """The path is a way in the world as it is, and costs what a search from scratch says."""
    best = float(all_distances(space, [unit.start], neighbours, corners)[0][unit.goal])
    result = unit.path()
    step = unit.next_step()
    if result.value is None:
        assert result.status is Status.NO_SOLUTION
        assert result.reason
        assert step is None
        assert np.isinf(best)
        return False
    vertices = result.value.vertices
    assert (vertices[0], vertices[-1]) == (unit.start, unit.goal)
    assert step == vertices[min(1, len(vertices) - 1)]
    assert walked(space, vertices, neighbours, corners) == pytest.approx(result.value.cost, rel=1e-12)
    assert result.value.cost == pytest.approx(best, rel=1e-11)
    return len(vertices) > 1


def walk_a_map(rng, neighbours, corners, steps, optimized):
    """Walk with changes on one map; return how many answers were compared."""
    terrain = TERRAIN[rng.integers(3)]
    grid = grid_world(rng, terrain)
    start, goal = rng.integers(0, grid.cost.size, 2).tolist()
    unit = DStarLite(grid, start, goal, neighbours=neighbours, corners=corners, optimized=optimized)
    cost = grid.cost.copy().reshape(-1)
    most, ways = int(rng.choice([1, 4, 20, 60])), 0
    for _ in range(steps):
        cells, prices = cell_changes(rng, cost, terrain, most)
        keep = cells != unit.start
        assert unit.change(cells[keep], prices[keep]) == (cost[cells[keep]] != prices[keep]).sum()
        cost[cells[keep]] = prices[keep]
        now = ground(cost.reshape(grid.cost.shape))
        if np.isfinite(cost[unit.start]):
            ways += check_answer(unit, now, neighbours, corners)
        if rng.random() < 0.3:
            vertex = int(rng.integers(cost.size))
            exact = all_distances(now, [vertex], neighbours, corners)[0][unit.goal]
            exact = 0.0 if vertex == unit.goal else exact
            assert unit.distance(vertex) == pytest.approx(exact, rel=1e-11)
        move(rng, unit, cost.size)
    return ways


def move(rng, unit, size):
    """Mostly a step ahead, sometimes nothing, a push aside or another goal."""
    dice = rng.random()
    if dice < 0.75:
        step = unit.next_step()
        if step is not None and step != unit.goal:
            unit.move_to(step)
    elif dice < 0.8:
        unit.move_to(int(rng.integers(size)))
    elif dice < 0.85:
        unit.set_goal(int(rng.integers(size)))


def walk_a_graph(rng, steps, optimized, hexagons):
    graph = hexagonal_world(rng) if hexagons else directed_world(rng)
    start, goal = rng.integers(0, graph.size, 2).tolist()
    unit, arcs, ways = DStarLite(graph, start, goal, optimized=optimized), Arcs(graph), 0
    for _ in range(steps):
        if len(arcs.tails) and rng.random() < 0.6:
            changes = arc_changes(rng, graph)
            unit.change_arcs(*changes)
            arcs.change(*changes)
        else:
            vertices, prices = cell_changes(rng, arcs.prices, [1.0, 1.5, 8.0], 10)
            keep = vertices != unit.start
            unit.change(vertices[keep], prices[keep])
            arcs.prices[vertices[keep]] = prices[keep]
        now = arcs.now()
        if np.isfinite(arcs.prices[unit.start]):
            ways += check_answer(unit, now, 8, "strict")
        move(rng, unit, graph.size)
    return ways


def compare(count, steps, seed):
    """Return how many ways were compared with a search from scratch, after so many changes on so many worlds."""
    rng = np.random.default_rng(seed)
    ways = 0
    for k in range(count):
        optimized = k % 3 > 0
        rule = [(4, "strict"), (8, "strict"), (8, "loose"), (8, "none"), None, None][k % 6]
        if rule:
            ways += walk_a_map(rng, *rule, steps, optimized)
        else:
            ways += walk_a_graph(rng, steps, optimized, k % 12 < 6)
    return ways


def test_every_answer_is_that_of_a_search_from_scratch():
    assert compare(100, 20, seed=1) > 700


@pytest.mark.long
def test_every_answer_is_that_of_a_search_from_scratch_100_000_times():
    assert compare(5_000, 20, seed=2) > 35_000


def test_the_first_search_keeps_the_promises_of_astar():
    assert check_optimal(dstar_lite) > 50
    for space, start, goal, options in worlds(30, seed=4):
        check_traced(dstar_lite, space, start, goal, options)
    result = dstar_lite(Grid.from_free(np.ones((20, 20), bool)), 0, 399, limit=7)
    assert result.status is Status.LIMIT
    assert result.stats["expanded"] == 7


@pytest.mark.parametrize("search", [dstar_lite, lpa_star])
def test_a_queue_that_grows_neither_starts_the_record_anew_nor_the_count(search):
    free = np.random.default_rng(8).random((100, 100)) > 0.2
    free[0, 0] = free[-1, -1] = True
    grid = Grid.from_free(free)
    assert search(grid, 0, 9999).stats["expanded"] > 2000
    for limit in (0, 1500):
        check_traced(search, grid, 0, 9999, {}, limit=limit)
    assert search(grid, 0, 9999, limit=1500).stats["expanded"] == 1500


def test_a_unit_on_a_blocked_cell_may_leave_it():
    unit = DStarLite(Grid.from_text("...\n.#.\n..."), 0, 8, neighbours=4)
    assert unit.path().value.cost == 4
    unit.change([0, 1], [np.inf, np.inf])
    assert unit.path().value.vertices.tolist() == [0, 3, 6, 7, 8]
    assert unit.next_step() == 3
    assert unit.distance(0) == np.inf
    unit.change([3], [np.inf])
    assert unit.next_step() is None
    assert (
        unit.path().reason
        == "the goal, x=2 (column), y=2 (row), is not connected to the start, x=0 (column), y=0 (row)"
    )
    unit.change([1, 3, 8], [5.0, np.inf, np.inf])
    assert unit.path().reason == "the goal, x=2 (column), y=2 (row), is blocked"
    unit.change([8], [1.0])
    assert unit.path().value.cost == 8


def test_the_unit_is_told_the_goal_at_the_goal_and_the_same_way_without_changes():
    unit = DStarLite(Grid.from_text("." * 40), 0, 39, neighbours=4)
    steps = []
    while unit.start != unit.goal:
        step = unit.next_step()
        assert unit.next_step() == step
        unit.move_to(step)
        steps.append(step)
    assert steps == list(range(1, 40))
    assert unit.next_step() == 39
    assert unit.path().value.vertices.tolist() == [39]
    assert unit.total_expanded == 39, "the start is never expanded, and nothing twice"
    unit.set_goal(0)
    assert unit.next_step() == 38


def test_prices_outlive_a_new_goal():
    unit = DStarLite(Grid.from_text("...\n..."), 0, 2, neighbours=4)
    unit.change([1], [np.inf])
    unit.set_goal(1)
    assert unit.next_step() is None
    unit.set_goal(2)
    assert unit.path().value.cost == 4


def test_a_whole_map_is_compared():
    unit = DStarLite(Grid.from_text("...\n..."), 0, 2, neighbours=4)
    assert unit.changed_from(Grid.from_text(".#.\n.3.")) == 2
    assert unit.path().value.cost == 6
    assert unit.changed_from(Grid.from_text(".#.\n.3.")) == 0
    assert unit.changed_from(Grid.from_text("...\n.3.")) == 1
    assert unit.path().value.cost == 2
    with pytest.raises(InputError, match=r"size of the changed map; found 2 × 1 cells; expected 3 × 2 cells"):
        unit.changed_from(Grid.from_text(".."))


def test_wrong_input_is_refused_and_changes_nothing():
    grid = Grid.from_text("...\n...")
    unit = DStarLite(grid, 0, 2)
    for vertices, prices, complaint in (
        ([1, 6], [np.inf, 1.0], "the changed vertex is outside the map; found vertex 6"),
        ([1, -1], [np.inf, 1.0], "the changed vertex is outside the map; found vertex -1"),
        ([1, 1], [np.inf, 0.5], r"price of x=1 \(column\), y=0 \(row\); found 0.5; expected at least 1, or inf"),
        ([1, 1], [np.inf], "number of prices; found 1; expected 2"),
        ([1.5], [1.0], "vertices must be whole numbers"),
        ([1], [np.nan], "prices holds NaN"),
        (np.array([1]), np.array([np.nan]), "found nan"),
    ):
        with pytest.raises(InputError, match=complaint):
            unit.change(vertices, prices)
        assert unit.path().value.cost == 2
    for wrong in (-1, 6):
        for ask in (unit.move_to, unit.set_goal, unit.distance):
            with pytest.raises(InputError, match=f"outside the map; found vertex {wrong}"):
                ask(wrong)
    with pytest.raises(InputError, match="expected one that never overestimates"):
        DStarLite(grid, 0, 2, metric="manhattan")
    with pytest.raises(InputError, match="unknown metric"):
        DStarLite(grid, 0, 2, metric="floor-euclidean")
    with pytest.raises(InputError, match="expected a Graph"):
        unit.change_arcs([0], [1], [2.0])


def test_wrong_arcs_are_refused_and_change_nothing():
    graph = Graph.from_arcs([[0, 0], [1, 0], [3, 0]], [0, 1, 0], [1, 2, 2], [1, 2, 9])
    unit = DStarLite(graph, 0, 2)
    for arcs, complaint in (
        (([0, 2], [1, 1], [7.0, 3.0]), "no such arc; found one from vertex 2 to vertex 1"),
        (([0, 1], [1, 2], [7.0, 1.5]), "weight of the arc from vertex 1 to vertex 2; found 1.5; expected a positive"),
        (([0, 1], [1, 2], [7.0]), "number of weights"),
        (([0, 1], [1, 3], [7.0, 2.0]), "the head of an arc is outside the graph; found vertex 3"),
    ):
        with pytest.raises(InputError, match=complaint):
            unit.change_arcs(*arcs)
        assert unit.path().value.cost == 3
    unit.change_arcs([1], [2], [np.inf])
    assert unit.path().value.vertices.tolist() == [0, 2]
    with pytest.raises(InputError, match="found one from vertex 0 to vertex 1"):
        DStarLite(Graph.from_arcs([[0, 0], [1, 0]], [0], [1], [0.0], "zero"), 0, 1)


def test_what_the_search_knows():
    unit = DStarLite(Grid.from_text("....\n.#.."), 0, 3, neighbours=4)
    assert unit.next_step() == 1
    known = unit.touched()
    assert known.vertices.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert known.g[:4].tolist() == [np.inf, 2, 1, 0]
    assert known.rhs[:4].tolist() == [3, 2, 1, 0]
    assert (known.price[5], known.g[5], known.rhs[5]) == (np.inf, np.inf, np.inf)
    assert (unit.expanded, unit.total_expanded) == (3, 3)


def test_the_way_is_another_where_a_change_leaves_all_distances_as_they_are():
    """Two equal ways; the one that the unit was told becomes dearer, and nothing has to be expanded."""
    unit = DStarLite(Grid.from_text("...\n.#.\n..."), 0, 8, neighbours=4)
    step = unit.next_step()
    assert step in (1, 3)
    unit.change([step], [8.0])
    assert unit.next_step() == 4 - step
    assert unit.path().value.cost == 4


def walk_as_twins(rng, neighbours, corners, optimized):
    """One unit is told changes and asked, the other does both at once: they answer alike and do the same work."""
    terrain = TERRAIN[rng.integers(3)]
    grid = grid_world(rng, terrain)
    start, goal = rng.integers(0, grid.cost.size, 2).tolist()
    options = {"neighbours": neighbours, "corners": corners, "optimized": optimized}
    plain, quick = DStarLite(grid, start, goal, **options), DStarLite(grid, start, goal, **options)
    cost, most, steps = grid.cost.copy().reshape(-1), int(rng.choice([1, 4, 20])), 0
    for k in range(15):
        cells, prices = cell_changes(rng, cost, terrain, most)  # the cell of the unit too
        cost[cells] = prices
        differ = plain.change(cells, prices)
        wanted = plain.next_step()
        assert quick.step_after(cells, prices) == wanted
        known = [(unit.total_expanded, unit.total_updated) for unit in (plain, quick)]
        assert known[0] == known[1]
        if differ and plain.start != goal:
            assert (quick.expanded, quick.updated) == (plain.expanded, plain.updated)
        assert quick.next_step() == wanted
        now = ground(cost.reshape(grid.cost.shape))
        if np.isfinite(cost[quick.start]):
            steps += check_answer(quick, now, neighbours, corners)
        if k == 7:
            quick = copy.deepcopy(quick)
        if wanted is not None and rng.random() < 0.8:
            plain.move_to(wanted)
            quick.move_to(wanted)
        if plain.start == plain.goal:
            goal = int(rng.integers(cost.size))
            plain.set_goal(goal)
            quick.set_goal(goal)
    for one, other in zip(vars(plain.touched()).values(), vars(quick.touched()).values(), strict=True):
        assert (one == other).all()
    return steps


def compare_twins(count, seed):
    rng = np.random.default_rng(seed)
    rules = [(4, "strict"), (8, "strict"), (8, "loose"), (8, "none")]
    return sum(walk_as_twins(rng, *rules[k % 4], k % 3 > 0) for k in range(count))


def test_a_step_after_changes_is_that_of_changes_and_a_question():
    assert compare_twins(24, seed=11) > 60


@pytest.mark.long
def test_a_step_after_changes_is_that_of_changes_and_a_question_20_000_times():
    assert compare_twins(1_500, seed=12) > 4_000


def test_a_step_after_changes_of_lists_graphs_and_wrong_values():
    unit = DStarLite(Grid.from_free(np.ones((3, 3), bool)), 0, 8, neighbours=4)
    assert unit.step_after([1], [np.inf]) == 3
    assert unit.step_after(NO_CELLS, NO_PRICES) == 3
    assert unit.step_after(np.array([3, 1], np.int32), [np.inf, 1.0]) == 1
    sealed = np.array([3, 4])
    sealed.flags.writeable = False
    assert unit.step_after(sealed, np.array([1.0, 5.0])) in (1, 3)
    with pytest.raises(InputError, match=r"the changed vertex is outside the map; found vertex 9"):
        unit.step_after(np.array([1, 9]), np.array([np.inf, 2.0]))
    with pytest.raises(InputError, match=r"price of .*; found 0.5; expected at least 1, or inf for blocked"):
        unit.step_after(np.array([1, 3]), np.array([np.inf, 0.5]))
    with pytest.raises(InputError, match=r"number of prices; found 1; expected 2"):
        unit.step_after(np.array([1, 3]), np.array([np.inf]))
    assert unit.change([1, 3], [1.0, 1.0]) == 0  # what is wrong changes nothing
    assert unit.step_after(np.array([1, 3]), np.array([np.inf, np.inf])) is None
    assert unit.step_after(np.array([0, 1]), np.array([np.inf, 1.0])) == 1  # it may leave a blocked place
    places = [(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (2.0, 0.0)]
    graph = Graph.from_arcs(places, [0, 1, 0, 2], [1, 3, 2, 3], [2.0] * 4)
    unit = DStarLite(graph, 0, 3)
    assert unit.step_after(np.array([1]), np.array([np.inf])) == 2
    assert unit.step_after(np.array([2]), np.array([np.inf])) is None


def test_more_changes_at_once_than_the_queue_has_room_for():
    rng = np.random.default_rng(13)
    cost = np.ones((60, 60))
    unit = DStarLite(ground(cost), 0, 3599, neighbours=4)
    unit.next_step()
    cells = np.flatnonzero(rng.random(3600) < 0.3)
    cells = cells[(cells > 0) & (cells < 3599)]
    cost.reshape(-1)[cells] = 8.0
    step = unit.step_after(cells, np.full(len(cells), 8.0))
    assert step == unit.path().value.vertices[1]
    assert check_answer(unit, ground(cost), 4, "strict")


def test_prices_that_would_hide_a_step_are_refused():
    """Beside them a step is lost in a sum, ways of equal distance lead into each other and a path would not end."""
    cost = np.ones((6, 6))
    limit = 2.0**52 / 36 / 2**0.5
    unit = DStarLite(ground(cost), 0, 35)
    for give in (unit.change, unit.step_after):
        with pytest.raises(
            InputError, match=r"price of .*; found 1e\+17; expected at most 8.8\d*e\+13, so that no step"
        ):
            give(np.array([7, 8]), np.array([2.0, 1e17]))
    assert unit.change([7], [1.0]) == 0  # what is wrong changes nothing
    assert unit.change([7], [limit]) == 1
    assert unit.path().value.cost == pytest.approx(4 * 2**0.5 + 2)
    cost[3, 3] = 2 * limit
    for search in (DStarLite, LPAStar, MovingTarget, dstar_lite, lpa_star):
        with pytest.raises(InputError, match=r"a price of the map; found 1.7"):
            search(ground(cost), 0, 35)


def test_paths_beside_the_greatest_prices_end_and_are_shortest():
    rng, limit, ways = np.random.default_rng(21), 2.0**52 / 36, 0
    for _ in range(60):
        cost = rng.choice([1.0, 2.0, limit, np.inf], (6, 6))
        cost[0, 0] = cost[5, 5] = 1
        unit = DStarLite(ground(cost.copy()), 0, 35, neighbours=4)
        for _ in range(4):
            cells, prices = cell_changes(rng, cost.reshape(-1), [1.0, 2.0, limit], 4)
            cells, prices = cells[cells % 35 > 0], prices[cells % 35 > 0]
            cost.reshape(-1)[cells] = prices
            unit.change(cells, prices)
            best = all_distances(ground(cost), [0], 4)[0][35]
            result = unit.path()
            assert (best == np.inf) == (result.value is None)
            if result.value is not None:
                assert result.value.cost == pytest.approx(best)
                ways += 1
    assert ways > 60


def test_weights_that_would_hide_a_step_are_refused():
    places = [(0.0, 0.0)] * 3
    arcs = [0, 1, 0], [1, 2, 2]
    with pytest.raises(
        InputError, match=r"weights .* too far apart; found 1 and 1e\+16; expected the greatest at most 1.5"
    ):
        DStarLite(Graph.from_arcs(places, *arcs, [1.0, 1e16, 3.0], "zero"), 0, 2)
    unit = DStarLite(Graph.from_arcs(places, *arcs, [1.0, 1.0, 3.0], "zero"), 0, 2)
    assert unit.change([1], [1e6]) == 1
    with pytest.raises(InputError, match=r"too far apart; found 1e-16 and 3"):
        unit.change_arcs([0], [1], [1e-16])
    with pytest.raises(InputError, match=r"a price beside new weights; found 1e\+06; expected at most 500400"):
        unit.change_arcs([0], [2], [3e9])
    assert unit.change_arcs([0], [2], [3e8]) == 1
    assert unit.path().value.cost == 1e6 + 1
    with pytest.raises(InputError, match=r"price of vertex 1; found 6e\+06; expected at most 5.004\d*e\+06"):
        unit.change([1], [6e6])


def test_wrong_vertices_and_maps_are_refused():
    unit = DStarLite(Grid.from_free(np.ones((3, 3), bool)), 0, 8)
    assert unit.distance(np.int64(7)) == unit.distance(7) == 1
    for vertex, complaint in (
        (9, "the vertex is outside the map; found vertex 9"),
        (-1, "the vertex is outside the map; found vertex -1"),
        (1.5, "vertex must be whole numbers"),
        ("x", "vertex must be numbers"),
    ):
        with pytest.raises(InputError, match=complaint):
            unit.distance(vertex)
    with pytest.raises(InputError, match="nothing that can be searched; found str"):
        unit.changed_from("x")
    with pytest.raises(InputError, match="size of the changed map; found 2 × 1 cells"):
        unit.changed_from(Grid.from_text(".."))
