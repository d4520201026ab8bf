"""A plan for many agents in one call: from a map and cells to a plan that has been checked; it can be looked at.

answer = anabasis.solve_agents("arena.map", [(1, 1), (9, 1)], [(9, 1), (1, 1)])
answer.show()
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from operator import index
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.grid import Grid, cell_text
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.methods import method as method_row
from anabasis.noun import freeze
from anabasis.options import check_kind, check_seed
from anabasis.plan import Plan
from anabasis.result import Result

__all__ = ["AgentsAnswer", "solve_agents", "write_plan"]

_PICTURES = (".png", ".svg")


@dataclass(frozen=True, eq=False)
class AgentsAnswer:
    """What `solve_agents` found: true if there is a valid plan that brings every agent to its goal.

    - instance: what was solved, with agents as vertices; method: the solver's name; result: what the solver said.
    - faults: what the validator found wrong with the plan; it shares no code with the solvers.
    - seconds: how long the solver took.

    A false answer says why (`reason`), and may hold a plan in which not everybody arrives.
    """

    instance: Instance
    method: str
    result: Result[Plan]
    faults: tuple[str, ...]
    seconds: float

    def __bool__(self) -> bool:
        from anabasis.lab.solving import arrived

        return self.validated and arrived(self.instance, self.result)

    def __repr__(self) -> str:
        agents = f"{self.instance.size} agent{'' if self.instance.size == 1 else 's'}"
        if not self:
            return f"<no plan for {agents} by {self.method}: {self.reason}>"
        return f"<plan for {agents} by {self.method}: cost {self.cost:g}, makespan {self.makespan}>"

    @property
    def plan(self) -> Plan | None:
        """The plan: `plan.vertices` has a row for each step and a column for each agent. None without one."""
        return self.result.value

    @property
    def validated(self) -> bool:
        """Whether there is a plan and the validator found no fault in it."""
        return self.plan is not None and not self.faults

    @property
    def cells(self) -> list[list[tuple[int, int]]]:
        """For each agent the cell (x, y) in which it is at each step, the first its start; none without a plan."""
        grid = self.instance.space
        if self.plan is None or not isinstance(grid, Grid):
            return []
        return [[grid.cell(v) for v in way] for way in self.plan.vertices.T.tolist()]

    @property
    def arrivals(self) -> list[int]:
        """The step from which on each agent is at its goal for good, -1 for one that is not; none without a plan."""
        if self.plan is None:
            return []
        return self.plan.arrivals(self.instance.goals, stay=self.instance.rules.stay).tolist()

    @property
    def cost(self) -> float:
        """The sum of the arrivals; inf if not everybody arrives."""
        arrivals = self.arrivals
        return float(sum(arrivals)) if self.plan is not None and min(arrivals, default=0) >= 0 else float("inf")

    @property
    def makespan(self) -> int:
        """How many steps it takes until the last agent has arrived, or the plan is over; 0 without a plan."""
        arrivals = self.arrivals
        if self.plan is None or min(arrivals, default=0) >= 0:
            return max(arrivals, default=0)
        return self.plan.makespan

    @property
    def bound(self) -> float:
        """What any plan costs at least, as far as the solver has proved it; 0 if it has proved nothing."""
        return self.result.bound

    @property
    def reason(self) -> str:
        """Why there is no valid plan, or what is not proved of the one that there is; else empty."""
        return f"not valid: {self.faults[0]}" if self.faults else self.result.reason

    def picture(self) -> Any:
        """Return the picture: the ways of all agents, without a plan their starts and goals."""
        from anabasis.view.agents import instance_scene, ways_scene

        return instance_scene(self.instance) if self.plan is None else ways_scene(self.instance, self.plan)

    def show(self) -> None:
        """Look at it: inline in a notebook, else in the program that opens pictures."""
        from anabasis.view.show import show

        show(self.picture())

    def save(self, file: str | FilePath) -> None:
        """Write the picture (.png, .svg), the plan as an animation (.gif), or the plan itself.

        Files of plans are .txt (steps as lines), .csv (MAPF Tracker), .json (PlanViz) and .npz; `io.plan_files` reads
        them. Raises InputError if there is no plan to write.
        """
        from anabasis.io.plan_files import PLAN_SUFFIXES
        from anabasis.view.agents import animate_plan
        from anabasis.view.show import save_picture

        suffix = FilePath(file).suffix.lower()
        if suffix in _PICTURES:
            save_picture(self.picture(), file)
            return
        if suffix != ".gif" and suffix not in PLAN_SUFFIXES:
            known = [*_PICTURES, ".gif", *PLAN_SUFFIXES]
            raise InputError("unknown format", file=file, found=repr(suffix), expected=" or ".join(known))
        if self.plan is None:
            raise InputError("there is no plan to write", file=file, found=self.reason)
        if suffix == ".gif":
            animate_plan(self.instance, self.plan, file)
        else:
            write_plan(file, self.instance, self.plan, solver=self.method)

    def _repr_svg_(self) -> str:
        from anabasis.view.svg import to_svg

        return to_svg(self.picture())


def write_plan(
    file: str | FilePath,
    instance: Instance,
    plan: Plan,
    *,
    map_file: str = "",
    solver: str = "",
    format: str | None = None,
) -> None:
    """Write a plan with what its format can say besides: the names of map and solver, whether it is valid."""
    from anabasis.io.plan_files import save_plan
    from anabasis.metrics.plans import plan_faults

    names = {"map_file": map_file, "solver": solver}
    fields = {"agents": ""} | {field: name for field, name in names.items() if name}
    errors = [fault.record for fault in plan_faults(instance, plan)]
    save_plan(file, instance, plan, format=format, fields=fields, errors=errors)


def solve_agents(
    space: Grid | GameMap | str | os.PathLike[str],
    starts: Iterable[tuple[int, int]],
    goals: Iterable[tuple[int, int]],
    *,
    method: str = "lacam",
    time_limit: float = 30.0,
    seed: int = 0,
    rules: Rules = CLASSIC,
    **options: Any,
) -> AgentsAnswer:
    """Plan for many agents: agent a goes from the cell (x, y) starts[a] to goals[a], and nobody is in another's way.

    space: a map, or the file of one. method: a solver, see `anabasis methods --family mapf`; lacam finds any plan at
    once, lacam-star goes on to better ones until time is over, cbs and eecbs prove what they find. rules: what agents
    may do, such as `Rules(stay=False)` for agents that vanish at their goals. Other options are those of the solver,
    such as `weight=1.1`.

    time_limit: seconds after which a solver that works bit by bit stops with the best that it has; pibt, winpibt,
    independence and vertex-reset end by limits of their own. A solver that ended by itself, or by an option `limit`,
    which counts work, gives the same plan again for the same seed; what it has when its time is over depends on the
    machine.

    Raises InputError for a cell that is blocked, outside the map or taken twice, an unknown solver or option, and rules
    that the solver can't keep. That there is no plan is an answer that is false.
    """
    from anabasis.lab.solving import solve_within

    check_kind(rules, Rules, "rules of agents", "Rules(following=True)")
    check_kind(method, str, "the name of a solver")
    seconds = float(freeze(time_limit, np.float64, (), "time limit"))
    check_seed(seed)
    grid = _grid(space)
    row = method_row("mapf", method)
    parameters = signature(row.load()).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in (*dict(row.fixed), "seed")]
    for name in options:
        if name not in known:
            raise InputError(f"the method {method} has no option {name!r}", expected=" or ".join(known) or "none")
    if not 0 < seconds < float("inf"):
        raise InputError("time limit", found=f"{seconds}", expected="a finite number of seconds above 0")
    ends = [
        _vertices(grid, cells, name, shared=not rules.vertex or (name == "goal" and not rules.stay))
        for name, cells in (("start", starts), ("goal", goals))
    ]
    if len(ends[0]) != len(ends[1]):
        found = f"{len(ends[0])} starts, {len(ends[1])} goals"
        raise InputError("starts and goals of agents", found=found, expected="as many of one as of the other")
    instance = Instance.of(grid, *ends, rules=rules)
    _ready(method)
    attempt = solve_within(instance, method, seconds=seconds, seed=seed, options=options)
    return AgentsAnswer(instance, method, attempt.result, attempt.faults, attempt.seconds)


@cache
def _ready(method: str) -> None:
    """Load the kernels of a solver before the clock runs: compiled for the first time they take minutes."""
    from anabasis.lab.solver_trial import warm_up

    warm_up((method,))


def _grid(space: Any) -> Grid:
    if isinstance(space, GameMap):
        return space.grid()
    if isinstance(space, (str, os.PathLike)):
        from anabasis.io.maps import load_grid

        return load_grid(FilePath(space))
    if not isinstance(space, Grid):
        raise InputError(
            "no map for agents", found=repr(space), expected="a Grid, or the file of a map", hint="anabasis.load(file)"
        )
    return space


def _vertices(grid: Grid, cells: Iterable[Any], name: str, *, shared: bool) -> list[int]:
    """Return the vertices of cells (x, y); raises InputError for one where no agent can be, or taken before."""
    if isinstance(cells, str) or not isinstance(cells, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"{name}s of agents", found=repr(cells), expected="a cell (x, y) for each agent")
    vertices: list[int] = []
    first: dict[int, int] = {}
    free = grid.free
    for agent, cell in enumerate(cells):
        whose = f"the {name} of agent {agent}"
        try:
            x, y = map(index, cell)
        except (TypeError, ValueError):
            raise InputError(whose, found=repr(cell), expected="a cell (x, y) of whole numbers") from None
        try:
            vertex = grid.vertex(x, y)
        except InputError as error:
            found, expected = cell_text(x, y), error.expected
            raise InputError(f"{whose} is outside the map", found=found, expected=expected) from None
        if not free[y, x]:
            raise InputError(f"{whose} is blocked", found=cell_text(x, y), expected="a free cell")
        if first.setdefault(vertex, agent) != agent and not shared:
            raise InputError(
                f"two agents have the same {name}",
                found=f"{cell_text(x, y)}, of the agents {first[vertex]} and {agent}",
                expected=f"every {name} once",
            )
        vertices.append(vertex)
    return vertices
