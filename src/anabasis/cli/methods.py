"""The command `methods`: list the table of methods."""

from __future__ import annotations

from typing import Annotated

import typer

from anabasis.cli.options import Json, Quiet, known
from anabasis.cli.output import Output
from anabasis.cli.style import StyledCommand, new_app

app = new_app()


@app.command(cls=StyledCommand)
def methods(
    family: Annotated[str, typer.Option(help="List one family only: search, space, drive, group or mapf.")] = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the methods that there are.

    \b
    Example:
      anabasis methods --family group
    """
    from dataclasses import asdict

    from anabasis.methods import METHODS

    families = sorted({row.family for row in METHODS})
    if family:
        known(family, families, what="family of methods", option="--family")
    rows = [row for row in METHODS if not family or row.family == family]
    output = Output(json, quiet)
    for name in families:
        members = [row for row in rows if row.family == name]
        if members:
            table = [[row.name, row.summary, "yes" if row.optimal else "no", row.source] for row in members]
            output.table(["method", "what it does", "optimal", "source"], table, title=f"{name} methods", text=4)
    output.result({"methods": [asdict(row) for row in rows]})
