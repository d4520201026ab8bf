"""What was asked: the arguments of a job, checked one by one, so that a wrong page gets an answer and no traceback."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.options import MAX_SEED

__all__ = ["asked_count", "asked_number", "asked_seed", "asked_switch", "asked_table", "asked_word"]


def asked_word(args: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Return a text; raises InputError if it is something else, or missing without a default."""
    value = args.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{name} of a job", where=name, found=repr(value), expected="a text")
    return value


def asked_switch(args: Mapping[str, Any], name: str) -> bool:
    """Return what is on or off, by default off."""
    value = args.get(name, False)
    if not isinstance(value, bool):
        raise InputError(f"{name} of a job", where=name, found=repr(value), expected="true or false")
    return value


def asked_number(
    args: Mapping[str, Any], name: str, default: float | None, *, low: float = 0.0, high: float = math.inf
) -> float:
    """Return a number from low to high, both included, and finite; None as a default: there has to be one."""
    value = args.get(name)
    value = default if value is None else value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not (low <= float(cast("float", value)) <= high and math.isfinite(cast("float", value))):
        span = f"a number from {low:g} to {high:g}" if math.isfinite(high) else f"a number of at least {low:g}"
        raise InputError(f"{name} of a job", where=name, found=repr(value), expected=span)
    return float(cast("float", value))


def asked_count(args: Mapping[str, Any], name: str, default: int | None, *, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`; None as a default: there has to be one."""
    value = args.get(name)
    value = default if value is None else value
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        expected = f"a whole number from {least} to {most}"
        raise InputError(f"{name} of a job", where=name, found=repr(value), expected=expected)
    return value


def asked_seed(args: Mapping[str, Any], default: int = 0) -> int:
    """Return the seed of a job."""
    return asked_count(args, "seed", default, least=0, most=MAX_SEED)


def asked_table(args: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return an object, by default an empty one."""
    value = args.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError(f"{name} of a job", where=name, found=type(value).__name__, expected="an object")
    return cast("dict[str, Any]", value)
