"""Slots: which unit takes which spot when a formation gathers, turns, or takes another shape.

H. W. Kuhn, "The Hungarian method for the assignment problem", 1955; for the longest way R. S. Garfinkel, "An improved
algorithm for the bottleneck assignment problem", 1971.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_choice
from anabasis.schema import Schema

__all__ = ["OBJECTIVES", "assign", "close_ranks"]

OBJECTIVES = ("total", "longest")
"""The least sum of all ways; the least longest way, and of such assignments the least sum."""

_SAME = 1e-9  # lengths, and sums of them, that differ by this share or less are not told apart


def assign(
    positions: ArrayLike,
    spots: ArrayLike,
    *,
    classes: ArrayLike | None = None,
    spot_classes: ArrayLike | None = None,
    objective: str = "total",
) -> NDArray[np.int64]:
    """Return int64[k], the spot of each unit, all different; ways are straight.

    positions float64[k, 2]; spots float64[m, 2], at least as many. classes int64[k] and spot_classes int64[m]: a unit
    takes only a spot of its own class. Objectives are the OBJECTIVES, both up to a share of 1e-9; among equals ways of
    like lengths are preferred to long and short ones, so a column that moves ahead keeps its order.

    Raises InputError where a class has more units than spots.
    """
    check_choice(objective, "objective", OBJECTIVES)
    here = freeze(positions, np.float64, (None, 2), "positions of units")
    there = freeze(spots, np.float64, (None, 2), "places of spots")
    parts = _parts(len(here), len(there), classes, spot_classes)
    ways = [_distances(here[units], there[places]) for units, places in parts]
    limit = max(map(_least_longest, ways), default=0.0) if objective == "longest" else np.inf
    taken = np.empty(len(here), np.int64)
    for (units, places), lengths in zip(parts, ways, strict=True):
        taken[units] = places[_least_total(lengths, limit)]
    return taken


def close_ranks(schema: Schema, held: ArrayLike) -> NDArray[np.int64]:
    """Return int64[k], the spots that the units take who are left of a formation, so that holes are at its rear.

    held int64[k]: the spots that they hold, all different. The leader's spot and the foremost of each class are filled,
    by the least sum of ways within the formation. Raises InputError for spots that the schema doesn't have.
    """
    now = freeze(held, np.int64, (None,), "spots that are held")
    if now.size and not 0 <= now.min() <= now.max() < schema.spots:
        wrong = now.min() if now.min() < 0 else now.max()
        raise InputError("a spot that is held", found=f"{wrong}", expected=f"0 to {schema.spots - 1}")
    spots = np.arange(schema.spots)
    order = np.lexsort((spots, schema.places[:, 1], spots != schema.leader))
    kept: list[int] = []
    for kind, count in zip(*np.unique(schema.classes[now], return_counts=True), strict=True):
        kept += order[schema.classes[order] == kind][:count].tolist()
    filled = np.sort(np.array(kept, np.int64))
    places, kinds = schema.places, schema.classes
    return filled[assign(places[now], places[filled], classes=kinds[now], spot_classes=kinds[filled])]


def _parts(
    units: int, spots: int, classes: ArrayLike | None, spot_classes: ArrayLike | None
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return the units and the spots of each class that has units; raises InputError for a class without room."""
    if classes is None and spot_classes is None:
        if units > spots:
            raise InputError(
                "spots for units", found=f"{units} units and {spots} spots", expected="a spot for each unit"
            )
        return [(np.arange(units), np.arange(spots))] if units else []
    if classes is None or spot_classes is None:
        missing = "units" if classes is None else "spots"
        raise InputError("classes of units and spots", found=f"none of the {missing}", expected="both or neither")
    kinds = freeze(classes, np.int64, (units,), "classes of units")
    rooms = freeze(spot_classes, np.int64, (spots,), "classes of spots")
    parts: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    for kind in np.unique(kinds).tolist():
        who, where = np.flatnonzero(kinds == kind), np.flatnonzero(rooms == kind)
        if who.size > where.size:
            raise InputError(
                f"spots for units of class {kind}",
                found=f"{who.size} units and {where.size} spots",
                expected="a spot of their class for each unit",
            )
        parts.append((who, where))
    return parts


def _distances(here: NDArray[np.float64], there: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k, m], from each unit to each spot; raises InputError for one that is not finite."""
    from scipy.spatial.distance import cdist

    lengths = np.asarray(cdist(here, there), np.float64)
    if not np.isfinite(lengths).all():
        raise InputError("positions of units and spots", found="a way without end", expected="finite coordinates")
    return lengths


def _least_longest(lengths: NDArray[np.float64]) -> float:
    """Return the least length such that each unit can get a spot no farther than that."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    steps = np.unique(lengths)
    low, high = int(np.searchsorted(steps, lengths.min(1).max())), len(steps) - 1  # each unit needs its nearest
    while low < high:
        middle = (low + high) // 2
        if (maximum_bipartite_matching(csr_array(lengths <= steps[middle]), perm_type="column") >= 0).all():
            high = middle
        else:
            low = middle + 1
    return float(steps[low])


def _least_total(lengths: NDArray[np.float64], limit: float) -> NDArray[np.intp]:
    """Return the spot of each unit such that no way is longer than the limit and their sum is least."""
    from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportUnknownVariableType]

    longest = float(lengths.max())
    if longest == 0:
        return np.arange(len(lengths))
    # a trace of the squares decides between equal sums: of those the even ways have the least
    cost = lengths * (1 + _SAME * (lengths / longest))
    cost[lengths > limit * (1 + _SAME)] = np.inf  # a way as long as the limit but for rounding is none too long
    _, columns = linear_sum_assignment(cost)
    return np.asarray(columns, np.intp)
