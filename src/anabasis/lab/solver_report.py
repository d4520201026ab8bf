"""Solver report: success, cost, makespan and time over the number of agents, as a table, charts and a page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from anabasis.io.atomic import write_atomic
from anabasis.lab.charts import DASHES, MARKS, method_colour, need_matplotlib, panels_figure, plain_powers
from anabasis.lab.machine import machine
from anabasis.lab.page import Cell, document, figure, section, table, text
from anabasis.lab.solver_suite import SolverRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["HEAD", "Line", "anytime_chart", "line_cells", "lines_of", "size_chart", "write_solver_report"]

HEAD = (
    "map",
    "agents",
    "method",
    "solved",
    "optimal",
    "not solved",
    "seconds",
    "first plan",
    "cost / distances",
    "cost",
    "makespan",
)


@dataclass(frozen=True)
class Line:
    """What one solver reached on the instances of one map with as many agents; numbers are medians of those solved.

    failures: how runs ended that solved nothing, see `SolverRun.ending`, and how many did: "no solution" is a proof.
    """

    map_name: str
    agents: int
    method: str
    runs: int
    solved: int
    optimal: int
    failures: tuple[tuple[str, int], ...]
    seconds: float | None
    first_seconds: float | None
    ratio: float | None
    sum_of_costs: float | None
    makespan: float | None

    @property
    def success(self) -> float:
        """The share of instances that were solved."""
        return self.solved / self.runs


def lines_of(runs: Iterable[SolverRun]) -> list[Line]:
    """Return a line for each map, number of agents and method, in the order in which they were run."""
    groups: dict[tuple[str, int, str], list[SolverRun]] = {}
    for run in runs:
        groups.setdefault((run.map_name, run.agents, run.method), []).append(run)
    order = list(dict.fromkeys(run[0] for run in groups))
    made: list[Line] = []
    for (name, agents, method), group in sorted(groups.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        solved = [run for run in group if run.solved]

        def middle(value: Callable[[SolverRun], float | None], solved: list[SolverRun] = solved) -> float | None:
            values = [v for v in map(value, solved) if v is not None]
            return median(values) if values else None

        made.append(
            Line(
                name,
                agents,
                method,
                len(group),
                len(solved),
                sum(run.optimal for run in group),
                tuple(Counter(run.ending for run in group if not run.solved).items()),
                middle(lambda run: run.seconds),
                middle(lambda run: run.first_seconds),
                middle(lambda run: run.ratio),
                middle(lambda run: run.sum_of_costs),
                middle(lambda run: run.makespan),
            )
        )
    return made


def line_cells(line: Line) -> list[str]:
    """Return a line as texts, under the head of the table."""
    return [
        line.map_name,
        str(line.agents),
        line.method,
        f"{line.solved}/{line.runs}",
        f"{line.optimal}/{line.runs}",
        ", ".join(f"{count} {ending}" for ending, count in line.failures) or "–",
        _number(line.seconds, 4),
        _number(line.first_seconds, 4),
        _number(line.ratio, 5),
        _number(line.sum_of_costs, 8),
        _number(line.makespan, 8),
    ]


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}g}"


def size_chart(lines: Sequence[Line], methods: Sequence[str], *, salt: str) -> str:
    """Return four charts of one map over the number of agents: success, time, cost and makespan; an SVG element."""
    panels: list[tuple[str, Callable[[Line], float | None], bool]] = [
        ("solved", lambda line: line.success, False),
        ("seconds to the first plan", lambda line: line.first_seconds, True),
        ("cost / distances", lambda line: line.ratio, False),
        ("makespan", lambda line: line.makespan, False),
    ]

    def draw(axes: Axes, title: str, value: Callable[[Line], float | None], log: bool) -> None:
        for number, method in enumerate(methods):
            points = [(line.agents, value(line)) for line in lines if line.method == method]
            known = [(x, y) for x, y in points if y is not None]
            if known:
                axes.plot(
                    *zip(*known, strict=True),
                    color=method_colour(number),
                    linestyle=DASHES[number % len(DASHES)],
                    marker=MARKS[number % len(MARKS)],
                    markersize=3.5,
                    linewidth=1.3,
                )
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("agents")
        if log:
            axes.set_yscale("log")
            plain_powers(axes.yaxis)
        if title == "solved":
            axes.set_ylim(-0.03, 1.03)

    return panels_figure([partial(draw, title=t, value=v, log=log) for t, v, log in panels], 9.6, 2.5, salt)


def anytime_chart(runs: Sequence[SolverRun], methods: Sequence[str], *, salt: str) -> str:
    """Return the cost over time on one instance, a line a solver, with proved bounds dotted; an SVG element."""

    def draw(axes: Axes) -> None:
        for number, method in enumerate(methods):
            for run in runs:
                if run.method != method or not len(run.curve) or not run.distances:
                    continue
                last = max(run.seconds or 0.0, float(run.curve[-1, 0]))
                times = np.append(run.curve[:, 0], last)
                for column, style in ((1, "-"), (2, (0, (1.5, 1.2)))):
                    values = np.append(run.curve[:, column], run.curve[-1, column]) / run.distances
                    if column == 1 or values.max() > 0:
                        axes.step(
                            times, values, where="post", color=method_colour(number), linestyle=style, linewidth=1.3
                        )
        axes.set_xscale("log")
        plain_powers(axes.xaxis)
        axes.set_xlabel("seconds")
        axes.set_ylabel("cost / distances")

    return panels_figure([draw], 6.4, 3.0, salt)


def write_solver_report(
    runs: Sequence[SolverRun],
    folder: str | Path,
    *,
    title: str,
    conditions: str = "",
    parts: Sequence[str] = (),
    file: Path | None = None,
) -> Path:
    """Write `report.html` and `lines.csv` into the folder of the runs; return the page's path.

    conditions: how the runs were made, as a sentence. parts: sections of the page that come first. file: the page's
    place instead. Without matplotlib the page has no charts.
    """
    place = Path(folder)
    lines = lines_of(runs)
    methods = list(dict.fromkeys(run.method for run in runs))
    hopeless = sum(run.ending == "no solution" for run in runs)
    proved = f", {hopeless} proved to have no solution" if hopeless else ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    writer.writerows(line_cells(line) for line in lines)
    write_atomic(place / "lines.csv", out.getvalue().encode())
    page = document(
        title,
        f"<h1>{text(title)}</h1>",
        f'<p class="facts">{len(runs)} runs; {sum(run.solved for run in runs)} solved{proved}; every plan validated '
        f"twice. Numbers are medians over the instances that were solved. {text(conditions)} {text(machine())}</p>",
        *parts,
        *_charts(runs, lines, methods),
        section("All numbers", _lines_table(lines)),
        *_failures(runs),
        colours=[method_colour(k) for k in range(len(methods))],
    )
    target = file or place / "report.html"
    write_atomic(target, page.encode())
    return target


def _charts(runs: Sequence[SolverRun], lines: Sequence[Line], methods: Sequence[str]) -> list[str]:
    try:
        need_matplotlib()
    except ImportError:
        return []
    key = "".join(f'<li><span class="dot m{k}"></span>{text(name)}</li>' for k, name in enumerate(methods))
    made: list[str] = []
    for name in dict.fromkeys(line.map_name for line in lines):
        here = [line for line in lines if line.map_name == name]
        figures = [
            figure(size_chart(here, methods, salt=name), "Success, time, cost and makespan by the number of agents.")
        ]
        longest = _anytime_runs([run for run in runs if run.map_name == name])
        if longest:
            caption = f"Cost over time, {longest[0].scenario} with {longest[0].agents} agents; dotted: proved bounds."
            figures.append(figure(anytime_chart(longest, methods, salt=f"{name} anytime"), text(caption)))
        made.append(section(name, f'<ul class="key">{key}</ul>', *figures))
    return made


def _anytime_runs(runs: Sequence[SolverRun]) -> list[SolverRun]:
    """Return the runs of the largest instance that some solver went on to improve."""
    improved = [run for run in runs if len(np.unique(run.curve[:, 1])) > 1]
    if not improved:
        return []
    chosen = max(improved, key=lambda run: run.agents)
    return [
        run for run in runs if (run.scenario, run.agents, run.seed) == (chosen.scenario, chosen.agents, chosen.seed)
    ]


def _lines_table(lines: Sequence[Line]) -> str:
    return table(HEAD, [[Cell(text(c), head=k == 0) for k, c in enumerate(line_cells(line))] for line in lines])


def _failures(runs: Sequence[SolverRun]) -> list[str]:
    failed = [run for run in runs if not run.solved]
    if not failed:
        return []
    rows = [
        [
            Cell(text(run.scenario), head=True),
            Cell(str(run.agents)),
            Cell(text(run.method), "left"),
            Cell(text(run.ending), "left"),
            Cell(text(run.reason), "left"),
        ]
        for run in failed
    ]
    return [section("Not solved", table(["scenario", "agents", "method", "ending", "why"], rows))]
