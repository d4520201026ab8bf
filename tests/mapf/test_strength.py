"""How strong the solvers are on the standard maps: how many of 25 instances they solve with so much work, at what cost.

The work is counted, never timed, so the tests end the same everywhere; benchmarks/mapf.py has the seconds.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from anabasis.instance import Instance
from anabasis.io.mapf_scen import load_instance
from anabasis.io.movingai import load_map, load_scen
from anabasis.mapf.board import Board
from anabasis.mapf.cbs import cbs
from anabasis.mapf.eecbs import eecbs
from anabasis.mapf.lacam import lacam, lacam_star
from anabasis.mapf.lns2 import lns2
from anabasis.maps.tasks import multi_agent_tasks
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status

pytestmark = pytest.mark.long

INSTANCES = 25  # 5 at random and 1 with even lengths of the benchmark, the others samples of our own


def instances(movingai: Path, name: str, agents: int, count: int = INSTANCES) -> Iterator[Instance]:
    folder = movingai / "mapf"
    grid = load_map(folder / f"{name}.map")
    files = [folder / "scen-random" / f"{name}-random-{k}.scen" for k in range(1, 6)]
    files.append(folder / "scen-even" / f"{name}-even-1.scen")
    given = [file for file in files if load_scen(file).size >= agents]
    for file in given:
        yield load_instance(grid, file, agents=agents)
    for seed in range(count - len(given)):
        tasks = multi_agent_tasks(grid, agents, seed=seed, neighbours=4)
        yield Instance.of(grid, tasks.starts, tasks.goals)


def cost_of(instance: Instance, result: Result[Plan]) -> float:
    """The sum of costs over that of the agents' shortest ways, of a valid plan."""
    assert result.value is not None
    assert plan_faults(instance, result.value) == []
    if instance.size <= 100:
        assert review_plan(instance, result.value) == []
    return float(result.stats["sum_of_costs"] / Board(instance, "").shortest().sum())


def test_cbs_solves_every_instance_of_forty_agents(movingai: Path) -> None:
    costs: list[float] = []
    for instance in instances(movingai, "random-32-32-20", 40):
        result = cbs(instance, limit=4_000)
        assert result.status is Status.SOLVED
        assert result.stats["sum_of_costs"] == result.bound
        costs.append(cost_of(instance, result))
    assert 1 < median(costs) < 1.03


def test_cbs_solves_a_third_of_those_of_sixty(movingai: Path) -> None:
    solved = [cbs(i, limit=7_000).status is Status.SOLVED for i in instances(movingai, "random-32-32-20", 60)]
    assert sum(solved) * 3 >= INSTANCES


def test_eecbs_solves_a_hundred_agents_within_its_bound(movingai: Path) -> None:
    for instance in instances(movingai, "random-32-32-20", 100):
        result = eecbs(instance, weight=1.2, limit=4_000)
        assert result.status is Status.SOLVED
        assert result.bound <= result.stats["sum_of_costs"] <= 1.2 * result.bound + 1e-9
        assert cost_of(instance, result) <= 1.2 * 1.05


@pytest.mark.parametrize(
    ("name", "agents", "dearest"),
    [("random-32-32-20", 400, 4.0), ("den520d", 1000, 1.6), ("warehouse-10-20-10-2-1", 1000, 4.0)],
)
def test_lacam_has_a_first_plan_for_crowds(movingai: Path, name: str, agents: int, dearest: float) -> None:
    costs: list[float] = []
    for instance in instances(movingai, name, agents, INSTANCES if agents < 1000 else 8):
        result = lacam(instance, limit=20_000)
        assert result.status is Status.SOLVED
        costs.append(cost_of(instance, result))
    assert max(costs) <= dearest


def test_lacam_star_improves_to_the_bar(movingai: Path) -> None:
    for instance in instances(movingai, "random-32-32-20", 400, 5):
        first, better = lacam(instance), lacam_star(instance, limit=14_000)
        assert cost_of(instance, better) <= 2.3
        assert better.stats["sum_of_costs"] < first.stats["sum_of_costs"]


def test_lns2_solves_two_hundred_agents(movingai: Path) -> None:
    costs = [cost_of(i, lns2(i)) for i in instances(movingai, "random-32-32-20", 200, 8)]
    assert np.median(costs) <= 1.6
