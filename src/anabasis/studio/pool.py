"""The worker processes: as many as are wanted and may be, some kept ready with their kernels loaded."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from anabasis.errors import InputError
from anabasis.studio.wire import LENGTH, MAX_BYTES, framed

__all__ = ["Pool", "Worker"]

_MOST = 8  # processes at once
_IDLE = 2  # of them that wait for the next job
_LARGE = 2**29  # bytes of memory with which a process is not kept for the next job
_LATER = 1.0  # seconds after a job began until another process is made ready


class Worker:
    """One process. It is `idle` when it has nothing to do, and alive; who takes it for a job says that it is taken."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin and process.stdout  # noqa: S101 - both are pipes
        self._process, self._in, self._out = process, process.stdin, process.stdout
        self.taken = False

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def idle(self) -> bool:
        """Whether it can be given a job."""
        return not self.taken and self._process.returncode is None

    @property
    def large(self) -> bool:
        """Whether its last jobs have left it with much memory; not known but on Linux."""
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:  # noqa: PTH123 - see `kept` for why
                pages = int(file.read().split()[1])
        except (OSError, IndexError):
            return False
        return pages * os.sysconf("SC_PAGE_SIZE") > _LARGE

    async def send(self, message: bytes) -> None:
        """Give it a message, when it has room for it; to a dead one nothing is said."""
        with suppress(ConnectionError):
            self._in.write(framed(message))
            await self._in.drain()

    async def receive(self) -> bytes:
        """Return its next message, b"" at the end of a job; raises InputError when it has died."""
        try:
            size = LENGTH.unpack(await self._out.readexactly(LENGTH.size))[0]
            message = await self._out.readexactly(min(size, MAX_BYTES))
        except (asyncio.IncompleteReadError, ConnectionError):
            with suppress(TimeoutError):  # it ends by itself; to kill it would hide how
                await asyncio.wait_for(self._process.wait(), 5)
            await self.end()
            raise self._died() from None
        self.taken = bool(message)
        return message

    def kill(self) -> None:
        """End the process at once; who waits for a message of it hears that it has died."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """End the process at once, and wait for that."""
        self.kill()
        self._in.close()
        while await self._out.read(2**16):  # what it had still said; only then the pipe is closed
            pass
        await self._process.wait()

    def _died(self) -> InputError:
        code = self._process.returncode or 0
        try:
            found = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        except ValueError:
            found = f"signal {-code}"
        return InputError(
            "the process that did this has died",
            found=found,
            hint="mostly there was not enough memory: try a smaller map, fewer units, or another method",
        )


class Pool:
    """All worker processes of a server.

    module: what they run. Who has a worker has it alone; one that is given back in the middle of a job is ended.
    """

    def __init__(self, *, most: int = _MOST, module: str = "anabasis.studio.worker") -> None:
        self._module = module
        self._places = asyncio.Semaphore(most)
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._preparing: asyncio.Task[None] | None = None

    @property
    def full(self) -> bool:
        """Whether who asks for a worker has to wait."""
        return self._places.locked()

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that there are."""
        return [worker.pid for worker in (*self._idle, *self._busy)]

    def prepare(self, seconds: float = 0.0) -> None:
        """See to it that after so many seconds a worker is ready."""
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepared(seconds))

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[Worker]:
        """Give a worker for one job, when there is a place for it."""
        async with self._places:
            worker = await self._ready()
            worker.taken = True
            self._busy.add(worker)
            self.prepare(_LATER)
            try:
                yield worker
            finally:
                self._busy.discard(worker)
                if worker.idle and len(self._idle) < _IDLE and not worker.large:
                    self._idle.append(worker)
                else:
                    await worker.end()

    async def close(self) -> None:
        """End all processes."""
        if self._preparing is not None:
            self._preparing.cancel()
            with suppress(asyncio.CancelledError):
                await self._preparing
        for worker in self._busy:
            worker.kill()
        await asyncio.gather(*(worker.end() for worker in self._idle))
        self._idle.clear()

    async def _ready(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.idle:
                return worker
            await worker.end()
        return await self._begun()

    async def _prepared(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if not self._idle:
            self._idle.append(await self._begun())

    async def _begun(self) -> Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self._module,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**20,
            start_new_session=True,  # Ctrl-C is for the server, which ends them
        )
        return Worker(process)
