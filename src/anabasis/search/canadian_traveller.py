"""Canadian traveller: to a goal along roads each of which may be blocked, which is seen only at its end.

C. Papadimitriou and M. Yannakakis, "Shortest paths without a map", 1991. The policies are those of P. Eyerich,
T. Keller and M. Helmert, "High-quality policies for the Canadian Traveler's Problem", 2010: the *optimist* takes every
road that it has not seen for open; *hindsight* draws worlds by what it knows and goes where the way is shortest on
average for one who knew them; *rollout* goes where the optimist would need least on average from there on.

There the roads go both ways, so nobody can go where the rest is cut off from him. Roads of one way make traps: who
thinks goes first of all where the goal is reached in most of the worlds drawn, and among those where it is nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_choice, check_count, check_seed
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.moves import Space

__all__ = ["POLICIES", "Journeys", "canadian_traveller", "draw_blocked", "journeys"]

POLICIES = ("optimistic", "hindsight", "rollout")
_WORLDS, _THOUGHTS = 71, 72  # streams of randomness: of the worlds, and of what a policy imagines
_UNKNOWN, _OPEN, _BLOCKED = range(3)


@dataclass(frozen=True, eq=False)
class Journeys:
    """What a policy needed in worlds drawn at random.

    numbers: int64[k], the numbers of the worlds, all with a way; costs: float64[k], what was walked; best: float64[k],
    the shortest way for one who knew the world.
    """

    numbers: NDArray[np.int64]
    costs: NDArray[np.float64]
    best: NDArray[np.float64]

    __repr__ = summary

    def __post_init__(self) -> None:
        numbers = freeze(self.numbers, np.int64, (None,), "numbers")
        set_field(self, "numbers", numbers)
        for name in ("costs", "best"):
            set_field(self, name, freeze(getattr(self, name), np.float64, numbers.shape, name))

    @property
    def ratios(self) -> NDArray[np.float64]:
        """float64[k]: the competitive ratio in each world, at least 1; 1 where nothing had to be walked."""
        return np.where(self.best > 0, self.costs / np.where(self.best > 0, self.best, 1.0), 1.0)


class _Roads:
    """A graph as lists; arcs between the same two vertices, in whatever direction, are one road."""

    def __init__(self, graph: Graph, chances: NDArray[np.float64]) -> None:
        n = graph.size
        tails = np.repeat(np.arange(n), np.diff(graph.indptr))
        ends = np.minimum(tails, graph.indices) * n + np.maximum(tails, graph.indices)
        _, first, number = np.unique(ends, return_index=True, return_inverse=True)
        self.of_arc = number.reshape(-1)
        if (chances != chances[first][self.of_arc]).any():
            k = int(np.flatnonzero(chances != chances[first][self.of_arc])[0])
            raise InputError(
                f"the arcs between vertex {tails[k]} and vertex {graph.indices[k]} are one road",
                found=f"chances {chances[first][self.of_arc][k]:g} and {chances[k]:g}",
                expected="the same chance for all of them",
            )
        self.chance: list[float] = chances[first].tolist()
        self.out: list[list[tuple[int, float, int]]] = [[] for _ in range(n)]
        self.into: list[list[tuple[int, float, int]]] = [[] for _ in range(n)]
        rows = zip(tails.tolist(), graph.indices.tolist(), graph.weights.tolist(), self.of_arc.tolist(), strict=True)
        for u, v, weight, road in rows:
            self.out[u].append((v, weight, road))
            self.into[v].append((u, weight, road))

    def before(self) -> list[int]:
        """Return what is known of each road before the journey."""
        return [_OPEN if p == 0 else _BLOCKED if p == 1 else _UNKNOWN for p in self.chance]

    def see(self, vertex: int, known: list[int], blocked: Sequence[bool]) -> int:
        """See the roads out of a vertex; return how many were not known."""
        count = 0
        for _, _, road in self.out[vertex]:
            if known[road] == _UNKNOWN:
                known[road] = _BLOCKED if blocked[road] else _OPEN
                count += 1
        return count

    def distances(self, source: int, shut: Sequence[bool], *, backward: bool = False) -> tuple[list[float], list[int]]:
        """Return how far all vertices are from, or to, a source by roads that aren't shut, and the vertex before."""
        away, before = [inf] * len(self.out), [-1] * len(self.out)
        away[source] = 0.0
        queue = [(0.0, source)]
        while queue:
            far, u = heappop(queue)
            if far > away[u]:
                continue
            for v, weight, road in (self.into if backward else self.out)[u]:
                if not shut[road] and far + weight < away[v]:
                    away[v], before[v] = far + weight, u
                    heappush(queue, (far + weight, v))
        return away, before

    def imagined(self, known: list[int], key: int, number: int) -> list[bool]:
        """Return a world drawn by what is known: whether each road is blocked."""
        return [
            state == _BLOCKED if state != _UNKNOWN else random_fraction(key, road, number) < self.chance[road]
            for road, state in enumerate(known)
        ]


