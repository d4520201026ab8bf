"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Json", "MapFile", "MaxUnits", "Movement", "Overrides", "Quiet", "Scale", "Threshold", "cut_parameters"]

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


def cut_parameters(text: str) -> int | tuple[int, int, int]:
    """Return the parameters of a decomposition, a number or three, as they were written; raises InputError."""
    from anabasis.errors import InputError

    parts = text.split(",")
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    raise InputError(
        "parameters of a decomposition",
        where="--parameters",
        found=text,
        expected="a number from 0 to 10, or three whole numbers such as 5,1,4",
    )
