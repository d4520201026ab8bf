"""A worker process: does one job after another that the server writes to its stdin, and answers on its stdout.

Both ways go messages with their length before them; no message at all, of length 0, ends a job. In are `start` and
`word`, out is what the work says, then `done` or `failed`. The process ends when its stdin does, so none outlives the
server.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from anabasis.errors import AnabasisError
from anabasis.studio import jobs
from anabasis.studio.channel import Channel
from anabasis.studio.failures import failed
from anabasis.studio.wire import LENGTH, framed, head

__all__ = ["main"]

_WORDS = 1000  # that wait for work which does not listen; more of them wait at the server
_HEADROOM = 2**32  # bytes of addresses that libraries reserve and never use


@dataclass(frozen=True)
class _Task:
    """A job: how it starts, what is told to it, and whether it is over."""

    start: dict[str, Any]
    words: queue.SimpleQueue[dict[str, Any]] = field(default_factory=queue.SimpleQueue[dict[str, Any]])
    over: threading.Event = field(default_factory=threading.Event)


def main() -> None:
    """Work until stdin ends."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = FileIO(os.dup(1), "wb")
    # what libraries print, or read, is no message
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _limit_memory()
    tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, tasks), daemon=True).start()
    _load()
    while True:
        _work(tasks.get(), outgoing)


def _limit_memory() -> None:
    """Let a job that wants more memory than there is fail before the machine does, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(OSError, ValueError):
        there_is = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (there_is * 3 // 4 + _HEADROOM, most))


def _load() -> None:
    """Import the modules of all jobs, so that the first one need not wait for them."""
    for row in jobs.JOBS:
        with suppress(ImportError):  # which is told when the job is asked for
            import_module(row.function.partition(":")[0])


def _listen(incoming: BinaryIO, tasks: queue.SimpleQueue[_Task]) -> None:
    """Hand on jobs, and words to the last job that began; end the process when there is nobody to listen to."""
    task = _Task({"job": None})
    while True:
        size = incoming.read(LENGTH.size)
        if len(size) < LENGTH.size:
            os._exit(0)
        message = head(incoming.read(LENGTH.unpack(size)[0]))
        if message["kind"] == "start":
            task = _Task(message)
            tasks.put(task)
        elif message["job"] == task.start["job"]:
            while task.words.qsize() >= _WORDS and not task.over.is_set():
                time.sleep(0.05)
            task.words.put(message["word"])


def _work(task: _Task, outgoing: FileIO) -> None:
    """Do one job."""
    start = task.start

    def send(message: bytes) -> None:
        try:
            rest = memoryview(framed(message))
            while rest:
                rest = rest[outgoing.write(rest) or 0 :]
        except OSError:  # the server is gone
            os._exit(0)

    out = Channel(start["job"], send, task.words, Path(start["keep"]) if start["keep"] else None)
    begin = time.perf_counter()
    try:
        jobs.job(start["do"]).run(start["args"], out)
        status, reason = out.status, out.reason
        out.say("done", {"status": status, "reason": reason, "seconds": time.perf_counter() - begin})
    except Exception as error:
        if not isinstance(error, AnabasisError):
            traceback.print_exc()
        out.say("failed", failed(error))
    task.over.set()
    send(b"")


if __name__ == "__main__":
    main()
