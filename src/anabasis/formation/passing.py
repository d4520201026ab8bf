"""Passing: units that meet step aside, to the right of where they go, and back again once nobody is near.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: collision avoidance by changing the
physical position. The way stays as it was decided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.formation.ground import Ground
from anabasis.manoeuvre import Formation

__all__ = ["Swerving"]

Floats = NDArray[np.float64]


class Swerving:
    """How far each unit is beside its way: aside float64[n, 2], 0 at first; `advance` it each tick.

    Who walks and has somebody nearer than its sight, at most `view` degrees from where it goes, moves to the right by
    `swerve` times its speed, if it can stand there; else it moves back by `back` times the speed it last walked at.
    """

    def __init__(
        self, ground: Ground, formations: Sequence[Formation], group: NDArray[np.int64], places: Floats
    ) -> None:
        """Begin with units of these formations at these places float64[n, 2]; group int64[n]: the formation of each."""
        self._ground, self._before = ground, places.copy()
        modules = [formation.modules for formation in formations]

        def of_units(values: list[float]) -> Floats:
            return np.array(values, np.float64)[group] if values else np.zeros(0)

        self.aside = np.zeros((len(group), 2))
        self._on = of_units([float(m.passing == "displacement") for m in modules]) > 0
        self._swerve, self._back = of_units([m.swerve for m in modules]), of_units([m.back for m in modules])
        self._sight = of_units([m.sight * ground.spacing for m in modules])
        self._ahead = of_units([math.cos(math.radians(m.view)) for m in modules])
        self._speed = np.zeros(len(group))  # of the last tick in which it walked

    @property
    def home(self) -> NDArray[np.bool_]:
        """bool[n]: who is on its way again, or never comes back to it."""
        return (self.aside == 0).all(axis=1) | (self._back == 0)

    def advance(self, places: Floats, tick: float) -> None:
        """Let a tick pass in which the units came to these places on their ways, float64[n, 2]."""
        if not self._on.any():
            return
        move = places - self._before
        self._before = places.copy()
        length = np.hypot(move[:, 0], move[:, 1])
        walks = length > 0
        self._speed = np.where(walks, length / tick, self._speed)
        ahead = move / np.where(walks, length, 1.0)[:, None]
        meets = self._meets(places + self.aside, ahead) & walks & self._on
        # y grows downwards: to the right of (x, y) is (-y, x)
        wanted = self.aside + (self._swerve * length)[:, None] * np.stack((-ahead[:, 1], ahead[:, 0]), 1)
        far = np.hypot(self.aside[:, 0], self.aside[:, 1])
        least = np.minimum(far, self._back * self._speed * tick)
        back = self.aside - (least / np.where(far > 0, far, 1.0))[:, None] * self.aside
        back[least >= far] = 0.0
        self.aside = np.where(meets[:, None], wanted, back)
        moved = np.flatnonzero((self.aside != 0).any(axis=1))
        if moved.size:  # what carries a unit off the ground is drawn in, to its way if need be
            for share in (0.5, 0.0):
                off = moved[~self._ground.holds(places[moved] + self.aside[moved])]
                self.aside[off] *= share

    def _meets(self, places: Floats, ahead: Floats) -> NDArray[np.bool_]:
        """Return bool[n]: who sees somebody near."""
        from scipy.spatial import KDTree

        meets = np.zeros(len(places), bool)
        pairs = KDTree(places).query_pairs(float(self._sight.max()), output_type="ndarray").reshape(-1, 2)
        both = np.concatenate((pairs, pairs[:, ::-1]))
        to = places[both[:, 1]] - places[both[:, 0]]
        apart = np.hypot(to[:, 0], to[:, 1])
        near = apart <= self._sight[both[:, 0]]
        seen = (to * ahead[both[:, 0]]).sum(1) >= self._ahead[both[:, 0]] * apart - 1e-12
        meets[both[near & seen, 0]] = True
        return meets
