"""What the source claims of discretisations, held against our tables of them.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011). C and a number
is a claim of its author, T and a number a target that follows from its tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table, power

__all__ = ["findings", "game_findings"]

_RISE = 1.2  # the exponent from which on something grows rapidly
_MOST, _SPAN = 12.4, 12.4  # ms of the source's slowest search, and how many times its fastest that is, at least


def findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what the source claims, held against the tables polygons, polygon-searches, grids and cover."""
    return [*_polygons(tables["polygons"], tables["polygon-searches"]), *_grids(tables["grids"]), *_cover(tables)]


def _polygons(polygons: Table, searches: Table) -> list[Finding]:
    n, search = polygons.column("obstacles"), searches.column("t ms")
    time, states, whole = (power(n, polygons.column(name)) for name in ("t_d ms", "m_d kB", "graph kB"))
    span = max(search) / min(search)
    return [
        Finding(
            "C1: time and memory of polygonal maps rise rapidly with the number of obstacles",
            "time ~ n^1.8; memory ~ n^0.9, which does not bear the claim out",
            f"time ~ n^{time:.2f}; memory of the states ~ n^{states:.2f}, of the whole graph ~ n^{whole:.2f}",
            time > _RISE and whole > _RISE,
        ),
        Finding(
            "C2: search on the visibility graph is fast and does not change dramatically",
            "below 1 to 12.4 ms, over 12 times from 16 to 86 obstacles",
            f"{min(search):.3f} to {max(search):.3f} ms, {span:.1f} times",
            max(search) < _MOST and span < _SPAN,
        ),
        Finding(
            "T3: 8 states for each obstacle; A* below 13 ms with 86",
            "688 states, 12.4 ms",
            f"{polygons.column('states')[-1]:.0f} states, {search[-1]:.3f} ms",
            polygons.column("states") == [8 * k for k in n] and search[-1] < 13,
        ),
    ]


def _grids(grids: Table) -> list[Finding]:
    edges = grids.column("a px")
    squares, hexagons, memory = (power(edges, grids.column(name)) for name in ("sq-8 t ms", "hex t ms", "sq-8 m kB"))
    row = {int(a): k for k, a in enumerate(edges)}
    ratio = grids.column("hex t ms")[row[5]] / grids.column("sq-8 t ms")[row[8]]
    faster = [a < b for a, b in zip(grids.column("hex t ms"), grids.column("sq-8 t ms"), strict=True)]
    fewer = [a < b for a, b in zip(grids.column("hex states"), grids.column("sq states"), strict=True)]
    exact = grids.column("sq states") == grids.column("source sq states")
    off = [abs(a / b - 1) for a, b in zip(grids.column("hex states"), grids.column("source hex states"), strict=True)]
    per = [1000 * m / s for m, s in zip(grids.column("sq-8 m kB"), grids.column("sq states"), strict=True)]
    eights = [a / b for a, b in zip(grids.column("sq-8 m kB"), grids.column("sq-4 m kB"), strict=True)]
    return [
        Finding(
            "C3: time and memory of grids fall rapidly as the edge grows",
            "time ~ a^-3.8 (squares) and a^-3.3 (hexagons), memory ~ a^-2",
            f"time ~ a^{squares:.2f} and a^{hexagons:.2f}, memory ~ a^{memory:.2f}: ours is linear in the states",
            squares < -1 and hexagons < -1 and memory < -1.8,
        ),
        Finding(
            "C4: hexagons are made faster, with fewer states (as in the source: at the same edge)",
            "faster and fewer in 9 of 9 rows; a hexagon is 2.6 times as large as a square of the same edge",
            f"faster than squares with 8 neighbours in {sum(faster)} of {len(faster)} rows, fewer in {sum(fewer)}",
            all(faster) and all(fewer),
        ),
        Finding(
            "C4, our own comparison: hexagons are made faster at about the same number of states",
            "449 ms (2006 hexagons) against 429 ms (2072 squares with 8 neighbours): not faster",
            f"hexagons of edge 5 took {ratio:.2f} of the time of squares of edge 8 with 8 neighbours",
            ratio < 0.95,
        ),
        Finding(
            "T1: numbers of states: squares exactly floor(W/a) · floor(H/a), hexagons within 3 %",
            "as printed",
            f"squares {'equal' if exact else 'differ'} in {len(edges)} rows, hexagons off by at most {max(off):.2%}, "
            f"{sum(o == 0 for o in off)} of {len(off)} equal",
            exact and max(off) <= 0.03,
        ),
        Finding(
            "T10: memory a state does not depend on the edge; 8 neighbours take about 1.8 times as much as 4",
            "58 to 59 B a state; 1.8",
            f"{min(per):.0f} to {max(per):.0f} B a state; {min(eights):.2f} to {max(eights):.2f}",
            max(per) / min(per) < 1.1 and 1.6 <= min(eights) <= max(eights) <= 2.0,
        ),
    ]


