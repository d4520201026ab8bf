"""Passing: units that meet step aside, to the right of where they go, and back again once nobody is near.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: collision avoidance by changing the
physical position. The way stays as it was decided.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis.manoeuvre import Manoeuvre

__all__ = ["Swerving"]

Floats = NDArray[np.float64]


class Swerving:
    """How far each unit is beside its way: beside float64[n, 2], 0 at first; `advance` it each tick.

    Who walks and has somebody nearer than its sight, at most `view` degrees from where it goes, moves to the right by
    `swerve` times its speed; else it moves back by `back` times its speed.
    """

    def __init__(self, manoeuvre: Manoeuvre, group: NDArray[np.int64], spacing: float) -> None:
        modules = [formation.modules for formation in manoeuvre.formations]

        def of_units(values: list[float]) -> Floats:
            return np.array(values, np.float64)[group] if len(values) else np.zeros(0)

        self.beside = np.zeros((len(group), 2))
        self._on = (
            np.array([m.passing == "displacement" for m in modules], bool)[group] if modules else np.zeros(0, bool)
        )
        self._swerve, self._back = of_units([m.swerve for m in modules]), of_units([m.back for m in modules])
        self._sight = of_units([m.sight * spacing for m in modules])
        self._ahead = of_units([math.cos(math.radians(m.view)) for m in modules])
        self._before: Floats | None = None
        self._speed = np.zeros(len(group))  # of the last tick in which it walked

    def advance(self, logical: Floats, tick: float) -> None:
        """Let a tick pass in which the units came to these places on their ways, float64[n, 2]."""
        if not self._on.any():
            return
        before = logical if self._before is None else self._before
        move = logical - before
        self._before = logical.copy()
        length = np.hypot(move[:, 0], move[:, 1])
        walks = length > 0
        self._speed = np.where(walks, length / tick, self._speed)
        ahead = move / np.where(walks, length, 1.0)[:, None]
        meets = self._meets(logical + self.beside, ahead) & walks & self._on
        # y grows downwards: to the right of (x, y) is (-y, x)
        self.beside += np.where(meets, self._swerve * length, 0.0)[:, None] * np.stack((-ahead[:, 1], ahead[:, 0]), 1)
        far = np.hypot(self.beside[:, 0], self.beside[:, 1])
        home = ~meets & (far > 0)
        least = np.minimum(far, self._back * self._speed * tick)
        self.beside -= np.where(home, least / np.where(far > 0, far, 1.0), 0.0)[:, None] * self.beside

    def _meets(self, places: Floats, ahead: Floats) -> NDArray[np.bool_]:
        """Return bool[n]: who sees somebody near."""
        from scipy.spatial import cKDTree

        meets = np.zeros(len(places), bool)
        pairs = cKDTree(places).query_pairs(float(self._sight.max()), output_type="ndarray").reshape(-1, 2)
        both = np.concatenate((pairs, pairs[:, ::-1]))
        to = places[both[:, 1]] - places[both[:, 0]]
        apart = np.hypot(to[:, 0], to[:, 1])
        near = apart <= self._sight[both[:, 0]]
        seen = (to * ahead[both[:, 0]]).sum(1) >= self._ahead[both[:, 0]] * apart - 1e-12
        meets[both[near & seen, 0]] = True
        return meets
