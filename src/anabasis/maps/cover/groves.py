"""Groves: a field of density with woods and clearings, a cluster process of clusters.

M. Thomas, "A generalization of Poisson's binomial limit for use in ecology", 1949: parents lie at random, children lie
about their parent. Each child raises the density around itself; the densest share of the map is woods.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.maps.shape import check_shape
from anabasis.options import check_count, check_length, check_seed, check_share

__all__ = ["groves"]

_STREAM = 230
_CHILDREN = 5


def groves(
    width: int, height: int, *, seed: int, size: float = 16.0, share: float = 0.35, layer: int = 0
) -> NDArray[np.float64]:
    """Return float64[height, width] from 0 to 1: 0 in clearings, up to 1 in the middle of woods.

    size: the radius of a grove, in cells; share: the share of the map that is woods, kept to the cell; layer: fields of
    the same seed with other numbers are independent. Work grows with the cells alone. Raises InputError for options out
    of range.
    """
    shape = check_shape(width, height)
    radius, part = check_length(size, "size of a grove"), check_share(share, "share of woods")
    key = stream_key(check_seed(seed), _STREAM, check_count(layer, "layer", most=2**31))
    radius = min(max(radius, 1.0), 4.0 * (width + height))  # wider ones only flatten the field
    parents = math.ceil(1.5 * (width + 2 * radius) * (height + 2 * radius) / (radius * radius))
    field = np.zeros(shape)
    _raise(field, key, parents, radius)
    woods = round(part * field.size)
    if woods == 0:
        return np.zeros(shape)
    level = np.partition(field, field.size - woods, axis=None)[field.size - woods]
    density = np.where(field >= level, np.minimum(1.0, 0.2 + (field - level) * 0.8), 0.0)
    density.flat[np.flatnonzero(field == level)[woods - int((field > level).sum()) :]] = 0.0  # equals beyond the share
    return density


@kernel
def _raise(field: NDArray[np.float64], key: int, parents: int, radius: float) -> None:
    """Add to the field the bump of each child of each parent; parents lie up to one radius outside the map."""
    height, width = field.shape
    for unit in range(parents):
        x_parent = random_fraction(key, unit, 0) * (width + 2 * radius) - radius
        y_parent = random_fraction(key, unit, 1) * (height + 2 * radius) - radius
        for child in range(_CHILDREN):
            number = 2 + 3 * child
            x = x_parent + (2 * random_fraction(key, unit, number) - 1) * radius
            y = y_parent + (2 * random_fraction(key, unit, number + 1) - 1) * radius
            reach = radius * (0.3 + 0.5 * random_fraction(key, unit, number + 2))
            square = reach * reach
            for j in range(max(0, math.ceil(y - reach)), min(height, math.floor(y + reach) + 1)):
                for i in range(max(0, math.ceil(x - reach)), min(width, math.floor(x + reach) + 1)):
                    near = 1 - ((i - x) * (i - x) + (j - y) * (j - y)) / square
                    if near > 0:
                        field[j, i] += near * near
