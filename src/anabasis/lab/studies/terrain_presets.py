"""The three presets of the source's generator, and what the study measures on one map of them.

The source is a Czech bachelor's thesis on generated terrain and path finding for strategy games, 2014. It judges maps
by looking at them; the measures are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.parts import parts
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.stencils import island_stencil, lake_stencil
from anabasis.maps.worlds.land import Land
from anabasis.maps.worlds.source import source_land

__all__ = [
    "PRESETS",
    "Preset",
    "coast_length",
    "given_points",
    "heights_of",
    "land_of",
    "lowest",
    "neighbour_difference",
    "overlap",
    "part_count",
    "routes_round",
    "spikes",
]

Bools, Floats = NDArray[np.bool_], NDArray[np.float64]

_SPIKE = 64  # steps of the 256 by which a chimney or a hole differs from all around it


@dataclass(frozen=True)
class Preset:
    """The parameters of a preset: R and Δh are published; points and some shares are ours."""

    stencil: str
    amplitude: float
    increment: float
    shares: tuple[float, float, float, float]


PRESETS = {
    "island": Preset("island", 50.0, 0.45, (0.50, 0.56, 0.85, 0.95)),
    "lake": Preset("lake", 200.0, 0.95, (0.20, 0.30, 0.80, 0.90)),
    "random": Preset("none", 225.0, 0.75, (0.50, 0.53, 0.85, 0.95)),
}


def given_points(name: str, side: int) -> Floats:
    """Return the points (x, y, height) that a preset is given beforehand, float64[n, 3]."""
    makers = {"island": island_stencil, "lake": lake_stencil}
    stencil = PRESETS[name].stencil
    return makers[stencil](side, side) if stencil in makers else np.empty((0, 3))


def heights_of(
    name: str,
    side: int,
    seed: int,
    *,
    amplitude: float | None = None,
    increment: float | None = None,
    schedule: str = "plain",
    arithmetic: str = "wrap",
) -> Floats:
    """Return the heights of a preset in steps of 8 bits, float64[side, side]."""
    preset = PRESETS[name]
    return diamond_square(
        side,
        side,
        seed=seed,
        amplitude=preset.amplitude if amplitude is None else amplitude,
        roughness=2.0 ** -(preset.increment if increment is None else increment),
        schedule=schedule,
        arithmetic=arithmetic,
        predefined=given_points(name, side),
    )


def land_of(name: str, side: int, seed: int, *, arithmetic: str = "wrap") -> Land:
    """Return the land of a preset."""
    preset = PRESETS[name]
    return source_land(
        side,
        side,
        seed=seed,
        stencil=preset.stencil,
        amplitude=preset.amplitude,
        increment=preset.increment,
        shares=preset.shares,
        arithmetic=arithmetic,
    )


def lowest(heights: Floats, share: float) -> Bools:
    """Return which cells are below the threshold of a share, as water is."""
    return levels(heights, thresholds(heights, [share])) == 0


def overlap(masks: list[Bools]) -> float:
    """Return the intersection over the union of two masks, in the mean over all pairs."""
    return float(np.mean([(a & b).sum() / max(1, (a | b).sum()) for a, b in combinations(masks, 2)]))


def neighbour_difference(heights: Floats) -> float:
    """Return the mean difference of neighbours that share a side, the shorter way around the 256 heights."""
    steps = np.concatenate([np.diff(heights, axis=0).reshape(-1), np.diff(heights, axis=1).reshape(-1)])
    steps = np.abs(steps) % 256
    return float(np.minimum(steps, 256 - steps).mean())


def spikes(heights: Floats) -> int:
    """Return the number of chimneys and holes: cells far above, or far below, all eight around them."""
    around = [
        heights[1 + dy : heights.shape[0] - 1 + dy, 1 + dx : heights.shape[1] - 1 + dx]
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if dx or dy
    ]
    inner = heights[1:-1, 1:-1]
    high = inner - np.max(around, axis=0) >= _SPIKE
    low = np.min(around, axis=0) - inner >= _SPIKE
    return int((high | low).sum())


def coast_length(water: Bools) -> int:
    """Return the number of sides between water and land."""
    return int((water[1:] != water[:-1]).sum() + (water[:, 1:] != water[:, :-1]).sum())


def part_count(mask: Bools) -> int:
    """Return the number of parts of a mask whose cells hang together by their sides."""
    return int(parts(mask).max(initial=0))


def routes_round(free: Bools) -> tuple[bool, bool]:
    """Return whether the centre is blocked, and whether ways lead round it in the north and in the south.

    A way leads from a cell west of the centre to one east of it without leaving the northern (southern) half, from
    side to side and not through corners; both have to join the same two cells.
    """
    row, column = free.shape[0] // 2, free.shape[1] // 2
    north, south = parts(free[: row + 1])[-1], parts(free[row:])[0]
    pairs = list(zip(north.tolist(), south.tolist(), strict=True))
    west, east = ({pair for pair in side if pair[0]} for side in (pairs[:column], pairs[column + 1 :]))
    blocked = not bool(free[row, column])
    return blocked, blocked and bool(west & east)
