"""D* Lite: the shortest path of a unit that moves to a fixed goal while prices change, mended instead of sought anew.

S. Koenig and M. Likhachev, "D* Lite", 2002: the search runs from the goal to the unit, so most of what it knows stays
true when the unit moves and when something near the unit changes. The optimized version of that paper stops as soon as
the unit's vertex is not too cheap, and mends a distance by the one neighbour that changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike

from anabasis._kernel import alteration, mending
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.repair import FLOAT, INT, Repair, Touched, one_search

__all__ = ["DStarLite", "dstar_lite"]

_AHEAD = 4  # steps of the way that are looked up at once


def dstar_lite(
    space: Grid | Graph,
    start: int,
    goal: int,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
    traced: bool = False,
) -> Result[Path]:
    """Find a shortest path from vertex `start` to vertex `goal` by the first search of D* Lite, which runs backwards.

    The options, the promises, the stats and the errors are those of `astar`, but for what a `DStarLite` refuses, too:
    arcs of weight 0 between two vertices, and prices or weights too far apart. In a trace g is the distance to the goal
    and h the estimate from the start. For a path that is mended as the world changes make a `DStarLite`.
    """
    return one_search(space, start, goal, neighbours, corners, limit, traced, backward=True)


class DStarLite:
    """A unit's way to its goal through a world that changes. It keeps its memory: threads must not share one.

    Every answer is the shortest at that time: what is blocked or dearer far away costs nothing, what is near the way is
    mended. Where nothing changes the steps of a way are looked up, not sought. A unit on a vertex that becomes blocked
    may leave it, and no other step leads out of or into a blocked vertex.

    `start` is where the unit is, `goal` where it goes; `expanded` and `updated` count the vertices expanded and the
    changes of the queue of the last repair, with the changes of the world before it, `total_expanded` and
    `total_updated` those of all.
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
        """Take the world as it is now. Nothing is searched before the first question.

        neighbours and corners: as of `astar`. metric: one of `graph.METRICS` that never overestimates, by default the
        greatest of them; on maps with 4 neighbours also "floor-euclidean", whole parts of distances. optimized: False
        for the plain version, which does the same with more work.

        Raises InputError for an unknown option, a vertex outside the map, a graph with arcs of weight 0, or prices or
        weights so far apart that steps would be lost in sums: a price may be 2^52 / n at most on n vertices, times the
        least weight and divided by the greatest (√2 on maps with 8 neighbours).
        """
        self._search = Repair(
            space,
            goal,
            start,
            neighbours=neighbours,
            corners=corners,
            metric=metric,
            optimized=optimized,
            backward=True,
        )
        self.start, self.goal = self._search.focus, self._search.root
        self._trail: Sequence[int] = ()  # where the unit stands and goes to, as far as looked up; empty without a way
        self._at = 0  # the place of the unit there
        self._known = False

    def next_step(self) -> int | None:
        """Return the next vertex of a shortest path; the goal itself at the goal, None if there is no path."""
        if self.start == self.goal:
            return self.goal
        if not self._known or self._at + 1 == len(self._trail):  # the last one is where the unit stands
            self._look_ahead()
        return self._trail[self._at + 1] if self._trail else None

    def step_after(self, vertices: ArrayLike, costs: ArrayLike) -> int | None:
        """Do what `change` and then `next_step` do, and raise what they raise, in less time.

        On maps, with arrays int64[k] and float64[k], it is one call of compiled code.
        """
        search = self._search
        if (  # each look costs a thirtieth of the call
            type(vertices) is ndarray
            and type(costs) is ndarray
            and vertices.dtype is INT
            and costs.dtype is FLOAT
            and vertices.ndim == costs.ndim == 1
            and vertices.flags.carray
            and costs.flags.carray
            and search.on_map
        ):
            step: int = alteration.step(search.memory, search.rows, search.prices, self.start, vertices, costs)
            if step >= 0:
                self._trail, self._at, self._known = (self.start, step), 0, True
                return step
            if step == -1:
                self._trail, self._at, self._known = (), 0, True
                return None
            self._known = False
            if step == alteration.AGAIN:
                return self.next_step()
        self.change(vertices, costs)
        return self.next_step()

    def move_to(self, vertex: int) -> None:
        """Tell where the unit is now, on its way or anywhere else."""
        if self._at + 1 < len(self._trail) and vertex == self._trail[self._at + 1]:
            self._at += 1
            self.start = int(vertex)
        elif vertex != self.start:
            self.start = int(self._search.space.check([vertex], "place of the unit")[0])
            self._known = False

    def change(self, vertices: ArrayLike, costs: ArrayLike) -> int:
        """Give vertices new prices, inf to block them; return how many differ from what was known.

        A price multiplies the cost of every step into its vertex. On a graph all prices are 1 at the beginning. Raises
        InputError, and changes nothing, for a vertex outside the map, a price below 1, or one that is too great.
        """
        return self._changed(self._search.change(self.start, vertices, costs))

    def change_arcs(self, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, inf to remove them; return how many differ from what was known.

        Parallel arcs change together. Raises InputError, and changes nothing, on a map, for an arc that was not in the
        graph at the beginning, and for a weight that is not positive or less than the metric says.
        """
        return self._changed(self._search.change_arcs(self.start, tails, heads, weights))

    def changed_from(self, grid: Grid) -> int:
        """Compare the whole map with a new one of the same size, take over what differs; return how many cells do.

        Raises InputError for another size, or what is no map of cells.
        """
        return self._changed(self._search.change_to(self.start, grid))

    @property
    def space(self) -> Grid | Graph:
        """The world as it was at the beginning."""
        return self._search.space.space

    @property
    def expanded(self) -> int:
        """How many vertices the last repair has expanded."""
        return self.total_expanded - int(self._search.book[mending.EXPANDED_BEFORE])

    @property
    def updated(self) -> int:
        """How many changes of the queue the last repair took."""
        return self.total_updated - int(self._search.book[mending.UPDATED_BEFORE])

    @property
    def total_expanded(self) -> int:
        """How many vertices all repairs have expanded."""
        return int(self._search.book[mending.EXPANDED_ALL])

    @property
    def total_updated(self) -> int:
        """How many changes of the queue all repairs took."""
        return int(self._search.book[mending.UPDATED_ALL])

    def path(self) -> Result[Path]:
        """Return a shortest path from where the unit is to the goal, at the prices known now.

        stats: expanded and updated of the last repair. Without a way: NO_SOLUTION and the reason.
        """
        search, step = self._search, self.next_step()
        stats: dict[str, float] = {"expanded": self.expanded, "updated": self.updated}
        if step is None:
            return Result(Status.NO_SOLUTION, reason=search.why_not(self.start, self.goal), stats=stats)
        vertices = np.array([self.goal])
        if self.start != self.goal:
            vertices = np.append(self.start, search.way(step))  # the start may be blocked, the next vertex is not
        cost = search.cost(vertices)
        return Result(Status.SOLVED, Path(vertices, search.space.points(vertices), cost), "", cost, stats)

    def distance(self, vertex: int) -> float:
        """Return the exact cost of a shortest way from a vertex to the goal, inf without one; expands as far as needed.

        A vertex is asked for as it stands: from a blocked one there is no way. Raises InputError for a vertex outside
        the map.
        """
        search = self._search
        if type(vertex) is not int or not 0 <= vertex < search.space.size:
            vertex = int(search.space.check([vertex], "vertex")[0])
        if vertex == self.goal:
            return 0.0
        if search.price(vertex) == np.inf:
            return np.inf
        search.repair(vertex)
        return search.value(vertex)

    def set_goal(self, goal: int) -> None:
        """Go to another goal: the prices stay, the search begins anew."""
        self.goal = int(self._search.space.check([goal], "goal")[0])
        self._search.restart(self.goal, self.start)
        self._known, self._trail, self._at = False, (), 0

    def touched(self) -> Touched:
        """Return what the search knows of each vertex where it has been since the goal was set."""
        return self._search.touched()

    def _changed(self, count: int) -> int:
        """Forget the steps ahead: even where no distance changes, another way may now be the shortest."""
        if count:
            self._known = False
        return count

    def _look_ahead(self) -> None:
        """Find the next steps of the way."""
        search = self._search
        if search.price(self.start) < np.inf:
            trail = np.empty(_AHEAD, np.int64)
            self._trail = trail[: search.follow(self.start, trail)].tolist()
        else:
            ends, costs = search.exits(self.start)
            ways = [cost + self.distance(end) for end, cost in zip(ends.tolist(), costs.tolist(), strict=True)]
            best = int(np.argmin(ways)) if ways else -1
            self._trail = (self.start, int(ends[best])) if ways and ways[best] < np.inf else ()
        self._known, self._at = True, 0
        search.ask()
