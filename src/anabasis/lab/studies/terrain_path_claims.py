"""What the source claims of its ways, C12 to C24, held against the tables of the study.

The source is a Czech bachelor's thesis on path finding on generated terrain for strategy games, 2014; figures "by a
prototype" are a third party's, as in `terrain_claims`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_claims import number, pick, span
from anabasis.lab.studies.terrain_queries import SEARCHES

__all__ = ["findings"]

Tables = Mapping[str, Table]

_SOURCE, _OCTILE, _DIJKSTRA = "A*, Manhattan (the source's)", "A*, octile", "Dijkstra (H = 0)"
_SPORADIC = 25.0  # % of ways; the source has no number


def findings(tables: Tables) -> list[Finding]:
    """Return the claims on ways."""
    return [
        _complete(tables),
        _direct(tables),
        _round(tables),
        _nearest(tables),
        _two_levels(tables),
        _ahead(tables),
        _informed(tables),
        _shortest(tables),
        _greedy(tables),
        _weights(tables),
        _euclidean(tables),
        _deviating(tables),
        _whole(tables),
        _simplex(tables),
    ]


def _total(table: Table, *names: str, **wanted: object) -> list[float]:
    """Return the sums of columns over the rows with some values."""
    rows = pick(table, **wanted)
    return [sum(number(row, name) for row in rows) for name in names]


def _searched(tables: Tables, method: str, column: str) -> list[float]:
    """Return a column of a search, preset by preset."""
    return [number(row, column) for row in pick(tables["searches"], method=method)]


def _complete(tables: Tables) -> Finding:
    queries, there, errs, fine = _total(tables["answers"], "queries", "with a way", "A* errs", "refined errs")
    return Finding(
        "C12: A* finds a way on generated terrain whenever there is one",
        "no figure",
        f"{queries:.0f} queries, {there:.0f} with a way by flooding: {errs:.0f} answered otherwise, refined {fine:.0f}",
        0 < there < queries and errs == fine == 0,
    )


def _direct(tables: Tables) -> Finding:
    table = tables["scenarios"]
    kind, other = list(dict.fromkeys(row["part"] for row in table.rows))[:2]
    queries, lines, on = _total(table, "queries", "one line", "on the direct line", part=kind)
    more, direct = _total(table, "queries", "one line", part=other)
    return Finding(
        "C13: with nothing in the way the smoothed way joins its ends directly",
        "scenario 1",
        f"{lines:.0f} of {queries:.0f} ways are one line, {on:.0f} cell by cell on Bresenham's; where other ground "
        f"beside the free direct line is blocked {direct:.0f} of {more:.0f}",
        queries > 0 and lines == on == queries,
    )


def _round(tables: Tables) -> Finding:
    kind = list(dict.fromkeys(row["part"] for row in tables["scenarios"].rows))[2]
    queries, walked, short = _total(tables["scenarios"], "queries", "walked", "no longer than raw", part=kind)
    rows = pick(tables["smoothing"], method="10 nodes")
    blocked, steps, long = (sum(number(r, n) for r in rows) for n in ("blocked lines", "onesteps", "longer than raw"))
    visible, excess, worst = ([number(r, n) for r in rows] for n in ("ways 2 % above", "above best %", "worst %"))
    return Finding(
        "C14: round obstacles a way is found, and its smoothing is imperfect only sporadically",
        "scenario 2 and figure 16. Bar here: a quarter of the ways 2 % above",
        f"{walked:.0f} of {queries:.0f} ways can be walked, {short:.0f} are no longer than before; {blocked:.0f} "
        f"lines meet blocked cells, all {steps:.0f} from corner to corner. Above the best choice of nodes by "
        f"{span(excess)} % in the mean, {max(worst):.1f} % at most; by 2 % and more {span(visible, 0)} % of the ways",
        queries > 0
        and walked == short == queries
        and blocked == steps
        and long == 0
        and max(visible) <= _SPORADIC
        and max(worst) > 0,
    )


def _nearest(tables: Tables) -> Finding:
    names = "queries", "no way by itself", "goal rewritten", "ends at it", "in reach", "least H"
    queries, *checks = _total(tables["nearest"], *names)
    return Finding(
        "C15: without a way the searched place with the least H becomes the goal",
        "scenario 3",
        f"{queries:.0f} goals out of reach; "
        + ", ".join(f"{name} {value:.0f}" for name, value in zip(names[1:], checks, strict=True)),
        queries > 0 and all(value == queries for value in checks),
    )


def _two_levels(tables: Tables) -> Finding:
    rows = tables["ratios"].rows
    texts = [
        f"R = {ratio:.0f}: {span([number(row, 'fine / coarse') for row in pick(tables['ratios'], ratio_R=ratio)], 1)}"
        for ratio in dict.fromkeys(number(row, "ratio R") for row in rows)
    ]
    part = [number(row, "share of R²") for row in rows]
    return Finding(
        "C16: two levels reduce the searched nodes considerably, by construction R² to one",
        "no figure (by a prototype, R = 4: island 14.2, lake 14.8). Bar here: 0.6 of R²",
        f"times as many expansions over fine cells: {'; '.join(texts)}; that is {span(part)} of R², less "
        "than one, as along open straight ways a search grows by R only",
        all(0.6 <= value <= 1.1 for value in part) and len(texts) > 1,
    )


def _ahead(tables: Tables) -> Finding:
    table = tables["smoothing"]
    maps = dict.fromkeys(row["map"] for row in table.rows)
    lines = {name: [number(row, "lines") for row in pick(table, map=name)] for name in maps}
    left = [number(row, "ways above") for row in pick(table, method="all nodes")]
    before = [number(row, "ways above") for row in pick(table, method="0 nodes")]
    texts = [f"{name} {' / '.join(f'{v:.2f}' for v in values[1:])}" for name, values in lines.items()]
    return Finding(
        "C17: looking ahead makes flaws fewer and less visible, and does not remove all",
        "figures 15 and 16 (by a prototype: island 7.46 / 6.51 / 6.05 / 5.82 / 5.71, lake 7.44 / 5.92 / 5.48 / 5.25 / "
        "4.91, random 14.00 / 12.15 / 11.07 / 10.71 / 10.44)",
        f"lines with 0 / 2 / 5 / 10 / all nodes ahead: {'; '.join(texts)}; of the ways {span(before, 0)} % are above "
        f"the best choice without, {span(left, 0)} % with all nodes ahead",
        bool(lines)
        and all(a >= b for values in lines.values() for a, b in pairwise(values))
        and all(values[1] > values[-1] for values in lines.values())
        and min(left) > 0
        and max(left) <= max(before),
    )


def _informed(tables: Tables) -> Finding:
    dijkstra, octile, source = (_searched(tables, name, "expanded") for name in (_DIJKSTRA, _OCTILE, _SOURCE))
    times = [[a / b for a, b in zip(dijkstra, other, strict=True)] for other in (source, octile)]
    return Finding(
        "C18: A* expands far fewer nodes than Dijkstra",
        "figures 9 and 14 (by a prototype: Manhattan 301 / 768 / 598, octile 587 / 1254 / 832, Euclidean 724 / 1467 / "
        "912, Dijkstra 2997 / 5130 / 2018). Bar here: twice",
        "expansions for island / lake / random: "
        + ", ".join(
            f"{name.split(' (')[0]} {' / '.join(f'{v:.0f}' for v in _searched(tables, name, 'expanded'))}"
            for name in (_SOURCE, _OCTILE, "A*, Euclidean", _DIJKSTRA)
        )
        + f"; Dijkstra {span(times[0], 1)} times as many as the source's, {span(times[1], 1)} times as octile",
        all(value > 2 for part in times for value in part) and bool(dijkstra),
    )


def _shortest(tables: Tables) -> Finding:
    above, longer, worst = (_searched(tables, _SOURCE, name) for name in ("above least %", "longer %", "worst above %"))
    octile = _searched(tables, _OCTILE, "worst above %")
    return Finding(
        "Beside C18: the way over terrain is optimal",
        "said; with Manhattan it can't be (longer by a prototype: 22 / 5 / 24 % of the ways, by 0.3 / 0.1 / 0.5 % "
        "in the mean, one by 10.5 %)",
        f"with the source's Manhattan {' / '.join(f'{v:.0f}' for v in longer)} % of the ways are longer, all by "
        f"{' / '.join(f'{v:.2f}' for v in above)} % in the mean, one by {max(worst):.1f} %; with octile none. The "
        "reason: a diagonal step of 1.41 counts 2 in Manhattan, and closed nodes are not opened again",
        max(worst) <= 0 and max(octile) <= 0,
    )


def _greedy(tables: Tables) -> Finding:
    trap = tables["trap"].column("greedy / best")
    worst, mean = (_searched(tables, "greedy", name) for name in ("worst above %", "above least %"))
    return Finding(
        "C19: greedy search can prolong the way much",
        "figure 8. Bars here: 1.2 times in halls, 20 % on terrain",
        f"{span(trap)} times the shortest in halls that are closed to the goal; on terrain {span(mean, 0)} % longer in "
        f"the mean, {max(worst):.0f} % at most",
        min(trap) > 1.2 and max(worst) > 20,
    )


def _weights(tables: Tables) -> Finding:
    names = [name for name in SEARCHES if name.startswith("weight")]
    at = names.index("weight 1.5")
    names = [*names[:at], _OCTILE, *names[at:]]
    expanded, above = ([_searched(tables, name, column) for name in names] for column in ("expanded", "above least %"))
    dijkstra, quick = _searched(tables, _DIJKSTRA, "expanded"), _searched(tables, "greedy", "expanded")
    apart = [abs(a / b - 1) for a, b in zip(expanded[-1], quick, strict=True)]
    weights = ["1" if name == _OCTILE else name.removeprefix("weight ") for name in names]
    texts = [f"{w}: {span(e, 0)} at {span(a, 1)} %" for w, e, a in zip(weights, expanded, above, strict=True)]
    return Finding(
        "C20: the more H weighs, the fewer nodes and the longer the way; H = 0 is Dijkstra, G = 0 greedy",
        "no figure",
        f"expansions, at ways so much above the least, by weight {'; '.join(texts)}. Weight 0 expands what Dijkstra "
        f"does, the greatest within {100 * max(apart):.1f} % of what greedy does",
        all(a >= b for one, other in pairwise(expanded) for a, b in zip(one, other, strict=True))
        and all(a <= b + 1e-12 for one, other in pairwise(above) for a, b in zip(one, other, strict=True))
        and expanded[0] == dijkstra
        and max(above[at]) == 0
        and min(above[-1]) > 0
        and max(apart) < 0.1,
    )


def _euclidean(tables: Tables) -> Finding:
    ours, source = (pick(tables["shapes"], method=name)[0] for name in ("euclidean", "manhattan"))
    names = "open: deviation %", "goal hidden: deviation %", "goal seen again: deviation %"
    gain = [number(source, name) / number(ours, name) for name in names]
    turns = [number(row, "open: turns") for row in (ours, source)]
    return Finding(
        "C21: Euclidean H improves the shape only where the way leads straight to the goal",
        "figures 10 and 11. Bars here: 1.25 times less, and at most 1.15",
        f"ways leave the direct line {gain[0]:.2f} times less than with Manhattan on open ground, {gain[2]:.2f} times "
        f"less once a wall is passed, {gain[1]:.2f} times where it hides the goal; at the price of {turns[0]:.1f} "
        f"turns in place of {turns[1]:.1f}",
        min(gain[0], gain[2]) > 1.25 and gain[1] < 1.15,
    )


def _deviating(tables: Tables) -> Finding:
    table = tables["scenarios"]
    kinds = list(dict.fromkeys(row["part"] for row in table.rows))[:2]
    rows = [row for kind in kinds for row in pick(table, part=kind)]
    before, after, saved = ([number(row, n) for row in rows] for n in ("raw deviation %", "deviation %", "saved %"))
    return Finding(
        "C22: unsmoothed ways in eight directions leave the direct line visibly",
        "figure 12. Bars here: more than 5 %, less than 1 %",
        f"by {span(before, 1)} % of its length in the mean where it is free, smoothed by {span(after, 1)} %; "
        f"{span(saved, 1)} % shorter",
        min(before) > 5 and max(after) < 1,
    )


def _whole(tables: Tables) -> Finding:
    looked, whole = _total(tables["answers"], "prices looked at", "all whole", unit="land unit")
    return Finding(
        "C23: prices in whole numbers do without floating point",
        "√2 · C rounded, C a power of ten",
        f"in {whole:.0f} of {looked:.0f} searches every G and H is whole, and the price is the sum of the steps",
        looked > 0 and whole == looked,
    )


def _simplex(tables: Tables) -> Finding:
    rows = tables["noises"].rows
    measured = [(number(r, "gradient: points, mostly"), number(r, "simplex: points, mostly")) for r in rows]
    written = [(number(r, "gradient: products"), number(r, "simplex: products")) for r in rows]
    dimensions = [int(number(row, "dimensions")) for row in rows]
    texts = [f"{d} dimensions {s:.0f} against {g:.0f}" for d, (g, s) in zip(dimensions, measured, strict=True)]
    products = [f"{s:.0f} against {g:.0f}" for g, s in written]
    part = [s / g for g, s in measured]
    return Finding(
        "C24: simplex noise is cheaper than gradient noise in higher dimensions",
        "n² against 2ⁿ",
        f"lattice points that shape a value, measured: {', '.join(texts)}; products as written: {', '.join(products)}. "
        "Times differ from run to run and stand apart",
        all(s < g for g, s in measured)
        and all(a > b for a, b in pairwise(part))
        and all(s < g for g, s in written[1:])
        and all(s <= d + 1 and g >= 2**d for d, (g, s) in zip(dimensions, measured, strict=True)),
    )
