"""The studies of planning for one unit written down: a page, a text, and a CSV file for each table.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011); its maps are
made again (`planning_maps`), its tables stand beside ours, and each of its claims is held against our figures.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anabasis.lab.page import document, figure, section, text
from anabasis.lab.studies.finding import findings_section
from anabasis.lab.studies.planning_charts import log_chart
from anabasis.lab.studies.planning_maps import corner_place, empty_map, obstacle_map, octagon_map
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.planning_rrt import AMONG, FITTED, FREE
from anabasis.lab.studies.planning_studies import PlanningStudy, run_planning
from anabasis.lab.studies.written import finding_lines, table_section, write_study
from anabasis.search.rrt import rrt
from anabasis.search.visibility_graph import visibility_graph
from anabasis.view.scene import Scene, path_scene, world_scene
from anabasis.view.svg import to_svg
from anabasis.world import World

__all__ = ["TITLES", "PlanningStudy", "run_planning", "study_text", "write_planning"]

TITLES = {
    "discretisation": "Discretisations: polygonal maps, squares and hexagons",
    "theta": "A*, A* with post-smoothing, and Theta*",
    "rrt": "RRT, a hundred times",
    "smoothing": "Smoothing beside any-angle search",
    "searches": "Every search and every discretisation",
}
_STAND_IN = (
    "The source's map with obstacles is lost. The one here is made so that its shortest ways are to the straight lines "
    "as the published lengths are, that stairs lead along both diagonals, and that hexagons of edge 6 and more do not "
    "leave a corner: whatever follows from that is no evidence for the source's claims. The maps of octagons have its "
    "numbers of obstacles, edges and corners, in places of ours. The empty map and the ends on it are exact."
)


def study_text(study: PlanningStudy) -> str:
    """Return findings and tables as plain text."""
    head = [TITLES[study.name], *_facts(study)]
    found = finding_lines(study.findings, "thesis")
    return "\n\n".join(["\n".join(head), found, *(t.text() for t in study.tables.values())]) + "\n"


def _facts(study: PlanningStudy) -> list[str]:
    """What has to be known to read the figures."""
    lines = [
        f"Measured on: {study.machine}. The source names no machine and gives means of five runs.",
        "Times are processor time: the median [least, most] of five runs or more after one that is not counted; of RRT "
        "and of smoothing over all runs or queries. Memory by tracemalloc is the greatest growth of what Python and "
        "NumPy allocate during one run; what compiled code takes for itself is not in it. Kilobytes are 1000 bytes.",
        _STAND_IN,
        f"Maps of games (Moving AI): {', '.join(study.games)}; a cell is the unit."
        if study.games
        else "Without the Moving AI maps: that part is left out.",
    ]
    return [*lines, *(["This is the quick study, of few runs and queries: a hint, no more."] if study.quick else [])]


def write_planning(study: PlanningStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt` and a CSV file for each table into a folder; return the page's path."""
    return write_study(folder, study.tables, {"report.txt": study_text(study)}, _page(study))


def _page(study: PlanningStudy) -> str:
    counts = {kind: sum(f.holds is kind for f in study.findings) for kind in (True, False)}
    facts = "".join(f'<p class="note">{text(line)}</p>' for line in _facts(study))
    top = (
        f'<header><h1>{text(TITLES[study.name])}</h1><p class="lead">Of {len(study.findings)} claims, targets and '
        f"comparisons {counts[True]} are reproduced and {counts[False]} are not.</p><p>After a bachelor thesis on "
        "trajectory planning in a virtual two-dimensional environment, 2011, whose figures stand below ours in small "
        "print. C is a claim of its author, T a target that follows from its tables, G a piece of its advice or a "
        f"promise of our methods, for which it has hardly any figures.</p>{facts}</header>"
    )
    parts = [
        top,
        findings_section(study.findings, "thesis"),
        _FIGURES[study.name](study),
        *(table_section(made, "thesis") for made in study.tables.values()),
    ]
    return document(TITLES[study.name], *parts, colours=[])


def _way(world: World, start: str, goal: str, caption: str) -> str:
    path = visibility_graph(world, corner_place(start), corner_place(goal)).value
    return _drawn(world_scene(world) if path is None else path_scene(world, path), caption)


def _drawn(scene: Scene, caption: str) -> str:
    return figure(to_svg(scene, width=560), text(caption), look="map")


def _pair(title: str, figures: list[str]) -> str:
    return section(title, f'<div class="pair">{"".join(figures)}</div>')


_EASY = "The stand-in for the lost map, the easy way"


def _of_ways(_: PlanningStudy) -> str:
    hard = _way(obstacle_map(), "upper left", "lower right", "The same map, the hard way")
    return _pair("Maps", [_way(obstacle_map(), "upper right", "lower left", _EASY), hard])


def _of_discretisations(study: PlanningStudy) -> str:
    """Times and memory over what they depend on, ours and the source's."""
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
    charts.append(
        figure(log_chart(times, across="obstacles", up="ms"), "Polygonal maps: ms over the number of obstacles")
    )
    ways = [
        _way(octagon_map(86), "upper right", "lower left", "86 octagons, the shortest way"),
        _way(obstacle_map(), "upper right", "lower left", _EASY),
    ]
    return _pair("Times and memory", charts) + _pair("Maps", ways)


def _of_theta(study: PlanningStudy) -> str:
    """Times of A* and Theta* over the edge of a cell, on the empty map and on the hard way."""
    charts: list[str] = []
    for part, what in ((1, "the empty map"), (3, "the hard way")):
        for kind in ("sq-4", "sq-8"):
            rows = Table("", tuple(r for r in study.tables[kind].rows if r["part"] == part))
            series = {
                f"{source}{method}": (rows.column("a px"), rows.column(f"{source}{method} t ms"))
                for method in ("A*", "Theta*")
                for source in ("", "source ")
            }
            chart = log_chart(series, across="edge of a cell, px", up="ms")
            charts.append(figure(chart, text(f"{kind}, part {part}, {what}: ms over the edge of a cell")))
    return _pair("Times", charts) + _of_ways(study)


def _of_rrt(_: PlanningStudy) -> str:
    """A way of RRT in each of the two maps."""
    figures: list[str] = []
    for world, ends, where in ((empty_map(), FREE, "the empty map"), (obstacle_map(), AMONG, "the stand-in")):
        result = rrt(world, *ends, step=FITTED)
        if result.value is not None:
            caption = f"A way of RRT in {where}: {result.value.cost:.1f} px, {result.stats['states']:.0f} states"
            figures.append(_drawn(path_scene(world, result.value), caption))
    return _pair("Ways", figures)


_FIGURES: dict[str, Callable[[PlanningStudy], str]] = {
    "discretisation": _of_discretisations,
    "theta": _of_theta,
    "rrt": _of_rrt,
    "smoothing": _of_ways,
    "searches": _of_ways,
}
