"""Lands for the tests of players, and an oracle of walking distances that shares no code with the generator."""

import numpy as np
from scipy import ndimage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from anabasis.movement import MovementClass

# a class of the tests' own, so that they don't depend on prices elsewhere
WALKER = MovementClass.of("walker", {".,=+": 1.0, "fh": 2.0, "~": 3.0})
SHIP = MovementClass.of("ship", {"W+": 1.0})


def field(height, width, rng, cells):
    """Value noise in octaves."""
    total, weight = np.zeros((height, width)), 1.0
    while cells < max(height, width):
        values = rng.random((cells + 1, cells + 1))
        y, x = np.meshgrid(np.linspace(0, cells, height), np.linspace(0, cells, width), indexing="ij")
        total += weight * ndimage.map_coordinates(values, [y, x], order=1)
        cells, weight = 2 * cells, weight / 2
    return total


def land(height, width, seed, *, water=0.25, rock=0.1, cells=4):
    """Terrain letters: water in the low places, hills and rock in the high ones, woods here and there."""
    rng = np.random.default_rng(seed)
    high, wood = field(height, width, rng, cells), field(height, width, rng, 2 * cells)
    made = np.full((height, width), ord("."), np.uint8)
    made[wood > np.quantile(wood, 0.8)] = ord("f")
    made[wood > np.quantile(wood, 0.9)] = ord("T")
    made[high > np.quantile(high, 1 - rock - 0.08)] = ord("h")
    made[high > np.quantile(high, 1 - rock)] = ord("^")
    made[high < np.quantile(high, water)] = ord("W")
    return made


def part_count(free):
    """How many parts there are, joined by sides, by SciPy's labels."""
    return ndimage.label(free)[1]


def largest_part(free):
    label, count = ndimage.label(free)
    return label == 1 + int(np.argmax(np.bincount(label[label > 0])[1:])) if count else free


def walking(cost, sources):
    """float64[sources, cells]: the walk from each source vertex to every cell, by SciPy; a step costs the cell entered.

    Diagonal steps need all four cells of their square.
    """
    height, width = cost.shape
    numbers, free = np.arange(cost.size).reshape(cost.shape), np.isfinite(cost)
    rows, columns, prices = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        top, bottom = slice(max(0, -dy), height - max(0, dy)), slice(max(0, dy), height + min(0, dy))
        left, right = slice(0, width - dx), slice(dx, width)
        allowed = free[top, left] & free[bottom, right] & free[bottom, left] & free[top, right]
        a, b = numbers[top, left][allowed], numbers[bottom, right][allowed]
        length = float(np.hypot(dx, dy))
        rows += [a, b]
        columns += [b, a]
        prices += [length * cost.reshape(-1)[b], length * cost.reshape(-1)[a]]
    entries = np.concatenate(prices), (np.concatenate(rows), np.concatenate(columns))
    graph = coo_array(entries, shape=(cost.size, cost.size)).tocsr()
    found = dijkstra(graph, indices=sources)
    return found
