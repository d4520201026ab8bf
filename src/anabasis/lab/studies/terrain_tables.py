"""Tables of the ways of the study of generated terrain: searches, smoothing, ratios, scenarios, shapes.

After a Czech bachelor's thesis on path finding on generated terrain for strategy games, 2014, which has no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_presets import PRESETS
from anabasis.lab.studies.terrain_queries import AHEAD, RATIOS, SEARCHES
from anabasis.lab.studies.terrain_scenarios import KINDS, METRICS

__all__ = [
    "answer_table",
    "nearest_table",
    "ratio_table",
    "scenario_table",
    "search_table",
    "shape_table",
    "smoothing_table",
    "trap_table",
]

Row = Mapping[str, Any]

_VISIBLE = 0.02
_KIND_NAMES = {
    "open": "all ground between the ends is free",
    "line": "the direct line is free, other ground is not",
    "round": "something is in the way",
}


def _of(rows: Sequence[Row], name: str, unit: str = "land") -> list[Row]:
    """Return all queries of a unit on the maps of a preset."""
    return [query for row in rows if row["map"] == name for query in row[unit]]


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _share(values: NDArray[np.bool_]) -> float | None:
    return 100 * float(np.mean(values)) if len(values) else None


def answer_table(rows: Sequence[Row]) -> Table:
    """Return whether the source's A* finds a way exactly where flooding does, and whether its prices are whole."""
    made: list[dict[str, object]] = []
    for name in PRESETS:
        for unit, word in (("land", "land unit"), ("water", "ship")):
            of = _of(rows, name, unit)
            whole = [bool(q["whole"]) for q in of if "whole" in q]
            made.append(
                {
                    "map": name,
                    "unit": word,
                    "queries": len(of),
                    "with a way": sum(bool(q["way"]) for q in of),
                    "A* errs": sum(q["way"] != q["found"] for q in of),
                    "refined errs": sum(q["way"] != q["found over cells"] for q in of),
                    "prices looked at": len(whole) if whole else None,
                    "all whole": sum(whole) if whole else None,
                }
            )
    return Table(
        "Answers",
        tuple(made),
        "Random queries on terrain of 129 × 129. With a way: by flooding. A*: with Manhattan, no closed cell is opened "
        "again; refined: over cells of a quarter of the side. All whole: queries in which G and H of every event of "
        "the search are whole and the price is that of the steps, 1000 and 1414.",
    )


def search_table(rows: Sequence[Row]) -> Table:
    """Return expansions and prices of each search."""
    made: list[dict[str, object]] = []
    for name in PRESETS:
        of = [query for query in _of(rows, name) if query["way"]]
        if not of:
            continue
        best = np.array([query["searches"]["Dijkstra (H = 0)"][0] for query in of])
        for search in SEARCHES:
            price, expanded = np.array([query["searches"][search] for query in of]).T
            ratio = price / best
            made.append(_search_row(name, search, expanded, ratio))
        quick = np.array([query["greedy ratio"] for query in of])
        made.append(_search_row(name, "greedy", np.array([query["greedy expanded"] for query in of]), quick))
        there = [query for query in of if query["followed"]]
        followed = _search_row(name, "obstacle following", None, np.array([q["followed ratio"] for q in there]))
        made.append({**followed, "arrived %": 100 * len(there) / len(of), "queries": len(of)})
    return Table(
        "Searches",
        tuple(made),
        "Queries of a land unit that have a way. Prices in whole numbers, 10 and 14; those of greedy and of obstacle "
        "following in lengths. Longer: queries whose way costs more than the least.",
    )


def _search_row(name: str, search: str, expanded: Any, ratio: Any) -> dict[str, object]:
    return {
        "map": name,
        "method": search,
        "queries": len(ratio),
        "expanded": None if expanded is None else float(expanded.mean()),
        "above least %": 100 * float(np.mean(ratio - 1)) if len(ratio) else None,
        "longer %": _share(ratio > 1 + 1e-9),
        "worst above %": 100 * float(np.max(ratio - 1)) if len(ratio) else None,
        "arrived %": 100.0,
    }


def smoothing_table(rows: Sequence[Row]) -> Table:
    """Return what each look ahead makes of the ways."""
    made: list[dict[str, object]] = []
    for name in PRESETS:
        of = [query["smoothed"] for query in _of(rows, name) if query["way"]]
        raw = np.array([one["None"]["length"] for one in of])
        for ahead in AHEAD if of else ():
            some = [made[str(ahead)] for made in of]
            excess = np.array([one["above best"] for one in some])
            length = np.array([one["length"] for one in some])
            made.append(
                {
                    "map": name,
                    "method": "node to node" if ahead is None else "all nodes" if ahead < 0 else f"{ahead} nodes",
                    "ways": len(some),
                    "lines": _mean([one["lines"] for one in some]),
                    "length / raw": float(length.sum() / raw.sum()),
                    "longer than raw": int((length > raw * (1 + 1e-12)).sum()),
                    "above best %": 100 * float(excess.mean()),
                    "worst %": 100 * float(excess.max()),
                    "ways 2 % above": _share(excess > _VISIBLE),
                    "ways above": _share(excess > 1e-9),
                    "blocked lines": sum(int(one["unseen"]) for one in some),
                    "onesteps": sum(int(one["onesteps"]) for one in some),
                    "walked": sum(bool(one["walked"]) for one in some),
                    "tests": _mean([one["tests"] for one in some]),
                }
            )
    return Table(
        "Smoothing by look ahead",
        tuple(made),
        "The same queries over cells of a quarter of the side. Length: of the straight lines. Best: the shortest "
        "choice among the same nodes, by looking at all. Ways above, in %. Blocked lines: Bresenham's line meets a "
        "blocked cell. Onesteps: lines between two cells of terrain that meet in a corner. Walked: each step leads to "
        "a free neighbour.",
    )


