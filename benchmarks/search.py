"""A* beside other libraries: the same queries on the same maps, costs compared, medians and ratios to Anabasis.

Run: python benchmarks/search.py [--quick] [--only LIBRARY]. Each library runs in a process of its own, in which every
query is answered by Anabasis and by the library in turn, under the library's rules, path included; a ratio is one
median by another of the same process. Times are processor time, so that other work on the machine weighs little. A
library that has used up its time on a map stops there: (n) tells how many of the queries it answered. Its preparation
of the map is not timed. The Moving AI maps are read from ../shared/data or from --data; without them only the generated
maps are run.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

import maps
from anabasis import Graph, Grid
from anabasis.io.movingai import load_map, load_scen
from anabasis.search.astar import AStar
from anabasis.search.dijkstra import distances
from anabasis.search.flow_field import flow_field

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "movingai"
FOLDERS = {
    "random512-20-0": "random",
    "16room_000": "rooms",
    "maze512-8-0": "mazes",
    "orz900d": "dao",
    "Aftershock": "sc1",
    "Berlin_1_1024": "cities",
    "AR0700SR": "bg512",
    "NewYork_0_512": "cities",
    "ArcticStation": "sc1",
}
BAR = ("random512-20-0", "16room_000", "maze512-8-0", "orz900d", "Aftershock", "Berlin_1_1024")
GENERATED = {
    "random-1024": partial(maps.random_obstacles, 1024, 1),
    "rooms-1024": partial(maps.rooms, 1024, 2),
    "maze-1024": partial(maps.maze, 1024, 3),
}
STOP = 600  # seconds for one library on one map, preparation included

Cells = list[tuple[int, int]]
Finder = Callable[[tuple[int, int], tuple[int, int]], Any]  # start and goal as (x, y)
Reader = Callable[[Any], Cells]  # what the finder returned, as (x, y) cells; not timed


def w9(grid: Grid) -> tuple[Finder, Reader]:
    from w9_pathfinding.envs import DiagonalMovement
    from w9_pathfinding.envs import Grid as Their
    from w9_pathfinding.pf import AStar as TheirAStar

    their = Their(
        np.where(grid.free, 1.0, -1.0).tolist(),
        diagonal_movement=DiagonalMovement.only_when_no_obstacle,
        diagonal_movement_cost_multiplier=math.sqrt(2),
    )
    return TheirAStar(their).find_path, list


def tcod(grid: Grid) -> tuple[Finder, Reader]:
    from tcod.path import AStar as TheirAStar

    their = TheirAStar(np.ascontiguousarray(grid.free.T.astype(np.float32)), diagonal=math.sqrt(2))
    return (lambda s, g: [s, *their.get_path(*s, *g)]), list


def cstar(grid: Grid) -> tuple[Finder, Reader]:
    from cstar.pathfinding import run_astar_2D

    free = np.ascontiguousarray(grid.free.T)
    return (lambda s, g: run_astar_2D(free, *s, *g)[0]), lambda path: [(int(x), int(y)) for x, y in path]


def pyastar2d(grid: Grid) -> tuple[Finder, Reader]:
    from pyastar2d import astar_path

    weights = grid.cost.astype(np.float32)
    return (
        lambda s, g: astar_path(weights, s[::-1], g[::-1], allow_diagonal=True),
        lambda path: [(int(x), int(y)) for y, x in path],
    )


def scipy(grid: Grid) -> tuple[Finder, Reader]:
    matrix, width = _matrix(grid), grid.width

    def find(s: tuple[int, int], g: tuple[int, int]) -> list[int]:
        start, v = s[1] * width + s[0], g[1] * width + g[0]
        _, before = dijkstra(matrix, indices=start, return_predecessors=True)
        path = [v]
        while v != start:
            v = int(before[v])
            path.append(v)
        return path[::-1]

    return find, lambda path: [grid.cell(v) for v in path]


def skimage(grid: Grid) -> tuple[Finder, Reader]:
    from skimage.graph import route_through_array

    costs = np.where(grid.free, 1.0, -1.0)
    return (
        lambda s, g: route_through_array(costs, s[::-1], g[::-1], fully_connected=True, geometric=True)[0],
        lambda path: [(int(x), int(y)) for y, x in path],
    )


def rustworkx(grid: Grid) -> tuple[Finder, Reader]:
    from rustworkx import PyDiGraph, astar_shortest_path

    matrix, width = _matrix(grid), grid.width
    graph = PyDiGraph()
    graph.add_nodes_from([grid.cell(v) for v in range(width * grid.height)])
    tails = np.repeat(np.arange(width * grid.height), np.diff(matrix.indptr))
    graph.add_edges_from(list(zip(tails.tolist(), matrix.indices.tolist(), matrix.data.tolist(), strict=True)))

    def find(s: tuple[int, int], g: tuple[int, int]) -> Any:
        start = s[1] * width + s[0]
        return astar_shortest_path(graph, start, lambda cell: cell == g, float, lambda cell: _octile(cell, g))

    return find, lambda path: [grid.cell(v) for v in path]


def networkx(grid: Grid) -> tuple[Finder, Reader]:
    from networkx import Graph, astar_path

    matrix, graph = _matrix(grid), Graph()
    tails = np.repeat(np.arange(grid.width * grid.height), np.diff(matrix.indptr))
    half = tails < matrix.indices
    cells = [grid.cell(v) for v in range(grid.width * grid.height)]
    arcs = zip(tails[half].tolist(), matrix.indices[half].tolist(), matrix.data[half].tolist(), strict=True)
    graph.add_weighted_edges_from((cells[u], cells[v], weight) for u, v, weight in arcs)
    return (lambda s, g: astar_path(graph, s, g, heuristic=_octile)), list


def pathfinding(grid: Grid) -> tuple[Finder, Reader]:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid as Their
    from pathfinding.finder.a_star import AStarFinder

    their = Their(matrix=grid.free.astype(int).tolist())
    finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)

    def find(s: tuple[int, int], g: tuple[int, int]) -> Any:
        their.cleanup()
        return finder.find_path(their.node(*s), their.node(*g), their)[0]

    return find, lambda path: [(node.x, node.y) for node in path]


# The library's module, the command that installs it, the corner rule under which it is compared, and what differs.
LIBRARIES: dict[str, tuple[Callable[[Grid], tuple[Finder, Reader]], str, str, str, str]] = {
    "w9-pathfinding A*": (w9, "w9_pathfinding", "w9-pathfinding", "strict", ""),
    "tcod AStar": (tcod, "tcod", "tcod", "none", ""),
    "cstar A*": (cstar, "cstar", "cstar-pathfinding", "none", ""),
    "pyastar2d": (pyastar2d, "pyastar2d", "pyastar2d", "none", "a diagonal costs 1: its paths may be longer"),
    "scipy dijkstra": (scipy, "scipy", "scipy", "strict", "to all cells, no goal"),
    "scikit-image route": (skimage, "skimage", "scikit-image", "none", "no estimate"),
    "rustworkx A*": (rustworkx, "rustworkx", "rustworkx", "strict", "estimate in Python"),
    "networkx A*": (networkx, "networkx", "networkx", "strict", "pure Python"),
    "pathfinding A*": (pathfinding, "pathfinding", "pathfinding", "strict", "pure Python"),
}


def _octile(a: tuple[int, int], b: tuple[int, int]) -> float:
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)


def _matrix(grid: Grid) -> csr_array:
    """The steps of a map as a sparse matrix: eight neighbours, no corner cut, written without the library's tables."""
    free = np.pad(grid.free, 1)
    height, width = grid.cost.shape
    tails: list[Any] = []
    heads: list[Any] = []
    weights: list[Any] = []

    def at(x: int, y: int) -> Any:
        return free[1 + y : 1 + y + height, 1 + x : 1 + x + width]

    for y in (-1, 0, 1):
        for x in (-1, 0, 1):
            if x or y:
                v = np.flatnonzero(at(0, 0) & at(x, y) & at(x, 0) & at(0, y))
                tails.append(v)
                heads.append(v + y * width + x)
                weights.append(math.hypot(x, y) * grid.cost.reshape(-1)[v + y * width + x])
    n = width * height
    return csr_array((np.concatenate(weights), (np.concatenate(tails), np.concatenate(heads))), (n, n))


