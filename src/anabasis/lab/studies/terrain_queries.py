"""What the study of generated terrain measures on ways: queries on a map of a preset, each answered in many ways.

After a Czech bachelor's thesis on path finding on generated terrain for strategy games, 2014: A* over terrain in whole
numbers, a diagonal step also between two blocked cells, then one pass that refines and straightens.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis._kernel.report import COST, EXPANDED, SOLVED, STATUS
from anabasis.grid import Grid
from anabasis.lab.studies.terrain_lines import best_corners, polyline_length, visible
from anabasis.lab.studies.terrain_presets import PRESETS, land_of
from anabasis.maps.parts import parts
from anabasis.search.blocks import Blocks
from anabasis.search.coarse_fine import CoarseFine, Route
from anabasis.search.dijkstra import dijkstra
from anabasis.search.greedy import greedy
from anabasis.search.moves import Space
from anabasis.search.obstacle_following import obstacle_following
from anabasis.search.outcome import blank_report, log_for

__all__ = [
    "AHEAD",
    "CORNERS",
    "PAIRS",
    "RATIO",
    "RATIOS",
    "SEARCHES",
    "cells_of",
    "nodes_of",
    "pairs_of",
    "parts_of",
    "query_job",
    "ratio_job",
    "search_blocks",
    "upper_left",
    "walkable",
]

Bools, Floats, Ints = NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]
Row = Mapping[str, Any]

CORNERS = "none"
"""The source's rule: a diagonal step may lead between two blocked cells."""
PAIRS = 10
"""Queries on a map."""
RATIO = 4
"""Fine cells along the side of a cell of terrain."""
RATIOS = (1, 2, 4, 8)
AHEAD = (None, 0, 2, 5, 10, -1)
"""How far the smoothing looks ahead: not at all smoothed, 0, …, as far as there are nodes."""
SEARCHES: dict[str, tuple[str, float]] = {
    "A*, Manhattan (the source's)": ("manhattan", 1.0),
    "A*, octile": ("octile", 1.0),
    "A*, Euclidean": ("euclidean", 1.0),
    "A*, Chebyshev": ("chebyshev", 1.0),
    "Dijkstra (H = 0)": ("zero", 1.0),
    "weight 0": ("octile", 0.0),
    "weight 0.5": ("octile", 0.5),
    "weight 1.5": ("octile", 1.5),
    "weight 2": ("octile", 2.0),
    "weight 5": ("octile", 5.0),
    "weight 1,000,000": ("octile", 1e6),
}
"""The searches by name: metric and weight of the estimate."""
_PAIRS, _FINE = 421, 422  # streams of random numbers


def search_blocks(blocks: Blocks, start: int, goal: int) -> tuple[bool, int, int, Ints]:
    """Return whether a way was found, its price in whole numbers, the blocks expanded, and the way."""
    row = blank_report()
    way = blocks.search(start, goal, 0, row, log_for())
    solved = row[STATUS] == SOLVED
    return bool(solved), int(row[COST]) if solved else 0, int(row[EXPANDED]), way


def query_job(name: str, side: int, seed: int) -> Row:
    """Answer random queries of a land unit and of a ship on a map, by every search and every look ahead."""
    terrain = land_of(name, side, seed).terrain
    units: dict[str, list[Row]] = {}
    for number, unit in enumerate(("land", "water")):
        grid = Grid.from_terrain(terrain, unit)
        key = int(stream_key(seed, _PAIRS, 2 * list(PRESETS).index(name) + number))
        units[unit] = _queries(grid, key) if unit == "land" else _reached(grid, key)
    return {"map": name, "side": side, "land": units["land"], "water": units["water"]}


def pairs_of(grid: Grid, key: int) -> list[tuple[int, int]]:
    """Return random pairs of different free cells."""
    cells = np.flatnonzero(grid.free)
    if len(cells) < 2:
        return []
    ends = [[int(cells[int(random_fraction(key, q, k) * len(cells))]) for k in (0, 1)] for q in range(PAIRS)]
    return [(start, goal) for start, goal in ends if start != goal]


def parts_of(grid: Grid) -> NDArray[np.int64]:
    """Return the part of each cell, by flooding: a diagonal step may lead between two blocked cells."""
    return parts(grid.free, corners=True).reshape(-1).astype(np.int64)


def _reached(grid: Grid, key: int) -> list[Row]:
    """Return for each query whether there is a way by flooding, by A*, and over cells."""
    part, blocks = parts_of(grid), Blocks(Space(grid, 8, CORNERS), 1, 1000, "manhattan", 1.0)
    fine = CoarseFine(grid.scaled(RATIO), ratio=RATIO, metric="manhattan", corners=CORNERS)
    rows: list[Row] = []
    for start, goal in pairs_of(grid, key):
        answered = bool(fine.find(upper_left(grid, start, RATIO), upper_left(grid, goal, RATIO)))
        rows.append(
            {
                "way": bool(part[start] == part[goal]),
                "found": search_blocks(blocks, start, goal)[0],
                "found over cells": answered,
            }
        )
    return rows


def upper_left(grid: Grid, vertex: int, ratio: int) -> int:
    """Return the fine vertex in the upper left corner of a cell."""
    x, y = grid.cell(vertex)
    return y * ratio * grid.width * ratio + x * ratio


