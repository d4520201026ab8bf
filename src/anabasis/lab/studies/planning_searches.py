"""Every search and every discretisation of the table of methods side by side, on the map with obstacles.

The queries are those of parts 2 and 3 of the source's third experiment (a bachelor thesis on trajectory planning in a
virtual two-dimensional environment, 2011): corner to corner, an easy way and a hard one. What each way is above the
shortest one in the world itself tells search and discretisation apart.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from anabasis.decompose.nearest import joined
from anabasis.decompose.rasterize import rasterize
from anabasis.decompose.size import graph_size
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lab.studies.planning_games import GameMap
from anabasis.lab.studies.planning_maps import BOUNDS, obstacle_map
from anabasis.lab.studies.planning_record import PEAK, RUNS, Table, allocated, timed, walked
from anabasis.methods import METHODS, Method
from anabasis.search.astar import AStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["QUERIES", "game_search_table", "game_space_table", "search_table", "space_table"]

SIDE = 2.0  # of a cell of the grid
LIMIT = 300_000  # expansions of what has no limit of its own
_WHOLE = 1000  # corners up to which the whole visibility graph is made
# of cells as large as squares of edge 1; of a quadtree the smallest
_EDGES = {
    "square": 1.0,
    "hexagonal": (1.5 * 3**0.5) ** -0.5,
    "triangular": (3**0.5 / 4) ** -0.5,
    "quadtree": 1 / 3,
}
Ends = tuple[tuple[float, float], tuple[float, float]]
QUERIES = ("easy", "hard")
_ENDS: dict[str, Ends] = {
    "easy": ((BOUNDS[2] - 3, 3.0), (3.0, BOUNDS[3] - 3)),
    "hard": ((3.0, 3.0), (BOUNDS[2] - 3, BOUNDS[3] - 3)),
}


def search_table(names: Sequence[str] = (), *, repeats: int = RUNS, limit: int = LIMIT) -> Table:
    """Return all searches of the table (or those named) on the easy way and the hard one.

    On a grid of squares of edge 2 where a method takes grids, else in the world of polygons. excess: above the shortest
    way in the world; t: one query, on a prepared map where there is such a class.
    """
    world = obstacle_map()
    place = _Place("", world, rasterize(world, side=SIDE), SIDE, VisibilityGraph(world), _ENDS)
    note = f"at most {limit} expansions; excess: above the shortest way of any angle in the world, {place.lengths()}"
    return Table("Every search on the map with obstacles", tuple(place.searches(names, repeats, limit)), note)


def space_table(*, repeats: int = RUNS) -> Table:
    """Return all discretisations of the table, with cells of equal area, and A* between places joined to them."""
    world = obstacle_map()
    place = _Place("", world, rasterize(world, side=SIDE), SIDE, VisibilityGraph(world), _ENDS)
    note = f"squares, hexagons and triangles of 36 px²; shortest ways {place.lengths()}"
    return Table("Every discretisation on the map with obstacles", tuple(place.spaces(6.0, repeats)), note)


def game_search_table(games: Sequence[GameMap], *, repeats: int = RUNS, limit: int = LIMIT) -> Table:
    """Return all searches on maps of games, between the ends of parts 2 (easy) and 3 (hard).

    On the cells of the map where a method takes grids, else in the world of their outlines.
    """
    rows = [row for game in games for row in _of(game).searches((), repeats, limit)]
    note = f"at most {limit} expansions; excess: above the shortest way of any angle in the world of the map's outlines"
    return Table("Every search on maps of games", tuple(rows), note)


def game_space_table(games: Sequence[GameMap], *, repeats: int = RUNS) -> Table:
    """Return all discretisations of maps of games, with squares, hexagons and triangles as large as a cell."""
    rows = [row for game in games for row in _of(game).spaces(1.0, repeats)]
    return Table("Every discretisation on maps of games", tuple(rows), "squares, hexagons and triangles of 1 px²")


def _of(game: GameMap) -> _Place:
    parts = game.parts()
    ends = {name: game.ends(parts[part]) for name, part in (("easy", 2), ("hard", 3)) if part in parts}
    return _Place(game.name, game.world, game.grid, 1.0, game.exact, ends)


@dataclass(frozen=True)
class _Place:
    """A map as polygons and as cells, and the queries that are asked there; without a name it is the only one."""

    name: str
    world: World
    grid: Grid
    side: float
    exact: VisibilityGraph
    ends: Mapping[str, Ends]

    def best(self, query: str) -> float:
        """Return the length of the shortest way there is."""
        return walked(self.exact.find(*self.ends[query]))

    def lengths(self) -> str:
        """Return the lengths of the shortest ways in words."""
        return ", ".join(f"{self.best(query):.1f} px ({query})" for query in self.ends)

    def searches(self, names: Sequence[str], repeats: int, limit: int) -> Iterator[dict[str, object]]:
        """Give a row for each search."""
        for row in METHODS:
            if row.family == "search" and (not names or row.name in names):
                yield ({"map": self.name} if self.name else {}) | self._search(row, repeats, limit)

    def _search(self, row: Method, repeats: int, limit: int) -> dict[str, object]:
        on_grid = "grid" in row.spaces
        space = self.grid if on_grid else self.world
        fixed = dict(row.fixed)
        if on_grid:
            fixed |= {"neighbours": row.neighbours[0], "corners": row.corners[0]}
        prepared = row.load_prepared()
        kind = "grid" if on_grid else "world"
        try:
            one = partial(row.load(), space, **fixed) if prepared is None else prepared(space, **fixed).find
        except InputError as error:  # a method may refuse a map that it finds too large
            return {"method": row.name, "space": kind, "optimal": row.optimal, "refused": str(error).split("\n")[0]}
        options = inspect.signature(one).parameters
        limited = {"limit": limit} if "limit" in options and options["limit"].default == 0 else {}
        cells: dict[str, object] = {
            "method": row.name,
            "space": kind,
            "optimal": row.optimal,
            "any angle": row.any_angle,
        }
        for query, places in self.ends.items():
            asked = [self._vertex(place) for place in places] if on_grid else list(places)
            action = partial(one, *asked, **limited)
            result, spent = timed(action, repeats)
            length = walked(result) * (self.side if on_grid else 1.0)
            cells |= {
                f"{query} t ms": spent,
                f"{query} expanded": result.stats.get("expanded"),
                f"{query} {PEAK}": allocated(action),
                f"{query} l px": length if result else None,
                f"{query} excess %": 100 * (length / self.best(query) - 1) if result else None,
                f"{query} status": result.status.value,
            }
        return cells

    def _vertex(self, place: tuple[float, float]) -> int:
        return self.grid.vertex(*(int(v // self.side) for v in place))

    def spaces(self, edge: float, repeats: int) -> Iterator[dict[str, object]]:
        """Give a row for each discretisation that makes a graph; edge: of squares, the others are as large."""
        for row in METHODS:
            if row.family != "space" or (row.name == "visibility" and len(self.world.points) > _WHOLE):
                continue
            make = partial(row.load(), self.world, **dict(row.fixed), **_edge(row, edge))
            made, spent = timed(make, repeats)
            if isinstance(made, Graph):
                peak = allocated(make)
                yield ({"map": self.name} if self.name else {}) | self._space(row.name, made, spent, peak, repeats)

    def _space(self, name: str, graph: Graph, spent: float, peak: float, repeats: int) -> dict[str, object]:
        size = graph_size(graph)
        cells: dict[str, object] = {
            "discretisation": name,
            "states": size.states,
            "arcs": size.arcs,
            "mean degree": size.mean_degree,
            "kB": size.bytes / 1000,
            "t ms": spent,
            f"t {PEAK}": peak,
        }
        for query, (start, goal) in self.ends.items():
            whole = joined(graph, self.world, np.array([start, goal])) if graph.size else graph
            if not graph.size:
                continue
            find: Callable[[], Any] = partial(AStar(whole).find, graph.size, graph.size + 1)
            result, search = timed(find, repeats)
            length = walked(result)
            cells |= {
                f"{query} A* ms": search,
                f"{query} expanded": result.stats["expanded"],
                f"{query} l px": length if result else None,
                f"{query} excess %": 100 * (length / self.best(query) - 1) if result else None,
            }
        return cells


def _edge(row: Method, edge: float) -> dict[str, Any]:
    """Return the edge of cells as large as squares of an edge, and a third of it for the least of a quadtree."""
    kind = row.name.partition("-")[0]
    return {"edge": _EDGES[kind] * edge} if kind in _EDGES else {}
