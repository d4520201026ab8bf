"""Marches of many formations: steps of the simulation in a second, on one core.

    python benchmarks/formations.py            # 100 formations of 36 units on 512 x 512 cells
    python benchmarks/formations.py --side 256 --formations 20

The bar: 30 steps of 0.05 s a second of the processor's time. Making the ground, and the first plans of all, are told
apart.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from anabasis.formation.march import march
from anabasis.formation.shapes import schema_of
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules

WAYS = {
    "as by default": Modules(),
    "stepping aside": Modules(passing="displacement"),
    "for all, straight, beside vertices": Modules(
        fragment=4, paths="whole", ties="straight", slots="total", passing="vertex"
    ),
}


def manoeuvre(side: int, formations: int, units: int, modules: Modules, *, lattice: bool, limit: float) -> Manoeuvre:
    """Make formations that cross a map with scattered obstacles, from places to places at random."""
    rng = np.random.default_rng(7)
    price = np.ones((side, side))
    for x, y in rng.integers(0, side - 12, (side // 4, 2)).tolist():
        price[y : y + 12, x : x + 3] = np.inf
    space = Lattice.from_ground(price) if lattice else Grid(price, np.zeros(price.shape, np.uint8))
    step = space.spacing if isinstance(space, Lattice) else 1.0
    width, height = (step * side, step * side * (3**0.5 / 2 if lattice else 1.0))
    schema = schema_of("box", units, spacing=2 * step)
    ends = rng.uniform(0.05, 0.95, (formations, 2, 2)) * (width, height)
    some = tuple(Formation.of(schema, a, 0.0, b, modules) for a, b in ends)
    return Manoeuvre(space, some, limit=limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--formations", type=int, default=100)
    parser.add_argument("--units", type=int, default=36)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the march, simulated")
    given = parser.parse_args()
    for name, modules in WAYS.items():
        for lattice in (True, False):
            times = []
            for limit in (0.05, given.seconds):  # one step, for what is done before, and all
                made = manoeuvre(given.side, given.formations, given.units, modules, lattice=lattice, limit=limit)
                begin = time.process_time()
                result = march(made, every=20)
                times.append(time.process_time() - begin)
            steps = 0 if result.value is None else result.value.trace.steps - 1
            rate = steps / (times[1] - times[0])
            where = "triangles" if lattice else "cells"
            print(
                f"{name:36s} {where:9s} {made.units} units, {steps + 1} steps: {rate:7.1f} steps/s;"
                f" before the first step {times[0]:.2f} s"
            )


if __name__ == "__main__":
    main()
