"""Writes the page of generator cards from the table of generators, before each build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anabasis.gamemap import Value
from anabasis.generators import GENERATORS, Generator, Parameter

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FAMILIES = {
    "world": (
        "Worlds",
        "A map to play on: terrain, heights, and what belongs on it. All worlds have the parameters of this table; "
        "where one has another default, its card says so. `--bare` sets {bare}.",
    ),
    "structured": ("Structured maps", "Ground `.` and walls `@`: the kinds of map that searches are compared on."),
    "heights": (
        "Heights",
        "A height field. `generate` paints it as land: the lowest half of the cells is sea, above it are coast, grass, "
        "rock and snow.",
    ),
}
HEAD = ["parameter", "default", "range", "what it is"]


def write_cards(app: Sphinx) -> None:
    """Write generators.md: for each family a table, and the cards of its generators."""
    lines = [
        "# Generators",
        "",
        "One card for each row of the table in `anabasis.generators`. All generators are deterministic: the same",
        "parameters and seed give the same map. How they are used: [Make maps](guides/maps.md).",
    ]
    for family, (title, about) in FAMILIES.items():
        rows = [row for row in GENERATORS if row.family == family]
        bare = ", ".join(f"`{name}={_word(value)}`" for name, value in rows[0].bare)
        lines += ["", f"## {title}", "", about.replace("{bare}", bare), ""]
        shared = _shared(rows) if family == "world" else []
        if shared:
            lines += [*_table(shared), ""]
        lines += ["| generator | what it is |", "|---|---|"]
        lines += [f"| `{row.name}` | {row.summary} |" for row in rows]
        for row in rows:
            lines += _card(row, shared)
    Path(app.srcdir, "generators.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _shared(rows: list[Generator]) -> list[Parameter]:
    """Return the parameters that all rows have, whatever their defaults, with the default that most rows have."""
    names = [p.name for p in rows[0].parameters if all(p.name in _by_name(row) for row in rows)]
    found = [[_by_name(row)[name] for row in rows] for name in names]
    alike = [same for same in found if len({(p.span, p.summary) for p in same}) == 1]
    return [max(same, key=lambda p: sum(p.default == other.default for other in same)) for same in alike]


def _by_name(row: Generator) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in row.parameters}


def _table(parameters: list[Parameter]) -> list[str]:
    cells = [[f"`{p.name}`", f"`{_word(p.default)}`", ", ".join(p.choices) or p.span, p.summary] for p in parameters]
    return [f"| {' | '.join(row)} |" for row in [HEAD, ["---"] * len(HEAD), *cells]]


def _word(value: Value) -> str:
    """Return a default as `--set` takes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _card(row: Generator, shared: list[Parameter]) -> list[str]:
    """Return the lines of one generator's card."""
    names = {p.name for p in shared}
    own = [p for p in row.parameters if p.name not in names]
    lines = ["", f"### {row.name}", "", f"{row.summary[0].upper()}{row.summary[1:]}.", ""]
    lines += [*_table(own), ""] if own else []
    other = [f"`{p.name}={_word(_by_name(row)[p.name].default)}`" for p in shared if _by_name(row)[p.name] != p]
    if other:
        lines.append(f"- other defaults: {', '.join(other)}")
    lines.append(f"- function: `{row.function}`{''.join(f', `{name}={value!r}`' for name, value in row.fixed)}")
    if row.least > 1:
        lines.append(f"- smallest side: {row.least} cells")
    if row.sea is not None:
        lines.append(f"- the sea is at height {row.sea:g}, whatever share of the cells that is")
    return [*lines, f"- source: {row.source}"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_cards)
    return {"parallel_read_safe": True}
