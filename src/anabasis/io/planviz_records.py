"""Records of PlanViz: the tasks, events, schedules, delays and errors of a run, as tables of whole numbers.

The League of Robot Runners, Start-Kit, "Input_Output_Format.md"; the layouts of 2023 and of later years differ.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.io.json_checks import json_list, json_text, json_whole

__all__ = ["read_errors", "read_events", "read_rows", "read_schedule", "read_tasks", "read_vertex"]

Ints = NDArray[np.int64]
_STATES = ("assigned", "finished")


def _table(rows: list[list[int]], columns: int) -> Ints:
    return np.array(rows, np.int64).reshape(-1, columns)


def read_vertex(row: Any, column: Any, where: str, grid: Grid, path: object) -> int:
    """Return the vertex of a row and a column; raises InputError outside the map."""
    y, x = json_whole(row, f"{where}[0]", path), json_whole(column, f"{where}[1]", path)
    if x >= grid.width or y >= grid.height:
        raise InputError(
            "a place outside the map",
            file=path,
            where=where,
            found=cell_text(x, y),
            expected=f"x below {grid.width}, y below {grid.height}",
        )
    return y * grid.width + x


def read_tasks(data: dict[str, Any], year: int, grid: Grid, path: object) -> tuple[Ints, Ints]:
    """Return tasks int64[m, 2], number and release, and errands int64[n, 2], row in tasks and vertex."""
    tasks: list[list[int]] = []
    errands: list[list[int]] = []
    seen = set[int]()
    for n, task in enumerate(json_list(data.get("tasks", []), "tasks", path)):
        where = f"tasks[{n}]"
        first, second, third = json_list(task, where, path, 3)
        number = json_whole(first, f"{where}[0]", path)
        if number in seen:
            raise InputError("a task twice", file=path, where=where, found=f"{number}", expected="every number once")
        seen.add(number)
        places = [second, third] if year == 2023 else json_list(third, f"{where}[2]", path)
        if len(places) % 2:
            raise InputError(
                "places of a task", file=path, where=f"{where}[2]", found=f"{len(places)} numbers", expected="pairs"
            )
        tasks.append([number, 0 if year == 2023 else json_whole(second, f"{where}[1]", path)])
        for k in range(0, len(places), 2):
            errands.append(
                [n, read_vertex(places[k], places[k + 1], where if year == 2023 else f"{where}[2]", grid, path)]
            )
    return _table(tasks, 2), _table(errands, 2)


def read_events(data: dict[str, Any], year: int, team: int, tasks: Ints, path: object) -> Ints:
    """Return int64[e, 4]: time, agent, task, errands done."""
    found: list[list[int]] = []
    known = set(tasks[:, 0].tolist())
    events = json_list(data.get("events", []), "events", path)
    if year == 2023:
        json_list(events, "events", path, team if events else None)
        for a, own in enumerate(events):
            for n, event in enumerate(json_list(own, f"events[{a}]", path)):
                where = f"events[{a}][{n}]"
                task, time, state = json_list(event, where, path, 3)
                if state not in _STATES:
                    raise InputError(
                        "state of a task",
                        file=path,
                        where=f"{where}[2]",
                        found=repr(state)[:40],
                        expected=" or ".join(map(repr, _STATES)),
                    )
                found.append([time, a, task, _STATES.index(state)])
                _check_event(found[-1], team, known, where, path)
        return _table(found, 4)
    for n, event in enumerate(events):
        found.append(json_list(event, f"events[{n}]", path, 4, expected="[time, agent, task, errands done]"))
        _check_event(found[-1], team, known, f"events[{n}]", path)
    return _table(found, 4)


def _check_event(event: list[Any], team: int, known: set[int], where: str, path: object) -> None:
    for value, most in zip(event, (10**9, team - 1, 10**9, 10**6), strict=True):
        json_whole(value, where, path, 0, most)
    if event[2] not in known:
        raise InputError(
            "an event of an unknown task", file=path, where=where, found=f"task {event[2]}", expected="one of tasks"
        )


def read_schedule(data: dict[str, Any], team: int, path: object) -> Ints:
    """Return int64[s, 3]: agent, time, task from then on."""
    found: list[list[int]] = []
    schedule = json_list(data.get("actualSchedule", []), "actualSchedule", path)
    for a, text in enumerate(json_list(schedule, "actualSchedule", path, team if schedule else None)):
        for part in json_text(text, f"actualSchedule[{a}]", path).removesuffix(",").split(",") if text else []:
            match = re.fullmatch(r"(\d{1,9}):(-?\d{1,9})", part, re.ASCII)
            if match is None:
                raise InputError(
                    "a schedule can't be read",
                    file=path,
                    where=f"actualSchedule[{a}]",
                    found=repr(part[:24]),
                    expected="time:task, parted by commas",
                )
            found.append([a, int(match[1]), int(match[2])])
    return _table(found, 3)


def read_rows(data: dict[str, Any], name: str, columns: int, team: int, path: object) -> Ints:
    """Return int64[n, 1 + columns]: agent, and the numbers of each row of its list."""
    found: list[list[int]] = []
    rows = json_list(data.get(name, []), name, path)
    for a, own in enumerate(json_list(rows, name, path, team if rows else None)):
        for n, row in enumerate(json_list(own, f"{name}[{a}]", path)):
            where = f"{name}[{a}][{n}]"
            found.append([a, *(json_whole(v, where, path) for v in json_list(row, where, path, columns))])
    return _table(found, 1 + columns)


def read_errors(data: dict[str, Any], year: int, path: object) -> tuple[Ints, tuple[str, ...]]:
    """Return int64[f, 4], task, agent, agent and time, -1 for none, and texts: the planner's, then the scheduler's."""
    found: list[list[int]] = []
    texts: list[str] = []
    for name in ("errors", "scheduleErrors"):
        for n, error in enumerate(json_list(data.get(name, []), name, path)):
            where = f"{name}[{n}]"
            *numbers, text = json_list(error, where, path, 4 if year == 2023 else 5)
            row = [json_whole(v, where, path, -1) for v in numbers]
            found.append([-1, *row] if year == 2023 else row)
            texts.append(json_text(text, where, path))
    return _table(found, 4), tuple(texts)
