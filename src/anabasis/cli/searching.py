"""What the commands that search for a path share: places below zero, whether a search fits, what it proves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import Parameter, signature
from math import ceil
from typing import Any

from anabasis.cli.style import StyledCommand

__all__ = ["PlacesCommand", "above_shortest", "check_option", "check_search"]

_BELOW_ZERO = re.compile(r"-\.?\d[^,]*,")
_FLAGS = ("neighbours", "corners", "weight", "metric")  # options of methods that are options of `path`


class PlacesCommand(StyledCommand):
    """A command that takes places such as -1,1 as arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; behind a space, which no number minds, a minus does not begin an option."""
        return super().parse_args(ctx, [f" {arg}" if _BELOW_ZERO.match(arg) else arg for arg in args])


def check_option(name: str, option: str, flag: str) -> None:
    """Raise InputError, which names the options that there are, for one that a search method doesn't have."""
    from anabasis.errors import InputError
    from anabasis.methods import method

    row = method("search", name)
    there_are = [
        p.name
        for p in signature(row.load()).parameters.values()
        if p.kind is Parameter.KEYWORD_ONLY and p.name not in dict(row.fixed)
    ]
    if option in there_are:
        return
    if option == "traced":
        raise InputError(f"the method {name} does not record what it searches", where=flag, hint="leave it out")
    told = [f"--{o}" if o in _FLAGS else f"--set {o}=" for o in there_are if o not in ("traced", "world")]
    raise InputError(
        f"the method {name} has no option {flag}", expected=" or ".join(told), hint="see `anabasis methods`"
    )


def check_search(name: str, *, polygons: bool, space: str | None, options: Mapping[str, Any]) -> None:
    """Raise InputError for a search that does not take what is searched, with what to say instead.

    polygons: the ground is a world. space: the discretisation whose graph is searched; what its arcs are is not for
    the search to say.
    """
    from anabasis.errors import InputError
    from anabasis.methods import METHODS, method

    row = method("search", name)
    searches = [r for r in METHODS if r.family == "search"]
    if space is None:
        if polygons and "world" not in row.spaces:
            raise InputError(
                f"the method {name} takes no world of polygons",
                expected=" or ".join(r.name for r in searches if "world" in r.spaces),
                hint="or search the graph of a discretisation: --space NAME, such as --space square-8",
            )
        return
    from anabasis.search.places import sees

    if "graph" not in row.spaces and not sees(row.load()):
        there_are = [r.name for r in searches if "graph" in r.spaces or sees(r.load())]
        raise InputError(f"the method {name} takes no graph", expected=" or ".join(there_are))
    if "neighbours" in options:
        raise InputError(
            "a search on a graph has no number of neighbours",
            found=f"neighbours={options['neighbours']} with --space {space}",
            expected="a discretisation with so many",
            hint=_other(space, options["neighbours"]),
        )
    if "corners" in options:
        made = signature(method("space", space).load()).parameters
        rule = options["corners"]
        raise InputError(
            "a search on a graph has no rule for corners",
            found=f"corners={rule} with --space {space}",
            hint=f"the graph is made by one: --set-space corners={rule}" if "corners" in made else "leave it out",
        )


def above_shortest(answer: Any, name: str, *, shorten: bool) -> str:
    """Return what is proved of a path that may not be a shortest one; nothing of others, or where nothing is proved."""
    from anabasis.methods import method

    bound = answer.result.bound
    if answer.path is None or not 0 < bound < answer.cost * (1 - 1e-9):
        return ""
    what = "shortest"
    if not shorten and not method("search", name).any_angle:
        what += " from cell to cell" if answer.graph is None else " on this graph"
    percent = ceil(1000 * (answer.cost / bound - 1)) / 10  # rounded up, so that it is true
    return f", at most {percent:g} % above the {what}"


def _other(space: str, neighbours: object) -> str:
    """Return a hint which discretisation of the kind has so many neighbours."""
    from anabasis.methods import names

    kind = space.rpartition("-")[0] + "-"
    there_are = [name for name in names("space") if name.startswith(kind) and name[len(kind) :].isdigit()]
    if f"{kind}{neighbours}" in there_are:
        return f"--space {kind}{neighbours}"
    return f"--space {' or '.join(there_are)}" if there_are else f"{space} has its own; leave it out"
