"""Barriers: rock or woods along the borders between players, with passes of a given width.

The borders are those of the regions that are nearest to each start by walking distance, a Voronoi diagram of the map as
a graph: M. Erwig, "The graph Voronoi diagram with applications", 2000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.errors import InputError
from anabasis.maps.parts import sized_parts
from anabasis.maps.players.contacts import contacts, spanning
from anabasis.maps.players.distances import check_cells, course, walk
from anabasis.movement import MovementClass, movement_class
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["Barriers", "barriers"]


@dataclass(frozen=True, eq=False)
class Barriers:
    """Barriers on a map: terrain uint8[height, width] with them; wall bool[height, width], the cells that they are;
    and a row for each pass: passes int64[k, 2] its middle cell, pairs int64[k, 2] the players whose lands it joins.
    """

    terrain: NDArray[np.uint8]
    wall: NDArray[np.bool_]
    passes: NDArray[np.int64]
    pairs: NDArray[np.int64]


def barriers(
    terrain: ArrayLike,
    starts: ArrayLike,
    *,
    movement: str | MovementClass = "land",
    letter: str = "^",
    breadth: int = 3,
    passes: int = 1,
    gap: int = 4,
    clear: int = 8,
) -> Barriers:
    """Part the lands of players, int64[players, 2], on terrain letters, uint8[height, width], but for some passes.

    A land is what is nearer by foot to a start than to any other. Along each border goes a barrier of `letter`, a
    terrain that the class can't enter, about `breadth` cells thick, but not within `clear` cells of a start. Each pair
    of lands that meet gets up to `passes` passes, the first on the shortest way between the two starts, the next ones
    far from it, each at least about `gap` cells wide. Parts of the map that barriers would cut off are opened by a pass
    of their own or, if small, become barrier. So all starts get to each other as before. Raises InputError for wrong
    options and starts.
    """
    codes = freeze(terrain, np.uint8, (None, None), "terrain")
    unit = movement_class(movement)
    prices = unit.cost[codes]
    cells = check_cells(starts, prices, "starts")
    check_count(breadth, "breadth", 1)
    check_count(passes, "passes", 1)
    check_count(gap, "gap", 1)
    check_count(clear, "clear")
    if len(letter) != 1 or not letter.isascii() or np.isfinite(unit.cost[ord(letter)]):
        raise InputError("letter of a barrier", found=repr(letter), expected=f"a terrain that {unit.name} can't enter")
    width = codes.shape[1]
    found = walk(prices, cells[:, 1] * width + cells[:, 0])
    wall = _borders(found.owner, (breadth - 1) // 2) & np.isfinite(prices)
    for x, y in cells.tolist():
        _open(wall, x, y, clear)
    middles, pairs = _passes(found.owner, found.distance, passes, 2.0 * gap + 2 * breadth)
    reach = (gap * gap + breadth * breadth) ** 0.5 / 2  # wide enough also at the sides of the barrier
    for v in middles.tolist():
        _open(wall, v % width, v // width, reach)
    more, more_pairs = _reopened(prices, wall, found.owner, cells, reach)
    made = np.where(wall, ord(letter), codes).astype(np.uint8)
    made.flags.writeable = wall.flags.writeable = False
    spots = np.concatenate((middles, more))
    return Barriers(
        made, wall, np.stack((spots % width, spots // width), axis=1), np.concatenate((pairs, more_pairs), axis=0)
    )


def _open(wall: NDArray[np.bool_], x: int, y: int, reach: float) -> None:
    """Take the barrier away in a disc."""
    top, left, far = max(0, y - int(reach)), max(0, x - int(reach)), int(reach) + 1
    rows, columns = np.ogrid[top : min(wall.shape[0], y + far), left : min(wall.shape[1], x + far)]
    wall[top : y + far, left : x + far] &= (rows - y) ** 2 + (columns - x) ** 2 > reach * reach


def _passes(
    owner: NDArray[np.int64], distance: NDArray[np.float64], count: int, apart: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the vertices of the passes of each pair of lands, and the pairs."""
    width = owner.shape[1]
    one, other, here, way = _meetings(owner, distance)
    middles, pairs = list[int](), list[list[int]]()
    for pair in np.unique(np.stack((one, other), axis=1), axis=0).tolist():
        of_pair = (one == pair[0]) & (other == pair[1])
        spots, ways = here[of_pair], way[of_pair]
        x, y = spots % width, spots // width
        far = np.full(len(spots), np.inf)
        k = int(np.argmin(ways))
        for _ in range(count):
            middles.append(int(spots[k]))
            pairs.append(pair)
            far = np.minimum(far, (x - x[k]) ** 2 + (y - y[k]) ** 2)
            k = int(np.argmax(far))
            if far[k] < apart * apart:
                break
    return np.array(middles, np.int64), np.array(pairs, np.int64).reshape(-1, 2)


