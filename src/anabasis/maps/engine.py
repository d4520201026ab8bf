"""Engine: how a game takes a map, or gives one, without our types.

Two small protocols, as in the source (its interfaces of the receiving map and of the map that is searched). A game
writes a class of its own with these methods; nothing has to be inherited. Terrain is a letter, see
`anabasis.movement.TERRAIN_NAMES`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import GameMap
from anabasis.grid import Grid
from anabasis.movement import TERRAIN_NAMES, MovementClass, movement_class

__all__ = ["MapView", "TerrainReceiver", "TerrainSource", "WalkableSource", "receive", "receive_walkable", "send"]


class TerrainReceiver(Protocol):
    """What takes a map: it says how large it is and has each cell set once, row by row."""

    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        ...

    def set_terrain(self, letter: str, x: int, y: int) -> None:
        """Take the terrain of one cell."""
        ...


class TerrainSource(Protocol):
    """What gives a map: its size and the terrain letter of a cell."""

    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        ...

    def terrain(self, x: int, y: int) -> str:
        """The terrain letter of a cell."""
        ...


class WalkableSource(Protocol):
    """What gives a map without terrain: its size and where a class of units can stand."""

    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        ...

    def walkable(self, movement: str, x: int, y: int) -> bool:
        """Whether a unit of that class can stand on a cell."""
        ...


def send(game_map: GameMap | Grid, receiver: TerrainReceiver) -> None:
    """Hand each cell of a map to a receiver; raises InputError if it has another size."""
    height, width = game_map.terrain.shape
    if tuple(receiver.size()) != (width, height):
        raise InputError("size of the receiver", found=f"{receiver.size()}", expected=f"{width} × {height} cells")
    for y, row in enumerate(game_map.terrain.tolist()):
        for x, code in enumerate(row):
            receiver.set_terrain(chr(code), x, y)


def receive(source: TerrainSource, movement: str | MovementClass = "land") -> Grid:
    """Ask a game for each cell and return the map as a movement class sees it.

    Raises InputError for terrain that is no letter of ours; a game with kinds of its own maps them in `terrain`.
    """
    width, height = source.size()
    letters = [[source.terrain(x, y) for x in range(width)] for y in range(height)]
    for y, row in enumerate(letters):
        for x, letter in enumerate(row):
            if letter not in TERRAIN_NAMES:
                raise InputError(
                    f"terrain of cell x={x} (column), y={y} (row)",
                    found=repr(letter),
                    expected="one of " + " ".join(TERRAIN_NAMES),
                )
    codes = np.array([[ord(letter) for letter in row] for row in letters], np.uint8).reshape(height, width)
    return Grid.from_terrain(codes, movement)


def receive_walkable(source: WalkableSource, movement: str = "land") -> Grid:
    """Ask a game where a class of units can stand and return that as ground and walls."""
    width, height = source.size()
    free = [[bool(source.walkable(movement, x, y)) for x in range(width)] for y in range(height)]
    return Grid.from_free(np.array(free, bool).reshape(height, width))


class MapView:
    """Our maps behind the same questions: what a game that plans on its own may ask."""

    def __init__(self, game_map: GameMap | Grid) -> None:
        self._terrain = game_map.terrain

    def size(self) -> tuple[int, int]:
        """Width and height in cells."""
        height, width = self._terrain.shape
        return width, height

    def terrain(self, x: int, y: int) -> str:
        """The terrain letter of a cell; raises InputError outside the map."""
        width, height = self.size()
        if not (0 <= x < width and 0 <= y < height):
            raise InputError("a cell outside the map", found=f"x={x}, y={y}", expected=f"x < {width}, y < {height}")
        return chr(self._terrain[y, x])

    def walkable(self, movement: str, x: int, y: int) -> bool:
        """Whether a unit of that class can stand on a cell; raises InputError for an unknown class."""
        return bool(np.isfinite(movement_class(movement).cost[ord(self.terrain(x, y))]))
