"""March validator: what is wrong with a march, found from its frames and the map alone, without asking its planner."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import RADIUS, Manoeuvre
from anabasis.noun import freeze
from anabasis.options import check_kind, check_length
from anabasis.trace import Trace, UnitState

__all__ = ["march_faults"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]

_NEAR = 9  # on triangles and cells, a place on a step has the ends of it among so many nearest vertices
_SLACK = 1e-6  # of lengths, in steps; of seconds, as a share of a tick


@dataclass(frozen=True, eq=False)
class _Map:
    """Vertices with steps or without, a tree of them, steps and their seconds, and the length of the shortest one.

    keys int64[m]: tail · number of vertices + head of each step, rising.
    """

    points: Floats
    tree: Any
    keys: Longs
    seconds: Floats
    walkable: NDArray[np.bool_]
    spacing: float

    @classmethod
    def of(cls, space: Lattice | Grid | Graph) -> _Map:
        from scipy.spatial import KDTree

        if isinstance(space, Grid):
            points, tails, heads, weights = _cell_steps(space)
        else:
            graph = space.graph() if isinstance(space, Lattice) else space
            tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
            points, heads, weights = graph.points, graph.indices, graph.weights
        # of several steps between two vertices the quickest
        order = np.lexsort((weights, heads, tails))
        tails, heads, weights = tails[order], heads[order], weights[order]
        first = np.ones(len(tails), bool)
        first[1:] = (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
        keys = tails[first] * len(points) + heads[first]
        walkable = np.zeros(len(points), bool)
        walkable[tails] = walkable[heads] = True
        spacing = float(np.hypot(*(points[tails] - points[heads]).T).min(initial=np.inf))
        return cls(points, KDTree(points), keys, weights[first], walkable, spacing)

    def step(self, a: Longs, b: Longs) -> Floats:
        """Return float64[m]: the seconds from each a to its b, 0 where they are the same, inf without a step."""
        key = a * len(self.points) + b
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(a == b, 0.0, np.where(self.keys[place] == key, self.seconds[place], np.inf))


@dataclass(frozen=True, eq=False)
class _Seen:
    """A march: its trace, where units are on their ways, float64[T, n, 2], and the seconds of a step."""

    trace: Trace
    logical: Floats
    tick: float


def march_faults(manoeuvre: Manoeuvre, trace: Trace, logical: ArrayLike, *, tick: float) -> list[str]:
    """Return what is wrong with a march, nothing if it is as marches have to be.

    - every unit is on a vertex or a step of the map in every frame, and nobody is seen off the ground;
    - nobody is quicker than the map and its pace allow, as far as frames are nearer to each other than vertices;
    - who has arrived or fallen stays where it is from then on, the arrived on a vertex of its own;
    - nobody who is wider than RADIUS is nearer to closed ground than its radius, on its way.

    logical float64[T, n, 2]: where the units are on their ways; tick: seconds of a step of the trace. On a graph, which
    has no walls, and whose steps may pass by other vertices, only who stays where it is is looked at.
    """
    check_kind(manoeuvre, Manoeuvre, "what was carried out")
    check_kind(trace, Trace, "trace of a march")
    places = freeze(logical, np.float64, trace.positions.shape, "logical positions")
    found, known = _Seen(trace, places, check_length(tick, "tick")), _Map.of(manoeuvre.space)
    faults: list[str] = []
    if not isinstance(manoeuvre.space, Graph):
        faults += _off_ground(manoeuvre.space, known, found)
        pace = np.concatenate([formation.pace for formation in manoeuvre.formations] or [np.ones(0)])
        faults += _off_steps(known, found, pace)
        faults += _too_narrow(manoeuvre, known, found)
    return faults + _unsettled(known, found)


def _cell_steps(grid: Grid) -> tuple[Floats, Longs, Longs, Floats]:
    """Return the middles of free cells, and of the steps between them tails, heads and seconds.

    Cells that share a side are joined; around a corner only if both cells beside it are free, too. A step costs its
    length times the price of the cell that it enters.
    """
    free = np.isfinite(grid.cost)
    number = np.where(free, np.cumsum(free).reshape(free.shape) - 1, -1)
    parts: list[tuple[Longs, Longs, Floats]] = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        y, x = np.nonzero(free)
        inside = (x + dx >= 0) & (x + dx < grid.width) & (y + dy < grid.height)
        y, x = y[inside], x[inside]
        open_ = free[y + dy, x + dx] & free[y, x + dx] & free[y + dy, x]
        y, x = y[open_], x[open_]
        a, b = number[y, x], number[y + dy, x + dx]
        length = np.hypot(dx, dy)
        parts += [(a, b, grid.cost[y + dy, x + dx] * length), (b, a, grid.cost[y, x] * length)]
    tails, heads, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    y, x = np.nonzero(free)
    return np.stack((x + 0.5, y + 0.5), 1).astype(np.float64), tails, heads, weights


def _off_ground(space: Lattice | Grid | Graph, known: _Map, found: _Seen) -> list[str]:
    """Return faults of units seen where nobody can walk: off free cells, or nearest to a vertex without steps."""
    places = found.trace.positions.reshape(-1, 2)
    if isinstance(space, Grid):
        cell = np.floor(places).astype(np.int64)
        inside = (cell >= 0).all(1) & (cell[:, 0] < space.width) & (cell[:, 1] < space.height)
        x, y = np.where(inside[:, None], cell, 0).T
        wrong = ~(inside & np.isfinite(space.cost[y, x]))
    else:
        # a place as far from a vertex with steps as from one without is on ground; on a map of triangles, whose corners
        # are vertices, none is further from them than the middle of a triangle
        apart, vertex = known.tree.query(places, k=min(2, len(known.points)))
        apart, vertex = apart.reshape(len(places), -1), vertex.reshape(len(places), -1)
        level = apart <= apart[:, :1] * (1 + 1e-9) + 1e-12 * known.spacing
        wrong = ~(known.walkable[vertex] & level).any(1)
        if isinstance(space, Lattice):
            wrong |= apart[:, 0] > space.spacing * 3**-0.5 * (1 + 1e-9)
    return _first(wrong, found, "is where nobody can walk")


def _off_steps(known: _Map, found: _Seen, pace: Floats) -> list[str]:
    """Return faults of units that are on no step, leave a step elsewhere than at its end, or are too quick."""
    frames, units = found.logical.shape[:2]
    both, missing = _steps_at(known, found.logical.reshape(-1, 2))
    faults = _first(missing, found, "is on no step of the map")
    if faults or frames < 2:
        return faults
    origin, target = found.logical[:-1].reshape(-1, 2), found.logical[1:].reshape(-1, 2)
    given = np.repeat(np.diff(found.trace.times) * found.tick, units)
    needed = _needed(known, both[0][:-units], both[0][units:], origin, target)
    crossing = (both[0] != both[1]).any(1)
    rows = np.flatnonzero(crossing[:-units] | crossing[units:])
    for before, after in product(both, both):
        other = _needed(known, before[rows], after[rows + units], origin[rows], target[rows])
        needed[rows] = np.minimum(needed[rows], other)
    needed *= np.tile(pace, frames - 1)
    quickest = float(known.seconds.min(initial=np.inf)) * float(pace.min(initial=np.inf))
    checked = given < quickest  # in a longer time a unit may pass several vertices unseen
    wrong = np.zeros((frames, units), bool)
    wrong[1:] = (checked & ~(needed <= given * (1 + _SLACK) + _SLACK * quickest)).reshape(-1, units)
    return _first(wrong.reshape(-1), found, "came there quicker than the map allows, or not along its steps")


def _steps_at(known: _Map, places: Floats) -> tuple[list[Longs], NDArray[np.bool_]]:
    """Return twice int64[m, 2]: the ends of a step each place is on, the same at a vertex; and which is on none.

    The two differ where steps cross, as they do in the middle of four cells.
    """
    count = min(_NEAR, len(known.points))
    apart, vertex = known.tree.query(places, k=count)
    apart, vertex = apart.reshape(-1, count), vertex.reshape(-1, count).astype(np.int64)
    slack = _SLACK * known.spacing
    pairs = list(combinations(range(count), 2))
    both: list[Longs] = []
    missing = apart[:, 0] > slack
    for order in (pairs, pairs[::-1]):
        ends = np.repeat(vertex[:, :1], 2, axis=1)
        missing = apart[:, 0] > slack
        for i, j in order:
            rows = np.flatnonzero(missing)
            a, b = vertex[rows, i], vertex[rows, j]
            length = np.hypot(*(known.points[a] - known.points[b]).T)
            joined = np.isfinite(np.minimum(known.step(a, b), known.step(b, a)))
            on = joined & (apart[rows, i] + apart[rows, j] <= length + slack)
            ends[rows[on]] = np.stack((a[on], b[on]), 1)
            missing[rows[on]] = False
        both.append(ends)
    return both, missing


def _needed(known: _Map, before: Longs, after: Longs, origin: Floats, target: Floats) -> Floats:
    """Return float64[m]: the seconds from each origin to its target, at most over one vertex; inf if it can't be."""
    needed = np.full(len(before), np.inf)
    needed[(origin == target).all(1)] = 0.0
    # by each end of both steps that could be between them: out of the first step, and on along the second one
    for i in range(2):
        for j in range(2):
            by = before[:, i]
            meets = by == after[:, j]
            out = _along(known, before[:, 1 - i], by, origin, by)
            on = _along(known, by, after[:, 1 - j], target, by)
            needed = np.where(meets, np.minimum(needed, out + on), needed)
    # within one step, not over its ends; a vertex is on all its steps
    for a, b in ((before, after), (after, before)):
        same = (a == b).all(1) | (a == b[:, ::-1]).all(1) | ((a[:, 0] == a[:, 1]) & (a[:, :1] == b).any(1))
        length = np.hypot(*(known.points[b[:, 0]] - known.points[b[:, 1]]).T)
        way = target - origin
        ahead = (way * (known.points[b[:, 1]] - known.points[b[:, 0]])).sum(1) > 0
        price = np.where(ahead, known.step(b[:, 0], b[:, 1]), known.step(b[:, 1], b[:, 0]))
        share = np.hypot(*way.T) / np.where(length > 0, length, 1.0)
        with np.errstate(invalid="ignore"):
            direct = np.where(share > 0, share * price, 0.0)
        needed = np.where(same & (length > 0), np.minimum(needed, direct), needed)
    return needed


