"""Tiny problems with known answers: they show that this installation computes right, and compile every kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.graph import Graph
    from anabasis.grid import Grid
    from anabasis.methods import Method
    from anabasis.scenario import Scenario
    from anabasis.world import World

__all__ = ["Check", "checks"]

# The way from corner to corner differs by the rule for corners: around, past a wall's corner, between two corners.
_MAP = """
..#...
..##..
.#..#.
.##...
......
"""
_BEST = {
    (4, "strict"): 9.0,
    (8, "strict"): 9.0,
    (8, "loose"): 7 + 2**0.5,
    (8, "none"): 1 + 4 * 2**0.5,
}
_TAUT = 12.5**0.5 + 20.5**0.5  # the shortest way of any angle, past two corners
_AROUND = 45**0.5 + 2 + 39.25**0.5  # around the wall of `_world`


@dataclass(frozen=True)
class Check:
    """One problem: `run` returns what was computed, which is to equal `expected`."""

    name: str
    run: Callable[[], object]
    expected: object


def checks() -> Iterator[Check]:
    """Give the checks: all searches, group methods with execution and validation, generators, solvers."""
    from anabasis.cli.selfcheck_agents import agent_checks
    from anabasis.cli.selfcheck_formations import formation_checks
    from anabasis.cli.selfcheck_maps import map_checks
    from anabasis.methods import METHODS

    for row in METHODS:
        if row.family == "search":
            yield from _search_checks(row)
        elif row.family == "space":
            yield Check(f"{row.name}: a world with a wall", partial(_discretised, row.name), True)
        elif row.family == "drive":
            yield Check(f"{row.name}: a car drives around a wall", partial(_driven, row.name), ("SOLVED", 0))
    for row in METHODS:
        if row.family == "group":
            yield Check(f"{row.name}: six units arrive, the run is valid", partial(_group, row.name), (6, 0))
    yield Check("distances: from a cell and from a vertex", _distances, (round(_BEST[8, "strict"], 9), 3.0))
    yield Check("breadth-first: fewest steps", _fewest_steps, 5.0)
    yield Check("flow field: on a map with prices", _priced_field, round(2 + 2 * 2**0.5, 9))
    yield Check("shortening: a straight way", _shortened, round(10**0.5, 9))
    yield Check("pictures: an octagon, drawn hard and drawn soft", _pictures, (8, 8))
    yield Check(
        "cells of a world: those that a wall touches are blocked, and with a disc around them more",
        _rasterized,
        (100 - 14, 64 - 26),
    )
    yield Check("lattices: ground with prices", _priced_lattice, True)
    yield Check("visibility: places joined to corners", _joined_places, round(_AROUND, 9))
    yield Check("coarse to fine: over blocks of cells", _blocks, True)
    yield Check("smoothing: a path among polygons, pulled tight", _pulled, round(_AROUND, 9))
    yield Check("meshes: a corner bent by a hair", _bent, True)
    yield Check("regions: two halls, cut finely and coarsely", _halls, ((2, 2), (1, 0)))
    yield Check("flow: a group is split over two doors", _split, [20, 20])
    yield Check("assignment: least total and least longest way", _assigned, ([1, 0, 0], [0, 1, 0]))
    yield Check("bound: a crowd before a gap of one cell needs more time than its ways", _bounded, True)
    yield Check("archive: what is read is what was written", _archive, True)
    for name, run, expected in (*map_checks(), *agent_checks(), *formation_checks()):
        yield Check(name, run, expected)


def _search_checks(row: Method) -> Iterator[Check]:
    """Give the checks of a search: under every rule that it takes, on a graph, in a world, and without a way."""
    if "grid" not in row.spaces:
        best = round(_AROUND, 9) if row.optimal else True
        yield Check(f"{row.name}: around a wall", partial(_way, row.name, exact=row.optimal), best)
        if row.complete:
            yield Check(f"{row.name}: no way", partial(_no_path, row.name), "NO_SOLUTION")
        return
    for (neighbours, corners), steps in _BEST.items():
        if neighbours not in row.neighbours or corners not in row.corners:
            continue
        exact = row.optimal and (corners == "loose" or not row.any_angle)
        run = partial(_path, row.name, neighbours, corners, exact=exact)
        best = round(_TAUT if row.any_angle else steps, 9) if exact else True
        yield Check(f"{row.name}: {neighbours} neighbours, corners {corners}", run, best)
    if "graph" in row.spaces:
        yield Check(f"{row.name}: on a graph", partial(_graph_path, row.name), 3.0 if row.optimal else True)
    if row.complete:
        yield Check(f"{row.name}: no way", partial(_no_path, row.name), "NO_SOLUTION")


def _world() -> World:
    """Return a square with a wall across it that leaves a gap below."""
    from anabasis.world import World

    return World.of((0, 0, 10, 10), [[[4, 0], [6, 0], [6, 7], [4, 7]]])


def _way(method: str, *, exact: bool) -> object:
    from anabasis.find import find_path
    from anabasis.metrics.polylines import world_faults

    world, start, goal = _world(), (1.0, 1.0), (9.0, 1.5)
    path = find_path(world, start, goal, method=method).path
    if path is None or world_faults(world, path, start=start, goal=goal):
        return None
    return round(path.cost, 9) if exact else True


def _pictures() -> object:
    import numpy as np
    from PIL import Image, ImageDraw

    from anabasis.decompose.obstacles import world_of_picture

    corners = [(8, 14), (14, 8), (26, 8), (32, 14), (32, 26), (26, 32), (14, 32), (8, 26)]
    large = Image.new("L", (320, 320), 255)
    ImageDraw.Draw(large).polygon([(8 * x, 8 * y) for x, y in corners], fill=0)
    soft = np.asarray(large.resize((40, 40), Image.Resampling.BOX))
    hard = np.where(soft < 128, 0, 255)
    return len(world_of_picture(hard).points), len(world_of_picture(soft).points)


def _rasterized() -> object:
    from anabasis.decompose.obstacles import grow_grid
    from anabasis.decompose.rasterize import rasterize

    cells = rasterize(_world(), side=1.0)
    return int(cells.free.sum()), int(grow_grid(cells, 0.7).free.sum())


def _priced_lattice() -> object:
    import numpy as np

    from anabasis.decompose.lattices import hexagonal_lattice
    from anabasis.decompose.quadtree import quadtree
    from anabasis.grid import Grid

    cost = np.where(np.arange(36).reshape(6, 6) % 3 == 0, 2.0, 1.0)
    grid = Grid(cost, np.full((6, 6), ord("."), np.uint8))
    graph = hexagonal_lattice(grid, edge=0.5)
    lengths = np.hypot(
        *(graph.points[np.repeat(np.arange(graph.size), np.diff(graph.indptr))] - graph.points[graph.indices]).T
    )
    dearer = quadtree(grid).weights.sum() > quadtree(Grid(np.ones((6, 6)), grid.terrain)).weights.sum()
    return bool(dearer and (graph.weights >= lengths - 1e-12).all() and (graph.weights > lengths + 1e-12).any())


def _joined_places() -> object:
    from anabasis.decompose.visibility import visibility
    from anabasis.search.astar import astar

    graph = visibility(_world(), tangent=True, places=[(1.0, 1.0), (9.0, 1.5)])
    path = astar(graph, graph.size - 2, graph.size - 1).value
    return None if path is None else round(path.cost, 9)


def _blocks() -> object:
    from anabasis.grid import Grid
    from anabasis.search.coarse_fine import coarse_fine

    grid = Grid.from_text("....\n.##.\n....").scaled(4)
    path = coarse_fine(grid, 0, grid.cost.size - 1).value
    return path is not None and path.cost >= 11 + 4 * 2**0.5


def _pulled() -> object:
    import numpy as np

    from anabasis.plan import Path
    from anabasis.search.smoothing import shorten
    from anabasis.search.taut import taut

    points = np.array([(1, 1), (2, 9), (5, 9), (8, 9), (9, 1.5)])
    around = Path(np.zeros(0, np.int64), points, 30.0)
    shorter = shorten(_world(), around)
    return round(taut(_world(), shorter).cost, 9)


def _bent() -> object:
    from anabasis.navmesh import NavMesh
    from anabasis.search.polyanya import polyanya

    mesh = NavMesh.of([(0, 0), (4, 0), (4, 4), (2, 4 - 1e-10), (0, 4)], [[0, 1, 2, 3, 4]])
    return bool(polyanya(mesh, (1.0, 1.0), (3.0, 3.0)))


def _discretised(method: str) -> object:
    from anabasis.methods import method as method_row
    from anabasis.noun import state_hash

    make = method_row("space", method).load()
    return state_hash(make(_world())) == state_hash(make(_world()))


def _driven(method: str) -> object:
    from inspect import signature

    from anabasis.methods import method as method_row
    from anabasis.metrics.kinematics import trajectory_faults
    from anabasis.trajectory import Kinematics

    drive, car, world = method_row("drive", method).load(), Kinematics.car(0.5), _world()
    short = {"population": 4, "extra": 2} if "population" in signature(drive).parameters else {}
    start, goal = (1.0, 1.0, 1.5), (9.0, 2.0)
    result = drive(world, start, goal, car, seed=1, **short)
    if result.value is None:
        return result.status.name, 0
    return result.status.name, len(trajectory_faults(result.value, car, world=world, start=start, goal=goal))


def _path(method: str, neighbours: int, corners: str, *, exact: bool) -> object:
    from anabasis.find import find_path
    from anabasis.grid import Grid

    answer = find_path(Grid.from_text(_MAP), (0, 0), (5, 4), method=method, neighbours=neighbours, corners=corners)
    return round(answer.cost, 9) if exact else bool(answer)


def _no_path(method: str) -> object:
    from anabasis.find import find_path
    from anabasis.grid import Grid

    return find_path(Grid.from_text("..#.\n..#."), (0, 0), (3, 1), method=method).result.status.name


def _graph() -> Graph:
    from anabasis.graph import Graph

    return Graph.from_arcs([[0, 0], [1, 0], [1, 1], [2, 0]], [0, 1, 0, 2], [1, 3, 2, 3], [1.5, 1.5, 2.0, 2.0])


def _graph_path(method: str) -> object:
    from anabasis.methods import method as method_row

    row = method_row("search", method)
    result = row.load()(_graph(), 0, 3)
    return result.value is not None if not row.optimal else None if result.value is None else result.value.cost


def _distances() -> object:
    from anabasis.grid import Grid
    from anabasis.search.dijkstra import distances

    on_map, _ = distances(Grid.from_text(_MAP), [0])
    on_graph, _ = distances(_graph(), [0])
    return round(float(on_map[29]), 9), float(on_graph[3])


def _fewest_steps() -> object:
    from anabasis.grid import Grid
    from anabasis.search.breadth_first import breadth_first

    return breadth_first(Grid.from_text(_MAP), 0, 29, corners="none").stats["steps"]


def _priced_field() -> object:
    from anabasis.grid import Grid
    from anabasis.search.flow_field import flow_field

    field = flow_field(Grid.from_text(".9....\n.9.@@@\n...@@@\n...@@@"), [0]).value
    return None if field is None else round(float(field.distance[0, 2]), 9)


def _shortened() -> object:
    from anabasis.find import find_path
    from anabasis.grid import Grid
    from anabasis.search.smoothing import shorten

    grid = Grid.from_text("....\n....")
    path = find_path(grid, (0, 0), (3, 1)).path
    return None if path is None else round(shorten(grid, path).cost, 9)


def _group(method: str) -> object:
    from anabasis.metrics.traces import trace_faults
    from anabasis.orders import execute, plan_groups

    scenario = _scenario()
    trace = execute(scenario, method, plan_groups(scenario, method, seed=1), seed=1)
    return trace.finished, len(trace_faults(scenario, trace))


def _scenario() -> Scenario:
    """Return six units, a wall with a gap, and a door that closes in another wall while they walk."""
    import numpy as np

    from anabasis.grid import Grid
    from anabasis.scenario import Change, Group, Scenario, Target

    grid = Grid.from_text("\n".join(["......#....." if y not in (2, 3, 6) else "............" for y in range(8)]))
    places = [(1.5 + x, 1.5 + y) for x in range(2) for y in range(3)]
    door = Change(20, np.array([[6, 6]]), "@")
    return Scenario(grid, (Group(np.array(places), Target(10.0, 3.0, 1.5), radius=0.4),), (door,), name="self-check")


def _two_doors() -> Grid:
    from anabasis.grid import Grid

    return Grid.from_text(
        "\n".join(["." * 30 if y in (4, 5, 14, 15) else "." * 14 + "#" + "." * 15 for y in range(20)])
    )


def _halls() -> object:
    from anabasis.decompose.regions import decompose

    return tuple((d.regions, d.gates) for d in (decompose(_two_doors(), p) for p in ((5, 1, 3), (10, 2, 6))))


def _split() -> object:
    import numpy as np

    from anabasis.flow.navigate import Navigator
    from anabasis.scenario import Group, Target

    places = np.array([(1.0 + x, 5.5 + y) for x in range(4) for y in range(10)])
    group = Group(places, Target(27.0, 10.0, 2.0), radius=0.4)
    plan = Navigator(_two_doors(), parameters=(5, 1, 3), ways="taut").plan(group).value
    return None if plan is None else np.bincount(plan.plan.route).tolist()


def _assigned() -> object:
    import numpy as np

    from anabasis.flow.transport import least_longest, least_total

    ways = np.array([[4.0, 1.0], [5.0, 9.0], [2.0, 3.0]])
    other = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 9.0]])
    counts = np.array([2, 1])
    return least_total(ways, counts).tolist(), least_longest(other, counts).tolist()


def _bounded() -> object:
    import numpy as np

    from anabasis.bound.grid import grid_bound
    from anabasis.grid import Grid
    from anabasis.scenario import Group, Target

    grid = Grid.from_text("\n".join(["......#....." if y != 3 else "............" for y in range(8)]))
    places = [(0.4 + 0.8 * x, 0.4 + 0.8 * y) for x in range(7) for y in range(9)]
    bound = grid_bound(grid, Group(np.array(places), Target(10.0, 3.5, 1.5), radius=0.4)).value
    return bound is not None and bound.steps > bound.walking


def _archive() -> object:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from anabasis.io.archive import load, save
    from anabasis.noun import state_hash

    scenario = _scenario()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scenario.npz"
        save(scenario, file)
        return state_hash(load(file)) == state_hash(scenario)
