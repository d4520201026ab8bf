"""The command `report`: write the report of a comparison again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The results folder of a comparison.")],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The report. [default: DIR/report.html]")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a comparison again: one HTML file that opens from disk.

    \b
    Example:
      anabasis report gap.run --out gap.html
    """
    from anabasis.cli.files import input_folder, output_file
    from anabasis.cli.tables import comparison_data, show_comparison
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.compare import read_comparison
    from anabasis.lab.manifest import read_manifest
    from anabasis.lab.report import write_report
    from anabasis.lab.runner import SOLVER_TASK
    from anabasis.lab.solver_report import write_solver_report
    from anabasis.lab.solver_suite import read_solver_runs

    need_matplotlib()
    output = Output(json, quiet)
    input_folder(folder)
    target = out or folder / "report.html"
    output_file(target, ".html", ".htm", option="--out")
    if read_manifest(folder).task == SOLVER_TASK:
        runs = read_solver_runs(folder)
        write_solver_report(runs, folder, title=f"Solvers, {folder.name}", file=target)
        output.say(f"report: {target.resolve()}")
        output.result({"report": target.resolve(), "runs": len(runs), "solved": sum(run.solved for run in runs)})
        return
    comparison = read_comparison(folder)
    write_report(folder, target)
    show_comparison(output, comparison)
    output.say(f"report: {target.resolve()}")
    output.result({"report": target.resolve(), **comparison_data(comparison)})
