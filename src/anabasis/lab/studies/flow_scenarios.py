"""Scenarios of the study of flow networks, in three sets: splitting unsuitable, others split too, unused alternatives.

The sets are those of Pacovský: Navigation of units in video games using flow networks, 2019; the scenarios are our own,
as the thesis does not print its.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.placement import Rectangle, pack
from anabasis.lab.studies import flow_maps as maps
from anabasis.lab.studies.flow_maps import Box
from anabasis.scenario import Group, Scenario, Target

__all__ = ["GROWING", "SETS", "Task", "tasks"]

SETS = {
    1: "splitting unsuitable",
    2: "others split too",
    3: "chokepoint with unused alternatives",
}


@dataclass(frozen=True)
class Task:
    """A scenario to be built: `units` stand in boxes, in equal parts, and go to `target` (x, y, radius).

    quick: whether it belongs to the quick study, and with how many units. file: the benchmark map that it needs.
    """

    name: str
    grid: Callable[[], Grid]
    units: int
    boxes: tuple[Box, ...]
    target: tuple[float, float, float]
    note: str
    quick: int = 0

    @property
    def set(self) -> int:
        """The number of its set."""
        return int(self.name[0])

    def scenario(self, units: int | None = None) -> Scenario:
        """Return the scenario, on demand with another number of units."""
        grid = self.grid()
        count = units or self.units
        parts = [count // len(self.boxes) + (k < count % len(self.boxes)) for k in range(len(self.boxes))]
        none = np.zeros((0, 3))
        places = [
            pack(Rectangle(*map(float, box)), grid, 0.5, part, taken=none)
            for box, part in zip(self.boxes, parts, strict=True)
            if part
        ]
        return Scenario(grid, (Group(np.concatenate(places), Target(*self.target)),), name=self.name, note=self.note)


def tasks(sets: Sequence[int] = (1, 2, 3), *, quick: bool = False, data: Path | None = None) -> list[Task]:
    """Return the tasks of the sets, in order; those on benchmark maps only with their folder `data`.

    quick: a few of each set with smaller groups. Raises InputError for an unknown set.
    """
    for number in sets:
        if number not in SETS:
            raise InputError("set of scenarios", found=f"{number}", expected=" or ".join(map(str, SETS)))
    found = [task for task in [*_DRAWN, *_MADE, *(_cut(data) if data else [])] if task.set in sets]
    return sorted((task for task in found if task.quick or not quick), key=lambda task: task.name)


_DRAWN = [
    # ---- set 1
    Task(
        "1.01 open-plain",
        lambda: maps.walled(90, 60, (40, 20, 3, 3), (52, 36, 3, 3), (34, 42, 2, 2), (60, 12, 3, 2)),
        300,
        ((2, 18, 24, 24),),
        (80, 30, 4),
        "Open ground with a few boulders: there is no passage to split over.",
        quick=150,
    ),
    Task(
        "1.02 single-gap",
        lambda: maps.walled(80, 50, (38, 0, 5, 50), gaps=[(38, 23, 5, 4)]),
        250,
        ((4, 14, 22, 22),),
        (70, 25, 4),
        "One wall, one gap.",
        quick=120,
    ),
    Task(
        "1.03 corridor-bend",
        lambda: maps.carved(80, 56, (2, 2, 24, 22), (26, 8, 44, 7), (63, 8, 7, 40), (26, 41, 44, 7), (2, 32, 24, 22)),
        250,
        ((3, 3, 22, 20),),
        (12, 43, 5),
        "A corridor with two bends is the only route.",
        quick=120,
    ),
    Task(
        "1.04 far-detour",
        lambda: maps.walled(100, 110, (48, 0, 4, 110), gaps=[(48, 18, 4, 5), (48, 100, 4, 8)]),
        100,
        ((6, 10, 22, 22),),
        (90, 20, 4),
        "The second gap is so far away that the group is through the first one before anybody has reached it.",
    ),
    Task(
        "1.05 target-near",
        lambda: maps.walled(80, 60, (30, 6, 3, 48), gaps=[(30, 28, 3, 3)]),
        300,
        ((3, 20, 22, 22),),
        (20, 50, 5),
        "The target is beside the group, on the same side of the wall.",
        quick=150,
    ),
    Task(
        "1.06 wide-passages",
        lambda: maps.walled(100, 70, *((45, y, 6, 5) for y in (12, 32, 53))),
        300,
        ((3, 22, 26, 26),),
        (86, 35, 5),
        "Four passages, each wider than the group's front.",
    ),
    # ---- set 2
    Task(
        "2.01 between-two-gates",
        lambda: maps.walled(80, 70, (40, 0, 4, 70), gaps=[(40, 14, 4, 3), (40, 53, 4, 3)]),
        300,
        ((6, 24, 24, 22),),
        (72, 35, 5),
        "The group stands half way between two gates of one width.",
        quick=150,
    ),
    Task(
        "2.02 unequal-gates",
        lambda: maps.walled(80, 70, (40, 0, 4, 70), gaps=[(40, 14, 4, 2), (40, 50, 4, 6)]),
        300,
        ((6, 24, 24, 22),),
        (72, 35, 5),
        "The group stands half way between a narrow and a wide gate.",
        quick=150,
    ),
    Task(
        "2.03 from-three-sides",
        lambda: maps.walled(
            90, 80, (30, 25, 30, 30), gaps=[(33, 28, 24, 24), (30, 39, 3, 3), (57, 37, 3, 6), (43, 25, 4, 3)]
        ),
        300,
        ((3, 30, 16, 20), (71, 30, 16, 20), (36, 2, 18, 14)),
        (45, 40, 5),
        "Three parts of the group come to a castle from three sides, each with a gate of its own width.",
        quick=150,
    ),
    Task(
        "2.04 two-bridges",
        lambda: maps.walled(90, 80, (36, 0, 14, 80), gaps=[(36, 16, 14, 3), (36, 58, 14, 5)], rock="W"),
        350,
        ((8, 6, 12, 66),),
        (82, 40, 5),
        "The group is drawn up along a river with two bridges.",
        quick=160,
    ),
    Task(
        "2.05 fork",
        lambda: maps.carved(110, 60, (2, 6, 26, 48), (26, 14, 60, 3), (26, 43, 60, 5), (84, 6, 24, 48)),
        300,
        ((3, 16, 20, 28),),
        (100, 30, 5),
        "A hall with a narrow and a wider corridor to the next one, of the same length.",
    ),
    Task(
        "2.06 comb",
        lambda: maps.walled(
            90, 100, (40, 0, 6, 100), gaps=[(40, 8, 6, 2), (40, 32, 6, 5), (40, 62, 6, 2), (40, 88, 6, 4)]
        ),
        400,
        ((10, 4, 14, 92),),
        (80, 50, 6),
        "A long front before a wall with four gates of different widths.",
    ),
    # ---- set 3
    Task(
        "3.01 pass",
        lambda: maps.walled(90, 90, (0, 40, 90, 12), gaps=[(43, 40, 3, 12), (8, 40, 6, 12), (76, 40, 6, 12)]),
        400,
        ((33, 8, 24, 22),),
        (45, 78, 5),
        "A narrow pass straight ahead, wider ones to the left and to the right.",
        quick=250,
    ),
    Task(
        "3.02 door-or-around",
        lambda: maps.walled(90, 70, (44, 0, 4, 56), gaps=[(44, 20, 4, 2)]),
        300,
        ((8, 10, 24, 22),),
        (80, 21, 5),
        "A door two cells wide, or the way around the end of the wall.",
        quick=200,
    ),
    Task(
        "3.03 three-bridges",
        lambda: maps.walled(
            100, 100, (44, 0, 12, 100), gaps=[(44, 20, 12, 2), (44, 48, 12, 3), (44, 78, 12, 5)], rock="W"
        ),
        400,
        ((8, 6, 24, 24),),
        (92, 20, 5),
        "Three bridges, the nearer the narrower.",
        quick=250,
    ),
    Task(
        "3.04 castle",
        lambda: maps.walled(
            100,
            80,
            (46, 20, 40, 40),
            gaps=[(50, 24, 32, 32), (46, 39, 4, 2), (64, 20, 3, 4), (64, 56, 3, 4), (82, 37, 4, 5)],
        ),
        400,
        ((4, 28, 24, 24),),
        (66, 40, 5),
        "A castle with a narrow front gate, two side gates and a wide rear gate.",
        quick=250,
    ),
    Task(
        "3.05 long-fork",
        lambda: maps.carved(110, 70, (2, 3, 26, 26), (28, 12, 60, 3), (6, 29, 6, 34), (6, 57, 88, 6), (88, 3, 20, 60)),
        350,
        ((3, 4, 24, 24),),
        (98, 14, 5),
        "A short corridor three cells wide and one twice as wide that is longer by a half and more.",
    ),
    Task(
        "3.06 two-ridges",
        lambda: maps.walled(
            80,
            110,
            (0, 34, 80, 6),
            (0, 70, 80, 6),
            gaps=[(36, 34, 3, 6), (66, 34, 6, 6), (40, 70, 3, 6), (8, 70, 6, 6)],
        ),
        350,
        ((28, 4, 24, 22),),
        (40, 100, 5),
        "Two ridges one behind the other; in each a narrow pass straight ahead and a wide one aside.",
    ),
]
_MADE = [
    # ---- set 1
    Task(
        "1.07 tree-of-rooms",
        lambda: maps.rooms(3, 3, 20, 1, doors=(2, 5), loops=0.0),
        220,
        ((24, 2, 20, 20),),
        (32, 56, 5),
        "Rooms joined as a tree: one way only.",
    ),
    Task(
        "1.08 chain-of-islands",
        lambda: maps.islands(3, 3, 40, 13, bridges=(2, 5), loops=0.2),
        219,
        ((20, 14, 22, 22),),
        (99, 13, 5),
        "Islands on the way to the target are joined by single bridges.",
        quick=120,
    ),
    Task(
        "1.09 narrow-bridges",
        lambda: maps.islands(3, 3, 40, 19, bridges=(2, 5), loops=0.2),
        250,
        ((50, 86, 22, 22),),
        (14, 24, 5),
        "A chain of islands with bridges of several widths.",
    ),
    Task(
        "1.10 wide-cave",
        lambda: maps.caves(130, 100, 21, rock=0.42),
        331,
        ((16, 39, 25, 25),),
        (76, 18, 5),
        "A wide cave; other ways are far longer.",
    ),
    Task(
        "1.11 canyon",
        lambda: maps.canyon(120, 60, 3, floor=6),
        250,
        ((2, 21, 22, 18),),
        (110, 30, 5),
        "A canyon six cells wide that winds.",
    ),
    Task(
        "1.12 open-cave",
        lambda: maps.caves(130, 100, 13, rock=0.42),
        337,
        ((40, 9, 25, 25),),
        (69, 73, 5),
        "A cave as wide as a plain.",
    ),
    # ---- set 2
    Task(
        "2.07 rooms-both-ways",
        lambda: maps.rooms(4, 3, 24, 22, doors=(2, 4), loops=0.5),
        297,
        ((33, 41, 24, 24),),
        (85, 71, 5),
        "The group stands in two rooms that have a way each.",
    ),
    Task(
        "2.08 rooms-and-doors",
        lambda: maps.rooms(4, 3, 24, 24, doors=(2, 4), loops=0.5),
        282,
        ((56, 9, 23, 23),),
        (96, 68, 5),
        "The group stands in two rooms, with doors of different widths.",
    ),
    Task(
        "2.09 island-bridges",
        lambda: maps.islands(4, 3, 36, 22, bridges=(2, 4), loops=0.7),
        230,
        ((42, 4, 22, 22),),
        (21, 56, 5),
        "Two bridges lead off the group's island toward the target.",
        quick=150,
    ),
    Task(
        "2.10 archipelago",
        lambda: maps.islands(4, 3, 36, 20, bridges=(2, 4), loops=0.7),
        228,
        ((116, 46, 22, 22),),
        (50, 18, 5),
        "Several chains of bridges of nearly one length.",
    ),
    Task(
        "2.11 forked-cave",
        lambda: maps.caves(130, 100, 11, rock=0.42),
        400,
        ((44, 69, 28, 28),),
        (26, 43, 5),
        "A cave with a pillar between two ways.",
    ),
    Task(
        "2.12 cave-labyrinth",
        lambda: maps.caves(130, 100, 20, rock=0.42),
        400,
        ((7, 11, 29, 29),),
        (119, 63, 5),
        "A cave of many ways, several of them nearly the shortest.",
    ),
    # ---- set 3
    Task(
        "3.07 narrow-door",
        lambda: maps.rooms(4, 3, 24, 18, doors=(2, 4), loops=0.5),
        270,
        ((54, 28, 24, 24),),
        (40, 66, 5),
        "A door two cells wide on the shortest way, and a way of the same width through other rooms.",
    ),
    Task(
        "3.08 many-doors",
        lambda: maps.rooms(4, 3, 24, 12, doors=(2, 4), loops=0.5),
        308,
        ((54, 28, 24, 24),),
        (33, 64, 5),
        "Many longer ways through other rooms.",
    ),
    Task(
        "3.09 far-rooms",
        lambda: maps.rooms(4, 3, 24, 21, doors=(2, 4), loops=0.5),
        268,
        ((54, 2, 24, 24),),
        (12, 38, 5),
        "The one alternative is sixty cells longer.",
    ),
    Task(
        "3.10 second-bridge",
        lambda: maps.islands(3, 3, 40, 18, bridges=(2, 5), loops=0.2),
        248,
        ((93, 2, 23, 23),),
        (62, 24, 5),
        "A narrow bridge, and wider ones by way of other islands.",
        quick=200,
    ),
    Task(
        "3.11 ring-of-islands",
        lambda: maps.islands(4, 3, 36, 14, bridges=(2, 4), loops=0.7),
        193,
        ((80, 39, 20, 20),),
        (87, 90, 5),
        "A narrow bridge straight ahead, ways around over other islands.",
    ),
    Task(
        "3.12 cave-choke",
        lambda: maps.caves(130, 100, 23, rock=0.42),
        303,
        ((3, 34, 24, 24),),
        (99, 9, 5),
        "The shortest way through the cave has a narrow place.",
    ),
    Task(
        "3.13 cave-detours",
        lambda: maps.caves(130, 100, 22, rock=0.42),
        315,
        ((64, 72, 24, 24),),
        (26, 69, 5),
        "A cave in which wider passages lie farther off.",
    ),
]


def _cut(data: Path) -> list[Task]:
    """Return the tasks on parts of benchmark maps; those whose map is not in the folder are left out."""
    tasks: list[Task] = []
    for name, file, part, units, box, target, note in _PARTS:
        if (data / file).is_file():
            tasks.append(Task(name, partial(maps.cut, data / file, part), units, (box,), target, note))
    return tasks


_PARTS: list[tuple[str, str, Box, int, Box, tuple[float, float, float], str]] = [
    (
        "1.13 darkforest",
        "wc3maps512/darkforest.map",
        (190, 80, 120, 180),
        316,
        (41, 115, 24, 24),
        (58, 28, 5),
        "Warcraft III, Dark Forest: a passage wider than the group.",
    ),
    (
        "1.14 den520d",
        "dao/den520d.map",
        (0, 0, 256, 257),
        234,
        (65, 188, 21, 21),
        (187, 37, 5),
        "Dragon Age, den520d: a long march with one narrow place near its end.",
    ),
    (
        "1.15 orz900d",
        "dao/orz900d.map",
        (440, 220, 140, 230),
        375,
        (41, 39, 25, 25),
        (69, 144, 5),
        "Dragon Age, orz900d: a long hall.",
    ),
    (
        "1.16 aftershock",
        "sc1/Aftershock.map",
        (0, 100, 300, 200),
        201,
        (64, 14, 20, 20),
        (229, 143, 5),
        "StarCraft, Aftershock: one ramp between two plains.",
    ),
    (
        "2.13 battleground",
        "wc3maps512/battleground.map",
        (100, 180, 200, 240),
        216,
        (103, 41, 19, 19),
        (51, 211, 5),
        "Warcraft III, Battleground: rocks to pass on either side.",
    ),
    (
        "2.14 brc202d",
        "dao/brc202d.map",
        (20, 100, 190, 110),
        500,
        (73, 30, 35, 35),
        (170, 31, 5),
        "Dragon Age, brc202d: a hall with parallel aisles.",
    ),
    (
        "2.15 den520d-lake",
        "dao/den520d.map",
        (0, 0, 200, 200),
        247,
        (82, 30, 22, 22),
        (65, 149, 5),
        "Dragon Age, den520d: around a lake on either side.",
    ),
    (
        "2.16 city-streets",
        "bg512/AR0700SR.map",
        (20, 60, 230, 240),
        290,
        (96, 20, 22, 22),
        (85, 206, 5),
        "Baldur's Gate II, AR0700SR: streets of the city.",
    ),
    (
        "3.14 courtyard",
        "dao/brc202d.map",
        (430, 250, 90, 225),
        252,
        (20, 185, 23, 23),
        (55, 60, 5),
        "Dragon Age, brc202d: out of a courtyard by a narrow way, or around it.",
    ),
    (
        "3.15 city-quarter",
        "bg512/AR0700SR.map",
        (100, 220, 220, 180),
        459,
        (153, 73, 31, 31),
        (67, 144, 5),
        "Baldur's Gate II, AR0700SR: the shortest street is a narrow one.",
    ),
    (
        "3.16 slums",
        "bg512/AR0602SR.map",
        (330, 120, 160, 200),
        487,
        (31, 31, 31, 31),
        (86, 110, 5),
        "Baldur's Gate II, AR0602SR: a narrow way out, and others.",
    ),
    (
        "3.17 chantry",
        "mapf/ht_chantry.map",
        (20, 0, 142, 141),
        333,
        (9, 19, 27, 27),
        (52, 116, 5),
        "Dragon Age, ht_chantry: doors to the left and to the right.",
    ),
    (
        "3.18 den520d-pass",
        "dao/den520d.map",
        (0, 0, 200, 200),
        500,
        (61, 37, 33, 33),
        (85, 167, 5),
        "Dragon Age, den520d: the near side of the lake is the narrower one.",
    ),
]

GROWING = Task(
    "growing group",
    lambda: maps.walled(100, 100, (48, 0, 12, 100), gaps=[(48, 18, 12, 2), (48, 48, 12, 3), (48, 82, 12, 5)], rock="W"),
    400,
    ((4, 2, 34, 36),),
    (92, 20, 5),
    "a river with three bridges, 2, 3 and 5 cells wide, the nearer the narrower",
)
