"""Results that are kept while the server runs: the messages of finished jobs, and what later jobs want of them.

Each is a folder in a temporary one, with `messages` and the folder `keep`. The ones that were used longest ago go first
when there is too much. The names of folders are used again: a process has a table of the parts of all paths that it
ever made (`pathlib` interns them), which would grow by every new one.
"""

from __future__ import annotations

import shutil
from collections import Counter, OrderedDict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from anabasis.errors import InputError
from anabasis.studio.wire import LENGTH, framed

__all__ = ["Kept", "Recording", "messages_of"]

_MAX_BYTES = 2**30
_MOST = 200  # results; each is a folder, which has to be deleted when the server ends
_MESSAGES = "messages"


class Recording:
    """A result in the making; `keep` is the folder that its job may write to."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.folder, self.keep = folder, folder / "keep"
        self.keep.mkdir(parents=True)
        self.kept = False
        self._max_bytes = max_bytes
        self._size = 0
        self._file = (folder / _MESSAGES).open("wb")

    def write(self, message: bytes) -> None:
        """Add a message; one too many for all that may be kept ends the recording."""
        self._size += len(message)
        if self._size <= self._max_bytes:
            self._file.write(framed(message))

    def close(self) -> bool:
        """End it; return whether it is whole."""
        self._file.close()
        return self._size <= self._max_bytes

    def drop(self) -> None:
        """Forget it, unless it is kept."""
        self._file.close()
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)


class Kept:
    """What is kept, by the key of its job: `most` results of `max_bytes` together at most, but for what is in use."""

    def __init__(self, folder: Path, *, max_bytes: int = _MAX_BYTES, most: int = _MOST) -> None:
        self._folder, self._max_bytes, self._most = folder, max_bytes, most
        self._results: OrderedDict[str, tuple[Path, int]] = OrderedDict()  # folder and bytes
        self._used: Counter[str] = Counter()

    def __contains__(self, key: object) -> bool:
        return key in self._results

    def record(self) -> Recording:
        """Begin a result."""
        places = (self._folder / f"{number}" for number in count())
        return Recording(next(place for place in places if not place.exists()), self._max_bytes)

    def add(self, key: str, recording: Recording) -> None:
        """Keep a finished recording, unless it is too large, or another one came before it."""
        if not recording.close() or key in self:
            return
        size = sum(file.stat().st_size for file in recording.folder.rglob("*") if file.is_file())
        if size > self._max_bytes:
            return
        recording.kept = True
        self._results[key] = recording.folder, size
        for old in list(self._results):
            whole = sum(size for _, size in self._results.values())
            if len(self._results) <= self._most and whole <= self._max_bytes:
                break
            if old != key and not self._used[old]:
                shutil.rmtree(self._results.pop(old)[0], ignore_errors=True)

    @contextmanager
    def messages(self, key: str) -> Generator[Iterator[bytes]]:
        """Hold a kept result, and give its messages."""
        with self._held(key) as folder, _opened(folder) as messages:
            yield messages

    @contextmanager
    def folder(self, key: str) -> Generator[Path]:
        """Hold a kept result, and give the folder that its job wrote; raises InputError if it isn't kept."""
        if key not in self:
            raise InputError("this result is not there any more", hint="ask for it again")
        with self._held(key) as folder:
            yield folder / "keep"

    @contextmanager
    def _held(self, key: str) -> Generator[Path]:
        self._results.move_to_end(key)
        self._used[key] += 1
        try:
            yield self._results[key][0]
        finally:
            self._used[key] -= 1
            if not self._used[key]:
                del self._used[key]


def messages_of(keep: Path) -> list[bytes]:
    """Return the messages of a kept result, whose folder `keep` a job was given."""
    with _opened(keep.parent) as messages:
        return list(messages)


@contextmanager
def _opened(folder: Path) -> Generator[Iterator[bytes]]:
    with (folder / _MESSAGES).open("rb") as file:
        yield iter(lambda: file.read(LENGTH.unpack(file.read(LENGTH.size) or bytes(LENGTH.size))[0]), b"")
