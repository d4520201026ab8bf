"""Hub order: the vertices of a graph, those first through which most shortest ways lead that no earlier one is on.

D. Delling, A. Goldberg, T. Pajor and R. Werneck, "Robust Distance Queries on Massive Networks", 2014: trees of shortest
ways are grown from some vertices; the vertex with most descendants in them comes next, and its subtrees are cut off.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_first, heap_lift
from anabasis._kernel.key_heap import key_pop, key_push

__all__ = ["hub_order"]

Ints, Shorts = NDArray[np.int64], NDArray[np.int32]

_TREES = 64  # grown at first, if the graph is small
_NODES = 16_000_000  # in the trees at first, of a large graph
_FEW = 8  # a tree with fewer vertices tells nothing
_FAR = 2**61
_ITEM_BITS = 28


def hub_order(indptr: Ints, heads: Shorts, lengths: Ints) -> Ints:
    """Return int64[m], a permutation of the vertices of an undirected graph.

    The arcs out of u are heads[indptr[u]:indptr[u + 1]] (int32), each as long as the arc back (int64).
    """
    size = len(indptr) - 1
    stride = max(1, round(size * 0.618))
    while math.gcd(stride, size) > 1:
        stride += 1
    trees = min(_TREES, 8 + _NODES // max(1, size))
    return _hub_order(indptr, heads, lengths, stride, trees)


@kernel
def _hub_order(indptr: Ints, heads: Shorts, lengths: Ints, stride: int, trees: int) -> Ints:
    """Return the order. The trees stand one after the other, each in preorder, so that a subtree is a slice."""
    size = len(indptr) - 1
    order = np.empty(size, np.int64)
    rank, score = np.full(size, -1, np.int64), np.zeros(size, np.int64)
    room = (trees + 1) * size
    node, up, whole = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    left, again = np.empty(room, np.int32), np.empty(room, np.int32)  # descendants not cut off; same vertex elsewhere
    last = np.full(size, -1, np.int32)  # where each vertex stands in the youngest tree that has it
    distance, covered = np.full(size, _FAR, np.int64), np.zeros(size, np.bool_)
    keys, queue, place = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    parent, settled = np.empty(size, np.int64), np.empty(size, np.int64)
    below, at, child = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    best = np.empty(4 * size + 16, np.int64)  # a queue of scores, greatest first; some are out of date
    waiting, used, alive, source, recent = 0, 0, 0, 0, 2.0 * size
    for k in range(size):
        while recent >= _FEW and (alive < trees * size // 16 or (k == 0 and alive < (trees - 1) * size)):
            source = (source + stride) % size
            if used + size > len(node):
                node, up, whole = np.concatenate((node, node)), np.concatenate((up, up)), np.concatenate((whole, whole))
                left, again = np.concatenate((left, left)), np.concatenate((again, again))
            grown = 0
            if rank[source] < 0:
                grown = _grow(
                    indptr, heads, lengths, rank, source, distance, covered, keys, queue, place, parent, settled
                )
            _plant(settled[:grown], parent, below, at, child, used, node, up, whole, left, again, last)
            if waiting + grown > len(best):
                best = np.concatenate((best, np.empty(waiting + grown, np.int64)))
            for p in range(used + 1, used + grown):  # the source itself tells nothing: it is on all of its ways
                v = node[p]
                score[v] += left[p]
                waiting = key_push(best, waiting, ((_FAR >> _ITEM_BITS) - score[v]) << _ITEM_BITS | v)
            alive += grown
            used += grown
            recent += (grown - recent) / 64
        v = -1
        while waiting and v < 0:
            entry = best[0]
            waiting = key_pop(best, waiting)
            u, noted = entry & ((1 << _ITEM_BITS) - 1), (_FAR >> _ITEM_BITS) - (entry >> _ITEM_BITS)
            if rank[u] < 0:
                if noted == score[u]:
                    v = u
                elif noted > score[u]:
                    waiting = key_push(best, waiting, ((_FAR >> _ITEM_BITS) - score[u]) << _ITEM_BITS | u)
        if v < 0:  # in no tree at all
            v = 0
            while rank[v] >= 0:
                v += 1
        rank[v] = k
        order[k] = v
        p = int(last[v])
        while p >= 0:
            alive -= _cut(p, node, up, whole, left, score)
            p = int(again[p])
    return order


@kernel
def _grow(
    indptr: Ints,
    heads: Shorts,
    lengths: Ints,
    rank: Ints,
    source: int,
    distance: Ints,
    covered: NDArray[np.bool_],
    keys: Ints,
    queue: Ints,
    place: Ints,
    parent: Ints,
    settled: Ints,
) -> int:
    """Find the vertices to which the shortest ways from the source lead over no ranked one, in order of distance.

    Writes them into settled and returns how many there are; leaves distance as it was, infinite.
    """
    seen = np.empty(64, np.int64)
    heap_lift(keys, queue, place, 0, 0, source)
    distance[source], covered[source], parent[source], seen[0] = 0, False, -1, source
    size, count, bare, found = 1, 1, 1, 0
    while bare:  # as long as there is one in the queue that is not covered
        v = heap_first(keys, queue, place, size)
        size -= 1
        place[v] = -1
        if not covered[v]:
            bare -= 1
            settled[found] = v
            found += 1
        if count + indptr[v + 1] - indptr[v] > len(seen):
            seen = np.concatenate((seen, np.empty(len(seen) + indptr[v + 1] - indptr[v], np.int64)))
        for a in range(indptr[v], indptr[v + 1]):
            w, way = heads[a], distance[v] + lengths[a]
            hidden = covered[v] or rank[w] >= 0
            if way < distance[w]:
                if distance[w] == _FAR:
                    seen[count] = w
                    count += 1
                    place[w] = size
                    size += 1
                elif not covered[w]:
                    bare -= 1
                bare += int(not hidden)
                distance[w], covered[w], parent[w] = way, hidden, v
                heap_lift(keys, queue, place, int(place[w]), way, w)
            elif way == distance[w] and hidden and not covered[w]:
                covered[w] = True
                bare -= 1
    for k in range(count):
        distance[seen[k]] = _FAR
    return found


@kernel
def _plant(
    settled: Ints,
    parent: Ints,
    below: Ints,
    at: Ints,
    child: Ints,
    used: int,
    node: Shorts,
    up: Shorts,
    whole: Shorts,
    left: Shorts,
    again: Shorts,
    last: Shorts,
) -> None:
    """Write a tree, whose vertices come in order of distance, in preorder behind those that there are."""
    for v in settled:
        below[v] = 1
    for k in range(len(settled) - 1, 0, -1):
        below[parent[settled[k]]] += below[settled[k]]
    for k in range(len(settled)):
        v, p, above = settled[k], used, -1
        if k:
            above = at[parent[v]]
            p = child[parent[v]]
            child[parent[v]] += below[v]
        at[v], child[v] = p, p + 1
        node[p], up[p], whole[p], left[p], again[p] = v, above, below[v], below[v], last[v]
        last[v] = p


@kernel
def _cut(p: int, node: Shorts, up: Shorts, whole: Shorts, left: Shorts, score: Ints) -> int:
    """Cut off the subtree at place p; return how many vertices it still had."""
    gone = left[p]
    if gone == 0:
        return 0
    q, end = p, p + whole[p]
    while q < end:
        if left[q] == 0:  # cut off before
            q += whole[q]
            continue
        if up[q] >= 0:
            score[node[q]] -= left[q]
        left[q] = 0
        q += 1
    q = up[p]
    while q >= 0:
        left[q] -= gone
        if up[q] >= 0:
            score[node[q]] -= gone
        q = up[q]
    return gone
