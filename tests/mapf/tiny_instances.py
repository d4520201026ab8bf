"""Tiny random instances of multi-agent path finding, with any of the features by which they may differ."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules

__all__ = ["tiny_instance"]

_RULES = {
    "following": {"following": True},
    "cycle": {"cycle": True},
    "swaps": {"swap": False},
    "sharing": {"vertex": False},
    "no wait": {"wait": False},
    "vanish": {"stay": False},
}


def tiny_instance(seed: int, features: Collection[str] = (), *, most: int = 4) -> Instance:
    """Return a random instance of up to `most` agents with just these of `instance.FEATURES`, 2 to 16 vertices.

    Not every one can be solved.
    """
    rng = np.random.default_rng([seed, 6])
    given = {key: value for name in sorted(features) for key, value in _RULES.get(name, {}).items()}
    rules = Rules(**given) if given else CLASSIC
    while True:
        made = _graph(rng, rules, features, most) if "directed" in features else _grid(rng, rules, features, most)
        if made is not None and made.features == frozenset(features):
            return made


def _grid(rng: np.random.Generator, rules: Rules, features: Collection[str], most: int) -> Instance | None:
    height, width = rng.integers(2, 5, 2)
    free = rng.random((height, width)) >= rng.uniform(0, 0.4)
    cells = np.flatnonzero(free)
    k = int(rng.integers(1, most + 1))
    if cells.size < max(2, k):
        return None
    grid = Grid.from_terrain(np.where(free, ord("."), ord("@")).astype(np.uint8))
    starts = rng.choice(cells, k, replace=False)
    goals = rng.choice(cells, k, replace=not rules.stay)
    sizes = np.ones(k, np.int64)
    if "sizes" in features:
        sizes[rng.integers(k)] = 2
        y, x = divmod(int(starts[sizes > 1][0]), int(width)), divmod(int(goals[sizes > 1][0]), int(width))
        for r, c in (y, x):
            if r + 2 > height or c + 2 > width or not free[r : r + 2, c : c + 2].all():
                return None
    changes: tuple[np.ndarray, ...] = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool))
    if "changes" in features:
        count = int(rng.integers(1, 4))
        vertices = rng.integers(0, height * width, count)
        changes = np.sort(rng.integers(1, 6, count)), vertices, rng.random(count) < 0.6
    return Instance(grid, starts, goals, *changes, rules, sizes)


def _graph(rng: np.random.Generator, rules: Rules, features: Collection[str], most: int) -> Instance | None:
    n, k = int(rng.integers(3, 8)), int(rng.integers(1, most + 1))
    if k >= n:
        return None
    ring = np.arange(n)
    more = rng.integers(0, n, (2, int(rng.integers(0, 2 * n))))
    tails, heads = np.concatenate([ring, more[0]]), np.concatenate([(ring + 1) % n, more[1]])
    graph = Graph.from_arcs(rng.uniform(0, 5, (n, 2)), tails, heads, np.full(tails.size, 10.0))
    starts, goals = rng.choice(n, k, replace=False), rng.choice(n, k, replace=not rules.stay)
    if "changes" in features:
        times = np.sort(rng.integers(1, 6, 2))
        return Instance(graph, starts, goals, times, rng.integers(0, n, 2), rng.random(2) < 0.6, rules)
    return Instance.of(graph, starts, goals, rules=rules)
