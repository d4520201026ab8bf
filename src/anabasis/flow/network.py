"""Networks: the regions and gates of a map as a flow network, for one group.

The Centre graph and the Gate graph of J. Pacovský, "Navigation of units in video games using flow networks", 2019. In
the Centre graph the centre of each region is joined to its gates, and the group starts in the centre of its region; in
the Gate graph each gate has a vertex on either side, and all vertices of a region are joined with one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.flow.rooms import Room, rooms_of
from anabasis.flow.throughput import capacity
from anabasis.grid import Grid
from anabasis.network import FlowNetwork
from anabasis.scenario import Group

__all__ = ["BETWEEN", "OPEN_WIDTH", "Part", "Passages", "centre_network", "gate_network", "gates_of_route", "parts_of"]

BETWEEN = ("nearest", "centres")
OPEN_WIDTH = 1000.0  # of a way without a gate: units and target in one region


@dataclass(frozen=True, eq=False)
class Part:
    """Those units of a group that stand in one region: their numbers, int64[k], and the vertex under the middle one."""

    region: int
    units: NDArray[np.int64]
    middle: int


class Passages:
    """A decomposed map prepared for planning: its rooms, and how far it is in them from gate to gate.

    between: edges are as long as the way between the nearest cells of two gates, or between their centres.
    """

    def __init__(self, grid: Grid, decomposition: Decomposition, *, between: str = "nearest") -> None:
        if between not in BETWEEN:
            raise InputError("what edges are measured between", found=repr(between), expected=" or ".join(BETWEEN))
        self.grid, self.decomposition, self.between = grid, decomposition, between

    @cached_property
    def rooms(self) -> list[Room]:
        """The room of each region."""
        return rooms_of(self.grid, self.decomposition)

    @cached_property
    def components(self) -> NDArray[np.int64]:
        """int64[regions]: a number for each set of regions that are connected through gates of any width."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        d = self.decomposition
        joined = coo_array((np.ones(d.gates), tuple(d.sides.T)), (d.regions, d.regions))
        return connected_components(joined, directed=False)[1].astype(np.int64)

    @cached_property
    def gates_of(self) -> list[NDArray[np.int64]]:
        """The gates of each region, int64[·] each."""
        sides = self.decomposition.sides
        return [np.flatnonzero((sides == r).any(axis=1)) for r in range(self.decomposition.regions)]

    @cached_property
    def centre(self) -> NDArray[np.int64]:
        """int64[k]: the vertex of the middle cell of each gate."""
        first, last = self.decomposition.indptr[:-1], self.decomposition.indptr[1:]
        return self.decomposition.cells[(first + last) // 2]

    def stations(self, gate: int) -> NDArray[np.int64]:
        """Return the vertices between which a gate's edges are measured."""
        return self.decomposition.gate(gate) if self.between == "nearest" else self.centre[gate : gate + 1]

    def lengths_from(self, region: int, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64[k]: the lengths in a region from the nearest of some cells to each of the region's gates."""
        spread = self.rooms[region].spread(cells)
        ends = [spread.nearest(self.stations(int(gate))) for gate in self.gates_of[region]]
        return spread.lengths(np.array(ends, np.int64))

    @cached_property
    def legs(self) -> list[NDArray[np.float64]]:
        """Of each region float64[k, k]: the lengths from gate to gate, inf where there is no way."""
        legs: list[NDArray[np.float64]] = []
        for region, gates in enumerate(self.gates_of):
            rows = [self.lengths_from(region, self.stations(int(gate))) for gate in gates]
            lengths = np.array(rows).reshape(gates.size, gates.size)
            lower = np.tril(lengths)  # one direction for both, so that lengths are symmetric to the bit
            legs.append(lower + np.tril(lengths, -1).T)
        return legs

    def leg(self, region: int, a: int, b: int) -> float:
        """Return the length in a region from gate a to gate b."""
        i, j = np.searchsorted(self.gates_of[region], [a, b])
        return float(self.legs[region][i, j])

    @cached_property
    def region_centre(self) -> NDArray[np.int64]:
        """int64[regions]: of each region the vertex of the cell that is nearest to the centroid."""
        cells = np.flatnonzero(self.decomposition.region >= 0)
        owner = self.decomposition.region.ravel()[cells]
        points = self.grid.centres(cells)
        count = np.bincount(owner)
        middle = np.stack([np.bincount(owner, points[:, k]) / count for k in (0, 1)], axis=1)
        away = ((points - middle[owner]) ** 2).sum(axis=1)
        order = np.lexsort((cells, away, owner))
        return cells[order[np.searchsorted(owner[order], np.arange(count.size))]]

    @cached_property
    def spokes(self) -> list[NDArray[np.float64]]:
        """Of each region float64[k]: the lengths from its centre to its gates."""
        return [self.lengths_from(r, self.region_centre[r : r + 1]) for r in range(self.decomposition.regions)]


def parts_of(passages: Passages, vertices: NDArray[np.int64], units: NDArray[np.int64]) -> list[Part]:
    """Return the parts of the units with those numbers, by region; `vertices`, int64[n], are those under all units."""
    region = passages.decomposition.region.ravel()[vertices[units]]
    points = passages.grid.centres(vertices)
    parts: list[Part] = []
    for r in np.unique(region).tolist():
        mine = units[region == r]
        away = ((points[mine] - points[mine].mean(axis=0)) ** 2).sum(axis=1)
        parts.append(Part(r, mine, int(vertices[mine[np.argmin(away)]])))
    return parts


class _Edges:
    """Edges of a network under construction."""

    def __init__(self, group: Group, room: NDArray[np.float64] | None) -> None:
        self.rows: list[tuple[int, int, float, float, int]] = []
        self.group, self.room = group, room

    def add(self, tail: int, head: int, width: float, length: float, gate: int = -1) -> None:
        """Join two vertices unless there is no way between them."""
        if np.isfinite(length):
            self.rows.append((tail, head, width, length, gate))

    def network(self, points: NDArray[np.float64], source: int, sink: int) -> FlowNetwork:
        """Turn widths into capacities and lengths into steps; what nobody can pass is left out."""
        table = np.array(self.rows, np.float64).reshape(-1, 5)
        capacities = capacity(table[:, 2], radius=self.group.radius, speed=self.group.speed)
        gates = table[:, 4].astype(np.int64)
        if self.room is not None:
            capacities = np.where(gates < 0, capacities, np.floor(capacities * self.room[gates])).astype(np.int64)
        open_ = np.flatnonzero(capacities > 0)
        tail, head = table[open_, :2].T.astype(np.int64)
        steps = np.rint(table[open_, 3] / self.group.speed).astype(np.int64)
        return FlowNetwork(points, tail, head, capacities[open_], steps, gates[open_], source, sink)


def gate_network(
    passages: Passages, group: Group, parts: list[Part], goal: int, room: NDArray[np.float64] | None = None
) -> FlowNetwork:
    """Return the Gate graph of a group of which `parts` are to go to vertex `goal`.

    Gate g has the vertices 2g and 2g + 1, on the side of its first and of its second region; then come one vertex for
    each part, in order, the source, and the sink. An edge inside a region is as wide as the narrower gate. A part in
    the target's region is joined to the sink. room: see `Navigator.plan`.
    """
    d, grid, wide = passages.decomposition, passages.grid, passages.decomposition.width.tolist()
    edges = _Edges(group, room)
    first_part = 2 * d.gates
    source, sink = first_part + len(parts), first_part + len(parts) + 1
    for gate in range(d.gates):
        edges.add(2 * gate, 2 * gate + 1, wide[gate], 0.0, gate)
    for region, gates in enumerate(passages.gates_of):
        legs = passages.legs[region]
        doors = [(i, gate, side) for i, gate in enumerate(gates.tolist()) for side in _sides(d, gate, region)]
        for a, (i, gate, side) in enumerate(doors):
            for j, other, that_side in doors[:a]:
                if other != gate:
                    width = min(wide[gate], wide[other])
                    edges.add(2 * other + that_side, 2 * gate + side, width, legs[i, j])
    ends = [(first_part + k, part.region, part.middle) for k, part in enumerate(parts)]
    target_region = int(d.region.ravel()[goal])
    for vertex, region, cell in [*ends, (sink, target_region, goal)]:
        lengths = passages.lengths_from(region, np.array([cell]))
        for gate, length in zip(passages.gates_of[region].tolist(), lengths.tolist(), strict=True):
            for side in _sides(d, gate, region):
                edges.add(vertex, 2 * gate + side, wide[gate], length)
    for vertex, region, cell in ends:
        edges.add(source, vertex, OPEN_WIDTH, 0.0)
        if region == target_region:
            spread = passages.rooms[region].spread(np.array([goal]))
            edges.add(vertex, sink, OPEN_WIDTH, float(spread.lengths(np.array([cell]))[0]))
    cells = [np.repeat(passages.centre, 2), [cell for _, _, cell in ends], [_middle(parts), goal]]
    return edges.network(grid.centres(np.concatenate(cells).astype(np.int64)), source, sink)


def centre_network(
    passages: Passages, group: Group, parts: list[Part], goal: int, room: NDArray[np.float64] | None = None
) -> FlowNetwork:
    """Return the Centre graph of a group of which `parts`, none in the target's region, are to go to vertex `goal`.

    Region r is vertex r, gate g is vertex regions + g, then comes the source; the sink is the target's region. A gate
    inside one region is left out. An edge is as wide as its gate.
    """
    d, grid, wide = passages.decomposition, passages.grid, passages.decomposition.width.tolist()
    edges = _Edges(group, room)
    source, sink = d.regions + d.gates, int(d.region.ravel()[goal])
    for region, gates in enumerate(passages.gates_of):
        for gate, length in zip(gates.tolist(), passages.spokes[region].tolist(), strict=True):
            if d.sides[gate, 0] != d.sides[gate, 1]:
                edges.add(region, d.regions + gate, wide[gate], length, gate)
    for part in parts:
        edges.add(source, part.region, OPEN_WIDTH, 0.0)
    cells = np.concatenate([passages.region_centre, passages.centre, [_middle(parts)]])
    return edges.network(grid.centres(cells), source, sink)


def gates_of_route(network: FlowNetwork, edges: NDArray[np.int64]) -> list[int]:
    """Return the gates that a route leads through, in order."""
    gates = network.gate[edges]
    gates = gates[gates >= 0]
    return gates[np.append(True, gates[1:] != gates[:-1])].tolist() if gates.size else []


def _sides(d: Decomposition, gate: int, region: int) -> list[int]:
    """Return 0, 1 or both: on which sides of a gate a region lies."""
    return [side for side in (0, 1) if d.sides[gate, side] == region]


def _middle(parts: list[Part]) -> int:
    """Return the middle of the greatest part."""
    return max(parts, key=lambda part: part.units.size).middle
