"""Messages: JSON with arrays behind it, in one format between page, server, workers, kept results and replays.

uint32 n, n bytes of JSON, zeros up to a multiple of 8, then the arrays, each beginning at a multiple of 8. All numbers
are little endian. `arrays` in the JSON says name, type, shape and place of each.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError

__all__ = ["DTYPES", "LENGTH", "MAX_BYTES", "Message", "for_job", "framed", "head", "pack", "unpack"]

DTYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<f4", "<f8")
MAX_BYTES = 2**26
"""Of one message; what is longer goes as several."""

LENGTH = struct.Struct("<Q")
"""The length before each message, between processes, in files and in answers to HTTP."""

Message = tuple[dict[str, Any], dict[str, NDArray[Any]]]
"""The JSON object of a message, without `arrays`, and its arrays by name."""


def pack(head: Mapping[str, Any], arrays: Mapping[str, ArrayLike] | None = None) -> bytes:
    """Return a message as bytes; raises InputError for an array of a type that messages don't hold, or too much of it.

    NaN and infinities are allowed in arrays, not in the JSON.
    """
    parts: list[bytes] = []
    table: list[dict[str, Any]] = []
    at = 0
    for name, values in (arrays or {}).items():
        array = np.ascontiguousarray(values)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if array.dtype == np.bool_:
            array = array.astype(np.uint8)
        if array.dtype.str not in DTYPES:
            raise InputError(f"array {name} of a message", found=array.dtype.str, expected=" or ".join(DTYPES))
        data = array.tobytes()
        table.append({"name": name, "type": array.dtype.str, "shape": list(array.shape), "at": at})
        filled = -(-len(data) // 8) * 8
        parts += [data, bytes(filled - len(data))]
        at += filled
    message = _joined({**head, "arrays": table}, parts)
    if len(message) > MAX_BYTES:
        raise InputError("a message", found=f"{len(message)} bytes", expected=f"at most {MAX_BYTES}")
    return message


def framed(message: bytes) -> bytes:
    """Return a message with its length before it; of no bytes at all: the mark for the end of a job."""
    return LENGTH.pack(len(message)) + message


def head(message: bytes) -> dict[str, Any]:
    """Return the JSON object of a message that this program packed, with `arrays`."""
    return json.loads(message[4 : _end(message)])


def for_job(message: bytes, job: str) -> bytes:
    """Return a message that this program packed as one of the job of this name."""
    start = -(-_end(message) // 8) * 8
    return _joined({**head(message), "job": job}, [memoryview(message)[start:]])


def _end(message: bytes) -> int:
    """Return where the JSON of a message ends."""
    return 4 + struct.unpack_from("<I", message)[0]


def _joined(head: Mapping[str, Any], parts: Sequence[bytes | memoryview]) -> bytes:
    text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
    return b"".join([struct.pack("<I", len(text)), text, bytes(-(4 + len(text)) % 8), *parts])


def unpack(data: bytes | memoryview) -> Message:
    """Return the JSON object and the arrays (read-only views of `data`); raises InputError for a bad message."""
    view = memoryview(data)
    if len(view) < 4:
        raise _damaged(f"{len(view)} bytes")
    length = struct.unpack("<I", view[:4])[0]
    try:
        head = json.loads(bytes(view[4 : 4 + length]))
        table = head.pop("arrays")
        start = -(-(4 + length) // 8) * 8
        arrays: dict[str, NDArray[Any]] = {}
        for row in table:
            shape = tuple(int(n) for n in row["shape"])
            if row["type"] not in DTYPES or min(shape, default=0) < 0:
                raise _damaged(f"array {row['name']}")
            dtype, count = np.dtype(row["type"]), int(np.prod(shape, dtype=np.int64))
            array = np.frombuffer(view, dtype, count, start + int(row["at"])).reshape(shape)
            array.flags.writeable = False
            arrays[str(row["name"])] = array
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(f"{len(view)} bytes") from None
    return head, arrays


def _damaged(found: str) -> InputError:
    return InputError("a damaged message", found=found, expected="the length of its JSON, the JSON, and its arrays")
