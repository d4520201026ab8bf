"""The study of formations: its factors, and the figures of the source.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: how he marched, in how many ways, and
what he measured: medians of E_1 in thousands and of Ë in millions; and the variances of those medians over the options
of a factor, in each scenario and of each formation, in millions and in millions of millions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

__all__ = ["BEYOND", "FACTORS", "FORMATIONS", "SCENARIOS", "Factor", "combinations"]


@dataclass(frozen=True)
class Factor:
    """One thing that varies: options by name, each the modules that it sets, and the medians of the source.

    medians: (E_1, Ë) by option. baseline: the option that others are held against.
    by_scenario, by_formation: the variances of medians, (E_1, Ë), in the order of SCENARIOS and FORMATIONS; None where
    the source has none.
    """

    name: str
    options: dict[str, str]
    baseline: str
    medians: dict[str, tuple[float, float]]
    by_scenario: tuple[tuple[float, float], ...]
    by_formation: tuple[tuple[float, float], ...]


SCENARIOS = ("training_ground", "turnaround", "bend", "canyon", "swamp", "road")
"""The manoeuvres that ship with the package, in the order of the source."""

FORMATIONS = (
    ("column", 3),
    ("square", 4),
    ("diamond", 4),
    ("wedge", 5),
    ("column", 7),
    ("square", 8),
    ("diamond", 9),
    ("wedge", 9),
)
"""Shapes and numbers of units; the source calls a column a line."""

FACTORS = (
    Factor(
        "planning",
        {
            "trivial": "planning=trivial",
            "periodic 3, 2": "planning=periodic fragment=3 period=2",
            "periodic 5, 3": "planning=periodic fragment=5 period=3",
            "periodic 10, 5": "planning=periodic fragment=10 period=5",
            "bends 10": "planning=bends bend=10",
            "bends 20": "planning=bends bend=20",
            "bends 40": "planning=bends bend=40",
            "bends 50": "planning=bends bend=50",
        },
        "trivial",
        {
            "trivial": (21.300, 39.710),
            "periodic 3, 2": (5.396, 5.236),
            "periodic 5, 3": (8.665, 7.666),
            "periodic 10, 5": (16.271, 19.68),
            "bends 10": (10.952, 9.403),
            "bends 20": (13.234, 11.48),
            "bends 40": (11.893, 11.48),
            "bends 50": (13.126, 11.78),
        },
        ((4.72, 107.7), (27.05, 65.94), (25.95, 45.85), (14.18, 502.8), (173.83, 8863), (12.56, 147.7)),
        (
            (0.638, 0.9679),
            (56.91, 161.8),
            (55.82, 114.1),
            (23.83, 56.20),
            (22.08, 31.44),
            (43.47, 174.4),
            (18.58, 200.9),
            (22.70, 117.3),
        ),
    ),
    Factor(
        "synchronisation",
        {name: f"synchronisation={name}" for name in ("none", "adaptive", "additive", "multiplicative")},
        "none",
        {
            "none": (16.354, 24.82),
            "adaptive": (11.678, 10.26),
            "additive": (11.336, 10.74),
            "multiplicative": (11.278, 10.53),
        },
        ((0.016, 0.0496), (0.00005, 46.40), (5.722, 37.00), (19.757, 1167), (10.348, 408.8), (1.464, 77.76)),
        (
            (0.002, 0.0121),
            (5.407, 284.0),
            (30.688, 24.87),
            (1.038, 22.34),
            (1.234, 0.3008),
            (18.776, 355.6),
            (10.246, 190.5),
            (3.126, 47.64),
        ),
    ),
    Factor(
        "path finding",
        {"simple": "paths=simple", "combined": "paths=combined"},
        "simple",
        {"simple": (13.930, 14.05), "combined": (12.007, 11.11)},
        ((0.266, 0.2980), (0.00006, 0.0090), (4.852, 10.13), (1.006, 0.1067), (0.571, 10.27), (0.293, 13.22)),
        (
            (0.157, 0.0587),
            (1.241, 42.15),
            (5.080, 0.0305),
            (0.212, 7.627),
            (0.774, 0.3688),
            (4.906, 32.54),
            (0.916, 2.202),
            (0.667, 17.06),
        ),
    ),
    Factor(
        "collision avoidance",
        {"none": "passing=none", "displacement": "passing=displacement"},
        "none",
        {"none": (11.796, 12.84), "displacement": (14.136, 12.10)},
        ((0.00002, 0.0001), (0.0003, 6.067), (5.734, 2.679), (2.151, 1.106), (1.151, 1.355), (0.916, 0.340)),
        (
            (0.00015, 0.0002),
            (0.1207, 0.182),
            (3.816, 1.303),
            (3.075, 0.259),
            (9.003, 0.231),
            (0.0796, 0.0004),
            (0.3123, 0.196),
            (1.010, 0.00001),
        ),
    ),
)

_OURS = "planning=bends bend=10 shortest=5 synchronisation=adaptive paths=whole ties=straight"

BEYOND = {
    "straight ways for all of a formation": f"{_OURS} passing=none",
    "the same, spots given out anew, beside shared vertices": f"{_OURS} slots=total passing=vertex",
}
"""Ways to march that the source does not have; of some twenty that were tried in all its scenarios the best."""


def combinations() -> dict[str, dict[str, str]]:
    """Return every choice of one option of each factor: what it sets, and the option by the name of the factor."""
    return {
        " ".join(words for _, words in chosen): {
            factor.name: name for factor, (name, _) in zip(FACTORS, chosen, strict=True)
        }
        for chosen in product(*(factor.options.items() for factor in FACTORS))
    }
