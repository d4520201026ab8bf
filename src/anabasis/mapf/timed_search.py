"""Timed search: the way of one agent through places in order, among what others reserved step by step.

D. Silver, "Cooperative Pathfinding", 2005 (the reservation table); several places in one search: F. Grenouilleau, W.-J.
van Hoeve, J. Hooker, "A Multi-Label A* Algorithm for Multi-Agent Pathfinding", 2019. It is made for replanning a few
steps ahead for many agents: the table is a hash of (step, vertex), so that it costs what is reserved, not the map.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis.mapf.board import FAR, Board

__all__ = ["Distances", "Reserved"]

Shorts, Longs = NDArray[np.int32], NDArray[np.int64]
_NO_TOLLS: Shorts = np.zeros(0, np.int32)
_VERTEX, _STEP, _LABEL, _PARENT, _COST, _DONE = range(6)  # columns of nodes


class Distances:
    """The steps to places that were asked for lately: int32[room, count] `table`, FAR if there is no way."""

    def __init__(self, board: Board, room: int) -> None:
        """Make room for `room` places; it grows if one call asks for more."""
        self.board = board
        self.table: Shorts = np.empty((max(1, room), board.count), np.int32)
        self._place: Longs = np.full(len(self.table), -1, np.int64)
        self._row: dict[int, int] = {}
        self._next = 0

    def rows(self, places: ArrayLike) -> Longs:
        """Return int64: the rows of `table` that belong to these places (numbers), good until the next call."""
        wanted = np.asarray(places, np.int64)
        names = list(dict.fromkeys(wanted.tolist()))
        if len(names) > len(self.table):
            self.table = np.empty((len(names) + len(names) // 4, self.board.count), np.int32)
            self._place, self._row, self._next = np.full(len(self.table), -1, np.int64), {}, 0
        missing, kept = [name for name in names if name not in self._row], set(names)
        rows: list[int] = []
        for name in missing:
            while int(self._place[self._next]) in kept:
                self._next = (self._next + 1) % len(self._place)
            self._row.pop(int(self._place[self._next]), None)
            self._place[self._next] = name
            self._row[name] = self._next
            rows.append(self._next)
            self._next = (self._next + 1) % len(self._place)
        if missing:
            self.table[rows] = self.board.distances(missing)
        return np.array([self._row[name] for name in wanted.tolist()], np.int64)


class Reserved:
    """Who has which place at which step, and who rests where for ever.

    - rests: int32[count], the step from which on somebody rests at each vertex, else FAR;
    - last: int32[count], the last step for which each was ever reserved, resting aside, else -1;
    - expanded: how many nodes all searches so far took up.
    """

    def __init__(self, board: Board) -> None:
        """Nothing is reserved yet."""
        self.board = board
        self.rests: Shorts = np.full(board.count, FAR, np.int32)
        self.last: Shorts = np.full(board.count, -1, np.int32)
        self.expanded = 0
        self._keys: Longs = np.full(1024, -1, np.int64)
        self._who: Shorts = np.zeros(1024, np.int32)
        self._used = 0
        self._nodes: Shorts = np.empty((1024, 6), np.int32)
        self._heap: NDArray[np.float64] = np.empty((1024, 3), np.float64)

    def clear(self) -> None:
        """Forget everything that is reserved."""
        self.rests[:], self.last[:], self._keys[:], self._used = FAR, -1, -1, 0

    def forget(self, step: int) -> None:
        """Forget what was reserved before this step."""
        self._fill(step, 0)

    def reserve(self, agent: int, way: ArrayLike, first: int, *, rest: bool = False) -> None:
        """Reserve a way, int[m] numbers from step `first` on, and with `rest` its last place for ever after."""
        places = np.ascontiguousarray(way, np.int32)
        if 2 * (self._used + places.size) > self._keys.size:
            self._fill(0, places.size)
        self._used += int(_reserve(self._keys, self._who, self.last, places, first, agent))
        if rest:
            self.rests[places[-1]] = first + places.size - 1

    def release(self, way: ArrayLike, first: int) -> None:
        """Give free what was reserved for a way of somebody."""
        _release(self._keys, self._who, np.ascontiguousarray(way, np.int32), first, self.board.count)

    def met(self, way: ArrayLike, first: int) -> Longs:
        """Return int64: the agents whose reserved ways a way would meet, rising."""
        met = _met(self._keys, self._who, np.ascontiguousarray(way, np.int32), first, self.board.count)
        return np.unique(met[met >= 0]).astype(np.int64)

    def way(
        self,
        start: int,
        first: int,
        places: ArrayLike,
        distances: Distances,
        *,
        until: int,
        rest: bool,
        limit: int,
        tolls: Shorts | None = None,
    ) -> Shorts | None:
        """Return the way of an agent that is at `start` in step `first`, int32[m] numbers, or None.

        It passes the places in this order, as early as it can. With `rest` it ends at the last of them, in a step from
        which on nobody has reserved that, before `until`; else it ends in step `until`, on its way or near the last
        place, and what is reserved later does not count.
        tolls: int32[k], what meeting each agent costs, in steps; by default nobody may be met. Who rests never is.
        limit: most nodes to take up.
        """
        goals = np.ascontiguousarray(places, np.int32)
        rows = distances.rows(goals)
        nodes = (self._nodes, self._heap)
        node, expanded, self._nodes, self._heap = _way(
            self.board.indptr, self.board.indices, self._keys, self._who, self.rests, self.last, distances.table, rows,
            goals, start, first, until, rest, limit, _NO_TOLLS if tolls is None else tolls, *nodes,
        )  # fmt: skip
        self.expanded += int(expanded)
        return _walk(self._nodes, int(node)) if node >= 0 else None

    def _fill(self, step: int, more: int) -> None:
        """Make a table with room for `more`, without what was before the step."""
        kept = self._keys >= step * self.board.count
        keys, who = self._keys[kept], self._who[kept]
        size = 1024
        while size < 4 * (keys.size + more):
            size *= 2
        self._keys, self._who, self._used = np.full(size, -1, np.int64), np.zeros(size, np.int32), keys.size
        _insert(self._keys, self._who, keys, who)


@leaf
def _slot(keys: Any, key: Any) -> int:
    """Return where a key is in a hash table of a power of two of slots, or where it would be put."""
    mask = keys.size - 1
    mixed = (key & 0xFFFFFFFF) * 0x21F0AAAD  # below 2⁶²
    slot = (mixed ^ (mixed >> 20) ^ (key >> 32)) & mask
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def _insert(keys: Any, who: Any, more_keys: Any, more_who: Any) -> None:
    for i in range(more_keys.size):
        slot = _slot(keys, more_keys[i])
        keys[slot], who[slot] = more_keys[i], more_who[i]


@kernel
def _reserve(keys: Any, who: Any, last: Any, way: Any, first: int, agent: int) -> int:
    """Write a way into the table; return how many slots it took."""
    taken = 0
    for i in range(way.size):
        key = np.int64(first + i) * last.size + way[i]
        slot = _slot(keys, key)
        taken += keys[slot] == -1
        keys[slot], who[slot] = key, agent
        last[way[i]] = max(last[way[i]], first + i)
    return taken


@leaf
def _holder(keys: Any, who: Any, key: int) -> int:
    """Return who has a vertex at a step, -1 for nobody."""
    slot = _slot(keys, key)
    return who[slot] if keys[slot] != -1 else -1


@kernel
def _release(keys: Any, who: Any, way: Any, first: int, n: int) -> None:
    for i in range(way.size):
        who[_slot(keys, np.int64(first + i) * n + way[i])] = -1


@kernel
def _met(keys: Any, who: Any, way: Any, first: int, n: int) -> Any:
    """Return whom a way meets in each step, in places and by changing them, -1 for nobody."""
    met = np.full(2 * way.size, -1, np.int32)
    for i in range(way.size):
        met[2 * i] = _holder(keys, who, np.int64(first + i) * n + way[i])
        if i > 0 and way[i] != way[i - 1]:
            b = _holder(keys, who, np.int64(first + i - 1) * n + way[i])
            if b == _holder(keys, who, np.int64(first + i) * n + way[i - 1]):
                met[2 * i + 1] = b
    return met


@kernel
def _way(
    indptr: Any, indices: Any, keys: Any, who: Any, rests: Any, last: Any, table: Any, rows: Any, places: Any,
    start: int, first: int, until: int, rest: bool, limit: int, tolls: Any, nodes: Any, heap: Any,
) -> Any:  # fmt: skip
    """Find the way; return the last node (-1: none), the nodes taken up, and nodes and heap, which may have grown.

    A state is (vertex, step, label): the label counts the places passed. A step costs 1 until all are passed, then only
    if it does not stay at the last of them. So ways to one state may cost differently, and until it is taken up it has
    the cheapest that is known.
    """
    n, stages = rests.size, places.size
    tail = np.zeros(stages + 1, np.int64)
    for s in range(stages - 2, -1, -1):
        tail[s] = tail[s + 1] + table[rows[s + 1], places[s]]
    seen, known = np.full(1024, -1, np.int64), np.empty(1024, np.int32)  # states and their nodes
    home = places[stages - 1]
    label = 0
    while label < stages and start == places[label]:
        label += 1
    nodes[0, _VERTEX], nodes[0, _STEP], nodes[0, _LABEL] = start, first, label
    nodes[0, _PARENT], nodes[0, _COST], nodes[0, _DONE] = -1, 0, 0
    heap_push(heap, 0, 0.0, 0.0, 0)
    count, size, expanded = 1, 1, 0
    while size > 0:
        node = heap_pop(heap, size)
        size -= 1
        if nodes[node, _DONE]:
            continue
        nodes[node, _DONE] = 1
        u, t, label = nodes[node, _VERTEX], np.int64(nodes[node, _STEP]), nodes[node, _LABEL]
        if t >= until and not rest:
            return node, expanded, nodes, heap
        if rest and label == stages and u == home and last[u] < t:
            return node, expanded, nodes, heap
        if t >= until:
            continue
        if expanded >= limit:
            break
        expanded += 1
        if len(nodes) < count + indptr[u + 1] - indptr[u] + 1:
            longer = np.empty((2 * len(nodes) + indptr[u + 1] - indptr[u], 6), np.int32)
            longer[:count] = nodes[:count]
            nodes = longer
        if len(heap) < size + indptr[u + 1] - indptr[u] + 1:
            heap = heap_grown(heap, size, indptr[u + 1] - indptr[u] + 1)
        if 2 * (count + indptr[u + 1] - indptr[u] + 1) > seen.size:
            wider, places_of = np.full(4 * seen.size, -1, np.int64), np.empty(4 * seen.size, np.int32)
            for slot in range(seen.size):
                if seen[slot] != -1:
                    place = _slot(wider, seen[slot])
                    wider[place], places_of[place] = seen[slot], known[slot]
            seen, known = wider, places_of
        for a in range(indptr[u] - 1, indptr[u + 1]):
            v = u if a < indptr[u] else indices[a]
            if rests[v] <= t + 1:
                continue
            toll = 0
            b = _holder(keys, who, (t + 1) * n + v)
            if b >= 0:
                if tolls.size == 0:
                    continue
                toll = tolls[b]
            b = _holder(keys, who, t * n + v) if v != u else -1
            if b >= 0 and b == _holder(keys, who, (t + 1) * n + u):  # they would change places
                if tolls.size == 0:
                    continue
                toll += tolls[b]
            stage = label
            while stage < stages and v == places[stage]:
                stage += 1
            ahead = table[rows[min(stage, stages - 1)], v] + tail[min(stage, stages - 1)]
            if ahead >= FAR:
                continue
            key = ((t + 1 - first) * (stages + 1) + stage) * n + v
            slot = _slot(seen, key)
            paid = 1 if rest or label < stages or u != home or v != home else 0
            cost = nodes[node, _COST] + paid + toll
            child = count
            if seen[slot] != -1:
                child = known[slot]
                if nodes[child, _DONE] or nodes[child, _COST] <= cost:
                    continue
            else:
                seen[slot], known[slot] = key, child
                nodes[child, _VERTEX], nodes[child, _STEP], nodes[child, _LABEL] = v, t + 1, stage
                nodes[child, _DONE] = 0
                count += 1
            nodes[child, _PARENT], nodes[child, _COST] = node, cost
            heap_push(heap, size, float(cost + ahead), float(-t), child)
            size += 1
    return -1, expanded, nodes, heap


@kernel
def _walk(nodes: Any, node: int) -> Any:
    """Return the vertices from the first node to this one."""
    way = np.empty(nodes[node, _STEP] - nodes[0, _STEP] + 1, np.int32)
    i = way.size - 1
    while node >= 0:
        way[i] = nodes[node, _VERTEX]
        node = nodes[node, _PARENT]
        i -= 1
    return way
