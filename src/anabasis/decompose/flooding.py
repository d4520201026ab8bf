"""Flooding: fill the relief of clearance from its deepest valleys; each spring makes a lake, and lakes meet at gates.

D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015, as told by J. Pacovský, "Navigation of
units in video games using flow networks", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.decompose.clearance import clearance
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary

__all__ = ["Flooding", "flood"]


@dataclass(frozen=True, eq=False)
class Flooding:
    """The stages of a flooding, all int32[height, width].

    depth: the clearance in tenths of a cell. level: the depth in steps of the distance denominator, at least 1 in free
    cells. spring: the number of the spring that flooded each cell; lake: the same with shallow springs merged into
    their neighbours, numbered from 0; both -1 in walls.
    """

    depth: NDArray[np.int32]
    level: NDArray[np.int32]
    spring: NDArray[np.int32]
    lake: NDArray[np.int32]

    __repr__ = summary

    def __post_init__(self) -> None:
        shape = np.shape(self.depth)
        for name in ("depth", "level", "spring", "lake"):
            set_field(self, name, freeze(getattr(self, name), np.int32, shape, name))


def flood(grid: Grid, parameters: tuple[int, int, int]) -> Flooding:
    """Return the stages of flooding a map.

    parameters: distance denominator ≥ 1, how many tenths of a cell are one level; wall threshold, how many walls end
    the clearance of a cell, 0 for 1 where the map is up to 128 cells wide and high, else 2; depth threshold, by how
    many levels a spring must be deeper than where its lake meets another, to be a lake of its own.
    """
    denominator, walls, threshold = parameters
    if walls <= 0:
        walls = 1 if max(grid.width, grid.height) <= 128 else 2
    depth = clearance(grid, walls)
    level = np.where(depth > 0, np.maximum(1, depth // denominator), 0).astype(np.int32)
    spring = np.full(level.shape, -1, np.int32)
    order = np.argsort(-level, axis=None, kind="stable")[: np.count_nonzero(level)]
    springs, pairs = _flood(level, order, spring)
    lake = np.append(_merged(pairs, springs, threshold), np.int32(-1))[spring]
    return Flooding(depth, level, spring, lake)


@kernel
def _flood(level: Any, order: Any, spring: Any) -> tuple[Any, Any]:
    """Flood the cells level by level, in waves; `order` has the free cells, the deepest first.

    Returns the level of each spring, and the contacts of lakes as rows (spring, spring, level), the deepest first.
    """
    height, width = level.shape
    count, met, done = 0, 0, 0
    springs, pairs = np.empty(64, np.int64), np.empty((64, 3), np.int64)
    queue, next_queue, queued = (
        np.empty(len(order), np.int64),
        np.empty(len(order), np.int64),
        np.zeros(level.size, np.uint8),
    )
    label = spring.reshape(-1)
    while done < len(order):
        here = level.reshape(-1)[order[done]]
        end = done
        waiting = 0
        while end < len(order) and level.reshape(-1)[order[end]] == here:
            v = order[end]
            y, x = v // width, v % width
            if (
                (y > 0 and spring[y - 1, x] >= 0)
                or (x > 0 and spring[y, x - 1] >= 0)
                or (x + 1 < width and spring[y, x + 1] >= 0)
                or (y + 1 < height and spring[y + 1, x] >= 0)
            ):
                queue[waiting] = v
                queued[v] = 1
                waiting += 1
            end += 1
        at = done
        while True:
            if waiting == 0:
                while at < end and label[order[at]] >= 0:
                    at += 1
                if at == end:
                    break
                if count == len(springs):
                    springs = np.concatenate((springs, springs))
                springs[count] = here
                label[order[at]] = -2 - count
                queued[order[at]] = 1
                queue[0] = order[at]
                waiting = 1
                count += 1
            coming = 0
            for q in range(waiting):  # all of a wave are decided before any is applied
                v = queue[q]
                if label[v] < -1:
                    continue
                y, x = v // width, v % width
                chosen = -1
                for k in range(4):
                    ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                    if not (0 <= ny < height and 0 <= nx < width) or spring[ny, nx] < 0:
                        continue
                    other = spring[ny, nx]
                    if chosen < 0:
                        chosen = other
                    elif other != chosen:
                        if met == len(pairs):
                            pairs = np.concatenate((pairs, pairs))
                        pairs[met, 0], pairs[met, 1], pairs[met, 2] = chosen, other, here
                        met += 1
                label[v] = -2 - chosen
            for q in range(waiting):
                label[queue[q]] = -2 - label[queue[q]]
            for q in range(waiting):
                v = queue[q]
                y, x = v // width, v % width
                for k in range(4):
                    ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                    if 0 <= ny < height and 0 <= nx < width:
                        w = ny * width + nx
                        if level[ny, nx] == here and label[w] == -1 and queued[w] == 0:
                            queued[w] = 1
                            next_queue[coming] = w
                            coming += 1
                        elif label[w] >= 0 and label[w] != label[v]:
                            if met == len(pairs):
                                pairs = np.concatenate((pairs, pairs))
                            pairs[met, 0], pairs[met, 1], pairs[met, 2] = label[v], label[w], min(here, level[ny, nx])
                            met += 1
            queue, next_queue = next_queue, queue
            waiting = coming
        done = end
    return springs[:count].copy(), pairs[:met].copy()


@kernel
def _merged(pairs: Any, springs: Any, threshold: int) -> Any:
    """Return int32[springs]: the lake of each spring, when shallow ones have been merged into their neighbours."""
    parent, deepest = np.arange(len(springs)), springs.copy()
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b and min(deepest[a], deepest[b]) - pairs[k, 2] < threshold:
            parent[max(a, b)] = min(a, b)  # the earlier spring is the deeper one
    lake, lakes = np.empty(len(springs), np.int32), 0
    for a in range(len(springs)):
        if parent[a] == a:
            lake[a] = lakes
            lakes += 1
        else:
            root = a
            while parent[root] != root:
                root = parent[root]
            lake[a] = lake[root]
    return lake
