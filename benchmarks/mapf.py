"""Solvers of many agents on the standard maps, beside native programs and other libraries; and the bars of strength.

Run: python benchmarks/mapf.py [--quick] [--maps MAP ...] [--methods METHOD ...] [--part rows bars rivals] [--data DIR].
Rows: the first three random scenarios of each map, median seconds and mean cost of those that are solved; a native
program's figures were measured on one machine of the same kind, on the same instances, built from its authors' source:
CBSH2-RTC, EECBS, LaCAM3 (the first solution on one thread, and after 10 s), MAPF-LNS2 (the first solution) and pibt2.
Bars: 25 instances of a map, 5 or 6 of the benchmark, the others samples of our own. Seconds of processor time of the
whole call, distances included, kernels compiled before; every plan is validated, which is not timed. The maps are read
from ../shared/data or --data.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import maps
from anabasis import Grid
from anabasis.instance import Instance
from anabasis.io.mapf_scen import load_instance
from anabasis.io.movingai import load_map, load_scen
from anabasis.mapf.board import Board
from anabasis.mapf.pibt import PIBT
from anabasis.maps.parts import parts
from anabasis.maps.tasks import multi_agent_tasks
from anabasis.methods import method
from anabasis.metrics.plans import plan_faults
from anabasis.plan import Plan
from anabasis.result import Result, Status

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "movingai" / "mapf"
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {  # of a method's name in the tables: the solver and its options
    "cbs": ("cbs", {}),
    "eecbs": ("eecbs", {"weight": 1.2}),
    "eecbs-1.05": ("eecbs", {"weight": 1.05}),
    "lacam": ("lacam", {}),
    "lacam-star": ("lacam-star", {"limit": 10**9}),  # until the time is over
    "pibt": ("pibt", {}),
    "lns2": ("lns2", {}),
}
LIMIT, ANYTIME = 30.0, 10.0  # seconds of a row
NATIVE = {  # rows of method, agents, instances solved of 3, seconds, sum of costs over distances
    "random-32-32-20": (
        ("cbs", 20, 3, 0.0017, 1.0117),
        ("cbs", 40, 3, 0.0307, 1.0152),
        ("cbs", 60, 1, 8.1228, 1.0313),
        ("eecbs", 50, 3, 0.0055, 1.0504),
        ("eecbs", 100, 3, 0.0295, 1.1061),
        ("eecbs-1.05", 50, 3, 0.0092, 1.0463),
        ("lacam", 50, 3, 0.006, 1.3039),
        ("lacam", 100, 3, 0.005, 1.4317),
        ("lacam", 200, 3, 0.012, 1.8537),
        ("lacam", 400, 3, 0.028, 3.3445),
        ("lacam-star", 400, 3, 10.018, 2.2908),
        ("pibt", 50, 2, 0.0, 1.1661),
        ("lns2", 50, 3, 0.0012, 1.1189),
        ("lns2", 100, 3, 0.0052, 1.2004),
        ("lns2", 200, 3, 0.0475, 1.4383),
        ("lns2", 400, 3, 7.2565, 2.5244),
    ),
    "empty-48-48": (
        ("cbs", 50, 3, 0.0054, 1.0012),
        ("cbs", 100, 2, 0.0211, 1.0013),
        ("eecbs", 200, 3, 0.0664, 1.0113),
        ("eecbs-1.05", 200, 3, 0.0837, 1.0126),
        ("lacam", 200, 3, 0.019, 1.3248),
        ("lacam", 800, 3, 0.075, 1.8915),
        ("lacam-star", 800, 3, 10.03, 1.2382),
        ("pibt", 200, 3, 0.004, 1.2308),
        ("pibt", 800, 2, 0.024, 1.8079),
        ("lns2", 200, 3, 0.0134, 1.1547),
        ("lns2", 800, 3, 0.6254, 1.51),
    ),
    "maze-32-32-4": (
        ("cbs", 10, 3, 0.085, 1.0466),
        ("cbs", 20, 2, 0.3857, 1.0529),
        ("eecbs", 30, 3, 0.1249, 1.082),
        ("eecbs", 100, 2, 14.4442, 1.2283),
        ("eecbs-1.05", 30, 3, 3.7941, 1.077),
        ("lacam", 30, 3, 0.001, 1.2573),
        ("lacam", 100, 3, 0.005, 1.6049),
        ("lacam-star", 100, 3, 10.021, 1.1906),
        ("pibt", 30, 2, 0.0, 1.2105),
        ("pibt", 100, 2, 0.001, 1.4375),
        ("lns2", 30, 3, 0.0183, 1.3128),
        ("lns2", 100, 3, 0.1519, 1.5344),
    ),
    "room-64-64-8": (
        ("cbs", 20, 3, 0.0085, 1.0082),
        ("cbs", 40, 2, 4.4815, 1.0158),
        ("eecbs", 100, 3, 0.5164, 1.1204),
        ("eecbs-1.05", 100, 1, 11.1819, 1.0717),
        ("lacam", 100, 3, 0.01, 1.2674),
        ("lacam", 400, 3, 0.054, 2.3612),
        ("lacam-star", 400, 3, 10.034, 1.7768),
        ("pibt", 100, 3, 0.005, 1.2115),
        ("pibt", 400, 3, 0.028, 2.2474),
        ("lns2", 100, 3, 0.0259, 1.1682),
        ("lns2", 400, 3, 3.4361, 1.8911),
    ),
    "warehouse-10-20-10-2-1": (
        ("cbs", 40, 3, 0.0421, 1.0018),
        ("cbs", 80, 3, 0.1675, 1.0018),
        ("eecbs", 100, 3, 0.058, 1.0061),
        ("eecbs", 500, 3, 9.5667, 1.1451),
        ("eecbs-1.05", 100, 3, 0.0834, 1.0124),
        ("lacam", 100, 3, 0.013, 1.272),
        ("lacam", 500, 3, 0.083, 2.0751),
        ("lacam", 1000, 3, 0.175, 3.1883),
        ("lacam-star", 1000, 3, 10.068, 1.9148),
        ("lns2", 100, 3, 0.0186, 1.0987),
        ("lns2", 500, 3, 1.9055, 1.4048),
    ),
    "den520d": (
        ("cbs", 40, 3, 0.0252, 1.0001),
        ("cbs", 80, 3, 0.2344, 1.0005),
        ("eecbs", 100, 3, 0.1009, 1.0014),
        ("eecbs", 500, 3, 2.6034, 1.0074),
        ("eecbs-1.05", 100, 3, 0.0988, 1.0014),
        ("lacam", 100, 3, 0.052, 1.0521),
        ("lacam", 500, 3, 0.258, 1.2321),
        ("lacam", 1000, 3, 0.612, 1.3688),
        ("lacam-star", 1000, 3, 10.156, 1.0332),
        ("pibt", 100, 3, 0.048, 1.0351),
        ("pibt", 500, 3, 0.231, 1.1601),
        ("pibt", 1000, 3, 0.47, 1.28),
        ("lns2", 100, 3, 0.0327, 1.0358),
        ("lns2", 500, 3, 0.5635, 1.1534),
        ("lns2", 1000, 3, 2.0431, 1.2304),
    ),
    "Paris_1_256": (
        ("cbs", 50, 3, 0.0434, 1.0003),
        ("cbs", 100, 3, 0.1805, 1.0004),
        ("eecbs", 500, 3, 1.5924, 1.003),
        ("eecbs", 1000, 3, 6.3593, 1.0073),
        ("eecbs-1.05", 500, 3, 1.6597, 1.0028),
        ("lacam", 500, 3, 0.399, 1.1751),
        ("lacam", 1000, 3, 1.085, 1.2501),
        ("lacam-star", 1000, 3, 10.235, 1.0127),
        ("pibt", 500, 3, 0.462, 1.098),
        ("pibt", 1000, 3, 0.938, 1.1579),
        ("lns2", 500, 3, 0.4028, 1.1121),
        ("lns2", 1000, 3, 1.1895, 1.1675),
    ),
    "ht_chantry": (
        ("cbs", 30, 3, 0.0243, 1.0022),
        ("cbs", 60, 3, 0.2234, 1.004),
        ("eecbs", 200, 3, 0.2675, 1.027),
        ("eecbs-1.05", 200, 3, 0.3745, 1.0275),
        ("lacam", 200, 3, 0.028, 1.2631),
        ("lacam", 1000, 3, 0.182, 2.1497),
        ("lacam-star", 1000, 3, 10.062, 1.6592),
        ("pibt", 200, 3, 0.026, 1.2115),
        ("pibt", 1000, 2, 0.146, 1.9748),
        ("lns2", 200, 3, 0.0501, 1.1284),
        ("lns2", 1000, 3, 8.3811, 1.5407),
    ),
    "brc202d": (
        ("cbs", 20, 3, 0.0932, 1.0002),
        ("cbs", 40, 3, 0.8074, 1.0006),
        ("eecbs", 200, 3, 1.8628, 1.004),
        ("eecbs-1.05", 200, 3, 1.5755, 1.0041),
        ("lacam", 200, 3, 0.174, 1.1564),
        ("lacam", 1000, 3, 0.773, 1.3325),
        ("lacam-star", 1000, 3, 10.292, 1.0697),
        ("pibt", 200, 3, 0.191, 1.1157),
        ("pibt", 1000, 2, 0.9925, 1.2645),
        ("lns2", 200, 3, 0.73, 1.0956),
        ("lns2", 1000, 3, 19.4762, 1.2192),
    ),
}
AIM = 2.0  # times the native seconds


@dataclass(frozen=True)
class Bar:
    """So many of 25 instances are to be solved within a time, at most at this cost over distances."""

    map: str
    agents: int
    method: str
    seconds: float
    share: float = 1.0
    cost: float = np.inf


BARS = (
    Bar("random-32-32-20", 40, "cbs", 10),
    Bar("random-32-32-20", 60, "cbs", 60, share=1 / 3),
    Bar("random-32-32-20", 100, "eecbs", 1),
    Bar("random-32-32-20", 400, "lacam", 0.2),
    Bar("den520d", 1000, "lacam", 5),
    Bar("warehouse-10-20-10-2-1", 1000, "lacam", 5),
    Bar("random-32-32-20", 400, "lacam-star", 10, cost=2.3),
)
INSTANCES = 25  # of a bar, 5 or 6 of them of the benchmark
RIVALS = (("random-32-32-20", (10, 20, 40, 100, 200)), ("warehouse-10-20-10-2-1", (40, 100)))
THEIR_LIMIT = 5.0


@dataclass(frozen=True)
class Run:
    """What a solver reached: seconds until it ended, cost over distances (None without a plan), counted work."""

    solved: bool
    seconds: float
    cost: float | None
    work: float


def run(instance: Instance, name: str, seconds: float) -> Run:
    """Let a solver work for at most so many seconds of processor time, validate its plan."""
    solver, options = SETTINGS[name]
    row = method("mapf", solver)
    stepwise = row.load_stepwise()
    start = time.process_time()
    result = row.load()(instance, **options) if stepwise is None else advance(stepwise(instance, **options), seconds)
    spent = time.process_time() - start
    plan = result.value if result.status is Status.SOLVED or name == "lacam-star" else None
    work = result.stats.get("expanded", result.stats.get("repairs", 0.0))
    return Run(plan is not None and spent <= seconds + 1, spent, None if plan is None else ratio(instance, plan), work)


def advance(solver: Any, seconds: float) -> Result[Plan]:
    """Advance a solver until it ends or the time is over, in bits of some hundredths of a second."""
    begin, count, finished = time.process_time(), 1, False
    while not finished and (before := time.process_time()) - begin < seconds:
        finished = solver.advance(count)
        spent = time.process_time() - before
        count = 2 * count if spent < 0.01 else max(1, count // 2) if spent > 0.04 else count
    return solver.result


def ratio(instance: Instance, plan: Plan) -> float:
    """The sum of costs over that of the agents' shortest ways; the plan must be valid."""
    faults = plan_faults(instance, plan)
    if faults:
        raise SystemExit(f"mapf: an invalid plan: {faults[0]}")
    return float(plan.arrivals(instance.goals).sum() / Board(instance, "").shortest().sum())


