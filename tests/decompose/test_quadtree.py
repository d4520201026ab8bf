"""The quadtree: its cells are the free squares, balanced, joined to what lies beside them."""

from typing import Any

import numpy as np
import pytest
from lattice_worlds import arcs_of, polygon_worlds
from scipy import ndimage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from anabasis.decompose.cells import Cells
from anabasis.decompose.free_space import free_space
from anabasis.decompose.lattices import lattice_cells
from anabasis.decompose.nearest import nearest_state
from anabasis.decompose.quadtree import quadtree, quadtree_cells
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.search.dijkstra import dijkstra
from anabasis.world import World


def grids(count: int, seed: int) -> list[Grid]:
    """Random maps with walls in lumps, every second one with prices."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        shape = tuple(rng.integers(1, 40, 2).tolist())
        rough = ndimage.gaussian_filter(rng.random(shape), rng.uniform(0, 2))
        free = rough > np.quantile(rough, rng.uniform(0, 0.5))
        price = np.kron(rng.integers(1, 3, (5, 5)), np.ones((8, 8)))[: shape[0], : shape[1]]
        cost = np.where(free, price if number % 2 else 1, np.inf)
        found.append(Grid(cost, np.where(free, ord("."), ord("@")).astype(np.uint8)))
    return found


def owners(grid: Grid, cells: Cells) -> Any:
    """The number of the leaf that each cell of the map lies in, -1 where blocked; fails if leaves overlap."""
    owner = np.full(grid.free.shape, -1)
    for k, ((x, y), edge) in enumerate(zip(cells.graph.points, cells.edge, strict=True)):
        left, top, size = round(x - edge / 2), round(y - edge / 2), round(edge)
        assert (left % size, top % size) == (0, 0)
        assert (owner[top : top + size, left : left + size] == -1).all()
        owner[top : top + size, left : left + size] = k
    return owner


def test_leaves_are_the_free_cells_once_and_of_one_price() -> None:
    for grid in grids(30, 4):
        cells = quadtree_cells(grid)
        owner = owners(grid, cells)
        assert ((owner >= 0) == grid.free).all()
        for k in range(cells.graph.size):
            assert len(np.unique(grid.cost[owner == k])) == 1


def test_arcs_join_what_shares_a_side_and_sizes_differ_by_two_at_most() -> None:
    for grid in grids(30, 5):
        cells = quadtree_cells(grid, neighbours=4)
        owner = owners(grid, cells)
        beside = set()
        for a, b in ((owner[:, 1:], owner[:, :-1]), (owner[1:], owner[:-1])):
            pairs = np.stack([a, b], axis=-1).reshape(-1, 2)
            pairs = pairs[(pairs >= 0).all(axis=1) & (pairs[:, 0] != pairs[:, 1])]
            beside |= {(int(u), int(v)) for u, v in pairs} | {(int(v), int(u)) for u, v in pairs}
        assert set(arcs_of(cells.graph)) == beside
        assert all(0.5 <= cells.edge[u] / cells.edge[v] <= 2 for u, v in beside)
        across = set()
        for y in range(grid.height - 1):
            for x in range(grid.width - 1):
                a, b, c, d = owner[y : y + 2, x : x + 2].reshape(-1).tolist()
                if min(a, b, c, d) >= 0:
                    across |= {(a, d)} if not {a, d} & {b, c} and a != d else set()
                    across |= {(b, c)} if not {a, d} & {b, c} and b != c else set()
        rounded = quadtree_cells(grid, neighbours=8)
        assert rounded.graph.points.tolist() == cells.graph.points.tolist()
        assert set(arcs_of(rounded.graph)) == beside | across | {(v, u) for u, v in across}


def test_no_leaf_could_be_larger() -> None:
    """Four leaves that make up a larger square of one price are apart only because a small leaf lies beside it."""
    for grid in grids(20, 6):
        cells = quadtree_cells(grid)
        owner = owners(grid, cells)
        edge = np.where(owner >= 0, np.append(cells.edge, 0)[owner], np.inf)
        for k in range(cells.graph.size):
            size = round(cells.edge[k])
            x, y = (round(v - size / 2) for v in cells.graph.points[k])
            if x % (2 * size) or y % (2 * size) or x + 2 * size > grid.width or y + 2 * size > grid.height:
                continue
            block = (slice(y, y + 2 * size), slice(x, x + 2 * size))
            if (edge[block] == size).all() and len(np.unique(grid.cost[block])) == 1:
                around: Any = ndimage.binary_dilation(np.isin(owner, np.unique(owner[block])))
                assert (np.where(around, edge, np.inf) < size).any()


def test_the_price_of_an_arc_is_that_of_the_ground_it_crosses() -> None:
    for grid in grids(20, 7):
        cells = quadtree_cells(grid)
        points = cells.graph.points
        for (u, v), weight in arcs_of(cells.graph).items():
            steps = points[u] + (np.arange(3000)[:, None] + 0.5) / 3000 * (points[v] - points[u])
            x, y = np.floor(steps).astype(int).T
            length = np.hypot(*(points[u] - points[v]))
            assert weight == pytest.approx(length * grid.cost[y, x].mean(), rel=2e-3)


def test_what_the_small_squares_connect_stays_connected() -> None:
    for world in polygon_worlds(6, seed=30):
        small = lattice_cells(world, "square", edge=0.3, neighbours=4).graph
        cells = quadtree_cells(world, edge=0.3)
        half, graph = cells.edge / 2, cells.graph
        owner = np.array([np.argmax((np.abs(graph.points - p) < half[:, None]).all(axis=1)) for p in small.points])
        labels: list[Any] = []
        for g in (small, graph):
            matrix = csr_array((np.ones(len(g.indices)), g.indices, g.indptr), shape=(g.size, g.size))
            labels.append(connected_components(matrix)[1])
        pairs = np.stack([np.asarray(labels[0]), np.asarray(labels[1])[owner]], axis=1)
        assert len(np.unique(pairs, axis=0)) == len(np.unique(pairs[:, 0])) == len(np.unique(pairs[:, 1]))
        assert graph.size < 0.6 * small.size


def test_arcs_are_free_and_exact() -> None:
    for world in polygon_worlds(6, seed=31):
        graph = quadtree(world, edge=0.25)
        tail, head = np.array(list(arcs_of(graph)), np.int64).T
        assert free_space(world).see(graph.points[tail], graph.points[head]).all()
        assert graph.weights.tolist() == np.hypot(*(graph.points[tail] - graph.points[head]).T).tolist()


def test_an_almost_empty_map_needs_few_cells_and_its_ways_are_little_longer() -> None:
    world = World.of((0, 0, 256, 256), [[(100, 100), (140, 90), (120, 150)]])
    cells = quadtree_cells(world)
    small = lattice_cells(world, "square", neighbours=4).graph
    assert cells.graph.size < small.size / 50
    assert cells.edge.max() == 64
    short, long = (
        dijkstra(g, *(nearest_state(g, world, place) for place in ((40, 40), (200, 220)))) for g in (small, cells.graph)
    )
    assert short.value
    assert long.value
    assert long.value.cost < 1.1 * short.value.cost


def test_one_cell_and_none() -> None:
    assert quadtree(Grid.from_text(".")).size == 1
    assert quadtree(Grid.from_text("@")).size == 0
    assert quadtree(World.of((0, 0, 1, 1), []), edge=2).size == 0
    cells = quadtree_cells(World.of((0, 0, 8, 8), []), edge=1)
    assert (cells.graph.size, cells.edge.tolist(), cells.graph.points.tolist()) == (1, [8.0], [[4.0, 4.0]])


def test_wrong_edges_are_told() -> None:
    with pytest.raises(InputError, match="number of neighbours; found 6; expected 4 or 8"):
        quadtree(World.of((0, 0, 1, 1), []), neighbours=6)
    with pytest.raises(InputError, match="edge of the smallest cell; found -1; expected a positive length"):
        quadtree(World.of((0, 0, 1, 1), []), edge=-1)
