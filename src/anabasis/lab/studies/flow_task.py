"""A scenario of the study of flow networks that is yet to be built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anabasis.grid import Grid
from anabasis.io.placement import Rectangle, pack
from anabasis.lab.studies.flow_maps import Box
from anabasis.scenario import Group, Scenario, Target

__all__ = ["Task"]


@dataclass(frozen=True)
class Task:
    """A scenario to be built: `units` stand in boxes, in equal parts, and go to `target` (x, y, radius).

    quick: whether it belongs to the quick study, and with how many units.
    """

    name: str
    grid: Callable[[], Grid]
    units: int
    boxes: tuple[Box, ...]
    target: tuple[float, float, float]
    note: str
    quick: int = 0

    @property
    def set(self) -> int:
        """The number of its set."""
        return int(self.name[0])

    def scenario(self, units: int | None = None) -> Scenario:
        """Return the scenario, on demand with another number of units."""
        grid = self.grid()
        count = units or self.units
        parts = [count // len(self.boxes) + (k < count % len(self.boxes)) for k in range(len(self.boxes))]
        none = np.zeros((0, 3))
        places = [
            pack(Rectangle(*map(float, box)), grid, 0.5, part, taken=none)
            for box, part in zip(self.boxes, parts, strict=True)
            if part
        ]
        return Scenario(grid, (Group(np.concatenate(places), Target(*self.target)),), name=self.name, note=self.note)