def benchmark_instances(data: Path, name: str, agents: int, scenarios: int) -> list[Instance]:
    """The first scenarios at random."""
    grid = load_map(data / f"{name}.map")
    files = [data / "scen-random" / f"{name}-random-{k}.scen" for k in range(1, scenarios + 1)]
    return [load_instance(grid, file, agents=agents) for file in files if file.is_file()]


def bar_instances(data: Path, name: str, agents: int, count: int) -> Iterator[Instance]:
    """The five scenarios at random, the one with even lengths if it has as many agents, and samples of our own."""
    yield from (given := benchmark_instances(data, name, agents, 5))
    grid, even = load_map(data / f"{name}.map"), data / "scen-even" / f"{name}-even-1.scen"
    enough = load_scen(even).size >= agents
    if enough:
        yield load_instance(grid, even, agents=agents)
    for seed in range(count - len(given) - enough):
        tasks = multi_agent_tasks(grid, agents, seed=seed, neighbours=4)
        yield Instance.of(grid, tasks.starts, tasks.goals)


def warm(names: Sequence[str]) -> None:
    """Compile all kernels."""
    instance = Instance.of(Grid.from_text(".....\n.#.#.\n....."), [0, 14, 2], [14, 0, 12])
    for name in names:
        run(instance, name, 0.5)


