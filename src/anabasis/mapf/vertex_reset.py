"""Conflict-based search over resets of vertices: a baseline that is neither complete nor optimal, for comparison only.

The scheme is that of a thesis on units in a tile world: each unit keeps the data of its D* Lite search (S. Koenig and
M. Likhachev, "D* Lite", 2002), and the constraint "tile v at step t" resets the vertex v in a copy of them: g = rhs =
inf. So the step is ignored, no unit ever waits, and neither neighbours nor queue are told. As the unit's vertex stays
consistent, nothing more is expanded: a unit has only the detours that its first search, here without an estimate, knew.
`cbs` is the search that keeps the promises of conflict-based search.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.conflicts import MEETS, Conflicts
from anabasis.mapf.priced_search import Row, timetable
from anabasis.options import check_count
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["vertex_reset_cbs"]


def vertex_reset_cbs(instance: Instance, *, limit: int = 1000) -> Result[Plan]:
    """Try to find a plan by conflict-based search whose constraints reset vertices.

    limit: most nodes of the constraint tree that are expanded. A plan that is found keeps the rules, but need not be
    the cheapest; the bound is the sum of the shortest ways. stats: sum_of_costs, makespan, expanded, generated.

    NO_SOLUTION only if an agent can't reach its goal alone; otherwise the status is LIMIT where no plan is found, be it
    for the limit or for the scheme. Solves directed graphs too; raises InputError for other rules.
    """
    check_count(limit, "limit", 1)
    board = Board(instance, "vertex_reset_cbs", ("directed",))
    table = board.distances()
    away = table[np.arange(board.agents), board.starts]
    lost = board.out_of_reach(away)
    if lost is not None:
        return lost
    # D* Lite has expanded just what is nearer to the goal than the unit when it stops
    known = tuple(np.where(row < steps, row, FAR) for row, steps in zip(table, away, strict=True))
    paths = tuple(way for agent, row in enumerate(known) if (way := _way(board, agent, row)) is not None)
    bound = float(away.sum())
    conflicts = Conflicts(board.count, board.agents)
    heap = [(bound, conflicts.first(timetable(paths))[0], 0, known, paths)]
    expanded, generated = 0, 1
    reason = "resetting vertices left a unit without a way in every branch, which does not prove that there is no plan"
    while heap:
        _, _, _, known, paths = heappop(heap)
        _, first = conflicts.first(timetable(paths))
        if first is None:
            rows = timetable(paths) if paths else np.zeros((1, 0), np.int32)
            return board.solved(rows, bound=bound, expanded=expanded, generated=generated)
        if expanded == limit:
            reason = f"the limit of {limit} nodes was reached"
            break
        expanded += 1
        one, other, origin, place, _ = first
        for agent, vertex in ((one, place), (other, place if origin == MEETS else origin)):
            row = known[agent].copy()
            row[vertex] = FAR
            way = _way(board, agent, row)
            if way is None:
                continue
            after = (*paths[:agent], way, *paths[agent + 1 :])
            data = (*known[:agent], row, *known[agent + 1 :])
            cost = float(sum(path.size - 1 for path in after))
            heappush(heap, (cost, conflicts.first(timetable(after))[0], generated, data, after))
            generated += 1
    return Result(Status.LIMIT, reason=reason, bound=bound, stats={"expanded": expanded, "generated": generated})


def _way(board: Board, agent: int, known: Row) -> Row | None:
    """Return the way by the best neighbour at each vertex; None if none is known, or it comes back to where it was."""
    at, goal = int(board.starts[agent]), int(board.goals[agent])
    way = [at]
    while at != goal:
        around = board.indices[board.indptr[at] : board.indptr[at + 1]]
        at = int(around[known[around].argmin()]) if around.size else -1
        if at < 0 or known[at] == FAR or at in way:
            return None
        way.append(at)
    return np.array(way, np.int32)
