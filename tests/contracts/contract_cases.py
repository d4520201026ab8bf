"""The small worlds on which the contracts are checked, and a digest of everything that all methods return on them."""

from collections.abc import Iterator
from itertools import product

import networkx as nx
import numpy as np

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.methods import METHODS
from anabasis.noun import state_hash
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.scenario import Group, Target
from anabasis.search.breadth_first import breadth_first
from anabasis.search.dijkstra import dijkstra

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
        run = row.load()
        for grid in grids(4):
            if row.family == "group":
                hashes.append(state_hash(run(grid, groups(grid, rng), seed=1)))
            elif "grid" in row.spaces:
                start, goal = rng.integers(grid.cost.size, size=2).tolist()
                hashes += [state_hash(run(grid, start, goal, neighbours=n, corners=c)) for n, c in RULES]
        for graph in graphs(3):
            if row.family == "search" and "graph" in row.spaces:
                hashes.append(state_hash(run(graph, 0, graph.size - 1)))
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
