"""Trace: what happened: positions over time, events with causes, counters of every unit, a hash chain of all steps."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = [
    "COUNTERS",
    "Cause",
    "Counters",
    "Ending",
    "Event",
    "Trace",
    "UnitState",
    "chained",
    "first_divergence",
    "hashes_of",
    "headings_of",
]


class UnitState(IntEnum):
    """What a unit is doing."""

    MOVING = 0
    LOST = 1
    ARRIVED = 2
    REMOVED = 3


class Event(IntEnum):
    """What happened to a unit (or, with unit -1, to the world)."""

    ARRIVED = 0
    LOST = 1
    REPLANNED = 2
    REMOVED = 3
    DISPLACED = 4
    MAP_CHANGED = 5
    ENDED = 6


class Cause(IntEnum):
    """Why it happened."""

    NONE = 0
    TARGET_REACHED = 1
    PLAN_OUT_OF_SIGHT = 2
    MAP_CHANGE = 3
    UNREACHABLE = 4
    STUCK = 5
    ALL_DONE = 6
    STEP_LIMIT = 7
    STALL = 8
    NO_PLAN = 9
    BETTER_SPLIT = 10
    CASUALTY = 11
    ORDER = 12
    STOP_REACHED = 13


class Ending(IntEnum):
    """How a run ended."""

    ALL_DONE = 0
    STEP_LIMIT = 1
    STALL = 2


COUNTERS = (
    "wall_collisions",
    "unit_collisions",
    "updates",
    "not_full_move",
    "cant_move",
    "distance_travelled",
    "replans",
)


@dataclass(frozen=True, eq=False)
class Counters:
    """The counters of every unit, each of length n, until it arrived, was removed or the run ended.

    wall_collisions: steps that ended with the centre nearer to a wall than the radius. unit_collisions: steps that
    ended overlapping another unit. updates: steps taken, the travel time. not_full_move: steps shorter than the
    greatest speed. cant_move: those of them shorter than 2 % of it. distance_travelled: length of the way walked.
    replans: new plans.
    """

    wall_collisions: NDArray[np.int64]
    unit_collisions: NDArray[np.int64]
    updates: NDArray[np.int64]
    not_full_move: NDArray[np.int64]
    cant_move: NDArray[np.int64]
    distance_travelled: NDArray[np.float64]
    replans: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        n = np.asarray(self.updates).size
        for f in fields(self):
            dtype = np.float64 if f.name == "distance_travelled" else np.int64
            set_field(self, f.name, freeze(getattr(self, f.name), dtype, (n,), f.name))


@dataclass(frozen=True, eq=False)
class Trace:
    """A recorded run of n units; frames are recorded every so many steps, and at the last step.

    times: int64[T], the step of each frame, rising. positions: float64[T, n, 2]. headings: float64[T, n], radians, 0 =
    +x, clockwise on the screen. state: uint8[T, n] (UnitState). hashes: uint64[T], the chained hash of every step up to
    that frame, recorded or not. group: int64[n]; radius: float64[n]; route: int64[n], from the plans.
    A frame shows the end of its step; what happened in step t shows first in frame t, a change of the map too.
    arrival: int64[n], the step of arrival, -1 if the unit did not arrive. planned_length: float64[n], length of the
    first plan (nan is not allowed: 0 without a plan).
    events: event_step, event_kind (Event), event_unit (-1: the world), event_cause (Cause), int64[E], in order.
    """

    times: NDArray[np.int64]
    positions: NDArray[np.float64]
    headings: NDArray[np.float64]
    state: NDArray[np.uint8]
    hashes: NDArray[np.uint64]
    group: NDArray[np.int64]
    radius: NDArray[np.float64]
    route: NDArray[np.int64]
    arrival: NDArray[np.int64]
    planned_length: NDArray[np.float64]
    event_step: NDArray[np.int64]
    event_kind: NDArray[np.int64]
    event_unit: NDArray[np.int64]
    event_cause: NDArray[np.int64]
    counters: Counters
    ending: Ending
    seed: int

    __repr__ = summary

    def __post_init__(self) -> None:
        times = freeze(self.times, np.int64, (None,), "times")
        group = freeze(self.group, np.int64, (None,), "group")
        frames, n = times.size, group.size
        if not frames or (np.diff(times) <= 0).any():
            raise InputError("times of a trace", found=f"{frames} frames", expected="at least one frame, rising")
        event_step = freeze(self.event_step, np.int64, (None,), "event_step")
        shapes: dict[str, tuple[type, tuple[int | None, ...]]] = {
            "positions": (np.float64, (frames, n, 2)),
            "headings": (np.float64, (frames, n)),
            "state": (np.uint8, (frames, n)),
            "hashes": (np.uint64, (frames,)),
            "radius": (np.float64, (n,)),
            "route": (np.int64, (n,)),
            "arrival": (np.int64, (n,)),
            "planned_length": (np.float64, (n,)),
            "event_kind": (np.int64, event_step.shape),
            "event_unit": (np.int64, event_step.shape),
            "event_cause": (np.int64, event_step.shape),
        }
        set_field(self, "times", times)
        set_field(self, "group", group)
        set_field(self, "event_step", event_step)
        for name, (dtype, shape) in shapes.items():
            set_field(self, name, freeze(getattr(self, name), dtype, shape, name))
        set_field(self, "ending", Ending(self.ending))

    @property
    def size(self) -> int:
        """Number of units."""
        return int(self.group.size)

    @property
    def steps(self) -> int:
        """Number of steps simulated."""
        return int(self.times[-1])

    @property
    def finished(self) -> int:
        """Number of units that arrived."""
        return int((self.arrival >= 0).sum())

    @property
    def fallen(self) -> NDArray[np.bool_]:
        """bool[n]: who was a casualty."""
        fallen = np.zeros(self.size, np.bool_)
        fallen[self.event_unit[self.event_cause == Cause.CASUALTY]] = True
        return fallen

    @property
    def hash(self) -> str:
        """The hash of the whole run (hex): equal runs have equal hashes."""
        return f"{int(self.hashes[-1]):016x}"

    @property
    def timer_cutoff(self) -> bool:
        """Whether the run was ended by a limit, not by its units."""
        return self.ending is not Ending.ALL_DONE


def first_divergence(a: Trace, b: Trace) -> str | None:
    """Return where two runs of the same scenario first differ: `step …, unit …, field …: … and …`; None if nowhere.

    Only frames that both recorded are compared, so with sparse frames the runs parted at that step or since the frame
    before. A difference that shows in no field (such as a velocity) is named `hash`.
    """
    if a.size != b.size:
        return f"step 0: {a.size} and {b.size} units"
    _, rows_a, rows_b = np.intersect1d(a.times, b.times, return_indices=True)
    for i, j in zip(rows_a.tolist(), rows_b.tolist(), strict=True):
        step = int(a.times[i])
        for name in ("positions", "headings", "state"):
            here, there = getattr(a, name)[i], getattr(b, name)[j]
            differs = np.flatnonzero((here != there).reshape(a.size, -1).any(axis=1))
            if differs.size:
                unit = int(differs[0])
                return f"step {step}, unit {unit}, field {name}: {here[unit].tolist()} and {there[unit].tolist()}"
        if a.hashes[i] != b.hashes[j]:
            return f"step {step}, field hash: {int(a.hashes[i]):016x} and {int(b.hashes[j]):016x}"
    if a.steps != b.steps:
        return f"step {min(a.steps, b.steps)}: one run ends here, the other goes on to step {max(a.steps, b.steps)}"
    return None


def headings_of(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[steps + 1, k] from places float64[steps + 1, k, 2]: radians of the direction each unit went last.

    At first it is where a unit goes first; 0 if it never moves.
    """
    move = np.diff(places, axis=0)
    moved = (move != 0).any(axis=-1)
    last = np.maximum.accumulate(np.where(moved, np.arange(len(move))[:, None], -1), axis=0)
    last = np.concatenate([np.full((1, places.shape[1]), -1), last])
    first = moved.argmax(axis=0) if len(move) else np.zeros(places.shape[1], np.int64)
    last = np.where(last < 0, first, last)
    if not len(move):
        return np.zeros(places.shape[:2])
    chosen = np.take_along_axis(move, last[:, :, None], axis=0)
    return np.arctan2(chosen[..., 1], chosen[..., 0])


def chained(
    digest: bytes, places: NDArray[np.float64], velocity: NDArray[np.float64], state: NDArray[np.uint8]
) -> bytes:
    """Return the 8 bytes of BLAKE2b of one step's places, velocities and states over those of the step before."""
    parts = b"".join(np.ascontiguousarray(array).tobytes() for array in (places, velocity, state))
    return hashlib.blake2b(digest + parts, digest_size=8).digest()


def hashes_of(places: NDArray[np.float64], state: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return uint64[steps + 1]: the chained hash of each step, from places float64[steps + 1, k, 2] and states."""
    velocity = np.concatenate([np.zeros((1, *places.shape[1:])), np.diff(places, axis=0)])
    digest, hashes = bytes(8), np.empty(len(places), np.uint64)
    for t in range(len(places)):
        digest = chained(digest, places[t], velocity[t], state[t])
        hashes[t] = int.from_bytes(digest, "little")
    return hashes
