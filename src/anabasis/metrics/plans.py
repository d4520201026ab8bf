"""Plans: every fault of a multi-agent plan, found in one pass over its steps.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019, for the kinds of conflicts.
`plan_review` judges the same in plain Python and shares no code with this module but the record of a fault and the
check of what is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis.graph import Graph
from anabasis.grid import cell_text
from anabasis.instance import Instance
from anabasis.options import check_count, check_kind
from anabasis.plan import Plan

__all__ = ["FAULTS", "Fault", "check_judged", "plan_faults"]

Ints, Bools = NDArray[np.int64], NDArray[np.bool_]

FAULTS = {
    "agents": "the plan does not have one column for each agent",
    "unknown": "agent {a} is at vertex {v}, and there is no such vertex",
    "start": "agent {a} is at {p}, not at its start, {q}",
    "jump": "agent {a} goes from {p} to {q}, which no step leads to",
    "wait": "agent {a} waits at {p} before it has arrived for good",
    "outside": "agent {a} at {p} covers cells outside the map",
    "obstacle": "agent {a} is at {p}, which is blocked",
    "vertex": "agents {a} and {b} are both at {p}",
    "edge": "agents {a} and {b} go together from {p} to {q}",
    "swap": "agents {a} and {b} change places, {p} and {q}",
    "following": "agent {a} enters {p}, where agent {b} was one step before",
    "cycle": "agents {all} move round in a ring",
    "goal": "agent {a} ends at {p}, not at its goal, {q}",
}
"""The kinds of faults and what each says."""

_ORDER = {name: number for number, name in enumerate(FAULTS)}
_KINDS = tuple(FAULTS)
_OUTSIDE, _OBSTACLE, _VERTEX, _EDGE, _SWAP, _FOLLOWING, _CYCLE = (
    _ORDER[name] for name in ("outside", "obstacle", "vertex", "edge", "swap", "following", "cycle")
)
_MOST = 10**7  # faults that are returned at a time: memory is taken for all of them


@dataclass(frozen=True)
class Fault:
    """What is wrong with a plan in one step; its `str` is a sentence.

    - kind: a name of `FAULTS`;
    - step: the row of the plan that shows it; for a move the row into which it leads;
    - agents: those at fault, rising, but for `following`, whose first agent enters where the second was;
    - vertices: where: the vertices that the sentence names;
    - width: of the grid, 0 on a graph.
    """

    kind: str
    step: int
    agents: tuple[int, ...] = ()
    vertices: tuple[int, ...] = ()
    width: int = 0

    def __str__(self) -> str:
        names = [cell_text(v % self.width, v // self.width) if self.width else f"vertex {v}" for v in self.vertices]
        first, second = (*self.agents, -1, -1)[:2]
        parts = {"a": first, "b": second, "all": ", ".join(map(str, self.agents)), "v": (*self.vertices, -1)[0]}
        places = dict(zip("pq", (*names, "", "")[:2], strict=True))
        text = FAULTS[self.kind].format(**parts, **places)
        return text if self.kind == "agents" else f"step {self.step}: {text}"

    @property
    def record(self) -> tuple[int, int, int, str]:
        """Agent, agent, step and sentence, as plan files list faults; of agents the first two, -1 for none."""
        first, second = (*self.agents, -1, -1)[:2]
        return first, second, self.step, str(self)


def check_judged(instance: object, plan: object) -> None:
    """Raise InputError unless these are an Instance and a Plan."""
    check_kind(instance, Instance, "the instance of a plan", "Instance.of(grid, starts, goals)")
    check_kind(plan, Plan, "a plan", "`value` of a solver's Result, unless it is None; of an array Plan(vertices)")


def plan_faults(instance: Instance, plan: Plan, *, limit: int = 10_000) -> list[Fault]:
    """Return the faults of a plan for an instance, by step and kind; empty if the plan is valid.

    What counts:

    - an agent that stays rests at its last place for ever, so a known change that blocks the place after the end of the
      plan is a fault of that time (`obstacle`); one that vanishes is there up to the step of its first arrival;
    - `vertex`, `edge`, `swap`, `following` and `cycle` count if the rules forbid them, each by itself, but `edge` only
      where agents may share a place (else the vertex conflicts at both ends say it);
    - agents of several cells: sharing a cell is `vertex`; if each enters a cell that the other covered one step before,
      it is `swap`; if one does, `following`;
    - with the wrong number of agents or an unknown vertex nothing else is looked at.

    limit: most faults returned, those of the first steps. Raises InputError unless it is from 1 to 10,000,000, and for
    what is no Instance or no Plan.
    """
    check_judged(instance, plan)
    most = check_count(limit, "limit", 1, _MOST)
    rows, width = plan.vertices, 0 if isinstance(instance.space, Graph) else instance.space.width
    if rows.shape[1] != instance.size:
        return [Fault("agents", 0)]
    if not len(rows):
        return [Fault("start", 0, (a,), (int(v), int(v)), width) for a, v in enumerate(instance.starts[:most])]
    unknown = rows >= instance.vertex_count
    if unknown.any():
        where = np.argwhere(unknown)[:most]
        return [Fault("unknown", int(t), (int(a),), (int(rows[t, a]),)) for t, a in where]
    faults = [
        *_single(instance, plan, width, most),
        *_joint(instance, plan, width, most),
    ]
    faults.sort(key=lambda fault: (fault.step, _ORDER[fault.kind], fault.agents))
    return faults[:most]


def _single(instance: Instance, plan: Plan, width: int, most: int) -> list[Fault]:
    """Return the faults of agents by themselves that need no look at the map's free places."""
    rows, rules = plan.vertices, instance.rules
    last = len(rows) - 1
    arrivals = plan.arrivals(instance.goals, stay=rules.stay)
    faults = [
        Fault("start", 0, (a,), (int(rows[0, a]), int(instance.starts[a])), width)
        for a in np.flatnonzero(rows[0] != instance.starts)[:most].tolist()
    ]
    faults += [
        Fault("goal", last, (a,), (int(rows[last, a]), int(instance.goals[a])), width)
        for a in np.flatnonzero(arrivals < 0)[:most].tolist()
    ]
    before, after = rows[:-1], rows[1:]
    steps = np.arange(last)[:, None]  # of the row before
    under_way = steps < np.where(arrivals < 0, last, arrivals)
    there = under_way if not rules.stay else np.True_
    found = {"jump": ~_is_step(instance, before, after) & (before != after) & there}
    if not rules.wait:
        found["wait"] = (before == after) & under_way
    for kind, table in found.items():
        for t, a in np.argwhere(table)[:most].tolist():
            places = (int(before[t, a]), int(after[t, a])) if kind == "jump" else (int(after[t, a]),)
            faults.append(Fault(kind, t + 1, (a,), places, width))
    return faults


