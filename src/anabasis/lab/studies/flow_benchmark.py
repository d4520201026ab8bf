"""Scenarios of the study of flow networks on parts of the Moving AI benchmark maps, which are not in the package."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from anabasis.lab.studies import flow_maps as maps
from anabasis.lab.studies.flow_maps import Box
from anabasis.lab.studies.flow_task import Task

__all__ = ["benchmark_tasks"]


def benchmark_tasks(data: Path) -> list[Task]:
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
