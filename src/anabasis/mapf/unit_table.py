"""The table of units: where each is and goes, and the world as it sees it, through a D* Lite of its own.

S. Koenig and M. Likhachev, "D* Lite", 2002. `Groups` plans on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.instance import Instance, Rules
from anabasis.mapf.priced_search import Floats, Row
from anabasis.mapf.turn_moves import turn_moves, turn_route
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.price_limit import are_prices, price_limit, wrong_price

__all__ = ["TableUnit", "Timed", "UnitTable"]

Timed = tuple[int, int]
"""An element of a path: a vertex and a time step."""

_TURN = 2.0**-20  # the cost of a turn: of two ways that cost the same the one of fewer turns is taken


@dataclass
class TableUnit:
    """What the table knows of a unit; `path` begins where it is now. A unit without a goal, or held, is an obstacle."""

    place: int
    points: int
    goal: int | None = None
    held: bool = False
    told: bool = False  # whether it has been said that there is no way
    path: tuple[Timed, ...] = ()
    tiles: tuple[int, ...] = ()  # all that the path enters, also within a turn
    search: DStarLite | None = None
    distances: NDArray[np.float64] | None = None
    changed: list[int] = field(default_factory=list[int])

    @property
    def parked(self) -> bool:
        """Whether it is an obstacle for others."""
        return self.goal is None or self.held


class UnitTable:
    """Units on a graph whose steps all weigh 1; what `Groups` says of them holds here."""

    def __init__(self, graph: Graph, prices: ArrayLike, *, turns: bool, rules: Rules, incremental: bool) -> None:
        self.graph = graph
        self.prices = np.array(freeze(prices, np.float64, (graph.size,), "prices"))
        self._limit = price_limit((1.0, 1.0), graph.size)
        self._check_prices(self.prices)
        self.turns, self.rules, self.incremental = turns, rules, incremental
        self.now = self.expanded = 0
        self._units: dict[str, TableUnit] = {}
        self._moves: tuple[Graph, dict[int, NDArray[np.float64]]] | None = None

    def restore(
        self,
        name: str,
        place: int,
        *,
        points: int = 2,
        goal: int | None = None,
        held: bool = False,
        path: Iterable[Timed] = (),
        tiles: Iterable[int] = (),
        changed: Iterable[int] = (),
    ) -> None:
        """Add a unit as another `Groups` has left it, and plan nothing; the caller sets `now` and `groups` too."""
        self._check(place)
        if name in self._units or any(unit.place == place for unit in self._units.values()):
            raise InputError(f"unit {name}: the name or the place is taken", found=f"vertex {place}")
        points = check_count(points, "movement points", 1)
        self._units[name] = TableUnit(place, points, goal, held, held, tuple(path), tuple(tiles), changed=list(changed))
        self._moves = None

    @property
    def names(self) -> list[str]:
        """The names of all units, in the order in which they came."""
        return list(self._units)

    def unit(self, name: str) -> TableUnit:
        """Return what is known of a unit; raises InputError for an unknown name."""
        if name not in self._units:
            raise InputError("no such unit", found=name, expected=" or ".join(sorted(self._units)) or "a unit")
        return self._units[name]

    def cost(self, name: str) -> float:
        """Return what the rest of a unit's path costs: prices, and 1 for each wait."""
        return self._cost(self.unit(name))

    def held(self) -> NDArray[np.bool_]:
        """Return bool[n]: where units stand that are obstacles."""
        taken = np.zeros(self.graph.size, bool)
        taken[[unit.place for unit in self._units.values() if unit.parked]] = True
        return taken

    def route(self, name: str, tail: int, head: int) -> tuple[list[int], float]:
        """Return the tiles from one place to another in one turn, ends included, and the movement points left then."""
        return turn_route(self.graph, self.prices, self.held(), self.unit(name).points, tail, head)

    def searching(self, name: str) -> DStarLite | None:
        """Return a unit's D* Lite, None without an order."""
        unit = self.unit(name)
        return None if unit.goal is None else self._searching(unit)

    def _check(self, vertex: int) -> None:
        check_count(vertex, "vertex", most=self.graph.size - 1)

    def _check_prices(self, values: NDArray[np.float64]) -> None:
        wrong = values[~are_prices(values, self._limit)]
        if wrong.size:
            raise wrong_price("prices", float(wrong[0]), self._limit)

    def _price(self, unit: TableUnit, place: int, taken: set[int]) -> float:
        return np.inf if place in taken and place != unit.goal else float(self.prices[place])

    def _taken(self, but: TableUnit | None = None) -> set[int]:
        return {unit.place for unit in self._units.values() if unit.parked and unit is not but}

    def _searching(self, unit: TableUnit) -> DStarLite:
        """Return the D* Lite of a unit with an order, made on first need."""
        if unit.search is None:
            unit.search = DStarLite(self.graph, unit.place, unit.place if unit.goal is None else unit.goal)
            prices = self.prices.copy()
            taken = self._taken(unit) - {unit.goal}
            prices[list(taken)] = np.inf
            different = np.flatnonzero(prices != 1)
            unit.search.change(different, prices[different])
            unit.distances = None
        return unit.search

    def _to_goal(self, unit: TableUnit) -> NDArray[np.float64]:
        """Return float64[n]: the cost from everywhere to the unit's goal, by its D* Lite."""
        search = self._searching(unit)
        if unit.distances is None:
            unit.distances = np.array([search.distance(v) for v in range(self.graph.size)])
            search.next_step()  # brings its counts up to date
            self.expanded += search.expanded
        return unit.distances

    def _publish(self, places: Sequence[int]) -> None:
        """Tell every unit under way that places have changed, by price or because somebody stands there or has left."""
        self._moves = None
        for unit in self._units.values():
            if unit.search is None:
                continue
            taken = self._taken(unit)
            if unit.search.change(places, [self._price(unit, place, taken) for place in places]):
                unit.distances = None
                if not self.incremental:
                    unit.search = None

    def _planning(self, names: Sequence[str]) -> tuple[Instance, list[Floats], list[Floats]]:
        """Return the problem of these units, the costs to their goals and what each arc costs each of them."""
        units = [self._units[name] for name in names]
        goals = [-1 if unit.goal is None else unit.goal for unit in units]
        if self._moves is None:
            self._moves = self._arcs()
        graph, weights = self._moves
        instance = Instance.of(graph, [unit.place for unit in units], goals, rules=self.rules)
        key = [unit.points if self.turns else 0 for unit in units]
        return instance, [self._to_goal(unit) for unit in units], [weights[k] for k in key]

    def _arcs(self) -> tuple[Graph, dict[int, NDArray[np.float64]]]:
        """Return the graph of moves of one time step, and what they cost by movement points."""
        points = np.zeros((self.graph.size, 2))
        if not self.turns:
            tails = np.repeat(np.arange(self.graph.size), np.diff(self.graph.indptr))
            open_heads = np.isfinite(self.prices[self.graph.indices])
            tails, heads = tails[open_heads], self.graph.indices[open_heads]
            graph = Graph.from_arcs(points, tails, heads, self.prices[heads], "zero")
            return graph, {0: np.array(graph.weights)}
        held, n = self.held(), self.graph.size
        moves = {p: turn_moves(self.graph, self.prices, held, p) for p in {u.points for u in self._units.values()}}
        keys = np.unique(np.concatenate([tails * n + heads for tails, heads, _ in moves.values()]))
        weights: dict[int, NDArray[np.float64]] = {}
        for number, (tails, heads, costs) in moves.items():
            weights[number] = np.full(keys.size, np.inf)
            weights[number][np.searchsorted(keys, tails * n + heads)] = costs + _TURN
        return Graph.from_arcs(points, keys // n, keys % n, np.ones(keys.size), "zero"), weights

    def _cost(self, unit: TableUnit) -> float:
        """Return what the rest of a unit's path costs."""
        if self._moves is None:
            self._moves = self._arcs()
        graph, weights = self._moves
        row = weights[unit.points if self.turns else 0]
        total = 0.0
        for (v, _), (w, _) in zip(unit.path[:-1], unit.path[1:], strict=True):
            arcs = slice(graph.indptr[v], graph.indptr[v + 1])
            total += 1.0 if v == w else float(row[arcs][graph.indices[arcs] == w].min(initial=np.inf))
        return total

    def _set_path(self, name: str, vertices: list[int]) -> None:
        unit = self._units[name]
        unit.path = tuple((vertex, self.now + i) for i, vertex in enumerate(vertices))
        tiles = vertices[1:]
        if self.turns:
            pairs = pairwise(vertices)
            tiles = [tile for v, w in pairs if v != w for tile in self.route(name, v, w)[0][1:]]
        unit.tiles = tuple(dict.fromkeys(tiles))

    def _others(self, part: Sequence[str]) -> Row:
        """Return the timetable of all other units under way."""
        paths = [unit.path for name, unit in self._units.items() if unit.path and name not in part]
        longest = max((len(path) for path in paths), default=0)
        table = np.empty((longest, len(paths)), np.int32)
        for i, path in enumerate(paths):
            table[: len(path), i] = [vertex for vertex, _ in path]
            table[len(path) :, i] = path[-1][0]
        return table if paths else np.empty((0, 0), np.int32)

    def _conflict(self, part: Iterable[str], group: Iterable[str]) -> bool:
        """Whether the paths of two sets of units conflict by the rules."""
        return any(self._meet(self._units[a].path, self._units[b].path) for a in part for b in group)

    def _meet(self, first: tuple[Timed, ...], second: tuple[Timed, ...]) -> bool:
        if not first or not second:
            return False
        for t in range(1, max(len(first), len(second))):
            a, a_then = (first[min(t - back, len(first) - 1)][0] for back in (1, 0))
            b, b_then = (second[min(t - back, len(second) - 1)][0] for back in (1, 0))
            if a_then == b_then or (self.rules.swap and a_then == b and b_then == a):
                return True
            if self.rules.following and (a_then == b or b_then == a):
                return True
        return False
