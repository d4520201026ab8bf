"""Arrival: slowing down those whose way is shorter, so that all units of a formation arrive at once.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: synchronisation of arrival.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.manoeuvre import SYNCHRONISATION
from anabasis.noun import freeze
from anabasis.options import check_choice

__all__ = ["synchronised"]


def synchronised(costs: ArrayLike, total: float, method: str = "adaptive") -> NDArray[np.float64]:
    """Return float64[n]: seconds for each of the n steps of one unit, raised so that they add up to `total`.

    costs float64[n]: seconds that the steps take at full speed, each above 0. total: seconds of the slowest unit; one
    that takes as long or longer by itself keeps its costs, as all do with "none". An empty path stays empty. The other
    methods, with c a cost, m the sum of all:

    - "multiplicative": c · total / m, each step slower by the same factor;
    - "additive": c + (total - m) / n, each step slower by the same time;
    - "adaptive": max(c, D), with the level D for which the sum is right; only cheap steps become slower, so the
      unit walks more evenly.

    Raises InputError for a cost that isn't above 0 and finite, a total that isn't finite and at least 0, and a method
    that isn't in SYNCHRONISATION.
    """
    check_choice(method, "synchronisation", SYNCHRONISATION)
    given = freeze(costs, np.float64, (None,), "costs of steps")
    wrong = np.flatnonzero(~(np.isfinite(given) & (given > 0)))
    if wrong.size:
        raise InputError(
            f"the cost of step {wrong[0]} of a path", found=f"{given[wrong[0]]:g}", expected="finite seconds above 0"
        )
    most = float(freeze(total, np.float64, (), "total of a path"))
    if not 0 <= most < math.inf:
        raise InputError("total of a path", found=f"{most:g}", expected="finite seconds of at least 0")
    return raised(given, most, method)


def raised(given: NDArray[np.float64], most: float, method: str) -> NDArray[np.float64]:
    """Return what `synchronised` returns, for arguments that are known to be right."""
    with np.errstate(over="ignore"):  # a sum of inf is above any total
        own = float(given.sum())
        if method == "none" or own >= most or not given.size:
            return given.copy()
        if method == "multiplicative":
            slower = given / own * most  # the share of the whole first: most / own might be inf
        elif method == "additive":
            slower = given + (most - own) / given.size
        else:
            slower = np.full(given.size, _level(np.sort(given), most))
    return np.maximum(given, slower)


def _level(rising: NDArray[np.float64], total: float) -> Any:
    """Return the D for which max(c, D), over all costs c, adds up to `total`, which is above the sum of the costs.

    Like water that is poured on the costs, the lowest k of them are covered up to D, and the others, the rest, are
    as they were: k · D + rest = total.
    """
    n = rising.size
    covered = np.arange(1, n + 1)
    rest = np.zeros(n)
    rest[:-1] = np.cumsum(rising[:0:-1])[::-1]
    k = max(1, int(np.count_nonzero(covered * rising + rest <= total)))
    level = (total - rest[k - 1]) / k
    # between the last covered cost and the next, whatever was rounded: so a larger total never gives a lower level
    return np.clip(level, rising[k - 1], rising[k] if k < n else np.inf)
