"""The command `calibrate`: measure how many units pass gates of several widths in the simulator."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.lab.calibration import Measurement

app = new_app()


@app.command(cls=StyledCommand)
def calibrate(
    *,
    out: Annotated[Path | None, typer.Option(help="Write the table, .csv.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture of the curve, .png, .svg or .pdf.")] = None,
    seeds: Annotated[int | None, typer.Option(help="Runs of each kind. [default: 3, with --quick 1]", min=1)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few widths, for a look.")] = False,
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure how many units pass gates of several widths in the simulator.

    The table in the package, by which flow methods know what a gate lets pass, was written by this command with its
    defaults. It takes two to three minutes on two cores; the same seeds give the same table.

    \b
    Example:
      anabasis calibrate --out throughput.csv --picture curve.png
    """
    from anabasis import __version__
    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.io.atomic import write_atomic
    from anabasis.lab.calibration import QUICK_WIDTHS, WIDTHS, table
    from anabasis.lab.calibration import calibrate as measure_all

    output = Output(json, quiet)
    output_file(out, ".csv", option="--out")
    if output_file(picture, ".png", ".svg", ".pdf", option="--picture") is not None:
        from anabasis.lab.charts import need_matplotlib

        need_matplotlib()
    with compiling(output), progress_bar(output, "runs") as move:
        measurements = measure_all(
            widths=QUICK_WIDTHS if quick else WIDTHS,
            seeds=seeds or (1 if quick else 3),
            workers=workers or os.cpu_count() or 1,
            progress=move,
        )
    if out is not None:
        write_atomic(out, table(measurements, version=__version__).encode())
    if picture is not None:
        from anabasis.lab.calibration_chart import calibration_chart

        write_atomic(picture, calibration_chart(measurements, kind=picture.suffix[1:].lower()))
    _show(output, measurements)
    for name, place in (("table", out), ("picture", picture)):
        if place is not None:
            output.say(f"{name}: {place.resolve()}")
    output.result({"measurements": [vars(measurement) for measurement in measurements]})


def _show(output: Output, measurements: Sequence[Measurement]) -> None:
    """Print the median rates: a row for each passage and what units follow, a column for each width."""
    from statistics import median

    widths = sorted({m.width for m in measurements})
    rows: list[list[str]] = []
    for passage, follows in dict.fromkeys((m.passage, m.follows) for m in measurements):
        rates = {
            width: [m.rate for m in measurements if (m.passage, m.follows, m.width) == (passage, follows, width)]
            for width in widths
        }
        rows.append([passage, follows, *(f"{median(rates[width]):.2f}" for width in widths)])
    output.say("Units that pass in one slice, by the gate's width in unit diameters", style="bold")
    output.table(["passage", "follows", *(f"{width:g}" for width in widths)], rows, text=2)