def show_rows(data: Path, chosen: Sequence[str], names: Sequence[str], scenarios: int) -> None:
    """Print the rows beside native programs, and how many reach the aim."""
    print(
        "beside native programs: seconds of processor time (median), cost over distances (mean), "
        f"aim {AIM:g} times the native; "
        f"limit {LIMIT:g} s"
    )
    print(
        f"  {'map':22} {'method':>10} {'agents':>6} {'solved':>6} {'seconds':>9} {'native':>9} {'ratio':>7} "
        f"{'cost':>7} {'native':>7}"
    )
    reached: list[bool] = []
    for name in chosen:
        for kind, agents, their_solved, their_seconds, their_cost in NATIVE[name]:
            if kind not in names:
                continue
            limit = ANYTIME if kind == "lacam-star" else LIMIT
            runs = [run(i, kind, limit) for i in benchmark_instances(data, name, agents, scenarios)]
            solved = [r for r in runs if r.solved]
            label = f"  {name:22} {kind:>10} {agents:6} {len(solved)}/{len(runs)}".ljust(49)
            if not solved:
                print(f"{label} {'-':>9} {their_seconds:9.4f} {'-':>7} {'-':>7} {their_cost:7.4f}  ({their_solved}/3)")
                reached.append(False)
                continue
            seconds = statistics.median(r.seconds for r in solved)
            cost = statistics.fmean(r.cost or np.inf for r in solved)
            fast = seconds <= AIM * max(their_seconds, 0.001) or kind == "lacam-star"
            cheap = cost <= their_cost + 0.0005 or kind == "cbs"
            reached.append(fast and cheap and len(solved) >= their_solved * len(runs) / 3)
            note = (
                ""
                if reached[-1]
                else "  " + ", ".join(word for word, well in (("slower", fast), ("dearer", cheap)) if not well)
            )
            print(
                f"{label} {seconds:9.4f} {their_seconds:9.4f} {seconds / max(their_seconds, 0.001):7.2f} "
                f"{cost:7.4f} {their_cost:7.4f}  ({their_solved}/3){note}",
                flush=True,
            )
    print(f"  {sum(reached)} of {len(reached)} rows reach the aim in time, cost and number")


