"""Comparison: what a comparison of methods found: entries of the table, totals, failures, sentences."""

from __future__ import annotations

from dataclasses import dataclass

from anabasis.lab.statistics import Interval, ratio_text

__all__ = ["Comparison", "Entry", "Failure", "Total"]


@dataclass(frozen=True)
class Entry:
    """One method on one scenario.

    - runs: finished runs, of which `valid` have numbers that count and `failed` have not; `unfinished_runs` are valid
      but left units behind, `unfinished_units` is the mean share of units left behind.
    - steps, steps_low, steps_high: median, least and greatest arrival of the last unit; a run that left units behind
      counts with the step at which it ended, so it is only a lower bound.
    - first, middle: medians of the arrivals of the first and of the middle unit.
    - predicted: median of what the plans say of the arrival of the last unit; None where a method says nothing.
    - bound: the step before which no method can bring in the last unit, proved; None if a unit has no way.
    - network_bound: median of the quickest flow in the plans' networks, by their lengths and the rates that gates were
      measured to have; no proof for a run. None without a network.
    - comparable: every run valid, every unit arrived. best: comparable, and no comparable method has a lower median.
    - ratio: steps as a ratio to the best (without a best: to the lowest median). interval: of the ratio, over paired
      seeds; None for the best itself, with too few seeds, and if not comparable. band: of the ratio, "" if not
      comparable.
    - planning_seconds, execution_seconds: medians, wall-clock.
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
    predicted: float | None
    bound: float | None
    network_bound: float | None
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

    @property
    def steps_text(self) -> str:
        """The median arrival of the last unit, `≥` before it where units were left behind, `–` without one."""
        if self.steps is None:
            return "–"
        return ("≥ " if self.unfinished_runs else "") + f"{self.steps:,.0f}"


@dataclass(frozen=True)
class Total:
    """One method over all scenarios: wins, scenarios in each band (of BANDS), and the ratio's means over `ratios`.

    interval: of the geometric mean, over scenarios; None with too few.
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
    interval: Interval | None
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
