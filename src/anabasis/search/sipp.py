"""SIPP: the earliest way of one unit among moving obstacles whose ways are known beforehand.

M. Phillips and M. Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.arcs import arcs_out
from anabasis._kernel.safe_intervals import (
    EXPANDED,
    FOREVER,
    HARD,
    NO_WAY,
    STOPPED,
    blank_pools,
    find_way,
    trace_way,
)
from anabasis._kernel.traffic import lay_way, read_rows
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.plan import Plan
from anabasis.result import Result, Status
from anabasis.search.moves import Space
from anabasis.search.outcome import check_limit

__all__ = ["sipp", "unproved"]

Shorts = NDArray[np.int32]

_LABELS = 3  # the place in the counts of `find_way` of the labels that it has made
_NUMBERED = 2**24 - 4096  # labels; of a search with more, some may have had no number and been lost
_LATE = 2**18 - 1  # steps later than the least; ways that are so late or later are alike to `find_way`


def sipp(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    obstacles: ArrayLike,
    neighbours: int = 4,
    corners: str = "strict",
    limit: int = 0,
) -> Result[Plan]:
    """Find the way from vertex `start`, at step 0, that is at vertex `goal` first and may stay there for ever.

    obstacles: int[t, m], the vertex of each of m obstacles at steps 0 to t - 1, of which the last lasts for ever; -1
    where an obstacle is not there. Nobody may be where an obstacle is, nor change places with one. A step or a wait
    takes one unit of time, whatever the price of the cell. limit: of labels taken up, 0 for none.

    Returns a plan of one column, the vertex at each step from 0 to the arrival. Complete and of earliest arrival; LIMIT
    with the way where it waits for 2^18 steps or more, since then an earlier one may have been missed.
    stats: arrival, expanded. NO_SOLUTION, with the reason, if there is no such way. Raises InputError for obstacles
    that are no table of vertices, an unknown option or a vertex outside the map.
    """
    net = Space(space, neighbours, corners)
    start, goal = net.ends(start, goal)
    limit = check_limit(limit)
    given = freeze(obstacles, np.int64, (None, None), "obstacles")
    if given.size and (given.min() < -1 or given.max() >= net.size):
        raise InputError(
            "obstacles outside the map",
            found=f"vertex {given.min()} to {given.max()}",
            expected=f"vertices 0 to {net.size - 1}, or -1 for nowhere",
        )
    if net.blocked(start) or net.blocked(goal):
        which, vertex = ("start", start) if net.blocked(start) else ("goal", goal)
        return Result(Status.NO_SOLUTION, reason=f"the {which}, {net.name(vertex)}, is blocked")
    indptr, indices = _arcs(net.arcs, net.size)
    to_goal = _steps_back(indptr, indices, goal)
    if to_goal[start] >= FOREVER:
        reason = f"the goal, {net.name(goal)}, is not connected to the start, {net.name(start)}"
        return Result(Status.NO_SOLUTION, reason=reason)
    rows, expanded, stopped = _find(indptr, indices, given, to_goal, start, goal, limit)
    stats: dict[str, float] = {"expanded": expanded}
    busy = np.flatnonzero((given == goal).any(axis=1))
    least = max(int(to_goal[start]), int(busy[-1]) + 1 if busy.size else 0)
    bound = float(least)
    if stopped:
        return Result(Status.LIMIT, None, f"gave up after {expanded} expansions", bound, stats)
    if not len(rows):
        reason = f"the obstacles never let a unit get from {net.name(start)} to {net.name(goal)} and stay there"
        return Result(Status.NO_SOLUTION, reason=reason, stats=stats)
    arrival, plan = len(rows) - 1, Plan(rows.astype(np.int64))
    stats = {"arrival": arrival, **stats}
    if arrival - least >= _LATE:
        reason = f"the way waits so long, until step {arrival}, that it is not proved to be the earliest"
        return Result(Status.LIMIT, plan, reason, bound, stats)
    return Result(Status.SOLVED, plan, "", float(arrival), stats)


def unproved(label: int, counts: NDArray[np.int64]) -> bool:
    """Tell whether `find_way`, which returned this label, found no way and did not prove that there is none either."""
    return label == STOPPED or (label == NO_WAY and int(counts[_LABELS]) > _NUMBERED)


def _find(
    indptr: Shorts, indices: Shorts, obstacles: NDArray[np.int64], to_goal: Shorts, start: int, goal: int, limit: int
) -> tuple[Shorts, int, bool]:
    """Return the vertex at each step, int32[steps + 1, 1] (no rows: no way), the expansions, whether it stopped."""
    size, none = len(to_goal), np.zeros(0, np.int32)
    foot = np.arange(size, dtype=np.int32).reshape(-1, 1)
    head, chain = np.full(size, -1, np.int32), np.full(max(1, obstacles.shape[1]), -1, np.int32)
    spans, spare = np.zeros((0, 8), np.int32), np.array([-1, 0])
    for i, column in enumerate(obstacles.T):
        for way in _stays(column):
            chain[i] = -1  # an obstacle may be gone for a while; nobody lifts it
            spans = lay_way(head, chain, spans, spare, i, way, foot)
    counts = np.zeros(7, np.int64)
    memory = np.zeros(size, np.int64), np.zeros(size, np.int32), np.zeros(size, np.int32), counts, np.zeros(2, np.int32)
    ground = indptr, indices, np.zeros(size + 1, np.int32), none, none
    heed, rules = np.full(len(chain), HARD, np.uint8), (0, True, True, limit, FOREVER)
    label, pools = find_way(ground, foot, head, spans, heed, to_goal, start, goal, 0, rules, memory, blank_pools())
    rows = np.zeros((0, 1), np.int32)
    if label >= 0:
        head[:], spans, spare = -1, np.zeros((0, 8), np.int32), np.array([-1, 0])
        chain = np.full(1, -1, np.int32)
        spans = lay_way(head, chain, spans, spare, 0, trace_way(pools[1], label, True), foot)
        rows = read_rows(chain, spans, np.ones(1, np.int64))
    return rows, int(counts[EXPANDED]), unproved(label, counts)


def _stays(column: NDArray[np.int64]) -> list[Shorts]:
    """Return the ways int32[m, 3] of (vertex, first, last) of an obstacle, one for each time that it is there."""
    if not column.size:
        return []
    begins = np.flatnonzero(np.diff(column, prepend=-2))
    lasts = np.append(begins[1:] - 1, FOREVER)
    stays = np.stack([column[begins], begins, lasts], axis=1).astype(np.int32)
    gone = np.flatnonzero(stays[:, 0] < 0)
    return [np.ascontiguousarray(part[part[:, 0] >= 0]) for part in np.split(stays, gone) if (part[:, 0] >= 0).any()]


def _arcs(space: tuple[Any, ...], size: int) -> tuple[Shorts, Shorts]:
    indptr, indices = _list_arcs(space, size)
    indptr.flags.writeable = indices.flags.writeable = False
    return indptr, indices


@kernel
def _list_arcs(space: Any, size: int) -> tuple[Shorts, Shorts]:
    """Return indptr and indices of the arcs out of all vertices."""
    cost, degree = space[5], space[10]
    heads, steps = np.empty(degree + 1, np.int64), np.empty(degree + 1, np.float64)
    indptr, indices, count = np.zeros(size + 1, np.int32), np.empty(size * degree, np.int32), 0
    for v in range(size):
        if space[0] == 0 or cost[v] < np.inf:
            for a in range(arcs_out(space, v, heads, steps)):
                indices[count] = heads[a]
                count += 1
        indptr[v + 1] = count
    return indptr, indices[:count].copy()


@kernel
def _steps_back(indptr: Any, indices: Any, goal: int) -> Any:
    """Return int32[n]: the fewest steps from everywhere to the goal, FOREVER if there is no way."""
    size = len(indptr) - 1
    begin = np.zeros(size + 2, np.int32)
    for a in range(len(indices)):
        begin[indices[a] + 2] += 1
    for v in range(2, size + 2):
        begin[v] += begin[v - 1]
    tails = np.empty(len(indices), np.int32)
    for v in range(size):
        for a in range(indptr[v], indptr[v + 1]):
            tails[begin[indices[a] + 1]] = v
            begin[indices[a] + 1] += 1
    steps, queue = np.full(size, FOREVER, np.int32), np.empty(size, np.int32)
    steps[goal], queue[0] = 0, goal
    first, last = 0, 1
    while first < last:
        v = queue[first]
        first += 1
        for a in range(begin[v], begin[v + 1]):
            if steps[tails[a]] == FOREVER:
                steps[tails[a]] = steps[v] + 1
                queue[last] = tails[a]
                last += 1
    return steps
