"""Pruned labels: for each vertex its distance to some hubs, enough to tell the distance of any two vertices.

T. Akiba, Y. Iwata and Y. Yoshida, "Fast Exact Shortest-Path Distance Queries on Large Networks by Pruned Landmark
Labeling", 2013: a search from each vertex in turn, which goes on only over vertices whose distance the labels so far do
not tell. An entry knows the entry of the next vertex on the way to its hub.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_first, heap_lift
from anabasis.errors import InputError
from anabasis.search.hub_order import hub_order

__all__ = ["FAR", "Labels", "pruned_labels"]

Shorts, Ints = NDArray[np.int32], NDArray[np.int64]

FAR = 2**61  # longer than any way; two of them don't overflow


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of m vertices; that of u are the entries first[u] to first[u + 1] - 1, the last one of u itself.

    order: int64[m], the vertex that is hub 0, 1, …. For each entry: hub (int32), ascending in a label; distance
    (int64); up (int32), the entry with the same hub of the next vertex on the way, -1 at the hub; owner (int32), the
    vertex.
    """

    order: Ints
    first: Ints
    hub: Shorts
    distance: Ints
    up: Shorts
    owner: Shorts


def pruned_labels(indptr: Ints, heads: Shorts, lengths: Ints, most: int) -> Labels:
    """Return the labels of an undirected graph, given as to `hub_order`.

    Raises InputError if there would be more than `most` entries.
    """
    order = hub_order(indptr, heads, lengths)
    first, hub, distance, way = _label(indptr, heads, lengths, order, most)
    if len(hub) > most:
        raise InputError(
            "the map has too many corners for hub labels",
            found=f"{len(order)} subgoals, whose labels have more than {most} entries",
            expected="labels that fit in memory",
            hint="a greater most_entries, or jps, which needs no preparation",
        )
    return Labels(order, first, hub, distance, *_link(first, hub, way))


@kernel
def _label(indptr: Ints, heads: Shorts, lengths: Ints, order: Ints, most: int) -> tuple[Ints, Shorts, Ints, Shorts]:
    """Return the labels: those of u are entries label[u] to label[u + 1] - 1 of hub, far and way.

    hub: the number in the order, ascending; far: the distance; way: the next vertex towards the hub, itself at the hub.
    Gives up when there are more than `most` entries, and returns those.
    """
    size = len(indptr) - 1
    first, count, room = np.empty(size, np.int64), np.zeros(size, np.int64), np.full(size, 4, np.int64)
    for u in range(size):
        first[u] = 4 * u
    used, total = 4 * size, 0
    hub, far, way = np.empty(used, np.int32), np.empty(used, np.int64), np.empty(used, np.int32)
    mine = np.full(size, FAR, np.int64)  # the distance of the root to the hubs in its label
    distance, parent = np.full(size, FAR, np.int64), np.empty(size, np.int64)
    keys, queue, place = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    seen = np.empty(size, np.int64)
    for k in range(size):
        root = order[k]
        for e in range(first[root], first[root] + count[root]):
            mine[hub[e]] = far[e]
        heap_lift(keys, queue, place, 0, 0, root)
        distance[root], parent[root], seen[0] = 0, root, root
        waiting, met = 1, 1
        while waiting:
            v = heap_first(keys, queue, place, waiting)
            waiting -= 1
            d, known = distance[v], False
            for e in range(first[v], first[v] + count[v]):
                if mine[hub[e]] + far[e] <= d:
                    known = True
                    break
            if known:
                continue  # an earlier hub is on a shortest way
            if count[v] == room[v]:
                if used + 2 * room[v] > len(hub):
                    hub, far, way = np.concatenate((hub, hub)), np.concatenate((far, far)), np.concatenate((way, way))
                for e in range(count[v]):
                    hub[used + e], far[used + e] = hub[first[v] + e], far[first[v] + e]
                    way[used + e] = way[first[v] + e]
                first[v] = used
                room[v] *= 2
                used += room[v]
            e = first[v] + count[v]
            hub[e], far[e], way[e] = k, d, parent[v]
            count[v] += 1
            total += 1
            for a in range(indptr[v], indptr[v + 1]):
                w, reach = heads[a], d + lengths[a]
                if reach < distance[w]:
                    if distance[w] == FAR:
                        seen[met] = w
                        met += 1
                        place[w] = waiting
                        waiting += 1
                    distance[w], parent[w] = reach, v
                    heap_lift(keys, queue, place, int(place[w]), reach, w)
        for e in range(first[root], first[root] + count[root]):
            mine[hub[e]] = FAR
        for j in range(met):
            distance[seen[j]] = FAR
        if total > most:
            break
    label = np.zeros(size + 1, np.int64)
    for u in range(size):
        label[u + 1] = label[u] + count[u]
    hubs, distances, ways = np.empty(total, np.int32), np.empty(total, np.int64), np.empty(total, np.int32)
    for u in range(size):
        for e in range(count[u]):
            hubs[label[u] + e], distances[label[u] + e] = hub[first[u] + e], far[first[u] + e]
            ways[label[u] + e] = way[first[u] + e]
    return label, hubs, distances, ways


@kernel
def _link(label: Ints, hub: Shorts, way: Shorts) -> tuple[Shorts, Shorts]:
    """Return for each entry the entry with the same hub of the next vertex (-1 at the hub), and the vertex it is of."""
    up, owner = np.full(len(hub), -1, np.int32), np.empty(len(hub), np.int32)
    for u in range(len(label) - 1):
        for e in range(label[u], label[u + 1]):
            owner[e] = u
            if way[e] != u:
                low, high = label[way[e]], label[way[e] + 1]
                while low < high:
                    middle = (low + high) // 2
                    if hub[middle] < hub[e]:
                        low = middle + 1
                    else:
                        high = middle
                up[e] = low
    return up, owner
