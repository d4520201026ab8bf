"""MAPF Tracker: the best known solutions of the multi-agent benchmarks, read and written.

The tables of tracker.pathfinding.ai, where a plan is one line of letters an agent: `u` the row below, `d` the row
above, `l`, `r`, `w` wait. There are two kinds: one solution as the site gives it (with a byte order mark), and many in
bulk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from anabasis.errors import InputError
from anabasis.instance import Instance
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.loaded_plan import LoadedPlan, check_agents, check_plan, grid_of
from anabasis.io.moves import letters_of, plan_of_letters
from anabasis.options import check_count, check_each, check_kind, check_switch
from anabasis.plan import Plan

__all__ = ["TrackerRow", "load_tracker", "read_tracker", "tracker_row", "write_tracker"]

_SINGLE = ("agents", "lower_cost", "lower_date", "solution_cost", "solution_date", "path")
_BULK = ("map_name", "scen_type", "type_id", "agents", "lower_cost", "solution_cost", "solution_plan")
_MOST = 10**12 - 1  # of a cost: twelve digits
_FIELD = re.compile(r'"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)')


@dataclass(frozen=True)
class TrackerRow:
    """One solution: costs are sums of costs, -1 for an unknown lower bound; moves holds a line for each agent.

    map_name, scen_type and type_id are known in bulk tables only, the dates in single ones only. line: where the moves
    begin in the file.
    """

    agents: int
    lower_cost: int
    solution_cost: int
    moves: tuple[str, ...]
    lower_date: str = ""
    solution_date: str = ""
    map_name: str = ""
    scen_type: str = ""
    type_id: str = ""
    line: int = field(default=1, compare=False)

    def __post_init__(self) -> None:
        for name, least in (("agents", 0), ("lower_cost", -1), ("solution_cost", 0)):
            check_count(getattr(self, name), f"{name} of a solution", least, _MOST)
        check_each(self.moves, str, "moves of a solution")
        lines = sum(1 + moves.count("\n") for moves in self.moves)
        if lines != self.agents:
            raise InputError(
                "moves of a solution", found=f"{lines} lines", expected=f"{self.agents}, one for each agent"
            )
        for name in (*_BULK[:3], "lower_date", "solution_date"):
            check_kind(getattr(self, name), str, f"{name} of a solution")


def read_tracker(path: str | os.PathLike[str]) -> list[TrackerRow]:
    """Read all solutions of a table, of either kind; raises InputError with the line of the fault."""
    records = _records(decode(read_bytes(path), path), path)
    line, names = records[0] if records else (1, [])
    if tuple(names) not in (_SINGLE, _BULK):
        raise InputError(
            "not a table of the MAPF Tracker",
            file=path,
            where=line,
            found=repr(",".join(names)[:60]),
            expected=f"{','.join(_SINGLE)} or {','.join(_BULK)}",
        )
    if len(records) < 2:
        raise InputError("the table has no solutions", file=path, expected="a row below the names")
    return [
        _row(dict(zip(names, fields, strict=False)), len(fields), names, line, path) for line, fields in records[1:]
    ]


def write_tracker(rows: Sequence[TrackerRow], path: str | os.PathLike[str], *, bulk: bool | None = None) -> None:
    """Write solutions as the site does; bulk: by default if there are several, or one that names its map.

    A table of one kind drops what only the other has. Raises InputError for no rows, which no reader takes for a table,
    and for several that are to be a single one.
    """
    check_each(rows, TrackerRow, "solutions of a table", "tracker_row(instance, plan)")
    if not rows:
        raise InputError("a table without solutions", file=path, expected="one or more")
    many = (len(rows) != 1 or bool(rows[0].map_name)) if bulk is None else check_switch(bulk, "bulk")
    if not many and len(rows) != 1:
        raise InputError("a table of one solution", file=path, found=f"{len(rows)} solutions", expected="one")
    lines: list[str] = []
    for row in rows:
        lower = "" if row.lower_cost < 0 else str(row.lower_cost)
        plan = "\n".join(row.moves)
        if many:
            head = [_quoted_if_needed(text) for text in (row.map_name, row.scen_type, row.type_id)]
            lines.append(",".join([*head, str(row.agents), lower, str(row.solution_cost), _quoted(plan)]))
        else:
            single = str(row.agents), lower, row.lower_date, str(row.solution_cost), row.solution_date, plan
            lines.append(",".join(map(_quoted, single)))
    head = ",".join(_BULK) if many else ",".join(map(_quoted, _SINGLE))
    mark = "" if many else "\ufeff"
    write_atomic(path, (mark + "\n".join([head, *lines]) + "\n").encode())


def load_tracker(path: str | os.PathLike[str], instance: Instance, *, row: int | None = None) -> LoadedPlan:
    """Load a solution of an instance whose agents are the first rows of the scenario.

    row: which solution of the table, from 0; by default the only one for so many agents. notes tells how `u` was read.
    Raises InputError if there is none or are several, for a bad table, and for agents that leave the map.
    """
    check_kind(instance, Instance, "what a table of solutions is about", file=path)
    rows = read_tracker(path)
    numbers = [n for n, found in enumerate(rows) if found.agents == instance.size]
    if row is not None:
        try:
            numbers = [check_count(row, "row of the table", most=len(rows) - 1, expected=f"0 to {len(rows) - 1}")]
        except InputError as error:
            raise error.at(path) from None
    if len(numbers) != 1:
        every = sorted({found.agents for found in rows})
        several = f"{len(numbers)} solutions for {instance.size} agents, rows {', '.join(map(str, numbers[:9]))}"
        raise InputError(
            "which solution of the table is meant",
            file=path,
            found=several if numbers else f"solutions for {', '.join(map(str, every[:9]))} agents",
            expected=f"one for {instance.size} agents",
            hint="name its row" if numbers else None,
        )
    solution = rows[numbers[0]]
    check_agents(solution.agents, instance, path)
    where = [solution.line + a for a in range(solution.agents)]
    plan, note = plan_of_letters(solution.moves, instance.starts, instance, file=path, where=where)
    fields = {name: str(getattr(solution, name)) for name in (*_BULK[:-1], "lower_date", "solution_date")}
    arrivals, notes = plan.arrivals(instance.goals, stay=instance.rules.stay), [note]
    if arrivals.sum() != solution.solution_cost and (arrivals >= 0).all():
        notes.append(f"the table says a cost of {solution.solution_cost}, the plan has {arrivals.sum()}")
    return LoadedPlan(plan, fields=fields, notes=tuple(notes))


def tracker_row(
    instance: Instance,
    plan: Plan,
    *,
    lower_cost: int = -1,
    lower_date: str = "",
    solution_date: str = "",
    map_name: str = "",
    scen_type: str = "",
    type_id: str = "",
) -> TrackerRow:
    """Return the row for a plan.

    Raises InputError for a plan that does not end at the goals, with a jump, without a row, with another number of
    agents.
    """
    check_plan(plan, instance, None)
    grid = grid_of(instance, None)
    arrivals = plan.arrivals(instance.goals, stay=instance.rules.stay)
    if (arrivals < 0).any():
        agent = int((arrivals < 0).argmax())
        raise InputError("a solution", found=f"a plan in which agent {agent} does not end at its goal", expected="all")
    return TrackerRow(
        agents=instance.size,
        lower_cost=lower_cost,
        solution_cost=int(arrivals.sum()),
        moves=tuple(letters_of(grid, plan, file=None)),
        lower_date=lower_date,
        solution_date=solution_date,
        map_name=map_name,
        scen_type=scen_type,
        type_id=type_id,
    )


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _quoted_if_needed(text: str) -> str:
    return _quoted(text) if re.search(r'[",\r\n]', text) else text


def _records(text: str, path: object) -> list[tuple[int, list[str]]]:
    """Return the records of a table parted by commas: the line on which the last field begins, and the fields."""
    records: list[tuple[int, list[str]]] = []
    fields: list[str] = []
    at, line = 0, 1
    while at < len(text):
        match = next(_FIELD.finditer(text, at))  # one always fits, if only an empty one
        begin, at = line, match.end()
        line += text.count("\n", match.start(), at)
        fields.append(match[2] if match[1] is None else match[1].replace('""', '"').replace("\r\n", "\n"))
        end = "\n" if at >= len(text) or text.startswith("\r\n", at) else text[at]
        if end == "\n":
            if fields != [""]:
                records.append((begin, fields))
            fields = []
            at += 2 if text.startswith("\r\n", at) else 1
            line += 1
        elif end == ",":
            at += 1
            if at == len(text):
                records.append((begin, [*fields, ""]))
        else:
            raise InputError(
                "a field of the table is not closed" if match[1] is None else "text after a closed field",
                file=path,
                where=begin,
                found=repr(text[at : at + 20]),
                expected='a comma or the end of the line; quotes around a field, "" for one inside',
            )
    return records


def _row(values: dict[str, str], count: int, names: list[str], line: int, path: object) -> TrackerRow:
    if count != len(names):
        raise InputError(
            "a row with the wrong number of fields",
            file=path,
            where=line,
            found=f"{count} fields",
            expected=f"{len(names)}: {', '.join(names)}",
        )
    numbers: dict[str, int] = {}
    for name in ("agents", "lower_cost", "solution_cost"):
        text = values[name].strip()
        if name == "lower_cost" and text in ("", "null", "NULL"):
            text = "-1"
        elif not re.fullmatch(r"\d{1,12}", text, re.ASCII):
            raise InputError(
                f"the field {name!r} of a row", file=path, where=line, found=repr(text[:40]), expected="a whole number"
            )
        numbers[name] = int(text)
    moves = values[names[-1]].split("\n")
    if len(moves) == numbers["agents"] + 1 and not moves[-1]:
        moves.pop()
    if len(moves) != numbers["agents"]:
        raise InputError(
            "the plan of a row has the wrong number of lines",
            file=path,
            where=line,
            found=f"{len(moves)} lines",
            expected=f"{numbers['agents']}, one for each agent",
        )
    texts = {name: values.get(name, "") for name in ("lower_date", "solution_date", *_BULK[:3])}
    costs = numbers["agents"], numbers["lower_cost"], numbers["solution_cost"]
    return TrackerRow(*costs, tuple(moves), **texts, line=line)
