"""The studies of planning for one unit as a whole: run them, and write them down as a page, tables and a text.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011); its maps are
made again (`planning_maps`), its tables stand beside ours, and each of its claims is held against our figures.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anabasis.io.atomic import write_atomic
from anabasis.lab.page import Cell, document, figure, section, table, text
from anabasis.lab.studies import (
    planning_discretisation,
    planning_rrt,
    planning_searches,
    planning_smoothing,
    planning_theta,
)
from anabasis.lab.studies.flow_claims import Finding
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_maps import corner_place, obstacle_map, octagon_map
from anabasis.lab.studies.planning_record import Table, shown
from anabasis.search.visibility_graph import visibility_graph
from anabasis.view.scene import Scene, path_scene, world_scene
from anabasis.view.svg import to_svg

__all__ = ["PlanningStudy", "run_planning", "study_text", "write_planning"]

TITLE = "Planning for one unit: discretisations and searches"
STAGES = (
    "polygons",
    "polygon-searches",
    "grids",
    "cover",
    "sq-4",
    "sq-8",
    "hex",
    "smoothing",
    "rrt",
    "rrt-race",
    "searches",
    "spaces",
)


@dataclass(frozen=True)
class PlanningStudy:
    """The tables by name, and what was found."""

    tables: Mapping[str, Table]
    findings: tuple[Finding, ...]
    quick: bool


def run_planning(*, quick: bool = False, progress: Callable[[int, int], None] | None = None) -> PlanningStudy:
    """Run all studies. quick: fewer repetitions, runs and queries. progress: is told how many of the tables are made.

    All figures but times are the same in every run.
    """
    repeats, runs, queries = (1, 20, 20) if quick else (5, 100, 100)
    make: dict[str, Callable[[], Table]] = {
        "polygons": lambda: planning_discretisation.polygon_table(repeats=repeats),
        "polygon-searches": lambda: planning_discretisation.polygon_search_table(repeats=repeats),
        "grids": lambda: planning_discretisation.grid_table(repeats=repeats),
        "cover": planning_discretisation.cover_table,
        **{
            kind: (lambda kind=kind: planning_theta.theta_table(kind, repeats=repeats))
            for kind in planning_theta.LATTICES
        },
        "smoothing": lambda: planning_smoothing.smoothing_table(queries=queries),
        "rrt": lambda: planning_rrt.rrt_table(runs=runs),
        "rrt-race": lambda: planning_rrt.race_table(runs=10 * runs),
        "searches": lambda: planning_searches.search_table(repeats=1 if quick else 3),
        "spaces": lambda: planning_searches.space_table(repeats=1 if quick else 3),
    }
    tables: dict[str, Table] = {}
    for name in STAGES:
        tables[name] = make[name]()
        if progress is not None:
            progress(len(tables), len(STAGES))
    found = [
        *planning_discretisation.findings(*(tables[name] for name in STAGES[:4])),
        *planning_theta.findings([tables[kind] for kind in planning_theta.LATTICES]),
        *planning_smoothing.findings(tables["smoothing"]),
        *planning_rrt.findings(tables["rrt"], tables["rrt-race"]),
    ]
    return PlanningStudy(tables, tuple(sorted(found, key=_place)), quick)


def _place(finding: Finding) -> tuple[str, int]:
    """Claims in the order of their numbers, then targets, then the rest."""
    match = re.match(r"([CT])(\d+)", finding.claim)
    return (match[1], int(match[2])) if match else ("Z", 0)


def study_text(study: PlanningStudy) -> str:
    """Return findings and tables as plain text."""
    lines = [f"{f.verdict}: {f.claim}: {f.measured} (thesis: {f.source})" for f in study.findings]
    return "\n\n".join([TITLE, "\n".join(lines), *(t.text() for t in study.tables.values())]) + "\n"


def write_planning(study: PlanningStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt` and a CSV file for each table into a folder; return the page's path."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, made in study.tables.items():
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(made.head)
        writer.writerows([row.get(column) for column in made.head] for row in made.rows)
        write_atomic(place / f"{name}.csv", out.getvalue().encode())
    write_atomic(place / "report.txt", study_text(study).encode())
    write_atomic(place / "report.html", _page(study).encode())
    return place / "report.html"


def _page(study: PlanningStudy) -> str:
    counts = {
        verdict: sum(f.verdict == verdict for f in study.findings) for verdict in ("reproduced", "not reproduced")
    }
    quick = "<p>This is the quick study, of few runs and queries: a hint, no more.</p>" if study.quick else ""
    top = (
        f'<header><h1>{text(TITLE)}</h1><p class="lead">Of {len(study.findings)} claims and targets '
        f"{counts['reproduced']} are reproduced and {counts['not reproduced']} are not.</p>{quick}"
        "<p>After a bachelor thesis on trajectory planning in a virtual two-dimensional environment, 2011. Its maps "
        "are lost and made again here, so lengths among obstacles are compared by their ratios. Columns that begin "
        "with “source” are printed there. Times are processor time; the source names no machine.</p></header>"
    )
    parts = [top, _findings(study), _maps(), _charts(study)]
    parts += [_table(made) for made in study.tables.values()]
    return document(TITLE, *parts, colours=[])


def _findings(study: PlanningStudy) -> str:
    looks = {True: "left b1", False: "left b3", None: "left flag"}
    rows = [
        [
            Cell(text(finding.claim), head=True),
            Cell(text(finding.source), "left"),
            Cell(text(finding.measured), "left"),
            Cell(text(finding.verdict), looks[finding.holds]),
        ]
        for finding in study.findings
    ]
    return section("Findings", table(["claim", "in the thesis", "measured here", "verdict"], rows))


def _table(made: Table) -> str:
    rows = [[Cell(text(shown(row.get(name)))) for name in made.head] for row in made.rows]
    note = f'<p class="note">{text(made.note)}</p>' if made.note else ""
    return section(made.title, table(made.head, rows), note)


def _maps() -> str:
    """The maps with the shortest ways between the corners that are asked for."""
    figures: list[str] = []
    for world, name, caption in (
        (octagon_map(86), "upper", "86 octagons, the shortest way from the upper right to the lower left"),
        (obstacle_map(), "upper right", "The map with obstacles, the easy way"),
        (obstacle_map(), "upper left", "The same map, the hard way"),
    ):
        start = "upper left" if name == "upper left" else "upper right"
        goal = "lower right" if start == "upper left" else "lower left"
        path = visibility_graph(world, corner_place(start), corner_place(goal)).value
        scene = world_scene(world) if path is None else path_scene(world, path)
        figures.append(_drawn(scene, caption))
    return section("Maps", f'<div class="pair">{"".join(figures)}</div>')


def _charts(study: PlanningStudy) -> str:
    """The times and memory of the tables over what they depend on, ours and the source's."""
    grids, polygons = study.tables["grids"], study.tables["polygons"]
    edges, n = grids.column("a px"), polygons.column("obstacles")
    charts: list[str] = []
    for what, unit in (("t ms", "ms"), ("m kB", "kB")):
        series = {
            f"{source}{kind}": (edges, grids.column(f"{source}{kind} {what}"))
            for kind in ("sq-4", "sq-8", "hex")
            for source in ("", "source ")
        }
        chart = log_chart(series, across="edge of a cell, px", up=unit)
        charts.append(figure(chart, text(f"Lattices of the empty map: {unit} over the edge of a cell")))
    times = {
        "obstacles found": (n, polygons.column("t_p ms")),
        "source: found": (n, polygons.column("source t_p ms")),
        "visibility graph": (n, polygons.column("t_d ms")),
        "source: visibility graph": (n, polygons.column("source t_d ms")),
        "tangent graph": (n, polygons.column("tangent t_d ms")),
    }
    chart = log_chart(times, across="obstacles", up="ms")
    charts.append(figure(chart, "Polygonal maps: ms over the number of obstacles"))
    return section("Times and memory", f'<div class="pair">{"".join(charts)}</div>')


def _drawn(scene: Scene, caption: str) -> str:
    return figure(to_svg(scene, width=560), text(caption), look="map")
