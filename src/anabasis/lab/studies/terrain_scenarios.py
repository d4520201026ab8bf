"""The source's three kinds of queries, the shape of ways by their metric, and a trap for greedy search.

After a Czech bachelor's thesis on path finding on generated terrain for strategy games, 2014, which looks at a ship
and a land unit with nothing in their way, with something in it, and without any way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.grid import Grid
from anabasis.lab.studies.terrain_lines import corridor_open, deviation, line_cells, polyline_length, turns, visible
from anabasis.lab.studies.terrain_presets import PRESETS, land_of
from anabasis.lab.studies.terrain_queries import (
    CORNERS,
    RATIO,
    cells_of,
    nodes_of,
    parts_of,
    search_blocks,
    upper_left,
    walkable,
)
from anabasis.search.blocks import Blocks
from anabasis.search.coarse_fine import CoarseFine
from anabasis.search.dijkstra import dijkstra
from anabasis.search.greedy import greedy
from anabasis.search.moves import Space

__all__ = ["KINDS", "METRICS", "scenario_job", "shape_job", "trap", "trap_ways", "walled"]

Bools, Ints = NDArray[np.bool_], NDArray[np.int64]
Row = Mapping[str, Any]

KINDS: tuple[str, ...] = ("open", "line", "round", "none")
"""Kinds of queries: all the ground between the ends is free, the direct line is, neither, no way at all."""
METRICS = ("manhattan", "octile", "euclidean", "chebyshev")
"""The metrics whose ways are compared."""
_SCENARIOS, _SHAPES = 423, 424  # streams of random numbers
_DRAWS, _NEAR, _FEW = 400, 24, 3  # tries for a query of a scenario, cells between its ends, queries wanted
_FIELD, _MARGIN, _APART, _WALL = 65, 4, 24, 9  # cells: a side, to the border, between ends, half a wall


def scenario_job(name: str, side: int, seed: int) -> Row:
    """Answer the source's three kinds of queries on a map: nothing in the way, something in the way, no way at all."""
    terrain = land_of(name, side, seed).terrain
    row: dict[str, Any] = {"map": name, **{kind: [] for kind in KINDS}}
    for number, unit in enumerate(("land", "water")):
        grid = Grid.from_terrain(terrain, unit)
        key = int(stream_key(seed, _SCENARIOS, 2 * list(PRESETS).index(name) + number))
        _scenarios(grid, key, row)
    return row


