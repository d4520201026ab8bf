"""A small draft, and what jobs say about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anabasis.studio.channel import Channel
from anabasis.studio.jobs import job
from anabasis.studio.wire import Message, unpack

ROWS = ["." * 24] * 4 + ["." * 11 + "#" + "." * 12] * 3 + ["." * 24] + ["." * 11 + "#" + "." * 12] * 4
TEXT = "\n".join(ROWS)


def draft() -> dict[str, Any]:
    """Return a wall with two gaps, twelve units, three agents, a wedge."""
    return {
        "scenario": {
            "schema": "anabasis/scenario",
            "schema_version": 1,
            "name": "wall",
            "seed": 3,
            "map": {"text": TEXT},
            "groups": [
                {
                    "name": "a",
                    "target": {"x": 20.5, "y": 6.5},
                    "disc": {"x": 4, "y": 6, "radius": 2.5, "count": 12},
                }
            ],
        },
        "ends": {"start": [2, 9], "goal": [20, 9]},
        "agents": [
            {"start": [1, 1], "goal": [20, 1]},
            {"start": [20, 1], "goal": [1, 1]},
            {"start": [2, 8], "goal": [21, 8]},
        ],
        "formations": [
            {
                "name": "f",
                "shape": "wedge",
                "units": 6,
                "start": [4.5, 6.5],
                "azimuth": 90.0,
                "order": [{"places": [[19.5, 7.5]]}],
            }
        ],
    }


class Said:
    """The messages of one job, in order, and how it ended."""

    def __init__(self, do: str, args: dict[str, Any], keep: Path | None = None) -> None:
        self.bytes: list[bytes] = []
        out = Channel("job", self.bytes.append, keep=keep)
        job(do).run(args, out)
        self.status, self.reason = out.status, out.reason
        self.messages = [unpack(data) for data in self.bytes]

    def all(self, kind: str) -> list[Message]:
        return [message for message in self.messages if message[0]["kind"] == kind]

    def one(self, kind: str) -> Message:
        (found,) = self.all(kind)
        return found

    def scene(self, name: str) -> Message:
        (found,) = [message for message in self.all("scene") if message[0]["name"] == name]
        return found

    def facts(self) -> dict[str, Any]:
        return {row[0]: row[1] for head, _ in self.all("facts") for row in head["rows"]}

    def table(self, title: str) -> dict[str, Any]:
        (found,) = [head for head, _ in self.all("table") if head["title"] == title]
        return found

    def without_clock(self) -> list[Any]:
        """Return what was said, but for progress and times, as values that can be compared."""
        told: list[Any] = []
        for head, arrays in self.messages:
            if head["kind"] == "progress":
                continue
            rows = [row for row in head.get("rows", []) if not (len(row) == 3 and row[2] == "seconds")]
            told.append(({**head, "rows": rows}, {name: array.tobytes() for name, array in arrays.items()}))
        return told


def check_run(said: Said) -> tuple[Message, Any, Any]:
    """Check that frames are whole and that arrivals are what states say; return run, positions and states."""
    import numpy as np

    head, arrays = said.one("run")
    frames = said.all("frames")
    first = 0
    for message, parts in frames:
        assert message["first"] == first
        first += len(parts["positions"])
    assert first == head["frames"] == arrays["times"].size
    positions, state = (np.concatenate([parts[name] for _, parts in frames]) for name in ("positions", "state"))
    assert positions.shape == (head["frames"], head["units"], 2) and np.isfinite(positions).all()
    assert arrays["times"][-1] == head["steps"] and (np.diff(arrays["times"]) > 0).all()
    for unit, step in enumerate(arrays["arrival"].tolist()):
        there = arrays["times"][(state[:, unit] >= 2)]
        if step >= 0:
            assert there.min() >= step and there.min() - step < head["every"]
        else:
            assert not (state[:, unit] == 2).any()
    return (head, arrays), positions, state
