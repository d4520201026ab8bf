"""Middle vertex: units whose ways share a vertex pass beside it, each on the side where they are farthest apart.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: avoiding collisions by changing the
middle vertex. A passage is a way of two edges, p to v to q; only v is displaced, and the time that it takes stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel, leaf
from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_count, check_seed

__all__ = ["closest_approach", "most_distant", "passages"]

_EXHAUSTIVE = 3**6  # combinations up to which all are tried: six units with three passages each
_SAMPLED = 200
_EPSILON = 1e-9  # of a length: nearer ones are equal; of unit vectors: opposite

Floats = NDArray[np.float64]


def passages(p: ArrayLike, v: ArrayLike, q: ArrayLike) -> Floats:
    """Return float64[m, 3, 2]: the ways from place p by v to q: the unchanged one, then those that v is displaced in.

    A straight passage has three, with v to the walker's left and to the right; any other has two, with v on the inner
    side, which is shorter. v goes along the bisector of its edges (in a straight passage across it) half as far as it
    is to the hexagon around v with a corner in p. Of edges that aren't equal the shorter one is the hexagon's.

    p, v, q float64[2], as they are on the map: where p was displaced itself, put that into the result's [:, 0].
    Raises InputError unless all are finite and v isn't p or q.
    """
    given = freeze((p, v, q), np.float64, (3, 2), "places of a passage")
    before, middle, after = given
    if not np.isfinite(given).all() or (before == middle).all() or (after == middle).all():
        raise InputError(
            "places of a passage",
            found=f"{given.tolist()}",
            expected="finite ones, the middle one different from both others",
        )
    return passages_of(before, middle, after)


def passages_of(before: Floats, middle: Floats, after: Floats) -> Floats:
    """Return what `passages` returns, for places that are known to be right."""
    a, b = before - middle, after - middle
    to_p, to_q = math.hypot(*a.tolist()), math.hypot(*b.tolist())
    a, b = a / to_p, b / to_q
    middles = [middle]
    inward = a + b
    if math.hypot(*inward.tolist()) <= _EPSILON:
        left = np.array((-a[1], a[0]))  # a points backwards, y downwards
        middles += [middle + side * left * _reach(90.0) * min(to_p, to_q) for side in (1.0, -1.0)]
    else:
        half = math.degrees(math.atan2(abs(float(a[0] * b[1] - a[1] * b[0])), float(a @ b))) / 2
        middles.append(middle + inward / math.hypot(*inward.tolist()) * _reach(half) * min(to_p, to_q))
    return np.array([(before, place, after) for place in middles])


def closest_approach(f: ArrayLike, f_times: ArrayLike, g: ArrayLike, g_times: ArrayLike) -> float:
    """Return the least distance of two units on passages f and g at any time that both are on theirs; inf without one.

    f, g float64[3, 2]: places; f_times, g_times float64[3]: the seconds, on one clock, at which they are reached, each
    later than the one before. Raises InputError for others, and for numbers that aren't finite.
    """
    times = _checked_times([f_times, g_times])
    one, other = (_checked_choice(np.asarray(way)[None], i) for i, way in enumerate((f, g)))
    return float(_approaches(one, times[0], other, times[1])[0, 0])


def most_distant(
    choices: Sequence[ArrayLike], times: ArrayLike, *, sampled: int | None = None, seed: int = 0
) -> NDArray[np.int64]:
    """Return int64[n]: which passage each of n units takes, so that the closest approach of any two is the greatest.

    choices: for each unit its passages float64[m, 3, 2], the unchanged one first, see `passages`; times float64[n, 3]:
    when it is at each of the three places, whichever passage it takes. Of equals (up to 10⁻⁹ of the places' extent)
    the one with fewer displaced units is taken, then the first unit's lower number, then the second's and so on.

    All combinations are tried if there are at most 3⁶. Otherwise the result is the best of the unchanged one and of
    `sampled` random ones (None: 200), each improved by letting unit after unit take what is best for all; that takes
    time and memory for (sampled + 1) · n² numbers. Raises InputError for a unit without passages, as
    `closest_approach` does, and for a wrong count or seed.
    """
    count = check_count(_SAMPLED if sampled is None else sampled, "sampled combinations", 0)
    check_seed(seed)
    ways = [_checked_choice(choice, unit) for unit, choice in enumerate(choices)]
    return most_distant_of(ways, _checked_times(times, len(ways)), count, seed) if ways else np.zeros(0, np.int64)


def most_distant_of(ways: list[Floats], when: Floats, count: int = _SAMPLED, seed: int = 0) -> NDArray[np.int64]:
    """Return what `most_distant` returns, for passages of one unit or more and times that are known to be right."""
    places = np.concatenate(ways).reshape(-1, 2)
    margin = _EPSILON * float(np.ptp(places, axis=0).max())
    table = _table(ways, when)
    sizes = [len(way) for way in ways]
    if math.prod(sizes) <= _EXHAUSTIVE:
        combinations = np.stack(np.unravel_index(np.arange(math.prod(sizes)), sizes), 1)
        distances = _distances(table, combinations)
    else:
        unchanged = np.zeros((1, len(ways)), np.int64)
        rng = np.random.default_rng(seed)
        combinations = np.concatenate((unchanged, rng.integers(0, sizes, (count, len(ways)))))
        distances = _improve(table, combinations, margin)
    score = distances.min(axis=(1, 2))
    near = combinations[score >= score.max() - margin]
    order = np.lexsort((*near.T[::-1], np.count_nonzero(near, axis=1)))
    return near[order[0]].astype(np.int64)


def _reach(angle: float) -> float:
    """Return half the distance from the middle of a hexagon of side 1 to its rim, at an angle from a corner."""
    return 0.5 * math.cos(math.pi / 6) / math.cos(math.radians(angle % 60 - 30))


@leaf
def _place(way: Any, times: Any, t: float, axis: int) -> float:
    """Return a coordinate of the unit on a passage at a time that it is on it."""
    i = 0 if t <= times[1] else 1
    share = min(1.0, max(0.0, (t - times[i]) / (times[i + 1] - times[i])))
    return (1 - share) * way[i, axis] + share * way[i + 1, axis]


@kernel
def _approaches(f: Any, f_times: Any, g: Any, g_times: Any) -> Any:
    """Return float64[a, b]: the closest approach of each passage of f[a, 3, 2] to each of g[b, 3, 2]."""
    found = np.full((len(f), len(g)), np.inf)
    start, end = max(f_times[0], g_times[0]), min(f_times[2], g_times[2])
    if start > end:
        return found
    # both are linear between any two of these four times, so there the one moves straight, as seen from the other
    first, second = min(max(f_times[1], start), end), min(max(g_times[1], start), end)
    cuts = (start, min(first, second), max(first, second), end)
    for a in range(len(f)):
        for b in range(len(g)):
            for k in range(3):
                x = _place(f[a], f_times, cuts[k], 0) - _place(g[b], g_times, cuts[k], 0)
                y = _place(f[a], f_times, cuts[k], 1) - _place(g[b], g_times, cuts[k], 1)
                dx = _place(f[a], f_times, cuts[k + 1], 0) - _place(g[b], g_times, cuts[k + 1], 0) - x
                dy = _place(f[a], f_times, cuts[k + 1], 1) - _place(g[b], g_times, cuts[k + 1], 1) - y
                squared = dx * dx + dy * dy
                t = min(1.0, max(0.0, -(x * dx + y * dy) / squared)) if squared > 0 else 0.0
                x, y = x + t * dx, y + t * dy
                found[a, b] = min(found[a, b], math.sqrt(x * x + y * y))
    return found


def _table(ways: list[Floats], times: Floats) -> Floats:
    """Return float64[n, n, m, m]: the closest approach of unit i's passage a to unit j's b, at [i, j, a, b].

    A unit is at distance inf from itself; a passage that it doesn't have is at -inf from all others'.
    """
    n, m = len(ways), max(len(way) for way in ways)
    table = np.full((n, n, m, m), -np.inf)
    for i, way in enumerate(ways):
        table[i, i, : len(way), : len(way)] = np.inf
        for j in range(i):
            apart = _approaches(way, times[i], ways[j], times[j])
            table[i, j, : len(way), : len(ways[j])] = apart
            table[j, i, : len(ways[j]), : len(way)] = apart.T
    return table


def _distances(table: Floats, combinations: NDArray[np.int64]) -> Floats:
    """Return float64[c, n, n]: the closest approach of each two units in each of the combinations[c, n]."""
    unit = np.arange(len(table))
    return table[unit[:, None], unit, combinations[:, :, None], combinations[:, None, :]]


def _improve(table: Floats, combinations: NDArray[np.int64], margin: float) -> Floats:
    """Let unit after unit, in each combination, take the passage that is best for all; return their distances."""
    distances = _distances(table, combinations)
    others = np.arange(len(table))
    for i in others:
        distances[:, i, :] = distances[:, :, i] = np.inf
        rest = distances.min(axis=(1, 2))
        row = table[i, others, :, combinations]  # [c, n, m]: unit i's passages to what the others take
        value = np.minimum(rest[:, None], row.min(axis=1))
        best = np.argmax(value >= value.max(axis=1, keepdims=True) - margin, axis=1)
        combinations[:, i] = best
        distances[:, i, :] = distances[:, :, i] = row[np.arange(len(best)), :, best]
    return distances


def _checked_choice(choice: Any, unit: int) -> Floats:
    """Return a unit's passages; raises InputError unless there is one, and all are finite."""
    ways = freeze(choice, np.float64, (None, 3, 2), f"passages of unit {unit}")
    if not len(ways) or not np.isfinite(ways).all():
        raise InputError(
            f"passages of unit {unit}", found="inf" if len(ways) else "none", expected="at least one, of finite places"
        )
    return ways


def _checked_times(times: Any, units: int = 2) -> Floats:
    """Return the times of passages; raises InputError unless they are finite and rise."""
    given = freeze(times, np.float64, (units, 3), "times of passages")
    wrong = np.flatnonzero(~(np.isfinite(given).all(axis=1) & (np.diff(given, axis=1) > 0).all(axis=1)))
    if wrong.size:
        raise InputError(
            f"times of unit {wrong[0]}'s passage",
            found=f"{given[wrong[0]].tolist()}",
            expected="finite seconds, each later than the one before",
        )
    return given
