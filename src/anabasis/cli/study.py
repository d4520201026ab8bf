"""The command `study`: run a published study again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.findings import findings_data, say_findings, say_study
from anabasis.cli.options import Json, Quiet, known, known_method
from anabasis.cli.output import Output
from anabasis.cli.study_formations import formations
from anabasis.cli.study_incremental import incremental
from anabasis.cli.style import StyledCommand, StyledGroup, new_app

if TYPE_CHECKING:
    from anabasis.lab.comparison import Comparison
    from anabasis.lab.studies.finding import Finding

app = new_app()

Data = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the Moving AI maps. [default: that of the environment variable ANABASIS_DATA, else shared/data "
        "or ../shared/data; without any, what is on these maps is left out]"
    ),
]

_THESIS = "a bachelor thesis on trajectory planning in a virtual two-dimensional environment, 2011"

STUDIES = {
    "flow-groups": (
        "a group split over routes by a flow network, against the shortest way for everybody",
        "Pacovský: Navigation of units in video games using flow networks, 2019",
    ),
    "discretisation": ("polygonal maps by their obstacles, squares and hexagons by their edge", _THESIS),
    "theta": ("A*, A* with post-smoothing and Theta* on three lattices", _THESIS),
    "rrt": ("RRT a hundred times: times, lengths, states, and how they spread", _THESIS),
    "smoothing": ("smoothing and any-angle search beside the shortest ways", f"after {_THESIS}"),
    "searches": ("every search and every discretisation on the same queries", f"after {_THESIS}"),
    "terrain": (
        "three presets of generated terrain and the ways on them, claim by claim",
        "a bachelor thesis on generated terrain and path finding for strategy games, 2014",
    ),
    "incremental": (
        "searches that go on from what they know, against searches from scratch and A*",
        "a master thesis on path finding for several units in dynamic environments, 2021",
    ),
    "formations": (
        "formations that hold their shape, module by module, in six scenarios",
        "Švagerka: Adaptivní formace pro virtuální agenty, 2011",
    ),
    "mapf": (
        "all solvers of multi-agent path finding over the number of agents",
        "Stern et al.: Multi-agent pathfinding: definitions, variants, and benchmarks, 2019",
    ),
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
    data: Data = None,
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
    from anabasis.cli.progress import compiling, progress_bar, resumable
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
    with resumable(out), compiling(output), progress_bar(output, "runs") as move:

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
            "findings": findings_data(found),
            **comparison_data(comparison),
        }
    )
    finish(comparison)


def _planning_command(name: str, *, tables: str, minutes: str) -> None:
    """Add the command of a study of planning for one unit."""

    def command(
        *,
        out: Annotated[Path, typer.Option(help="Folder for the report and the tables.")] = Path(f"{name}.run"),
        quick: Annotated[bool, typer.Option("--quick", help="Fewer runs and queries, two maps of games.")] = False,
        data: Data = None,
        json: Json = False,
        quiet: Quiet = False,
    ) -> None:
        _run_planning(name, out, quick, data, Output(json, quiet))

    about = STUDIES[name][0]
    command.__doc__ = f"""{about[0].upper()}{about[1:]}.

    {tables} The source's figures stand beside ours, on its maps, made again, and then on maps of Moving AI. The folder
    gets report.html, report.txt and a CSV file for each table. It takes {minutes}; a claim that is not reproduced is a
    result, with code 0.

    \b
    Example:
      anabasis study {name} --quick --out {name}.run
    """
    app.command(name=name, cls=StyledCommand)(command)


_planning_command(
    "discretisation",
    tables="The source's tables 5.1 to 5.3.",
    minutes="about a minute, quickly some seconds",
)
_planning_command("theta", tables="The source's tables 5.4 to 5.6.", minutes="one to two minutes, quickly some seconds")
_planning_command("rrt", tables="The source's table 5.7.", minutes="one to two minutes, quickly some seconds")
_planning_command("smoothing", tables="Times and lengths.", minutes="two minutes, quickly some seconds")
_planning_command("searches", tables="Two tables of all methods.", minutes="two minutes, quickly some seconds")


def _run_planning(name: str, out: Path, quick: bool, data: Path | None, output: Output) -> None:
    """Run a study of planning for one unit, write it down and show what it found."""
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.studies.planning_report import run_planning, study_text, write_planning

    place = find_data(data)
    if place is None:
        output.note("without the Moving AI maps; name their folder with --data")
    output_folder(out, option="--out")
    with compiling(output), progress_bar(output, "tables") as move:
        study = run_planning(name, quick=quick, data=place, progress=move)
        report = write_planning(study, out)
    if place is not None and not study.games:
        output.note(f"no map of the study is in {place}; the part on Moving AI maps is left out")
    output.say(study_text(study).partition("\n\n")[0] + "\n")
    say_study(output, study.tables.values(), study.findings, report, "thesis")
    output.result(
        {
            "study": name,
            "folder": out.resolve(),
            "report": report.resolve(),
            "machine": study.machine,
            "quick": quick,
            "games": study.games,
            "findings": findings_data(study.findings),
            "tables": {key: made.records() for key, made in study.tables.items()},
        }
    )


@app.command(cls=StyledCommand)
def terrain(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the report and the tables.")] = Path("terrain.run"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer maps and queries.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Worker processes. [default: one a core, quick: 1]", min=1)
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Three presets of generated terrain and the ways on them, claim by claim.

    The source has no tables: what it claims, C1 to C24, is counted on many maps and queries. The folder gets
    report.html, report.txt and a CSV file for each table, the same with any number of workers, and times.txt. It takes
    one to two minutes, quickly some seconds; a claim that is not reproduced is a result, with code 0.

    \b
    Example:
      anabasis study terrain --quick --out terrain.run
    """
    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.lab.studies.terrain_report import write_terrain
    from anabasis.lab.studies.terrain_study import run_terrain

    output = Output(json, quiet)
    processes = 1 if quick else os.cpu_count()  # to start one takes longer than it saves
    output_folder(out, option="--out")
    with compiling(output), progress_bar(output, "measurements") as move:
        study = run_terrain(quick=quick, workers=workers or processes or 1, progress=move)
        report = write_terrain(study, out)
    say_study(output, [*study.tables.values(), study.times], study.findings, report)
    output.result(
        {
            "study": "terrain",
            "folder": out.resolve(),
            "report": report.resolve(),
            "quick": quick,
            "findings": findings_data(study.findings),
            "tables": {name: made.records() for name, made in study.tables.items()},
            "times": study.times.records(),
        }
    )


