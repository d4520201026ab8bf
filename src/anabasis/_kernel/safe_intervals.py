"""Safe intervals: the earliest way among traffic, over spans of time in which a vertex is free instead of steps.

M. Phillips and M. Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", 2011; with collisions to be
made few instead of none: J. Li, Z. Chen, D. Harabor, P. Stuckey, S. Koenig, "MAPF-LNS2: Fast Repairing for Multi-Agent
Path Finding via Large Neighborhood Search", 2022 (SIPPS).

Whom to heed is said for each agent: HARD traffic is never met, SOFT traffic as rarely as possible, NONE is not there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel, leaf
from anabasis._kernel.key_heap import key_pop, key_push
from anabasis._kernel.traffic import AFTER, FIRST, FROM, LAST, WHO

__all__ = [
    "EARLY",
    "EXPANDED",
    "FOREVER",
    "HARD",
    "LATEST",
    "NONE",
    "NO_WAY",
    "SOFT",
    "STOPPED",
    "blank_pools",
    "find_way",
    "trace_way",
]

NONE, SOFT, HARD = range(3)
FOREVER = 2**30
"""The last step of who stays for ever."""
NO_WAY, STOPPED = -1, -2
EXPANDED, EARLY, LATEST = 1, 5, 6  # places in `counts`
_LOW, _HIGH, _SOFTLY, _SPAN, _LABELS = range(5)  # columns of intervals
_VERTEX, _INTERVAL, _FROM, _TO, _MET, _PARENT, _OTHER, _STATE = range(8)  # columns of labels
_OPEN, _SHUT, _GOAL = range(3)  # states of a label
_PLACES = 24  # bits of a heap entry for the label; above it 9 for the estimate, 18 for the arrival, 12 for who is met


def blank_pools() -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Return the pools of `find_way`, small, to grow."""
    return np.empty((256, 5), np.int32), np.empty((256, 8), np.int32), np.empty(256, np.int64)


@kernel
def _wider(rows: Any) -> Any:
    longer = np.empty((2 * len(rows), rows.shape[1]), rows.dtype)
    longer[: len(rows)] = rows
    return longer


@leaf
def _add_interval(table: Any, begin: int, used: int, low: int, high: int, softly: int, span: int) -> int:
    """Append an interval to those from `begin`, or lengthen the last of them; return how many rows are used."""
    if used > begin and table[used - 1, _SOFTLY] == softly and table[used - 1, _HIGH] == low - 1:
        table[used - 1, _HIGH] = high
        return used
    table[used, _LOW], table[used, _HIGH], table[used, _SOFTLY] = low, high, softly
    table[used, _SPAN], table[used, _LABELS] = span, -1
    return used + 1


@leaf
def _add_until(table: Any, begin: int, used: int, low: int, high: int, hard_end: int, soft_end: int, span: int) -> int:
    """Append the intervals of low to high, when no span begins: none until `hard_end`, then soft until `soft_end`."""
    low, high = max(low, hard_end + 1), min(high, FOREVER)
    if low <= high and soft_end >= low:
        used = _add_interval(table, begin, used, low, min(soft_end, high), 1, span)
        low = soft_end + 1
    if low <= high:
        used = _add_interval(table, begin, used, low, high, 0, span)
    return used


