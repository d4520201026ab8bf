"""Moves of formations: how far a formation was out of shape over a whole move, and whatever else counts then.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: F(k), the curve fitted to it, and E_1.
New here: the fit stays right for errors of any size; collisions, cohesion, and evenness of speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.metrics.formations import angle_error, combined, distance_error, lengths_turns, links, placed
from anabasis.noun import array_of, freeze, set_field, summary
from anabasis.options import check_kind, check_length
from anabasis.schema import Schema

__all__ = [
    "EXPONENTS",
    "Fit",
    "MoveLog",
    "MoveMeasures",
    "exponential_fit",
    "fitted",
    "formed",
    "integral",
    "log_integral",
    "measure",
    "move_log",
]

Floats = NDArray[np.float64]

EXPONENTS = 10.0 ** ((np.arange(21) - 10) / 10)
"""float64[21]: the exponents k for which F(k) is taken, 0.1 to 10."""
EXPONENTS.flags.writeable = False


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


@dataclass(frozen=True, eq=False)
class MoveLog:
    """Observations of one formation: seconds float64[T], rising, and its errors then, float64[T] each, from 0.

    angle is in degrees², distance in length²; combined is made of the two in the way `how`.
    """

    seconds: Floats
    angle: Floats
    distance: Floats
    combined: Floats
    name: str = ""
    how: str = "mean"

    __repr__ = summary

    def __post_init__(self) -> None:
        seconds = freeze(self.seconds, np.float64, (None,), "seconds of a move")
        if not seconds.size:
            raise InputError("observations of a move", found="none", expected="at least one")
        _seconds(seconds)
        set_field(self, "seconds", seconds)
        for name in ("angle", "distance", "combined"):
            value = freeze(getattr(self, name), np.float64, seconds.shape, f"{name} errors of a move")
            if not (value.min() >= 0 and np.isfinite(value.max())):
                raise InputError(
                    f"{name} errors of a move", found=f"{value.min():g} to {value.max():g}", expected="numbers from 0"
                )
            set_field(self, name, value)


@dataclass(frozen=True, eq=False)
class Fit:
    """F(k) of a move, and the curve A·e^(B·k) through it.

    - exponents, log_integral float64[21]: k and the logarithm of F(k), -inf where F(k) is 0;
    - log_a, b: of the curve; e1 = A·e^B, its value at k = 1, the general error of the move, lower is better; e_base =
      e^B, close to the greatest error; f1: F(1) itself; all three 0 for a move without error.
    """

    exponents: Floats
    log_integral: Floats
    log_a: float
    b: float
    e1: float
    e_base: float
    f1: float

    __repr__ = summary


def formed(positions: ArrayLike, spots: ArrayLike) -> NDArray[np.float64]:
    """Return float64[T, k, 2]: where each spot is, nan for one that nobody holds.

    positions float64[T, k, 2] of units; spots int64[T, k]: the spot that each holds, -1 for a unit that has fallen.
    Raises InputError for a spot that two hold at once, and for one that isn't there.
    """
    given = freeze(positions, np.float64, (None, None, 2), "positions of units")
    held = freeze(spots, np.int64, given.shape[:2], "spots of a move")
    in_order = np.sort(held, axis=1)
    twice = ((np.diff(in_order, axis=1) == 0) & (in_order[:, 1:] >= 0)).any()
    if twice or (held < -1).any() or (held >= held.shape[1]).any():
        wanted = f"-1 to {held.shape[1] - 1}, each once in each frame"
        raise InputError("spots of a move", found="one that two hold, or nobody", expected=wanted)
    places = np.full((len(held), held.shape[1] + 1, 2), np.nan)
    np.put_along_axis(places, held[:, :, None] % (held.shape[1] + 1), given, 1)  # the fallen come last
    return places[:, :-1]


def _parts(schema: Schema, places: Floats) -> Iterator[tuple[NDArray[np.int64], Schema, Floats]]:
    """Yield frames in which the same spots are held: their numbers, the schema of these spots, and where they are."""
    there = ~np.isnan(places).any(2)
    if there.all():
        yield np.arange(len(places)), schema, places
        return
    kinds, kind = np.unique(there, axis=0, return_inverse=True)
    for i, left in enumerate(kinds):
        rows = np.flatnonzero(kind == i)
        if left.any():
            yield rows, schema.part(np.flatnonzero(left)), places[rows][:, left]


def _errors(schema: Schema, places: Floats) -> tuple[Floats, Floats]:
    """Return the errors of angles and distances, float64[T] each; those of the part that is left if some are nan."""
    both = np.zeros((2, len(places)))
    for rows, part, seen in _parts(schema, places):
        both[:, rows] = angle_error(part, seen), distance_error(part, seen)
    return both[0], both[1]


def _out_of_shape(schema: Schema, places: Floats, tolerance: float) -> NDArray[np.bool_]:
    """Return bool[T]: when some binding of the spots that are held is off by more than `tolerance`."""
    out = np.zeros(len(places), np.bool_)
    for rows, part, seen in _parts(schema, places):
        bound = links(part)
        out[rows] = (np.abs(lengths_turns(seen, bound.spots)[0] - bound.lengths) > tolerance).any(1)
    return out


def move_log(schema: Schema, seconds: ArrayLike, positions: ArrayLike, how: str = "mean", *, name: str = "") -> MoveLog:
    """Return the log of a move: positions float64[T, k, 2] at seconds float64[T]; how: one of `formations.COMBINED`.

    Positions are those of spots; where some are nan, as `formed` leaves them, errors are those of the others.
    """
    check_kind(schema, Schema, "schema")
    given = array_of(positions, "positions of a move")
    whole = np.nan_to_num(given, nan=0.0) if given.dtype.kind == "f" else given  # nobody holds what is nan
    checked = freeze(whole, np.float64, (None, schema.spots, 2), "positions of a move")
    angle, distance = _errors(schema, given.astype(np.float64).reshape(checked.shape))
    times = freeze(seconds, np.float64, (None,), "seconds of a move")
    return MoveLog(times, angle, distance, combined(angle, distance, how), name or "formation", how)


def fitted(log: MoveLog) -> Fit:
    """Return F(k) of the combined error for the exponents 0.1 to 10, and the curve fitted to it."""
    logs = log_integral(log.seconds, log.combined)
    log_a, b = exponential_fit(EXPONENTS, logs)
    with np.errstate(over="ignore"):
        e1, e_base = float(np.exp(log_a + b)), float(np.exp(b)) if logs.max() > -np.inf else 0.0
        f1 = float(np.diff(log.seconds, prepend=log.seconds[0]) @ log.combined)
    return Fit(EXPONENTS, logs, log_a, b, e1, e_base, f1)


@dataclass(frozen=True)
class MoveMeasures:
    """What a formation's move was like; errors are those of the chosen combination.

    - e1: A·e^B of the curve A·e^(B·k) fitted to F(k): its value at k = 1, the move's general error, lower is better;
    - e_base: e^B; close to the greatest error of the move; 0 if there was no error;
    - f1: F(1) itself, error · seconds; duration: seconds from the first observation to the last;
    - peak: the greatest error; mean: the mean over time;
    - collisions: how many times a pair came nearer than two radii, pairs that start so included;
      collision_seconds: how long some pair was;
    - cohesion: the mean distance of units from their centroid over time, as a ratio to that of the spots they hold;
    - out_of_shape: seconds in which some binding was too long or too short;
    - speed_variance: the variance of a unit's speed over time, the mean over units that don't fall.

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
    radius: ArrayLike,
    spots: ArrayLike | None = None,
    how: str = "mean",
    tolerance: float = 0.25,
) -> MoveMeasures:
    """Return the measures of one formation's move.

    times float64[T], in seconds, rising; positions float64[T, k, 2] of the units; spots int64[T, k]: the spot that each
    holds, by default the one of its number, -1 from when it has fallen: then it counts no more, and the shape is that
    of the spots that are held. radius: of all units, or float64[k]; who is nearer than both radii collides. A binding
    is out of shape if its length is off by more than `tolerance`, a share of the mean length that bindings of the whole
    schema should have. Raises InputError for no observation, times that do not rise, and what does not fit.
    """
    seconds = _seconds(times)
    given = placed(schema, positions, len(seconds))
    if not seconds.size:
        raise InputError("observations of a move", found="none", expected="at least one")
    wide = array_of(radius, "radius")
    radii = freeze(wide if wide.ndim else np.full(schema.spots, wide), np.float64, (schema.spots,), "radius")
    for one in np.unique(radii).tolist():
        check_length(one, "radius")
    share = float(freeze(tolerance, np.float64, (), "tolerance"))
    if not share >= 0:
        raise InputError("tolerance", found=f"{share:g}", expected="a share from 0")
    places = given
    if spots is not None:
        places = formed(given, spots)
        given = np.where(np.asarray(spots)[:, :, None] < 0, np.nan, given)
    log = move_log(schema, times, places, how)
    fit, errors = fitted(log), log.combined
    over_time = seconds / seconds.sum() if seconds.sum() else np.ones(1)
    collisions, near = _collisions(given, radii)
    lengths = links(schema).lengths
    wanted = np.where(np.isnan(places), np.nan, schema.places)  # of the spots that are held
    limit = share * float(lengths.mean()) if lengths.size else 0.0
    return MoveMeasures(
        e1=fit.e1,
        e_base=fit.e_base,
        f1=fit.f1,
        duration=float(seconds.sum()),
        peak=float(errors.max()),
        mean=float(over_time @ errors),
        collisions=collisions,
        collision_seconds=float(seconds @ near),
        cohesion=_ratio(float(over_time @ _spread(given)), float(over_time @ _spread(wanted))),
        out_of_shape=float(seconds @ _out_of_shape(schema, places, limit)),
        speed_variance=_speed_variance(seconds, given),
    )


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


