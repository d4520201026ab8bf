"""Site: what the ground of a map offers to trees: temperature, moisture, height, density, and where they may stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze, set_field, summary

__all__ = ["FERTILE", "Site", "site"]

FERTILE = ".G,Sfhdjt"  # terrain on which trees may stand
_MIDDLE = np.full((1, 1), 0.5)


@dataclass(frozen=True, eq=False)
class Site:
    """The fields are float64[height, width] from 0 to 1, or float64[1, 1] where all cells are alike.

    ground: bool[height, width], where trees may stand. density: how thickly, as a factor; None leaves it to the
    generator.
    """

    ground: NDArray[np.bool_]
    temperature: NDArray[np.float64]
    moisture: NDArray[np.float64]
    heights: NDArray[np.float64]
    density: NDArray[np.float64] | None = None

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "ground", freeze(self.ground, np.bool_, (None, None), "ground"))
        for name in ("temperature", "moisture", "heights", "density"):
            values = getattr(self, name)
            if values is None:
                continue
            shape = (1, 1) if np.shape(values) == (1, 1) else self.ground.shape
            values = freeze(values, np.float64, shape, f"{name} of a site")
            if values.size and not (values.min() >= 0 and values.max() <= 1):
                raise InputError(
                    f"{name} of a site", found=f"{values.min()} to {values.max()}", expected="numbers from 0 to 1"
                )
            set_field(self, name, values)


def site(
    width: int,
    height: int,
    *,
    land: NDArray[np.uint8] | None = None,
    ground: NDArray[np.bool_] | None = None,
    temperature: NDArray[np.float64] | None = None,
    moisture: NDArray[np.float64] | None = None,
    heights: NDArray[np.float64] | None = None,
    density: NDArray[np.float64] | None = None,
) -> Site:
    """Return the site of a map of width × height cells; every array is [height, width] and may be left out.

    - land: terrain letters; trees may stand on those of `FERTILE`. ground: where trees may stand; both must allow it.
    - temperature (0 coldest, 1 hottest), moisture (0 driest, 1 wettest): without them 0.5 everywhere.
    - heights: of any range; they count as shares of the way from the lowest to the highest, without them 0.5.
    - density: a factor from 0 to 1 for the probability of a tree (or, in the ecosystem, for the worth of the soil).

    Raises InputError for wrong shapes, NaN, and numbers that are not from 0 to 1.
    """
    shape = check_shape(width, height)
    free = np.ones(shape, bool) if ground is None else freeze(ground, np.bool_, shape, "ground")
    if land is not None:
        letters = freeze(land, np.uint8, shape, "land")
        free = free & np.isin(letters, np.frombuffer(FERTILE.encode(), np.uint8))
    return Site(
        free,
        _MIDDLE if temperature is None else freeze(temperature, np.float64, shape, "temperature of a site"),
        _MIDDLE if moisture is None else freeze(moisture, np.float64, shape, "moisture of a site"),
        _MIDDLE if heights is None else _shares(freeze(heights, np.float64, shape, "heights of a site")),
        None if density is None else freeze(density, np.float64, shape, "density of a site"),
    )


def _shares(heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return heights as shares of the way from the lowest to the highest; flat land is at 0.5."""
    low, high = heights.min(), heights.max()
    if not np.isfinite(high - low):
        raise InputError("heights of a site", found=f"{low} to {high}", expected="finite numbers")
    return (heights - low) / (high - low) if high > low else _MIDDLE
