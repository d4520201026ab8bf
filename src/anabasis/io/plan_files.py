"""Any file of a multi-agent plan: the reader or writer is picked by the suffix, or named.

- `.json`: PlanViz, League of Robot Runners;
- `.txt`: LaCAM, PIBT, mapf-visualizer;
- `.csv`: MAPF Tracker;
- `.npz`: archive of a Plan, exact.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.io.archive import load, save
from anabasis.io.atomic import as_path
from anabasis.io.lacam_text import load_lacam, save_lacam
from anabasis.io.loaded_plan import LoadedPlan, check_agents, check_plan, grid_of
from anabasis.io.mapf_scen import load_instance
from anabasis.io.movingai import load_scen
from anabasis.io.planviz import load_planviz
from anabasis.io.planviz_write import FaultRow, replay_of, save_planviz
from anabasis.io.tracker import load_tracker, read_tracker, tracker_row, write_tracker
from anabasis.options import check_kind
from anabasis.plan import Plan

__all__ = ["PLAN_FORMATS", "PLAN_SUFFIXES", "load_plan", "plan_and_agents", "save_plan"]

PLAN_SUFFIXES = {".json": "planviz-2023", ".txt": "lacam", ".csv": "tracker", ".npz": "archive"}
"""The format that a suffix stands for; all layouts of PlanViz are read by one reader."""

PLAN_FORMATS = ("planviz-2023", "planviz-2024", "planviz-2026", "planviz-turns", "lacam", "tracker", "archive")
"""The formats that can be written; `planviz-turns` is the layout of 2023 with agents that turn."""


def load_plan(
    path: str | os.PathLike[str], instance: Instance | Grid | None = None, *, format: str | None = None
) -> LoadedPlan:
    """Load a plan for an instance; of agents on a Grid where the file has their starts; without one from an archive.

    format: how to read the file, a name of `PLAN_FORMATS` or a suffix such as "txt"; by default as its suffix says.
    Raises InputError that names the file, the place in it, what was found and what was expected. The plan is not
    judged: see `metrics.plans`.
    """
    kind = _kind(path, format)
    if kind == "archive":
        plan = load(path)
        if not isinstance(plan, Plan):
            found = f"a {type(plan).__name__}"
            raise InputError("the archive holds no plan", file=path, found=found, expected="a Plan")
        if instance is not None:
            check_kind(instance, (Instance, Grid), "what a plan file is about", file=path)
            check_agents(plan.vertices.shape[1], instance, path)
        return LoadedPlan(plan)
    if instance is None or (kind == "tracker" and not isinstance(instance, Instance)):
        needs = "the instance" if kind == "tracker" else "the instance, or its grid"
        raise InputError("this format does not say enough by itself", file=path, found=kind, expected=needs)
    if isinstance(instance, Instance) and kind == "tracker":
        return load_tracker(path, instance)
    return load_lacam(path, instance) if kind == "lacam" else load_planviz(path, instance).loaded


def plan_and_agents(
    grid: Grid,
    scen: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    rules: Rules = CLASSIC,
    format: str | None = None,
) -> tuple[Instance, LoadedPlan]:
    """Return the instance that a plan is for, as many agents as it has of a scenario of Moving AI, and it, in steps.

    Raises InputError as `load_plan`, and for a plan of more agents than the scenario has rows.
    """
    if _kind(path, format) == "tracker":
        agents = read_tracker(path)[0].agents
    else:
        agents = load_plan(path, grid, format=format).plan.vertices.shape[1]
    rows = load_scen(scen).size
    if agents > rows:
        raise InputError(
            "the plan is for more agents than the scenario has",
            file=path,
            found=f"{agents}",
            expected=f"at most {rows}, the rows of {scen}",
        )
    instance = load_instance(grid, scen, agents=agents, rules=rules)
    return instance, load_plan(path, instance, format=format).in_steps()  # again: its ends are to be the scenario's


def save_plan(
    path: str | os.PathLike[str],
    instance: Instance,
    plan: Plan,
    *,
    format: str | None = None,
    fields: Mapping[str, object] | None = None,
    errors: Sequence[FaultRow] | None = None,
) -> None:
    """Write a plan of an instance; format: a name of `PLAN_FORMATS` or a suffix, by default as the suffix says.

    fields: of a result as text, such as the names of map and solver, see `save_lacam`. errors: what a validator found
    (`Fault.record` of each fault of `metrics.plans.plan_faults`), for the layouts of PlanViz, which else don't say
    whether the plan is valid.

    Raises InputError for an unknown format, a plan without a row or with another number of agents, and for what a
    format can't tell: agents of several cells or a graph in all but the archive, agents that do not arrive in the
    tracker's.
    """
    kind = _kind(path, format)
    check_plan(plan, instance, path)
    if kind == "archive":
        save(plan, path)
    elif kind == "tracker":
        write_tracker([tracker_row(instance, plan)], path)
    elif kind == "lacam":
        save_lacam(path, instance, plan, fields=fields)
    else:
        year = {"planviz-2024": 2024, "planviz-2026": 2026}.get(kind, 2023)
        turns = True if kind == "planviz-turns" else None
        replay = replay_of(instance, plan, year=year, turns=turns, errors=errors)
        save_planviz(replay, path, grid_of(instance, path))


def _kind(path: str | os.PathLike[str], named: str | None) -> str:
    """Return the format of a file: the one that is named, by its name or by a suffix, or that of the file's suffix."""
    file = as_path(path)
    if isinstance(named, str) and named in PLAN_FORMATS:
        return named
    suffix = file.suffix if named is None else f".{named}"
    kind = PLAN_SUFFIXES.get(suffix.lower().replace("..", "."))
    if kind is None:
        found, known = (suffix, []) if named is None else (named, PLAN_FORMATS)
        expected = " or ".join([*known, *PLAN_SUFFIXES])
        raise InputError("unknown format of plans", file=path, found=repr(found), expected=expected)
    return kind
