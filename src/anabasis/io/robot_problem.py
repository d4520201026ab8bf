"""Problems of the League of Robot Runners: a map, where robots start, and a stream of tasks, read and written.

The League of Robot Runners, Start-Kit, "Input_Output_Format.md": a JSON file names a map, a file of starts and a file
of tasks by paths relative to itself; places are whole numbers row · width + column, which are the vertices of a Grid.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.io.atomic import as_path, decode, read_bytes, write_atomic
from anabasis.io.json_checks import json_needed, json_number, json_object, json_text, json_whole
from anabasis.io.movingai import load_map
from anabasis.io.planviz_write import save_planviz_map
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_kind, check_length, check_share

__all__ = ["RobotDelays", "RobotProblem", "load_robot_problem", "save_robot_problem"]

Ints = NDArray[np.int64]
_SUFFIXES = {"mapFile": ".map", "agentFile": ".agents", "taskFile": ".tasks"}
_MODELS = {"eventModel": ("bernoulli", "poisson"), "durationModel": ("uniform", "gaussian")}


@dataclass(frozen=True)
class RobotDelays:
    """How robots are held up: when (`events`, with a chance a tick) and for how long (`durations`, in ticks).

    mean_ratio and spread_ratio: of the normal distribution of durations, as shares of the span from least to most.
    """

    seed: int = 0
    least: int = 1
    most: int = 1
    events: str = "bernoulli"
    chance: float = 0.0
    durations: str = "uniform"
    mean_ratio: float = 0.5
    spread_ratio: float = 0.25

    def __post_init__(self) -> None:
        for key, name in _KEYS.items():
            value: Any = getattr(self, name)
            if key in _MODELS:
                check_choice(value, f"{name} of delays", _MODELS[key])
            elif key == "pDelay":
                check_share(value, f"{name} of delays")
            elif isinstance(getattr(RobotDelays, name), int):
                check_count(value, f"{name} of delays")
            elif freeze(value, np.float64, (), f"{name} of delays") != 0:
                check_length(value, f"{name} of delays")
        if self.least > self.most:
            raise InputError("delays", found=f"at most {self.most}", expected=f"at least {self.least}, the least")


_KEYS = {
    "seed": "seed",
    "minDelay": "least",
    "maxDelay": "most",
    "eventModel": "events",
    "pDelay": "chance",
    "durationModel": "durations",
    "gaussMeanRatio": "mean_ratio",
    "gaussStdRatio": "spread_ratio",
}


@dataclass(frozen=True, eq=False)
class RobotProblem:
    """A map, robots and tasks.

    - starts: int64[k], the vertex where each robot starts.
    - indptr: int64[m + 1], errands: int64[n]: task t is to visit errands[indptr[t]:indptr[t + 1]] in that order.
    - reveal: how many tasks are known at a time, as a multiple of the robots.
    - size: the side of a robot in cells; ticks: how many a step or a turn takes; delays: None for no delays.
    """

    grid: Grid
    starts: Ints
    indptr: Ints
    errands: Ints
    reveal: float = 1.0
    size: float = 1.0
    ticks: int = 10
    delays: RobotDelays | None = field(default=None)

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.grid, Grid, "the map of a problem")
        for name in ("starts", "indptr", "errands"):
            set_field(self, name, freeze(getattr(self, name), np.int64, (None,), name))
        n, ends = self.errands.size, self.indptr
        if not ends.size or ends[0] != 0 or ends[-1] != n or (np.diff(ends) < 1).any():
            raise InputError(
                "indptr of a problem",
                found=f"{ends.size} numbers from {ends[0]} to {ends[-1]}" if ends.size else "no number",
                expected=f"numbers that rise from 0 to {n}: at least one of the {n} errands for each task",
            )
        free = self.grid.free.reshape(-1)
        for name in ("starts", "errands"):
            places = getattr(self, name)
            wrong = places[(places < 0) | (places >= free.size)]
            if wrong.size:
                expected = f"vertices 0 to {free.size - 1}"
                raise InputError(f"{name} of a problem", found=f"vertex {wrong[0]}", expected=expected)
            blocked = places[~free[places]]
            if blocked.size:
                found = cell_text(*self.grid.cell(int(blocked[0])))
                raise InputError(f"{name} of a problem: a place is blocked", found=found, expected="free cells")
        if np.unique(self.starts).size < self.starts.size:
            raise InputError("two robots start in one place", expected="every start once")
        for name in ("reveal", "size"):
            set_field(self, name, check_length(getattr(self, name), f"{name} of a problem"))
        set_field(self, "ticks", check_count(self.ticks, "ticks of a problem", 1, 10**6))
        if self.delays is not None:
            check_kind(self.delays, RobotDelays, "delays of a problem")


def load_robot_problem(path: str | os.PathLike[str]) -> RobotProblem:
    """Load a problem and the three files that it names, which must lie in its folder or below.

    Of more starts than the team has the first are taken. Raises InputError with the file and the line, or the path in
    the document, of the fault: a missing or wrong value, a place outside the map or blocked, two robots in one place.
    """
    data = json_object(decode(read_bytes(path), path), path)
    files = {name: _beside(path, data, name) for name in _SUFFIXES}
    grid = load_map(files["mapFile"], dialect="lorr")
    team = json_whole(json_needed(data, "teamSize", path), "teamSize", path, 0, 10**6)
    starts = _lines(files["agentFile"], grid)
    if any(len(places) != 1 for _, places in starts):
        line = next(line for line, places in starts if len(places) != 1)
        raise InputError("start of a robot", file=files["agentFile"], where=line, expected="one place a line")
    if len(starts) < team:
        raise InputError(
            "too few starts", file=files["agentFile"], found=f"{len(starts)}", expected=f"{team}, the teamSize"
        )
    seen: dict[int, int] = {}
    for line, (place,) in starts[:team]:
        if place in seen:
            raise InputError(
                "two robots start in one place",
                file=files["agentFile"],
                where=line,
                found=f"{cell_text(*grid.cell(place))}, as in line {seen[place]}",
                expected="every start once",
            )
        seen[place] = line
    tasks = [places for _, places in _lines(files["taskFile"], grid)]
    positive = {name: json_number(data.get(name, 1.0), name, path) for name in ("numTasksReveal", "agentSize")}
    for name, value in positive.items():
        if value <= 0:
            raise InputError("a wrong value", file=path, where=name, found=f"{value:g}", expected="a number above 0")
    return RobotProblem(
        grid,
        np.array([place for _, (place,) in starts[:team]], np.int64),
        np.cumsum([0, *map(len, tasks)]),
        np.array([place for places in tasks for place in places], np.int64),
        positive["numTasksReveal"],
        positive["agentSize"],
        json_whole(data.get("agentCounter", 10), "agentCounter", path, 1, 10**6),
        _delays(data["delayConfig"], path) if "delayConfig" in data else None,
    )


def save_robot_problem(problem: RobotProblem, path: str | os.PathLike[str]) -> None:
    """Write a problem, and beside it NAME.map, NAME.agents and NAME.tasks."""
    target = as_path(path)
    check_kind(problem, RobotProblem, "a problem to write", file=path)
    if not target.name or target.suffix in _SUFFIXES.values():
        raise InputError("name of a problem", file=path, found=repr(target.name), expected="a name such as NAME.json")
    starts, errands = problem.starts.tolist(), problem.errands.tolist()
    ends = problem.indptr.tolist()
    tasks = [",".join(map(str, errands[a:b])) for a, b in pairwise(ends)]
    save_planviz_map(problem.grid, target.with_suffix(".map"))
    for suffix, lines in ((".agents", list(map(str, starts))), (".tasks", tasks)):
        write_atomic(target.with_suffix(suffix), "\n".join([str(len(lines)), *lines, ""]).encode())
    document: dict[str, Any] = {key: target.with_suffix(suffix).name for key, suffix in _SUFFIXES.items()}
    document |= {"teamSize": len(starts), "numTasksReveal": problem.reveal}
    document |= {"agentSize": problem.size, "agentCounter": problem.ticks}
    if problem.delays is not None:
        document["delayConfig"] = {key: getattr(problem.delays, name) for key, name in _KEYS.items()}
    write_atomic(target, (json.dumps(document, indent=2) + "\n").encode())


def _beside(path: str | os.PathLike[str], data: dict[str, Any], name: str) -> FilePath:
    """Return the path of a file that the problem names."""
    text = json_text(json_needed(data, name, path), name, path)
    folder = FilePath(path).parent
    try:
        inside = (folder / text).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        inside = False
    if not inside or FilePath(text).is_absolute():
        raise InputError(
            "a file that the problem names must lie in its folder",
            file=path,
            where=name,
            found=repr(text[:60]),
            expected="a relative path below it",
        )
    return folder / text


def _lines(path: FilePath, grid: Grid) -> list[tuple[int, list[int]]]:
    """Return the line number and the places of each line below the first, which holds their number."""
    rows = [(n, text.strip()) for n, text in enumerate(decode(read_bytes(path), path).split("\n"), 1)]
    rows = [(n, text) for n, text in rows if text and not text.startswith("#")]
    if not rows or not re.fullmatch(r"\d{1,9}", rows[0][1], re.ASCII):
        found = repr(rows[0][1][:40]) if rows else "an empty file"
        raise InputError(
            "no number of lines", file=path, where=rows[0][0] if rows else 1, found=found, expected="a count"
        )
    count = int(rows[0][1])
    if len(rows) - 1 != count:
        raise InputError(
            "number of lines", file=path, found=f"{len(rows) - 1}", expected=f"{count}, as in the first line"
        )
    free = grid.free.reshape(-1)
    lines: list[tuple[int, list[int]]] = []
    for n, text in rows[1:]:
        words = re.split(r"[\s,]+", text.removesuffix(","))
        for word in words:
            if not re.fullmatch(r"\d{1,9}", word, re.ASCII) or int(word) >= free.size:
                raise InputError(
                    "not a place", file=path, where=n, found=repr(word[:24]), expected=f"a number below {free.size}"
                )
            if not free[int(word)]:
                x, y = grid.cell(int(word))
                raise InputError(
                    "a place is blocked", file=path, where=n, found=f"{word}: {cell_text(x, y)}", expected="a free cell"
                )
        lines.append((n, [int(word) for word in words]))
    return lines


def _delays(config: Any, path: object) -> RobotDelays:
    """Return the delays of `delayConfig`; what it leaves out is as in a `RobotDelays` without arguments."""
    if not isinstance(config, dict):
        raise InputError("a wrong value", file=path, where="delayConfig", found=repr(config)[:40], expected="an object")
    found: dict[str, Any] = {}
    for key, name in _KEYS.items():
        if key not in config:
            continue
        where, value = f"delayConfig.{key}", config[key]
        if key in _MODELS:
            if value not in _MODELS[key]:
                expected = " or ".join(_MODELS[key])
                raise InputError("unknown model", file=path, where=where, found=repr(value)[:40], expected=expected)
            found[name] = value
        elif key in ("seed", "minDelay", "maxDelay"):
            found[name] = json_whole(value, where, path)
        else:
            found[name] = json_number(value, where, path)
            if found[name] < 0 or (key == "pDelay" and found[name] > 1):
                raise InputError(
                    "a wrong value", file=path, where=where, found=f"{value}", expected="a share from 0 to 1"
                )
    least, most = (found.get(name, getattr(RobotDelays, name)) for name in ("least", "most"))
    if least > most:
        raise InputError(
            "delays",
            file=path,
            where="delayConfig.maxDelay",
            found=f"{most}",
            expected=f"at least minDelay, {least}",
        )
    return RobotDelays(**found)
