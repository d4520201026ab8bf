"""Palettes: which terrain stands at which level of height, by climate, and land painted so.

Water, coast, grass, rock and snow from low to high, as generators of strategy maps paint; the same heights give other
land with other palettes, such as swamp, jungle and desert where it is hot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.maps.land.levels import levels, thresholds
from anabasis.movement import TERRAIN_LETTERS, TERRAIN_NAMES
from anabasis.noun import freeze
from anabasis.options import check_share

__all__ = ["PALETTES", "Palette", "check_letters", "paint", "paint_heights", "palette"]


def check_letters(letters: str, name: str) -> NDArray[np.uint8]:
    """Return the codes of terrain letters as uint8[k]; raises InputError that names the first unknown one."""
    for letter in letters:
        if letter not in TERRAIN_LETTERS:
            raise InputError(name, found=repr(letter), expected="terrain letters: " + " ".join(TERRAIN_LETTERS))
    return np.frombuffer(letters.encode("ascii"), np.uint8)


@dataclass(frozen=True)
class Palette:
    """Terrain letters from low to high, and the cumulative share of the cells up to each but the last.

    A level whose share does not exceed the one before has no cell. Raises InputError for letters that don't exist, and
    shares that are not one fewer or not from 0 to 1.
    """

    name: str
    letters: str
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.letters) <= 256:
            raise InputError(
                f"palette {self.name!r}", found=f"{len(self.letters)} letters", expected="1 to 256 terrain letters"
            )
        check_letters(self.letters, f"letter of the palette {self.name!r}")
        if len(self.shares) != len(self.letters) - 1:
            raise InputError(
                f"palette {self.name!r}",
                found=f"{len(self.letters)} letters and {len(self.shares)} shares",
                expected="a share for each letter but the last",
            )
        for share in self.shares:
            if not 0 <= share <= 1:
                raise InputError(
                    f"share in the palette {self.name!r}", found=f"{share:g}", expected="a cumulative share from 0 to 1"
                )

    @property
    def text(self) -> str:
        """The palette written as `palette` reads it: `W50 ,56 G85 ^95 *`."""
        shares = [f"{100 * share:.10g}" for share in self.shares]
        return " ".join(letter + share for letter, share in zip(self.letters, [*shares, ""], strict=True))

    def with_lowest(self, share: float) -> Palette:
        """Return the palette with another share of its lowest terrain, as of the sea; the rest keeps its proportions.

        Raises InputError for a share outside 0 to 1.
        """
        part = check_share(share, f"share in the palette {self.name!r}")
        if not self.shares:
            return self
        first = self.shares[0]
        room = (1 - part) / (1 - first) if first < 1 else 0.0
        return replace(self, shares=tuple(part + (given - first) * room for given in self.shares))

    def about(self) -> str:
        """Name the terrain from low to high with the share of each: `water 50 %, coast 6 %, …`."""
        ends = np.maximum.accumulate([*self.shares, 1.0])
        parts = zip(self.letters, np.diff(ends, prepend=0.0), strict=True)
        return ", ".join(f"{TERRAIN_NAMES[letter]} {100 * part:.3g} %" for letter, part in parts)


PALETTES = {
    row.name: row
    for row in (
        Palette("temperate", "W,G^*", (0.50, 0.56, 0.85, 0.95)),
        Palette("lakeland", "W,G^*", (0.20, 0.30, 0.80, 0.90)),
        Palette("ocean", "W,G^*", (0.50, 0.53, 0.85, 0.95)),
        Palette("woodland", "W,Gfh^*", (0.38, 0.42, 0.64, 0.80, 0.91, 0.97)),
        Palette("hot", "SGjGd", (0.25, 0.29, 0.70, 0.74)),
        Palette("tropical", "W,Gjh^", (0.50, 0.56, 0.62, 0.85, 0.95)),
        Palette("arid", "W,Gdh^", (0.12, 0.15, 0.26, 0.78, 0.92)),
        Palette("arctic", "Wit^*", (0.50, 0.56, 0.82, 0.90)),
    )
}


def palette(name: str | Palette) -> Palette:
    """Return the palette of that name, or one written as letters with cumulative percentages: `W50 ,56 G85 ^95 *`.

    Raises InputError that lists the known names, or says what is wrong in the text.
    """
    if isinstance(name, Palette):
        return name
    if name in PALETTES:
        return PALETTES[name]
    words = name.split()
    if len(words) < 2:
        raise InputError(
            "unknown palette",
            found=repr(name),
            expected=" or ".join(PALETTES),
            hint="or terrain letters with cumulative percentages, such as 'W50 ,56 G85 ^95 *'",
        )
    shares: list[float] = []
    for word in words[:-1]:
        try:
            shares.append(float(word[1:]) / 100)
        except ValueError:
            raise InputError(
                "a level of a palette", found=repr(word), expected="a terrain letter and a percentage, such as W50"
            ) from None
    if len(words[-1]) != 1:
        raise InputError(
            "the highest level of a palette", found=repr(words[-1]), expected="a letter alone: it is the rest"
        )
    return Palette(name, "".join(word[0] for word in words), tuple(shares))


def paint(level: ArrayLike, colours: str | Palette = "temperate") -> NDArray[np.uint8]:
    """Return uint8[height, width], the terrain letter of each level (numbers from 0) in a palette.

    Raises InputError for a palette that is not known, and levels that it does not have.
    """
    known = palette(colours)
    numbers = freeze(level, np.uint8, (None, None), "levels")
    codes = check_letters(known.letters, "letter of a palette")
    if numbers.size and numbers.max() >= codes.size:
        raise InputError(
            f"level for the palette {known.name!r}", found=f"{numbers.max()}", expected=f"0 to {codes.size - 1}"
        )
    return codes[numbers]


def paint_heights(heights: ArrayLike, colours: str | Palette = "temperate", *, by: str = "cells") -> NDArray[np.uint8]:
    """Return uint8[height, width], the terrain letters of a palette with its shares of the cells (or of the range).

    by: cells or range, see `levels.thresholds`, whose errors are raised.
    """
    known = palette(colours)
    return paint(levels(heights, thresholds(heights, known.shares, by=by)), known)
