"""The command `mapf lifelong`: agents that get a new place to go to whenever they arrive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.mapf_options import Animation, Pixels, grid_of
from anabasis.cli.options import Json, MapFile, Movement, Quiet, known
from anabasis.cli.output import Output, counted

if TYPE_CHECKING:
    from anabasis.grid import Grid
    from anabasis.instance import Instance
    from anabasis.mapf.errand_log import LifelongRun
    from anabasis.result import Result

__all__ = ["lifelong"]

_STRATEGIES = ("rolling", "inheritance", "token-passing")


def lifelong(
    map_file: MapFile,
    *,
    agents: Annotated[int, typer.Option(help="How many agents.", min=1)] = 100,
    steps: Annotated[int, typer.Option(help="How long they work.", min=1, max=10**6)] = 500,
    tasks: Annotated[
        int | None, typer.Option(help="How many tasks there are. [default: more than can be done]", min=1, max=10**6)
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="rolling (RHCR), inheritance (PIBT), or token-passing (pickup and delivery).")
    ] = "rolling",
    window: Annotated[
        int | None,
        typer.Option(
            help="rolling: how many steps ahead is planned. [default: 20]", min=1, max=10_000, show_default=False
        ),
    ] = None,
    period: Annotated[
        int | None, typer.Option(help="rolling: after how many steps anew. [default: 5]", min=1, show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same tasks.", min=0, max=2**63 - 1)] = 0,
    picture: Annotated[Path | None, typer.Option(help="Write the traffic as a picture, .png or .svg.")] = None,
    animation: Animation = None,
    pixels: Pixels = 480,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let agents work on a stream of tasks: who arrives gets the next place to go to.

    Starts and places are drawn from the largest connected part of the map. With token-passing a task is to fetch
    something and to bring it somewhere.

    Ends with code 4 if the agents got stuck, else with 1 if no task was done or what was walked is not valid. Ctrl-C
    ends it early and keeps what was walked.

    \b
    Example:
      anabasis mapf lifelong warehouse.map --agents 200 --steps 500
    """
    from anabasis.cli.errors import INTERRUPTED, LIMIT, NOT_FOUND, WrongCallError
    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.metrics.plans import plan_faults

    output = Output(json, quiet)
    known(strategy, _STRATEGIES, what="strategy", option="--strategy")
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(animation, ".gif", option="--animation")
    given = [name for name, value in (("--window", window), ("--period", period)) if value is not None]
    if given and strategy != "rolling":
        raise WrongCallError("options without effect", found=" ".join(given), hint="they are for --strategy rolling")
    window, period = 20 if window is None else window, 5 if period is None else period
    if strategy == "rolling" and period > window:
        raise WrongCallError("agents would walk beyond what is planned", found=f"--period {period}, --window {window}")
    grid = grid_of(map_file, movement)
    worker, note, interrupted = None, "", False
    try:
        with compiling(output), progress_bar(output, "steps") as move:
            worker, note = _worker(grid, agents, tasks or 0, steps, strategy, window, period, seed)
            for step in range(steps):
                move(step, steps)
                if worker.advance(1):
                    break
    except KeyboardInterrupt:
        if worker is None or len(worker.log.rows) < 2:
            raise
        interrupted = True
    result: Result[LifelongRun] = worker.result
    run, reason = result.value, result.reason
    assert run is not None  # noqa: S101
    if interrupted:
        reason = ": ".join(filter(None, (f"interrupted after {counted(run.steps, 'step')}", reason)))
    if note:
        output.note(note)
    plan = run.plan
    instance = _walked(grid, run)
    faults = [str(fault) for fault in plan_faults(instance, plan)]
    done = int(run.task.size)
    times = run.service_times
    mean = float(times.mean()) if times.size else 0.0
    stuck = worker.log.ended and not result
    output.say(
        f"{counted(agents, 'agent')}, {counted(run.steps, 'step')}: {counted(done, 'task')} done, "
        f"{run.throughput:.3g} a step" + (f"; {mean:.3g} steps after its release on average" if done else ""),
        style="bold red" if faults or stuck or not done else "bold green",
    )
    if reason:
        output.say(reason)
    for fault in faults[:5]:
        output.say(f"not valid: {fault}", style="red")
    made: dict[str, Path] = {}
    if picture is not None:
        from anabasis.view.agents import traffic_scene
        from anabasis.view.show import save_picture

        title = f"{agents} agents, {run.steps} steps"
        made["picture"] = save_picture(traffic_scene(instance, plan, title=title), picture).resolve()
    if animation is not None:
        from anabasis.view.agents import animate_plan

        animate_plan(instance, plan, animation, pixels=pixels, smoothness=2)
        made["animation"] = animation.resolve()
    for what, place in made.items():
        output.say(f"{what}: {place}")
    output.result(
        {
            "status": result.status.value,
            "reason": reason,
            "agents": agents,
            "steps": run.steps,
            "tasks_done": done,
            "throughput": run.throughput,
            "mean_service_time": mean,
            "faults": faults,
            **made,
        }
    )
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if stuck and not faults:
        raise typer.Exit(LIMIT)
    if faults or not done:
        raise typer.Exit(NOT_FOUND)


