"""Pickup and delivery: on well-formed errands all tasks are done and nobody meets anybody; others are told apart."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.errand_log import LifelongRun
from anabasis.mapf.errands import Errands, intersection_errands, pickup_errands
from anabasis.mapf.lifelong import lifelong
from anabasis.mapf.pickup_delivery import TokenPassing, token_passing, well_formed
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.noun import state_hash
from anabasis.result import Status


def warehouse(shelves: int, rows: int) -> tuple[Grid, list[int], list[int]]:
    """Return shelves of single cells in a hall, the cells where agents wait at the sides, and places beside shelves."""
    width, height = 3 * shelves + 5, 3 * rows + 1
    free = np.ones((height, width), bool)
    places: list[int] = []
    for row in range(rows):
        for shelf in range(shelves):
            x, y = 4 + 3 * shelf, 3 * row + 2
            free[y, x] = False
            places.append((y - 1) * width + x)
    waiting = [y * width + x for y in range(0, height, 2) for x in (0, width - 1)]
    return Grid.from_free(free), waiting, places


def check(space: Grid | Graph, errands: Errands, run: LifelongRun) -> None:
    instance = Instance.of(space, run.vertices[0], run.vertices[-1])
    assert not plan_faults(instance, run.plan)
    assert not review_plan(instance, run.plan)
    for task, agent, taken, done in zip(run.task, run.agent, run.taken, run.done, strict=True):
        pickup, delivery = errands.task(int(task))
        column = run.vertices[taken : done + 1, agent]
        assert column[-1] == delivery and pickup in column and taken >= errands.release[task]
        mine = run.agent == agent
        assert not ((run.taken[mine] < done) & (run.done[mine] > done)).any()  # one task at a time


@pytest.mark.parametrize("every", [0.0, 0.7, 4.0])
@pytest.mark.parametrize("agents", [1, 4, 10])
def test_all_tasks_are_done(agents: int, every: float) -> None:
    grid, waiting, places = warehouse(5, 4)
    errands = pickup_errands(waiting[:agents], places, 60, every=every, seed=agents)
    assert well_formed(grid, errands) == ""
    result = token_passing(grid, errands)
    assert result.status is Status.SOLVED and result.value is not None, result.reason
    assert sorted(result.value.task.tolist()) == list(range(60))
    check(grid, errands, result.value)


def test_more_agents_do_more_and_the_run_is_the_same_in_pieces() -> None:
    grid, waiting, places = warehouse(5, 4)
    steps: list[int] = []
    for agents in (1, 3, 9):
        errands = pickup_errands(waiting[:agents], places, 80, seed=3)
        run = token_passing(grid, errands).value
        assert run is not None
        steps.append(run.steps)
        parts = TokenPassing(grid, errands)
        while not parts.advance(7):
            assert parts.result.status is Status.LIMIT
        assert state_hash(parts.result.value) == state_hash(run)
    assert steps[0] > 2 * steps[1] > 3 * steps[2]


def test_one_agent_takes_the_nearest_pickup_by_the_shortest_ways() -> None:
    row = Grid.from_text("..........")
    errands = pickup_errands([5], [0, 9], 1)
    fixed = Errands(
        np.array([5]), np.array([0]), np.array([0, 0]), np.array([-1, -1]), np.array([0, 2, 4]), np.array([0, 9, 6, 4])
    )
    assert errands.tasks == 1
    run = token_passing(row, fixed).value
    assert run is not None and run.task.tolist() == [1, 0] and run.done.tolist() == [1 + 2, 3 + 4 + 9]


def test_who_is_free_makes_room_for_a_delivery() -> None:
    """The first agent ends where the second has to deliver."""
    grid, waiting, places = warehouse(2, 2)
    a, b, c, d = places
    both = np.array([a, b, c, b])
    errands = Errands(
        np.array(waiting[:2]), np.zeros(2, int), np.array([0, 30]), np.full(2, -1), np.array([0, 2, 4]), both
    )
    assert well_formed(grid, errands) == "" and d not in both
    result = token_passing(grid, errands)
    assert result.status is Status.SOLVED and result.value is not None
    check(grid, errands, result.value)


def test_what_is_not_well_formed_is_told() -> None:
    row = Grid.from_text(".....\n@@.@@")
    errands = Errands(
        np.array([0]), np.zeros(1, int), np.zeros(1, int), np.full(1, -1), np.array([0, 2]), np.array([2, 4])
    )
    assert well_formed(row, errands) == (
        "no way leads from x=0 (column), y=0 (row) to x=4 (column), y=0 (row) but through other endpoints"
    )
    start = pickup_errands([2], [2, 4], 1)
    assert well_formed(row, start) == "a task leads to the start of an agent, x=2 (column), y=0 (row)"
    assert well_formed(row, pickup_errands([2], [5, 4], 1)) == "x=0 (column), y=1 (row) is blocked"
    ring = Graph.from_arcs(np.zeros((3, 2)), [0, 1, 2], [1, 2, 0], [1.0] * 3)
    assert "no way leads from vertex 0 to vertex 2" in well_formed(ring, pickup_errands([0], [1, 2], 1))


def test_stuck_agents_end_the_run() -> None:
    """The first agent has the only free delivery, but the second stands in its way and may not end there."""
    zero = np.zeros(1, np.int64)
    errands = Errands(np.array([0, 1]), np.zeros(2, int), zero, zero - 1, np.array([0, 2]), np.array([3, 0]))
    run = TokenPassing(Grid.from_text("...."), errands, patience=40, limit=2000)
    assert run.advance(1000) and run.result.status is Status.LIMIT and run.log.step == 40
    assert run.result.reason == (
        "stuck: in 40 steps no agent got to any place it must go to; "
        "nobody can take task 0: no agent has a free way to its places"
    )


def test_other_errands_are_refused() -> None:
    grid, _, places = warehouse(2, 2)
    with pytest.raises(InputError, match="token passing can't do these errands; found agents that enter later, leave"):
        TokenPassing(grid, intersection_errands(places, places, rate=0.5, steps=9))


def test_places_that_are_not_there_and_what_are_no_errands_are_refused() -> None:
    row = Grid.from_text("...")
    for check in (well_formed, token_passing, lifelong):
        for place in (-1, 3):
            with pytest.raises(InputError, match=f"place of a task; found vertex {place}; expected vertices 0 to 2"):
                check(row, pickup_errands([0], [place, 1], 1))
        with pytest.raises(InputError, match="what agents have to do; found NoneType; expected Errands"):
            check(row, None)  # pyright: ignore[reportArgumentType]


@pytest.mark.long
def test_a_large_warehouse() -> None:
    grid, waiting, places = warehouse(20, 20)
    errands = pickup_errands(waiting[:50], places, 600, every=0.5, seed=1)
    assert well_formed(grid, errands) == ""
    result = token_passing(grid, errands)
    assert result.status is Status.SOLVED and result.value is not None
    check(grid, errands, result.value)
    rolling = lifelong(grid, errands, steps=5000)
    assert rolling.status is Status.SOLVED and rolling.value is not None
    assert rolling.value.service_times.mean() < 1.3 * result.value.service_times.mean()
