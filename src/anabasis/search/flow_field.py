"""Flow field: one field of directions that leads every unit of a group from any cell to the target.

The method Vector of J. Pacovský, "Navigation of units in video games using flow networks", 2019: a search from the
target over all free cells; each reached cell points to the neighbour that it was reached from, each wall cell to the
nearest free cell, and close to walls the vectors are turned away from them.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.grid import Grid, cell_text
from anabasis.noun import freeze
from anabasis.plan import FlowField, GroupPlan
from anabasis.result import Result, Status
from anabasis.scenario import Group
from anabasis.search.integration import TARGET, integrate
from anabasis.search.moves import Space

__all__ = ["flow_field", "flow_field_bfs", "plan_vector_field", "plan_vector_field_bfs"]

WALL_TURN = 15.0  # degrees

_SQRT2 = 2.0**0.5


def flow_field(
    grid: Grid,
    targets: ArrayLike,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    wall_turn: float = WALL_TURN,
) -> Result[FlowField]:
    """Return the field that leads to the nearest of the target vertices, by Dijkstra's search; always SOLVED.

    distance: the exact cost of the cheapest way (straight steps 1, diagonal √2, times the price of the cell entered;
    where all prices are 1 it is a + b√2 from whole numbers, rounded once), inf where there is none. direction: toward
    the neighbour on such a way, a straight one where there is a choice. Close to a wall it is turned away from the wall
    by `wall_turn` degrees (0 to 44) where that is safe. A blocked cell points to the nearest free cell. With strict
    corners, whoever follows the vectors from any point of a reached cell meets no wall and gets to a target.
    stats: `reached`, the number of cells with a way. Raises InputError for blocked, outside or missing targets.
    """
    return _field(grid, targets, False, neighbours, corners, wall_turn)


def flow_field_bfs(
    grid: Grid,
    targets: ArrayLike,
    *,
    neighbours: int = 8,
    corners: str = "strict",
    wall_turn: float = WALL_TURN,
) -> Result[FlowField]:
    """Return the field by breadth-first search: as `flow_field`, but distance counts steps, whatever they cost."""
    return _field(grid, targets, True, neighbours, corners, wall_turn)


def plan_vector_field(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return one shared field for a group, by Dijkstra's search from the cell of the target's centre.

    Units that have no way get route -1; NO_SOLUTION if none has one. Deterministic: `seed` changes nothing. Raises
    InputError if the target or a unit is in a wall or outside the map.
    """
    return _plan(grid, group, False)


def plan_vector_field_bfs(grid: Grid, group: Group, *, seed: int = 0) -> Result[GroupPlan]:
    """Return one shared field for a group as `plan_vector_field`, by breadth-first search."""
    return _plan(grid, group, True)


def _field(
    grid: Grid, targets: ArrayLike, count_steps: bool, neighbours: int, corners: str, wall_turn: float
) -> Result[FlowField]:
    """Search, then turn what was found into distances and directions."""
    space = Space(grid, neighbours, corners)
    grid = space.grid
    if not (isinstance(wall_turn, Real) and 0 <= wall_turn <= 44):
        raise InputError("wall_turn of a flow field", found=f"{wall_turn}", expected="0 to 44 degrees")
    distance, entered = integrate(space, _targets(grid, targets), count_steps=count_steps)
    direction = np.empty((grid.height, grid.width, 2))
    angle, far = float(np.radians(wall_turn)), distance.reshape(-1)
    reached, deep = _directions(grid.cost, space.around, space.offset, entered, far, angle, direction)
    if deep:
        _out_of_walls(grid.cost, space.around, direction)
    distance.flags.writeable = direction.flags.writeable = False
    return Result(Status.SOLVED, FlowField(distance, direction), stats={"reached": reached})


