"""The command `compare`: run scenarios with several methods and seeds, and compare."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, MaxUnits, Overrides, Quiet, known_method
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.lab.comparison import Comparison
    from anabasis.lab.suite import Suite

app = new_app()


@app.command(cls=StyledCommand)
def compare(
    scenario_files: Annotated[list[Path], typer.Argument(metavar="SCENARIO", help="Scenario files, .toml.")],
    *,
    methods: Annotated[str, typer.Option(help="Group methods, with commas between. [default: all]")] = "",
    seeds: Annotated[int, typer.Option(help="Run every method with so many seeds.", min=1)] = 5,
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    timeout: Annotated[float, typer.Option(help="Seconds after which one run is given up.")] = 3600.0,
    out: Annotated[Path | None, typer.Option(help="Results folder. [default: NAME.run]")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: run only what is missing.")] = False,
    overrides: Overrides = None,
    max_units: MaxUnits = 1_000_000,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run scenarios with several methods and seeds, and compare.

    Every finished run is kept at once, so a comparison that was stopped or killed goes on with --resume.

    Ends with code 1 if a run crashed or was invalid, 4 if one ran over its time or memory, 130 if it was interrupted.
    Units that were left behind are a result: the table, the sentences and the report say so, and the code is 0.

    \b
    Example:
      anabasis compare gap.toml door.toml --methods astar,vector-field --seeds 10 --out gap.run
    """
    from anabasis.cli.files import input_scenario, output_folder
    from anabasis.cli.progress import resumable
    from anabasis.cli.tables import comparison_data, show_comparison
    from anabasis.errors import InputError
    from anabasis.lab.suite import load_suite
    from anabasis.methods import names

    output = Output(json, quiet)
    chosen = [name.strip() for name in methods.split(",") if name.strip()] if methods else names("group")
    if not chosen:
        raise InputError("--methods names no method", found=repr(methods), expected=",".join(names("group")))
    for name in chosen:
        known_method("group", name, "--methods")
    files = [input_scenario(file) for file in scenario_files]
    suite = load_suite(files, chosen, seeds, list(overrides or []), max_units=max_units)
    folder = output_folder(out or Path(scenario_files[0].name.split(".")[0] + ".run"), option="--out")
    with resumable(folder):
        comparison = run_suite(output, suite, folder, workers=workers, timeout=timeout, resume=resume)
    show_comparison(output, comparison)
    output.say(f"results: {folder.resolve()}")
    output.say(f"a report of them: anabasis report {folder}")
    output.result({"folder": folder.resolve(), **comparison_data(comparison)})
    finish(comparison)


def run_suite(
    output: Output,
    suite: Suite,
    folder: Path,
    *,
    workers: int | None = None,
    timeout: float = 3600.0,
    resume: bool = False,
) -> Comparison:
    """Run a suite with a progress bar; without a number of workers there is one for each core."""
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.compare import Progress, compare

    with compiling(output), progress_bar(output, "runs") as move:

        def moved(progress: Progress) -> None:
            move(progress.done, progress.total)

        return compare(
            suite, folder, workers=workers or os.cpu_count() or 1, timeout=timeout, resume=resume, progress=moved
        )


def finish(comparison: Comparison) -> None:
    """End with the code that says how the runs went."""
    from anabasis.cli.errors import LIMIT, NOT_FOUND

    statuses = {failure.status for failure in comparison.failures}
    if statuses & {"invalid", "crash"}:
        raise typer.Exit(NOT_FOUND)
    if statuses:
        raise typer.Exit(LIMIT)
