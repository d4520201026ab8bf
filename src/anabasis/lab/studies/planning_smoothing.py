"""Smoothing beside any-angle search: how much of the way above the shortest one each takes away, and at what price.

The source, a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011), measures the time
of one smoothing and never the shortest way. Here random queries on two maps are answered on three lattices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from anabasis.lab.studies.flow_claims import Finding
from anabasis.lab.studies.planning_maps import obstacle_map, octagon_map
from anabasis.lab.studies.planning_record import Table, timed
from anabasis.lab.studies.planning_theta import LATTICES, lattice_of
from anabasis.plan import Path
from anabasis.search.astar import AStar
from anabasis.search.lazy_theta import LazyTheta
from anabasis.search.smoothing import look_ahead, post_smooth, shorten
from anabasis.search.taut import taut
from anabasis.search.theta import ThetaStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["findings", "smoothing_table"]

_EDGES = {"sq-4": 6.0, "sq-8": 6.0, "hex": 6 / (1.5 * 3**0.5) ** 0.5}  # cells of 36 px²
_SMOOTHING: dict[str, Callable[[World, Path], Path]] = {
    "A* PS": post_smooth,
    "A* look-ahead": look_ahead,
    "A* shorten": shorten,
    "A* taut": taut,
}


def smoothing_table(*, queries: int = 100, seed: int = 1) -> Table:
    """Return, for each map, lattice and method, how far ways are above the shortest between the same places.

    Columns: mean and greatest excess over the optimum, the share of queries with a shortest way, mean time of a query
    (of smoothing alone where it follows A*), and for Theta* how often it is longer than A* PS, for A* PS how often
    longer than A*.
    """
    rows: list[dict[str, object]] = []
    for name, world in (("obstacles", obstacle_map()), ("octagons", octagon_map(42))):
        exact = VisibilityGraph(world)
        for kind in LATTICES:
            rows += _rows(name, world, exact, kind, queries, seed)
    return Table("Smoothing and any-angle search", tuple(rows), f"{queries} random queries, cells of 36 px²")


def _rows(
    name: str, world: World, exact: VisibilityGraph, kind: str, queries: int, seed: int
) -> list[dict[str, object]]:
    graph = lattice_of(kind, _EDGES[kind], world)
    rng = np.random.default_rng(seed)
    astar, theta, lazy = AStar(graph), ThetaStar(graph, world=world), LazyTheta(graph, world=world)
    lengths: dict[str, list[float]] = {n: [] for n in ("optimum", "A*", *_SMOOTHING, "Theta*", "Lazy Theta*")}
    times: dict[str, list[float]] = {n: [] for n in lengths}
    while len(lengths["A*"]) < queries:
        s, g = rng.integers(graph.size, size=2).tolist()
        ends = (tuple(graph.points[v].tolist()) for v in (s, g))
        path = astar.find(s, g).value
        if path is None or s == g:
            continue
        actions: dict[str, Callable[[], Path | None]] = {
            "optimum": partial(_value, exact.find, *ends),
            "A*": partial(_value, astar.find, s, g),
            **{n: partial(smooth, world, path) for n, smooth in _SMOOTHING.items()},
            "Theta*": partial(_value, theta.find, s, g),
            "Lazy Theta*": partial(_value, lazy.find, s, g),
        }
        for n, action in actions.items():
            found, spent = timed(action, 1)
            lengths[n].append(np.inf if found is None else found.cost)
            times[n].append(spent)
    best = np.array(lengths["optimum"])
    rows: list[dict[str, object]] = []
    for n, values in lengths.items():
        excess = np.array(values) / best - 1
        other = {"Theta*": "A* PS", "A* PS": "A*"}.get(n)
        longer = None if other is None else int((np.array(values) > np.array(lengths[other]) * (1 + 1e-9)).sum())
        rows.append(
            {
                "map": name,
                "lattice": kind,
                "method": n,
                "queries": queries,
                "mean excess %": 100 * float(excess.mean()),
                "greatest excess %": 100 * float(excess.max()),
                "shortest %": 100 * float((excess < 1e-9).mean()),
                "t µs": 1000 * float(np.mean(times[n])),
                "longer": longer,
            }
        )
    return rows


def _value(find: Callable[..., object], *ends: object) -> Path | None:
    return getattr(find(*ends), "value", None)


def findings(table: Table) -> list[Finding]:
    """Return what the source claims of smoothing, held against our table."""

    def numbers(method: str, column: str) -> list[float]:
        return [float(str(row[column])) for row in table.rows if row["method"] == method]

    asked = sum(numbers("A* PS", "queries"))
    broken = sum(numbers("Theta*", "longer")), sum(numbers("A* PS", "longer"))
    smooth, search = np.mean(numbers("A* PS", "t µs")), np.mean(numbers("A*", "t µs"))
    excess = {n: np.mean(numbers(n, "mean excess %")) for n in ("A*", *_SMOOTHING, "Theta*", "Lazy Theta*")}
    return [
        Finding(
            "C15: smoothing is cheap",
            "0.94 to 21.45 ms",
            f"{smooth:.0f} µs in the mean, A* itself {search:.0f} µs",
            bool(smooth < 940),
        ),
        Finding(
            "T4: Theta* is at most as long as A* PS, and that at most as long as A*, on 90 % of random queries",
            "24 of 26 rows",
            f"of {asked:.0f} queries Theta* is longer than A* PS on {broken[0]:.0f}, and A* PS longer than A* on "
            f"{broken[1]:.0f}",
            sum(broken) <= 0.1 * asked,
        ),
        Finding(
            "How far above the shortest way: not measured by the source",
            "–",
            ", ".join(f"{name} {value:.2f} %" for name, value in excess.items()),
            None,
        ),
    ]
