"""PlanViz, the way back: plans as files of the League of Robot Runners that PlanViz 3.1.0 opens.

Plain plans are best written in the layout of 2023: action model `MAPF`, with `U` the row below, as PlanViz's code moves
agents (the letters of its own example mean the row above). For agents that turn, a plan becomes the like of it in which
all turn first and then all go at once (`robot_actions.with_turns`). The layouts of 2024 and 2026 want a task for each
agent: to go to its goal.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.atomic import write_atomic
from anabasis.io.loaded_plan import LoadedPlan, check_plan, grid_of
from anabasis.io.moves import letters_of
from anabasis.io.movingai import save_map
from anabasis.io.planviz import YEARS, Replay
from anabasis.io.robot_actions import ACTIONS, HEADINGS, with_turns
from anabasis.options import check_count, check_each, check_kind, check_switch
from anabasis.plan import Plan

__all__ = ["FaultRow", "replay_of", "save_planviz", "save_planviz_map"]

FaultRow = tuple[int, int, int, str]
"""A fault of a plan: agent, agent or -1, step, text; `metrics.plans.Fault.record` is one."""

_TICKS, _SEGMENT_STEPS = 10, 10


def replay_of(
    instance: Instance,
    plan: Plan,
    *,
    year: int = 2023,
    turns: bool | None = None,
    errors: Sequence[FaultRow] | None = None,
) -> Replay:
    """Return what a file for PlanViz says about a plan: who starts where, the actions, goals and arrivals.

    turns: whether agents have headings (`MAPF_T`), which makes the plan longer but no less valid; by default in 2026,
    where they must. In 2026 a step takes 10 ticks. errors: what a validator found, agent, agent or -1, step of the plan
    and a text for each fault, for the viewer to mark; the file then says whether the plan is valid. By default nobody
    has looked, and the file does not say. Raises InputError for an unknown year, a graph, agents of several cells, a
    plan with another number of agents or without a row, and a step to no neighbour.
    """
    check_plan(plan, instance, None)
    grid = grid_of(instance, None)
    if check_count(year, "year of the layout") not in YEARS:
        raise InputError("year of the layout", found=f"{year}", expected=" or ".join(map(str, YEARS)))
    with_headings = year == 2026 if turns is None else check_switch(turns, "turns")
    if year == 2026 and not with_headings:
        raise InputError("a file of 2026", found="agents that do not turn", expected="agents that turn")
    if (instance.sizes > 1).any():
        raise InputError("a file for PlanViz", found="agents of several cells", expected="one cell each")
    if errors is not None:
        _check_errors(errors, instance.size)
    ticks = _TICKS if year == 2026 else 1
    if with_headings:
        loaded, actual, later = _turning(grid, plan, ticks)
        errors = None if errors is None else [(a, b, later(t), text) for a, b, t, text in errors]
    else:
        loaded = LoadedPlan(plan)
        actual = [",".join(line.ljust(plan.makespan, "w").upper()) for line in letters_of(grid, plan, file=None)]
    return _told(instance, loaded, actual, year, "MAPF_T" if with_headings else "MAPF", errors)


def _check_errors(errors: Sequence[FaultRow], agents: int) -> None:
    check_each(errors, (list, tuple), "errors of a plan", "(agent, agent or -1, step, text)")
    for error in errors:
        if len(error) != 4:
            raise InputError("an error of a plan", found=repr(error)[:60], expected="(agent, agent or -1, step, text)")
        for agent in error[:2]:
            check_count(agent, "agent of an error", -1, agents - 1)
        check_count(error[2], "step of an error", most=10**9)
        check_kind(error[3], str, "text of an error")


def _turning(grid: Grid, plan: Plan, ticks: int) -> tuple[LoadedPlan, list[str], Callable[[int], int]]:
    """Return the plan with turns, a row a tick, its actions, and the function from a row of the plan to its row."""
    longer, headings, actions = with_turns(grid, plan)
    rows = [0, *(np.flatnonzero((actions < 2).all(axis=1)) + 1).tolist()]  # a step ends where nobody turns

    def later(row: int) -> int:
        return (rows[row] if row < len(rows) else rows[-1] + row - len(rows) + 1) * ticks

    last = longer.makespan * ticks
    at = np.arange(last + 1) // ticks
    loaded = LoadedPlan(Plan(longer.vertices[at]), headings[at], ticks)
    letters = np.frombuffer(ACTIONS.encode(), np.uint8)[actions]
    texts = [column.tobytes().decode() for column in letters.T]
    if ticks == 1:
        return loaded, [",".join(text) for text in texts], later
    return loaded, [_segments(grid, longer, headings, a, text, ticks) for a, text in enumerate(texts)], later


def _segments(grid: Grid, plan: Plan, headings: Any, agent: int, letters: str, ticks: int) -> str:
    parts: list[str] = []
    for first in range(0, len(letters), _SEGMENT_STEPS):
        x, y = grid.cell(int(plan.vertices[first, agent]))
        runs = groupby(letters[first : first + _SEGMENT_STEPS])
        actions = ",".join(f"{letter} {len(list(run)) * ticks}" for letter, run in runs)
        parts.append(f"[({first * ticks},{y},{x},{headings[first, agent]},0):({actions})]")
    return "".join(parts)


def _told(
    instance: Instance,
    loaded: LoadedPlan,
    actual: list[str],
    year: int,
    model: str,
    errors: Sequence[FaultRow] | None,
) -> Replay:
    """Return the replay with a task for each agent; without errors it does not say whether the plan is valid."""
    k, agents = instance.size, np.arange(instance.size)
    arrivals = loaded.plan.arrivals(instance.goals, stay=instance.rules.stay)
    arrived = np.flatnonzero(arrivals >= 0)
    finished = np.stack([arrivals, agents, agents, np.ones(k, np.int64)], axis=1)[arrived]
    if year == 2023:
        assigned = np.stack([np.zeros(k, np.int64), agents, agents, np.zeros(k, np.int64)], axis=1)
        events = np.concatenate([assigned, finished])
        events = events[np.argsort(events[:, 1], kind="stable")]
    else:
        events = finished[np.argsort(finished[:, 0], kind="stable")]
    ends = np.where(arrivals < 0, loaded.plan.makespan, arrivals)
    fields = {"numTaskFinished": str(arrived.size), "makespan": str(loaded.plan.makespan)}
    if year == 2026:
        checked = {} if errors is None else {"numPlannerErrors": str(len(errors))}
        fields |= {**checked, "numScheduleErrors": "0", "numEntryTimeouts": "0"}
        fields |= {"agentMaxCounter": str(loaded.ticks), "outputSegmentSize": str(loaded.ticks * _SEGMENT_STEPS)}
    else:
        checked = {} if errors is None else {"AllValid": "No" if errors else "Yes"}
        fields = {**checked, **fields, "sumOfCost": str(int(ends.sum()))}
    schedule = np.stack([agents, np.zeros(k, np.int64), agents], axis=1)[: 0 if year == 2023 else k]
    return Replay(
        LoadedPlan(loaded.plan, loaded.headings, loaded.ticks, fields),
        year,
        model,
        tasks=np.stack([agents, np.zeros(k, np.int64)], axis=1),
        errands=np.stack([agents, instance.goals], axis=1),
        events=events,
        schedule=schedule,
        errors=np.array([[-1, a, b, t] for a, b, t, _ in errors or ()], np.int64).reshape(-1, 4),
        error_texts=tuple(text for _, _, _, text in errors or ()),
        actual=tuple(actual),
        planned=tuple(actual),
    )


def save_planviz(replay: Replay, path: str | os.PathLike[str], grid: Grid) -> None:
    """Write a replay in the layout of its year, a line for each value at the root of the document.

    The viewer needs a map beside the file: see `save_planviz_map`.
    """
    check_kind(replay, Replay, "what is written for PlanViz", "replay_of(instance, plan)", file=path)
    check_kind(grid, Grid, "the map of a replay", file=path)
    rows, team = replay.loaded.plan.vertices, replay.loaded.plan.vertices.shape[1]
    turned = replay.loaded.headings.size > 0
    starts = [
        [int(v) // grid.width, int(v) % grid.width, HEADINGS[int(replay.loaded.headings[0, a])] if turned else "N/A"]
        for a, v in enumerate(rows[0])
    ]
    version = {"version": YEARS[replay.year]} if YEARS[replay.year] else {}
    document: dict[str, Any] = {"actionModel": replay.model, **version, "teamSize": team}
    document |= {name: _plain(value) for name, value in replay.loaded.fields.items()}
    if replay.year == 2026:
        document["delayIntervals"] = _by_agent(replay.delays, team)
    document |= {"start": starts, "actualPaths": list(replay.actual), "plannerPaths": list(replay.planned)}
    document["plannerTimes"] = replay.times.tolist()
    errors = zip(replay.errors.tolist(), replay.error_texts, strict=True)
    document["errors"] = [[*(e[1:] if replay.year == 2023 else e), text] for e, text in errors]
    if replay.year > 2023:
        schedule = [",".join(f"{t}:{task}" for t, task in own) for own in _by_agent(replay.schedule, team)]
        document |= {"actualSchedule": schedule, "plannerSchedule": schedule, "scheduleErrors": []}
    document |= {"events": _events(replay, team), "tasks": _tasks(replay, grid)}
    lines = (f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in document.items())
    write_atomic(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _plain(value: str) -> Any:
    return json.loads(value) if re.fullmatch(r"-?(0|[1-9]\d{0,15})(\.\d{1,17})?|true|false", value, re.ASCII) else value


def _by_agent(table: Any, team: int) -> list[list[list[int]]]:
    own: list[list[list[int]]] = [[] for _ in range(team)]
    for a, *row in table.tolist():
        own[a].append(row)
    return own


def _events(replay: Replay, team: int) -> list[Any]:
    if replay.year > 2023:
        return replay.events.tolist()
    own: list[list[Any]] = [[] for _ in range(team)]
    for time, a, task, done in replay.events.tolist():
        own[a].append([task, time, "finished" if done else "assigned"])
    return own


def _tasks(replay: Replay, grid: Grid) -> list[Any]:
    places: list[list[int]] = [[] for _ in range(len(replay.tasks))]
    for row, v in replay.errands.tolist():
        places[row] += [v // grid.width, v % grid.width]
    tasks = zip(replay.tasks.tolist(), places, strict=True)
    return [[n, *at] if replay.year == 2023 else [n, release, at] for (n, release), at in tasks]


def save_planviz_map(grid: Grid, path: str | os.PathLike[str]) -> None:
    """Write a map with the letters that PlanViz knows: `.` and `@`, and `T`, `S`, `E` where the grid has them."""
    check_kind(grid, Grid, "the map of a replay", file=path)
    kept = np.isin(grid.terrain, np.frombuffer(b"SE", np.uint8)) & grid.free
    kept |= (grid.terrain == ord("T")) & ~grid.free
    plain = np.where(grid.free, ord("."), ord("@"))
    save_map(Grid(grid.cost, np.where(kept, grid.terrain, plain).astype(np.uint8)), path, dialect="lorr")