def _is_step(instance: Instance, before: Ints, after: Ints) -> Bools:
    """Return which moves lead to a neighbour."""
    space = instance.space
    if isinstance(space, Graph):
        tails = np.repeat(np.arange(space.size), np.diff(space.indptr))
        return np.isin(before * space.size + after, tails * space.size + space.indices)
    move = after - before
    beside = (np.abs(move) == 1) & (np.maximum(before, after) % space.width != 0)
    # of a map of one column the cells above and below are ±1 away
    return beside | (np.abs(move) == space.width)


def _joint(instance: Instance, plan: Plan, width: int, most: int) -> list[Fault]:
    """Return the faults of agents with the map's free places and with each other."""
    rows, rules, space = plan.vertices, instance.rules, instance.space
    there = np.full(instance.size, len(rows) + 1)
    if not rules.stay:
        arrivals = plan.arrivals(instance.goals, stay=False)
        there = np.where(arrivals < 0, there, arrivals + 1)
    is_graph = isinstance(space, Graph)
    free = np.ones(space.size, bool) if is_graph else space.free.reshape(-1).copy()
    changes = instance.change_times, instance.change_vertices, instance.change_blocked
    forbidden = np.array(
        [rules.vertex, rules.edge and not rules.vertex, rules.swap, rules.following, rules.cycle], np.bool_
    )
    found, several = np.zeros((most + instance.size, 6), np.int64), np.zeros(len(rows), np.bool_)
    count = _conflicts(rows, there, instance.sizes, width or free.size, free, *changes, forbidden, most, found, several)
    faults: list[Fault] = []
    rings: dict[tuple[int, int], list[int]] = {}
    for kind, step, a, b, v, w in found[:count].tolist():
        if kind == _CYCLE:
            rings.setdefault((step, a), []).append(b)
        else:
            places = (v,) if w < 0 else (v, w)
            faults.append(Fault(_KINDS[kind], step, (a,) if b < 0 else (a, b), places, width))
    groups = [(step, ring) for (step, _), ring in rings.items()]
    for step in np.flatnonzero(several).tolist():
        groups += [(step, ring) for ring in _rings(_behind(instance, rows, there, step, width or free.size))]
    return faults + [Fault("cycle", step, tuple(sorted(ring)), (), width) for step, ring in groups]


