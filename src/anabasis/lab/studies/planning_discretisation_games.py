"""Discretisations side by side on maps of games: the tables of `planning_discretisation` once more, on Moving AI's.

The columns are those of the source's tables 5.1, 5.2 and 5.3 and figure 5.3, with a cell of the map as the unit. A map
has rings where the source has obstacles; t_p is the time to outline them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anabasis.decompose.outline import grid_world
from anabasis.grid import Grid
from anabasis.lab.studies.planning_discretisation import cover_row, grid_row, polygon_row, polygon_search_row
from anabasis.lab.studies.planning_games import GameMap
from anabasis.lab.studies.planning_record import RUNS, Table, timed

__all__ = ["cover_table", "grid_table", "polygon_search_table", "polygon_table"]

EDGES = (1, 2, 4)
WHOLE = 2500  # corners up to which the whole visibility graph is made
_SAME = (1.5 * 3**0.5) ** 0.5  # the edge of a square with the area of a hexagon of edge 1


def polygon_table(games: Sequence[GameMap], *, repeats: int = RUNS) -> Table:
    """Return table 5.1 for maps of games: the outlines of what is blocked, and visibility graphs of them."""
    rows: list[dict[str, object]] = []
    for game in games:
        world, found = timed(lambda game=game: grid_world(game.grid), repeats)
        row = {"map": game.name, "obstacles": len(world.rings) - 1, "corners": len(world.points)}
        rows.append({**row, **polygon_row(world, found, repeats, most=WHOLE)})
    note = f"t_p: outlines of the blocked cells; the whole graph up to {WHOLE} corners, its tangents always"
    return Table("Table 5.1 on maps of games: polygonal maps", tuple(rows), note)


def polygon_search_table(games: Sequence[GameMap], *, repeats: int = RUNS) -> Table:
    """Return table 5.2 for maps of games: A* on the tangents between the ends of each part's query."""
    rows: list[dict[str, object]] = [
        {
            "map": game.name,
            "part": part,
            **polygon_search_row(game.world, *game.ends(row), repeats, tangent=True),
            "published 8-way l px": float(game.scen.length[row]),
        }
        for game in games
        for part, row in game.parts().items()
    ]
    note = "on the graph of tangents; the published length is that of moves between cells, which cannot be shorter"
    return Table("Table 5.2 on maps of games: A* on the visibility graph", tuple(rows), note)


def grid_table(games: Sequence[GameMap], *, repeats: int = RUNS) -> Table:
    """Return table 5.3 for maps of games: lattices, and the number of wholly free squares as counted in the map."""
    rows: list[dict[str, object]] = [
        {
            "map": game.name,
            "a px": edge,
            "free squares": _free_squares(game.grid, edge),
            **grid_row(game.world, edge, repeats),
        }
        for game in games
        for edge in EDGES
    ]
    note = "free squares: blocks of a × a cells all free, counted in the map's file; m: bytes of arrays"
    return Table("Table 5.3 on maps of games: lattices", tuple(rows), note)


def _free_squares(grid: Grid, edge: int) -> int:
    height, width = grid.height // edge, grid.width // edge
    blocks = grid.free[: height * edge, : width * edge].reshape(height, edge, width, edge)
    return int(np.count_nonzero(blocks.all(axis=(1, 3))))


def cover_table(games: Sequence[GameMap]) -> Table:
    """Return how much of the free space squares of edge 2 and hexagons of the same area describe."""
    rows = [
        {"map": game.name, "cells": kind, **cover_row(game.world, kind, edge, float(game.grid.free.sum()))}
        for game in games
        for kind, edge in (("square", 2.0), ("hexagonal", 2.0 / _SAME))
    ]
    return Table("Figure 5.3 on maps of games: cover of free space", tuple(rows), "cells of 4 px²")
