"""What the commands of `mapf` take: numbers of agents, a time, scenarios as instances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from anabasis.grid import Grid
    from anabasis.instance import Instance
    from anabasis.io.loaded_plan import LoadedPlan
    from anabasis.plan import Plan

__all__ = [
    "Animation",
    "Picture",
    "Pixels",
    "ScenFile",
    "chosen_methods",
    "instance_of",
    "numbers_of_agents",
    "plan_of",
    "save_pictures",
    "seconds_of",
]

ScenFile = Annotated[Path, typer.Argument(metavar="SCEN", help="A scenario, .scen: its first lines are the agents.")]
Picture = Annotated[Path | None, typer.Option(help="Write a picture of the ways, .png or .svg.")]
Animation = Annotated[Path | None, typer.Option(help="Write the plan as an animation, .gif.")]
Pixels = Annotated[int, typer.Option(help="Width of the animation.", min=64, max=2000)]

_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_MOST_NUMBERS = 1000


def seconds_of(text: str, option: str = "--time") -> float:
    """Return the seconds of a time such as 30s, 500ms or 2m."""
    from anabasis.errors import InputError

    found = _TIME.fullmatch(text.strip())
    seconds = float(found[1]) * _UNITS[found[2] or ""] if found else 0.0
    if not 0 < seconds <= 1e5:
        raise InputError(
            "a time",
            where=option,
            found=repr(text),
            expected="a time above 0 and up to 100,000 s, such as 30s, 500ms or 2m",
        )
    return seconds


def numbers_of_agents(text: str) -> list[int]:
    """Return the numbers that `50`, `10,20,40` or `50..400:50` (from, to, step) names, rising."""
    from anabasis.errors import InputError

    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,7})(?:\.\.(\d{1,7})(?::(\d{1,7}))?)?", part.strip())
        low, high, step = (int(number) if number else None for number in match.groups()) if match else (0, None, None)
        last, stride = low if high is None else high, 1 if step is None else step
        if not low or last is None or last < low or not stride or (last - low) // stride >= _MOST_NUMBERS:
            raise InputError(
                "numbers of agents",
                where="--agents",
                found=repr(text),
                expected="numbers such as 50, 10,20,40 or 50..400:50 (from 50 to 400 in steps of 50)",
            )
        found.update(range(low, last + 1, stride))
    return sorted(found)


def instance_of(grid: Grid, scen_file: Path, agents: int | None) -> Instance:
    """Return the instance of the first lines of a scenario, all of them by default."""
    from anabasis.errors import InputError
    from anabasis.io.mapf_scen import load_instance

    instance = load_instance(grid, scen_file, agents=agents)
    if not instance.size:
        raise InputError("a scenario without agents", file=scen_file, expected="a line for each agent")
    return instance


def plan_of(grid: Grid, scen_file: Path, plan_file: Path) -> tuple[Instance, LoadedPlan]:
    """Return a plan and the instance of as many agents as it has, the first lines of the scenario."""
    from anabasis.io.mapf_scen import load_instance
    from anabasis.io.plan_files import load_plan
    from anabasis.io.tracker import read_tracker

    if plan_file.suffix.lower() == ".csv":
        instance = load_instance(grid, scen_file, agents=read_tracker(plan_file)[0].agents)
        return instance, load_plan(plan_file, instance)
    loaded = load_plan(plan_file, grid)
    return load_instance(grid, scen_file, agents=loaded.plan.vertices.shape[1]), loaded


def save_pictures(
    instance: Instance, plan: Plan, picture: Path | None, animation: Path | None, pixels: int
) -> dict[str, Path]:
    """Write the picture and the animation that are wanted; return where they are, by name."""
    made: dict[str, Path] = {}
    if picture is not None:
        from anabasis.view.agents import ways_scene
        from anabasis.view.show import save_picture

        made["picture"] = save_picture(ways_scene(instance, plan), picture).resolve()
    if animation is not None:
        from anabasis.view.agents import animate_plan

        animate_plan(instance, plan, animation, pixels=pixels)
        made["animation"] = animation.resolve()
    return made


def chosen_methods(texts: Sequence[str]) -> list[str]:
    """Return the solvers that are named, with commas between or one by one."""
    from anabasis.cli.options import known_method
    from anabasis.errors import InputError
    from anabasis.methods import names

    found = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if not found:
        raise InputError("no solver is named", where="--method", expected=" or ".join(names("mapf")))
    for name in found:
        known_method("mapf", name, "--method")
    return list(dict.fromkeys(found))
