"""The command `study`: run a published study again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, Quiet, known, known_method
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, StyledGroup, new_app

if TYPE_CHECKING:
    from anabasis.lab.comparison import Comparison
    from anabasis.lab.studies.flow_claims import Finding

app = new_app()

STUDIES = {
    "flow-groups": (
        "a group split over routes by a flow network, against the shortest way for everybody",
        "Pacovský: Navigation of units in video games using flow networks, 2019",
    )
}


@app.callback(invoke_without_command=True, cls=StyledGroup)
def study(ctx: typer.Context, json: Json = False, quiet: Quiet = False) -> None:
    """Run a published study again.

    Without a name it lists the studies that there are.

    \b
    Example:
      anabasis study --json
    """
    if ctx.invoked_subcommand is not None:
        return
    output = Output(json, quiet)
    output.table(["study", "what it is about", "source"], [[name, *about] for name, about in STUDIES.items()], text=3)
    output.say("run one: anabasis study flow-groups --quick")
    output.result(
        {"studies": [{"name": n, "about": about, "source": source} for n, (about, source) in STUDIES.items()]}
    )


@app.command(name="flow-groups", cls=StyledCommand)
def flow_groups(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the results and the report.")] = Path("flow-groups.run"),
    seeds: Annotated[
        int | None, typer.Option(help="Run every method with so many seeds. [default: 10, quick: 3]", min=1)
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few scenarios of each set, with smaller groups.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: run only what is missing.")] = False,
    sets: Annotated[str, typer.Option(help="Sets of scenarios, with commas between.")] = "1,2,3",
    methods: Annotated[str, typer.Option(help="Group methods, with commas between. [default: the study's six]")] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the Moving AI maps. [default: that of the environment variable ANABASIS_DATA, else "
            "shared/data or ../shared/data; without any, the scenarios on these maps are left out]"
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A group split over routes by a flow network, against the shortest way for everybody.

    Three sets of scenarios: splitting is unsuitable; others split too; a chokepoint with unused alternatives. Every
    finished run is kept at once, so a study that was stopped goes on with --resume. Exit codes are those of `anabasis
    compare`; a claim that is not reproduced is a result, with code 0.

    \b
    Example:
      anabasis study flow-groups --quick --out quick.run
    """
    from anabasis.cli.compare import finish
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.cli.tables import comparison_data
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.compare import Progress
    from anabasis.lab.studies.flow_claims import findings
    from anabasis.lab.studies.flow_groups import run_flow_groups
    from anabasis.lab.studies.flow_record import METHODS
    from anabasis.lab.studies.flow_report import read_evidence

    need_matplotlib()
    output = Output(json, quiet)
    numbers = _numbers(sets)
    place = find_data(data)
    if place is None:
        output.note("without the Moving AI maps; name their folder with --data")
    chosen = [name.strip() for name in methods.split(",") if name.strip()] or list(METHODS)
    for name in chosen:
        known_method("group", name, "--methods")
    output_folder(out, option="--out")
    with compiling(output), progress_bar(output, "runs") as move:

        def moved(progress: Progress) -> None:
            move(progress.done, progress.total)

        comparison = run_flow_groups(
            out,
            sets=numbers,
            seeds=seeds,
            workers=workers or os.cpu_count() or 1,
            quick=quick,
            data=place,
            methods=chosen,
            resume=resume,
            progress=moved,
        )
    found = findings(read_evidence(out))
    _show(output, comparison, found)
    report = out / "report.html"
    output.say(f"report:  {report.resolve()}", style="bold green")
    output.say(f"results: {out.resolve()}")
    output.result(
        {
            "folder": out.resolve(),
            "report": report.resolve(),
            "findings": [
                {"claim": f.claim, "source": f.source, "measured": f.measured, "verdict": f.verdict} for f in found
            ],
            **comparison_data(comparison),
        }
    )
    finish(comparison)


def find_data(named: Path | None) -> Path | None:
    """Return the folder of the Moving AI maps: the one named, else the first that there is, else None."""
    from anabasis.cli.files import input_folder

    if named is None and "ANABASIS_DATA" in os.environ:
        named = Path(os.environ["ANABASIS_DATA"])
    if named is not None:
        folder = input_folder(named)
        return folder / "movingai" if (folder / "movingai").is_dir() else folder
    places = [Path("shared/data/movingai"), Path("../shared/data/movingai")]
    return next((place for place in places if place.is_dir()), None)


def _numbers(text: str) -> list[int]:
    """Return the numbers of sets that `1,3` names."""
    hint = "1 splitting is of no use, 2 others split too, 3 a chokepoint; numbers with commas between, such as 1,3"
    words = [part.strip() for part in text.split(",")]
    return sorted(
        {int(known(word, ["1", "2", "3"], what="set of scenarios", option="--sets", hint=hint)) for word in words}
    )


def _show(output: Output, comparison: Comparison, found: list[Finding]) -> None:
    """Print the ratios of all scenarios in one table, and what the study found."""
    if not output.chatty:
        return
    from rich.text import Text

    from anabasis.cli.tables import band_style

    rows: list[list[object]] = []
    for scenario in comparison.scenarios:
        entries = [comparison.entry(scenario, method) for method in comparison.methods]
        rows.append([scenario, *(Text(entry.text, style=band_style(entry.band)) for entry in entries)])
    rows.append(
        [
            "geometric mean",
            *("no ratio" if t.geometric_mean is None else f"{t.geometric_mean:.3f}" for t in comparison.totals),
        ]
    )
    output.table(["ratio to the best", *comparison.methods], rows)
    for finding in found:
        style = {True: "green", False: "red", None: "dim"}[finding.holds]
        output.say(f"{finding.verdict}: {finding.claim}: {finding.measured} (thesis: {finding.source})", style=style)
    output.say()
    output.say(comparison.headline, style="bold")
