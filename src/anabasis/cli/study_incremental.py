"""The command `study incremental`: searches that go on from what they know, against searches from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.findings import findings_data, say_study
from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

__all__ = ["incremental"]


def incremental(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the report and the tables.")] = Path("incremental.run"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer seeds, smaller maps.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Searches that go on from what they know, against searches from scratch and A*.

    The source's experiment, in which four units cross a small map, then maps to 1024 × 1024 with 1 to 1,000 changed
    cells a step, then many units. The folder gets report.html, report.txt and a CSV file for each table, and what is
    measured in time, which differs from run to run, in times.txt and times_*.csv. It takes some minutes, quickly some
    seconds; run nothing else meanwhile. A claim that is not reproduced is a result, with code 0.

    \b
    Example:
      anabasis study incremental --quick --out incremental.run
    """
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.studies.incremental_report import write_incremental
    from anabasis.lab.studies.incremental_study import run_incremental

    need_matplotlib()
    output = Output(json, quiet)
    output_folder(out, option="--out")
    with compiling(output), progress_bar(output, "measurements") as move:
        study = run_incremental(quick=quick, progress=move)
        report = write_incremental(study, out)
    say_study(output, study.tables.values(), study.findings, report)
    output.result(
        {
            "study": "incremental",
            "folder": out.resolve(),
            "report": report.resolve(),
            "quick": quick,
            "findings": findings_data(study.findings),
            "tables": {name: made.records() for name, made in study.counts.items()},
            "times": {name: made.records() for name, made in study.times.items()},
        }
    )
