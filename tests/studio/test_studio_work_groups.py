from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from studio_cases import Said, check_run, draft

from anabasis.methods import names
from anabasis.orders import execute, plan_groups
from anabasis.studio.archives import kept_run
from anabasis.studio.drafts import scenario_of
from anabasis.studio.work.groups import record_every


@pytest.mark.parametrize("method", names("group"))
def test_every_group_method(method: str, tmp_path: Path) -> None:
    said = Said("group", {"draft": draft(), "method": method, "seed": 4}, tmp_path)
    assert said.status == "solved"
    (head, arrays), positions, _ = check_run(said)
    scenario = scenario_of(draft())
    trace = execute(scenario, method, plan_groups(scenario, method, seed=4), seed=4)
    assert head["hash"] == trace.hash and head["method"] == method
    assert np.array_equal(positions, trace.positions.astype(np.float32))
    assert arrays["arrival"].tolist() == trace.arrival.tolist()
    facts = said.facts()
    assert facts["arrived"] == 12 and facts["valid"] is True and facts["last arrival"] == trace.arrival.max()
    assert 0 < facts["proved: no method before step"] <= facts["last arrival"]
    shown = [message[0]["name"] for message in said.all("scene")]
    assert shown == (
        ["plan", "regions", "network"] if method in ("flow-gates", "flow-taut", "flow-centres") else ["plan"]
    )
    kinds = [message[0]["kind"] for message in said.messages if message[0]["kind"] != "progress"]
    assert kinds.index("scene") < kinds.index("run") < kinds.index("frames")
    counters = said.table("Counters of the units that arrived")
    travelled = next(row for row in counters["rows"] if row[0] == "distance travelled")
    assert travelled[1] == pytest.approx(trace.counters.distance_travelled.mean())

    kept = kept_run(tmp_path)
    again = execute(kept.scenario, kept.method, kept.plans, seed=kept.seed)
    assert again.hash == kept.trace.hash == trace.hash


def test_the_same_is_said_twice() -> None:
    args = {"draft": draft(), "method": "flow-taut", "seed": 1}
    assert Said("group", args).without_clock() == Said("group", args).without_clock()


def test_a_group_without_a_way_ends_with_the_reason() -> None:
    said = draft()
    said["scenario"]["map"]["text"] = "\n".join(["....#...."] * 4)
    said["scenario"]["groups"] = [{"positions": [[1.5, 1.5]], "target": {"x": 7.5, "y": 1.5, "radius": 1}}]
    for method in names("group"):
        told = Said("group", {"draft": said, "method": method})
        assert told.status == "no solution" and told.reason
        (_, arrays), _, state = check_run(told)
        assert arrays["arrival"].tolist() == [-1] and state[-1, 0] == 3
        assert told.table("What went wrong")["rows"]


def test_units_that_do_not_arrive_are_told() -> None:
    said = draft()
    said["scenario"]["limits"] = {"steps": 40}
    told = Said("group", {"draft": said, "method": "astar"})
    assert told.status == "limit reached" and told.reason == "12 of 12 units did not arrive"
    assert told.facts()["ending"] == "step limit" and len(told.table("What went wrong")["rows"]) == 12


def test_frames_of_many_units_are_far_enough_apart_to_fit_in_memory() -> None:
    scenario = scenario_of(draft())
    assert record_every(scenario) == 1

    class Many:
        size, limits = 10_000, scenario.limits

    every = record_every(Many())  # type: ignore[arg-type]
    assert 20_000 / every * 10_000 * 25 <= 2**28 * 1.01 and every < 25


def test_a_group_without_units_is_left_out_and_said() -> None:
    said = draft()
    empty = {"name": "none", "target": {"x": 3, "y": 3}, "positions": []}
    said["scenario"]["groups"].insert(0, empty)
    told, without = (
        Said("group", {"draft": said, "method": "astar"}),
        Said("group", {"draft": draft(), "method": "astar"}),
    )
    assert told.facts()["groups without units"] == "none" and told.facts()["hash"] == without.facts()["hash"]
    head, arrays = told.one("run")
    assert head["groups"] == ["", "a"] and head["targets"] == [None, without.one("run")[0]["targets"][0]]
    assert set(arrays["group"].tolist()) == {1}
