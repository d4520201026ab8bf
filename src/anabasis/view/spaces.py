"""Spaces: pictures of discretisations: cells with their states, navigation meshes, graphs."""

from __future__ import annotations

import numpy as np

from anabasis.decompose.cells import Cells
from anabasis.graph import Graph
from anabasis.navmesh import NavMesh
from anabasis.view.ground import arc_lines, graph_scene, pen
from anabasis.view.layers import Polygons, Scene, dots
from anabasis.view.palette import GROUP_COLOURS, INK, with_alpha

__all__ = ["cells_scene", "mesh_scene", "space_scene"]

_TINY = 4.0  # lines that a cell has to be wide for its outline to be drawn


def space_scene(made: Graph | NavMesh | Cells, ground: Scene, *, title: str = "") -> Scene:
    """Return what a discretisation made, over the picture of the world."""
    if isinstance(made, NavMesh):
        return mesh_scene(made, ground, title=title)
    return (
        cells_scene(made, ground, title=title)
        if isinstance(made, Cells)
        else graph_scene(made, ground=ground, title=title)
    )


def cells_scene(cells: Cells, ground: Scene, *, title: str = "") -> Scene:
    """Return the outlines of cells over another scene, with a dot for each state and its arcs, unless they are tiny."""
    line = pen(ground.width, ground.height)
    corners = cells.outlines
    count, sides = corners.shape[:2]
    large = cells.edge.min(initial=np.inf) > _TINY * line
    blue = GROUP_COLOURS[0]
    outlined = Polygons(
        corners.reshape(-1, 2),
        sides * np.arange(count + 1),
        with_alpha(blue, 0.12),
        with_alpha(blue, 0.5) if large else None,
        0.4 * line,
    )
    if not large:
        return ground.over(outlined, title=title)
    arcs = arc_lines(cells.graph, with_alpha(INK, 0.55), 0.4 * line)
    return ground.over(outlined, arcs, dots(cells.graph.points, 0.9 * line, GROUP_COLOURS[1]), title=title)


def mesh_scene(mesh: NavMesh, ground: Scene, *, title: str = "") -> Scene:
    """Return the polygons of a navigation mesh over another scene."""
    line = pen(ground.width, ground.height)
    blue = GROUP_COLOURS[0]
    points = mesh.points[mesh.corners]
    return ground.over(
        Polygons(points, mesh.indptr, with_alpha(blue, 0.12), with_alpha(blue, 0.9), 0.7 * line),
        title=title,
    )
