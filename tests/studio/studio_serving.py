"""A studio server in a process of its own, and ways to speak to it; `python -m studio_serving FOLDER STATIC` is one."""

import base64
import json
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from anabasis.studio.wire import LENGTH, Message, unpack


@dataclass(frozen=True)
class Served:
    """A server; `address` ends in `/TOKEN/`, `temporary` is where it makes its own files."""

    address: str
    process: "subprocess.Popen[str]"
    temporary: Path

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].partition("/")[0])

    @property
    def root(self) -> str:
        """The path of the page: `/TOKEN/`."""
        return "/" + self.address.split("/", 3)[3]

    def workers(self) -> set[int]:
        """The processes that the server has begun."""
        return set(_children(self.process.pid))

    def raw(self, request: str | bytes, *, body: bytes = b"") -> bytes:
        """Send bytes, and return all that is answered; `\\n` stands for the line ends of HTTP."""
        head = request.replace("\n", "\r\n").encode() if isinstance(request, str) else request
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as wire:
            wire.sendall(head + body)
            answer = b""
            while True:
                try:
                    part = wire.recv(2**16)
                except ConnectionResetError:
                    part = b""
                if not part:
                    return answer
                answer += part

    def ask(self, what: str, *, method: str = "GET", origin: str | None = None, body: bytes = b"") -> "Answer":
        """Ask for what lies below the token, by a client that changes nothing of its path."""
        lines = [f"{method} {self.root}{what} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        if origin is None and method not in ("GET", "HEAD"):
            origin = f"http://127.0.0.1:{self.port}"
        if origin is not None:
            lines.append(f"Origin: {origin}")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        return Answer.of(self.raw("\n".join(lines) + "\n\n", body=body))

    @contextmanager
    def page(self) -> Iterator["Page"]:
        """Give a page's socket."""
        address = self.address.replace("http", "ws") + "socket"
        origin: Any = f"http://127.0.0.1:{self.port}"
        with connect(address, origin=origin, max_size=None, compression=None, close_timeout=1) as wire:
            yield Page(wire)


@dataclass(frozen=True)
class Answer:
    """An answer of HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @staticmethod
    def of(answer: bytes) -> "Answer":
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if headers.get("transfer-encoding") == "chunked":
            whole = b""
            while body:
                size, _, body = body.partition(b"\r\n")
                whole, body = whole + body[: int(size, 16)], body[int(size, 16) + 2 :]
            body = whole
        return Answer(int(first.split()[1]), headers, body)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def messages(self) -> list[Message]:
        found, body = [], self.body
        while body:
            size = LENGTH.unpack(body[: LENGTH.size])[0]
            found.append(unpack(body[LENGTH.size : LENGTH.size + size]))
            body = body[LENGTH.size + size :]
        return found


@dataclass(frozen=True)
class Page:
    """A page at its socket."""

    wire: ClientConnection
    unread: list[Message] = field(default_factory=list)

    def start(self, job: str, do: str, **args: object) -> None:
        self.say("start", job, do=do, args=args)

    def say(self, kind: str, job: str, **fields: object) -> None:
        self.wire.send(json.dumps({"kind": kind, "job": job, **fields}))

    def next(self, seconds: float = 120) -> Message:
        """Return the next message; on a busy machine without compiled kernels it may take its time."""
        message = self.wire.recv(timeout=seconds)
        assert isinstance(message, bytes)
        return unpack(message)

    def process(self) -> int:
        """Read until a job `wait` says in which process it waits."""
        while (head := self.next()[0])["kind"] != "here":
            assert head["kind"] in ("begun", "progress")
        return head["process"]

    def heard(self, job: str) -> list[Message]:
        """Read to the last message of a job, and return those that are its own; others are for later calls."""
        found = [message for message in self.unread if message[0]["job"] == job]
        self.unread[:] = [message for message in self.unread if message[0]["job"] != job]
        while not found or found[-1][0]["kind"] not in ("done", "failed"):
            message = self.next()
            (found if message[0]["job"] == job else self.unread).append(message)
        return found


def upgrade(served: Served, path: str, headers: str) -> str:
    """Return a request for a socket."""
    key = base64.b64encode(b"0123456789abcdef").decode()
    return (
        f"GET {path} HTTP/1.1\n{headers}Connection: Upgrade\nUpgrade: websocket\n"
        f"Sec-WebSocket-Version: 13\nSec-WebSocket-Key: {key}\n\n"
    )


def frame(text: str) -> bytes:
    """Return a text as a client's frame of WebSocket, masked by zeros."""
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return b"\x81" + size + bytes(4) + data


@contextmanager
def serving(folder: Path, static: Path | None = None, *, real: bool = False) -> Iterator[Served]:
    """Give a server whose workspace is a folder, with the jobs of `studio_jobs`, or the real ones."""
    here = str(Path(__file__).parent)
    path = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    temporary = folder.with_name(f"{folder.name} temporary")
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "studio_serving", str(folder), str(static or folder / "no static"), *["real"] * real],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(temporary)},
    )
    assert process.stdout
    try:
        address = process.stdout.readline().strip()
        assert address, "the server has not begun"
        yield Served(address, process, temporary)
    finally:
        process.terminate()
        process.communicate(timeout=30)


def until(condition: Callable[[], object], seconds: float = 20) -> bool:
    """Wait until something is so; return whether it came to be."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def alive(process: int) -> bool:
    """Whether there is such a process, and it is more than a name that waits to be read."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def memory(process: int) -> int:
    """Return the bytes of memory of a process, what it shares counted in parts; 0 if it has just ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 1024 * int(text.split("\nPss:")[1].split()[0])


def _children(process: int) -> list[int]:
    """Return the processes that one has begun, threads of it that have just ended left out."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, (task / "children").read_text().split())
    return [child for child in found if alive(child)]


if __name__ == "__main__":
    import studio_jobs

    from anabasis.studio import jobs
    from anabasis.studio.server import serve

    real = "real" in sys.argv[3:]
    if not real:
        jobs.JOBS = studio_jobs.JOBS
    serve(
        Path(sys.argv[1]),
        ready=lambda address: print(address, flush=True),
        worker="anabasis.studio.worker" if real else "studio_jobs",
        static=Path(sys.argv[2]),
    )
