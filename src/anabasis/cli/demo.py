"""The command `demo`: send a group through a chokepoint with every method, and compare them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.lab.suite import Suite
    from anabasis.scenario import Scenario

app = new_app()

SCENARIO = "chokepoint"


@app.command(cls=StyledCommand)
def demo(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the report, the pictures and the results.")] = Path("demo"),
    seeds: Annotated[int, typer.Option(help="Run every method with so many seeds.", min=1)] = 5,
    units: Annotated[int, typer.Option(help="Size of the group.", min=1)] = 300,
    workers: Annotated[int, typer.Option(help="Worker processes.", min=1)] = 2,
    write_scenario: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Only write the demo's scenario, to be changed and run.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Send a group through a chokepoint with every method, and compare them."""
    output = Output(json, quiet)
    if write_scenario is not None:
        _write_scenario(output, write_scenario)
        return
    from anabasis.cli.compare import finish, run_suite
    from anabasis.cli.files import example, output_folder
    from anabasis.cli.tables import comparison_data, show_comparison
    from anabasis.io.scenario import load_scenario
    from anabasis.lab.charts import need_matplotlib
    from anabasis.lab.report import write_report
    from anabasis.lab.suite import Suite
    from anabasis.methods import names

    need_matplotlib()
    folder = output_folder(out) / f"{SCENARIO}.run"
    methods = names("group")
    scenario = load_scenario(example(SCENARIO), _overrides(units))
    output.say(f"{units} units, {len(methods)} methods, {seeds} seeds each, {workers} worker processes")
    pictures = [_first_picture(output, scenario, methods[0], out)]
    if (folder / "manifest.json").exists():
        shutil.rmtree(folder)  # the results of an earlier demo
    suite = Suite.of([scenario], methods, seeds, sources=[f"{SCENARIO}.scenario.toml of the package"])
    comparison = run_suite(output, suite, folder, workers=workers)
    report = out / "report.html"
    write_report(folder, report)
    pictures += _pictures(scenario, suite, folder, out)
    show_comparison(output, comparison)
    _say_what_next(output, report, pictures, folder)
    output.result(
        {
            "report": report.resolve(),
            "pictures": [picture.resolve() for picture in pictures],
            "folder": folder.resolve(),
            **comparison_data(comparison),
        }
    )
    finish(comparison)


def _overrides(units: int) -> list[str]:
    """Return what makes the scenario one of so many units; a larger group stands on more ground."""
    radius = max(11.0, 0.6 * units**0.5)
    return [f"groups.0.disc.count={units}", f"groups.0.disc.radius={radius:.1f}"]


def _write_scenario(output: Output, file: Path) -> None:
    from anabasis.cli.files import example, output_file
    from anabasis.io.atomic import write_atomic

    output_file(file, ".toml")
    write_atomic(file, example(SCENARIO).read_bytes())
    output.say(f"scenario: {file.resolve()}")
    output.say(f"run it: anabasis run {file}")
    output.result({"scenario": file.resolve()})


def _first_picture(output: Output, scenario: Scenario, method: str, out: Path) -> Path:
    """Draw the map with the group before it sets out, and the way that a method plans for it."""
    from anabasis.cli.progress import compiling
    from anabasis.orders import plan_groups
    from anabasis.view.scene import plan_scene
    from anabasis.view.show import save_picture

    picture = out / "start.png"
    with compiling(output):
        plans = [plan.value for plan in plan_groups(scenario, method, seed=scenario.seed) if plan.value is not None]
        save_picture(plan_scene(scenario.grid, scenario, plans[0]), picture)
    output.say(f"first picture: {picture.resolve()}")
    return picture


def _pictures(scenario: Scenario, suite: Suite, folder: Path, out: Path) -> list[Path]:
    """Draw the first seed's run of each method: the crowd in the middle of it, and the ways walked."""
    from anabasis.io.archive import load
    from anabasis.trace import Trace
    from anabasis.view.scene import frame_scene, trajectory_scene
    from anabasis.view.show import save_picture

    pictures: list[Path] = []
    for run in suite.runs:
        archive = folder / "traces" / f"{run.stem}.npz"
        if run.seed != suite.seeds[0] or not archive.exists():
            continue
        trace = load(archive)
        if not isinstance(trace, Trace):
            continue
        scenes = {
            "crowd": frame_scene(scenario.grid, scenario, trace, trace.times.size // 3),
            "ways": trajectory_scene(scenario.grid, scenario, trace, title=f"{run.method}: ways walked"),
        }
        for name, scene in scenes.items():
            pictures.append(out / f"{run.method}-{name}.png")
            save_picture(scene, pictures[-1])
    return pictures


def _say_what_next(output: Output, report: Path, pictures: list[Path], folder: Path) -> None:
    output.say()
    output.say(f"report:   {report.resolve()}", style="bold green")
    output.say(f"pictures: {len(pictures)} in {report.parent.resolve()}")
    output.say(f"results:  {folder.resolve()}")
    output.say()
    output.say("Try next:")
    output.say("  anabasis demo --write-scenario my.scenario.toml     the scenario of this demo, to change")
    output.say("  anabasis run my.scenario.toml --picture ways.png    one run")
    output.say("  anabasis compare my.scenario.toml --seeds 10        all methods again, on your scenario")
    output.say("  anabasis methods                                    what methods there are")
