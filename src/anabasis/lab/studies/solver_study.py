"""The study of solvers: success, cost, makespan and time over the number of agents on the standard maps.

The maps and scenarios are those of R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks",
2019. A solver that solved no instance of a number of agents on a map is not tried with more of them there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from anabasis.errors import InputError
from anabasis.io.mapf_scen import load_instance
from anabasis.io.movingai import load_map
from anabasis.lab.compare import Progress
from anabasis.lab.page import Cell, section, table, text
from anabasis.lab.solver_report import Line, lines_of, write_solver_report
from anabasis.lab.solver_suite import SolverRun, Task, run_solvers, solver_suite
from anabasis.lab.studies.finding import Finding, findings_section
from anabasis.methods import names

__all__ = ["MAPS", "NATIVE", "NATIVE_HEAD", "native_rows", "run_solver_study", "solver_findings", "write_solver_study"]

MAPS = {
    "random-32-32-20": (20, 40, 60, 100, 200, 400),
    "empty-48-48": (50, 100, 200, 800),
    "maze-32-32-4": (10, 20, 30, 100),
    "room-64-64-8": (20, 40, 100, 400),
    "warehouse-10-20-10-2-1": (40, 80, 100, 500, 1000),
    "den520d": (40, 80, 100, 500, 1000),
    "Paris_1_256": (50, 100, 500, 1000),
    "ht_chantry": (30, 60, 200, 1000),
}
"""The maps and the numbers of agents on each."""

_QUICK = {"random-32-32-20": (20, 50, 100), "maze-32-32-4": (10, 20)}
_QUICK_SECONDS = 2.0

NATIVE = {
    ("random-32-32-20", 20, "cbs"): (0.0017, 1.0117),
    ("random-32-32-20", 40, "cbs"): (0.0307, 1.0152),
    ("random-32-32-20", 100, "eecbs"): (0.0295, 1.1061),
    ("random-32-32-20", 100, "lacam"): (0.005, 1.4317),
    ("random-32-32-20", 200, "lacam"): (0.012, 1.8537),
    ("random-32-32-20", 400, "lacam"): (0.028, 3.3445),
    ("random-32-32-20", 100, "lns2"): (0.0052, 1.2004),
    ("random-32-32-20", 200, "lns2"): (0.0475, 1.4383),
    ("random-32-32-20", 400, "lns2"): (7.2565, 2.5244),
    ("empty-48-48", 50, "cbs"): (0.0054, 1.0012),
    ("empty-48-48", 200, "eecbs"): (0.0664, 1.0113),
    ("empty-48-48", 800, "lacam"): (0.075, 1.8915),
    ("empty-48-48", 800, "lns2"): (0.6254, 1.51),
    ("maze-32-32-4", 10, "cbs"): (0.085, 1.0466),
    ("maze-32-32-4", 30, "eecbs"): (0.1249, 1.082),
    ("maze-32-32-4", 100, "lacam"): (0.005, 1.6049),
    ("room-64-64-8", 20, "cbs"): (0.0085, 1.0082),
    ("room-64-64-8", 100, "eecbs"): (0.5164, 1.1204),
    ("room-64-64-8", 400, "lacam"): (0.054, 2.3612),
    ("warehouse-10-20-10-2-1", 40, "cbs"): (0.0421, 1.0018),
    ("warehouse-10-20-10-2-1", 80, "cbs"): (0.1675, 1.0018),
    ("warehouse-10-20-10-2-1", 100, "eecbs"): (0.058, 1.0061),
    ("warehouse-10-20-10-2-1", 1000, "lacam"): (0.175, 3.1883),
    ("den520d", 40, "cbs"): (0.0252, 1.0001),
    ("den520d", 80, "cbs"): (0.2344, 1.0005),
    ("den520d", 100, "eecbs"): (0.1009, 1.0014),
    ("den520d", 1000, "lacam"): (0.612, 1.3688),
    ("den520d", 1000, "lns2"): (2.0431, 1.2304),
    ("Paris_1_256", 100, "cbs"): (0.1805, 1.0004),
    ("Paris_1_256", 500, "eecbs"): (1.5924, 1.003),
    ("Paris_1_256", 1000, "lacam"): (1.085, 1.2501),
    ("ht_chantry", 60, "cbs"): (0.2234, 1.004),
    ("ht_chantry", 200, "eecbs"): (0.2675, 1.027),
    ("ht_chantry", 1000, "lacam"): (0.182, 2.1497),
}
"""Seconds and cost over distances of native programs on the first three random scenarios, measured on one machine.

