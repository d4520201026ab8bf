"""Requests in words: what the page asked for as a command line, and as a program in Python.

Both work on the draft as a file, which has to be saved under the name that they call it by; both give what the job
gave. Options that are as usual are left out.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anabasis.errors import InputError
from anabasis.options import check_choice
from anabasis.studio.asked import asked_seed, asked_table, asked_word
from anabasis.studio.drafts import Ends, ends_of, grid_of, scenario_of
from anabasis.studio.requests import FAMILIES, asked_options, form_of

__all__ = ["as_command", "as_python", "file_for"]

_ENDINGS = {"group": ".scenario.toml", "mapf": ".scen", "formation": ".manoeuvre.toml"}
_METHODS = {
    "group": "vector-field",
    "search": "astar",
    "space": "square-8",
    "drive": "kinodynamic-rrt",
    "mapf": "lacam",
    "formation": "march",
}
_LAND = "land"
_GROW = "from anabasis.decompose.obstacles import grow\n"


@dataclass
class _Asked:
    """A request, checked: its options as far as they aren't as usual."""

    do: str
    method: str
    file: str
    draft: Any
    own: dict[str, Any]
    beside: dict[str, Any]
    seed: int
    movement: str = _LAND
    usual: dict[str, Any] = field(default_factory=dict[str, Any])

    def unusual(self, *names: str) -> dict[str, Any]:
        """Return those of the job's options that are not at their defaults."""
        return {name: self.beside[name] for name in names if self.beside[name] != self.usual.get(name)}


def file_for(do: str, draft: object) -> str:
    """Return the name of the file that a draft is called by, in the format that the family's commands read."""
    check_choice(do, "what can be said in words", tuple(FAMILIES))
    name = ""
    if isinstance(draft, dict) and isinstance(draft.get("scenario"), dict):
        name = str(draft["scenario"].get("name", ""))
    stem = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII).strip("-")[:60]
    return f"{stem or 'draft'}{_ENDINGS.get(do, '.txt')}"


def as_command(do: str, args: Mapping[str, Any]) -> str:
    """Return a request of a family as a command line; raises InputError as its job does."""
    asked = _asked(do, args)
    parts = ["anabasis", *_COMMANDS[do](asked)]
    return " ".join(shlex.quote(part) for part in parts)


def as_python(do: str, args: Mapping[str, Any]) -> str:
    """Return a request of a family as a program, which prints what came out; raises InputError as its job does."""
    asked = _asked(do, args)
    return _PROGRAMS[do](asked)


def _asked(do: str, args: Mapping[str, Any]) -> _Asked:
    draft = args.get("draft")
    check_choice(do, "what can be said in words", tuple(FAMILIES))
    method = asked_word(args, "method", _METHODS[do])
    own, beside = asked_options(do, method, args)
    form = form_of(do, method)
    grid_of(draft)
    seed = asked_seed(args, scenario_of(draft).seed if do == "group" else 0)
    own = {name: value for name, value in own.items() if name not in form or value != form[name].default}
    usual = {name: option.default for name, option in form.items()}
    table: Any = draft
    movement = table["scenario"]["map"].get("movement") or _LAND
    if own.get("seed") == 0:
        del own["seed"]
    if do == "search":
        beside["space_options"] = asked_table(args, "space_options")
    return _Asked(do, method, file_for(do, draft), draft, own, beside, seed, movement, usual)


