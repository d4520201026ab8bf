"""Movement classes: which terrain a unit can enter, and at what price.

Terrain is a letter, kept as its ASCII code: those of Moving AI maps, the digits `1` to `9` for ground that costs their
value, and letters of our own for the land of generated maps. `TERRAIN_NAMES` says what each means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["MOVEMENT_CLASSES", "TERRAIN_LETTERS", "TERRAIN_NAMES", "MovementClass", "movement_class"]

TERRAIN_NAMES = {
    ".": "ground",
    "G": "grass",
    "S": "swamp",
    "W": "water",
    "T": "trees",
    "O": "out of bounds",
    "@": "wall",
    "E": "emitter",
    **{str(price): f"ground at price {price}" for price in range(1, 10)},
    ",": "coast",
    "^": "rock",
    "*": "snow",
    "d": "desert",
    "j": "jungle",
    "t": "tundra",
    "i": "ice",
    "f": "open wood",
    "h": "hills",
    "=": "road",
    "+": "bridge",
    "~": "ford",
}
TERRAIN_LETTERS = "".join(TERRAIN_NAMES)


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
_LAND = {".GSE,dt=+": 1.0, "fhji": 2.0, "~": 3.0, **_DIGITS}
MOVEMENT_CLASSES = {
    "land": MovementClass.of("land", _LAND),
    "water": MovementClass.of("water", {"W+": 1.0}),
    "amphibious": MovementClass.of("amphibious", {**_LAND, "W": 1.0, "~": 1.0}),
    "wagon": MovementClass.of("wagon", {"=+": 1.0, ".GE,dt": 2.0, "h~": 6.0, **_DIGITS}),
}


def movement_class(name: str | MovementClass) -> MovementClass:
    """Return the movement class of that name, or one written as prices: `"G.=:1 f:2.5"`, all else blocked.

    A class written so has its text as its name. Raises InputError that lists the known names, or says which price is
    wrong.
    """
    if isinstance(name, MovementClass):
        return name
    if name in MOVEMENT_CLASSES:
        return MOVEMENT_CLASSES[name]
    if ":" not in name:
        raise InputError(
            "unknown movement class",
            found=repr(name),
            expected=" or ".join(MOVEMENT_CLASSES),
            hint="one of your own is written as letters and prices, such as G.=:1 f:2.5",
        )
    return MovementClass.of(name, dict(_letters_and_price(word, name) for word in name.split()))


def _letters_and_price(word: str, name: str) -> tuple[str, float]:
    letters, _, text = word.rpartition(":")
    strange = [letter for letter in letters if letter not in TERRAIN_NAMES]
    if strange or not letters:
        raise InputError(
            f"movement class {name!r}",
            found=f"terrain {strange[0]!r}" if strange else f"{word!r}, which names no terrain",
            expected="letters of " + " ".join(TERRAIN_LETTERS),
        )
    try:
        price = float(text)
    except ValueError:
        price = 0.0
    if not 1 <= price < np.inf:
        raise InputError(f"movement class {name!r}", found=f"price {text!r} of {letters}", expected="a price from 1")
    return letters, price
