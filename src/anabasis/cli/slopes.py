"""Paths with slope prices on a generated map: whether the call fits, the search, and how the prices are told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anabasis.errors import InputError
    from anabasis.find import Answer
    from anabasis.gamemap import GameMap

__all__ = ["find_on_slopes", "map_with_slopes", "slope_options", "slope_prices", "slope_text"]

_OPTIONS = ("uphill", "downhill", "steepest")  # of `path` and of `step_graph`


def slope_options(beside: Mapping[str, bool], **options: float | None) -> dict[str, float]:
    """Return those options of slopes that are in the call.

    beside: whether other options are in the call that can't be said beside them; InputError is raised for these.
    """
    from anabasis.errors import InputError

    slopes = {name: value for name, value in options.items() if value is not None}
    for option, given in beside.items():
        if slopes and given:
            raise InputError(
                "prices of slopes are for steps from cell to cell of a generated map as it is",
                where=_flag(slopes),
                found=option,
                hint="leave one of the two out",
            )
    return slopes


def map_with_slopes(land: GameMap | None, file: Path, method: str, slopes: Mapping[str, float]) -> GameMap:
    """Return the generated map of a file; raises InputError if it is none or level, or if the method heeds no slopes.

    A search that takes no graph heeds none: only the arcs of a graph have prices that differ by direction.
    """
    from anabasis.errors import InputError
    from anabasis.methods import METHODS
    from anabasis.methods import method as method_row

    if "graph" not in method_row("search", method).spaces:
        takes = [row.name for row in METHODS if row.family == "search" and "graph" in row.spaces]
        raise InputError(f"the method {method} heeds no slopes", where=_flag(slopes), expected=" or ".join(takes))
    if land is not None and land.heights.min() < land.heights.max():
        return land
    again = f"`anabasis map generate --again {file} -o NAME.npz` makes a map again from the recipe in its file"
    raise InputError(
        "the map has no heights" if land is None else "the map is level",
        where=_flag(slopes),
        found=str(file),
        expected="the archive (.npz) of a generated map of the family world or heights",
        hint=again if land is None else "`anabasis map presets` lists the generators by family",
    )


def find_on_slopes(
    land: GameMap,
    movement: str | None,
    start: tuple[float, float],
    goal: tuple[float, float],
    *,
    method: str,
    slopes: Mapping[str, float],
    options: Mapping[str, Any],
) -> Answer:
    """Find a path between two cells where steps uphill and downhill have prices of their own.

    movement: the movement class, by default land. slopes, options: those in the call, the others have their defaults.
    The vertices of the graph that is searched are the cells of the map, so the answer is one on the map.
    """
    from dataclasses import replace

    from anabasis.errors import InputError
    from anabasis.find import Answer
    from anabasis.maps.step_prices import step_graph
    from anabasis.methods import method as method_row
    from anabasis.result import Status
    from anabasis.search.moves import Space

    grid = land.grid(movement or "land")
    cells = (int(start[0]), int(start[1])), (int(goal[0]), int(goal[1]))
    ends = grid.vertex(*cells[0]), grid.vertex(*cells[1])
    rest = dict(options)
    prices: dict[str, Any] = {**slopes, **{rule: rest.pop(rule) for rule in ("neighbours", "corners") if rule in rest}}
    try:
        graph = step_graph(land.terrain, land.heights, movement or "land", **prices)
    except InputError as error:
        raise _named(error, slopes) from None
    # a blocked cell is a vertex without arcs, from which a way to itself would be found; the map knows better
    space = graph if grid.is_free(*cells[0]) else grid
    result = method_row("search", method).load()(space, *ends, **rest)
    if result.status is Status.NO_SOLUTION and space is graph:
        reason, where = Space(grid).no_way(*ends, int(result.stats["nearest"]))
        if "steepest" in slopes and grid.is_free(*cells[1]):
            reason += f" by slopes of at most {slopes['steepest']:g}"
        result = replace(result, reason=reason, stats={**result.stats, **where})
    return Answer(grid, *cells, result, land=land)


def slope_prices(slopes: Mapping[str, float]) -> dict[str, float] | None:
    """Return all prices of slopes, also those by default, and the relief they are measured in; None without any."""
    if not slopes:
        return None
    from inspect import signature

    from anabasis.maps.step_prices import step_graph

    parameters = signature(step_graph).parameters
    return {**{name: parameters[name].default for name in (*_OPTIONS, "relief")}, **slopes}


def slope_text(prices: Mapping[str, float] | None) -> str:
    """Return what to say of the prices of slopes behind a cost, nothing without them."""
    if prices is None:
        return ""
    steepest = f", steepest {prices['steepest']:g}" if prices["steepest"] < float("inf") else ""
    return f" with slopes (uphill {prices['uphill']:g}, downhill {prices['downhill']:g}{steepest})"


def _flag(slopes: Mapping[str, float]) -> str:
    """Return the first option of slopes in the call."""
    return f"--{next(iter(slopes))}"


def _named(error: InputError, slopes: Mapping[str, float]) -> InputError:
    """Return an error of `step_graph` with the option that it is about."""
    from anabasis.errors import InputError

    if "steepest" in error.problem:
        return error.at(None, "--steepest")
    if "slopes" not in error.problem:
        return error
    option = "uphill" if "uphill" in slopes and slopes.get("downhill", 0.0) >= 0 else "downhill"
    other = "downhill" if option == "uphill" else "uphill"
    hint = None if other in slopes else f"--{other} has its default, say it too"
    return InputError(error.problem, where=f"--{option}", found=error.found, expected=error.expected, hint=hint)
