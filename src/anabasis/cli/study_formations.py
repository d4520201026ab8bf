"""The command `study formations`: formations march in every way, in every scenario."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.findings import findings_data, say_study
from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

__all__ = ["formations"]


def formations(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the results and the report.")] = Path("formations.run"),
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Three of eight formations, fewer modules.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: run only what is missing.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Formations that hold their shape through terrain, module by module.

    Eight planners, four synchronisations, two searches, with and without stepping aside, in six scenarios, eight
    formations: 6,144 marches, each validated and measured. The folder gets report.html, report.txt and a CSV file for
    each table, the same with any number of workers. It takes up to half an hour, quickly two or three minutes; every
    finished march is kept. A claim that is not reproduced is a result, with code 0.

    \b
    Example:
      anabasis study formations --quick --out formations.run
    """
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar, resumable
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.studies.formation_report import judged, write_formations
    from anabasis.lab.studies.formation_study import run_formations

    need_matplotlib()
    output = Output(json, quiet)
    if not resume:
        output_folder(out, option="--out")
    with resumable(out), compiling(output), progress_bar(output, "marches") as move:
        moves = run_formations(out, quick=quick, workers=workers or os.cpu_count() or 1, resume=resume, progress=move)
        study = judged(moves, quick=quick)
        report = write_formations(study, out)
    say_study(output, study.tables.values(), study.findings, report)
    output.result(
        {
            "study": "formations",
            "folder": out.resolve(),
            "report": report.resolve(),
            "quick": quick,
            "marches": len(moves),
            "findings": findings_data(study.findings),
            "tables": {name: made.records() for name, made in study.tables.items()},
        }
    )
