"""Labelling: where labels go beside the points that they belong to, off lines, marks and one another.

Each label has a few places around its point; one after the other takes the place that covers least, and then each may
move once more (J. Christensen, J. Marks, S. Shieber, "An empirical study of algorithms for point-feature label
placement", 1995).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["beside"]

Floats = NDArray[np.float64]

_ANGLES = np.radians([-90, 90, 0, 180, -45, -135, 45, 135, -67.5, -112.5, 67.5, 112.5])  # above first
_FAR = (1.0, 1.9)  # from the point: so many times as far as needed to be clear of it
_OUTSIDE, _LABEL, _MARK, _LINE, _AWAY = 100.0, 20.0, 8.0, 1.0, 0.35  # what is worst to cover, what is best avoided


def beside(
    points: Sequence[ArrayLike],
    half: Floats,
    lines: Floats,
    marks: Sequence[tuple[float, float, float]],
    size: tuple[int, int],
) -> Floats:
    """Return float64[n, 2]: the middle of each label, of half width and height `half`, beside its point.

    lines: float64[k, 2, 2], and marks, discs (x, y, radius), are not to be covered; size: width and height of the map.
    """
    at = np.array([*points], np.float64).reshape(-1, 2)
    discs = np.array([*marks], np.float64).reshape(-1, 3)
    candidates = [_around(point, size_, discs) for point, size_ in zip(at, half, strict=True)]
    fixed = [
        _cost(places, size_, lines, discs, size) + _AWAY * np.repeat(np.arange(len(_FAR)), _ANGLES.size)
        for places, size_ in zip(candidates, half, strict=True)
    ]
    chosen = np.full(len(at), -1)
    for _ in range(2):
        for k, places in enumerate(candidates):
            others = [j for j in range(len(at)) if j != k and chosen[j] >= 0]
            taken = np.array([candidates[j][chosen[j]] for j in others]).reshape(-1, 2)
            room = half[k] + half[others].reshape(-1, 2)
            covers = (np.abs(places[:, None] - taken) < room).all(axis=2).sum(axis=1)
            chosen[k] = int(np.argmin(fixed[k] + _LABEL * covers))
    return np.array([places[place] for places, place in zip(candidates, chosen, strict=True)]).reshape(-1, 2)


def _around(point: Floats, half: Floats, discs: Floats) -> Floats:
    """Return the places of a label around its point, clear of the mark on it."""
    on = np.hypot(*(discs[:, :2] - point).T) < discs[:, 2]
    clear = discs[on, 2].max(initial=0.0) + 0.4 * half[1]
    ways = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
    edge = 1.0 / np.maximum(np.abs(ways) / half, 1e-12).max(axis=1)  # from the middle of a label to its rim that way
    return np.concatenate([point + ways * (far * (edge + clear))[:, None] for far in _FAR])


def _cost(places: Floats, half: Floats, lines: Floats, discs: Floats, size: tuple[int, int]) -> Floats:
    """Return how bad it is for a label to stand at each of some places, whatever other labels do."""
    outside = ((places < half) | (places > np.array(size) - half)).any(axis=1)
    near = np.maximum(np.abs(places[:, None] - discs[:, :2]) - half, 0.0)
    marks = (np.hypot(near[:, :, 0], near[:, :, 1]) < discs[:, 2]).sum(axis=1)
    covered = np.array([_inside(lines, place, half).sum() for place in places]) / half[1]
    return _OUTSIDE * outside + _MARK * marks + _LINE * covered


def _inside(lines: Floats, middle: Floats, half: Floats) -> Floats:
    """Return float64[k]: how much of each line lies in a box."""
    start, way = lines[:, 0] - middle, lines[:, 1] - lines[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (-half - start) / way, (half - start) / way
    within = np.abs(start) <= half  # for lines along an axis
    low = np.where(way == 0, np.where(within, -np.inf, np.inf), np.minimum(first, second)).max(axis=1, initial=0.0)
    high = np.where(way == 0, np.where(within, np.inf, -np.inf), np.maximum(first, second)).min(axis=1, initial=1.0)
    return np.maximum(high - low, 0.0) * np.hypot(way[:, 0], way[:, 1])
