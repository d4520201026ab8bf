"""Changes at a time that no plan comes to take no memory, and whoever would have to wait for one is told."""

import tracemalloc

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf import focal_tree
from anabasis.mapf.priced_cbs import priced_cbs
from anabasis.mapf.priced_search import PricedSearch
from anabasis.mapf.space_time import SpaceTime
from anabasis.methods import METHODS
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status

SOLVERS = {
    **{row.name: row.load() for row in METHODS if row.family == "mapf" and "changes" in row.can},
    "priced-cbs": priced_cbs,
}
LATE = 10**8


def ring(times: list[int], vertices: list[int], blocked: list[bool]) -> Instance:
    """Two agents that have to pass each other on a ring of eight cells with a blocked one in the middle."""
    grid = Grid.from_text("...\n.#.\n...")
    changes = np.array(times), np.array(vertices), np.array(blocked)
    return Instance(grid, np.array([0, 2]), np.array([2, 0]), *changes)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("change", [(6, True), (4, False)])
def test_a_late_change_that_nobody_needs_takes_no_memory(name: str, change: tuple[int, bool]) -> None:
    solve, plain = SOLVERS[name], ring([], [], [])
    expected = solve(plain)
    instance = ring([LATE], [change[0]], [change[1]])
    solve(instance)
    tracemalloc.start()
    result = solve(instance)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.status is Status.SOLVED and result.value is not None, result.reason
    assert peak < 2**24
    assert plan_faults(instance, result.value) == [] == review_plan(instance, result.value)
    assert result.stats["sum_of_costs"] >= expected.bound


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("which", ["a door", "a goal"])
def test_who_would_have_to_wait_for_a_late_change_is_told(
    name: str, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PricedSearch, "most_states", 2**14)
    monkeypatch.setattr(SpaceTime, "most_states", 2**14)
    monkeypatch.setattr(focal_tree, "_ROOM", 2**14)
    if which == "a door":
        changes = np.array([LATE]), np.array([1]), np.array([False])
        instance = Instance(Grid.from_text(".#."), np.array([0]), np.array([2]), *changes)
    else:
        instance = ring([1, LATE], [2, 2], [True, False])
    result = SOLVERS[name](instance)
    assert result.status is Status.LIMIT and result.value is None
    assert result.reason and "can't get" not in result.reason


@pytest.mark.parametrize("name", SOLVERS)
def test_changes_too_late_to_be_counted_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"change_times of an instance; found .* step 1073741824; expected .* Hint: "):
        SOLVERS[name](ring([3, 2**30], [6, 7], [True, True]))
