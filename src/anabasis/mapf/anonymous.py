"""Anonymous agents and teams: who goes to which goal is chosen too, by a maximum flow or by assignment.

J. Yu, S. M. LaValle, "Multi-agent Path Planning and Network Flow", 2013: agents without names move as a flow through
the vertices at each time. H. Ma, S. Koenig, "Optimal Target Assignment and Path Finding for Teams of Agents", 2016,
for the problem of teams; here each team's goals are assigned first and the ways found afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportUnknownVariableType]
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching, maximum_flow

from anabasis.errors import InputError
from anabasis.instance import FEATURES, Instance
from anabasis.mapf.board import FAR, Board
from anabasis.noun import freeze, summary
from anabasis.options import check_choice, check_count, check_kind
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["Assigned", "anonymous", "teams"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Assigned:
    """instance: with the goal that each agent got; result: the plan for that instance, or why there is none."""

    instance: Instance
    result: Result[Plan]

    __repr__ = summary


def anonymous(instance: Instance, *, limit: int = 2_000_000) -> Assigned:
    """Bring any agent to any goal, one to each, in the fewest steps: the least makespan.

    The bound of the result is a proved least makespan. There is no solution only if no assignment gives each agent a
    goal that it can reach; the goals are then left as they were, as they are at the limit.
    limit: the greatest number of places, vertices times steps, that a network may have.
    """
    most = check_count(limit, "limit", 1)
    board = Board(instance, "anonymous", can=("directed", "swaps"))
    if not board.agents:
        return Assigned(instance, board.solved(np.zeros((1, 0), np.int64), networks=0))
    steps = board.distances()[:, board.starts].T.astype(np.int64)
    failed = _bottleneck(steps) - 1  # no plan is as short as this
    if failed + 1 >= FAR:
        return Assigned(instance, _no_assignment())
    since, left = _least(board.indptr, board.indices, board.starts), _least(*board.back, board.goals)
    stride, networks, longest = 1, 0, most // board.count - 1
    best: tuple[int, NDArray[np.int64]] | None = None
    while best is None or best[0] - failed > 1:
        horizon = min(failed + stride, longest) if best is None else (failed + best[0]) // 2
        if horizon <= failed:
            reason = f"a plan of {failed + 1} steps needs more than {most} places in the network"
            return Assigned(instance, Result(Status.LIMIT, None, reason, float(failed + 1), {"networks": networks}))
        rows = _rows(board, since, left, horizon)
        networks += 1
        if rows is None:
            failed, stride = horizon, 2 * stride
        else:
            best = horizon, rows
    given = replace(instance, goals=board.vertices[best[1][-1]])
    result = Board(given, "anonymous", can=("directed", "swaps")).solved(
        best[1], bound=float(best[0]), networks=networks
    )
    return Assigned(given, result)


def teams(
    instance: Instance, team: ArrayLike, solver: Callable[[Instance], Result[Plan]], *, objective: str = "sum"
) -> Assigned:
    """Give the goals of each team to its agents, then solve the instance.

    - team: int[k], the team of each agent; its goals are those of its agents;
    - solver: any function that solves an instance;
    - objective: "sum": the sum of the steps to the goals is least, "makespan": the most steps of any agent are, and
      of those assignments the sum; both as if nobody were in the way.

    The bound is proved for the objective and for all assignments. There is no solution only if no assignment gives
    each agent a goal that it can reach; if the solver proves that there is none for the goals chosen, the status is
    LIMIT, since others might do. Raises InputError for agents of several cells.
    """
    makespan = check_choice(objective, "objective", ("sum", "makespan")) == 1
    board = Board(instance, "teams", can=set(FEATURES) - {"sizes"})
    members = freeze(team, np.int64, instance.starts.shape, "team")
    if not callable(solver):
        raise InputError("solver of teams", found=type(solver).__name__, expected="a function of an instance")
    goals, cost = instance.goals.copy(), 0
    for name in np.unique(members):
        agents = np.flatnonzero(members == name)
        steps = board.distances(board.goals[agents])[:, board.starts[agents]].T.astype(np.int64)
        least = _bottleneck(steps)
        if least >= FAR:
            return Assigned(instance, _no_assignment(f" of team {name}"))
        ranked = np.where(steps <= least, steps, FAR) if makespan else steps
        rows, columns = linear_sum_assignment(ranked)
        goals[agents[rows]] = instance.goals[agents[columns]]
        cost = max(cost, least) if makespan else cost + int(steps[rows, columns].sum())
    given = replace(instance, goals=goals)
    result = solver(given)
    check_kind(result, Result, "what the solver of teams returned")
    if result.status is Status.NO_SOLUTION:
        reason = f"with the goals chosen for the teams there is no solution, with others there may be: {result.reason}"
        return Assigned(given, replace(result, status=Status.LIMIT, reason=reason, bound=float(cost)))
    return Assigned(given, replace(result, bound=float(cost)))


def _no_assignment(whose: str = "") -> Result[Plan]:
    return Result(
        Status.NO_SOLUTION, reason=f"the goals can't be shared out so that every agent{whose} reaches its own"
    )


def _bottleneck(steps: Ints) -> int:
    """Return the least number of which an assignment of rows to columns needs no greater entry."""
    values = np.unique(steps)
    first, last = 0, values.size - 1
    while first < last:
        middle = (first + last) // 2
        match = maximum_bipartite_matching(csr_matrix(steps <= values[middle]), perm_type="column")
        if (match >= 0).all():
            last = middle
        else:
            first = middle + 1
    return int(values[first])


def _least(indptr: NDArray[np.int32], indices: NDArray[np.int32], sources: NDArray[np.int32]) -> Ints:
    """Return the steps to each vertex from the nearest of the sources, else FAR."""
    steps = np.full(indptr.size - 1, FAR, np.int64)
    wave, step = np.unique(sources), 0
    tails = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
    reached = np.zeros(steps.size, bool)
    while wave.size:
        steps[wave] = step
        reached[:] = False
        reached[wave] = True
        wave = np.unique(indices[reached[tails]])
        wave, step = wave[steps[wave] == FAR], step + 1
    return steps


def _rows(board: Board, since: Ints, left: Ints, horizon: int) -> Ints | None:
    """Return int64[horizon + 1, k], the numbers where the agents are, or None if they need more steps.

    A place is a vertex in a step, with room for one agent; only those between the starts and the goals are made.
    """
    n = board.count
    step, vertex = np.nonzero(
        (since <= np.arange(horizon + 1)[:, None]) & (left <= horizon - np.arange(horizon + 1)[:, None])
    )
    number = np.full((horizon + 1) * n, -1, np.int64)
    number[step * n + vertex] = np.arange(step.size)
    tails, heads = _moves(board, number, step, vertex)
    first, last = number[board.starts], number[horizon * n + board.goals]
    if (first < 0).any() or (last < 0).any():
        return None
    source, sink, place = 2 * step.size, 2 * step.size + 1, np.arange(step.size)
    ends = (
        np.concatenate([2 * place, 2 * tails + 1, np.full(first.size, source), 2 * last + 1]),
        np.concatenate([2 * place + 1, 2 * heads, 2 * first, np.full(last.size, sink)]),
    )
    network = csr_matrix((np.ones(ends[0].size, np.int32), ends), shape=(sink + 1, sink + 1))
    flow = maximum_flow(network, source, sink)
    if flow.flow_value < board.agents:
        return None
    used = flow.flow.tocoo()
    moved = (used.data > 0) & (used.row % 2 == 1) & (used.row < source) & (used.col < source)
    after = np.full(step.size, -1, np.int64)
    after[used.row[moved] // 2] = used.col[moved] // 2
    return _walk(after, vertex, first, horizon)


def _moves(board: Board, number: Ints, step: Ints, vertex: Ints) -> tuple[Ints, Ints]:
    """Return the places from which and to which a step leads, waiting included."""
    n = board.count
    degree = np.diff(board.indptr)[vertex]
    place = np.repeat(np.arange(step.size), degree)
    offset = np.arange(place.size) - np.repeat(np.cumsum(degree) - degree, degree)
    head = board.indices[board.indptr[vertex[place]] + offset]
    tails = np.concatenate([place, np.arange(step.size)])
    later = np.concatenate([(step[place] + 1) * n + head, (step + 1) * n + vertex])
    heads = np.where(later < number.size, number[np.minimum(later, number.size - 1)], -1)
    kept = heads >= 0
    pairs = np.unique(np.stack([tails[kept], heads[kept]], axis=1), axis=0)  # parallel arcs would add up
    return pairs[:, 0], pairs[:, 1]


def _walk(after: Ints, vertex: Ints, first: Ints, horizon: int) -> Ints:
    """Return the rows of agents that follow the flow, but wait instead of changing places.

    The two that meet have taken each other's way from then on; nobody is where nobody was before.
    """
    rows = np.empty((horizon + 1, first.size), np.int64)
    rows[0] = vertex[first]
    at = first
    who = np.full(int(vertex.max(initial=0)) + 1, -1, np.int64)
    for t in range(horizon):
        follow = after[at]
        goes = vertex[follow]
        who[:] = -1
        who[rows[t]] = np.arange(first.size)
        other = who[goes]
        swaps = (other >= 0) & (goes != rows[t]) & (goes[other] == rows[t])
        at = np.where(swaps, follow[other], follow)
        rows[t + 1] = vertex[at]
    return rows
