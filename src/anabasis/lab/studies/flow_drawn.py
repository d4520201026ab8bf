"""Scenarios of the study of flow networks on maps that are drawn by rectangles, each for one situation."""

from __future__ import annotations

from anabasis.lab.studies import flow_maps as maps
from anabasis.lab.studies.flow_task import Task

__all__ = ["DRAWN"]

DRAWN = [
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
