"""Passing: units that meet step aside, to the right of where they go, and back again once nobody is near.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: collision avoidance by changing the
physical position. The way stays as it was decided. New here: nobody steps off the ground, and touches are counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.standing import holds
from anabasis.formation.ground import Ground
from anabasis.manoeuvre import RADIUS, Formation

__all__ = ["Swerving", "Tally"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]


class Swerving:
    """How far each unit is beside its way: aside float64[n, 2], 0 at first; `advance` it each tick.

    Who walks and has somebody nearer than its sight, at most `view` degrees from where it goes, moves to the right by
    `swerve` times its speed, if it can stand there; else it moves back by `back` times the speed it last walked at.
    """

    def __init__(self, ground: Ground, formations: Sequence[Formation], group: Longs, places: Floats) -> None:
        """Begin with units of these formations at these places float64[n, 2]; group int64[n]: the formation of each."""
        self._land, self._before = ground.land, places.copy()
        rates = [
            (m.swerve, m.back, m.sight * ground.spacing, math.cos(math.radians(m.view)))
            for m in (formation.modules for formation in formations)
        ]
        on = [(formation.modules.passing == "displacement") & (formation.radius <= RADIUS) for formation in formations]
        self._rates = np.array(rates, np.float64).reshape(-1, 4)[group]
        self._on = np.concatenate(on) if on else np.zeros(0, bool)
        self.aside = np.zeros((len(group), 2))
        self._speed = np.zeros(len(group))  # of the last tick in which it walked
        self._order = np.arange(len(group))

    @property
    def home(self) -> NDArray[np.bool_]:
        """bool[n]: who is on its way again, or never comes back to it."""
        return (self.aside == 0).all(axis=1) | (self._rates[:, 1] == 0)

    def advance(self, places: Floats, tick: float, fallen: NDArray[np.bool_]) -> None:
        """Let a tick pass in which the units came to these places on their ways, float64[n, 2].

        Nobody sees those who have fallen, bool[n].
        """
        on = self._on & ~fallen
        if not on.any():
            return
        rows = (on, self._rates, self._speed, self.aside)
        _swerve(self._land, places, self._before, rows, self._order, _seen(places + self.aside, fallen), tick)
        self._before[:] = places


class Tally:
    """What is counted of units until they have arrived.

    - arrived int64[n]: the step, -1 before; walked float64[n]: how far;
    - stood, outside, touched int64[n]: ticks in which it did not move, was not on the ground, was nearer to another one
      than both radii.
    """

    def __init__(self, ground: Ground, radius: Floats) -> None:
        units = len(radius)
        self._land, self._radius = ground.land, radius
        self.arrived, self.walked = np.full(units, -1, np.int64), np.zeros(units)
        self.stood, self.outside, self.touched = (np.zeros(units, np.int64) for _ in range(3))
        self._order = np.arange(units)

    def count(self, places: Floats, move: Floats, fallen: NDArray[np.bool_]) -> None:
        """Count a tick at whose end the units are at places float64[n, 2], having moved by float64[n, 2].

        Those who have fallen, bool[n], don't count.
        """
        counts = (self.stood, self.outside, self.touched, self.walked)
        done = fallen | (self.arrived >= 0)
        _count(self._land, _seen(places, fallen), move, done, counts, self._order, self._radius)


def _seen(places: Floats, fallen: NDArray[np.bool_]) -> Floats:
    """Return places float64[n, 2] with those of the fallen far from all others."""
    return np.where(fallen[:, None], np.inf, places) if fallen.any() else places


@leaf
def _sort(order: Any, places: Any) -> None:
    """Bring units into the order of x; from one tick to the next few change places."""
    for i in range(1, len(order)):
        unit, k = order[i], i
        x = places[unit, 0]
        while k > 0 and places[order[k - 1], 0] > x:
            order[k] = order[k - 1]
            k -= 1
        order[k] = unit


@leaf
def _sees(places: Any, a: int, b: int, ahead_x: float, ahead_y: float, sight: float, least: float) -> bool:
    """Tell whether a sees b: no further than its sight, and in its view."""
    dx, dy = places[b, 0] - places[a, 0], places[b, 1] - places[a, 1]
    apart = math.sqrt(dx * dx + dy * dy)
    return apart <= sight and dx * ahead_x + dy * ahead_y >= least * apart - 1e-12


@leaf
def _meets(places: Any, order: Any, i: int, ahead_x: float, ahead_y: float, sight: float, least: float) -> bool:
    """Tell whether the i-th in the order of x sees anybody."""
    u = order[i]
    for side in (1, -1):
        k = i + side
        while 0 <= k < len(order) and abs(places[order[k], 0] - places[u, 0]) <= sight:
            if _sees(places, u, order[k], ahead_x, ahead_y, sight, least):
                return True
            k += side
    return False


@kernel
def _swerve(land: Any, places: Any, before: Any, rows: Any, order: Any, seen: Any, tick: float) -> None:
    """Move the units aside or back; rows: who does, its rates, speed and place beside its way; seen: where all are."""
    on, rates, speed, aside = rows
    _sort(order, seen)
    for i in range(len(order)):
        u = order[i]
        if not on[u]:
            continue
        dx, dy = places[u, 0] - before[u, 0], places[u, 1] - before[u, 1]
        length = math.sqrt(dx * dx + dy * dy)
        meets = False
        if length > 0:
            dx, dy = dx / length, dy / length
            speed[u] = length / tick
            meets = _meets(seen, order, i, dx, dy, rates[u, 2], rates[u, 3])
        if meets:
            # y grows downwards: to the right of (x, y) is (-y, x)
            aside[u, 0] -= rates[u, 0] * length * dy
            aside[u, 1] += rates[u, 0] * length * dx
        else:
            far = math.sqrt(aside[u, 0] ** 2 + aside[u, 1] ** 2)
            if far == 0:
                continue
            share = 1 - min(1.0, rates[u, 1] * speed[u] * tick / far)
            aside[u, 0] *= share
            aside[u, 1] *= share
        # what carries a unit off the ground is drawn in, to its way if need be
        for share in (0.5, 0.0):
            if not holds(land, places[u, 0] + aside[u, 0], places[u, 1] + aside[u, 1]):
                aside[u, 0] *= share
                aside[u, 1] *= share


@leaf
def _touches(places: Any, order: Any, i: int, radius: Any, widest: float) -> bool:
    """Tell whether the i-th in the order of x is nearer to another one than both radii."""
    u = order[i]
    for side in (1, -1):
        k = i + side
        while 0 <= k < len(order) and abs(places[order[k], 0] - places[u, 0]) <= radius[u] + widest:
            if _sees(places, u, order[k], 0.0, 0.0, radius[u] + radius[order[k]] - 1e-9, -1.0):
                return True
            k += side
    return False


@kernel
def _count(land: Any, places: Any, move: Any, done: Any, counts: Any, order: Any, radius: Any) -> None:
    """Count a tick; done: who isn't counted any more."""
    stood, outside, touched, walked = counts
    _sort(order, places)
    widest = radius.max() if len(radius) > 0 else 0.0
    for i in range(len(order)):
        u = order[i]
        if done[u]:
            continue
        length = math.sqrt(move[u, 0] ** 2 + move[u, 1] ** 2)
        walked[u] += length
        if length == 0:
            stood[u] += 1
        if not holds(land, places[u, 0], places[u, 1]):
            outside[u] += 1
        if _touches(places, order, i, radius, widest):
            touched[u] += 1
