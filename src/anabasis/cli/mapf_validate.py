"""The command `mapf validate`: check plans of other programs, or our own, against their scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.mapf_options import PLAN_HELP, Following, NoWait, ScenFile, Swaps, Vanish, grid_of, plan_of, rules_of
from anabasis.cli.options import Json, MapFile, Movement, Quiet
from anabasis.cli.output import Output, counted

__all__ = ["validate"]

_SHOWN = 10
_MOST = 10**7  # faults of a plan: all of any that fits into memory, so that both validators can be compared
_MEASURES = ("sum_of_costs", "makespan", "fuel", "away", "arrived")


def validate(
    map_file: MapFile,
    scen_file: ScenFile,
    plan_files: Annotated[list[Path], typer.Argument(metavar="PLAN...", help=f"Plans: {PLAN_HELP}.")],
    *,
    following: Following = False,
    swaps: Swaps = False,
    vanish: Vanish = False,
    no_wait: NoWait = False,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check plans against a scenario, with two validators that share no code, and measure them.

    A plan is for as many agents as it has columns: the first lines of the scenario. Ends with code 1 if a plan is not
    valid, 3 if a file can't be read.

    \b
    Example:
      anabasis mapf validate arena.map arena.scen plan.txt
    """
    from anabasis.cli.errors import NOT_FOUND
    from anabasis.metrics.plan_measures import measure
    from anabasis.metrics.plan_review import review_plan
    from anabasis.metrics.plans import plan_faults

    output = Output(json, quiet)
    grid = grid_of(map_file, movement)
    rules = rules_of(following, swaps, vanish, no_wait)
    records = []
    for file in plan_files:
        instance, loaded = plan_of(output, grid, scen_file, file, rules)
        plan, k = loaded.plan, instance.size
        faults, again = plan_faults(instance, plan, limit=_MOST), review_plan(instance, plan)
        texts = [str(fault) for fault in faults]
        if sorted(texts) != sorted(map(str, again)):  # would be an error of ours, and must not stay hidden
            texts += [f"only the second validator: {fault}" for fault in again if str(fault) not in set(texts)]
        measures = measure(instance, plan)
        costs = {name: getattr(measures, name) for name in _MEASURES}
        records.append(
            {
                "file": file.resolve(),
                "agents": k,
                "valid": not texts,
                "faults": texts,
                "unit": loaded.unit,
                **costs,
            }
        )
        ticks = "" if loaded.ticks == 1 else ", in ticks"
        if texts:
            output.say(f"{file}: not valid, {counted(len(texts), 'fault')}{ticks}", style="bold red")
            for text in texts[:_SHOWN]:
                output.say(f"  {text}", style="red")
            if len(texts) > _SHOWN:
                output.say(f"  and {len(texts) - _SHOWN} more", style="red")
        else:
            output.say(
                f"{file}: valid: {counted(k, 'agent')}, sum of costs {measures.sum_of_costs}, makespan "
                f"{measures.makespan}{ticks}",
                style="bold green",
            )
    output.result({"plans": records})
    if any(record["faults"] for record in records):
        raise typer.Exit(NOT_FOUND)
