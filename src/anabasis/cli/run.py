"""The command `run`: run a scenario with one method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, MaxUnits, Overrides, Quiet, Replay, known_method
from anabasis.cli.output import Output, proved_text
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.lab.trial import Value
    from anabasis.metrics.crowds import Line
    from anabasis.plan import GroupPlan
    from anabasis.result import Result
    from anabasis.scenario import Scenario
    from anabasis.trace import Trace

app = new_app()

_SHOWN = ("mean", "median", "minimum", "maximum")


@app.command(cls=StyledCommand)
def run(
    scenario_file: Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file, .toml.")],
    *,
    method: Annotated[str, typer.Option(help="A group method, see `anabasis methods`.")] = "vector-field",
    seed: Annotated[int | None, typer.Option(help="Seed of the run. [default: the scenario's]", min=0)] = None,
    overrides: Overrides = None,
    max_units: MaxUnits = 1_000_000,
    line: Annotated[
        str | None, typer.Option(metavar="X0,Y0,X1,Y1", help="Count the units that cross this line or gate.")
    ] = None,
    record_every: Annotated[int, typer.Option(help="Record a frame every so many steps.", min=1)] = 1,
    out: Annotated[Path | None, typer.Option(help="Write what happened, as an archive, .npz.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture of the ways walked, .png or .svg.")] = None,
    replay: Replay = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a scenario with one method.

    Ends with code 1 if a unit did not arrive or the run is invalid, 4 if the run was ended by its limits.

    \b
    Example:
      anabasis run gap.toml --method astar --set groups.0.speed=0.2 --picture ways.png
    """
    from anabasis.cli.files import input_scenario, output_file, replay_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.cli.widths import too_wide
    from anabasis.io.archive import save
    from anabasis.io.scenario import load_scenario
    from anabasis.lab.bounds import proved_bound
    from anabasis.lab.trial import forecast
    from anabasis.metrics.traces import trace_faults
    from anabasis.orders import execute, plan_groups

    output = Output(json, quiet)
    output_file(out, ".npz", option="--out")
    output_file(picture, ".png", ".svg", option="--picture")
    replay_file(replay)
    known_method("group", method, "--method")
    gate = _line(line)
    scenario = load_scenario(input_scenario(scenario_file), list(overrides or []), max_units=max_units)
    number = scenario.seed if seed is None else seed
    with compiling(output), progress_bar(output, "units done") as move:
        plans = plan_groups(scenario, method, seed=number)
        trace = execute(scenario, method, plans, seed=number, record_every=record_every, progress=move)
        faults = [str(fault) for fault in trace_faults(scenario, trace)]
        limits = {**forecast(plans), "bound_steps": proved_bound(scenario)}
    if out is not None:
        save(trace, out)
    if picture is not None:
        from anabasis.view.scene import trajectory_scene
        from anabasis.view.show import save_picture

        save_picture(trajectory_scene(scenario.grid, scenario, trace), picture)
    if replay is not None:
        from anabasis.studio.documents import draft_of_scenario
        from anabasis.studio.replay import played, save_replay

        title = f"{scenario.name or 'scenario'}, {method}"
        save_replay(replay, played(draft_of_scenario(scenario)[0], trace, scenario, title=title), title)
    wide = too_wide(scenario, trace)
    _say(output, scenario, method, trace, faults, limits, plans, wide)
    crossed = None if gate is None else _crossed(output, trace, gate)
    for name, place in (("recording", out), ("picture", picture), ("replay", replay)):
        if place is not None:
            output.say(f"{name}: {place.resolve()}")
    output.result(
        {
            "scenario": scenario.name,
            "method": method,
            "seed": number,
            **_numbers(trace),
            **limits,
            "line": crossed,
            "plans": [{"status": plan.status.name.lower(), "reason": plan.reason} for plan in plans],
            "too_wide": wide,
            "faults": faults,
            "out": None if out is None else out.resolve(),
            "picture": None if picture is None else picture.resolve(),
            "replay": None if replay is None else replay.resolve(),
        }
    )
    _finish([plan.status.name for plan in plans], trace, faults)


def _line(text: str | None) -> Line | None:
    """Return the line that `x0,y0,x1,y1` names."""
    from anabasis.errors import InputError

    if text is None:
        return None
    try:
        x0, y0, x1, y1 = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError("--line", found=repr(text), expected="two points as x0,y0,x1,y1, such as 14,2,14,4") from None
    return (x0, y0), (x1, y1)


