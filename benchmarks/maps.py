"""Maps for the benchmarks, made from a seed: random obstacles, rooms with doors, a maze; and queries on any map.

Room and maze follow the generators described with the Moving AI maps: N. Sturtevant, "Benchmarks for Grid-Based
Pathfinding", 2012.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import label

from anabasis import Grid

__all__ = ["maze", "queries", "random_obstacles", "rooms"]


def random_obstacles(side: int, seed: int, blocked: float = 0.2) -> Grid:
    """A square map in which each cell is blocked with the same probability."""
    return Grid.from_free(np.random.default_rng(seed).random((side, side)) >= blocked)


def rooms(side: int, seed: int, room: int = 32) -> Grid:
    """A square map of square rooms of `room` cells, wall included; three of four walls have a door of one cell."""
    rng = np.random.default_rng(seed)
    free = np.ones((side, side), bool)
    free[::room], free[:, ::room] = False, False
    count = -(-side // room)
    for axis in (free, free.T):  # doors through the walls above the rooms, then through those left of them
        for i in range(1, count):
            for j in range(count):
                low, high = j * room + 1, min((j + 1) * room, side)
                if low < high and rng.random() < 0.75:
                    axis[i * room, rng.integers(low, high)] = True
    return Grid.from_free(free)


def maze(side: int, seed: int, corridor: int = 8) -> Grid:
    """A square maze: a random spanning tree (depth first) of square rooms of `corridor` cells with walls of one."""
    rng = np.random.default_rng(seed)
    count = (side - 1) // (corridor + 1)
    free = np.zeros((side, side), bool)
    seen = np.zeros((count, count), bool)
    step = corridor + 1

    def open_room(x: int, y: int, x1: int, y1: int) -> None:
        """Clear room (x1, y1) and the wall between it and (x, y)."""
        left, top = min(x, x1) * step + 1, min(y, y1) * step + 1
        free[top : max(y, y1) * step + step, left : max(x, x1) * step + step] = True
        seen[y1, x1] = True

    open_room(0, 0, 0, 0)
    stack = [(0, 0)]
    while stack:
        x, y = stack[-1]
        ways = [
            (x1, y1)
            for x1, y1 in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
            if 0 <= x1 < count and 0 <= y1 < count and not seen[y1, x1]
        ]
        if not ways:
            stack.pop()
            continue
        x1, y1 = ways[rng.integers(len(ways))]
        open_room(x, y, x1, y1)
        stack.append((x1, y1))
    return Grid.from_free(free)


def queries(grid: Grid, count: int, seed: int) -> list[tuple[int, int]]:
    """Pairs of vertices, drawn from the largest region whose cells are connected by straight steps."""
    regions, _ = label(grid.free)
    sizes = np.bincount(regions.reshape(-1))
    sizes[0] = 0
    cells = np.flatnonzero(regions.reshape(-1) == sizes.argmax())
    pairs = np.random.default_rng(seed).choice(cells, (count, 2))
    return [(int(start), int(goal)) for start, goal in pairs]