def _set(options: Mapping[str, Any], flag: str = "--set") -> list[str]:
    """Return options as `--set NAME=VALUE`."""
    words: list[str] = []
    for name, value in options.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else f"{value}"
        words += [flag, f"{name}={said}"]
    return words


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Return options as flags of their own; those that are on have no value."""
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, f"{value}"]
    return words


def _moving(asked: _Asked) -> list[str]:
    return [] if asked.movement == _LAND else ["--movement", asked.movement]


def _group_command(asked: _Asked) -> list[str]:
    return ["run", asked.file, "--method", asked.method, "--seed", f"{asked.seed}"]


def _search_command(asked: _Asked) -> list[str]:
    ends = _ends(asked)
    places = [",".join(map(str, cell)) for cell in (ends.start, ends.goal)]
    beside = asked.unusual("shorten", "space", "ends")
    space = _set(asked.beside["space_options"], "--set-space") if asked.beside["space"] else []
    return [
        "path",
        asked.file,
        *places,
        "--method",
        asked.method,
        *_set(asked.own),
        *_flags(beside),
        *space,
        *_moving(asked),
    ]


def _space_command(asked: _Asked) -> list[str]:
    own = _set(asked.own)
    return ["discretise", asked.file, "--space", asked.method, *own, *_flags(asked.unusual("radius")), *_moving(asked)]


def _drive_command(asked: _Asked) -> list[str]:
    beside = asked.unusual("axle", "steering", "speed", "acceleration", "backward", "radius")
    own = [*_set(asked.own), *_flags(beside), *_moving(asked)]
    return ["drive", asked.file, *_poses(asked), "--method", asked.method, *own]


def _mapf_command(asked: _Asked) -> list[str]:
    rules = _flags(asked.unusual("following", "swaps", "vanish", "no_wait"))
    time = ["--time", f"{asked.beside['seconds']:g}s"]
    map_file = asked.file.removesuffix(".scen") + ".map"
    return [
        "mapf",
        "solve",
        map_file,
        asked.file,
        "--method",
        asked.method,
        *time,
        *_set(asked.own),
        *rules,
        *_moving(asked),
    ]


def _formation_command(asked: _Asked) -> list[str]:
    flags = ["--simulate"] * (asked.method == "simulate") + ["--divide"] * asked.beside["divide"]
    tick = ["--tick", f"{asked.beside['tick']}", "--every", f"{_every(asked)}"]
    return ["formation", "run", asked.file, "--set", f"limit={asked.beside['limit']}", *flags, *tick]


def _group_program(asked: _Asked) -> str:
    return f"""import anabasis
from anabasis.orders import execute, plan_groups

scenario = anabasis.load({asked.file!r})
plans = plan_groups(scenario, {asked.method!r}, seed={asked.seed})
trace = execute(scenario, {asked.method!r}, plans, seed={asked.seed})
print(f"{{trace.finished}} of {{trace.size}} units arrived in {{trace.steps}} steps, hash {{trace.hash}}")
"""


def _search_program(asked: _Asked) -> str:
    ends = _ends(asked)
    given = {"method": asked.method, **asked.own, **asked.unusual("shorten")}
    first, graph, more = "import anabasis\n", "", ""
    if asked.beside["space"]:
        first += "from anabasis.find import discretised\n"
        graph = f"graph = discretised({asked.beside['space']!r}, grid{_named(asked.beside['space_options'])})\n"
        more = f", graph=graph, ends={asked.beside['ends']!r}"
    return f"""{first}
grid = {_map(asked)}
{graph}answer = anabasis.find_path(grid, {ends.start}, {ends.goal}{_named(given)}{more})
print(f"cost {{answer.cost}}" if answer else answer.reason)
"""


def _space_program(asked: _Asked) -> str:
    radius = asked.beside["radius"]
    grow = f"world = grow(world, {radius})\n" if radius else ""
    return f"""import anabasis
from anabasis.decompose.cells import ground
{_GROW * bool(radius)}from anabasis.lab.discretisations import measure
from anabasis.methods import method

world = ground({_map(asked)})
{grow}found = measure(method("space", {asked.method!r}), world{_named(asked.own)})
print(f"{{found.states}} states, {{found.arcs}} arcs, {{found.bytes}} bytes")
"""


def _drive_program(asked: _Asked) -> str:
    start, goal = (tuple(float(part) for part in pose.split(",")) for pose in _poses(asked))
    radius, beside = asked.beside["radius"], asked.beside
    car = {
        name: value for name, value in asked.unusual("speed", "acceleration", "backward").items() if value is not None
    }
    grow = f"world = grow(world, {radius})\n" if radius else ""
    return f"""from math import radians

import anabasis
from anabasis.decompose.cells import ground
{_GROW * bool(radius)}from anabasis.methods import method
from anabasis.trajectory import Kinematics

