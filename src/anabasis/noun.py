"""What all nouns share: read-only arrays, checks at construction, a state hash.

A noun is a frozen dataclass of read-only NumPy arrays, numbers, texts and other nouns. Arrays are checked and frozen
once, when the noun is made; later code trusts them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError

__all__ = ["array_of", "freeze", "set_field", "state_hash", "summary"]

_KINDS = {"U": "texts", "S": "bytes", "O": "objects", "M": "dates", "m": "spans of time"}


def array_of(values: Any, name: str) -> NDArray[Any]:
    """Return values as an array of whatever they are; raises InputError for rows of different lengths."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError):
        raise InputError(f"{name} must be an array", found=f"a {type(values).__name__} that is none") from None


def freeze(values: Any, dtype: Any, shape: tuple[int | None, ...], name: str) -> NDArray[Any]:
    """Return `values` as a read-only C-contiguous array of `dtype`, checked against `shape` (None = any length).

    An array that is read-only and fits is returned as it is, so nouns share what did not change; anything that
    somebody could still write to is copied. Raises InputError for a wrong shape, a value that the dtype can't hold,
    or NaN.
    """
    usual = dtype == np.float64 and not shape  # most often it is one number: that goes at once
    if usual and type(values) is float and not math.isnan(values):
        number = np.array(values)
        number.flags.writeable = False
        return number
    given = array_of(values, name)
    if given.size == 0 and given.ndim < len(shape) and any(not n for n in shape):
        given = given.reshape([0 if n is None else n for n in shape])
    if not _fits(given.shape, shape):
        wanted = "×".join("any" if n is None else str(n) for n in shape)
        raise InputError(
            f"{name} has the wrong shape", found="×".join(map(str, given.shape)) or "a single value", expected=wanted
        )
    target = np.dtype(dtype)
    if given.dtype.kind not in "biuf":
        found = _KINDS.get(given.dtype.kind, str(given.dtype)) if given.ndim else repr(values)[:60]
        raise InputError(f"{name} must be numbers", found=found, expected=str(target))
    if target.kind in "iu" and given.dtype != target and given.size:
        limits = np.iinfo(target)
        if given.dtype.kind == "f" and not np.all(np.isfinite(given) & (given == np.floor(given))):
            raise InputError(f"{name} must be whole numbers", found=str(given.dtype), expected=str(target))
        if given.min() < limits.min or given.max() > limits.max:
            raise InputError(
                f"{name} is out of range",
                found=f"{given.min()} to {given.max()}",
                expected=f"{limits.min} to {limits.max}",
            )
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise InputError(f"{name} holds NaN", expected="numbers")
    if given.dtype == target and given.flags.c_contiguous and not given.flags.writeable and _owned(given):
        return given
    frozen = np.array(given, dtype=target, order="C", copy=True)
    frozen.flags.writeable = False
    return frozen


def _fits(found: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    if len(found) != len(wanted):
        return False
    for n, m in zip(found, wanted, strict=True):  # noqa: SIM110 - called for every array of every noun
        if m is not None and n != m:
            return False
    return True


def _owned(array: NDArray[Any]) -> bool:
    """Whether no writable array lies under this one."""
    base = array.base
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return base is None


def summary(self: Any) -> str:
    """Return one line for a noun, with the kind and size of each array instead of its numbers; their `__repr__`."""
    parts: list[str] = []
    for field in dataclasses.fields(self):
        value = getattr(self, field.name)
        if isinstance(value, np.ndarray):
            text = f"{value.dtype}[{', '.join(map(str, value.shape))}]"
        else:
            text = f"({len(value)} of them)" if isinstance(value, tuple) and len(value) > 4 else repr(value)
        parts.append(f"{field.name}={text}")
    return f"{type(self).__name__}({', '.join(parts)})"


def set_field(noun: object, name: str, value: object) -> None:
    """Set a field of a frozen dataclass; only for `__post_init__`, which may still shape the noun."""
    object.__setattr__(noun, name, value)


def state_hash(noun: object) -> str:
    """Return the SHA-256 (hex) of everything in a noun: equal nouns have equal hashes, on every machine."""
    digest = hashlib.sha256()
    _feed(digest, noun)
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    """Feed one value, with its type and length, so that no two different values give the same bytes."""
    if isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        digest.update(f"array {array.dtype.str} {array.shape};".encode())
        digest.update(array.tobytes())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        digest.update(f"noun {type(value).__name__};".encode())
        for field in dataclasses.fields(value):
            digest.update(f"field {field.name};".encode())
            _feed(digest, getattr(value, field.name))
    elif isinstance(value, Enum):
        digest.update(f"enum {value.name};".encode())
    elif isinstance(value, Mapping):
        digest.update(f"map {len(value)};".encode())
        for key in sorted(value):
            _feed(digest, key)
            _feed(digest, value[key])
    elif isinstance(value, (tuple, list)):
        digest.update(f"list {len(value)};".encode())
        for item in value:
            _feed(digest, item)
    else:
        text = value.item().__repr__() if isinstance(value, np.generic) else repr(value)
        digest.update(f"{type(value).__name__} {len(text)} {text};".encode())
