"""Narrows: where a way is narrower than a formation, and how the formation is drawn up in as many files as fit.

How wide a way is, is told by the ground on both sides of it, and where it crosses a gate of the map's decomposition by
that, if it is narrower. Gates: D. Halldórsson and Y. Björnsson, "Automated decomposition of game maps", 2015.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.regions import decompose
from anabasis.formation.ground import HEXAGONAL, OCTILE, Ground
from anabasis.formation.straight import directions
from anabasis.grid import Grid
from anabasis.schema import Schema

__all__ = ["Gates", "Narrow", "narrows"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]

_AHEAD = 2  # steps before a narrow place by which a formation is drawn up, and half its front


@dataclass(frozen=True, eq=False)
class Gates:
    """The gates of a ground: gate int64[n] is the one that each vertex lies in, -1 for none; width float64[g]."""

    gate: Longs
    width: Floats

    @classmethod
    def none(cls, ground: Ground) -> Gates:
        """Return the gates of a ground that is not asked for any."""
        return cls(np.full(ground.size, -1, np.int64), np.zeros(0))

    @classmethod
    def of(cls, ground: Ground) -> Gates:
        """Decompose a ground of cells or of triangles; any other graph has no gates.

        Rows of triangles, of which every other is shifted by half a step, are taken for rows of cells.
        """
        if ground.measure == OCTILE:
            vertex = ground.raster
        elif ground.measure == HEXAGONAL:
            vertex = np.arange(ground.size).reshape(ground.raster.shape[0], -1)
        else:
            return cls.none(ground)
        free = (vertex >= 0) & ground.walkable[vertex]
        parts = decompose(Grid(np.where(free, 1.0, np.inf), np.zeros(free.shape, np.uint8)))
        gate, width = np.full(ground.size, -1, np.int64), np.zeros(parts.gates)
        for number in range(parts.gates):
            across = vertex.reshape(-1)[parts.gate(number)]
            gate[across] = number
            ends = ground.points[across[[0, -1]]]
            width[number] = math.dist(ends[0], ends[1]) + ground.spacing
        return cls(gate, width)


@dataclass(frozen=True, eq=False)
class Narrow:
    """A stretch of a way, from its vertex `first` to `last`, and the places float64[k, 2] of spots that pass it."""

    first: int
    last: int
    places: Floats


def narrows(way: Longs, ground: Ground, gates: Gates, schema: Schema, radius: float) -> list[Narrow]:
    """Return where a formation has to be drawn up in files while its leader is on a way int64[m].

    radius: of the widest unit, which has to have room beside the middles of the outer files. A stretch begins so far
    before the narrow place that there is time to draw up, and ends when the last rank has passed it.
    """
    points, beside = ground.points[way], max(ground.spacing, 2 * radius)
    front = float(np.ptp(schema.places[:, 0]))
    sides = ground.room(points, directions(points), front + 2 * radius) - radius
    room = sides.sum(1)
    crossed = gates.gate[way] >= 0
    room[crossed] = np.minimum(room[crossed], gates.width[gates.gate[way[crossed]]] - 2 * radius)
    # ranks to one side of the leader, too, where they would be drawn in so far that units touch
    touching = (sides < schema.least_room(2 * radius) - 1e-9).any(1)
    tight = np.concatenate(([False], (room < front) | touching, [False]))
    found: list[Narrow] = []
    for a, b in np.flatnonzero(np.diff(tight)).reshape(-1, 2).tolist():
        least = a + int(room[a:b].argmin())
        spare = max(float(sides[least].sum() - room[least]), 0.0) / 2  # a gate is narrower than the ground beside it
        left, right = np.maximum(sides[least] - spare, 0.0).tolist()
        drawn = schema.in_files(left, right, beside)
        before = _AHEAD + math.ceil((front / 2 + radius) / ground.spacing)
        behind = 1 + math.ceil(float(drawn[:, 1].max()) / ground.spacing)
        found.append(Narrow(a - before, b - 1 + behind, drawn))
    return found
