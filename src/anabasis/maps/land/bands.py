"""Bands: coasts along water, thin bands between kinds of land, smooth borders, and no specks.

The cells nearest to water are found by the columns first and the rows then, as in A. Rosenfeld, J. L. Pfaltz,
"Distance functions on digital pictures", 1968; borders are smoothed by the vote of the cells around, the majority
filter of classified pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.maps.land.palettes import check_letters
from anabasis.maps.parts import parts
from anabasis.noun import freeze
from anabasis.options import check_count, check_length

__all__ = ["coast", "near", "smoothed", "transition_bands", "without_specks"]

_MADE = "=+~@O"  # what people or the edge of the world put there
_BANDS = {"SG": ",", "Sj": "G", "jd": "G", "Gd": ".", "Gt": ".", "jG": "f"}


def coast(
    terrain: ArrayLike, *, width: float = 2.0, water: str = "W", beach: str = ",", keep: str = _MADE
) -> NDArray[np.uint8]:
    """Return the land with a beach: each cell becomes `beach` whose centre is within `width` cells of one of water.

    terrain: uint8[height, width], letters. Letters of `water` and of `keep` stay as they are. Raises InputError for a
    letter that doesn't exist and a width that is no length.
    """
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    wet = np.isin(land, check_letters(water, "letter of water"))
    stays = wet | np.isin(land, check_letters(keep, "letter to keep"))
    if len(beach) != 1:
        raise InputError("letter of the beach", found=repr(beach), expected="one terrain letter")
    return np.where(near(wet, width) & ~stays, check_letters(beach, "letter of the beach"), land)


def transition_bands(
    terrain: ArrayLike, bands: Mapping[str, str] | None = None, *, width: float = 1.0
) -> NDArray[np.uint8]:
    """Return the land with thin bands between kinds of terrain that don't go together.

    bands: the letter of the band for pairs of letters, `{"jd": "G"}` for grass between jungle and desert; of a pair
    each cell within `width` cells of one of the other kind turns into the band. All pairs look at the land as it was
    given; where bands meet the first one stands. By default there is coast between swamp and grass, grass between
    jungle and swamp or desert, open wood between jungle and grass, bare ground between grass and desert or tundra.
    Raises InputError for letters that don't exist and keys that are no pairs.
    """
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    banded, done = land.copy(), np.zeros(land.shape, bool)
    for pair, letter in (_BANDS if bands is None else bands).items():
        if len(pair) != 2 or len(letter) != 1:
            raise InputError("band", found=f"{pair!r}: {letter!r}", expected="a letter for a pair of letters")
        one, other = (land == code for code in check_letters(pair, "letter beside a band"))
        (code,) = check_letters(letter, "letter of a band")
        if not (one.any() and other.any()):
            continue
        band = ~done & ((one & near(other, width)) | (other & near(one, width)))
        banded[band] = code
        done |= band
    return banded


def near(mask: ArrayLike, distance: float) -> NDArray[np.bool_]:
    """Return bool[height, width]: the cells whose centre is within a distance (in cells) of that of a cell of `mask`.

    Work grows with the cells times the distance.
    """
    cells = freeze(mask, np.bool_, (None, None), "mask")
    length = check_length(distance, "width of a band")
    found = np.zeros(cells.shape, bool)
    if cells.any():
        reach = min(int(length + 1e-9), max(cells.shape))
        _near(cells, reach, length * length * (1 + 1e-12) + 1e-12, found)
    return found


def smoothed(terrain: ArrayLike, *, radius: int = 1, rounds: int = 1) -> NDArray[np.uint8]:
    """Return the land in which each cell has the letter that most cells have within `radius` columns and rows.

    Of several such letters the cell keeps its own, else it takes the one with the least code; beyond the map nobody
    votes. All cells vote at once, `rounds` times. What is as thin as a river goes; so smooth before rivers and roads.
    """
    reach = check_count(radius, "radius of smoothing", 1, 64)
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    letters = _present(land)
    number = np.zeros(256, np.uint8)
    number[letters] = np.arange(letters.size)
    now = number[land]
    for _ in range(check_count(rounds, "rounds of smoothing", 0, 1000)):
        after = np.empty_like(now)
        _vote(now, letters.size, reach, after)
        if np.array_equal(after, now):
            break
        now = after
    return letters[now]


def without_specks(terrain: ArrayLike, *, least: int = 8) -> NDArray[np.uint8]:
    """Return the land without connected parts of one letter that have fewer than `least` cells.

    Cells are connected by their sides. Parts that are large enough grow into the specks, from all sides at once; a cell
    reached from several takes the letter of most, then that of the least code. No speck is left, unless all parts are
    specks: then nothing changes.
    """
    size = check_count(least, "least cells of a part", 1)
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    speck = _specks(land, size)
    grown = land.copy()
    if speck.any() and not speck.all():
        _grow(grown, speck.astype(np.uint8))
    return grown


def _present(land: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the codes of the letters that a land has."""
    return np.flatnonzero(np.bincount(land.reshape(-1), minlength=256)).astype(np.uint8)


