"""Blocks of a mesh: a portal may be used exactly if a way without repetition leads on through it."""

import networkx as nx
from mesh_cases import worlds

from anabasis.decompose.merging import merging
from anabasis.decompose.mesh_blocks import mesh_blocks
from anabasis.decompose.triangulation import triangulation


def allowed(blocks, edge, polygon):
    first, count = blocks.first[edge], blocks.count[edge]
    return (first <= blocks.number[polygon] < first + abs(count)) == (count > 0)


def test_portals_lead_where_networkx_says():
    both = set()
    for world in worlds(45, 1):
        for mesh in (merging(world), triangulation(world)):
            blocks = mesh_blocks(mesh)
            graph = nx.Graph()
            graph.add_nodes_from(range(mesh.size))
            graph.add_edges_from((int(mesh.owner[e]), int(mesh.neighbours[e])) for e in mesh.portals)
            parts = {p: k for k, part in enumerate(nx.connected_components(graph)) for p in part}
            assert len({(parts[p], int(blocks.part[p])) for p in parts}) == len(set(parts.values()))
            assert sorted(blocks.number) == list(range(mesh.size))
            for p in range(mesh.size):
                rest = graph.copy()
                rest.remove_node(p)
                reach = {q: part for part in nx.connected_components(rest) for q in part}
                for e in range(mesh.indptr[p], mesh.indptr[p + 1]):
                    q = int(mesh.neighbours[e])
                    for t in range(mesh.size):
                        if q >= 0 and t != p and parts[t] == parts[p]:
                            assert allowed(blocks, e, t) == (t in reach[q])
                            both.add(allowed(blocks, e, t))
    assert both == {True, False}
