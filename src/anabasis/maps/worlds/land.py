"""Land: heights with their terrain, before anything flows, grows or lives on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import stream_key
from anabasis.maps.land.hydraulic_erosion import hydraulic_erosion
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import Palette, paint
from anabasis.maps.terrain.gradient_noise import gradient_noise

__all__ = ["Land", "falloff", "noise", "painted", "to_unit", "unit_frame"]

_STREAM = 401


@dataclass(frozen=True, eq=False)
class Land:
    """heights float64[height, width] from 0 to 1, terrain uint8[height, width], and sea: the height of its surface."""

    heights: NDArray[np.float64]
    terrain: NDArray[np.uint8]
    sea: float


def painted(heights: NDArray[np.float64], palette: Palette, *, seed: int = 0, rain: float = 0.0) -> Land:
    """Return the land of heights by a palette's shares of the cells; the lowest level is the sea if it is water.

    heights: of any range; they are brought to 0 … 1. rain: drops a cell that carve valleys before.
    """
    if rain:
        heights = hydraulic_erosion(heights, seed=seed, rain=rain)
    unit = to_unit(heights)
    bounds = thresholds(unit, palette.shares)
    sea = float(bounds[0]) if palette.letters.startswith("W") and len(bounds) else -np.inf
    return Land(unit, paint(levels(unit, bounds), palette), sea)


def to_unit(heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return heights brought to 0 … 1; level ground is 0."""
    low, high = float(heights.min()), float(heights.max())
    return np.zeros_like(heights) if high == low else (heights - low) / (high - low)


def noise(
    width: int,
    height: int,
    *,
    seed: int,
    part: int = 0,
    scale: float,
    octaves: int,
    roughness: float = 0.5,
    kind: str = "sum",
    warp: float = 0.0,
) -> NDArray[np.float64]:
    """Return gradient noise, lengths in shares of the map's shorter side; octaves finer than a cell are left out.

    part: which of the independent noises of a seed.
    """
    side = min(width, height)
    step, finest = scale * side, 1
    while finest < octaves and step / 2**finest >= 1:
        finest += 1
    return gradient_noise(
        width,
        height,
        seed=int(stream_key(seed, _STREAM, part)),
        scale=max(step, 1.0),
        octaves=finest,
        roughness=roughness,
        kind=kind,
        warp=warp * side,
    )


def unit_frame(width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the centres of the cells as x float64[1, width] and y float64[height, 1], from -1 to 1 along each side."""
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = (np.arange(height) + 0.5) / height * 2 - 1
    return x[None, :], y[:, None]


def falloff(width: int, height: int, *, doublings: int) -> NDArray[np.float64]:
    """Return float64[height, width]: 0 in the middle, rising to nearly 1 at the border of the map.

    doublings: of the exponent with which it rises, from 1: with 1 it is a parabola, with 3 it rises near the border.
    """
    x, y = unit_frame(width, height)
    for _ in range(doublings):  # squares are the same on every processor, other powers are not
        x, y = x * x, y * y
    return 1 - (1 - np.abs(x)) * (1 - np.abs(y))
