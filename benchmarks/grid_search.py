"""Shortest ways on uniform grids: jump points and prepared searches beside w9-pathfinding's A*, in one process.

Run: python benchmarks/grid_search.py [--map NAME] [--only METHOD]. Each method answers the same queries, evenly spread
over the rows of a scenario or drawn on a generated map, in a compiled loop that reads the clock around each query, as
native programs are timed; the path, cell by cell, is included. A figure is the median over the queries of the best of
three rounds. Beside it: one `find` from Python, the time and the bytes of the preparation, and the ratio to w9, whose
one call is timed from Python, path included. All lengths are compared.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np

import maps
from anabasis import Grid, InputError
from anabasis.search import hub_labels, jps, jps_plus
from anabasis.search.hub_labels import HubLabels
from anabasis.search.jps import JPS
from anabasis.search.jps_plus import JPSPlus
from search import DATA, FOLDERS, length, task, w9

GENERATED = {
    "random-512": partial(maps.random_obstacles, 512, 1),
    "rooms-512": partial(maps.rooms, 512, 2),
    "maze-512": partial(maps.maze, 512, 3),
}
NAMES = (
    "random512-20-0",
    "random-512",
    "rooms-512",
    "maze-512",
    "16room_000",
    "maze512-8-0",
    "orz900d",
    "Aftershock",
    "Berlin_1_1024",
)
# Of the time of w9-pathfinding's A*: for jump points, and for the best method with a preparation.
BARS = {
    "random-512": (0.32, None),
    "random512-20-0": (0.32, None),
    "rooms-512": (0.0075, None),
    "maze-512": (0.007, 0.003),
    "orz900d": (0.015, 0.009),
    "Aftershock": (0.007, 0.01),
}
ENTRIES = 2**22  # of labels: what needs more is left out, since it takes minutes to prepare
METHODS: dict[str, tuple[Callable[[Grid], Any], Any]] = {
    "jps": (JPS, jps._search_all),
    "jps-plus": (JPSPlus, jps_plus._search_all),
    "hub-labels": (partial(HubLabels, most_entries=ENTRIES), hub_labels._answer_all),
}

_gettime = ctypes.CDLL(None).clock_gettime
_gettime.argtypes, _gettime.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_int


def timer(kernel: Any) -> Any:
    """Return a compiled loop (starts, goals, tables, log) -> nanoseconds for each query, processor time."""
    gettime = _gettime

    @numba.njit
    def run(starts: Any, goals: Any, tables: Any, log: Any) -> Any:
        clock, spent = np.zeros(2, np.int64), np.empty(len(starts), np.int64)
        for q in range(len(starts)):
            gettime(3, clock.ctypes)
            before = clock[0] * 1_000_000_000 + clock[1]
            kernel(starts[q : q + 1], goals[q : q + 1], 0, *tables, log)
            gettime(3, clock.ctypes)
            spent[q] = clock[0] * 1_000_000_000 + clock[1] - before
        return spent

    return run


def size_of(search: Any) -> int:
    """The bytes of all arrays that a search keeps."""
    return sum(array.nbytes for array in search.tables if isinstance(array, np.ndarray))


def figures(name: str, grid: Grid, pairs: list[tuple[int, int]], only: str) -> Iterator[str]:
    """Yield the lines of one map's table."""
    starts, goals = np.array(pairs).T.copy()
    find, read = w9(grid)
    times: list[float] = []
    best: list[float] = []
    for start, goal in pairs:
        s, g = grid.cell(start), grid.cell(goal)
        t0 = time.process_time()
        path = find(s, g)
        times.append(time.process_time() - t0)
        best.append(length(read(path)))
    theirs = 1e3 * statistics.median(times)
    yield f"\n{name}: ms a query (median of {len(pairs)}), w9-pathfinding A* {theirs:.3f}"
    yield f"  {'method':12} {'compiled':>9} {'find':>9} {'/ w9':>9} {'prepared s':>11} {'MB':>7} {'expanded':>9}  costs"
    shares: dict[str, float] = {}
    for method, (make, kernel) in METHODS.items():
        if only and method not in only.split(","):
            continue
        make(Grid.from_text("..\n..")).find_many([0], [3])  # compiled
        t0 = time.process_time()
        try:
            search = make(grid)
        except InputError as error:
            yield f"  {method:12} left out: {error.problem} ({time.process_time() - t0:.1f} s)"
            continue
        spent = time.process_time() - t0
        batch = search.find_many(starts, goals)
        same = np.allclose(batch.cost, best, rtol=1e-9)
        run, log = timer(kernel), np.empty((0, 5))
        run(starts[:1], goals[:1], search.tables, log)
        ours = float(np.median(np.min([run(starts, goals, search.tables, log) for _ in range(3)], axis=0))) / 1e6
        calls: list[float] = []
        for start, goal in pairs:
            t0 = time.perf_counter()
            search.find(start, goal)
            calls.append(time.perf_counter() - t0)
        shares[method] = ours / theirs
        yield (
            f"  {method:12} {ours:9.4f} {1e3 * statistics.median(calls):9.4f} {ours / theirs:9.5f} {spent:11.3f} "
            f"{size_of(search) / 1e6:7.1f} {np.median(batch.rows[:, 1]):9.0f}  {'equal' if same else 'DIFFERENT'}"
        )
    if shares:
        first = min(shares, key=lambda method: shares[method])
        yield f"  fastest: {first}, {1 / shares[first]:,.0f} times as fast as w9-pathfinding"
        for bar, what, kinds in zip(
            BARS.get(name, (None, None)),
            ("jps", "the best prepared"),
            (("jps",), ("jps-plus", "hub-labels")),
            strict=True,
        ):
            found = min((shares[kind] for kind in kinds if kind in shares), default=None)
            if bar is not None and found is not None:
                met = "met" if found <= bar else "MISSED"
                yield f"  bar for {what}: {bar} of w9-pathfinding, {met} with {found:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--map", help="only this map")
    parser.add_argument("--only", help="only this method", default="")
    parser.add_argument("--queries", type=int, default=100, help="queries a map (100)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the Moving AI maps")
    options = parser.parse_args()
    for name in [options.map] if options.map else NAMES:
        if name in GENERATED:
            grid = GENERATED[name]()
            pairs = maps.queries(grid, options.queries, 7)
        elif not (options.data / FOLDERS[name] / f"{name}.map").is_file():
            print(f"\n{name}: no such file in {options.data}")
            continue
        else:
            grid, pairs = task(name, options.data, options.queries)
        for line in figures(name, grid, pairs, options.only):
            print(line, flush=True)


if __name__ == "__main__":
    main()