def length(cells: Cells) -> float:
    """The octile length of a path; fails if it jumps."""
    steps = [(abs(x1 - x), abs(y1 - y)) for (x, y), (x1, y1) in pairwise(cells)]
    if any(max(step) != 1 for step in steps):
        raise ValueError("a path that jumps")
    diagonal = sum(step == (1, 1) for step in steps)
    return (len(steps) - diagonal) + diagonal * math.sqrt(2)


def task(name: str, data: Path, count: int) -> tuple[Grid, list[tuple[int, int]]]:
    """A map and its queries: evenly spread over the rows of the scenario, or drawn at random on a generated map."""
    if name in GENERATED:
        grid = GENERATED[name]()
        return grid, maps.queries(grid, count, 7)
    grid = load_map(data / FOLDERS[name] / f"{name}.map")
    scen = load_scen(data / FOLDERS[name] / f"{name}.map.scen")
    rows = np.linspace(0, scen.size - 1, count).astype(int)
    starts, goals = scen.start_y * grid.width + scen.start_x, scen.goal_y * grid.width + scen.goal_x
    return grid, [(int(starts[i]), int(goals[i])) for i in rows]


def work(library: str, name: str, data: Path, count: int, budget: float) -> dict[str, Any]:
    """Answer the queries in turn by Anabasis and the library; the figures of both."""
    prepare, _, _, corners, _ = LIBRARIES[library]
    grid, pairs = task(name, data, count)
    ours = AStar(grid, corners=corners)
    find, read = prepare(grid)
    order = np.random.default_rng(5).permutation(len(pairs))  # so that a library that stops early has seen all sizes
    ours.find(*pairs[0])
    find(grid.cell(pairs[0][0]), grid.cell(pairs[0][1]))  # both have run once: compiled, and their memory touched
    times: list[tuple[float, float]] = []
    lengths: list[tuple[float, float]] = []
    for i in order:
        start, goal = pairs[i]
        s, g = grid.cell(start), grid.cell(goal)
        t0 = time.process_time()
        result = ours.find(start, goal)
        t1 = time.process_time()
        path = find(s, g)
        t2 = time.process_time()
        times.append((t1 - t0, t2 - t1))
        if result.value is None:
            raise ValueError(f"no way from {s} to {g}")
        lengths.append((result.value.cost, length(read(path))))
        if sum(t for _, t in times) > budget:
            break
    ratios = [theirs / own for own, theirs in lengths if own]
    medians = [1e3 * statistics.median(column) for column in zip(*times, strict=True)]
    return {
        "ours": medians[0],
        "theirs": medians[1],
        "answered": len(times),
        "shortest": min(ratios, default=1.0),
        "longest": max(ratios, default=1.0),
    }


