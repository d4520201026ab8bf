"""Crossing: routes and an augmentation that takes flow back become routes that use every edge forward only.

Two streams of a fluid that meet may swap what they carry; units can't swap their plans. Where an augmentation walks
back along a run of edges of a route, both change places: each goes on as the other did (J. Pacovský, "Navigation of
units in video games using flow networks", 2019). Beyond that source, a route to be crossed contains the whole run, and
a run that no route contains is split: the longest beginning that some route contains is crossed, and the rest is the
next run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from anabasis.flow.residual import Augmentation
from anabasis.flow.subset import sufficient_subset

__all__ = [
    "Crossed",
    "Walk",
    "alternating_runs",
    "candidates",
    "cross",
    "cross_all",
    "first_backward_run",
    "without_loops",
]


class Walk(NamedTuple):
    """A walk from source to sink: k + 1 vertices, the k edges between them, and which of these it walks backward."""

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    back: tuple[bool, ...]

    @classmethod
    def of(cls, found: Augmentation) -> Walk:
        """Return the walk of an augmentation."""
        return cls(found.vertices, found.edges, found.back)

    def part(self, start: int, end: int) -> Walk:
        """Return the walk from its vertex number `start` to its vertex number `end`."""
        return Walk(self.vertices[start : end + 1], self.edges[start:end], self.back[start:end])

    def then(self, other: Walk) -> Walk:
        """Return this walk followed by one that starts where it ends."""
        return Walk(self.vertices + other.vertices[1:], self.edges + other.edges, self.back + other.back)


Amounts = dict[Walk, int]


@dataclass(frozen=True)
class Crossed:
    """Routes with their amounts, whether they are `complete`, and how many crossings, splittings and merges it took.

    Routes that are not complete leave some of the augmentation out, which then has to be found afresh.
    """

    routes: Amounts
    complete: bool
    crossings: int
    splittings: int
    merges: int


def alternating_runs(back: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return the runs of edges walked forward, backward, forward, ... as (first, behind the last)."""
    runs: list[tuple[int, int]] = []
    for _, group in groupby(back):
        start = runs[-1][1] if runs else 0
        runs.append((start, start + len(list(group))))
    return runs


def first_backward_run(walk: Walk) -> tuple[int, int] | None:
    """Return the first run of edges that a walk walks backward as (first, behind the last), None if there is none."""
    return next(((a, b) for a, b in alternating_runs(walk.back) if walk.back[a]), None)


def position_reversed(route: Walk, run: Walk) -> int | None:
    """Return the number of the vertex at which a route begins to walk a run in the opposite direction."""
    vertices, edges = run.vertices[::-1], run.edges[::-1]
    if edges[0] not in route.edges:
        return None  # as with most routes
    for start in range(len(route.edges) - len(edges) + 1):
        end = start + len(edges)
        if route.edges[start:end] == edges and route.vertices[start : end + 1] == vertices:
            return start
    return None


def candidates(routes: Mapping[Walk, int], run: Walk) -> dict[Walk, int]:
    """Return the routes that contain a whole run reversed, each with the place at which it begins."""
    places = ((route, position_reversed(route, run)) for route in routes)
    return {route: place for route, place in places if place is not None}


def cross(walk: Walk, run: tuple[int, int], route: Walk, place: int) -> tuple[Walk, Walk]:
    """Return two walks that use what a walk and a route use, less a run of the walk, which the route walks reversed.

    run: the edges of the walk. place: the number of the vertex at which the route begins to walk them. The first walk
    goes on as the route does where the run began, the second as the walk does where the run ends.
    """
    a, b = run
    first = walk.part(0, a).then(route.part(place + b - a, len(route.edges)))
    second = route.part(0, place).then(walk.part(b, len(walk.edges)))
    return first, second


def cross_all(routes: Mapping[Walk, int], walk: Walk, amount: int) -> Crossed:
    """Cross an augmentation of so much into a set of routes, until no edge is walked backward."""
    pool: Amounts = dict(routes)
    waiting = [(walk, amount)]
    crossings = splittings = merges = 0
    while waiting:
        negative, left = waiting.pop()
        run = first_backward_run(negative)
        if run is None:
            merges += _add(pool, negative, left)
            continue
        start, end = run
        while left and end > start:  # a run is split where it ends before the next one begins
            for route, place, crossed in _choose(pool, negative.part(start, end), left):
                first, second = cross(negative, (start, end), route, place)
                _add(pool, route, -crossed)
                merges += _add(pool, first, crossed)
                waiting.append((second, crossed))
                left -= crossed
                crossings += 1
                splittings += end < run[1]
            end -= 1
        if left:
            return Crossed(pool, False, crossings, splittings, merges)
    return Crossed(pool, True, crossings, splittings, merges)


def _add(pool: Amounts, route: Walk, amount: int) -> bool:
    """Add an amount to a route, or take it off; a route without any is deleted. Return whether it was there before."""
    before = pool.get(route, 0)
    pool[route] = before + amount
    if not pool[route]:
        del pool[route]
    return before > 0


def _choose(pool: Amounts, run: Walk, required: int) -> Iterator[tuple[Walk, int, int]]:
    """Yield the routes to cross at a run, the place in each, and how much of it; all but one are used up."""
    found = candidates(pool, run)
    routes = list(found)
    for i in sufficient_subset([pool[route] for route in routes], required):
        if not required:
            return
        amount = min(pool[routes[i]], required)
        yield routes[i], found[routes[i]], amount
        required -= amount


def without_loops(walk: Walk) -> tuple[Walk, list[Walk]]:
    """Return a walk that visits each vertex once, and the closed walks that were cut out of it."""
    vertices: list[int] = [walk.vertices[0]]
    edges: list[int] = []
    loops: list[Walk] = []
    for vertex, edge in zip(walk.vertices[1:], walk.edges, strict=True):
        vertices.append(vertex)
        edges.append(edge)
        seen = vertices.index(vertex)
        if seen < len(edges):
            loop = tuple(edges[seen:])
            loops.append(Walk(tuple(vertices[seen:]), loop, (False,) * len(loop)))
            del vertices[seen + 1 :], edges[seen:]
    return Walk(tuple(vertices), tuple(edges), (False,) * len(edges)), loops
