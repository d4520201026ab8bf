"""A plan for many agents in one call: what it answers, what it writes, and what it refuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anabasis as a
from anabasis.io.plan_files import load_plan
from anabasis.metrics.plans import plan_faults

MAP = """
.....
.@.@.
.....
"""
STARTS, GOALS = [(0, 0), (4, 2)], [(4, 2), (0, 0)]


@pytest.fixture
def grid() -> a.Grid:
    return a.Grid.from_text(MAP)


@pytest.mark.parametrize(("method", "options"), [("lacam", {}), ("cbs", {}), ("eecbs", {"weight": 1.0})])
def test_a_plan_and_its_answer(grid: a.Grid, method: str, options: dict[str, Any]) -> None:
    answer = a.solve_agents(grid, STARTS, GOALS, method=method, **options)
    assert answer and answer.validated and answer.plan is not None
    assert answer.cost == sum(answer.arrivals) >= answer.bound and answer.makespan == max(answer.arrivals)
    assert [way[0] for way in answer.cells] == STARTS and [way[-1] for way in answer.cells] == GOALS
    assert plan_faults(answer.instance, answer.plan) == []
    if method != "lacam":
        assert answer.cost == answer.bound == 12
        assert repr(answer) == f"<plan for 2 agents by {method}: cost 12, makespan 6>"


def test_maps_are_grids_generated_maps_or_files(tmp_path: Path) -> None:
    file = tmp_path / "arena.txt"
    file.write_text(MAP)
    plans = [a.solve_agents(space, np.array(STARTS), GOALS).plan for space in (file, str(file), a.load(file))]
    assert {a.state_hash(plan) for plan in plans if plan is not None} == {a.state_hash(plans[0])}
    made = a.generate("rooms", 16, seed=1)
    ends = [made.grid().cell(int(v)) for v in np.flatnonzero(made.grid().free)[[0, -1]]]
    assert a.solve_agents(made, ends, ends[::-1])


def test_the_same_seed_gives_the_same_plan_and_work_can_be_limited(grid: a.Grid) -> None:
    once, again = (a.solve_agents(grid, STARTS, GOALS, method="lacam-star", limit=50, seed=3) for _ in range(2))
    assert once and once.cells == again.cells
    stopped = a.solve_agents(grid, STARTS, GOALS, method="lns2", time_limit=0.2, improvements=10**9)
    assert stopped and stopped.seconds < 5


def test_rules_reach_the_solver(grid: a.Grid) -> None:
    vanishing = a.Rules(stay=False)
    answer = a.solve_agents(grid, [(0, 0), (2, 0)], [(4, 0), (4, 0)], method="cbs", rules=vanishing)
    assert answer and answer.cost == 6
    with pytest.raises(a.InputError, match="lacam can't solve this instance"):
        a.solve_agents(grid, STARTS, GOALS, rules=vanishing)


def test_no_plan_is_an_answer_that_says_why(tmp_path: Path) -> None:
    wall = a.Grid.from_text("..#..")
    answer = a.solve_agents(wall, [(0, 0)], [(4, 0)], method="cbs")
    assert not answer and answer.plan is None and not answer.validated
    assert (answer.cost, answer.makespan, answer.cells, answer.arrivals) == (float("inf"), 0, [], [])
    assert repr(answer).startswith("<no plan for 1 agent by cbs: agent 0 can't get from x=0 (column)")
    answer.save(tmp_path / "ends.png")
    for name in ("plan.txt", "plan.gif"):
        with pytest.raises(a.InputError, match="there is no plan to write"):
            answer.save(tmp_path / name)
    part = a.solve_agents(a.Grid.from_text("....."), [(0, 0)], [(4, 0)], method="pibt", limit=2)
    assert not part and part.validated and part.cost == float("inf") and part.makespan == 2


def test_it_is_looked_at_and_written(grid: a.Grid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = a.solve_agents(grid, STARTS, GOALS)
    for suffix in (".png", ".svg", ".gif", ".txt", ".csv", ".json", ".npz"):
        answer.save(tmp_path / f"plan{suffix}")
    assert answer.plan is not None
    assert (load_plan(tmp_path / "plan.txt", answer.instance).plan.vertices == answer.plan.vertices).all()
    assert answer._repr_svg_().startswith("<svg ")
    assert (tmp_path / "plan.txt").read_text().startswith("agents=2\nsolver=lacam\n")
    assert '"AllValid": "Yes"' in (tmp_path / "plan.json").read_text()
    shown: list[object] = []
    monkeypatch.setattr("anabasis.view.show.show", shown.append)
    answer.show()
    assert len(shown) == 1
    with pytest.raises(a.InputError, match=r"unknown format; found '.xml'; expected .png or .svg or .gif or .json"):
        answer.save(tmp_path / "plan.xml")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"starts": [(0, 0), (1, 1)]}, r"the start of agent 1 is blocked; found x=1 \(column\), y=1 \(row\)"),
        ({"goals": [(0, 0), (5, 0)]}, r"the goal of agent 1 is outside the map; found x=5 .*; expected x below 5"),
        ({"goals": [(0, 0), (0, 0)]}, r"two agents have the same goal; found x=0 .* of the agents 0 and 1"),
        ({"starts": [(0, 0)]}, "found 1 starts, 2 goals"),
        ({"starts": [0, 14]}, r"the start of agent 0; found 0; expected a cell \(x, y\)"),
        ({"starts": [(0.5, 0), (4, 2)]}, r"the start of agent 0; found \(0.5, 0\)"),
        ({"space": None}, "no map for agents; found None"),
        ({"space": "nowhere.map"}, "nowhere.map"),
        ({"method": "magic"}, "unknown mapf method"),
        ({"method": "eecbs", "weigth": 1.1}, "the method eecbs has no option 'weigth'; expected .*weight"),
        ({"time_limit": 0}, "time limit; found 0"),
        ({"time_limit": "2s"}, "time limit must be numbers; found '2s'"),
        ({"seed": -1}, "seed; found -1"),
        ({"rules": None}, "rules of agents; found NoneType; expected Rules"),
        ({"starts": None}, r"starts of agents; found None; expected a cell \(x, y\) for each agent"),
    ],
)
def test_what_makes_no_sense_is_refused(grid: a.Grid, changed: dict[str, Any], message: str) -> None:
    call: dict[str, Any] = {"space": grid, "starts": STARTS, "goals": GOALS, **changed}
    with pytest.raises(a.InputError, match=message):
        a.solve_agents(**call)
