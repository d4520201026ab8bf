"""Decomposition in regions and gates: how its time grows with the map, by stage, on a tiled game map and on rooms.

Run: python benchmarks/decomposition.py [--quick] [--map FILE.map] [--json]. One core, warm, medians of the rounds. The
game map (Aftershock of the Moving AI benchmarks, 512 × 512; without the data a map of caves made from a seed) is cut
out or laid side by side, so that a larger map has more of the same; rooms are 32 cells wide.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter

from anabasis import Grid
from anabasis.decompose.clearance import clearance
from anabasis.decompose.cutting import cut
from anabasis.decompose.flooding import flood
from anabasis.decompose.gates import find_gates
from anabasis.decompose.regions import PARAMETERS, decompose
from maps import rooms

GAME_MAP = Path(__file__).resolve().parents[2] / "shared" / "data" / "movingai" / "sc1" / "Aftershock.map"
SIDES = (256, 512, 1024, 2048, 4096)
SETS = (0, 3, 7)


def game_map(file: Path, side: int) -> Grid:
    """A square of a game map, cut out or laid side by side."""
    if file.exists():
        from anabasis.io.maps import load_grid

        free = load_grid(file).free
    else:
        free = gaussian_filter(np.random.default_rng(1).random((512, 512)), 6, mode="wrap") > 0.5
    return Grid.from_free(np.tile(free, (-(-side // free.shape[0]), -(-side // free.shape[1])))[:side, :side])


def median_time(rounds: int, work: Callable[[], object]) -> float:
    """Seconds of a call, the median."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(grid: Grid, number: int, rounds: int) -> dict[str, float]:
    """Sizes, and seconds by stage."""
    parameters = PARAMETERS[number]
    lake = flood(grid, parameters).lake
    gates = find_gates(lake)
    made = decompose(grid, number)
    return {
        "regions": made.regions,
        "gates": made.gates,
        "clearance": median_time(rounds, lambda: clearance(grid, parameters[1])),
        "flooding": median_time(rounds, lambda: flood(grid, parameters)),
        "find gates": median_time(rounds, lambda: find_gates(lake)),
        "cut": median_time(rounds, lambda: cut(lake, gates)),
        "whole": median_time(rounds, lambda: decompose(grid, number)),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 1024 cells a side")
    parser.add_argument("--map", type=Path, default=GAME_MAP, help="the game map")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    if not options.json:
        print("milliseconds; flooding includes clearance; ns: nanoseconds a cell, whole; x: over the side before\n")
        print(f"{'map':14}{'set':>4}{'side':>6}{'regions':>9}{'gates':>8}", end="")
        print(f"{'clearance':>11}{'flooding':>10}{'gates':>8}{'cut':>8}{'whole':>9}{'ns':>6}{'x':>6}")
    for name in (options.map.stem if options.map.exists() else "caves", "rooms"):
        for number in SETS:
            before = 0.0
            for side in SIDES[:3] if options.quick else SIDES:
                grid = rooms(side, 1) if name == "rooms" else game_map(options.map, side)
                row = measure(grid, number, 5 if side <= 1024 else 3)
                rows.append({"map": name, "set": number, "side": side, **row})
                if not options.json:
                    print(f"{name:14}{number:4}{side:6}{row['regions']:9}{row['gates']:8}", end="")
                    print(f"{1e3 * row['clearance']:11.1f}{1e3 * row['flooding']:10.1f}", end="")
                    print(f"{1e3 * row['find gates']:8.1f}{1e3 * row['cut']:8.1f}{1e3 * row['whole']:9.1f}", end="")
                    growth = f"{row['whole'] / before:6.1f}" if before else ""
                    print(f"{1e9 * row['whole'] / side**2:6.0f}{growth}", flush=True)
                before = row["whole"]
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
