"""A* PS: A* with post-smoothing, the plain alternative to any-angle search.

A. Botea, M. Müller and J. Schaeffer, "Near optimal hierarchical path-finding", 2004 (smoothing after the search); the
way of smoothing is that of A. Nash, K. Daniel, S. Koenig and A. Felner, "Theta*: Any-Angle Path Planning on Grids",
2007: see `smoothing.post_smooth`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result
from anabasis.search.any_angle import lines_of
from anabasis.search.astar import AStar
from anabasis.search.batch import pairs_of
from anabasis.search.smoothing import post_smoothed
from anabasis.world import World

__all__ = ["AStarPS", "astar_ps"]


def astar_ps(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    metric: str | None = None,
    world: World | None = None,
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal` by A*, then leave out points that can be seen past.

    The search is that of `astar` and its options are the same; a Graph needs its `world`, as in `theta`. The path has
    points and no vertices, never costs more than that of A* by the measure of its polyline (see `shorten`), and keeps
    to that path's side of every obstacle. The bound is the straight distance. stats: those of `astar`, and sight, the
    tests of sight. Raises InputError as `theta` does. For many queries on one map make one `AStarPS`.
    """
    search = AStarPS(space, neighbours=neighbours, corners=corners, metric=metric, world=world)
    return search.find(start, goal, limit=limit, traced=traced)


class AStarPS:
    """A* with post-smoothing for many queries on one map or graph; threads must not share one."""

    def __init__(
        self,
        space: Grid | Graph,
        *,
        neighbours: int = 8,
        corners: str = "strict",
        metric: str | None = None,
        world: World | None = None,
    ) -> None:
        """Check the options, which are those of `astar_ps`, and prepare the map."""
        self.search = AStar(space, neighbours=neighbours, corners=corners, metric=metric)
        lines_of(self.search.space, world)  # refuses a graph that does not fit its world
        self.around = space if isinstance(space, Grid) else world
        self.corners = corners

    def find(self, start: int, goal: int, *, limit: int = 0, traced: bool = False) -> Result[Path]:
        """Find a path from vertex `start` to vertex `goal`, exactly as `astar_ps` does."""
        result = self.search.find(start, goal, limit=limit, traced=traced)
        ends = self.search.space.points([start, goal])
        straight = float(np.hypot(*(ends[1] - ends[0])))
        stats = {name: count for name, count in result.stats.items() if name not in ("straight", "diagonal")}
        path, sight = result.value, 0
        if path is not None and self.around is not None:
            path, sight = post_smoothed(self.around, path, self.corners)
        bound = min(result.bound, straight if path is None else min(straight, path.cost))
        return replace(result, value=path, bound=bound, stats={**stats, "sight": sight})

    def find_many(self, starts: ArrayLike, goals: ArrayLike, *, limit: int = 0) -> list[Result[Path]]:
        """Find a path for each pair of vertices, exactly as one `find` after the other would."""
        return [self.find(u, v, limit=limit) for u, v in pairs_of(self.search.space, starts, goals)]