def _scenarios(grid: Grid, key: int, row: dict[str, Any]) -> None:
    """Add what becomes of a few queries of each kind, for one unit."""
    cells, part = np.flatnonzero(grid.free), parts_of(grid)
    search = CoarseFine(grid.scaled(RATIO), ratio=RATIO, metric="manhattan", corners=CORNERS)
    free, left = search.space.grid.free, dict.fromkeys(KINDS, _FEW)
    for draw in range(_DRAWS if len(cells) else 0):
        start = int(cells[int(random_fraction(key, draw, 0) * len(cells))])
        size = grid.width, grid.height
        near = [int(random_fraction(key, draw, k) * (2 * _NEAR + 1)) - _NEAR for k in (1, 2)]
        x, y = (min(max(v + by, 0), most - 1) for v, by, most in zip(grid.cell(start), near, size, strict=True))
        goal = grid.vertex(x, y)
        ends = [upper_left(grid, v, RATIO) + RATIO // 2 * (grid.width * RATIO + 1) for v in (start, goal)]
        a, b = (np.array(search.space.grid.cell(v)) for v in ends)
        if max(abs(a - b)) < 3 * RATIO:
            continue
        kind = _kind(free, a, b, joined=part[start] == part[goal])
        if not left[kind]:
            continue
        left[kind] -= 1
        row[kind].append(_nearest(search, part, *ends) if kind == "none" else _direct(search, free, *ends))
        if not any(left.values()):
            break


def _kind(free: Bools, a: Ints, b: Ints, *, joined: bool) -> str:
    if not joined:
        return "none"
    return "open" if corridor_open(free, a, b) else "line" if visible(free, a, b) else "round"


def _direct(search: CoarseFine, free: Bools, start: int, goal: int) -> Row:
    """Return how straight the way of a query is, before and after it is smoothed."""
    raw, route = (search.route(start, goal, ahead=ahead) for ahead in (None, 10))
    line = line_cells(*(np.array(search.space.grid.cell(v)) for v in (start, goal)))
    way = cells_of(route.result.value.points) if route.result.value else line[:0]
    lengths = [polyline_length(r.corners) for r in (route, raw)]
    return {
        "lines": int(route.result.stats["lines"]),
        "on line": len(way) == len(line) and bool((way == line).all()),
        "walked": walkable(free, route),
        "no longer": lengths[0] <= lengths[1] * (1 + 1e-12),
        "saved": 1 - lengths[0] / lengths[1],
        "raw deviation": deviation(nodes_of(raw)),
        "deviation": deviation(cells_of(route.corners)),
        "raw turns": turns(cells_of(raw.blocks)),
        "turns": max(0, len(route.corners) - 2),
    }


def _nearest(search: CoarseFine, part: Ints, start: int, goal: int) -> Row:
    """Return whether an unreachable goal becomes the reachable block with the least estimate, by looking at all."""
    route = search.approach(start, goal)
    blocks, width = search.blocks, search.blocks.coarse.width
    own = np.flatnonzero(part == part[blocks.block(start)])
    end = blocks.block(goal)
    least = int((np.abs(own % width - end % width) + np.abs(own // width - end // width)).min())
    made = blocks.block(route.goal)
    value = route.result.value
    return {
        "answered": value is not None,
        "another goal": route.goal != goal,
        "ends there": value is not None and int(value.vertices[-1]) == route.goal,
        "least": abs(made % width - end % width) + abs(made // width - end // width) == least,
        "in own part": bool(part[made] == part[blocks.block(start)]),
        "refused without": not search.find(start, goal),
        "steps": len(value.vertices) if value else 0,
    }


def shape_job(seed: int) -> Row:
    """Measure the shape of a way on open ground, and with a wall across the middle of its direct line.

    For each metric: how far the way leaves the direct line and how often it turns, on open ground; and how far its
    parts leave the lines between their ends, where the wall hides the goal and from there on.
    """
    key = int(stream_key(seed, _SHAPES, 0))
    a, b, draw = np.zeros(2, np.int64), np.zeros(2, np.int64), 0
    while ((a - b) ** 2).sum() < _APART**2:
        room = _FIELD - 2 * _MARGIN
        a, b = np.array([int(random_fraction(key, draw, k) * room) + _MARGIN for k in range(4)]).reshape(2, 2)
        draw += 1
    row: dict[str, Any] = {}
    for metric in METRICS:
        way = _way(np.ones((_FIELD, _FIELD), bool), a, b, metric)
        free = walled(a, b)
        round_it = _way(free, a, b, metric)
        hidden = [k for k, place in enumerate(round_it) if not visible(free, place, b)]
        last = hidden[-1] + 1 if hidden else 0
        row[metric] = {
            "open": deviation(way),
            "open turns": turns(way),
            "hidden": deviation(round_it[: last + 1]),
            "seen": deviation(round_it[last:]),
            "turns": turns(round_it),
        }
    return row


def walled(a: Ints, b: Ints) -> Bools:
    """Return bool[side, side]: an open field but for a wall across the middle of the line between two cells."""
    along = (b - a) / np.sqrt(float(((b - a) ** 2).sum()))
    y, x = np.mgrid[:_FIELD, :_FIELD]
    dx, dy = x - (a[0] + b[0]) / 2, y - (a[1] + b[1]) / 2
    return (np.abs(dx * along[0] + dy * along[1]) > 1) | (np.abs(dy * along[0] - dx * along[1]) > _WALL)


def _way(free: Bools, a: Ints, b: Ints, metric: str) -> Ints:
    """Return the cells of the way of a metric."""
    blocks = Blocks(Space(Grid.from_free(free), 8, CORNERS), 1, 1000, metric, 1.0)
    way = search_blocks(blocks, *(int(y * _FIELD + x) for x, y in (a, b)))[3]
    return np.stack([way % _FIELD, way // _FIELD], axis=1)


def trap(depth: int) -> tuple[Grid, int, int]:
    """Return a map with a hall that is open towards the start and closed towards the goal, and both ends."""
    side = 2 * depth + 5
    free = np.ones((side, side), bool)
    free[2 : side - 2, side - 4] = False
    free[2, 3 : side - 3] = free[side - 3, 3 : side - 3] = False
    return Grid.from_free(free), side // 2 * side, side // 2 * side + side - 1


def trap_ways(depth: int) -> Row:
    """Return what greedy search makes of such a trap, beside the shortest way."""
    grid, start, goal = trap(depth)
    best, quick = (f(grid, start, goal, corners=CORNERS) for f in (dijkstra, greedy))
    costs = [result.value.cost if result.value else np.nan for result in (best, quick)]
    return {"depth of the hall": depth, "best": costs[0], "greedy": costs[1]}
