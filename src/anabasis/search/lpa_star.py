"""LPA*: the shortest path between a fixed start and goal, mended as prices change instead of sought anew.

S. Koenig, M. Likhachev and D. Furcy, "Lifelong Planning A*", 2004. The first search expands what A* expands, in the
same order where of equal keys the smaller distance goes first; later ones only what a change has made wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.repair import Repair, Touched, one_search

__all__ = ["LPAStar", "lpa_star"]


def lpa_star(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal` by the first search of LPA*.

    The options, the promises, the stats and the errors are those of `astar`, but for what a `DStarLite` refuses, too:
    arcs of weight 0 between two vertices, and prices or weights too far apart. For a path that is mended as the world
    changes make an `LPAStar`.
    """
    return one_search(space, start, goal, neighbours, corners, limit, traced, backward=False)


class LPAStar:
    """A path between two places in a world that changes. It keeps its memory: threads must not share one.

    Every answer is a shortest path at the prices of that time. `start` and `goal` are its ends; `expanded` and
    `updated` count the vertices expanded and the changes of the queue of the last repair, with the changes of the world
    before it.
    """

    def __init__(
        self,
        space: Grid | Graph,
        start: int,
        goal: int,
        *,
        neighbours: int = 8,
        corners: str = "strict",
        metric: str | None = None,
        optimized: bool = True,
    ) -> None:
        """Take the world as it is now; nothing is searched before the first question.

        Options and errors are those of `DStarLite`.
        """
        self._search = Repair(
            space,
            start,
            goal,
            neighbours=neighbours,
            corners=corners,
            metric=metric,
            optimized=optimized,
            backward=False,
        )
        self.start, self.goal = self._search.root, self._search.focus
        self.expanded = self.updated = 0
        self._before = 0, 0
        self._path: Path | None = None  # the last one, shortest as long as no distance has changed
        self._state = -1, 0  # of the search when it was found

    @property
    def space(self) -> Grid | Graph:
        """The world as it was at the beginning."""
        return self._search.space.space

    def path(self) -> Result[Path]:
        """Return a shortest path from the start to the goal, at the prices known now.

        stats: expanded and updated of this repair. Without a way, which is also so if an end is blocked: NO_SOLUTION
        and the reason.
        """
        search = self._search
        blocked = np.inf in (search.price(self.start), search.price(self.goal))
        if not blocked and search.state != self._state:
            vertices = search.way(self.goal)[::-1]
            cost = search.cost(vertices)
            self._path = Path(vertices, search.space.points(vertices), cost) if len(vertices) else None
            self._state = search.state
        self.expanded, self.updated = search.expanded - self._before[0], search.updated - self._before[1]
        self._before = search.expanded, search.updated
        stats: dict[str, float] = {"expanded": self.expanded, "updated": self.updated}
        if blocked or self._path is None:
            return Result(Status.NO_SOLUTION, reason=search.why_not(self.start, self.goal), stats=stats)
        return Result(Status.SOLVED, self._path, "", self._path.cost, stats)

    def change(self, vertices: ArrayLike, costs: ArrayLike) -> int:
        """Give vertices new prices, inf to block them, as `DStarLite.change` does; return how many differ."""
        return self._search.change(self.goal, vertices, costs)

    def change_arcs(self, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, as `DStarLite.change_arcs` does; return how many differ."""
        self._state = -1, 0  # of two equal steps the one that the path takes may be gone
        return self._search.change_arcs(self.goal, tails, heads, weights)

    def changed_from(self, grid: Grid) -> int:
        """Compare the whole map with a new one, as `DStarLite.changed_from` does; return how many cells differ."""
        return self._search.change_to(self.goal, grid)

    def touched(self) -> Touched:
        """Return what the search knows of each vertex where it has been; g and rhs are distances from the start."""
        return self._search.touched()