def _queries(grid: Grid, key: int) -> list[Row]:
    """Return what every search and every look ahead make of each query."""
    space = Space(grid, 8, CORNERS)
    searches = {name: Blocks(space, 1, 10, *options) for name, options in SEARCHES.items()}
    exact = Blocks(space, 1, 1000, "octile", 1.0)
    fine = CoarseFine(grid.scaled(RATIO), ratio=RATIO, metric="manhattan", corners=CORNERS)
    free = fine.space.grid.free
    rows: list[Row] = []
    for number, ((start, goal), reached) in enumerate(zip(pairs_of(grid, key), _reached(grid, key), strict=True)):
        row: dict[str, Any] = {**reached}
        rows.append(row)
        if not row["way"]:
            continue
        row["searches"] = {name: search_blocks(blocks, start, goal)[1:3] for name, blocks in searches.items()}
        row |= _others(grid, start, goal)
        row["whole"] = _whole(exact, start, goal)
        places = [int(random_fraction(key, 1000 + number, k) * RATIO) for k in range(4)]
        ends = [
            upper_left(grid, vertex, RATIO) + places[2 * k] * grid.width * RATIO + places[2 * k + 1]
            for k, vertex in enumerate((start, goal))
        ]
        row["smoothed"] = _smoothed(fine, free, *ends)
    return rows


def _others(grid: Grid, start: int, goal: int) -> dict[str, Any]:
    """Return what searches by themselves find: greedy, Dijkstra, and following obstacles."""
    best = dijkstra(grid, start, goal, corners=CORNERS)
    quick = greedy(grid, start, goal, corners=CORNERS)
    blind = obstacle_following(grid, start, goal, corners=CORNERS)
    optimum = best.value.cost if best.value else np.nan
    return {
        "dijkstra expanded": int(best.stats["expanded"]),
        "greedy expanded": int(quick.stats["expanded"]),
        "greedy ratio": quick.value.cost / optimum if quick.value else np.nan,
        "followed": blind.value is not None,
        "followed ratio": blind.value.cost / optimum if blind.value else np.nan,
    }


def _whole(blocks: Blocks, start: int, goal: int) -> bool:
    """Return whether all prices of a search are whole numbers, and its own the sum of the steps of its way."""
    row = blank_report()
    blocks.search(start, goal, 0, row, log_for())
    log = log_for(row)
    way = blocks.search(start, goal, 0, row, log)
    width = blocks.coarse.width
    dx, dy = np.abs(np.diff(way % width)), np.abs(np.diff(way // width))
    price = int(np.where((dx > 0) & (dy > 0), 1414, 1000).sum())
    return bool((log[:, 3:] == np.rint(log[:, 3:])).all()) and row[COST] == price


def _smoothed(fine: CoarseFine, free: Bools, start: int, goal: int) -> dict[str, Any]:
    """Return what each look ahead makes of one query: lines, length, flaws, and whether all steps can be walked."""
    made: dict[str, Any] = {}
    best = np.nan
    for ahead in AHEAD:
        route = fine.route(start, goal, ahead=ahead)
        nodes = nodes_of(route)
        if ahead is None:
            best = polyline_length(nodes[best_corners(free, nodes)])
        corners = cells_of(route.corners)
        length = polyline_length(corners)
        seen = [visible(free, a, b) for a, b in pairwise(corners)]
        made[str(ahead)] = {
            "lines": int(route.result.stats["lines"]),
            "onesteps": int(route.result.stats["onesteps"]),
            "tests": int(route.result.stats["tests"]),
            "length": length,
            "above best": length / best - 1 if best > 0 else 0.0,
            "unseen": len(seen) - sum(seen),
            "walked": walkable(free, route),
        }
    return made


def cells_of(points: Floats) -> Ints:
    """Return the cells in which points lie."""
    return np.floor(points).astype(np.int64)


def nodes_of(route: Route) -> Ints:
    """Return the cells that the smoothing chooses from: the ends, and the middles of the blocks between them."""
    nodes = cells_of(route.blocks)
    ends = cells_of(route.corners)
    nodes = np.repeat(nodes, 2, axis=0) if len(nodes) == 1 else nodes
    nodes[0], nodes[-1] = ends[0], ends[-1]
    return nodes


def walkable(free: Bools, route: Route) -> bool:
    """Return whether a way leads from neighbour to neighbour over free cells."""
    if route.result.value is None:
        return False
    x, y = cells_of(route.result.value.points).T
    steps = np.maximum(np.abs(np.diff(x)), np.abs(np.diff(y)))
    return bool(free[y, x].all() and (steps == 1).all())


def ratio_job(name: str, side: int, seed: int) -> Row:
    """Count the expansions of the same search over fine cells and over blocks, for several ratios."""
    grid = Grid.from_terrain(land_of(name, side, seed).terrain)
    part = parts_of(grid)
    key = int(stream_key(seed, _FINE, list(PRESETS).index(name)))
    pairs = [(start, goal) for start, goal in pairs_of(grid, key) if part[start] == part[goal]]
    row: dict[str, Any] = {"map": name}
    for ratio in RATIOS:
        space = Space(grid.scaled(ratio), 8, CORNERS)
        coarse, fine = (Blocks(space, blocks, 1000, "octile", 1.0) for blocks in (ratio, 1))
        counts: list[tuple[int, int]] = []
        for start, goal in pairs:
            ends = [upper_left(grid, vertex, ratio) + ratio // 2 * (grid.width * ratio + 1) for vertex in (start, goal)]
            counts.append((search_blocks(fine, *ends)[2], search_blocks(coarse, *ends)[2]))
        row[str(ratio)] = counts
    return row
