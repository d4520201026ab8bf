"""Order: one group sent over a prepared map: how long its routes are, who takes which, and along what path."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from anabasis.flow.assignment import TARGET, assign
from anabasis.flow.choice import Choice, Leg
from anabasis.flow.lanes import APART, CUT, in_lanes
from anabasis.flow.network import OPEN_RATE, Part, Passages, gates_of_route
from anabasis.flow.ways import SPACING, Ways, gathered, placed, regions_along, through
from anabasis.network import FlowNetwork, Route
from anabasis.plan import GroupPlan
from anabasis.scenario import Group

__all__ = ["Order", "left_at"]


class Order:
    """A group, its parts by region, the vertices under its units, and the vertex of its target."""

    def __init__(
        self, passages: Passages, group: Group, parts: list[Part], vertices: NDArray[np.int64], goal: int
    ) -> None:
        self.passages, self.group, self.parts = passages, group, parts
        self.vertices, self.goal = vertices, goal
        self.target_region = int(passages.decomposition.region.ravel()[goal])
        self._from_part = [passages.lengths_from(part.region, np.array([part.middle])) for part in parts]
        self._to_goal = passages.lengths_from(self.target_region, np.array([goal]))

    def walked(self, network: FlowNetwork, parts: Sequence[int]) -> Callable[[Route], Leg]:
        """Return how a route of a network is walked; the k-th edge from the source leads to the start of parts[k].

        Its time is that of the way through its gates, whatever vertices the network has between them. The part of a leg
        is its k.
        """
        starts = network.head[network.tail == network.source].tolist()

        def walk(route: Route) -> Leg:
            k = starts.index(int(route.vertices[1]))
            gates = gates_of_route(network, route.edges)
            return Leg(k, tuple(gates), self._steps(parts[k], gates), route.amount)

        return walk

    def direct(self, part: int) -> Leg:
        """Return the way of a part that stands in the target's region."""
        return Leg(part, (), self._steps(part, []), OPEN_RATE)

    def _steps(self, part: int, gates: list[int]) -> int:
        """Return the steps of a unit from the middle of a part through gates to the target."""
        passages, start = self.passages, self.parts[part].region
        if not gates:
            return round(passages.way_length(start, self.parts[part].middle, self.goal) / self.group.speed)
        first = float(self._from_part[part][np.searchsorted(passages.gates_of[start], gates[0])])
        left = left_at(passages, gates, self.target_region, self._to_goal)
        return round((first + float(left[0])) / self.group.speed)

    def line(self, leg: Leg) -> NDArray[np.float64]:
        """Return float64[k, 2]: the way from the middle of the leg's part through the centres of its gates."""
        part = self.parts[leg.part]
        spots = self.passages.centre[list(leg.gates)]
        return through(self.passages, part.region, leg.gates, spots, np.array([part.middle]), self.goal)[1]

    def assign(self, choice: Choice, strategy: str, seed: int) -> NDArray[np.int64]:
        """Return int64[n]: the number of the leg that each unit takes, -1 for a unit of no part."""
        route = np.full(self.group.size, -1, np.int64)
        for k, part in enumerate(self.parts):
            legs = [number for number, leg in enumerate(choice.legs) if leg.part == k and choice.counts[number]]
            if len(legs) == 1:
                route[part.units] = legs[0]
                continue
            gates = [choice.legs[number].gates for number in legs]
            mine = assign(
                self.group.positions[part.units],
                choice.counts[legs],
                gates,
                self.passages.grid.centres(self.passages.centre),
                (self.group.target.x, self.group.target.y),
                walk=self._walks(part, gates),
                beyond=[self._beyond(choice.legs[number]) for number in legs],
                rates=[choice.legs[number].rate for number in legs],
                strategy=strategy,
                seed=seed,
            )
            route[part.units] = np.array(legs)[mine]
        return route

    def _beyond(self, leg: Leg) -> float:
        """Return the length of a leg's way from its first gate to the target, 0 without a gate."""
        if not leg.gates:
            return 0.0
        near = self.passages.gates_of[self.parts[leg.part].region]
        first = float(self._from_part[leg.part][np.searchsorted(near, leg.gates[0])])
        return max(leg.time * self.group.speed - first, 0.0)

    def _walks(self, part: Part, gates: list[tuple[int, ...]]) -> dict[int, NDArray[np.float64]]:
        """Return how far each unit of a part has to walk to each gate that a route begins with."""
        room, cells = self.passages.rooms[part.region], self.vertices[part.units]
        goal = np.array([self.goal])
        first = {route[0] if route else TARGET for route in gates}
        return {
            gate: room.spread(goal if gate == TARGET else self.passages.decomposition.gate(gate)).distance(cells)
            for gate in sorted(first)
        }

    def paths(self, legs: Sequence[Leg], route: NDArray[np.int64], ways: str, *, straight: bool = False) -> GroupPlan:
        """Return the path of each unit along its leg: through the "centres" of the gates or "taut".

        straight: to the first of the centres.
        """
        group, passages = self.group, self.passages
        end = (group.target.x, group.target.y)
        pieces: list[Ways] = []
        members: list[NDArray[np.int64]] = []
        cut = np.full(group.size, np.inf)
        for number, leg in enumerate(legs):
            units = np.flatnonzero(route == number)
            if not units.size:
                continue
            part, gates, cells, positions = (
                self.parts[leg.part],
                leg.gates,
                self.vertices[units],
                group.positions[units],
            )
            if ways == "taut":
                lines, kept = in_lanes(passages, part, gates, cells, self.goal, positions, 2 * group.radius)
                cut[units] = np.where(kept, CUT * 2 * group.radius, np.inf)
                spacing = np.where(kept, APART * 2 * group.radius, SPACING)
            else:
                spacing = SPACING
                lines = through(passages, part.region, gates, passages.centre[list(gates)], cells, self.goal, straight)
            pieces.append(placed(passages.grid.cost, lines, positions, end, spacing=spacing))
            members.append(units)
        indptr, points = gathered(pieces, members, group.size)
        points.flags.writeable = False  # ours alone, so the plan need not copy it
        return GroupPlan(indptr, points, np.where(np.diff(indptr) > 0, route, -1), cut=cut)


def left_at(passages: Passages, gates: Sequence[int], region: int, to_goal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[k]: the length of the way on from each gate of a route to a goal.

    region: of the goal. to_goal: the lengths from there to each gate of that region, see `Passages.lengths_from`.
    """
    backwards = list(reversed(gates))
    regions = regions_along(passages, region, backwards)
    left: list[float] = []
    for k, gate in enumerate(backwards):
        if k:
            left.append(left[-1] + passages.leg(regions[k], backwards[k - 1], gate))
        else:
            left.append(float(to_goal[np.searchsorted(passages.gates_of[region], gate)]))
    return np.array(left[::-1])
