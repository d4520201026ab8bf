"""A job from its start to its last message: given again if it is kept, done by a worker process if not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.studio import jobs
from anabasis.studio.failures import failed
from anabasis.studio.kept import Kept
from anabasis.studio.pool import Pool, Worker
from anabasis.studio.wire import for_job, head, pack

__all__ = ["Runner", "Words"]

_MOST_OF = 4  # results for one job

Words = asyncio.Queue[dict[str, Any]]
"""What is told to a job that goes on."""


class Runner:
    """Where jobs are done: the processes, and what is kept of earlier jobs."""

    def __init__(self, pool: Pool, kept: Kept) -> None:
        self.pool, self.kept = pool, kept

    async def messages(
        self, name: str, do: str, args: Mapping[str, Any], words: Words | None = None
    ) -> AsyncGenerator[bytes]:
        """Yield the messages of a job, `begun` first, `done` or `failed` last.

        Where `args` have `of`, the key of a kept job, the work gets its folder as `folder`; of a list of keys it gets
        `folders`. Who closes the generator ends the job.
        """
        try:
            for place in ("folder", "folders"):
                if place in args:
                    raise InputError("an argument that no page gives", found=place)
            row, key = jobs.job(do), jobs.key(do, args)
        except InputError as error:
            yield _said("failed", name, failed(error))
            return
        if row.kept and key in self.kept:
            yield _said("begun", name, {"key": key})
            with self.kept.messages(key) as messages:
                for message in messages:
                    yield for_job(message, name)
            return
        try:
            with ExitStack() as stack:
                args = {**args, **self._folders(args, stack)}
                recording = self.kept.record() if row.kept else None
                if recording is not None:
                    stack.callback(recording.drop)
                keep = None if recording is None else str(recording.keep)
                start = {"kind": "start", "job": name, "do": do, "args": args, "keep": keep}
                if self.pool.full:
                    yield _said("progress", name, {"done": 0, "total": 0, "text": "waits for its turn"})
                async with self.pool.worker() as worker:
                    yield _said("begun", name, {"key": key if row.kept else None})
                    await worker.send(pack(start))
                    telling = asyncio.create_task(_tell(name, words, worker))
                    stack.callback(telling.cancel)
                    last: bytes = b""
                    while message := await worker.receive():
                        last = message
                        kind = head(message)["kind"]
                        if recording is not None and kind != "progress":
                            recording.write(message)
                        if kind not in ("done", "failed"):
                            yield message
                if recording is not None and head(last)["kind"] == "done":
                    self.kept.add(key, recording)
        except InputError as error:
            yield _said("failed", name, failed(error))
        else:
            yield last

    def _folders(self, args: Mapping[str, Any], stack: ExitStack) -> dict[str, Any]:
        """Return the folder, or folders, of the kept jobs that `of` names, held as long as the stack is open."""
        if "of" not in args:
            return {}
        of: object = args["of"]
        keys = cast("list[object]", of) if isinstance(of, list) else [of]
        if not 1 <= len(keys) <= _MOST_OF:
            raise InputError("of", found=f"{len(keys)} jobs", expected=f"1 to {_MOST_OF}")
        held = [str(stack.enter_context(self.kept.folder(str(key)))) for key in keys]
        return {"folders": held} if isinstance(of, list) else {"folder": held[0]}


async def _tell(name: str, words: Words | None, worker: Worker) -> None:
    while words is not None:
        word = await words.get()
        with suppress(InputError):  # too long for a message
            await worker.send(pack({"kind": "word", "job": name, "word": word}))


def _said(kind: str, name: str, fields: Mapping[str, Any]) -> bytes:
    return pack({"kind": kind, "job": name, **fields})
