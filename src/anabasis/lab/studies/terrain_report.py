"""The study of generated terrain written down: a page, a text, a CSV file for each table, and times by themselves.

The source is a Czech bachelor's thesis on procedural terrain and path finding for strategy games, 2014.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from anabasis.io.atomic import write_atomic
from anabasis.lab.machine import machine
from anabasis.lab.page import Cell, document, section, table, text
from anabasis.lab.studies.finding import findings_section
from anabasis.lab.studies.planning_record import Table, shown
from anabasis.lab.studies.terrain_pictures import chart_section, land_section, way_section
from anabasis.lab.studies.terrain_study import TerrainStudy

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
_WIDE = 10


def _facts(study: TerrainStudy) -> list[str]:
    return [*_FACTS, *([_QUICK] if study.quick else [])]


def terrain_text(study: TerrainStudy) -> str:
    """Return findings and tables as plain text, without times."""
    found = "\n".join(f"{f.verdict}: {f.claim}: {f.measured} (source: {f.source})" for f in study.findings)
    head = "\n".join([TITLE, *_facts(study)])
    return "\n\n".join([head, found, *(made.text() for made in study.tables.values())]) + "\n"


def write_terrain(study: TerrainStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt`, a CSV file for each table and `times.txt`; return the page's path.

    All but times.txt is the same, byte for byte, in every run.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, made in study.tables.items():
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        head, rows = made.flat()
        writer.writerow(head)
        writer.writerows(rows)
        write_atomic(place / f"{name}.csv", out.getvalue().encode())
    write_atomic(place / "times.txt", f"{study.times.text()}\nMeasured on: {machine()}\n".encode())
    write_atomic(place / "report.txt", terrain_text(study).encode())
    write_atomic(place / "report.html", _page(study).encode())
    return place / "report.html"


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
    tables = map(_table, study.tables.values())
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


def _table(made: Table) -> str:
    """Return a table, in blocks if it is wide."""
    tables: list[str] = []
    for names in made.blocks(made.head, [1.0] * len(made.head), _WIDE):
        body = [[Cell(text(shown(row.get(name)))) for name in names] for row in made.rows]
        if isinstance(made.rows[0].get(names[0]), str):
            body = [[Cell(row[0].markup, head=True), *row[1:]] for row in body]
        tables.append(table(names, body))
    return section(made.title, *tables, f'<p class="note">{text(made.note)}</p>' if made.note else "")
