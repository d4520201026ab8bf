"""Price limit: how dear a vertex may be for a search that is mended.

Sums of prices are rounded. Beside a distance of 10^17 a step of 1 is lost, so ways of equal distance lead into each
other as arcs of weight 0 do, and what is mended by comparing distances doesn't end.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid

__all__ = ["Spread", "are_prices", "check_map", "price_limit", "spread_of", "too_dear", "wrong_price"]

Floats = NDArray[np.float64]
Spread = tuple[float, float]

_DEAREST: WeakKeyDictionary[Grid, float] = WeakKeyDictionary()
_EXACT = 2.0**52  # of a sum no greater than so many of its terms none is lost


def spread_of(weights: Floats) -> Spread:
    """Return the least and the greatest weight of arcs that can be followed, 1 and 1 without any."""
    there = weights[(weights > 0) & (weights < np.inf)]
    return (float(there.min()), float(there.max())) if there.size else (1.0, 1.0)


def price_limit(spread: Spread, size: int) -> float:
    """Return the greatest price of vertices with which a sum of so many arcs still tells each of them from none.

    Raises InputError if there is no such price.
    """
    least, most = spread
    if most * size > least * _EXACT:
        raise InputError(
            "weights of a search that is mended are too far apart",
            found=f"{least:g} and {most:g}",
            expected=f"the greatest at most {_EXACT / size:g} times the least, so that none is lost in a sum",
        )
    return _EXACT / size * least / most


def check_map(grid: Grid, limit: float) -> None:
    """Raise InputError if a price of a map is too great; the greatest is sought once for each map."""
    known = _DEAREST.get(grid)
    if known is None:
        known = _DEAREST[grid] = float(np.max(grid.cost, where=grid.free, initial=1.0))
    if known > limit:
        raise too_dear("a price of the map", known, limit)


def are_prices(values: Floats, limit: float) -> NDArray[np.bool_]:
    """Tell of each value whether it is a price."""
    return ((values >= 1) & (values <= limit)) | (values == np.inf)


def wrong_price(what: str, found: float, limit: float) -> InputError:
    """Return what is told of a value that is no price."""
    if found > 1:
        return too_dear(what, found, limit)
    return InputError(what, found=f"{found:g}", expected="at least 1, or inf for blocked")


def too_dear(what: str, found: float, limit: float) -> InputError:
    """Return what is told of a price that is too great."""
    return InputError(
        what,
        found=f"{found:g}",
        expected=f"at most {limit:g}, so that no step is lost in a sum, or inf for blocked",
    )
