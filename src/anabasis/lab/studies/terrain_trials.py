"""What the study of generated terrain tries on heights: given cells, no fading, no offsets, squares that show, shares.

After a Czech bachelor's thesis on generated terrain for strategy games, 2014, whose figure 13 shows an island without
fading of the offsets and without offsets. How lattices show in directions: G. Miller, "The definition and rendering of
terrain maps", 1986.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anabasis._kernel.random import random_fraction, stream_key
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_presets import (
    PRESETS,
    coast_length,
    heights_of,
    lowest,
    neighbour_difference,
    part_count,
    spikes,
)
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.midpoint import midpoint_displacement
from anabasis.maps.terrain.spectrum import directional_spectrum

__all__ = [
    "ABLATION",
    "ablation_job",
    "ablation_table",
    "artefact_job",
    "artefact_table",
    "influence_job",
    "influence_table",
    "level_job",
    "level_table",
]

Row = Mapping[str, Any]

ABLATION: dict[str, tuple[float | None, float | None]] = {
    "no fading (Δh = 0)": (None, 0.0),
    "as it is": (None, None),
    "no offsets (R = 0)": (0.0, None),
}
"""What is changed of the island: its R and its Δh, None if they stay."""
_LEVELS = 420  # the stream of the shares that are asked for


def influence_job(seed: int, side: int = 129) -> Row:
    """Measure how much of a map a cell that is given changes, by the iteration at which its turn comes."""
    base = diamond_square(side, side, seed=seed, amplitude=50.0, roughness=2.0**-0.45)
    row: dict[str, Any] = {}
    for k in range((side - 1).bit_length() - 1):
        place = ((side - 1) // 2 >> k) * (2 * ((1 << k) // 2) + 1)  # the middle of a square near the centre
        given = [(place, place, float(base[place, place]) + 100)]
        other = diamond_square(side, side, seed=seed, amplitude=50.0, roughness=2.0**-0.45, predefined=given)
        row[f"iteration {k}"] = float((np.abs(other - base) > 1).mean())
    return row


def influence_table(rows: Sequence[Row]) -> Table:
    """Return how much of a map a given cell changes, by its iteration."""
    made = [
        {"iteration of its turn": k, "cells changed %": 100 * float(np.mean([row[f"iteration {k}"] for row in rows]))}
        for k in range(len(rows[0]))
    ]
    return Table(
        "How far a given height reaches",
        tuple(made),
        "One cell is given 100 steps more than it would have; changed: cells that then differ by more than one step.",
    )


def ablation_job(seed: int, side: int = 129) -> Row:
    """Measure the island without fading, as it is, and without random offsets."""
    row: dict[str, Any] = {}
    for kind, (amplitude, increment) in ABLATION.items():
        made = heights_of("island", side, seed, amplitude=amplitude, increment=increment)
        water = lowest(made, 0.5)
        row[kind] = (neighbour_difference(made), part_count(~water), spikes(made), coast_length(water))
    return row


def ablation_table(rows: Sequence[Row]) -> Table:
    """Return what becomes of the island without fading and without offsets."""
    columns = "neighbours differ by", "parts of land", "chimneys and holes", "coast"
    made = [
        {"island": kind, **{name: float(np.mean([row[kind][k] for row in rows])) for k, name in enumerate(columns)}}
        for kind in ABLATION
    ]
    return Table(
        "The island without fading, and without offsets",
        tuple(made),
        "129 × 129 cells, half of them water. Chimneys and holes: cells that differ from all eight around them by 64 "
        "of the 256 steps or more, to the same side.",
    )


def artefact_job(seed: int, side: int = 129) -> Row:
    """Measure what of its squares shows in a map, by midpoint displacement and by diamond-square."""
    row: dict[str, Any] = {}
    for name, make in (("midpoint displacement", midpoint_displacement), ("diamond-square", diamond_square)):
        heights = make(side, side, seed=seed, roughness=0.5)
        sectors = directional_spectrum(heights, sectors=8, low=12 / side, high=50 / side)
        across = np.abs(np.diff(heights, 2, axis=1)).mean(axis=0)
        early = np.arange(1, side - 1) % 16 == 0
        row[name] = (
            float(sectors[[0, 4]].mean() / sectors[[2, 6]].mean()),
            float(across[early].mean() / across[~early].mean()),
        )
    return row


def artefact_table(rows: Sequence[Row]) -> Table:
    """Return what of the squares shows, by both algorithms."""
    columns = "power along axes / diagonals", "bends at old edges / elsewhere"
    made: list[dict[str, object]] = []
    for name in rows[0]:
        values = np.array([row[name] for row in rows])
        row: dict[str, object] = {"algorithm": name}
        row |= {column: float(np.exp(np.log(values[:, k]).mean())) for k, column in enumerate(columns)}
        made.append(row)
    return Table(
        "Squares that show",
        tuple(made),
        "1 is a map in which no direction and no line stands out (geometric means; 129 × 129 cells, real heights, "
        "Δh = 1). Power: of waves of 3 to 11 cells. Bends: second differences across columns at multiples of 16.",
    )


def level_job(seed: int, side: int = 129) -> Row:
    """Measure how shares that are asked for come out, and levels that don't rise, on the three presets."""
    key = int(stream_key(seed, _LEVELS, 0))
    missing, beyond = 0.0, 0.0
    counts = dict.fromkeys(("silent", "silent cells", "rising", "rising empty"), 0)
    for number, name in enumerate(PRESETS):
        heights = heights_of(name, side, seed)
        for percent in range(5, 100, 5):
            bound = thresholds(heights, [percent / 100])[0]
            short = percent / 100 - float((heights < bound).mean())
            tied = float((heights == bound).mean())
            missing, beyond = max(missing, short), max(beyond, -short, short - tied)
        for draw in range(8):
            shares = [0.05 + 0.9 * random_fraction(key, number * 8 + draw, k) for k in range(6)]
            bounds = thresholds(heights, shares)
            cells = np.bincount(levels(heights, bounds).reshape(-1), minlength=7)[:-1]
            rises = bounds > np.maximum.accumulate([-np.inf, *bounds[:-1].tolist()])
            counts["silent"] += int((~rises).sum())
            counts["silent cells"] += int(cells[~rises].sum())
            counts["rising"] += int(rises.sum())
            counts["rising empty"] += int((cells[rises] == 0).sum())
    return {"missing": missing, "beyond": beyond, **counts}


def level_table(rows: Sequence[Row]) -> Table:
    """Return how asked shares come out, and what becomes of levels that do not rise."""
    row = {
        "maps": len(rows) * len(PRESETS),
        "missing, points": 100 * max(float(r["missing"]) for r in rows),
        "beyond ties, points": 100 * max(float(r["beyond"]) for r in rows),
        "levels that do not rise": sum(int(r["silent"]) for r in rows),
        "cells of them": sum(int(r["silent cells"]) for r in rows),
        "levels that rise": sum(int(r["rising"]) for r in rows),
        "empty ones of them": sum(int(r["rising empty"]) for r in rows),
    }
    return Table(
        "Shares that are asked for",
        (row,),
        "Water of 5, 10 … 95 %: by how many percentage points it falls short at most, and by how many it is above what "
        "was asked for, or below it by more than the cells that have the height of the threshold. Levels: six random "
        "shares in no order, eight times a map.",
    )
