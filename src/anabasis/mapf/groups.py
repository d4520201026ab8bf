"""Groups of units whose ways interact: they merge where paths conflict, split where they no longer do.

The table of paths of a game that goes on, as a Master's thesis of 2021 has it, put right: each unit keeps its own D*
Lite to its goal (S. Koenig and M. Likhachev, 2002), conflicting units are planned together by conflict-based search
(G. Sharon et al., 2015), and what does not interact is never planned together, as in independence detection
(T. Standley, 2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.instance import CLASSIC, Rules
from anabasis.mapf.board import Board
from anabasis.mapf.gave_up import GaveUpError
from anabasis.mapf.priced_cbs import PricedCBS
from anabasis.mapf.priced_search import PricedSearch
from anabasis.mapf.unit_table import Timed, UnitTable
from anabasis.noun import freeze
from anabasis.options import check_count
from anabasis.result import Status

__all__ = ["Groups"]

_NO_WAY = "finds no way to its goal"
_NONE_FOUND = "has found no way to its goal within the limit"


class Groups(UnitTable):
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
        if not (rules.vertex and rules.wait and rules.stay) or (rules.cycle and not rules.following):
            raise InputError("rules of groups", found=str(rules), expected="vertex, swap and following as you like")
        super().__init__(
            graph, prices, turns=turns, rules=Rules(swap=False) if turns else rules, incremental=incremental
        )
        self.limit = check_count(limit, "limit", 1)
        self.groups: list[tuple[str, ...]] = []
        self.events: list[str] = []
        self.merges = self.splits = self.solved = self.nodes = 0

    def put(self, name: str, place: int, *, points: int = 2) -> None:
        """Add a unit without orders; raises InputError if the name or the place is taken."""
        self.restore(name, place, points=points)
        self._publish([place])
        self._mend([place], fallen=False)

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
        self._check_prices(values)
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

    def _settle(self, names: Sequence[str]) -> None:
        """Plan units anew: alone at first, then together with all that they conflict with."""
        todo = self._parts(names)
        while todo:
            part = todo.pop(0)
            lost, why = self._solve(part)
            if lost:
                todo = [tuple(n for n in p if n != lost) for p in [part, *todo]]
                todo = [p for p in todo if p] + [(n,) for n in self._hold(lost, why) if all(n not in p for p in todo)]
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
            lost, why = self._solve((name,))
            if lost:
                again = self._hold(lost, why)
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

    def _solve(self, part: Sequence[str]) -> tuple[str, str]:
        """Give paths to the units of a group; returns the name of the one that must be held, or "", and why."""
        instance, to_goal, weights = self._planning(part)
        if len(part) == 1:
            search = PricedSearch(Board(instance, "groups", instance.features), to_goal, weights)
            try:
                found = search.path(0, others=self._others(part))
            except GaveUpError:
                return part[0], _NONE_FOUND
            if found is None:
                return part[0], _NO_WAY
            self._set_path(part[0], found[0].tolist())
            return "", ""
        search = PricedCBS(instance, limit=self.limit, to_goal=to_goal, weights=weights)
        while not search.advance(100):
            pass
        result = search.result
        self.solved += 1
        self.nodes += int(result.stats.get("expanded", 0))
        if result.status is Status.LIMIT:
            self.events.append(f"{', '.join(part)}: {result.reason}")
        if result.value is None:
            return part[-1], _NO_WAY if result.status is Status.NO_SOLUTION else _NONE_FOUND
        arrivals = result.value.arrivals(instance.goals)
        for name, column, last in zip(part, result.value.vertices.T, arrivals.tolist(), strict=True):
            self._set_path(name, column[: last + 1].tolist())
        return "", ""

    def _hold(self, name: str, why: str) -> list[str]:
        """Let a unit stay for want of a way; returns whom this stands in the way of, taken out of their groups."""
        unit = self._units[name]
        if not unit.told:
            self.events.append(f"{name} {why} and stays")
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
