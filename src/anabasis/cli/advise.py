"""The command `advise`: which method for a map and a use, by trying the methods on the map."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from anabasis.cli.options import Json, MapFile, Movement, Quiet, Scale, Threshold
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def advise(
    map_file: MapFile,
    *,
    units: Annotated[int, typer.Option(help="Units that move at once, to one target.", min=1)] = 1,
    queries: Annotated[int, typer.Option(help="Paths that will be asked for on this map.", min=1)] = 1,
    dynamic: Annotated[bool, typer.Option("--dynamic", help="The map changes before each of them.")] = False,
    any_angle: Annotated[
        bool, typer.Option("--any-angle", help="Paths may turn anywhere, not only at centres of cells.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the sample of queries.", min=0)] = 0,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which method suits a map and a use.

    Measures the map, tries every method that fits on a sample of queries there, and names the one that is through first
    with all queries, its preparation included.

    \b
    Example:
      anabasis advise arena.map --queries 1000 --any-angle
    """
    from dataclasses import asdict

    from anabasis.cli.files import input_map
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.advice import advise as tried

    output = Output(json, quiet)
    grid = input_map(map_file, movement, scale=scale, threshold=threshold, instead="anabasis compare FILE")
    with compiling(output), progress_bar(output, "methods") as move:
        advice = tried(
            grid, units=units, queries=queries, dynamic=dynamic, any_angle=any_angle, seed=seed, progress=move
        )
    _say(output, advice)
    output.result(asdict(advice))


def _say(output: Output, advice: Any) -> None:
    """Tell a person what was measured and what is advised."""
    t = advice.terrain
    widths = "none" if t.narrowest is None else f"{t.passages}, {t.narrowest:.3g} to usually {t.usual:.3g} cells wide"
    output.say(
        f"{t.width} × {t.height} cells, {100 * t.free:.0f} % free, in {counted(t.components, 'part')} (the largest has "
        f"{100 * t.largest:.0f} %); {t.clutter:.1f} corners for 100 free cells; passages: {widths}"
    )
    if advice.family == "search":
        head = ["method", "optimal", "prepare ms", "query ms", "kept MB", "longer", "all in all s"]
        rows = [[c.name, "yes" if c.optimal else "no", *_figures(c)] for c in advice.candidates]
        output.table(head, rows, text=2)
    else:
        head = ["method", "prepare ms", "plan ms"]
        rows = [[c.name, *_figures(c)[:2]] for c in advice.candidates]
        output.table(head, rows, text=1)
    output.say(f"{advice.method}: {advice.reason}", style="bold")


def _figures(c: Any) -> list[str]:
    return [
        f"{1e3 * c.prepare:.1f}",
        f"{1e3 * c.query:.3f}",
        f"{c.bytes / 1e6:.2f}",
        f"{100 * c.longer:.1f} %",
        f"{c.total:.4g}",
    ]
