"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Json", "MapFile", "MaxUnits", "Movement", "Overrides", "Quiet", "Scale", "Threshold"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]

MapFile = Annotated[Path, typer.Argument(metavar="MAP", help="A map: .map, a picture, or text.")]
Movement = Annotated[
    str | None,
    typer.Option(help="Movement class: land, water or amphibious. [default: land, and the prices of an archive]"),
]
Scale = Annotated[int, typer.Option(help="Cut each cell into so many cells a side.", min=1)]
Threshold = Annotated[int, typer.Option(help="Brightness of a picture from which cells are free.", min=1, max=255)]

Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option of the scenario by its place in the file: seed, groups.0.speed, groups.0.disc.count, "
        "limits.steps, steering.rays and so on; for several, say --set several times. An unknown name is answered "
        "with those that there are; the guide to scenario files lists all.",
    ),
]
MaxUnits = Annotated[int, typer.Option(help="Refuse a scenario with more units.", min=1)]