def _specks(land: NDArray[np.uint8], least: int) -> NDArray[np.bool_]:
    """Return bool[height, width]: the cells of parts with fewer than that many cells."""
    speck = np.zeros(land.shape, bool)
    if least == 1:
        return speck
    for letter in _present(land):
        labels = parts(land == letter)
        small = np.bincount(labels.reshape(-1)) < least
        small[0] = False
        speck |= small[labels]
    return speck


@kernel
def _near(mask: Any, reach: int, square: float, found: Any) -> None:
    """Write where a cell of the mask is within the distance of that square; rows are looked at from the nearest one."""
    height, width = mask.shape
    far = reach + 1
    above = np.full(width, far, np.int32)
    rows = np.full((height, width), far, np.int32)  # how far the mask is in the same column
    for y in range(height):
        for x in range(width):
            above[x] = 0 if mask[y, x] else min(above[x] + 1, far)
            rows[y, x] = above[x]
    above[:] = far
    for y in range(height - 1, -1, -1):
        for x in range(width):
            above[x] = 0 if mask[y, x] else min(above[x] + 1, far)
            rows[y, x] = min(rows[y, x], above[x])
    for y in range(height):
        for x in range(width):
            for i in range(max(0, x - reach), min(width, x + reach + 1)):
                dy, dx = rows[y, i], i - x
                if dy <= reach and dx * dx + dy * dy <= square:
                    found[y, x] = True
                    break


@kernel
def _vote(index: Any, letters: int, reach: int, after: Any) -> None:
    """Write the letter of most cells in the window around each cell; a window moves on by one column."""
    height, width = index.shape
    votes = np.zeros(letters, np.int64)
    for y in range(height):
        top, bottom = max(0, y - reach), min(height, y + reach + 1)
        votes[:] = 0
        for x in range(min(width, reach)):
            for j in range(top, bottom):
                votes[index[j, x]] += 1
        for x in range(width):
            if x + reach < width:
                for j in range(top, bottom):
                    votes[index[j, x + reach]] += 1
            if x - reach - 1 >= 0:
                for j in range(top, bottom):
                    votes[index[j, x - reach - 1]] -= 1
            best = index[y, x]
            most = votes[best]
            for k in range(letters):
                if votes[k] > most:
                    best, most = k, votes[k]
            after[y, x] = best


@kernel
def _grow(land: Any, state: Any) -> None:
    """Let the known cells grow into the others, one ring after the other; state: 0 known, 1 not, 2 in the ring."""
    height, width = land.shape
    ring, after, letters = (
        np.empty(state.size, np.int64),
        np.empty(state.size, np.int64),
        np.empty(state.size, np.uint8),
    )
    count = 0
    for y in range(height):
        for x in range(width):
            if state[y, x] and _letter_around(land, state, y, x) >= 0:
                ring[count] = y * width + x
                count += 1
    while count > 0:
        for k in range(count):
            y, x = ring[k] // width, ring[k] % width
            letters[k] = _letter_around(land, state, y, x)
        for k in range(count):
            y, x = ring[k] // width, ring[k] % width
            land[y, x], state[y, x] = letters[k], 0
        more = 0
        for k in range(count):
            y, x = ring[k] // width, ring[k] % width
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                j, i = y + dy, x + dx
                if 0 <= j < height and 0 <= i < width and state[j, i] == 1:
                    state[j, i] = 2
                    after[more] = j * width + i
                    more += 1
        ring, after, count = after, ring, more


@kernel
def _letter_around(land: Any, state: Any, y: int, x: int) -> int:
    """Return the letter of most known cells beside this one, of several the least, -1 if none is known."""
    height, width = land.shape
    best, most = -1, 0
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        j, i = y + dy, x + dx
        if not (0 <= j < height and 0 <= i < width) or state[j, i] != 0:
            continue
        votes = 0
        for dy_2, dx_2 in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            j_2, i_2 = y + dy_2, x + dx_2
            if 0 <= j_2 < height and 0 <= i_2 < width and state[j_2, i_2] == 0 and land[j_2, i_2] == land[j, i]:
                votes += 1
        letter = int(land[j, i])
        if votes > most or (votes == most and letter < best):
            best, most = letter, votes
    return best
