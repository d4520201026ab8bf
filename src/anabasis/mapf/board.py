"""Board: an instance as the kernels of solvers see it: free vertices in numbers without gaps, and their neighbours."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import cell_text
from anabasis.instance import FEATURES, Instance
from anabasis.options import check_choice, check_kind
from anabasis.plan import Plan
from anabasis.result import Result, Status

__all__ = ["FAR", "Board"]

FAR = 2**30
"""The distance of what can't be reached."""

Shorts = NDArray[np.int32]


class Board:
    """An instance in numbers without gaps: 0 to `count` - 1 for the vertices where anybody can ever stand.

    - vertices: int64[count], the vertex of each number, rising;
    - number: int32[vertex_count], the number of each vertex, -1 where nobody can ever stand;
    - indptr: int32[count + 1], indices: int32[m]: i has the neighbours indices[indptr[i]:indptr[i + 1]], on a grid in
      the order up, left, right, down;
    - starts, goals: int32[k], as numbers.
    """

    def __init__(self, instance: Instance, name: str, can: Collection[str] = ()) -> None:
        """Number the vertices; raises InputError if the instance has a feature that the method `name` can't do.

        can: names of `instance.FEATURES`.
        """
        check_kind(instance, Instance, f"{name} solves instances", "Instance.of(grid, starts, goals)")
        check_kind(can, (list, tuple, set, frozenset), f"what {name} can do")
        for feature in can:
            check_choice(feature, "feature of instances", tuple(FEATURES))
        for feature in sorted(instance.features - set(can)):
            raise InputError(
                f"{name} can't solve this instance",
                found=FEATURES[feature],
                expected=" or ".join(["the classic problem", *(FEATURES[f] for f in sorted(can))]),
                hint="`anabasis methods --family mapf` lists what each method can do",
            )
        self.instance = instance
        self._check_times()
        free = self._ever_free()
        self.vertices: NDArray[np.int64] = np.flatnonzero(free)
        self.number: Shorts = np.full(free.size, -1, np.int32)
        self.number[self.vertices] = np.arange(self.vertices.size, dtype=np.int32)
        self.indptr, self.indices = self._arcs()
        self.starts: Shorts = self.number[instance.starts]
        self.goals: Shorts = self.number[instance.goals]
        for array in (self.vertices, self.number, self.indptr, self.indices, self.starts, self.goals):
            array.flags.writeable = False

    @property
    def count(self) -> int:
        """Number of vertices where anybody can ever stand."""
        return int(self.vertices.size)

    @property
    def agents(self) -> int:
        """Number of agents."""
        return self.instance.size

    def _check_times(self) -> None:
        """Raise InputError for a change so late that its time is no step."""
        times, vertices = self.instance.change_times, self.instance.change_vertices
        if times.size and times[-1] >= FAR:
            raise InputError(
                "change_times of an instance",
                found=f"a change of {self.name(int(vertices[-1]))} at step {times[-1]}",
                expected=f"steps below {FAR}",
                hint="leave out changes that come later than any plan ends",
            )

    def _ever_free(self) -> NDArray[np.bool_]:
        instance = self.instance
        if isinstance(instance.space, Graph):
            return np.ones(instance.space.size, bool)
        free = instance.space.free.reshape(-1).copy()
        free[instance.change_vertices[~instance.change_blocked]] = True
        return free

    def _arcs(self) -> tuple[Shorts, Shorts]:
        space, n = self.instance.space, self.count
        if isinstance(space, Graph):
            return space.indptr.astype(np.int32), space.indices.astype(np.int32)
        inside = np.full((space.height + 2, space.width + 2), -1, np.int32)
        inside[1:-1, 1:-1] = self.number.reshape(space.height, space.width)
        sides = np.stack([inside[:-2, 1:-1], inside[1:-1, :-2], inside[1:-1, 2:], inside[2:, 1:-1]], axis=-1)
        around = sides.reshape(-1, 4)[self.vertices]
        indptr = np.zeros(n + 1, np.int32)
        np.cumsum((around >= 0).sum(axis=1), out=indptr[1:])
        return indptr, np.ascontiguousarray(around[around >= 0])

    @cached_property
    def back(self) -> tuple[Shorts, Shorts]:
        """indptr and indices of the arcs turned round; the same arrays unless there are arcs of one direction."""
        if "directed" not in self.instance.features:
            return self.indptr, self.indices
        tails = np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.indptr))
        order = np.argsort(self.indices, kind="stable")
        indptr = np.zeros(self.count + 1, np.int32)
        np.cumsum(np.bincount(self.indices, minlength=self.count), out=indptr[1:])
        return indptr, np.ascontiguousarray(tails[order])

    @cached_property
    def near(self) -> Shorts:
        """int32[count, 4]: the first four places from which each is entered, itself where there are fewer."""
        return _first_four(*self.back)

    def distances(self, goals: ArrayLike | None = None) -> Shorts:
        """Return int32[k, count]: the steps from everywhere to each goal (numbers; by default of all agents), else FAR.

        Nobody is in the way, and whatever is ever free counts as free: so no way is ever shorter.
        """
        targets = self.goals if goals is None else np.asarray(goals, np.int32)
        table = np.empty((targets.size, self.count), np.int32)
        _distances(self.near, *self.back, targets, table)
        return table

    def around(self, place: int) -> list[int]:
        """Return the places to which a step leads."""
        return self.indices[self.indptr[place] : self.indptr[place + 1]].tolist()

    def steps_from(self, place: int) -> Shorts:
        """Return int32[count]: the steps from a place to everywhere with nobody in the way, else FAR."""
        table = np.empty((1, self.count), np.int32)
        near = self.near if self.back[0] is self.indptr else _first_four(self.indptr, self.indices)
        _distances(near, self.indptr, self.indices, np.array([place], np.int32), table)
        return table[0]

    def shortest(self) -> NDArray[np.int64]:
        """Return int64[k]: the steps from each agent's start to its goal if nobody is in the way, else FAR.

        It needs no table of all distances at once.
        """
        steps = np.empty(self.agents, np.int64)
        for agent in range(self.agents):
            steps[agent] = self.distances(self.goals[agent : agent + 1])[0, self.starts[agent]]
        return steps

    @cached_property
    def closed(self) -> tuple[Shorts, Shorts, Shorts]:
        """When vertices are closed: indptr int32[count + 1], first and last int32[c].

        Vertex i is closed from step first to step last, both included, for each span of its row, which rise. A last of
        FAR means for ever. There are no spans where nothing changes.
        """
        instance = self.instance
        shut = np.ones(instance.vertex_count, bool)
        shut[self.vertices] = False
        if not isinstance(instance.space, Graph):
            shut |= ~instance.space.free.reshape(-1)
        since = np.where(shut, 0, -1)
        spans: list[tuple[int, int, int]] = []
        changes = instance.change_times, instance.change_vertices, instance.change_blocked
        for time, vertex, blocked in zip(*(c.tolist() for c in changes), strict=True):
            if blocked and since[vertex] < 0:
                since[vertex] = time
            elif not blocked and since[vertex] >= 0:
                if time > since[vertex]:
                    spans.append((int(self.number[vertex]), int(since[vertex]), time - 1))
                since[vertex] = -1
        spans += [(i, int(since[v]), FAR) for i, v in enumerate(self.vertices.tolist()) if since[v] >= 0]
        spans.sort()
        table = np.array(spans, np.int32).reshape(-1, 3)
        indptr = np.zeros(self.count + 1, np.int32)
        np.cumsum(np.bincount(table[:, 0], minlength=self.count), out=indptr[1:])
        return indptr, np.ascontiguousarray(table[:, 1]), np.ascontiguousarray(table[:, 2])

    def plan(self, rows: ArrayLike) -> Plan:
        """Return the plan of int[steps + 1, k] numbers, without rows at the end in which nobody moves."""
        vertices = self.vertices[np.asarray(rows)]
        last = len(vertices)
        while last > 1 and (vertices[last - 1] == vertices[last - 2]).all():
            last -= 1
        return Plan(vertices[:last])

    def solved(
        self, rows: ArrayLike, *, bound: float = 0.0, status: Status = Status.SOLVED, reason: str = "", **stats: float
    ) -> Result[Plan]:
        """Return the result with this plan; stats tell its sum of costs and makespan too.

        bound: a proved lower bound of the cost that the method minimises.
        """
        plan = self.plan(rows)
        arrivals = plan.arrivals(self.instance.goals, stay=self.instance.rules.stay)
        measures = {"sum_of_costs": float(arrivals.sum()), "makespan": float(arrivals.max(initial=0))}
        return Result(status, plan, reason, bound, {**measures, **stats})

    def out_of_reach(self, to_goal: Shorts) -> Result[Plan] | None:
        """Return NO_SOLUTION if an agent can't reach its goal even alone, else None.

        to_goal: int32[k], the steps from each start to its goal.
        """
        lost = np.flatnonzero(to_goal >= FAR)
        if not lost.size:
            return None
        return self.no_way(int(lost[0]))

    def no_way(self, agent: int, *, changing: bool = False) -> Result[Plan]:
        """Return NO_SOLUTION for an agent of which it is proved that it can't reach its goal even alone.

        changing: it could if all were free that is free at times.
        """
        when = " between the known changes," if changing else ""
        start, goal = (self.name(int(ends[agent])) for ends in (self.instance.starts, self.instance.goals))
        reason = f"agent {agent} can't get from {start} to its goal, {goal},{when} even with nobody else there"
        return Result(Status.NO_SOLUTION, reason=reason, stats={"agent": agent})

    def name(self, vertex: int) -> str:
        """Name a vertex of the instance in a sentence."""
        space = self.instance.space
        return f"vertex {vertex}" if isinstance(space, Graph) else cell_text(*space.cell(vertex))


