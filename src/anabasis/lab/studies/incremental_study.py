"""The study of incremental search: the source's experiment, then bigger maps, more changes, more units.

The source is a Ukrainian master's thesis on path finding for several units in dynamic environments, 2021; its searches
are those of S. Koenig and M. Likhachev, "D* Lite", 2002, and of S. Koenig, M. Likhachev and D. Furcy, "Lifelong
Planning A*", 2004. Its only figure is a chart of times without numbers: "up to 16 times".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from anabasis.lab.studies import incremental_tables
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.incremental_crossing import SETTINGS, count_crossing, crossing, time_crossing
from anabasis.lab.studies.incremental_findings import count_findings, time_findings
from anabasis.lab.studies.incremental_plain import plain_times
from anabasis.lab.studies.incremental_units import many_units
from anabasis.lab.studies.incremental_worlds import MAPS, PLACES, Run, fixed_ends, moving_unit
from anabasis.lab.studies.planning_record import Table

__all__ = ["IncrementalStudy", "run_incremental"]

Row = Mapping[str, Any]
Job = tuple[str, Callable[[], Row]]

_SOURCE_REPEATS = 20
_CHANGES = {64: (1, 10, 100), 256: (1, 10, 100, 1000), 1024: (1, 10, 100, 1000)}


@dataclass(frozen=True)
class IncrementalStudy:
    """The study: tables of counts, the same in every run, and of times, which are not; findings on each; the curves.

    curves: for each setting of the source's experiment ms of each step by line, the median over seeds.
    """

    counts: Mapping[str, Table]
    times: Mapping[str, Table]
    count_findings: tuple[Finding, ...]
    time_findings: tuple[Finding, ...]
    curves: Mapping[str, Mapping[str, list[float]]]
    quick: bool

    @property
    def tables(self) -> dict[str, Table]:
        """All tables by name."""
        return {**self.times, **self.counts}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, those on times first."""
        return self.time_findings + self.count_findings


def run_incremental(*, quick: bool = False, progress: Callable[[int, int], object] | None = None) -> IncrementalStudy:
    """Run the study; quick: fewer seeds, smaller maps. progress: is told how many of the measurements are made.

    It runs in this process alone, because what it measures is time.
    """
    _warm_up()
    jobs = _jobs(quick)
    made: dict[str, list[Row]] = {}
    for done, (name, measure) in enumerate(jobs):
        made.setdefault(name, []).append(measure())
        if progress is not None:
            progress(done + 1, len(jobs))
    counts, times = incremental_tables.count_tables(made), incremental_tables.time_tables(made)
    return IncrementalStudy(
        counts,
        times,
        tuple(count_findings(counts)),
        tuple(time_findings(times, counts)),
        incremental_tables.curves(made["crossing"]),
        quick,
    )


def _warm_up() -> None:
    """Compile or load everything before a clock runs."""
    for name in MAPS:
        moving_unit(Run(name, 64, 2, "anywhere", 3))
    fixed_ends(Run("rooms", 64, 2, "anywhere", 3))
    many_units(2, 16, 3)


def _jobs(quick: bool) -> list[Job]:
    """Return what is measured, each with the name of its kind; what shares a map stands together."""
    seeds, steps = (3, 12) if quick else (20, 32)
    sides = {64: _CHANGES[64], 256: (1, 100)} if quick else _CHANGES
    maps = ("random 20 %", "rooms") if quick else tuple(MAPS)
    jobs: list[Job] = [
        ("crossing", partial(_crossing_job, setting, seed)) for setting in range(len(SETTINGS)) for seed in range(seeds)
    ]
    if not quick:
        jobs += [
            ("plain", partial(plain_times, setting, seed)) for setting in range(len(SETTINGS)) for seed in range(3)
        ]
        jobs += [("sides", partial(_crossing_job, 1, seed, side)) for side in (40, 80) for seed in range(5)]
    for name in maps:
        for side, numbers in sides.items():
            runs = [Run(name, side, number, place, steps) for number in numbers for place in PLACES]
            jobs += [("moving", partial(moving_unit, run)) for run in runs if run.place != "near the goal"]
            jobs += [("fixed", partial(fixed_ends, run)) for run in runs if side == 256]
    side, units = (64, (4, 16)) if quick else (128, (4, 16, 64, 256))
    return [*jobs, *(("units", partial(many_units, number, side, steps)) for number in units)]


def _crossing_job(setting: int, seed: int, side: int = 20) -> Row:
    kind = SETTINGS[setting]
    walk = crossing(kind, seed, side=side)
    all_four = sum(len(views) == len(walk.goals) for views in walk.steps)
    own = {"map": kind.name, "side": side, "seed": seed, "all under way": all_four}
    return {**own, **count_crossing(walk), "times": time_crossing(walk, _SOURCE_REPEATS)}
