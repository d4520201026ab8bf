"""What the source claims of incremental search, and what is expected of it, held against the tables of the study.

The source, a Ukrainian master's thesis on path finding for several units, 2021, shows a chart without numbers. What
stands beside a claim as "by a simulation" was measured by a third party, with maps that it chose.
"""

from __future__ import annotations

from collections.abc import Mapping

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_claims import number, pick, span

__all__ = ["count_findings", "time_findings"]

Tables = Mapping[str, Table]

_PEAK, _TOTAL, _SPREAD, _ORDERS = 16.0, 1.5, 0.25, 100.0
_SIMULATED = {"empty": 10.1, "20 % blocked": 6.9, "30 % blocked": 4.7, "20 % blocked, prices 1, 2, 8": 2.5}


def _each(table: Table, column: str, digits: int = 1) -> str:
    """Return a column as text, each number with the map of its row."""
    return "; ".join(f"{row['map']}: {number(row, column):.{digits}f}" for row in table.rows)


def count_findings(tables: Tables) -> list[Finding]:
    """Return what is found by counting, the same in every run."""
    return [_equal(tables), _expansions(tables), _few(tables)]


def _equal(tables: Tables) -> Finding:
    searches = equal = 0.0
    for table in tables.values():
        for row in table.rows:
            searches += number(row, "searches")
            equal += number(row, "equal costs")
    return Finding(
        "mended ways cost as much as those from scratch and those of A*, at each step",
        "by construction",
        f"at {equal:,.0f} of {searches:,.0f} searches",
        searches > 0 and equal == searches,
    )


def _expansions(tables: Tables) -> Finding:
    table = tables["crossing"]
    near = [abs(number(row, "anew / mended") / _SIMULATED[str(row["map"])] - 1) <= _SPREAD for row in table.rows]
    simulated = "; ".join(f"{name}: {value}" for name, value in _SIMULATED.items())
    return Finding(
        "expansions from scratch, in times of those of the incremental search, within 25 %",
        f"by a simulation: {simulated}",
        _each(table, "anew / mended"),
        len(near) == len(_SIMULATED) and all(near),
    )


def _few(tables: Tables) -> Finding:
    rows = pick(tables["moving"], of_changes=1)
    shares = [number(row, "anew / mended") for row in rows]
    return Finding(
        "the effort follows the vertices whose distance changes and matters, not the size of the map",
        "no figure. Bar here: 100 times fewer expansions with one changed cell a step",
        f"{span(shares, 0)} times fewer on {len(rows)} maps",
        min(shares) >= _ORDERS,
    )


def time_findings(tables: Tables, counts: Tables) -> list[Finding]:
    """Return what is found by timing."""
    return [
        _first(tables),
        *(_peak(tables, best) for best in _READINGS),
        *(_plain(tables, best) for best in _READINGS),
        _total(tables),
        _astar(tables),
        _units(tables),
        _changes(tables, counts),
        _fixed(tables),
    ]


def _first(tables: Tables) -> Finding:
    table = tables["times_crossing"]
    values = table.column("first step")
    return Finding(
        "the first step takes as long with and without reuse",
        "equal. Bar: within 25 %",
        _each(table, "first step", 2),
        all(1 - _SPREAD <= value <= 1 + _SPREAD for value in values),
    )


def _peak(tables: Tables, best: str) -> Finding:
    """Judge one of the two readings of the source's chart, which doesn't tell whose time it shows."""
    table = tables["times_crossing"]
    measured = _each(table, best)
    if best == "best step":
        measured += f" (than a new search object {span(table.column('best step, new search'), 1)})"
    if "times_sides" in tables:
        sides = tables["times_sides"].rows
        measured += "; bigger maps: " + ", ".join(f"{row['cells']} {number(row, best):.0f}" for row in sides)
    return Finding(
        f"{_READINGS[best]} up to 16 times faster with reuse, compiled, by the same call from Python on both sides",
        "16. Bar: the median over seeds of the best, on each setting",
        measured,
        min(table.column(best)) >= _PEAK,
    )


