"""How large the body of a request may be, whatever it says of its own length."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anabasis.studio.failures import RefusedError

__all__ = ["MAX_BODY", "BodyLimit"]

MAX_BODY = 2**26
"""Bytes of a body: 64 MiB."""
_READ_AWAY = 2**28  # bytes


class BodyLimit:
    """Raises RefusedError, when the body is read, for one of more than `MAX_BODY` bytes.

    A browser reads the answer only when it has sent all of the body, so the rest is read and forgotten first; what is
    sent without end is not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on with a body that ends at the limit."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = next((value for name, value in scope["headers"] if name.lower() == b"content-length"), b"0")
        declared = int(said) if said.isdigit() else 0
        size = 0

        async def limited() -> Message:
            nonlocal size
            more = declared <= _READ_AWAY
            while more and size <= _READ_AWAY:
                message = await receive()
                size += len(message.get("body", b""))
                if declared <= MAX_BODY and size <= MAX_BODY:
                    return message
                more = message.get("more_body", False)
            raise RefusedError(
                413,
                "this is too large",
                found=f"{max(declared, size)} bytes",
                expected=f"at most {MAX_BODY} bytes (64 MiB)",
            )

        await self.app(scope, limited, send)
