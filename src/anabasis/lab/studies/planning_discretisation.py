"""Discretisations side by side: polygonal maps by the number of obstacles, grids by the length of an edge, cover.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011): its tables 5.1,
5.2 and 5.3 and figure 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import shapely

from anabasis.decompose.cells import Cells
from anabasis.decompose.lattices import hexagonal_lattice, lattice_cells, square_lattice
from anabasis.decompose.obstacles import world_of_picture
from anabasis.decompose.polygons import polygons_of
from anabasis.decompose.size import graph_size
from anabasis.decompose.visibility import visibility
from anabasis.graph import Graph
from anabasis.lab.studies.planning_maps import (
    OBSTACLES,
    corner_place,
    empty_map,
    obstacle_map,
    octagon_map,
    picture_of,
)
from anabasis.lab.studies.planning_record import PEAK, RUNS, Spread, Table, allocated, records, timed, walked
from anabasis.lab.studies.planning_source import COVER, GRIDS, POLYGONS
from anabasis.search.astar import AStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = [
    "EDGES",
    "KINDS",
    "cover_row",
    "cover_table",
    "grid_row",
    "grid_table",
    "lattice_of",
    "polygon_row",
    "polygon_search_row",
    "polygon_search_table",
    "polygon_table",
]

Place = tuple[float, float]

EDGES = tuple(range(2, 11))
KINDS = ("sq-4", "sq-8", "hex")


def polygon_table(counts: Sequence[int] = OBSTACLES, *, repeats: int = RUNS) -> Table:
    """Return table 5.1: obstacles found in a picture and made the states of a visibility graph."""
    rows: list[dict[str, object]] = []
    for n in counts:
        picture = picture_of(octagon_map(n))
        world, found = timed(lambda picture=picture: world_of_picture(picture), repeats)
        source = {"states": 8 * n} | dict(zip(("t_p ms", "t_d ms", "m_d kB"), POLYGONS[n], strict=False))
        rows.append(
            {
                "obstacles": n,
                **polygon_row(world, found, repeats),
                **{f"source {name}": value for name, value in source.items()},
            }
        )
    note = (
        "t_p: obstacles from the picture; t_d: the graph of them, and in the column before the last two of ours only "
        "its tangents; m_d: the places of the states, graph kB: all arrays of the graph"
    )
    return Table("Table 5.1: polygonal maps", tuple(rows), note)


def polygon_row(world: World, found: Spread, repeats: int, *, most: int = 2500) -> dict[str, object]:
    """Return what the visibility graph of a world has and takes; the whole one only up to so many corners."""
    tangent, part = timed(lambda: visibility(_again(world), tangent=True), repeats)
    row: dict[str, object] = {"states": tangent.size, "arcs": None, "t_p ms": found, "t_d ms": None, "m_d kB": None}
    row |= {"graph kB": None, f"t_d {PEAK}": None}
    if tangent.size <= most and len(world.points) <= most:
        graph, whole = timed(lambda: visibility(_again(world)), repeats)
        row |= {"states": graph.size, "arcs": len(graph.indices), "t_d ms": whole}
        row |= {"m_d kB": graph.points.nbytes / 1000, "graph kB": graph_size(graph).bytes / 1000}
        row[f"t_d {PEAK}"] = allocated(lambda: visibility(_again(world)))
    row |= {"tangent arcs": len(tangent.indices), "tangent t_d ms": part}
    row |= {"tangent graph kB": graph_size(tangent).bytes / 1000}
    return {**row, f"tangent {PEAK}": allocated(lambda: visibility(_again(world), tangent=True))}


def _again(world: World) -> World:
    """The same world as a new object, whose free space is not known yet."""
    return World(world.bounds, world.points, world.rings)


def polygon_search_table(counts: Sequence[int] = OBSTACLES, *, repeats: int = RUNS) -> Table:
    """Return table 5.2: A* on the visibility graph from the upper right corner to the lower left one."""
    ends = corner_place("upper right"), corner_place("lower left")
    rows: list[dict[str, object]] = []
    for n in counts:
        world = octagon_map(n)
        source = {"source t ms": POLYGONS[n][3], "source m_s B": POLYGONS[n][4]}
        rows.append({"obstacles": n, **polygon_search_row(world, *ends, repeats), **source})
    note = (
        "tangent: the prepared search that joins the ends itself; the first source time is printed as below 1 ms; "
        "peak: one search on a graph that is there"
    )
    return Table("Table 5.2: A* on the visibility graph", tuple(rows), note)


def polygon_search_row(
    world: World, start: Place, goal: Place, repeats: int, *, tangent: bool = False
) -> dict[str, object]:
    """Return how A* does on the visibility graph with both ends in it; tangent: on tangents alone."""
    graph = visibility(world, tangent=tangent, places=[start, goal])
    s, g = graph.size - 2, graph.size - 1
    search, prepared = AStar(graph), VisibilityGraph(world)
    result, spent = timed(lambda: search.find(s, g), repeats)
    taut, join = timed(lambda: prepared.find(start, goal), repeats)
    return {
        "l px": walked(result),
        "t ms": spent,
        "expanded": result.stats["expanded"],
        "records": records(search.find(s, g, traced=True).trace),
        f"t {PEAK}": allocated(lambda: AStar(graph).find(s, g)),
        "tangent l px": walked(taut),
        "tangent t ms": join,
        "tangent expanded": taut.stats["expanded"],
    }


def grid_table(edges: Sequence[int] = EDGES, *, repeats: int = RUNS) -> Table:
    """Return table 5.3: lattices of the empty map."""
    world = empty_map()
    names = "sq states", "sq-4 t ms", "sq-4 m kB", "sq-8 t ms", "sq-8 m kB", "hex states", "hex t ms", "hex m kB"
    rows: list[dict[str, object]] = [
        {
            "a px": a,
            **grid_row(world, a, repeats),
            **{f"source {name}": value for name, value in zip(names, GRIDS[a], strict=True)},
        }
        for a in edges
    ]
    note = "m: bytes of the graph's arrays; the source's 658 kB at a = 4 is taken for a slip (all others: 59 B a state)"
    return Table("Table 5.3: lattices of the empty map", tuple(rows), note)


def grid_row(world: World, edge: float, repeats: int) -> dict[str, object]:
    """Return what the three lattices of a world have and take."""
    row: dict[str, object] = {}
    for kind in KINDS:
        graph, spent = timed(partial(lattice_of, kind, edge, world), repeats)
        row |= {"sq states" if kind == "sq-4" else f"{kind} states": graph.size} if kind != "sq-8" else {}
        row |= {f"{kind} t ms": spent, f"{kind} m kB": graph_size(graph).bytes / 1000}
        row[f"{kind} {PEAK}"] = allocated(partial(lattice_of, kind, edge, world))
    return row


def lattice_of(kind: str, edge: float, world: World) -> Graph:
    """Return a lattice of a map: sq-4, sq-8 or hex."""
    if kind == "hex":
        return hexagonal_lattice(world, edge=edge)
    return square_lattice(world, edge=edge, neighbours=int(kind[-1]))


def cover_table() -> Table:
    """Return how much of the free space cells describe, at about equal numbers of states in the empty map."""
    maps = {"empty": empty_map(), "obstacles": obstacle_map(), "octagons": octagon_map(42)}
    rows: list[dict[str, object]] = []
    for name, world in maps.items():
        room = shapely.area(shapely.box(*world.bounds)) - sum(shapely.area(polygon) for polygon in polygons_of(world))
        for kind, edge in (("square", 8.0), ("hexagonal", 5.0)):
            source = {"source states": COVER[kind].get(name)}
            rows.append({"map": name, "cells": kind, **cover_row(world, kind, edge, room), **source})
    note = (
        "kept: the share of the cells of a map without obstacles; cover: area of the cells, as a share of the free "
        "area; parts: how many of them are connected"
    )
    return Table("Figure 5.3: cover of free space", tuple(rows), note)


def cover_row(world: World, kind: str, edge: float, room: float) -> dict[str, object]:
    """Return how much of the free space of a world, room px², cells describe."""
    # the hexagons reach over the lower bound as in the source's counts
    overhang = 0.3 if kind == "hexagonal" else 0.0
    cells = lattice_cells(world, kind, edge=edge, overhang=overhang)
    whole = lattice_cells(World.of(world.bounds, []), kind, edge=edge, overhang=overhang)
    area = float(shapely.area(shapely.polygons(cells.outlines)).sum()) if cells.graph.size else 0.0
    return {
        "a px": edge,
        "states": cells.graph.size,
        "kept": cells.graph.size / whole.graph.size,
        "area px²": area,
        "cover": area / room,
        "parts": _parts(cells),
    }


def _parts(cells: Cells) -> int:
    """Return how many connected parts the cells make."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = cells.graph
    matrix = csr_array((graph.weights, graph.indices, graph.indptr), (graph.size, graph.size))
    return int(connected_components(matrix, directed=False)[0])
