"""Schema: a formation as it should be: spots, who keeps to whom, and at what offset.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import array_of, freeze, set_field, summary
from anabasis.options import check_length, check_near

__all__ = ["Schema", "outermost", "turn"]


def turn(vectors: ArrayLike, azimuth: float) -> NDArray[np.float64]:
    """Turn vectors float64[..., 2] that are meant for a march to the north so that it goes to `azimuth`.

    Azimuths are degrees clockwise from north, as seen on a map whose y grows downwards.
    """
    given = array_of(vectors, "what is to be turned")
    given = freeze(given, np.float64, (None,) * given.ndim, "what is to be turned")
    angle = float(freeze(azimuth, np.float64, (), "azimuth"))
    if given.shape[-1:] != (2,) or not math.isfinite(angle):
        found = f"an azimuth of {angle}" if given.shape[-1:] == (2,) else f"vectors of shape {given.shape}"
        raise InputError("what is to be turned", found=found, expected="vectors (x, y) and finite degrees")
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return np.stack((c * given[..., 0] - s * given[..., 1], s * given[..., 0] + c * given[..., 1]), -1)


def outermost(places: ArrayLike) -> NDArray[np.float64]:
    """Return float64[k]: how far the outermost spot of each spot's rank is to the same side of the leader.

    places float64[k, 2] for a march to the north; spots of one rank are equally far behind.
    """
    x, y = freeze(places, np.float64, (None, 2), "places of spots").T
    half = 2 * np.unique(np.round(y, 9), return_inverse=True)[1] + (x < 0)
    outer = np.zeros(int(half.max(initial=0)) + 1)
    np.maximum.at(outer, half, np.abs(x))
    return outer[half]


@dataclass(frozen=True, eq=False)
class Schema:
    """Spots in their places for a march to the north (x to the right, y backwards), with bindings and a hierarchy.

    - places float64[k, 2], the leader's (0, 0);
    - ancestor int64[k]: each spot's immediate commander; the leader is its own;
    - bindings int64[b, 2]: ordered pairs of spots that should keep their offset, each in both directions, all pairs of
      a spot and its commander among them; weights float64[b], above 0: how much each counts in a combined search;
    - classes int64[k]: which class of units each spot is for.

    The offset of a binding (s, t) is places[t] - places[s]: offsets that contradict one another can't be said.
    """

    places: NDArray[np.float64]
    ancestor: NDArray[np.int64]
    bindings: NDArray[np.int64]
    weights: NDArray[np.float64]
    classes: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        places = freeze(self.places, np.float64, (None, 2), "places of a schema")
        k = len(places)
        ancestor = freeze(self.ancestor, np.int64, (k,), "ancestors of a schema")
        bindings = freeze(self.bindings, np.int64, (None, 2), "bindings of a schema")
        weights = freeze(self.weights, np.float64, (len(bindings),), "weights of a schema")
        classes = freeze(self.classes, np.int64, (k,), "classes of a schema")
        check_near(places, "places of a schema")
        if weights.size and not (np.isfinite(weights).all() and weights.min() > 0):
            wrong = weights[~(np.isfinite(weights) & (weights > 0))][0]
            raise InputError("weights of a schema", found=f"{wrong}", expected="finite weights above 0")
        leader = _leader(ancestor)
        if places[leader].any():
            raise InputError(
                f"the place of spot {leader}, the leader's",
                found=f"({places[leader, 0]:g}, {places[leader, 1]:g})",
                expected="(0, 0): all places are as seen from the leader",
            )
        _check_bindings(bindings, ancestor)
        for name, value in (("places", places), ("ancestor", ancestor), ("bindings", bindings)):
            set_field(self, name, value)
        set_field(self, "weights", weights)
        set_field(self, "classes", classes)

    @classmethod
    def of(
        cls,
        places: ArrayLike,
        ancestor: ArrayLike,
        pairs: ArrayLike = (),
        *,
        classes: ArrayLike | None = None,
    ) -> Schema:
        """Make a schema of weight 1 from places in any frame: the leader's becomes (0, 0).

        pairs int64[p, 2]: spots bound to each other, once for both directions; those of the hierarchy are added.
        """
        given = freeze(places, np.float64, (None, 2), "places of a schema")
        above = freeze(ancestor, np.int64, (len(given),), "ancestors of a schema")
        if not np.isfinite(given).all():
            raise InputError("places of a schema", found="inf", expected="finite coordinates")
        leader = _leader(above)
        more = freeze(pairs, np.int64, (None, 2), "pairs of a schema")
        spots = np.arange(len(given))
        below = spots[spots != leader]
        both = np.concatenate((np.stack((above[below], below), 1), more))
        both = np.unique(np.concatenate((both, both[:, ::-1])), axis=0)
        kinds = np.zeros(len(given), np.int64) if classes is None else classes
        return cls(given - given[leader], above, both, np.ones(len(both)), freeze(kinds, np.int64, (None,), "classes"))

    @property
    def spots(self) -> int:
        """Number of spots."""
        return len(self.places)

    @cached_property
    def leader(self) -> int:
        """The spot that is its own commander."""
        return _leader(self.ancestor)

    @property
    def offsets(self) -> NDArray[np.float64]:
        """float64[b, 2]: what each binding should measure, for a march to the north."""
        return self.places[self.bindings[:, 1]] - self.places[self.bindings[:, 0]]

    @cached_property
    def spacing(self) -> float:
        """How far the two closest places of spots are apart; 1 where there is but one."""
        from scipy.spatial import KDTree

        places = np.unique(np.round(self.places, 9), axis=0)
        return float(np.asarray(KDTree(places).query(places, k=2)[0])[:, 1].min()) if len(places) > 1 else 1.0

    def least_room(self, wide: float) -> NDArray[np.float64]:
        """Return float64[2]: with how much room to the left and right ranks that are drawn in keep spots `wide` apart.

        A rank is drawn in on each side by itself, all its spots alike.
        """
        least = np.zeros(2)
        rank = np.unique(np.round(self.places[:, 1], 9), return_inverse=True)[1]
        for number in range(rank.max() + 1):
            x = np.unique(np.round(self.places[rank == number, 0], 9))
            share = min(1.0, wide / float(np.diff(x).min())) if len(x) > 1 else 0.0
            least = np.maximum(least, np.array((-x[0], x[-1])) * share)
        return least

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """int64[k]: all spots, each after its commander; of equals the lower number first."""
        depth = np.zeros(self.spots, np.int64)
        above = self.ancestor.copy()
        while (above != self.leader).any():
            depth += above != self.leader
            above = self.ancestor[above]
        depth += np.arange(self.spots) != self.leader
        return np.argsort(depth, kind="stable")

    @cached_property
    def loads(self) -> NDArray[np.float64]:
        """float64[k]: what each spot counts in a mean over them: the weights of its bindings, 1 where none has any."""
        total = np.zeros(self.spots)
        np.add.at(total, self.bindings[:, 0], self.weights)
        return total if total.any() else np.ones(self.spots)

    def turned(self, azimuth: float) -> NDArray[np.float64]:
        """Return float64[k, 2], the places for a march to `azimuth`, in degrees clockwise from north."""
        return turn(self.places, azimuth)

    def in_files(self, left: float, right: float, wide: float) -> NDArray[np.float64]:
        """Return float64[k, 2]: places for a march to the north, in as many files as fit beside the leader's way.

        left, right: the room beside it for the middles of units; wide: how far files are apart at least. Who stood in
        front stands in front, and who stood to the left does so within a rank. Ranks are `spacing` apart, and files
        where there is room. In the middle is the way, or what is nearest to it.
        """
        places = np.zeros((self.spots, 2))
        files = 1 + int((left + right) / wide + 1e-9)
        beside = min(self.spacing, (left + right) / max(files - 1, 1))
        half = (files - 1) / 2 * beside
        middle = min(max(0.0, half - left), right - half)
        x, y = self.places.T
        others = np.lexsort((x, np.abs(x), y))
        others = others[others != self.leader]
        for first in range(0, len(others), files):
            rank = others[first : first + files]
            rank = rank[np.argsort(x[rank], kind="stable")]
            places[rank, 0] = middle + (np.arange(len(rank)) - (len(rank) - 1) / 2) * beside
            places[rank, 1] = (1 + first // files) * self.spacing
        return places

    def part(self, spots: ArrayLike) -> Schema:
        """Return the schema of some of the spots, int64[m], rising, at the same distances.

        Who has lost its commander is under the next one above that is left; the first of those without any, in the
        order, leads, and the others are under it. Raises InputError for no spot, and for spots that don't rise.
        """
        kept = freeze(spots, np.int64, (None,), "spots of a part")
        if not kept.size or (np.diff(kept) <= 0).any() or kept[0] < 0 or kept[-1] >= self.spots:
            expected = f"some of 0 to {self.spots - 1}, rising"
            raise InputError("spots of a part", found=f"{kept.tolist()}", expected=expected)
        number = np.full(self.spots, -1)
        number[kept] = np.arange(len(kept))
        above = np.zeros(len(kept), np.int64)
        first = -1
        for spot in self.order[number[self.order] >= 0].tolist():
            over = int(self.ancestor[spot])
            while number[over] < 0 and over != self.leader:
                over = int(self.ancestor[over])
            alone = number[over] < 0 or over == spot
            if alone and first < 0:
                first = int(number[spot])
            above[number[spot]] = first if alone else number[over]
        left = number[self.bindings[(number[self.bindings] >= 0).all(1)]]
        made = Schema.of(self.places[kept], above, left, classes=self.classes[kept])
        weight = {(s, t): w for (s, t), w in zip(number[self.bindings].tolist(), self.weights.tolist(), strict=True)}
        weights = np.array([weight.get((s, t), 1.0) for s, t in made.bindings.tolist()])
        return Schema(made.places, made.ancestor, made.bindings, weights, made.classes)

    def resized(self, factor: float) -> Schema:
        """Return the schema with all distances multiplied; raises InputError unless the factor is above 0."""
        check_length(factor, "factor")
        return Schema(self.places * factor, self.ancestor, self.bindings, self.weights, self.classes)


def _leader(ancestor: NDArray[np.int64]) -> int:
    """Return the one spot that is its own commander; raises InputError unless all others come to it."""
    k = len(ancestor)
    if not k:
        raise InputError("a schema", found="no spot", expected="at least one spot, the leader's")
    if ancestor.min() < 0 or ancestor.max() >= k:
        raise InputError(
            "a commander in a schema",
            found=f"spot {ancestor.min() if ancestor.min() < 0 else ancestor.max()}",
            expected=f"a spot from 0 to {k - 1}",
        )
    own = np.flatnonzero(ancestor == np.arange(k))
    if own.size != 1:
        raise InputError(
            "the leader of a schema",
            found="none" if not own.size else f"{own.size} of them, spots {own[0]} and {own[1]}",
            expected="exactly one spot that is its own commander",
        )
    top = ancestor
    for _ in range(k.bit_length()):  # doubles the steps upwards
        top = top[top]
    lost = np.flatnonzero(top != own[0])
    if lost.size:
        raise InputError(
            f"the commanders of spot {lost[0]} in a schema",
            found="a ring",
            expected=f"a way up to the leader, spot {own[0]}",
        )
    return int(own[0])


def _check_bindings(bindings: NDArray[np.int64], ancestor: NDArray[np.int64]) -> None:
    """Raise InputError unless bindings name spots, go both ways, come once, and join each spot to its commander."""
    k = len(ancestor)
    if bindings.size and (bindings.min() < 0 or bindings.max() >= k):
        wrong = bindings.min() if bindings.min() < 0 else bindings.max()
        raise InputError("a binding of a schema", found=f"spot {wrong}", expected=f"spots 0 to {k - 1}")
    loose = np.flatnonzero(bindings[:, 0] == bindings[:, 1])
    if loose.size:
        raise InputError("a binding of a schema", found=f"spot {bindings[loose[0], 0]} bound to itself")
    keys = bindings[:, 0] * k + bindings[:, 1]
    there = set(keys.tolist())
    if len(there) < len(keys):
        raise InputError("bindings of a schema", found="one of them twice", expected="each ordered pair once")
    for s, t in bindings.tolist():
        if t * k + s not in there:
            raise InputError(f"the binding of spots {s} and {t}", found="one direction", expected="both")
    for spot, above in enumerate(ancestor.tolist()):
        if spot != above and above * k + spot not in there:
            raise InputError(
                f"spot {spot} of a schema", found=f"no binding with its commander, spot {above}", expected="one"
            )
