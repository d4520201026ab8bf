"""Repair: after every change the plan is valid for the world as it is, and few agents had to plan anew."""

import networkx as nx
import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.prioritized import prioritized
from anabasis.mapf.repair import Repair, Replanner
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Status


def under_way(grid: Grid | Graph, starts: list[int], goals: list[int], rules: Rules = CLASSIC) -> Replanner:
    instance = Instance.of(grid, starts, goals, rules=rules)
    plan = prioritized(instance).value
    assert plan is not None
    return Replanner(instance, plan)


def check(run: Replanner, repair: Repair | None = None) -> None:
    """See that the plan is valid, ends where it should, and that those called stranded are cut off."""
    instance, plan = run.instance, run.plan
    assert not plan_faults(instance, plan) and not review_plan(instance, plan)
    if repair is None or not repair:
        return
    assert repair.cost == plan.arrivals(instance.goals).sum()
    space = instance.space
    assert isinstance(space, Grid)
    width = space.width
    model = nx.grid_2d_graph(space.height, width)
    model.remove_nodes_from([(int(y), int(x)) for y, x in np.argwhere(~space.free)])
    model.remove_nodes_from([divmod(run.places[a], width) for a in run.stopped])
    for column, agent in enumerate(run.agents):
        end = int(plan.vertices[-1, column])
        if agent in run.stopped:
            assert (plan.vertices[:, column] == run.places[agent]).all()
            continue
        here, goal = divmod(run.places[agent], width), divmod(run.wanted[agent], width)
        reached = goal in model and nx.has_path(model, here, goal)
        assert reached == (agent not in repair.stranded)
        assert (end == run.wanted[agent]) == reached


def random_event(run: Replanner, rng: np.random.Generator) -> Repair:
    grid = run.instance.space
    assert isinstance(grid, Grid)
    there, agents = set(run.places.values()), run.agents
    empty = [int(v) for v in np.flatnonzero(grid.free) if int(v) not in there]
    kind = int(rng.integers(7))
    if kind == 0:
        return run.close(int(rng.choice(empty)))
    if kind == 1 and run.blocked.any():
        return run.open(int(rng.choice(np.flatnonzero(run.blocked))))
    if kind == 2:
        return run.stop(int(rng.choice(agents)))
    if kind == 3 and run.stopped:
        return run.resume(min(run.stopped))
    goals = [v for v in np.flatnonzero(grid.free).tolist() if v not in run.wanted.values()]
    if kind == 4 and goals:
        return run.add(int(rng.choice(empty)), int(rng.choice(goals)))
    if kind == 5 and len(agents) > 3:
        return run.leave(int(rng.choice(agents)))
    return run.move_goal(int(rng.choice(agents)), int(rng.choice(goals)))


@pytest.mark.parametrize("rules", [CLASSIC, Rules(following=True)])
def test_after_every_random_change_the_plan_is_valid(rules: Rules) -> None:
    rng = np.random.default_rng(4)
    kinds = {"kept": 0, "repaired": 0, "anew": 0, "stranded": 0, "limit": 0}
    for _ in range(15):
        free = rng.random((8, 9)) > 0.2
        part = max(nx.connected_components(_model(free)), key=len)
        free[:] = False
        for y, x in part:
            free[y, x] = True
        cells = np.flatnonzero(free)
        starts, goals = (rng.permutation(cells)[:8].tolist() for _ in range(2))
        instance = Instance.of(Grid.from_free(free), starts, goals, rules=rules)
        plan = prioritized(instance).value
        if plan is None:
            continue
        run = Replanner(instance, plan)
        for _ in range(12):
            run.advance(int(rng.integers(4)))
            check(run)
            repair = random_event(run, rng)
            check(run, repair)
            kinds["anew" if repair.anew else "repaired" if repair.replanned else "kept"] += 1
            kinds["stranded"] += bool(repair.stranded)
            kinds["limit"] += not repair
        done = run.advance(500)
        assert done and run.advance(1)
        check(run)
    assert kinds["kept"] > 20 and kinds["repaired"] > 60 and kinds["stranded"] > 5
    assert kinds["anew"] < kinds["repaired"] / 4 and kinds["limit"] < 20


def _model(free: np.ndarray) -> "nx.Graph[tuple[int, int]]":
    model = nx.grid_2d_graph(*free.shape)
    model.remove_nodes_from([(int(y), int(x)) for y, x in np.argwhere(~free)])
    return model


def test_a_door_closes_and_opens() -> None:
    grid = Grid.from_text(".....\n.@@@.\n.....\n.....")
    run = under_way(grid, [0, 15], [4, 17])
    run.advance(1)
    repair = run.close(3)
    assert repair and repair.replanned == (0,) and not repair.anew
    check(run, repair)
    assert run.plan.arrivals(run.instance.goals)[0] == 9  # back and round
    repair = run.open(3)
    check(run, repair)
    assert repair.replanned == (0,) and run.plan.arrivals(run.instance.goals)[0] == 3
    assert not run.close(7).replanned  # was a wall before


def test_who_stops_is_gone_round_and_goes_on() -> None:
    grid = Grid.from_text("......\n......")
    run = under_way(grid, [2, 0], [4, 5])
    repair = run.stop(0)
    check(run, repair)
    assert run.instance.goals.tolist() == [2, 5] and repair.replanned == (0, 1) and repair.cost == 7
    assert run.advance(100) and run.step == 7
    repair = run.resume(0)
    check(run, repair)
    run.advance(100)
    assert run.places == {0: 4, 1: 5}


