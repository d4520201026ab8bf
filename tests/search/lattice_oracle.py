"""Shortest paths of any angle on a grid by brute force: every corner, sight in whole numbers, networkx."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil, floor, hypot, inf

import networkx as nx


def free_cells(grid):
    return {(x, y) for y in range(grid.height) for x in range(grid.width) if grid.is_free(x, y)}


def seen(free, a, b):
    """Whether the segment between two points passes no blocked cell, and not between two that touch at a corner.

    It is followed from piece to piece, each inside a cell or on the side between two, with the set of cells in which a
    point moving along it can be.
    """
    a, b = ((Fraction(p[0]), Fraction(p[1])) for p in (a, b))
    cuts = {Fraction(0), Fraction(1)}
    for p, q in zip(a, b, strict=True):
        if p != q:
            cuts.update((line - p) / (q - p) for line in range(ceil(min(p, q)), floor(max(p, q)) + 1))

    def place(t):
        return tuple(p + t * (q - p) for p, q in zip(a, b, strict=True))

    def beside(point):
        choices = [(floor(p) - 1, floor(p)) if p == floor(p) else (floor(p),) for p in point]
        return {cell for cell in product(*choices) if cell in free}

    cells = None
    for t, u in pairwise(sorted(cuts)):
        after = beside(place((t + u) / 2))
        if cells is None:
            cells = after
        else:
            around = nx.Graph()
            around.add_nodes_from(beside(place(t)))
            around.add_edges_from(
                (c, d) for c, d in combinations(around, 2) if abs(c[0] - d[0]) + abs(c[1] - d[1]) == 1
            )
            cells = {d for c in cells for d in nx.node_connected_component(around, c) if d in after}
        if not cells:
            return False
    return True


class LatticeOracle:
    """All corners with exactly one blocked cell that see each other."""

    def __init__(self, grid):
        self.free = free_cells(grid)
        self.corners = [
            (x, y)
            for y in range(grid.height + 1)
            for x in range(grid.width + 1)
            if len({(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)} & self.free) == 3
        ]
        self.graph = nx.Graph()
        for p, q in combinations(self.corners, 2):
            self._join(p, q)

    def _join(self, p, q):
        if seen(self.free, p, q):
            self.graph.add_edge(p, q, weight=hypot(q[0] - p[0], q[1] - p[1]))

    def length(self, start, goal):
        """The length of a shortest way between the centres of two cells (x, y), inf without one."""
        if start not in self.free or goal not in self.free:
            return inf
        if start == goal:
            return 0.0
        ends = [(Fraction(2 * x + 1, 2), Fraction(2 * y + 1, 2)) for x, y in (start, goal)]
        self.graph.add_nodes_from(ends)
        for end in ends:
            for p in [*self.corners, *ends]:
                if p != end:
                    self._join(end, p)
        try:
            return nx.dijkstra_path_length(self.graph, *ends)
        except nx.NetworkXNoPath:
            return inf
        finally:
            self.graph.remove_nodes_from(ends)