def _along(known: _Map, a: Longs, b: Longs, places: Floats, by: Longs) -> Floats:
    """Return the seconds between places on steps from a to b and the vertices `by`, which are either end."""
    length = np.hypot(*(known.points[a] - known.points[b]).T)
    share = np.hypot(*(places - known.points[by]).T) / np.where(length > 0, length, 1.0)
    price = known.step(a, b)
    with np.errstate(invalid="ignore"):
        return np.where(share > 0, share * price, 0.0)


def _too_narrow(manoeuvre: Manoeuvre, known: _Map, found: _Seen) -> list[str]:
    """Return faults of wide units whose circle is over closed ground, or over the map's edge."""
    import shapely

    step = 1.0 if isinstance(manoeuvre.space, Grid) else known.spacing
    wide = np.concatenate([formation.radius for formation in manoeuvre.formations] or [np.zeros(0)])
    units = np.flatnonzero(wide > RADIUS)
    if not units.size:
        return []
    closed = shapely.union_all(_closed(manoeuvre.space, known))
    wrong = np.zeros(found.logical.shape[:2], bool)
    apart = shapely.distance(shapely.points(found.logical[:, units]), closed)
    wrong[:, units] = apart < wide[units] * step - _SLACK * step
    return _first(wrong.reshape(-1), found, "is where it has no room")


