"""Smoothing beside any-angle search: how much of the way above the shortest one each takes away, and at what price.

The source, a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011), measures the time
of one smoothing and never the shortest way. Here random queries on two maps are answered on three lattices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from anabasis.decompose.nearest import nearest_state
from anabasis.graph import Graph
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_discretisation import lattice_of
from anabasis.lab.studies.planning_games import GameMap
from anabasis.lab.studies.planning_maps import obstacle_map, octagon_map
from anabasis.lab.studies.planning_record import PEAK, Spread, Table, allocated, timed
from anabasis.lab.studies.planning_theta import LATTICES
from anabasis.plan import Path
from anabasis.search.astar import AStar
from anabasis.search.lazy_theta import LazyTheta
from anabasis.search.smoothing import look_ahead, post_smooth, shorten
from anabasis.search.taut import taut
from anabasis.search.theta import ThetaStar
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["findings", "game_findings", "game_table", "smoothing_table"]

_NOTE = "t: over the queries, of smoothing alone where it follows A*; peak: of the first query, prepared searches"

_EDGES = {"sq-4": 6.0, "sq-8": 6.0, "hex": 6 / (1.5 * 3**0.5) ** 0.5}  # cells of 36 px²
_SMOOTHING: dict[str, Callable[[World, Path], Path]] = {
    "A* PS": post_smooth,
    "A* look-ahead": look_ahead,
    "A* shorten": shorten,
    "A* taut": taut,
}


def smoothing_table(*, queries: int = 100, seed: int = 1) -> Table:
    """Return, for each map, lattice and method, how far ways are above the shortest between the same places.

    Columns: mean and greatest excess over the optimum, the share of queries with a shortest way, the time of a query
    (of smoothing alone where it follows A*), and for Theta* how often it is longer than A* PS, for A* PS how often
    longer than A*.
    """
    rows: list[dict[str, object]] = []
    for name, world in (("obstacles", obstacle_map()), ("octagons", octagon_map(42))):
        exact = VisibilityGraph(world)
        for kind in LATTICES:
            graph = lattice_of(kind, _EDGES[kind], world)
            asked = _Asked(world, exact, graph)
            rng = np.random.default_rng(seed)
            while asked.count < queries:
                asked.add(*rng.integers(graph.size, size=2).tolist())
            rows += [{"map": name, "lattice": kind, **row} for row in asked.rows()]
    return Table("Smoothing and any-angle search", tuple(rows), f"{queries} random queries, cells of 36 px²; {_NOTE}")


def game_table(games: Sequence[GameMap], *, queries: int = 10, seed: int = 1) -> Table:
    """Return the same for maps of games and queries of their scenarios; squares are cells, hexagons as large.

    A query whose ends no way of a lattice joins is left out there.
    """
    rows: list[dict[str, object]] = []
    for game in games:
        for kind in LATTICES:
            graph = lattice_of(kind, _EDGES[kind] / 6, game.world)
            asked = _Asked(game.world, game.exact, graph)
            for query in game.sample(queries, seed):
                s, g = (nearest_state(graph, game.world, place) for place in game.ends(query))
                asked.add(s, g)
            rows += [{"map": game.name, "lattice": kind, **row} for row in asked.rows()]
    title = "Smoothing and any-angle search on maps of games"
    return Table(title, tuple(rows), f"at most {queries} queries of each scenario, at random; {_NOTE}")


class _Asked:
    """Queries on a graph of a world that every method has answered."""

    def __init__(self, world: World, exact: VisibilityGraph, graph: Graph) -> None:
        self.world, self.graph, self.exact = world, graph, exact
        self.astar, self.theta, self.lazy = AStar(graph), ThetaStar(graph, world=world), LazyTheta(graph, world=world)
        self.lengths: dict[str, list[float]] = {n: [] for n in ("optimum", "A*", *_SMOOTHING, "Theta*", "Lazy Theta*")}
        self.times: dict[str, list[float]] = {n: [] for n in self.lengths}
        self.peaks: dict[str, float] = {}
        self.count = 0

    def add(self, s: int, g: int) -> None:
        """Ask all methods for a way between two states, unless they are one or no way joins them."""
        path = self.astar.find(s, g).value
        if path is None or s == g:
            return
        ends = tuple(tuple(self.graph.points[v].tolist()) for v in (s, g))
        actions: dict[str, Callable[[], Path | None]] = {
            "optimum": partial(_value, self.exact.find, *ends),
            "A*": partial(_value, self.astar.find, s, g),
            **{n: partial(smooth, self.world, path) for n, smooth in _SMOOTHING.items()},
            "Theta*": partial(_value, self.theta.find, s, g),
            "Lazy Theta*": partial(_value, self.lazy.find, s, g),
        }
        for n, action in actions.items():
            if not self.count:
                self.peaks[n] = allocated(action)
            found, spent = timed(action, 1)
            self.lengths[n].append(np.inf if found is None else found.cost)
            self.times[n].append(1000 * spent)
        self.count += 1

    def rows(self) -> Iterator[dict[str, object]]:
        """Give a row for each method."""
        if not self.count:
            return
        best = np.array(self.lengths["optimum"])
        for n, values in self.lengths.items():
            excess = np.array(values) / best - 1
            other = {"Theta*": "A* PS", "A* PS": "A*"}.get(n)
            longer = None if other is None else np.array(values) > np.array(self.lengths[other]) * (1 + 1e-9)
            yield {
                "method": n,
                "queries": self.count,
                "mean excess %": 100 * float(excess.mean()),
                "greatest excess %": 100 * float(excess.max()),
                "shortest %": 100 * float((excess < 1e-9).mean()),
                "t µs": Spread(self.times[n]),
                "mean t µs": float(np.mean(self.times[n])),
                f"first {PEAK}": self.peaks[n],
                "longer": None if longer is None else int(longer.sum()),
            }


def _value(find: Callable[..., object], *ends: object) -> Path | None:
    return getattr(find(*ends), "value", None)


def findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what the source claims of smoothing, held against the table smoothing."""
    return _findings(tables["smoothing"], "")


