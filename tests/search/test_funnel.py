"""The funnel: the shortest way through a corridor, compared with an exact search on a mesh that is the corridor."""

import sys
from pathlib import Path

import numpy as np
import pytest

from anabasis import InputError, NavMesh
from anabasis.decompose.merging import merging
from anabasis.decompose.triangulation import triangulation
from anabasis.search.funnel import funnel
from anabasis.search.polyanya import Polyanya

sys.path.insert(0, str(Path(__file__).parents[1] / "decompose"))
from mesh_cases import worlds
from mesh_variants import with_straight_corners


def corridor(rng, mesh, length):
    """A random walk over a mesh that enters no polygon twice, as edges."""
    here = int(rng.integers(mesh.size))
    seen, edges = {here}, []
    for _ in range(length):
        ways = [e for e in range(mesh.indptr[here], mesh.indptr[here + 1]) if mesh.neighbours[e] not in (-1, *seen)]
        if not ways:
            break
        edges.append(int(rng.choice(ways)))
        here = int(mesh.neighbours[edges[-1]])
        seen.add(here)
    return edges


def place_in(rng, ring):
    """A place in a polygon: inside, at a corner or on a side."""
    share = rng.dirichlet(np.ones(len(ring)))
    kind = rng.integers(4)
    if kind < 2:
        share = np.zeros(len(ring))
        share[rng.integers(len(ring))] += 0.5
        share[rng.integers(len(ring)) if kind else share.argmax()] += 0.5
    return share @ ring


def mesh_of(mesh, edges):
    """The polygons of a corridor with no portals but its own; every polygon has points of its own along walls."""
    polygons = [int(mesh.owner[e]) for e in edges] + [int(mesh.neighbours[edges[-1]])]
    points, rings, number = [], [], {}
    for k, p in enumerate(polygons):
        ring = []
        for corner in mesh.corners[mesh.indptr[p] : mesh.indptr[p + 1]].tolist():
            shared = k and corner in (mesh.corners[edges[k - 1]], mesh.ends[edges[k - 1]])
            if not shared:
                number[k, corner] = len(points)
                points.append(mesh.points[corner])
            else:
                number[k, corner] = number[k - 1, corner]
            ring.append(number[k, corner])
        rings.append(ring)
    return NavMesh.of(points, rings)


def test_ways_are_as_short_as_a_search_in_the_corridor_finds():
    longest = 0
    for n, world in enumerate(worlds(90, 1)):
        rng = np.random.default_rng(n)
        for mesh in (triangulation(world), merging(world), with_straight_corners(rng, merging(world))):
            edges = corridor(rng, mesh, 40) if mesh.size else []
            if not edges:
                continue
            start = place_in(rng, mesh.polygon(mesh.owner[edges[0]]))
            goal = place_in(rng, mesh.polygon(mesh.neighbours[edges[-1]]))
            way = funnel(start, mesh.points[mesh.ends[edges]], mesh.points[mesh.corners[edges]], goal)
            only = Polyanya(mesh_of(mesh, edges))
            result = only.find(start, goal)
            if not result:  # rounding has put an end outside of its polygon
                continue
            length = np.hypot(*np.diff(way, axis=0).T).sum()
            assert way[0].tolist() == start.tolist()
            assert way[-1].tolist() == goal.tolist()
            assert length >= result.value.cost - 1e-9
            ends = only.place.polygons(tuple(start)), only.place.polygons(tuple(goal))
            whole = only.mesh.size == len(edges) + 1  # not cut, for rounding
            if whole and [end.tolist() for end in ends] == [[0], [len(edges)]]:  # neither entered later nor left before
                assert length == pytest.approx(result.value.cost, abs=1e-9)
                longest = max(longest, len(way))
    assert longest > 4


def test_a_straight_corridor_has_no_corner():
    assert funnel((0, 0), [(1, 1), (2, 1)], [(1, -1), (2, -1)], (3, 0)).tolist() == [[0, 0], [3, 0]]


def test_corners_are_turned_at_and_named_once():
    left, right = [(1, 1), (1, 1), (0, 3)], [(1, 0), (2, 1), (2, 3)]
    assert funnel((0, 0.5), left, right, (-4, 5)).tolist() == [[0, 0.5], [1, 1], [0, 3], [-4, 5]]
    assert funnel((0, 1), left[:2], right[:2], (1, 2)).tolist() == [[0, 1], [1, 1], [1, 2]]


def test_no_portals_and_no_way_at_all():
    assert funnel((0, 0), [], [], (1, 1)).tolist() == [[0, 0], [1, 1]]
    assert funnel((1, 1), [], [], (1, 1)).tolist() == [[1, 1]]


def test_wrong_shapes_are_refused():
    with pytest.raises(InputError, match="right ends of portals"):
        funnel((0, 0), [(1, 1)], [(1, 0), (2, 0)], (3, 3))
