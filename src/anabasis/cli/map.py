"""The command `map`: make maps from a seed, look at maps and convert them."""

from __future__ import annotations

from json import loads
from pathlib import Path
from typing import Annotated, Any

import typer

from anabasis.cli.map_making import generate
from anabasis.cli.map_presets import presets
from anabasis.cli.map_sheet import sheet
from anabasis.cli.map_tasks import tasks
from anabasis.cli.options import Json, Layer, MapFile, Movement, Quiet, Scale, Threshold
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand, new_app

app = new_app()
for function in (generate, presets, sheet, tasks):
    app.command(cls=StyledCommand)(function)

_INSTEAD = "anabasis validate scenario FILE"


@app.callback()
def maps() -> None:
    """Make maps from a seed, look at maps and convert them."""


@app.command(cls=StyledCommand)
def info(
    map_file: MapFile,
    *,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    layer: Layer = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print a map's size, terrain and connected parts, and of a generated map what it was made from.

    \b
    Example:
      anabasis map info arena.map
    """
    import numpy as np

    from anabasis.cli.files import input_map
    from anabasis.maps.parts import sized_parts

    output = Output(json, quiet)
    grid = input_map(map_file, movement, scale=scale, threshold=threshold, instead=_INSTEAD, layer=layer)
    rule = _rule(map_file, layer)
    codes, counts = np.unique(grid.terrain, return_counts=True)
    terrain = {chr(code): int(count) for code, count in zip(codes.tolist(), counts.tolist(), strict=True)}
    sizes = sized_parts(grid.free)[1]
    largest = int(sizes.max(initial=0))
    free = int(grid.free.sum())
    cells = grid.width * grid.height
    whom = f" for {movement}" if movement else ""
    output.say(f"{map_file.name}: {grid.width} × {grid.height} cells, {free} free{whom} ({free / cells:.1%})")
    output.say("terrain: " + ", ".join(f"{letter} {count}" for letter, count in terrain.items()))
    if rule is not None:
        output.say(f"walls: {rule}")
    output.say(f"connected parts: {len(sizes)}, the largest of {counted(largest, 'cell')}")
    recipe, sites = _origin(output, map_file, width=grid.width // scale)
    output.result(
        {
            "file": map_file,
            "width": grid.width,
            "height": grid.height,
            "movement": movement,
            "free": free,
            "uniform": grid.uniform,
            "terrain": terrain,
            "parts": len(sizes),
            "largest_part": largest,
            "recipe": recipe,
            "sites": sites,
            "walls": rule,
            "hash": _hash(grid),
        }
    )


@app.command(cls=StyledCommand)
def show(
    map_file: MapFile,
    *,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg, and draw nothing here.")] = None,
    movement: Movement = None,
    scale: Scale = 1,
    threshold: Threshold = 128,
    layer: Layer = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a map in the terminal, or as a picture.

    A generated map in .npz is drawn with its heights and all that is on it, unless --movement or --scale is named.

    \b
    Example:
      anabasis map show arena.map --picture arena.png
    """
    from anabasis.cli.drawing import draw_map
    from anabasis.cli.files import input_game_map, input_map, output_file

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    grid = input_map(map_file, movement, scale=scale, threshold=threshold, instead=_INSTEAD, layer=layer)
    if picture is None:
        draw_map(output, grid, reduce=True)
    else:
        from anabasis.view.scene import game_map_scene, map_scene
        from anabasis.view.show import save_picture

        land = input_game_map(map_file) if movement is None and scale == 1 else None
        save_picture(map_scene(grid) if land is None else game_map_scene(land), picture)
        output.say(f"picture: {picture.resolve()}")
    output.result(
        {"width": grid.width, "height": grid.height, "picture": None if picture is None else picture.resolve()}
    )


@app.command(cls=StyledCommand)
def convert(
    map_file: MapFile,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write: .map, .txt, .png or .npz.")],
    *,
    scale: Scale = 1,
    threshold: Threshold = 128,
    layer: Layer = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a map in another format: the new file's name says which.

    A generated map in .npz keeps its recipe, and in .npz all that is on it, unless it is scaled.

    \b
    Example:
      anabasis map convert sketch.png sketch.map --scale 2
    """
    from anabasis.cli.files import input_game_map, input_map, output_file
    from anabasis.io.maps import save_grid

    output = Output(json, quiet)
    output_file(target, option="FILE")
    grid = input_map(map_file, None, scale=scale, threshold=threshold, instead=_INSTEAD, layer=layer)
    land = input_game_map(map_file) if scale == 1 else None
    save_grid(grid if land is None else land, target)
    output.say(f"{target.resolve()}: {grid.width} × {grid.height} cells")
    output.result({"file": target.resolve(), "width": grid.width, "height": grid.height, "hash": _hash(grid)})


def _rule(map_file: Path, layer: str | None) -> str | None:
    """Return what was taken for walls in a map of a tile editor, None for any other map."""
    from anabasis.io.maps import TILE_MAPS, file_kind, load_tile_map

    return load_tile_map(map_file, layer=layer).rule if file_kind(map_file) in TILE_MAPS else None


def _origin(output: Output, map_file: Path, *, width: int) -> tuple[dict[str, Any] | None, dict[str, int]]:
    """Tell what a generated map was made from and what is on it; return both as data."""
    from collections import Counter
    from shlex import quote

    from anabasis.cli.files import input_game_map
    from anabasis.errors import InputError
    from anabasis.io.recipe import load_recipe, recipe_text

    try:
        recipe = load_recipe(map_file)
    except InputError:
        recipe = None
    land = input_game_map(map_file)
    sites = {} if land is None else dict(Counter(site.kind for site in land.sites))
    if recipe is not None:
        output.say(f"made from: {recipe.generator}, seed {recipe.seed}, {recipe.width} × {recipe.height} cells")
        if recipe.width != width:
            output.say(
                f"this is a picture of that map; the map itself: anabasis map generate --again {quote(str(map_file))}"
            )
    if sites:
        output.say(", ".join(counted(number, kind) for kind, number in sites.items()))
    return None if recipe is None else loads(recipe_text(recipe)), sites


def _hash(grid: object) -> str:
    from anabasis.noun import state_hash

    return state_hash(grid)
