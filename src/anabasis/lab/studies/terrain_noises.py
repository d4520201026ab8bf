"""What a value of gradient noise and of simplex noise is made of, by dimension.

S. Gustavson, "Simplex Noise Demystified", 2005. The number of lattice points that shape a value is measured without
looking inside: a value is linear in the slopes at these points, so the values at some near places, cell by cell of the
lattice, make a matrix whose rank is the number of points times the dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.lab.studies.planning_record import Table, timed
from anabasis.maps.terrain.gradient_noise import gradient_noise_at
from anabasis.maps.terrain.simplex_noise import simplex_noise_at

__all__ = ["DIMENSIONS", "matrix_rank", "noise_job", "noise_table", "noise_times"]

Floats = NDArray[np.float64]
Row = Mapping[str, Any]

DIMENSIONS = (2, 3, 4)
_NOISES = {"gradient": gradient_noise_at, "simplex": simplex_noise_at}
_PLACES = 425  # a stream of random numbers
_CELLS, _FAR, _NEAR = 150, 50, 0.12  # of the lattice; edges of it, to other cells and around a place
_TINY = 1e-12  # of the greatest value
_TIMED = 100_000  # values


def noise_job(dimension: int, number: int) -> Row:
    """Measure how many lattice points shape the values around a random place, by each noise."""
    key = int(stream_key(number, _PLACES, dimension))
    count = 25 * dimension
    place = np.array([10 * random_fraction(key, 0, axis) for axis in range(dimension)])
    around = place + _NEAR * (_fractions(key, 1, count, dimension) - 0.5)
    cells = np.floor(2 * _FAR * _fractions(key, 2, _CELLS, dimension)) - _FAR
    row: dict[str, Any] = {"dimension": dimension}
    for name, noise in _NOISES.items():
        moves = _lattice(cells) if name == "simplex" else cells
        places = (around[None] + moves[:, None]).reshape(-1, dimension)
        values = noise(places, seed=number, scale=1.0).reshape(_CELLS, count)
        row[name] = matrix_rank(values) / dimension
    return row


def matrix_rank(values: Floats) -> int:
    """Return the rank of a matrix, by elimination with the greatest element left as the pivot.

    Without BLAS, whose threads wait for each other far longer than they work where many processes run.
    """
    left, first = values.copy(), float(np.abs(values).max(initial=0.0))
    for rank in range(min(values.shape)):
        y, x = np.unravel_index(np.argmax(np.abs(left)), left.shape)
        pivot = left[y, x]
        if abs(pivot) <= _TINY * first:
            return rank
        left = left - (left[:, x] / pivot)[:, None] * left[y]
        left[y] = 0.0
        left[:, x] = 0.0
    return min(values.shape)


def _fractions(key: int, part: int, count: int, axes: int) -> Floats:
    numbers = [[random_fraction(key, part * 65536 + k, axis) for axis in range(axes)] for k in range(count)]
    return np.array(numbers)


def _lattice(cells: Floats) -> Floats:
    """Return the places of points of the simplex lattice, whose rows in the plane lie on every other line."""
    axes = cells.shape[1]
    if axes == 2:
        return cells * np.array([1.0, 2 * sqrt(0.75)])
    return cells - cells.sum(axis=1, keepdims=True) * (1 - 1 / sqrt(axes + 1)) / axes


def noise_table(rows: Sequence[Row]) -> Table:
    """Return what a value is made of, by dimension: as measured at most places, and as the algorithms are written."""
    made: list[dict[str, object]] = []
    for d in sorted({int(row["dimension"]) for row in rows}):
        of = [row for row in rows if row["dimension"] == d]
        counts = {name: Counter(float(row[name]) for row in of) for name in _NOISES}
        most = {name: min(count, key=lambda n: (-count[n], n)) for name, count in counts.items()}
        made.append(
            {
                "dimensions": d,
                "places": len(of),
                "gradient: points, mostly": most["gradient"],
                "simplex: points, mostly": most["simplex"],
                "gradient: points": 2**d,
                "simplex: points": d + 1,
                "gradient: products": 2**d * d + 2**d - 1 + 5 * d,
                "simplex: products": (d + 1) * (2 * d + 4),
            }
        )
    return Table(
        "Noise by dimension",
        tuple(made),
        "Lattice points that shape a value: as measured around random places, mostly (where an edge of the lattice "
        "runs through, there are more; of the corners of a simplex some may be out of reach), and as the algorithms "
        "are written. Products: multiplications of a value, by the usual way to write them: slopes times ways, "
        "blending and fading; slopes times ways, squares of distances and their powers.",
    )


def noise_times() -> Table:
    """Return how long a value takes, by dimension, on this machine; not the same in every run."""
    rows: list[dict[str, object]] = []
    for d in DIMENSIONS:
        key = int(stream_key(0, _PLACES, 100 + d))
        some = 1000 * _fractions(key, 0, 1000, d)
        places = (some[None] + np.arange(_TIMED // 1000)[:, None, None]).reshape(-1, d)
        times = {
            name: timed(partial(noise, places, seed=1, scale=16.0))[1].times(1e6 / _TIMED)
            for name, noise in _NOISES.items()
        }
        rows.append(
            {
                "dimensions": d,
                "gradient ns": times["gradient"],
                "simplex ns": times["simplex"],
                "simplex / gradient": times["simplex"] / times["gradient"],
            }
        )
    return Table("Times of a value of noise", tuple(rows), "Processor time, the median [least, most] of five runs.")
