"""Lifelong: nobody meets anybody in what was walked, tasks are done in order, and who is stuck is named."""

import numpy as np
import pytest
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.errand_log import LifelongRun
from anabasis.mapf.errands import ANYBODY, Errands, intersection_errands, pickup_errands, warehouse_errands
from anabasis.mapf.lifelong import STRATEGIES, Lifelong, lifelong
from anabasis.metrics.plans import plan_faults
from anabasis.noun import state_hash
from anabasis.result import Status

HALL = Grid.from_text(
    """
    ............
    .@@.@@.@@.@.
    .@@.@@.@@.@.
    ............
    .@@.@@.@@.@.
    ............
    """
)
FREE = np.flatnonzero(HALL.free)


def faults_of(space: Grid | Graph, run: LifelongRun) -> list[str]:
    """Return what is wrong with a run, from the definitions, where agents may be absent."""
    arcs: set[tuple[int, int]] = set()
    if isinstance(space, Graph):
        for u in range(space.size):
            arcs |= {(u, int(v)) for v in space.indices[space.indptr[u] : space.indptr[u + 1]]}
    faults: list[str] = []
    for t, row in enumerate(run.vertices.tolist()):
        there = [v for v in row if v >= 0]
        if len(set(there)) < len(there):
            faults.append(f"{t} vertex")
        before = run.vertices[t - 1].tolist() if t else row
        moves = {(u, v) for u, v in zip(before, row, strict=True) if u >= 0 and v >= 0 and u != v}
        for u, v in moves:
            if (v, u) in moves:
                faults.append(f"{t} swap")
            if isinstance(space, Graph):
                if (u, v) not in arcs:
                    faults.append(f"{t} jump")
                continue
            (x, y), (i, j) = space.cell(u), space.cell(v)
            if abs(x - i) + abs(y - j) != 1:
                faults.append(f"{t} jump")
        if isinstance(space, Grid) and not space.free.ravel()[there].all():
            faults.append(f"{t} wall")
    return faults


def check_tasks(errands: Errands, run: LifelongRun) -> None:
    """See that every finished task was done by whom and when the record says, in order."""
    free_from = np.zeros(errands.size, np.int64)
    for task, agent, taken, done in zip(run.task, run.agent, run.taken, run.done, strict=True):
        assert errands.agent[task] in (agent, ANYBODY) and max(errands.release[task], free_from[agent]) <= taken <= done
        column, t = run.vertices[:, agent], int(taken)
        for place in errands.task(int(task)).tolist():
            t = int(next(i for i in range(t, done + 1) if column[i] == place))
        assert t == done  # not later than it could be noticed
        free_from[agent] = done
    assert np.unique(run.task).size == run.task.size


