"""The command `regions`: cut a map into regions that are joined by gates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, MapFile, Movement, Quiet, Scale, Threshold, cut_parameters, known
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.decomposition import Decomposition
    from anabasis.grid import Grid

app = new_app()

_STAGES = "clearance, flooding, regions or gates"


@app.command(cls=StyledCommand)
def regions(
    map_file: MapFile,
    *,
    parameters: Annotated[
        str,
        typer.Option(
            metavar="N|A,B,C",
            help="A set from 0, finest, to 10, coarsest, or three numbers of your own: how many tenths of a cell are "
            "a level, the how many-th nearest wall counts, by how many levels a lake must be deeper than its outlet.",
        ),
    ] = "5",
    every: Annotated[bool, typer.Option("--all", help="Compare all eleven sets.")] = False,
    stage: Annotated[str, typer.Option(help=f"What the picture shows: {_STAGES}.")] = "regions",
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cut a map into regions that are joined by gates, by flooding.

    Start with --all, which compares all sets.

    \b
    Example:
      anabasis regions arena.map --parameters 2 --stage gates --picture gates.png
    """
    from anabasis.cli.files import input_map, output_file
    from anabasis.decompose.regions import PARAMETERS, decompose
    from anabasis.view.decomposition import STAGES, stage_scene

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    known(stage, STAGES, what="stage of a picture", option="--stage")
    chosen = cut_parameters(parameters)
    instead = "anabasis flow FILE --stage regions --picture regions.png"
    grid = input_map(map_file, movement, scale=scale, threshold=threshold, instead=instead)
    decomposition = decompose(grid, chosen)
    shown = [decompose(grid, p) for p in PARAMETERS] if every else [decomposition]
    rows = [_measures(grid, d) for d in shown]
    _show(output, map_file, rows)
    if picture is not None:
        from anabasis.view.show import save_picture

        save_picture(stage_scene(grid, decomposition, stage), picture)  # pyright: ignore[reportArgumentType]
        output.say(f"picture: {picture.resolve()}")
    data: dict[str, Any] = {"file": map_file, "width": grid.width, "height": grid.height}
    data |= {"sets": rows} if every else _details(decomposition, rows[0])
    output.result({**data, "picture": None if picture is None else picture.resolve()})


def _measures(grid: Grid, decomposition: Decomposition) -> dict[str, Any]:
    """Return what a decomposition has, in numbers."""
    import numpy as np

    from anabasis.decompose.regions import PARAMETERS

    area = np.bincount(decomposition.region[grid.free], minlength=max(decomposition.regions, 1))
    width = decomposition.width
    return {
        "set": PARAMETERS.index(decomposition.parameters) if decomposition.parameters in PARAMETERS else None,
        "parameters": decomposition.parameters,
        "regions": decomposition.regions,
        "gates": decomposition.gates,
        "inner_gates": int(decomposition.inner.sum()),
        "narrowest": float(width.min()) if width.size else None,
        "median_width": float(np.median(width)) if width.size else None,
        "widest": float(width.max()) if width.size else None,
        "smallest_region": int(area.min()),
        "median_region": float(np.median(area)),
        "largest_region": int(area.max()),
    }


def _show(output: Output, map_file: Path, rows: list[dict[str, Any]]) -> None:
    """Print the table for people."""
    header = ("set", "parameters", "regions", "gates", "of them inside one", "width", "cells of a region")
    output.table(
        header,
        [
            (
                "own" if row["set"] is None else row["set"],
                ",".join(map(str, row["parameters"])),
                row["regions"],
                row["gates"],
                row["inner_gates"],
                _spread(row["narrowest"], row["median_width"], row["widest"]),
                _spread(row["smallest_region"], row["median_region"], row["largest_region"]),
            )
            for row in rows
        ],
        title=map_file.name,
        text=2,
    )
    output.say("width, cells of a region: least · median · most")


def _spread(low: float | None, middle: float | None, high: float | None) -> str:
    return "none" if low is None or middle is None or high is None else f"{low:,.5g} · {middle:,.5g} · {high:,.5g}"


def _details(decomposition: Decomposition, measures: dict[str, Any]) -> dict[str, Any]:
    """Return the measures and every gate."""
    gates = [
        {"from": ends[:2], "to": ends[2:], "width": width, "regions": sides}
        for ends, width, sides in zip(
            decomposition.ends.tolist(), decomposition.width.tolist(), decomposition.sides.tolist(), strict=True
        )
    ]
    return {**measures, "gate_list": gates}