cbs: CBSH2-RTC; eecbs: EECBS with weight 1.2; lacam: the first solution of LaCAM3 on one thread; lns2: the first of
MAPF-LNS2. All were built from their authors' sources.
"""


def run_solver_study(
    out: str | Path,
    data: Path,
    *,
    quick: bool = False,
    methods: Sequence[str] = (),
    seconds: float = 30.0,
    scenarios: int = 3,
    resume: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> list[SolverRun]:
    """Run the study into folders under `out` and return all runs; data: the folder of the Moving AI benchmarks.

    methods: by default all solvers of the table. seconds: for a run. scenarios: how many of the random ones. quick: two
    small maps, two seconds for a run. progress: is told how many of the rounds, one a map and number of agents, are
    done. Raises InputError if none of the maps is there.
    """
    sizes = _QUICK if quick else MAPS
    chosen = tuple(methods) or tuple(names("mapf"))
    time = min(seconds, _QUICK_SECONDS) if quick else seconds
    places = {name: data / "mapf" / f"{name}.map" for name in sizes}
    found = {name: place for name, place in places.items() if place.is_file()}
    if not found:
        raise InputError("no map of the study", file=data / "mapf", expected=", ".join(f"{name}.map" for name in sizes))
    rounds = [(name, agents) for name in found for agents in sizes[name]]
    runs: list[SolverRun] = []
    alive: dict[str, tuple[str, ...]] = {}
    for done, (name, agents) in enumerate(rounds):
        able = alive.setdefault(name, chosen)
        if able:
            grid = load_map(found[name])
            files = [data / "mapf" / "scen-random" / f"{name}-random-{k + 1}.scen" for k in range(scenarios)]
            tasks = [Task(name, f.stem, load_instance(grid, f, agents=agents)) for f in files if f.is_file()]
            folder = Path(out) / "runs" / f"{name}-{agents}"
            suite = solver_suite(tasks, able, (0,), time)
            there = resume and (folder / "manifest.json").is_file()
            part = run_solvers(suite, folder, seconds=time, resume=there, progress=_silent)
            runs += part
            alive[name] = tuple(m for m in able if any(run.solved for run in part if run.method == m))
        if progress is not None:
            progress(done + 1, len(rounds))
    return runs


def _silent(_: Progress) -> None:
    return None


def solver_findings(runs: Sequence[SolverRun]) -> list[Finding]:
    """Return what the study says to claims of the papers, each on the instances that were run."""
    lines = lines_of(runs)
    found: list[Finding] = []

    def told(claim: str, source: str, here: Sequence[Line], holds: Callable[[Sequence[Line]], bool], said: str) -> None:
        found.append(Finding(claim, source, said if here else "not run", holds(here) if here else None))

    lacam = [line for line in lines if line.method == "lacam"]
    solved, tried = sum(line.solved for line in lacam), sum(line.runs for line in lacam)
    told(
        "LaCAM solves nearly all instances of up to 1,000 agents",
        "99 % within 10 s (Okumura, IJCAI 2023)",
        lacam,
        lambda _: solved >= 0.99 * tried,
        f"{solved} of {tried}",
    )
    bounded = [run for run in runs if run.method in ("ecbs", "eecbs") and run.sum_of_costs is not None]
    worst = max(((run.sum_of_costs or 0) / run.bound for run in bounded if run.bound > 0), default=1.0)
    found.append(
        Finding(
            "ECBS and EECBS keep their bound of 1.2",
            "by construction (Barer et al. 2014; Li et al. 2021)",
            f"at most {worst:.4f} over {len(bounded)} solved instances" if bounded else "not run",
            worst <= 1.2 + 1e-9 if bounded else None,
        )
    )
    pairs = _pairs(lines, "eecbs", "ecbs")
    told(
        "EECBS is significantly faster than ECBS",
        "Li, Ruml, Koenig, AAAI 2021",
        [a for a, _ in pairs],
        lambda _: _ratio(pairs) < 0.9 or _success(pairs) > 0,
        f"median ratio of times {_ratio(pairs):.2f}; {_success(pairs):+d} instances solved" if pairs else "",
    )
    optimal = {(r.scenario, r.agents): r.sum_of_costs for r in runs if r.optimal}
    equal = [run for run in runs if run.optimal and (run.scenario, run.agents) in optimal]
    found.append(
        Finding(
            "solvers that prove their optimum agree on it",
            "by construction",
            f"{len(equal)} proofs on {len(optimal)} instances" if equal else "not run",
            all(run.sum_of_costs == optimal[run.scenario, run.agents] for run in equal) if equal else None,
        )
    )
    return found


def _pairs(lines: Sequence[Line], first: str, second: str) -> list[tuple[Line, Line]]:
    """Return the lines of two solvers on the same map with as many agents."""
    others = {(line.map_name, line.agents): line for line in lines if line.method == second}
    return [
        (line, others[line.map_name, line.agents])
        for line in lines
        if line.method == first and (line.map_name, line.agents) in others
    ]


def _ratio(pairs: Sequence[tuple[Line, Line]]) -> float:
    ratios = [a.seconds / b.seconds for a, b in pairs if a.seconds and b.seconds]
    return median(ratios) if ratios else 1.0


def _success(pairs: Sequence[tuple[Line, Line]]) -> int:
    return sum(a.solved - b.solved for a, b in pairs)


def native_rows(lines: Sequence[Line]) -> list[list[str]]:
    """Return our lines beside those of native programs: map, agents, solver, both times, both costs, the ratio."""
    rows: list[list[str]] = []
    for line in lines:
        native = NATIVE.get((line.map_name, line.agents, line.method))
        if native is None:
            continue
        seconds, ratio = native
        ours = "–" if line.seconds is None else f"{line.seconds:.3g}"
        times = "–" if line.seconds is None else f"{line.seconds / seconds:.1f}"
        cost = "–" if line.ratio is None else f"{line.ratio:.4f}"
        solved = f"{line.solved}/{line.runs}"
        rows.append(
            [line.map_name, str(line.agents), line.method, solved, ours, f"{seconds:g}", times, cost, f"{ratio:.4f}"]
        )
    return rows


NATIVE_HEAD = ("map", "agents", "solver", "solved", "seconds", "native", "ratio", "cost / distances", "native cost")


def write_solver_study(runs: Sequence[SolverRun], out: str | Path) -> Path:
    """Write the report of the study; return the page's path."""
    beside = native_rows(lines_of(runs))
    parts = [findings_section(solver_findings(runs), "literature")]
    if beside:
        rows = [[Cell(text(c), head=k == 0) for k, c in enumerate(row)] for row in beside]
        note = (
            '<p class="note">Native programs were measured on another day, on a machine of the same kind: orders of '
            "magnitude, no more.</p>"
        )
        parts.append(section("Beside native programs", table(NATIVE_HEAD, rows), note))
    return write_solver_report(runs, out, title="Solvers of multi-agent path finding", parts=parts)
