"""The study of formations: what the source found, held against our marches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.formation_factors import BEYOND, FACTORS, Factor
from anabasis.lab.studies.formation_study import Move
from anabasis.lab.studies.formation_tables import medians_of, of_option, ways_of
from anabasis.lab.studies.planning_record import Table

__all__ = ["formation_findings"]

_CLOSE = 0.04  # within which the source's methods of synchronisation lie


def formation_findings(moves: Sequence[Move], tables: Mapping[str, Table]) -> list[Finding]:
    """Return what is reproduced and what not, on median E_1 over all marches that came to an end."""
    planning, synchronisation, paths, passing = FACTORS
    return [
        *_of_planning(medians_of(moves, planning, "e1")),
        *_of_synchronisation(medians_of(moves, synchronisation, "e1")),
        *_of_paths(moves, paths),
        *_of_passing(moves, passing),
        *_of_influence(tables),
        *_of_beyond(moves),
    ]


def _of_planning(e1: Mapping[str, float]) -> list[Finding]:
    """Return the order of the planners; what was not run is left out."""
    bends = {name: value for name, value in e1.items() if name.startswith("bends")}
    stages = [(name, [e1[name]] if name in e1 else []) for name in ("periodic 3, 2", "periodic 5, 3")]
    stages.append(("by bends", list(bends.values())))
    stages += [(name, [e1[name]] if name in e1 else []) for name in ("periodic 10, 5", "trivial")]
    there = {"periodic 3, 2": "5.4", "periodic 5, 3": "8.7", "by bends": "11.0 to 13.2", "periodic 10, 5": "16.3"}
    found: list[Finding] = []
    for (better, some), (worse, others) in pairwise(stages):
        if some and others:
            claim = f"{better} is better than {worse}, thousands of E_1"
            source = f"{there[better]} and {there.get(worse, '21.3')}"
            found.append(Finding(claim, source, f"{_range(some)} and {_range(others)}", max(some) < min(others)))
    if len(bends) > 1:
        best = min(bends, key=lambda name: bends[name])
        said = ", ".join(f"{name}: {value / 1000:.2f}" for name, value in sorted(bends.items()))
        found.append(
            Finding("of all by bends 10 degrees are the best", "11.0 of 11.0 to 13.2", said, best == "bends 10")
        )
    if "periodic 3, 2" in e1 and "trivial" in e1:
        gain = 1 - e1["periodic 3, 2"] / e1["trivial"]
        claim = "periodic 3, 2 is at least 60 % below trivial"
        found.append(Finding(claim, "74.7 %", f"{100 * gain:.1f} %", gain >= 0.6))
    return found


def _of_synchronisation(e1: Mapping[str, float]) -> list[Finding]:
    """Return what synchronisation gains, and how near the methods are to one another."""
    there = {"multiplicative": "31.0 %", "additive": "30.7 %", "adaptive": "28.6 %"}
    methods = {name: e1[name] for name in there if name in e1}
    found = [
        Finding(
            f"{name} synchronisation is at least 20 % below none",
            there[name],
            f"{100 * (1 - value / e1['none']):.1f} %",
            value <= 0.8 * e1["none"],
        )
        for name, value in methods.items()
    ]
    if len(methods) == len(there):
        wide = max(methods.values()) / min(methods.values()) - 1
        claim = "the three methods of synchronisation are within 4 % of each other"
        found.append(Finding(claim, "3.5 %", f"{100 * wide:.1f} %", wide <= _CLOSE))
    return found


def _of_paths(moves: Sequence[Move], paths: Factor) -> list[Finding]:
    """Return what the combined search space gains, and that it does not on the road."""
    on_road = [m for m in moves if m.scenario == "road"]
    change, there = (_change(medians_of(some, paths, "e1"), "combined", "simple") for some in (moves, on_road))
    return [
        Finding("the combined space is better than simple paths", "-13.8 %", _percent(change), _below(change, 0.0)),
        Finding(
            "on the road, with its many bends, the combined space gains nothing",
            "inconclusive, sometimes worse",
            _percent(there),
            None if there is None else there > -0.05,
        ),
    ]


def _of_passing(moves: Sequence[Move], passing: Factor) -> list[Finding]:
    """Return what stepping aside costs, and what it is for."""
    change = _change(medians_of(moves, passing, "e1"), "displacement", "none")
    touching = {
        option: sum(m.values["collision_seconds"] for m in of_option(moves, passing.name, option))
        for option in passing.options
    }
    fewer = _change(touching, "displacement", "none")
    dearer = None if change is None else change > 0
    return [
        Finding("stepping aside raises the error of the shape", "+19.8 %", _percent(change), dearer),
        Finding("stepping aside lowers the seconds of collisions", "not there", _percent(fewer), _below(fewer, 0.0)),
    ]


def _change(values: Mapping[str, float], option: str, baseline: str) -> float | None:
    """Return by what share one value is above another, None if it can't be said."""
    if option not in values or not values.get(baseline):
        return None
    return values[option] / values[baseline] - 1


