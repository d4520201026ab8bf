"""Discretisations side by side: polygonal maps by the number of obstacles, grids by the length of an edge, cover.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011): its tables 5.1,
5.2 and 5.3 and figure 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from anabasis.decompose.cells import Cells
from anabasis.decompose.lattices import hexagonal_lattice, lattice_cells, square_lattice
from anabasis.decompose.obstacles import world_of_picture
from anabasis.decompose.polygons import polygons_of
from anabasis.decompose.size import graph_size
from anabasis.decompose.visibility import visibility
from anabasis.lab.studies.flow_claims import Finding
from anabasis.lab.studies.planning_maps import (
    OBSTACLES,
    corner_place,
    empty_map,
    obstacle_map,
    octagon_map,
    picture_of,
)
from anabasis.lab.studies.planning_record import Table, power, records, timed, walked
from anabasis.search.astar import AStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["cover_table", "findings", "grid_table", "polygon_search_table", "polygon_table"]

EDGES = tuple(range(2, 11))
# number of obstacles: time to find them, time and memory of the discretisation, time and memory of the search
_POLYGONS = {
    16: (1784, 122, 3, 1.0, 128),
    24: (2342, 254, 4, 1.3, 565),
    42: (3464, 676, 7, 2.3, 1504),
    74: (4906, 2035, 12, 10.0, 5963),
    86: (5911, 2467, 14, 12.4, 8544),
}
# edge: states of the squares, time and memory with 4 neighbours, with 8; states, time and memory of the hexagons
_GRIDS = {
    2: (33750, 52081, 1109, 94838, 1990, 12814, 15232, 798),
    3: (15000, 10202, 492, 19610, 882, 5693, 3638, 354),
    4: (8400, 3310, 275, 6148, 658, 3225, 1410, 200),
    5: (5400, 1463, 177, 2732, 317, 2006, 449, 124),
    6: (3750, 726, 123, 1259, 220, 1397, 250, 86),
    7: (2688, 395, 88, 693, 157, 1029, 155, 63),
    8: (2072, 265, 67, 429, 121, 777, 107, 48),
    9: (1650, 162, 53, 294, 96, 627, 76, 39),
    10: (1350, 122, 44, 203, 79, 493, 72, 30),
}


def polygon_table(counts: Sequence[int] = OBSTACLES, *, repeats: int = 5) -> Table:
    """Return table 5.1: obstacles found in a picture and made the states of a visibility graph."""
    rows: list[dict[str, object]] = []
    for n in counts:
        picture = picture_of(octagon_map(n))
        world, found = timed(lambda picture=picture: world_of_picture(picture), repeats)
        graph, whole = timed(lambda world=world: visibility(_again(world)), repeats)
        tangent, part = timed(lambda world=world: visibility(_again(world), tangent=True), repeats)
        rows.append(
            {
                "obstacles": n,
                "states": graph.size,
                "arcs": len(graph.indices),
                "tangent arcs": len(tangent.indices),
                "t_p ms": found,
                "t_d ms": whole,
                "tangent t_d ms": part,
                "states B": graph.points.nbytes,
                "graph B": graph_size(graph).bytes,
                "source states": 8 * n,
                "source t_p ms": _POLYGONS[n][0],
                "source t_d ms": _POLYGONS[n][1],
                "source m_d kB": _POLYGONS[n][2],
            }
        )
    return Table("Table 5.1: polygonal maps", tuple(rows), "t_p: obstacles from the picture; t_d: the graph of them")


def _again(world: World) -> World:
    """The same world as a new object, whose free space is not known yet."""
    return World(world.bounds, world.points, world.rings)


def polygon_search_table(counts: Sequence[int] = OBSTACLES, *, repeats: int = 5) -> Table:
    """Return table 5.2: A* on the visibility graph from the upper right corner to the lower left one."""
    start, goal = corner_place("upper right"), corner_place("lower left")
    rows: list[dict[str, object]] = []
    for n in counts:
        world = octagon_map(n)
        graph = visibility(world, places=[start, goal])
        s, g = graph.size - 2, graph.size - 1
        search, prepared = AStar(graph), VisibilityGraph(world)
        result, spent = timed(lambda search=search, s=s, g=g: search.find(s, g), repeats)
        taut, tangent = timed(lambda prepared=prepared: prepared.find(start, goal), repeats)
        rows.append(
            {
                "obstacles": n,
                "l px": walked(result),
                "t ms": spent,
                "expanded": result.stats["expanded"],
                "records": records(search.find(s, g, traced=True).trace),
                "tangent l px": walked(taut),
                "tangent t ms": tangent,
                "tangent expanded": taut.stats["expanded"],
                "source t ms": _POLYGONS[n][3],
                "source m_s B": _POLYGONS[n][4],
            }
        )
    note = "tangent: the prepared search that joins the ends itself; the first source time is printed as below 1 ms"
    return Table("Table 5.2: A* on the visibility graph", tuple(rows), note)


def grid_table(edges: Sequence[int] = EDGES, *, repeats: int = 5) -> Table:
    """Return table 5.3: lattices of the empty map."""
    world = empty_map()
    rows: list[dict[str, object]] = []
    for a in edges:
        four, t4 = timed(lambda a=a: square_lattice(world, edge=a, neighbours=4), repeats)
        eight, t8 = timed(lambda a=a: square_lattice(world, edge=a, neighbours=8), repeats)
        hexagons, t6 = timed(lambda a=a: hexagonal_lattice(world, edge=a), repeats)
        names = "sq states", "sq-4 t ms", "sq-4 m kB", "sq-8 t ms", "sq-8 m kB", "hex states", "hex t ms", "hex m kB"
        kilo = [graph_size(graph).bytes / 1000 for graph in (four, eight, hexagons)]
        ours = four.size, t4, kilo[0], t8, kilo[1], hexagons.size, t6, kilo[2]
        source = {f"source {name}": value for name, value in zip(names, _GRIDS[a], strict=True)}
        rows.append({"a px": a, **dict(zip(names, ours, strict=True)), **source})
    note = "m: bytes of the graph's arrays; the source's 658 kB at a = 4 is taken for a slip (all others: 59 B a state)"
    return Table("Table 5.3: lattices of the empty map", tuple(rows), note)


def cover_table() -> Table:
    """Return how much of the free space cells describe, at about equal numbers of states in the empty map."""
    maps = {"empty": empty_map(), "obstacles": obstacle_map(), "octagons": octagon_map(42)}
    rows: list[dict[str, object]] = []
    for name, world in maps.items():
        room = shapely.area(shapely.box(*world.bounds)) - _blocked(world)
        for kind, edge in (("square", 8.0), ("hexagonal", 5.0)):
            # the hexagons reach over the lower bound as in the source's counts
            overhang = 0.3 if kind == "hexagonal" else 0.0
            cells = lattice_cells(world, kind, edge=edge, overhang=overhang)
            whole = lattice_cells(maps["empty"], kind, edge=edge, overhang=overhang)
            area = float(shapely.area(shapely.polygons(cells.outlines)).sum())
            states = {"square": {"empty": 2072, "obstacles": 1550}, "hexagonal": {"empty": 2006, "obstacles": 1506}}
            rows.append(
                {
                    "map": name,
                    "cells": kind,
                    "a px": edge,
                    "states": cells.graph.size,
                    "kept": cells.graph.size / whole.graph.size,
                    "area px²": area,
                    "cover": area / room,
                    "parts": _parts(cells),
                    "source states": states[kind].get(name),
                }
            )
    return Table(
        "Figure 5.3: cover of free space", tuple(rows), "cover: area of the cells, as a share of the free area"
    )


def _blocked(world: World) -> float:
    return float(sum(shapely.area(polygon) for polygon in polygons_of(world)))


def _parts(cells: Cells) -> int:
    """Return how many connected parts the cells make."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = cells.graph
    matrix = csr_array((graph.weights, graph.indices, graph.indptr), (graph.size, graph.size))
    return int(connected_components(matrix, directed=False)[0])


