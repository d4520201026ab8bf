"""Routes through a network beside the minimum-cost flows of other libraries, and what a group needs of them.

Run: python benchmarks/flow.py [--quick]. Random networks of places in a square, edges between near ones, lengths as far
as they are apart. Ours finds the sets of routes, before each crossing and at the end; OR-Tools and networkx find a
maximum flow of least cost, without routes; value and cost are compared. Then the quickest time of 300 units, and what
the search costs if it may end when no set can be faster by more than 5 steps. Milliseconds of processor time, medians.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import networkx
import numpy as np
from ortools.graph.python import min_cost_flow
from scipy.spatial import cKDTree

from anabasis.flow.distribution import fastest
from anabasis.flow.quickest import quickest_time
from anabasis.flow.routes import successive_routes
from anabasis.network import FlowNetwork

SIZES = ((20, 8), (100, 8), (300, 20), (1000, 40))
UNITS, SLACK = 300, 5
BAR = ((300, 20), 30.0, 40)  # at most so many ms for so many ways


def random_network(vertices: int, near: int, seed: int) -> FlowNetwork:
    """Places in a square, each joined to about `near` of the nearest; from the lowest left to the highest right."""
    rng = np.random.default_rng(seed)
    points = rng.random((vertices, 2)) * 100
    heads = cKDTree(points).query(points, near // 2 + 1)[1][:, 1:].ravel()
    tails = np.repeat(np.arange(vertices), near // 2)
    lengths = np.rint(np.hypot(*(points[tails] - points[heads]).T) / 0.15).astype(np.int64)
    corner = np.argsort(points.sum(axis=1))
    capacities = rng.integers(1, 12, tails.size) * 1500
    gates = np.full(tails.size, -1)
    return FlowNetwork(points, tails, heads, capacities, lengths, gates, int(corner[0]), int(corner[-1]))


def by_ortools(net: FlowNetwork) -> tuple[int, int]:
    solver = min_cost_flow.SimpleMinCostFlow()
    for tails, heads in ((net.tail, net.head), (net.head, net.tail)):
        solver.add_arcs_with_capacity_and_unit_cost(
            tails.astype(np.int32), heads.astype(np.int32), net.capacity, net.length
        )
    plenty = int(net.capacity.sum())
    solver.set_node_supply(net.source, plenty)
    solver.set_node_supply(net.sink, -plenty)
    solver.solve_max_flow_with_min_cost()
    return solver.maximum_flow(), solver.optimal_cost()


def by_networkx(net: FlowNetwork) -> tuple[int, int]:
    """Parallel edges, which its maximum flow does not take, are led through a vertex of their own."""
    graph = networkx.DiGraph()
    for edge, (u, v, capacity, length) in enumerate(
        zip(net.tail.tolist(), net.head.tolist(), net.capacity.tolist(), net.length.tolist(), strict=True)
    ):
        for a, b in ((u, v), (v, u)):
            graph.add_edge(a, (edge, a), capacity=capacity, weight=length)
            graph.add_edge((edge, a), b, capacity=capacity, weight=0)
    flow = networkx.max_flow_min_cost(graph, net.source, net.sink)
    value = sum(flow[net.source].values()) - sum(flow[u][net.source] for u in graph.predecessors(net.source))
    return value, int(networkx.cost_of_flow(graph, flow))


def timed(search: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = search()
    return 1e3 * (time.process_time() - start), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="without the greatest size, 2 networks each")
    options = parser.parse_args()
    sizes, rounds = (SIZES[:3], 2) if options.quick else (SIZES, 5)
    successive_routes(random_network(*SIZES[0], 0))  # compiled once
    print("sets of routes and minimum-cost flows: ms (median); ratios to Anabasis")
    print(
        f"  {'vertices':>8} {'edges':>6} {'ways':>5} {'sets':>5} {'Anabasis':>9} {'OR-Tools':>9} {'networkx':>9} "
        f"{'OR-Tools/A.':>12} {'networkx/A.':>12}  costs   {'quickest':>9} {'for 300':>8} {'later':>6}"
    )
    for vertices, near in sizes:
        rows: list[tuple[float, ...]] = []
        equal, sets, later, edges = True, 0, 0, 0
        for seed in range(rounds):
            net = random_network(vertices, near, seed)
            ours, found = timed(lambda net=net: successive_routes(net))
            ortools, value = timed(lambda net=net: by_ortools(net))
            slow, other = timed(lambda net=net: by_networkx(net)) if vertices <= 300 else (float("nan"), value)
            quickest, _ = timed(lambda net=net: quickest_time(net, UNITS))
            early, pruned = timed(lambda net=net: successive_routes(net, units=UNITS, slack=SLACK))
            routes = found.snapshots[-1]
            mine = sum(r.amount for r in routes), sum(r.amount * r.length for r in routes)
            equal = equal and mine == value == other
            sets, edges = max(sets, len(found.snapshots)), net.tail.size
            steps = [fastest(s.snapshots, UNITS)[1].steps for s in (found, pruned)]
            later = max(later, steps[1] - steps[0])
            rows.append((ours, ortools, slow, quickest, early, len(found.augmentations)))
        own, ortools, slow, quickest, early, ways = (statistics.median(column) for column in zip(*rows, strict=True))
        bar = ""
        if (vertices, near) == BAR[0]:
            met = statistics.median(row[0] / row[-1] for row in rows) < BAR[1] / BAR[2]
            bar = f"  bar {BAR[1]:.0f} ms for {BAR[2]} ways: {'met' if met else 'MISSED'}"
        print(
            f"  {vertices:8} {edges:6} {ways:5.0f} {sets:5} {own:9.2f} {ortools:9.2f} {slow:9.1f} "
            f"{ortools / own:12.2f} {slow / own:12.1f}  {'equal  ' if equal else 'DIFFER '} "
            f"{quickest:9.2f} {early:8.2f} {later:6}{bar}",
            flush=True,
        )


if __name__ == "__main__":
    main()
