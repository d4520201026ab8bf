"""What is played: a trace as messages, `run` and then its frames in chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.scenario import Scenario
from anabasis.studio.channel import Channel
from anabasis.trace import Trace

__all__ = ["MAX_POSITIONS", "NO_ROUTE", "changes_of", "kept_frames", "say_run"]

MAX_POSITIONS = 48 * 2**20
"""Bytes of positions of a whole run; of a longer one frames are left out."""

NO_ROUTE = 2**16 - 1
"""Route of a unit that has none."""

_CHUNK = 2**20  # bytes of one message of frames
_PLACE, _ROW = 8, 13  # bytes of a unit's position in a frame, and with heading and state


def say_run(
    out: Channel,
    scenario: Scenario | None,
    trace: Trace,
    *,
    title: str = "",
    head: Mapping[str, Any] | None = None,
    numbers: Sequence[int] | None = None,
) -> None:
    """Say a trace: `run` and its `frames`.

    scenario: for the names of the groups, targets [x, y, radius] (one a group) and changes of the map (step, terrain
    and cells); without it groups have empty names. numbers: of the scenario's groups in the draft, where groups without
    units were left out; those have neither name nor target. head: what the message `run` shall hold besides, or
    instead. `every` in it is the number of steps between frames, after those that are left out of a long run; the
    last frame is always there.
    """
    rows = kept_frames(trace.times.size, trace.size)
    times = trace.times[rows]
    own = trace.group if numbers is None else np.array(numbers)[trace.group]
    groups = int(own.max(initial=-1)) + 1
    told: dict[str, Any] = {
        "units": trace.size,
        "steps": trace.steps,
        "frames": rows.size,
        "every": int(np.diff(times).max(initial=1)),
        "groups": [""] * groups,
        "title": title,
        "targets": [],
        "changes": [],
        "hash": trace.hash,
        "seed": trace.seed,
        "ending": trace.ending.name.lower(),
    }
    if scenario is not None:
        kept = dict(zip(range(len(scenario.groups)) if numbers is None else numbers, scenario.groups, strict=True))
        targets = {k: [group.target.x, group.target.y, group.target.radius] for k, group in kept.items()}
        told |= {
            "groups": [kept[k].name if k in kept else "" for k in range(max(kept) + 1)],
            "targets": [targets.get(k) for k in range(max(kept) + 1)],
            "changes": changes_of(scenario),
        }
    out.say(
        "run",
        {**told, **(head or {})},
        times=times.astype(np.int32),
        radius=trace.radius.astype(np.float32),
        group=own.astype(np.uint16),
        route=np.where(trace.route < 0, NO_ROUTE, np.minimum(trace.route, NO_ROUTE - 1)).astype(np.uint16),
        arrival=trace.arrival.astype(np.int32),
    )
    a_message = max(1, _CHUNK // max(1, _ROW * trace.size))
    for first in range(0, rows.size, a_message):
        part = rows[first : first + a_message]
        out.say(
            "frames",
            {"first": first},
            positions=trace.positions[part].astype(np.float32),
            headings=trace.headings[part].astype(np.float32),
            state=trace.state[part],
        )


def changes_of(scenario: Scenario) -> list[dict[str, Any]]:
    """Return the changes of a map as messages have them: step, letter of terrain, cells."""
    return [
        {"step": change.step, "terrain": change.letter, "cells": change.cells.tolist()} for change in scenario.changes
    ]


def kept_frames(frames: int, units: int) -> NDArray[np.int64]:
    """Return the numbers of the frames that are said: every k-th and the last, so that positions fit MAX_POSITIONS."""
    room = max(2, MAX_POSITIONS // max(1, _PLACE * units))
    step = 1 if frames <= room else -(-(frames - 1) // (room - 1))
    rows = np.arange(0, frames, step)
    return rows if rows[-1] == frames - 1 else np.append(rows, frames - 1)
