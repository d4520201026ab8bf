"""The command `map tasks`: starts and goals on a map, for benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.options import Json, MapFile, Movement, Quiet
from anabasis.cli.output import Output, counted

__all__ = ["tasks"]


def tasks(
    map_file: MapFile,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The .scen file.")],
    per_bucket: Annotated[
        int | None,
        typer.Option(
            help="So many in each bucket of lengths (0 to 4, 4 to 8 …), up to the longest way. [default: 10]", min=1
        ),
    ] = None,
    count: Annotated[int | None, typer.Option(help="So many of any length instead.", min=1)] = None,
    agents: Annotated[int | None, typer.Option(help="One for each of so many agents instead.", min=1)] = None,
    apart: Annotated[float | None, typer.Option(help="With --count: the least length of a way.", min=0.0)] = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same tasks for ever.", min=0, max=2**63 - 1)] = 0,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw starts and goals on a map, connected, with their shortest lengths, as a .scen file.

    \b
    Example:
      anabasis map tasks island.map --per-bucket 5 -o island.map.scen
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_map, output_file
    from anabasis.cli.progress import compiling
    from anabasis.maps.tasks import bucketed_tasks, multi_agent_tasks, sample_tasks, save_tasks

    output = Output(json, quiet)
    output_file(out, ".scen", option="--out")
    named = [name for name, value in (("--per-bucket", per_bucket), ("--count", count), ("--agents", agents)) if value]
    if len(named) > 1:
        raise WrongCallError("one kind of tasks at a time", found=" and ".join(named), expected="one of them")
    if apart is not None and count is None:
        raise WrongCallError("a least length belongs to --count", where="--apart", hint="name it, or leave this out")
    grid = input_map(map_file, movement, scale=1, threshold=128, instead="anabasis validate scenario FILE")
    with compiling(output):
        if count is not None:
            drawn = sample_tasks(grid, count, seed=seed, apart=1.0 if apart is None else apart)
        elif agents is not None:
            drawn = multi_agent_tasks(grid, agents, seed=seed)
        else:
            drawn = bucketed_tasks(grid, seed=seed, per_bucket=per_bucket or 10)
        save_tasks(drawn, grid, out, map_name=map_file.name)
    longest = float(drawn.lengths.max())
    output.say(f"{counted(len(drawn), 'task')}, the longest way {longest:,.2f}: {out.resolve()}")
    output.result({"file": out.resolve(), "tasks": len(drawn), "longest": longest, "map": map_file.name})
