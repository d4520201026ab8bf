"""Maps and queries of games for the studies of planning: a few of Moving AI's, each of another kind.

N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational Intelligence and AI in
Games 4(2), 2012. A map is taken as a world of polygons, the exact outlines of its blocked cells; a cell is a unit long.
Of the queries of its scenario three stand for the parts of the source's experiment on searches, by the same rule on
every map: see `parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world
from anabasis.grid import Grid
from anabasis.io.movingai import Scen, load_map, load_scen
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["MAPS", "QUICK", "GameMap", "Place", "game_maps"]

Place = tuple[float, float]

MAPS = {
    "arena": ("dao/arena.map", "dao/arena.map.scen"),
    "random-64-64-10": ("mapf/random-64-64-10.map", "mapf/scen-random/random-64-64-10-random-1.scen"),
    "Aftershock": ("sc1/Aftershock.map", "sc1/Aftershock.map.scen"),
    "orz900d": ("dao/orz900d.map", "dao/orz900d.map.scen"),
    "16room_000": ("rooms/16room_000.map", "rooms/16room_000.map.scen"),
    "maze512-8-0": ("mazes/maze512-8-0.map", "mazes/maze512-8-0.map.scen"),
}
"""By name the files of a map and its scenario: two small ones, a game of war, a dungeon, rooms, a maze."""
QUICK = 2
"""The first so many are those of a quick study."""


@dataclass(frozen=True, eq=False)
class GameMap:
    """A map of a game with the queries of its scenario."""

    name: str
    grid: Grid
    scen: Scen

    @cached_property
    def world(self) -> World:
        """The map as polygons."""
        return grid_world(self.grid)

    @cached_property
    def exact(self) -> VisibilityGraph:
        """What finds the shortest ways of any angle."""
        return VisibilityGraph(self.world)

    def ends(self, row: int) -> tuple[Place, Place]:
        """Return the centres of the cells at which a query begins and ends."""
        s = self.scen
        start, goal = (s.start_x[row] + 0.5, s.start_y[row] + 0.5), (s.goal_x[row] + 0.5, s.goal_y[row] + 0.5)
        return (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))

    def parts(self) -> dict[int, int]:
        """Return for each part of the source's experiment a query, if there is one.

        Part 1: the longest whose ends see each other. Of those whose ends do not, and which are at least as long as
        half of them, part 2 is the one whose published length is least above what it would be without obstacles, so
        that the estimate is good; part 3 the one whose length is most above it.
        """
        s = self.scen
        starts = np.stack((s.start_x, s.start_y), axis=1) + 0.5
        goals = np.stack((s.goal_x, s.goal_y), axis=1) + 0.5
        straight = np.hypot(*(goals - starts).T)
        seen = free_space(self.world).see(starts, goals)
        found: dict[int, int] = {}
        if (seen & (straight > 0)).any():
            found[1] = int(np.where(seen, straight, -1.0).argmax())
        hidden = np.flatnonzero(~seen)
        if len(hidden):
            long = hidden[s.length[hidden] >= np.median(s.length[hidden])]
            along = np.abs(goals - starts)[long]
            ratio = s.length[long] / (along.max(axis=1) + (2**0.5 - 1) * along.min(axis=1))
            found |= {2: int(long[ratio.argmin()]), 3: int(long[ratio.argmax()])}
        return found

    def sample(self, count: int, seed: int = 1) -> list[int]:
        """Return so many queries at random, each with two different ends and once at most."""
        s = self.scen
        rows = np.flatnonzero((s.start_x != s.goal_x) | (s.start_y != s.goal_y))
        return np.random.default_rng(seed).choice(rows, min(count, len(rows)), replace=False).tolist()


def game_maps(folder: Path | None, *, quick: bool = False) -> list[GameMap]:
    """Read the maps that the folder has of those in `MAPS`; quick: of the first few."""
    if folder is None:
        return []
    wanted = list(MAPS.items())[: QUICK if quick else None]
    return [
        GameMap(name, load_map(folder / grid), load_scen(folder / scen))
        for name, (grid, scen) in wanted
        if (folder / grid).is_file() and (folder / scen).is_file()
    ]