def ratio_table(rows: Sequence[Row]) -> Table:
    """Return how many more expansions a search over fine cells takes."""
    made: list[dict[str, object]] = []
    for name in PRESETS:
        for ratio in RATIOS:
            counts = np.array([pair for row in rows if row["map"] == name for pair in row[str(ratio)]])
            if not len(counts):
                continue
            fine, coarse = counts.sum(axis=0).tolist()
            times = fine / max(coarse, 1)
            made.append(
                {
                    "map": name,
                    "ratio R": ratio,
                    "queries": len(counts),
                    "fine expanded": fine / len(counts),
                    "coarse expanded": coarse / len(counts),
                    "fine / coarse": times,
                    "share of R²": times / ratio**2,
                }
            )
    return Table(
        "Two resolutions",
        tuple(made),
        "The same A* (octile, 1000 and 1414) over the cells and over terrain of 65 × 65, R cells along a side each.",
    )


def scenario_table(rows: Sequence[Row]) -> Table:
    """Return how straight ways are with nothing and with something in the way."""
    made: list[dict[str, object]] = []
    for kind in KINDS[:3]:
        for name in PRESETS:
            of = _of(rows, name, kind)
            made.append(
                {
                    "part": _KIND_NAMES[kind],
                    "map": name,
                    "queries": len(of),
                    "one line": sum(query["lines"] == 1 for query in of),
                    "on the direct line": sum(bool(query["on line"]) for query in of),
                    "walked": sum(bool(query["walked"]) for query in of),
                    "no longer than raw": sum(bool(query["no longer"]) for query in of),
                    "saved %": _percent(_mean([query["saved"] for query in of])),
                    "raw deviation %": _percent(_mean([query["raw deviation"] for query in of])),
                    "deviation %": _percent(_mean([query["deviation"] for query in of])),
                    "raw turns": _mean([query["raw turns"] for query in of]),
                    "turns": _mean([query["turns"] for query in of]),
                }
            )
    return Table(
        "Nothing, and something in the way",
        tuple(made),
        "Queries of a land unit and a ship, up to 24 cells of terrain apart along each axis, smoothed with a look "
        "ahead of 10. On the direct line: every cell is one of Bresenham's line between the ends. Deviation: how far a "
        "way leaves the direct line, in % of its length.",
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def nearest_table(rows: Sequence[Row]) -> Table:
    """Return what becomes of goals that can't be reached."""
    made: list[dict[str, object]] = []
    for name in PRESETS:
        of = _of(rows, name, "none")
        checks = {
            "answered": "answered",
            "no way by itself": "refused without",
            "goal rewritten": "another goal",
            "ends at it": "ends there",
            "in reach": "in own part",
            "least H": "least",
        }
        row: dict[str, object] = {"map": name, "queries": len(of)}
        made.append({**row, **{text: sum(bool(query[key]) for query in of) for text, key in checks.items()}})
    return Table(
        "No way to the goal",
        tuple(made),
        "Least H: of all terrain that the unit can reach, by flooding, none is nearer to the goal by Manhattan.",
    )


def shape_table(rows: Sequence[Row]) -> Table:
    """Return the shape of ways by metric, on open ground and round a wall."""
    made: list[dict[str, object]] = []
    for metric in METRICS:
        values = {key: float(np.mean([row[metric][key] for row in rows])) for key in rows[0][metric]}
        made.append(
            {
                "method": metric,
                "queries": len(rows),
                "open: deviation %": 100 * values["open"],
                "open: turns": values["open turns"],
                "goal hidden: deviation %": 100 * values["hidden"],
                "goal seen again: deviation %": 100 * values["seen"],
                "round a wall: turns": values["turns"],
            }
        )
    return Table(
        "Shape by metric",
        tuple(made),
        "The same queries on an open field of 65 × 65, and with a wall of 19 cells across the middle of their direct "
        "line. Deviation: how far the way, or its part where the wall hides the goal, or that from there on, leaves "
        "the straight line between its own ends, in % of that line. Of equal keys the greater G comes first.",
    )


def trap_table(rows: Sequence[Row]) -> Table:
    """Return what greedy search makes of halls that are closed towards the goal."""
    made = [{**row, "greedy / best": row["greedy"] / row["best"]} for row in rows]
    return Table("A trap for greedy search", tuple(made), "A hall that is open to the start and closed to the goal.")
