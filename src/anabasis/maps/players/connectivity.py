"""Connectivity: the parts of a map joined for a movement class, at the least change, which is recorded.

Parts are joined by a spanning tree over the cheapest ways between them, found by one search from all parts at once:
K. Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988; at most twice the least
possible change. The tree is J. B. Kruskal's, 1956.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.grid import cell_text
from anabasis.maps.parts import sized_parts
from anabasis.maps.players.contacts import contacts, spanning
from anabasis.maps.players.distances import course, walk
from anabasis.maps.players.sides import sides
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["POCKETS", "Change", "Connected", "carve", "clear_ground", "connect"]

POCKETS = ("leave", "fill")
FORD = 2  # cells, the widest water that is forded; what is wider gets a bridge

_FALLBACK = ".GW,+"
# what becomes of a letter, the first that the class can enter; the price of a changed cell; and the kind of the change
_REPLACED = {"W": "+", "^": "h", "*": "h", "T": "f", "~": "+", "=": "+"}
_PRICE = {"T": 3.0, "~": 3.0, "^": 8.0, "*": 10.0, "@": 24.0, "O": 24.0}
_KIND = {"+": "bridge", "~": "ford", "h": "pass", "f": "clearing", "W": "canal"}


@dataclass(frozen=True)
class Change:
    """One change of the ground.

    kind: "bridge", "ford", "pass", "clearing", "canal" or "opening", by what the ground became; "filling" of a pocket;
    or "start" of a player. cells: int64[k, 2]. why: what for, in words.
    """

    kind: str
    cells: NDArray[np.int64]
    why: str


@dataclass(frozen=True, eq=False)
class Connected:
    """A map that hangs together: terrain uint8[height, width], and the changes that made it so."""

    terrain: NDArray[np.uint8]
    changes: tuple[Change, ...]


def connect(
    terrain: ArrayLike,
    movement: str | MovementClass = "land",
    *,
    places: ArrayLike | None = None,
    least_part: int = 32,
    breadth: int = 1,
    pockets: str = "leave",
) -> Connected:
    """Join the parts of a map for a movement class, so that its units get from each to each without cutting corners.

    Joined are the parts with one of `places`, int64[k, 2], and without places those of at least `least_part` cells; a
    place on blocked ground is opened. What is in the way is changed to the first letter that the class can enter: water
    to a bridge, or to a ford if at most two cells are to be crossed, rock and snow to hills, trees to open wood, walls
    to ground; for ships anything to water. Trees are changed rather than water, water rather than rock, walls last.
    breadth: width of what is opened, in cells. pockets: "fill" turns the ground that is still cut off into what lies
    around it. A map that hangs together is returned as it is.

    Raises InputError where the class can enter no letter, and for places outside the map.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    unit = movement_class(movement)
    check_count(least_part, "least_part", 1)
    check_count(breadth, "breadth", 1)
    if pockets not in POCKETS:
        raise InputError("pockets", found=repr(pockets), expected=" or ".join(POCKETS))
    if not codes.size:
        raise InputError("a map without cells", found="no cell", expected="at least one")
    made, changes = codes.copy(), list[Change]()
    inside = None
    if places is not None:
        inside = _places(places, codes)
        changes += _opened(made, unit, inside)
    label, sizes = sized_parts(np.isfinite(unit.cost[made]))
    wanted = np.flatnonzero(sizes >= least_part) if inside is None else np.unique(label[inside[:, 1], inside[:, 0]])
    changes += carve(made, unit, label, sizes, wanted, breadth)
    if pockets == "fill":
        changes += _filled(made, unit, inside)
    made.flags.writeable = False
    return Connected(made, tuple(changes))


def clear_ground(
    terrain: ArrayLike, cells: ArrayLike, radius: int, movement: str | MovementClass = "land"
) -> Connected:
    """Make the discs of that radius around cells, int64[k, 2], passable for a movement class; the rest stays.

    What is blocked becomes the class's plainest ground (`.`, else the first letter that it can enter), so that players
    start on land. Each disc hangs together. Raises InputError for cells outside the map.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    unit = movement_class(movement)
    check_count(radius, "radius")
    made, changes = codes.copy(), list[Change]()
    letter = _enterable(_FALLBACK, unit)
    for x, y in _places(cells, codes).tolist():
        rows, columns = np.ogrid[: codes.shape[0], : codes.shape[1]]
        disc = ((rows - y) ** 2 + (columns - x) ** 2 <= radius * radius) & np.isinf(unit.cost[made])
        if disc.any():
            made[disc] = letter
            changes.append(Change("start", np.argwhere(disc)[:, ::-1].copy(), f"the ground at {cell_text(x, y)}"))
    made.flags.writeable = False
    return Connected(made, tuple(changes))


def carve(
    made: NDArray[np.uint8],
    unit: MovementClass,
    label: NDArray[np.int64],
    sizes: NDArray[np.int64],
    wanted: NDArray[np.int64],
    breadth: int,
) -> list[Change]:
    """Join the `wanted` parts of a map that may be written to; return the changes."""
    if len(wanted) < 2:
        return []
    free = np.isfinite(unit.cost[made])
    price = np.where(free, 1.0, _prices(unit)[made])
    number = np.full(len(sizes), -1, np.int64)
    number[wanted] = np.arange(len(wanted))
    sources = np.flatnonzero((label >= 0) & (number[label] >= 0))
    angular = np.zeros(made.shape, np.bool_)
    found = walk(price, sources, labels=number[label.reshape(-1)[sources]], smooth=angular)
    met = contacts(found, price, smooth=angular)
    changes: list[Change] = []
    for row in spanning(met, len(wanted)):
        way = np.concatenate((course(found, int(met.near[row])), course(found, int(met.far[row]))[::-1]))
        one, two = sorted(wanted[met.pair[row]], key=lambda part: (sizes[part], part))
        why = f"joins {sizes[one]} cells to {sizes[two]}"
        changes += _opened(made, unit, _broad(way, made.shape, breadth), why, _forded(made, unit, way))
    return changes


def _places(places: ArrayLike, codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return places, int64[k, 2], checked against the map."""
    cells = freeze(places, np.int64, (None, 2), "places")
    height, width = codes.shape
    for x, y in cells.tolist():
        if not (0 <= x < width and 0 <= y < height):
            raise InputError("a place is outside the map", found=cell_text(x, y), expected=f"{width}×{height} cells")
    return cells


