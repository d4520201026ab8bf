"""Contour: the outline of the dark places of a grey picture, found below a pixel by marching squares.

The grey of a pixel is that of its centre; between centres beside each other it changes evenly. Four light and dark
centres in turn are joined by the mean of the four: B. Wyvill, C. McPheeters and G. Wyvill, "Data structure for soft
objects", 1986; the table of cases in three dimensions: W. E. Lorensen and H. E. Cline, "Marching cubes: a high
resolution 3D surface construction algorithm", 1987.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel

__all__ = ["contour", "is_grey", "straightened"]

_SHARE = 50  # one in so many edges between dark and light pixels must be soft
# For each set of dark corners (north-west 1, north-east 2, south-east 4, south-west 8): the sides of a square (north 0,
# east 1, south 2, west 3) from which and to which its contour runs with the dark on its right, -1 for none. Behind the
# 16 sets are the two of opposite corners once more, for a dark middle.
_FROM = np.array([-1, 0, 1, 1, 2, 0, 2, 2, 3, 0, 1, 1, 3, 0, 3, -1, 0, 1])
_TO = np.array([-1, 3, 0, 3, 1, 3, 0, 3, 2, 2, 0, 2, 1, 1, 0, -1, 1, 2])
_FROM_TOO = np.array([-1, -1, -1, -1, -1, 2, -1, -1, -1, -1, 3, -1, -1, -1, -1, -1, 2, 3])
_TO_TOO = np.array([-1, -1, -1, -1, -1, 1, -1, -1, -1, -1, 2, -1, -1, -1, -1, -1, 3, 0])


def is_grey(pixels: NDArray[np.uint8], threshold: int) -> bool:
    """Return whether the edges of what is darker than `threshold` are soft in a picture, uint8[height, width].

    An edge between a dark and a light pixel is soft if the grey changes on in the pixel before or behind it, by more
    than a sixteenth of the whole change. Edges of a picture are soft if one in fifty is.
    """
    soft = edges = 0
    for rows in (pixels, pixels.T):
        y, x = np.nonzero((rows[:, 1:] < threshold) != (rows[:, :-1] < threshold))
        last = rows.shape[1] - 1
        before, here, after, behind = (
            rows[y, k].astype(np.int64) for k in (np.maximum(x - 1, 0), x, x + 1, np.minimum(x + 2, last))
        )
        sign = np.sign(after - here)
        whole, step = sign * (behind - before), sign * (after - here)
        soft += int(np.count_nonzero(16 * (whole - step) > whole))
        edges += len(x)
    return soft * _SHARE > edges


def contour(pixels: NDArray[np.uint8], threshold: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the outlines of what is darker than `threshold`: points float64[n, 2] and the starts of rings.

    The rings are simple and don't touch. The centres of exactly the dark pixels lie inside an odd number of them. Where
    a dark pixel is at the border of the picture, the outline runs along the border. There is a point about every pixel.
    """
    height, width = pixels.shape
    level, dark = _samples(pixels, threshold)
    xs, ys = _lines(width), _lines(height)
    flat = np.flatnonzero(dark[:, 1:] != dark[:, :-1])  # places where the contour crosses from one sample to the next
    upright = np.flatnonzero(dark[1:] != dark[:-1])
    across = _crossings(level, flat, xs, ys)
    down = _crossings(level.T, (upright % len(xs)) * (len(ys) - 1) + upright // len(xs), ys, xs)[:, ::-1]
    points = np.concatenate([across, down])
    return _rings(_around(points, _linked(level, dark, flat, upright)), width, height)


def straightened(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a ring without the corners at which it runs straight on along an axis."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    return ring[~((before == ring) & (ring == after)).any(axis=1)]


def _samples(pixels: NDArray[np.uint8], threshold: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return by how much each sample is lighter than the contour, and whether it is dark: pixels within two frames.

    The inner frame lies on the border: its grey is led on from the next two pixels, but stays as dark or light as the
    next. The outer frame lies there too and is light, so that the outline runs along the border.
    """
    grey = pixels.astype(np.float64)
    for _ in range(2):  # left and right, then above and below
        first, last = grey[:, :1], grey[:, -1:]
        second, last_but_one = (grey[:, 1:2], grey[:, -2:-1]) if grey.shape[1] > 1 else (first, last)
        frame = [1.5 * a - 0.5 * b for a, b in ((first, second), (last, last_but_one))]
        frame = [
            np.where(a < threshold, f.clip(0, threshold - 1), f.clip(threshold, 255))
            for f, a in zip(frame, (first, last), strict=True)
        ]
        grey = np.concatenate([frame[0], grey, frame[1]], axis=1).T
    level = np.pad(grey - (threshold - 0.5), 1, constant_values=255.0)
    return level, level < 0


def _lines(size: int) -> NDArray[np.float64]:
    """Return where samples lie along an axis."""
    return np.concatenate([[0, 0], np.arange(size) + 0.5, [size, size]])


def _crossings(
    level: NDArray[np.float64], flat: NDArray[np.int64], xs: NDArray[np.float64], ys: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return where the contour passes between a sample and the next to the right; flat: their numbers, row by row."""
    row, column = flat // (len(xs) - 1), flat % (len(xs) - 1)
    here, there = level[row, column], level[row, column + 1]
    x = xs[column] + (xs[column + 1] - xs[column]) * (here / (here - there))
    return np.stack([x, ys[row]], axis=1)


def _linked(
    level: NDArray[np.float64], dark: NDArray[np.bool_], flat: NDArray[np.int64], upright: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the number of the crossing that comes after each one along the contour."""
    width = dark.shape[1]
    code = dark[:-1, :-1] + 2 * dark[:-1, 1:].astype(np.uint8) + 4 * dark[1:, 1:] + 8 * dark[1:, :-1]
    row, column = np.nonzero((code != 0) & (code != 15))
    case = code[row, column].astype(np.int64)
    middle = level[row, column] + level[row, column + 1] + level[row + 1, column] + level[row + 1, column + 1]
    case[(case == 5) & (middle < 0)] = 16
    case[(case == 10) & (middle < 0)] = 17
    sides = [
        np.searchsorted(flat, row * (width - 1) + column),
        np.searchsorted(upright, row * width + column + 1) + len(flat),
        np.searchsorted(flat, (row + 1) * (width - 1) + column),
        np.searchsorted(upright, row * width + column) + len(flat),
    ]
    number = np.stack(sides)
    after = np.empty(len(flat) + len(upright), np.int64)
    for tail, head in ((_FROM, _TO), (_FROM_TOO, _TO_TOO)):
        k = np.flatnonzero(tail[case] >= 0)
        after[number[tail[case[k]], k]] = number[head[case[k]], k]
    return after


def _around(points: NDArray[np.float64], after: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Return the rings, in the order of their first crossings."""
    order, starts = np.empty(len(after), np.int64), np.zeros(len(after) + 1, np.int64)
    count = _walk(after, order, starts)
    return [points[order[a:b]] for a, b in pairwise(starts[: count + 1].tolist())]


def _rings(rings: list[NDArray[np.float64]], width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Join the rings; along the border, only where they turn."""
    kept: list[NDArray[np.float64]] = []
    for crossings in rings:
        ring = crossings[(crossings != np.roll(crossings, 1, axis=0)).any(axis=1)]
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        border = (ring == 0) | (ring == (width, height))
        kept.append(ring[~((before == ring) & (ring == after) & border).any(axis=1)])
    return np.concatenate([np.zeros((0, 2)), *kept]), np.cumsum([0, *(len(ring) for ring in kept)])


@kernel
def _walk(after: Any, order: Any, starts: Any) -> int:
    """Write the crossings ring by ring and where rings start; return how many rings there are."""
    seen = np.zeros(len(after), np.bool_)
    written = count = 0
    for first in range(len(after)):
        i = first
        if seen[i]:
            continue
        while not seen[i]:
            seen[i] = True
            order[written] = i
            written += 1
            i = after[i]
        count += 1
        starts[count] = written
    return count
