"""Residual: what a flow leaves free in a network, and the shortest way through it from source to sink.

Each edge is two opposite arcs: arc 2e leads from tail to head, arc 2e + 1 back. An arc against the flow takes flow back
at the cost of minus its length, and is bounded by that flow, so that one augmentation never both takes back and adds on
the same edge. Costs below 0 are kept out of the search by potentials (J. Edmonds, R. M. Karp, "Theoretical improvements
in algorithmic efficiency for network flow problems", 1972). Among ways of equal length, one that takes back on the
fewest edges and then has the fewest edges is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.heap import heap_grown, heap_pop, heap_push
from anabasis.errors import InputError
from anabasis.network import FlowNetwork

__all__ = ["Arcs", "Augmentation", "Residual"]

_MOST = 2**52  # sums of lengths and of capacities stay below, so that whole numbers in floating point are exact


@dataclass(frozen=True)
class Augmentation:
    """A way through the residual network: its vertices, its edges, which of these it takes back, length and amount."""

    vertices: tuple[int, ...]
    edges: tuple[int, ...]
    back: tuple[bool, ...]
    length: int
    amount: int


class Arcs:
    """The arcs of a network with a room for each, int64[2m], and the search for a shortest way where there is room.

    Raises InputError if lengths or capacities are too large to add up exactly.
    """

    def __init__(self, network: FlowNetwork, room: NDArray[np.int64]) -> None:
        for name, values in (("lengths", network.length), ("capacities", network.capacity)):
            if float(values.sum(dtype=np.float64)) >= _MOST:
                raise InputError(f"{name} of a network are too large", expected=f"a sum below {_MOST}")
        self.network = network
        self.room = room.copy()
        self.cost = np.repeat(network.length, 2)
        self.back = np.zeros(room.size, np.int64)
        self.head = np.stack([network.head, network.tail], axis=1).ravel()
        tails = np.stack([network.tail, network.head], axis=1).ravel()
        self._leaving = np.argsort(tails, kind="stable")
        self._first = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=network.size))]).astype(np.int64)
        self._potential = np.zeros(network.size, np.int64)
        self._before = np.zeros(network.size, np.int64)

    def shortest(self) -> Augmentation | None:
        """Return a shortest way with its bottleneck as the amount, None if there is none.

        Between two calls room may be taken only along shortest ways, and lent only against them.
        """
        net = self.network
        if not _shortest(
            self._first,
            self._leaving,
            self.head,
            self.room,
            self.cost,
            self.back,
            self._potential,
            self._before,
            net.source,
            net.sink,
        ):
            return None
        arcs: list[int] = []
        vertices = [net.sink]
        while vertices[-1] != net.source:
            arc = int(self._before[vertices[-1]])
            arcs.append(arc)
            vertices.append(int(self.head[arc ^ 1]))
        arcs.reverse()
        vertices.reverse()
        return Augmentation(
            tuple(vertices),
            tuple(arc >> 1 for arc in arcs),
            tuple(bool(self.back[arc]) for arc in arcs),
            int(self.cost[arcs].sum()),
            int(self.room[arcs].min()),
        )


class Residual:
    """A growing flow in a network: `flow` is the signed net flow, int64[m], positive from tail to head."""

    def __init__(self, network: FlowNetwork) -> None:
        self.network = network
        self.flow = np.zeros(network.tail.size, np.int64)
        self._arcs = Arcs(network, np.repeat(network.capacity, 2))

    def shortest(self) -> Augmentation | None:
        """Return a shortest augmentation of the flow as it is, None if the flow is maximum."""
        return self._arcs.shortest()

    def send(self, found: Augmentation) -> None:
        """Add a shortest augmentation to the flow."""
        for vertex, edge in zip(found.vertices, found.edges, strict=False):
            self.flow[edge] += found.amount if self.network.tail[edge] == vertex else -found.amount
        self._update(np.array(found.edges, np.int64))

    def replace(self, flow: NDArray[np.int64]) -> None:
        """Go on with another flow of the same value and the same, least cost."""
        self.flow = flow.copy()
        self._update(np.arange(flow.size))

    def _update(self, edges: NDArray[np.int64]) -> None:
        """Make the arcs of some edges what the flow leaves free and lets be taken back."""
        arcs, capacity, length = self._arcs, self.network.capacity[edges], self.network.length[edges]
        for direction, along in ((0, self.flow[edges]), (1, -self.flow[edges])):
            taken = along < 0
            arc = 2 * edges + direction
            arcs.room[arc] = np.where(taken, -along, capacity - along)
            arcs.cost[arc] = np.where(taken, -length, length)
            arcs.back[arc] = taken

    def augmentations(self) -> Iterator[Augmentation]:
        """Yield shortest augmentations, each after the one before has been sent, up to the maximum flow."""
        while (found := self.shortest()) is not None:
            yield found
            self.send(found)


@kernel
def _shortest(
    first: Any,
    leaving: Any,
    head: Any,
    room: Any,
    cost: Any,
    back: Any,
    potential: Any,
    before: Any,
    source: int,
    sink: int,
) -> bool:
    """Find a shortest way by Dijkstra's algorithm on reduced costs; before[v] is the arc into v on it.

    The tie of a vertex counts the edges of its way, those that take back as many as there are vertices. Vertices
    farther than the sink are as good as at its distance: that keeps reduced costs at 0 or more.
    """
    n = potential.size
    far = 2**62
    distance = np.full(n, far)
    tie = np.full(n, far)
    done = np.zeros(n, np.bool_)
    heap = np.empty((n + 16, 3), np.float64)
    distance[source] = tie[source] = 0
    heap_push(heap, 0, 0.0, 0.0, source)
    size = 1
    while size > 0 and not done[sink]:
        u = heap_pop(heap, size)
        size -= 1
        if done[u]:
            continue
        done[u] = True
        for k in range(first[u], first[u + 1]):
            arc = leaving[k]
            v = head[arc]
            if room[arc] <= 0 or done[v]:
                continue
            longer = distance[u] + cost[arc] + potential[u] - potential[v]
            more = tie[u] + 1 + back[arc] * n
            if longer < distance[v] or (longer == distance[v] and more < tie[v]):
                distance[v], tie[v], before[v] = longer, more, arc
                if size == len(heap):
                    heap = heap_grown(heap, size, n)
                heap_push(heap, size, float(longer), float(more), v)
                size += 1
    if not done[sink]:
        return False
    for v in range(n):
        potential[v] += min(distance[v], distance[sink])
    return True
