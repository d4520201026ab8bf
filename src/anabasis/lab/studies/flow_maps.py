"""Maps of the study of flow networks: drawn by rectangles, made from a seed, or cut out of a benchmark map.

The generators are the simplest of their kinds: rooms in rows with doors, caves by a cellular automaton (as L. Johnson,
G. Yannakakis, J. Togelius: Cellular automata for real-time generation of infinite cave levels, 2010), islands joined by
bridges, and a canyon that winds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid

__all__ = ["Box", "canyon", "carved", "caves", "cut", "islands", "parts", "rooms", "walled"]

Box = tuple[int, int, int, int]  # x, y, width, height in cells

_ROCK, _GROUND, _WATER, _TREES = (ord(letter) for letter in "@.WT")


def carved(width: int, height: int, *boxes: Box, rock: str = "@") -> Grid:
    """Return a map that is blocked but for the boxes."""
    terrain = np.full((height, width), ord(rock), np.uint8)
    for x, y, w, h in boxes:
        terrain[y : y + h, x : x + w] = _GROUND
    return Grid.from_terrain(terrain)


def walled(width: int, height: int, *boxes: Box, gaps: Sequence[Box] = (), rock: str = "@") -> Grid:
    """Return a map that is free but for the boxes, through which the gaps are cut."""
    terrain = np.full((height, width), _GROUND, np.uint8)
    for x, y, w, h in boxes:
        terrain[y : y + h, x : x + w] = ord(rock)
    for x, y, w, h in gaps:
        terrain[y : y + h, x : x + w] = _GROUND
    return Grid.from_terrain(terrain)


def rooms(columns: int, rows: int, size: int, seed: int, *, doors: tuple[int, int], loops: float) -> Grid:
    """Return columns × rows square rooms in walls 2 thick.

    Doors join the rooms as a random tree and, with probability `loops`, every other pair of neighbours; each is
    doors[0] to doors[1] cells wide.
    """
    random = np.random.default_rng(seed)
    pitch = size + 2
    terrain = np.full((rows * pitch + 2, columns * pitch + 2), _ROCK, np.uint8)
    for r in range(rows):
        for c in range(columns):
            terrain[r * pitch + 2 : (r + 1) * pitch, c * pitch + 2 : (c + 1) * pitch] = _GROUND
    for a, b in _links(columns, rows, random, loops):
        width = int(random.integers(doors[0], doors[1] + 1))
        at = int(random.integers(1, size - width))
        y, x = (a // columns) * pitch + 2, (a % columns) * pitch + 2
        if b == a + 1:
            terrain[y + at : y + at + width, x + size : x + pitch] = _GROUND
        else:
            terrain[y + size : y + pitch, x + at : x + at + width] = _GROUND
    return Grid.from_terrain(terrain)


def islands(columns: int, rows: int, pitch: int, seed: int, *, bridges: tuple[int, int], loops: float) -> Grid:
    """Return columns × rows islands in water, each a disc off the middle of its field, joined by bridges.

    Bridges join them as a random tree and, with probability `loops`, every other pair of neighbours; each is
    bridges[0] to bridges[1] cells wide.
    """
    random = np.random.default_rng(seed)
    terrain = np.full((rows * pitch, columns * pitch), _WATER, np.uint8)
    y, x = np.mgrid[: rows * pitch, : columns * pitch]
    centres = [
        (
            c * pitch + pitch // 2 + int(random.integers(-2, 3)),
            r * pitch + pitch // 2 + int(random.integers(-2, 3)),
        )
        for r in range(rows)
        for c in range(columns)
    ]
    for cx, cy in centres:
        radius = pitch * random.uniform(0.3, 0.38)
        terrain[np.hypot(x - cx, y - cy) <= radius] = _GROUND
    for a, b in _links(columns, rows, random, loops):
        width = int(random.integers(bridges[0], bridges[1] + 1))
        (ax, ay), (bx, by) = centres[a], centres[b]
        if b == a + 1:
            top = (ay + by) // 2 - width // 2
            terrain[top : top + width, ax:bx] = _GROUND
        else:
            left = (ax + bx) // 2 - width // 2
            terrain[ay:by, left : left + width] = _GROUND
    return Grid.from_terrain(terrain)


def _links(columns: int, rows: int, random: np.random.Generator, loops: float) -> list[tuple[int, int]]:
    """Return pairs of neighbours that join all fields: a random tree (Kruskal), and some more."""
    pairs = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    pairs += [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]
    part = list(range(columns * rows))
    links: list[tuple[int, int]] = []
    for k in random.permutation(len(pairs)).tolist():
        a, b = pairs[k]
        if part[a] != part[b]:
            part = [part[a] if p == part[b] else p for p in part]
            links.append((a, b))
        elif random.random() < loops:
            links.append((a, b))
    return links


def caves(width: int, height: int, seed: int, *, rock: float = 0.44, grain: int = 2) -> Grid:
    """Return caves: a cellular automaton on coarse cells, grain × grain cells each; the largest cave is kept."""
    from scipy import ndimage

    random = np.random.default_rng(seed)
    walls = random.random((height // grain, width // grain)) < rock
    for _ in range(5):
        around = ndimage.convolve(walls.astype(np.int64), np.ones((3, 3), np.int64), mode="constant", cval=1)
        walls = around >= 5
    free = np.asarray(ndimage.binary_opening(~walls, np.ones((2, 2))), bool)
    caverns = parts(free, corners=False)
    sizes = np.bincount(caverns.ravel())
    sizes[0] = 0
    fine = np.kron(caverns == int(sizes.argmax()), np.ones((grain, grain), bool))
    rocks = parts(~np.pad(fine, 1))
    small = np.bincount(rocks.ravel()) < 16  # boulders that only make pictures restless
    return Grid.from_free(np.pad(fine, 1) | (small[rocks] & (rocks > 0)))


def canyon(width: int, height: int, seed: int, *, floor: int) -> Grid:
    """Return one canyon that winds from left to right, `floor` cells wide."""
    random = np.random.default_rng(seed)
    terrain = np.full((height, width), _ROCK, np.uint8)
    x, y = 2, height // 2
    terrain[y - 10 : y + 10, 2:24] = _GROUND
    x = 20
    while x < width - 26:
        to = int(random.integers(4, height - 4 - floor))
        step = int(random.integers(10, 16))
        terrain[y : y + floor, x : x + step + floor] = _GROUND
        x += step
        terrain[min(y, to) : max(y, to) + floor, x : x + floor] = _GROUND
        y = to
    terrain[y : y + floor, x : width - 2] = _GROUND
    top = min(max(y - 8, 2), height - 22)
    terrain[top : top + 20, width - 24 : width - 2] = _GROUND
    return Grid.from_terrain(terrain)


def parts(cells: NDArray[np.bool_], *, corners: bool = True) -> NDArray[np.int64]:
    """Return int64[h, w]: the number of the connected part that each of the cells belongs to, from 1; elsewhere 0.

    corners: whether cells that touch at a corner alone are connected.
    """
    from scipy import ndimage

    shape = np.ones((3, 3)) if corners else None
    found: Any = ndimage.label(cells, shape)  # SciPy's stub leaves out the pair
    return found[0].astype(np.int64)


def cut(file: Path, box: Box) -> Grid:
    """Return a part of a map file, as land units see it; the part's edge is the edge of the map."""
    from anabasis.io.maps import load_grid

    x, y, width, height = box
    terrain: NDArray[np.uint8] = load_grid(file).terrain[y : y + height, x : x + width]
    return Grid.from_terrain(terrain)
