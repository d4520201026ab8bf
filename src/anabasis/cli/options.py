"""Arguments and options that several commands have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from anabasis.graph import Graph
    from anabasis.grid import Grid
    from anabasis.world import World

__all__ = [
    "Json",
    "Layer",
    "MapFile",
    "MaxUnits",
    "Movement",
    "NoOpen",
    "Overrides",
    "Port",
    "Quiet",
    "Radius",
    "Replay",
    "Scale",
    "SpaceFile",
    "Threshold",
    "Tolerance",
    "cell_of",
    "cut_parameters",
    "known",
    "known_method",
    "method_options",
    "option_names",
    "place_of",
    "space_graph",
]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]

MapFile = Annotated[Path, typer.Argument(metavar="MAP", help="A map: .map, .tmj, .ldtk, a picture, or text.")]
SpaceFile = Annotated[
    Path,
    typer.Argument(
        metavar="MAP",
        help="A map (.map, .tmj, .ldtk, a picture, text), a walkable area (.wkt, .geojson), or an archive.",
    ),
]
Movement = Annotated[
    str | None,
    typer.Option(
        help='Movement class: land, water, amphibious, wagon, or prices such as "G.:1 f:2.5". [default: land, and the '
        "prices of an archive]"
    ),
]
Scale = Annotated[int, typer.Option(help="Cut each cell into so many cells a side.", min=1)]
Threshold = Annotated[int, typer.Option(help="Brightness of a picture from which cells are free.", min=1, max=255)]
Layer = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The layer of a map of Tiled or LDtk that says what is blocked, or LEVEL/LAYER."),
]
Replay = Annotated[
    Path | None,
    typer.Option(help="Write a page that plays it in any browser, from disk, without a network, .html."),
]
Tolerance = Annotated[
    float,
    typer.Option(help="Simplify the outlines of a picture by so many pixels at most; 0 keeps every pixel.", min=0.0),
]
Radius = Annotated[float, typer.Option(help="Grow the obstacles by the radius of a unit.", min=0.0)]

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
Port = Annotated[int, typer.Option(help="Port of the server; 0 takes any free one.", min=0, max=65535)]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Print the address, and open no browser.")]
MaxUnits = Annotated[int, typer.Option(help="Refuse a scenario with more units.", min=1)]


def known(word: str, words: Iterable[str], *, what: str, option: str, hint: str | None = None) -> str:
    """Return a word if it is among those that there are, else raise InputError that lists them.

    hint: instead of the word that is most like it.
    """
    from difflib import get_close_matches

    from anabasis.errors import InputError

    there_are = list(words)
    if word in there_are:
        return word
    near = get_close_matches(word.lower(), there_are, n=1, cutoff=0.5)
    raise InputError(
        f"unknown {what}",
        where=option,
        found=repr(word),
        expected=" or ".join(there_are),
        hint=hint or (f"did you mean {near[0]}?" if near else None),
    )


def known_method(family: str, name: str, option: str) -> str:
    """Return the name of a method of a family if there is one, else raise InputError that lists them."""
    from anabasis.methods import names

    return known(name, names(family), what=f"{family} method", option=option)


def option_names(family: str, name: str) -> list[str]:
    """Return the names of a method's options that can be written as a word."""
    from anabasis.method_options import options_of

    return list(options_of(family, name))


def method_options(family: str, name: str, texts: Iterable[str], option: str) -> dict[str, Any]:
    """Return the options NAME=VALUE of a method as it takes them; raises InputError for one that it doesn't have."""
    from anabasis.errors import InputError
    from anabasis.method_options import options_of, read_option

    there_are = options_of(family, name)
    chosen: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError("option of a method", where=option, found=repr(text), expected="NAME=VALUE")
        known(key, there_are, what=f"option of the method {name}", option=option)
        chosen[key] = read_option(there_are[key], value, option)
    return chosen


def cell_of(text: str, name: str) -> tuple[int, int]:
    """Return the cell that `x,y` names."""
    from anabasis.errors import InputError

    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            name,
            found=repr(text),
            expected="a cell as x,y, such as 12,7",
            hint="among polygons (--polygons) ends are places, such as 12.5,7.25" if "." in text else None,
        ) from None
    return x, y


def place_of(text: str, name: str) -> tuple[float, float]:
    """Return the place that `x,y` names."""
    from math import isfinite

    from anabasis.errors import InputError

    try:
        x, y = (float(part) for part in text.split(","))
        if not (isfinite(x) and isfinite(y)):
            raise ValueError
    except ValueError:
        raise InputError(name, found=repr(text), expected="a place as x,y, such as 12.5,7") from None
    return x, y


def space_graph(space: str, ground: Grid | World, texts: Iterable[str]) -> Graph:
    """Return the graph of a discretisation of a map or a world; raises InputError for one that makes no graph."""
    from anabasis.errors import InputError
    from anabasis.find import discretised
    from anabasis.graph import Graph

    known_method("space", space, "--space")
    made = discretised(space, ground, **method_options("space", space, texts, "--set-space"))
    if not isinstance(made, Graph):
        raise InputError(
            f"{space} makes no graph",
            where="--space",
            expected="a discretisation in states and arcs",
            hint="mesh-graph-centres and mesh-graph-sides are graphs of meshes; `--method polyanya` searches a mesh",
        )
    return made


def cut_parameters(text: str, *, besides: str = "") -> tuple[int, int, int]:
    """Return the parameters of a decomposition as three numbers, written so or as the number of a set.

    besides: what else could have been said, for the InputError that is raised for something else.
    """
    from anabasis.decompose.regions import triple
    from anabasis.errors import InputError

    try:
        numbers = tuple(int(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    try:
        return triple(numbers[0] if len(numbers) == 1 else numbers)
    except InputError as error:
        kinds = "a number from 0 (finest) to 10 (coarsest), or three whole numbers such as 5,1,4"
        raise InputError(
            "parameters of a decomposition",
            where="--parameters",
            found=repr(text),
            expected=error.expected if len(numbers) == 3 else besides + kinds,
            hint="anabasis regions MAP --all compares all sets",
        ) from None