def _behind(instance: Instance, rows: Ints, there: Ints, step: int, width: int) -> list[tuple[int, int]]:
    """Return each pair of agents of which the first enters, in this step, where the second was."""
    before, after, sides = rows[step - 1].tolist(), rows[step].tolist(), instance.sizes.tolist()
    size = instance.vertex_count

    def cells(corner: int, side: int) -> set[int]:
        most = min(corner % width + side, width) - corner % width  # of the map
        return {v for y in range(side) for v in range(corner + y * width, corner + y * width + most) if v < size}

    on: dict[int, list[int]] = {}
    for b in np.flatnonzero(there >= step).tolist():
        for v in cells(before[b], sides[b]):
            on.setdefault(v, []).append(b)
    entered = [
        (a, cells(after[a], sides[a]) - cells(before[a], sides[a])) for a in np.flatnonzero(there > step).tolist()
    ]
    return sorted({(a, b) for a, new in entered for v in new for b in on.get(v, ()) if b != a})


def _rings(arcs: list[tuple[int, int]]) -> list[list[int]]:
    """Return the groups of agents on rings of three or more, where agents may enter the places of several."""
    ahead: dict[int, list[int]] = {}
    for a, b in arcs:
        ahead.setdefault(a, []).append(b)
    joined: dict[int, int] = {}

    def root(a: int) -> int:
        while joined.setdefault(a, a) != a:
            a = joined[a]
        return a

    for a, b in arcs:
        seen, queue = {b}, [b]
        while queue:
            c = queue.pop()
            new = [d for d in ahead.get(c, []) if d not in seen and (c, d) != (b, a)]
            seen.update(new)
            queue += new
        if a in seen:  # back by others than the agent itself
            joined[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for a in joined:
        groups.setdefault(root(a), []).append(a)
    return [group for group in groups.values() if len(group) > 2]


@kernel
def _conflicts(
    rows: Ints,
    there: Ints,
    sizes: Ints,
    width: int,
    free: Bools,
    times: Ints,
    changed: Ints,
    blocked: Bools,
    forbidden: Bools,
    most: int,
    found: Ints,
    several: Bools,
) -> int:
    """Write faults (kind, step, agent, agent or -1, vertex, vertex or -1) and return their number.

    An agent is in the rows below `there`, and after the end if that is more than the rows. Who covers a cell hangs in
    a chain: the first entry from `heads`, the others from `chain`, for the last row and this one. `free` is written to.
    several: where rings are not looked for, since an agent of the step enters the places of two or more.
    """
    last, k = rows.shape[0] - 1, rows.shape[1]
    room = 0
    for a in range(k):
        room += sizes[a] * sizes[a]
    heads = np.full((2, free.size), -1, np.int32)
    chain, who = np.empty((2, room), np.int32), np.empty((2, room), np.int32)
    mark, ahead = np.full(k, -1, np.int64), np.full(k, -1, np.int64)
    moves = forbidden[1:].any()
    change, count = 0, 0
    for t in range(last + 1):
        if count >= most:
            return count
        while change < times.size and times[change] <= t:
            free[changed[change]] = not blocked[change]
            change += 1
        now, past = t & 1, 1 - (t & 1)
        if t > 1:
            _lift(rows[t - 2], sizes, width, heads[now])
        agents = (t, there, sizes, width, mark, forbidden)
        count = _stand(rows[t], agents, free, heads[now], chain[now], who[now], found, count)
        if t and moves:
            chains = (heads[past], chain[past], who[past])
            count, several[t] = _pass(rows[t - 1], rows[t], agents, chains, ahead, most, found, count)
            if forbidden[4] and not several[t]:
                count = _circles(ahead, mark, t, found, count)
    now = last & 1
    while change < times.size and count < most:
        t, first = times[change], change
        while change < times.size and times[change] == t:
            free[changed[change]] = not blocked[change]
            change += 1
        for c in range(first, change):
            entry = -1 if free[changed[c]] else heads[now, changed[c]]
            while entry >= 0 and count < most:
                a = int(who[now, entry])
                if mark[a] != -2 and there[a] > last + 1:
                    mark[a] = -2
                    count = _tell(found, count, _OBSTACLE, t, a, -1, changed[c], -1)
                entry = chain[now, entry]
    return count


@kernel
def _tell(found: Ints, count: int, kind: int, t: int, a: int, b: int, v: int, w: int) -> int:
    """Write one fault if there is room; return the number of faults."""
    if count >= found.shape[0]:
        return count
    row = found[count]
    row[0], row[1], row[2], row[3], row[4], row[5] = kind, t, a, b, v, w
    return count + 1


@kernel
def _lift(row: Ints, sizes: Ints, width: int, heads: Any) -> None:
    """Take all agents off the cells that they cover."""
    for a in range(row.size):
        for dy in range(sizes[a]):
            for v in range(row[a] + dy * width, row[a] + dy * width + sizes[a]):
                if v < heads.size:
                    heads[v] = -1


@kernel
def _stand(row: Ints, agents: Any, free: Bools, heads: Any, chain: Any, who: Any, found: Ints, count: int) -> int:
    """Put the agents on the cells that they cover; tell who leaves the map, is on a wall, or shares a cell."""
    t, there, sizes, width, mark, forbidden = agents
    entry = 0
    for a in range(row.size):
        side, corner = sizes[a], row[a]
        if t >= there[a]:
            continue
        if side > 1 and (corner % width + side > width or corner + (side - 1) * width >= free.size):
            count = _tell(found, count, _OUTSIDE, t, a, -1, corner, -1)
        blocked = -1
        stamp = 2 * (t * row.size + a)
        for dy in range(side):
            for x in range(corner % width, min(corner % width + side, width)):
                v = (corner // width + dy) * width + x
                if v >= free.size:
                    continue
                if not free[v] and blocked < 0:
                    blocked = v
                other = heads[v]
                while other >= 0 and forbidden[0]:
                    b = who[other]
                    if mark[b] != stamp:
                        mark[b] = stamp
                        count = _tell(found, count, _VERTEX, t, b, a, v, -1)
                    other = chain[other]
                chain[entry], who[entry] = heads[v], a
                heads[v] = entry
                entry += 1
        if blocked >= 0:
            count = _tell(found, count, _OBSTACLE, t, a, -1, blocked, -1)
    return count


@kernel
def _covers(corner: int, side: int, x: int, y: int, width: int) -> bool:
    """Whether the square of an agent covers a cell."""
    return 0 <= x - corner % width < side and 0 <= y - corner // width < side


@kernel
def _enters(start: int, end: int, side: int, other: int, other_side: int, width: int, height: int) -> bool:
    """Whether a move leads onto a cell of the map that another covered and the agent itself did not."""
    for y in range(end // width, min(end // width + side, height)):
        for x in range(end % width, min(end % width + side, width)):
            if not _covers(start, side, x, y, width) and _covers(other, other_side, x, y, width):
                return True
    return False


@kernel
def _pass(
    before: Any,
    after: Any,
    agents: Any,
    chains: Any,
    ahead: Any,
    most: int,
    found: Ints,
    count: int,
) -> tuple[int, bool]:
    """Tell who goes where another was: together with it, in exchange, behind it.

    Return the number of faults, and whether rings are forbidden and an agent enters the places of several; `ahead` is
    whose place each enters.
    """
    t, there, sizes, width, mark, forbidden = agents
    heads, chain, who = chains
    k, height, several = after.size, heads.size // width, False
    for a in range(k):
        ahead[a] = -1
        start, end, side = before[a], after[a], sizes[a]
        if start == end or t >= there[a]:
            continue
        other = heads[start] if forbidden[1] else -1
        while other >= 0 and count < most:
            b = who[other]
            if b < a and before[b] == start and after[b] == end and t < there[b]:
                count = _tell(found, count, _EDGE, t, b, a, start, end)
            other = chain[other]
        stamp = 2 * (t * k + a) + 1
        for y in range(end // width, end // width + side):
            for x in range(end % width, end % width + side):
                v = y * width + x
                if x >= width or v >= heads.size or _covers(start, side, x, y, width):
                    continue
                other = heads[v]
                while other >= 0 and count < most:
                    b = who[other]
                    if b != a and mark[b] != stamp:
                        mark[b] = stamp
                        several = several or ahead[a] >= 0
                        ahead[a] = b
                        exchange = forbidden[2] and a < b and t < there[b]
                        if exchange and _enters(before[b], after[b], sizes[b], start, side, width, height):
                            count = _tell(found, count, _SWAP, t, a, b, start, before[b])
                        if forbidden[3]:
                            count = _tell(found, count, _FOLLOWING, t, a, b, v, -1)
                    other = chain[other]
    return count, several and forbidden[4]


@kernel
def _circles(ahead: Any, mark: Ints, t: int, found: Ints, count: int) -> int:
    """Tell the members of rings of three or more, each with the first of its ring; each agent enters one place."""
    k = ahead.size
    for a in range(k):
        b, length = ahead[a], 1
        while b >= 0 and b > a and length < k:  # the first of a ring is its smallest agent
            b = ahead[b]
            length += 1
        if b == a and length > 2:
            for _ in range(length):
                count = _tell(found, count, _CYCLE, t, a, b, -1, -1)
                b = ahead[b]
    return count
