"""Mesh as a graph: its weights are lengths that can be walked, and no shorter ones exist."""

import numpy as np
import pytest
from mesh_cases import worlds

from anabasis import InputError, NavMesh, World
from anabasis.decompose.free_space import free_space
from anabasis.decompose.merging import merging
from anabasis.decompose.mesh_graph import mesh_graph
from anabasis.search.dijkstra import distances


def tails(graph):
    return np.repeat(np.arange(graph.size), np.diff(graph.indptr))


def test_states_at_sides_see_each_other():
    for world in worlds(40, 1):
        mesh, free = merging(world), free_space(world)
        graph = mesh_graph(mesh, states="sides")
        assert graph.size == len(mesh.portals)
        a, b = graph.points[tails(graph)], graph.points[graph.indices]
        assert graph.weights == pytest.approx(np.hypot(*(a - b).T))
        if not (world.points % 1).any():  # else rounding puts the middle of a side beside it
            assert free.see(a, b).all()


def test_weights_between_centres_are_the_shortest_ways_through_a_portal():
    for world in worlds(40, 2):
        mesh = merging(world)
        graph = mesh_graph(mesh)
        assert graph.points.tolist() == mesh.centres.tolist()
        assert graph.indices.size == 2 * len(mesh.portals)
        for e in mesh.portals:
            p, q = mesh.owner[e], mesh.neighbours[e]
            a, b = mesh.points[mesh.corners[e]], mesh.points[mesh.ends[e]]
            bends = a + np.linspace(0, 1, 2001)[:, None] * (b - a)
            ways = np.hypot(*(bends - mesh.centres[p]).T) + np.hypot(*(bends - mesh.centres[q]).T)
            arcs = slice(graph.indptr[p], graph.indptr[p + 1])
            weight = graph.weights[arcs][graph.indices[arcs] == q]
            assert weight == pytest.approx(ways.min(), abs=1e-3)
            assert weight <= ways.min() + 1e-9


@pytest.mark.parametrize("states", ["centres", "sides"])
def test_parts_of_free_space_are_parts_of_the_graph(states):
    for world in worlds(30, 3):
        mesh = merging(world)
        graph, part = mesh_graph(mesh, states=states), free_space(world).component[mesh.corners]
        part = part[mesh.indptr[:-1]] if states == "centres" else part[mesh.portals]
        for v in range(0, graph.size, 5):
            assert (np.isfinite(distances(graph, [v])[0]) == (part == part[v])).all()


def test_a_small_mesh():
    mesh = NavMesh.of([[0, 0], [2, 0], [2, 2], [0, 2], [4, 0], [4, 2]], [[0, 1, 2, 3], [1, 4, 5, 2]])
    assert mesh_graph(mesh).weights.tolist() == [2, 2]
    assert mesh_graph(mesh, states="sides").points.tolist() == [[2, 1]]
    assert mesh_graph(World.of((0, 0, 1, 1), []), states="sides").size == 0


def test_unknown_states_are_refused():
    with pytest.raises(InputError, match="unknown states of a mesh"):
        mesh_graph(NavMesh.of([], []), states="corners")