def _targets(grid: Grid, targets: ArrayLike) -> NDArray[np.int64]:
    """Return the target vertices, each once, rising."""
    ends = np.unique(freeze(np.atleast_1d(np.asarray(targets)), np.int64, (None,), "targets"))
    if not ends.size:
        raise InputError("a flow field without a target", expected="at least one target vertex")
    if ends[0] < 0 or ends[-1] >= grid.cost.size:
        wrong = ends[0] if ends[0] < 0 else ends[-1]
        raise InputError("a target is outside the map", found=f"vertex {wrong}", expected=f"0 to {grid.cost.size - 1}")
    blocked = ends[np.isinf(grid.cost.ravel()[ends])]
    if blocked.size:
        raise InputError("a target is blocked", found=cell_text(*grid.cell(int(blocked[0]))), expected="a free cell")
    return ends


def _plan(grid: Grid, group: Group, count_steps: bool) -> Result[GroupPlan]:
    """Make the field of a group and find out which units it leads to the target."""
    starts, goal = group.vertices(grid), group.goal(grid)
    result = _field(grid, goal, count_steps, 8, "strict", WALL_TURN)
    field = result.value
    assert field is not None  # noqa: S101 - a field is always solved
    way = np.isfinite(field.distance.ravel()[starts])
    if way.any():
        none = np.zeros((0, 2))
        plan = GroupPlan(np.zeros(group.size + 1, np.int64), none, np.where(way, 0, -1), field)
        return Result(Status.SOLVED, plan, stats={**result.stats, "without_way": int((~way).sum())})
    x, y = _nearest_reachable(grid, starts, goal)
    return Result(
        Status.NO_SOLUTION,
        reason=f"no unit can reach the target at {cell_text(*group.target.cell)}: walls part them; "
        f"the nearest cell that a unit can reach is {cell_text(x, y)}",
        stats={"nearest_x": x, "nearest_y": y, "without_way": group.size},
    )


def _nearest_reachable(grid: Grid, starts: NDArray[np.int64], goal: int) -> tuple[int, int]:
    """Return the cell nearest to the goal by air of those that can be reached from any of `starts`."""
    field = _field(grid, starts, True, 8, "strict", 0.0).value
    assert field is not None  # noqa: S101 - a field is always solved
    reachable = np.flatnonzero(np.isfinite(field.distance))
    return grid.cell(int(reachable[np.argmin(((grid.centres(reachable) - grid.centres(goal)) ** 2).sum(axis=1))]))


@kernel
def _turns(angle: float) -> tuple[Any, Any]:
    """Return, for each set of free neighbours (a bit a direction) and each direction, the turned vector and its sense.

    sense: 0 stays, ±1 turned clockwise or back. A vector is turned where it leads along a wall or nearer to it, 90
    degrees or more from the sum of the vectors away from the walls, and where the cells that it now leads to are free.
    """
    dx = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    dy = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    vectors, sense = np.empty((256, 8, 2)), np.zeros((256, 8), np.int64)
    for free in range(256):
        away_x, away_y = 0.0, 0.0
        for k in range(8):
            if not free >> k & 1:
                away_x -= dx[k] / (_SQRT2 if k & 1 else 1.0)
                away_y -= dy[k] / (_SQRT2 if k & 1 else 1.0)
        for k in range(8):
            x, y = dx[k] / (_SQRT2 if k & 1 else 1.0), dy[k] / (_SQRT2 if k & 1 else 1.0)
            across = x * away_y - y * away_x
            turn = 0
            if angle > 0 and abs(across) > 1e-9 and x * away_x + y * away_y < 1e-9:
                turn = 1 if across > 0 else -1
                first, second = (k + turn) % 8, (k - turn if k & 1 else k + 2 * turn) % 8
                if not (free >> first & 1 and free >> second & 1):
                    turn = 0
            sense[free, k] = turn
            vectors[free, k, 0] = x * np.cos(turn * angle) - y * np.sin(turn * angle)
            vectors[free, k, 1] = y * np.cos(turn * angle) + x * np.sin(turn * angle)
    return vectors, sense


