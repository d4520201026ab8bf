"""The study of formations: every way to march, in every scenario, with every formation, in worker processes.

M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011: his experiment. He reports 6,016 of the
6,144 marches that his factors make; here all of them are made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.formation.files import example, load_manoeuvre
from anabasis.formation.shapes import schema_of
from anabasis.lab.compare import Progress, run_suite
from anabasis.lab.manifest import read_manifest
from anabasis.lab.store import read_rows
from anabasis.lab.studies.formation_factors import BEYOND, FORMATIONS, SCENARIOS, combinations
from anabasis.lab.suite import Case, Suite
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.noun import state_hash

__all__ = ["Move", "formation_suite", "read_moves", "run_formations"]

_TASK = "anabasis.lab.march_trial:run_march_trial"
_LONGEST = 600.0  # seconds of wall clock for one march
_QUICK = (("square", 4), ("wedge", 5), ("diamond", 9))
_QUICK_WITHOUT = ("synchronisation=additive", "synchronisation=multiplicative", "bend=20", "bend=40")


@dataclass(frozen=True, eq=False)
class Move:
    """A march of the study: where, by whom, how; what was measured, by the names of `march_trial.VALUES`.

    options: the option of each factor; None for one of the ways beyond the source, then named by `method`.
    """

    scenario: str
    formation: tuple[str, int]
    method: str
    options: dict[str, str] | None
    ending: str
    values: dict[str, Any]

    @property
    def done(self) -> bool:
        """Whether it is valid and all units came to stand within the limit."""
        return self.ending == "solved"


def formation_suite(*, quick: bool = False) -> Suite:
    """Return the suite; quick: three of the formations, without two of the synchronisations and two of the bends."""
    chosen = _QUICK if quick else FORMATIONS
    methods = [m for m in combinations() if not (quick and any(word in m.split() for word in _QUICK_WITHOUT))]
    cases: list[Case] = []
    for scenario in SCENARIOS:
        there = load_manoeuvre(example(scenario))
        for shape, units in chosen:
            (formation,) = there.formations
            schema = schema_of(shape, units, spacing=2 * there.space.spacing)  # type: ignore[union-attr] - a lattice
            put = Formation(schema, formation.start, formation.azimuth, formation.orders, formation.modules)
            name = f"{scenario} {shape} {units}"
            manoeuvre = Manoeuvre(there.space, (put,), there.limit, name)
            cases.append(Case(name, manoeuvre, state_hash(manoeuvre), f"{scenario} {shape} {units}"))
    return Suite(tuple(cases), (*methods, *BEYOND.values()), (0,))


def run_formations(
    out: str | Path,
    *,
    quick: bool = False,
    workers: int = 1,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> list[Move]:
    """Run the study into the results folder `out`; progress is told how many of the marches are made.

    The moves are the same with any number of workers. Raises InputError for a folder that holds something else.
    """

    def moved(state: Progress) -> None:
        if progress is not None:
            progress(state.done, state.total)

    run_suite(
        formation_suite(quick=quick),
        out,
        workers=workers,
        timeout=_LONGEST,
        resume=resume,
        progress=moved,
        task=_TASK,
    )
    return read_moves(out)


def read_moves(folder: str | Path) -> list[Move]:
    """Return the finished marches of a results folder; raises InputError if it is of another kind."""
    manifest = read_manifest(Path(folder))
    if manifest.task != _TASK:
        raise InputError("results of another kind", file=folder, found=manifest.task, expected=_TASK)
    options = combinations()
    moves: list[Move] = []
    for row in read_rows(Path(folder)):
        scenario, shape, units = manifest.scenarios[row.run.case].source.split()
        outcome, method = row.outcome, row.run.method
        ending = str(outcome.values["ending"]) if outcome.status == "ok" else outcome.status
        moves.append(Move(scenario, (shape, int(units)), method, options.get(method), ending, dict(outcome.values)))
    return moves