def _enterable(letters: str, unit: MovementClass) -> int:
    """Return the code of the first of the letters that a class can enter, else of the first of all that are plain."""
    for letter in letters + _FALLBACK:
        if np.isfinite(unit.cost[ord(letter)]):
            return ord(letter)
    others = np.flatnonzero(np.isfinite(unit.cost))
    if not others.size:
        raise InputError(f"movement class {unit.name!r} can enter no letter", expected="a finite price")
    return int(others[0])


def _prices(unit: MovementClass) -> NDArray[np.float64]:
    """Return the price of changing each letter, relative to that of a step over what need not be changed."""
    price = np.full(256, 5.0)
    for letter, value in _PRICE.items():
        price[ord(letter)] = value
    return np.where(np.isfinite(unit.cost), 1.0, 4.0 * price)


def _forded(made: NDArray[np.uint8], unit: MovementClass, way: NDArray[np.int64]) -> bool:
    """Whether the water on a way is narrow everywhere and a class can ford it."""
    wet = np.concatenate(([False], (made.reshape(-1)[way] == ord("W")) & np.isinf(unit.cost[ord("W")]), [False]))
    edges = np.flatnonzero(wet[1:] != wet[:-1])
    return bool(np.isfinite(unit.cost[ord("~")]) and edges.size and (edges[1::2] - edges[::2]).max() <= FORD)


def _broad(way: NDArray[np.int64], shape: tuple[int, ...], breadth: int) -> NDArray[np.int64]:
    """Return the cells, int64[k, 2], of a way that is so many cells wide, the way first."""
    height, width = shape
    low, high = (breadth - 1) // 2, breadth // 2  # on either side; at the border of the map it moves inwards
    x = np.clip(way % width, min(low, width - 1), max(0, width - 1 - high))
    y = np.clip(way // width, min(low, height - 1), max(0, height - 1 - high))
    reach = np.arange(breadth) - low
    x, y = (x + np.tile(reach, breadth)[:, None]).reshape(-1), (y + np.repeat(reach, breadth)[:, None]).reshape(-1)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    cells = np.unique(y[inside] * width + x[inside])
    return np.stack((cells % width, cells // width), axis=1)


def _opened(
    made: NDArray[np.uint8],
    unit: MovementClass,
    cells: NDArray[np.int64],
    why: str = "opens the ground of a place",
    ford: bool = False,
) -> list[Change]:
    """Change the blocked ones of some cells, int64[k, 2], to what a class can enter; return a change for each kind."""
    found: dict[str, list[list[int]]] = {}
    for x, y in cells.tolist():
        letter = int(made[y, x])
        if np.isinf(unit.cost[letter]):
            wish = "~" if ford and letter == ord("W") else _REPLACED.get(chr(letter), "")
            new = chr(_enterable(wish, unit))
            made[y, x] = ord(new)
            found.setdefault(_KIND.get(new, "opening"), []).append([x, y])
    return [Change(kind, np.array(places, np.int64), why) for kind, places in sorted(found.items())]


def _filled(made: NDArray[np.uint8], unit: MovementClass, places: NDArray[np.int64] | None) -> Iterable[Change]:
    """Turn the parts without a place, or all but the largest, into the most frequent letter at their sides."""
    label, sizes = sized_parts(np.isfinite(unit.cost[made]))
    if not sizes.size:
        return
    kept = np.zeros(len(sizes), np.bool_)
    kept[np.argmax(sizes) if places is None or not len(places) else label[places[:, 1], places[:, 0]]] = True
    around = sides(made, label, len(sizes))
    order = np.argsort(label.reshape(-1), kind="stable")
    ends = np.searchsorted(label.reshape(-1)[order], np.arange(len(sizes) + 1))
    for part in np.flatnonzero(~kept & (around.max(axis=1) > 0)):
        cells = order[ends[part] : ends[part + 1]]
        made.reshape(-1)[cells] = np.argmax(around[part])
        where = np.stack((cells % made.shape[1], cells // made.shape[1]), axis=1)
        yield Change("filling", where, f"{len(cells)} cells that no way leads to")
