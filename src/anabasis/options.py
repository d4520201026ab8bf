"""Options: counts, seeds, shares, lengths and choices that a caller gives, checked.

Each function takes the name of the option for the text of the error and returns a plain number.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from anabasis.errors import InputError
from anabasis.noun import freeze

__all__ = ["MAX_SEED", "check_choice", "check_count", "check_length", "check_seed", "check_share"]

MAX_SEED = 2**63 - 1


def check_count(value: int, name: str, least: int = 0, most: int | None = None, *, expected: str = "") -> int:
    """Return a count; raises InputError if it is no whole number from `least` to `most`.

    expected: what the error says instead of that range.
    """
    count = value if type(value) is int else int(freeze(value, np.int64, (), name))
    if count < least or (most is not None and count > most):
        span = f"a whole number from {least}" + ("" if most is None else f" to {most}")
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


def check_choice(value: str, name: str, choices: tuple[str, ...]) -> int:
    """Return the place of a word among the choices; raises InputError if it is none of them."""
    if value not in choices:
        raise InputError(f"unknown {name}", found=repr(value), expected=" or ".join(choices))
    return choices.index(value)