@leaf
def _lay_intervals(
    vertex: int, foot: Any, closed: Any, head: Any, spans: Any, heed: Any, margin: int, memory: Any, table: Any
) -> bool:
    """Write the intervals of a vertex at which a search looks first; return False if the table has no room for them.

    The spans of all covered vertices are gone through in the order of their first steps, closed ones among them.
    """
    _stamp, begin, end, counts, cursor = memory
    shut, shut_first, shut_last = closed
    area, begun = foot.shape[1], counts[2]
    used, now, hard_end, soft_end, after_span = begun, 0, -1, -1, head[foot[vertex, 0]]
    if area == 1 and shut[vertex] == shut[vertex + 1]:  # most are so: one list, without a choice
        row = after_span
        while row >= 0:
            how = heed[spans[row, WHO]]
            if how != NONE:
                if used + 3 > len(table):
                    return False
                first, last = spans[row, FIRST] - margin, min(spans[row, LAST] + margin, FOREVER)
                if first > now:
                    used = _add_until(table, begun, used, now, first - 1, hard_end, soft_end, after_span)
                    now = first
                if how == HARD:
                    hard_end = max(hard_end, last)
                else:
                    soft_end = max(soft_end, last)
                after_span = row
            row = spans[row, AFTER]
        if used + 3 > len(table):
            return False
        used = _add_until(table, begun, used, now, FOREVER, hard_end, soft_end, after_span)
        begin[vertex], end[vertex], counts[2] = begun, used, used
        return True
    for c in range(area):
        cell = foot[vertex, c]
        cursor[c] = head[cell]
        cursor[area + c] = shut[cell]
    while True:
        first, last, which, hard = FOREVER + 1, FOREVER, -1, True
        for c in range(area):
            row = cursor[c]
            while row >= 0 and heed[spans[row, WHO]] == NONE:
                row = spans[row, AFTER]
            cursor[c] = row
            if row >= 0 and spans[row, FIRST] - margin < first:
                first, last, which = spans[row, FIRST] - margin, min(spans[row, LAST] + margin, FOREVER), c
                hard = heed[spans[row, WHO]] == HARD
            i = cursor[area + c]
            if i < shut[foot[vertex, c] + 1] and shut_first[i] < first:
                first, last, which, hard = shut_first[i], shut_last[i], area + c, True
        if used + 3 > len(table):
            return False
        if first > now:  # from now until the next span begins nothing changes but by its end
            used = _add_until(table, begun, used, now, first - 1, hard_end, soft_end, after_span)
            now = first
        if which < 0:
            break
        if hard:
            hard_end = max(hard_end, last)
        else:
            soft_end = max(soft_end, last)
        if which < area:
            after_span = cursor[which]
            cursor[which] = spans[cursor[which], AFTER]
        else:
            cursor[which] += 1
    begin[vertex], end[vertex], counts[2] = begun, used, used
    return True


@leaf
def _meets(spans: Any, row: int, heed: Any, source: int, step: int) -> int:
    """Return how hard it is (NONE, SOFT, HARD) to change places with who comes from `source` at this step.

    row: a span of the vertex that is left, not behind those of the step.
    """
    worst = NONE
    while row >= 0 and spans[row, FIRST] <= step:
        if spans[row, FIRST] == step and spans[row, FROM] == source:
            worst = max(worst, heed[spans[row, WHO]])
        row = spans[row, AFTER]
    return worst


@leaf
def _useful_until(table: Any, labels: Any, interval: int, low: int, high: int, met: int) -> int:
    """Return until when a new label is of use (below `low`: never); end what it makes useless or shorter."""
    last, other = -1, table[interval, _LABELS]
    while other >= 0:
        following = labels[other, _OTHER]
        if labels[other, _FROM] <= low and labels[other, _MET] <= met:
            return low - 1
        if low <= labels[other, _FROM] and met <= labels[other, _MET]:
            labels[other, _STATE] = _SHUT
            if last < 0:
                table[interval, _LABELS] = following
            else:
                labels[last, _OTHER] = following
        else:
            if labels[other, _FROM] < low:  # earlier, but meets more
                labels[other, _TO] = min(labels[other, _TO], low - 1)
            else:
                high = min(high, labels[other, _FROM] - 1)
            last = other
        other = following
    return high


@leaf
def _push(
    vertex: int, interval: int, low: int, high: int, met: int, parent: int, state: int, rest: int, least: int,
    ready: int, counts: Any, table: Any, labels: Any, heap: Any,
) -> None:  # fmt: skip
    """Add a label that no other makes useless; there is room for it.

    rest: the steps left to the goal; least: the least arrival at all; ready: when the goal is free for good.
    """
    arrival = max(low + rest, ready)
    if arrival > counts[LATEST] > 0:
        return
    if state == _OPEN:
        high = _useful_until(table, labels, interval, low, high, met)
        if high < low:
            return
    label = counts[3]
    labels[label, _VERTEX], labels[label, _INTERVAL], labels[label, _FROM] = vertex, interval, low
    labels[label, _TO], labels[label, _MET], labels[label, _PARENT] = high, met, parent
    labels[label, _OTHER], labels[label, _STATE] = -1, state
    if state == _OPEN:
        labels[label, _OTHER] = table[interval, _LABELS]
        table[interval, _LABELS] = label
    late = min(arrival - least, 2**18 - 1)
    few = np.int64(min(met, 4095))
    entry = (late << 12 | few if counts[EARLY] else few << 18 | late) << 9 | min(rest, 511)
    entry = entry << _PLACES | label
    counts[4] = key_push(heap, counts[4], entry)
    counts[3] = label + 1