def _reopened(
    prices: NDArray[np.float64],
    wall: NDArray[np.bool_],
    owner: NDArray[np.int64],
    starts: NDArray[np.int64],
    reach: float,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Open the barrier where it cuts off a start or a large part; fill the small ones. Returns the passes and pairs."""
    free = np.isfinite(prices) & ~wall
    label, sizes = sized_parts(free)
    least = max(64, prices.size // 2000)
    wanted = sizes >= least
    wanted[label[starts[:, 1], starts[:, 0]]] = True
    before = sized_parts(np.isfinite(prices))[0]
    bare = np.bincount(before[free & (before >= 0)], minlength=int(before.max()) + 1)
    cut = free & ~wanted[label] & (sizes[label] < bare[before])  # what was as small before stays
    wall |= cut
    number = np.where(wanted, np.cumsum(wanted) - 1, -1)
    sources = np.flatnonzero(free & wanted[label])
    price = np.where(np.isfinite(prices), np.where(free, 1.0, 4.0), np.inf)
    angular = np.zeros(prices.shape, np.bool_)
    found = walk(price, sources, labels=number[label.reshape(-1)[sources]], smooth=angular)
    met = contacts(found, price, smooth=angular)
    middles, pairs = list[int](), list[list[int]]()
    for row in spanning(met, int(wanted.sum())):
        way = np.concatenate((course(found, int(met.near[row])), course(found, int(met.far[row]))[::-1]))
        for v in way.tolist():
            _open(wall, v % prices.shape[1], v // prices.shape[1], reach)
        middles.append(int(met.near[row]))
        pairs.append(sorted((int(owner.reshape(-1)[way[0]]), int(owner.reshape(-1)[way[-1]]))))
    return np.array(middles, np.int64), np.array(pairs, np.int64).reshape(-1, 2)


@kernel
def _borders(owner: Any, reach: int) -> Any:
    """Return bool[height, width]: the cells of a land that lie within `reach` cells of one by which it meets another.

    Of two cells that meet, by a side or a corner, that of the player of the lower number is the border: none can cross.
    """
    height, width = owner.shape
    wall = np.zeros((height, width), np.bool_)
    for y in range(height):
        for x in range(width):
            a = owner[y, x]
            if a < 0:
                continue
            meets = False
            for k in range(9):
                ny, nx = y + k // 3 - 1, x + k % 3 - 1
                if 0 <= ny < height and 0 <= nx < width and owner[ny, nx] > a:
                    meets = True
            if meets:
                for ny in range(max(0, y - reach), min(height, y + reach + 1)):
                    for nx in range(max(0, x - reach), min(width, x + reach + 1)):
                        wall[ny, nx] = wall[ny, nx] or owner[ny, nx] >= 0
    return wall


@kernel
def _meetings(owner: Any, distance: Any) -> tuple[Any, Any, Any, Any]:
    """Return where lands meet by sides: the lower player, the higher, the vertex of the lower's cell, and the way."""
    height, width = owner.shape
    one, other = np.empty(2 * owner.size, np.int64), np.empty(2 * owner.size, np.int64)
    here, way, count = np.empty(2 * owner.size, np.int64), np.empty(2 * owner.size), 0
    for y in range(height):
        for x in range(width):
            a = owner[y, x]
            for k in range(2):
                ny, nx = y + k, x + 1 - k
                if a < 0 or ny >= height or nx >= width or owner[ny, nx] < 0 or owner[ny, nx] == a:
                    continue
                b = owner[ny, nx]
                one[count], other[count] = min(a, b), max(a, b)
                here[count] = y * width + x if a < b else ny * width + nx
                way[count] = distance[y, x] + distance[ny, nx]
                count += 1
    return one[:count], other[:count], here[:count], way[:count]
