from typing import Any

import numpy as np
import pytest

from anabasis import Change, Grid, Group, GroupPlan, Result, Scenario, Status, Steering, Target, orders
from anabasis.trace import Cause, Ending, Event


def scene(**options: Any) -> Scenario:
    grid = Grid.from_text("\n".join(["." * 20] * 9))
    return Scenario(grid, (Group([(2.5, 2.5), (2.5, 4.5)], Target(17.5, 4.5, 0.5)),), **options)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the methods that plans were asked of, in order."""
    names: list[str] = []
    real = orders.method

    def spied(family: str, name: str) -> Any:
        plan = real(family, name).load()

        def load(self: Any = None) -> Any:
            def planned(*args: Any, **options: Any) -> Any:
                names.append(name)
                return plan(*args, **options)

            return planned

        return type(
            "Spied", (), {"load": load, "load_together": lambda _: None, "load_watcher": lambda *_, **__: None}
        )()

    monkeypatch.setattr(orders, "method", spied)
    return names


def run(scenario: Scenario, name: str, **options: Any) -> Any:
    return orders.execute(scenario, name, orders.plan_groups(scenario, name, seed=1), seed=1, **options)


def test_after_a_change_of_the_map_the_group_plans_by_its_own_method(asked: list[str]) -> None:
    trace = run(scene(changes=(Change(5, [(10, 4)], "@"),)), "vector-field")
    assert trace.finished == 2
    assert asked == ["vector-field", "vector-field"]


def test_who_is_stuck_gets_a_path_of_its_own_whatever_the_method(asked: list[str]) -> None:
    scenario = scene(steering=Steering(seek=0.0, stuck_steps=20))
    trace = run(scenario, "vector-field")
    assert set(asked[1:]) == {"astar"}
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.STUCK] * 2


def test_a_target_walled_in_leaves_nobody_a_way() -> None:
    trace = run(scene(changes=(Change(5, [(17, 4)], "@"),)), "vector-field")
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.UNREACHABLE] * 2
    assert trace.ending is Ending.ALL_DONE


def test_a_group_without_a_plan_is_removed() -> None:
    scenario = scene()
    none: Result[GroupPlan] = Result(Status.NO_SOLUTION, reason="no way")
    trace = orders.execute(scenario, "astar", [none], seed=0)
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.UNREACHABLE] * 2
    assert np.array_equal(trace.positions[-1], scenario.groups[0].positions)


def test_progress_counts_units_that_are_done() -> None:
    told: list[tuple[int, int]] = []
    run(scene(), "astar", progress=lambda done, units: told.append((done, units)))
    assert told[-1] == (2, 2)
