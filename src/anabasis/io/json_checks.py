"""Checked JSON: values of a document, with errors that name their path, what was found and what was expected."""

from __future__ import annotations

import json
import math
from typing import Any

from anabasis.errors import InputError

__all__ = ["json_list", "json_needed", "json_number", "json_object", "json_text", "json_whole"]


def json_object(text: str, file: object) -> dict[str, Any]:
    """Return the object that a JSON text holds; raises InputError with the line of a fault; NaN is one."""

    def refuse(constant: str) -> float:
        raise InputError("a number of the file", file=file, found=constant, expected="finite numbers")

    try:
        data = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise InputError("not valid JSON", file=file, where=error.lineno, found=error.msg.lower()) from None
    except RecursionError:
        raise InputError("the file is nested too deeply", file=file) from None
    except InputError:
        raise
    except ValueError:
        raise InputError("a number of the file has too many digits", file=file) from None
    if not isinstance(data, dict):
        raise InputError("the file holds no JSON object", file=file, found=_shown(data), expected="{…}")
    return data


def json_needed(data: dict[str, Any], name: str, file: object) -> Any:
    """Return a value at the root of a document; raises InputError if there is none."""
    if name not in data:
        raise InputError(
            f"the file has no {name!r}", file=file, found=", ".join(list(data)[:6]) or "nothing", expected=name
        )
    return data[name]


def json_list(value: Any, path: str, file: object, length: int | None = None, *, expected: str = "") -> list[Any]:
    """Return a value that must be a list, of a length if one is given."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        found = f"a list of {len(value)}" if isinstance(value, list) else _shown(value)
        wanted = expected or ("a list" if length is None else f"a list of {length}")
        raise InputError("a wrong value", file=file, where=path, found=found, expected=wanted)
    return value


def json_text(value: Any, path: str, file: object, *, expected: str = "a text") -> str:
    """Return a value that must be a text."""
    if not isinstance(value, str):
        raise InputError("a wrong value", file=file, where=path, found=_shown(value), expected=expected)
    return value


def json_whole(value: Any, path: str, file: object, least: int = 0, most: int = 10**9) -> int:
    """Return a value that must be a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        span = f"a whole number from {least} to {most}"
        raise InputError("a wrong value", file=file, where=path, found=_shown(value), expected=span)
    return value


def json_number(value: Any, path: str, file: object) -> float:
    """Return a value that must be a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError("a wrong value", file=file, where=path, found=_shown(value), expected="a number")
    return float(value)


def _shown(value: Any) -> str:
    """Return a value as the file has it, cut short."""
    if isinstance(value, (list, dict)):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return json.dumps(value)[:60]
