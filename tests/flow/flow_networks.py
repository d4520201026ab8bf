"""Random networks, checks and oracles for flows; they share no code with what they check."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from anabasis.network import FlowNetwork, Route


def network(edges, source, sink, vertices=None):
    """A network of edges (tail, head, capacity, length)."""
    rows = np.array(edges, np.int64).reshape(-1, 4)
    size = vertices if vertices is not None else max([int(rows[:, :2].max(initial=0)), source, sink]) + 1
    return FlowNetwork(np.zeros((size, 2)), *rows.T, np.full(len(rows), -1), source, sink)


def random_network(seed, *, sizes=(4, 10), capacities=(1, 3, 9, 999), lengths=(1, 9, 29)):
    """Networks of all sorts: sparse and dense, parallel edges, capacities and lengths of 0, many equal lengths."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(*sizes))
    m = int(rng.integers(n, n * (2, 3, 5)[seed % 3] + 1))
    tail = rng.integers(0, n, m)
    head = (tail + rng.integers(1, n, m)) % n
    capacity = rng.integers(0 if seed % 5 == 0 else 1, capacities[seed % len(capacities)] + 1, m)
    length = rng.integers(0 if seed % 7 < 2 else 1, lengths[(seed // 3) % len(lengths)] + 1, m)
    return FlowNetwork(np.zeros((n, 2)), tail, head, capacity, length, np.full(m, -1), 0, n - 1)


def check_set(net: FlowNetwork, routes) -> tuple[int, int, list[int]]:
    """Check that routes can be used at once; return their units, their cost, and the net flow on each edge.

    Raises ValueError that says what is wrong.
    """
    use: Counter[tuple[int, int]] = Counter()
    units = cost = 0
    seen = set()
    for route in routes:
        vertices, edges = [int(v) for v in route.vertices], [int(e) for e in route.edges]
        if vertices[0] != net.source or vertices[-1] != net.sink:
            raise ValueError("a route does not lead from the source to the sink")
        if len(set(vertices)) < len(vertices):
            raise ValueError("a route visits a vertex twice")
        if tuple(edges) in seen:
            raise ValueError("a route is there twice")
        seen.add(tuple(edges))
        length = 0
        for u, v, edge in zip(vertices[:-1], vertices[1:], edges, strict=True):
            if (u, v) == (net.tail[edge], net.head[edge]):
                use[edge, 1] += route.amount
            elif (v, u) == (net.tail[edge], net.head[edge]):
                use[edge, -1] += route.amount
            else:
                raise ValueError("an edge does not join the vertices of a route")
            length += int(net.length[edge])
        if length != route.length:
            raise ValueError("the length of a route is wrong")
        units += route.amount
        cost += route.amount * length
    for (edge, direction), amount in use.items():
        if amount > net.capacity[edge]:
            raise ValueError("an edge carries more than it can")
        if (edge, -direction) in use:
            raise ValueError("an edge is used in both directions")
    return units, cost, [use[e, 1] - use[e, -1] for e in range(len(net.tail))]


def least_cost_by_ortools(net: FlowNetwork) -> tuple[int, int]:
    """The value and the cost of a maximum flow of least cost."""
    from ortools.graph.python import min_cost_flow

    solver = min_cost_flow.SimpleMinCostFlow()
    for tail, head in ((net.tail, net.head), (net.head, net.tail)):
        solver.add_arcs_with_capacity_and_unit_cost(
            tail.astype(np.int32), head.astype(np.int32), net.capacity, net.length
        )
    plenty = int(net.capacity.sum())
    solver.set_node_supply(net.source, plenty)
    solver.set_node_supply(net.sink, -plenty)
    assert solver.solve_max_flow_with_min_cost() == solver.OPTIMAL
    return solver.maximum_flow(), solver.optimal_cost()


def least_cost_by_networkx(net: FlowNetwork) -> tuple[int, int]:
    """The same by networkx; parallel edges are led through vertices of their own."""
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from([net.source, net.sink])
    for edge, (u, v, capacity, length) in enumerate(zip(net.tail, net.head, net.capacity, net.length, strict=True)):
        for a, b, direction in ((int(u), int(v), 0), (int(v), int(u), 1)):
            middle = ("edge", edge, direction)
            graph.add_edge(a, middle, capacity=int(capacity), weight=int(length))
            graph.add_edge(middle, b, capacity=int(capacity), weight=0)
    flow = networkx.max_flow_min_cost(graph, net.source, net.sink)
    out = sum(flow[net.source].values()) - sum(flow[u][net.source] for u in graph.predecessors(net.source))
    return out, int(networkx.cost_of_flow(graph, flow))


def most_over_time(net: FlowNetwork, steps: int) -> int:
    """How many units can arrive within `steps` if each edge takes up to its capacity a step: time-expanded network."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    if steps <= 0:
        return 0
    n, rows = net.size, []
    plenty = int(net.capacity.sum()) * steps + 1
    source, sink = n * steps, n * steps + 1
    for time in range(steps):
        for u, v, capacity, length in zip(net.tail, net.head, net.capacity, net.length, strict=True):
            if time + length < steps:
                rows.append((time * n + u, (time + length) * n + v, capacity))
                rows.append((time * n + v, (time + length) * n + u, capacity))
        if time + 1 < steps:
            rows += [(time * n + v, (time + 1) * n + v, plenty) for v in range(n)]
        rows.append((source, time * n + net.source, plenty))
        rows.append((time * n + net.sink, sink, plenty))
    tails, heads, amounts = np.array(rows, np.int64).T
    matrix = coo_array((amounts.astype(np.int32), (tails, heads)), (sink + 1, sink + 1)).tocsr()
    return int(maximum_flow(matrix, source, sink).flow_value)


def simple_routes(net: FlowNetwork) -> list[Route]:
    """All routes that visit no vertex twice, each with the amount that it can carry alone."""
    routes: list[Route] = []

    def walk(vertices, edges):
        here = vertices[-1]
        if here == net.sink:
            amount = min(int(net.capacity[e]) for e in edges)
            if amount:
                routes.append(Route(np.array(vertices), np.array(edges), amount, int(net.length[edges].sum())))
            return
        for edge, (u, v) in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True)):
            for a, b in ((u, v), (v, u)):
                if a == here and b not in vertices:
                    walk([*vertices, b], [*edges, edge])

    walk([net.source], [])
    return routes


def best_few(net: FlowNetwork, units: int, most: int, longest: int | None = None) -> int | None:
    """The least steps for units on at most so many routes with whole amounts, a period of 1, by trying everything."""
    routes = [r for r in simple_routes(net) if longest is None or r.length <= longest]
    best: list[int] = []
    for count in range(1, most + 1):
        for chosen in combinations(routes, count):
            best += [_steps_of(chosen, amounts, units) for amounts in _amounts(net, chosen)]
    return min(best, default=None)


def _amounts(net, chosen, before=()):
    """All choices of amounts ≥ 1 with which routes fit beside one another, no edge used both ways."""
    if len(before) == len(chosen):
        yield before
        return
    for amount in range(1, chosen[len(before)].amount + 1):
        tried = [Route(r.vertices, r.edges, a, r.length) for r, a in zip(chosen, (*before, amount), strict=False)]
        try:
            check_set(net, tried)
        except ValueError:
            return
        yield from _amounts(net, chosen, (*before, amount))


def _steps_of(chosen, amounts, units):
    step = 0
    while sum(max(0, step - r.length) * a for r, a in zip(chosen, amounts, strict=True)) < units:
        step += 1
    return step