def run(library: str, name: str, options: argparse.Namespace) -> dict[str, Any] | str:
    """Run `work` in a process of its own; its figures, or how it ended."""
    command = [sys.executable, __file__, "--work", library, "--map", name, "--data", str(options.data)]
    command += ["--queries", str(options.queries), "--budget", str(options.budget)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=STOP, check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {STOP} s"
    if done.returncode < 0:
        return f"crashed (signal {-done.returncode})"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1]}"
    return json.loads(done.stdout)


def compare(name: str, options: argparse.Namespace) -> None:
    """Print one map's table."""
    print(f"\n{name}: ms a query (median), octile; Anabasis under the same corner rule, in the same process")
    print(f"  {'library':20} {'corners':8} {'library':>9} {'Anabasis':>9} {'Anabasis/library':>17}  costs")
    for library, (_, module, package, corners, note) in LIBRARIES.items():
        if options.only and options.only.lower() not in library.lower():
            continue
        if importlib.util.find_spec(module) is None:
            print(f"  {library:20} not installed; pip install {package}")
            continue
        row = run(library, name, options)
        if isinstance(row, str):
            print(f"  {library:20} {row}", flush=True)
            continue
        low, high = row["shortest"], row["longest"]
        same = abs(low - 1) < 1e-6 and abs(high - 1) < 1e-6
        costs = "equal" if same else f"{low:.4f} to {high:.4f} of ours"
        part = "" if row["answered"] == options.queries else f" ({row['answered']})"
        ratio = row["ours"] / row["theirs"]
        print(
            f"  {library:20} {corners:8} {row['theirs']:9.3f} {row['ours']:9.3f} {ratio:17.3f}  "
            f"{costs}{part}{'; ' + note if note else ''}",
            flush=True,
        )
        if library.startswith("w9") and name in BAR:
            print(f"  {'':20} bar: at most 0.65 of w9-pathfinding: {'met' if ratio <= 0.65 else 'MISSED'}")


