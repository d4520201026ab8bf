"""Loaded plans: what the readers of multi-agent plans return, and what they all check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.instance import Instance
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_kind
from anabasis.plan import Plan

__all__ = ["MAX_PLACES", "LoadedPlan", "check_agents", "check_places", "check_plan", "check_starts", "grid_of"]

MAX_PLACES = 2**26
"""Cap on the rows times the agents of a plan that is read."""


@dataclass(frozen=True, eq=False)
class LoadedPlan:
    """A plan from a file.

    - headings: int8[t, k] of agents that turn, 0 east, 1 north, 2 west, 3 south; -1 where there is none; empty if the
      file has none.
    - ticks: how many rows a step takes; more than 1 only where the file counts parts of steps.
    - fields: what else the file says about the plan, by name, in its order.
    - notes: a sentence each: how what has two readings was read, and where the file disagrees with itself.
    """

    plan: Plan
    headings: NDArray[np.int8] = field(default_factory=lambda: np.zeros((0, 0), np.int8))
    ticks: int = 1
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.plan, Plan, "the plan of a file")
        headings = freeze(self.headings, np.int8, (None, None), "headings")
        shape = self.plan.vertices.shape if headings.size else (0, 0)
        set_field(self, "headings", freeze(headings if headings.size else np.zeros(shape), np.int8, shape, "headings"))
        set_field(self, "ticks", check_count(self.ticks, "ticks of a step", 1))
        check_kind(self.fields, Mapping, "fields of a file")
        set_field(self, "fields", MappingProxyType(dict(self.fields)))

    @property
    def unit(self) -> str:
        """What a row of the plan is one of: `steps`, or `ticks` if a step takes several."""
        return "steps" if self.ticks == 1 else "ticks"

    def in_steps(self) -> LoadedPlan:
        """Return the plan with a row a step; if somebody moves between steps it stays as it is, and a note says so."""
        rows, ticks = self.plan.vertices, self.ticks
        if ticks == 1:
            return self
        if (rows != rows[np.arange(len(rows)) // ticks * ticks]).any():
            return replace(self, notes=(*self.notes, f"agents move between steps, so times are ticks, {ticks} a step"))
        return replace(self, plan=Plan(rows[::ticks]), headings=self.headings[::ticks], ticks=1)


def grid_of(space: Instance | Grid, file: object) -> Grid:
    """Return the grid that a plan file is about; raises InputError for an instance on a graph, or anything else."""
    check_kind(space, (Instance, Grid), "what a plan file is about", file=file)
    grid = space if isinstance(space, Grid) else space.space
    if not isinstance(grid, Grid):
        raise InputError("a plan file of cells", file=file, found="an instance on a graph", expected="one on a grid")
    return grid


def check_places(rows: int, agents: int, file: object) -> None:
    """Raise InputError if a plan would be too large, before the memory for it is taken."""
    if rows * agents > MAX_PLACES:
        raise InputError(
            "the plan is too large",
            file=file,
            found=f"{rows} rows × {agents} agents",
            expected=f"at most {MAX_PLACES} places",
        )


def check_agents(found: int, space: Instance | Grid, file: object) -> None:
    """Raise InputError unless a file has as many agents as the instance, if one was given."""
    if isinstance(space, Instance) and found != space.size:
        raise InputError("number of agents", file=file, found=f"{found}", expected=f"{space.size}, as in the instance")


def check_plan(plan: Plan, instance: Instance, file: object) -> None:
    """Raise InputError unless this is a plan of a row or more for the agents of an instance."""
    check_kind(instance, Instance, "the instance of a plan", file=file)
    check_kind(plan, Plan, "a plan of an instance", file=file)
    plan.check_fits(instance.size, file)


def check_starts(plan: Plan, space: Instance | Grid, file: object) -> None:
    """Raise InputError unless a plan begins at the starts of the instance, if one was given."""
    if isinstance(space, Grid):
        return
    grid = grid_of(space, file)
    wrong = np.flatnonzero(plan.vertices[0] != space.starts)
    if wrong.size:
        a = int(wrong[0])
        raise InputError(
            f"agent {a} of the plan starts elsewhere",
            file=file,
            found=cell_text(*grid.cell(int(plan.vertices[0, a]))),
            expected=cell_text(*grid.cell(int(space.starts[a]))),
            hint="the plan is of another instance, or its agents stand in another order",
        )