@kernel
def _directions(
    cost: Any,
    around: Any,
    offset: Any,
    entered: Any,
    distance: Any,
    angle: float,
    direction: Any,
) -> tuple[int, int]:
    """Write the vector of every cell; return how many cells are reached, and how many lie deep inside walls.

    A straight vector that is turned may lead into two more cells. Each must be nearer to the target, or far from walls,
    so that its own vector is not turned, and lead to nearer cells only: no walk can come back to where it was.
    """
    height, width = cost.shape
    vectors, sense = _turns(angle)
    out_of_wall = np.full(256, -1, np.int64)  # the nearest free neighbour
    for free in range(1, 256):
        k = 0 if free & 0b01010101 else 1
        while not free >> k & 1:
            k += 2
        out_of_wall[free] = k
    reached, deep = 0, 0
    for y in range(height):
        for x in range(width):
            u = y * width + x
            k, free = np.int64(entered[u]), 255
            if k < TARGET:
                reached += 1
                k ^= 4  # back to where the search came from
                free = np.int64(around[u])
                turn = sense[free, k]
                if turn != 0 and not k & 1:
                    here, v, w = distance[u], u + offset[(k + turn) & 7], u + offset[(k + 2 * turn) & 7]
                    farther_v, farther_w = distance[v] >= here, distance[w] >= here
                    if (
                        (farther_v & (around[v] != 255)) | (farther_w & (around[w] != 255))
                        or (farther_v and not _leads_nearer(v, here, offset, entered, distance))
                        or (farther_w and not _leads_nearer(w, here, offset, entered, distance))
                    ):
                        free = 255
            elif k == TARGET:
                reached += 1
                k = -1
            elif cost[y, x] == np.inf:
                k = out_of_wall[around[u]]
                if k < 0:
                    deep += 1
            else:
                k = -1
            direction[y, x, 0] = vectors[free, k, 0] if k >= 0 else 0.0
            direction[y, x, 1] = vectors[free, k, 1] if k >= 0 else 0.0
    return reached, deep


@kernel
def _leads_nearer(v: int, here: float, offset: Any, entered: Any, distance: Any) -> bool:
    """Whether every cell to which the vector of v leads, unturned, is less than `here` from the target."""
    k = np.int64(entered[v]) ^ 4
    nearer = distance[v + offset[k]] < here
    if k & 1:
        nearer = nearer and distance[v + offset[(k + 1) & 7]] < here and distance[v + offset[(k - 1) & 7]] < here
    return nearer


@kernel
def _out_of_walls(cost: Any, around: Any, direction: Any) -> None:
    """Point the cells deep inside walls at the nearest free cell: of equals the uppermost, then the leftmost.

    along[y, x] becomes the way along the column to its nearest free cell, so a cell has one candidate in each column.
    """
    height, width = cost.shape
    far = 2 * (height + width)
    along = np.empty((height, width), np.int32)
    way = np.full(width, -far, np.int32)
    for y in range(height):
        row, price = along[y], cost[y]
        for x in range(width):
            way[x] = (way[x] - 1) * (price[x] == np.inf)
            row[x] = way[x]
    way[:] = far
    for y in range(height - 1, -1, -1):
        row = along[y]
        for x in range(width):
            way[x] = (way[x] + 1) * (row[x] != 0)
            row[x] = row[x] if -row[x] <= way[x] else way[x]
    for y in range(height):
        for x in range(width):
            if around[y * width + x] or along[y, x] == 0:
                continue
            best, best_x, best_y = 2 * far * far, 0, 0
            off = 0
            while off < width and off * off <= best:
                for column in (x - off, x + off):
                    if 0 <= column < width:
                        dy = np.int64(along[y, column])
                        away = dy * dy + off * off
                        if away < best or (away == best and dy < best_y):
                            best, best_x, best_y = away, column - x, dy
                off += 1
            direction[y, x, 0] = best_x / np.sqrt(best)
            direction[y, x, 1] = best_y / np.sqrt(best)
