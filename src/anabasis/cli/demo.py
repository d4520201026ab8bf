"""The command `demo`: send a group through a chokepoint with six methods, and compare them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.lab.suite import Suite
    from anabasis.scenario import Scenario

app = new_app()

SCENARIO = "chokepoint"
UNITS = 500  # enough to make one way too few
METHODS = ("astar", "vector-field", "flow-centres", "flow-gates", "flow-taut", "flow-replan")
SPLITS = "flow-taut"  # whose plan is the first picture


@app.command(cls=StyledCommand)
def demo(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the report, the pictures and the results.")] = Path("demo"),
    seeds: Annotated[int, typer.Option(help="Run every method with so many seeds.", min=1)] = 5,
    units: Annotated[int, typer.Option(help="Size of the group.", min=1)] = UNITS,
    workers: Annotated[int, typer.Option(help="Worker processes.", min=1)] = 2,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Send a group through a chokepoint with six methods, and compare them.

    The shortest way leads through the chokepoint; there are longer ways round it. Writes a report, pictures and the
    scenario, to be changed and run. Exit codes are those of `anabasis compare`.

    \b
    Example:
      anabasis demo --units 100 --out small
    """
    from anabasis.cli.compare import finish, run_suite
    from anabasis.cli.files import example, output_folder
    from anabasis.cli.tables import comparison_data, show_comparison
    from anabasis.io.atomic import write_atomic
    from anabasis.io.scenario import load_scenario
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.report import write_report
    from anabasis.lab.suite import load_suite

    output = Output(json, quiet)
    need_matplotlib()
    output_folder(out, option="--out").mkdir(parents=True, exist_ok=True)
    file = out / f"{SCENARIO}.scenario.toml"
    write_atomic(file, _resized(example(SCENARIO).read_text(encoding="utf-8"), units).encode())
    suite = load_suite([file], METHODS, seeds)
    scenario = load_scenario(file)
    output.say(
        f"{units} units, {len(METHODS)} methods, {counted(seeds, 'seed')} each, {counted(workers, 'worker process')}"
    )
    pictures = [_first_picture(output, scenario, out)]
    folder = out / f"{SCENARIO}.run"
    if (folder / "manifest.json").exists():
        shutil.rmtree(folder)  # the results of an earlier demo
    comparison = run_suite(output, suite, folder, workers=workers)
    report = out / "report.html"
    write_report(folder, report)
    pictures += _pictures(scenario, suite, folder, out)
    show_comparison(output, comparison)
    _say_what_next(output, file, report, pictures, folder)
    output.result(
        {
            "scenario": file.resolve(),
            "report": report.resolve(),
            "pictures": [picture.resolve() for picture in pictures],
            "folder": folder.resolve(),
            **comparison_data(comparison),
        }
    )
    finish(comparison)


def _resized(text: str, units: int) -> str:
    """Return the scenario's file for a group of so many units; a larger one stands on more ground."""
    return text.replace("radius = 11, count = 300", f"radius = {max(11.0, 0.6 * units**0.5):.1f}, count = {units}")


def _first_picture(output: Output, scenario: Scenario, out: Path) -> Path:
    """Draw the group before it sets out, split over routes: each unit has the colour of its route."""
    from anabasis.cli.progress import compiling
    from anabasis.orders import plan_groups
    from anabasis.view.scene import plan_scene
    from anabasis.view.show import save_picture

    picture = out / "plan.png"
    with compiling(output):
        plans = [plan.value for plan in plan_groups(scenario, SPLITS, seed=scenario.seed) if plan.value is not None]
        title = f"{SPLITS}: the group is split over routes"
        save_picture(plan_scene(scenario.grid, scenario, plans, title=title), picture)
    output.say(f"first picture, the group split over routes: {picture.resolve()}")
    return picture


def _pictures(scenario: Scenario, suite: Suite, folder: Path, out: Path) -> list[Path]:
    """Draw the first seed's run of each method: the crowd at one step, and the ways walked.

    The step is the same for all: the middle of the run that was over first.
    """
    from anabasis.io.archive import load
    from anabasis.trace import Trace, UnitState
    from anabasis.view.scene import frame_scene, trajectory_scene
    from anabasis.view.show import save_picture

    traces: dict[str, Trace] = {}
    for run in suite.runs:
        archive = folder / "traces" / f"{run.stem}.npz"
        if run.seed != suite.seeds[0] or not archive.exists():
            continue
        trace = load(archive)
        if isinstance(trace, Trace):
            traces[run.method] = trace
    step = min((trace.steps for trace in traces.values()), default=0) // 2
    pictures: list[Path] = []
    for method, trace in traces.items():
        frame = int(abs(trace.times - step).argmin())
        arrived = int((trace.state[frame] == UnitState.ARRIVED).sum())
        title = f"{method}, step {trace.times[frame]}: {arrived} of {trace.size} units arrived"
        scenes = {
            "crowd": frame_scene(scenario.grid, scenario, trace, frame, title=title),
            "ways": trajectory_scene(scenario.grid, scenario, trace, title=f"{method}: ways walked"),
        }
        for name, scene in scenes.items():
            pictures.append(out / f"{method}-{name}.png")
            save_picture(scene, pictures[-1])
    return pictures


def _say_what_next(output: Output, scenario: Path, report: Path, pictures: list[Path], folder: Path) -> None:
    output.say()
    output.say(f"report:   {report.resolve()}", style="bold green")
    output.say(f"pictures: {len(pictures)} in {report.parent.resolve()}")
    output.say(f"results:  {folder.resolve()}")
    output.say()
    output.say("Try next:")
    output.say(f"  change {scenario}, the scenario of this demo, as you like; then")
    output.say(f"  anabasis flow {scenario} --picture plan.png  how the group is split, and why")
    output.say(f"  anabasis run {scenario} --method {SPLITS} --picture ways.png  one run")
    output.say(f"  anabasis compare {scenario} --seeds 10  all methods on it")
    output.say("  anabasis methods   what methods there are")
