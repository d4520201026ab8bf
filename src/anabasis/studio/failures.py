"""What went wrong, as the fields of a `failed` message, and what the server refuses, with its status of HTTP."""

from __future__ import annotations

from typing import Any

from anabasis.errors import AnabasisError, InputError

__all__ = ["RefusedError", "failed"]


class RefusedError(InputError):
    """A request that the server refuses; `status` is that of the answer."""

    def __init__(self, status: int, problem: str, **parts: Any) -> None:
        super().__init__(problem, **parts)
        self.status = status


def failed(error: Exception) -> dict[str, Any]:
    """Return the fields of the message `failed`, all of them texts or None.

    An error that Anabasis raises on purpose is told as it is. Of others, what a user can do something about is told
    in a sentence, and the rest is said to be a fault, whose traceback belongs in the log.
    """
    parts = _told(error).parts()
    where = parts["where"]
    return {**parts, "where": f"line {where}" if isinstance(where, int) else where}


def _told(error: Exception) -> InputError:
    if isinstance(error, InputError):
        return error
    kind = type(error).__name__
    if isinstance(error, MemoryError):
        hint = "try a smaller map, fewer units, or another method"
        return InputError("there is not enough memory for this", found=str(error) or kind, hint=hint)
    if isinstance(error, OSError):
        return InputError("the system refuses", file=error.filename, found=(error.strerror or str(error)).lower())
    if isinstance(error, AnabasisError):
        return InputError(str(error))
    hint = "what the server printed belongs into a report of it"
    return InputError("this is a fault in Anabasis, not in your input", found=f"{kind}: {error}"[:500], hint=hint)
