"""Relief: land in the colours of what grows there, lit from one side, with the depth of the sea.

Shading by the angle between slope and sun, as in P. Yoëli, "Analytische Schattierung", 1959; colours that go over into
bluish shadows and warm light in the manner of E. Imhof, "Kartographische Geländedarstellung", 1965.
"""

from __future__ import annotations

from math import cos, isfinite, isnan, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.maps.land.levels import check_field
from anabasis.maps.land.slope import gradient
from anabasis.movement import TERRAIN_NAMES
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.view.layers import ImageLayer, LegendItem, Ramp, Scene, Swatch

__all__ = ["LAND_COLOURS", "relief_colours", "relief_scene"]

_RGB = tuple[int, int, int]
LAND_COLOURS: dict[str, _RGB] = {
    "W": (74, 139, 186),  # rivers and lakes; the sea is coloured by its depth
    "~": (142, 190, 205),
    ",": (238, 224, 174),
    "S": (118, 140, 112),
    "G": (154, 191, 101),
    ".": (206, 198, 158),
    "E": (206, 198, 158),
    "f": (110, 158, 84),
    "T": (64, 114, 74),
    "j": (62, 136, 58),
    "d": (233, 206, 136),
    "h": (180, 163, 103),
    "t": (172, 172, 141),
    "i": (211, 232, 240),
    "^": (140, 131, 124),
    "*": (245, 248, 251),
    "=": (199, 141, 87),
    "+": (126, 84, 60),
    "@": (74, 77, 84),
    "O": (46, 48, 54),
}
_SHALLOW, _DEEP = (132, 196, 209), (33, 79, 132)
_SHADOW, _LIGHT = (0.36, 0.41, 0.58), (255, 250, 228)
_HEIGHT_OF_SUN = radians(42)
_STEPS = 4096  # in which the level of the sea is looked for
_PIXELS = 512  # along the longer side of a small map
_FORMER = 3  # cells
_STEEP = 0.7  # the slope as which the steepest tenth of the land is drawn
_FINE = 0.4  # the share of the land itself in what is lit, beside that of the smoothed land
_GRAIN = {"T": 0.34, "f": 0.26, "j": 0.24, "S": 0.16, "h": 0.10, "^": 0.12, "d": 0.05, "G": 0.05, ".": 0.05, "t": 0.08}


def relief_colours(
    terrain: ArrayLike, heights: ArrayLike, *, sea: float | None = None, sun: float = 315.0, detail: int = 1
) -> NDArray[np.uint8]:
    """Return uint8[height · detail, width · detail, 3]: the colours of a land with that lie, cell by cell.

    - terrain: uint8[height, width], letters; heights: float64[height, width], in any unit: only their proportions
      count, as the slopes of each land are drawn equally strong.
    - sea: the level of the sea, as a height. Water below is the darker the deeper, water above is a river or a lake.
      By default it is the height that best parts the water from the land.
    - sun: where the light comes from, in degrees clockwise from the top of the map.
    - detail: pixels along a cell's side, 1 to 16; light and depth change within a cell, its terrain does not.

    Raises InputError for heights of another shape or not finite, and a level or direction that is no number.
    """
    from scipy import ndimage

    land = freeze(terrain, np.uint8, (None, None), "terrain")
    field = check_field(heights, "heights", land.shape)
    if not isfinite(sun):
        raise InputError("direction of the sun", found=f"{sun}", expected="degrees clockwise from the top")
    level = _sea_level(land, field, sea)
    wet = land == ord("W")
    bed = _sea(wet, field, level)
    fine = check_count(detail, "detail of a relief", 1, 16)
    if fine > 1:
        land = land.repeat(fine, axis=0).repeat(fine, axis=1)
        wet, bed = (cells.repeat(fine, axis=0).repeat(fine, axis=1) for cells in (wet, bed))
        field = np.asarray(ndimage.zoom(field, fine, order=3, mode="nearest", grid_mode=True), np.float64)
    pixels = _TABLE[land] * _grain(land)[:, :, None]
    if bed.any():
        depth = np.maximum(level - field[bed], 0) / max(level - float(field.min()), 1e-300)
        depth = (depth**0.6).astype(np.float32)[:, None]
        pixels[bed] = np.array(_SHALLOW, np.float32) * (1 - depth) + np.array(_DEEP, np.float32) * depth
    light = _light(np.maximum(field, level), ~wet, sun, 1.6 * fine)
    light[wet] = 1 + (light[wet] - 1) * 0.15
    dark = np.minimum(light, 1)[:, :, None]
    shadow = np.array(_SHADOW, np.float32)
    pixels *= shadow + (1 - shadow) * dark
    bright = 0.55 * np.maximum(light - 1, 0)[:, :, None]
    pixels += (np.array(_LIGHT, np.float32) - pixels) * bright
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8)