@leaf
def _ready(interval: int, last: int, table: Any) -> int:
    """Return the step from which on the vertex of these intervals is never closed again, FOREVER if there is none."""
    i = last - 1
    if i < interval or table[i, _HIGH] < FOREVER:
        return FOREVER
    while i > interval and table[i - 1, _HIGH] == table[i, _LOW] - 1:
        i -= 1
    return table[i, _LOW]


@leaf
def _met_later(spans: Any, head: Any, foot: Any, vertex: int, heed: Any, step: int) -> int:
    """Return how many spans that matter, at the vertices covered, end at this step or later."""
    count = 0
    if step <= FOREVER:
        for c in range(foot.shape[1]):
            row = head[foot[vertex, c]]
            while row >= 0:
                count += heed[spans[row, WHO]] != NONE and spans[row, LAST] >= step
                row = spans[row, AFTER]
    return count


@kernel
def find_way(
    ground: Any, foot: Any, head: Any, spans: Any, heed: Any, to_goal: Any, start: int, goal: int, begin: int,
    rules: Any, memory: Any, pools: Any,
) -> Any:  # fmt: skip
    """Find the way from start, at step `begin`, to the goal that meets fewest and of those arrives first.

    - ground: indptr and indices of the arcs; indptr, first and last of spans in which a vertex is closed to everybody;
    - foot: int32[n, area], see `lay_way`; -1 in its first column where there is no room;
    - heed: uint8[k], NONE, SOFT or HARD for each agent of the traffic;
    - to_goal: int32[n], a lower bound of the steps to the goal;
    - rules: margin (1: nobody may enter what another left one step before, else 0), swap (two may not change places),
      stay (the goal must be free for good from the arrival on), limit (of labels taken up, 0 for none), until (the
      step from which on the estimate is trusted: the way may end there on the way to the goal);
    - memory: int64[n] of stamps, int32[n] of begins and of ends, int64[7] of counts, int32[2 · area] of cursors;
      counts[EARLY] = 1: the earliest way is found, and of those the one that meets fewest; counts[LATEST] > 0: no way
      arrives later;
    - pools: int32[·, 5] of intervals, int32[·, 8] of labels, int64[·] for the heap, none of them empty.

    Returns the last label (or NO_WAY, or STOPPED at the limit) and the pools, which may have grown; counts[EXPANDED]
    grows by the number of labels taken up.
    """
    indptr, indices = ground[0], ground[1]
    closed = ground[2], ground[3], ground[4]
    margin, swap, stay, limit, until = rules
    stamp, first_of, end_of, counts, _cursor = memory
    counts[0] += 1
    counts[2], counts[3], counts[4] = 0, 0, 0
    search, most = counts[0], counts[EXPANDED] + limit
    table, labels, heap = pools
    for v in (start, goal):
        if stamp[v] != search:
            stamp[v] = search
            while not _lay_intervals(v, foot, closed, head, spans, heed, margin, memory, table):
                table = _wider(table)
    ready = _ready(first_of[goal], end_of[goal], table) if stay else 0
    rest = to_goal[start]
    least = max(begin + rest, ready)
    if least < FOREVER:
        for i in range(first_of[start], end_of[start]):
            low, high, cost = table[i, _LOW], table[i, _HIGH], table[i, _SOFTLY]
            if low <= begin <= high:
                _push(start, i, begin, high, cost, -1, _OPEN, rest, least, ready, counts, table, labels, heap)
    while counts[4] > 0:
        label = heap[0] & (2**_PLACES - 1)
        counts[4] = key_pop(heap, counts[4])
        if labels[label, _STATE] == _SHUT:
            continue
        if labels[label, _STATE] == _GOAL or labels[label, _FROM] >= until:
            return label, (table, labels, heap)
        u, i, low, high = labels[label, _VERTEX], labels[label, _INTERVAL], labels[label, _FROM], labels[label, _TO]
        met = labels[label, _MET]
        if u == goal and low >= ready:
            cost = met + (_met_later(spans, head, foot, u, heed, table[i, _HIGH] + 1) if stay else 0)
            if cost == met:
                return label, (table, labels, heap)
            parent = labels[label, _PARENT]
            _push(u, i, low, high, cost, parent, _GOAL, 0, least, ready, counts, table, labels, heap)
        if (limit > 0 and counts[EXPANDED] >= most) or counts[3] > 2**_PLACES - 4096:
            return STOPPED, (table, labels, heap)
        counts[EXPANDED] += 1
        while counts[3] + 8 > len(labels) or counts[4] + 8 > len(heap):
            labels, heap = _wider(labels), _longer(heap)
        if high == table[i, _HIGH] and i + 1 < end_of[u] and table[i + 1, _LOW] == high + 1:  # waiting on
            cost, end, rest = met + table[i + 1, _SOFTLY], table[i + 1, _HIGH], to_goal[u]
            _push(u, i + 1, high + 1, end, cost, label, _OPEN, rest, least, ready, counts, table, labels, heap)
        a, last = indptr[u], indptr[u + 1]
        while True:
            a = _spread(
                a, last, label, search, indices, foot, closed, head, spans, heed, to_goal, margin, swap, least, ready,
                memory, table, labels, heap,
            )  # fmt: skip
            if a == last:
                break
            table, labels, heap = _wider(table), _wider(labels), _longer(heap)
    return NO_WAY, (table, labels, heap)


