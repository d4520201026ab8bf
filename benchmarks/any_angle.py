"""Ways of any angle on navigation meshes beside A* of another library: the same queries on the same maps, with lengths.

Run: python benchmarks/any_angle.py [--quick] [--map NAME]. Each map has a process of its own, in which every query is
answered by w9-pathfinding's A* (8 neighbours, no corner cut) and by each method in turn; a ratio is one median by
another of the same process. Times are processor time. "inside" is the time of a query without the call from Python:
one query twenty times in one `find_many`; "batch" is the mean over all queries in one call, each on a cold memory. The
Moving AI maps are read from ../shared/data or from --data; without them only the generated map is run.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import search
from anabasis import Grid, World
from anabasis.decompose.free_space import free_space
from anabasis.decompose.merging import merging
from anabasis.decompose.outline import grid_world
from anabasis.decompose.triangulation import triangulation
from anabasis.search.anya import Anya
from anabasis.search.mesh_search import MeshSearch
from anabasis.search.polyanya import Polyanya

MAPS = ("Aftershock", "orz900d", "Berlin_1_1024", "16room_000", "maze512-8-0", "random512-20-0", "rooms-1024")
QUICK = ("Aftershock", "orz900d")
BARS = {"Aftershock": 0.011, "orz900d": 0.04}  # of the time of w9-pathfinding, for Polyanya
REPEATS = 20
STOP = 600  # seconds for one map

Place = tuple[float, float]
METHODS: dict[str, Callable[[Grid, World], Any]] = {
    "polyanya": lambda _, world: Polyanya(world),
    "polyanya, triangles": lambda _, world: Polyanya(triangulation(world)),
    "polyanya, by area": lambda _, world: Polyanya(merging(world, order="area")),
    "mesh_search, centres": lambda _, world: MeshSearch(world),
    "mesh_search, sides": lambda _, world: MeshSearch(world, states="sides"),
    "anya": lambda grid, _: Anya(grid),
}


def clock(call: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time of a call, and what it returned."""
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def work(name: str, data: Path, count: int) -> None:
    """Print the table of one map."""
    grid, pairs = search.task(name, data, count)
    cells = [(grid.cell(s), grid.cell(g)) for s, g in pairs]
    places = [((sx + 0.5, sy + 0.5), (gx + 0.5, gy + 0.5)) for (sx, sy), (gx, gy) in cells]
    made, world = clock(lambda: grid_world(grid))
    w9 = search.w9(grid) if importlib.util.find_spec("w9_pathfinding") else None
    other: list[float] = []
    octile: list[float] = []
    for start, goal in cells:
        if w9:
            w9[0](start, goal)
            spent, path = clock(lambda s=start, g=goal: w9[0](s, g))
            other.append(1e3 * spent)
            octile.append(search.length(w9[1](path)))
    base = statistics.median(other) if other else float("nan")
    corners = free_space(world).size
    print(f"\n{name}: {corners} corners, world made in {1e3 * made:.0f} ms; w9-pathfinding A* {base:.3f} ms (median)")
    print(
        "  method                 prepared   ms, median   of w9's   inside   of w9's    batch   length of the shortest"
    )
    shortest: list[float] = []
    taken: dict[str, float] = {}
    for method, make in METHODS.items():
        make(grid, world)  # whatever is compiled is compiled
        prepared, finder = clock(lambda m=make: m(grid, world))
        times, inside, lengths = measure(finder, pairs if method == "anya" else places)
        batch = whole(finder, places) if isinstance(finder, Polyanya) else float("nan")
        shortest = shortest or lengths
        ratios = [own / best for own, best in zip(lengths, shortest, strict=True) if best]
        median, within = statistics.median(times), statistics.median(inside) if inside else float("nan")
        taken[method] = median
        print(
            f"  {method:20} {prepared:8.3f} s {median:12.4f} {median / base:9.4f} {within:8.4f} {within / base:9.4f} "
            f"{batch:8.4f}   {np.mean(ratios):.4f} (at most {max(ratios):.4f})",
            flush=True,
        )
        if method == "polyanya" and name in BARS and other:
            met = "met" if median / base <= BARS[name] else "MISSED"
            print(f"  {'':20} bar: at most {BARS[name]} of w9-pathfinding's A*: {met}")
    first = min(taken, key=lambda method: taken[method])
    print(
        f"  fastest: {first}, {base / taken[first]:,.0f} times as fast as w9-pathfinding, whose paths turn by 45° only"
    )
    if octile:
        ratios = [own / best for own, best in zip(octile, shortest, strict=True) if best]
        print(f"  w9-pathfinding's paths are {np.mean(ratios):.4f} (at most {max(ratios):.4f}) of the shortest")


def measure(finder: Any, ends: list[tuple[Any, Any]]) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of each query (the better of two), without the call (Polyanya only), and the length of each way."""
    times: list[float] = []
    inside: list[float] = []
    lengths: list[float] = []
    for start, goal in ends:
        runs = [clock(lambda s=start, g=goal: finder.find(s, g)) for _ in range(2)]
        times.append(1e3 * min(spent for spent, _ in runs))
        lengths.append(runs[0][1].value.cost)
        if isinstance(finder, Polyanya):
            starts, goals = np.array([start] * REPEATS), np.array([goal] * REPEATS)
            inside.append(1e3 * clock(lambda s=starts, g=goals: finder.find_many(s, g))[0] / REPEATS)
    return times, inside, lengths


def whole(finder: Polyanya, places: list[tuple[Place, Place]]) -> float:
    """Milliseconds a query, all of them in one call; the best of three."""
    starts, goals = np.array([s for s, _ in places]), np.array([g for _, g in places])
    return min(1e3 * clock(lambda: finder.find_many(starts, goals))[0] / len(places) for _ in range(3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="two maps, 30 queries")
    parser.add_argument("--map", help="only this map")
    parser.add_argument("--queries", type=int, help="queries a map (100)")
    parser.add_argument("--data", type=Path, default=search.DATA, help="folder of the Moving AI maps")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    count = options.queries or (30 if options.quick else 100)
    if options.work:
        work(options.work, options.data, count)
        return
    for name in [options.map] if options.map else QUICK if options.quick else MAPS:
        if name in search.GENERATED or (options.data / search.FOLDERS[name] / f"{name}.map").is_file():
            command = [sys.executable, __file__, "--work", name, "--data", str(options.data), "--queries", str(count)]
            subprocess.run(command, timeout=STOP, check=True)


if __name__ == "__main__":
    main()
