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
    """The stages of a flooding; all but `source` are int32[height, width].

    depth: the clearance in tenths of a cell. level: the depth in steps of the distance denominator, at least 1 in free
    cells. spring: the number of the spring that flooded each cell; lake: the same with shallow springs merged into
    their neighbours, numbered from 0; both -1 in walls. source: int64[lakes], the vertex of each lake's own spring.
    """

    depth: NDArray[np.int32]
    level: NDArray[np.int32]
    spring: NDArray[np.int32]
    lake: NDArray[np.int32]
    source: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        shape = np.shape(self.depth)
        for name in ("depth", "level", "spring", "lake"):
            set_field(self, name, freeze(getattr(self, name), np.int32, shape, name))
        set_field(self, "source", freeze(self.source, np.int64, (None,), "source"))


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
    source = _flood(level, _deepest_first(level), spring)
    lake, kept = _merged(level, _contacts(level, spring), source, threshold)
    return Flooding(depth, level, spring, np.append(lake, np.int32(-1))[spring], source[kept])


@kernel
def _deepest_first(level: Any) -> Any:
    """Return int32[k]: the vertices of free cells, the deepest level first, in the order of vertices within a level."""
    flat = level.reshape(-1)
    start = np.zeros(level.max() + 2, np.int64)
    for v in range(len(flat)):
        start[flat[v]] += 1
    start[0] = 0
    for k in range(len(start) - 2, -1, -1):
        start[k] += start[k + 1]
    order = np.empty(start[0], np.int32)
    for v in range(len(flat)):
        if flat[v]:
            order[start[flat[v] + 1]] = v
            start[flat[v] + 1] += 1
    return order


@kernel
def _flood(level: Any, order: Any, spring: Any) -> Any:
    """Flood the cells level by level, in waves; write the spring of each cell and return the vertex of each spring.

    A cell takes the label of a neighbour by side; all cells of a wave are decided before any is labelled.
    """
    height, width = level.shape
    depth, label = level.reshape(-1), spring.reshape(-1)
    wave, coming = np.empty(len(order), np.int32), np.empty(len(order), np.int32)
    chosen = np.empty(len(order), np.int32)
    queued = np.zeros(level.size, np.uint8)
    source, springs, done = np.empty(len(order), np.int64), 0, 0
    while done < len(order):
        here, end, waiting = depth[order[done]], done, 0
        while end < len(order) and depth[order[end]] == here:
            v = order[end]
            y, x = v // width, v % width
            for k in range(4):
                ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                if 0 <= ny < height and 0 <= nx < width and spring[ny, nx] >= 0 and not queued[v]:
                    queued[v] = 1
                    wave[waiting] = v
                    waiting += 1
            end += 1
        while done < end:
            if waiting == 0:  # no lake reaches the rest of this level: a new spring
                if label[order[done]] < 0:
                    label[order[done]] = springs
                    source[springs] = order[done]
                    springs += 1
                    queued[order[done]] = 1
                    wave[0], waiting = order[done], 1
                else:
                    done += 1
                    continue
            for q in range(waiting):
                v = wave[q]
                y, x = v // width, v % width
                chosen[q] = label[v]
                for k in range(4):
                    ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                    if chosen[q] < 0 and 0 <= ny < height and 0 <= nx < width and spring[ny, nx] >= 0:
                        chosen[q] = spring[ny, nx]
            count = 0
            for q in range(waiting):
                v = wave[q]
                y, x = v // width, v % width
                label[v] = chosen[q]
                for k in range(4):
                    ny, nx = y + (k == 3) - (k == 0), x + (k == 2) - (k == 1)
                    if 0 <= ny < height and 0 <= nx < width and level[ny, nx] == here and not queued[ny * width + nx]:
                        queued[ny * width + nx] = 1
                        coming[count] = ny * width + nx
                        count += 1
            wave, coming, waiting = coming, wave, count
    return source[:springs].copy()


@kernel
def _contacts(level: Any, spring: Any) -> Any:
    """Return int64[k, 3]: where cells of two springs lie side by side: the springs and the lower of the levels."""
    height, width = level.shape
    rows, count = np.empty((256, 3), np.int64), 0
    for y in range(height):
        for x in range(width):
            for k in range(2):
                ny, nx = y + k, x + 1 - k
                if ny == height or nx == width or spring[y, x] == spring[ny, nx] or not (level[y, x] and level[ny, nx]):
                    continue
                if count == len(rows):
                    rows = np.concatenate((rows, rows))
                rows[count, 0], rows[count, 1] = spring[y, x], spring[ny, nx]
                rows[count, 2] = min(level[y, x], level[ny, nx])
                count += 1
    return rows[:count].copy()


@kernel
def _merged(level: Any, contacts: Any, source: Any, threshold: int) -> Any:
    """Return the lake of each spring, int32, and the springs that keep a lake, int64, when shallow ones are merged.

    Two lakes become one if the shallower one is less than the threshold deeper than their deepest contact.
    """
    depth = level.reshape(-1)
    parent = np.arange(len(source))
    for k in np.argsort(-contacts[:, 2], kind="mergesort"):
        a, b = contacts[k, 0], contacts[k, 1]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b and min(depth[source[a]], depth[source[b]]) - contacts[k, 2] < threshold:
            parent[max(a, b)] = min(a, b)  # the earlier spring is the deeper one
    lake, kept, lakes = np.empty(len(source), np.int32), np.empty(len(source), np.int64), 0
    for a in range(len(source)):
        if parent[a] == a:
            lake[a] = lakes
            kept[lakes] = a
            lakes += 1
        else:
            root = a
            while parent[root] != root:
                root = parent[root]
            lake[a] = lake[root]
    return lake, kept[:lakes].copy()
