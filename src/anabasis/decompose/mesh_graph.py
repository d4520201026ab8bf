"""Mesh graph: a navigation mesh as a graph, with a state in the centre of each polygon or in the middle of each side.

G. Snook, "Simplified 3D Movement and Pathfinding Using Navigation Meshes", 2000 (centres); states on sides come nearer
to the walls, and their ways are straight inside of each polygon.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.merging import merging
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.navmesh import NavMesh
from anabasis.world import World

__all__ = ["STATES", "mesh_graph"]

STATES = ("centres", "sides")


def mesh_graph(space: World | NavMesh, *, states: str = "centres") -> Graph:
    """Return the graph of a mesh, or of the merged mesh of a world.

    states: "centres": vertex p is the centre of gravity of polygon p, and an arc joins the centres of two neighbours;
    its weight is the shortest way between them through their portal, which has one bend unless it is straight. "sides":
    vertex k is the middle of portal k (mesh.portals), and arcs join the portals of a polygon, straight through it.

    Raises InputError for an unknown kind of states, and what `merging` raises.
    """
    if states not in STATES:
        raise InputError("unknown states of a mesh", found=repr(states), expected=" or ".join(STATES))
    mesh = space if isinstance(space, NavMesh) else merging(space)
    if states == "centres":
        edges = np.flatnonzero(mesh.neighbours >= 0)
        tails, heads = mesh.owner[edges], mesh.neighbours[edges]
        return Graph.from_arcs(mesh.centres, tails, heads, _through(mesh, edges))
    middles = (mesh.points[mesh.corners[mesh.portals]] + mesh.points[mesh.ends[mesh.portals]]) / 2
    tails, heads = side_pairs(mesh)
    return Graph.from_arcs(middles, tails, heads, np.hypot(*(middles[tails] - middles[heads]).T))


def _through(mesh: NavMesh, edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return float64[k]: the shortest way from centre to centre through each of the edges."""
    a, b = mesh.centres[mesh.owner[edges]], mesh.centres[mesh.neighbours[edges]]
    p, side = mesh.points[mesh.corners[edges]], mesh.points[mesh.ends[edges]] - mesh.points[mesh.corners[edges]]
    before, behind = (np.abs(side[:, 0] * (c - p)[:, 1] - side[:, 1] * (c - p)[:, 0]) for c in (a, b))
    crossing = a + (b - a) * (before / (before + behind))[:, None]
    along = ((crossing - p) * side).sum(axis=1) / (side * side).sum(axis=1)
    bend = p + side * along.clip(0, 1)[:, None]
    return np.hypot(*(bend - a).T) + np.hypot(*(b - bend).T)


def side_pairs(mesh: NavMesh) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two arrays: every pair of portals, by number, that belong to one polygon, in both orders."""
    number = np.full(mesh.corners.size, -1)
    number[mesh.portals] = number[mesh.twins[mesh.portals]] = np.arange(len(mesh.portals))
    edges = np.flatnonzero(number >= 0)
    count = np.bincount(mesh.owner[edges], minlength=mesh.size)
    last = np.cumsum(count)
    repeats = count[mesh.owner[edges]]
    tails = np.repeat(number[edges], repeats)
    first = np.repeat((last - count)[mesh.owner[edges]], repeats)
    inner = np.arange(len(tails)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    heads = number[edges][first + inner]
    return tails[tails != heads], heads[tails != heads]
