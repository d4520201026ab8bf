"""Groups of units whose ways interact: they merge where paths conflict, split where they no longer do.

The table of paths of a game that goes on, as a Master's thesis of 2021 has it, put right: each unit keeps its own D*
Lite to its goal (S. Koenig and M. Likhachev, 2002), conflicting units are planned together by conflict-based search
(G. Sharon et al., 2015), and what does not interact is never planned together, as in independence detection
(T. Standley, 2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.board import Board
from anabasis.mapf.priced_cbs import PricedCBS
from anabasis.mapf.priced_search import Floats, PricedSearch, Row
from anabasis.mapf.turn_moves import turn_moves, turn_route
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.result import Status
from anabasis.search.dstar_lite import DStarLite

__all__ = ["Groups", "Timed"]

Timed = tuple[int, int]
"""An element of a path: a vertex and a time step."""

_TURN = 2.0**-20  # the cost of a turn: of two ways that cost the same the one of fewer turns is taken


@dataclass
class _Unit:
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
        return self.goal is None or self.held


class Groups:
    """Units on a graph whose steps all weigh 1; entering a vertex costs its price.

    - now: the time step; prices: float64[n], inf where it is blocked.
    - groups: the names of the units under way, by group; each unit under way is in one.
    - events: what happened, in sentences, since it was last emptied by the caller.
    - merges, splits, solved (calls of the search for many), nodes (of these), expanded (by D* Lite): counts.

    With turns=False a time step is a step to a neighbour or a wait. With turns=True it is a turn: a unit goes as far as
    its movement points allow, and only where it is at the end of the turn counts.
    Units without orders are obstacles, but nobody's goal is blocked by one. Whoever can't be given a path stays where
    it is, is an obstacle for the others, and is tried again at each step and change.
    """

    def __init__(
        self,
        graph: Graph,
        prices: ArrayLike,
        *,
        turns: bool = False,
        rules: Rules = CLASSIC,
        limit: int = 1000,
        incremental: bool = True,
    ) -> None:
        """Begin without units at time 0.

        rules: those of `priced_cbs`; with turns the rule against swaps has no sense. limit: nodes of one search for
        many. incremental: False makes each unit's D* Lite anew at every change (for measurements).
        """
        self.graph = graph
        self.prices = np.array(freeze(prices, np.float64, (graph.size,), "prices"))
        if not (self.prices >= 1).all():
            raise InputError("prices", found=f"{self.prices.min()}", expected="at least 1, or inf")
        self.turns, self.limit, self.incremental = turns, check_count(limit, "limit", 1), incremental
        self.rules = Rules(swap=False) if turns else rules
        if not (rules.vertex and rules.wait and rules.stay) or (rules.cycle and not rules.following):
            raise InputError("rules of groups", found=str(rules), expected="vertex, swap and following as you like")
        self.now = 0
        self.groups: list[tuple[str, ...]] = []
        self.events: list[str] = []
        self.merges = self.splits = self.solved = self.nodes = self.expanded = 0
        self._units: dict[str, _Unit] = {}
        self._moves: tuple[Graph, dict[int, NDArray[np.float64]]] | None = None

    def put(self, name: str, place: int, *, points: int = 2) -> None:
        """Add a unit without orders; raises InputError if the name or the place is taken."""
        self.restore(name, place, points=points)
        self._publish([place])
        self._mend([place], fallen=False)

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
        self._units[name] = _Unit(place, points, goal, held, held, tuple(path), tuple(tiles), changed=list(changed))
        self._moves = None

    def remove(self, name: str) -> None:
        """Take a unit away; its place is free."""
        unit = self.unit(name)
        self._leave(name)
        del self._units[name]
        self._publish([unit.place])
        self._mend([unit.place], fallen=True)

    def order(self, name: str, goal: int) -> bool:
        """Send a unit to a goal; False if it has no path now, and then it stays, and is tried again later.

        Raises InputError for a goal that another unit has.
        """
        self._check(goal)
        unit = self.unit(name)
        for other, there in self._units.items():
            if other != name and there.goal == goal:
                raise InputError(f"unit {name} can't be sent there", found=f"the goal of {other}")
        self._leave(name)
        parked = unit.parked
        unit.goal, unit.held, unit.told, unit.search, unit.distances, unit.path = goal, False, False, None, None, ()
        unit.changed.clear()
        if parked:
            self._publish([unit.place])
        self._settle([name])
        if parked:
            self._mend([unit.place], fallen=True)
        return not unit.held

    def halt(self, name: str) -> None:
        """Take a unit's order back: it stays where it is."""
        unit = self.unit(name)
        if unit.goal is None:
            return
        self._leave(name)
        unit.goal, unit.held, unit.path, unit.search = None, False, (), None
        self._publish([unit.place])
        self._mend([unit.place], fallen=False)

    def change(self, vertices: ArrayLike, prices: ArrayLike) -> None:
        """Give vertices new prices (inf: blocked); paths that this touches are mended."""
        places = freeze(vertices, np.int64, (None,), "vertices")
        values = freeze(np.broadcast_to(np.asarray(prices, np.float64), places.shape), np.float64, (None,), "prices")
        for place in places.tolist():
            self._check(place)
        if not (values >= 1).all():
            raise InputError("prices", found=f"{values.min()}", expected="at least 1, or inf")
        fallen = bool((values < self.prices[places]).any())
        other = places[values != self.prices[places]].tolist()
        for unit in self._units.values():
            if unit.goal is not None:
                unit.changed = list(dict.fromkeys([*unit.changed, *other]))
        self.prices[places] = values
        self._publish(places.tolist())
        self._mend(places.tolist(), fallen=fallen)

    def step(self) -> dict[str, Timed]:
        """Let one time step pass; return where each unit that moved is now, and when.

        A unit waits if somebody stands where it should go; who arrives has no order any more.
        """
        waiting = self._waiting()
        self.now += 1
        moved: dict[str, Timed] = {}
        arrived: list[str] = []
        for name in [name for group in self.groups for name in group]:
            unit = self._units[name]
            if name in waiting:
                self.events.append(f"{name} waits: its next place is taken")
                unit.path = ()
                continue
            if len(unit.path) > 1 and unit.path[1][0] != unit.place:
                unit.place = unit.path[1][0]
                moved[name] = unit.place, self.now
            unit.path = unit.path[1:] or ((unit.place, self.now),)
            if unit.search is not None:
                unit.search.move_to(unit.place)
            if unit.place == unit.goal and len(unit.path) == 1:
                arrived.append(name)
        for name in arrived:
            self._leave(name, split=False)
            unit = self._units[name]
            unit.goal, unit.path, unit.search = None, (), None
            self.events.append(f"{name} has arrived")
        ended = [self._units[name].place for name in arrived]
        self._publish(ended)
        self._mend(ended, fallen=False, also=waiting)
        self._split()
        return moved

    @property
    def names(self) -> list[str]:
        """The names of all units, in the order in which they came."""
        return list(self._units)

    def sound(self) -> bool:
        """Whether the state is one that these functions can make: paths lead to goals, conflict nowhere, and so on."""
        going = [name for name, unit in self._units.items() if not unit.parked]
        if sorted(name for group in self.groups for name in group) != sorted(going):
            return False
        for i, name in enumerate(going):
            unit = self._units[name]
            times = [time for _, time in unit.path]
            if not unit.path or times != list(range(self.now, self.now + len(times))):
                return False
            if unit.path[0][0] != unit.place or unit.path[-1][0] != unit.goal or self._cost(unit) == np.inf:
                return False
            if any(self._meet(unit.path, self._units[other].path) for other in going[:i]):
                return False
        return all(not unit.path for unit in self._units.values() if unit.parked)

    def unit(self, name: str) -> _Unit:
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

    # the world as one unit sees it

    def _price(self, unit: _Unit, place: int, taken: set[int]) -> float:
        return np.inf if place in taken and place != unit.goal else float(self.prices[place])

    def _taken(self, but: _Unit | None = None) -> set[int]:
        return {unit.place for unit in self._units.values() if unit.parked and unit is not but}

    def _searching(self, unit: _Unit) -> DStarLite:
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

    def _to_goal(self, unit: _Unit) -> NDArray[np.float64]:
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

    # planning

    def _settle(self, names: Sequence[str]) -> None:
        """Plan units anew: alone at first, then together with all that they conflict with."""
        todo = self._parts(names)
        while todo:
            part = todo.pop(0)
            lost = self._solve(part)
            if lost:
                todo = [tuple(n for n in p if n != lost) for p in [part, *todo]]
                todo = [p for p in todo if p] + [(n,) for n in self._hold(lost) if all(n not in p for p in todo)]
                continue
            hit = [group for group in self.groups if self._conflict(part, group)]
            if not hit:
                self.groups.append(part)
                for name in part:
                    self._units[name].told = False
                continue
            self.merges += len(hit)
            self.groups = [group for group in self.groups if group not in hit]
            merged = (*(name for group in hit for name in group), *part)
            self.events.append("one group: " + ", ".join(merged))
            todo.append(merged)

    def _parts(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Plan units alone; return them by connected parts of the graph of conflicts, the held left out."""
        queue, planned = list(names), list[str]()
        while queue:
            name = queue.pop(0)
            if self._solve((name,)):
                again = self._hold(name)
                queue += [n for n in again if n not in queue]
                planned = [n for n in planned if n not in again]
            else:
                planned.append(name)
        parts: list[tuple[str, ...]] = []
        for name in planned:
            hit = [part for part in parts if self._conflict(part, (name,))]
            parts = [part for part in parts if part not in hit]
            parts.append((*(n for part in hit for n in part), name))
        return parts

    def _solve(self, part: Sequence[str]) -> str:
        """Give paths to the units of a group; returns "" or the name of the one that must be held for want of a way."""
        instance, to_goal, weights = self._planning(part)
        if len(part) == 1:
            search = PricedSearch(Board(instance, "groups", instance.features), to_goal, weights)
            found = search.path(0, others=self._others(part))
            if found is None:
                return part[0]
            self._set_path(part[0], found[0].tolist())
            return ""
        search = PricedCBS(instance, limit=self.limit, to_goal=to_goal, weights=weights)
        while not search.advance(100):
            pass
        result = search.result
        self.solved += 1
        self.nodes += int(result.stats.get("expanded", 0))
        if result.value is None:
            return part[-1]
        if result.status is Status.LIMIT:
            self.events.append(f"{', '.join(part)}: {result.reason}")
        arrivals = result.value.arrivals(instance.goals)
        for name, column, last in zip(part, result.value.vertices.T, arrivals.tolist(), strict=True):
            self._set_path(name, column[: last + 1].tolist())
        return ""

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

    def _hold(self, name: str) -> list[str]:
        """Let a unit stay for want of a way; returns whom this stands in the way of, taken out of their groups."""
        unit = self._units[name]
        if not unit.told:
            self.events.append(f"{name} finds no way to its goal and stays")
        unit.held, unit.told, unit.path = True, True, ()
        self._publish([unit.place])
        return self._touched([unit.place])

    def _touched(self, places: Sequence[int]) -> list[str]:
        """Return the units whose paths lead through places, with their groups, which are dissolved."""
        marks = set(places)
        names = [name for name, unit in self._units.items() if unit.goal is not None and not unit.held]
        hit = {name for name in names if marks.intersection(self._units[name].tiles)}
        return self._dissolved(hit)

    def _dissolved(self, hit: set[str]) -> list[str]:
        """Return units with all of their groups, which are dissolved."""
        groups = [group for group in self.groups if hit.intersection(group)]
        self.groups = [group for group in self.groups if group not in groups]
        hit = hit.union(*groups)
        return [name for name in self._units if name in hit]

    # groups over time

    def _leave(self, name: str, *, split: bool = True) -> None:
        """Take a unit out of its group; with `split` the rest is planned anew."""
        for group in self.groups:
            if name in group:
                rest = tuple(n for n in group if n != name)
                self.groups.remove(group)
                if rest and not split:
                    self.groups.append(rest)
                elif rest:
                    unit = self._units[name]
                    path, unit.path = unit.path, ()
                    self._settle(rest)
                    unit.path = path
                return

    def _mend(self, places: Sequence[int], *, fallen: bool, also: Iterable[str] = ()) -> None:
        """Plan anew what a change has touched, who was held, and if something is cheaper now, what may gain by it."""
        released = self._released()
        names = {*released, *also, *self._touched(places)}
        if fallen or released:
            for group in self.groups:
                units = [self._units[name] for name in group]
                if sum(map(self._cost, units)) > sum(float(self._to_goal(unit)[unit.place]) for unit in units):
                    names.update(group)
        if names:
            self._settle(self._dissolved(names))

    def _released(self) -> list[str]:
        """Return those who were held, to be tried again: they are no obstacles any more."""
        names = [name for name, unit in self._units.items() if unit.held]
        for name in names:
            self._units[name].held = False
        self._publish([self._units[name].place for name in names])
        return names

    def _split(self) -> None:
        """Plan the members of each group alone; those who don't meet any more are groups of their own from now on."""
        for group in [group for group in self.groups if len(group) > 1]:
            if group not in self.groups:
                continue
            before = {name: (self._units[name].path, self._units[name].tiles) for name in group}
            for name in group:
                self._units[name].path = ()
            parts = self._parts(group)
            if len(parts) > 1:
                self.splits += len(parts) - 1
                self.events.append("apart: " + "; ".join(", ".join(part) for part in parts))
                self.groups.remove(group)
                self._settle([name for part in parts for name in part])
            else:
                for name, (path, tiles) in before.items():
                    self._units[name].path, self._units[name].tiles = path, tiles

    def _waiting(self) -> set[str]:
        """Return who can't take the next step since somebody stands there who does not move, or must wait too."""
        going = {name: self._units[name] for group in self.groups for name in group}
        ends = {name: unit.path[min(1, len(unit.path) - 1)][0] for name, unit in going.items()}
        still = self._taken()
        waiting: set[str] = set()
        while True:
            more = {n for n, end in ends.items() if n not in waiting and end in still and end != going[n].place}
            if not more:
                return waiting
            waiting |= more
            still |= {going[name].place for name in more}

    def _cost(self, unit: _Unit) -> float:
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
