"""Way-points: the graph of places and links that somebody chose by hand, checked against the world.

Way-point graphs as in computer games: S. Rabin (ed.), "AI Game Programming Wisdom", 2002.
"""

from __future__ import annotations

import numpy as np

from anabasis.decompose.cells import ground, walk_costs
from anabasis.decompose.free_space import free_space
from anabasis.decompose.metric import greatest_metric
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.io.waypoints import Waypoints
from anabasis.world import World

__all__ = ["waypoint_graph"]


def waypoint_graph(space: World | Grid, waypoints: Waypoints) -> Graph:
    """Return the graph whose states are the places, in their order.

    A link costs what the file says, else its length, on a Grid the integral of the price along it. The metric is the
    greatest that no link undercuts. Raises InputError that names file, line and place: a place outside the world or in
    an obstacle, a link that an obstacle blocks.
    """
    world, points, links = ground(space), waypoints.points, waypoints.links
    free, file = free_space(world), waypoints.file or None
    x0, y0, x1, y1 = world.bounds
    outside = (points < [x0, y0]).any(axis=1) | (points > [x1, y1]).any(axis=1)
    for wrong, problem, expected in (
        (outside, "is outside the world", f"x from {x0:g} to {x1:g}, y from {y0:g} to {y1:g}"),
        (~outside & ~free.free(points), "is in an obstacle", "a free place"),
    ):
        for k in np.flatnonzero(wrong)[:1]:
            where, place = waypoints.line(place=int(k)), f"({points[k, 0]:g}, {points[k, 1]:g})"
            name = waypoints.names[k]
            raise InputError(f"place {name!r} {problem}", file=file, where=where, found=place, expected=expected)
    tail, head = links.T
    for k in np.flatnonzero(~free.see(points[tail], points[head]))[:1]:
        names = [waypoints.names[end] for end in links[k]]
        raise InputError(
            f"the link from {names[0]!r} to {names[1]!r} is blocked",
            file=file,
            where=waypoints.line(link=int(k)),
            found="an obstacle between them",
            expected="places that see each other",
            hint="add a place on the way around it",
        )
    back = ~waypoints.one_way
    cost = np.concatenate([waypoints.cost, waypoints.cost[back]])
    tail, head = np.concatenate([tail, head[back]]), np.concatenate([head, tail[back]])
    weights = np.where(np.isinf(cost), walk_costs(space, points[tail], points[head]), cost)
    return Graph.from_arcs(points, tail, head, weights, greatest_metric(points, tail, head, weights))
