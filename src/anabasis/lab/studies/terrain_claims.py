"""What the source claims of its terrain, C1 to C11, held against the tables of the study.

The source, a Czech bachelor's thesis on generated terrain for strategy games, 2014, has no figures but its parameters.
What stands beside a claim as "by a prototype" was measured by a third party, with points and shares that it chose where
the thesis names none; they are those of our presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table

__all__ = ["findings", "number", "pick", "span"]

Tables = Mapping[str, Table]

_OVERLAP, _HALF, _ROUTES, _POINTS = 0.75, (48.0, 50.0), 0.95, 1.5


def pick(table: Table, **wanted: object) -> list[Mapping[str, object]]:
    """Return the rows of a table with these values; `_` in a name stands for a space."""
    names = {name.replace("_", " "): value for name, value in wanted.items()}
    return [row for row in table.rows if all(row.get(name) == value for name, value in names.items())]


def number(row: Mapping[str, object], name: str) -> float:
    """Return a number of a row, NaN where there is none, with which no comparison holds."""
    value: Any = row.get(name)
    return float("nan") if value is None else float(value)


def span(values: list[float], digits: int = 2) -> str:
    """Return the least and the greatest number as text."""
    texts = list(dict.fromkeys(f"{value:,.{digits}f}" for value in (min(values), max(values))))
    return " to ".join(texts)


def _by_size(table: Table, column: str) -> list[dict[str, float]]:
    """Return a column by preset, for each size of the maps."""
    sizes = dict.fromkeys(row["cells"] for row in table.rows)
    return [{str(row["map"]): number(row, column) for row in pick(table, cells=size)} for size in sizes]


def _three(values: Mapping[str, float], digits: int = 2) -> str:
    return ", ".join(f"{name} {value:,.{digits}f}" for name, value in values.items())


def findings(tables: Tables) -> list[Finding]:
    """Return the claims on terrain."""
    return [
        _given_points(tables),
        _half(tables),
        _constant(tables),
        _routes(tables),
        _smooth_lake(tables),
        _other_reading(tables),
        _overflow(tables),
        _coasts(tables),
        _without(tables),
        _squares(tables),
        _shares(tables),
        _silent(tables),
    ]


def _given_points(tables: Tables) -> Finding:
    table = tables["presets"]
    given, kept = (sum(number(row, name) for row in table.rows) for name in ("given points", "kept"))
    islands = [number(row, "overlap of water") for row in pick(table, map="island")]
    reach = tables["influence"].column("cells changed %")
    return Finding(
        "C1: heights that are given shape the whole region, the more the earlier their turn comes",
        "no figure (overlap of islands by a prototype: 0.84). Bar here: 0.75",
        f"{kept:.0f} of {given:.0f} kept; water of two islands overlaps by {span(islands)}; a cell given at iteration "
        f"0 changes {reach[0]:.0f} % of the map, at 1 {reach[1]:.0f} %, at 2 {reach[2]:.0f} %, at the last "
        f"{reach[-1]:.2f} %",
        given > 0 and kept == given and min(islands) >= _OVERLAP and reach == sorted(reach, reverse=True),
    )


def _half(tables: Tables) -> Finding:
    rows = pick(tables["presets"], map="island")
    water = [number(row, name) for row in rows for name in ("least water %", "most water %")]
    rim = [number(row, "water at the rim %") for row in rows]
    return Finding(
        "C2: an island is about half of its map, with water all around",
        "water: the lowest 50 %",
        f"water: {span(water, 1)} % of a map, {span(rim, 0)} % of its rim",
        min(water) >= _HALF[0] and max(water) <= _HALF[1] and min(rim) == 100,
    )


def _constant(tables: Tables) -> Finding:
    sizes = _by_size(tables["presets"], "overlap of water")
    return Finding(
        "C3: islands keep their geometry from map to map, coast and details change; the other presets vary",
        "no figure (overlap by a prototype: island 0.84, lake 0.38, random 0.32). Bar here: 1.5 times the others",
        f"overlap of water: {_three(sizes[-1])} on the largest maps",
        all(s["island"] > 1.5 * max(s["lake"], s["random"]) and s["island"] < 0.98 for s in sizes),
    )


def _routes(tables: Tables) -> Finding:
    rows = pick(tables["presets"], map="island")
    maps, blocked, routes = (sum(number(row, n) for row in rows) for n in ("maps", "centre blocked", "two routes"))
    others = [row for row in tables["presets"].rows if row["map"] != "island"]
    other, among = (sum(number(row, name) for row in others) for name in ("two routes", "maps"))
    return Finding(
        "C4: the middle of an island can't be passed, which leaves two separate routes",
        "no figure (by a prototype: always, on 60 maps). Bar here: 95 % of the maps",
        f"centre blocked on {blocked:.0f}, two routes round it on {routes:.0f} of {maps:.0f} islands; on "
        f"{other:.0f} of {among:.0f} other maps",
        blocked == maps and routes >= _ROUTES * maps,
    )


def _smooth_lake(tables: Tables) -> Finding:
    sizes, overlaps = (
        _by_size(tables[name], column)
        for name, column in (("roughness", "neighbours differ by"), ("presets", "overlap of water"))
    )
    return Finding(
        "C5: the larger range and the stronger fading of the lake make varied geometry and less detail",
        "no figure (neighbours by a prototype, 257 × 257: island 3.92, lake 2.19, random 4.85)",
        f"neighbours differ by: {_three(sizes[-1])} on the largest maps; overlap {_three(overlaps[-1])}",
        all(s["lake"] < s["island"] for s in sizes) and all(s["lake"] < s["island"] for s in overlaps),
    )


def _other_reading(tables: Tables) -> Finding:
    sizes, plain = (_by_size(tables["roughness"], name) for name in ("compounding: by", "neighbours differ by"))
    return Finding(
        "Beside C5: were the fading compounded, the lake would be no smoother than the island",
        "two readings of one sentence (by a prototype: island 1.01, lake 1.02, random 1.16)",
        f"compounded: {_three(sizes[-1])}; so the plain reading is the one that fits what the source shows",
        all(s["lake"] >= s["island"] for s in sizes) and all(s["lake"] < s["island"] for s in plain),
    )


def _overflow(tables: Tables) -> Finding:
    rows = {str(row["map"]): row for row in tables["overflow"].rows}  # of the largest maps
    counts = {name: number(row, "overflows a map") for name, row in rows.items()}
    wild = [row for row in tables["overflow"].rows if row["map"] != "island"]
    maps, changed, parts = (
        sum(number(row, name) for row in wild) for name in ("maps", "maps changed", "maps with more or fewer parts")
    )
    early = [number(row, "early ones %") for row in wild]
    return Finding(
        "C6: heights that overflow their 8 bits make islands and lakes that nobody expects",
        "no figure (by a prototype: about 4 cells a map for the lake, 9 for random, 0 to 0.4 for the island)",
        f"overflows a map: {_three(counts, 1)}, {span(early, 0)} % of them in the first four iterations; {changed:.0f} "
        f"of {maps:.0f} maps of lake and random are others than with heights that stay at the ends, {parts:.0f} have "
        "more or fewer islands or lakes",
        counts["lake"] > 1 and counts["random"] > 1 and counts["island"] < 1 and min(early) > 50 and changed == maps,
    )


def _coasts(tables: Tables) -> Finding:
    coasts, rough = (_by_size(tables["roughness"], name) for name in ("coast at 50 % water", "neighbours differ by"))
    at = next((c for c, row in zip(coasts, _sizes(tables["roughness"]), strict=True) if row == "129 × 129"), coasts[-1])
    return Finding(
        "C7: random land is the most rugged and has the most indented coasts",
        "no figure (coasts by a prototype, 129 × 129, half water: random 2376, lake 1115, island 982). Bar "
        "here: 1.3 times the others",
        f"coasts at half water: {_three(at, 0)}; neighbours differ by {_three(rough[-1])} on the largest maps",
        all(s["random"] > 1.3 * max(s["lake"], s["island"]) for s in coasts)
        and all(s["random"] > max(s["lake"], s["island"]) for s in rough),
    )


def _sizes(table: Table) -> list[str]:
    return list(dict.fromkeys(str(row["cells"]) for row in table.rows))


def _without(tables: Tables) -> Finding:
    wild, usual, still = tables["ablation"].rows
    differ, parts, spikes = (
        [number(row, name) for row in (wild, usual, still)]
        for name in ("neighbours differ by", "parts of land", "chimneys and holes")
    )
    return Finding(
        "C8: without fading the map fills with chimneys and holes; without offsets shapes are regular",
        "figure 13 (by a prototype: neighbours 34.3, 5.5, 1.7; parts of land 518, 29, 1). Bars here: 4 and 2 times the "
        "difference, 5 times the parts, 20 chimneys",
        f"neighbours differ by {differ[0]:.1f} without fading, {differ[1]:.2f} as it is, {differ[2]:.2f} without "
        f"offsets; parts of land {parts[0]:.0f}, {parts[1]:.0f}, {parts[2]:.0f}; chimneys and holes {spikes[0]:.0f}, "
        f"{spikes[1]:.0f}, {spikes[2]:.0f}",
        differ[0] > 4 * differ[1] > 8 * differ[2]
        and parts[0] > 5 * parts[1] > 10 * parts[2] == 10
        and spikes[0] > 20
        and spikes[0] > 20 * max(spikes[1:]),
    )


def _squares(tables: Tables) -> Finding:
    old, new = tables["squares"].rows
    power, bends = ([number(row, name) for row in (old, new)] for name in list(old)[1:3])
    return Finding(
        "C9: midpoint displacement shows its squares, diamond-square suppresses them",
        "figure 3. Bars here: 1.2 in power, and 0.75 of its logarithm; 1.1 times the bends",
        f"power along axes over diagonals {power[0]:.2f} against {power[1]:.2f}, bends along old edges {bends[0]:.2f} "
        f"against {bends[1]:.2f} (1: nothing shows); a trace is left with both",
        power[0] > 1.2 and abs(log(power[1])) < 0.75 * log(power[0]) and bends[0] > 1.1 * bends[1] > 1.1,
    )


def _shares(tables: Tables) -> Finding:
    worst = max(tables["presets"].column("worst share, points"))
    row = tables["shares"].rows[0]
    missing, beyond = number(row, "missing, points"), number(row, "beyond ties, points")
    return Finding(
        "C10: the percentage of water controls its share",
        "no figure (by a prototype: at most 1.3 points too little). Bar here: 1.5 points",
        f"shares of the presets come out within {worst:.2f} points; of 5, 10 … 95 % water up to {missing:.2f} points "
        f"are missing, never more than cells share the height of the threshold ({beyond:.2f} points beyond)",
        worst <= _POINTS and beyond < 1e-9,
    )


def _silent(tables: Tables) -> Finding:
    row = tables["shares"].rows[0]
    levels, cells, empty = (number(row, n) for n in ("levels that do not rise", "cells of them", "empty ones of them"))
    return Finding(
        "C11: a level whose threshold does not exceed the one before never appears",
        "no figure",
        f"{cells:.0f} cells of {levels:.0f} such levels; of the others {empty:.0f} are empty",
        levels > 0 and cells == 0 and empty == 0,
    )
