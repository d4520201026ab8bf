"""The command `mapf convert`: write a plan in the format of another program, and check that it is still the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.mapf_options import (
    PLAN_HELP,
    Following,
    NoWait,
    PlanFile,
    ScenFile,
    Swaps,
    Vanish,
    grid_of,
    plan_of,
    rules_of,
)
from anabasis.cli.options import Json, MapFile, Movement, Quiet
from anabasis.cli.output import Output, counted

if TYPE_CHECKING:
    from anabasis.plan import Plan

__all__ = ["convert"]

_FORMATS = "planviz-2023, planviz-2024, planviz-2026, planviz-turns, lacam, tracker or archive"


def convert(
    map_file: MapFile,
    scen_file: ScenFile,
    plan_file: PlanFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help=f"The plan as it is to be: {PLAN_HELP}.")],
    *,
    source: Annotated[
        str | None, typer.Option("--from", help=f"The format of PLAN: {_FORMATS}. [default: by its suffix]")
    ] = None,
    target: Annotated[
        str | None, typer.Option("--to", help="The format of OUT, one of the same. [default: by its suffix]")
    ] = None,
    following: Following = False,
    swaps: Swaps = False,
    vanish: Vanish = False,
    no_wait: NoWait = False,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a plan in another format, read it back and check it.

    Formats with agents that turn (planviz-turns, planviz-2026) make a plan longer. A plan that is not valid is
    converted all the same where the format can hold it; then the command ends with code 1, as it does if the plan is
    another one in the new file.

    \b
    Example:
      anabasis mapf convert arena.map arena.scen plan.txt plan.json
    """
    from anabasis.cli.errors import NOT_FOUND
    from anabasis.cli.files import output_file
    from anabasis.cli.options import known
    from anabasis.errors import InputError
    from anabasis.io.plan_files import PLAN_FORMATS, PLAN_SUFFIXES
    from anabasis.metrics.plans import plan_faults
    from anabasis.solve import write_plan

    output = Output(json, quiet)
    for option, name in (("--from", source), ("--to", target)):
        if name is not None:
            known(name, PLAN_FORMATS, what="format of plans", option=option)
    output_file(out, *(() if target else PLAN_SUFFIXES), option="OUT")
    grid = grid_of(map_file, movement)
    rules = rules_of(following, swaps, vanish, no_wait)
    instance, loaded = plan_of(output, grid, scen_file, plan_file, rules, format=source)
    plan = loaded.plan
    before = [str(fault) for fault in plan_faults(instance, plan)]
    try:
        solver = loaded.fields.get("solver", "")
        write_plan(out, instance, plan, map_file=map_file.name, solver=solver, format=target)
    except InputError as error:
        error.hint = error.hint or "lacam (.txt) and archive (.npz) hold any plan"
        raise error.at(plan_file) from None
    again = plan_of(Output(quiet=True), grid, scen_file, out, rules, format=target)[1]
    after = [str(fault) for fault in plan_faults(instance, again.plan)]
    turned = again.headings.size > 0
    changed = not turned and not _same(plan, again.plan)
    if turned:
        output.note(f"agents turn: {counted(plan.makespan, 'step')} became {again.plan.makespan}")
    output.say(f"{counted(instance.size, 'agent')}: {out.resolve()}", style="bold green")
    faults = [*(f"not valid: {fault}" for fault in before), *(f"in the new file: {f}" for f in after if not before)]
    if changed:
        faults.append("in the new file agents are in other places")
    for fault in faults[:5]:
        output.say(fault, style="red")
    output.result({"plan": out.resolve(), "agents": instance.size, "valid": not faults, "faults": faults})
    if faults:
        raise typer.Exit(NOT_FOUND)


def _same(one: Plan, other: Plan) -> bool:
    """Return whether agents are in the same places at all steps; who has arrived stays, also after the last row."""
    import numpy as np

    steps = np.arange(max(len(one.vertices), len(other.vertices)))
    first, second = (plan.vertices[np.minimum(steps, len(plan.vertices) - 1)] for plan in (one, other))
    return bool((first == second).all())