def _way(before: list[int], end: int) -> list[int]:
    way = [end]
    while before[way[-1]] >= 0:
        way.append(before[way[-1]])
    return way[::-1]


def draw_blocked(graph: Graph, chances: ArrayLike, *, seed: int = 0, number: int = 0) -> NDArray[np.bool_]:
    """Return bool[m]: which arcs are blocked in world `number` of a seed; those of one road are blocked together.

    chances: float64[m], from 0 to 1, for each arc. Raises InputError for other numbers, chances that differ within a
    road, or what is no Graph.
    """
    roads = _Roads(graph, _checked(graph, chances))
    key = stream_key(check_seed(seed), _WORLDS, check_count(number, "number of the world"))
    blocked = np.array([random_fraction(key, road, 0) < chance for road, chance in enumerate(roads.chance)], bool)
    return blocked[roads.of_arc]


def _checked(graph: Graph, chances: ArrayLike) -> NDArray[np.float64]:
    if not isinstance(graph, Graph):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("this needs roads", found=type(graph).__name__, expected="a Graph")
    shares = freeze(chances, np.float64, graph.weights.shape, "chances")
    wrong = shares[~((shares >= 0) & (shares <= 1))]
    if wrong.size:
        raise InputError("chance that an arc is blocked", found=f"{wrong[0]:g}", expected="a share from 0 to 1")
    return shares


def canadian_traveller(
    graph: Graph,
    start: int,
    goal: int,
    chances: ArrayLike,
    blocked: ArrayLike,
    *,
    policy: str = "optimistic",
    samples: int = 100,
    seed: int = 0,
) -> Result[Path]:
    """Travel from vertex `start` to vertex `goal` of a world that is not known, and return the way walked.

    chances: float64[m], how likely each arc is blocked. blocked: bool[m], which arcs are, which the traveller sees at
    their tails. Arcs between two vertices are one road: blocked, and seen, together. policy: one of POLICIES; all but
    the optimist, which runs on D* Lite, draw `samples` worlds for each decision. At equal prospects the vertex of
    smallest number is chosen.

    stats: decisions (how often the way was thought over), seen (roads that were not known before). The bound is the
    cost of the shortest way for one who knew the world. If what was seen proves that there is no way from where the
    traveller is: NO_SOLUTION, and the way walked so far is lost. Where roads lead one way only that may be so although
    there was a way from the start.

    Raises InputError for arrays of wrong size, chances that differ within a road, a blocked arc of chance 0 or an open
    one of chance 1, unknown options, what is no Graph and, by the optimist, arcs of weight 0 between two vertices.
    """
    check_choice(policy, "policy", POLICIES)
    start, goal = Space(graph).ends(start, goal)
    roads = _Roads(graph, _checked(graph, chances))
    world = _world(roads, freeze(blocked, np.bool_, graph.weights.shape, "blocked"))
    samples, seed = check_count(samples, "number of samples", 1), check_seed(seed)
    if policy == "optimistic":
        walk, decisions, seen = _optimist(graph, roads, start, goal, world)
    else:
        walk, decisions, seen = _thinker(roads, start, goal, world, policy, samples, seed)
    stats: dict[str, float] = {"decisions": decisions, "seen": seen}
    if walk[-1] != goal:
        reason = f"the goal, vertex {goal}, is cut off from vertex {walk[-1]} by blocked roads"
        return Result(Status.NO_SOLUTION, None, reason, 0.0, stats)
    cost = sum(min(w for x, w, road in roads.out[u] if x == v and not world[road]) for u, v in pairwise(walk))
    vertices = np.array(walk, np.int64)
    best = roads.distances(start, world)[0][goal]
    return Result(Status.SOLVED, Path(vertices, graph.points[vertices], cost), "", min(best, cost), stats)


def _world(roads: _Roads, blocked: NDArray[np.bool_]) -> list[bool]:
    """Return whether each road is blocked, checked against its chance."""
    count = np.bincount(roads.of_arc, weights=blocked, minlength=len(roads.chance))
    whole = np.bincount(roads.of_arc, minlength=len(roads.chance))
    for road, chance in enumerate(roads.chance):
        if count[road] not in (0, whole[road]):
            raise InputError("the arcs of a road are blocked together", expected="all of them or none")
        if (count[road] > 0 and chance == 0) or (count[road] == 0 and chance == 1):
            found = f"{'a blocked' if chance == 0 else 'an open'} arc of chance {chance:g}"
            raise InputError("the world is one that can't be", found=found, expected="one that agrees with the chances")
    return [bool(number) for number in count > 0]


