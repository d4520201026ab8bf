"""What written studies have in common: a file for each table, tables on a page, findings as lines."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from anabasis.io.atomic import write_atomic
from anabasis.lab.page import Cell, section, table, text
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Spread, Table, shown

__all__ = ["finding_lines", "table_section", "write_study"]

_WIDE, _FLAT = 10, 6  # a table of more columns is made in blocks, one of at most so many rows is turned on its side


def write_study(folder: str | Path, tables: Mapping[str, Table], texts: Mapping[str, str], page: str) -> Path:
    """Write `report.html`, a CSV file for each table, and texts by the names of their files; return the page's path."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name, made in tables.items():
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        head, rows = made.flat()
        writer.writerow(head)
        writer.writerows(rows)
        write_atomic(place / f"{name}.csv", out.getvalue().encode())
    for name, lines in texts.items():
        write_atomic(place / name, lines.encode())
    write_atomic(place / "report.html", page.encode())
    return place / "report.html"


def finding_lines(findings: Iterable[Finding], source: str = "source") -> str:
    """Return findings as lines; source: what the source is called there."""
    return "\n".join(finding.line(source) for finding in findings)


def table_section(made: Table, source: str = "source") -> str:
    """Return a table with the source's figures in the cells of ours; in blocks if it is wide, on its side if low too.

    source: what the source is called there.
    """
    own = [n for n in made.head if not n.startswith("source ") or n.removeprefix("source ") not in made.head]
    on_side = len(own) > _WIDE and len(made.rows) <= _FLAT
    blocks = [own] if on_side else made.blocks(own, [1.0] * len(own), _WIDE)
    tables: list[str] = []
    for names in blocks:
        grid = [[Cell(text(n)) for n in names]]
        grid += [[Cell(_cell(row.get(n), row.get(f"source {n}"), source)) for n in names] for row in made.rows]
        if on_side:
            grid = [list(column) for column in zip(*grid, strict=True)]
        head, *body = grid
        if on_side or isinstance(made.rows[0].get(names[0]), str):
            body = [[Cell(row[0].markup, head=True), *row[1:]] for row in body]
        tables.append(table([_plain(cell.markup) for cell in head], body))
    note = f'<p class="note">{text(made.note)}</p>' if made.note else ""
    return section(made.title, *tables, note)


def _plain(markup: str) -> str:
    return html.unescape(markup.partition("<")[0])


def _cell(value: object, published: object, source: str) -> str:
    parts = [text(shown(float(value) if isinstance(value, Spread) else value))]
    if isinstance(value, Spread):
        parts.append(f"<small>{text(shown(value.least))}–{text(shown(value.most))}</small>")
    if published is not None:
        parts.append(f"<small>{text(source)} {text(shown(published))}</small>")
    return "".join(parts)
