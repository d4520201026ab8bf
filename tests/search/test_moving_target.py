"""Moving target: at every step of a chase the way costs what a search from scratch finds, whatever else changes."""

import numpy as np
import pytest
from change_worlds import Arcs, arc_changes, cell_changes, directed_world, grid_world, ground, hexagonal_world
from search_oracle import all_distances, walked

from anabasis import Graph, Grid, InputError, Status
from anabasis.search.astar import astar
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.moving_target import MovingTarget

RULES = [(4, "strict"), (8, "strict"), (8, "loose"), (8, "none")]


def check_answer(hunt, space, neighbours, corners, closed):
    """The way is one in the world as it is, and no dearer than the best; return whether there was one to compare."""
    result, step = hunt.path(), hunt.next_step()
    best = np.inf if closed else float(all_distances(space, [hunt.start], neighbours, corners)[0][hunt.goal])
    if result.value is None:
        assert result.status is Status.NO_SOLUTION
        assert step is None
        assert np.isinf(best)
        return False
    vertices = result.value.vertices
    assert (vertices[0], vertices[-1]) == (hunt.start, hunt.goal)
    assert step == vertices[min(1, len(vertices) - 1)]
    assert walked(space, vertices, neighbours, corners) == pytest.approx(result.value.cost, rel=1e-12)
    assert result.value.cost == pytest.approx(0.0 if hunt.start == hunt.goal else best, rel=1e-11)
    return len(vertices) > 1


def move(rng, hunt, beside, size):
    """The hunter mostly goes ahead, the target mostly to a neighbour, and now and then anybody anywhere."""
    if rng.random() < 0.85:
        step = hunt.next_step()
        if step is not None:
            hunt.move_to(step)
    elif rng.random() < 0.4:
        hunt.move_to(int(rng.integers(size)))
    near = beside(hunt.goal)
    if rng.random() < 0.8 and len(near):
        hunt.target_to(int(rng.choice(near)))
    elif rng.random() < 0.2:
        hunt.target_to(int(rng.integers(size)))


def hunt_on_a_map(rng, neighbours, corners, steps):
    terrain = [[1.0], [1.0, 2.0, 8.0], [1.0, 1.1, 2.7]][rng.integers(3)]
    grid, ways = grid_world(rng, terrain), 0
    cost = grid.cost.copy().reshape(-1)
    start, goal = rng.integers(0, cost.size, 2).tolist()
    hunt = MovingTarget(grid, start, goal, neighbours=neighbours, corners=corners)

    def beside(v):
        x, y = grid.cell(v)
        cells = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        inside = [grid.vertex(a, b) for a, b in cells if 0 <= a < grid.width and 0 <= b < grid.height]
        return [w for w in inside if np.isfinite(cost[w])]

    for _ in range(steps):
        if rng.random() < 0.3:
            cells, prices = cell_changes(rng, cost, terrain, int(rng.choice([1, 4, 20])))
            assert hunt.change(cells, prices) == (cost[cells] != prices).sum()
            cost[cells] = prices
        move(rng, hunt, beside, cost.size)
        closed = np.inf in (cost[hunt.start], cost[hunt.goal])
        ways += check_answer(hunt, ground(cost.reshape(grid.cost.shape)), neighbours, corners, closed)
    return ways


def hunt_on_a_graph(rng, steps, hexagons):
    graph = hexagonal_world(rng) if hexagons else directed_world(rng)
    arcs, ways = Arcs(graph), 0
    start, goal = rng.integers(0, graph.size, 2).tolist()
    hunt = MovingTarget(graph, start, goal)
    for _ in range(steps):
        if len(arcs.tails) and rng.random() < 0.4:
            changes = arc_changes(rng, graph)
            hunt.change_arcs(*changes)
            arcs.change(*changes)
        move(rng, hunt, lambda v: graph.indices[graph.indptr[v] : graph.indptr[v + 1]], graph.size)
        ways += check_answer(hunt, arcs.now(), 8, "strict", False)
    return ways


def compare(count, steps, seed):
    rng, ways = np.random.default_rng(seed), 0
    for k in range(count):
        rule = [*RULES, None, None][k % 6]
        ways += hunt_on_a_map(rng, *rule, steps) if rule else hunt_on_a_graph(rng, steps, k % 12 < 6)
    return ways


def test_every_answer_is_that_of_a_search_from_scratch():
    assert compare(90, 25, seed=1) > 700


