"""Hall: the map on which the gallery exhibits, and what an exhibit is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anabasis.grid import Grid
from anabasis.view.layers import Scene
from anabasis.world import World

__all__ = ["Exhibit", "Hall", "example_hall"]


@dataclass(frozen=True)
class Hall:
    """What is exhibited on: a world, the same as cells, and the ends of a path in both, as places (x, y)."""

    world: World
    grid: Grid
    start: tuple[float, float]
    goal: tuple[float, float]


@dataclass(frozen=True)
class Exhibit:
    """A picture: the group that it belongs to (space, search, smoothing and so on), its name, what it shows in a
    sentence, the scene, and one line of what was measured."""

    group: str
    name: str
    summary: str
    scene: Scene
    caption: str


def example_hall() -> Hall:
    """Return a world of 64 × 40 with obstacles of all kinds: slanted, hollow, notched, in a row with narrow gaps."""
    from anabasis.decompose.rasterize import rasterize

    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False) + np.pi / 8
    octagon = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rings: list[Any] = [
        [[17, 3], [20, 3], [20, 20], [9, 20], [9, 17], [17, 17]],  # a corner that catches who goes straight
        [[24, 0], [27, 0], [27, 12], [24, 12]],
        [[24, 16], [27, 16], [27, 31], [24, 31]],
        [[31, 22], [46, 17], [47, 20], [32, 25]],
        [[8, 26], [14, 24], [17, 32], [10, 34]],
        5.0 * octagon + [38, 9],
        2.5 * octagon + [38, 9],  # a hole: free, but cut off
        3.0 * octagon + [52, 8],
        3.5 * octagon + [38, 33],
        [[52, 16], [60, 16], [60, 34], [52, 34], [52, 31], [57, 31], [57, 19], [52, 19]],  # a trap
        [[46, 28], [48, 26], [49, 38], [46, 40]],
        [[4, 4], [10, 9], [4, 12]],
    ]
    world = World.of((0, 0, 64, 40), [np.asarray(ring, float) for ring in rings])
    return Hall(world, rasterize(world, side=1.0), (3.5, 36.5), (62.5, 3.5))
