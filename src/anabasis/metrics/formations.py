"""Formation measures: how far a formation is out of shape, at one moment and over a whole move.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: the errors of distances and of angles,
their combinations, and F(k). New here: angles are compared the short way round; the fit stays right for errors of any
size; collisions, cohesion, and evenness of speed. All places are those where units are seen, displacements included.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import array_of, freeze
from anabasis.options import check_choice, check_kind, check_length
from anabasis.schema import Schema

__all__ = [
    "COMBINED",
    "EXPONENTS",
    "Links",
    "MoveMeasures",
    "angle_error",
    "combined",
    "distance_error",
    "exponential_fit",
    "integral",
    "links",
    "log_integral",
    "measure",
    "shape_error",
]

COMBINED = ("angle", "distance", "max", "min", "geometric", "mean", "harmonic")
"""Ways to make one error of the two: f^A, f^D, f^M, f^N, f^S, f^P, f^H of the source."""

EXPONENTS = 10.0 ** ((np.arange(21) - 10) / 10)
"""float64[21]: the exponents k for which F(k) is taken, 0.1 to 10."""
EXPONENTS.flags.writeable = False


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
    lengths, turns = _lengths_turns(schema.places, spots)
    outward = turns[pairs] + np.where(spots[pairs, 0] == at[:, None], 0, 0.5)
    angles = (outward[:, 1] - outward[:, 0]) % 1
    angles[np.minimum(angles, 1 - angles) < 1e-12] = 0  # a hair below 0 is no whole turn
    return Links(spots, lengths, turns, pairs, table[:, 3], angles)


def distance_error(schema: Schema, positions: ArrayLike) -> NDArray[np.float64]:
    """Return float64[...]: the mean over all bindings of the squared difference of length and wanted length.

    positions float64[..., k, 2], with any axes before, such as frames. Without bindings the error is 0. Raises
    InputError for another number of units than spots, and for places that are not finite.
    """
    given, bound = _placed(schema, positions), links(schema)
    lengths, _ = _lengths_turns(given, bound.spots)
    return np.asarray(np.square(lengths - bound.lengths).sum(-1) / max(len(bound.spots), 1), np.float64)


def angle_error(schema: Schema, positions: ArrayLike, *, wrapped: bool = True) -> NDArray[np.float64]:
    """Return float64[...], in degrees²: the mean squared error of the angles between bindings out of the same spot.

    Each spot counts as many times as it has bindings; one with fewer than two has no error. Errors are taken the short
    way round, at most 180°; wrapped=False takes differences of two angles from 0° to 360° as they are, which makes
    359° of what is 1° off where both bindings should point the same way. Turning, moving or resizing the whole
    formation does not change the wrapped error. Of two bound units in the same place the one of the lower number
    counts as standing towards -x. Arguments and errors as in `distance_error`.
    """
    given, bound = _placed(schema, positions), links(schema)
    _, turns = _lengths_turns(given, bound.spots)
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


def log_integral(times: ArrayLike, errors: ArrayLike, exponents: ArrayLike = EXPONENTS) -> NDArray[np.float64]:
    """Return float64[e]: the logarithms of F(k) for the exponents k; never too great, -inf where F(k) is 0.

    F(k) = Σ t_i · f_i^k over errors float64[T], from 0; t_i is the time since the observation before, by times
    float64[T] in seconds: the first observation only starts the clock. Raises InputError for times that do not rise,
    for errors below 0 or not finite, and for exponents that are not above 0.
    """
    seconds = _seconds(times)
    f = freeze(errors, np.float64, (seconds.size,), "errors over a move")
    k = freeze(exponents, np.float64, (None,), "exponents")
    if f.size and not (f.min() >= 0 and np.isfinite(f.max())):
        raise InputError("errors over a move", found=f"{f.min():g} to {f.max():g}", expected="finite numbers from 0")
    if k.size and not (k.min() > 0 and np.isfinite(k.max())):
        raise InputError("exponents", found=f"{k.min():g} to {k.max():g}", expected="finite numbers above 0")
    with np.errstate(divide="ignore"):
        terms = np.log(seconds) + k[:, None] * np.log(f)
    return np.logaddexp.reduce(terms, axis=1, initial=-np.inf)


def integral(times: ArrayLike, errors: ArrayLike, exponents: ArrayLike = EXPONENTS) -> NDArray[np.float64]:
    """Return float64[e]: F(k) for the exponents k, inf only where it is too great for a double; see `log_integral`."""
    with np.errstate(over="ignore"):
        return np.exp(log_integral(times, errors, exponents))


def exponential_fit(x: ArrayLike, log_y: ArrayLike) -> tuple[float, float]:
    """Return (ln A, B) of the curve y = A·e^(B·x) through points x, ln y, float64[n] each.

    Least squares of ln y, each point with the weight y. Points of y = 0 (ln y = -inf) are skipped. Where fewer than two
    different x are left the curve is level: B = 0, A the mean by weight; of no point at all it is (-inf, 0). The sums
    are taken about the point of greatest weight, since y over tens of orders of magnitude leaves nothing of the usual
    formula's differences of products. Raises InputError for x that are not finite and for y that are infinite.
    """
    xs = freeze(x, np.float64, (None,), "x of a fit")
    logs = freeze(log_y, np.float64, (len(xs),), "ln y of a fit")
    if xs.size and not (np.isfinite(xs).all() and logs.max() < np.inf):
        raise InputError("points of a fit", found="inf", expected="finite x, and ln y below inf")
    xs, logs = xs[logs > -np.inf], logs[logs > -np.inf]
    if not xs.size:
        return -np.inf, 0.0
    top = int(np.argmax(logs))
    dx, dl = xs - xs[top], logs - logs[top]
    weights = np.exp(dl)
    weights /= weights.sum()
    mean_x, mean_l, b = float(weights @ dx), float(weights @ dl), 0.0
    second = np.where(dx != 0, dl, -np.inf)
    # next to no weight but that of one x: the curve goes through the two heaviest points, if there are two
    if second.max() < -600:
        i = int(np.argmax(second))
        b = float(dl[i] / dx[i]) if dx[i] else 0.0
    else:
        b = float((weights * (dx - mean_x)) @ (dl - mean_l) / (weights @ np.square(dx - mean_x)))
    return float(logs[top]) + mean_l - b * (float(xs[top]) + mean_x), b


@dataclass(frozen=True)
class MoveMeasures:
    """What a formation's move was like; errors are those of the chosen combination.

    - e1: A·e^B of the curve A·e^(B·k) fitted to F(k): its value at k = 1, the move's general error, lower is better;
    - e_base: e^B; close to the greatest error of the move; 0 if there was no error;
    - f1: F(1) itself, error · seconds; duration: seconds from the first observation to the last;
    - peak: the greatest error; mean: the mean over time;
    - collisions: how many times a pair came nearer than two radii, pairs that start so included;
      collision_seconds: how long some pair was;
    - cohesion: the mean distance of units from their centroid over time, as a ratio to the schema's;
    - out_of_shape: seconds in which some binding was too long or too short;
    - speed_variance: the variance of a unit's speed over time, the mean over units.

    Seconds are counted at the observation that ends them, so a state seen only at the first one has none.
    """

    e1: float
    e_base: float
    f1: float
    duration: float
    peak: float
    mean: float
    collisions: int
    collision_seconds: float
    cohesion: float
    out_of_shape: float
    speed_variance: float


def measure(
    schema: Schema,
    times: ArrayLike,
    positions: ArrayLike,
    *,
    radius: float,
    how: str = "mean",
    tolerance: float = 0.25,
) -> MoveMeasures:
    """Return the measures of one formation's move.

    times float64[T], in seconds, rising; positions float64[T, k, 2]: unit i holds spot i. Units nearer than 2·radius
    collide. A binding is out of shape if its length is off by more than `tolerance`, a share of the mean length that
    bindings should have. Raises InputError for no observation, times that do not rise, and what does not fit.
    """
    seconds = _seconds(times)
    given = _placed(schema, positions, len(seconds))
    if not seconds.size:
        raise InputError("observations of a move", found="none", expected="at least one")
    reach, share = 2 * check_length(radius, "radius"), float(freeze(tolerance, np.float64, (), "tolerance"))
    if not share >= 0:
        raise InputError("tolerance", found=f"{share:g}", expected="a share from 0")
    errors = shape_error(schema, given, how)
    logs = log_integral(times, errors)
    log_a, b = exponential_fit(EXPONENTS, logs)
    f1 = float(seconds @ errors)
    over_time = seconds / seconds.sum() if seconds.sum() else np.ones(1)
    collisions, near = _collisions(given, reach)
    bound = links(schema)
    off = np.abs(_lengths_turns(given, bound.spots)[0] - bound.lengths)
    limit = share * float(bound.lengths.mean()) if bound.lengths.size else 0.0
    with np.errstate(over="ignore"):
        e1, e_base = float(np.exp(log_a + b)), float(np.exp(b)) if logs.max() > -np.inf else 0.0
    return MoveMeasures(
        e1=e1,
        e_base=e_base,
        f1=f1,
        duration=float(seconds.sum()),
        peak=float(errors.max()),
        mean=float(over_time @ errors),
        collisions=collisions,
        collision_seconds=float(seconds @ near),
        cohesion=_ratio(float(over_time @ _spread(given)), float(_spread(schema.places))),
        out_of_shape=float(seconds @ (off > limit).any(1)),
        speed_variance=_speed_variance(seconds, given),
    )


def _placed(schema: Schema, positions: ArrayLike, frames: int | None = None) -> NDArray[np.float64]:
    """Return positions float64[..., k, 2], checked; frames: that there is one axis before, of this length."""
    check_kind(schema, Schema, "schema")
    given = array_of(positions, "positions")
    before = (None,) * max(given.ndim - 2, 0) if frames is None else (frames,)
    given = freeze(given, np.float64, (*before, schema.spots, 2), "positions of a formation")
    if not np.isfinite(given).all():
        raise InputError("positions of a formation", found="inf", expected="finite coordinates")
    return given


def _seconds(times: ArrayLike) -> NDArray[np.float64]:
    """Return how long each observation stands for: the time since the one before, 0 for the first."""
    given = freeze(times, np.float64, (None,), "times of a move")
    if not np.isfinite(given).all():
        raise InputError("times of a move", found="inf", expected="finite seconds")
    late = np.flatnonzero(np.diff(given) <= 0)
    if late.size:
        i = int(late[0])
        raise InputError("times of a move", found=f"{given[i + 1]:g} after {given[i]:g}", expected="seconds that rise")
    return np.diff(given, prepend=given[:1])


def _lengths_turns(
    places: NDArray[np.float64], spots: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the length of each link, and where it points, in turns: float64[..., m] each."""
    apart = places[..., spots[:, 1], :] - places[..., spots[:, 0], :]
    x, y = apart[..., 0], apart[..., 1]
    return np.hypot(x, y), np.arctan2(y, x) / (2 * np.pi)


def _collisions(positions: NDArray[np.float64], reach: float) -> tuple[int, NDArray[np.bool_]]:
    """Return how many times a pair came nearer than `reach`, and in which frames some pair is."""
    frames, k, _ = positions.shape
    count, near = 0, np.zeros(frames, np.bool_)
    for unit in range(k - 1):
        apart = positions[:, unit + 1 :] - positions[:, unit, None]
        close = np.hypot(apart[..., 0], apart[..., 1]) < reach
        count += int(close[0].sum() + (close[1:] & ~close[:-1]).sum())
        near |= close.any(1)
    return count, near


def _spread(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[...]: the mean distance of units from their centroid."""
    apart = places - places.mean(-2, keepdims=True)
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).mean(-1))


def _ratio(value: float, wanted: float) -> float:
    if wanted:
        return value / wanted
    return np.inf if value else 1.0


def _speed_variance(seconds: NDArray[np.float64], positions: NDArray[np.float64]) -> float:
    if seconds.size < 2:
        return 0.0
    lasting = seconds[1:]
    way = np.diff(positions, axis=0)
    speed = np.hypot(way[..., 0], way[..., 1]) / lasting[:, None]
    share = lasting / lasting.sum()
    return float((share @ np.square(speed - share @ speed)).mean())
