"""Networks: the regions and gates of a map as a flow network, for one group.

The Centre graph and the Gate graph of J. Pacovský, "Navigation of units in video games using flow networks", 2019. In
the Centre graph the centre of each region is joined to its gates, and the group starts in the centre of its region; in
the Gate graph each gate has a vertex on either side, and all vertices of a region are joined with one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.decomposition import Decomposition
from anabasis.errors import InputError
from anabasis.flow.rooms import Room, Spread, rooms_of
from anabasis.flow.throughput import capacity
from anabasis.grid import Grid
from anabasis.network import PERIOD, FlowNetwork
from anabasis.scenario import Group

__all__ = [
    "BETWEEN",
    "OPEN_RATE",
    "Part",
    "Passages",
    "Rates",
    "centre_network",
    "gate_network",
    "gates_of_route",
    "parts_of",
]

BETWEEN = ("nearest", "centres")
Edges = NDArray[np.float64]
"""A row an edge: tail, head, width in cells, length in cells, gate (-1 for none)."""

Rates = tuple[str, str]
"""Which measured rates are the capacities: the passage and what units follow, see `throughput.capacity`."""

_FINE = 16  # places looked at on a cell's length of a line

OPEN_RATE = 100 * PERIOD  # of a way without a gate, more than any gate has
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
        self._spreads: dict[tuple[int, int], Spread] = {}
        self._ways: dict[tuple[int, int, int], NDArray[np.float64]] = {}

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
    def gate_edges(self) -> Edges:
        """The edges of the Gate graph that are the same for all groups."""
        d = self.decomposition
        numbers = np.arange(d.gates)
        pieces = [_edges(2 * numbers, 2 * numbers + 1, d.width, 0.0, numbers)]
        for region, gates in enumerate(self.gates_of):
            doors = [(i, 2 * int(g) + s) for i, g in enumerate(gates) for s in (0, 1) if d.sides[g, s] == region]
            at, vertex = np.array(doors, np.int64).reshape(-1, 2).T
            a, b = np.tril_indices(at.size, -1)
            a, b = a[at[a] != at[b]], b[at[a] != at[b]]
            width = np.minimum(d.width[gates[at[a]]], d.width[gates[at[b]]])
            pieces.append(_edges(vertex[b], vertex[a], width, self.legs[region][at[a], at[b]], -1))
        return np.concatenate(pieces)

    @cached_property
    def centre_edges(self) -> Edges:
        """The edges of the Centre graph that are the same for all groups."""
        d = self.decomposition
        pieces = [np.zeros((0, 5))]
        for region, gates in enumerate(self.gates_of):
            between = ~d.inner[gates]
            real = gates[between]
            pieces.append(_edges(region, d.regions + real, d.width[real], self.spokes[region][between], real))
        return np.concatenate(pieces)

    @cached_property
    def _gate_at(self) -> NDArray[np.int64]:
        """int64[cells of the map]: the gate on each cell, -1 for none."""
        d = self.decomposition
        gate_at = np.full(d.region.size, -1, np.int64)
        gate_at[d.cells] = np.repeat(np.arange(d.gates), np.diff(d.indptr))
        return gate_at

    def gates_met(self, line: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the gates that a line, float64[k, 2], leads over, by number."""
        fine = [line[:1]]
        for a, b in pairwise(line):
            pieces = int(np.ceil(_FINE * np.hypot(*(b - a)))) + 1
            fine.append(a + (b - a) * np.linspace(0, 1, pieces + 1)[1:, None])
        points = np.concatenate(fine)
        # a little to all sides, as a line can slip through between two cells of a slanting gate
        around = [np.floor(points + np.array([dx, dy]) / _FINE) for dx in (-1, 1) for dy in (-1, 1)]
        x, y = np.concatenate(around).astype(np.int64).T
        inside = (x >= 0) & (x < self.grid.width) & (y >= 0) & (y < self.grid.height)
        gates = np.unique(self._gate_at[y[inside] * self.grid.width + x[inside]])
        return gates[gates >= 0]

    def spread_to(self, region: int, cell: int) -> Spread:
        """Return the ways to one cell from everywhere in a region; kept, as groups go the same ways again."""
        known = self._spreads.get((region, cell))
        if known is None:
            known = self._spreads[region, cell] = self.rooms[region].spread(np.array([cell]))
        return known

    def way(self, region: int, start: int, end: int) -> NDArray[np.float64]:
        """Return the points of the straightened way in a region from cell to cell, none if there is none; kept."""
        known = self._ways.get((region, start, end))
        if known is None:
            known = self._ways[region, start, end] = self.spread_to(region, end).ways(np.array([start]))[1]
        return known

    def way_length(self, region: int, start: int, end: int) -> float:
        """Return the length of that way, inf if there is none."""
        points = self.way(region, start, end)
        return float(np.hypot(*np.diff(points, axis=0).T).sum()) if len(points) else np.inf

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


