"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Json", "MapFile", "Movement", "Overrides", "Quiet", "Scale", "Threshold"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]

MapFile = Annotated[Path, typer.Argument(metavar="MAP", help="A map: .map, a picture, or text.")]
Movement = Annotated[str, typer.Option(help="Movement class: land, water or amphibious.")]
Scale = Annotated[int, typer.Option(help="Cut each cell into so many cells a side.", min=1)]
Threshold = Annotated[int, typer.Option(help="Brightness of a picture from which cells are free.", min=0, max=255)]

Overrides = Annotated[
    list[str] | None, typer.Option("--set", metavar="a.b=c", help="Set an option of the scenario by its name.")
]
