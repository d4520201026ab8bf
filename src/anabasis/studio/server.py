"""The studio's server: the page, the files of the workspace, and the socket, on this machine alone."""

from __future__ import annotations

import asyncio
import ctypes
import json
import logging
import mimetypes
import os
import secrets
import socket
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from anabasis.errors import InputError
from anabasis.studio.bodies import MAX_BODY, BodyLimit
from anabasis.studio.bundle import STATIC
from anabasis.studio.failures import RefusedError, failed
from anabasis.studio.kept import Kept
from anabasis.studio.pool import Pool
from anabasis.studio.running import Runner
from anabasis.studio.security import Guard, address
from anabasis.studio.socket import Page
from anabasis.studio.wire import framed, head
from anabasis.studio.workspace import Workspace, checked_name, files_of

__all__ = ["Studio", "serve"]

PAGES = 32
"""Sockets at once."""

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of malloc.h

_NOT_BUILT = """<!doctype html>
<meta charset="utf-8">
<title>Anabasis studio</title>
<h1>The page of the studio has not been built</h1>
<p>This installation was made without it. Install Anabasis again without <code>ANABASIS_SKIP_STUDIO</code>; in a clone
of its repository, run <code>npm ci</code> and <code>npm run build</code> in the folder <code>studio</code>.</p>
"""


