"""The command `map sheet`: many maps on one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anabasis.cli.map_options import Settings, checked_values, preset_row, seeds_of, settings_of, size_of
from anabasis.cli.map_report import summary_of
from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output, counted

__all__ = ["sheet"]

_PIXELS, _MOST_PIXELS = 260, 5000  # of a map's side, of the picture's width


def sheet(
    *,
    preset: Annotated[
        str, typer.Option(help="What to make, with commas between several. [default: all worlds]", show_default=False)
    ] = "",
    size: Annotated[
        str, typer.Option(metavar="N|WxH", help="Cells a side, or width and height such as 400x300.")
    ] = "193",
    seeds: Annotated[str, typer.Option(help="Seeds, such as 1..6 or 3,5,8.")] = "1..4",
    settings: Settings = None,
    picture: Annotated[Path, typer.Option(help="The picture, .png or .svg.")] = Path("sheet.png"),
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a contact sheet: a row of maps for each preset, a column for each seed.

    A parameter that only some of the presets have is set for those. A map that can't be made, for example because no
    fair starts are found, leaves its place empty.

    \b
    Example:
      anabasis map sheet --preset island,canyon --seeds 1..5 --picture sheet.png
    """
    import os

    from anabasis.cli.errors import NotFoundError
    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.errors import InputError
    from anabasis.generators import GENERATORS
    from anabasis.lab.sheets import laid_out, make_all, sheet_recipes
    from anabasis.view.game_maps import sheet_scene
    from anabasis.view.show import save_picture

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    names = [name.strip() for name in preset.split(",") if name.strip()]
    rows = [preset_row(name) for name in names] or [row for row in GENERATORS if row.family == "world"]
    sides = size_of(size)
    numbers = seeds_of(seeds)
    recipes = sheet_recipes(rows, numbers, *sides, settings_of(settings))
    for row, recipe in zip(rows, recipes[:: len(numbers)], strict=True):
        checked_values(row, recipe.parameters)
    with compiling(output), progress_bar(output, "maps") as move:
        made = make_all(recipes, workers=workers or os.cpu_count() or 1, progress=move)
    refused = [(recipe, one) for recipe, one in zip(recipes, made, strict=True) if isinstance(one, InputError)]
    if len(refused) == len(made):
        first = refused[0][1]
        raise NotFoundError(first.problem, found=first.found, expected=first.expected, hint=first.hint)
    maps, titles, columns = laid_out(recipes, made, seeds=len(numbers))
    longer = max(columns, -(-len(maps) // columns))  # a picture is at most a quarter taller than its width allows
    width = min(max(1000, _PIXELS * longer), _MOST_PIXELS)
    save_picture(sheet_scene(maps, titles, columns=columns), picture, width=width)
    for recipe, error in refused:
        output.say(f"not made: {recipe.generator}, seed {recipe.seed}: {error}")
    output.say(f"{counted(len(made) - len(refused), 'map')}: {picture.resolve()}")
    output.result(
        {
            "picture": picture.resolve(),
            "maps": [summary_of(one) for one in maps if one is not None],
            "refused": [
                {"generator": recipe.generator, "seed": recipe.seed, "reason": str(error)} for recipe, error in refused
            ],
        }
    )
