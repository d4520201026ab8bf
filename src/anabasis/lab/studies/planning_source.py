"""The printed figures of the source, to stand beside ours: its tables 5.1 to 5.7 and figure 5.3.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011). Times are in
milliseconds, of smoothing in microseconds, lengths in pixels, memory in kilobytes unless said otherwise.
"""

from __future__ import annotations

__all__ = ["COVER", "GRIDS", "POLYGONS", "RRT", "THETA", "THETA_COLUMNS"]

# number of obstacles: time to find them, time and memory of the discretisation, time and memory of the search
POLYGONS = {
    16: (1784, 122, 3, 1.0, 128),
    24: (2342, 254, 4, 1.3, 565),
    42: (3464, 676, 7, 2.3, 1504),
    74: (4906, 2035, 12, 10.0, 5963),
    86: (5911, 2467, 14, 12.4, 8544),
}
# edge: states of the squares, time and memory with 4 neighbours, with 8; states, time and memory of the hexagons
GRIDS = {
    2: (33750, 52081, 1109, 94838, 1990, 12814, 15232, 798),
    3: (15000, 10202, 492, 19610, 882, 5693, 3638, 354),
    4: (8400, 3310, 275, 6148, 658, 3225, 1410, 200),
    5: (5400, 1463, 177, 2732, 317, 2006, 449, 124),
    6: (3750, 726, 123, 1259, 220, 1397, 250, 86),
    7: (2688, 395, 88, 693, 157, 1029, 155, 63),
    8: (2072, 265, 67, 429, 121, 777, 107, 48),
    9: (1650, 162, 53, 294, 96, 627, 76, 39),
    10: (1350, 122, 44, 203, 79, 493, 72, 30),
}
# cells: states of the map without obstacles, of the map with them
COVER = {"square": {"empty": 2072, "obstacles": 1550}, "hexagonal": {"empty": 2006, "obstacles": 1506}}
# part, edge: A* time, memory, length; smoothing time and length; Theta* time, memory, length
THETA = {
    "sq-4": {
        (1, 2): (34919, 313, 706.0, 21450, 510.4, 823, 48, 510.4),
        (1, 6): (579, 34, 690.0, 5871, 499.3, 96, 9, 499.3),
        (1, 10): (109, 12, 690.0, 3538, 499.3, 42, 4, 499.3),
        (2, 2): (27220, 278, 738.0, 11601, 552.7, 3328, 168, 545.2),
        (2, 6): (393, 28, 738.0, 4457, 554.6, 169, 22, 545.5),
        (2, 10): (54, 10, 730.0, 2607, 548.6, 55, 8, 541.6),
        (3, 2): (28067, 278, 738.0, 14646, 599.2, 20849, 476, 598.5),
        (3, 6): (359, 28, 738.0, 4745, 601.9, 561, 50, 601.5),
        (3, 10): (42, 8, 730.0, 4166, 602.4, 117, 13, 599.9),
    },
    "sq-8": {
        (1, 2): (19158, 327, 565.8, 15099, 532.5, 544, 43, 532.5),
        (1, 6): (262, 35, 548.8, 4891, 515.9, 78, 8, 515.9),
        (1, 10): (41, 13, 560.1, 2615, 527.0, 38, 4, 526.9),
        (2, 2): (13919, 292, 554.3, 8230, 529.9, 5388, 316, 529.0),
        (2, 6): (236, 33, 572.8, 2638, 546.2, 273, 38, 545.5),
        (2, 10): (34, 12, 565.9, 1547, 540.3, 99, 14, 541.6),
        (3, 2): (31275, 432, 616.2, 5064, 600.6, 38728, 952, 597.5),
        (3, 6): (412, 43, 618.5, 1620, 607.3, 994, 95, 599.1),
        (3, 10): (26, 9, 601.1, 939, 590.4, 163, 23, 589.4),
    },
    "hex": {
        (1, 2): (655, 44, 547.3, 10753, 529.3, 141, 11, 529.3),  # printed 521.3, less than the straight line
        (1, 6): (14, 5, 540.4, 3294, 520.9, 23, 2, 520.9),
        (1, 10): (3, 2, 519.6, 2101, 503.2, 11, 1, 503.2),
        (2, 2): (2828, 101, 599.3, 5695, 543.8, 1027, 95, 543.3),
        (2, 6): (40, 11, 592.4, 2090, 537.2, 80, 11, 536.0),  # printed 41 kB, 11 with the same search smoothed
        (2, 10): (9, 4, 588.9, 1239, 526.0, 33, 3, 524.4),
        (3, 2): (3342, 116, 623.5, 7006, 598.7, 4934, 266, 595.3),
        (3, 4): (61, 13, 616.6, 2889, 592.3, 292, 30, 593.2),
    },
}
THETA_COLUMNS = (
    "A* t ms",
    "A* m kB",
    "A* l px",
    "PS t_s µs",
    "PS l px",
    "Theta* t ms",
    "Theta* m kB",
    "Theta* l px",
)
# free: time, length, states; among obstacles: time and length (of the states only the average is known)
RRT = {
    "min": (2, 274.1, 94, 5, 335.9, None),
    "max": (8075, 470.4, 6729, 6333, 560.9, None),
    "median": (205, 322.1, 1287, 150, 389.3, None),
    "average": (605.6, 332.5, 1585, 437.3, 399.0, 1366),
}
