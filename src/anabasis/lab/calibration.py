"""Calibration: how many units pass a gate of a given width in the simulator, measured.

A room full of units, a wall with a gate, the target well behind it. The rate is the slope of the number of units that
have crossed the gate's line, while between a fifth and four fifths of them have: before, the throng forms; after, it
thins out. One slice is the time in which a unit moves by its diameter at full speed; the source's formula lets as many
units pass in it as fit side by side (J. Pacovský, "Navigation of units in video games using flow networks", 2019).

What lies behind the gate is one of the PASSAGES: a `gap` is a wall one cell thick with the target straight ahead, a
`corridor` is 12 diameters long, and at a `bend` the way turns by 45 degrees behind a gap. What units follow is one of
FOLLOWS: `paths` cell by cell through the gate's centre, only the `points` at the gate's centre and the target, `lanes`
side by side through the gate, one shared vector `field`, or each its `own` shortest path.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from multiprocessing import get_context

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.flow.lanes import APART, CUT, NARROW, side_by_side
from anabasis.flow.rooms import Room
from anabasis.flow.throughput import FOLLOWS, PASSAGES
from anabasis.flow.ways import SPACING, placed
from anabasis.grid import Grid
from anabasis.metrics.crowds import throughput
from anabasis.orders import plan_groups
from anabasis.plan import GroupPlan
from anabasis.scenario import Group, Scenario, Target
from anabasis.sim.simulate import Simulation
from anabasis.trace import UnitState

__all__ = ["QUICK_WIDTHS", "WIDTHS", "GateTask", "Measurement", "calibrate", "gate_task", "measure", "table", "waiting"]

WIDTHS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0)
QUICK_WIDTHS = (1.0, 2.0, 4.0, 8.0)
CORRIDOR = 12  # diameters
TURN = np.pi / 4
BEHIND = 40.0  # diameters from the gate to the target
STEPS = 6000  # after which a run ends in any case
SHARE = (0.2, 0.8)


@dataclass(frozen=True)
class Measurement:
    """One run: `rate` is units a slice; `width` is in unit diameters."""

    passage: str
    follows: str
    width: float
    seed: int
    rate: float


@dataclass(frozen=True, eq=False)
class GateTask:
    """A scenario at a gate: the free cells of the wall are those from `left` to before `right`, `top` to `bottom`."""

    scenario: Scenario
    left: int
    right: int
    top: int
    bottom: int

    @property
    def ends(self) -> NDArray[np.float64]:
        """float64[2, 2]: the centres of the gate's two openings, which are one point in a wall one cell thick."""
        y = (self.top + self.bottom) / 2
        return np.array([[self.left + 0.5, y], [self.right - 0.5, y]])


def gate_task(
    width: float, passage: str, *, radius: float | None = None, speed: float = 0.15, units: int | None = None
) -> GateTask:
    """Return the scenario for a gate of so many unit diameters.

    A gate is at least one cell wide, so for narrower ones the units are larger; else their diameter is one cell, or
    twice `radius`. speed: in diameters a step. units: by default so many that twice as many pass no faster.
    """
    diameter = 2 * radius if radius else max(1.0, 1.0 / width)
    cells = max(1, round(width * diameter))
    size = round(100 + 50 * width) if units is None else units
    rows = int(np.ceil(np.sqrt(2 * size)))
    column, row = np.divmod(np.arange(size), rows)
    gap = 1.1 * diameter
    height = int(np.ceil(rows * gap + 6 * diameter))
    height += (height - cells) % 2
    left = int(np.ceil((column.max() + 1) * gap + 6 * diameter))
    right = left + (round(CORRIDOR * diameter) if passage == "corridor" else 1)
    margin = int(np.ceil(BEHIND * diameter))
    middle = margin + height / 2
    top = margin + (height - cells) // 2
    free = np.zeros((height + 2 * margin, right + 2 * margin), bool)
    free[margin : margin + height, :left] = True
    free[top : top + cells, left:right] = True
    free[:, right:] = True
    start = np.stack([left - 2 * diameter - column * gap, middle + (row - (rows - 1) / 2) * gap], axis=1)
    turn = TURN if passage == "bend" else 0.0
    away = BEHIND * diameter * np.array([np.cos(turn), np.sin(turn)])
    target = Target(right + away[0], middle + away[1], diameter * min(width / 2 + 2, 10))
    group = Group(start, target, diameter / 2, speed * diameter)
    return GateTask(Scenario(Grid.from_free(free), (group,)), left, right, top, top + cells)


def gate_plan(task: GateTask, follows: str) -> GroupPlan:
    """Return a plan for the units of a gate task (see FOLLOWS)."""
    group = task.scenario.groups[0]
    end = np.array([[group.target.x, group.target.y]])
    if follows == "field":
        return _planned(task.scenario, "vector-field")
    if follows == "own":
        return _planned(task.scenario, "astar")
    starts: list[ArrayLike] = list(group.positions[:, None])
    if follows == "points":
        return _joined(starts, [task.ends], [end])
    if follows == "lanes":
        return _in_lanes(task)
    (x0, y), (x1, _) = task.ends.tolist()
    there = _planned(replace(task.scenario, groups=(replace(group, target=Target(x0, y)),)), "astar")
    on = _planned(replace(task.scenario, groups=(replace(group, positions=np.array([[x1, y]])),)), "astar")
    return _joined([there.path(unit)[:-1] for unit in range(group.size)], [task.ends], [on.path(0)[1:]])


