"""The command `path`: find a path between two cells of a map, or two places of a world of polygons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from anabasis.cli.options import (
    Json,
    Movement,
    Quiet,
    Scale,
    SpaceFile,
    Threshold,
    Tolerance,
    cell_of,
    known,
    known_method,
    method_options,
    place_of,
    space_graph,
)
from anabasis.cli.output import Output
from anabasis.cli.searching import PlacesCommand, above_shortest, check_option, check_search
from anabasis.cli.style import new_app

app = new_app()

_ENDS = ("joined", "nearest")


@app.command(cls=PlacesCommand)
def path(
    map_file: SpaceFile,
    start: Annotated[
        str,
        typer.Argument(
            metavar="START", help="Where from: a cell x,y of a map (0,0 is the top left), or a place, such as 1.5,2."
        ),
    ],
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="Where to, likewise.")],
    *,
    method: Annotated[
        str | None,
        typer.Option(help="A search method, see `anabasis methods`. [default: astar; among polygons polyanya]"),
    ] = None,
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
    polygons: Annotated[bool, typer.Option("--polygons", help="Take a map or a picture as polygons.")] = False,
    tolerance: Tolerance = 1.0,
    space: Annotated[
        str | None,
        typer.Option(
            help="Search on the graph of a discretisation, such as hexagonal-6 or roadmap. A picture is then taken as "
            "polygons, as `anabasis discretise` does."
        ),
    ] = None,
    space_options: Annotated[
        list[str] | None,
        typer.Option("--set-space", metavar="NAME=VALUE", help="Set an option of the discretisation, such as edge=2."),
    ] = None,
    ends: Annotated[
        str,
        typer.Option(help="With --space: start and goal are joined to the graph, or moved to its nearest states."),
    ] = "joined",
    shorten: Annotated[bool, typer.Option("--shorten", help="Replace steps by straight lines of sight.")] = False,
    uphill: Annotated[
        float | None,
        typer.Option(
            help="On a generated map with heights (.npz): a step costs 1 + X · slope times as much where it rises, if "
            "the highest cell lies 32 cell sides above the lowest. [default: 2 with one of the next two]",
            metavar="X",
        ),
    ] = None,
    downhill: Annotated[
        float | None,
        typer.Option(help="Likewise where it falls. [default: 1 with one of the other two]", metavar="X"),
    ] = None,
    steepest: Annotated[
        float | None, typer.Option(help="Likewise; no step has a slope of more, up or down.", metavar="X")
    ] = None,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    searched: Annotated[bool, typer.Option("--searched", help="Show in the --picture what was searched.")] = False,
    trace: Annotated[
        Path | None, typer.Option(help="Write what was searched for the Posthoc visualiser, .trace.json.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find a path between two cells of a map, or two places of a world of polygons.

    Ends with code 1 if there is none, and then names the reachable cell (or corner) nearest to the goal.

    \b
    Example:
      anabasis path arena.map 1,11 9,30 --picture path.png
    """
    from anabasis.cli.errors import LIMIT, NOT_FOUND
    from anabasis.cli.files import input_game_map, input_space, output_file
    from anabasis.cli.path_report import moved_ends, path_data, say_path
    from anabasis.cli.progress import compiling
    from anabasis.cli.slopes import find_on_slopes, map_with_slopes, slope_options, slope_prices, slope_text
    from anabasis.find import find_path
    from anabasis.result import Status
    from anabasis.world import World

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(trace, ".trace.json", option="--trace")
    known(ends, _ENDS, what="way to join start and goal", option="--ends")
    if method is not None:
        known_method("search", method, "--method")
    if space is not None:
        known_method("space", space, "--space")
    _check_together(searched and picture is None and trace is None, space, space_options, ends)
    beside = {"--space": space is not None, "--polygons": polygons, "--scale": scale > 1, "--shorten": shorten}
    slopes = slope_options(beside, uphill=uphill, downhill=downhill, steepest=steepest)
    ground = input_space(
        map_file,
        movement,
        scale=scale,
        threshold=threshold,
        polygons=tolerance if polygons or (space is not None and _is_picture(map_file)) else None,
        instead="anabasis run FILE, which sends its groups to their targets",
    )
    among_polygons = isinstance(ground, World)
    as_it_is = not among_polygons and scale == 1 and (movement is None or bool(slopes))
    land = input_game_map(map_file) if as_it_is else None
    name = method or ("polyanya" if among_polygons and space is None and not slopes else "astar")
    if slopes:
        land = map_with_slopes(land, map_file, name, slopes)
    options = _options(
        name,
        more or (),
        neighbours=neighbours,
        corners=corners,
        weight=weight,
        metric=metric,
        traced=(searched or trace is not None) or None,
    )
    check_search(name, polygons=among_polygons, space=space, options=options)
    read = place_of if among_polygons else cell_of
    places = read(start.strip(), "start of the path"), read(goal.strip(), "goal of the path")
    with compiling(output):
        if space is not None:
            graph = space_graph(space, ground, space_options or ())
            options |= {"graph": graph, "ends": ends}
        if land is not None and slopes:
            answer = find_on_slopes(land, movement, *places, method=name, slopes=slopes, options=options)
        else:
            answer = find_path(land or ground, *places, method=name, shorten=shorten, **options)
    recorded = answer.result.trace
    if trace is not None and recorded is not None:
        from anabasis.io.posthoc import write_posthoc

        write_posthoc(trace, answer.graph or ground, recorded, answer.path)
    if picture is not None:
        from anabasis.view.show import save_picture

        save_picture(answer.picture(searched=searched), picture)
    moved = moved_ends(ground, places, answer) if space is not None else {}
    prices = slope_prices(slopes)
    say_path(output, answer, slope_text(prices), above_shortest(answer, name, shorten=shorten), moved)
    if picture is not None:
        output.say(f"picture: {picture.resolve()}")
    if trace is not None:
        output.say(f"trace: {trace.resolve()}" if recorded is not None else "nothing was searched: no trace is written")
    output.result(
        path_data(
            answer,
            method=name,
            space=space,
            slopes=prices,
            moved=moved,
            picture=None if picture is None else picture.resolve(),
            trace=None if trace is None or recorded is None else trace.resolve(),
        )
    )
    if answer.result.status is not Status.SOLVED:
        raise typer.Exit(LIMIT if answer.result.status is Status.LIMIT else NOT_FOUND)


def _is_picture(file: Path) -> bool:
    from anabasis.io.maps import file_kind

    return file.is_file() and file_kind(file) == "image"


def _check_together(unseen: bool, space: str | None, space_options: Sequence[str] | None, ends: str) -> None:
    """Raise InputError for options without the one that they belong to. unseen: --searched has nothing to show it."""
    from anabasis.errors import InputError

    if unseen:
        raise InputError("nothing shows what was searched", where="--searched", expected="--picture FILE")
    for option, given in (("--set-space", bool(space_options)), ("--ends", ends != "joined")):
        if given and space is None:
            raise InputError(
                "no discretisation was chosen", where=option, expected="--space NAME", hint="see `anabasis methods`"
            )


def _options(name: str, texts: Sequence[str], **given: object) -> dict[str, Any]:
    """Return the options that were given; raises InputError for one that the method doesn't have."""
    options = {option: value for option, value in given.items() if value is not None}
    for option in options:
        flag = f"--{option}" if option != "traced" else "--searched or --trace"
        check_option(name, option, flag)
    return method_options("search", name, texts, "--set") | options
