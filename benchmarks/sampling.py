"""Sampling planners beside OMPL's: time to the first way, length after the same time; and the statistics of RRT.

Run: python benchmarks/sampling.py [--quick] [--budget SECONDS]. Both answer every query in turn in one process, in the
worlds of benchmarks/polygons.py; lengths are compared with the visibility graph's shortest. Times are processor time,
after everything has run once. OMPL asks Python (Shapely, prepared) whether a place is free, the only way that its
wheels offer, and looks at places along a segment where Anabasis tests the segment; both are in the ratio. A planner of
ours is limited by samples: it gets twice as many until the next doubling would not fit into the time.

The statistics are those of the published experiment: 100 runs of RRT between places 240.6 apart in an empty world of
450 × 300 (published lengths: least 274.1, median 322.1, mean 332.5, greatest 470.4), without and with restarts.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import dist
from typing import Any

import numpy as np

from anabasis import World
from anabasis.search.rrt import rrt
from anabasis.search.rrt_connect import rrt_connect
from anabasis.search.rrt_star import informed_rrt_star, rrt_star
from anabasis.search.visibility_graph import VisibilityGraph
from polygons import HOLES, SIDE, Place, holes, queries

STRAIGHT = 240.6


def ompl(name: str, rings: list[np.ndarray]) -> Callable[[Place, Place, float], float]:
    """A planner of OMPL: the length of what it finds within some seconds of processor time, inf if nothing."""
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

    def find(start: Place, goal: Place, seconds: float) -> float:
        setup = geometric.SimpleSetup(space)
        setup.setStateValidityChecker(lambda state: not shapely.intersects_xy(solid, state[0], state[1]))
        ends = []
        for place in (start, goal):
            state = space.allocState()
            state[0], state[1] = place
            ends.append(state)
        setup.setStartAndGoalStates(*ends)
        setup.setPlanner(getattr(geometric, name)(setup.getSpaceInformation()))
        end = time.process_time() + seconds
        setup.solve(base.PlannerTerminationCondition(lambda: time.process_time() > end))
        if not setup.haveExactSolutionPath():
            return float("inf")
        return sum(dist((a[0], a[1]), (b[0], b[1])) for a, b in pairwise(setup.getSolutionPath().getStates()))

    return find


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time in milliseconds, and the answer."""
    before = time.process_time()
    answer = call()
    return (time.process_time() - before) * 1e3, answer


def cost(result: Any) -> float:
    return result.value.cost if result else float("inf")


def within(
    planner: Any, world: World, start: Place, goal: Place, seed: int, milliseconds: float
) -> tuple[float, float]:
    """Time and length with the most samples, a power of two, that fit into the time."""
    limit, spent, length = 64, 0.0, float("inf")
    while True:
        took, result = timed(lambda limit=limit: planner(world, start, goal, seed=seed, limit=limit))
        if took > milliseconds and limit > 64:
            return spent, length
        spent, length = took, cost(result)
        if took * 2.2 > milliseconds or (result and result.stats["iterations"] < limit):
            return spent, length
        limit *= 2


def row(name: str, times: list[float], ratios: list[float], base: float) -> None:
    solved = [r for r in ratios if np.isfinite(r)]
    figures = f"{statistics.median(solved):8.4f} {max(solved):8.4f}" if solved else f"{'-':>8} {'-':>8}"
    median = statistics.median(times)
    ratio = f"{median / base:8.2f}" if base else f"{'':8}"
    print(f"  {name:28} {len(solved):3}/{len(ratios):<3} {median:9.3f} ms {ratio}  length / shortest {figures}")


def connected(world: World, start: Place, goal: Place, seed: int, **options: Any) -> float:
    return cost(rrt_connect(world, start, goal, seed=seed, **options))


def grown(world: World, start: Place, goal: Place, seed: int, **options: Any) -> float:
    return cost(rrt(world, start, goal, seed=seed, bias=0.05, **options))