@kernel
def _distances(near: Any, indptr: Any, indices: Any, goals: Any, table: Any) -> None:
    """Write the steps to each goal, found breadth first; with the arcs not turned round, those from it.

    near: int32[count, 4], see `Board.near`. What is seen is put behind the queue's end in any case and counts only if
    it is new: no branch to be mispredicted.
    """
    count, more = table.shape[1], False
    for u in range(count):
        more = more or indptr[u + 1] - indptr[u] > 4
    queue = np.empty(count + 1, np.int32)
    for k in range(goals.size):
        row = table[k]
        row[:] = FAR
        row[goals[k]] = 0
        queue[0] = goals[k]
        first, last = 0, 1
        while first < last:
            u = np.uint32(queue[first])
            first += 1
            step = np.int32(row[u] + 1)
            for a in range(4):
                v = near[u, a]
                before = row[np.uint32(v)]
                queue[np.uint32(last)] = v
                last += before > step
                row[np.uint32(v)] = min(before, step)
            if more:
                for a in range(indptr[u] + 4, indptr[u + 1]):
                    v = indices[a]
                    if row[v] > step:
                        row[v] = step
                        queue[last] = v
                        last += 1


def _first_four(indptr: Shorts, indices: Shorts) -> Shorts:
    """Return int32[count, 4]: the heads of the first four arcs of each place, itself where it has fewer."""
    near = np.repeat(np.arange(indptr.size - 1, dtype=np.int32)[:, None], 4, axis=1)
    degree = np.diff(indptr)
    for arc in range(4):
        has = degree > arc
        near[has, arc] = indices[indptr[:-1][has] + arc]
    return near