def relief_scene(
    terrain: ArrayLike, heights: ArrayLike, *, sea: float | None = None, sun: float = 315.0, title: str = ""
) -> Scene:
    """Return the land as a picture, small maps in more detail, with a legend of the terrain that it has.

    Options and errors are those of `relief_colours`.
    """
    land = freeze(terrain, np.uint8, (None, None), "terrain")
    field = check_field(heights, "heights", land.shape)
    height, width = land.shape
    detail = min(max(round(_PIXELS / max(width, height)), 1), 8)
    pixels = relief_colours(land, field, sea=sea, sun=sun, detail=detail)
    wet = land == ord("W")
    deep = _sea(wet, field, _sea_level(land, field, sea))
    legend: list[LegendItem] = []
    if deep.any():
        shades = np.linspace(_SHALLOW, _DEEP, 32).round().astype(np.uint8)
        legend.append(Ramp("sea", np.concatenate([shades, np.full((32, 1), 255, np.uint8)], axis=1), "shallow", "deep"))
    if (wet & ~deep).any():
        legend.append(Swatch("river or lake", (*LAND_COLOURS["W"], 255)))
    present = np.bincount(land.reshape(-1), minlength=256)
    for letter, name in TERRAIN_NAMES.items():
        if letter != "W" and present[ord(letter)]:
            red, green, blue = _TABLE[ord(letter)].round().astype(int).tolist()
            legend.append(Swatch(name, (red, green, blue, 255)))
    return Scene((0, 0, width, height), (ImageLayer(pixels, (0, 0, width, height)),), tuple(legend), title)


def _sea_level(land: NDArray[np.uint8], field: NDArray[np.float64], sea: float | None) -> float:
    """Return the level of the sea: as given, else the one with the least land below it and the least water above."""
    low, high = float(field.min()), float(field.max())
    if sea is not None:
        if isnan(sea):
            raise InputError("level of the sea", found="nan", expected="a height")
        return min(max(float(sea), low), high)
    if not low < high:
        return low
    wet = land == ord("W")
    counts = [np.histogram(field[cells], _STEPS, (low, high))[0] for cells in (~wet & (land != ord("@")), wet)]
    wrong = np.concatenate([[0], np.cumsum(counts[0] - counts[1])])  # land below each step less water below it
    step = int(wrong.argmin())
    return low if step == 0 else low + (high - low) * min(step + 1, _STEPS) / _STEPS


def _sea(wet: NDArray[np.bool_], field: NDArray[np.float64], level: float) -> NDArray[np.bool_]:
    """Return bool[height, width]: water that is sea: below its level or, as drowned islets, a few cells from there."""
    from scipy import ndimage

    bed = wet & (field < level)
    return np.asarray(ndimage.binary_dilation(bed, iterations=_FORMER, mask=wet), bool)


def _colours() -> NDArray[np.float32]:
    """Return float32[256, 3]: the colour of each letter; digits are ground, the darker the dearer."""
    table: NDArray[np.float32] = np.tile(np.array(LAND_COLOURS["."], np.float32), (256, 1))
    for letter, colour in LAND_COLOURS.items():
        table[ord(letter)] = colour
    for price in range(2, 10):
        share = (price - 1) / 8
        table[ord(str(price))] = (1 - share) * table[ord(".")] + share * np.array((150, 112, 70), np.float32)
    return table


_TABLE = _colours()


def _grain(land: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return float32[height, width] around 1: a fine texture, strong where trees stand; always the same in a cell."""
    strength = np.zeros(256, np.float32)
    for letter, amount in _GRAIN.items():
        strength[ord(letter)] = amount
    height, width = land.shape
    x, y = np.arange(width, dtype=np.uint32)[None], np.arange(height, dtype=np.uint32)[:, None]
    word = (x * np.uint32(0x9E3779B1)) ^ (y * np.uint32(0x85EBCA77))
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        word ^= word >> np.uint32(shift)
        word *= np.uint32(factor)
    word ^= word >> np.uint32(15)
    grain: NDArray[np.float32] = word.astype(np.float32) / np.float32(2**32) - np.float32(0.5)
    return np.float32(1) + strength[land] * grain


def _light(surface: NDArray[np.float64], dry: NDArray[np.bool_], sun: float, blur: float) -> NDArray[np.float32]:
    """Return float32[height, width]: how much light falls on each cell, 1 on level ground, 0 in full shadow.

    The fine forms of the land are drawn weaker than the large ones, which else would drown in them.
    """
    from scipy import ndimage

    surface = (surface - surface.min()) / max(float(np.ptp(surface)), 1e-300)
    drawn = np.asarray(ndimage.gaussian_filter(surface, blur, mode="nearest"), np.float64)
    drawn += _FINE / (1 - _FINE) * surface
    right, down = gradient(drawn)
    steep = np.sqrt(right * right + down * down)
    tenth = float(np.quantile(steep[dry], 0.9)) if dry.any() else 0.0
    scale = _STEEP / tenth if tenth > 0 else 0.0
    east, south = sin(radians(sun)), -cos(radians(sun))
    across = (right * east + down * south) * (scale * cos(_HEIGHT_OF_SUN))
    lit = (sin(_HEIGHT_OF_SUN) - across) / np.sqrt(1 + (steep * scale) ** 2) / sin(_HEIGHT_OF_SUN)
    return np.maximum(lit, 0).astype(np.float32)
