"""The channel of a job: how work says what it found, and hears what it is told meanwhile."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from anabasis.studio.wire import pack

__all__ = ["Channel"]

_PAUSE = 0.1  # seconds between two words on progress


class Channel:
    """Where the messages of a job go, and where its words come from.

    `send` takes packed messages; `words` holds what was told to the job. keep: a folder for what later jobs want of
    this one, None if nothing is kept. status and reason are what `done` says in the end.
    """

    def __init__(
        self,
        job: str,
        send: Callable[[bytes], object],
        words: queue.SimpleQueue[dict[str, Any]] | None = None,
        keep: Path | None = None,
    ) -> None:
        self.job, self.keep = job, keep
        self.status, self.reason = "solved", ""
        self._send = send
        self._words: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue() if words is None else words
        self._next_progress = 0.0

    def say(self, kind: str, head: Mapping[str, Any] | None = None, **arrays: ArrayLike) -> None:
        """Send a message; dots in the names of arrays are written as `__`."""
        named = {name.replace("__", "."): array for name, array in arrays.items()}
        self._send(pack({"kind": kind, "job": self.job, **(head or {})}, named))

    def progress(self, done: float, total: float = 0, text: str = "") -> None:
        """Say how far the work is; total 0: nobody knows. What comes too often is left out."""
        now = time.monotonic()
        if now >= self._next_progress or (total and done >= total):
            self._next_progress = now + _PAUSE
            self.say("progress", {"done": done, "total": total, "text": text})

    def end(self, status: str, reason: str = "") -> None:
        """Set what `done` will say of this job: how it ended and, unless it is solved, one sentence why."""
        self.status, self.reason = status, reason

    def heard(self) -> dict[str, Any] | None:
        """Return the next word told to this job, None if there is none."""
        try:
            return self._words.get_nowait()
        except queue.Empty:
            return None

    def listen(self, seconds: float) -> dict[str, Any] | None:
        """Wait so long for the next word; None if there was none."""
        try:
            return self._words.get(timeout=seconds)
        except queue.Empty:
            return None
