"""Time to plan for groups of 100 to 10,000 units on game maps, beside uncoordinated A* for the same units.

Run: python benchmarks/planning.py [--quick] [--data folder of the Moving AI maps]. The group stands around one end of
the longest shortest way of the map, the target is the other end. A map is decomposed, and what is the same for all
groups prepared, beforehand; how long that takes is shown, as is the first plan on a prepared map, which finds ways that
later ones only look up. All methods plan in turn in one process; medians of processor time (A* for 10,000 units once).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import label

from anabasis import Grid
from anabasis.flow.navigate import Navigator
from anabasis.io.movingai import load_map
from anabasis.scenario import Group, Target
from anabasis.search.flow_field import plan_vector_field
from anabasis.search.integration import integrate
from anabasis.search.moves import Space
from anabasis.search.uncoordinated import plan_astar

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "movingai"
MAPS = ("bg512/AR0602SR.map", "wc3maps512/battleground.map", "wc3maps512/darkforest.map")
UNITS = (100, 500, 1_000, 10_000)
BAR_UNITS, BAR = 500, 0.2  # flow-gates takes at most so much of the time of A*
NAVIGATORS = {
    "flow-centres": {"graph": "centres"},
    "flow-gates": {"graph": "gates"},
    "flow-taut": {"graph": "gates", "ways": "taut"},
    "flow-replan": {"graph": "gates", "ways": "taut"},  # its first plan
}


def longest_way(grid: Grid) -> tuple[int, int]:
    """Return the ends of a way about as long as any shortest one: the farthest from the farthest from anywhere."""
    space = Space(grid)
    numbers, _ = label(grid.free)
    sizes = np.bincount(numbers.ravel())
    sizes[0] = 0
    end = int(np.flatnonzero(numbers.ravel() == sizes.argmax())[0])
    start = end
    for _ in range(4):
        distance = integrate(space, np.array([end]))[0].ravel()
        start, end = end, int(np.where(np.isfinite(distance), distance, -1.0).argmax())
    return start, end


def crowd(grid: Grid, units: int) -> Group:
    """Return units in the cells that are nearest on foot to one end of the longest way, sent to the other end."""
    start, goal = longest_way(grid)
    distance = integrate(Space(grid), np.array([start]))[0].ravel()
    cells = np.argsort(distance, kind="stable")[:units]
    x, y = grid.centres(goal).tolist()
    return Group(grid.centres(cells), Target(x, y))


def timed(plan: Callable[[], Any]) -> float:
    start = time.process_time()
    plan()
    return 1e3 * (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="medians of 3")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"planning: needs the Moving AI benchmark maps in {options.data}")
        sys.exit(0)
    rounds = 3 if options.quick else 7
    grid = Grid.from_text("\n".join(["." * 30 + ("." if y == 5 else "#") + "." * 30 for y in range(20)]))
    for settings in NAVIGATORS.values():  # compiled once
        Navigator(grid, **settings).plan(crowd(grid, 20))
    plan_vector_field(grid, crowd(grid, 20))
    print(f"planning: ms of processor time, medians of {rounds}; in brackets the share of the time of astar")
    for name in MAPS:
        measure(name, load_map(options.data / name), rounds)


def measure(name: str, grid: Grid, rounds: int) -> None:
    """Print the table of one map."""
    groups = {units: crowd(grid, units) for units in UNITS if units < np.count_nonzero(grid.free)}
    navigators: dict[str, Navigator] = {}
    methods: dict[str, Callable[[Group], Any]] = {
        "astar": lambda group: plan_astar(grid, group),
        "vector-field": lambda group: plan_vector_field(grid, group),
    }
    head = " ".join(f"{units:>16,}" for units in groups)
    print(f"{name}\n  {'units':>12} {head} {'10,000/100':>11} {'decompose':>10} {'first plan':>10}")
    made: dict[str, tuple[float, float]] = {}
    for method, settings in NAVIGATORS.items():
        start = time.process_time()
        navigators[method] = Navigator(grid, **settings)
        decomposed = 1e3 * (time.process_time() - start)
        made[method] = decomposed, timed(lambda m=method: navigators[m].plan(groups[UNITS[0]]))
        methods[method] = navigators[method].plan
    times: dict[tuple[str, int], list[float]] = {}
    for units, group in groups.items():
        for turn in range(rounds):
            for method, plan in methods.items():
                if method != "astar" or units < 10_000 or turn == 0:  # the slowest, once
                    times.setdefault((method, units), []).append(timed(lambda p=plan, g=group: p(g)))
    median = {key: statistics.median(values) for key, values in times.items()}
    for method in methods:
        row = " ".join(
            f"{median[method, units]:8.1f} ({median[method, units] / median['astar', units]:5.3f})" for units in groups
        )
        growth = median[method, max(groups)] / median[method, min(groups)]
        extra = "{:10.0f} {:10.1f}".format(*made[method]) if method in made else ""
        bar = ""
        if method == "flow-gates":
            share = median[method, BAR_UNITS] / median["astar", BAR_UNITS]
            bar = f"  bar {BAR} for {BAR_UNITS} units: {'met' if share <= BAR else 'MISSED'}"
        print(f"  {method:>12} {row} {growth:11.1f} {extra}{bar}", flush=True)


if __name__ == "__main__":
    main()
