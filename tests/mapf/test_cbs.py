"""Conflict-based search finds the optimum of the joint search, with each of its parts on or off."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from joint_search import TooLargeError, joint_search
from tiny_instances import tiny_instance

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.cbs import HEURISTICS, SPLITTING, Cbs, cbs
from anabasis.mapf.cbs_heuristics import cover
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status

FEATURES = [(), ("following",), ("vanish",), ("changes",), ("directed",), ("no wait",), ("vanish", "changes")]
OPTIONS = {
    "splitting": SPLITTING,
    "heuristic": HEURISTICS,
    **dict.fromkeys(("prioritize", "bypass", "rectangle", "corridor", "target", "barrier"), (True, False)),
}


def open_grid(text: str) -> Grid:
    return Grid.from_terrain(np.array([[ord(c) for c in row] for row in text.split()], np.uint8))


def check(instance: Instance, objective: str, limit: int, **options: object) -> Status | None:
    """Compare one answer with the joint search; return its status, None if the joint search does not end soon."""
    result = cbs(instance, objective=objective, limit=limit, **options)  # pyright: ignore[reportArgumentType]
    try:
        best = joint_search(instance, objective, most=100_000)
    except TooLargeError:
        return None
    cost = result.stats.get("sum_of_costs" if objective == "sum" else "makespan")
    if result.value is not None:
        assert plan_faults(instance, result.value) == []
    if result.status is Status.SOLVED:
        assert best is not None and cost == best.cost == result.bound
    elif result.status is Status.NO_SOLUTION:
        assert best is None and result.reason
    else:
        assert result.reason and (best is None or result.bound <= best.cost)
        assert cost is None or (best is not None and cost >= best.cost)
    return result.status


@pytest.mark.parametrize("features", FEATURES)
def test_the_optimum_is_that_of_the_joint_search(features: tuple[str, ...]) -> None:
    statuses = [
        check(tiny_instance(seed, features, most=3), objective, 100)
        for seed in range(12)
        for objective in ("sum", "makespan")
    ]
    assert statuses.count(Status.SOLVED) > 10


def test_no_part_loses_the_optimum() -> None:
    rng, solved = np.random.default_rng(8), 0
    for seed in range(40):
        options = {name: choices[rng.integers(len(choices))] for name, choices in OPTIONS.items()}
        solved += check(tiny_instance(1000 + seed, most=3), "sum", 100, **options) is Status.SOLVED
    assert solved > 22


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_optima(part: int) -> None:
    """Of each part at least 100 optima are compared."""
    rng, statuses = np.random.default_rng(part), list[Status | None]()
    for seed in range(5000 + 150 * part, 5150 + 150 * part):
        options = {name: choices[rng.integers(len(choices))] for name, choices in OPTIONS.items()}
        features = FEATURES[rng.integers(len(FEATURES))] if rng.random() < 0.5 else ()
        objective = "sum" if rng.random() < 0.6 else "makespan"
        some = options if rng.random() < 0.5 else {}
        statuses.append(check(tiny_instance(seed, features), objective, 400, **some))
    assert statuses.count(Status.SOLVED) >= 100


def test_answers_are_the_same_without_the_compiler() -> None:
    script = (
        "from tiny_instances import tiny_instance; from anabasis.mapf.cbs import cbs\n"
        "for seed in range(5):\n"
        "    result = cbs(tiny_instance(seed, most=3), limit=20)\n"
        "    print(result.status, dict(result.stats), result.bound, result.value and result.value.vertices.tolist())\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parent,
            env={**os.environ, "NUMBA_DISABLE_JIT": off, "PYTHONHASHSEED": off},
            capture_output=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert printed[0] == printed[1] and b"SOLVED" in printed[0]


def test_the_worked_example() -> None:
    """Both agents are to be at D in step 2: cost 6 becomes 7, and the first agent is the one that waits."""
    s1, s2, a1, b1, d, g1, g2 = range(7)
    arcs = [(s1, a1), (a1, d), (d, g1), (s2, b1), (b1, d), (d, g2)]
    both = arcs + [(v, u) for u, v in arcs]
    graph = Graph.from_arcs(np.zeros((7, 2)), [u for u, _ in both], [v for _, v in both], [1.0] * len(both))
    instance = Instance.of(graph, [s1, s2], [g1, g2])
    for heuristic in HEURISTICS:
        result = cbs(instance, heuristic=heuristic)
        assert result.value is not None
        assert result.stats["sum_of_costs"] == result.bound == 7
        assert result.value.arrivals(instance.goals).tolist() == [4, 3]


def test_symmetries_save_nodes() -> None:
    rectangle = Instance.of(open_grid("........\n" * 8), [8 * 2 + 1, 8 * 1 + 2], [8 * 6 + 7, 8 * 7 + 6])
    corridor = Instance.of(open_grid("..@@@@@..\n.........\n..@@@@@.."), [0, 8], [26, 18])
    target = Instance.of(open_grid("@@@@@.\n......\n@@@@@."), [9, 6], [10, 5])
    for instance, name in ((rectangle, "rectangle"), (corridor, "corridor"), (target, "target")):
        plain = {
            "rectangle": False,
            "corridor": False,
            "target": False,
            "barrier": False,
            "heuristic": "none",
            "bypass": False,
        }
        without = cbs(instance, **plain)  # pyright: ignore[reportArgumentType]
        result = cbs(instance, **{**plain, name: True})  # pyright: ignore[reportArgumentType]
        assert result.stats[name] > 0
        assert result.bound == without.bound
        assert result.stats["expanded"] < without.stats["expanded"]


def test_instances_without_agents_without_moves_and_without_solution() -> None:
    line = open_grid("....")
    none = cbs(Instance.of(line, np.zeros(0, np.int64), np.zeros(0, np.int64)))
    assert none.status is Status.SOLVED and none.bound == 0
    still = cbs(Instance.of(open_grid("."), [0], [0]))
    assert still.value is not None and still.value.vertices.tolist() == [[0]]
    swap = cbs(Instance.of(line, [0, 3], [3, 0]))
    assert swap.status is Status.NO_SOLUTION and "configurations" in swap.reason
    at_once = cbs(Instance.of(line, [0, 3], [3, 0]), limit=1)
    assert at_once.status is Status.NO_SOLUTION and at_once.stats["pair_nodes"] == 0
    lost = cbs(Instance.of(open_grid("..@."), [0], [3]))
    assert lost.status is Status.NO_SOLUTION and "agent 0 can't get from" in lost.reason
    shut = np.array([2]), np.array([3]), np.array([True])
    closed = cbs(Instance(line, np.array([0]), np.array([3]), *shut))
    assert closed.status is Status.NO_SOLUTION and "between the known changes" in closed.reason


def test_a_search_that_is_stopped_tells_its_bound_and_has_a_plan_made_agent_by_agent() -> None:
    instance = Instance.of(open_grid("....\n@.@@"), [0, 3], [3, 0])
    search = Cbs(instance, limit=1)
    assert search.result.status is Status.LIMIT
    assert search.advance(5)
    result = search.result
    assert result.status is Status.LIMIT and result.value is not None
    assert plan_faults(instance, result.value) == []
    assert 6 <= result.bound <= 8 <= result.stats["sum_of_costs"] == result.value.arrivals(instance.goals).sum()
    assert result.reason == (
        "no plan was proved to be the best within 1 pieces of work; this one was made for one agent after the other"
    )


def test_what_is_asked_wrongly_is_named() -> None:
    instance = Instance.of(open_grid(".."), [0], [1])
    with pytest.raises(InputError, match="unknown objective; found 'fuel'; expected sum or makespan"):
        cbs(instance, objective="fuel")
    with pytest.raises(InputError, match="unknown heuristic; found 'best'"):
        cbs(instance, heuristic="best")
    with pytest.raises(InputError, match="limit"):
        cbs(instance, limit=0)
    for switch in ("prioritize", "bypass", "rectangle", "corridor", "target", "barrier"):
        for value in ("no", 0, 2, None):
            with pytest.raises(InputError, match=f"{switch}; found {value!r}; expected True or False"):
                cbs(instance, **{switch: value})
    with pytest.raises(InputError, match="count; found -1; expected a whole number from 0"):
        Cbs(instance).advance(-1)
    with pytest.raises(InputError, match="cbs can't solve this instance"):
        cbs(Instance.of(open_grid(".."), [0], [1], rules=Rules(swap=False)))


def test_a_cover_is_the_least_that_heeds_each_pair() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        n = int(rng.integers(2, 6))
        weights = {(a, b): int(rng.integers(1, 4)) for a in range(n) for b in range(a + 1, n) if rng.random() < 0.6}
        choices = np.stack(np.meshgrid(*[np.arange(4)] * n), axis=-1).reshape(-1, n)
        enough = np.ones(len(choices), bool)
        for (a, b), weight in weights.items():
            enough &= choices[:, a] + choices[:, b] >= weight
        assert cover(weights) == choices[enough].sum(axis=1).min()


def test_a_cover_of_thousands_in_one_part_is_no_more_than_the_least() -> None:
    assert cover({(a, a + 1): 2 for a in range(2999)}) == 3000
    assert cover({(0, a): 1 for a in range(1, 3000)}) == 1
