"""Durations: a graph whose weights are durations, as one in which every step takes the same time.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019, section "Beyond classical
MAPF", for weighted and Euclidean problems. An arc becomes a chain of steps through vertices of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.noun import summary
from anabasis.options import check_count, check_kind, check_length
from anabasis.plan import Plan

__all__ = ["UnitSteps", "Visits", "unit_steps"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Visits:
    """The vertices that agents come by, and when.

    indptr: int64[k + 1]: agent i has the rows indptr[i] to indptr[i + 1] of the others; vertex: int64[m]; arrive and
    leave: float64[m], first and last time there, in the unit of the weights. The last to leave is the end of the plan.
    """

    indptr: Ints
    vertex: Ints
    arrive: NDArray[np.float64]
    leave: NDArray[np.float64]

    __repr__ = summary


@dataclass(frozen=True, eq=False)
class UnitSteps:
    """A graph of steps that last equally long.

    graph: its vertices 0 to size - 1 are those of the original, the others lie on the arcs; size: number of vertices of
    the original; step: how long a step lasts.
    """

    graph: Graph
    size: int
    step: float

    __repr__ = summary

    def visits(self, plan: Plan) -> Visits:
        """Return where the agents of a plan for `graph` are, and when, on the original graph.

        An agent that turns round on an arc comes twice to the same vertex. Raises InputError if the plan has vertices
        that the graph hasn't.
        """
        check_kind(plan, Plan, "a plan to look at")
        rows = plan.vertices
        if rows.size and rows.max() >= self.graph.size:
            raise InputError(
                "a plan for another graph",
                found=f"vertex {rows.max()}",
                expected=f"vertices 0 to {self.graph.size - 1}",
            )
        columns = np.ascontiguousarray(rows.T)
        before, behind = np.full_like(columns, -1), np.full_like(columns, -1)
        before[:, 1:], behind[:, :-1] = columns[:, :-1], columns[:, 1:]
        real = columns < self.size
        agent, arrive = np.nonzero(real & (before != columns))
        _, leave = np.nonzero(real & (behind != columns))
        indptr = np.zeros(len(columns) + 1, np.int64)
        np.cumsum(np.bincount(agent, minlength=len(columns)), out=indptr[1:])
        times = arrive.astype(np.float64) * np.float64(self.step), leave.astype(np.float64) * np.float64(self.step)
        return Visits(indptr, columns[agent, arrive], *times)


def unit_steps(graph: Graph, *, step: float = 1.0, limit: int = 10_000_000) -> UnitSteps:
    """Return the graph with each arc of weight w as a chain of w / step arcs, rounded up, at least one.

    So a plan never asks for more speed than the weights allow, and it is exact where they are multiples of `step`.
    Both directions of an edge share the vertices of the chain: agents that meet head-on there are in conflict, as are
    those that share a part of the chain. Agents may wait on the way and turn round. That arcs cross each other away
    from vertices is not seen. Of parallel arcs the shortest stays; arcs from a vertex to itself are left out, as
    waiting does the same.

    - step: how long a step lasts, in the unit of the weights;
    - limit: the greatest number of vertices.

    Raises InputError if an edge lasts longer in one direction than in the other, in steps, or at the limit.
    """
    check_kind(graph, Graph, "a graph of durations")
    unit, most, n = check_length(step, "step"), check_count(limit, "limit", 1), graph.size
    tails, heads = np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices
    lasts = np.maximum(np.ceil(graph.weights / unit - 1e-9), 1.0)
    kept = tails != heads
    tails, heads, lasts = tails[kept], heads[kept], lasts[kept]
    order = np.lexsort((lasts, heads, tails))
    arcs, first = np.unique((tails * n + heads)[order], return_index=True)
    lasts, tails, heads = lasts[order][first], arcs // max(n, 1), arcs % max(n, 1)
    edges, edge = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads), return_inverse=True)
    length = np.zeros(edges.size)
    np.maximum.at(length, edge, lasts)
    unequal = np.flatnonzero(length[edge] != lasts)
    if unequal.size:
        arc = unequal[0]
        raise InputError(
            "an edge lasts longer in one direction",
            found=f"{int(lasts[arc])} steps from vertex {tails[arc]} to {heads[arc]}, {int(length[edge[arc]])} back",
            expected="the same number of steps both ways",
            hint="agents that meet on such an edge could not be told from others",
        )
    size = n + (length - 1).sum()
    if size > most:
        raise InputError(
            "too many steps", found=f"{size:.0f} vertices", expected=f"at most {most}", hint="a longer step"
        )
    return UnitSteps(_chains(graph, edges, length.astype(np.int64), tails < heads, edge), n, unit)


def _chains(graph: Graph, edges: Ints, length: Ints, forward: NDArray[np.bool_], edge: Ints) -> Graph:
    """Return the graph of chains: edges (low · n + high), their steps, and which arcs there are."""
    n = graph.size
    low, high = edges // max(n, 1), edges % max(n, 1)
    before = np.cumsum(length - 1) - (length - 1) + n - 1  # the first vertex of a chain, less one
    which = np.repeat(np.arange(edges.size), length)
    part = np.arange(which.size) - np.repeat(np.cumsum(length) - length, length)
    tail = np.where(part == 0, low[which], before[which] + part)
    head = np.where(part == length[which] - 1, high[which], before[which] + part + 1)
    there, back = np.zeros(edges.size, bool), np.zeros(edges.size, bool)
    there[edge[forward]], back[edge[~forward]] = True, True
    inner = part > 0
    share = (part / length[which])[inner, None]
    points = (1 - share) * graph.points[low[which[inner]]] + share * graph.points[high[which[inner]]]
    tails = np.concatenate([tail[there[which]], head[back[which]]])
    heads = np.concatenate([head[there[which]], tail[back[which]]])
    return Graph.from_arcs(np.concatenate([graph.points, points]), tails, heads, np.ones(tails.size), "zero")
