"""Ranking: which method brought the last unit to its target first, and how sure that is.

The measure is the arrival of the last unit, its median over the seeds, as a ratio to the best method of the scenario,
as in Pacovský: Navigation of units in video games using flow networks, 2019. Beyond the thesis: intervals over paired
seeds, and a method that leaves units behind, or whose runs fail, is flagged and never declared the best. No sentence
says "faster" when the interval of the ratio contains 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anabasis.lab.statistics import (
    BANDS,
    Interval,
    band,
    geometric_mean,
    ratio_interval,
    ratio_text,
)
from anabasis.lab.store import Row
from anabasis.lab.wording import headline, sentence, verdict

__all__ = ["Comparison", "Entry", "Failure", "Total", "summarise"]


@dataclass(frozen=True)
class Entry:
    """One method on one scenario.

    runs: finished runs, of which `valid` have numbers that count and `failed` have not; `unfinished_runs` are valid
        but left units behind, `unfinished_units` is the mean share of units left behind.
    steps, steps_low, steps_high: median, least and greatest arrival of the last unit; a run that left units behind
        counts with the step at which it ended, so it is only a lower bound.
    first, middle: medians of the arrivals of the first and of the middle unit.
    comparable: every run valid, every unit arrived. best: comparable, and no comparable method has a lower median.
    ratio: steps as a ratio to the best (without a best: to the lowest median). interval: of the ratio, over paired
        seeds; None for the best itself, with too few seeds, and if not comparable. band: of the ratio, "" if not
        comparable.
    planning_seconds, execution_seconds: medians, wall-clock.
    """

    scenario: str
    method: str
    runs: int
    valid: int
    failed: int
    unfinished_runs: int
    unfinished_units: float
    steps: float | None
    steps_low: int | None
    steps_high: int | None
    first: float | None
    middle: float | None
    comparable: bool
    best: bool
    ratio: float | None
    interval: Interval | None
    band: str
    verdict: str
    planning_seconds: float | None
    execution_seconds: float | None

    @property
    def text(self) -> str:
        """The ratio as the thesis prints it, `–` without one, with `*` if the method is not comparable here."""
        if self.ratio is None:
            return "–"
        return ratio_text(self.ratio, best=self.best) + ("" if self.comparable else "*")


@dataclass(frozen=True)
class Total:
    """One method over all scenarios: wins, scenarios in each band (of BANDS), and the ratio's means over `ratios`.

    flagged: scenarios on which the method is not comparable; their ratios are lower bounds, or missing.
    """

    method: str
    ratios: int
    flagged: int
    wins: int
    bands: dict[str, int]
    mean: float | None
    median: float | None
    geometric_mean: float | None
    worst: float | None
    unfinished_units: float


@dataclass(frozen=True)
class Failure:
    """A run without numbers that count, and why."""

    scenario: str
    method: str
    seed: int
    status: str
    reason: str


@dataclass(frozen=True)
class Comparison:
    """What a comparison found: `runs` were asked for, `done` have a row; `sentences` are one for each scenario."""

    scenarios: tuple[str, ...]
    methods: tuple[str, ...]
    seeds: tuple[int, ...]
    runs: int
    done: int
    entries: tuple[Entry, ...]
    totals: tuple[Total, ...]
    failures: tuple[Failure, ...]
    sentences: tuple[str, ...]
    headline: str

    @property
    def complete(self) -> bool:
        """Whether every run of the suite has a row."""
        return self.done == self.runs

    def entry(self, scenario: str, method: str) -> Entry:
        """Return one cell of the table."""
        return next(e for e in self.entries if e.scenario == scenario and e.method == method)


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
        headline=headline(totals, len(scenarios), asked, len(rows), len(failures)),
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
        return [float(v) for row in valid if (v := row.outcome.values[name]) is not None]

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
        worst=max(ratios, default=None),
        unfinished_units=float(np.mean([entry.unfinished_units for entry in mine])) if mine else 0.0,
    )
