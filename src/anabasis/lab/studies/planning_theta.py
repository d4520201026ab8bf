"""A*, A* with post-smoothing and Theta* on lattices of squares and hexagons, beside the shortest ways that there are.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011): its tables 5.4,
5.5 and 5.6. Part 1 is an empty map, with the ends that follow from the published lengths; part 2 a map with obstacles
from the upper right to the lower left, the easy way; part 3 the same map from the upper left to the lower right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from anabasis.decompose.nearest import nearest_state
from anabasis.graph import Graph
from anabasis.lab.studies.planning_discretisation import lattice_of
from anabasis.lab.studies.planning_games import GameMap
from anabasis.lab.studies.planning_maps import BOUNDS, empty_map, obstacle_map
from anabasis.lab.studies.planning_record import PEAK, RUNS, Table, allocated, records, timed, walked
from anabasis.lab.studies.planning_source import THETA, THETA_COLUMNS
from anabasis.search.astar import AStar
from anabasis.search.smoothing import post_smooth
from anabasis.search.theta import ThetaStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["LATTICES", "ends", "game_table", "lattice", "theta_row", "theta_table"]

LATTICES = ("sq-4", "sq-8", "hex")
_NUMBER = {"sq-4": "5.4", "sq-8": "5.5", "hex": "5.6"}
_STEP = 3**0.5 / 2  # half the height of a hexagon of edge 1
# of part 1: how far the goal lies to the left of the start and below it; hexagons in columns and half rows
_OFFSETS = {
    "sq-4": {2: (428, 278), 6: (420, 270), 10: (420, 270)},
    "sq-8": {2: (444, 294), 6: (432, 282), 10: (440, 290)},
    "hex": {2: (147, 169), 6: (48, 56), 10: (28, 32)},
}
NOTE = (
    "t: search; PS t_s: smoothing alone, its search is that of A*; expanded: states; records: states seen at all; "
    "peak: one search from nothing on a graph that is there; sight: tests of line of sight; optimum: the shortest way "
    "between the ends in the world itself. The Euclidean estimate everywhere, as in the source; touching is no hit"
)
_INSET = 3.0  # of parts 2 and 3: the ends are the states nearest to places so far inside of the corners


@cache
def lattice(kind: str, edge: int, part: int) -> tuple[World, Graph]:
    """Return the map of a part and its lattice: sq-4, sq-8 or hex."""
    world = empty_map() if part == 1 else obstacle_map()
    return world, lattice_of(kind, edge, world)


def ends(kind: str, edge: int, part: int) -> tuple[int, int]:
    """Return the states at which a way of a part begins and ends."""
    points = lattice(kind, edge, part)[1].points
    if part == 1:
        x, y = _OFFSETS[kind][edge]
        offset = np.array([-1.5 * edge * x, _STEP * edge * y]) if kind == "hex" else np.array([-x, y], np.float64)
        middle = (np.array(BOUNDS[2:]) - offset) / 2
        for start in np.argsort(((points - middle) ** 2).sum(axis=1), kind="stable")[:1000]:
            away = ((points - points[start] - offset) ** 2).sum(axis=1)
            if away.min() < 1e-6:
                return int(start), int(away.argmin())
        raise ValueError("no two states are so far apart")
    left, right = _INSET, BOUNDS[2] - _INSET
    upper, lower = _INSET, BOUNDS[3] - _INSET
    places = ((right, upper), (left, lower)) if part == 2 else ((left, upper), (right, lower))
    s, g = (int(((points - place) ** 2).sum(axis=1).argmin()) for place in places)
    return s, g


def theta_table(kind: str, *, rows: Sequence[tuple[int, int]] = (), repeats: int = RUNS) -> Table:
    """Return table 5.4 (sq-4), 5.5 (sq-8) or 5.6 (hex); rows: parts and edges, by default those of the source.

    Hexagons of edge 6 and 10 are tried in part 3 too, where the source found that they do not lead out of the corner.
    """
    wanted = rows or [*THETA[kind], *([(3, 6), (3, 10)] if kind == "hex" else [])]
    made: list[dict[str, object]] = []
    for part, a in wanted:
        world, graph = lattice(kind, a, part)
        source = THETA[kind].get((part, a), (None,) * len(THETA_COLUMNS))
        printed = {f"source {name}": value for name, value in zip(THETA_COLUMNS, source, strict=True)}
        row: dict[str, object] = {"part": part, "lattice": kind, "a px": a, "states": graph.size}
        row |= theta_row(VisibilityGraph(world), world, graph, ends(kind, a, part), repeats)
        made.append(dict(_beside_records(row, printed)))
    return Table(f"Table {_NUMBER[kind]}: {kind}", tuple(made), NOTE)


def _beside_records(row: Mapping[str, object], printed: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Give the columns of ours and those printed, memory of a search next to its records."""
    for name, value in row.items():
        yield name, value
        memory = f"source {name.removesuffix(' records')} m kB"
        if memory in printed:
            yield memory, printed[memory]
    yield from printed.items()


def theta_row(
    exact: VisibilityGraph, world: World, graph: Graph, query: tuple[int, int], repeats: int = RUNS
) -> dict[str, object]:
    """Return how the three searches do between two states of a graph of a world, or why there is no way."""
    s, g = query
    astar, theta = AStar(graph, metric="euclidean"), ThetaStar(graph, world=world)
    straight, t_a = timed(lambda: astar.find(s, g), repeats)
    path = straight.value
    if path is None:
        return {"status": straight.reason}
    smooth, t_s = timed(lambda: post_smooth(world, path), repeats)
    any_angle, t_t = timed(lambda: theta.find(s, g), repeats)
    best = exact.find(*(tuple(graph.points[v].tolist()) for v in (s, g)))
    return {
        "status": "way found",
        "A* t ms": t_a,
        "A* expanded": straight.stats["expanded"],
        "A* records": records(astar.find(s, g, traced=True).trace),
        f"A* {PEAK}": allocated(lambda: AStar(graph, metric="euclidean").find(s, g)),
        "A* l px": path.cost,
        "PS t_s µs": t_s.times(1000),
        "PS l px": smooth.cost,
        "Theta* t ms": t_t,
        "Theta* expanded": any_angle.stats["expanded"],
        "Theta* records": records(theta.find(s, g, traced=True).trace),
        f"Theta* {PEAK}": allocated(lambda: ThetaStar(graph, world=world).find(s, g)),
        "Theta* sight": any_angle.stats["sight"],
        "Theta* l px": walked(any_angle),
        "optimum px": walked(best),
    }


def game_table(games: Sequence[GameMap], *, repeats: int = RUNS) -> Table:
    """Return the columns of tables 5.4 to 5.6 for maps of games: each part's query on three lattices.

    Squares are the cells of the map; hexagons are as large.
    """
    made: list[dict[str, object]] = []
    for game in games:
        for kind in LATTICES:
            edge = 1.0 if kind != "hex" else (1.5 * 3**0.5) ** -0.5
            graph = lattice_of(kind, edge, game.world)
            for part, query in game.parts().items():
                start, goal = game.ends(query)
                row: dict[str, object] = {"map": game.name, "part": part, "lattice": kind, "states": graph.size}
                states = nearest_state(graph, game.world, start), nearest_state(graph, game.world, goal)
                row |= theta_row(game.exact, game.world, graph, states, repeats)
                made.append({**row, "published 8-way l px": float(game.scen.length[query]) if kind == "sq-8" else None})
    return Table("Tables 5.4 to 5.6 on maps of games", tuple(made), NOTE)