@pytest.mark.long
def test_every_answer_is_that_of_a_search_from_scratch_100_000_times():
    assert compare(4_000, 25, seed=2) > 35_000


def test_a_hunter_catches_a_target_that_skips_moves_with_less_work_than_new_searches():
    rng = np.random.default_rng(3)
    caught, mended, anew, by_goal = 0, 0, 0, 0
    for _ in range(6):
        cost = np.where(rng.random((50, 50)) < 0.25, np.inf, rng.choice([1.0, 2.0], (50, 50)))
        cost[0, 0] = 1.0
        reached = np.flatnonzero(np.isfinite(all_distances(ground(cost), [0])[0]))
        if len(reached) < 500:
            continue
        grid, target, flight = ground(cost), int(reached[-1]), []
        hunt, lite, tick = MovingTarget(grid, 0, target), DStarLite(grid, 0, target), 0
        while hunt.start != target:
            tick += 1
            assert tick < 3000
            if tick % 5:  # it rests in every fifth step
                while not flight:
                    flight = astar(grid, target, int(rng.choice(reached))).value.vertices[1:].tolist()
                target = flight.pop(0)
                hunt.target_to(target)
                lite.set_goal(target)
            fresh = astar(grid, hunt.start, target)
            assert hunt.path().value.cost == pytest.approx(fresh.value.cost, rel=1e-12)
            step = hunt.next_step()
            lite.next_step()
            anew += fresh.stats["expanded"]
            hunt.move_to(step)
            lite.move_to(step)
        assert hunt.restarts == 0
        caught += 1
        mended += hunt.expanded
        by_goal += lite.total_expanded
    assert caught >= 4
    assert mended < 0.3 * anew
    assert mended < 0.3 * by_goal


def test_nothing_is_sought_while_the_target_rests():
    hunt = MovingTarget(Grid.from_text("." * 30), 0, 29, neighbours=4)
    steps = []
    while (step := hunt.next_step()) != hunt.start:
        hunt.move_to(step)
        steps.append(step)
    assert steps == list(range(1, 30))
    assert hunt.expanded <= 30
    hunt.target_to(0)
    assert hunt.next_step() == 28
    hunt.target_to(29)
    assert hunt.path().value.vertices.tolist() == [29]


def test_blocked_ends_and_wrong_input():
    hunt = MovingTarget(Grid.from_text("...\n.#."), 0, 2)
    hunt.change([2], [np.inf])
    assert hunt.path().reason == "the goal, x=2 (column), y=0 (row), is blocked"
    hunt.change([0, 2], [np.inf, 1.0])
    assert hunt.path().reason == "the start, x=0 (column), y=0 (row), is blocked"
    assert hunt.next_step() is None
    hunt.change([0], [1.0])
    assert hunt.path().value.cost == 2
    hunt.move_to(5)
    assert hunt.path().value.cost == 1
    for ask in (hunt.move_to, hunt.target_to):
        with pytest.raises(InputError, match="outside the map; found vertex 6"):
            ask(6)
    with pytest.raises(InputError, match="price of x=1"):
        hunt.change([1], [0.5])
    with pytest.raises(InputError, match="expected one that never overestimates"):
        MovingTarget(Grid.from_text(".."), 0, 1, metric="manhattan")


def test_a_long_chase_beside_the_greatest_prices_stays_exact_and_ends():
    """What the hunter has walked is added to distances, so at some time the search has to begin anew."""
    cost = np.ones((3, 5))
    cost[:, 2] = np.floor(2.0**52 / 15 / 2**0.5) - 10
    hunt = MovingTarget(ground(cost), 5, 9)
    for crossing in range(60):
        hunter, target = (5, 9) if crossing % 2 == 0 else (9, 5)
        hunt.move_to(hunter)
        hunt.target_to(target)
        for _ in range(3):
            assert check_answer(hunt, ground(cost), 8, "strict", False)
            hunt.move_to(hunt.next_step())


def test_a_chase_over_weights_as_far_apart_as_may_be():
    places = [(0.0, 0.0)] * 4
    weights = [1.0, 2.0**52 / 4.5, 1.0, 1.0, 1.0]
    graph = Graph.from_arcs(places, [0, 1, 2, 3, 1], [1, 2, 3, 0, 0], weights, "zero")
    hunt = MovingTarget(graph, 0, 3)
    for place in (1, 2, 3):
        assert hunt.next_step() == place
        hunt.move_to(place)
    hunt.target_to(1)
    assert hunt.path().value.vertices.tolist() == [3, 0, 1]
