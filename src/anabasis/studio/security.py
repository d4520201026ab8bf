"""Who may speak to the server: the token, `Host` and `Origin`, and what every answer tells the browser to forbid.

All of it stands before the server's own routes, as pure ASGI, so that it holds for pages, files and the socket alike.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "Guard", "address", "origins"]

POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self'; connect-src 'self'; "
    "worker-src 'self' blob:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_READING = ("GET", "HEAD")
_NAMES = ("127.0.0.1", "localhost")


def _hosts(port: int) -> tuple[str, ...]:
    return tuple(name if port == 80 else f"{name}:{port}" for name in _NAMES)


def origins(port: int) -> tuple[str, ...]:
    """Return the origins of pages that this server itself has given."""
    return tuple(f"http://{host}" for host in _hosts(port))


def address(port: int, token: str) -> str:
    """Return the address of the page."""
    return f"{origins(port)[0]}/{token}/"


class Guard:
    """Lets through to `app` what has the token, the server's own `Host`, and its own `Origin`.

    Without the token everything gets one and the same answer. `Origin` is asked for on the socket and for whatever is
    not reading; where there is one it has to be right always.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str) -> None:
        self.app = app
        self._token = token.encode()
        self._hosts = tuple(host.encode() for host in _hosts(port))
        self._origins = tuple(origin.encode() for origin in origins(port))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on with `/TOKEN` taken for the root."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                message = {**message, "headers": [*given, *(pair for pair in _HEADERS if pair[0] not in names)]}
            await send(message)

        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not compare_digest(first.encode("utf-8", "replace"), self._token) or not slash:
            await _answer(scope, secured, 404, "Nothing here.")
        elif not self._is_own(scope):
            await _answer(scope, secured, 403, "This server answers its own page alone.")
        else:
            await self.app({**scope, "root_path": f"/{first}"}, receive, secured)

    def _is_own(self, scope: Scope) -> bool:
        values: dict[bytes, list[bytes]] = {b"host": [], b"origin": []}
        for name, value in scope["headers"]:
            if name.lower() in values:
                values[name.lower()].append(value)
        host, origin = values[b"host"], values[b"origin"]
        if len(host) != 1 or host[0] not in self._hosts:
            return False
        if not origin:
            return scope["type"] == "http" and scope["method"] in _READING
        return len(origin) == 1 and origin[0] in self._origins


async def _answer(scope: Scope, send: Send, status: int, text: str) -> None:
    """Answer in one line; a socket is refused by the same answer, before it is one."""
    kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
    body = text.encode()
    headers: list[Any] = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": b"" if scope.get("method") == "HEAD" else body})
