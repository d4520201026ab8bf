"""What the source advises, held against the tables of every search and every discretisation.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011). G and a number
is a piece of its guide to which method suits which application; it gives few figures for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

import numpy as np

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.planning_searches import QUERIES
from anabasis.result import Status

__all__ = ["findings", "game_findings"]

_LIMIT = Status.LIMIT.value


def findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what the source advises, held against the tables searches and spaces."""
    return _findings(tables["searches"], tables["spaces"], "")


def game_findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return the same, held against the tables searches-games and spaces-games."""
    return _findings(tables["searches-games"], tables["spaces-games"], " on maps of games")


def _findings(searches: Table, spaces: Table, where: str) -> list[Finding]:
    def by(table: Table, key: str, name: str, column: str) -> list[float]:
        """The numbers of a method for both queries, map by map."""
        rows = [row for row in table.rows if row[key] == name]
        return [_number(row.get(f"{query} {column}")) for query in QUERIES for row in rows]

    def pair(key: str, table: Table, one: str, other: str, column: str) -> list[float]:
        pairs = zip(by(table, key, one, column), by(table, key, other, column), strict=True)
        return [a / b for a, b in pairs if isfinite(a) and isfinite(b) and b > 0]

    optimal = [row for row in searches.rows if row.get("optimal") and row.get("refused") is None]
    missed = [
        f"{row['method']} ({query})"
        for row in optimal
        for query in QUERIES
        if row.get(f"{query} status") not in (None, "solved", _LIMIT)
    ]
    gave_up = sorted({str(row["method"]) for row in optimal for q in QUERIES if row.get(f"{q} status") == _LIMIT})
    exact = [
        _number(row.get(f"{query} excess %"))
        for row in optimal
        if row.get("any angle") or row["space"] == "world"
        for query in QUERIES
    ]
    exact = [value for value in exact if isfinite(value)]
    lengths: dict[tuple[str, str], list[float]] = {}
    for row in optimal:
        for query in QUERIES:
            if row["space"] == "grid" and not row.get("any angle") and row.get(f"{query} l px") is not None:
                lengths.setdefault((str(row.get("map")), query), []).append(_number(row[f"{query} l px"]))
    apart = max((max(of) / min(of) - 1 for of in lengths.values()), default=0.0)
    polygons = pair("discretisation", spaces, "tangents", "square-8", "A* ms")
    mesh = pair("discretisation", spaces, "mesh-graph-sides", "square-8", "A* ms")
    mesh_excess = np.nanmean(by(spaces, "discretisation", "mesh-graph-sides", "excess %"))
    grid_excess = np.nanmean(by(spaces, "discretisation", "square-8", "excess %"))
    angle = [np.nanmean(by(searches, "method", name, "excess %")) for name in ("theta", "astar")]
    random = by(searches, "method", "rrt", "excess %")
    return [
        Finding(
            f"G1{where}: every search that promises shortest ways finds one, of any angle or from cell to cell",
            "not measured",
            f"{len(optimal)} rows; above the optimum by {max(exact):.1e} % at most, those from cell to cell "
            f"{100 * apart:.1e} % apart; missed: "
            f"{', '.join(missed) or 'none'}; gave up at the limit: {', '.join(gave_up) or 'none'}",
            not missed and max(exact) < 1e-6 and apart < 1e-9,
        ),
        Finding(
            f"G2{where}: for many units, polygonal maps: their searches are faster than those on a fine grid",
            "12 ms at most against 26 to 38,728 ms",
            f"A* on tangents takes {min(polygons):.3f} to {max(polygons):.3f} of its time on squares",
            max(polygons) < 1,
        ),
        Finding(
            f"G3{where}: A* on a navigation mesh is faster than on a grid (advised, not tested)",
            "not measured",
            f"{min(mesh):.3f} to {max(mesh):.3f} of the time on squares; ways {mesh_excess:.1f} % above the shortest "
            f"in the mean, on squares {grid_excess:.1f} %",
            max(mesh) < 1,
        ),
        Finding(
            f"G4{where}: on a grid search at any angle, for its ways are shorter",
            "1.02 to 1.06 times shorter",
            f"Theta* {angle[0]:.2f} % above the shortest way in the mean, A* {angle[1]:.2f} %",
            bool(angle[0] < angle[1]),
        ),
        Finding(
            f"G5{where}: RRT for random ways: at most twice the shortest",
            "1.955 times at most, in free space",
            ", ".join("no way" if not isfinite(value) else f"{1 + value / 100:.2f}" for value in random) + " times",
            all(value <= 100 for value in random),
        ),
    ]


def _number(value: object) -> float:
    return float("nan") if value is None else float(str(value))
