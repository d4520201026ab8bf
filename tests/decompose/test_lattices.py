"""Lattices against the published counts, against Shapely, and against the grid that they are."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest
import shapely
from lattice_worlds import arcs_of, blocked, polygon_worlds

from anabasis.decompose.cells import Cells, walk_costs
from anabasis.decompose.free_space import free_space
from anabasis.decompose.lattices import (
    hexagonal_lattice,
    lattice_cells,
    square_lattice,
    triangular_lattice,
)
from anabasis.decompose.metric import greatest_metric
from anabasis.decompose.nearest import nearest_state
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import state_hash
from anabasis.result import Status
from anabasis.search.astar import astar
from anabasis.world import World

EMPTY = World.of((0, 0, 450, 300), [])
SQUARES = {2: 33750, 3: 15000, 4: 8400, 5: 5400, 6: 3750, 7: 2688, 8: 2072, 9: 1650, 10: 1350}
HEXAGONS = {2: 12814, 3: 5693, 4: 3225, 5: 2006, 6: 1397, 7: 1029, 8: 777, 9: 627, 10: 493}
KINDS = [("square", 4), ("square", 8), ("hexagonal", 6), ("hexagonal", 12), ("triangular", 3), ("triangular", 12)]


def test_squares_of_the_empty_map_as_published() -> None:
    assert {a: square_lattice(EMPTY, edge=a).size for a in SQUARES} == SQUARES


def test_hexagons_of_the_empty_map_as_published_but_one() -> None:
    found = {a: hexagonal_lattice(EMPTY, edge=a).size for a in HEXAGONS}
    assert {a for a in HEXAGONS if found[a] != HEXAGONS[a]} == {4}
    whole = {a: hexagonal_lattice(EMPTY, edge=a, overhang=0).size for a in HEXAGONS}
    assert all(abs(n - HEXAGONS[a]) < 0.03 * HEXAGONS[a] for counts in (found, whole) for a, n in counts.items())


@pytest.mark.parametrize(("kind", "neighbours"), KINDS)
def test_an_empty_map_is_full_of_arcs(kind: str, neighbours: int) -> None:
    cells = lattice_cells(EMPTY, kind, edge=10, neighbours=neighbours)
    degree = np.diff(cells.graph.indptr)
    inner = (np.abs(cells.graph.points - (225, 150)) < (190, 110)).all(axis=1)
    assert (degree[inner] == neighbours).all()
    assert degree.max() == neighbours
    box = shapely.box(*EMPTY.bounds).buffer(1e-6)
    polygons: Any = shapely.polygons(cells.outlines)
    assert shapely.contains(box, polygons).all()
    assert shapely.area(polygons).sum() == pytest.approx(shapely.union_all(polygons).area)  # nothing twice
    assert shapely.area(polygons).sum() > 0.85 * 450 * 300


def plainly(
    world: World, cells: Cells, every: Cells, neighbours: int, corners: str, overlap: str
) -> tuple[set[Any], set[Any], set[Any]]:
    """The cells that should be states, and as pairs of places the arcs that should be and that may be between them.

    A segment that comes within a billionth of an obstacle may be an arc: rounding of the places decides.
    """
    area = blocked(world)
    polygons: Any = shapely.polygons(every.outlines)
    inner, outer = area.buffer(-1e-9), area.buffer(1e-9)
    places, edge = every.graph.points, float(cells.edge[0])
    if overlap == "any":
        free = shapely.area(shapely.intersection(polygons, area)) < 1e-12
    else:
        free = ~shapely.contains_properly(area, shapely.points(places))
    key = [(round(x, 6), round(y, 6)) for x, y in places]
    near, far = {"square": (1, 2**0.5), "hexagonal": (3**0.5, 3), "triangular": (3**-0.5, 2 / 3**0.5)}[cells.kind]
    reach = far if neighbours > {"square": 4, "hexagonal": 6, "triangular": 3}[cells.kind] else near
    tree, sure, possible = shapely.STRtree(polygons), set(), set()
    for u in np.flatnonzero(free):
        away = np.hypot(*(places - places[u]).T) / edge
        for v in np.flatnonzero((away > 0) & (away < reach + 1e-6) & free):
            line = shapely.LineString(places[[u, v]])
            if away[v] > near + 1e-6:
                passed = [c for c in tree.query(line.buffer(1e-6), predicate="intersects") if c not in (u, v)]
                count = {"square": 2, "hexagonal": 2, "triangular": 4 if away[v] > 1.1 else 1}[cells.kind]
                met = sum(bool(free[c]) for c in passed)
                if (corners == "strict" and met < count) or (corners == "loose" and met == 0):
                    continue
            if not inner.intersects(line):
                possible.add((key[u], key[v]))
            if not outer.intersects(line):
                sure.add((key[u], key[v]))
    return {key[u] for u in np.flatnonzero(free)}, sure, possible


@pytest.mark.parametrize(("kind", "neighbours"), KINDS)
@pytest.mark.parametrize("corners", ["strict", "loose", "none"])
def test_states_and_arcs_are_those_of_shapely(kind: str, neighbours: int, corners: str) -> None:
    compare_with_shapely(kind, neighbours, corners, polygon_worlds(3, seed=len(kind) + neighbours))


@pytest.mark.long
@pytest.mark.parametrize(("kind", "neighbours"), KINDS)
@pytest.mark.parametrize("corners", ["strict", "loose", "none"])
def test_states_and_arcs_are_those_of_shapely_in_many_worlds(kind: str, neighbours: int, corners: str) -> None:
    compare_with_shapely(kind, neighbours, corners, polygon_worlds(60, seed=1000))


def compare_with_shapely(kind: str, neighbours: int, corners: str, worlds: Iterable[World]) -> None:
    for number, world in enumerate(worlds):
        overlap = ("any", "centre")[number % 2]
        edge = (1.0, 0.8, 1.5)[number % 3]
        options: dict[str, Any] = {"edge": edge, "neighbours": neighbours}
        cells = lattice_cells(world, kind, corners=corners, overlap=overlap, **options)
        every = lattice_cells(World.of(world.bounds, []), kind, **options)
        states, sure, possible = plainly(world, cells, every, neighbours, corners, overlap)
        key = [(round(x, 6), round(y, 6)) for x, y in cells.graph.points]
        assert set(key) == states
        assert sure <= {(key[u], key[v]) for u, v in arcs_of(cells.graph)} <= possible


@pytest.mark.parametrize(("kind", "neighbours"), KINDS)
def test_arcs_are_symmetric_exact_and_free(kind: str, neighbours: int) -> None:
    for world in polygon_worlds(6, seed=3):
        graph = lattice_cells(world, kind, edge=0.7, neighbours=neighbours, corners="none").graph
        arcs = arcs_of(graph)
        assert arcs == {(v, u): w for (u, v), w in arcs.items()}
        tail, head = np.array(list(arcs), np.int64).reshape(-1, 2).T
        length = np.hypot(*(graph.points[tail] - graph.points[head]).T)
        assert graph.weights == pytest.approx(length, rel=1e-9)
        assert free_space(world).see(graph.points[tail], graph.points[head]).all()


def test_the_metric_is_the_greatest_that_never_overestimates() -> None:
    for kind, neighbours in KINDS:
        graph = lattice_cells(EMPTY, kind, edge=7.5, neighbours=neighbours).graph
        tail = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
        assert graph.metric == greatest_metric(graph.points, tail, graph.indices, graph.weights)


def grids(count: int) -> list[Grid]:
    rng = np.random.default_rng(11)
    found = []
    for number in range(count):
        free = rng.random(rng.integers(2, 14, 2)) > rng.uniform(0, 0.5)
        cost = np.where(free, rng.integers(1, 5, free.shape) if number % 2 else 1, np.inf)
        found.append(Grid(cost, np.where(free, ord("."), ord("@")).astype(np.uint8)))
    return found


@pytest.mark.parametrize(("neighbours", "corners"), [*product((4, 8), ("strict", "loose"))])
def test_squares_of_edge_one_are_the_grid_itself(neighbours: int, corners: str) -> None:
    rng = np.random.default_rng(2)
    for grid in grids(30):
        graph = square_lattice(grid, neighbours=neighbours, corners=corners)
        cells = np.flatnonzero(grid.free)
        assert graph.points.tolist() == grid.centres(cells).tolist()
        for _ in range(4 if cells.size else 0):
            a, b = rng.integers(cells.size, size=2).tolist()
            one = astar(grid, int(cells[a]), int(cells[b]), neighbours=neighbours, corners=corners)
            two = astar(graph, a, b)
            assert one.status == two.status
            if one.value and two.value:
                assert one.value.cost == pytest.approx(two.value.cost, rel=1e-12)


@pytest.mark.parametrize(("kind", "neighbours"), KINDS)
def test_an_obstacle_more_takes_away_only(kind: str, neighbours: int) -> None:
    for world in polygon_worlds(5, seed=8):
        rings = [world.points[a:b] for a, b in zip(world.rings, world.rings[1:], strict=False)]
        x0, y0, x1, y1 = world.bounds
        spot = np.array([x0 + (x1 - x0) / 3, y0 + (y1 - y0) / 3])  # between four places for obstacles
        more = World.of(world.bounds, [*rings, spot + np.array([(0.05, 0.0), (0.0, 0.05), (-0.05, 0.0)])])
        keys = []
        for w in (world, more):
            graph = lattice_cells(w, kind, edge=0.6, neighbours=neighbours).graph
            place = [tuple(p) for p in graph.points.tolist()]
            keys.append({(place[u], place[v]) for u, v in arcs_of(graph)} | {(p, p) for p in place})
        assert keys[1] <= keys[0]
        assert len(keys[1]) < len(keys[0])


def test_a_world_twice_as_large_has_the_same_lattice() -> None:
    for world in polygon_worlds(4, seed=21):
        bounds = tuple(2 * v for v in world.bounds)
        double = World(bounds, world.points * 2, world.rings)  # type: ignore[arg-type]
        for kind, neighbours in KINDS:
            one = lattice_cells(world, kind, edge=0.75, neighbours=neighbours).graph
            two = lattice_cells(double, kind, edge=1.5, neighbours=neighbours).graph
            assert one.indices.tolist() == two.indices.tolist()
            assert (one.weights * 2).tolist() == two.weights.tolist()


def test_a_wall_of_no_width_to_speak_of_parts_cells_all_the_same() -> None:
    """The wall is thinner than what is taken for rounding, so no cell is left out; no arc leads through it."""
    wall = [(5, 0), (5 + 1e-11, 0), (5 + 1e-11, 10), (5, 10)]
    graph = square_lattice(World.of((0, 0, 10, 10), [wall]), edge=1)
    assert graph.size == 100
    sides = graph.points[:, 0] < 5
    assert all(sides[u] == sides[v] for u, v in arcs_of(graph))


def test_obstacles_that_meet_at_a_corner_let_nobody_through() -> None:
    world = World.of((0, 0, 4, 4), [[(0, 0), (2, 0), (2, 2), (0, 2)], [(2, 2), (4, 2), (4, 4), (2, 4)]])
    assert astar(square_lattice(world, corners="none"), 0, 7).status is Status.NO_SOLUTION


def test_cells_along_walls_and_bounds_are_kept_whatever_the_rounding() -> None:
    for edge in (0.1, 0.3, 0.7, 1 / 3):
        box = [(3 * edge, 2 * edge), (5 * edge, 2 * edge), (5 * edge, 4 * edge), (3 * edge, 4 * edge)]
        for shift in (0.0, 1000.1, -77.7):
            world = World.of((shift, shift, shift + 9 * edge, shift + 7 * edge), [np.array(box) + shift])
            assert square_lattice(world, edge=edge).size == 9 * 7 - 4


def test_hexagons_too_large_for_a_gap_end_without_a_path() -> None:
    """Corridors along the axes, 14 wide, part start and goal; squares of any edge that fits get through."""
    walls: list[Any] = [[(0, 100), (436, 100), (436, 110), (0, 110)], [(14, 200), (450, 200), (450, 210), (14, 210)]]
    world = World.of((0, 0, 450, 300), walls)
    ends = {}
    for edge in (2, 4, 6, 10):
        graph = hexagonal_lattice(world, edge=edge)
        states = [nearest_state(graph, world, place) for place in ((5, 5), (445, 295))]
        ends[edge] = astar(graph, *states)
    assert {edge: result.status is Status.SOLVED for edge, result in ends.items()} == {
        2: True,
        4: True,
        6: False,
        10: False,
    }
    assert ends[6].reason
    assert astar(square_lattice(world, edge=7), 0, square_lattice(world, edge=7).size - 1).status is Status.SOLVED


def test_a_world_without_a_free_cell_is_an_empty_graph() -> None:
    full = World.of((0, 0, 5, 5), [[(-1, -1), (6, -1), (6, 6), (-1, 6)]])
    for kind, neighbours in KINDS:
        assert lattice_cells(full, kind, neighbours=neighbours).graph.size == 0
        assert lattice_cells(EMPTY, kind, edge=1e6, neighbours=neighbours).graph.size == 0


def test_the_same_world_gives_the_same_bytes() -> None:
    for world in polygon_worlds(2):
        assert len({state_hash(hexagonal_lattice(world, edge=0.5)) for _ in range(2)}) == 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"edge": 0}, "edge of a cell; found 0; expected a positive length"),
        ({"edge": float("inf")}, "edge of a cell; found inf"),
        ({"edge": float("nan")}, "edge of a cell holds NaN"),
        ({"edge": 1e-5}, "too many cells; found 45000000 × 30000000"),
        ({"neighbours": 5}, "number of neighbours; found 5; expected 4 or 8 for square cells"),
        ({"corners": "sharp"}, "unknown corner rule; found 'sharp'"),
        ({"overlap": "half"}, "unknown overlap rule; found 'half'; expected any or centre"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        square_lattice(EMPTY, **options)


def test_wrong_kinds_are_told() -> None:
    with pytest.raises(InputError, match="unknown kind of cell; found 'round'; expected square or hexagonal"):
        lattice_cells(EMPTY, "round")
    with pytest.raises(InputError, match=r"overhang of hexagons; found 0\.7"):
        hexagonal_lattice(EMPTY, overhang=0.7)
    with pytest.raises(InputError, match="3 or 12 for triangular cells"):
        triangular_lattice(EMPTY, neighbours=6)
    graph = Graph.from_arcs([(0, 0)], [], [], [])
    with pytest.raises(InputError, match="nothing that can be discretised; found Graph"):
        square_lattice(graph)  # type: ignore[arg-type]


def test_obstacles_that_are_no_polygons_are_told() -> None:
    bow = World.of((0, 0, 9, 9), [[(1, 1), (5, 5), (5, 1), (1, 5)]])
    for kind, neighbours in KINDS:
        with pytest.raises(InputError, match="obstacle ring 0 crosses or touches itself"):
            lattice_cells(bow, kind, neighbours=neighbours, edge=20)


def test_prices_along_an_arc_count() -> None:
    for grid in grids(12)[1::2]:
        for kind, neighbours in KINDS:
            graph = lattice_cells(grid, kind, edge=0.9, neighbours=neighbours).graph
            for (u, v), weight in arcs_of(graph).items():
                steps = graph.points[u] + (np.arange(500)[:, None] + 0.5) / 500 * (graph.points[v] - graph.points[u])
                x, y = np.floor(steps + 1e-9).astype(int).T
                mean = grid.cost[y, x].mean()
                if not (np.abs(steps - np.round(steps)) < 1e-9).any():  # not along a border
                    assert weight == pytest.approx(np.hypot(*(graph.points[u] - graph.points[v])) * mean, rel=0.02)


def test_along_a_border_the_lesser_price_counts() -> None:
    grid = Grid.from_text("1111\n3333\n@@@@\n4444")
    ways = [
        ((0.5, 1), (3.5, 1)),
        ((0, 2), (4, 2)),
        ((0.25, 3), (2, 3)),
        ((0, 0), (4, 0)),
        ((1, 0), (1, 2)),
        ((3, 3), (3, 3)),
    ]
    a, b = (np.array([way[k] for way in ways], np.float64) for k in (0, 1))
    assert walk_costs(grid, a, b).tolist() == [3, 12, 7, 4, 4, 0]
    assert walk_costs(grid, b, a).tolist() == [3, 12, 7, 4, 4, 0]
