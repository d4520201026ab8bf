"""Levels: surfaces above each other, each discretised on its own, joined by bridges, tunnels, stairs and lifts.

A world of several levels (2.5D) as in game development: each level has its own graph, and links lead from a place on
one level to a place on another. Such multi-layered surfaces: W. van Toll, A. F. Cook IV, R. Geraerts, "Navigation
meshes for realistic multi-layered environments", 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decompose.metric import greatest_metric
from anabasis.decompose.nearest import joined
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.world import World

__all__ = ["Levels", "Link", "joined_levels"]


@dataclass(frozen=True)
class Link:
    """A way from a place (x, y) of one level to a place of another, or of the same one.

    cost: what it costs to walk it, by default the distance of the two places as seen from above. one_way: whether it
    can't be walked back.
    """

    level: int
    place: tuple[float, float]
    to_level: int
    to_place: tuple[float, float]
    cost: float | None = None
    one_way: bool = False


@dataclass(frozen=True, eq=False)
class Levels:
    """All levels as one graph.

    graph: the states of level 0 first, then those of level 1, and so on; behind those of each level the ends of links
    on it. level: int64[n], the level of each state.
    """

    graph: Graph
    level: NDArray[np.int64]

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "level", freeze(self.level, np.int64, (self.graph.size,), "level"))

    def nearest(self, level: int, place: ArrayLike) -> int:
        """Return the state of a level that is nearest to a place (x, y); raises InputError if the level has none."""
        states = np.flatnonzero(self.level == level)
        if not states.size:
            raise InputError("the level has no states", found=f"level {level}", expected="a level with states")
        away = ((self.graph.points[states] - freeze(place, np.float64, (2,), "place")) ** 2).sum(axis=1)
        return int(states[np.argmin(away)])


def joined_levels(
    levels: Sequence[tuple[World | Grid, Graph]], links: Sequence[Link], *, neighbours: int = 8
) -> Levels:
    """Join levels, each a world with a graph of it, by links.

    Each end of a link becomes a state of its level, joined with the `neighbours` nearest states that it sees (see
    `nearest.joined`); links with the same end share it. The metric of the graph is the greatest that no arc undercuts.
    Raises InputError that names the link: a level that does not exist, an end that sees no state, a cost below 0.
    """
    if not levels:
        raise InputError("no levels", found="none", expected="at least one world with its graph")
    ends: list[dict[tuple[float, float], int]] = [{} for _ in levels]
    for number, link in enumerate(links):
        for level, place in _ends(link):
            if not 0 <= level < len(levels):
                raise InputError(f"link {number}", found=f"level {level}", expected=f"levels 0 to {len(levels) - 1}")
            ends[level].setdefault(place, len(ends[level]))
        if link.cost is not None and not 0 <= link.cost < np.inf:
            raise InputError(f"cost of link {number}", found=f"{link.cost}", expected="a finite cost of at least 0")
    graphs = [
        joined(graph, space, np.array(list(places), np.float64).reshape(-1, 2), neighbours=neighbours)
        for (space, graph), places in zip(levels, ends, strict=True)
    ]
    first = np.cumsum([0, *(graph.size for graph in graphs)])
    points = np.concatenate([graph.points for graph in graphs])
    tails = [first[k] + np.repeat(np.arange(g.size), np.diff(g.indptr)) for k, g in enumerate(graphs)]
    heads = [first[k] + g.indices for k, g in enumerate(graphs)]
    weights = [g.weights for g in graphs]
    for number, link in enumerate(links):
        states: list[int] = []
        for level, place in _ends(link):
            state = levels[level][1].size + ends[level][place]
            if graphs[level].indptr[state] == graphs[level].indptr[state + 1]:
                raise InputError(
                    f"link {number} hangs in the air",
                    found=f"no state of level {level} that ({place[0]:g}, {place[1]:g}) sees",
                    expected="a place that is free and sees a state of its level",
                )
            states.append(int(first[level]) + state)
        cost = float(np.hypot(*(points[states[0]] - points[states[1]]))) if link.cost is None else float(link.cost)
        way = states if link.one_way else states + states[::-1]
        tails.append(np.array(way[::2]))
        heads.append(np.array(way[1::2]))
        weights.append(np.full(len(way) // 2, cost))
    tail, head, weight = np.concatenate(tails), np.concatenate(heads), np.concatenate(weights)
    graph = Graph.from_arcs(points, tail, head, weight, greatest_metric(points, tail, head, weight))
    return Levels(graph, np.repeat(np.arange(len(graphs)), np.diff(first)))


def _ends(link: Link) -> tuple[tuple[int, tuple[float, float]], ...]:
    """Return level and place of both ends, checked."""
    places = [freeze(place, np.float64, (2,), "place of a link").tolist() for place in (link.place, link.to_place)]
    return (link.level, (places[0][0], places[0][1])), (link.to_level, (places[1][0], places[1][1]))
