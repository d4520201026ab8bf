"""The study of generated terrain and the ways on it: which maps and queries are measured, and the tables of them.

The source is a Czech bachelor's thesis on procedural terrain and path finding for strategy games, 2014: three presets
of diamond-square, A* on terrain, smoothing on finer cells. It judges them by looking, and prints no figure but its
parameters; the study counts what it claims.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from anabasis.lab.studies import (
    terrain_claims,
    terrain_land,
    terrain_noises,
    terrain_path_claims,
    terrain_queries,
    terrain_scenarios,
    terrain_tables,
    terrain_trials,
)
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_presets import PRESETS
from anabasis.options import check_count

__all__ = ["TerrainStudy", "run_terrain"]

Row = Mapping[str, Any]
Job = tuple[Callable[..., Row], tuple[Any, ...]]

_PATHS, _RATIOS = 129, 65  # cells of terrain along a side
_TRAPS = (5, 10, 20, 40)


@dataclass(frozen=True)
class TerrainStudy:
    """The study: its tables by name, what was found, and the times of noise, which differ from run to run."""

    tables: Mapping[str, Table]
    findings: tuple[Finding, ...]
    times: Table
    quick: bool


def run_terrain(
    *, quick: bool = False, workers: int = 1, progress: Callable[[int, int], object] | None = None
) -> TerrainStudy:
    """Run the study; quick: fewer maps and queries. progress: is told how many of the measurements are made.

    Tables and findings are the same with any number of workers. Raises InputError for a number below 1.
    """
    jobs = _jobs(quick)
    every = [job for part in jobs.values() for job in part]
    rows: list[Row] = []
    with _answers(every, check_count(workers, "number of workers", 1)) as answers:
        for row in answers:
            rows.append(row)
            if progress is not None:
                progress(len(rows), len(every))
    made: dict[str, list[Row]] = {}
    for name, part in jobs.items():
        made[name], rows = rows[: len(part)], rows[len(part) :]
    tables = _tables(made)
    found = [*terrain_claims.findings(tables), *terrain_path_claims.findings(tables)]
    return TerrainStudy(tables, tuple(found), terrain_noises.noise_times(), quick)


def _jobs(quick: bool) -> dict[str, list[Job]]:
    """Return what is measured, by kind."""
    sides, maps = ((65, 129), 4) if quick else ((65, 129, 257), 20)
    some, few, more = (3, 2, 16) if quick else (20, 10, 100)
    presets = list(PRESETS)

    def over(job: Callable[..., Row], side: int, seeds: int) -> list[Job]:
        return [(job, (name, side, seed)) for name in presets for seed in range(seeds)]

    return {
        "presets": [job for side in sides for job in over(terrain_land.preset_job, side, maps)],
        "influence": [(terrain_trials.influence_job, (seed,)) for seed in range(10)],
        "ablation": [(terrain_trials.ablation_job, (seed,)) for seed in range(10)],
        "squares": [(terrain_trials.artefact_job, (seed,)) for seed in range(20)],
        "shares": [(terrain_trials.level_job, (seed,)) for seed in range(some)],
        "queries": over(terrain_queries.query_job, _PATHS, some),
        "ratios": over(terrain_queries.ratio_job, _RATIOS, few),
        "scenarios": over(terrain_scenarios.scenario_job, _PATHS, some),
        "shapes": [(terrain_scenarios.shape_job, (seed,)) for seed in range(more)],
        "noises": [(terrain_noises.noise_job, (d, k)) for d in terrain_noises.DIMENSIONS for k in range(6 * few)],
    }


def _tables(made: Mapping[str, Sequence[Row]]) -> dict[str, Table]:
    """Return the tables by name."""
    queries, scenarios = made["queries"], made["scenarios"]
    return {
        "presets": terrain_land.preset_table(made["presets"]),
        "roughness": terrain_land.roughness_table(made["presets"]),
        "overflow": terrain_land.overflow_table(made["presets"]),
        "influence": terrain_trials.influence_table(made["influence"]),
        "ablation": terrain_trials.ablation_table(made["ablation"]),
        "squares": terrain_trials.artefact_table(made["squares"]),
        "shares": terrain_trials.level_table(made["shares"]),
        "answers": terrain_tables.answer_table(queries),
        "searches": terrain_tables.search_table(queries),
        "trap": terrain_tables.trap_table([terrain_scenarios.trap_ways(depth) for depth in _TRAPS]),
        "scenarios": terrain_tables.scenario_table(scenarios),
        "nearest": terrain_tables.nearest_table(scenarios),
        "smoothing": terrain_tables.smoothing_table(queries),
        "ratios": terrain_tables.ratio_table(made["ratios"]),
        "shapes": terrain_tables.shape_table(made["shapes"]),
        "noises": terrain_noises.noise_table(made["noises"]),
    }


@contextmanager
def _answers(jobs: Sequence[Job], workers: int) -> Generator[Iterator[Row]]:
    """Give the rows of jobs in their order, measured here or in worker processes."""
    if workers == 1:
        yield map(_answer, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool.map(_answer, jobs)


def _answer(job: Job) -> Row:
    measure, arguments = job
    return measure(*arguments)
