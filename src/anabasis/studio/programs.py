"""A request as a program in Python, which prints what came out. Options that are as usual are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anabasis.errors import InputError
from anabasis.instance import CLASSIC
from anabasis.studio.requests import rules_of
from anabasis.studio.words import LAND, Request, request_of

__all__ = ["as_python"]

_GROW = "from anabasis.decompose.obstacles import grow\n"


def as_python(do: str, args: Mapping[str, Any]) -> str:
    """Return a request of a family as a program, which prints what came out; raises InputError as its job does."""
    request = request_of(do, args)
    return _PROGRAMS[do](request)


def _group(request: Request) -> str:
    return f"""import anabasis
from anabasis.orders import execute, plan_groups

scenario = anabasis.load({request.file!r})
plans = plan_groups(scenario, {request.method!r}, seed={request.seed})
trace = execute(scenario, {request.method!r}, plans, seed={request.seed})
print(f"{{trace.finished}} of {{trace.size}} units arrived in {{trace.steps}} steps, hash {{trace.hash}}")
"""


def _search(request: Request) -> str:
    ends = request.ends
    given = {"method": request.method, **request.own, **request.unusual("shorten")}
    first, graph, more = "import anabasis\n", "", ""
    if request.beside["space"]:
        first += "from anabasis.find import discretised\n"
        graph = f"graph = discretised({request.beside['space']!r}, grid{_named(request.beside['space_options'])})\n"
        more = f", graph=graph, ends={request.beside['ends']!r}"
    return f"""{first}
grid = {_map(request)}
{graph}answer = anabasis.find_path(grid, {ends.start}, {ends.goal}{_named(given)}{more})
print(f"cost {{answer.cost}}" if answer else answer.reason)
"""


def _space(request: Request) -> str:
    radius = request.beside["radius"]
    grow = f"world = grow(world, {radius})\n" if radius else ""
    return f"""import anabasis
from anabasis.decompose.cells import ground
{_GROW * bool(radius)}from anabasis.lab.discretisations import measure
from anabasis.methods import method

world = ground({_map(request)})
{grow}found = measure(method("space", {request.method!r}), world{_named(request.own)})
print(f"{{found.states}} states, {{found.arcs}} arcs, {{found.bytes}} bytes")
"""


def _drive(request: Request) -> str:
    start, goal = request.poses
    radius, beside = request.beside["radius"], request.beside
    car = request.unusual("speed", "acceleration", "backward")
    grow = f"world = grow(world, {radius})\n" if radius else ""
    return f"""from math import radians

import anabasis
from anabasis.decompose.cells import ground
{_GROW * bool(radius)}from anabasis.methods import method
from anabasis.trajectory import Kinematics

world = ground({_map(request)})
{grow}car = Kinematics.car({beside["axle"]}, radians({beside["steering"]}){_named(car)})
find = method("drive", {request.method!r}).load()
result = find(world, {_pose(start)}, {_pose(goal)}, car{_named(request.own)})
print(f"duration {{result.value.duration}}" if result.value is not None else result.reason)
"""


def _mapf(request: Request) -> str:
    given = {name: value for name, value in rules_of(request.beside).items() if getattr(CLASSIC, name) != value}
    rule = f", rules=Rules({_named(given)[2:]})" if given else ""
    usual = request.movement == LAND
    ground = f"{request.map_file!r}" if usual else f"anabasis.load({request.map_file!r}, movement={request.movement!r})"
    first = ["import anabasis\n"] * (not usual) + ["from anabasis.instance import Rules\n"] * bool(given)
    own = f", options={request.own!r}" if request.own else ""
    return f"""{"".join(first)}from anabasis.io.mapf_scen import load_instance
from anabasis.lab.solving import solve_within

instance = load_instance({ground}, {request.file!r}{rule})
attempt = solve_within(instance, {request.method!r}, seconds={request.beside["seconds"]}{own})
print(attempt.result.status.value, attempt.result.reason, dict(attempt.result.stats))
"""


def _formation(request: Request) -> str:
    how = "simulate_manoeuvre" if request.method == "simulate" else "march"
    source = "anabasis.manoeuvring" if request.method == "simulate" else "anabasis.formation.march"
    walk = f"{how}({{}}, tick={request.beside['tick']}, every={request.every}).value"
    if request.beside["divide"]:
        first = "from anabasis.divide import divided\n"
        found = f"division = divided(manoeuvre)\nfound = division.reunited({walk.format('division.parts')})"
    else:
        first, found = "", f"found = {walk.format('manoeuvre')}"
    return f"""{first}from anabasis.formation.files import load_manoeuvre
from {source} import {how}

manoeuvre = load_manoeuvre({request.file!r}, ["limit={request.beside["limit"]}"])
{found}
print(f"{{found.seconds[-1]}} seconds, hash {{found.trace.hash}}")
"""


def _map(request: Request) -> str:
    movement = "" if request.movement == LAND else f", movement={request.movement!r}"
    return f"anabasis.load({request.file!r}{movement})"


def _named(options: Mapping[str, Any]) -> str:
    """Return options as the rest of a call."""
    for name in options:
        if not name.isidentifier():
            raise InputError("an option that can't be written", found=repr(name))
    return "".join(f", {name}={value!r}" for name, value in options.items())


def _pose(pose: tuple[float, ...]) -> str:
    x, y, *heading = (repr(number) for number in pose)
    return f"({', '.join([x, y, *(f'radians({turn})' for turn in heading)])})"


_PROGRAMS = {
    "group": _group,
    "search": _search,
    "space": _space,
    "drive": _drive,
    "mapf": _mapf,
    "formation": _formation,
}
