"""What the tests of water share: smooth random height fields, independent of the generators."""

import numpy as np


def smooth_field(width, height, seed, octaves=4, knots=4):
    """float64[height, width] from 0 to 1: random values at knots, joined smoothly, octave on octave."""
    rng, field, spacing = np.random.default_rng(seed), np.zeros((height, width)), max(width, height) / knots
    for octave in range(octaves):
        value = rng.random((int(height / spacing) + 3, int(width / spacing) + 3))
        y, x = np.arange(height) / spacing, np.arange(width) / spacing
        row, column = y.astype(int), x.astype(int)
        part_y, part_x = y - row, x - column
        part_y, part_x = (part_y**2 * (3 - 2 * part_y))[:, None], part_x**2 * (3 - 2 * part_x)
        above = value[np.ix_(row, column)] * (1 - part_x) + value[np.ix_(row, column + 1)] * part_x
        below = value[np.ix_(row + 1, column)] * (1 - part_x) + value[np.ix_(row + 1, column + 1)] * part_x
        field += (above * (1 - part_y) + below * part_y) / 2**octave
        spacing /= 2
    field -= field.min()
    return field / max(field.max(), 1e-9)


def terraces(width, height, seed, steps):
    """uint8[height, width]: such a field in so many levels from 0."""
    return np.minimum(smooth_field(width, height, seed) * steps, steps - 1).astype(np.uint8)


def neighbours_of(x, y, width, height):
    """The cells around a cell that lie in the map."""
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    return [(i, j) for i, j in around if 0 <= i < width and 0 <= j < height]
