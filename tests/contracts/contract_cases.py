"""The small worlds on which the contracts are checked, and a digest of everything that all methods return on them."""

import sys
from collections.abc import Iterator
from inspect import signature
from itertools import product
from pathlib import Path as FilePath

import networkx as nx
import numpy as np

sys.path.insert(0, str(FilePath(__file__).parent.parent / "search"))

from polygon_worlds import free_places, loose_polygons, touching_triangles

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import METHODS, Method
from anabasis.noun import state_hash
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.scenario import Group, Target
from anabasis.search.breadth_first import breadth_first
from anabasis.search.dijkstra import dijkstra
from anabasis.trajectory import Kinematics
from anabasis.world import World

FREE_SIDES = {"strict": 2, "loose": 1, "none": 0}
RULES = [(neighbours, corners) for neighbours in (8, 4) for corners in FREE_SIDES]


def grids(count: int, seed: int = 7) -> Iterator[Grid]:
    """Random maps, every third one with prices."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        height, width = rng.integers(2, 9, 2)
        cost = rng.integers(1, 5, (height, width)).astype(float) if number % 3 == 2 else np.ones((height, width))
        cost[rng.random(cost.shape) < rng.uniform(0, 0.45)] = np.inf
        if np.isfinite(cost).sum() > 1:
            yield Grid(cost, np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8))


def graphs(count: int, seed: int = 7) -> Iterator[Graph]:
    """Random directed graphs whose weights are at least the Euclidean distance."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, m = rng.integers(2, 16), rng.integers(0, 40)
        points = rng.uniform(0, 9, (n, 2))
        tails, heads = rng.integers(n, size=m), rng.integers(n, size=m)
        weights = np.hypot(*(points[tails] - points[heads]).T) * rng.uniform(1, 2, m)
        yield Graph.from_arcs(points, tails, heads, weights)


def model(space: Grid | Graph, neighbours: int = 8, corners: str = "strict") -> nx.DiGraph:
    """The same world in networkx."""
    graph = nx.DiGraph()
    if isinstance(space, Graph):
        graph.add_nodes_from(range(space.size))
        tails = np.repeat(np.arange(space.size), np.diff(space.indptr)).tolist()
        for u, v, w in zip(tails, space.indices.tolist(), space.weights.tolist(), strict=True):
            graph.add_edge(u, v, weight=min(w, graph.get_edge_data(u, v, {"weight": w})["weight"]))
        return graph
    graph.add_nodes_from(np.flatnonzero(space.free).tolist())
    for y, x, dy, dx in product(range(space.height), range(space.width), (-1, 0, 1), (-1, 0, 1)):
        if not (space.is_free(x, y) and space.is_free(x + dx, y + dy)) or (dx, dy) == (0, 0):
            continue
        sides = space.is_free(x + dx, y) + space.is_free(x, y + dy)
        if not (dx and dy) or (neighbours == 8 and sides >= FREE_SIDES[corners]):
            weight = float(np.hypot(dx, dy) * space.cost[y + dy, x + dx])
            graph.add_edge(space.vertex(x, y), space.vertex(x + dx, y + dy), weight=weight)
    return graph


def worlds(count: int, seed: int = 7) -> Iterator[World]:
    """Random worlds of polygons: apart from each other at any angle, or touching in every way, in turn."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield touching_triangles(rng, 8, 6, 0.3) if number % 2 else loose_polygons(rng, 7)


def ends(world: World, rng: np.random.Generator) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two free places."""
    start, goal = free_places(rng, world, 2)
    return start, goal


