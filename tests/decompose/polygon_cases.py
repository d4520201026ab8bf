"""Random polygonal worlds in whole coordinates, with touching corners, shared edges, holes and passages of no width."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial import Delaunay, QhullError

from anabasis.decompose.outline import grid_world
from anabasis.grid import Grid
from anabasis.world import World


def of_triangles(rng: np.random.Generator) -> World:
    """Some triangles of a triangulation: they share corners and edges."""
    points = np.unique(rng.integers(0, 9, (int(rng.integers(6, 25)), 2)), axis=0).astype(float)
    try:
        triangles = Delaunay(points).simplices
    except QhullError:
        triangles = np.empty((0, 3), int)
    picked = triangles[rng.random(len(triangles)) < rng.uniform(0.2, 0.9)]
    return World.of((0, 0, 8, 8) if rng.random() < 0.5 else (-1, -1, 9, 9), [points[t] for t in picked])


def of_parts(rng: np.random.Generator) -> World:
    """Some parts of a rectangle that has been cut again and again, slanted: corners lie in the middle of edges."""
    matrix = np.array([[rng.integers(1, 3), rng.integers(-1, 2)], [rng.integers(-1, 2), rng.integers(1, 3)]], float)
    if abs(np.linalg.det(matrix)) < 0.5 or rng.random() < 0.5:
        matrix = np.eye(2)
    clipped = bool((matrix == np.eye(2)).all() and rng.random() < 0.4)
    rings: list[np.ndarray] = []

    def cut(x0: int, y0: int, x1: int, y1: int, depth: int) -> None:
        if depth and x1 - x0 > 1 and rng.random() < 0.4:
            x = int(rng.integers(x0 + 1, x1))
            cut(x0, y0, x, y1, depth - 1)
            cut(x, y0, x1, y1, depth - 1)
        elif depth and y1 - y0 > 1 and rng.random() < 0.8:
            y = int(rng.integers(y0 + 1, y1))
            cut(x0, y0, x1, y, depth - 1)
            cut(x0, y, x1, y1, depth - 1)
        elif rng.random() < 0.5:
            rings.append(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float))
            if x1 - x0 > 2 and y1 - y0 > 2 and not clipped:  # a hole that touches the outside, and an island in it
                rings.append(np.array([[x0, y0], [x1, y0 + 1], [x1 - 1, y1], [x0 + 1, y1 - 1]], float))
                rings.append(np.array([[x0 + 1, y0 + 1], [x1 - 1, y0 + 1], [x0 + 1, y1 - 1]], float))

    cut(0, 0, 8, 8, 5)
    frame = np.array([[0, 0], [8, 0], [0, 8], [8, 8]]) @ matrix.T
    bounds = (1.0, 2.0, 7.0, 8.0) if clipped else (*frame.min(axis=0).tolist(), *frame.max(axis=0).tolist())
    return World.of(bounds, [ring @ matrix.T for ring in rings])


def of_cells(rng: np.random.Generator) -> World:
    """A small grid."""
    height, width = rng.integers(1, 9, 2)
    return grid_world(Grid.from_free(rng.random((height, width)) < rng.choice([0.3, 0.5, 0.7, 0.9])))


def worlds(count: int, seed: int = 5) -> Iterator[tuple[World, np.random.Generator]]:
    """Random worlds of each kind in turn, each with a generator for what is done in it."""
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        yield (of_triangles, of_parts, of_cells)[k % 3](rng), rng