def gate_network(
    passages: Passages,
    group: Group,
    parts: list[Part],
    goal: int,
    rates: Rates,
    room: NDArray[np.float64] | None = None,
) -> FlowNetwork:
    """Return the Gate graph of a group of which `parts` are to go to vertex `goal`.

    Gate g has the vertices 2g and 2g + 1, on the side of its first and of its second region; then come one vertex for
    each part, in order, the source, and the sink. An edge inside a region is as wide as the narrower gate. A part in
    the target's region is joined to the sink. room: see `Navigator.plan`.
    """
    d = passages.decomposition
    first_part = 2 * d.gates
    source, sink = first_part + len(parts), first_part + len(parts) + 1
    target_region = int(d.region.ravel()[goal])
    ends = [(first_part + k, part.region, part.middle) for k, part in enumerate(parts)]
    pieces: list[Edges] = [passages.gate_edges]
    for vertex, region, cell in [*ends, (sink, target_region, goal)]:
        gates = passages.gates_of[region]
        lengths = passages.lengths_from(region, np.array([cell]))
        for side in (0, 1):
            here = d.sides[gates, side] == region
            pieces.append(_edges(vertex, 2 * gates[here] + side, d.width[gates[here]], lengths[here], -1))
    for vertex, region, cell in ends:
        pieces.append(_edges(source, [vertex], OPEN_WIDTH, 0.0, -1))
        if region == target_region:
            pieces.append(_edges(vertex, [sink], OPEN_WIDTH, passages.way_length(region, cell, goal), -1))
    cells = [np.repeat(passages.centre, 2), [cell for _, _, cell in ends], [_middle(parts), goal]]
    points = passages.grid.centres(np.concatenate(cells).astype(np.int64))
    return _network(np.concatenate(pieces), points, source, sink, group, rates, room)


def centre_network(
    passages: Passages,
    group: Group,
    parts: list[Part],
    goal: int,
    rates: Rates,
    room: NDArray[np.float64] | None = None,
) -> FlowNetwork:
    """Return the Centre graph of a group of which `parts`, none in the target's region, are to go to vertex `goal`.

    Region r is vertex r, gate g is vertex regions + g, then comes the source; the sink is the target's region. A gate
    inside one region is left out. An edge is as wide as its gate. room: see `Navigator.plan`.
    """
    d = passages.decomposition
    source, sink = d.regions + d.gates, int(d.region.ravel()[goal])
    starts = _edges(source, [part.region for part in parts], OPEN_WIDTH, 0.0, -1)
    cells = np.concatenate([passages.region_centre, passages.centre, [_middle(parts)]])
    edges = np.concatenate([passages.centre_edges, starts])
    return _network(edges, passages.grid.centres(cells), source, sink, group, rates, room)


def _edges(tail: ArrayLike, head: ArrayLike, width: ArrayLike, length: ArrayLike, gate: ArrayLike) -> Edges:
    """Return edges, one for each head; single values stand for all."""
    heads = np.asarray(head, np.float64)
    table = np.empty((heads.size, 5))
    for column, values in enumerate((tail, heads, width, length, gate)):
        table[:, column] = values
    return table


def _network(
    edges: Edges,
    points: NDArray[np.float64],
    source: int,
    sink: int,
    group: Group,
    rates: Rates,
    room: NDArray[np.float64] | None,
) -> FlowNetwork:
    """Turn widths into capacities and lengths into steps; leave out what nobody can pass."""
    capacities = capacity(edges[:, 2], radius=group.radius, speed=group.speed, passage=rates[0], follows=rates[1])
    gates = edges[:, 4].astype(np.int64)
    if room is not None:
        share = np.append(room, 1.0)[gates]  # -1: no gate, all of it
        # beside a great group a small one, too, passes in the end
        capacities = np.maximum(np.floor(capacities * share).astype(np.int64), (capacities > 0) & (share > 0))
    open_ = np.flatnonzero((capacities > 0) & np.isfinite(edges[:, 3]))
    tail, head = edges[open_, :2].T.astype(np.int64)
    steps = np.rint(edges[open_, 3] / group.speed).astype(np.int64)
    return FlowNetwork(points, tail, head, capacities[open_], steps, gates[open_], source, sink)


def gates_of_route(network: FlowNetwork, edges: NDArray[np.int64]) -> list[int]:
    """Return the gates that a route leads through, in order."""
    gates = network.gate[edges]
    gates = gates[gates >= 0]
    return gates[np.append(True, gates[1:] != gates[:-1])].tolist() if gates.size else []


def _middle(parts: list[Part]) -> int:
    """Return the middle of the greatest part."""
    return max(parts, key=lambda part: part.units.size).middle
