"""The command `mapf delays`: walk a plan with agents that are late, and see how much longer it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.mapf_options import (
    PLAN_HELP,
    Animation,
    Following,
    Pixels,
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

__all__ = ["delays"]


def delays(
    map_file: MapFile,
    scen_file: ScenFile,
    plan_file: PlanFile,
    *,
    chance: Annotated[
        float, typer.Option(help="The chance that a move takes a step longer, again and again.", min=0.0, max=0.95)
    ] = 0.1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same delays.", min=0, max=2**63 - 1)] = 0,
    following: Following = False,
    swaps: Swaps = False,
    vanish: Vanish = False,
    walked: Annotated[Path | None, typer.Option(help=f"Write the plan as it was walked: {PLAN_HELP}.")] = None,
    animation: Animation = None,
    pixels: Pixels = 480,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Walk a plan with agents that are late: at each place they keep the planned order, so nobody collides.

    \b
    Example:
      anabasis mapf delays arena.map arena.scen plan.txt --chance 0.2
    """
    from anabasis.cli.errors import NOT_FOUND
    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling
    from anabasis.errors import InputError
    from anabasis.io.plan_files import PLAN_SUFFIXES
    from anabasis.mapf.dependency_graph import execute_with_delays
    from anabasis.metrics.plans import plan_faults
    from anabasis.solve import write_plan

    output = Output(json, quiet)
    output_file(walked, *PLAN_SUFFIXES, option="--walked")
    output_file(animation, ".gif", option="--animation")
    grid = grid_of(map_file, movement)
    rules = rules_of(following, swaps, vanish, no_wait=False)
    instance, loaded = plan_of(output, grid, scen_file, plan_file, rules)
    with compiling(output):
        try:
            execution = execute_with_delays(instance, loaded.plan, chance=chance, seed=seed)
        except InputError as error:
            raise error.at(plan_file) from None
        faults = [str(fault) for fault in plan_faults(instance, execution.plan)]
    output.say(
        f"{counted(instance.size, 'agent')}: sum of costs {execution.planned_cost} as planned, {execution.cost} as "
        f"walked, {execution.stretch:.3f} times; makespan {loaded.plan.makespan}, then {execution.plan.makespan}"
        + ("" if loaded.ticks == 1 else ", in ticks"),
        style="bold red" if faults else "bold green",
    )
    made: dict[str, Path] = {}
    if walked is not None:
        write_plan(walked, instance, execution.plan, map_file=map_file.name)
        made["walked"] = walked.resolve()
    if animation is not None:
        from anabasis.view.agents import animate_plan

        animate_plan(instance, execution.plan, animation, pixels=pixels)
        made["animation"] = animation.resolve()
    for what, place in made.items():
        output.say(f"{what}: {place}")
    output.result(
        {
            "agents": instance.size,
            "unit": loaded.unit,
            "planned_cost": execution.planned_cost,
            "cost": execution.cost,
            "stretch": execution.stretch,
            "planned_makespan": loaded.plan.makespan,
            "makespan": execution.plan.makespan,
            "faults": faults,
            **made,
        }
    )
    if faults:
        raise typer.Exit(NOT_FOUND)
