"""Recording: what a run leaves behind: events, frames and the chain of step hashes.

The hash of a step is BLAKE2b (J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein, 2013) of 64 bits over the
hash of the step before and the positions, velocities and states of all units.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.sim.units import Units
from anabasis.trace import COUNTERS, Cause, Counters, Ending, Event, Trace

__all__ = ["Recording"]

_COLUMNS = ("times", "hashes", "positions", "headings", "state")


class Recording:
    """Events in order, frames so far, and the hash of the last step."""

    def __init__(self) -> None:
        self.digest = bytes(8)
        self.events: list[tuple[int, ...]] = []
        self.frames: list[tuple[int, int, NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def chain(self, units: Units) -> None:
        """Chain the hash of this step's state to that of the step before."""
        state = b"".join(array.tobytes() for array in (units.position, units.velocity, units.state))
        self.digest = hashlib.blake2b(self.digest + state, digest_size=8).digest()

    def tell(self, step: int, event: Event, units: NDArray[np.int64] | list[int], cause: Cause) -> None:
        """Write down an event of some units (-1: the world)."""
        self.events.extend((step, int(event), int(unit), int(cause)) for unit in units)

    def frame(self, step: int, units: Units) -> None:
        """Write down where everyone is, unless that was done for this step."""
        if self.frames and self.frames[-1][0] == step:
            return
        headings = np.arctan2(units.facing[:, 1], units.facing[:, 0])
        number = int.from_bytes(self.digest, "little")
        self.frames.append((step, number, units.position.copy(), headings, units.state.copy()))

    def trace(self, units: Units, ending: Ending, seed: int) -> Trace:
        """Return the trace of what was recorded."""
        arrays = self.arrays()
        events = arrays["events"]
        return Trace(
            **{name: arrays[name] for name in _COLUMNS},
            group=units.group,
            radius=units.radius,
            route=units.route,
            arrival=units.arrival,
            planned_length=units.planned_length,
            event_step=events[:, 0],
            event_kind=events[:, 1],
            event_unit=events[:, 2],
            event_cause=events[:, 3],
            counters=Counters(**{name: getattr(units, name) for name in COUNTERS}),
            ending=ending,
            seed=seed,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything as arrays by name."""
        times, hashes, positions, headings, state = zip(*self.frames, strict=True)
        return {
            "digest": np.frombuffer(self.digest, np.uint8),
            "events": np.array(self.events, np.int64).reshape(-1, 4),
            "times": np.array(times, np.int64),
            "hashes": np.array(hashes, np.uint64),
            "positions": np.stack(positions),
            "headings": np.stack(headings),
            "state": np.stack(state),
        }

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Recording:
        """Return a recording from what `arrays` returned."""
        recording = cls()
        recording.digest = arrays["digest"].tobytes()
        recording.events = [tuple(event) for event in arrays["events"].tolist()]
        columns = (arrays[name] for name in _COLUMNS)
        recording.frames = [
            (int(t), int(h), p.copy(), a.copy(), s.copy()) for t, h, p, a, s in zip(*columns, strict=True)
        ]
        return recording
