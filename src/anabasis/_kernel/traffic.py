"""Traffic: who is where and when, as spans of time in a list for each vertex and a chain for each agent.

A span is a row of int32 `spans`: an agent (WHO) covers a vertex (CELL) from step FIRST to step LAST, both included, and
came from the vertex FROM (-1: from nowhere, or nobody could change places with it). The spans of a vertex, from
`head[vertex]` on, are linked by AFTER and BEFORE and rise in FIRST; those of an agent, from `chain[agent]` on, by NEXT
in the order of time. `spare` is the first unused row and how many there are. Memory is a row a stay, whatever the size
of the map and however long the plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf

__all__ = [
    "AFTER",
    "CELL",
    "FIRST",
    "FROM",
    "LAST",
    "NEXT",
    "WHO",
    "collisions_of",
    "lay_way",
    "lift_way",
    "read_rows",
    "read_way",
    "roomy",
]

WHO, FIRST, LAST, FROM, CELL, AFTER, BEFORE, NEXT = range(8)


@kernel
def roomy(spans: Any, spare: Any, more: int) -> Any:
    """Return spans with at least `more` unused rows: the same array, or a longer one."""
    if spare[1] >= more:
        return spans
    old = len(spans)
    size = 2 * old + more
    longer = np.empty((size, 8), np.int32)
    longer[:old] = spans
    for i in range(old, size):
        longer[i, NEXT] = i + 1
    longer[size - 1, NEXT] = spare[0]
    spare[0] = old
    spare[1] += size - old
    return longer


@leaf
def _lay(head: Any, spans: Any, spare: Any, agent: int, first: int, last: int, source: int, cell: int) -> int:
    row = spare[0]
    spare[0] = spans[row, NEXT]
    spare[1] -= 1
    before, after = -1, head[cell]
    while after >= 0 and spans[after, FIRST] < first:
        before = after
        after = spans[after, AFTER]
    spans[row, WHO], spans[row, FIRST], spans[row, LAST] = agent, first, last
    spans[row, FROM], spans[row, CELL], spans[row, NEXT] = source, cell, -1
    spans[row, BEFORE], spans[row, AFTER] = before, after
    if before >= 0:
        spans[before, AFTER] = row
    else:
        head[cell] = row
    if after >= 0:
        spans[after, BEFORE] = row
    return row


@kernel
def lay_way(head: Any, chain: Any, spans: Any, spare: Any, agent: int, way: Any, foot: Any) -> Any:
    """Add the way of an agent that has none: int32[m, 3] of (vertex, first, last); return the spans, maybe longer.

    foot: int32[n, area], the vertices covered by one who stands at each vertex, itself first.
    """
    area = foot.shape[1]
    spans = roomy(spans, spare, len(way) * area)
    tail = -1
    for i in range(len(way)):
        source = way[i - 1, 0] if i > 0 and area == 1 else -1
        for c in range(area):
            row = _lay(head, spans, spare, agent, way[i, 1], way[i, 2], source, foot[way[i, 0], c])
            if tail < 0:
                chain[agent] = row
            else:
                spans[tail, NEXT] = row
            tail = row
    return spans


@leaf
def lift_way(head: Any, chain: Any, spans: Any, spare: Any, agent: int) -> None:
    """Take an agent's way out."""
    row = chain[agent]
    chain[agent] = -1
    while row >= 0:
        following, before, after = spans[row, NEXT], spans[row, BEFORE], spans[row, AFTER]
        if before >= 0:
            spans[before, AFTER] = after
        else:
            head[spans[row, CELL]] = after
        if after >= 0:
            spans[after, BEFORE] = before
        spans[row, NEXT] = spare[0]
        spare[0] = row
        spare[1] += 1
        row = following


@kernel
def read_way(chain: Any, spans: Any, agent: int, area: int) -> Any:
    """Return an agent's way, int32[m, 3] of (vertex, first, last), without rows if it has none."""
    count, row = 0, chain[agent]
    while row >= 0:
        count += 1
        row = spans[row, NEXT]
    way = np.empty((count // area, 3), np.int32)
    count, row = 0, chain[agent]
    while row >= 0:
        if count % area == 0:
            way[count // area, 0] = spans[row, CELL]
            way[count // area, 1] = spans[row, FIRST]
            way[count // area, 2] = spans[row, LAST]
        count += 1
        row = spans[row, NEXT]
    return way


@leaf
def collisions_of(way: Any, agent: int, head: Any, spans: Any, rules: Any, row: Any) -> int:
    """Mark in row, uint8[k], with whom a way of one vertex at a time collides; return how many that are.

    rules: margin and swap first, as in `find_way`.
    """
    margin, swap = rules[0], rules[1]
    count = 0
    for i in range(len(way)):
        first, last = way[i, 1], way[i, 2]
        s = head[way[i, 0]]
        while s >= 0 and spans[s, FIRST] - margin <= last:
            other = spans[s, WHO]
            if spans[s, LAST] >= first - margin and other != agent and row[other] == 0:
                row[other] = 1
                count += 1
            s = spans[s, AFTER]
        if swap and i > 0:
            s = head[way[i - 1, 0]]
            while s >= 0 and spans[s, FIRST] <= first:
                other = spans[s, WHO]
                if spans[s, FIRST] == first and spans[s, FROM] == way[i, 0] and row[other] == 0:
                    row[other] = 1
                    count += 1
                s = spans[s, AFTER]
    return count


@kernel
def read_rows(chain: Any, spans: Any, areas: Any) -> Any:
    """Return int32[steps + 1, k], where each agent is until the last one stays: at the end of its way for good.

    areas: int64[k], how many vertices each covers. All agents must have ways that begin at step 0.
    """
    steps = 0
    for agent in range(len(chain)):
        row = chain[agent]
        while row >= 0:
            steps = max(steps, spans[row, FIRST])
            row = spans[row, NEXT]
    rows = np.empty((steps + 1, len(chain)), np.int32)
    for agent in range(len(chain)):
        row, step, count = chain[agent], 0, 0
        while row >= 0:
            if count % areas[agent] == 0:
                last = min(spans[row, LAST], steps)
                while step <= last:
                    rows[step, agent] = spans[row, CELL]
                    step += 1
            count += 1
            row = spans[row, NEXT]
        for t in range(max(step, 1), steps + 1):
            rows[t, agent] = rows[t - 1, agent]
    return rows