def show_bars(data: Path, bars: Sequence[Bar], count: int) -> None:
    """Print the bars of strength."""
    print(f"bars, {count} instances each: solved in time, seconds median and most, cost median and most")
    for bar in bars:
        runs = [run(i, bar.method, bar.seconds) for i in bar_instances(data, bar.map, bar.agents, count)]
        good = [r for r in runs if r.solved and (r.seconds <= bar.seconds or np.isfinite(bar.cost))]
        costs = sorted(r.cost or np.inf for r in good)
        met = len(good) >= bar.share * len(runs) and (not np.isfinite(bar.cost) or costs[-1] <= bar.cost)
        times = [r.seconds for r in good]
        work = [r.work for r in good]
        told = (
            "-"
            if not good
            else (
                f"{statistics.median(times):8.3f} {max(times):8.3f} s, cost {statistics.median(costs):.4f} "
                f"{costs[-1]:.4f}, work {statistics.median(work):.0f} {max(work):.0f}"
            )
        )
        asked = f"within {bar.seconds:g} s" + (f" at most {bar.cost:g}" if np.isfinite(bar.cost) else "")
        print(
            f"  {bar.map:22} {bar.method:>10} {bar.agents:5}: {len(good)}/{len(runs)} {told}  "
            f"bar: {bar.share:.0%} {asked}: {'met' if met else 'MISSED'}",
            flush=True,
        )


