"""Neighbours: a uniform cell list, made anew in every step by counting sort, without allocation.

Units are sorted by square bins as wide as the widest reach, so all neighbours of a unit lie in 3 × 3 bins (R. W.
Hockney, J. W. Eastwood, Computer Simulation Using Particles, 1981). Bins share a number of slots that goes with the
number of units and not with the map's area; what a foreign bin puts into a slot is told by its bin number. Within a
bin units stand in the order of their keys, so forces are summed up in an order that numbering can't change.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.sim.units import Units

__all__ = ["CellList"]


class CellList:
    """Units on the move, sorted by place.

    order: int64[m], their numbers. bins: int64[m], the bin of each. start: the units of slot s are start[s] to
    start[s + 1] - 1. body: float64[m, 8]: x, y, velocity x and y, radius, speed, rest of the way and idle steps as they
    were when the list was made. A bin's number is row · columns + column, counted from 1 in both; its slot is the
    number's last bits (`mask`).
    """

    def __init__(self, units: int, width: int, height: int, side: float) -> None:
        self.side = side
        self.columns = int(width / side) + 3
        bins = self.columns * (int(height / side) + 3)
        slots = 1 << max(3, min(bins, 4 * units + 64) - 1).bit_length()
        self.mask = slots - 1
        self.start = np.zeros(slots + 1, np.int64)
        self.order = np.zeros(units, np.int64)
        self.bins = np.zeros(units, np.int64)
        self.body = np.zeros((units, 8))
        self.size = 0
        self._bin_of = np.zeros(units, np.int64)

    def sort(self, units: Units) -> None:
        """Sort the units that are on the move; `size` is their number."""
        self.size = _sort(
            units.by_key,
            units.state,
            units.position,
            units.velocity,
            units.radius,
            units.speed,
            units.rest,
            units.idle,
            self.side,
            self.columns,
            self.mask,
            self._bin_of,
            self.start,
            self.order,
            self.bins,
            self.body,
        )


@kernel
def _sort(
    by_key: NDArray[np.int64],
    state: NDArray[np.uint8],
    position: NDArray[np.float64],
    velocity: NDArray[np.float64],
    radius: NDArray[np.float64],
    speed: NDArray[np.float64],
    rest: NDArray[np.float64],
    idle: NDArray[np.int64],
    side: float,
    columns: int,
    mask: int,
    bin_of: NDArray[np.int64],
    start: NDArray[np.int64],
    order: NDArray[np.int64],
    bins: NDArray[np.int64],
    body: NDArray[np.float64],
) -> int:
    start[:] = 0
    for i in by_key:
        if state[i] <= 1:
            number = (math.floor(position[i, 1] / side) + 1) * columns + math.floor(position[i, 0] / side) + 1
            bin_of[i] = number
            start[number & mask] += 1
    total = 0
    for slot in range(mask + 2):  # start[s] = first place of slot s; the filling below moves it on to the end
        count = start[slot]
        start[slot] = total
        total += count
    for i in by_key:
        if state[i] <= 1:
            number = bin_of[i]
            k = start[number & mask]
            start[number & mask] = k + 1
            order[k] = i
            bins[k] = number
            body[k, 0] = position[i, 0]
            body[k, 1] = position[i, 1]
            body[k, 2] = velocity[i, 0]
            body[k, 3] = velocity[i, 1]
            body[k, 4] = radius[i]
            body[k, 5] = speed[i]
            body[k, 6] = rest[i]
            body[k, 7] = idle[i]
    for slot in range(mask + 1, 0, -1):
        start[slot] = start[slot - 1]
    start[0] = 0
    return total
