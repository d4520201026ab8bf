"""Options of methods: what the table's functions take besides their input, read off their signatures.

The command line reads values written as text, the studio makes forms and checks what comes back; both by what stands
here. Options that are no plain value, such as an array or another map, are not among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from inspect import Parameter, signature

from anabasis.errors import InputError
from anabasis.methods import Method, method

__all__ = ["Option", "Value", "check_options", "options_of", "read_option"]

Value = bool | int | float | str | None

_KIND = re.compile(r"\b(bool|int|float|str)\b")  # in the order of the annotation, of which the last number counts
_EXPECTED = {"bool": "yes or no", "int": "a whole number", "float": "a number", "str": "a word"}

_CHOICES = {
    ("search", "metric"): "anabasis.graph:METRICS",
    ("space", "corners"): "anabasis.decompose.lattices:CORNERS",
    ("space", "overlap"): "anabasis.decompose.lattices:OVERLAP",
    ("space", "order"): "anabasis.decompose.merging:ORDERS",
    ("mapf", "objective"): "anabasis.mapf.cbs:OBJECTIVES",
    ("mapf", "splitting"): "anabasis.mapf.cbs:SPLITTING",
    ("mapf", "heuristic"): "anabasis.mapf.cbs:HEURISTICS",
    ("mapf", "order"): "anabasis.mapf.prioritized:ORDERS",
    ("mapf", "solver"): "anabasis.mapf.independence:SOLVERS",
}
"""Where the words stand that an option takes, beside those that a row of the table has itself."""

_HELP = {
    "neighbours": "how many neighbours a cell or state has",
    "corners": "diagonal steps past walls: strict, both sides free; loose, one; none, always",
    "metric": "the estimate of the rest",
    "weight": "of the estimate: above 1 is quicker, and by at most this factor dearer",
    "limit": "give up after so many steps of the search; 0: never",
    "traced": "record what is searched",
    "seed": "of random choices",
    "width": "how many vertices of each depth are kept at first",
    "depth": "the most steps of a path; 0: any number",
    "temperature": "how readily steps lead away from the goal at first",
    "cooling": "what remains of the temperature after each step",
    "count": "how many landmarks",
    "side": "cells of a side of a cluster",
    "step": "length of a step; by default fitting the map",
    "bias": "share of samples that are the goal",
    "restart": "begin a new tree after so many samples; 0: never",
    "corner_bias": "share of samples that are corners of obstacles",
    "attraction": "strength of the pull to the goal",
    "repulsion": "strength of the push from obstacles",
    "reach": "how far obstacles push; by default fitting the map",
    "auxiliary": "go around obstacles where forces cancel out",
    "slope": "how strongly cheap ground draws",
    "ratio": "cells of a side of a coarse cell",
    "unit": "what a straight step counts in whole numbers",
    "ahead": "how many blocks are refined at once; none: all",
    "tangent": "only arcs that a shortest way can take",
    "states": "where the states of a mesh are",
    "edge": "length of a side of a cell",
    "overlap": "a cell is left out if any of it lies in an obstacle, or its centre",
    "overhang": "by what share of its height a hexagon may reach over the lower bound",
    "samples": "how many places are tried",
    "delaunay": "triangles as equilateral as can be",
    "order": "what goes first",
    "least": "the shortest side of a rectangle",
    "attach": "how far from the goal a place is joined to it at most",
    "pace": "turns are those that the car can do at this share of its greatest speed",
    "population": "how many ways in each generation",
    "crossover": "how likely a way is made of two others",
    "mutation": "how likely a way is changed at random",
    "extra": "generations after the first free way",
    "near": "how far apart two places are at most that a change joins anew",
    "objective": "what is least: the sum of all costs, or the last arrival",
    "splitting": "how a conflict divides the plans",
    "prioritize": "take conflicts first that make plans dearer",
    "bypass": "avoid a conflict at no cost where that is possible",
    "heuristic": "estimate of what conflicts still cost",
    "rectangle": "see rectangles that two agents can't cross at once",
    "corridor": "see corridors in which two can't pass",
    "target": "see agents that stand in the way at their goals",
    "barrier": "forbid whole sides of rectangles at once",
    "merge_after": "plan groups as one after more than so many conflicts; -1: never",
    "joint_limit": "the most vertices of a search for agents together",
    "solver": "who solves groups of agents that meet",
    "restarts": "how many orders are tried",
    "labels": "the most that one agent's search takes up; 0: as much as there is room for",
    "window": "how many steps ahead others are heeded",
    "period": "steps until all plan anew; 0: half a window",
    "improvements": "rounds that lower the sum of costs in the end",
    "size": "how many agents are planned anew at once",
}


@dataclass(frozen=True)
class Option:
    """An option of a method: kind is bool, int, float or str; choices: the values that there are, none if any will do.

    optional: None stands for a value that the method finds itself. low, high: the ends of a range, None where the
    method alone knows.
    """

    name: str
    kind: str
    default: Value
    choices: tuple[str | int, ...] = ()
    optional: bool = False
    help: str = ""
    low: float | None = None
    high: float | None = None

    def check(self, value: object, where: str) -> Value:
        """Return a value of the kind, among the choices and in the range; raises InputError that names it and `where`.

        One of several whole numbers may be given as a text, as a list to choose from does.
        """
        if value is None and self.optional:
            return None
        if self.choices and self.kind == "int" and isinstance(value, str):
            value = dict(zip(map(str, self.choices), self.choices, strict=True)).get(value, value)
        if not self._fits(value):
            raise InputError(
                f"value of the option {self.name}", where=where, found=repr(value), expected=self._expected()
            )
        return float(value) if self.kind == "float" else value  # type: ignore[arg-type, return-value] - it fits

    def _fits(self, value: object) -> bool:
        if self.choices and value not in self.choices:
            return False
        if self.kind in ("bool", "str"):
            return isinstance(value, bool if self.kind == "bool" else str)
        if isinstance(value, bool) or not isinstance(value, int if self.kind == "int" else (int, float)):
            return False
        low = -(2.0**62) if self.low is None else self.low  # what an int64 holds, and no nan
        high = (math.inf if isinstance(value, float) else 2.0**62) if self.high is None else self.high
        return low <= value <= high

    def _expected(self) -> str:
        if self.choices:
            return " or ".join(map(str, self.choices))
        if self.low is None and self.high is None:
            return _EXPECTED[self.kind]
        low = "" if self.low is None else f" from {self.low:g}"
        return f"{_EXPECTED[self.kind]}{low}{'' if self.high is None else f' to {self.high:g}'}"


@lru_cache(maxsize=256)
def options_of(family: str, name: str) -> dict[str, Option]:
    """Return the options of a method by name, in the order of its signature; raises InputError for no such method."""
    row = method(family, name)
    fixed = dict(row.fixed)
    return {
        p.name: _option(row, p)
        for p in signature(row.load()).parameters.values()
        if p.kind is Parameter.KEYWORD_ONLY and p.name not in fixed and _KIND.search(str(p.annotation))
    }


def _option(row: Method, parameter: Parameter) -> Option:
    annotation = str(parameter.annotation)
    kinds = [kind for kind in ("bool", "float", "int", "str") if re.search(rf"\b{kind}\b", annotation)]
    choices: tuple[str | int, ...] = ()
    if row.family == "search" and parameter.name in ("neighbours", "corners"):
        choices = getattr(row, parameter.name)
    elif place := _CHOICES.get((row.family, parameter.name)):
        module, inside = place.split(":")
        choices = tuple(getattr(import_module(module), inside))
    endless = parameter.default == math.inf  # for people that is no number: nothing is said, and nothing limited
    default = None if endless else parameter.default
    optional = endless or "None" in annotation
    return Option(parameter.name, kinds[0], default, choices, optional, _HELP.get(parameter.name, ""))


def read_option(option: Option, text: str, where: str) -> Value:
    """Return the value that a text stands for: yes or no, a whole number, a number or a word; InputError names where.

    Words are not looked up among the choices: the method does so, and knows what else there is.
    """
    what = f"value of the option {option.name}"
    if option.kind == "bool":
        if text.lower() not in ("yes", "no", "true", "false"):
            raise InputError(what, where=where, found=repr(text), expected=_EXPECTED["bool"])
        return text.lower() in ("yes", "true")
    if option.kind == "str":
        return text
    try:
        return int(text) if option.kind == "int" else float(text)
    except ValueError:
        raise InputError(what, where=where, found=repr(text), expected=_EXPECTED[option.kind]) from None


def check_options(
    there_are: Mapping[str, Option], given: Mapping[str, object], where: str = "options"
) -> dict[str, Value]:
    """Return options as a method takes them; raises InputError for an unknown one, or a value that doesn't fit."""
    chosen: dict[str, Value] = {}
    for key, value in given.items():
        if key not in there_are:
            near = get_close_matches(str(key), there_are, n=1, cutoff=0.5)
            raise InputError(
                "unknown option",
                where=where,
                found=repr(key),
                expected=" or ".join(there_are) or "none",
                hint=f"did you mean {near[0]}?" if near else None,
            )
        chosen[key] = there_are[key].check(value, f"{where}.{key}")
    return chosen