def _percent(change: float | None) -> str:
    return "not run" if change is None else f"{100 * change:+.1f} %"


def _below(change: float | None, limit: float) -> bool | None:
    return None if change is None else change < limit


def _of_influence(tables: Mapping[str, Table]) -> list[Finding]:
    """Return where planning and synchronisation matter most and least."""
    scenarios, formations = tables["scenarios"], tables["formations"]

    def order(made: Table, what: str, factor: str) -> list[str]:
        rows = [row for row in made.rows if row.get(factor) is not None]
        return [str(row[what]) for row in sorted(rows, key=lambda row: -float(str(row[factor])))]

    planners, least = order(scenarios, "scenario", "planning"), order(formations, "formation", "planning")
    synchronised = order(scenarios, "scenario", "synchronisation")
    there = ["canyon", "swamp", "bend", "road", "training_ground", "turnaround"]
    narrow = order(formations, "formation", "synchronisation")
    return [
        Finding("planning matters most in the swamp", "by far", ", ".join(planners), planners[:1] == ["swamp"]),
        Finding("planning matters least for a column of 3", "by far", ", ".join(least), least[-1:] == ["column 3"]),
        Finding(
            "where synchronisation matters",
            ", ".join(there),
            ", ".join(synchronised),
            synchronised == there,
        ),
        Finding(
            "synchronisation matters less for columns than for squares and diamonds",
            "columns have no width",
            ", ".join(narrow),
            _columns_last(narrow),
        ),
    ]


def _columns_last(order: Sequence[str]) -> bool | None:
    """Tell whether columns come after all squares and diamonds."""
    columns = [place for place, name in enumerate(order) if name.startswith("column")]
    wide = [place for place, name in enumerate(order) if name.startswith(("square", "diamond"))]
    return min(columns) > max(wide) if columns and wide else None


def _of_beyond(moves: Sequence[Move]) -> list[Finding]:
    """Return how far our best way is below the best of the source."""
    ways = ways_of(moves)
    own = {method: name for name, method in BEYOND.items() if method in ways}
    theirs = [method for method in ways if method not in own]
    if not own or not theirs:
        return []

    def e1(method: str) -> float:
        return median(m.values["e1"] for m in ways[method])

    def whole(method: str, value: str) -> float:
        return sum(m.values[value] for m in ways[method])

    best, ours = min(theirs, key=e1), min(own, key=e1)
    gain = 1 - e1(ours) / e1(best)
    later = whole(ours, "duration") / whole(best, "duration") - 1
    fewer, before = whole(ours, "collisions"), whole(best, "collisions")
    return [
        Finding(
            f"beyond the source: {own[ours]} is at least 25 % below its best way, no later, with fewer collisions",
            "not there",
            f"{100 * gain:.1f} % below, {100 * later:+.1f} % of seconds, {fewer:.0f} collisions beside {before:.0f}",
            gain >= 0.25 and later <= 0 and fewer < before,
        )
    ]


def _range(values: Sequence[float]) -> str:
    low, high = (f"{value / 1000:.2f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
