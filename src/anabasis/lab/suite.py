"""Suite: the runs of a comparison: scenarios × methods × seeds, in one fixed order.

Every method runs with the same seeds (paired seeds), so the difference of two methods is not a difference of luck. The
procedure, every method several times on every experiment, is that of Pacovský: Navigation of units in video games
using flow networks, 2019, section on the evaluation; the thesis recorded no seeds, here each run has its own on record.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anabasis.errors import InputError
from anabasis.instance import Instance
from anabasis.io.scenario import MAX_UNITS, load_scenario
from anabasis.manoeuvre import Manoeuvre
from anabasis.noun import state_hash
from anabasis.scenario import Scenario

__all__ = ["Case", "Run", "Suite", "load_suite", "runs_of"]


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario of a suite: its name in all tables, its state hash, and where it came from (for the reader).

    In a suite for solvers it is an instance of multi-agent path finding, in one for formations a manoeuvre.
    """

    name: str
    scenario: Scenario | Instance | Manoeuvre
    hash: str
    source: str = ""


@dataclass(frozen=True)
class Run:
    """One run; `position` is its place in the suite's order, `case` the number of its scenario in the suite."""

    position: int
    case: int
    scenario: str
    scenario_hash: str
    method: str
    seed: int
    overrides: tuple[str, ...]

    @property
    def key(self) -> str:
        """What makes this run this run, as a short hash: equal keys give equal results."""
        parts = [self.scenario, self.scenario_hash, self.method, self.seed, self.overrides]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    @property
    def stem(self) -> str:
        """A file name for what this run leaves behind; harmless whatever the scenario is called."""
        return f"{self.case:03d}_{_slug(self.scenario)}_{_slug(self.method)}_{self.seed}"


@dataclass(frozen=True, eq=False)
class Suite:
    """Scenarios × methods × seeds. `overrides` are the options by which the scenarios differ from their files."""

    cases: tuple[Case, ...]
    methods: tuple[str, ...]
    seeds: tuple[int, ...]
    overrides: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, values in (("scenarios", self.cases), ("methods", self.methods), ("seeds", self.seeds)):
            if not values:
                raise InputError(f"a comparison without {what}", expected="at least one")
        for what, values in (
            ("scenario", [case.name for case in self.cases]),
            ("method", self.methods),
            ("seed", self.seeds),
        ):
            twice = [value for i, value in enumerate(values) if value in values[:i]]
            if twice:
                raise InputError(f"a {what} stands twice in a comparison", found=repr(twice[0]), expected="each once")
        if any(not 0 <= seed < 2**63 for seed in self.seeds):
            raise InputError(
                "seeds of a comparison", found=f"{min(self.seeds)}", expected="whole numbers from 0 to 2^63 - 1"
            )

    @classmethod
    def of(
        cls,
        scenarios: Sequence[Scenario],
        methods: Sequence[str],
        seeds: Sequence[int] | int,
        *,
        sources: Sequence[str] = (),
        overrides: Sequence[str] = (),
    ) -> Suite:
        """Make a suite; a whole number of seeds means 0, 1, 2 …; a scenario without a name is called by its number."""
        places = [*sources, *[""] * len(scenarios)]
        cases = tuple(
            Case(scenario.name or f"scenario {i + 1}", scenario, state_hash(scenario), place)
            for i, (scenario, place) in enumerate(zip(scenarios, places, strict=False))
        )
        numbers = range(seeds) if isinstance(seeds, int) else seeds
        return cls(cases, tuple(methods), tuple(int(seed) for seed in numbers), tuple(overrides))

    @property
    def runs(self) -> tuple[Run, ...]:
        """Every run of the suite, in its order."""
        return runs_of([(case.name, case.hash) for case in self.cases], self.methods, self.seeds, self.overrides)


def runs_of(
    scenarios: Iterable[tuple[str, str]], methods: Iterable[str], seeds: Iterable[int], overrides: tuple[str, ...]
) -> tuple[Run, ...]:
    """Return every run, scenario (name, state hash) by scenario, method by method, seed by seed."""
    triples = itertools.product(enumerate(scenarios), methods, seeds)
    return tuple(
        Run(position, case, name, state, method, seed, overrides)
        for position, ((case, (name, state)), method, seed) in enumerate(triples)
    )


def load_suite(
    files: Sequence[str | Path],
    methods: Sequence[str],
    seeds: Sequence[int] | int,
    overrides: Sequence[str] = (),
    *,
    max_units: int = MAX_UNITS,
) -> Suite:
    """Load scenario files, each changed by the overrides, as one suite; raises InputError for a faulty file."""
    scenarios = [load_scenario(Path(file), list(overrides), max_units=max_units) for file in files]
    return Suite.of(scenarios, methods, seeds, sources=[str(file) for file in files], overrides=overrides)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "x"
