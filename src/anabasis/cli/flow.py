"""The command `flow`: plan how a group splits over routes, and show the stages of the plan; nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, MaxUnits, Overrides, Quiet, cut_parameters, known
from anabasis.cli.output import Output, counted, proved_text
from anabasis.cli.style import StyledCommand, new_app

if TYPE_CHECKING:
    from anabasis.flow.navigate import FlowPlan
    from anabasis.result import Result
    from anabasis.scenario import Scenario

app = new_app()

_METHODS = "flow-taut, flow-gates, flow-centres"


@app.command(cls=StyledCommand)
def flow(
    scenario_file: Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file, .toml.")],
    *,
    method: Annotated[str, typer.Option(help=f"{_METHODS}.")] = "flow-taut",
    parameters: Annotated[
        str | None,
        typer.Option(
            metavar="auto|N|A,B,C",
            help="How finely the map is cut, see `anabasis regions`; auto: so that the last unit should arrive first. "
            "[default: as the method does]",
        ),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option(
            help="Who takes which route: by-turns, shared-gates, nearest, farthest, in-order, random; least-total or "
            "least-longest way. [default: as the method does]"
        ),
    ] = None,
    most: Annotated[int | None, typer.Option(help="Use so many routes at most.", min=1)] = None,
    detour: Annotated[
        float | None, typer.Option(help="Use no route that is longer than the shortest by so many percent.", min=0)
    ] = None,
    stage: Annotated[str, typer.Option(help="What the picture shows: regions, network or routes.")] = "routes",
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    overrides: Overrides = None,
    max_units: MaxUnits = 1_000_000,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Plan how a group splits over routes, stage by stage.

    Says when the last unit should arrive and how far that is from the best possible. Nothing is run. Ends with code 1
    if a group has no way to its target.

    \b
    Example:
      anabasis flow gap.toml --most 2 --stage network --picture network.png
    """
    from anabasis.cli.files import input_scenario, output_file
    from anabasis.cli.progress import compiling
    from anabasis.flow.assignment import STRATEGIES
    from anabasis.io.scenario import load_scenario
    from anabasis.lab.bounds import proved_bound
    from anabasis.orders import FLOW_METHODS, plan_stages
    from anabasis.view.flows import STAGES, flow_scene

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    known(method, FLOW_METHODS, what="flow method", option="--method", hint=_other_method(method))
    known(stage, STAGES, what="stage of a picture", option="--stage")
    if assignment is not None:
        known(assignment, STRATEGIES, what="strategy of assignment", option="--assignment")
    options: dict[str, Any] = {"assignment": assignment, "most": most}
    if parameters is not None:
        options["parameters"] = parameters if parameters == "auto" else cut_parameters(parameters, besides="auto, ")
    if detour is not None:
        options["detour"] = detour / 100
    scenario = load_scenario(input_scenario(scenario_file), list(overrides or []), max_units=max_units)
    with compiling(output):
        results = plan_stages(scenario, method, seed=scenario.seed, **options)
        bound = proved_bound(scenario)
    data = [_measures(scenario, number, result) for number, result in enumerate(results)]
    _show(output, scenario, method, data, bound)
    if picture is not None:
        from anabasis.view.show import save_picture

        save_picture(flow_scene(scenario, results, stage), picture)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {
            "scenario": scenario.name,
            "method": method,
            "proved_bound": bound,
            "groups": data,
            "picture": None if picture is None else picture.resolve(),
        }
    )
    if any(result.value is None for result in results):
        from anabasis.cli.errors import NOT_FOUND

        raise typer.Exit(NOT_FOUND)


def _other_method(method: str) -> str | None:
    """Return a hint for a method that there is, but whose stages can't be shown."""
    from anabasis.methods import names

    if method == "flow-replan":
        return "flow-replan begins with the plan of flow-taut"
    return f"{method} splits no group over routes; anabasis run takes it" if method in names("group") else None


def _measures(scenario: Scenario, number: int, result: Result[FlowPlan]) -> dict[str, Any]:
    """Return what a group's plan has, in numbers."""
    group, plan = scenario.groups[number], result.value
    data: dict[str, Any] = {
        "group": group.name or f"group {number}",
        "units": group.size,
        "width": 2.0 * group.radius,
        "status": result.status.name.lower(),
        "reason": result.reason,
    }
    if plan is None:
        return data
    decomposition = plan.passages.decomposition
    return {
        **data,
        "parameters": decomposition.parameters,
        "regions": decomposition.regions,
        "gates": decomposition.gates,
        "predicted": result.stats.get("predicted"),
        "network_bound": plan.bound or None,
        "without_way": result.stats["without_way"],
        "alone": result.stats["fallback"],
        "routes": _routes(scenario, plan),
    }


def _routes(scenario: Scenario, plan: FlowPlan) -> list[dict[str, Any]]:
    """Return the routes that units take, in the order of the plan's numbers."""
    from anabasis.network import PERIOD

    grid, choice = scenario.grid, plan.choice
    width, middles = plan.passages.decomposition.width, plan.passages.centre
    return [
        {
            "route": number,
            "gates": [grid.cell(int(middles[gate])) for gate in leg.gates],
            "narrowest": min((float(width[gate]) for gate in leg.gates), default=None),
            "steps": leg.time,
            "rate": 100 * leg.rate / PERIOD if leg.gates else None,
            "units": int(count),
        }
        for number, (leg, count) in enumerate(zip(choice.legs, choice.counts, strict=True))
        if count
    ]


def _show(output: Output, scenario: Scenario, method: str, groups: list[dict[str, Any]], bound: int | None) -> None:
    """Print the plans for people."""
    from anabasis.lab.bounds import gap_text

    for data in groups:
        title = f"{data['group']}: {data['units']:,} units, {method}"
        if data["status"] != "solved":
            output.say(f"{title}: {data['status'].replace('_', ' ')}: {data['reason']}", style="yellow")
            continue
        output.say(
            f"{title}, a map of {counted(data['regions'], 'region')} and {counted(data['gates'], 'gate')}",
            style="bold",
        )
        if data["routes"]:
            header = ("route", "gates", "narrowest", "steps", "units in 100 steps", "units")
            output.table(header, [_row(route) for route in data["routes"]], text=2)
        if data["without_way"]:
            output.say(f"no way to the target: {counted(data['without_way'], 'unit')}", style="yellow")
        if data["alone"]:
            output.say(
                f"no gate is wide enough for units {data['width']:.3g} cells wide; "
                f"shortest ways of their own: {counted(data['alone'], 'unit')}",
                style="yellow",
            )
        if data["predicted"]:
            output.say(f"predicted arrival of the last unit: step {data['predicted']:,}")
        if data["predicted"] and data["network_bound"]:
            gap = gap_text(data["predicted"], data["network_bound"])
            output.say(
                f"quickest flow in the network: step {data['network_bound']:,}; the prediction is {gap} above it"
            )
    predicted = [data["predicted"] for data in groups if data.get("predicted")]
    if bound is not None:
        last = max(predicted) if len(predicted) == len(groups) else None
        output.say(proved_text(bound, last, "the prediction"))


def _row(route: dict[str, Any]) -> list[object]:
    gates = " ".join(f"{x},{y}" for x, y in route["gates"])
    narrowest, rate = route["narrowest"], route["rate"]
    return [
        route["route"],
        gates or "none",
        "no gate" if narrowest is None else f"{narrowest:.3g}",
        f"{route['steps']:,}",
        "no gate" if rate is None else f"{rate:.1f}",
        f"{route['units']:,}",
    ]