def cells_world(grid: Grid) -> World:
    """The blocked cells of a map as squares in a world."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    return World.of(
        (0, 0, grid.width, grid.height), [square + np.array([x, y]) for y, x in np.argwhere(~grid.free).tolist()]
    )


def obeys(row: Method, neighbours: int, corners: str) -> bool:
    """Whether a method takes a rule of movement."""
    return neighbours in row.neighbours and corners in row.corners


def options_for(row: Method, **rule) -> dict:
    """A rule of movement as options of a method, and a limit for searches that may go on for long."""
    known = signature(row.load()).parameters
    limit = {"limit": 2000} if not row.complete and "limit" in known else {}
    return {name: value for name, value in rule.items() if name in known} | limit


def groups(grid: Grid, rng: np.random.Generator) -> Group:
    """A group of up to five units at random places of free cells, with a random target."""
    free = np.flatnonzero(grid.free)
    places = grid.centres(rng.choice(free, int(rng.integers(1, 6)))) + rng.uniform(-0.45, 0.45, 2)
    x, y = grid.centres(rng.choice(free)) + rng.uniform(-0.45, 0.45, 2)
    return Group(places, Target(float(x), float(y)))


def digest() -> str:
    """Return one hash of all that every method of the table returns on a few small worlds."""
    rng = np.random.default_rng(3)
    hashes: list[str] = []
    for row in METHODS:
        if row.family == "mapf":  # their own answers are compared in tests/mapf
            continue
        run = row.load()
        if row.family == "group":
            hashes += [state_hash(run(grid, groups(grid, rng), seed=1)) for grid in grids(4)]
            continue
        if row.family == "drive":
            small = {"population": 4, "extra": 2} if "population" in signature(run).parameters else {}
            world = World.of((0, 0, 20, 10), [[[8, 0], [10, 0], [10, 5], [8, 5]]])
            hashes.append(state_hash(run(world, (2.0, 2.0, 0.0), (17.0, 3.0), Kinematics.car(0.5), seed=1, **small)))
            continue
        if row.family == "space":
            hashes += [state_hash(run(world)) for world in worlds(2)]
            continue
        if "grid" in row.spaces:
            for grid in grids(4):
                start, goal = rng.integers(grid.cost.size, size=2).tolist()
                rules = [rule for rule in RULES if obeys(row, *rule) and (row.priced or grid.uniform)]
                for n, c in rules:
                    hashes.append(state_hash(run(grid, start, goal, **options_for(row, neighbours=n, corners=c))))
        if "graph" in row.spaces:
            hashes += [state_hash(run(graph, 0, graph.size - 1, **options_for(row))) for graph in graphs(3)]
        if "world" in row.spaces:
            hashes += [state_hash(run(world, *ends(world, rng), **options_for(row))) for world in worlds(2)]
    return state_hash(hashes)


def _lie(result: Result, **changes: object) -> Result:
    fields = {"status": result.status, "value": result.value, "reason": result.reason, "bound": result.bound}
    return Result(**{**fields, **changes}, stats=result.stats)


def misprices(space, start, goal, **options) -> Result:
    """Breaks a promise: the cost is not the walked one."""
    result = dijkstra(space, start, goal, **options)
    path = result.value
    return _lie(result, value=Path(path.vertices, path.points, path.cost + 1)) if path else result


def goes_round(space, start, goal, **options) -> Result:
    """Breaks a promise: the path has the fewest steps, not the least cost."""
    result = breadth_first(space, start, goal, **options)
    return _lie(result, bound=result.value.cost) if result.value else result


def overstates(space, start, goal, **options) -> Result:
    """Breaks a promise: the bound is above the optimum."""
    result = dijkstra(space, start, goal, **options)
    return _lie(result, bound=result.bound + 1) if result else result


def gives_up(space, start, goal, **options) -> Result:
    """Breaks a promise: finds no way where there is one."""
    result = dijkstra(space, start, goal, **options)
    return Result(Status.LIMIT, reason="tired", stats=result.stats) if result else result


def wavers(space, start, goal, **options) -> Result:
    """Breaks a promise: never returns the same twice."""
    _TIMES.append(0)
    result = dijkstra(space, start, goal, **options)
    return _lie(result, reason=result.reason + "!" * len(_TIMES))


_TIMES: list[int] = []


if __name__ == "__main__":
    print(digest())