def _cover(tables: Mapping[str, Table]) -> list[Finding]:
    of = {(str(row["map"]), str(row["cells"])): float(str(row["cover"])) for row in tables["cover"].rows}
    (axes_s, axes_h), (diagonal_s, diagonal_h) = (
        (of[where, "square"], of[where, "hexagonal"]) for where in ("obstacles", "octagons")
    )
    return [
        Finding(
            "C5: hexagons leave less free area beside obstacles undescribed",
            "by eye; 74.8 and 75.1 % of the states kept: no difference",
            f"cover of free space by squares and hexagons: {axes_s:.3f} and {axes_h:.3f} along the axes, "
            f"{diagonal_s:.3f} and {diagonal_h:.3f} with diagonals, on maps of ours",
            axes_h > axes_s and diagonal_h > diagonal_s,
        ),
        Finding(
            "C6: squares suit regular obstacles along the axes better",
            "no number",
            f"cover of squares {axes_s:.3f}, of hexagons {axes_h:.3f}, on a map of ours with obstacles on multiples of "
            "10 pixels",
            axes_s > axes_h,
        ),
    ]


def game_findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what of the claims can be asked of maps of games, held against the same tables of them."""
    polygons, searches = tables["polygons-games"], tables["polygon-searches-games"]
    grids, cover = tables["grids-games"], tables["cover-games"]
    corners, join = polygons.column("states"), searches.column("t ms")
    rise = power(corners, polygons.column("tangent t_d ms")) if len(corners) > 1 else float("nan")
    counts = grids.column("sq states"), grids.column("free squares")
    falls = [
        power([float(str(row["a px"])) for row in rows], [float(str(row[name])) for row in rows])
        for rows in _by_map(grids)
        for name in ("sq-8 t ms", "sq-8 m kB")
    ]
    pairs = [tuple(float(str(row["cover"])) for row in rows) for rows in _by_map(cover)]
    better = sum(hexagon > square for square, hexagon in pairs)
    return [
        Finding(
            "C1 on maps of games: time of polygonal maps rises rapidly with the number of corners",
            "~ n^1.8 on its own maps",
            f"tangents alone, from {min(corners):.0f} to {max(corners):.0f} corners: ~ n^{rise:.2f}",
            rise > _RISE if len(corners) > 1 else None,
        ),
        Finding(
            "C2 on maps of games: search on the visibility graph takes at most 12.4 ms",
            "below 1 to 12.4 ms on its own maps",
            f"{min(join):.3f} to {max(join):.3f} ms",
            max(join) < _MOST,
        ),
        Finding(
            "C3 on maps of games: time and memory of grids fall rapidly as the edge grows",
            "time ~ a^-3.8, memory ~ a^-2 on its empty map",
            f"time ~ a^{max(falls[::2]):.2f} or faster, memory ~ a^{max(falls[1::2]):.2f} or faster",
            max(falls[::2]) < -1 and max(falls[1::2]) < -1.8,
        ),
        Finding(
            "C5 on maps of games: hexagons leave less free area beside obstacles undescribed",
            "not measured",
            f"on {better} of {len(pairs)} maps: cover of squares and hexagons "
            + ", ".join(f"{square:.3f} and {hexagon:.3f}" for square, hexagon in pairs),
            better == len(pairs),
        ),
        Finding(
            "T1 on maps of games: numbers of squares exactly those that are wholly free",
            "floor(W/a) · floor(H/a) on its empty map",
            f"equal in {sum(a == b for a, b in zip(*counts, strict=True))} of {len(counts[0])} rows",
            counts[0] == counts[1],
        ),
    ]


def _by_map(table: Table) -> list[list[Mapping[str, object]]]:
    names = dict.fromkeys(str(row["map"]) for row in table.rows)
    return [[row for row in table.rows if row["map"] == name] for name in names]
