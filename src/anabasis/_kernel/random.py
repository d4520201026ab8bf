"""Random: integers and fractions that depend on (seed, stream, step, unit) alone, in any order of asking.

A counter-based generator: 32-bit words are mixed one after the other by an integer hash of two multiplications and
three shifts with constants found by search (C. Wellons, T. Ettinger, "hash prospector", 2018-2022). All products
stay below 2⁶³, so plain Python integers, NumPy integers and compiled code agree.
"""

from __future__ import annotations

from anabasis._kernel import leaf

__all__ = ["mix", "random_fraction", "random_word", "stream_key"]

_WORD = 0xFFFFFFFF


@leaf
def mix(word: int) -> int:
    """Return a scrambled 32-bit word: a one-to-one map of 0 … 2³² - 1."""
    word = (word ^ (word >> 16)) * 0x21F0AAAD & _WORD
    word = (word ^ (word >> 15)) * 0x735A2D97 & _WORD
    return word ^ (word >> 15)


@leaf
def stream_key(seed: int, stream: int, step: int) -> int:
    """Return the 32-bit key of one stream of a seed (0 ≤ seed < 2⁶³) at one step."""
    key = mix((seed & _WORD) ^ 0x5BD1E995)
    key = mix((key + (seed >> 32)) & _WORD)
    key = mix((key + stream) & _WORD)
    return mix((key + step) & _WORD)


@leaf
def random_word(key: int, unit: int, number: int) -> int:
    """Return the `number`-th random 32-bit word of a unit under a stream's key."""
    return mix(mix((key + unit) & _WORD) ^ mix((number + 0x2545F491) & _WORD))


@leaf
def random_fraction(key: int, unit: int, number: int) -> float:
    """Return the `number`-th random fraction, at least 0 and below 1, of a unit under a stream's key."""
    return random_word(key, unit, number) / 4294967296.0
