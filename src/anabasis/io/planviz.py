"""PlanViz: plans of the League of Robot Runners, in the layouts of 2023, 2024 and 2026, read.

The League of Robot Runners, Start-Kit, "Input_Output_Format.md"; PlanViz 3.1.0 (MAPF-Competition). Agents either go in
four directions (action model `MAPF`: `U D L R W`) or have a heading (`MAPF_T`: `F R C W`). Actions are carried out one
by one; what a file says besides about places is compared with that and believed in nothing. `planviz_write` is the way
back.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.io.atomic import decode, read_bytes
from anabasis.io.json_checks import json_list, json_needed, json_number, json_object, json_text, json_whole
from anabasis.io.loaded_plan import LoadedPlan, check_agents, check_places, check_starts, grid_of
from anabasis.io.moves import plan_of_letters
from anabasis.io.planviz_records import read_errors, read_events, read_rows, read_schedule, read_tasks, read_vertex
from anabasis.io.robot_actions import ACTIONS, HEADINGS, carried_out
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_each, check_kind
from anabasis.plan import Plan

__all__ = ["YEARS", "Replay", "load_planviz"]

YEARS = {2023: "", 2024: "2024 LoRR", 2026: "2026 LoRR"}
"""The years of the layouts and what stands in their field `version`."""

_MODELS = ("MAPF", "MAPF_T")
_SEGMENT = re.compile(r"\[\((\d{1,9}),(\d{1,9}),(\d{1,9}),([0-3]),(\d{1,9})\):\(([^()]*)\)\]", re.ASCII)
_PART = re.compile(r"([FRCWTUDL]) (\d{1,9})", re.ASCII)
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Replay:
    """What a file for PlanViz holds.

    - loaded: the plan that was carried out, with headings under `MAPF_T`, and the notes.
    - year, model: the layout and the action model.
    - tasks: int64[m, 2], number and time of release; errands: int64[n, 2], row in `tasks` and vertex, in their order.
    - events: int64[e, 4]: time, agent, task, and how many errands of it are done (0: it was assigned).
    - schedule: int64[s, 3]: agent, time, and the task from then on, -1 for none.
    - delays: int64[d, 3]: agent, first tick, tick after the last.
    - errors: int64[f, 4] task, agent, agent, time, -1 for none; and error_texts.
    - times: float64[p], the seconds of each call of the planner.
    - actual, planned: a text for each agent, as the file has it: the actions carried out, and those planned, if it has
      them.
    """

    loaded: LoadedPlan
    year: int = 2023
    model: str = "MAPF"
    tasks: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    errands: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    events: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    schedule: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    delays: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    errors: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    error_texts: tuple[str, ...] = ()
    times: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    actual: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.loaded, LoadedPlan, "the plan of a replay")
        if check_count(self.year, "year of a replay") not in YEARS:
            raise InputError("year of a replay", found=f"{self.year}", expected=" or ".join(map(str, YEARS)))
        check_choice(self.model, "action model", _MODELS)
        for name, columns in (
            ("tasks", 2),
            ("errands", 2),
            ("events", 4),
            ("schedule", 3),
            ("delays", 3),
            ("errors", 4),
        ):
            set_field(self, name, freeze(getattr(self, name), np.int64, (None, columns), name))
        set_field(self, "times", freeze(self.times, np.float64, (None,), "times"))
        team = self.loaded.plan.vertices.shape[1]
        for name, column, count in (
            ("errands", 0, len(self.tasks)),
            ("events", 1, team),
            ("schedule", 0, team),
            ("delays", 0, team),
        ):
            numbers = getattr(self, name)[:, column]
            if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
                found = f"{numbers.min()} to {numbers.max()}"
                raise InputError(f"{name} of a replay, column {column}", found=found, expected=f"numbers below {count}")
        for name, lines in (("error_texts", len(self.errors)), ("actual", team), ("planned", team)):
            texts = getattr(self, name)
            check_each(texts, str, f"{name} of a replay")
            if len(texts) != lines and (texts or name == "error_texts"):
                raise InputError(f"{name} of a replay", found=f"{len(texts)} texts", expected=f"{lines}")


def load_planviz(path: str | os.PathLike[str], space: Instance | Grid) -> Replay:
    """Load a file for PlanViz that is about the agents of an instance, or about any on a grid.

    A file without a version is of 2023. With `MAPF` both readings of `U` are tried (see `moves`) and the note tells
    which fits. In files of 2026 a row of the plan is a tick, and agents stand where they come from until a step is
    complete. notes also tell how many snapshots and events disagree with the actions. Raises InputError with the line
    or the path in the document: what is missing, wrong, or outside the map; another number of agents or other starts
    than the instance's.
    """
    grid = grid_of(space, path)
    data = json_object(decode(read_bytes(path), path), path)
    version = json_text(data.get("version", ""), "version", path)
    years = {text: year for year, text in YEARS.items()}
    if version not in years:
        raise InputError(
            "unknown version",
            file=path,
            where="version",
            found=repr(version)[:60],
            expected=" or ".join(repr(v) for v in years if v) + ", or none for 2023",
        )
    year = years[version]
    model = json_text(json_needed(data, "actionModel", path), "actionModel", path)
    if model not in _MODELS:
        raise InputError(
            "unknown action model", file=path, where="actionModel", found=repr(model), expected=" or ".join(_MODELS)
        )
    team = json_whole(json_needed(data, "teamSize", path), "teamSize", path, 0, 10**6)
    check_agents(team, space, path)
    starts, headings = _starts(data, team, model, grid, path)
    paths = json_list(data.get("actualPaths", [""] * team), "actualPaths", path, team)
    texts = [json_text(text, f"actualPaths[{a}]", path) for a, text in enumerate(paths)]
    loaded = _carried_out(data, texts, starts, headings, year, model, space, path)
    check_starts(loaded.plan, space, path)
    tasks, errands = read_tasks(data, year, grid, path)
    events = read_events(data, year, team, tasks, path)
    wrong = _misplaced(loaded.plan, tasks, errands, events)
    notes = [*loaded.notes, *([f"{wrong} of {len(events)} events are not where the agent is"] if wrong else [])]
    errors, error_texts = read_errors(data, year, path)
    planned = _list(data, "plannerPaths", path)
    json_list(planned, "plannerPaths", path, team if planned else None)
    return Replay(
        LoadedPlan(loaded.plan, loaded.headings, loaded.ticks, _fields(data), tuple(notes)),
        year,
        model,
        tasks,
        errands,
        events,
        read_schedule(data, team, path),
        read_rows(data, "delayIntervals", 2, team, path),
        errors,
        error_texts,
        np.array([json_number(v, f"plannerTimes[{n}]", path) for n, v in enumerate(_list(data, "plannerTimes", path))]),
        tuple(texts),
        tuple(json_text(v, f"plannerPaths[{a}]", path) for a, v in enumerate(planned)),
    )


def _misplaced(plan: Plan, tasks: Ints, errands: Ints, events: Ints) -> int:
    """Return how many events of a task done are not where the agent is at the time."""
    first = np.searchsorted(errands[:, 0], np.arange(len(tasks)))
    row = {int(number): n for n, number in enumerate(tasks[:, 0])}
    last, wrong = len(plan.vertices) - 1, 0
    for time, agent, task, done in events[events[:, 3] > 0].tolist():
        errand = first[row[task]] + done - 1
        there = errand < len(errands) and errands[errand, 0] == row[task]
        wrong += not there or time > last or plan.vertices[time, agent] != errands[errand, 1]
    return wrong


def _list(data: dict[str, Any], name: str, path: object) -> list[Any]:
    return json_list(data.get(name, []), name, path)


def _fields(data: dict[str, Any]) -> dict[str, str]:
    """Return the texts and numbers at the root, but those that the plan itself says."""
    own = ("actionModel", "version", "teamSize")
    return {
        name: v if isinstance(v, str) else json.dumps(v)
        for name, v in data.items()
        if isinstance(v, (str, int, float)) and name not in own
    }


def _starts(data: dict[str, Any], team: int, model: str, grid: Grid, path: object) -> tuple[Ints, NDArray[np.int8]]:
    starts, headings = np.zeros(team, np.int64), np.full(team, -1, np.int8)
    for a, start in enumerate(json_list(json_needed(data, "start", path), "start", path, team)):
        row, column, letter = json_list(start, f"start[{a}]", path, 3, expected='[row, column, "E"]')
        starts[a] = read_vertex(row, column, f"start[{a}]", grid, path)
        if letter in HEADINGS:
            headings[a] = HEADINGS.index(letter)
        elif letter != "N/A" or model == "MAPF_T":
            raise InputError(
                "heading of an agent",
                file=path,
                where=f"start[{a}][2]",
                found=repr(letter)[:40],
                expected=" or ".join(HEADINGS) + (', or "N/A" under MAPF' if model == "MAPF" else ""),
            )
    return starts, headings


def _carried_out(
    data: dict[str, Any],
    texts: list[str],
    starts: Ints,
    headings: NDArray[np.int8],
    year: int,
    model: str,
    space: Instance | Grid,
    path: object,
) -> LoadedPlan:
    """Return the plan that the actions make."""
    grid = grid_of(space, path)
    ticks = json_whole(data.get("agentMaxCounter", 10), "agentMaxCounter", path, 1, 10**6) if year == 2026 else 1
    if model == "MAPF" and ticks > 1:
        raise InputError(
            "actions in ticks", file=path, where="actionModel", found="MAPF in a file of 2026", expected="MAPF_T"
        )
    known = "UDLRW" if model == "MAPF" else "FRCWT"
    parts = (
        [_segments(text, known, f"actualPaths[{a}]", path, len(texts)) for a, text in enumerate(texts)]
        if year == 2026
        else []
    )
    letters = [text for text, _ in parts] if year == 2026 else _letters(texts, known, path)
    if model == "MAPF":
        where = [f"actualPaths[{a}]" for a in range(len(letters))]
        plan, note = plan_of_letters([text.lower() for text in letters], starts, space, file=path, where=where)
        return LoadedPlan(plan, notes=(note,))
    steps = max((len(text) for text in letters), default=0)
    check_places(steps + 1, len(letters), path)
    actions = np.zeros((steps, len(letters)), np.int8)
    for a, text in enumerate(letters):
        actions[: len(text), a] = _NUMBERS[np.frombuffer(text.encode(), np.uint8)]
    rows, facing, progress, broken = carried_out(grid, starts, headings, actions, ticks=ticks, file=path)
    notes = [f"{broken} actions were broken off before they were complete"] if broken else []
    snapshots = [(a, snapshot) for a, (_, found) in enumerate(parts) for snapshot in found]
    wrong = [(t, a) for a, (t, *said) in snapshots if said != _state(grid, rows, facing, progress, min(t, steps), a)]
    if wrong:
        t, a = min(wrong)
        notes.append(
            f"{len(wrong)} of {len(snapshots)} snapshots are not what the actions lead to, the first of agent {a} in"
            f" tick {t}"
        )
    return LoadedPlan(Plan(rows), facing, ticks, notes=tuple(notes))


_NUMBERS = np.zeros(256, np.int8)
_NUMBERS[np.frombuffer(ACTIONS.encode(), np.uint8)] = range(len(ACTIONS))


def _state(grid: Grid, rows: Ints, facing: NDArray[np.int8], progress: NDArray[np.int32], t: int, a: int) -> list[int]:
    """Return row, column, heading and counter of an agent."""
    return [int(rows[t, a]) // grid.width, int(rows[t, a]) % grid.width, int(facing[t, a]), int(progress[t, a])]


def _letters(texts: list[str], known: str, path: object) -> list[str]:
    """Return a letter for each step of each agent."""
    found: list[str] = []
    for a, text in enumerate(texts):
        parts = text.split(",") if text else []
        for step, part in enumerate(parts):
            if len(part) != 1 or part not in known:
                raise InputError(
                    f"unknown action {step + 1}",
                    file=path,
                    where=f"actualPaths[{a}]",
                    found=repr(part[:24]),
                    expected=" or ".join(known),
                )
        found.append("".join(parts))
    return found


def _segments(text: str, known: str, where: str, path: object, team: int) -> tuple[str, list[tuple[int, ...]]]:
    """Return a letter for each tick, and the snapshots (tick, row, column, heading, counter) of one agent of a team."""
    letters: list[str] = []
    snapshots: list[tuple[int, ...]] = []
    at = ticks = 0
    while at < len(text):
        match = _SEGMENT.match(text, at)
        if match is None:
            raise InputError(
                f"segment {len(snapshots)} can't be read",
                file=path,
                where=where,
                found=repr(text[at : at + 32]),
                expected="[(tick,row,column,heading,counter):(F 10,R 10)]",
            )
        *state, actions = match.groups()
        snapshot = tuple(map(int, state))
        if snapshot[0] != ticks:
            raise InputError(
                f"segment {len(snapshots)} begins out of turn",
                file=path,
                where=where,
                found=f"tick {snapshot[0]}",
                expected=f"tick {ticks}, where the one before ends",
            )
        for part in actions.split(",") if actions else []:
            action = _PART.fullmatch(part)
            if action is None or action[1] not in known:
                raise InputError(
                    f"unknown action in segment {len(snapshots)}",
                    file=path,
                    where=where,
                    found=repr(part[:24]),
                    expected=f"{' or '.join(known)}, a space and a number of ticks",
                )
            ticks += int(action[2])
            check_places(ticks, team, path)
            letters.append(action[1] * int(action[2]))
        snapshots.append(snapshot)
        at = match.end()
    return "".join(letters), snapshots