def _planned(scenario: Scenario, method: str) -> GroupPlan:
    plan = plan_groups(scenario, method, seed=0)[0].value
    assert plan is not None  # noqa: S101 - every unit has a way here
    return plan


def _joined(first: Sequence[ArrayLike], gate: Sequence[ArrayLike], last: Sequence[ArrayLike]) -> GroupPlan:
    """Join three parts of paths; one for all stands for as many as there are units."""
    parts = [part if len(part) > 1 or len(first) == 1 else [part[0]] * len(first) for part in (first, gate, last)]
    return GroupPlan.of_paths([np.concatenate(pieces) for pieces in zip(*parts, strict=True)])


def _in_lanes(task: GateTask) -> GroupPlan:
    """Return the plan of a group in lanes, see `flow.lanes`; like there a narrow gate is passed in its middle."""
    grid, group = task.scenario.grid, task.scenario.groups[0]
    diameter, width = 2 * group.radius, task.bottom - task.top
    inside = grid.free.copy()
    if width < NARROW * diameter:
        inside[task.top : task.bottom, task.left : task.right] = False
        inside[(task.top + task.bottom) // 2, task.left : task.right] = True
    cells, goal = group.vertices(grid), group.goal(grid)
    passage = Room(grid, inside, (0, 0)).spread(np.array([goal]))
    ways, kept = side_by_side(grid, passage, width, cells, group.positions, diameter)
    end = (group.target.x, group.target.y)
    spacing = np.where(kept, APART * diameter, SPACING)
    indptr, points = placed(grid.cost, ways, group.positions, end, spacing=spacing)
    return GroupPlan(indptr, points, np.zeros(group.size, np.int64), cut=np.where(kept, CUT * diameter, np.inf))


def measure(task: GateTask, plan: GroupPlan, *, seed: int) -> float:
    """Return the units a slice that pass the gate of a task; 0 if too few do to tell."""
    scenario = task.scenario
    group = scenario.groups[0]
    run = Simulation(scenario, [plan], seed=seed, record_every=5)
    while run.ending is None and run.now < STEPS and waiting(run, task) > 0.1 * group.size:
        run.step(100)
    trace = run.trace()
    x = task.left + 0.5
    passed = np.cumsum(throughput(trace, line=((x, float(scenario.grid.height)), (x, 0.0))))
    low, high = SHARE[0] * group.size, SHARE[1] * group.size
    steady = (passed >= low) & (passed <= high)
    if passed[-1] < 2 * low or steady.sum() < 3:
        return 0.0
    times, count = trace.times[steady].astype(np.float64), passed[steady]
    late = times - times.mean()
    return float((late * count).sum() / (late * late).sum()) * 2 * group.radius / group.speed


def waiting(run: Simulation, task: GateTask) -> int:
    """Return the number of units before the gate."""
    return int(((run.units.position[:, 0] < task.left) & (run.units.state <= int(UnitState.LOST))).sum())


def _measured(job: tuple[str, str, float, int]) -> Measurement:
    passage, follows, width, seed = job
    task = gate_task(width, passage)
    return Measurement(*job, measure(task, gate_plan(task, follows), seed=seed))


def calibrate(
    *,
    widths: Sequence[float] = WIDTHS,
    seeds: int = 3,
    passages: Sequence[str] = PASSAGES,
    follows: Sequence[str] = FOLLOWS,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[Measurement]:
    """Return one measurement for each passage, what units follow, width and seed, in this order.

    `progress` is told (done, total). The result does not depend on the number of worker processes.
    """
    jobs = list(product(passages, follows, widths, range(seeds)))
    done: list[Measurement] = []

    def note(measurement: Measurement) -> None:
        done.append(measurement)
        if progress:
            progress(len(done), len(jobs))

    note(_measured(jobs[0]))  # compiles the kernels before several processes need them
    if workers == 1:
        for job in jobs[1:]:
            note(_measured(job))
        return done
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts) as pool:
        try:
            for measurement in pool.map(_measured, jobs[1:], chunksize=1):
                note(measurement)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return done


def _leave_interrupts() -> None:
    """Let Ctrl-C be for the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def table(measurements: Sequence[Measurement], *, version: str) -> str:
    """Return the text of the data file: the median rate over the seeds of each passage, thing followed and width."""
    rates: dict[tuple[str, str, float], list[float]] = {}
    for m in measurements:
        rates.setdefault((m.passage, m.follows, m.width), []).append(m.rate)
    seeds = max(m.seed for m in measurements)
    lines = [
        "# Units that pass a gate in one slice, the time in which a unit moves by its diameter at full speed.",
        "# width: of the gate, in unit diameters. rate: median over the seeds. Measured in the simulator:",
        "# a room of 100 + 50 * width units, a wall with the gate, the target 40 diameters behind it;",
        "# gap: straight ahead; corridor: 12 diameters long; bend: the way turns by 45 degrees behind the gate.",
        f"# written by: anabasis calibrate --seeds {seeds + 1} (seeds 0 to {seeds}), Anabasis {version}",
        "passage,follows,width,rate",
    ]
    lines += [f"{p},{f},{width:g},{np.median(values):.4f}" for (p, f, width), values in rates.items()]
    return "\n".join(lines) + "\n"