def test_the_stranded_make_room_and_come_back() -> None:
    grid = Grid.from_text("....\n@@.@")
    run = under_way(grid, [0, 1], [6, 3])
    repair = run.close(6)
    assert repair and repair.stranded == (0,) and repair.reason == "no way leads to the goal of agent 0 now"
    check(run, repair)
    run.advance(100)
    repair = run.open(6)
    check(run, repair)
    run.advance(100)
    assert not repair.stranded and run.places == {0: 6, 1: 3}


def test_agents_appear_and_leave_and_goals_move() -> None:
    run = under_way(Grid.from_text("......\n......"), [0], [5])
    repair = run.add(5, 0)
    check(run, repair)
    assert run.agents == [0, 1] and 1 in repair.replanned
    repair = run.move_goal(0, 11)
    check(run, repair)
    repair = run.leave(1)
    check(run, repair)
    assert run.agents == [0] and repair.cost == 6
    repair = run.leave(0)
    assert repair and run.agents == [] and run.plan.vertices.shape == (1, 0)
    check(run, run.add(3, 3))


def test_those_in_the_way_plan_anew_too() -> None:
    """One rests in a dead end that another now has to get to the end of."""
    grid = Grid.from_text("......\n@@.@@@")
    run = under_way(grid, [0, 4], [1, 4])
    repair = run.move_goal(0, 5)
    assert repair and set(repair.replanned) == {0, 1}
    check(run, repair)
    run.advance(100)
    assert run.places == {0: 5, 1: 4}


def test_what_has_no_plan_stands_still_until_a_change_helps() -> None:
    run = under_way(Grid.from_text(".....\n@@.@@"), [0, 4], [0, 4])
    run.move_goal(0, 3)
    run.close(7)  # no place to pass any more
    check(run)
    repair = run.move_goal(1, 0)
    assert not repair and repair.status is Status.LIMIT and repair.reason and repair.anew
    check(run, repair)
    assert run.advance(9) and run.places == {0: 0, 1: 4}
    repair = run.open(7)
    assert repair
    run.advance(100)
    assert run.places == {0: 3, 1: 0}


def test_without_a_place_to_wait_at_there_is_no_plan_for_anybody() -> None:
    run = under_way(Grid.from_text(".....\n....."), [0, 1, 4], [0, 4, 1])
    for place in (5, 6, 2):  # agent 1 is shut in where both places are wanted by others
        repair = run.close(place)
    assert not repair and repair.cost == 0
    fresh = run.anew()
    assert fresh.status is Status.LIMIT and fresh.value is None
    assert (
        fresh.reason == repair.reason == ("an agent is cut off from its goal, and there is no place for it to wait at")
    )


def test_graphs_lose_the_arcs_of_closed_vertices() -> None:
    ring = Graph.from_arcs(np.zeros((5, 2)), [0, 1, 2, 3, 0, 4], [1, 2, 3, 0, 4, 2], [1.0] * 6)
    run = under_way(ring, [0], [3])
    other = 4 if int(run.plan.vertices[1, 0]) == 1 else 1
    repair = run.close(5 - other)
    assert repair.replanned == (0,) and run.plan.vertices[:, 0].tolist() == [0, other, 2, 3]
    assert not plan_faults(run.instance, run.plan)
    assert run.close(other).stranded == (0,)
    assert run.open(1) and run.plan.vertices[:, 0].tolist() == [0, 1, 2, 3]


def test_repair_is_cheaper_than_solving_anew() -> None:
    grid = Grid.from_free(np.ones((20, 20), bool))
    rng = np.random.default_rng(2)
    run = under_way(grid, rng.permutation(400)[:40].tolist(), rng.permutation(400)[:40].tolist())
    replanned = expanded = cost = anew = anew_cost = 0
    for _ in range(12):
        run.advance(1)
        ways = [v for v in run.plan.vertices[1:3].ravel().tolist() if v not in run.places.values()]
        repair = run.close(ways[int(rng.integers(len(ways)))])
        check(run, repair)
        fresh = run.anew()
        replanned += len(repair.replanned)
        expanded, cost = expanded + repair.expanded, cost + repair.cost
        anew += int(fresh.stats["expanded"])
        anew_cost += int(fresh.stats["sum_of_costs"])
    assert expanded < anew / 4 and replanned < 12 * 40 / 8 and cost < 1.05 * anew_cost


def test_wrong_input() -> None:
    grid = Grid.from_text("...\n...")
    instance = Instance.of(grid, [0, 1], [2, 3])
    with pytest.raises(InputError, match="a plan to repair must be valid"):
        Replanner(instance, Plan(np.array([[0, 1]])))
    with pytest.raises(
        InputError, match="repair can't solve this instance; found an agent is gone once it has arrived"
    ):
        Replanner(Instance.of(grid, [0], [0], rules=Rules(stay=False)), Plan(np.array([[0]])))
    with pytest.raises(InputError, match="a plan; found NoneType; expected Plan"):
        Replanner(instance, None)  # pyright: ignore[reportArgumentType]
    run = under_way(grid, [0, 1], [2, 3])
    with pytest.raises(InputError, match="agent must be numbers"):
        run.stop("first")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="a place can't close while somebody is there; found agent 1"):
        run.close(1)
    with pytest.raises(InputError, match="vertex; found 6; expected a whole number from 0 to 5"):
        run.open(6)
    with pytest.raises(InputError, match="unknown agent; found 7"):
        run.stop(7)
    with pytest.raises(InputError, match="start of a new agent; found x=0"):
        run.add(0, 5)
    with pytest.raises(InputError, match=r"two agents have the same goal; found x=0 \(column\), y=1 \(row\)"):
        run.add(5, 3)