def game_findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return the same, held against the table smoothing-games."""
    return _findings(tables["smoothing-games"], " on maps of games")


def _findings(table: Table, where: str) -> list[Finding]:
    def numbers(method: str, column: str) -> list[float]:
        return [float(str(row[column])) for row in table.rows if row["method"] == method]

    asked = sum(numbers("A* PS", "queries"))
    broken = sum(numbers("Theta*", "longer")), sum(numbers("A* PS", "longer"))
    smooth, search = np.mean(numbers("A* PS", "mean t µs")), np.mean(numbers("A*", "mean t µs"))
    most = max(
        float(row["t µs"].most) for row in table.rows if isinstance(row["t µs"], Spread) and row["method"] == "A* PS"
    )
    excess = {n: np.mean(numbers(n, "mean excess %")) for n in ("A*", *_SMOOTHING, "Theta*", "Lazy Theta*")}
    return [
        Finding(
            f"C15{where}: smoothing is cheap (at most what it takes in the source)",
            "0.94 to 21.45 ms",
            f"{smooth:.0f} µs in the mean and {most:.0f} at most",
            most <= 21_450,
        ),
        Finding(
            f"C15{where}, our own comparison, set apart after the figures were seen: smoothing takes less than "
            "the search before it",
            "in all of 26 rows: 0.0002 to 0.7 of it",
            f"in the mean {smooth:.0f} µs, A* itself {search:.0f} µs",
            bool(smooth < search),
        ),
        Finding(
            f"T4{where}: Theta* is at most as long as A* PS, and that at most as long as A*, on 90 % of random queries",
            "24 of 26 rows",
            f"of {asked:.0f} queries Theta* is longer than A* PS on {broken[0]:.0f}, and A* PS longer than A* on "
            f"{broken[1]:.0f}",
            sum(broken) <= 0.1 * asked,
        ),
        Finding(
            f"How far above the shortest way{where}: not measured by the source",
            "–",
            ", ".join(f"{name} {value:.2f} %" for name, value in excess.items()),
            None,
        ),
    ]
