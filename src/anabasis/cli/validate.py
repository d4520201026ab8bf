"""The command `validate`: check files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.scenario import Scenario

app = new_app()

Paths = Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, or folders to search for them.")]


@app.callback()
def validate() -> None:
    """Check files: maps, scenarios, traces, archives.

    Every file is looked at, also after a bad one. Ends with code 3 if a file can't be read, 1 if what it holds is not
    valid.
    """


@app.command("map", cls=StyledCommand)
def validate_map(paths: Paths, *, json: Json = False, quiet: Quiet = False) -> None:
    """Check maps: .map, .tmj, .ldtk, pictures, texts.

    \b
    Example:
      anabasis validate map maps/
    """
    from anabasis.io.maps import TILE_MAPS, file_kind, load_grid, load_tile_map

    def check(file: Path) -> tuple[str, list[str]]:
        grid = load_grid(file)
        walls = f"; walls: {load_tile_map(file).rule}" if file_kind(file) in TILE_MAPS else ""
        return f"{grid.width} × {grid.height} cells, {int(grid.free.sum())} free{walls}", []

    _each(Output(json, quiet), paths, (".map", ".tmj", ".ldtk"), check)


@app.command("scen", cls=StyledCommand)
def validate_scen(
    paths: Paths,
    *,
    workers: Annotated[int | None, typer.Option(help="Threads. [default: one a core]", min=1)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check Moving AI scenarios (.scen): that our shortest paths are as long as the published ones.

    Rows that are proved to be wrong themselves are listed as faulty. Ends with code 1 if a row disagrees and nothing
    explains it.

    \b
    Example:
      anabasis validate scen arena.map.scen
    """
    from dataclasses import asdict

    from anabasis.cli.errors import NOT_FOUND
    from anabasis.cli.files import input_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.validate import validate_scen as solve_all

    output = Output(json, quiet)
    places = [path if path.is_dir() else input_file(path) for path in paths]
    with compiling(output), progress_bar(output, "rows") as move:
        report = solve_all(places, workers=workers, progress=move)
    for kind, rows in (("faulty", report.faulty), ("disagrees", report.disagreeing)):
        for row in rows:
            output.say(
                f"{kind}: {row.file}, line {row.line}: {row.reason}; ours {row.ours:g}, published {row.published:g}",
                style="red" if kind == "disagrees" else "",
            )
    output.say(
        f"{report.rows:,} rows of {report.files} files: {report.agreed:,} agreed, {len(report.faulty):,} faulty,"
        f" {len(report.disagreeing):,} disagree; greatest difference {report.greatest_difference:.2g};"
        f" {report.seconds:.1f} s",
        style="bold red" if report.disagreeing else "bold green",
    )
    output.result(asdict(report))
    if report.disagreeing:
        raise typer.Exit(NOT_FOUND)


@app.command("scenario", cls=StyledCommand)
def validate_scenario(paths: Paths, *, json: Json = False, quiet: Quiet = False) -> None:
    """Check group scenarios (.toml): that they can be read, and that every unit can reach its target.

    \b
    Example:
      anabasis validate scenario gap.toml
    """
    from anabasis.io.scenario import load_scenario

    def check(file: Path) -> tuple[str, list[str]]:
        scenario = load_scenario(file)
        size = f"{scenario.grid.width} × {scenario.grid.height} cells"
        return f"{counted(scenario.size, 'unit')} in {counted(len(scenario.groups), 'group')}, {size}", _cut_off(
            scenario
        )

    _each(Output(json, quiet), paths, (".scenario.toml",), check)


