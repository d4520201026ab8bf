"""Crew: the units of one group that are under way at a step of a run, and who of it has arrived."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary

__all__ = ["Crew"]


@dataclass(frozen=True, eq=False)
class Crew:
    """What whoever planned for a group may look at while it is under way.

    grid: the map as the group sees it now. group: its number. units: int64[k], their numbers in the run, with
    positions float64[k, 2], route int64[k], and rest float64[k], the length of the way that each has left.
    arrived_route, arrival: int64[a], route and step of arrival of those that are there.
    """

    grid: Grid
    group: int
    units: NDArray[np.int64]
    positions: NDArray[np.float64]
    route: NDArray[np.int64]
    rest: NDArray[np.float64]
    arrived_route: NDArray[np.int64]
    arrival: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        units = freeze(self.units, np.int64, (None,), "units")
        arrived = freeze(self.arrived_route, np.int64, (None,), "arrived_route")
        set_field(self, "units", units)
        set_field(self, "arrived_route", arrived)
        set_field(self, "positions", freeze(self.positions, np.float64, (units.size, 2), "positions"))
        set_field(self, "route", freeze(self.route, np.int64, units.shape, "route"))
        set_field(self, "rest", freeze(self.rest, np.float64, units.shape, "rest"))
        set_field(self, "arrival", freeze(self.arrival, np.int64, arrived.shape, "arrival"))
