"""Plan review: a second judge of multi-agent plans, in plain Python, word for word from the definitions.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019. It is slow and shares nothing
with `plans` but the record of a fault and the check of what is given, so that each of the two can be trusted because
of the other.
"""

from __future__ import annotations

from itertools import combinations

from anabasis.graph import Graph
from anabasis.instance import Instance
from anabasis.metrics.plans import Fault, check_judged
from anabasis.plan import Plan

__all__ = ["review_plan"]

Area = frozenset[int]


def review_plan(instance: Instance, plan: Plan) -> list[Fault]:
    """Return the faults of a plan, all of them, of the same kinds, steps and agents as those of `plans.plan_faults`.

    Raises InputError for what is no Instance or no Plan.
    """
    check_judged(instance, plan)
    return _Review(instance, plan).faults()


class _Review:
    """The paths of a plan, and who covers what."""

    def __init__(self, instance: Instance, plan: Plan) -> None:
        self.instance = instance
        self.rules = instance.rules
        self.graph = instance.space if isinstance(instance.space, Graph) else None
        self.width = 0 if isinstance(instance.space, Graph) else instance.space.width
        self.paths: list[list[int]] = [column.tolist() for column in plan.vertices.T]
        self.last = len(plan.vertices) - 1
        self.agents = range(instance.size)
        self.goals: list[int] = instance.goals.tolist()
        self.sides: list[int] = instance.sizes.tolist()
        self.walls = _walls(instance)
        self.changes: dict[int, list[tuple[int, bool]]] = {}
        columns = instance.change_times, instance.change_vertices, instance.change_blocked
        for time, vertex, blocked in zip(*(column.tolist() for column in columns), strict=True):
            self.changes.setdefault(vertex, []).append((time, blocked))
        self.arrivals = [self.arrival(a) for a in self.agents] if len(self.paths) == instance.size else []

    def faults(self) -> list[Fault]:
        if len(self.paths) != self.instance.size:
            return [Fault("agents", 0)]
        starts: list[int] = self.instance.starts.tolist()
        if self.last < 0:
            return [self.fault("start", 0, a, at=(starts[a], starts[a])) for a in self.agents]
        every = [(a, t) for t in range(self.last + 1) for a in self.agents]
        size = self.instance.vertex_count
        unknown = [Fault("unknown", t, (a,), (self.paths[a][t],)) for a, t in every if self.paths[a][t] >= size]
        if unknown:
            return unknown
        found = [
            self.fault("start", 0, a, at=(self.paths[a][0], starts[a]))
            for a in self.agents
            if self.paths[a][0] != starts[a]
        ]
        found += [
            self.fault("goal", self.last, a, at=(self.paths[a][-1], self.goals[a]))
            for a in self.agents
            if self.arrivals[a] is None
        ]
        for t in range(self.last + 1):
            found += self.standing(t)
            found += self.moving(t) if t else []
        return found + self.resting()

    def fault(self, kind: str, step: int, *agents: int, at: tuple[int, ...] = ()) -> Fault:
        return Fault(kind, step, agents, at, self.width)

    def arrival(self, a: int) -> int | None:
        """The step from which on the agent is at its goal for good, or in which it vanishes; None if there is none."""
        path, goal = self.paths[a], self.goals[a]
        if not self.rules.stay:
            return path.index(goal) if goal in path else None
        if not path or path[-1] != goal:
            return None
        return max((t + 1 for t, vertex in enumerate(path) if vertex != goal), default=0)

    def present(self, a: int, t: int) -> bool:
        arrival = self.arrivals[a]
        return self.rules.stay or arrival is None or t <= arrival

    def area(self, a: int, t: int) -> Area:
        """The cells that an agent covers, those outside the map as numbers below 0."""
        corner, side = self.paths[a][t], self.sides[a]
        if self.graph is not None or side == 1:
            return frozenset([corner])
        height = self.instance.vertex_count // self.width
        row, column = divmod(corner, self.width)
        return frozenset(
            y * self.width + x if y < height and x < self.width else -1 - (y * (self.width + side) + x)
            for y in range(row, row + side)
            for x in range(column, column + side)
        )

    def is_closed(self, vertex: int, t: int) -> bool:
        """Whether a vertex is blocked in a step: by the last change of it up to that step, else by the map."""
        closed = vertex in self.walls
        for time, blocked in self.changes.get(vertex, []):
            if time <= t:
                closed = blocked
        return closed

    def standing(self, t: int) -> list[Fault]:
        """Faults of where agents are in a step."""
        found: list[Fault] = []
        areas = {a: self.area(a, t) for a in self.agents if self.present(a, t)}
        for a, area in areas.items():
            if min(area) < 0:
                found.append(self.fault("outside", t, a, at=(self.paths[a][t],)))
            closed = [v for v in sorted(area) if v >= 0 and self.is_closed(v, t)]
            if closed:
                found.append(self.fault("obstacle", t, a, at=(closed[0],)))
        if self.rules.vertex:
            on = _who_covers(areas)
            sharing = {pair for v, agents in on.items() if v >= 0 for pair in combinations(sorted(agents), 2)}
            for a, b in sorted(sharing):
                found.append(self.fault("vertex", t, a, b, at=(min(v for v in areas[a] & areas[b] if v >= 0),)))
        return found

    def is_step(self, start: int, end: int) -> bool:
        if self.graph is not None:
            return end in self.graph.indices[self.graph.indptr[start] : self.graph.indptr[start + 1]]
        (y, x), (v, u) = divmod(start, self.width), divmod(end, self.width)
        return abs(y - v) + abs(x - u) == 1

    def moving(self, t: int) -> list[Fault]:
        """Faults of the moves that lead into step t."""
        found: list[Fault] = []
        rules = self.rules
        here = [a for a in self.agents if self.present(a, t)]
        moves = {a: (self.paths[a][t - 1], self.paths[a][t]) for a in here}
        for a, (start, end) in moves.items():
            arrival = self.arrivals[a]
            if start == end and not rules.wait and (arrival is None or t - 1 < arrival):
                found.append(self.fault("wait", t, a, at=(end,)))
            if start != end and not self.is_step(start, end):
                found.append(self.fault("jump", t, a, at=(start, end)))
        entered = {a: {v for v in self.area(a, t) - self.area(a, t - 1) if v >= 0} for a in here}
        covered = {b: self.area(b, t - 1) for b in self.agents if self.present(b, t - 1)}
        on = _who_covers(covered)
        behind = {(a, b) for a in here for v in entered[a] for b in on.get(v, []) if a != b}
        if rules.swap:
            exchanges = sorted((a, b) for a, b in behind if a < b and b in entered and (b, a) in behind)
            found += [self.fault("swap", t, a, b, at=(moves[a][0], moves[b][0])) for a, b in exchanges]
        if rules.edge and not rules.vertex:
            for a, b in combinations(here, 2):
                if moves[a] == moves[b] and moves[a][0] != moves[a][1]:
                    found.append(self.fault("edge", t, a, b, at=moves[a]))
        if rules.following:
            found += [self.fault("following", t, a, b, at=(min(entered[a] & covered[b]),)) for a, b in behind]
        if rules.cycle:
            found += [Fault("cycle", t, ring, (), self.width) for ring in _rings(behind)]
        return found

    def resting(self) -> list[Fault]:
        """Faults of those who rest where a change blocks their place after the end of the plan."""
        found: list[Fault] = []
        later = sorted({t for t in self.instance.change_times.tolist() if t > self.last})
        for a in self.agents:
            if not self.present(a, self.last + 1):
                continue
            for t in later:
                changed = self.instance.change_vertices[self.instance.change_times == t].tolist()
                closed = [v for v in changed if v in self.area(a, self.last) and self.is_closed(v, t)]
                if closed:
                    found.append(self.fault("obstacle", t, a, at=(closed[0],)))
                    break
        return found


def _walls(instance: Instance) -> frozenset[int]:
    """The blocked cells of a map."""
    if isinstance(instance.space, Graph):
        return frozenset()
    rows = instance.space.free.tolist()
    return frozenset(
        y * instance.space.width + x for y, row in enumerate(rows) for x, free in enumerate(row) if not free
    )


def _who_covers(areas: dict[int, Area]) -> dict[int, list[int]]:
    """The agents on each cell."""
    on: dict[int, list[int]] = {}
    for a, area in areas.items():
        for v in area:
            on.setdefault(v, []).append(a)
    return on


def _rings(behind: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The agents on rings of three or more, rings with a common agent together."""
    rings: list[set[int]] = []

    def grow(ring: list[int]) -> None:
        for a, b in behind:
            if a == ring[-1] and b == ring[0] and len(ring) > 2:
                rings.append(set(ring))
            elif a == ring[-1] and b > ring[0] and b not in ring:
                grow([*ring, b])

    for first in sorted({a for a, _ in behind}):
        grow([first])
    joined: list[set[int]] = []
    for ring in rings:
        apart = [group for group in joined if not group & ring]
        joined = [*apart, ring.union(*(group for group in joined if group & ring))]
    return [tuple(sorted(group)) for group in joined]
