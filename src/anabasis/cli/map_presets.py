"""The command `map presets`: what there is to make, and its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.map_options import preset_row
from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.generators import Generator

__all__ = ["presets"]


def presets(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show the parameters of this one.")] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List what `map generate` can make, or the parameters of one.

    \b
    Example:
      anabasis map presets island
    """
    from anabasis.generators import GENERATORS

    output = Output(json, quiet)
    if name is None:
        rows = [[row.name, row.family, row.summary] for row in GENERATORS]
        output.table(["name", "family", "what it is"], rows, text=3)
        output.say("its parameters: anabasis map presets NAME")
        output.result({"presets": [_described(row) for row in GENERATORS]})
        return
    row = preset_row(name, "NAME")
    output.say(f"{row.name}: {row.summary}")
    output.say(f"source: {row.source}")
    if row.least > 1:
        output.say(f"smallest side: {row.least} cells")
    output.table(
        ["parameter", "default", "range", "what it is"],
        [[p.name, _word(p.default), p.span, p.summary] for p in row.parameters],
        text=4,
    )
    output.say(f"to make one: anabasis map generate --preset {row.name} --set NAME=VALUE")
    output.result(_described(row))


def _described(row: Generator) -> dict[str, Any]:
    names = ("name", "default", "low", "high", "choices", "summary")
    return {
        **{name: getattr(row, name) for name in ("name", "family", "summary", "source", "version", "least")},
        "parameters": [{name: getattr(p, name) for name in names} for p in row.parameters],
    }


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