def show_steps(agents: int, steps: int) -> None:
    """Print how many steps a second PIBT makes; an agent that arrives gets another goal, of 10,000 in all."""
    grid = maps.random_obstacles(512, 1, 0.1)
    label = parts(grid.free).ravel()
    cells = np.flatnonzero(label == np.bincount(label[label > 0]).argmax())
    rng = np.random.default_rng(1)
    board = Board(Instance.of(grid, rng.permutation(cells)[:agents], rng.permutation(cells)[:agents]), "benchmark")
    mover, places, goals = PIBT(board, room=agents), board.starts, board.goals.copy()
    start = time.process_time()
    places = mover.step(places, goals)
    first = time.process_time() - start
    start, arrived = time.process_time(), 0
    for _ in range(steps):
        there = np.flatnonzero(places == goals)
        arrived += there.size
        goals[there] = board.goals[rng.integers(0, agents, there.size)]
        places = mover.step(places, goals)
    rate = steps / (time.process_time() - start)
    met = "met" if rate >= 10 else "MISSED"
    print(
        f"  PIBT, {agents:,} agents on 512 x 512 cells, 10 % blocked: {rate:.1f} steps a second over {steps} steps, "
        f"{arrived} arrivals; {first:.1f} s before, for the steps to all goals  bar 10: {met}",
        flush=True,
    )


Rival = Callable[[Instance], Sequence[Sequence[tuple[int, int]]]]  # paths of cells (x, y), none if not solved


def grid_of(instance: Instance) -> Grid:
    if not isinstance(instance.space, Grid):
        raise TypeError("instances of the benchmark are on grids")
    return instance.space


def w9(solver: str) -> Rival:
    """A solver of w9-pathfinding."""
    from w9_pathfinding import mapf
    from w9_pathfinding.envs import DiagonalMovement
    from w9_pathfinding.envs import Grid as Their

    def solve(instance: Instance) -> Sequence[Sequence[tuple[int, int]]]:
        grid = grid_of(instance)
        their = Their(
            np.where(grid.free, 1.0, -1.0).tolist(), diagonal_movement=DiagonalMovement.never, edge_collision=True
        )
        ends = ([grid.cell(v) for v in vertices.tolist()] for vertices in (instance.starts, instance.goals))
        more = {} if solver == "HCAStar" else {"max_time": THEIR_LIMIT} if solver == "CBS" else {"window_size": 16}
        try:
            return getattr(mapf, solver)(their).mapf(*ends, max_length=1000, **more)
        except RuntimeError:  # the time is over
            return []

    return solve


def pymapf(solver: str) -> Rival:
    """A solver of pymapf."""
    import pymapf as their

    def solve(instance: Instance) -> Sequence[Sequence[tuple[int, int]]]:
        grid = grid_of(instance)
        ends = zip(instance.starts.tolist(), instance.goals.tolist(), strict=True)
        agents = [their.Agent(str(a), grid.cell(s)[::-1], grid.cell(g)[::-1]) for a, (s, g) in enumerate(ends)]
        problem = their.MAPFProblem(their.GridMap((~grid.free).astype(int).tolist()), agents)
        found = their.get_solver(solver, time_limit=THEIR_LIMIT).solve(problem)
        return [] if found is None else [[(x, y) for y, x in found.paths[str(a)]] for a in range(instance.size)]

    return solve


