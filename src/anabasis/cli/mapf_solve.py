"""The command `mapf solve`: let solvers work on scenarios of multi-agent path finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.mapf_options import (
    PLAN_HELP,
    Animation,
    Following,
    NoWait,
    Picture,
    Pixels,
    Swaps,
    Vanish,
    check_rules_kept,
    chosen_methods,
    grid_of,
    instance_of,
    numbers_of_agents,
    rules_of,
    save_pictures,
    seconds_of,
    solver_options,
)
from anabasis.cli.options import Json, MapFile, Movement, Quiet, Replay
from anabasis.cli.output import Output, counted

if TYPE_CHECKING:
    from anabasis.instance import Instance
    from anabasis.lab.solving import Attempt
    from anabasis.lab.suite import Suite
    from anabasis.plan import Plan

__all__ = ["solve"]


def solve(
    map_file: MapFile,
    scen_files: Annotated[
        list[Path], typer.Argument(metavar="SCEN...", help="Scenarios, .scen: the first k lines are k agents.")
    ],
    *,
    agents: Annotated[
        str | None, typer.Option(help="How many: 50, or 10,20,40, or 50..400:50 (from, to, step). [default: all lines]")
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Solvers, with commas between, see `anabasis methods --family mapf`. [default: lacam]"),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            help="The time for each instance, such as 500ms; some solvers end by a limit of their own. [default: 30s]"
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Run every solver with so many seeds.", min=1, max=10_000)] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Results folder: tables, charts and a report of all runs.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Worker processes; more than one disturbs the times.", min=1)] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on: run only what is missing.")] = False,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Set an option of the solvers that have it, such as weight=1.1 or limit=500; eecbs.weight=1.1 is for "
            "one of several.",
        ),
    ] = None,
    following: Following = False,
    swaps: Swaps = False,
    vanish: Vanish = False,
    no_wait: NoWait = False,
    plan: Annotated[Path | None, typer.Option(help=f"Write the plan: {PLAN_HELP}.")] = None,
    picture: Picture = None,
    animation: Animation = None,
    pixels: Pixels = 480,
    replay: Replay = None,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let solvers work on scenarios of multi-agent path finding.

    With one scenario, one number of agents and one solver the plan can be written, drawn and animated; with more, or
    with --out, there is a table of all runs and, in the folder, a report with charts. Every plan is validated. An
    anytime solver goes on improving until its time is over.

    Ends with code 0 if every instance has a plan, 1 if one was proved to have none or a plan is not valid, 4 if a
    solver gave up or ran out of time without a plan. Ctrl-C stops a single anytime run and keeps its best plan.

    \b
    Example:
      anabasis mapf solve arena.map arena.scen --agents 50 --method lacam --animation arena.gif
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_file, output_file, replay_file
    from anabasis.io.plan_files import PLAN_SUFFIXES

    output = Output(json, quiet)
    chosen = chosen_methods(method or ["lacam"])
    seconds = seconds_of(time or "30s")
    numbers = [None] if agents is None else numbers_of_agents(agents)
    for path, suffixes, name in (
        (picture, (".png", ".svg"), "--picture"),
        (animation, (".gif",), "--animation"),
        (plan, PLAN_SUFFIXES, "--plan"),
    ):
        output_file(path, *suffixes, option=name)
    replay_file(replay)
    grid = grid_of(map_file, movement)
    files = [input_file(file) for file in scen_files]
    if resume and out is None:
        raise WrongCallError("nothing to go on with", where="--resume", expected="--out FOLDER")
    single = len(files) == len(numbers) == len(chosen) == seeds == 1 and out is None
    if not single and (picture or animation or plan or replay):
        raise WrongCallError(
            "--plan, --picture, --animation and --replay belong to one run",
            found=f"{counted(len(files), 'scenario')}, {counted(len(numbers), 'number')} of agents, "
            f"{counted(len(chosen), 'solver')}, {counted(seeds, 'seed')}",
            expected="one of each, and no --out",
        )
    rules = rules_of(following, swaps, vanish, no_wait)
    given = solver_options(chosen, options or ())
    if not single and any("seed" in one for one in given.values()):
        raise WrongCallError("the seeds of several runs are 0, 1, 2 ...", where="--set", expected="--seeds NUMBER")
    tasks = [(file, instance_of(grid, file, k, rules)) for file in files for k in numbers]
    for _, instance in tasks:
        check_rules_kept(instance, chosen)
    free = _unstopped(chosen)
    if free and time is not None:
        output.note(f"--time does not stop {', '.join(free)}: they end by themselves")
    if single:
        _solve_one(
            output,
            map_file,
            tasks[0][1],
            chosen[0],
            seconds,
            given[chosen[0]],
            plan,
            picture,
            animation,
            pixels,
            replay,
        )
    else:
        _solve_all(output, map_file, tasks, chosen, seconds, range(seeds), given, out, workers, resume)


def _solve_one(
    output: Output,
    map_file: Path,
    instance: Instance,
    name: str,
    seconds: float,
    options: dict[str, Any],
    plan: Path | None,
    picture: Path | None,
    animation: Path | None,
    pixels: int,
    replay: Path | None,
) -> None:
    """Solve one instance, say what was reached, and write what is wanted."""
    from anabasis.cli.errors import INTERRUPTED
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.errors import InputError
    from anabasis.lab.solver_trial import warm_up
    from anabasis.lab.solving import arrived, solve_within
    from anabasis.solve import write_plan

    attempt = None
    try:
        with compiling(output):
            warm_up((name,))
            with progress_bar(output, "tenths of a second") as move:

                def moved(now: float, _: object) -> None:
                    move(min(int(10 * now), int(10 * seconds)), max(1, int(10 * seconds)))

                attempt = solve_within(instance, name, seconds=seconds, options=options, progress=moved)
    except KeyboardInterrupt:  # is raised again once the kernels are done, though the solver has heard it
        if attempt is None or not attempt.interrupted:
            raise
    result, found = attempt.result, attempt.result.value
    made: dict[str, Path] = {}
    there = arrived(instance, result)
    if found is not None:
        if plan is not None:
            try:
                write_plan(plan, instance, found, map_file=map_file.name, solver=name)
                made["plan"] = plan.resolve()
            except InputError as error:  # what was reached is told all the same
                output.note(f"the plan is not written: {error}; .txt and .npz hold any plan")
        made |= save_pictures(instance, found, picture, animation, pixels)
        if replay is not None:
            made["replay"] = _save_replay(replay, instance, found, f"{map_file.stem}, {name}")
    _say(output, instance, name, attempt)
    for what, place in made.items():
        output.say(f"{what}: {place}")
    output.result(
        {
            "method": name,
            "agents": instance.size,
            "status": result.status.value,
            "reason": result.reason,
            "arrived": there,
            "valid": there and not attempt.faults,
            "faults": list(attempt.faults),
            "bound": result.bound,
            "seconds": attempt.seconds,
            "first_plan_seconds": attempt.first_seconds,
            "stats": dict(result.stats),
            **made,
        }
    )
    if attempt.interrupted:
        raise typer.Exit(INTERRUPTED)
    _end(["invalid" if attempt.faults else "solved" if there else result.status.value])


def _save_replay(path: Path, instance: Instance, plan: Plan, title: str) -> Path:
    """Write a plan as a page that plays it; return where it is."""
    from anabasis.studio.agents import run_of_agents
    from anabasis.studio.documents import draft_of_instance
    from anabasis.studio.replay import played, save_replay

    trace, head = run_of_agents(instance, plan)
    save_replay(path, played(draft_of_instance(instance, title)[0], trace, title=title, head=head), title)
    return path.resolve()


def _say(output: Output, instance: Instance, name: str, attempt: Attempt) -> None:
    result = attempt.result
    if "sum_of_costs" not in result.stats:
        output.say(f"{name}: {result.status.value}: {result.reason}", style="bold red")
        return
    cost, makespan = result.stats.get("sum_of_costs", 0.0), result.stats.get("makespan", 0.0)
    proved = f", proved to be at least {result.bound:g}" if result.bound else ""
    if result.bound and result.bound >= cost:
        proved = ", the least possible"
    style = "bold red" if attempt.faults else "bold green"
    output.say(
        f"{name}: {counted(instance.size, 'agent')}, sum of costs {cost:g}{proved}; makespan {makespan:g}; "
        f"{attempt.seconds:.3g} s",
        style=style,
    )
    if result.reason:
        output.say(result.reason)
    for fault in attempt.faults[:5]:
        output.say(f"not valid: {fault}", style="red")


def _solve_all(
    output: Output,
    map_file: Path,
    tasks: Sequence[tuple[Path, Instance]],
    methods: Sequence[str],
    seconds: float,
    seeds: Sequence[int],
    options: Mapping[str, Mapping[str, Any]],
    out: Path | None,
    workers: int,
    resume: bool,
) -> None:
    """Run all solvers on all instances into a folder, and show the table."""
    from tempfile import TemporaryDirectory

    from anabasis.cli.files import output_folder
    from anabasis.cli.progress import compiling, progress_bar, resumable
    from anabasis.lab.compare import Progress
    from anabasis.lab.solver_report import HEAD, line_cells, lines_of, write_solver_report
    from anabasis.lab.solver_suite import Task, run_solvers, solver_suite

    stems = {file.stem for file, _ in tasks}
    alike = len(stems) < len({file for file, _ in tasks})  # in different folders
    named = [Task(map_file.stem, str(file.with_suffix("")) if alike else file.stem, one) for file, one in tasks]
    suite = solver_suite(named, methods, list(seeds), seconds, options)
    with TemporaryDirectory() as scratch:
        folder = output_folder(out, option="--out") if out is not None else Path(scratch) / "runs"
        with resumable(out), compiling(output), progress_bar(output, "runs") as move:

            def moved(progress: Progress) -> None:
                move(progress.done, progress.total)

            runs = run_solvers(
                suite, folder, seconds=seconds, options=options, workers=workers, resume=resume, progress=moved
            )
        lines = lines_of(runs)
        output.table(list(HEAD), [line_cells(line) for line in lines], text=1)
        report = None
        if out is not None:
            title, told = f"Solvers on {map_file.stem}", _conditions(suite, seconds)
            report = write_solver_report(runs, folder, title=title, conditions=told)
    if report is not None:
        output.say(f"report:  {report.resolve()}", style="bold green")
        output.say(f"results: {folder.resolve()}")
    output.result(
        {
            "folder": None if out is None else folder.resolve(),
            "report": None if report is None else report.resolve(),
            "lines": [dict(zip(HEAD, line_cells(line), strict=True)) for line in lines],
            "failures": [
                {"scenario": r.scenario, "agents": r.agents, "method": r.method, "ending": r.ending, "reason": r.reason}
                for r in runs
                if not r.solved
            ],
        }
    )
    _end([run.ending if not run.solved else "solved" for run in runs])


def _conditions(suite: Suite, seconds: float) -> str:
    """Return how the runs of a suite are made, as a sentence."""
    _, *given = suite.overrides  # the first is the time
    told = f"Each run had {seconds:g} s and one of {counted(len(suite.seeds), 'seed')}"
    told += f", with {', '.join(given)}." if given else "."
    free = _unstopped(suite.methods)
    return told + (f" These are not stopped by the clock: {', '.join(free)}." if free else "")


def _unstopped(methods: Sequence[str]) -> list[str]:
    """Return the solvers that end by themselves, whatever time they are given."""
    from anabasis.methods import method

    return [name for name in methods if method("mapf", name).load_stepwise() is None]


def _end(endings: Sequence[str]) -> None:
    """End with the code that says how the runs went."""
    from anabasis.cli.errors import LIMIT, NOT_FOUND

    if any(ending in ("invalid", "crash", "no solution") for ending in endings):
        raise typer.Exit(NOT_FOUND)
    if any(ending in ("limit reached", "timeout", "memory") for ending in endings):
        raise typer.Exit(LIMIT)
