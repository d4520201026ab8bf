from __future__ import annotations

from dataclasses import replace

import numpy as np

from anabasis.grid import Grid
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Change, Group, Scenario, Target
from anabasis.studio import runs
from anabasis.studio.channel import Channel
from anabasis.studio.runs import NO_ROUTE, kept_frames, say_run
from anabasis.studio.wire import Message, unpack
from anabasis.trace import Trace


def _scenario() -> Scenario:
    grid = Grid.from_text("\n".join([".........."] * 6))
    group = Group(np.array([[1.5, 1.5], [1.5, 3.5], [2.5, 2.5]]), Target(8.5, 3.0, 1.5), name="<b>the group</b>")
    return Scenario(grid, (group,), (Change(20, np.array([[5, 0], [5, 1]]), "@"),), name="six rows")


def _trace(scenario: Scenario) -> Trace:
    return execute(scenario, "astar", plan_groups(scenario, "astar", seed=3), seed=3)


def _said(scenario: Scenario | None, trace: Trace) -> list[Message]:
    sent: list[bytes] = []
    say_run(Channel("j", sent.append), scenario, trace, title="t")
    return [unpack(data) for data in sent]


def test_a_run_is_said_whole() -> None:
    scenario = _scenario()
    trace = _trace(scenario)
    (head, arrays), *rest = _said(scenario, trace)
    assert (head["kind"], head["units"], head["steps"], head["every"]) == ("run", 3, trace.steps, 1)
    assert head["groups"] == ["<b>the group</b>"] and head["targets"] == [[8.5, 3.0, 1.5]]
    assert head["changes"] == [{"step": 20, "terrain": "@", "cells": [[5, 0], [5, 1]]}]
    assert arrays["times"].tolist() == trace.times.tolist()
    assert arrays["arrival"].tolist() == trace.arrival.tolist() and (trace.arrival > 0).all()
    assert sum(len(part["positions"]) for _, part in rest) == head["frames"] == trace.times.size
    assert np.array_equal(np.concatenate([part["positions"] for _, part in rest]), trace.positions.astype(np.float32))
    assert np.array_equal(np.concatenate([part["state"] for _, part in rest]), trace.state)
    assert all(part["headings"].dtype == np.float32 for _, part in rest)


def test_frames_come_in_parts_that_join(monkeypatch) -> None:
    monkeypatch.setattr(runs, "_CHUNK", 13 * 3 * 10)
    trace = _trace(_scenario())
    (head, _), *rest = _said(None, trace)
    assert [part["first"] for part, _ in rest] == list(range(0, trace.times.size, 10))
    assert head["groups"] == [""] and head["targets"] == []


def test_frames_of_a_long_run_are_left_out_but_never_the_last(monkeypatch) -> None:
    monkeypatch.setattr(runs, "MAX_POSITIONS", 8 * 3 * 12)
    trace = _trace(_scenario())
    (head, arrays), *rest = _said(None, trace)
    times = arrays["times"]
    assert 2 <= times.size == head["frames"] <= 12
    assert times[0] == 0 and times[-1] == trace.steps
    assert set(np.diff(times)[:-1].tolist()) == {head["every"]}
    assert np.array_equal(rest[-1][1]["positions"][-1], trace.positions[-1].astype(np.float32))
    for frames in range(1, 60):
        rows = kept_frames(frames, 3)
        assert rows.size <= 12 and rows[0] == 0 and rows[-1] == frames - 1


def test_a_unit_without_a_route_has_the_number_for_none() -> None:
    trace = _trace(_scenario())
    _, arrays = _said(None, replace(trace, route=np.array([-1, 0, 70_000])))[0]
    assert arrays["route"].tolist() == [NO_ROUTE, 0, NO_ROUTE - 1]
