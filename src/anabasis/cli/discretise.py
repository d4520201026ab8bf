"""The command `discretise`: cut a world of polygons into states and arcs, and compare what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import (
    Json,
    Movement,
    Quiet,
    Radius,
    Scale,
    SpaceFile,
    Threshold,
    Tolerance,
    known_method,
    method_options,
)
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.world import World

app = new_app()

_MESHES = ("mesh-triangles", "mesh-merged", "mesh-volumes", "mesh-grown")


@app.command(cls=StyledCommand)
def discretise(
    map_file: SpaceFile,
    *,
    space: Annotated[
        str | None, typer.Option(help="A discretisation, see `anabasis methods`. [default: square-8]")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Compare all discretisations.")] = False,
    more: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set an option of the discretisation, such as edge, samples or seed; with --all of each that has it.",
        ),
    ] = None,
    radius: Radius = 0.0,
    tolerance: Tolerance = 1.0,
    repeats: Annotated[int, typer.Option(help="Take the median time of so many.", min=1)] = 3,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cut a world of polygons into states and arcs, and compare the ways to do it.

    There are lattices, quadtrees, roadmaps, visibility graphs and meshes. The dark parts of a picture become polygons,
    and so do the walls of a map. Start with --all.

    \b
    Example:
      anabasis discretise arena.map --space hexagonal-6 --set edge=2 --picture hexagons.png
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_world, output_file
    from anabasis.cli.progress import compiling
    from anabasis.methods import method, names
    from anabasis.view.show import save_picture

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    if every and space is not None:
        raise WrongCallError(
            "all discretisations or one", where="--space", found=repr(space), expected="--all without it"
        )
    if every and picture is not None:
        raise WrongCallError(
            "a picture shows one discretisation", where="--picture", expected="--space NAME, not --all"
        )
    space = known_method("space", "square-8" if space is None else space, "--space")
    chosen = names("space") if every else [space]
    options = _options(chosen, more or ())
    world = input_world(
        map_file,
        movement,
        scale=scale,
        threshold=threshold,
        tolerance=tolerance,
        radius=radius,
        instead="anabasis run FILE, which sends its groups to their targets",
    )
    with compiling(output):
        rows, made = _measured(output, world, options, repeats, keep_going=every)
    _show(output, map_file, world, rows)
    if picture is not None:
        from anabasis.lab.discretisations import cells_of
        from anabasis.view.scene import ground_scene
        from anabasis.view.spaces import space_scene

        cells = cells_of(method("space", space), world, **options[space])
        save_picture(space_scene(made if cells is None else cells, ground_scene(world)), picture)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {
            "file": map_file,
            "bounds": world.bounds,
            "corners": len(world.points),
            "rings": len(world.rings) - 1,
            "spaces": rows,
            "picture": None if picture is None else picture.resolve(),
        }
    )


def _options(chosen: Sequence[str], texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the options of each discretisation; with several, each takes those that it has.

    Raises InputError for an option that none of them has, and for a value that none takes.
    """
    from anabasis.errors import InputError

    if len(chosen) == 1:
        return {chosen[0]: method_options("space", chosen[0], texts, "--set")}
    options: dict[str, dict[str, Any]] = {name: {} for name in chosen}
    for text in texts:
        refused: list[InputError] = []
        for name in chosen:
            try:
                options[name] |= method_options("space", name, [text], "--set")
            except InputError as error:
                refused.append(error)
        if len(refused) == len(chosen):
            for error in refused:
                if not error.problem.startswith("unknown option"):  # it has the option
                    raise error
            raise InputError(
                "no discretisation takes this option",
                where="--set",
                found=repr(text),
                hint="`--space NAME --set` names those of one",
            )
    return options


def _measured(
    output: Output, world: World, options: dict[str, dict[str, Any]], repeats: int, *, keep_going: bool
) -> tuple[list[dict[str, Any]], Any]:
    """Return a row of measures for each discretisation, with an error instead if it failed; and what the last made."""
    from anabasis.cli.progress import progress_bar
    from anabasis.errors import InputError
    from anabasis.lab.discretisations import measure
    from anabasis.methods import method

    rows: list[dict[str, Any]] = []
    made = None
    with progress_bar(output, "discretisations") as move:
        for done, (name, chosen) in enumerate(options.items()):
            move(done, len(options))
            try:
                measured = measure(method("space", name), world, repeats=repeats, **chosen)
            except InputError as error:
                if not keep_going:
                    raise
                rows.append({"space": name, "error": str(error)})
                continue
            made = measured.made
            mean, most = measured.degree
            rows.append(
                {
                    "space": name,
                    "options": chosen,
                    "seconds": measured.seconds,
                    "states": measured.states,
                    "arcs": measured.arcs,
                    "mean_degree": mean,
                    "most_degree": most,
                    "bytes": measured.bytes,
                }
            )
        move(len(options), len(options))
    return rows, made


def _show(output: Output, map_file: Path, world: World, rows: list[dict[str, Any]]) -> None:
    """Print the table for people."""
    x0, y0, x1, y1 = world.bounds
    size = f"{x1 - x0:g} × {y1 - y0:g}, {counted(len(world.rings) - 1, 'ring')}, {counted(len(world.points), 'corner')}"
    header = ("discretisation", "made in ms", "states", "arcs", "arcs of a state", "at most", "kB")
    output.table(
        header,
        [
            (
                row["space"],
                f"{1e3 * row['seconds']:,.2f}",
                f"{row['states']:,}",
                f"{row['arcs']:,}",
                f"{row['mean_degree']:.2f}",
                row["most_degree"],
                f"{row['bytes'] / 1000:,.1f}",
            )
            if "error" not in row
            else (row["space"], *6 * ("–",))
            for row in rows
        ],
        title=f"{map_file.name}: {size}",
    )
    if any(row["space"] in _MESHES for row in rows):
        output.say(f"states and arcs of {', '.join(_MESHES)}: polygons, and the sides that two of them share")
    for row in rows:
        if "error" in row:
            output.say(f"{row['space']}: {row['error']}")
