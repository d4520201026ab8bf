"""Worlds that change at random."""

import numpy as np

from anabasis import Graph, Grid, World
from anabasis.decompose.lattices import hexagonal_lattice


def ground(cost) -> Grid:
    return Grid(cost, np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8))


def grid_world(rng: np.random.Generator, terrain, side: int = 14) -> Grid:
    """A map of up to side × side with up to 40 % of its cells blocked and the others at one of those prices."""
    height, width = rng.integers(1, side + 1, 2)
    free = rng.random((height, width)) >= rng.uniform(0, 0.4)
    return ground(np.where(free, rng.choice(terrain, (height, width)), np.inf))


def directed_world(rng: np.random.Generator, size: int = 40) -> Graph:
    """A random directed graph, with parallel arcs and loops."""
    n = int(rng.integers(1, size + 1))
    points = rng.uniform(0, 10, (n, 2))
    arcs = rng.integers(0, n, (int(rng.integers(0, 4 * n + 1)), 2))
    weights = np.hypot(*(points[arcs[:, 0]] - points[arcs[:, 1]]).T) * rng.uniform(1, 3, len(arcs)) + 0.01
    return Graph.from_arcs(points, arcs[:, 0], arcs[:, 1], weights)


def hexagonal_world(rng: np.random.Generator) -> Graph:
    width, height = rng.integers(6, 18, 2).tolist()
    return hexagonal_lattice(World.of((0, 0, width, height), []), overhang=0.0)


def cell_changes(rng: np.random.Generator, now, terrain, most: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """New prices for 1 to `most` cells: blocked, unblocked, dearer, cheaper or as before."""
    k = int(rng.integers(1, min(most, now.size) + 1))
    cells = rng.choice(now.size, k, replace=False)
    prices = np.where(rng.random(k) < 0.4, np.inf, rng.choice(terrain, k).astype(float))
    return cells, prices


def arc_changes(rng: np.random.Generator, graph: Graph, most: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """New weights for some arcs: removed, or 1 to 4 times the distance of their ends."""
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    chosen = rng.choice(len(tails), int(rng.integers(1, min(most, len(tails)) + 1)), replace=False)
    ends = tails[chosen], graph.indices[chosen]
    weights = np.hypot(*(graph.points[ends[0]] - graph.points[ends[1]]).T) * rng.uniform(1, 4, len(chosen)) + 0.01
    return *ends, np.where(rng.random(len(chosen)) < 0.4, np.inf, weights)


class Arcs:
    """The arcs of a graph as they stand after changes, parallel ones changing together, and prices of vertices."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
        self.weights = graph.weights.copy()
        self.prices = np.ones(graph.size)

    def change(self, tails, heads, weights) -> None:
        for tail, head, weight in zip(tails, heads, weights, strict=True):
            self.weights[(self.tails == tail) & (self.graph.indices == head)] = weight

    def now(self) -> Graph:
        costs = np.where(np.isinf(self.prices[self.tails]), np.inf, self.weights * self.prices[self.graph.indices])
        there = np.isfinite(costs)
        return Graph.from_arcs(
            self.graph.points, self.tails[there], self.graph.indices[there], costs[there], self.graph.metric
        )
