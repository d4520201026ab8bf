"""Fitting: the corners of a simplified outline are put where the lines through its edges meet.

The contour of a grey picture rounds every corner, so that a polygon of places on it cuts them. The line through an edge
is that of least squared distances to the outline between its ends: K. Pearson, "On lines and planes of closest fit to
systems of points in space", 1901.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["fitted"]

_ROUNDED = 1.25  # pixels of the outline beside a corner that are bent by it
_FLATTEST = 0.1  # the sine of the angle between lines below which their meeting says nothing
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def fitted(ring: Floats, cuts: Ints, tolerance: float, width: int, height: int) -> Floats:
    """Return the polygon of ring[cuts], float64[k, 2], with its corners moved to where fitted lines meet.

    cuts: rising from 0; the straight edges between them must stay within `tolerance` of the outline. A corner moves by
    at most `tolerance` and only if each place of both its edges and of the outline between still lies within that of
    the other: so it is, for the ends of an edge lie that near to those of its stretch of the outline, and all places
    of the stretch that near to the edge. Corners at the border of the picture move along it.
    """
    corners, ends = ring[cuts], np.roll(ring[cuts], -1, axis=0)
    border = _border(corners, width, height)
    along = border & _border(ends, width, height) & (corners == ends)  # edges in the border, by axis
    centres, ways = _lines(ring, cuts)
    flat = along.any(axis=1)
    centres[flat], ways[flat] = corners[flat], ends[flat] - corners[flat]
    ways /= np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-300)[:, None]
    found = _meetings(np.roll(centres, 1, axis=0), np.roll(ways, 1, axis=0), centres, ways)
    found = np.where(border, corners, found)
    inside = _inside(found, width, height) & (_border(found, width, height) == border).all(axis=1)
    moved = inside & (np.hypot(*(found - corners).T) <= tolerance)
    edge = np.repeat(np.arange(len(cuts)), np.diff(cuts, append=len(ring)))
    while True:
        now = np.where(moved[:, None], found, corners)
        far = _distances(ring, now[edge], np.roll(now, -1, axis=0)[edge]) > tolerance
        bad = np.bincount(edge[far], minlength=len(cuts)) > 0
        bad = moved & (bad | np.roll(bad, 1))
        if not bad.any():
            return now
        moved &= ~bad


def _border(points: Floats, width: int, height: int) -> NDArray[np.bool_]:
    """Return bool[n, 2]: which coordinates are those of the border."""
    return np.asarray((points == 0) | (points == (width, height)))


def _inside(points: Floats, width: int, height: int) -> NDArray[np.bool_]:
    return np.asarray(((points >= 0) & (points <= (width, height))).all(axis=1))  # false for NaN


def _lines(ring: Floats, cuts: Ints) -> tuple[Floats, Floats]:
    """Return a point and the direction of the line through each stretch of the outline without its rounded ends."""
    origin = ring[0]
    closed = np.concatenate([ring, ring[:1]]) - origin
    steps = np.hypot(*np.diff(closed, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    a, b = cuts, np.append(cuts[1:], len(ring))
    trim = np.minimum(_ROUNDED, (at[b] - at[a]) / 4)
    first, last = np.searchsorted(at, at[a] + trim), np.searchsorted(at, at[b] - trim, side="right") - 1
    short = last <= first
    first, last = np.where(short, a, first), np.where(short, b, last)
    p, q = closed[:-1], closed[1:]
    x, y = (p + q).T / 2
    squares = (p * p + p * q + q * q) / 3
    xy = (2 * (p[:, 0] * p[:, 1] + q[:, 0] * q[:, 1]) + p[:, 0] * q[:, 1] + q[:, 0] * p[:, 1]) / 6
    each = np.stack([np.ones(len(p)), x, y, squares[:, 0], xy, squares[:, 1]]) * steps
    sums = np.concatenate([np.zeros((6, 1)), np.cumsum(each, axis=1)], axis=1)
    length, x, y, xx, xy, yy = sums[:, last] - sums[:, first]
    x, y, xx, xy, yy = (v / np.maximum(length, 1e-300) for v in (x, y, xx, xy, yy))
    angle = np.arctan2(2 * (xy - x * y), (xx - x * x) - (yy - y * y)) / 2
    return np.stack([x, y], axis=1) + origin, np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _meetings(p: Floats, u: Floats, q: Floats, v: Floats) -> Floats:
    """Return where lines from p along u meet lines from q along v; NaN where they are almost parallel."""
    turn = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    turn = np.where(abs(turn) < _FLATTEST, np.nan, turn)
    gap = q - p
    return p + u * ((gap[:, 0] * v[:, 1] - gap[:, 1] * v[:, 0]) / turn)[:, None]


def _distances(points: Floats, a: Floats, b: Floats) -> Floats:
    """Return how far points are from segments from a to b."""
    way, to = b - a, points - a
    square = np.maximum((way * way).sum(axis=1), 1e-300)
    share = ((to * way).sum(axis=1) / square).clip(0, 1)
    return np.hypot(*(to - share[:, None] * way).T)