def test_the_checker_sees_faults() -> None:
    none = np.zeros(0, np.int64)

    def run(rows: list[list[int]]) -> LifelongRun:
        return LifelongRun(np.array(rows), none, none, none, none, none)

    assert faults_of(HALL, run([[0, 1], [1, 0]])) == ["1 swap", "1 swap"]
    assert faults_of(HALL, run([[0, 2], [1, 1], [1, 13]])) == ["1 vertex", "2 wall"]
    assert faults_of(HALL, run([[0, -1], [2, -1]])) == ["1 jump"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("agents", [1, 6, 18])
def test_warehouse_model_is_done(strategy: str, agents: int) -> None:
    errands = warehouse_errands(FREE, agents, 8, seed=agents)
    result = lifelong(HALL, errands, strategy=strategy, seed=1)
    assert result.status is Status.SOLVED and result.value is not None, result.reason
    run = result.value
    assert run.task.size == errands.tasks and not faults_of(HALL, run)
    check_tasks(errands, run)
    for agent in range(agents):  # its own tasks in order
        assert (np.diff(run.task[run.agent == agent]) > 0).all()
    instance = Instance.of(HALL, run.vertices[0], run.vertices[-1])
    assert not plan_faults(instance, run.plan)
    assert run.throughput == pytest.approx(errands.tasks / run.steps)
    assert (run.service_times == run.done).all()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_intersection_model_lets_agents_enter_and_leave(strategy: str) -> None:
    edge = [0, 3, 6, 9, 60, 63, 66, 69]
    errands = intersection_errands(edge, edge, rate=0.08, steps=120, seed=5)
    result = lifelong(HALL, errands, strategy=strategy)
    assert result.status is Status.SOLVED and result.value is not None, result.reason
    run = result.value
    assert not faults_of(HALL, run)
    check_tasks(errands, run)
    there = run.vertices >= 0
    for agent in range(errands.size):
        steps = np.flatnonzero(there[:, agent])
        assert steps[0] >= errands.enter[agent] and steps.size == steps[-1] - steps[0] + 1
        assert run.vertices[steps[0], agent] == errands.starts[agent]
        assert steps[-1] == run.done[run.agent == agent][0]
    with pytest.raises(InputError, match="agents enter or leave, so there is no plan of all"):
        _ = run.plan


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_streams_are_dealt_out(strategy: str) -> None:
    errands = pickup_errands([0, 5, 11], FREE, 40, every=1.5, seed=3)
    result = lifelong(HALL, errands, strategy=strategy)
    assert result.status is Status.SOLVED and result.value is not None, result.reason
    assert not faults_of(HALL, result.value)
    check_tasks(errands, result.value)
    assert np.unique(result.value.agent).size == 3


def test_one_task_takes_its_distance() -> None:
    row = Grid.from_text("..........")
    errands = Errands.of_queues([2], [[9, 0, 0, 4]])
    for strategy in STRATEGIES:
        run = lifelong(row, errands, strategy=strategy).value
        assert run is not None and run.done.tolist() == [7, 16, 16, 20]


def test_going_on_is_the_same_as_never_having_stopped() -> None:
    errands = warehouse_errands(FREE, 12, 30, seed=2)
    for strategy in STRATEGIES:
        whole, parts = (Lifelong(HALL, errands, strategy=strategy, seed=3) for _ in range(2))
        whole.advance(100)
        for count in (1, 2, 30, 0, 67):
            parts.advance(count)
        assert whole.step == parts.step == 100
        values = [run.result.value for run in (whole, parts)]
        assert state_hash(values[0]) == state_hash(values[1])
        assert "tasks are done after 100 steps" in whole.result.reason
        assert (whole.positions == whole.result.value.vertices[-1]).all() if whole.result.value else False


def test_one_way_streets() -> None:
    """A ring of one direction with a bay at each corner."""
    tails, heads = [0, 1, 2, 3, 0, 4, 2, 5], [1, 2, 3, 0, 4, 0, 5, 2]
    ring = Graph.from_arcs(np.zeros((6, 2)), tails, heads, [1.0] * 8)
    errands = Errands.of_queues([4, 5], [[2, 4, 3], [0, 5, 1]])
    for strategy in STRATEGIES:
        result = lifelong(ring, errands, strategy=strategy)
        assert result.status is Status.SOLVED and result.value is not None
        assert not faults_of(ring, result.value)
    trap = Graph.from_arcs(np.zeros((3, 2)), [0, 1], [1, 2], [1.0, 1.0])
    result = lifelong(trap, Errands.of_queues([0], [[2, 0]]))
    assert result.status is Status.NO_SOLUTION
    assert result.reason == "task 1 of agent 0 is hopeless: no way leads from vertex 2 to vertex 0"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_who_is_stuck_is_named(strategy: str) -> None:
    row = Grid.from_text("...")
    result = lifelong(row, Errands.of_queues([0, 2], [[2], [0]]), strategy=strategy, patience=30)
    assert result.status is Status.LIMIT
    assert result.reason.startswith("stuck: in 30 steps no agent got to any place it must go to; agent 0 at x=")
    assert "in its way is agent 1, which has a task too" in result.reason
    apart = Grid.from_text(".@.")
    stream = pickup_errands([0], [2, 0], 1)
    result = lifelong(apart, stream, strategy=strategy, patience=10)
    assert result.status is Status.LIMIT and "nobody can take task 0: no agent has a free way" in result.reason


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_why_nothing_is_done_yet_is_told(strategy: str) -> None:
    row = Grid.from_text(".....")

    def reason(errands: Errands, steps: int) -> str:
        return lifelong(row, errands, strategy=strategy, steps=steps).reason

    far, facing = Errands.of_queues([0], [[4]]), Errands.of_queues([1, 0], [[0], [1]])
    late = Errands([0], [0], [5], [0], [0, 1], [4])
    places = "x=1 (column), y=0 (row) wants to x=4 (column), y=0 (row)"
    assert reason(far, 1) == f"0 of 1 tasks are done after 1 step; agent 0 at {places}, 3 steps away"
    assert reason(far, 4) == ""
    assert reason(facing, 0).endswith(", 1 step away, and in its way is agent 1, which has a task too")
    assert reason(late, 2) == "0 of 1 tasks are done after 2 steps; all wait for a task to be released"


def test_waiting_for_a_release_is_not_being_stuck() -> None:
    row = Grid.from_text("...")
    zero = np.zeros(1, np.int64)
    errands = Errands(zero, zero, zero + 500, zero, np.arange(2), zero + 2)
    run = lifelong(row, errands, patience=20).value
    assert run is not None and run.done.tolist() == [502]


def test_wrong_input() -> None:
    errands = Errands.of_queues([0], [[1]])
    with pytest.raises(InputError, match="period; found 9; expected 1 to the window, 4"):
        Lifelong(HALL, errands, window=4, period=9)
    with pytest.raises(InputError, match="unknown strategy; found 'best'"):
        Lifelong(HALL, errands, strategy="best")
    with pytest.raises(InputError, match=r"the place of a task is blocked; found x=1 \(column\), y=1 \(row\)"):
        Lifelong(HALL, Errands.of_queues([0], [[13]]))
    with pytest.raises(InputError, match="start of an agent; found vertex 99"):
        Lifelong(HALL, Errands.of_queues([99], [[1]]))


def test_nobody_and_nothing_to_do() -> None:
    assert lifelong(HALL, Errands.of_queues([], [])).status is Status.SOLVED
    result = lifelong(HALL, Errands.of_queues([3, 4], [[], []]))
    assert result.status is Status.SOLVED and result.value is not None and result.value.steps == 0


def test_pushing_is_not_stuck_in_a_crowd_with_dead_ends() -> None:
    """Two agents that meet in a dead end must change places to go on."""
    rng = np.random.default_rng(3)
    rough = Grid.from_terrain(np.where(rng.random((24, 24)) < 0.25, ord("@"), ord(".")).astype(np.uint8))
    free = largest_part(rough)
    errands = warehouse_errands(free, free.size // 4, 100, seed=2)
    run = Lifelong(rough, errands, strategy="inheritance", patience=50)
    run.advance(300)
    walked = run.result.value
    assert run.step == 300 and walked is not None and not faults_of(rough, walked)
    check_tasks(errands, walked)
    assert (np.bincount(walked.agent, minlength=errands.size) > 0).all()


def largest_part(grid: Grid) -> NDArray[np.int64]:
    """Return the vertices of the largest part of the map."""
    left, best = set(np.flatnonzero(grid.free).tolist()), list[int]()
    while left:
        part = [left.pop()]
        for v in part:
            x, y = grid.cell(v)
            for i, j in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= i < grid.width and 0 <= j < grid.height and grid.vertex(i, j) in left:
                    left.remove(grid.vertex(i, j))
                    part.append(grid.vertex(i, j))
        best = max(best, part, key=len)
    return np.array(sorted(best))


@pytest.mark.long
@pytest.mark.parametrize("agents", [100, 400])
def test_planning_ahead_does_more_than_pushing(agents: int) -> None:
    """500 steps in a warehouse of shelves and aisles; every step is judged."""
    free = np.ones((63, 161), bool)
    for y in range(2, 61, 3):
        for x in range(9, 145, 12):
            free[y : y + 2, x : x + 10] = False
    hall = Grid.from_free(free)
    errands = warehouse_errands(np.flatnonzero(free), agents, 60, seed=1)
    done: dict[str, int] = {}
    for strategy in STRATEGIES:
        run = Lifelong(hall, errands, strategy=strategy)
        run.advance(500)
        walked = run.result.value
        assert walked is not None and run.step == 500
        assert not plan_faults(Instance.of(hall, walked.vertices[0], walked.vertices[-1]), walked.plan)
        done[strategy] = walked.task.size
    assert done["rolling"] > 1.02 * done["inheritance"]