app.command(cls=StyledCommand)(incremental)
app.command(cls=StyledCommand)(formations)


@app.command(cls=StyledCommand)
def mapf(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the results and the report.")] = Path("mapf.run"),
    quick: Annotated[bool, typer.Option("--quick", help="Two small maps, two seconds for a run.")] = False,
    methods: Annotated[str, typer.Option(help="Solvers, with commas between. [default: all]")] = "",
    time: Annotated[str, typer.Option(help="The time for a run, such as 30s.")] = "30s",
    scenarios: Annotated[int, typer.Option(help="So many of the random scenarios of each map.", min=1)] = 3,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: run only what is missing.")] = False,
    data: Data = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """All solvers of multi-agent path finding over the number of agents, on the standard maps.

    Success, cost, makespan and time, curves of the anytime solvers, and our times beside those of native programs. A
    solver that solved no instance of a number of agents is not tried with more. It takes hours, quickly a minute or
    two; every finished run is kept.

    \b
    Example:
      anabasis study mapf --quick --out mapf.run
    """
    from anabasis.cli.files import output_folder
    from anabasis.cli.mapf_options import chosen_methods, seconds_of
    from anabasis.cli.progress import compiling, progress_bar, resumable
    from anabasis.errors import InputError
    from anabasis.lab.solver_report import HEAD, line_cells, lines_of
    from anabasis.lab.studies.solver_study import run_solver_study, solver_findings, write_solver_study

    output = Output(json, quiet)
    chosen = chosen_methods([methods]) if methods else []
    seconds = seconds_of(time)
    place = find_data(data)
    if place is None:
        raise InputError(
            "this study needs the Moving AI benchmarks", expected="their folder", hint="name it with --data"
        )
    if not resume:
        output_folder(out, option="--out")
    with resumable(out), compiling(output), progress_bar(output, "rounds") as move:
        runs = run_solver_study(
            out,
            place,
            quick=quick,
            methods=chosen,
            seconds=seconds,
            scenarios=scenarios,
            resume=resume,
            progress=move,
        )
        report = write_solver_study(runs, out)
    lines, found = lines_of(runs), solver_findings(runs)
    output.table(list(HEAD), [line_cells(line) for line in lines], text=1)
    say_findings(output, found)
    output.say(f"report:  {report.resolve()}", style="bold green")
    output.result(
        {
            "study": "mapf",
            "folder": out.resolve(),
            "report": report.resolve(),
            "quick": quick,
            "findings": findings_data(found),
            "lines": [dict(zip(HEAD, line_cells(line), strict=True)) for line in lines],
        }
    )


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
    say_findings(output, found, "thesis")
    output.say()
    output.say(comparison.headline, style="bold")
