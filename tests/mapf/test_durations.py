"""Weights as durations against networkx and the joint search."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from joint_search import joint_search

from anabasis.decompose.lattices import square_lattice
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.cbs import cbs
from anabasis.mapf.durations import unit_steps
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan


def edges(size: int, *ends: tuple[int, int, float]) -> Graph:
    u, v, w = (np.array(column) for column in zip(*ends, strict=True))
    points = np.arange(2.0 * size).reshape(size, 2)
    return Graph.from_arcs(points, [*u, *v], [*v, *u], [*w, *w])


def test_ways_last_as_long_as_the_weights_say() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        n = int(rng.integers(2, 9))
        tails, heads = rng.integers(0, n, (2, 2 * n))
        weights = (3 * np.minimum(tails, heads) + 7 * np.maximum(tails, heads)) % 5 + 1.0
        graph = Graph.from_arcs(np.zeros((n, 2)), tails, heads, weights)
        fine = unit_steps(graph)
        other = nx.DiGraph()
        other.add_nodes_from(range(n))
        other.add_weighted_edges_from(zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True))
        board = Board(Instance.of(fine.graph, [0], [0]), "test", can=("directed",))
        steps = board.distances(np.arange(n))
        lengths = dict(nx.all_pairs_dijkstra_path_length(other))
        for u in range(n):
            for v in range(n):
                assert steps[v, u] == lengths[u].get(v, FAR)


def test_agents_that_meet_on_an_edge_are_in_conflict() -> None:
    for weight in (1.0, 2.0, 3.0, 4.0):
        fine = unit_steps(edges(2, (0, 1, weight)))
        assert fine.graph.size == 2 + weight - 1
        assert joint_search(Instance.of(fine.graph, [0, 1], [1, 0])) is None


def test_the_least_cost_and_the_times_at_the_vertices() -> None:
    # two ways from 0 to 1: 3 direct, 5 by vertex 2
    fine = unit_steps(edges(3, (0, 1, 3), (0, 2, 2), (2, 1, 3)))
    instance = Instance.of(fine.graph, [0, 1], [1, 0])
    result, best = cbs(instance), joint_search(instance)
    assert result.value is not None
    assert best is not None
    assert result.stats["sum_of_costs"] == best.cost == 8
    assert plan_faults(instance, result.value) == []
    visits = fine.visits(result.value)
    ways = [visits.vertex[a:b].tolist() for a, b in zip(visits.indptr[:-1], visits.indptr[1:], strict=True)]
    assert sorted(map(len, ways)) == [2, 3]
    arrive = [visits.arrive[b - 1] for b in visits.indptr[1:]]
    assert sorted(arrive) == [3, 5]
    assert (visits.leave[visits.indptr[1:] - 1] == 5).all()


def test_visits_tell_waiting_and_turning_round() -> None:
    fine = unit_steps(edges(2, (0, 1, 1.0)), step=0.5)
    visits = fine.visits(Plan(np.array([[0], [0], [2], [0], [2], [2], [1], [1]])))
    assert visits.vertex.tolist() == [0, 0, 1]
    assert visits.arrive.tolist() == [0, 1.5, 3]
    assert visits.leave.tolist() == [0.5, 1.5, 3.5]
    with pytest.raises(InputError, match="a plan for another graph; found vertex 3"):
        fine.visits(Plan(np.array([[3]])))
    with pytest.raises(InputError, match="a plan to look at; found NoneType; expected Plan"):
        fine.visits(None)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("step", "error"), [(0.5, 0.5), (0.1, 0.1)])
def test_diagonals_of_a_grid(step: float, error: float) -> None:
    graph = square_lattice(Grid.from_free(np.ones((4, 4), bool)), neighbours=8)
    fine = unit_steps(graph, step=step)
    board = Board(Instance.of(fine.graph, [0], [15]), "test")
    time = board.shortest()[0] * step
    best = 3 * np.sqrt(2)
    assert best <= time < best + 3 * error
    assert np.allclose(fine.graph.points[:16], graph.points)


def test_agents_on_a_grid_with_diagonals() -> None:
    graph = square_lattice(Grid.from_free(np.ones((3, 3), bool)), neighbours=8)
    fine = unit_steps(graph, step=0.5)
    instance = Instance.of(fine.graph, [0, 8, 1], [8, 0, 7])
    result = cbs(instance)
    assert result.value is not None
    assert plan_faults(instance, result.value) == []
    # a diagonal lasts 3 steps, a side 2; the three ways meet in the middle
    assert result.stats["sum_of_costs"] > 6 + 6 + 4


def test_parallel_arcs_loops_and_nothing() -> None:
    fine = unit_steps(Graph.from_arcs(np.zeros((2, 2)), [0, 0, 0], [0, 1, 1], [9.0, 4.0, 2.0]))
    assert (fine.graph.size, fine.graph.indices.size) == (3, 2)
    assert not fine.graph.symmetric
    assert unit_steps(Graph.from_arcs(np.zeros((0, 2)), [], [], [])).graph.size == 0


def test_what_is_refused() -> None:
    graph = Graph.from_arcs(np.zeros((2, 2)), [0, 1], [1, 0], [1.0, 2.0])
    with pytest.raises(InputError, match="found 1 steps from vertex 0 to 1, 2 back"):
        unit_steps(graph)
    assert unit_steps(graph, step=2.0).graph.size == 2
    with pytest.raises(InputError, match="too many steps; found 1000001 vertices; expected at most 1000"):
        unit_steps(edges(2, (0, 1, 1.0)), step=1e-6, limit=1000)
    with pytest.raises(InputError, match="step; found 0"):
        unit_steps(graph, step=0.0)
    with pytest.raises(InputError, match="a graph of durations; found Grid; expected Graph"):
        unit_steps(Grid.from_text("."))  # pyright: ignore[reportArgumentType]
