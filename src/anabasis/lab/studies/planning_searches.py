"""Every search and every discretisation of the table of methods side by side, on the map with obstacles.

The queries are those of parts 2 and 3 of the source's third experiment (a bachelor thesis on trajectory planning in a
virtual two-dimensional environment, 2011): corner to corner, an easy way and a hard one. What each way is above the
shortest one in the world itself tells search and discretisation apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from anabasis.decompose.nearest import joined
from anabasis.decompose.rasterize import rasterize
from anabasis.decompose.size import graph_size
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lab.studies.planning_maps import BOUNDS, obstacle_map
from anabasis.lab.studies.planning_record import Table, timed, walked
from anabasis.methods import METHODS, Method
from anabasis.search.astar import AStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["search_table", "space_table"]

SIDE = 2.0  # of a cell of the grid
LIMIT = 300_000  # expansions of what has no limit of its own
_EDGES = {"square": 6.0, "hexagonal": 6 / (1.5 * 3**0.5) ** 0.5, "triangular": 6 / (3**0.5 / 4) ** 0.5, "quadtree": 2.0}
_ENDS = {
    "easy": ((BOUNDS[2] - 3, 3.0), (3.0, BOUNDS[3] - 3)),
    "hard": ((3.0, 3.0), (BOUNDS[2] - 3, BOUNDS[3] - 3)),
}


def search_table(names: Sequence[str] = (), *, repeats: int = 3, limit: int = LIMIT) -> Table:
    """Return all searches of the table (or those named) on the easy way and the hard one.

    On a grid of squares of edge 2 where a method takes grids, else in the world of polygons. excess: above the shortest
    way in the world; t: one query, on a prepared map where there is such a class.
    """
    world = obstacle_map()
    grid = rasterize(world, side=SIDE)
    best = {name: walked(VisibilityGraph(world).find(*ends)) for name, ends in _ENDS.items()}
    chosen = [row for row in METHODS if row.family == "search" and (not names or row.name in names)]
    rows = [_search_row(row, world, grid, best, repeats, limit) for row in chosen]
    note = f"at most {limit} expansions; excess: above the shortest way of any angle in the world, {_lengths(best)}"
    return Table("Every search on the map with obstacles", tuple(rows), note)


def _lengths(best: dict[str, float]) -> str:
    return ", ".join(f"{length:.1f} px ({name})" for name, length in best.items())


def _search_row(
    row: Method, world: World, grid: Grid, best: dict[str, float], repeats: int, limit: int
) -> dict[str, object]:
    """Return the row of one search."""
    on_grid = "grid" in row.spaces
    space = grid if on_grid else world
    fixed = dict(row.fixed)
    if on_grid:
        fixed |= {"neighbours": row.neighbours[0], "corners": row.corners[0]}
    prepared = row.load_prepared()
    one = partial(row.load(), space, **fixed) if prepared is None else prepared(space, **fixed).find
    options = inspect.signature(one).parameters
    limited = {"limit": limit} if "limit" in options and options["limit"].default == 0 else {}
    cells: dict[str, object] = {"method": row.name, "space": "grid" if on_grid else "world"}
    for name, (start, goal) in _ENDS.items():
        ends = [grid.vertex(*(int(v // SIDE) for v in place)) for place in (start, goal)] if on_grid else [start, goal]
        result, spent = timed(partial(one, *ends, **limited), repeats)
        length = walked(result) * (SIDE if on_grid else 1.0)
        cells |= {
            f"{name} t ms": spent,
            f"{name} expanded": result.stats.get("expanded"),
            f"{name} l px": length if result else None,
            f"{name} excess %": 100 * (length / best[name] - 1) if result else None,
            f"{name} status": result.status.value,
        }
    return cells


def space_table(*, repeats: int = 3) -> Table:
    """Return all discretisations of the table, with cells of equal area, and A* between places joined to them."""
    world = obstacle_map()
    best = {name: walked(VisibilityGraph(world).find(*ends)) for name, ends in _ENDS.items()}
    rows: list[dict[str, object]] = []
    for row in METHODS:
        if row.family != "space":
            continue
        make = partial(row.load(), world, **dict(row.fixed), **_edge(row))
        made, spent = timed(make, repeats)
        if isinstance(made, Graph):
            rows.append(_space_row(row.name, world, made, spent, best, repeats))
    note = f"squares, hexagons and triangles of 36 px²; shortest ways {_lengths(best)}"
    return Table("Every discretisation on the map with obstacles", tuple(rows), note)


def _edge(row: Method) -> dict[str, Any]:
    """Return the edge of cells of 36 px², and of 4 px² for the smallest of a quadtree."""
    kind = row.name.partition("-")[0]
    return {"edge": _EDGES[kind]} if kind in _EDGES else {}


def _space_row(
    name: str, world: World, graph: Graph, spent: float, best: dict[str, float], repeats: int
) -> dict[str, object]:
    size = graph_size(graph)
    cells: dict[str, object] = {
        "discretisation": name,
        "states": size.states,
        "arcs": size.arcs,
        "mean degree": size.mean_degree,
        "kB": size.bytes / 1000,
        "t ms": spent,
    }
    for part, (start, goal) in _ENDS.items():
        whole = joined(graph, world, np.array([start, goal]))
        find: Callable[[], Any] = partial(AStar(whole).find, graph.size, graph.size + 1)
        result, search = timed(find, repeats)
        length = walked(result)
        cells |= {
            f"{part} A* ms": search,
            f"{part} expanded": result.stats["expanded"],
            f"{part} l px": length if result else None,
            f"{part} excess %": 100 * (length / best[part] - 1) if result else None,
        }
    return cells