def beside(count: int, number: int, budget: float, theirs: bool) -> None:
    rings = holes(count)
    world, pairs = World.of((0, 0, SIDE, SIDE), list(rings)), queries(rings, number)
    oracle = VisibilityGraph(world)
    best = [oracle.find(a, b).value.cost for a, b in pairs]
    print(f"\n{count} holes, {sum(map(len, rings))} corners, {number} queries: times, ratio to ours; median, greatest")

    def show(name: str, done: list[tuple[float, float]], base: float = 0.0) -> float:
        row(name, [t for t, _ in done], [v / o for (_, v), o in zip(done, best, strict=True)], base)
        return statistics.median(t for t, _ in done)

    first = (
        ("rrt_connect", connected, {}, "RRTConnect"),
        ("rrt, bias 0.05", grown, {}, "RRT"),
        ("rrt, bias 0.05, restart 500", grown, {"restart": 500}, ""),
    )
    for name, find, options, peer in first:
        find(world, *pairs[0], 0, **options)
        base = show(name, [timed(partial(find, world, a, b, k, **options)) for k, (a, b) in enumerate(pairs)])
        if theirs and peer:
            show(f"OMPL {peer}", [timed(partial(ompl(peer, rings), a, b, 1.0)) for a, b in pairs], base)
    for name, planner in (
        ("rrt_star", rrt_star),
        ("informed_rrt_star", informed_rrt_star),
        ("informed, corner_bias 0.3", partial(informed_rrt_star, corner_bias=0.3)),
    ):
        planner(world, *pairs[0])
        show(name, [within(planner, world, a, b, k, budget * 1e3) for k, (a, b) in enumerate(pairs)])
    for name in ("RRTstar", "InformedRRTstar", "BITstar") if theirs else ():
        show(f"OMPL {name}", [timed(partial(ompl(name, rings), a, b, budget)) for a, b in pairs])


def published(runs: int) -> None:
    """The batch of the published experiment: time, length and samples of each run, as four figures."""
    world = World.of((0, 0, 450, 300), [])
    for restart in (0, 500):
        rng, rows = np.random.default_rng(0), []
        while len(rows) < runs:
            start, angle = rng.uniform((0, 0), (450, 300)), rng.uniform(0, 2 * np.pi)
            goal = start + STRAIGHT * np.array([np.cos(angle), np.sin(angle)])
            if (goal < 0).any() or (goal > (450, 300)).any():
                continue
            took, result = timed(partial(rrt, world, start, goal, seed=len(rows), step=10, restart=restart))
            trees = [restart * (k + 1) for k in range(int(result.stats["restarts"]))]
            scanned = sum(n * n / 2 for n in [*trees, result.stats["states"]])
            rows.append((took, cost(result), result.stats["iterations"], scanned))
        heads = f"{'least':>12} {'median':>12} {'mean':>12} {'greatest':>12} {'/ median':>12}"
        print(
            f"\nRRT in the empty world, {runs} runs, step 10, restart after {restart or 'no'} samples\n{'':26}{heads}"
        )
        names = ("time [ms]", "length", "samples", "places a scan looks at")
        for name, values in zip(names, zip(*rows, strict=True), strict=True):
            middle = statistics.median(values)
            figures = [min(values), middle, statistics.fmean(values), max(values), max(values) / middle]
            print(f"  {name:24}" + " ".join(f"{v:12.1f}" for v in figures))
        print(f"  at least twice the straight line: {sum(r[1] >= 2 * STRAIGHT for r in rows)} of {runs}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few queries")
    parser.add_argument("--budget", type=float, default=0.2, help="seconds for those that go on improving")
    options = parser.parse_args()
    theirs = importlib.util.find_spec("ompl") is not None
    if not theirs:
        print("OMPL is not installed (pip install ompl): only our own figures")
    for count in HOLES:
        beside(count, 5 if options.quick else 20, options.budget, theirs)
    published(100)


if __name__ == "__main__":
    main()
