"""Writes the page of method cards from the table of methods, before each build."""

from pathlib import Path

from sphinx.application import Sphinx

from anabasis.methods import METHODS


def write_cards(app: Sphinx) -> None:
    """Write methods.md, one card a method."""
    lines = ["# Methods", "", "One card for each row of the table in `anabasis.methods`."]
    for row in METHODS:
        promises = [word for word, kept in (("optimal", row.optimal), ("complete", row.complete)) if kept]
        lines += [
            "",
            f"## {row.name} ({row.family})",
            "",
            f"{row.summary[0].upper()}{row.summary[1:]}.",
            "",
            f"- function: `{row.function}`",
            f"- takes: {', '.join(row.spaces)}",
            f"- promises: {', '.join([*promises, 'deterministic'])}",
            f"- source: {row.source}",
        ]
        if row.watcher:
            lines.append(f"- under way: `{row.watcher}`")
    Path(app.srcdir, "methods.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_cards)
    return {"parallel_read_safe": True}
