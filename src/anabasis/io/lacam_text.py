"""Results as text: the form of the LaCAM and PIBT programs and of mapf-visualizer, read and written.

K. Okumura's programs (github.com/Kei18) write lines `key=value`, then `solution=`, then a line `t:(x,y),(x,y),…,` for
each step; mapf-visualizer reads the lines of the steps with or without the rest. In pickup and delivery a place is
`(x,y)->(gx,gy):task`, with the goal of the moment and the task, -1 for none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.instance import Instance
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.loaded_plan import LoadedPlan, check_agents, check_places, check_plan, check_starts, grid_of
from anabasis.options import check_kind
from anabasis.plan import Plan

__all__ = ["load_lacam", "save_lacam"]

_HEADER = re.compile(r"([A-Za-z_][\w.-]*)=(.*)")
_PLACE = re.compile(r"\((\d{1,9}),(\d{1,9})\)(?:->\((\d{1,9}),(\d{1,9})\):(-?\d{1,9}))?,?", re.ASCII)
_OWN = ("agents", "solved", "soc", "makespan", "starts", "goals")  # what the plan itself says


def load_lacam(path: str | os.PathLike[str], space: Instance | Grid) -> LoadedPlan:
    """Load a result for an instance, or for any agents on a grid.

    fields holds the lines `key=value`, without those of starts and goals. Goals of the moment in a result of pickup and
    delivery are checked and left out; notes says so, and where the file's sum of costs is not that of the plan. Raises
    InputError with the line of the fault: steps that are not 0, 1, 2 and so on, another number of agents, a place
    outside the map, other starts or goals than the instance's, a file without a solution.
    """
    grid = grid_of(space, path)
    fields: dict[str, str] = {}
    lists: dict[str, tuple[int, NDArray[np.int64]]] = {}
    rows: list[NDArray[np.int64]] = []
    moments = False
    for number, text in enumerate(decode(read_bytes(path), path).split("\n"), 1):
        line = text.strip()
        header = _HEADER.fullmatch(line)
        if not line or line == "solution=":
            continue
        if header and not rows:
            name, value = header.groups()
            if name in fields or name in lists:
                raise InputError(f"a second line {name}=", file=path, where=number, expected="it once")
            if name in ("starts", "goals"):
                lists[name] = number, _places(value, grid, path, number)[0]
            else:
                fields[name] = value
            continue
        row, moment = _step(line, len(rows), grid, path, number)
        if rows and row.size != rows[0].size:
            raise InputError(
                "another number of agents in a step",
                file=path,
                where=number,
                found=f"{row.size}",
                expected=f"{rows[0].size}, as in the first step",
            )
        rows.append(row)
        moments |= moment
        check_places(len(rows), row.size, path)
    if not rows:
        unsolved = fields.get("solved") == "0"
        found = "solved=0" if unsolved else "no line of a step"
        raise InputError("the file has no solution", file=path, found=found, expected="lines such as 0:(5,16),(21,29),")
    plan = Plan(np.array(rows, np.int64).reshape(len(rows), -1))
    _check_ends(plan, lists, space, grid, path)
    notes = _notes(plan, fields, lists.get("goals"), space)
    if moments:
        notes.append("a result of pickup and delivery: the goals of the moment are left out")
    return LoadedPlan(plan, fields=fields, notes=tuple(notes))


def save_lacam(
    path: str | os.PathLike[str], instance: Instance, plan: Plan, *, fields: Mapping[str, object] | None = None
) -> None:
    """Write a result; fields: other lines `key=value`, such as `map_file`, `solver` and `comp_time`, in their order.

    Without fields the solver is `anabasis`, and no map is named.

    The lines of agents, solved, soc, makespan, starts and goals say what the plan says, whatever `fields` holds of
    those names; they stand where `fields` has them, else at the end. Raises InputError for an instance on a graph, a
    plan with another number of agents or without a row, and for fields that can't be lines.
    """
    check_plan(plan, instance, path)
    grid = grid_of(instance, path)
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    solved = bool((arrivals >= 0).all())
    ends = np.where(arrivals < 0, plan.makespan, arrivals)
    own = {
        "agents": str(instance.size),
        "solved": str(int(solved)),
        "soc": str(int(ends.sum())),
        "makespan": str(int(ends.max(initial=0))),
        "starts": _listed(instance.starts, grid),
        "goals": _listed(instance.goals, grid),
    }
    if fields is not None:
        check_kind(fields, Mapping, "fields of a result", file=path)
    given = fields or {"agents": "", "solver": "anabasis"}
    lines = {**{name: str(value) for name, value in given.items()}, **own}
    for name, value in lines.items():
        if not _HEADER.fullmatch(f"{name}={value}") or value != value.strip() or name == "solution":
            raise InputError("a field of a result", file=path, found=repr(f"{name}={value}"[:60]), expected="key=value")
    steps = [f"{t}:{_listed(row, grid)}" for t, row in enumerate(plan.vertices)]
    write_atomic(path, "\n".join([*(f"{k}={v}" for k, v in lines.items()), "solution=", *steps, ""]).encode())


def _listed(vertices: NDArray[np.int64], grid: Grid) -> str:
    return "".join(f"({v % grid.width},{v // grid.width})," for v in vertices.tolist())


def _step(line: str, step: int, grid: Grid, path: object, number: int) -> tuple[NDArray[np.int64], bool]:
    """Return the places of the agents in a step, and whether they have goals of the moment."""
    time, colon, places = line.partition(":")
    if not colon or not re.fullmatch(r"\d{1,9}", time, re.ASCII):
        raise InputError(
            "not a line of a result",
            file=path,
            where=number,
            found=repr(line[:40]),
            expected=f"key=value or {step}:(x,y),(x,y),",
        )
    if int(time) != step:
        raise InputError("a step out of turn", file=path, where=number, found=f"step {time}", expected=f"step {step}")
    return _places(places, grid, path, number)


def _places(text: str, grid: Grid, path: object, number: int) -> tuple[NDArray[np.int64], bool]:
    """Return the vertices of a list of places, and whether they have goals of the moment."""
    found: list[int] = []
    at, moments = 0, False
    while at < len(text):
        match = _PLACE.match(text, at)
        if match is None or (match.end() < len(text) and not match[0].endswith(",")):
            raise InputError(
                f"the place of agent {len(found)} can't be read",
                file=path,
                where=number,
                found=repr(text[at : at + 24]),
                expected="(x,y), in whole numbers",
            )
        ends = [int(part) for part in match.groups()[:4] if part is not None]
        for what, u, v in zip(("place", "goal"), ends[::2], ends[1::2], strict=False):
            if u >= grid.width or v >= grid.height:
                raise InputError(
                    f"the {what} of agent {len(found)} lies outside the map",
                    file=path,
                    where=number,
                    found=cell_text(u, v),
                    expected=f"x below {grid.width}, y below {grid.height}",
                )
        found.append(ends[1] * grid.width + ends[0])
        moments = moments or len(ends) > 2
        at = match.end()
    return np.array(found, np.int64), moments


def _check_ends(
    plan: Plan, lists: Mapping[str, tuple[int, NDArray[np.int64]]], space: Instance | Grid, grid: Grid, path: object
) -> None:
    """Raise InputError unless the starts and goals of the file are those of its plan and of the instance."""
    agents = plan.vertices.shape[1]
    check_agents(agents, space, path)
    for name, (number, found) in lists.items():
        if isinstance(space, Instance):
            wanted = getattr(space, name)
        elif name == "starts":
            wanted = plan.vertices[0]
        elif found.size != agents:
            expected = f"{agents}, one for each agent"
            raise InputError(f"{name} of the file", file=path, where=number, found=f"{found.size}", expected=expected)
        else:
            continue
        if found.size != wanted.size or (found != wanted).any():
            differs = int((found != wanted).argmax()) if found.size == wanted.size else min(found.size, wanted.size)
            at = cell_text(*grid.cell(int(found[differs]))) if differs < found.size else "no place"
            raise InputError(
                f"{name} of the file: agent {differs}",
                file=path,
                where=number,
                found=at,
                expected=cell_text(*grid.cell(int(wanted[differs]))) if differs < wanted.size else "no place",
            )
    check_starts(plan, space, path)


def _notes(
    plan: Plan, fields: Mapping[str, str], goals: tuple[int, NDArray[np.int64]] | None, space: Instance | Grid
) -> list[str]:
    """Return where the file disagrees with its plan."""
    ends = space.goals if isinstance(space, Instance) else (goals[1] if goals else None)
    notes: list[str] = []
    if ends is not None:
        arrivals = plan.arrivals(ends, stay=space.rules.stay if isinstance(space, Instance) else True)
        if (arrivals < 0).any():
            return [f"{int((arrivals < 0).sum())} of {arrivals.size} agents do not end at their goals"]
        for name, value in (("soc", int(arrivals.sum())), ("makespan", int(arrivals.max(initial=0)))):
            if fields.get(name, str(value)).strip() != str(value):
                notes.append(f"the file says {name}={fields[name]}, the plan has {value}")
    if fields.get("agents", str(plan.vertices.shape[1])).strip() != str(plan.vertices.shape[1]):
        notes.append(f"the file says agents={fields['agents']}, the plan has {plan.vertices.shape[1]}")
    return notes
