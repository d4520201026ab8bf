"""What the study of generated terrain measures on land: one job a map, each by itself, and tables of all of them.

After a Czech bachelor's thesis on generated terrain for strategy games, 2014; R is the range of its random offsets, Δh
the increment of the exponent of their fading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.grid import Grid
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_presets import (
    PRESETS,
    coast_length,
    given_points,
    heights_of,
    land_of,
    lowest,
    neighbour_difference,
    overlap,
    part_count,
    routes_round,
)
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.terrain.diamond_square import overflow_counts

__all__ = ["overflow_table", "preset_job", "preset_table", "roughness_table"]

Bools, Floats = NDArray[np.bool_], NDArray[np.float64]
Row = Mapping[str, Any]

_WATER = ord("W")
_EARLY = 4  # iterations


def preset_job(name: str, side: int, seed: int) -> Row:
    """Measure one map of a preset."""
    preset = PRESETS[name]
    land = land_of(name, side, seed)
    water = land.terrain == _WATER
    heights = heights_of(name, side, seed)
    given = given_points(name, side)
    x, y = given[:, :2].T.astype(np.int64)
    shares = np.cumsum(np.bincount(levels(heights, thresholds(heights, preset.shares)).reshape(-1), minlength=5))
    stencil = given if len(given) else None
    overflows = overflow_counts(
        side,
        side,
        seed=seed,
        amplitude=preset.amplitude,
        roughness=2.0**-preset.increment,
        arithmetic="wrap",
        predefined=stencil,
    )
    clamped = land_of(name, side, seed, arithmetic="clamp").terrain
    blocked, both = routes_round(Grid.from_terrain(land.terrain).free)
    return {
        "preset": name,
        "side": side,
        "mask": np.packbits(water),
        "water": water.mean(),
        "deficit": float((np.array(preset.shares) - shares[:4] / heights.size).max()),
        "excess": float((shares[:4] / heights.size - np.array(preset.shares)).max()),
        "kept": int((heights[y, x] == given[:, 2]).sum()),
        "given": len(given),
        "difference": neighbour_difference(heights),
        "compounding": neighbour_difference(heights_of(name, side, seed, schedule="compounding")),
        "coast": coast_length(water),
        "coast at half": coast_length(lowest(heights, 0.5)),
        "overflows": int(overflows.sum()),
        "early": int(overflows[:_EARLY].sum()),
        "changed": float((clamped != land.terrain).mean()),
        "more parts": abs(part_count(water) - part_count(clamped == _WATER))
        + abs(part_count(~water) - part_count(clamped != _WATER)),
        "rim": float(np.concatenate([water[0], water[-1], water[:, 0], water[:, -1]]).mean()),
        "centre blocked": blocked,
        "two routes": both,
    }


def preset_table(rows: Sequence[Row]) -> Table:
    """Return what the maps of a preset have in common."""
    made: list[dict[str, object]] = []
    for name, side, of in _groups(rows):
        masks = [np.unpackbits(row["mask"], count=side * side).astype(bool) for row in of]
        made.append(
            {
                "map": name,
                "cells": f"{side} × {side}",
                "maps": len(of),
                "overlap of water": overlap(masks),
                "water %": 100 * _mean(of, "water"),
                "least water %": 100 * min(float(row["water"]) for row in of),
                "most water %": 100 * max(float(row["water"]) for row in of),
                "water at the rim %": 100 * _mean(of, "rim"),
                "worst share, points": 100 * max(max(float(r["deficit"]), float(r["excess"])) for r in of),
                "given points": sum(int(row["given"]) for row in of),
                "kept": sum(int(row["kept"]) for row in of),
                "centre blocked": sum(bool(row["centre blocked"]) for row in of),
                "two routes": sum(bool(row["two routes"]) for row in of),
            }
        )
    return Table(
        "Maps of the presets",
        tuple(made),
        "Overlap: intersection over union of the water of two maps, the mean over all pairs. Worst share: the greatest "
        "difference between an asked share of a preset and what comes out, in percentage points. Two routes: maps on "
        "which land ways join the same two places west and east of the blocked centre, one in the north and one in the "
        "south, from side to side of cells.",
    )


def roughness_table(rows: Sequence[Row]) -> Table:
    """Return how rough the maps of a preset are, by both readings of how offsets fade, and how long their coasts."""
    made: list[dict[str, object]] = [
        {
            "map": name,
            "cells": f"{side} × {side}",
            "maps": len(of),
            "neighbours differ by": _mean(of, "difference"),
            "compounding: by": _mean(of, "compounding"),
            "coast": _mean(of, "coast"),
            "coast at 50 % water": _mean(of, "coast at half"),
        }
        for name, side, of in _groups(rows)
    ]
    return Table(
        "Roughness",
        tuple(made),
        "Neighbours share a side; they differ by so many of the 256 steps, the shorter way round. The range of "
        "iteration k is R · 2^(-k Δh), or by the other reading, compounding, R · 2^(-k (k + 1) Δh / 2). Coast: sides "
        "between water and land.",
    )


def overflow_table(rows: Sequence[Row]) -> Table:
    """Return how often heights leave the 8 bits, and what comes of it."""
    made: list[dict[str, object]] = []
    for name, side, of in _groups(rows):
        total = sum(int(row["overflows"]) for row in of)
        made.append(
            {
                "map": name,
                "cells": f"{side} × {side}",
                "maps": len(of),
                "overflows a map": _mean(of, "overflows"),
                "early ones %": 100 * sum(int(row["early"]) for row in of) / total if total else None,
                "maps changed": sum(float(row["changed"]) > 0 for row in of),
                "cells changed %": 100 * _mean(of, "changed"),
                "maps with more or fewer parts": sum(int(row["more parts"]) > 0 for row in of),
            }
        )
    return Table(
        "Overflow of 8 bits",
        tuple(made),
        f"Early: in the first {_EARLY} iterations. Changed: against the same map with heights that stay at the ends of "
        "the 8 bits instead of going on at the other end. Parts: of water and of land.",
    )


def _groups(rows: Sequence[Row]) -> list[tuple[str, int, list[Row]]]:
    """Return the rows of each preset at each size."""
    sides = sorted({int(row["side"]) for row in rows})
    return [
        (name, side, [row for row in rows if (row["preset"], row["side"]) == (name, side)])
        for side in sides
        for name in PRESETS
    ]


def _mean(rows: Sequence[Row], name: str) -> float:
    return float(np.mean([float(row[name]) for row in rows]))
