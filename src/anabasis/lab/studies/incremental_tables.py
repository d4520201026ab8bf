"""Tables of the study of incremental search: counts, which are the same in every run, and times, which are not.

The source, a Ukrainian master's thesis on path finding for several units, 2021, has a chart of times and no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.lab.studies.incremental_crossing import LINES
from anabasis.lab.studies.incremental_steps import ratios
from anabasis.lab.studies.planning_record import Spread, Table

__all__ = ["count_tables", "curves", "time_tables"]

Row = Mapping[str, Any]
Made = Mapping[str, Sequence[Row]]

_MENDED, _SCRATCH, _NEW, _WHOLE = LINES[:4]
_RUNS = {
    "moving": "A unit that crosses the map by D* Lite, 8 neighbours",
    "fixed": "LPA* between fixed ends, 8 neighbours",
}
_OTHERS = {
    "anew": "the same search that forgets at each step what it knows, before the clock runs, asked by the same call",
    "A*": "A*, its tables of the map made before the clock runs, if both give whole ways",
}


def count_tables(made: Made) -> dict[str, Table]:
    """Return the tables of counts by name."""
    tables = {"crossing": _crossing_counts(made["crossing"], "map")}
    for kind, title in _RUNS.items():
        tables[kind] = Table(
            f"{title}: expansions",
            tuple({**_key(row), **_counted(row)} for row in made[kind]),
            "Half of the changed cells become blocked, half free. Equal costs: steps at which the mended way, that of "
            "the same search begun anew and that of A* cost the same, or none of them is there. Expanded: after the "
            "first step.",
        )
    tables["units"] = Table(
        "More units on a map of which 20 % is blocked, each an obstacle to the others: expansions",
        tuple({**_units_key(row), **_counted(row)} for row in made["units"]),
        "A unit sees at a step what all others have done since its last one: two cells for each that moved.",
    )
    return tables


def time_tables(made: Made) -> dict[str, Table]:
    """Return the tables of times by name; those that the quick study leaves out are not there."""
    tables = {"times_crossing": _crossing_times(made["crossing"], "The source's experiment: times")}
    if made.get("plain"):
        tables["times_plain"] = _plain_times(made["plain"])
    if made.get("sides"):
        tables["times_sides"] = _crossing_times(made["sides"], "The same on bigger maps: times")
    for kind, title in _RUNS.items():
        rows = tuple({**_key(row), **_timed(row)} for row in made[kind])
        tables[f"times_{kind}"] = Table(f"{title}: times", rows, _TIMES_NOTE)
    rows = tuple({**_units_key(row), **_timed(row)} for row in made["units"])
    tables["times_units"] = Table("More units: times of all searches of a step", rows, _TIMES_NOTE)
    return tables


_TIMES_NOTE = (
    "Processor time. By how many times mending is faster than "
    + "; than ".join(f"{name}: {about}" for name, about in _OTHERS.items())
    + ". Slower: steps after the first at which mending takes longer than A*. In total: with the first step. "
    + "A* later, step: if mending gives the next step alone, for which A* has to find the whole way."
)


def _key(row: Row) -> dict[str, object]:
    return {
        "map": row["map"],
        "cells": f"{row['side']} × {row['side']}",
        "of changes": row["changes"],
        "part": row["where"],
    }


def _units_key(row: Row) -> dict[str, object]:
    return {"of units": row["units"], "cells": f"{row['side']} × {row['side']}"}


def _counted(row: Row) -> dict[str, object]:
    own = {name: value for name, value in row.items() if name in _COUNTS}
    share = row["expanded by A*"] / max(row["expanded"], 1), row["expanded anew"] / max(row["expanded"], 1)
    return {**own, "A* / mended": share[0], "anew / mended": share[1]}


_COUNTS = (
    "steps",
    "searches",
    "changed a step",
    "equal costs",
    "without a way",
    "expanded first",
    "expanded",
    "expanded anew",
    "expanded by A*",
)


def _timed(row: Row) -> dict[str, object]:
    """Return the times of a run that is measured once."""
    times = row["times"]
    best, anew = ratios(times, "whole way", "A*"), ratios(times, "mended", "anew")
    return {
        "first ms": times["mended"][0],
        "mended ms": median(times["mended"][1:]),
        "anew ms": median(times["anew"][1:]),
        "whole way ms": median(times["whole way"][1:]),
        "A* ms": median(times["A*"][1:]),
        "A* median": best["median"],
        "A* best": best["best"],
        "A* worst": best["worst"],
        "slower": best["slower"],
        "A* later": best["later"],
        "A* in total": best["total"],
        "A* later, step": ratios(times, "mended", "A*")["later"],
        "anew best": anew["best"],
        "anew in total": anew["total"],
    }


def _by(rows: Sequence[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Return rows in groups that agree in some values."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def _crossing_counts(rows: Sequence[Row], name: str) -> Table:
    made: list[dict[str, object]] = []
    for (kind,), of in _by(rows, name).items():
        total = {
            column: sum(row[column] for row in of)
            for column in ("searches", "equal costs", "without expansion", "left out")
        }
        made.append(
            {
                "map": kind,
                "seeds": len(of),
                "steps": median(row["steps"] for row in of),
                **total,
                **{column: median(row[column] for row in of) for column in _COUNTS[-4:]},
                "anew / mended": median(row["expanded anew"] / row["expanded"] for row in of),
                "A* / mended": median(row["expanded by A*"] / row["expanded"] for row in of),
            }
        )
    return Table(
        "The source's experiment: expansions",
        tuple(made),
        "Four units cross a map of 20 × 20, 4 neighbours. Medians over seeds, of walks with the first step. Searches, "
        "equal costs (of the mended way, that of a new search and that of A*), searches without an expansion and maps "
        "left out because not all units arrive: sums.",
    )


def _crossing_times(rows: Sequence[Row], title: str) -> Table:
    made: list[dict[str, object]] = []
    for (kind, side), of in _by(rows, "map", "side").items():
        walks = [{line: np.asarray(row["times"][line]) for line in LINES} for row in of]
        calls = [row["searches"] for row in of]
        made.append(
            {
                "map": kind,
                "cells": f"{side} × {side}",
                "seeds": len(of),
                "first step": Spread([walk[_SCRATCH][0].sum() / walk[_MENDED][0].sum() for walk in walks]),
                "best search": Spread([_best_search(walk[_SCRATCH], walk[_MENDED]) for walk in walks]),
                "best step": Spread([_best(walk[_SCRATCH], walk[_MENDED]) for walk in walks]),
                "best, all under way": Spread(
                    [_best(w[_SCRATCH], w[_MENDED], row["all under way"]) for w, row in zip(walks, of, strict=True)]
                ),
                "best step, new search": Spread([_best(walk[_NEW], walk[_MENDED]) for walk in walks]),
                "in total": Spread([_sum(walk, _SCRATCH) for walk in walks]),
                "in total, new search": median(_sum(walk, _NEW) for walk in walks),
                "A* in total": median(_sum(walk, "A*", _WHOLE) for walk in walks),
                "A*, tables ready, in total": median(_sum(walk, "A*, tables ready", _WHOLE) for walk in walks),
                **{
                    f"{line} µs": median(w[line].sum() / n / 1000 for w, n in zip(walks, calls, strict=True))
                    for line in LINES
                },
            }
        )
    return Table(
        title,
        tuple(made),
        "By how many times the incremental search is faster than the same code from scratch. Both take the changes and "
        "give the step in one call, the same; from scratch the search has forgotten all but the prices before the "
        "clock runs. New search: an object that is made at each step, in its time. A* gives whole ways, and so does "
        "the incremental search beside it, in two calls. Times are medians of 20 repeats, ratios medians over seeds "
        "[least, most]. Best: of all steps after the first; search: of one unit, step: of all that are under way. "
        "µs: mean of a search.",
    )


def _plain_times(rows: Sequence[Row]) -> Table:
    made: list[dict[str, object]] = []
    for (kind,), of in _by(rows, "map").items():
        walks = [{line: np.asarray(values) for line, values in row["times"].items()} for row in of]
        made.append(
            {
                "map": kind,
                "seeds": len(of),
                "first step": Spread([walk[_SCRATCH][0].sum() / walk[_MENDED][0].sum() for walk in walks]),
                "best search": Spread([_best_search(walk[_SCRATCH], walk[_MENDED]) for walk in walks]),
                "best step": Spread([_best(walk[_SCRATCH], walk[_MENDED]) for walk in walks]),
                "in total": Spread([_sum(walk, _SCRATCH) for walk in walks]),
            }
        )
    return Table(
        "The source's experiment without the compiler: times",
        tuple(made),
        "Than the same code from scratch, by the same call. Times are medians of three repeats. Best search: of one "
        "unit, best step: of all that are under way.",
    )


def _best(other: NDArray[np.float64], own: NDArray[np.float64], steps: int | None = None) -> float:
    return float((other[1:steps].sum(axis=1) / own[1:steps].sum(axis=1)).max())


def _best_search(other: NDArray[np.float64], own: NDArray[np.float64]) -> float:
    there = own[1:] > 0
    return float((other[1:][there] / own[1:][there]).max())


def _sum(walk: Mapping[str, NDArray[np.float64]], line: str, own: str = _MENDED) -> float:
    return float(walk[line].sum() / walk[own].sum())


def curves(rows: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
    """Return ms of each step by line for each setting: medians over the seeds that take at least so many steps.

    The curve ends where half of the walks have.
    """
    made: dict[str, dict[str, list[float]]] = {}
    for (kind,), of in _by(rows, "map").items():
        last = int(median(row["steps"] for row in of))
        made[kind] = {
            line: [
                median(row["times"][line][step].sum() / 1e6 for row in of if row["steps"] > step)
                for step in range(last)
            ]
            for line in LINES
        }
    return made
