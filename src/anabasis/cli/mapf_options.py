"""What the commands of `mapf` take: numbers of agents, a time, rules, solvers and their options, instances, plans."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.grid import Grid
    from anabasis.instance import Instance, Rules
    from anabasis.io.loaded_plan import LoadedPlan
    from anabasis.plan import Plan

__all__ = [
    "PLAN_HELP",
    "Animation",
    "Following",
    "NoWait",
    "Picture",
    "Pixels",
    "PlanFile",
    "ScenFile",
    "Swaps",
    "Vanish",
    "check_rules_kept",
    "chosen_methods",
    "grid_of",
    "instance_of",
    "numbers_of_agents",
    "plan_of",
    "rules_of",
    "save_pictures",
    "seconds_of",
    "solver_options",
]

PLAN_HELP = ".txt (steps as lines), .csv (MAPF Tracker), .json (PlanViz) or .npz"

ScenFile = Annotated[Path, typer.Argument(metavar="SCEN", help="A scenario, .scen: its first lines are the agents.")]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help=f"A plan: {PLAN_HELP}.")]
Following = Annotated[bool, typer.Option("--following", help="Rule: nobody may enter what another has just left.")]
Swaps = Annotated[bool, typer.Option("--swaps", help="Rule: two agents may change places.")]
Vanish = Annotated[bool, typer.Option("--vanish", help="Rule: agents are gone once they have arrived.")]
NoWait = Annotated[bool, typer.Option("--no-wait", help="Rule: nobody may wait before it has arrived.")]
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


def rules_of(following: bool, swaps: bool, vanish: bool, no_wait: bool) -> Rules:
    """Return the rules that options name; raises WrongCallError for two that exclude each other."""
    from anabasis.cli.errors import WrongCallError
    from anabasis.instance import Rules

    if following and swaps:
        raise WrongCallError(
            "two rules that exclude each other", found="--following and --swaps", expected="one of them"
        )
    return Rules(following=following, swap=not swaps, stay=not vanish, wait=not no_wait)


def check_rules_kept(instance: Instance, methods: Sequence[str]) -> None:
    """Raise WrongCallError for a solver that can't keep the rules of an instance, with those that can."""
    from anabasis.cli.errors import WrongCallError
    from anabasis.instance import FEATURES
    from anabasis.methods import METHODS, method

    able = [row.name for row in METHODS if row.family == "mapf" and instance.features <= set(row.can)]
    for name in methods:
        lacking = sorted(instance.features - set(method("mapf", name).can))
        if lacking:
            raise WrongCallError(
                f"{name} can't keep this rule",
                where="--method",
                found=FEATURES[lacking[0]],
                expected=" or ".join(able) or "other rules: no solver keeps all of these together",
            )


def grid_of(map_file: Path, movement: str | None) -> Grid:
    """Load the map; raises InputError that says so if it is the scenario that stands there."""
    from anabasis.cli.files import input_map
    from anabasis.errors import InputError

    if map_file.suffix.lower() == ".scen":
        raise InputError("this is a scenario", file=map_file, expected="a map", hint="the map comes first, then SCEN")
    return input_map(map_file, movement, scale=1, threshold=128, instead="anabasis validate scenario FILE")


def instance_of(grid: Grid, scen_file: Path, agents: int | None, rules: Rules) -> Instance:
    """Return the instance of the first lines of a scenario, all of them by default."""
    from anabasis.errors import InputError
    from anabasis.io.mapf_scen import load_instance

    instance = load_instance(grid, scen_file, agents=agents, rules=rules)
    if not instance.size:
        raise InputError("a scenario without agents", file=scen_file, expected="a line for each agent")
    return instance


def plan_of(
    output: Output, grid: Grid, scen_file: Path, plan_file: Path, rules: Rules, *, format: str | None = None
) -> tuple[Instance, LoadedPlan]:
    """Return a plan in steps and the instance of as many agents as it has, the first lines of the scenario.

    format: how to read the plan, by default as its suffix says. How it was read is noted.
    """
    from anabasis.cli.files import input_file
    from anabasis.errors import InputError
    from anabasis.io.plan_files import plan_and_agents

    for file in (scen_file, plan_file):
        input_file(file)
    if plan_file.suffix.lower() == ".scen":
        hint = "the order is MAP, SCEN, PLAN"
        raise InputError("this is a scenario", file=plan_file, expected=f"a plan, {PLAN_HELP}", hint=hint)
    instance, loaded = plan_and_agents(grid, scen_file, plan_file, rules=rules, format=format)
    for note in loaded.notes:
        output.note(f"{plan_file}: {note}")
    return instance, loaded


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


def solver_options(methods: Sequence[str], texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return for each solver the options NAME=VALUE that it is to have.

    NAME means all chosen solvers that have such an option, SOLVER.NAME only that one. Raises InputError for an option
    that none has, or whose value makes no sense.
    """
    from anabasis.cli.options import known, method_options, option_names

    found: dict[str, dict[str, Any]] = {name: {} for name in methods}
    for text in texts:
        head, equals, value = text.partition("=")
        owner, dot, key = head.rpartition(".")
        takers = [known(owner, methods, what="solver of an option", option="--set")] if dot else list(methods)
        if len(takers) > 1:
            every = {name: option_names("mapf", name) for name in methods}
            known(key, sorted(set().union(*every.values())), what="option of these solvers", option="--set")
            takers = [name for name in methods if key in every[name]]
        for name in takers:
            found[name] |= method_options("mapf", name, [f"{key}{equals}{value}"], "--set")
    return found


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
