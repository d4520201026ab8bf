"""The command `mapf show`: draw a scenario of many agents, or a plan for it, as a picture or an animation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.mapf_options import (
    PLAN_HELP,
    Animation,
    Following,
    NoWait,
    Pixels,
    ScenFile,
    Swaps,
    Vanish,
    grid_of,
    instance_of,
    plan_of,
    rules_of,
    save_pictures,
)
from anabasis.cli.options import Json, MapFile, Movement, Quiet
from anabasis.cli.output import Output, counted

__all__ = ["show"]


def show(
    map_file: MapFile,
    scen_file: ScenFile,
    plan_file: Annotated[Path | None, typer.Argument(metavar="[PLAN]", help=f"A plan: {PLAN_HELP}.")] = None,
    *,
    agents: Annotated[
        int | None, typer.Option(help="Without a plan: so many agents. [default: all lines]", min=1)
    ] = None,
    step: Annotated[float | None, typer.Option(help="Draw this step instead of the ways.", min=0.0)] = None,
    traffic: Annotated[bool, typer.Option("--traffic", help="Draw how often cells are used instead.")] = False,
    following: Following = False,
    swaps: Swaps = False,
    vanish: Vanish = False,
    no_wait: NoWait = False,
    picture: Annotated[Path | None, typer.Option(help="The picture, .png or .svg.")] = None,
    animation: Animation = None,
    pixels: Pixels = 480,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a scenario of many agents, or a plan for it.

    \b
    Example:
      anabasis mapf show arena.map arena.scen plan.txt --animation plan.gif
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_file, output_file
    from anabasis.metrics.plans import plan_faults
    from anabasis.view.agents import instance_scene, step_scene, traffic_scene
    from anabasis.view.show import save_picture

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(animation, ".gif", option="--animation")
    if picture is None and animation is None:
        raise WrongCallError("nothing to draw into", expected="--picture FILE or --animation FILE")
    if plan_file is None and (animation is not None or step is not None or traffic):
        raise WrongCallError("no plan is named", expected="a PLAN after the scenario")
    if plan_file is not None and agents is not None:
        raise WrongCallError(
            "a plan says itself how many agents there are", where="--agents", expected="no PLAN, or no --agents"
        )
    if step is not None and traffic:
        raise WrongCallError("two pictures at once", found="--step and --traffic", expected="one of them")
    if picture is None and (step is not None or traffic):
        raise WrongCallError("no picture is named", found="--step or --traffic", expected="--picture FILE")
    grid = grid_of(map_file, movement)
    rules = rules_of(following, swaps, vanish, no_wait)
    made: dict[str, Path] = {}
    if plan_file is None:
        if picture is not None:
            instance = instance_of(grid, input_file(scen_file), agents, rules)
            made["picture"] = save_picture(instance_scene(instance), picture).resolve()
    else:
        instance, loaded = plan_of(output, grid, scen_file, plan_file, rules)
        plan = loaded.plan
        faults = plan_faults(instance, plan)
        if faults:
            output.note(f"this plan is not valid: {counted(len(faults), 'fault')}, first {faults[0]}")
        scene = None
        if step is not None:
            scene = step_scene(instance, plan, step)
        elif traffic:
            scene = traffic_scene(instance, plan)
        if scene is not None and picture is not None:
            made["picture"] = save_picture(scene, picture).resolve()
        made |= save_pictures(instance, plan, None if scene is not None else picture, animation, pixels)
    for what, place in made.items():
        output.say(f"{what}: {place}")
    output.result(made)