def findings(polygons: Table, searches: Table, grids: Table, cover: Table) -> list[Finding]:
    """Return what the source claims of discretisations, held against our tables."""
    n, edges = polygons.column("obstacles"), grids.column("a px")
    time, states = power(n, polygons.column("t_d ms")), power(n, polygons.column("states B"))
    whole = power(n, polygons.column("graph B"))
    search = searches.column("t ms")
    squares, hexagons = power(edges, grids.column("sq-8 t ms")), power(edges, grids.column("hex t ms"))
    memory = power(edges, grids.column("sq-8 m kB"))
    of = {(row["map"], row["cells"]): row for row in cover.rows}

    def kept(where: str, cells: str) -> float:
        return float(str(of[where, cells]["cover"]))

    five, eight = (next(row for row in grids.rows if row["a px"] == a) for a in (5, 8))
    ratio = float(str(five["hex t ms"])) / float(str(eight["sq-8 t ms"]))
    exact = grids.column("sq states") == grids.column("source sq states")
    off = [abs(a / b - 1) for a, b in zip(grids.column("hex states"), grids.column("source hex states"), strict=True)]
    per = [1000 * m / s for m, s in zip(grids.column("sq-8 m kB"), grids.column("sq states"), strict=True)]
    eights = [a / b for a, b in zip(grids.column("sq-8 m kB"), grids.column("sq-4 m kB"), strict=True)]
    return [
        Finding(
            "C1: time and memory of polygonal maps rise rapidly with the number of obstacles",
            "time ~ n^1.8, memory of the states ~ n^0.9",
            f"time ~ n^{time:.2f}, memory of the states ~ n^{states:.2f}, of the whole graph ~ n^{whole:.2f}",
            time > 1.2,
        ),
        Finding(
            "C2: search on the visibility graph is fast and does not change dramatically",
            "below 1 to 12.4 ms",
            f"{min(search):.2f} to {max(search):.2f} ms",
            max(search) < 12.4,
        ),
        Finding(
            "C3: time and memory of grids fall rapidly as the edge grows",
            "time ~ a^-3.8 (squares) and a^-3.3 (hexagons), memory ~ a^-2",
            f"time ~ a^{squares:.2f} and a^{hexagons:.2f}, memory ~ a^{memory:.2f}: ours is linear in the states",
            squares < -1 and hexagons < -1 and memory < -1.8,
        ),
        Finding(
            "C4: hexagons are made faster, with fewer states",
            "at the same edge only; at about equal numbers of states 449 against 429 ms",
            f"hexagons of edge 5 took {ratio:.2f} of the time of squares of edge 8 with 8 neighbours",
            ratio < 0.95,
        ),
        Finding(
            "C5: hexagons leave less free area beside obstacles undescribed",
            "74.8 and 75.1 % of the states kept: no difference",
            f"cover of free space by squares and hexagons: {kept('obstacles', 'square'):.3f} and "
            f"{kept('obstacles', 'hexagonal'):.3f} along the axes, {kept('octagons', 'square'):.3f} and "
            f"{kept('octagons', 'hexagonal'):.3f} with diagonals",
            kept("obstacles", "hexagonal") > kept("obstacles", "square")
            and kept("octagons", "hexagonal") > kept("octagons", "square"),
        ),
        Finding(
            "C6: squares suit regular obstacles along the axes better",
            "no number",
            f"cover of squares {kept('obstacles', 'square'):.3f}, of hexagons {kept('obstacles', 'hexagonal'):.3f}",
            kept("obstacles", "square") > kept("obstacles", "hexagonal"),
        ),
        Finding(
            "T1: numbers of states: squares exactly, hexagons within 3 %",
            "as printed",
            f"squares {'equal' if exact else 'differ'}, hexagons off by at most {max(off):.2%}, "
            f"{sum(o == 0 for o in off)} of {len(off)} equal",
            exact and max(off) <= 0.03,
        ),
        Finding(
            "T3: 8 states for each obstacle; A* below 13 ms with 86",
            "688 states, 12.4 ms",
            f"{polygons.column('states')[-1]:.0f} states, {search[-1]:.2f} ms",
            polygons.column("states") == [8 * k for k in n] and search[-1] < 13,
        ),
        Finding(
            "T10: memory a state does not depend on the edge; 8 neighbours take about 1.8 times as much as 4",
            "58 to 59 B a state; 1.8",
            f"{min(per):.0f} to {max(per):.0f} B a state; {min(eights):.2f} to {max(eights):.2f}",
            max(per) / min(per) < 1.1 and 1.3 < min(eights) <= max(eights) < 2.1,
        ),
    ]
