"""Scenarios of the study of flow networks on maps made from a seed: rooms, islands, caves and a canyon."""

from __future__ import annotations

from anabasis.lab.studies import flow_maps as maps
from anabasis.lab.studies.flow_task import Task

__all__ = ["GENERATED"]

GENERATED = [
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
