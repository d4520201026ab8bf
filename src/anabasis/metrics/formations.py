"""Formation errors: how far a formation is out of shape at one moment.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: the errors of distances and of angles,
and their combinations. New here: angles are compared the short way round. All places are those where units are seen,
displacements included.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import array_of, freeze
from anabasis.options import check_choice, check_kind
from anabasis.schema import Schema

__all__ = [
    "COMBINED",
    "Links",
    "angle_error",
    "combined",
    "distance_error",
    "lengths_turns",
    "links",
    "placed",
    "shape_error",
]

COMBINED = ("angle", "distance", "max", "min", "geometric", "mean", "harmonic")
"""Ways to make one error of the two: f^A, f^D, f^M, f^N, f^S, f^P, f^H of the source."""


@dataclass(frozen=True, eq=False)
class Links:
    """The bindings of a schema, once for both directions, and the pairs of them that meet at a spot.

    - spots int64[m, 2]: the two spots of each, the lower number first;
    - lengths float64[m], turns float64[m]: how long it should be, and where it should point from the lower spot to the
      higher one, in whole turns from the x axis to the y axis;
    - pairs int64[p, 2]: two links that meet at a spot, shares float64[p]: how much of the angle error they make up;
    - angles float64[p]: the angle that should be from the first one to the second, out of that spot, from 0 to below 1.
    """

    spots: NDArray[np.int64]
    lengths: NDArray[np.float64]
    turns: NDArray[np.float64]
    pairs: NDArray[np.int64]
    shares: NDArray[np.float64]
    angles: NDArray[np.float64]


def links(schema: Schema) -> Links:
    """Return the bindings of a schema as errors are computed from them."""
    check_kind(schema, Schema, "schema")
    spots = np.unique(np.sort(schema.bindings, axis=1), axis=0).reshape(-1, 2)
    at_spot: list[list[int]] = [[] for _ in range(schema.spots)]
    for link, (low, high) in enumerate(spots.tolist()):
        at_spot[low].append(link)
        at_spot[high].append(link)
    # a spot with n bindings counts n of |B|, spread over its n(n - 1)/2 pairs
    found = [
        (first, second, spot, 2 / (len(bound) - 1) / (2 * len(spots)))
        for spot, bound in enumerate(at_spot)
        for first, second in combinations(bound, 2)
    ]
    table = np.array(found, np.float64).reshape(-1, 4)
    pairs, at = table[:, :2].astype(np.int64), table[:, 2].astype(np.int64)
    lengths, turns = lengths_turns(schema.places, spots)
    outward = turns[pairs] + np.where(spots[pairs, 0] == at[:, None], 0, 0.5)
    angles = (outward[:, 1] - outward[:, 0]) % 1
    angles[np.minimum(angles, 1 - angles) < 1e-12] = 0  # a hair below 0 is no whole turn
    return Links(spots, lengths, turns, pairs, table[:, 3], angles)


def distance_error(schema: Schema, positions: ArrayLike) -> NDArray[np.float64]:
    """Return float64[...]: the mean over all bindings of the squared difference of length and wanted length.

    positions float64[..., k, 2], with any axes before, such as frames. Without bindings the error is 0. Raises
    InputError for another number of units than spots, and for places that are not finite.
    """
    given, bound = placed(schema, positions), links(schema)
    lengths, _ = lengths_turns(given, bound.spots)
    return np.asarray(np.square(lengths - bound.lengths).sum(-1) / max(len(bound.spots), 1), np.float64)


def angle_error(schema: Schema, positions: ArrayLike, *, wrapped: bool = True) -> NDArray[np.float64]:
    """Return float64[...], in degrees²: the mean squared error of the angles between bindings out of the same spot.

    Each spot counts as many times as it has bindings; one with fewer than two has no error. Errors are taken the short
    way round, at most 180°; wrapped=False takes differences of two angles from 0° to 360° as they are, which makes
    359° of what is 1° off where both bindings should point the same way. Turning, moving or resizing the whole
    formation does not change the wrapped error. Of two bound units in the same place the one of the lower number
    counts as standing towards -x. Arguments and errors as in `distance_error`.
    """
    given, bound = placed(schema, positions), links(schema)
    _, turns = lengths_turns(given, bound.spots)
    # both directions of a link are off by the same angle, so a pair is off by the difference of its links' errors; that
    # is taken from -limit to below 1 - limit: the short way round, or the difference of two angles from 0 to below 1
    off = turns - bound.turns
    wrong = off[..., bound.pairs[:, 1]] - off[..., bound.pairs[:, 0]]
    wrong -= np.floor(wrong + (0.5 if wrapped else bound.angles))
    return np.asarray(np.square(360 * wrong) @ bound.shares, np.float64)


def combined(angle: ArrayLike, distance: ArrayLike, how: str = "mean") -> NDArray[np.float64]:
    """Return one error of two, float64[...], in one of the ways COMBINED; "harmonic" is 0 where either of them is."""
    check_choice(how, "combination of errors", COMBINED)
    a, d = np.asarray(angle, np.float64), np.asarray(distance, np.float64)
    if how == "angle":
        return a
    if how == "distance":
        return d
    low, high = np.minimum(a, d), np.maximum(a, d)
    if how == "max":
        return high
    if how == "min":
        return low
    if how == "geometric":
        return np.sqrt(a) * np.sqrt(d)  # the product itself may be too great for a double
    if how == "mean":
        return (a + d) / 2
    return 2 * low / (1 + np.divide(low, high, out=np.ones_like(low), where=high > 0))


def shape_error(
    schema: Schema, positions: ArrayLike, how: str = "mean", *, wrapped: bool = True
) -> NDArray[np.float64]:
    """Return float64[...]: the combined error of positions float64[..., k, 2]; see `combined` and `angle_error`."""
    return combined(angle_error(schema, positions, wrapped=wrapped), distance_error(schema, positions), how)


def placed(schema: Schema, positions: ArrayLike, frames: int | None = None) -> NDArray[np.float64]:
    """Return positions float64[..., k, 2], checked; frames: that there is one axis before, of this length."""
    check_kind(schema, Schema, "schema")
    given = array_of(positions, "positions")
    before = (None,) * max(given.ndim - 2, 0) if frames is None else (frames,)
    given = freeze(given, np.float64, (*before, schema.spots, 2), "positions of a formation")
    if not np.isfinite(given).all():
        raise InputError("positions of a formation", found="inf", expected="finite coordinates")
    return given


def lengths_turns(
    places: NDArray[np.float64], spots: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the length of each link, and where it points, in turns: float64[..., m] each."""
    apart = places[..., spots[:, 1], :] - places[..., spots[:, 0], :]
    x, y = apart[..., 0], apart[..., 1]
    return np.hypot(x, y), np.arctan2(y, x) / (2 * np.pi)
