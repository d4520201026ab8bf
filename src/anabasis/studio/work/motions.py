"""Motions: one unit on its way, a path or a motion in time, as a run that can be played."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.trace import Cause, Counters, Ending, Event, Trace, UnitState, hashes_of, headings_of

__all__ = ["along", "one_unit"]

_STEP = 0.15  # cells that a unit walks in a step of a played path, as units of a scenario do by default
_MOST = 20_000  # steps of a played path; a longer one is walked faster


def along(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[T, 2]: the places of a unit that walks a polyline float64[k, 2] in equal steps, and its end."""
    lengths = np.hypot(*np.diff(points, axis=0).T) if len(points) > 1 else np.zeros(0)
    passed = np.concatenate([[0.0], np.cumsum(lengths)])
    steps = min(_MOST, int(np.ceil(passed[-1] / _STEP)))
    at = np.linspace(0.0, passed[-1], steps + 1)
    return np.stack([np.interp(at, passed, points[:, k]) for k in (0, 1)], axis=1)


def one_unit(places: NDArray[np.float64], radius: float, headings: NDArray[np.float64] | None = None) -> Trace:
    """Return the trace of one unit that is at places float64[T, 2], a step apart, and arrives with the last of them.

    headings: float64[T] in radians, by default where it goes.
    """
    frames = len(places)
    positions = places[:, None]
    state = np.full((frames, 1), UnitState.MOVING, np.uint8)
    state[-1] = UnitState.ARRIVED
    length = float(np.hypot(*np.diff(places, axis=0).T).sum()) if frames > 1 else 0.0
    none, last = np.zeros(1, np.int64), frames - 1
    return Trace(
        times=np.arange(frames),
        positions=positions,
        headings=headings_of(positions) if headings is None else headings[:, None],
        state=state,
        hashes=hashes_of(positions, state),
        group=none,
        radius=np.array([radius]),
        route=none,
        arrival=np.array([last]),
        planned_length=np.array([length]),
        event_step=np.array([last, last]),
        event_kind=np.array([Event.ARRIVED, Event.ENDED]),
        event_unit=np.array([0, -1]),
        event_cause=np.array([Cause.TARGET_REACHED, Cause.ALL_DONE]),
        counters=Counters(none, none, np.array([last]), none, none, np.array([length]), none),
        ending=Ending.ALL_DONE,
        seed=0,
    )