def _collisions(positions: NDArray[np.float64], radii: Floats) -> tuple[int, NDArray[np.bool_]]:
    """Return how many times a pair came nearer than both radii float64[k], and in which frames some pair is."""
    frames, k, _ = positions.shape
    count, near = 0, np.zeros(frames, np.bool_)
    for unit in range(k - 1):
        apart = positions[:, unit + 1 :] - positions[:, unit, None]
        close = np.hypot(apart[..., 0], apart[..., 1]) < radii[unit] + radii[unit + 1 :]
        count += int(close[0].sum() + (close[1:] & ~close[:-1]).sum())
        near |= close.any(1)
    return count, near


def _spread(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[...]: the mean distance of units from their centroid; the fallen are nan, and 0 if all are."""
    there = ~np.isnan(places[..., :1])
    count = np.maximum(there.sum(-2), 1)
    centre = np.where(there, places, 0.0).sum(-2) / count
    apart = np.where(there, places - centre[..., None, :], 0.0)
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).sum(-1) / count[..., 0])


def _ratio(value: float, wanted: float) -> float:
    if wanted:
        return value / wanted
    return np.inf if value else 1.0


def _speed_variance(seconds: NDArray[np.float64], positions: NDArray[np.float64]) -> float:
    """Return the mean variance of speeds of the units that don't fall, 0 without any."""
    lasting, standing = seconds[1:], positions[:, ~np.isnan(positions).any((0, 2))]
    if not (lasting.size and standing.size):
        return 0.0
    way = np.diff(standing, axis=0)
    speed = np.hypot(way[..., 0], way[..., 1]) / lasting[:, None]
    share = lasting / lasting.sum()
    return float((share @ np.square(speed - share @ speed)).mean())