LIBRARIES = {  # module: solver, and which of ours does the same
    "w9_pathfinding": (w9, {"CBS": "cbs", "HCAStar": "prioritized", "WHCAStar": "whca-star"}),
    "pymapf": (pymapf, {"cbs": "cbs", "pibt": "pibt", "lacam": "lacam"}),
}


def show_rivals(data: Path, chosen: Sequence[str], scenarios: int) -> None:
    """Print other Python libraries beside ours, on the same instances; one that fails is not asked for more agents."""
    print(
        f"beside other Python libraries: solved, seconds of processor time, cost over distances; in {THEIR_LIMIT:g} s"
    )
    for module, (make, solvers) in LIBRARIES.items():
        if importlib.util.find_spec(module) is None:
            print(f"  {module} is not installed: skipped")
            continue
        for their_name, our_name in solvers.items():
            SETTINGS.setdefault(our_name, (our_name, {}))
            solve = make(their_name)
            warm([our_name])
            for name, sizes in RIVALS:
                for agents in sizes if name in chosen else ():
                    instances = benchmark_instances(data, name, agents, scenarios)
                    theirs = [their_run(instance, solve) for instance in instances]
                    ours = [run(instance, our_name, THEIR_LIMIT) for instance in instances]
                    print(
                        f"  {name:22} {agents:4}  {module + ' ' + their_name:24} {told(theirs)}   "
                        f"{our_name:12} {told(ours)}",
                        flush=True,
                    )
                    if not any(r.solved for r in theirs):
                        break


def their_run(instance: Instance, solve: Rival) -> Run:
    grid = grid_of(instance)
    start = time.process_time()
    paths = solve(instance)
    spent = time.process_time() - start
    if not paths or not all(paths):
        return Run(False, spent, None, 0)
    columns = [[grid.vertex(*cell) for cell in path] for path in paths]
    longest = max(map(len, columns))
    plan = Plan(np.array([column + column[-1:] * (longest - len(column)) for column in columns]).T)
    if plan_faults(instance, plan):
        return Run(False, spent, None, 0)
    return Run(True, spent, ratio(instance, plan), 0)


def told(runs: Sequence[Run]) -> str:
    solved = [r for r in runs if r.solved]
    if not solved:
        return f"0/{len(runs)} {'-':>9} {'-':>7}"
    seconds, cost = (statistics.median(v) for v in ([r.seconds for r in solved], [r.cost or np.inf for r in solved]))
    return f"{len(solved)}/{len(runs)} {seconds:9.4f} {cost:7.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="two small maps, one scenario, bars of 8 instances")
    parser.add_argument("--maps", nargs="+", choices=NATIVE, default=list(NATIVE), metavar="MAP")
    parser.add_argument("--methods", nargs="+", choices=SETTINGS, default=list(SETTINGS), metavar="METHOD")
    parser.add_argument("--part", nargs="+", choices=("rows", "bars", "rivals"), default=["rows", "bars", "rivals"])
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"mapf: needs the Moving AI benchmarks of many agents in {options.data}")
        sys.exit(0)
    chosen, names = options.maps, options.methods
    if options.quick:
        chosen = [name for name in chosen if name in ("random-32-32-20", "maze-32-32-4")]
    warm(names)
    if "rows" in options.part:
        show_rows(options.data, chosen, names, 1 if options.quick else 3)
    if "bars" in options.part:
        bars = [bar for bar in BARS if bar.map in chosen and bar.method in names]
        if options.quick:
            bars = [bar for bar in bars if bar.seconds <= 1]
        show_bars(options.data, bars, 8 if options.quick else INSTANCES)
        if "pibt" in names:
            show_steps(1_000 if options.quick else 10_000, 100)
    if "rivals" in options.part:
        show_rivals(options.data, chosen, 1 if options.quick else 3)


if __name__ == "__main__":
    main()
