"""Heuristics of conflict-based search: by how much the cost of a node must rise at least, from pairs of agents.

A. Felner et al., "Adding Heuristics to Conflict-Based Search for Multi-Agent Path Finding", 2018 (conflict graph);
J. Li, A. Felner, E. Boyarski, H. Ma and S. Koenig, "Improved Heuristics for Multi-Agent Path Finding with
Conflict-Based Search", 2019 (dependency graph, weighted dependency graph).
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["cover"]

_MOST_TRIED = 20_000
_MOST_AGENTS = 200  # in one part; the search goes as deep

Weights = Mapping[tuple[int, int], int]


def cover(weights: Weights) -> int:
    """Return the least sum of whole numbers, one for each agent, such that those of each pair sum to its weight.

    weights: of pairs of agents, all positive. With more than some dozen agents in one part of the graph it may be a
    lower bound of it only.
    """
    around: dict[int, dict[int, int]] = {}
    for (a, b), weight in weights.items():
        around.setdefault(a, {})[b] = weight
        around.setdefault(b, {})[a] = weight
    total, seen = 0, set[int]()
    for agent in sorted(around):
        if agent in seen:
            continue
        part, waiting = [], [agent]
        seen.add(agent)
        while waiting:
            a = waiting.pop()
            part.append(a)
            for b in around[a]:
                if b not in seen:
                    seen.add(b)
                    waiting.append(b)
        total += _cover_part(part, around)
    return total


def _cover_part(part: list[int], around: dict[int, dict[int, int]]) -> int:
    """Cover one connected part, by depth-first branch and bound in the order of the heaviest agents."""
    if len(part) == 2:
        return around[part[0]][part[1]]
    order = sorted(part, key=lambda a: (-sum(around[a].values()), a))
    edges = sorted(((w, a, b) for a in part for b, w in around[a].items() if a < b), reverse=True)
    place = {a: i for i, a in enumerate(order)}
    if len(part) > _MOST_AGENTS:
        return _matching(edges, place, 0)
    before = [[(place[b], w) for b, w in around[a].items() if place[b] < place[a]] for a in order]
    bounds = [_matching(edges, place, i) for i in range(len(order) + 1)]
    best = sum(max(around[a].values()) for a in order)
    values, tried = [0] * len(order), 0

    def search(i: int, cost: int) -> None:
        nonlocal best, tried
        tried += 1
        if tried > _MOST_TRIED or cost + bounds[i] >= best:
            return
        if i == len(order):
            best = cost
            return
        least = max((w - values[j] for j, w in before[i]), default=0)
        most = max(*around[order[i]].values(), least)
        for value in range(max(least, 0), most + 1):
            if cost + value >= best:
                break
            values[i] = value
            search(i + 1, cost + value)

    search(0, 0)
    return best if tried <= _MOST_TRIED else bounds[0]


def _matching(edges: list[tuple[int, int, int]], place: dict[int, int], first: int) -> int:
    """Return the weight of a matching of agents from a place on: each of its pairs needs its weight."""
    used, total = set[int](), 0
    for weight, a, b in edges:
        if a not in used and b not in used and place[a] >= first and place[b] >= first:
            used |= {a, b}
            total += weight
    return total