_READINGS = {"best search": "later searches of a unit are", "best step": "later steps of all units together are"}


def _plain(tables: Tables, best: str) -> Finding:
    claim = f"{_READINGS[best]} up to 16 times faster with reuse, without the compiler"
    table = tables.get("times_plain")
    source = "16; by a simulation in Python 65, 31, 28, 27, whether of one or all is not told"
    if table is None:
        return Finding(claim, source, "left out of the quick study", None)
    return Finding(claim, source, _each(table, best), min(table.column(best)) >= _PEAK)


def _total(tables: Tables) -> Finding:
    table, plain = tables["times_crossing"], tables.get("times_plain")
    other = "" if plain is None else f"; without the compiler {_each(plain, 'in total', 2)}"
    return Finding(
        "a whole walk is faster with reuse",
        "no figure; by a simulation 5.7, 3.8, 2.3, 1.5. Bar: 1.5 on each setting",
        f"{_each(table, 'in total', 2)} (than a new search object {span(table.column('in total, new search'))}){other}",
        min(table.column("in total")) >= _TOTAL,
    )


def _astar(tables: Tables) -> Finding:
    table = tables["times_crossing"]
    alone = table.column("A*, tables ready, in total")
    return Finding(
        "considerably faster than algorithms based on A*, on the source's set-up, if both give whole ways",
        "not measured. Bar here: 1.5 in total on each setting, even if A* has its tables of the map ready",
        f"{_each(table, 'A* in total', 2)}; with tables ready {span(alone)}",
        min(alone) >= _TOTAL,
    )


def _units(tables: Tables) -> Finding:
    rows = tables["times_units"].rows
    texts = [f"{row['of units']}: {number(row, 'anew in total'):.2f}" for row in rows]
    others = [f"{row['of units']}: {number(row, 'A* in total'):.2f}" for row in rows]
    return Finding(
        "with more units moving at once the whole is faster by several orders of magnitude",
        "extrapolated. Bar here: 100 times with the greatest number of units",
        f"by units, than the same search begun anew {', '.join(texts)}; than A* {', '.join(others)}",
        number(rows[-1], "anew in total") >= _ORDERS,
    )


def _changes(tables: Tables, counts: Tables) -> Finding:
    rows = tables["times_moving"].rows
    parts: list[str] = []
    for changes in dict.fromkeys(number(row, "of changes") for row in rows):
        of = [number(row, "A* later") for row in pick(tables["times_moving"], of_changes=changes)]
        parts.append(f"{changes:,.0f}: {span(of)}")
    few = [number(row, "A* later") for row in pick(tables["times_moving"], of_changes=1)]
    step = span([number(row, "A* later, step") for row in pick(tables["times_moving"], of_changes=1)])
    steps = sum(number(row, "steps") - 1 for row in counts["moving"].rows)
    slower = sum(number(row, "slower") for row in rows)
    return Finding(
        "on bigger maps a moving unit is faster with D* Lite than with A* from scratch, if little changes",
        "no figure. Bar here: faster on all maps with one changed cell a step",
        f"whole ways after the first, by changed cells: {'; '.join(parts)}; the next step alone, with one: "
        f"{step}. Slower at {slower:,.0f} of {steps:,.0f} steps",
        min(few) > 1,
    )


def _fixed(tables: Tables) -> Finding:
    table = tables["times_fixed"]
    parts: list[str] = []
    for place in dict.fromkeys(str(row["part"]) for row in table.rows):
        of = [number(row, "A* later") for row in pick(table, part=place, of_changes=1)]
        parts.append(f"{place} {span(of)}")
    few = [number(row, "A* later") for row in pick(table, part="anywhere", of_changes=1)]
    return Finding(
        "between fixed ends LPA* is faster than A* from scratch, if little changes far from its start",
        "no figure. Bar here: faster on all maps with one changed cell a step anywhere",
        f"with one changed cell a step: {'; '.join(parts)}",
        min(few) > 1,
    )
