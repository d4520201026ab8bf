"""The command `path`: find a path between two cells of a map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from anabasis.cli.options import Json, MapFile, Movement, Quiet, Scale, Threshold, known_method, method_options
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def path(
    map_file: MapFile,
    start: Annotated[str, typer.Argument(metavar="START", help="The cell x,y to start from; 0,0 is the top left.")],
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="The cell x,y to go to.")],
    *,
    method: Annotated[str, typer.Option(help="A search method, see `anabasis methods`.")] = "astar",
    neighbours: Annotated[int | None, typer.Option(help="4 or 8 neighbours of a cell.")] = None,
    corners: Annotated[str | None, typer.Option(help="Diagonal steps past walls: strict, loose or none.")] = None,
    weight: Annotated[float | None, typer.Option(help="Weight of the estimate: above 1 is quicker.")] = None,
    metric: Annotated[
        str | None, typer.Option(help="The estimate: zero, manhattan, octile, euclidean or chebyshev.")
    ] = None,
    more: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set an option that only this method has, such as seed, limit or step; an unknown name is answered "
            "with those that there are.",
        ),
    ] = None,
    shorten: Annotated[bool, typer.Option("--shorten", help="Replace steps by straight lines of sight.")] = False,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    searched: Annotated[bool, typer.Option("--searched", help="Show in the picture what was searched.")] = False,
    trace: Annotated[
        Path | None, typer.Option(help="Write what was searched for the Posthoc visualiser, .trace.json.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find a path between two cells of a map.

    Ends with code 1 if there is none, and then names the reachable cell nearest to the goal.

    \b
    Example:
      anabasis path arena.map 1,11 9,30 --picture path.png
    """
    from anabasis.cli.errors import LIMIT, NOT_FOUND
    from anabasis.cli.files import input_map, output_file
    from anabasis.cli.progress import compiling
    from anabasis.find import find_path
    from anabasis.result import Status

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(trace, ".trace.json", option="--trace")
    known_method("search", method, "--method")
    traced = searched or trace is not None
    options = method_options("search", method, more or (), "--set") | _options(
        method, neighbours=neighbours, corners=corners, weight=weight, metric=metric, traced=traced or None
    )
    ends = _cell(start, "start"), _cell(goal, "goal")
    instead = "anabasis run FILE, which sends its groups to their targets"
    grid = input_map(map_file, movement, scale=scale, threshold=threshold, instead=instead)
    with compiling(output):
        answer = find_path(grid, *ends, method=method, shorten=shorten, **options)
    if trace is not None and answer.result.trace is not None:
        from anabasis.io.posthoc import write_posthoc

        write_posthoc(trace, grid, answer.result.trace, answer.path)
    if picture is not None and searched and answer.result.trace is not None:
        from anabasis.view.scene import search_scene
        from anabasis.view.show import save_picture

        save_picture(search_scene(grid, answer.result.trace, answer.path), picture)
    elif picture is not None:
        answer.save(picture)
    _say(output, answer, picture)
    output.result(
        {
            "status": answer.result.status.name.lower(),
            "reason": answer.reason,
            "method": method,
            "cost": answer.cost,
            "length": None if answer.path is None else answer.path.length,
            "cells": answer.cells,
            "points": [] if answer.path is None else answer.path.points,
            "nearest": answer.nearest,
            "stats": dict(answer.result.stats),
            "picture": None if picture is None else picture.resolve(),
            "trace": None if trace is None else trace.resolve(),
        }
    )
    if answer.result.status is not Status.SOLVED:
        raise typer.Exit(LIMIT if answer.result.status is Status.LIMIT else NOT_FOUND)


def _say(output: Output, answer: Any, picture: Path | None) -> None:
    """Tell a person what was found."""
    if not output.chatty:
        return
    from anabasis.cli.drawing import draw_map

    if answer.path is None:
        output.say(f"no path: {answer.reason}", style="bold red")
        if answer.nearest is not None:
            output.say(f"the reachable cell nearest to the goal is {answer.nearest[0]},{answer.nearest[1]}")
    else:
        places = answer.cells or [(int(x), int(y)) for x, y in answer.path.points]
        draw_map(output, answer.space, places)
        expanded = int(answer.result.stats.get("expanded", 0))
        size = f"{len(answer.cells)} cells" if answer.cells else f"{len(answer.path.points)} corners"
        output.say(f"cost {answer.cost:.6f}, {size}, {expanded} expanded")
    if picture is not None:
        output.say(f"picture: {picture.resolve()}")


def _cell(text: str, name: str) -> tuple[int, int]:
    """Return the cell that `x,y` names."""
    from anabasis.errors import InputError

    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{name} of the path", found=repr(text), expected="a cell as x,y, such as 12,7") from None
    return x, y


def _options(method: str, **given: object) -> dict[str, Any]:
    """Return the options that were given; raises InputError for one that the method doesn't have."""
    from inspect import signature

    from anabasis.errors import InputError
    from anabasis.methods import method as method_row

    known = signature(method_row("search", method).load()).parameters
    options = {name: value for name, value in given.items() if value is not None}
    for name in options:
        if name not in known:
            raise InputError(f"the method {method} has no option --{name}", hint="see `anabasis methods`")
    return options
