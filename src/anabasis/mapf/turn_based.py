"""Turn-based play: a session is a value that says all of a game; orders, turns and changes make the next one.

The system of a Master's thesis of 2021, "Development of components of a multi-agent path-finding system in dynamic
environments": units with movement points, terrain of prices 1, 2 and 8, D* Lite below and conflict-based search above.

A session holds no search. A `Memory` keeps the searches of the game that goes on from call to call; the sessions are
the same without one, only more slowly made, as everything is then searched from scratch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid, cell_text
from anabasis.mapf.groups import Groups
from anabasis.mapf.unit_table import Timed
from anabasis.noun import freeze
from anabasis.options import (
    check_choice,
    check_count,
    check_each,
    check_kind,
    check_pairs,
    check_seed,
    check_share,
    check_switch,
)
from anabasis.search.dijkstra import distances
from anabasis.search.dstar_lite import Touched

__all__ = [
    "FEATURE_COSTS",
    "TERRAIN",
    "Memory",
    "Session",
    "Step",
    "Unit",
    "add_unit",
    "change_tile",
    "end_turn",
    "halt",
    "new_session",
    "next_step",
    "order",
    "processed",
    "remove_unit",
    "session_of",
]

TERRAIN = {"plain": 1.0, "hill": 2.0, "mountain": 8.0, "impassable": np.inf}
"""What it costs to enter a tile."""

LETTERS = {"plain": ".", "hill": "h", "mountain": "^", "impassable": "@"}

FEATURE_COSTS = {"forest": 1.0, "marsh": 2.0, "ruins": 3.0, "wall": np.inf}
"""What a feature adds to the price of its tile."""

_BY_LETTER = {letter: TERRAIN[name] for name, letter in LETTERS.items()}
_MOST = 65_536  # tiles: each unit keeps its distances to all of them
_MOVES = 2**24  # of one turn from all tiles
_ATTEMPTS = 100
_MAKE = 0  # the stream of random numbers, a step for each attempt
_TILE, _FEATURE = 0, 1  # the numbers of a tile


@dataclass(frozen=True)
class Unit:
    """A unit of a session; places are numbers y · width + x.

    points: the movement points of a turn. goal: where its order leads, None without one. held: it has an order but no
    way, and stays. path: where it will be at the end of each turn, from now on. tiles: all that its way enters,
    those behind it too. changed: the tiles whose price has changed since its order.
    """

    name: str
    place: int
    points: int = 2
    goal: int | None = None
    held: bool = False
    path: tuple[Timed, ...] = ()
    tiles: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_kind(self.name, str, "name of a unit")
        check_switch(self.held, f"whether unit {self.name} is held")
        for name in ("path", "tiles", "changed"):
            check_kind(getattr(self, name), tuple, f"{name} of unit {self.name}")
        check_pairs(self.path, f"path of unit {self.name}", "(place, time)")

    @property
    def ahead(self) -> tuple[int, ...]:
        """The tiles that it still enters; one that its way enters twice is counted once only."""
        if self.place not in self.tiles:
            return self.tiles
        return self.tiles[self.tiles.index(self.place) + 1 :]

    @property
    def places(self) -> list[int]:
        """All places that are named."""
        goal = [] if self.goal is None else [self.goal]
        return [self.place, *goal, *self.tiles, *self.changed, *(place for place, _ in self.path)]


@dataclass(frozen=True)
class Session:
    """A game as plain data.

    - terrain: one letter a tile, row by row: `.` plain, `h` hill, `^` mountain, `@` impassable.
    - features: (place, name), at most one a tile; costs: (name, what it adds to the tile's price).
    - neighbours: 4 or 8 on squares (a diagonal step costs as a straight one and may pass between two impassable tiles),
      6 on hexagons (odd rows lie half a tile to the right).
    - turns: in each turn a unit goes as far as its points allow and units may pass each other; False: one tile a turn
      whatever it costs, and no two units may change places.
    - groups: names of the units under way that are planned together. turn: the counter. log: (turn, sentence).
    """

    width: int
    height: int
    terrain: str
    features: tuple[tuple[int, str], ...] = ()
    costs: tuple[tuple[str, float], ...] = tuple(FEATURE_COSTS.items())
    neighbours: int = 4
    turns: bool = True
    units: tuple[Unit, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    turn: int = 0
    log: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        size = check_count(self.width, "width", 1, _MOST) * check_count(self.height, "height", 1, _MOST)
        check_count(size, "tiles of a session", 1, _MOST)
        check_count(self.turn, "turn")
        if check_count(self.neighbours, "neighbours of a tile") not in (4, 6, 8):
            raise InputError("neighbours of a tile", found=f"{self.neighbours}", expected="4 or 8, or 6 on hexagons")
        check_kind(self.terrain, str, "terrain of a session")
        check_switch(self.turns, "turns of a session")
        if len(self.terrain) != size or set(self.terrain) - set(_BY_LETTER):
            raise InputError(
                "terrain of a session",
                found=f"{len(self.terrain)} letters, {' '.join(sorted(set(self.terrain)))}",
                expected=f"{size} of {' '.join(_BY_LETTER)}",
            )
        check_pairs(self.costs, "costs of features", "(name, cost)")
        for name, cost in self.costs:
            check_kind(name, str, "name of a feature")
            if not freeze(cost, np.float64, (), f"cost of feature {name}") >= 0:
                raise InputError(f"cost of feature {name}", found=f"{cost}", expected="at least 0, or inf")
        check_pairs(self.features, "features of a session", "(place, name)")
        names = tuple(dict(self.costs))
        for place, name in self.features:
            check_count(place, "place of a feature", most=size - 1)
            check_choice(name, "feature", names)
        check_each(self.units, Unit, "units of a session")
        for unit in self.units:
            self.check_points(unit.points)
            for place in unit.places:
                check_count(place, f"a place of unit {unit.name}", most=size - 1)
            for _, time in unit.path:
                check_count(time, f"a time in the path of unit {unit.name}")
        check_each(self.groups, tuple, "groups of a session")
        known = {unit.name for unit in self.units}
        for group in self.groups:
            check_each(group, str, "units of a group")
            for name in group:
                if name not in known:
                    raise InputError("unit of a group", found=repr(name), expected="the name of a unit")
        check_pairs(self.log, "log of a session", "(turn, sentence)")

    @property
    def prices(self) -> NDArray[np.float64]:
        """float64[n]: what it costs to enter each tile, inf where that is impossible."""
        prices = np.array([_BY_LETTER[letter] for letter in self.terrain])
        costs = dict(self.costs)
        for place, name in self.features:
            prices[place] += costs[name]
        return prices

    def place(self, x: int, y: int) -> int:
        """Return the number of a tile; raises InputError outside the map."""
        x, y = (int(freeze(value, np.int64, (), name)) for value, name in ((x, "x"), (y, "y")))
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise InputError(
                f"tile {cell_text(x, y)} is outside the map", expected=f"x below {self.width}, y below {self.height}"
            )
        return y * self.width + x

    def tile(self, place: int) -> tuple[int, int]:
        """Return (x, y) of a tile's number; raises InputError outside the map."""
        y, x = divmod(self.check_place(place), self.width)
        return x, y

    def check_place(self, place: int) -> int:
        """Return a tile's number; raises InputError outside the map."""
        return check_count(place, "place", most=self.width * self.height - 1)

    def check_points(self, points: int) -> None:
        """Raise InputError for no movement points, or so many that a turn has too many ends on a map of this size."""
        size = self.width * self.height
        reach = min(size, (2 * check_count(points, "movement points", 1) + 1) ** 2)  # no tile costs less than 1
        if self.turns and size * reach > _MOVES:
            most = (int((_MOVES // size) ** 0.5) - 1) // 2
            raise InputError("movement points", found=f"{points}", expected=f"at most {most} on a map of {size} tiles")

    def unit(self, name: str) -> Unit:
        """Return a unit; raises InputError for an unknown name."""
        check_kind(name, str, "name of a unit")
        for unit in self.units:
            if unit.name == name:
                return unit
        names = " or ".join(unit.name for unit in self.units)
        raise InputError("no such unit", found=name, expected=names or "a unit: there is none yet")


@dataclass(frozen=True)
class Step:
    """What a unit does in this turn: the tiles it enters (none: it waits), the place at the end, the points left."""

    tiles: tuple[int, ...]
    place: int
    left: float


class Memory:
    """The searches of a game that goes on; it holds those of one session at a time."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._groups: Groups | None = None

    def recall(self, session: Session) -> Groups:
        """Return the groups of a session: as they were left, if it is the last one, else made anew."""
        if self._groups is None or session is not self._session:
            self._session, self._groups = session, _restored(session)
        return self._groups

    def keep(self, session: Session, groups: Groups) -> None:
        """Remember the groups that belong to a session."""
        self._session, self._groups = session, groups

    def drop(self) -> None:
        """Forget the searches."""
        self._session = self._groups = None


def new_session(
    width: int = 20,
    height: int = 20,
    *,
    seed: int = 0,
    impassable: float = 0.2,
    hills: float = 0.15,
    mountains: float = 0.05,
    features: float = 0.0,
    units: int = 4,
    points: int = 2,
    neighbours: int = 4,
    turns: bool = True,
) -> Session:
    """Make a session from a seed: shares of the tiles are terrain and features; up to four units stand in the corners.

    The tiles under units are plain, and there are ways between them. Raises InputError for a wrong option, shares of
    terrain of more than 1 together, or if a hundred maps have no such ways.
    """
    check_seed(seed)
    shares = [check_share(v, n) for v, n in ((impassable, "impassable"), (hills, "hills"), (mountains, "mountains"))]
    if sum(shares) > 1:
        raise InputError("shares of terrain", found=f"{sum(shares):g} together", expected="at most 1")
    check_share(features, "features")
    check_switch(turns, "turns of a session")
    size = check_count(width, "width", 1, _MOST) * check_count(height, "height", 1, _MOST)
    check_count(size, "tiles of a session", 1, _MOST)
    corners = list(dict.fromkeys([0, size - 1, width - 1, size - width]))
    taken = corners[: check_count(units, "units", 0, 4)]
    for attempt in range(_ATTEMPTS):
        terrain, found = _drawn(stream_key(seed, _MAKE, attempt), size, shares, features, taken)
        session = Session(width, height, terrain, found, neighbours=neighbours, turns=turns)
        if _joined(session, taken):
            break
    else:
        raise InputError(
            "no map on which the corners are joined was found", found=f"{impassable:.0%} impassable", expected="less"
        )
    for name, place in zip("ABCD", taken, strict=False):
        session = add_unit(session, name, place, points=points)
    return session


def _drawn(
    key: int, size: int, shares: list[float], features: float, plain: list[int]
) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Return terrain and features; some tiles are plain."""
    bounds = np.cumsum(shares)
    names = [name for name, cost in FEATURE_COSTS.items() if cost < np.inf]
    letters: list[str] = []
    found: list[tuple[int, str]] = []
    for place in range(size):
        drawn, more = (float(random_fraction(key, place, kind)) for kind in (_TILE, _FEATURE))
        letter = next((letter for bound, letter in zip(bounds, "@h^", strict=True) if drawn < bound), ".")
        letters.append("." if place in plain else letter)
        if more < features and letters[-1] != "@" and place not in plain:
            found.append((place, names[min(int(more / features * len(names)), len(names) - 1)]))
    return "".join(letters), tuple(found)


def _joined(session: Session, places: list[int]) -> bool:
    """Whether there are ways between all of these places."""
    if not places:
        return True
    graph, passable = _graph(session.width, session.height, session.neighbours), np.isfinite(session.prices)
    tails = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    kept = passable[tails] & passable[graph.indices]
    ways = Graph.from_arcs(graph.points, tails[kept], graph.indices[kept], graph.weights[kept], "zero")
    return bool(np.isfinite(distances(ways, places[:1])[0][places]).all())


def session_of(grid: Grid, *, neighbours: int = 4, turns: bool = True) -> Session:
    """Make a session without units from a map: hills and mountains by its letters h and ^, other free cells plain."""
    check_kind(grid, Grid, "the map of a session")
    letters = grid.terrain.reshape(-1).tolist()
    free = grid.free.reshape(-1).tolist()
    kept = {ord("h"): "h", ord("^"): "^"}
    terrain = "".join(kept.get(code, "." if there else "@") for code, there in zip(letters, free, strict=True))
    return Session(grid.width, grid.height, terrain, neighbours=neighbours, turns=turns)


def add_unit(session: Session, name: str, place: int, *, points: int = 2, memory: Memory | None = None) -> Session:
    """Return the session with one more unit, without orders; raises InputError if the name or the tile is taken."""
    _check_session(session)
    if not isinstance(name, str) or not name.isalnum():  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("name of a unit", found=repr(name), expected="letters and digits")
    session.check_place(place)
    session.check_points(points)
    for unit in session.units:
        if unit.name == name:
            raise InputError("there is such a unit", found=name, expected="another name")
        if unit.place == place:
            at = cell_text(*session.tile(place))
            raise InputError(f"unit {name} can't stand there", found=f"unit {unit.name} at {at}")
    if not np.isfinite(session.prices[place]):
        raise InputError(f"unit {name} can't stand there", found=f"{cell_text(*session.tile(place))} is impassable")
    return _next(session, memory, lambda groups: groups.put(name, place, points=points))


def remove_unit(session: Session, name: str, *, memory: Memory | None = None) -> Session:
    """Return the session without a unit; raises InputError for an unknown name."""
    _check_session(session).unit(name)
    return _next(session, memory, lambda groups: groups.remove(name))


def order(session: Session, name: str, goal: int, *, memory: Memory | None = None) -> Session:
    """Return the session in which a unit is sent to a tile, with all paths that this changes.

    Without a way the unit stays, the log says so, and each turn it is tried again. The tile may be one where another
    unit stands, which then must go before this one can arrive. Raises InputError for an unknown unit, a tile outside
    the map or one that is another unit's goal.
    """
    _check_session(session).unit(name)
    return _next(session, memory, lambda groups: groups.order(name, goal))


def halt(session: Session, name: str, *, memory: Memory | None = None) -> Session:
    """Return the session in which a unit has no order any more; raises InputError for an unknown name."""
    _check_session(session).unit(name)
    return _next(session, memory, lambda groups: groups.halt(name))


def change_tile(
    session: Session,
    place: int,
    *,
    terrain: str | None = None,
    feature: str | None = None,
    memory: Memory | None = None,
) -> Session:
    """Return the session in which a tile has other terrain (a name of TERRAIN) or another feature ("" for none).

    Paths that this touches are mended. Raises InputError for unknown names or a place outside the map.
    """
    place, changed = _check_session(session).check_place(place), session
    if terrain is not None:
        check_choice(terrain, "terrain", tuple(TERRAIN))
        letters = session.terrain[:place] + LETTERS[terrain] + session.terrain[place + 1 :]
        changed = replace(changed, terrain=letters)
    if feature is not None:
        check_kind(feature, str, "feature", "the name of one, or an empty text for none")
        rest = tuple((where, name) for where, name in session.features if where != place)
        changed = replace(changed, features=(*rest, (place, feature)) if feature else rest)
    price = changed.prices[place]
    return _next(session, memory, lambda groups: groups.change([place], [price]), changed)


def end_turn(session: Session, *, memory: Memory | None = None) -> Session:
    """Return the session one turn later: every unit has moved along its path, and has all its points again.

    Orders that are not done go on. A unit waits if its next place is taken.
    """
    return _next(session, memory, _step)


def next_step(session: Session, name: str, *, memory: Memory | None = None) -> Step | None:
    """Return what a unit will do in this turn; None without an order or without a way."""
    unit = _check_session(session).unit(name)
    if unit.goal is None or unit.held:
        return None
    place = unit.path[min(1, len(unit.path) - 1)][0]
    if place == unit.place:
        return Step((), place, float(unit.points))
    if not session.turns:
        return Step((place,), place, max(0.0, unit.points - float(session.prices[place])))
    groups = _memory(memory).recall(session)
    tiles, left = groups.route(name, unit.place, place)
    return Step(tuple(tiles[1:]), place, left)


def processed(session: Session, name: str, *, memory: Memory | None = None) -> Touched | None:
    """Return what a unit's D* Lite knows of the tiles where it has been (cost, g, rhs); None without an order."""
    _check_session(session).unit(name)
    search = _memory(memory).recall(session).searching(name)
    if search is None:
        return None
    search.next_step()
    return search.touched()


def _step(groups: Groups) -> None:
    groups.step()


def _check_session(session: Session) -> Session:
    check_kind(session, Session, "turn-based play goes on from sessions", "new_session() or session_of(grid)")
    return session


def _memory(memory: Memory | None) -> Memory:
    """Return the memory given, else one for this call alone."""
    if memory is None:
        return Memory()
    check_kind(memory, Memory, "memory of a game")
    return memory


def _next(
    session: Session, memory: Memory | None, act: Callable[[Groups], object], changed: Session | None = None
) -> Session:
    """Return the session after an act on its groups; `changed` has what the groups know nothing of."""
    memory = _memory(memory)
    groups = memory.recall(_check_session(session))
    groups.events.clear()
    memory.drop()  # what is left of groups if the act fails belongs to no session
    act(groups)
    units = tuple(
        Unit(name, unit.place, unit.points, unit.goal, unit.held, unit.path, unit.tiles, tuple(unit.changed))
        for name, unit in ((name, groups.unit(name)) for name in groups.names)
    )
    after = replace(
        changed or session,
        units=units,
        groups=tuple(groups.groups),
        turn=groups.now,
        log=(*session.log, *((groups.now, event) for event in groups.events)),
    )
    memory.keep(after, groups)
    return after


def _restored(session: Session) -> Groups:
    """Return the groups of a session."""
    groups = Groups(_graph(session.width, session.height, session.neighbours), session.prices, turns=session.turns)
    for unit in session.units:
        groups.restore(
            unit.name,
            unit.place,
            points=unit.points,
            goal=unit.goal,
            held=unit.held,
            path=unit.path,
            tiles=unit.tiles,
            changed=unit.changed,
        )
    groups.now, groups.groups = session.turn, list(session.groups)
    return groups


def _graph(width: int, height: int, neighbours: int) -> Graph:
    """Return the graph of all tiles, each step of weight 1: 4 or 8 neighbours on squares, 6 on hexagons."""
    y, x = (a.reshape(-1) for a in np.indices((height, width)))
    straight = [(0, -1), (-1, 0), (1, 0), (0, 1)]
    diagonal = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    tails: list[NDArray[np.int64]] = []
    heads: list[NDArray[np.int64]] = []
    odd = y % 2 == 1
    for dx, dy in straight if neighbours == 4 else [*straight, *diagonal]:
        across, down = x + dx, y + dy
        inside = (across >= 0) & (across < width) & (down >= 0) & (down < height)
        if neighbours == 6 and dx and dy:
            inside &= odd if dx > 0 else ~odd
        tails.append(np.flatnonzero(inside))
        heads.append((down * width + across)[inside])
    points, metric = np.stack([x, y], axis=1).astype(float), "manhattan" if neighbours == 4 else "chebyshev"
    if neighbours == 6:
        points, metric = np.stack([x + 0.5 * odd, y * 3**0.5 / 2], axis=1), "euclidean"
    weights = np.ones(sum(t.size for t in tails))
    return Graph.from_arcs(points, np.concatenate(tails), np.concatenate(heads), weights, metric)
