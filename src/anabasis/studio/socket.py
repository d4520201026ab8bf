"""The socket of a page: what it asks for comes in as text, the messages of its jobs go out as bytes.

A job's next message is read only when the one before has been taken, so that a page which doesn't read stops its own
jobs, and nothing grows. When the page goes, its jobs end.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from anabasis.errors import InputError
from anabasis.studio import jobs
from anabasis.studio.bodies import MAX_BODY
from anabasis.studio.failures import failed
from anabasis.studio.running import Runner, Words
from anabasis.studio.wire import pack

__all__ = ["JOBS_AT_ONCE", "Page"]

JOBS_AT_ONCE = 16
"""Of one page."""
_LOG = logging.getLogger("uvicorn.error")
_WORDS = 256  # that wait for one job
_LONG_WORD = 2**20  # characters
_NAME = 100  # characters of a job's name


class _BrokenRuleError(Exception):
    """A message that no page of ours sends; the text is the reason for which the socket is closed."""


class Page:
    """One page at its socket."""

    def __init__(self, socket: WebSocket, runner: Runner) -> None:
        self._socket, self._runner = socket, runner
        self._jobs: dict[str, tuple[asyncio.Task[None], Words]] = {}
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Do what the page asks for until it goes."""
        try:
            while True:
                heard = await self._socket.receive()
                if heard["type"] == "websocket.disconnect":
                    break
                await self._obey(heard.get("text"))
        except _BrokenRuleError as error:
            await self._socket.close(1008, str(error))
        except WebSocketDisconnect:
            pass
        finally:
            tasks = [task for task, _ in self._jobs.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _obey(self, text: str | None) -> None:
        message = _read(text)
        kind, name = message.pop("kind", None), message.pop("job", None)
        if not isinstance(name, str) or not 0 < len(name) <= _NAME:
            raise _BrokenRuleError("a job has a name")
        if kind == "start":
            await self._start(name, message.get("do"), message.get("args"), len(text or ""))
        elif kind == "cancel":
            if name in self._jobs:
                self._jobs.pop(name)[0].cancel()
        elif kind in ("tell", "shown"):
            if name in self._jobs:  # else it has just ended
                await self._tell(name, {**message, "say": "shown"} if kind == "shown" else message, len(text or ""))
        else:
            raise _BrokenRuleError("there is no such kind of message")

    async def _start(self, name: str, do: Any, args: Any, length: int) -> None:
        if name in self._jobs:
            raise _BrokenRuleError("there is a job of this name")
        if not isinstance(do, str) or not isinstance(args, dict):
            raise _BrokenRuleError("a job has a kind, and arguments")
        try:
            if length > MAX_BODY:
                limit = f"at most {MAX_BODY} bytes (64 MiB)"
                raise InputError("this is too large", found=f"{length} bytes", expected=limit)
            if len(self._jobs) >= JOBS_AT_ONCE:
                raise InputError("too many jobs at once", expected=f"at most {JOBS_AT_ONCE}", hint="cancel some")
            if jobs.job(do).inside:
                raise InputError("a job that no page begins", found=repr(do))
        except InputError as error:
            await self._fail(name, error)
            return
        words = Words(_WORDS)
        task = asyncio.create_task(self._run(name, do, args, words))
        self._jobs[name] = task, words
        task.add_done_callback(lambda task: self._forget(name, task))

    async def _tell(self, name: str, word: dict[str, Any], length: int) -> None:
        """Tell a word to a job; one that does not listen to so many ends."""
        if length > _LONG_WORD:
            raise _BrokenRuleError("a word that is too long")
        task, words = self._jobs[name]
        try:
            words.put_nowait(word)
        except asyncio.QueueFull:
            del self._jobs[name]
            task.cancel()
            await self._fail(name, InputError("the job was told more than it listens to"))

    async def _run(self, name: str, do: str, args: dict[str, Any], words: Words) -> None:
        try:
            async with aclosing(self._runner.messages(name, do, args, words)) as messages:
                async for message in messages:
                    await self._send(message)
        except WebSocketDisconnect:  # that is for `serve` to see
            return
        except Exception as error:
            _LOG.exception("a job of the studio")
            await self._fail(name, error)

    async def _fail(self, name: str, error: Exception) -> None:
        await self._send(pack({"kind": "failed", "job": name, **failed(error)}))

    async def _send(self, message: bytes) -> None:
        async with self._sending:  # one by one, each when there is room for it
            try:
                await self._socket.send_bytes(message)
            except RuntimeError:  # it has been closed from here, since nobody answered at the other end
                raise WebSocketDisconnect from None

    def _forget(self, name: str, task: asyncio.Task[None]) -> None:
        if name in self._jobs and self._jobs[name][0] is task:
            del self._jobs[name]
        if not task.cancelled():
            task.exception()  # that the page has gone before it was told of a failure


def _read(text: str | None) -> dict[str, Any]:
    if text is None:
        raise _BrokenRuleError("messages are text")
    try:
        message = _JSON.decode(text)
    except (ValueError, RecursionError):
        raise _BrokenRuleError("messages are JSON") from None
    if not isinstance(message, dict):
        raise _BrokenRuleError("messages are objects")
    return message


def _no_number(name: str) -> None:
    raise ValueError(name)


_JSON = json.JSONDecoder(parse_constant=_no_number)
"""One for all messages: each new one is a ring of objects that waits for the collector."""