def _crossed(output: Output, trace: Trace, line: Line) -> dict[str, Any]:
    """Tell how many units crossed a line, and return it frame by frame."""
    from anabasis.metrics.crowds import crossings, flow_rate

    counts, rate = crossings(trace, line=line), flow_rate(trace, line=line)
    (x0, y0), (x1, y1) = line
    to, back = counts.sum(axis=0).tolist()
    output.say(
        f"line {x0:g},{y0:g} to {x1:g},{y1:g}: {to} crossed from its left to its right, {back} back;"
        f" at most {abs(rate).max():.2f} units a step over 100 steps"
    )
    return {"points": line, "times": trace.times, "crossed": counts[:, 0], "back": counts[:, 1], "rate": rate}


def _numbers(trace: Trace) -> dict[str, Any]:
    """Return the results of a run."""
    from anabasis.metrics.crowds import counter_statistics, detour, unfinished

    return {
        "steps": trace.steps,
        "ending": trace.ending.name.lower(),
        "units": trace.size,
        "finished": trace.finished,
        "unfinished": {unit: cause.name.lower() for unit, cause in unfinished(trace).items()},
        "hash": trace.hash,
        "arrival": trace.arrival,
        "detour": detour(trace),
        "counters": counter_statistics(trace),
    }


def _say(
    output: Output,
    scenario: Scenario,
    method: str,
    trace: Trace,
    faults: list[str],
    limits: Mapping[str, Value],
    plans: Sequence[Result[GroupPlan]],
    wide: list[dict[str, Any]],
) -> None:
    """Tell a person what happened."""
    if not output.chatty:
        return
    from collections import Counter

    from anabasis.cli.widths import too_wide_text
    from anabasis.metrics.crowds import counter_statistics, first_middle_last, unfinished

    output.say(
        f"{scenario.name or 'scenario'}, {method}, seed {trace.seed}: {trace.finished} of {trace.size} units arrived;"
        f" the run ended after {trace.steps} steps ({trace.ending.name.lower().replace('_', ' ')})",
        style="bold",
    )
    arrivals = first_middle_last(trace)
    if arrivals is not None:
        output.say("arrivals: first {}, middle {}, last {}".format(*arrivals))
    _say_limits(output, trace, limits)
    causes = Counter(cause.name.lower().replace("_", " ") for cause in unfinished(trace).values())
    for cause, count in causes.items():
        output.say(f"not arrived: {count} ({cause})", style="yellow")
    for number, plan in enumerate(plans):
        if plan.value is None:
            output.say(
                f"no plan for {scenario.groups[number].name or f'group {number}'}: {plan.reason}", style="yellow"
            )
    for group in wide:
        output.say(too_wide_text(group), style="yellow")
    rows = (
        []
        if arrivals is None
        else [
            [name.replace("_", " "), *(f"{numbers[statistic]:,.1f}" for statistic in _SHOWN)]
            for name, numbers in counter_statistics(trace).items()
        ]
    )
    if rows:
        output.table(["counter, of the units that arrived", *_SHOWN], rows)
    output.say(f"hash of the run: {trace.hash}")
    for fault in faults:
        output.say(f"invalid: {fault}", style="bold red")


def _say_limits(output: Output, trace: Trace, limits: Mapping[str, Value]) -> None:
    """Tell what the plan predicted, and how far the run is from the best possible."""
    last = int(trace.arrival.max()) if trace.finished == trace.size else None
    predicted, flow, bound = (limits[f"{name}_steps"] for name in ("predicted", "network_bound", "bound"))
    if predicted is not None:
        quickest = "" if flow is None else f"; quickest flow in its network: step {flow:,.0f}"
        output.say(f"predicted arrival of the last unit: step {predicted:,.0f}{quickest}")
    if bound is not None:
        output.say(proved_text(float(bound), last, "this run"))


def _finish(statuses: list[str], trace: Trace, faults: list[str]) -> None:
    """End with the code that says how it went."""
    from anabasis.cli.errors import LIMIT, NOT_FOUND

    if faults or "NO_SOLUTION" in statuses:
        raise typer.Exit(NOT_FOUND)
    if "LIMIT" in statuses or trace.timer_cutoff:
        raise typer.Exit(LIMIT)
    if trace.finished < trace.size:
        raise typer.Exit(NOT_FOUND)
