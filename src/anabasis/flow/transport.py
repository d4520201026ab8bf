"""Transport: units shared out over a few places, exactly: least total cost, or least greatest cost.

Least total is the transportation problem of F. L. Hitchcock, "The distribution of a product from several sources to
numerous localities", 1941, by successive shortest paths in the graph of the places (R. G. Busacker, P. J. Gowen, 1961):
there are few places, so a shortest path costs little however many units there are. Least greatest is the bottleneck
problem of R. S. Garfinkel, "An improved algorithm for the bottleneck assignment problem", 1971: a threshold is searched
by bisection and tried by a maximum flow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError

__all__ = ["least_longest", "least_total"]

Ints = NDArray[np.int64]

_FAR = 2**62  # longer than any path


def least_total(cost: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64[n], the place of each unit, so that place r has counts[r] units and the sum of costs is least.

    cost: float64[n, m], inf where a unit can't go; the fewest such pairs are used that the counts allow, mostly none.
    counts: int64[m] ≥ 0 with the sum n. Raises InputError if they don't fit.
    """
    _check(cost, counts)
    if not cost.size:
        return np.zeros(len(cost), np.int64)
    return _least_total(_whole(cost), counts.astype(np.int64))


def least_longest(cost: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64[n] as `least_total` does, so that the greatest cost is least, and the sum the least with that.

    Of pairs that cost inf the fewest are used; then the greatest of the other costs is least.
    """
    _check(cost, counts)
    if not cost.size:
        return np.zeros(len(cost), np.int64)
    most = _placed(np.isfinite(cost), counts)
    levels = np.unique(cost[np.isfinite(cost)])
    low, high = 0, levels.size - 1  # the least level at which as many units can be placed as with all
    while low < high:
        middle = (low + high) // 2
        if _placed(cost <= levels[middle], counts) == most:
            high = middle
        else:
            low = middle + 1
    allowed = cost <= levels[low] if levels.size else np.zeros(cost.shape, bool)
    return _least_total(_whole(np.where(allowed, cost, np.inf)), counts.astype(np.int64))


def _check(cost: NDArray[np.float64], counts: NDArray[np.int64]) -> None:
    units, places = cost.shape
    if counts.shape != (places,) or (counts < 0).any() or counts.sum() != units:
        raise InputError(
            "units for each place", found=f"{counts.tolist()}", expected=f"{places} numbers with the sum {units}"
        )
    if not (cost > -np.inf).all():
        raise InputError("costs of sharing out", found="nan or -inf", expected="numbers, inf for an impossible pair")


def _whole(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return costs as whole numbers, so that sums are exact and no cycle of links can seem to gain by rounding.

    They are scaled by a power of two to as many bits as path lengths leave free, about 40 for 10,000 units. An
    impossible pair costs more than all units together can.
    """
    units, places = cost.shape
    known = cost[np.isfinite(cost)]
    least = float(known.min()) if known.size else 0.0
    span = float(known.max()) - least if known.size else 0.0
    # an impossible pair costs up to units × 2^bits + 1; a path has at most `places` links, of up to twice that
    bits = 60 - int(units).bit_length() - int(2 * places).bit_length()
    scale = 2.0 ** min(bits - 1 - int(np.floor(np.log2(span))), 1000) if span else 1.0
    possible = np.isfinite(cost)
    whole = np.rint(np.where(possible, cost - least, 0.0) * scale).astype(np.int64)
    return np.where(possible, whole, units * int(whole.max(initial=0)) + 1)


def _placed(allowed: NDArray[np.bool_], counts: NDArray[np.int64]) -> int:
    """Return how many units find a place if unit u may go to r where allowed[u, r].

    Units that may go to the same places are one vertex of the flow network, so it stays small.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    packed = np.packbits(allowed, axis=1)
    _, first, units = np.unique(packed, axis=0, return_index=True, return_counts=True)
    kinds, places = np.nonzero(allowed[first])
    m = counts.size
    source, sink = first.size + m, first.size + m + 1
    tails = np.concatenate([np.full(first.size, source), kinds, first.size + np.arange(m)])
    heads = np.concatenate([np.arange(first.size), first.size + places, np.full(m, sink)])
    capacity = np.concatenate([units, units[kinds], counts]).astype(np.int32)
    network = coo_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1)).tocsr()
    return int(maximum_flow(network, source, sink).flow_value)


@kernel
def _least_total(cost: Ints, counts: Ints) -> Ints:
    """Begin with everyone at his cheapest place, which is best for the counts that it has; then bring those into order.

    link[a, b] is what it costs to send on the best unit of a to b. Each round sends one unit along a cheapest path from
    a place with too many to one with too few; as a shortest path it keeps the sharing out the best for its counts.
    """
    n, m = cost.shape
    place = np.zeros(n, np.int64)
    have = np.zeros(m, np.int64)
    member = np.zeros((m, n), np.int64)
    slot = np.zeros(n, np.int64)
    for u in range(n):
        for r in range(1, m):
            if cost[u, r] < cost[u, place[u]]:
                place[u] = r
        _enter(u, place[u], member, have, slot)
    link = np.zeros((m, m), np.int64)
    best = np.full((m, m), -1, np.int64)
    for a in range(m):
        _links_from(a, cost, member, have, link, best)
    before = np.zeros(m, np.int64)
    while True:
        end = _cheapest_path(have, counts, link, best, before)
        if end < 0:
            return place
        moved = np.zeros(m, np.int64)
        b = end
        while before[b] >= 0:
            a = before[b]
            u = best[a, b]
            have[a] -= 1
            last = member[a, have[a]]
            member[a, slot[u]] = last
            slot[last] = slot[u]
            place[u] = b
            _enter(u, b, member, have, slot)
            moved[a] = moved[b] = 1
            b = a
        for a in range(m):
            if moved[a]:
                _links_from(a, cost, member, have, link, best)


@kernel
def _enter(u: int, a: int, member: Ints, have: Ints, slot: Ints) -> None:
    """Make unit u a member of place a."""
    member[a, have[a]] = u
    slot[u] = have[a]
    have[a] += 1


@kernel
def _links_from(a: int, cost: Ints, member: Ints, have: Ints, link: Ints, best: Ints) -> None:
    """Find the unit of place a that it costs least to send to each other place; of equals the one with least number."""
    m = cost.shape[1]
    for b in range(m):
        best[a, b] = -1
    for i in range(have[a]):
        u = member[a, i]
        for b in range(m):
            more = cost[u, b] - cost[u, a]
            if b != a and (best[a, b] < 0 or more < link[a, b] or (more == link[a, b] and u < best[a, b])):
                link[a, b] = more
                best[a, b] = u


@kernel
def _cheapest_path(have: Ints, counts: Ints, link: Ints, best: Ints, before: Ints) -> int:
    """Return the end of a cheapest path from any place with too many units to one with too few, -1 if there is none.

    before[b] is the place before b on it, -1 at its start. Links may cost less than nothing, but no cycle does.
    """
    m = counts.size
    length = np.full(m, _FAR)
    for a in range(m):
        before[a] = -1
        if have[a] > counts[a]:
            length[a] = 0
    changed = True
    while changed:
        changed = False
        for a in range(m):
            for b in range(m):
                if best[a, b] >= 0 and length[a] < _FAR and length[a] + link[a, b] < length[b]:
                    length[b] = length[a] + link[a, b]
                    before[b] = a
                    changed = True
    end = -1
    for b in range(m):
        if have[b] < counts[b] and length[b] < _FAR and (end < 0 or length[b] < length[end]):
            end = b
    return end
