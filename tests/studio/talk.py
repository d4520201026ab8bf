"""A job that is told words, and what it says."""

import queue
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anabasis.studio import jobs
from anabasis.studio.channel import Channel
from anabasis.studio.wire import Message, unpack


class Talk:
    """A job in a thread of its own; use it as a context, at whose end the job is told to stop."""

    def __init__(self, do: str, args: Mapping[str, Any], keep: Path | None = None) -> None:
        self.words: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.said: list[Message] = []
        self.error: BaseException | None = None
        self.draws = True
        self._out = Channel("a", self._take, self.words, keep)
        self._thread = threading.Thread(target=self._run, args=(do, args), daemon=True)

    def _take(self, data: bytes) -> None:
        message = unpack(data)
        self.said.append(message)
        if message[0]["kind"] == "frames" and self.draws:
            self.words.put({"say": "shown", "number": message[0]["first"]})

    def _run(self, do: str, args: Mapping[str, Any]) -> None:
        try:
            jobs.job(do).run(args, self._out)
        except BaseException as error:
            self.error = error

    def __enter__(self) -> "Talk":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.words.put({"say": "stop"})
        self._thread.join(300)
        assert not self._thread.is_alive()

    def tell(self, say: str, kind: str | None = None, **word: Any) -> Message:
        """Tell a word; return the first message of a kind that comes after it."""
        before = len(self.said)
        self.words.put({"say": say, **word})
        return self.wait(kind, before) if kind else ({}, {})

    def wait(self, kind: str, after: int = 0, **fields: Any) -> Message:
        """Return the first message of a kind, with these fields, after so many."""
        until = time.monotonic() + 300  # kernels may have to be compiled
        while time.monotonic() < until:
            for message in self.said[after:]:
                head = message[0]
                if head["kind"] == kind and all(head.get(name) == value for name, value in fields.items()):
                    return message
            if self.error is not None:
                raise self.error
            time.sleep(0.002)
        raise AssertionError(f"no {kind} {fields} among {[head['kind'] for head, _ in self.said]}")

    def of(self, kind: str) -> list[Message]:
        """Return all messages of a kind."""
        return [message for message in self.said if message[0]["kind"] == kind]