def _worker(
    grid: Grid, agents: int, tasks: int, steps: int, strategy: str, window: int, period: int, seed: int
) -> tuple[Any, str]:
    """Return agents at work, and a note on whether all tasks are sure to be done."""
    import numpy as np

    from anabasis.errors import InputError
    from anabasis.io.loaded_plan import MAX_PLACES
    from anabasis.mapf.errands import pickup_errands, warehouse_errands
    from anabasis.mapf.lifelong import Lifelong
    from anabasis.mapf.pickup_delivery import TokenPassing, well_formed
    from anabasis.maps.parts import largest_part

    largest = np.flatnonzero(largest_part(grid.free))
    if largest.size < 2:
        raise InputError("a map without room", found=f"{largest.size} free cells", expected="at least 2 side by side")
    if agents >= largest.size:
        raise InputError(
            "more agents than there is room for",
            where="--agents",
            found=f"{agents}",
            expected=f"at most {largest.size - 1}, one cell less than the largest connected part has",
        )
    if steps * agents > MAX_PLACES:
        raise InputError(
            "what is walked would be too large",
            where="--steps",
            found=f"{steps} steps of {agents} agents",
            expected=f"at most {MAX_PLACES // agents} steps",
        )
    if strategy == "token-passing":
        x, y = largest % grid.width, largest // grid.width
        homes, places = largest[(x % 3 == 0) & (y % 3 == 0)], largest[(x % 3 == 1) & (y % 3 == 1)]
        if places.size < 2:
            raise InputError("a map with too few places for tasks", found=f"{places.size}", expected="at least 2")
        if agents > homes.size:
            raise InputError("too many agents", where="--agents", found=f"{agents}", expected=f"at most {homes.size}")
        starts = homes[np.linspace(0, homes.size - 1, agents).astype(np.int64)]
        errands = pickup_errands(starts, places, tasks or agents * 4, seed=seed)
        doubt = well_formed(grid, errands)
        return TokenPassing(grid, errands), f"perhaps not all tasks can be done: {doubt}" if doubt else ""
    each = -(-tasks // agents) if tasks else 2 + 4 * steps // (grid.width + grid.height)
    errands = warehouse_errands(largest, agents, each, seed=seed)
    return Lifelong(grid, errands, strategy=strategy, window=window, period=period, seed=seed), ""


def _walked(grid: Grid, run: LifelongRun) -> Instance:
    """Return the instance whose plan was walked: everybody from its first place to its last."""
    from anabasis.instance import Instance

    return Instance.of(grid, run.vertices[0], run.vertices[-1])
