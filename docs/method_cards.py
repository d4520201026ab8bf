"""Writes the page of method cards from the table of methods, before each build."""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING

from anabasis.instance import FEATURES
from anabasis.methods import METHODS, Method

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FAMILIES = {
    "search": (
        "Searches",
        "A path for one unit: on a map of cells or a graph from vertex to vertex, in a world of polygons from place to "
        "place.",
    ),
    "space": ("Discretisations", "A world of polygons, or a map, becomes a graph or a navigation mesh."),
    "drive": ("Drives", "A motion in time for a car, from a pose to a place or a pose."),
    "mapf": (
        "Many agents",
        "Plans for many agents on one map or graph, each from its start to its goal, none in another's way: solvers of "
        "multi-agent path finding.",
    ),
    "group": ("Groups", "Plans for many units that are sent together."),
}


def write_cards(app: Sphinx) -> None:
    """Write methods.md, a table and the cards of each family."""
    lines = [
        "# Methods",
        "",
        "One card for each row of the table in `anabasis.methods`. All methods are deterministic: the same input and",
        "seed give the same bytes.",
    ]
    for family in dict.fromkeys(row.family for row in METHODS):
        rows = [row for row in METHODS if row.family == family]
        title, about = FAMILIES[family]
        lines += ["", f"## {title}", "", about, "", *_overview(rows)]
        for row in rows:
            lines += _card(row)
    Path(app.srcdir, "methods.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _overview(rows: list[Method]) -> list[str]:
    """Return a table of a family: what its methods take and promise."""
    search = rows[0].family == "search"
    head = ["method", "takes", "promises", *(["paths", "prices", "prepared"] if search else [])]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        cells = [f"`{row.name}`", ", ".join(row.spaces), _promises(row)]
        if search:
            priced = "yes" if row.priced and row.spaces != ("world",) else "no"
            cells += [_paths(row), priced, "yes" if row.prepared else "no"]
        lines.append(_line(cells))
    return lines


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _promises(row: Method) -> str:
    kept = (("optimal", row.optimal), ("at most `weight` times the best", row.bounded), ("complete", row.complete))
    words = [word for word, true in kept if true]
    return ", ".join(words) or "none"


def _paths(row: Method) -> str:
    return "any angle" if row.any_angle else "step by step"


def _card(row: Method) -> list[str]:
    """Return the lines of one method's card."""
    lines = ["", f"### {row.name}", "", f"{row.summary[0].upper()}{row.summary[1:]}.", ""]
    if row.when:
        lines += [f"*When:* {row.when}", ""]
    lines += [
        f"- function: `{row.function}`{_fixed(row)}",
        f"- takes: {', '.join(row.spaces)}",
        f"- promises: {_promises(row)}",
    ]
    if row.family == "search":
        lines += [f"- paths: {_paths(row)}", *_rules(row)]
    if row.family == "mapf":
        lines.append(f"- rules beyond the classic ones: {'; '.join(FEATURES[name] for name in row.can) or 'none'}")
    if row.seeded:
        lines.append("- seeded: another seed, another result")
    if row.family != "group":
        lines.append(f"- options: {_options(row)}")
    if row.prepared:
        lines.append(f"- for many queries on one map: `{row.prepared}`")
    if row.stepwise:
        lines.append(f"- bit by bit, stopped by whoever calls: `{row.stepwise}`")
    if row.together:
        lines.append(f"- groups that share a map: `{row.together}`")
    if row.watcher:
        lines.append(f"- under way: `{row.watcher}`")
    return [*lines, f"- source: {row.source}"]


def _fixed(row: Method) -> str:
    """Return the options that make this row of a function that serves several."""
    return "".join(f", `{name}={value!r}`" for name, value in row.fixed)


def _rules(row: Method) -> list[str]:
    """Return which rules of a map of cells a search knows, and whether it heeds prices."""
    if "grid" not in row.spaces:
        return []
    neighbours = " or ".join(str(number) for number in row.neighbours)
    lines = [f"- on a map: {neighbours} neighbours, corner rules {', '.join(row.corners)}"]
    return [*lines, f"- prices: {'may differ from cell to cell' if row.priced else 'every free cell has to cost 1'}"]


def _options(row: Method) -> str:
    """Return the keyword options of a method with their defaults."""
    fixed = {name for name, _ in row.fixed}
    known = [p for p in signature(row.load()).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    return ", ".join(f"`{p.name}={p.default!r}`" for p in known if p.name not in fixed) or "none"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_cards)
    return {"parallel_read_safe": True}
