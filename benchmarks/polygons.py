"""Shortest ways among polygons beside other libraries: the same worlds and queries, lengths compared, ratios printed.

Run: python benchmarks/polygons.py [--quick] [--only LIBRARY]. Each library runs in a process of its own, in which it
and the visibility graph prepare the world and answer every query in turn; a ratio is one time by another of the same
process. Times are processor time; both have run once before, so that what is compiled is compiled. A sampling planner
answers one query at a time and gets 0.2 s for each if it goes on improving; its lengths are compared all the same.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from math import dist
from typing import Any

import numpy as np

from anabasis import World
from anabasis.decompose.free_space import free_space
from anabasis.search.visibility_graph import VisibilityGraph

HOLES = (10, 40, 100)
SIDE = 100.0
STOP = 600  # seconds for one library in one world
BUILD_BAR, QUERY_BAR, BAR_HOLES = 0.5, 2.0, 100  # seconds and milliseconds at most, with so many holes

Place = tuple[float, float]
Finder = Callable[[Place, Place], list[Place]]  # the corners of a way


def holes(count: int, seed: int = 1) -> list[np.ndarray]:
    """Convex polygons of five to eight corners inside a square, apart from each other and from its sides."""
    rng = np.random.default_rng(seed)
    rings: list[np.ndarray] = []
    centres: list[np.ndarray] = []
    radius = SIDE / np.sqrt(count) / 3
    while len(rings) < count:
        centre = rng.uniform(1.2 * radius, SIDE - 1.2 * radius, 2)
        if any(np.hypot(*(centre - other)) < 2.05 * radius for other in centres):
            continue
        centres.append(centre)
        n = int(rng.integers(5, 9))
        angles = (np.arange(n) + rng.uniform(-0.3, 0.3, n)) * 2 * np.pi / n
        rings.append(centre + radius * np.stack((np.cos(angles), np.sin(angles)), 1))
    return rings


def queries(rings: list[np.ndarray], count: int, seed: int = 2) -> list[tuple[Place, Place]]:
    """Pairs of places outside all polygons."""
    rng = np.random.default_rng(seed)
    free = World.of((0, 0, SIDE, SIDE), list(rings))
    places: list[Place] = []
    inside = free_space(free)
    while len(places) < 2 * count:
        place = rng.uniform(0.5, SIDE - 0.5, 2)
        if inside.free([place])[0]:
            places.append((float(place[0]), float(place[1])))
    return list(zip(places[::2], places[1::2], strict=True))


def ours(rings: list[np.ndarray]) -> Finder:
    search = VisibilityGraph(World.of((0, 0, SIDE, SIDE), list(rings)))

    def find(start: Place, goal: Place) -> list[Place]:
        path = search.find(start, goal).value
        return [] if path is None else path.points.tolist()

    return find


def pyvisgraph(rings: list[np.ndarray]) -> Finder:
    from pyvisgraph import Point, VisGraph

    graph = VisGraph()
    graph.build([[Point(x, y) for x, y in ring.tolist()] for ring in rings], status=False)
    return lambda s, g: [(p.x, p.y) for p in graph.shortest_path(Point(*s), Point(*g))]


def extremitypathfinder(rings: list[np.ndarray]) -> Finder:
    from extremitypathfinder import PolygonEnvironment

    environment = PolygonEnvironment()
    bounds = [(0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE)]
    environment.store(bounds, [ring[::-1] for ring in rings], validate=False)
    environment.prepare()
    return lambda s, g: environment.find_shortest_path(s, g, verify=False)[0]


def ompl(name: str, seconds: float) -> Callable[[list[np.ndarray]], Finder]:
    """A sampling planner; whether a place is free is answered by Shapely."""

    def prepare(rings: list[np.ndarray]) -> Finder:
        import shapely
        from ompl import base, geometric, util

        util.setLogLevel(util.LogLevel.LOG_NONE)
        solid = shapely.MultiPolygon([shapely.Polygon(ring) for ring in rings])
        shapely.prepare(solid)
        space = base.RealVectorStateSpace(2)
        bounds = base.RealVectorBounds(2)
        bounds.setLow(0.0)
        bounds.setHigh(SIDE)
        space.setBounds(bounds)

        def find(start: Place, goal: Place) -> list[Place]:
            setup = geometric.SimpleSetup(space)
            setup.setStateValidityChecker(lambda state: not shapely.intersects_xy(solid, state[0], state[1]))
            ends = []
            for place in (start, goal):
                state = space.allocState()
                state[0], state[1] = place
                ends.append(state)
            setup.setStartAndGoalStates(*ends)
            planner = getattr(geometric, name)(setup.getSpaceInformation())
            if name == "RRTstar":
                planner.setRange(SIDE / 10)
            setup.setPlanner(planner)
            setup.solve(seconds)
            if not setup.haveExactSolutionPath():
                return []
            return [(state[0], state[1]) for state in setup.getSolutionPath().getStates()]

        return find

    return prepare


# The function that prepares a world and returns a finder, the library's module, the command that installs it, a remark.
LIBRARIES: dict[str, tuple[Callable[[list[np.ndarray]], Finder], str, str, str]] = {
    "extremitypathfinder": (
        extremitypathfinder,
        "extremitypathfinder",
        "extremitypathfinder (pins numpy < 2; --no-deps)",
        "",
    ),
    "pyvisgraph": (pyvisgraph, "pyvisgraph", "pyvisgraph tqdm", ""),
    "ompl RRTConnect": (ompl("RRTConnect", 1.0), "ompl", "ompl", "first way found"),
    "ompl RRTstar": (ompl("RRTstar", 0.2), "ompl", "ompl", "0.2 s"),
    "ompl BITstar": (ompl("BITstar", 0.2), "ompl", "ompl", "0.2 s"),
}


def length(way: list[Place]) -> float:
    """The length of a polyline, inf without one."""
    return sum(dist(a, b) for a, b in pairwise(way)) if way else float("inf")


def work(library: str, count: int, number: int) -> dict[str, Any]:
    """Prepare the world and answer the queries by both; the figures."""
    prepare = LIBRARIES[library][0]
    rings = holes(count)
    pairs = queries(rings, number)
    for make in (ours, prepare):
        make(rings[:3])(*pairs[0])  # compiled, and memory touched
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    builds, lengths = {}, []
    finders = {}
    for name, make in (("ours", ours), ("theirs", prepare)):
        begin = time.process_time()
        finders[name] = make(rings)
        builds[name] = time.process_time() - begin
    for start, goal in pairs:
        found = {}
        for name, find in finders.items():
            begin = time.process_time()
            found[name] = find(start, goal)
            times[name].append(time.process_time() - begin)
        lengths.append(length(found["theirs"]) / length(found["ours"]))
    solved = [ratio for ratio in lengths if np.isfinite(ratio)]
    return {
        "corners": sum(map(len, rings)),
        "build": builds,
        "query": {name: 1e3 * statistics.median(t) for name, t in times.items()},
        "solved": len(solved),
        "longer": statistics.mean(solved) if solved else float("nan"),
        "shortest": min(solved, default=float("nan")),
    }


def run(library: str, count: int, number: int) -> dict[str, Any] | str:
    """Run `work` in a process of its own; its figures, or how it ended."""
    command = [sys.executable, __file__, "--work", library, "--holes", str(count), "--queries", str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=STOP, check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {STOP} s"
    if done.returncode < 0:
        return f"crashed (signal {-done.returncode})"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1]}"
    return json.loads(done.stdout.strip().splitlines()[-1])


def compare(count: int, options: argparse.Namespace) -> None:
    """Print the table of one world."""
    print(f"\n{count} holes: build in s, query in ms (median of {options.queries}), processor time")
    print(f"  {'library':20} {'build':>8} {'query':>8} {'ours':>7} {'ours':>7} {'build':>7} {'query':>7}  lengths")
    queries_of: dict[str, float] = {}
    for library, (_, module, package, note) in LIBRARIES.items():
        if options.only and options.only.lower() not in library.lower():
            continue
        if importlib.util.find_spec(module) is None:
            print(f"  {library:20} not installed; pip install {package}")
            continue
        row = run(library, count, options.queries)
        if isinstance(row, str):
            print(f"  {library:20} {row}", flush=True)
            continue
        build, query = row["build"], row["query"]
        queries_of[library] = query["theirs"]
        queries_of["Anabasis"] = min(query["ours"], queries_of.get("Anabasis", np.inf))
        part = "" if row["solved"] == options.queries else f" ({row['solved']})"
        print(
            f"  {library:20} {build['theirs']:8.3f} {query['theirs']:8.3f} {build['ours']:7.3f} {query['ours']:7.3f} "
            f"{build['ours'] / max(build['theirs'], 1e-9):7.3f} {query['ours'] / query['theirs']:7.3f}  "
            f"{row['longer']:.5f} of ours, at least {row['shortest']:.7f}"
            f"{part}{'; ' + note if note else ''}",
            flush=True,
        )
        if count == BAR_HOLES and library == "pyvisgraph":
            met = build["ours"] <= BUILD_BAR and query["ours"] <= QUERY_BAR
            print(f"  {'':20} bar: {BUILD_BAR} s and {QUERY_BAR} ms at most: {'met' if met else 'MISSED'}")
    if queries_of:
        print(f"  fastest query: {min(queries_of, key=lambda name: queries_of[name])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="10 and 40 holes, 10 queries")
    parser.add_argument("--only", metavar="LIBRARY", help="only libraries whose name has this part")
    parser.add_argument("--queries", type=int, help="queries a world (50)")
    parser.add_argument("--holes", type=int, help="only a world of so many holes")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.queries = options.queries or (10 if options.quick else 50)
    if options.work:
        print(json.dumps(work(options.work, options.holes, options.queries)))
        return
    for count in [options.holes] if options.holes else HOLES[: 2 if options.quick else 3]:
        compare(count, options)


if __name__ == "__main__":
    main()
