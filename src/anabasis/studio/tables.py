"""Tables: everything that the page makes its forms, menus and legends of."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, get_type_hints

from anabasis import manoeuvre
from anabasis.formation.shapes import SHAPES
from anabasis.generators import GENERATORS, Parameter
from anabasis.manoeuvre import Modules
from anabasis.method_options import Option
from anabasis.methods import METHODS
from anabasis.movement import MOVEMENT_CLASSES, TERRAIN_NAMES
from anabasis.scenario import Limits, Steering
from anabasis.studio.requests import FAMILIES, MARCHES, form_of
from anabasis.studio.work.generating import MOST_SIDE
from anabasis.studio.work.overlays import OVERLAYS
from anabasis.studio.workspace import SAVED
from anabasis.view.palette import BLOCKED, FREE, TERRAIN

__all__ = ["tables"]

_KINDS = {"bool": "bool", "int": "int", "float": "float", "str": "text"}
_CHOICES = ("paths", "ties", "planning", "orientation", "facing", "slots", "synchronisation", "speed", "passing")
_MODULES = {
    "paths": "whose ground counts for a path",
    "ties": "which of the paths that cost the same",
    "planning": "in what pieces a way is planned",
    "fragment": "steps of a piece, for periodic planning",
    "period": "steps after which the next piece is planned",
    "bend": "degrees between directions at which a piece ends, for bends",
    "shortest": "steps of a piece at least, for bends",
    "orientation": "how the formation turns",
    "facing": "where it faces at the end of a piece",
    "slots": "whether spots are given out anew at an order",
    "synchronisation": "how those with shorter ways are slowed down",
    "speed": "how fast units go",
    "passing": "what units do where they meet",
    "swerve": "how fast units step aside, as a share of their speed",
    "back": "how fast they step back",
    "sight": "how far they look for others, in steps",
    "view": "up to how many degrees from ahead",
}

_LIMITS = {
    "steps": "a run ends after so many",
    "stall_steps": "steps without an arrival after which a run with few units left ends",
    "stall_units": "how many are few",
}
_STEERING = {
    "seek": "weight of the way to the target",
    "separation": "weight of the push from others that are near",
    "alignment": "weight of going where others go",
    "obstacle_avoidance": "weight of the rays that see walls",
    "random_feeler": "weight of the one ray of random length",
    "collision_avoidance": "weight of getting out of the way of others",
    "separation_distance": "diameters within which others push",
    "avoidance_distance": "diameters within which others are watched",
    "avoidance_steps": "steps that a unit looks ahead for collisions",
    "rays": "how many a unit sends out to see walls",
    "ray_spread": "degrees to either side of the heading",
    "ray_length": "diameters",
    "force": "how much of the greatest speed the velocity changes in a step",
    "overlap": "the deepest overlap that movement may cause, as a share of the distance at touch",
    "replanning": "whether units that are lost get new plans",
    "lost_steps": "steps lost before a new plan",
    "stuck_steps": "steps without progress before removal",
}


def tables() -> dict[str, Any]:
    """Return the tables as plain JSON, in the form that `studio/src/tables.ts` describes."""
    return {
        "families": [{"name": name, "title": title, "summary": summary} for name, (title, summary) in FAMILIES.items()],
        "methods": [*_methods(), *_marches()],
        "generators": [
            {
                "name": row.name,
                "family": row.family,
                "summary": row.summary,
                "least": row.least,
                "parameters": [_parameter(parameter) for parameter in row.parameters],
            }
            for row in GENERATORS
        ],
        "overlays": [
            {
                "name": row.name,
                "title": row.title,
                "needs": row.needs,
                "parameters": [_field(option) for option in row.parameters],
            }
            for row in OVERLAYS
        ],
        "terrain": [_terrain(letter, name) for letter, name in TERRAIN_NAMES.items()],
        "movements": list(MOVEMENT_CLASSES),
        "formations": {"shapes": list(SHAPES), "modules": _modules()},
        "limits": _numbers(Limits, _LIMITS),
        "steering": _numbers(Steering, _STEERING),
        "saved": list(SAVED),
        "side": MOST_SIDE,
    }


def _methods() -> list[dict[str, Any]]:
    return [
        {
            "name": row.name,
            "family": row.family,
            "summary": row.summary,
            "when": row.when,
            "source": row.source,
            "optimal": row.optimal,
            "complete": row.complete,
            "seeded": row.seeded,
            "options": [_field(option) for option in form_of(row.family, row.name).values()],
        }
        for row in METHODS
        if row.family in FAMILIES
    ]


def _marches() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "family": "formation",
            "summary": summary,
            "when": "",
            "source": "Švagerka: Adaptivní formace pro virtuální agenty, 2011" if name == "march" else "Anabasis",
            "optimal": False,
            "complete": False,
            "seeded": False,
            "options": [_field(option) for option in form_of("formation", name).values()],
        }
        for name, summary in MARCHES.items()
    ]


def _field(option: Option) -> dict[str, Any]:
    """Return an option as a field of a form."""
    return {
        "name": option.name,
        "kind": "choice" if option.choices else _KINDS[option.kind],
        "default": _default(option),
        "choices": [str(choice) for choice in option.choices],
        "low": option.low,
        "high": option.high,
        "help": option.help,
    }


def _default(option: Option) -> bool | int | float | str | None:
    """Return what an option is if nothing is said; None where that is no number that JSON has."""
    default = option.default
    if isinstance(default, float) and not math.isfinite(default):
        return None
    return str(default) if option.choices and default is not None else default


def _parameter(parameter: Parameter) -> dict[str, Any]:
    """Return a parameter of a generator as a field of a form."""
    kind = "choice" if parameter.choices else "text" if parameter.many else _KINDS[type(parameter.default).__name__]
    return {
        "name": parameter.name,
        "kind": kind,
        "default": parameter.default,
        "choices": list(parameter.choices),
        "low": parameter.low,
        "high": parameter.high,
        "help": parameter.summary,
    }


def _terrain(letter: str, name: str) -> dict[str, Any]:
    known = BLOCKED if letter in "@O" else TERRAIN[letter][1] if letter in TERRAIN else None
    colour = known or FREE
    prices = {name: float(row.cost[ord(letter)]) for name, row in MOVEMENT_CLASSES.items()}
    return {
        "letter": letter,
        "name": name,
        "colour": list(colour),
        "prices": {name: price if price < float("inf") else None for name, price in prices.items()},
    }


def _modules() -> list[dict[str, Any]]:
    """Return the modules of a formation as fields of a form."""
    kinds = get_type_hints(Modules)
    found: list[dict[str, Any]] = []
    for field in dataclasses.fields(Modules):
        choices = tuple(getattr(manoeuvre, field.name.upper())) if field.name in _CHOICES else ()
        kind: str = kinds[field.name].__name__
        found.append(_field(Option(field.name, kind, getattr(Modules, field.name), choices, help=_MODULES[field.name])))
    return found


def _numbers(noun: type, helps: dict[str, str]) -> list[dict[str, Any]]:
    """Return the fields of a noun of plain numbers, which are never below 0, as fields of a form."""
    kinds = get_type_hints(noun)
    lows = {name: None if kinds[name] is bool else 0.0 for name in helps}
    rows = [Option(name, kinds[name].__name__, getattr(noun, name), low=lows[name], help=helps[name]) for name in helps]
    return [_field(row) for row in rows]
