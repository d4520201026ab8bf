"""The pace of a live run: which of its steps are due by the clock."""

from __future__ import annotations

import math
import time

__all__ = ["Pace"]


class Pace:
    """So many steps a second, infinity for as many as there can be, while it is `playing`; it stands at first."""

    def __init__(self) -> None:
        self.playing, self.speed = False, 50.0
        self._began, self._made = 0.0, 0  # when it was set, and the steps since

    def set(self, *, playing: bool) -> None:
        """Go on from now, or stand; what was missed is missed."""
        self.playing, self._began, self._made = playing, time.monotonic(), 0

    def step(self) -> None:
        """Count a step that was made."""
        self._made += 1

    @property
    def due(self) -> float:
        """How many steps should have been made by now, and were not."""
        if math.isinf(self.speed):
            return math.inf
        return (time.monotonic() - self._began) * self.speed - self._made

    @property
    def pause(self) -> float:
        """Seconds until the next step is due, 0 if it is late."""
        return max(self._began + (self._made + 1) / self.speed - time.monotonic(), 0.0)
