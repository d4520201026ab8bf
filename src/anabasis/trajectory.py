"""Trajectory: where a unit is when, with heading, speed and steering; Kinematics: how a unit can move.

The car is the kinematic one: with the speed u, the steering angle φ and the distance L of the axles, the middle of the
rear axle moves by ẋ = u cos θ, ẏ = u sin θ, θ̇ = (u / L) tan φ. S. M. LaValle, "Planning Algorithms", 2006, 13.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isfinite, pi

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["Kinematics", "Trajectory"]


@dataclass(frozen=True, eq=False)
class Kinematics:
    """How a unit can move.

    - speed: its greatest speed; acceleration: how much the speed can change in a unit of time, inf for at once.
    - turns: float64[k, 2], rows (speed, angle), linear in between and constant behind the last: how sharply the unit
      can turn at a speed. Speeds rise from 0, angles never rise. For a unit on foot it is the greatest change of the
      heading at one place, for a car the greatest steering angle, below π / 2.
    - axle: the distance of a car's axles; 0 for a unit on foot, which can turn where it is.
    - backward: whether it can move backwards.
    - reference: how far in front of the rear axle the point lies that is meant when a place of the car is told: 0 the
      rear axle, half of `axle` the middle, `axle` the front axle.
    """

    speed: float = 1.0
    acceleration: float = inf
    turns: NDArray[np.float64] = field(default_factory=lambda: np.array([[0.0, pi]]))
    axle: float = 0.0
    backward: bool = False
    reference: float = 0.0

    __repr__ = summary

    def __post_init__(self) -> None:
        for name, least in (("speed", 0.0), ("acceleration", 0.0), ("axle", -1.0)):
            value = float(freeze(getattr(self, name), np.float64, (), f"{name} of a unit"))
            if not (value > least and (isfinite(value) or name == "acceleration")) or (name == "axle" and value < 0):
                raise InputError(f"{name} of a unit", found=f"{value}", expected="a number above 0")
            set_field(self, name, value)
        reference = float(freeze(self.reference, np.float64, (), "reference of a unit"))
        if not isfinite(reference) or (reference and not self.axle):
            raise InputError(
                "reference point of a unit", found=f"{reference}", expected="a length; 0 for a unit without axles"
            )
        set_field(self, "reference", reference)
        set_field(self, "backward", bool(self.backward))
        turns = freeze(self.turns, np.float64, (None, 2), "turns of a unit")
        speeds, angles = turns.T
        if turns.size and angles[0] > 2 * pi:
            raise InputError(
                "turns of a unit",
                found=f"an angle of {angles[0]:g}",
                expected="angles in radians, at most π",
                hint="numpy.radians turns degrees into radians",
            )
        if not turns.size or speeds[0] != 0 or (np.diff(speeds) <= 0).any() or (np.diff(angles) > 0).any():
            raise InputError(
                "turns of a unit",
                found=f"{turns.tolist()[:4]}",
                expected="rows (speed, angle), speeds rising from 0 and angles falling",
            )
        if angles[-1] < 0 or (self.axle and not 0 < angles[0] < pi / 2):
            limit = "above 0 at speed 0 and below π/2" if self.axle else "of at least 0"
            raise InputError("turns of a unit", found=f"angles {angles.tolist()[:4]}", expected=f"angles {limit}")
        set_field(self, "turns", turns)

    @classmethod
    def car(
        cls,
        axle: float,
        steering: float = 0.6,
        *,
        speed: float = 1.0,
        acceleration: float = inf,
        backward: bool = False,
        reference: float = 0.0,
    ) -> Kinematics:
        """Make a car that can steer by the same angle (radians) at every speed."""
        return cls(speed, acceleration, np.array([[0.0, steering]]), axle, backward, reference)

    @property
    def radius(self) -> float:
        """The radius of the tightest turn of the rear axle, 0 for a unit on foot."""
        return self.axle / float(np.tan(self.turns[0, 1])) if self.axle else 0.0

    def turn(self, speed: float) -> float:
        """Return the greatest angle at a speed."""
        return float(np.interp(abs(speed), self.turns[:, 0], self.turns[:, 1]))

    def speed_for(self, angle: float) -> float:
        """Return the greatest speed at which the unit can turn (steer) by an angle; -1 if it can't at any."""
        able = np.flatnonzero(self.turns[:, 1] >= abs(angle) - 1e-12)
        if not able.size:
            return -1.0
        k = int(able[-1])
        if k == len(self.turns) - 1:
            return self.speed
        (slow, wide), (fast, narrow) = self.turns[k].tolist(), self.turns[k + 1].tolist()
        return min(self.speed, slow + (fast - slow) * max(0.0, wide - abs(angle)) / (wide - narrow))


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion in time, as k ≥ 1 entries.

    times: float64[k], never falling. points: float64[k, 2] (x, y). headings: float64[k], radians, 0 = +x, clockwise on
    the screen. speeds: float64[k], below 0 backwards. steering: float64[k], the angle of a car's front wheels, positive
    clockwise; 0 for a unit on foot.

    From one entry to the next the speed changes evenly, and the steering is that of the first of the two: a unit on
    foot moves straight, a car on an arc. Two entries of the same time are a jump, of the speed or of the heading of
    somebody who turns on the spot. Points are those of a car's reference point, speeds those of its rear axle.
    """

    times: NDArray[np.float64]
    points: NDArray[np.float64]
    headings: NDArray[np.float64]
    speeds: NDArray[np.float64]
    steering: NDArray[np.float64]

    __repr__ = summary

    def __post_init__(self) -> None:
        times = freeze(self.times, np.float64, (None,), "times of a trajectory")
        if not times.size or (np.diff(times) < 0).any():
            raise InputError(
                "times of a trajectory", found=f"{times.size} entries", expected="at least one entry, never falling"
            )
        set_field(self, "times", times)
        for name, shape in (("points", (times.size, 2)), ("headings", None), ("speeds", None), ("steering", None)):
            set_field(self, name, freeze(getattr(self, name), np.float64, shape or (times.size,), name))
        for name in ("times", "points", "headings", "speeds", "steering"):
            if not np.isfinite(getattr(self, name)).all():
                raise InputError(f"{name} of a trajectory", found="inf", expected="finite numbers")

    @property
    def duration(self) -> float:
        """How long the motion takes."""
        return float(self.times[-1] - self.times[0])

    @property
    def length(self) -> float:
        """The length of the way, of a car that of its rear axle."""
        even = (self.speeds[1:] + self.speeds[:-1]) / 2
        return float((np.abs(even) * np.diff(self.times)).sum())
