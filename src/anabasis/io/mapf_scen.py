"""Instances of the multi-agent benchmarks: a map and the first rows of a scenario of Moving AI.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019: an instance of k agents is the
first k rows, in their order. The length in a row is still that of one unit that may go diagonally: a lower bound of the
steps, not their number.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike

from anabasis.errors import InputError
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid, cell_text
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.io.atomic import as_path
from anabasis.io.loaded_plan import grid_of
from anabasis.io.maps import load_grid
from anabasis.io.movingai import Scen, load_scen, save_scen
from anabasis.noun import freeze
from anabasis.options import check_count, check_kind

__all__ = ["load_instance", "save_instance"]

_TOO_LONG = 1e12  # the format has twelve digits before the point


def load_instance(
    map: str | os.PathLike[str] | Grid,
    scen: str | os.PathLike[str],
    *,
    agents: int | None = None,
    rules: Rules = CLASSIC,
) -> Instance:
    """Load an instance: the first `agents` rows of a scenario (by default all) on its map.

    map: a file, whose name must be that in the rows, or a Grid. Rows for a map of a whole multiple of its sides are for
    the map scaled. Raises InputError with the line of the fault: more agents than rows, a map of another name or size,
    a start or goal that is blocked or taken by an agent before.
    """
    check_kind(rules, Rules, "rules of an instance", "such as Rules(following=True)")
    name = None if isinstance(map, Grid) else as_path(map).name
    found = load_scen(scen)
    k = found.size if agents is None else check_count(agents, "agents")
    if k > found.size:
        raise InputError("agents", file=scen, found=f"{k}", expected=f"at most {found.size}, the rows of the scenario")
    grid = map if isinstance(map, Grid) else load_grid(map)
    factor = 1
    for a in range(k):
        named = found.maps[a].replace("\\", "/").rsplit("/", 1)[-1]
        if name is not None and named != name:
            raise InputError(
                "a row for another map", file=scen, where=int(found.line[a]), found=repr(named), expected=repr(name)
            )
        width, height = int(found.width[a]), int(found.height[a])
        scale = width // grid.width
        if scale < 1 or (grid.width * scale, grid.height * scale) != (width, height) or (a and scale != factor):
            raise InputError(
                "a row for a map of another size",
                file=scen,
                where=int(found.line[a]),
                found=f"{width} × {height}",
                expected=f"{grid.width * factor} × {grid.height * factor}",
            )
        if width > MAX_SIDE or height > MAX_SIDE or width * height > MAX_CELLS:
            raise InputError(
                "a row for a map scaled beyond all bounds",
                file=scen,
                where=int(found.line[a]),
                found=f"{width} × {height}, {scale} times the map",
                expected=f"sides up to {MAX_SIDE} and at most {MAX_CELLS} cells",
                hint="the map of this scenario may be another one",
            )
        factor = scale
    grid = grid.scaled(factor)
    starts, goals = (
        getattr(found, f"{end}_y")[:k] * grid.width + getattr(found, f"{end}_x")[:k] for end in ("start", "goal")
    )
    _check_ends(grid, found, starts, goals, rules, scen)
    return Instance.of(grid, starts, goals, rules=rules)


def _check_ends(grid: Grid, found: Scen, starts: np.ndarray, goals: np.ndarray, rules: Rules, path: object) -> None:
    """Raise InputError with the line of a start or goal that is blocked, or taken by an agent before."""
    free = grid.free.reshape(-1)
    for what, ends, once in (("start", starts, rules.vertex), ("goal", goals, rules.vertex and rules.stay)):
        first: dict[int, int] = {}
        for a, v in enumerate(ends.tolist()):
            place, where = cell_text(*grid.cell(v)), int(found.line[a])
            if not free[v]:
                raise InputError(f"the {what} is blocked", file=path, where=where, found=place, expected="a free cell")
            if once and v in first:
                raise InputError(
                    f"two agents have the same {what}",
                    file=path,
                    where=where,
                    found=f"{place}, as in line {int(found.line[first[v]])}",
                    expected=f"every {what} once",
                )
            first[v] = a


def save_instance(instance: Instance, path: str | os.PathLike[str], *, map: str, lengths: ArrayLike) -> None:
    """Write a scenario of the instance's starts and goals, one bucket for each four cells of length.

    map: the name of the map file; lengths: float[k], the lengths of the shortest ways of one unit that may go
    diagonally, written with 8 decimals. Rules, sizes and known changes have no place in the format. Raises InputError
    for an instance on a graph or whose agents cover more than one cell.
    """
    check_kind(instance, Instance, "a scenario of an instance", file=path)
    check_kind(map, str, "name of the map", file=path)
    grid, k = grid_of(instance, path), instance.size
    if (instance.sizes > 1).any():
        raise InputError(
            "a scenario of Moving AI", file=path, found="agents of several cells", expected="one cell each"
        )
    ways = freeze(lengths, np.float64, (k,), "lengths")
    if not ((ways >= 0) & (ways < _TOO_LONG)).all():
        found = "a length below 0 or inf" if (ways < 0).any() or np.isinf(ways).any() else f"{ways.max():g}"
        raise InputError("lengths", file=path, found=found, expected=f"lengths from 0, below {_TOO_LONG:g}")
    places = [part for ends in (instance.starts, instance.goals) for part in (ends % grid.width, ends // grid.width)]
    width, height = np.full(k, grid.width), np.full(k, grid.height)
    buckets, lines = (ways / 4).astype(np.int64), np.arange(2, k + 2)
    start_x, start_y, goal_x, goal_y = places
    names = (map,) * k
    scen = Scen(buckets, names, width, height, start_x, start_y, goal_x, goal_y, ways, np.full(k, 8), lines)
    save_scen(scen, path)