def _closed(space: Lattice | Grid | Graph, known: _Map) -> Any:
    """Return the cells that nobody can walk in, with those around the map; hexagons around vertices of triangles."""
    import shapely

    if isinstance(space, Grid):
        free = np.pad(np.isfinite(space.cost), 1)
        y, x = np.nonzero(~free)
        corners = [(x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)]
        return shapely.polygons(np.moveaxis(np.array(corners), 2, 0))
    assert isinstance(space, Lattice)  # noqa: S101 - a graph is without walls
    step, row = space.spacing, space.spacing * 3**0.5 / 2
    around = [
        ((x + y % 2 / 2) * step, y * row)
        for y in range(-1, space.height + 1)
        for x in range(-1, space.width + 1)
        if not (0 <= y < space.height and 0 <= x < space.width)
    ]
    middles = np.concatenate((known.points[~known.walkable], np.array(around)))
    angle = np.radians(30 + 60 * np.arange(6))
    corners = np.stack((np.cos(angle), np.sin(angle)), 1) * step * 3**-0.5
    return shapely.polygons(middles[:, None] + corners)


def _unsettled(known: _Map, found: _Seen) -> list[str]:
    """Return faults of units that have arrived: that they move afterwards, or stand on no vertex or on another's.

    Also of the fallen that move.
    """
    trace = found.trace
    fallen = trace.state == UnitState.REMOVED
    arrived = np.flatnonzero((trace.arrival >= 0) & ~fallen[-1])
    moves = (fallen[:-1] & (np.diff(trace.positions, axis=0) != 0).any(2)).any(0)
    faults = [f"unit {unit} moves after it has fallen" for unit in np.flatnonzero(moves).tolist()]
    for unit in arrived.tolist():
        after = trace.positions[trace.times >= trace.arrival[unit], unit]
        if len(after) and (after != after[0]).any():
            faults.append(f"unit {unit} moves after it has arrived")
    if arrived.size:
        apart, vertex = known.tree.query(found.logical[-1, arrived])
        off = arrived[apart > _SLACK * known.spacing]
        faults += [f"unit {unit} has arrived beside the vertices of the map" for unit in off.tolist()]
        _, back, count = np.unique(vertex, return_inverse=True, return_counts=True)
        twice = arrived[count[back] > 1]
        faults += [f"unit {unit} stands where another one does" for unit in twice.tolist()]
    return faults


def _first(wrong: NDArray[np.bool_], found: _Seen, what: str) -> list[str]:
    """Return a fault for the first frame and unit that is wrong, and how many there are."""
    places = np.flatnonzero(wrong)
    if not places.size:
        return []
    frame, unit = divmod(int(places[0]), found.trace.size)
    more = f", and {places.size - 1} more times" if places.size > 1 else ""
    return [f"step {found.trace.times[frame]}, unit {unit}: {what}{more}"]