@kernel
def _longer(heap: Any) -> Any:
    longer = np.empty(2 * len(heap), np.int64)
    longer[: len(heap)] = heap
    return longer


@leaf
def _spread(
    a: int, last: int, label: int, search: int, indices: Any, foot: Any, closed: Any, head: Any, spans: Any, heed: Any,
    to_goal: Any, margin: int, swap: bool, least: int, ready: int, memory: Any, table: Any, labels: Any, heap: Any,
) -> int:  # fmt: skip
    """Move on from a label by its arcs from `a` on; return the arc for which there was no room, `last` for none."""
    stamp, first_of, end_of, counts, _cursor = memory
    while a < last:
        v = indices[a]
        rest = to_goal[v]
        if rest < FOREVER and foot[v, 0] >= 0:
            if stamp[v] != search:
                if not _lay_intervals(v, foot, closed, head, spans, heed, margin, memory, table):
                    return a
                stamp[v] = search
            more = 2 * (end_of[v] - first_of[v]) + 8
            if counts[3] + more > len(labels) or counts[4] + more > len(heap):
                return a
            source = v if swap and foot.shape[1] == 1 else -1
            _move(
                v, source, label, spans, heed, rest, least, ready, first_of[v], end_of[v], counts, table, labels, heap
            )
        a += 1
    return a


@leaf
def _move(
    v: int, source: int, label: int, spans: Any, heed: Any, rest: int, least: int, ready: int, j: int, after: int,
    counts: Any, table: Any, labels: Any, heap: Any,
) -> None:  # fmt: skip
    """Push the labels at v, whose intervals are j to `after` - 1, that a label leads to.

    source: v, or -1 if two may change places.
    """
    i, low, high, met = labels[label, _INTERVAL], labels[label, _FROM], labels[label, _TO], labels[label, _MET]
    end = after
    while end - j > 4:  # to the first that ends after the earliest arrival
        middle = (j + end) >> 1
        if table[middle - 1, _HIGH] > low:
            end = middle
        else:
            j = middle
    while j < after and table[j, _LOW] <= high + 1:
        step, last = max(low + 1, table[j, _LOW]), min(high + 1, table[j, _HIGH])
        if step <= last:
            cost, end = met + table[j, _SOFTLY], table[j, _HIGH]
            hit = _meets(spans, table[i, _SPAN], heed, source, step) if source >= 0 else NONE
            if hit < HARD:
                _push(v, j, step, end, cost + hit, label, _OPEN, rest, least, ready, counts, table, labels, heap)
            while hit > NONE and step < last:  # the earliest arrival that changes places with nobody
                step += 1
                hit = _meets(spans, table[i, _SPAN], heed, source, step)
                if hit == NONE:
                    _push(v, j, step, end, cost, label, _OPEN, rest, least, ready, counts, table, labels, heap)
        j += 1


@kernel
def trace_way(labels: Any, label: int, stay: bool) -> Any:
    """Return the way to a label: int32[m, 3] of (vertex, first, last); the last is the arrival, FOREVER with `stay`."""
    count, at, child = 0, label, -1
    while at >= 0:
        if child < 0 or labels[at, _VERTEX] != labels[child, _VERTEX]:
            count += 1
        child, at = at, labels[at, _PARENT]
    way = np.empty((count, 3), np.int32)
    at, last = label, FOREVER if stay else labels[label, _FROM]
    while at >= 0:
        before = labels[at, _PARENT]
        if before < 0 or labels[before, _VERTEX] != labels[at, _VERTEX]:
            count -= 1
            way[count, 0], way[count, 1], way[count, 2] = labels[at, _VERTEX], labels[at, _FROM], last
            last = labels[at, _FROM] - 1
        at = before
    return way
