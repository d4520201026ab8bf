"""What the searches are compared with: the plain rule of steps, SciPy's Dijkstra, a walker that adds up steps."""

import math

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from anabasis import Graph, Grid


def random_grid(rng, side=64, weighted=False):
    """A grid of random shape up to side × side with 0 to 45 % of its cells blocked."""
    height, width = rng.integers(1, side + 1, 2)
    free = rng.random((height, width)) >= rng.uniform(0, 0.45)
    if not weighted:
        return Grid.from_free(free)
    cost = np.where(free, rng.choice([1, 1.5, 2, 7.25], (height, width)), np.inf)
    return Grid(cost, np.full((height, width), ord("."), np.uint8))


def random_graph(rng, size=60):
    """A directed graph with asymmetric weights of at least the distance of the points."""
    n = int(rng.integers(1, size + 1))
    points = rng.uniform(0, 10, (n, 2))
    arcs = rng.integers(0, n, (int(rng.integers(0, 4 * n + 1)), 2))
    weights = np.hypot(*(points[arcs[:, 0]] - points[arcs[:, 1]]).T) * rng.uniform(1, 3, len(arcs)) + 0.01
    return Graph.from_arcs(points, arcs[:, 0], arcs[:, 1], weights)


def step_allowed(cost, x, y, dx, dy, neighbours, corners):
    """The rule, cell by cell."""
    height, width = cost.shape

    def free(x, y):
        return 0 <= x < width and 0 <= y < height and math.isfinite(cost[y, x])

    if not free(x, y) or not free(x + dx, y + dy) or (dx and dy and neighbours == 4):
        return False
    beside = free(x + dx, y) + free(x, y + dy)
    return not (dx and dy) or beside >= {"strict": 2, "loose": 1, "none": 0}[corners]


def grid_arcs(grid, neighbours, corners):
    """(tail, head, weight) of every step the rule allows, computed on whole arrays."""
    cost = np.pad(grid.cost, 1, constant_values=np.inf)
    free = np.isfinite(cost)
    height, width = grid.cost.shape
    middle = (slice(1, -1), slice(1, -1))
    vertex = np.arange(height * width).reshape(height, width)
    parts = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if (dx, dy) == (0, 0) or (dx and dy and neighbours == 4):
                continue

            def at(array, x, y):
                return array[1 + y : 1 + y + height, 1 + x : 1 + x + width]

            ok = free[middle] & at(free, dx, dy)
            if dx and dy:
                beside = at(free, dx, 0).astype(int) + at(free, 0, dy)
                ok = ok & (beside >= {"strict": 2, "loose": 1, "none": 0}[corners])
            tail = vertex[ok]
            parts.append((tail, tail + dy * width + dx, math.hypot(dx, dy) * at(cost, dx, dy)[ok]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def arcs_of(space, neighbours=8, corners="strict"):
    if isinstance(space, Grid):
        return grid_arcs(space, neighbours, corners)
    return np.repeat(np.arange(space.size), np.diff(space.indptr)), space.indices, space.weights


def all_distances(space, sources, neighbours=8, corners="strict"):
    """SciPy's distances from each source, float64[sources, n]."""
    n = space.size if isinstance(space, Graph) else space.width * space.height
    tails, heads, weights = arcs_of(space, neighbours, corners)
    order = np.lexsort((weights, heads, tails))  # SciPy adds parallel arcs up: keep the cheapest
    tails, heads, weights = tails[order], heads[order], weights[order]
    first = np.ones(len(tails), bool)
    first[1:] = (np.diff(tails) != 0) | (np.diff(heads) != 0)
    matrix = coo_array((weights[first], (tails[first], heads[first])), shape=(n, n)).tocsr()
    distances = dijkstra(matrix, indices=sources)
    if isinstance(space, Grid):
        distances[~space.free.reshape(-1)[sources]] = np.inf
    return distances


def walked(space, vertices, neighbours=8, corners="strict"):
    """Walk a path step by step and return its cost; fails on a step that the rule forbids."""
    total = 0.0
    for u, v in zip(vertices[:-1].tolist(), vertices[1:].tolist(), strict=True):
        if isinstance(space, Grid):
            (x, y), (x1, y1) = space.cell(u), space.cell(v)
            assert max(abs(x1 - x), abs(y1 - y)) == 1, f"jump from {u} to {v}"
            assert step_allowed(space.cost, x, y, x1 - x, y1 - y, neighbours, corners), f"forbidden step {u} to {v}"
            total += math.hypot(x1 - x, y1 - y) * space.cost[y1, x1]
        else:
            out = slice(space.indptr[u], space.indptr[u + 1])
            weights = space.weights[out][space.indices[out] == v]
            assert weights.size, f"no arc from {u} to {v}"
            total += weights.min()
    return total