world = ground({_map(asked)})
{grow}car = Kinematics.car({beside["axle"]}, radians({beside["steering"]}){_named(car)})
find = method("drive", {asked.method!r}).load()
result = find(world, {_pose(start)}, {_pose(goal)}, car{_named(asked.own)})
print(f"duration {{result.value.duration}}" if result.value is not None else result.reason)
"""


def _mapf_program(asked: _Asked) -> str:
    beside = asked.beside
    rules = {
        "following": beside["following"],
        "swap": not beside["swaps"],
        "wait": not beside["no_wait"],
        "stay": not beside["vanish"],
    }
    from dataclasses import asdict

    from anabasis.instance import CLASSIC

    given = {name: value for name, value in rules.items() if asdict(CLASSIC)[name] != value}
    rule = f", rules=Rules({_named(given)[2:]})" if given else ""
    map_file = repr(asked.file.removesuffix(".scen") + ".map")
    ground = map_file if asked.movement == _LAND else f"anabasis.load({map_file}, movement={asked.movement!r})"
    first = ["import anabasis\n"] * (asked.movement != _LAND) + ["from anabasis.instance import Rules\n"] * bool(given)
    own = f", options={asked.own!r}" if asked.own else ""
    return f"""{"".join(first)}from anabasis.io.mapf_scen import load_instance
from anabasis.lab.solving import solve_within

instance = load_instance({ground}, {asked.file!r}{rule})
attempt = solve_within(instance, {asked.method!r}, seconds={beside["seconds"]}{own})
print(attempt.result.status.value, attempt.result.reason, dict(attempt.result.stats))
"""


def _formation_program(asked: _Asked) -> str:
    how = "simulate_manoeuvre" if asked.method == "simulate" else "march"
    source = "anabasis.manoeuvring" if asked.method == "simulate" else "anabasis.formation.march"
    walk = f"{how}({{}}, tick={asked.beside['tick']}, every={_every(asked)}).value"
    if asked.beside["divide"]:
        first = "from anabasis.divide import divided\n"
        found = f"division = divided(manoeuvre)\nfound = division.reunited({walk.format('division.parts')})"
    else:
        first, found = "", f"found = {walk.format('manoeuvre')}"
    return f"""{first}from anabasis.formation.files import load_manoeuvre
from {source} import {how}

manoeuvre = load_manoeuvre({asked.file!r}, ["limit={asked.beside["limit"]}"])
{found}
print(f"{{found.seconds[-1]}} seconds, hash {{found.trace.hash}}")
"""


def _map(asked: _Asked) -> str:
    movement = "" if asked.movement == _LAND else f", movement={asked.movement!r}"
    return f"anabasis.load({asked.file!r}{movement})"


def _named(options: Mapping[str, Any]) -> str:
    """Return options as the rest of a call."""
    for name in options:
        if not name.isidentifier():
            raise InputError("an option that can't be written", found=repr(name))
    return "".join(f", {name}={value!r}" for name, value in options.items())


def _ends(asked: _Asked) -> Ends:
    return ends_of(asked.draft, grid_of(asked.draft))


def _poses(asked: _Asked) -> list[str]:
    """Return start and goal of a drive: the middles of the cells, with a heading in degrees where there is one."""
    ends = _ends(asked)
    poses: list[str] = []
    for (x, y), heading in ((ends.start, "heading"), (ends.goal, "heading_at_goal")):
        turn = asked.beside[heading]
        poses.append(f"{x + 0.5},{y + 0.5}" + ("" if turn is None else f",{turn}"))
    return poses


def _pose(numbers: tuple[float, ...]) -> str:
    parts = [repr(number) for number in numbers[:2]]
    return f"({', '.join([*parts, *(f'radians({number!r})' for number in numbers[2:])])})"


def _every(asked: _Asked) -> int:
    from anabasis.studio.work.formations import record_every

    return record_every(asked.beside["limit"], asked.beside["tick"])


_COMMANDS = {
    "group": _group_command,
    "search": _search_command,
    "space": _space_command,
    "drive": _drive_command,
    "mapf": _mapf_command,
    "formation": _formation_command,
}
_PROGRAMS = {
    "group": _group_program,
    "search": _search_program,
    "space": _space_program,
    "drive": _drive_program,
    "mapf": _mapf_program,
    "formation": _formation_program,
}