@app.command("trace", cls=StyledCommand)
def validate_trace(
    paths: Paths,
    *,
    scenario: Annotated[Path | None, typer.Option(help="The scenario of the runs, .toml.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check recorded runs (.npz); with their scenario also walls, speed and overlap.

    \b
    Example:
      anabasis validate trace run.npz --scenario gap.toml
    """
    from anabasis.cli.files import input_scenario
    from anabasis.errors import InputError
    from anabasis.io.archive import load
    from anabasis.io.scenario import load_scenario
    from anabasis.metrics.traces import trace_faults
    from anabasis.trace import Trace

    task = None if scenario is None else load_scenario(input_scenario(scenario))

    def check(file: Path) -> tuple[str, list[str]]:
        trace = load(file)
        if not isinstance(trace, Trace):
            raise InputError("this is no trace", file=file, found=f"a {type(trace).__name__}", expected="a Trace")
        faults = [] if task is None else [str(fault) for fault in trace_faults(task, trace)]
        return f"{trace.finished} of {trace.size} units arrived in {trace.steps} steps, hash {trace.hash}", faults

    _each(Output(json, quiet), paths, (".npz",), check)


@app.command("archive", cls=StyledCommand)
def validate_archive(paths: Paths, *, json: Json = False, quiet: Quiet = False) -> None:
    """Check archives (.npz): that all is there and nothing was changed.

    \b
    Example:
      anabasis validate archive gap.run/
    """
    from anabasis.io.archive import load
    from anabasis.noun import state_hash

    def check(file: Path) -> tuple[str, list[str]]:
        noun = load(file)
        return f"{type(noun).__name__}, hash {state_hash(noun)}", []

    _each(Output(json, quiet), paths, (".npz",), check)


def _files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the file, or all files with one of the suffixes in a folder; raises InputError for none."""
    from anabasis.cli.files import input_file
    from anabasis.errors import InputError

    if not path.is_dir():
        return [input_file(path)]
    inside = sorted(file for suffix in suffixes for file in path.rglob(f"*{suffix}"))
    if not inside:
        named = " or ".join(f"*{suffix}" for suffix in suffixes)
        raise InputError("the folder holds nothing to check", file=path, expected=f"files named {named}")
    return inside


def _each(
    output: Output, paths: Sequence[Path], suffixes: tuple[str, ...], check: Callable[[Path], tuple[str, list[str]]]
) -> None:
    """Check every file and print a line for each; a check returns a summary and the faults."""
    from anabasis.cli.errors import BAD_FILE, NOT_FOUND
    from anabasis.errors import InputError

    rows: list[dict[str, Any]] = []

    def bad(file: Path, error: InputError) -> None:
        rows.append({"file": str(file), "readable": False, "summary": "", "faults": [str(error)]})
        output.say(f"bad: {error}", style="red")

    for path in paths:
        try:
            files = _files(path, suffixes)
        except InputError as error:
            bad(path, error)
            continue
        for file in files:
            try:
                summary, faults = check(file)
            except InputError as error:
                bad(file, error)
                continue
            rows.append({"file": str(file), "readable": True, "summary": summary, "faults": faults})
            output.say(f"{'invalid' if faults else 'ok'}: {file}: {summary}", style="red" if faults else "")
            for fault in faults:
                output.say(f"  {fault}")
    unreadable = sum(not row["readable"] for row in rows)
    invalid = sum(bool(row["faults"]) for row in rows) - unreadable
    output.say(f"{len(rows)} files, {len(rows) - unreadable - invalid} ok, {invalid} invalid, {unreadable} bad")
    output.result({"files": rows, "ok": len(rows) - unreadable - invalid, "invalid": invalid, "bad": unreadable})
    if unreadable or invalid:
        raise typer.Exit(BAD_FILE if unreadable else NOT_FOUND)


def _cut_off(scenario: Scenario) -> list[str]:
    """Say for each group how many units stand in a part of the map from which the target can't be reached."""
    import numpy as np
    from scipy.ndimage import label

    faults: list[str] = []
    for number, group in enumerate(scenario.groups):
        parts, _ = label(scenario.grid.with_movement(group.movement).free)  # pyright: ignore[reportGeneralTypeIssues]
        cells = np.floor(group.positions).astype(np.int64)
        x, y = group.target.cell
        apart = int((parts[cells[:, 1], cells[:, 0]] != parts[y, x]).sum())
        if apart:
            faults.append(f"groups[{number}]: {apart} of {group.size} units can't reach the target")
    return faults
