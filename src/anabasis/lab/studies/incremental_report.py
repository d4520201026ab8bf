"""The study of incremental search written down: a page, a text, a CSV file for each table, and times by themselves.

The chart of times by step is that of the source, a Ukrainian master's thesis on path finding for several units, 2021:
red with reuse, blue without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from anabasis.grid import Grid
from anabasis.lab.charts import method_colour, panels_figure
from anabasis.lab.machine import machine
from anabasis.lab.page import document, figure, section, text
from anabasis.lab.studies.finding import findings_section
from anabasis.lab.studies.incremental_crossing import LINES, SETTINGS, crossing
from anabasis.lab.studies.incremental_study import IncrementalStudy
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.terrain_claims import number, pick
from anabasis.lab.studies.written import finding_lines, table_section, write_study
from anabasis.search.dstar_lite import DStarLite
from anabasis.view.incremental import incremental_scene
from anabasis.view.svg import to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TITLE", "incremental_text", "times_text", "write_incremental"]

TITLE = "Searches that go on from what they know"
_FACTS = (
    "The source runs one experiment and shows its times in a chart without numbers. Shares of blocked tiles, mix of "
    "prices, seeds, repeats and machine are not told, so they are chosen here; so is the bar for a claim that is a "
    "word. Figures said to be by a simulation are not the source's: a third party measured them, in Python.",
    "What is timed is a call from Python, and with and without reuse it is the same one: it takes what has changed and "
    "gives the next step. That the search forgets what it knows is done before the clock runs. A* gives whole ways, so "
    "it is held against searches with reuse that are asked for whole ways too.",
    "Expansions and costs are the same in every run. Times are not; they stand in times.txt and in times_*.csv.",
)
_QUICK = "This is the quick study, of few seeds and small maps: a hint, no more."
_LATER = 11
_SHOWN = {LINES[0]: 1, LINES[1]: 0, "A*": 2}
"""The lines of the chart and their places in the palette: red with reuse, blue without."""


def _facts(study: IncrementalStudy) -> list[str]:
    return [*_FACTS, *([_QUICK] if study.quick else [])]


def incremental_text(study: IncrementalStudy) -> str:
    """Return findings and tables of counts as plain text, the same in every run."""
    head = "\n".join([TITLE, *_facts(study)])
    return (
        "\n\n".join([head, finding_lines(study.count_findings), *(made.text() for made in study.counts.values())])
        + "\n"
    )


def times_text(study: IncrementalStudy) -> str:
    """Return findings and tables of times as plain text."""
    tables = [made.text() for made in study.times.values()]
    return "\n\n".join([finding_lines(study.time_findings), *tables, f"Measured on: {machine()}"]) + "\n"


def write_incremental(study: IncrementalStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt`, `times.txt` and a CSV file for each table; return the page's path.

    report.txt and the CSV files whose names don't begin with times are the same, byte for byte, in every run.
    """
    texts = {"times.txt": times_text(study), "report.txt": incremental_text(study)}
    return write_study(folder, study.tables, texts, _page(study))


def _page(study: IncrementalStudy) -> str:
    counts = {kind: sum(f.holds is kind for f in study.findings) for kind in (True, False)}
    facts = "".join(f'<p class="note">{text(line)}</p>' for line in [*_facts(study), f"Measured on: {machine()}"])
    top = (
        f'<header><h1>{text(TITLE)}</h1><p class="lead">Of {len(study.findings)} claims and readings {counts[True]} '
        f"are reproduced and {counts[False]} {'is' if counts[False] == 1 else 'are'} not.</p><p>After a Ukrainian "
        "master's thesis on path finding for several units in dynamic environments, 2021: D* Lite for each unit, four "
        f"units that cross a map of 20 × 20; then bigger maps, more changes, more units.</p>{facts}</header>"
    )
    return document(
        TITLE,
        top,
        findings_section(study.findings, "source"),
        _step_section(study.curves),
        _picture_section(),
        _chart_section(study.times["times_moving"]),
        *map(table_section, study.tables.values()),
        colours=[],
    )


def _step_section(curves: Mapping[str, Mapping[str, list[float]]]) -> str:
    """Return the source's chart for each setting."""
    figures = [
        figure(panels_figure([_curve(lines)], 5.4, 3.0, f"incremental {kind}"), text(kind))
        for kind, lines in curves.items()
    ]
    note = "Time of the searches of all units that are under way, by step: medians over seeds of medians of repeats."
    return section("Times by step", f'<p class="note">{note}</p><div class="pair">{"".join(figures)}</div>')


def _curve(lines: Mapping[str, list[float]]) -> Callable[[Axes], None]:
    def draw(axes: Axes) -> None:
        for line, colour in _SHOWN.items():
            axes.plot(range(1, len(lines[line]) + 1), lines[line], color=method_colour(colour), label=line)
        axes.set_xlim(left=1)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("step")
        axes.set_ylabel("ms")
        axes.legend(frameon=False)

    return draw


def _picture_section() -> str:
    """Return what the search of one unit knows at its start, and after ten steps of all."""
    walk = crossing(SETTINGS[1], 0)
    first = next(view for view in walk.steps[0] if view.unit == 0)
    search = DStarLite(first.grid, first.place, walk.goals[0], neighbours=4)
    search.next_step()
    figures = [_picture(first.grid, search, "Before the first step of the unit that starts top left: 20 % blocked.")]
    for views in walk.steps[1:_LATER]:
        for view in views:
            if view.unit == 0:
                search.move_to(view.place)
                search.change(view.cells, view.prices)
                search.next_step()
    figures.append(_picture(first.grid, search, f"The same search at its step {_LATER}: only what mattered is mended."))
    return section("What a search knows", *figures)


def _picture(grid: Grid, search: DStarLite, caption: str) -> str:
    return figure(to_svg(incremental_scene(grid, search), width=900), text(caption), look="map wide")


def _chart_section(times: Table) -> str:
    """Return the speed-up over the number of changed cells, on the biggest maps."""
    cells = str(times.rows[-1]["cells"])
    figures: list[str] = []
    for part in dict.fromkeys(str(row["part"]) for row in times.rows):
        rows = pick(times, cells=cells, part=part)
        series = {
            name: (
                [number(row, "of changes") for row in rows if row["map"] == name],
                [number(row, "A* later") for row in rows if row["map"] == name],
            )
            for name in dict.fromkeys(str(row["map"]) for row in rows)
        }
        chart = log_chart(series, across="changed cells a step", up="times")
        figures.append(
            figure(chart, text(f"D* Lite against A* on maps of {cells}, changes {part}, after the first step."))
        )
    return section("Speed-up by changes", f'<div class="pair">{"".join(figures)}</div>')
