"""The study of generated terrain written down: a page, a text, a CSV file for each table, and times by themselves.

The source is a Czech bachelor's thesis on procedural terrain and path finding for strategy games, 2014.
"""

from __future__ import annotations

from pathlib import Path

from anabasis.lab.machine import machine
from anabasis.lab.page import document, text
from anabasis.lab.studies.finding import findings_section
from anabasis.lab.studies.terrain_pictures import chart_section, land_section, way_section
from anabasis.lab.studies.terrain_study import TerrainStudy
from anabasis.lab.studies.written import finding_lines, table_section, write_study

__all__ = ["TITLE", "terrain_text", "write_terrain"]

TITLE = "Generated terrain, and the ways on it"
_FACTS = (
    "The source judges maps and ways by looking at them: it prints no table, no time and no size of a map, only the "
    "parameters of its three presets. Its very maps can't be made again: the given points, some shares, the size, the "
    "ratio of the two resolutions and C are not told, so they are chosen here, and so is the bar for a claim that is a "
    "word. Figures said to be by a prototype are not the source's: a third party measured them with the same choices.",
    "Tables and findings are the same in every run. Times are not; they stand in times.txt, apart.",
)
_QUICK = "This is the quick study, of few maps and queries: a hint, no more."


def _facts(study: TerrainStudy) -> list[str]:
    return [*_FACTS, *([_QUICK] if study.quick else [])]


def terrain_text(study: TerrainStudy) -> str:
    """Return findings and tables as plain text, without times."""
    found = finding_lines(study.findings)
    head = "\n".join([TITLE, *_facts(study)])
    return "\n\n".join([head, found, *(made.text() for made in study.tables.values())]) + "\n"


def write_terrain(study: TerrainStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt`, a CSV file for each table and `times.txt`; return the page's path.

    All but times.txt is the same, byte for byte, in every run.
    """
    times = f"{study.times.text()}\nMeasured on: {machine()}\n"
    return write_study(folder, study.tables, {"times.txt": times, "report.txt": terrain_text(study)}, _page(study))


def _page(study: TerrainStudy) -> str:
    counts = {kind: sum(f.holds is kind for f in study.findings) for kind in (True, False)}
    facts = "".join(f'<p class="note">{text(line)}</p>' for line in _facts(study))
    top = (
        f'<header><h1>{text(TITLE)}</h1><p class="lead">Of {len(study.findings)} claims and readings {counts[True]} '
        f"are reproduced and {counts[False]} {'is' if counts[False] == 1 else 'are'} not.</p><p>After a Czech "
        "bachelor's thesis on procedural terrain and path finding for strategy games, 2014: heights by diamond-square "
        f"in 8 bits, terrain by shares, A* over terrain, smoothing over finer cells.</p>{facts}</header>"
    )
    charts = chart_section(study.tables["ratios"], study.tables["searches"])
    tables = map(table_section, study.tables.values())
    return document(
        TITLE,
        top,
        findings_section(study.findings, "source"),
        land_section(),
        way_section(),
        charts,
        *tables,
        colours=[],
    )
