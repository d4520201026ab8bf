"""Exploring: to a goal through a world that is seen only from near by, and to every place of it that can be seen.

S. Koenig and M. Likhachev, "D* Lite", 2002. What nobody has seen is taken to be as the unit was told, without any
knowledge free ground (the free-space assumption); the unit follows a shortest way, and what it sees mends the way.
Greedy mapping is the same search: one more vertex is joined to every cell not yet seen, and is the goal. It is the
recipe of S. Koenig, C. Tovey and Y. Smirnov, "Performance bounds for planning in unknown terrain", 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.sight import visible
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_switch
from anabasis.plan import Path
from anabasis.result import Status
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.moves import Space

__all__ = ["Exploration", "explore_to", "greedy_mapping"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Exploration:
    """How a unit went through a world that it did not know.

    - status: SOLVED at the goal, or with everything seen that can be; NO_SOLUTION if the goal can't be reached by all
      that was seen and, elsewhere, believed; LIMIT after so many steps.
    - reason: one sentence, empty when solved.
    - path: the way walked, with its cost by the true prices.
    - seen: int64[k], the cells that were seen, each once, in the order in which that happened.
    - seen_until: int64[steps + 1]: after that many steps seen[: seen_until[step]] were known.
    - surprises: in how many steps something was seen that differs from what was believed; replans: how often that
      changed the next step; expanded: the expansions of all searches.
    """

    status: Status
    reason: str
    path: Path
    seen: Ints
    seen_until: Ints
    surprises: int
    replans: int
    expanded: int

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "seen", freeze(self.seen, np.int64, (None,), "seen"))
        set_field(self, "seen_until", freeze(self.seen_until, np.int64, (None,), "seen_until"))

    def __bool__(self) -> bool:
        return self.status is Status.SOLVED

    def known(self, step: int, cells: int) -> NDArray[np.bool_]:
        """Return bool[cells]: which of all the cells of the map had been seen after so many steps.

        Raises InputError for more steps than were made.
        """
        step = check_count(step, "number of steps", most=len(self.seen_until) - 1)
        mask = np.zeros(check_count(cells, "number of cells", int(self.seen.max(initial=-1)) + 1), np.bool_)
        mask[self.seen[: self.seen_until[step]]] = True
        return mask


class _Eyes:
    """What a unit has seen of a world, in order."""

    def __init__(self, world: Grid, radius: int, walls_hide: bool) -> None:
        self.world, self.walls_hide = world, check_switch(walls_hide, "walls_hide")
        farthest = max(world.cost.shape)  # who sees that far sees all
        self.radius = min(check_count(radius, "radius of sight", 1), farthest)
        self.known = np.zeros(world.cost.shape, np.bool_)
        self.cost = world.cost.copy()  # a cell is opened for a moment while it is looked at
        self.parts: list[Ints] = []
        self.until: list[int] = []

    def look(self, vertex: int) -> Ints:
        """Return the cells that are seen from a cell for the first time, row by row."""
        found = np.empty(min((2 * self.radius + 1) ** 2, self.known.size), np.int64)
        count = _look(self.cost, self.known, *self.world.cell(vertex), self.radius, self.walls_hide, found)
        self.parts.append(found[:count].copy())
        self.until.append((self.until[-1] if self.until else 0) + count)
        return self.parts[-1]

    @property
    def seen(self) -> Ints:
        return np.concatenate(self.parts) if self.parts else np.empty(0, np.int64)


@kernel
def _look(cost: Any, known: Any, x: int, y: int, radius: int, walls_hide: bool, found: Any) -> int:
    """Mark what is seen from (x, y), write what is new; return how much that is. Cells beside are always seen."""
    height, width = cost.shape
    count = 0
    for row in range(max(0, y - radius), min(height, y + radius + 1)):
        for column in range(max(0, x - radius), min(width, x + radius + 1)):
            if known[row, column]:
                continue
            if walls_hide and max(abs(row - y), abs(column - x)) > 1:
                price = cost[row, column]
                cost[row, column] = 1.0
                clear = visible(cost, x, y, column, row, 1)
                cost[row, column] = price
                if not clear:
                    continue
            known[row, column] = True
            found[count] = row * width + column
            count += 1
    return count


def explore_to(
    world: Grid,
    start: int,
    goal: int,
    *,
    believed: Grid | None = None,
    radius: int = 1,
    walls_hide: bool = False,
    neighbours: int = 8,
    corners: str = "strict",
    limit: int = 0,
) -> Exploration:
    """Walk from cell `start` to cell `goal` of a world that is not known, by D* Lite, and return how that went.

    believed: a map of the same size that the unit takes for true where it has not seen better; None for free ground
    everywhere. radius: it sees every cell at most so many columns and rows away, all of them with a great one.
    walls_hide: only what is in line of sight, and the cells beside it. neighbours, corners: as of `astar`. limit: most
    steps, 0 for none; without a limit it ends too, for between two surprises it walks a shortest way. Without a
    believed map NO_SOLUTION is proved; with one that blocks what is free the unit may give up although there is a way,
    for it does not look for that.

    Raises InputError for an unknown option, what is no map of cells, a vertex outside the map, a start on a blocked
    cell or a believed map of another size.
    """
    space = Space(world, neighbours, corners)
    world = space.grid
    start, goal = space.ends(start, goal)
    limit = check_count(limit, "limit of steps")
    eyes = _Eyes(world, radius, walls_hide)
    if space.blocked(start):
        raise InputError("the start of an exploration is blocked", found=space.name(start), expected="a free cell")
    if believed is None:
        believed = Grid.from_free(np.ones(world.cost.shape, np.bool_))
    elif Space(believed).grid.cost.shape != world.cost.shape:
        found, expected = f"{believed.width} × {believed.height} cells", f"{world.width} × {world.height} cells"
        raise InputError("size of the believed map", found=found, expected=expected)
    unit = DStarLite(believed, start, goal, neighbours=neighbours, corners=corners)
    return _walk(unit, eyes, world, goal, limit)


def _walk(unit: DStarLite, eyes: _Eyes, world: Grid, goal: int, limit: int) -> Exploration:
    """Look, mend the way, step, until arrived, stopped or cut off."""
    true, walked, surprises, replans = world.cost.reshape(-1), [unit.start], 0, 0
    while True:
        ahead = unit.next_step() if len(walked) > 1 else None
        fresh = eyes.look(unit.start)
        surprised = unit.change(fresh, true[fresh]) > 0
        surprises += surprised
        if unit.start == goal:
            status, reason = Status.SOLVED, ""
            break
        step = unit.next_step()
        replans += surprised and len(walked) > 1 and step != ahead
        if step is None:
            status, reason = Status.NO_SOLUTION, unit.path().reason
            break
        if limit and len(walked) > limit:
            status, reason = Status.LIMIT, f"gave up after {limit} steps"
            break
        unit.move_to(step)
        walked.append(step)
    return _record(status, reason, walked, world, eyes, surprises, replans, unit.total_expanded)


def _record(
    status: Status,
    reason: str,
    walked: list[int],
    world: Grid,
    eyes: _Eyes,
    surprises: int,
    replans: int,
    expanded: int,
) -> Exploration:
    """Return the record of a walk along cells."""
    cells = np.array(walked, np.int64)
    x, y = np.diff(cells % world.width), np.diff(cells // world.width)
    cost = float((np.hypot(x, y) * world.cost.reshape(-1)[cells[1:]]).sum())
    path = Path(cells, world.centres(cells), cost)
    return Exploration(status, reason, path, eyes.seen, np.array(eyes.until), surprises, replans, expanded)


def greedy_mapping(
    world: Grid, start: int, *, radius: int = 1, walls_hide: bool = False, limit: int = 0
) -> Exploration:
    """Walk in steps to the four cells beside, always towards the nearest cell not yet seen, until none can be reached.

    radius, walls_hide, limit: as of `explore_to`. Cells are free or blocked, and steps cost 1 whatever their price; the
    record has the true cost. What is not seen at the end lies behind walls. In the record a surprise is a step in which
    a blocked cell was seen.

    Raises InputError as `explore_to` does.
    """
    space = Space(world, 4, "strict")
    world = space.grid
    start, limit = int(space.check([start], "start")[0]), check_count(limit, "limit of steps")
    eyes = _Eyes(world, radius, walls_hide)
    if space.blocked(start):
        raise InputError("the start of an exploration is blocked", found=space.name(start), expected="a free cell")
    blocked, beyond = ~world.free.reshape(-1), space.size
    unit, walked, surprises, replans = DStarLite(_to_the_unseen(world), start, beyond), [start], 0, 0
    while True:
        ahead = unit.next_step() if len(walked) > 1 else None
        fresh = eyes.look(unit.start)
        walls = fresh[blocked[fresh]]
        if fresh.size:
            unit.change_arcs(fresh, np.full(fresh.size, beyond), np.full(fresh.size, np.inf))
            unit.change(walls, np.full(walls.size, np.inf))
            surprises += walls.size > 0
        step = unit.next_step()
        replans += walls.size > 0 and len(walked) > 1 and step != ahead
        if step is None:
            status, reason = Status.SOLVED, ""
            break
        if limit and len(walked) > limit:
            status, reason = Status.LIMIT, f"gave up after {limit} steps"
            break
        unit.move_to(step)
        walked.append(step)
    return _record(status, reason, walked, world, eyes, surprises, replans, unit.total_expanded)


def _to_the_unseen(world: Grid) -> Graph:
    """Return the cells, all taken for free, joined to the four beside, and one more vertex to which all lead."""
    width, height = world.width, world.height
    cells = np.arange(width * height).reshape(height, width)
    pairs = [(cells[:, :-1], cells[:, 1:]), (cells[:-1], cells[1:])]
    tails = np.concatenate([side.reshape(-1) for a, b in pairs for side in (a, b)] + [cells.reshape(-1)])
    heads = np.concatenate([side.reshape(-1) for a, b in pairs for side in (b, a)] + [np.full(cells.size, cells.size)])
    points = np.concatenate([world.centres(cells.reshape(-1)), [[width / 2, -1.0]]])
    return Graph.from_arcs(points, tails, heads, np.ones(len(tails)), "zero")
