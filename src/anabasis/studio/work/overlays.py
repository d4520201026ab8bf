"""Overlays: pictures of what a draft's map is like, for units of its movement class and for its groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anabasis.decompose.regions import PARAMETERS, decompose
from anabasis.errors import InputError
from anabasis.instance import Rules
from anabasis.method_options import Option, Value, check_options
from anabasis.orders import FLOW_METHODS, plan_groups, plan_stages
from anabasis.scenario import Scenario
from anabasis.search.flow_field import plan_vector_field
from anabasis.studio.asked import asked_table, asked_word
from anabasis.studio.channel import Channel
from anabasis.studio.drafts import grid_of, instance_of, manoeuvre_of, numbers_of, scenario_of
from anabasis.studio.scenes import say_scene
from anabasis.view.agents import instance_scene
from anabasis.view.decomposition import STAGES, stage_scene
from anabasis.view.flows import flow_scene
from anabasis.view.formations import manoeuvre_scene
from anabasis.view.layers import Scene
from anabasis.view.plans import field_scene, plan_scene
from anabasis.view.runs import density_scene

__all__ = ["OVERLAYS", "Overlay", "run"]


@dataclass(frozen=True)
class Overlay:
    """One picture: title, what of the draft it needs besides the map ("" nothing), and its parameters."""

    name: str
    title: str
    needs: str = ""
    parameters: tuple[Option, ...] = ()


_FINENESS = Option("set", "int", 5, help="how finely the map is cut, 0 finest", low=0, high=len(PARAMETERS) - 1)
_GROUP = Option("group", "int", 0, help="the number of the group", low=0, high=2**20)
_FLOW = Option("method", "str", "flow-taut", tuple(FLOW_METHODS), help="how the group is split over routes")

OVERLAYS = (
    Overlay("costs", "prices of cells"),
    Overlay("clearance", "distance from walls", "", (_FINENESS,)),
    Overlay("flooding", "lakes of the flooding", "", (_FINENESS,)),
    Overlay("regions", "regions and gates", "", (_FINENESS,)),
    Overlay("gates", "gates with their widths", "", (_FINENESS,)),
    Overlay("field", "directions to a target", "groups", (_GROUP,)),
    Overlay("network", "flow network and flows", "groups", (_FLOW,)),
    Overlay("routes", "routes of all groups", "groups", (_FLOW,)),
    Overlay("shortest", "shortest ways of all units", "groups"),
    Overlay("agents", "agents and their goals", "agents"),
    Overlay("manoeuvre", "formations and their orders", "formations"),
)
"""The table of overlays."""

Chosen = Mapping[str, Value]


def run(args: Mapping[str, Any], out: Channel) -> None:
    """Make a picture: `draft`, `name`, `parameters`."""
    name, draft = asked_word(args, "name"), args.get("draft")
    row = next((row for row in OVERLAYS if row.name == name), None)
    if row is None:
        raise InputError(
            "unknown overlay", where="name", found=repr(name), expected=" or ".join(row.name for row in OVERLAYS)
        )
    given = check_options({o.name: o for o in row.parameters}, asked_table(args, "parameters"), "parameters")
    chosen: Chosen = {o.name: o.default for o in row.parameters} | given
    scene = (_stage if name in STAGES else _SCENES[name])(draft, name, chosen)
    say_scene(out, name, scene, grid=grid_of(draft))


def _costs(draft: object, name: str, chosen: Chosen) -> Scene:
    grid = grid_of(draft)
    prices = grid.cost.copy()
    prices[~grid.free] = 0.0
    return density_scene(grid, prices, label="price of a step", title="prices of cells")


def _stage(draft: object, name: str, chosen: Chosen) -> Scene:
    grid = grid_of(draft)
    return stage_scene(grid, decompose(grid, PARAMETERS[int(chosen["set"] or 0)]), name, title=name)  # pyright: ignore[reportArgumentType]


def _field(draft: object, name: str, chosen: Chosen) -> Scene:
    scenario, numbers, number = scenario_of(draft), numbers_of(draft), int(chosen["group"] or 0)
    if number not in numbers:
        expected = "one with units: " + ", ".join(map(str, numbers))
        raise InputError("no such group", where="parameters.group", found=f"{number}", expected=expected)
    group = scenario.groups[numbers.index(number)]
    grid = scenario.grid.with_movement(group.movement)
    result = plan_vector_field(grid, group)
    if result.value is None or result.value.field is None:
        raise InputError("no field", found=result.reason)
    return field_scene(grid, result.value.field, title="directions to the target")


def _flow(draft: object, name: str, chosen: Chosen) -> Scene:
    scenario = scenario_of(draft)
    return flow_scene(scenario, plan_stages(scenario, str(chosen["method"]), seed=scenario.seed), name, title=name)


def _shortest(draft: object, name: str, chosen: Chosen) -> Scene:
    scenario: Scenario = scenario_of(draft)
    plans = [plan.value for plan in plan_groups(scenario, "astar", seed=scenario.seed)]
    there = [plan for plan in plans if plan is not None]
    if len(there) < len(plans):
        raise InputError("a group has no way to its target", where=f"groups[{plans.index(None)}]")
    return plan_scene(scenario.grid, scenario, there, title="shortest ways", ends=False)


def _agents(draft: object, name: str, chosen: Chosen) -> Scene:
    return instance_scene(instance_of(draft, Rules()))


def _manoeuvre(draft: object, name: str, chosen: Chosen) -> Scene:
    return manoeuvre_scene(manoeuvre_of(draft), title="formations")


_SCENES: dict[str, Callable[[object, str, Chosen], Scene]] = {
    "costs": _costs,
    "field": _field,
    "network": _flow,
    "routes": _flow,
    "shortest": _shortest,
    "agents": _agents,
    "manoeuvre": _manoeuvre,
}
