"""Options: counts, seeds, shares, lengths, choices and things of a kind that a caller gives, checked.

Each function takes the name of the option for the text of the error; those of numbers return a plain number.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.noun import freeze

__all__ = [
    "MAX_SEED",
    "check_choice",
    "check_count",
    "check_each",
    "check_kind",
    "check_length",
    "check_pairs",
    "check_seed",
    "check_share",
    "check_switch",
]

_MOST = 2**63 - 1  # what an int64 holds
MAX_SEED = _MOST


def check_count(value: int, name: str, least: int = 0, most: int | None = None, *, expected: str = "") -> int:
    """Return a count; raises InputError if it is no whole number from `least` to `most`, None for what an int64 holds.

    expected: what the error says instead of that range.
    """
    count = value if type(value) is int else int(freeze(value, np.int64, (), name))
    greatest = _MOST if most is None else most
    if not least <= count <= greatest:
        span = f"a whole number from {least}" + ("" if most is None and count < least else f" to {greatest}")
        raise InputError(name, found=f"{value}", expected=expected or span)
    return count


def check_seed(seed: int, name: str = "seed") -> int:
    """Return a seed; raises InputError if it is no whole number from 0 to 2⁶³ - 1."""
    return check_count(seed, name, most=MAX_SEED)


def check_share(value: float, name: str) -> float:
    """Return a share; raises InputError if it is not from 0 to 1."""
    share = float(freeze(value, np.float64, (), name))
    if not 0 <= share <= 1:
        raise InputError(name, found=f"{value}", expected="a share from 0 to 1")
    return share


def check_length(value: float, name: str) -> float:
    """Return a length; raises InputError unless it is positive and finite."""
    length = float(freeze(value, np.float64, (), name))
    if not (isfinite(length) and length > 0):
        raise InputError(name, found=f"{value}", expected="a positive length")
    return length


FARTHEST = 1e9
"""Of coordinates of what moves: up to it all sums and products that are made of them are exact enough, and finite."""


def check_near(values: Any, name: str) -> None:
    """Raise InputError for numbers of an array that are infinite, or farther from 0 than FARTHEST."""
    farthest = float(abs(values).max(initial=0.0))
    if not farthest <= FARTHEST:
        raise InputError(name, found=f"{farthest:g}", expected=f"finite numbers up to {FARTHEST:g}")


def check_choice(value: str, name: str, choices: tuple[str, ...]) -> int:
    """Return the place of a word among the choices; raises InputError if it is none of them."""
    if not isinstance(value, str) or value not in choices:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"unknown {name}", found=repr(value), expected=" or ".join(choices))
    return choices.index(value)


def check_switch(value: bool, name: str) -> bool:
    """Return what is on or off; raises InputError for anything but True or False, for "no" and 2 would be on."""
    if not isinstance(value, (bool, np.bool_)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(name, found=repr(value), expected="True or False")
    return bool(value)


def check_kind(value: object, kind: type | tuple[type, ...], name: str, hint: str = "", *, file: object = None) -> None:
    """Raise InputError unless a value is of the kind, or of one of the kinds, that a function works with.

    hint: how such a value is made.
    """
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        expected = " or ".join(k.__name__ for k in kinds)
        raise InputError(name, file=file, found=type(value).__name__, expected=expected, hint=hint)


def check_each(values: Iterable[Any], kind: type | tuple[type, ...], name: str, hint: str = "") -> None:
    """Raise InputError unless these are a list or tuple, and all in it of a kind."""
    check_kind(values, (list, tuple), name, hint)
    for value in values:
        check_kind(value, kind, f"{name}, one of them", hint)


def check_pairs(values: Iterable[Any], name: str, expected: str) -> None:
    """Raise InputError unless these are a list or tuple of pairs; expected: what a pair is, such as (place, name)."""
    check_each(values, (list, tuple), name, f"pairs {expected}")
    for value in values:
        if len(value) != 2:
            raise InputError(f"{name}, one of them", found=repr(value)[:40], expected=expected)
