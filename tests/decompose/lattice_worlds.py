"""Random worlds of polygons, some with holes, and what Shapely says of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely

from anabasis.graph import Graph
from anabasis.world import World


def polygon_worlds(count: int, seed: int = 5) -> Iterator[World]:
    """Worlds of up to nine obstacles: boxes with whole corners, star-shaped polygons, and rings with a hole."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        left, top = (0.0, 0.0) if number % 2 else (float(rng.integers(-9, 9)), float(rng.uniform(-9, 9)))
        width, height = rng.uniform(12, 24, 2) if number % 3 else rng.integers(12, 24, 2)
        rings: list[Any] = []
        for slot in range(9):
            middle = np.array([left + width * (slot % 3 + 0.5) / 3, top + height * (slot // 3 + 0.5) / 3])
            room = min(width, height) / 6.2
            kind = int(rng.integers(5))
            if kind < 2:
                turns = np.sort(rng.uniform(0, 2 * np.pi, 3 + 3 * kind)) + np.arange(3 + 3 * kind) * 1e-3
                if np.diff([*turns, turns[0] + 2 * np.pi]).max() < np.pi:
                    far = rng.uniform(0.4, 1, len(turns)) * room
                    rings.append(middle + far[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1))
            elif kind == 2:
                a, b = np.round(middle - room * 0.7), np.round(middle + room * 0.7)
                rings.append([a, (b[0], a[1]), b, (a[0], b[1])])
            elif kind == 3:
                square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * room
                rings += [middle + square * 0.9, middle + square[::-1] * 0.6]
        yield World.of((left, top, left + float(width), top + float(height)), rings)


def blocked(world: World) -> Any:
    """What is blocked inside the bounds, by the even-odd rule."""
    area: Any = shapely.Polygon()
    for k in range(len(world.rings) - 1):
        area = area.symmetric_difference(shapely.Polygon(world.points[world.rings[k] : world.rings[k + 1]]))
    shapely.prepare(area)
    return area


def arcs_of(graph: Graph) -> dict[tuple[int, int], float]:
    """The arcs of a graph with their weights; each pair once."""
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr)).tolist()
    arcs = dict(zip(zip(tails, graph.indices.tolist(), strict=True), graph.weights.tolist(), strict=True))
    assert len(arcs) == len(graph.indices)
    return arcs
