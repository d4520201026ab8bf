"""Moving target: the shortest path of a hunter to a target that moves too, mended as both move and prices change.

X. Sun, W. Yeoh and S. Koenig, "Moving Target D* Lite", 2010, the basic version. The search runs from the hunter to the
target. When the target moves the estimates lead to its new place, which raises keys to come as in D* Lite. When the
hunter moves its new place becomes the root with the distance that it has: behind it, where the target is, all
distances stay true but for a constant, and the others, now too small, are raised only where they matter.

That is put off as long as possible: if the shortest way from the old root to the target leads through the hunter, its
rest is a shortest way of the hunter, and the root stays where it is. Measured on chases, that leaves a fifth of the
expansions on maps with prices, but half as many again on an empty map of equal prices, where A* anew is the quickest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.mending import DEAREST, MARK, NOW, RHS, ROOT, G
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.options import check_kind
from anabasis.plan import Path
from anabasis.result import Result, Status
from anabasis.search.repair import Repair

__all__ = ["MovingTarget"]

_FAR = 2.0**16  # least steps; sums of that size are exact to 10^-11 of one


class MovingTarget:
    """A hunter's way to a target that moves, through a world that changes. Threads must not share one.

    Every answer is a shortest path at that time, as a search from scratch finds. `start` is where the hunter is, `goal`
    where the target is; `expanded` and `updated` count the vertices expanded and the changes of the queue so far,
    `restarts` how often the search began anew, because the hunter went where it had not been sent.
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
    ) -> None:
        """Take the world as it is now; nothing is searched before the first question.

        Options and errors are those of `DStarLite`.
        """
        if metric is not None:
            check_kind(metric, str, "metric")
        self._search = Repair(space, start, goal, neighbours=neighbours, corners=corners, metric=metric, backward=False)
        self.start, self.goal = self._search.root, self._search.focus
        self.restarts = 0
        self._way: NDArray[np.int64] | None = None  # from the hunter on; None if it is not known
        self._at = 0

    @property
    def expanded(self) -> int:
        """How many vertices were expanded so far."""
        return self._search.expanded

    @property
    def updated(self) -> int:
        """How often a vertex was put into the queue or moved there so far."""
        return self._search.updated

    def next_step(self) -> int | None:
        """Return the next vertex of a shortest path to the target; its own at the target, None if there is no path."""
        way = self._ahead()
        return int(way[min(1, len(way) - 1)]) if len(way) else None

    def move_to(self, vertex: int) -> None:
        """Tell where the hunter is now: a step ahead, which is what is cheap, or anywhere else."""
        place = int(self._search.space.check([vertex], "place of the hunter")[0])
        if place == self.start:
            return
        self.start = place
        if self._way is not None and self._at + 1 < len(self._way) and self._way[self._at + 1] == place:
            self._at += 1
        else:
            self._way = None

    def target_to(self, vertex: int) -> None:
        """Tell where the target is now, near where it was or anywhere else."""
        place = int(self._search.space.check([vertex], "place of the target")[0])
        if place == self.goal:
            return
        self.goal = place
        self._way = None

    def change(self, vertices: ArrayLike, costs: ArrayLike) -> int:
        """Give vertices new prices, inf to block them, as `DStarLite.change` does; return how many differ."""
        return self._changed(self._search.change(self.goal, vertices, costs))

    def change_arcs(self, tails: ArrayLike, heads: ArrayLike, weights: ArrayLike) -> int:
        """Give arcs of a graph new weights, as `DStarLite.change_arcs` does; return how many differ."""
        return self._changed(self._search.change_arcs(self.goal, tails, heads, weights))

    def path(self) -> Result[Path]:
        """Return a shortest path from the hunter to the target, at the prices known now.

        stats: expanded and updated of all searches so far. Without a way, which is also so if either stands on a
        blocked vertex: NO_SOLUTION and the reason.
        """
        search, way = self._search, self._ahead()
        stats: dict[str, float] = {"expanded": search.expanded, "updated": search.updated}
        if not len(way):
            return Result(Status.NO_SOLUTION, reason=search.why_not(self.start, self.goal), stats=stats)
        cost = search.cost(way)
        return Result(Status.SOLVED, Path(way, search.space.points(way), cost), "", cost, stats)

    def _changed(self, count: int) -> int:
        if count:
            self._way = None
        return count

    def _ahead(self) -> NDArray[np.int64]:
        """Return the way from the hunter on, sought only if it is not known."""
        search = self._search
        if self._way is None:
            blocked = np.inf in (search.price(self.start), search.price(self.goal))
            self._way, self._at = np.empty(0, np.int64), 0
            if not blocked:
                self._way = self._from_the_root()
                if not len(self._way):
                    self._take_root()
                    self._way = search.way(self.goal)[::-1]
        return self._way[self._at :]

    def _from_the_root(self) -> NDArray[np.int64]:
        """Return the rest of a shortest way from the root if the hunter stands on it, else none."""
        search = self._search
        if self.start != search.root and search.price(search.root) < np.inf:
            search.change(self.goal, *_as_it_is(search, search.root))
            way = search.way(self.goal)[::-1]
            return way[int(np.argmax(way == self.start)) :] if (way == self.start).any() else way[:0]
        return np.empty(0, np.int64)

    def _take_root(self) -> None:
        """Make the hunter's place the root of the search, and let the estimates lead to the target."""
        search, old = self._search, self._search.root
        known = search.cells[self.start]
        if self.start == old:
            search.change(self.goal, *_as_it_is(search, old))
        elif known[MARK] == search.book[NOW] and known[G] == known[RHS] <= self._most_walked(float(known[RHS])):
            search.book[ROOT] = search.root = self.start
            search.change(self.goal, *_as_it_is(search, old))
        else:
            self.restarts += 1
            search.restart(self.start, self.goal)

    def _most_walked(self, walked: float) -> float:
        """Return how far the hunter may be from the first root, from where distances go on to be counted.

        What is added to distances makes them less exact: here no less than the way to the target itself does.
        """
        ahead = self._search.value(self.goal) - walked
        return max(_FAR * self._search.least_step, ahead if ahead < np.inf else 0.0)


def _as_it_is(search: Repair, vertex: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return a change of the price of a vertex and back, which computes its distance anew unless it is the root."""
    price = search.price(vertex)
    other = price + 1.0 if price + 1.0 <= search.reals[DEAREST] else 1.0 if price > 1.0 else np.inf
    return np.array([vertex, vertex]), np.array([other, price])
