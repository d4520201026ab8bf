"""Requests: what can be asked of each family besides its methods, and all options of a request in one place.

A request names a method and gives `options`. Some of them are the method's own (`method_options`), the others are those
of the job around it, which stand here: a discretisation to search on, the axles of a car, the rules for agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from anabasis.method_options import Option, check_options, options_of
from anabasis.methods import method as method_row
from anabasis.methods import names
from anabasis.options import check_choice
from anabasis.search.places import ENDS
from anabasis.studio.asked import asked_seed, asked_table, asked_word

__all__ = ["FAMILIES", "MARCHES", "asked_method", "asked_options", "form_of", "methods_of", "rules_of"]

FAMILIES = {
    "group": ("groups", "groups of units go to their targets, and are simulated on the way"),
    "search": ("path", "one unit's way from a start to a goal, and everything that the search does"),
    "space": ("discretisation", "the map as states and arcs, or as a mesh"),
    "drive": ("motion of a car", "where a car is when, with limited steering and speed"),
    "mapf": ("many agents", "each agent to its own goal, step by step, without collisions"),
    "formation": ("formations", "units march in formation and keep their shape"),
}
"""The families that a page can ask for, each the name of a job: a title and what it is."""

MARCHES = {
    "march": "units walk from vertex to vertex as their commanders decide",
    "simulate": "units have bodies, steer and push one another in the simulator",
}
"""The two ways to carry out a manoeuvre."""

_USUAL = {
    "group": "vector-field",
    "search": "astar",
    "space": "square-8",
    "drive": "kinodynamic-rrt",
    "mapf": "lacam",
    "formation": "march",
}
"""The method of a request that names none."""

_FIXED = ("seed", "traced")  # the request has the seed, and searches are always recorded


def _space_names() -> tuple[str, ...]:
    return ("", *(name for name in names("space") if not name.startswith("mesh-") or "graph" in name))


@lru_cache(maxsize=16)
def _beside(family: str) -> tuple[Option, ...]:
    """Return the options of a family's job besides those of its methods."""
    if family == "search":
        return (
            Option("shorten", "bool", False, help="replace steps by straight lines of sight"),
            Option("space", "str", "", _space_names(), help="search the graph of a discretisation, not the map itself"),
            Option("ends", "str", ENDS[0], ENDS, help="with a space: ends are joined to it, or moved to its states"),
        )
    if family == "space":
        return (Option("radius", "float", 0.0, help="grow the obstacles by the radius of a unit", low=0, high=1e6),)
    if family == "drive":
        return (
            Option("axle", "float", 1.0, help="distance of the car's axles", low=0.01, high=1e6),
            Option("steering", "float", 35.0, help="its greatest steering angle, in degrees", low=1, high=89),
            Option("speed", "float", 1.0, help="its greatest speed", low=0.001, high=1e6),
            Option("acceleration", "float", None, (), True, "how much the speed can change in a second", 0.001, 1e6),
            Option("backward", "bool", False, help="it can drive backwards"),
            Option("radius", "float", 0.0, help="grow the obstacles by half its width", low=0, high=1e6),
            Option("heading", "float", None, (), True, "where it heads at the start, in degrees, 0 right, 90 down"),
            Option("heading_at_goal", "float", None, (), True, "where it heads at the goal, in degrees"),
        )
    if family == "mapf":
        return (
            Option("seconds", "float", 10.0, help="time for a solver that can be stopped", low=0.05, high=3600),
            Option("following", "bool", False, help="rule: nobody may enter what another has just left"),
            Option("swaps", "bool", False, help="rule: two agents may change places"),
            Option("vanish", "bool", False, help="rule: agents are gone once they have arrived"),
            Option("no_wait", "bool", False, help="rule: nobody may wait before it has arrived"),
        )
    if family == "formation":
        return (
            Option("divide", "bool", False, help="parts of a formation take routes of their own if it gains by it"),
            Option("limit", "float", 600.0, help="seconds after which the march is stopped", low=1, high=36_000),
            Option("tick", "float", 0.05, help="seconds of a step", low=0.001, high=1),
        )
    return ()


def methods_of(family: str) -> list[str]:
    """Return the names of what can be chosen in a family; formations have two ways to be carried out."""
    return list(MARCHES) if family == "formation" else names(family)


def form_of(family: str, name: str) -> dict[str, Option]:
    """Return the options that a form for a method has, by name; raises InputError for an unknown method."""
    if family == "formation":
        check_choice(name, "way to carry out a manoeuvre", tuple(MARCHES))
        own: dict[str, Option] = {}
    else:
        own = {key: option for key, option in options_of(family, name).items() if key not in _FIXED}
    return own | {option.name: option for option in _beside(family)}


def asked_method(family: str, args: Mapping[str, Any]) -> str:
    """Return the name of the method that is asked for; `form_of` and `asked_options` see whether there is one."""
    return asked_word(args, "method", _USUAL[family])


def asked_options(family: str, name: str, args: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the method and those of the job around it, all of the latter, as `args` asks for them.

    The seed of the request is an option of a method that has one. Raises InputError for an unknown method or option,
    and for a value that doesn't fit.
    """
    form = form_of(family, name)
    chosen = check_options(form, asked_table(args, "options"))
    beside = {option.name: chosen.pop(option.name, option.default) for option in _beside(family)}
    own: dict[str, Any] = {
        key: value for key, value in chosen.items() if value is not None or form[key].default is not None
    }
    if family != "formation" and method_row(family, name).seeded and "seed" in options_of(family, name):
        own["seed"] = asked_seed(args)
    return own, beside


def rules_of(beside: Mapping[str, Any]) -> dict[str, bool]:
    """Return the rules for agents that options of the job `mapf` ask for, as arguments of `Rules`."""
    return {
        "following": beside["following"],
        "swap": not beside["swaps"],
        "wait": not beside["no_wait"],
        "stay": not beside["vanish"],
    }
