"""Ranking: which method brought the last unit to its target first, and how sure that is.

The measure is the arrival of the last unit, its median over the seeds, as a ratio to the best method of the scenario,
as in Pacovský: Navigation of units in video games using flow networks, 2019. Beyond the thesis: intervals over paired
seeds, and a method that leaves units behind, or whose runs fail, is flagged and never declared the best. No sentence
says "faster" when the interval of the ratio contains 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from anabasis.lab.comparison import Comparison, Entry, Failure, Total
from anabasis.lab.statistics import BANDS, Interval, band, geometric_mean, geometric_mean_interval, ratio_interval
from anabasis.lab.trial import Row
from anabasis.lab.wording import headline, sentence, verdict

__all__ = ["summarise"]


def summarise(
    rows: Sequence[Row], scenarios: Sequence[str], methods: Sequence[str], seeds: Sequence[int]
) -> Comparison:
    """Return the comparison that rows show."""
    entries: list[Entry] = []
    sentences: list[str] = []
    for scenario in scenarios:
        cells = {m: [r for r in rows if r.run.scenario == scenario and r.run.method == m] for m in methods}
        here = _scenario_entries(scenario, cells, len(seeds))
        entries += here
        sentences.append(sentence(scenario, here))
    failures = tuple(
        Failure(row.run.scenario, row.run.method, row.run.seed, row.outcome.status, row.outcome.reason)
        for row in rows
        if row.outcome.status != "ok"
    )
    totals = tuple(_total(method, entries) for method in methods)
    asked = len(scenarios) * len(methods) * len(seeds)
    return Comparison(
        scenarios=tuple(scenarios),
        methods=tuple(methods),
        seeds=tuple(seeds),
        runs=asked,
        done=len(rows),
        entries=tuple(entries),
        totals=totals,
        failures=failures,
        sentences=tuple(sentences),
        headline=headline(
            totals, len(scenarios), asked, len(rows), len(failures), sum(entry.unfinished_runs for entry in entries)
        ),
    )


def _steps(rows: Iterable[Row]) -> dict[int, float]:
    """Seed → steps of the runs that count."""
    return {row.run.seed: float(row.outcome.values["steps"] or 0) for row in rows if row.outcome.status == "ok"}


def _scenario_entries(scenario: str, cells: dict[str, list[Row]], seeds: int) -> list[Entry]:
    steps = {method: _steps(rows) for method, rows in cells.items()}
    medians = {method: float(np.median(list(s.values()))) for method, s in steps.items() if s}
    comparable = {
        method: len(steps[method]) == len(rows) == seeds and not any(r.outcome.values["not_finished"] for r in rows)
        for method, rows in cells.items()
    }
    able = {method: median for method, median in medians.items() if comparable[method]}
    reference = min(able or medians, key=lambda m: medians[m], default=None)
    entries: list[Entry] = []
    for method, rows in cells.items():
        best = bool(able) and comparable[method] and medians[method] == min(able.values())
        ratio = interval = None
        if method in medians and reference is not None:
            ratio = max(medians[method], 1.0) / max(medians[reference], 1.0)
            if method != reference and comparable[method] and comparable[reference]:
                ours, its = ([max(steps[m][seed], 1.0) for seed in sorted(steps[m])] for m in (method, reference))
                interval = ratio_interval(ours, its)
        entries.append(
            _entry(scenario, method, rows, comparable=comparable[method], best=best, ratio=ratio, interval=interval)
        )
    return entries


def _entry(
    scenario: str,
    method: str,
    rows: list[Row],
    *,
    comparable: bool,
    best: bool,
    ratio: float | None,
    interval: Interval | None,
) -> Entry:
    valid = [row for row in rows if row.outcome.status == "ok"]

    def column(name: str) -> list[float]:
        return [float(v) for row in valid if (v := row.outcome.values.get(name)) is not None]

    def seconds(name: str) -> float | None:
        return _median([getattr(row.outcome, name) for row in valid if getattr(row.outcome, name) is not None])

    steps, left, units = column("steps"), column("not_finished"), column("units")
    unfinished = float(np.mean([a / b for a, b in zip(left, units, strict=True)])) if valid else 0.0
    entry = Entry(
        scenario=scenario,
        method=method,
        runs=len(rows),
        valid=len(valid),
        failed=len(rows) - len(valid),
        unfinished_runs=sum(count > 0 for count in left),
        unfinished_units=unfinished,
        steps=_median(steps),
        steps_low=int(min(steps)) if steps else None,
        steps_high=int(max(steps)) if steps else None,
        first=_median(column("first_arrival")),
        middle=_median(column("middle_arrival")),
        predicted=_median(column("predicted_steps")),
        bound=_median(column("bound_steps")),
        network_bound=_median(column("network_bound_steps")),
        comparable=comparable,
        best=best,
        ratio=ratio,
        interval=interval,
        band=band(ratio) if ratio is not None and comparable else "",
        verdict="",
        planning_seconds=seconds("planning_seconds"),
        execution_seconds=seconds("execution_seconds"),
    )
    return replace(entry, verdict=verdict(entry))


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if len(values) else None


def _total(method: str, entries: list[Entry]) -> Total:
    mine = [entry for entry in entries if entry.method == method]
    ratios = [entry.ratio for entry in mine if entry.ratio is not None]
    bands = Counter(entry.band for entry in mine)
    return Total(
        method=method,
        ratios=len(ratios),
        flagged=sum(not entry.comparable for entry in mine),
        wins=sum(entry.best for entry in mine),
        bands={name: bands[name] for name in BANDS},
        mean=float(np.mean(ratios)) if ratios else None,
        median=_median(ratios),
        geometric_mean=geometric_mean(ratios) if ratios else None,
        interval=geometric_mean_interval(ratios),
        worst=max(ratios, default=None),
        unfinished_units=float(np.mean([entry.unfinished_units for entry in mine])) if mine else 0.0,
    )