def _optimist(graph: Graph, roads: _Roads, start: int, goal: int, world: list[bool]) -> tuple[list[int], int, int]:
    """Walk along the shortest way by roads not known to be blocked, mended at each discovery."""
    known, walk, decisions, seen = roads.before(), [start], 0, 0
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    unit, told = DStarLite(graph, start, goal), np.zeros(len(known), bool)
    while True:
        seen += roads.see(walk[-1], known, world)
        if walk[-1] == goal:
            return walk, decisions, seen
        shut = np.array([state == _BLOCKED for state in known], bool)
        news = np.flatnonzero((shut & ~told)[roads.of_arc])
        decisions += len(walk) == 1 or news.size > 0
        unit.change_arcs(tails[news], graph.indices[news], np.full(news.size, np.inf))
        told = shut
        step = unit.next_step()
        if step is None:
            return walk, decisions, seen
        unit.move_to(step)
        walk.append(step)


def _thinker(
    roads: _Roads, start: int, goal: int, world: list[bool], policy: str, samples: int, seed: int
) -> tuple[list[int], int, int]:
    """Walk to the best of the vertices that have something to be seen, thinking anew wherever something was seen."""
    known, walk, decisions, seen = roads.before(), [start], 0, 0
    while True:
        seen += roads.see(walk[-1], known, world)
        here = walk[-1]
        if here == goal:
            return walk, decisions, seen
        away, before = roads.distances(here, [state != _OPEN for state in known])
        hope = roads.distances(goal, [state == _BLOCKED for state in known], backward=True)[0]
        unseen = [any(known[road] == _UNKNOWN for _, _, road in out) for out in roads.out]
        choices = [v for v, far in enumerate(away) if far < inf and hope[v] < inf and (v == goal or unseen[v])]
        if not choices:
            return walk, decisions, seen
        key = stream_key(seed, _THOUGHTS, decisions)
        imagined = [roads.imagined(known, key, number) for number in range(samples)]
        decisions += 1
        chosen = _choice(roads, choices, away, hope, goal, known, imagined, policy)
        for v in _way(before, chosen)[1:]:
            walk.append(v)
            if unseen[v] or v == goal:
                break


def _choice(
    roads: _Roads,
    choices: list[int],
    away: list[float],
    hope: list[float],
    goal: int,
    known: list[int],
    imagined: list[list[bool]],
    policy: str,
) -> int:
    """Return the choice from which the goal is reached in most imagined worlds, and then nearest on average in those.

    The way to the choice counts too. If the goal is reached in no world, the optimist decides.
    """
    sums, reached = [0.0] * len(choices), [0] * len(choices)
    for world in imagined:
        rest = roads.distances(goal, world, backward=True)[0]
        for k, v in enumerate(choices):
            if rest[v] < inf and policy == "rollout":
                rest[v] = _optimistic_cost(roads, v, goal, list(known), world)
            if rest[v] < inf:
                sums[k] += rest[v]
                reached[k] += 1
    if not any(reached):
        sums, reached = [hope[v] for v in choices], [1] * len(choices)
    most = max(reached)
    prospects = {v: away[v] + sums[k] / most for k, v in enumerate(choices) if reached[k] == most}
    return min(prospects, key=prospects.__getitem__)


def _optimistic_cost(roads: _Roads, vertex: int, goal: int, known: list[int], world: list[bool]) -> float:
    """Return what the optimist walks from a vertex on in a world, inf if it is cut off."""
    cost = 0.0
    while vertex != goal:
        roads.see(vertex, known, world)
        away, before = roads.distances(goal, [state == _BLOCKED for state in known], backward=True)
        if away[vertex] == inf:
            return inf
        here = vertex
        while here != goal:  # until something new is seen
            there = before[here]
            cost += min(w for x, w, road in roads.out[here] if x == there and known[road] != _BLOCKED)
            here = there
            if any(known[road] == _UNKNOWN for _, _, road in roads.out[here]):
                break
        vertex = here
    return cost


def journeys(
    graph: Graph,
    start: int,
    goal: int,
    chances: ArrayLike,
    *,
    policy: str = "optimistic",
    count: int = 100,
    samples: int = 100,
    seed: int = 0,
) -> Journeys:
    """Travel in the worlds 0 to `count` - 1 of a seed, of which those without a way are left out.

    The options and errors are those of `canadian_traveller`; policies are compared on the same worlds.
    """
    rows: list[tuple[int, float, float]] = []
    for number in range(check_count(count, "number of worlds", 1)):
        blocked = draw_blocked(graph, chances, seed=seed, number=number)
        result = canadian_traveller(graph, start, goal, chances, blocked, policy=policy, samples=samples, seed=seed)
        if result.value:
            rows.append((number, result.value.cost, result.bound))
    numbers, costs, best = zip(*rows, strict=True) if rows else ((), (), ())
    return Journeys(np.array(numbers, np.int64), np.array(costs), np.array(best))