class Studio:
    """A server's state, and `app`, which answers. The pages of `static` are served."""

    def __init__(self, workspace: Workspace, *, port: int, token: str, worker: str, static: Path = STATIC) -> None:
        self.workspace, self._worker, self._static = workspace, worker, static
        self._pages = 0
        self._tables: asyncio.Task[bytes] | None = None
        routes = [
            Route("/api/tables", self.tables),
            Route("/api/files", self.files),
            Route("/api/open", self.open),
            Route("/api/import", self.dropped, methods=["POST"]),
            Route("/api/save", self.save, methods=["PUT"]),
            WebSocketRoute("/socket", self.socket),
            Route("/{path:path}", self.page),
        ]
        answers: Mapping[Any, Any] = {InputError: _refused, HTTPException: _unknown, Exception: _fault}
        inner = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=answers)
        self.app: ASGIApp = Guard(BodyLimit(inner), port=port, token=token)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncGenerator[None]:
        with TemporaryDirectory(prefix="anabasis-studio-", ignore_cleanup_errors=True) as folder:
            self._dropped = Path(folder) / "dropped"
            self._dropped.mkdir()
            (Path(folder) / "kept").mkdir()
            self.pool = Pool(module=self._worker)
            self.runner = Runner(self.pool, Kept(Path(folder) / "kept"))
            self._tables = asyncio.create_task(self._made_tables())  # the page asks for them first of all
            try:
                yield
            finally:
                self._tables.cancel()
                await asyncio.gather(self._tables, return_exceptions=True)
                await self.pool.close()

    async def page(self, request: Request) -> Response:
        """Give the page, or one of its parts."""
        path = request.path_params["path"] or "index.html"
        if path == "index.html" and not (self._static / path).is_file():
            return HTMLResponse(_NOT_BUILT, 503)
        if not self._static.is_dir():
            raise HTTPException(404)
        place = Workspace(self._static).resolve(path)
        if not place.is_file():
            raise HTTPException(404)
        kind = mimetypes.guess_type(place.name)[0] or "application/octet-stream"
        if place.suffix in (".js", ".mjs"):  # whatever this machine's table says
            kind = "text/javascript"
        return FileResponse(place, media_type=kind, headers={"cache-control": "no-cache"})

    async def tables(self, _request: Request) -> Response:
        """Give what forms are made of."""
        if self._tables is None or (self._tables.done() and self._tables.exception() is not None):
            self._tables = asyncio.create_task(self._made_tables())
        return Response(await asyncio.shield(self._tables), media_type="application/json")

    async def _made_tables(self) -> bytes:
        said = await self._said("tables", {})
        return json.dumps(said["tables"], allow_nan=False).encode()

    async def files(self, _request: Request) -> Response:
        """List the workspace."""
        return JSONResponse(await asyncio.to_thread(self.workspace.files))

    async def open(self, request: Request) -> Response:
        """Give the messages of a file of the workspace."""
        path = _asked(request, "path")
        return _Messages(self.runner, {"path": str(self.workspace.file(path)), "name": path})

    async def dropped(self, request: Request) -> Response:
        """Give the messages of a file that is the body; it is deleted after that."""
        name = checked_name(_asked(request, "name"))
        folder = TemporaryDirectory(dir=self._dropped, ignore_cleanup_errors=True)
        try:
            place = Path(folder.name) / name
            with place.open("xb") as file:
                async for part in request.stream():
                    file.write(part)
        except BaseException:
            folder.cleanup()
            raise
        return _Messages(self.runner, {"path": str(place), "name": name}, after=folder.cleanup)

    async def save(self, request: Request) -> Response:
        """Write a draft, the body, as a file of the workspace."""
        path = _asked(request, "path")
        place = self.workspace.target(path, overwrite=request.query_params.get("overwrite") == "yes")
        body = await request.body()
        try:
            draft = json.loads(body)
        except (ValueError, RecursionError):
            raise RefusedError(400, "the draft is no JSON") from None
        said = await self._said("save", {"draft": draft, "path": str(place)})
        files = [file.name for file in files_of(place)]
        return JSONResponse({"path": path, "files": files, "notes": said["notes"]})

    async def socket(self, socket: WebSocket) -> None:
        """Serve a page's socket."""
        if self._pages >= PAGES:
            await socket.send_denial_response(Response("Too many pages are open.", 503))
            return
        self._pages += 1
        try:
            await socket.accept()
            await Page(socket, self.runner).serve()
        finally:
            self._pages -= 1

    async def _said(self, do: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON of the one message that a job says; raises RefusedError if it fails."""
        found: dict[str, Any] = {}
        async with aclosing(self.runner.messages(do, do, args)) as messages:
            async for message in messages:
                said = head(message)
                if said["kind"] == "failed":
                    parts = {name: said[name] for name in ("file", "where", "found", "expected", "hint")}
                    raise RefusedError(400, said["problem"], **parts)
                if said["kind"] not in ("begun", "progress", "done"):
                    found = said
        return found


class _Messages(Response):
    """The messages of a job `open`, each with its length before it; when nobody reads any more, the job ends."""

    def __init__(self, runner: Runner, args: Mapping[str, Any], after: Callable[[], None] = lambda: None) -> None:
        self._runner, self._args, self._after = runner, args, after
        self.status_code, self.background = 200, None
        self.media_type = "application/octet-stream"
        self.init_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def say() -> None:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async with aclosing(self._runner.messages("open", "open", self._args)) as messages:
                async for message in messages:
                    await send({"type": "http.response.body", "body": framed(message), "more_body": True})
            await send({"type": "http.response.body", "body": b""})

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        tasks = [asyncio.create_task(say()), asyncio.create_task(gone())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._after()
        for task in done:
            task.result()


def _asked(request: Request, name: str) -> str:
    """Return a value of the query; raises RefusedError unless there is one, and only one."""
    values = request.query_params.getlist(name)
    if len(values) != 1:
        raise RefusedError(400, f"{name} of a request", found=f"{len(values)} values", expected="one")
    return values[0]


async def _refused(_request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, RefusedError) else 400
    return JSONResponse({"kind": "failed", **failed(error)}, status)


async def _unknown(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return JSONResponse({"kind": "failed", **failed(InputError("there is nothing here to be had so"))}, status)


async def _fault(_request: Request, error: Exception) -> Response:
    return JSONResponse({"kind": "failed", **failed(error)}, 500)


def serve(
    folder: Path,
    *,
    port: int = 0,
    ready: Callable[[str], object],
    worker: str = "anabasis.studio.worker",
    static: Path = STATIC,
) -> None:
    """Serve the studio with this folder as its workspace until the process is told to stop.

    port: 0 is any free one. ready is called with the address when it can be opened. Raises InputError if the port is
    taken, and KeyboardInterrupt after Ctrl-C, when all processes have ended.
    """
    workspace = Workspace(folder)
    token = secrets.token_urlsafe(24)
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        studio = Studio(workspace, port=port, token=token, worker=worker, static=static)
        config = uvicorn.Config(
            studio.app,
            loop="asyncio",
            http="h11",
            ws="websockets-sansio",
            ws_max_size=2 * MAX_BODY,  # what is between can still be told that it is too much
            ws_ping_timeout=60.0,
            ws_per_message_deflate=False,
            lifespan="on",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        # uvicorn takes each refused socket for a fault; a page left open from an earlier server asks every second
        logging.getLogger("uvicorn.error").addFilter(lambda record: "without completing" not in record.getMessage())
        _give_back_large_blocks()
        ready(address(port, token))
        uvicorn.Server(config).run(sockets=[listening])


def _give_back_large_blocks() -> None:
    """Let memory of large messages go back to the system at once, where the C library is the GNU one.

    Else it keeps them among small blocks after a while, and what stays between them makes the heap grow for hours.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 2**16)


def _listening(port: int) -> socket.socket:
    # only of a socket that is said to be of TCP asyncio sends small messages at once
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let another program have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        hint = "without it, a free port is found"
        raise InputError("the port can't be had", file="--port", found=f"{port}: {reason}", hint=hint) from None
    return listening