def whole_maps(rounds: int) -> None:
    """Print flow field and distances beside SciPy's Dijkstra on the same graphs, distances compared."""
    grids = {**GENERATED, "maze-1024, 1 wide": partial(maps.maze, 1024, 3, 1), "prices-1024": partial(priced, 1024, 4)}
    print(
        "\nfrom one goal to every vertex: ms (median); the flow field has directions, the rest parents, on both sides"
    )
    print(f"  {'map':20} {'what':11} {'scipy':>9} {'Anabasis':>9} {'scipy/Anabasis':>15}  distances")
    for name, make in grids.items():
        grid = make()
        goal, matrix = maps.queries(grid, 1, 7)[0][0], _matrix(grid)
        back = matrix.T.tocsr()
        whole(name, "flow field", rounds, lambda g=grid, v=goal: flow_field(g, [v]), back, goal)
        whole(name, "distances", rounds, lambda g=grid, v=goal: distances(g, [v]), matrix, goal)
    for name, near in (("points-100k, near", True), ("points-100k, random", False)):
        graph = points(100_000, near, 5)
        matrix = csr_array((graph.weights, graph.indices, graph.indptr), (graph.size, graph.size))
        whole(name, "distances", rounds, lambda g=graph: distances(g, [0]), matrix, 0)


def whole(name: str, what: str, rounds: int, search: Callable[[], Any], matrix: csr_array, goal: int) -> None:
    """Print one line of `whole_maps`."""
    times: list[tuple[float, float]] = []
    for _ in range(rounds + 1):
        t0 = time.process_time()
        found = search()
        t1 = time.process_time()
        wanted, _ = dijkstra(matrix, indices=goal, return_predecessors=True)
        t2 = time.process_time()
        times.append((t1 - t0, t2 - t1))
    ours, theirs = (
        1e3 * statistics.median(column) for column in zip(*times[1:], strict=True)
    )  # the first one compiles
    distance = found[0] if isinstance(found, tuple) else found.value.distance.reshape(-1)
    same = np.allclose(distance, wanted, rtol=1e-9)
    print(f"  {name:20} {what:11} {theirs:9.1f} {ours:9.1f} {theirs / ours:15.2f}  {'equal' if same else 'DIFFERENT'}")


def priced(side: int, seed: int) -> Grid:
    """A square map in which a fifth of the cells is blocked and the others cost 1 to 9."""
    rng = np.random.default_rng(seed)
    cost = np.where(rng.random((side, side)) < 0.2, np.inf, rng.integers(1, 10, (side, side)).astype(float))
    return Grid(cost, np.full(cost.shape, ord("."), np.uint8))


def points(count: int, near: bool, seed: int) -> Graph:
    """Points in a square, each with arcs to and from the six nearest, or to six random ones at random prices."""
    rng = np.random.default_rng(seed)
    places = rng.random((count, 2)) * 1000
    tails, heads = np.repeat(np.arange(count), 6), rng.integers(0, count, 6 * count)
    if near:
        heads = cKDTree(places).query(places, 7)[1][:, 1:].reshape(-1)
        tails, heads = np.concatenate((tails, heads)), np.concatenate((heads, tails))
    tails, heads = np.unique(np.stack((tails, heads)), axis=1)
    lengths = np.hypot(*(places[tails] - places[heads]).T) if near else rng.uniform(1, 10, len(tails))
    return Graph.from_arcs(places, tails, heads, lengths, "euclidean" if near else "zero")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="three maps, 20 queries, 1 s a library")
    parser.add_argument("--only", metavar="LIBRARY", help="only libraries whose name has this part")
    parser.add_argument("--map", help="only this map")
    parser.add_argument("--queries", type=int, help="queries a map (100)")
    parser.add_argument("--budget", type=float, help="seconds a library may use on a map (5)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the Moving AI maps")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.queries = options.queries or (20 if options.quick else 100)
    options.budget = options.budget or (1.0 if options.quick else 5.0)
    if options.work:
        print(json.dumps(work(options.work, options.map, options.data, options.queries, options.budget)))
        return
    names = [*(name for name in FOLDERS if (options.data / FOLDERS[name] / f"{name}.map").is_file()), *GENERATED]
    if len(names) == len(GENERATED):
        print(f"no Moving AI maps in {options.data}: only the generated maps are run")
    if options.quick:
        names = [name for name in names if name in ("random512-20-0", "Aftershock", "rooms-1024")]
    if options.map:
        names = [name for name in names if name == options.map]
    for name in names:
        compare(name, options)
    if not options.only and not options.map:
        whole_maps(3 if options.quick else 7)


if __name__ == "__main__":
    main()
