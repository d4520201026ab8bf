"""Study: does splitting a group over routes bring its last unit to the target sooner?

The evaluation of Pacovský: Navigation of units in video games using flow networks, 2019, done again on scenarios of
our own: three sets, the methods of the thesis and two beyond it, medians over seeds of the last unit's arrival.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from anabasis.errors import InputError
from anabasis.lab.compare import Progress, compare
from anabasis.lab.comparison import Comparison
from anabasis.lab.studies.detours import DETOURS, prospect, turns
from anabasis.lab.studies.flow_record import BASELINES, FLOW_METHODS, METHODS, Kind, Record, Use, write_record
from anabasis.lab.studies.flow_report import write_flow_report
from anabasis.lab.studies.flow_scenarios import GROWING, tasks
from anabasis.lab.suite import Suite
from anabasis.lab.ways import planned_ways
from anabasis.methods import method
from anabasis.orders import plan_groups
from anabasis.scenario import Scenario

__all__ = ["measured_kind", "run_flow_groups"]

SEEDS, QUICK_SEEDS = 10, 3
_SIZES = (25, 50, 100, 150, 200, 300, 400, 500, 600, 700, 800)


def run_flow_groups(
    out: str | Path,
    *,
    sets: Sequence[int] = (1, 2, 3),
    seeds: int | None = None,
    workers: int = 1,
    quick: bool = False,
    data: Path | None = None,
    methods: Sequence[str] = METHODS,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Run the study into the folder `out`, write `report.html` there, and return the comparison.

    seeds: 10 by default, 3 for a quick study. data: the folder of the Moving AI maps, without it the scenarios on them
    are left out. Raises InputError for a method that there is not, and as `compare`.
    """
    for name in methods:
        method("group", name)
    if seeds is not None and seeds < 1:
        raise InputError("number of seeds", found=f"{seeds}", expected="at least 1")
    chosen = tasks(sets, quick=quick, data=data)
    scenarios = [task.scenario(task.quick if quick else None) for task in chosen]
    sources = [f"set {task.set} of the study flow-groups" for task in chosen]
    suite = Suite.of(scenarios, methods, seeds or (QUICK_SEEDS if quick else SEEDS), sources=sources)
    folder = Path(out)
    comparison = compare(suite, folder, workers=workers, resume=resume, progress=progress)
    record = Record(
        list(DETOURS),
        {task.name: task.set for task in chosen},
        {scenario.name: measured_kind(scenario) for scenario in scenarios},
        GROWING.note,
        _uses([name for name in methods if name in FLOW_METHODS]),
        quick,
    )
    write_record(record, folder)
    write_flow_report(folder, folder / "report.html")
    return comparison


def measured_kind(scenario: Scenario) -> Kind:
    """Return what a scenario with one group is, by the baselines' plans and by widths."""
    found = prospect(scenario)
    ways: dict[str, list[float]] = {}
    for name in BASELINES:
        plan = planned_ways(scenario, plan_groups(scenario, name, seed=0))
        counts = turns(scenario.grid, [plan.path(unit) for unit in range(plan.size)])
        ways[name] = [count / max(1, counts.total()) for _, count in counts.most_common()]
    return Kind(list(found.widths), list(found.routes), found.alone, found.all, found.useful, ways)


def _uses(names: Sequence[str]) -> dict[str, Use]:
    """Plan for groups of growing size, without a run; routes are known again by the obstacles that they pass."""
    counts: dict[str, list[Counter[tuple[int, ...]]]] = {name: [] for name in names}
    for size in _SIZES:
        scenario = GROWING.scenario(size)
        for name in names:
            plan = plan_groups(scenario, name, seed=0)[0].value
            ways = [] if plan is None else [plan.path(unit) for unit in range(size)]
            counts[name].append(turns(scenario.grid, ways))
    routes = list(dict.fromkeys(key for found in counts.values() for one in found for key in one))
    return {name: Use(list(_SIZES), [[one[key] for one in found] for key in routes]) for name, found in counts.items()}
