"""Maps of the experiments on planning for one unit, made again: 450 × 300 pixels, obstacles of straight edges.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011), whose pictures
are lost. What its text and tables say of them is kept: maps of 16 to 86 obstacles of eight edges along the axes and the
diagonals; an empty map; and a map of obstacles along the axes on which the shortest way from the upper right to the
lower left is 2 to 3 % longer than the straight line and that from the upper left to the lower right 12 to 14 %, while
along both diagonals one can walk by steps of two directions alone, and hexagons of edge 6 or more do not lead out of
the upper left corner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.rasterize import rasterize
from anabasis.errors import InputError
from anabasis.world import World

__all__ = ["BOUNDS", "OBSTACLES", "corner_place", "empty_map", "obstacle_map", "octagon_map", "picture_of"]

BOUNDS = (0.0, 0.0, 450.0, 300.0)
OBSTACLES = (16, 24, 42, 74, 86)  # of the maps of octagons
_SHARE = 0.25  # of the ground is under octagons, so many smaller ones or few larger ones
_MOST = 300  # octagons that surely have room
_GAP = 4  # pixels at least between octagons, and between them and the border

_BLOCKS = (
    (120, 90, 240, 150),
    (360, 180, 420, 300),
    (30, 120, 60, 150),
    (270, 60, 390, 90),
    (240, 210, 270, 270),
    (150, 0, 240, 60),
    (60, 240, 180, 270),
    (0, 60, 20, 70),
)
# the walls of a chamber in the upper left corner with an exit 12 pixels wide, and of the block beside the exit
_CHAMBER = ((60, 0), (70, 0), (70, 70), (32, 70), (32, 60), (60, 60))


def empty_map() -> World:
    """Return the map without obstacles."""
    return World.of(BOUNDS, [])


def obstacle_map() -> World:
    """Return the map that stands in for the lost one."""
    return World.of(BOUNDS, [*([(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in _BLOCKS), _CHAMBER])


def octagon_map(count: int, *, seed: int = 1) -> World:
    """Return a map of so many octagons with edges along the axes and the diagonals, apart from each other.

    All corners have whole coordinates; a quarter of the ground is covered, however many there are.
    """
    width, height = int(BOUNDS[2]), int(BOUNDS[3])
    if not 1 <= count <= _MOST:
        raise InputError("number of octagons", found=f"{count}", expected=f"1 to {_MOST}")
    side = (_SHARE * width * height / count / 0.85) ** 0.5  # an octagon covers about 0.85 of its box
    for attempt in range(20):
        rng = np.random.default_rng((seed, count, attempt))
        boxes: list[tuple[int, int, int, int]] = []
        for _ in range(400 * count):
            w, h = (max(6, round(side * rng.uniform(0.75, 1.25))) for _ in range(2))
            x, y = int(rng.integers(_GAP, width - _GAP - w)), int(rng.integers(_GAP, height - _GAP - h))
            near = (x - _GAP < c and a < x + w + _GAP and y - _GAP < d and b < y + h + _GAP for a, b, c, d in boxes)
            if not any(near):
                boxes.append((x, y, x + w, y + h))
                if len(boxes) == count:
                    return World.of(BOUNDS, [_octagon(*box) for box in boxes])
    raise InputError(
        "number of octagons", found=f"{count}", expected="fewer, so that they have room", hint="or another seed"
    )


def _octagon(a: int, b: int, c: int, d: int) -> NDArray[np.float64]:
    cut = round(0.3 * min(c - a, d - b))
    left, top, right, bottom = a + cut, b + cut, c - cut, d - cut
    ring = [(left, b), (right, b), (c, top), (c, bottom), (right, d), (left, d), (a, bottom), (a, top)]
    return np.array(ring, np.float64)


def corner_place(name: str) -> tuple[float, float]:
    """Return a corner of the maps: upper or lower, left or right, such as "upper right"."""
    upper, left = name.split()
    return BOUNDS[0] if left == "left" else BOUNDS[2], BOUNDS[1] if upper == "upper" else BOUNDS[3]


def picture_of(world: World) -> NDArray[np.uint8]:
    """Return a map as a picture, uint8[300, 450]: black where the centre of a pixel lies in an obstacle."""
    return np.where(rasterize(world, side=1.0, rule="centre").free, 255, 0).astype(np.uint8)
