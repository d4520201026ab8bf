"""Spaces: pictures of discretisations: cells with their states, navigation meshes, graphs."""

from __future__ import annotations

from anabasis.graph import Graph
from anabasis.navmesh import NavMesh
from anabasis.view.ground import graph_scene, pen
from anabasis.view.layers import Polygons, Scene
from anabasis.view.palette import GROUP_COLOURS, with_alpha

__all__ = ["mesh_scene", "space_scene"]


def space_scene(made: Graph | NavMesh, ground: Scene, *, title: str = "") -> Scene:
    """Return what a discretisation made, over the picture of the world."""
    if isinstance(made, NavMesh):
        return mesh_scene(made, ground, title=title)
    return graph_scene(made, ground=ground, title=title)


def mesh_scene(mesh: NavMesh, ground: Scene, *, title: str = "") -> Scene:
    """Return the polygons of a navigation mesh over another scene."""
    line = pen(ground.width, ground.height)
    blue = GROUP_COLOURS[0]
    points = mesh.points[mesh.corners]
    return ground.over(
        Polygons(points, mesh.indptr, with_alpha(blue, 0.12), with_alpha(blue, 0.9), 0.7 * line),
        title=title,
    )
