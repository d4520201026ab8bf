"""Map generation: height fields and whole maps, time and growth, with the bars that they are held to.

Run: python benchmarks/generation.py [--quick]. Medians of several turns after a first one; wall time, on one thread.
Each row makes another seed in each turn, so no map is made twice. The last table is the bar of whole maps: an
island of 1025 × 1025 cells with rivers, woods and four fair players.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from anabasis.errors import InputError
from anabasis.generators import GENERATORS, Generator, generate
from anabasis.maps.terrain.diamond_square import diamond_square

ISLAND, DIAMOND = 5.0, 1.0  # seconds: the bars


def median(make: Callable[[int], Any], repeats: int) -> tuple[float, int]:
    """The median time of maps that are made, and how many were refused."""
    times, refused, seed = [], 0, 0
    while len(times) < repeats + 1 and seed < 9 * (repeats + 1):
        seed += 1
        start = time.perf_counter()
        try:
            make(seed)
        except InputError:
            refused += 1
            continue
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:] or [float("nan")]), refused


def growth(row: Generator, sides: list[int], repeats: int) -> str:
    """A line of nanoseconds a cell by side."""
    cells = [
        f"{median(lambda seed, n=n: generate(row.name, n, seed=seed), repeats)[0] / n / n * 1e9:9.0f}" for n in sides
    ]
    return f"{row.name:22}" + "".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small maps, few turns")
    quick = parser.parse_args().quick
    repeats, sides = (1, [65, 129]) if quick else (3, [129, 257, 513, 1025])
    print("nanoseconds a cell, by side" + "".join(f"{n:9}" for n in sides))
    for row in GENERATORS:
        print(growth(row, sides, repeats), flush=True)
    side = 1025 if quick else 4097
    spent, _ = median(lambda seed: diamond_square(side, side, seed=seed), max(3, repeats))
    print(f"\ndiamond-square {side} × {side}: {spent:.3f} s (bar at 4097: {DIAMOND:g} s)")
    side = 257 if quick else 1025
    spent, refused = median(lambda seed: generate("island", side, seed=seed, players=4), 3 if quick else 7)
    what = f"island {side} × {side}, rivers, woods, four players"
    print(f"{what}: {spent:.3f} s, {refused} refused (bar at 1025: {ISLAND:g} s)")


if __name__ == "__main__":
    main()
