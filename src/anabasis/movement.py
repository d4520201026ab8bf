"""Movement classes: which terrain a unit can enter, and at what price.

Terrain is a letter of the Moving AI alphabet, kept as its ASCII code: `.` `G` ground, `S` swamp, `W` water, `T` trees,
`@` `O` out of bounds, `E` emitter (ground). In a map drawn as text a digit `1` to `9` is ground that costs its value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["MOVEMENT_CLASSES", "TERRAIN_LETTERS", "MovementClass", "movement_class"]

TERRAIN_LETTERS = ".GSWTO@E123456789"


@dataclass(frozen=True, eq=False)
class MovementClass:
    """A unit's way of moving: `cost[letter code]` is the price of a step onto that terrain, inf where it can't go."""

    name: str
    cost: NDArray[np.float64]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "cost", freeze(self.cost, np.float64, (256,), "cost of a movement class"))
        if (self.cost < 1).any():
            raise InputError(
                f"movement class {self.name!r}", found=f"a cost of {self.cost.min()}", expected="costs of at least 1"
            )

    @classmethod
    def of(cls, name: str, prices: dict[str, float]) -> MovementClass:
        """Make a class from letters and prices; every letter that is not named is blocked."""
        cost = np.full(256, np.inf)
        for letters, price in prices.items():
            for letter in letters:
                cost[ord(letter)] = price
        return cls(name, cost)


_DIGITS = {str(d): float(d) for d in range(1, 10)}
MOVEMENT_CLASSES = {
    "land": MovementClass.of("land", {".GSE": 1.0, **_DIGITS}),
    "water": MovementClass.of("water", {"W": 1.0}),
    "amphibious": MovementClass.of("amphibious", {".GSEW": 1.0, **_DIGITS}),
}


def movement_class(name: str | MovementClass) -> MovementClass:
    """Return the movement class of that name; raises InputError that lists the known names."""
    if isinstance(name, MovementClass):
        return name
    if name not in MOVEMENT_CLASSES:
        raise InputError("unknown movement class", found=repr(name), expected=" or ".join(MOVEMENT_CLASSES))
    return MOVEMENT_CLASSES[name]
