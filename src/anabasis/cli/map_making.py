"""The command `map generate`: a map from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anabasis.cli.map_options import Seed, Settings, Size, checked_values, preset_row, settings_of, size_of
from anabasis.cli.map_report import report, summary_of
from anabasis.cli.options import Json, Quiet
from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.gamemap import GameMap
    from anabasis.generators import Generator

__all__ = ["generate"]

_FILES = (".map", ".txt", ".npz", ".png")  # that keep the recipe


def generate(
    *,
    preset: Annotated[
        str | None, typer.Option(help="What to make, see `anabasis map presets`.", show_default=False)
    ] = None,
    size: Size = None,
    seed: Seed = None,
    players: Annotated[int | None, typer.Option(help="Start positions, where the preset has them.", min=0)] = None,
    settings: Settings = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="The land alone: no rivers, forests, players or anything on it.")
    ] = False,
    again: Annotated[Path | None, typer.Option(help="Make the map of this file again, from the recipe in it.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The map's file. .npz keeps all, .txt all kinds of terrain, .map those that other tools know, .png "
            "what blocks units on land.",
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    heightmap: Annotated[Path | None, typer.Option(help="Write the heights as a 16-bit grey .png.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a map from a seed.

    The files (but .svg) hold the preset and all its parameters, so --again makes the map again from any of them.
    Ends with code 1 if there is no such map, for example because no fair starts are found.

    \b
    Example:
      anabasis map generate --preset island --size 1025 --seed 7 --players 4 -o island.map --picture island.png
    """
    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling
    from anabasis.io.heightmap import save_heightmap
    from anabasis.io.maps import save_grid

    output = Output(json, quiet)
    output_file(out, *_FILES, option="--out")
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(heightmap, ".png", option="--heightmap")
    _check_source(
        preset, again, {"--size": size, "--seed": seed, "--players": players, "--set": settings, "--bare": bare or None}
    )
    with compiling(output):
        if again is not None:
            made = _from_file(again)
        else:
            made = _from_preset(str(preset), size or "257", seed or 0, settings, players, bare=bare)
    summary = summary_of(made)
    report(output, made, summary)
    if out is not None:
        save_grid(made, out)
        output.say(f"map: {out.resolve()}")
    if picture is not None:
        _save_picture(made, picture)
        output.say(f"picture: {picture.resolve()}")
    if heightmap is not None:
        save_heightmap(made.heights, heightmap, recipe=made.recipe)
        output.say(f"heights: {heightmap.resolve()}")
    if out is picture is heightmap is None:
        from anabasis.cli.drawing import draw_map

        draw_map(output, made.grid(), reduce=True)
    files = {"file": out, "picture": picture, "heightmap": heightmap}
    output.result(summary | {name: None if path is None else path.resolve() for name, path in files.items()})


def _check_source(preset: str | None, again: Path | None, options: dict[str, object]) -> None:
    """Raise InputError unless a map is named in one way, and for options that a file leaves without effect."""
    from anabasis.cli.errors import WrongCallError

    if (preset is None) == (again is None):
        raise WrongCallError(
            "one thing to make",
            found="neither a preset nor a file" if again is None else "a preset and a file",
            expected="--preset NAME or --again FILE",
            hint="`anabasis map presets` lists the presets",
        )
    for option, value in options.items():
        if again is not None and value is not None:
            raise WrongCallError(
                "--again makes the very map of the file", where=option, hint="leave it out, or name a --preset instead"
            )


def _from_file(again: Path) -> GameMap:
    from anabasis.cli.files import input_file
    from anabasis.errors import InputError
    from anabasis.generators import make_again
    from anabasis.io.recipe import load_recipe

    recipe = load_recipe(input_file(again))
    try:
        return make_again(recipe)
    except InputError as error:
        raise error.at(again) from None


def _from_preset(
    preset: str, size: str, seed: int, settings: list[str] | None, players: int | None, *, bare: bool
) -> GameMap:
    """Return the map that was asked for; raises NotFoundError if all is well with the call and yet there is none."""
    from anabasis.cli.errors import NotFoundError
    from anabasis.errors import InputError
    from anabasis.generators import generate as generate_map

    row = preset_row(preset)
    width, height = size_of(size)
    given = settings_of(settings)
    _check_players(row, players, given)
    if bare:
        _check_bare(row, given | ({} if players is None else {"players": players}))
        given |= dict(row.bare)
    if players is not None:
        given["players"] = players
    checked_values(row, given)
    try:
        return generate_map(row.name, width, height, seed=seed, **given)
    except InputError as error:
        if row.family != "world":
            raise
        raise NotFoundError(error.problem, found=error.found, expected=error.expected, hint=error.hint) from None


def _check_players(row: Generator, players: int | None, given: dict[str, object]) -> None:
    """Raise InputError for a number of players that a preset doesn't have, or that is said twice."""
    from anabasis.cli.errors import WrongCallError

    if players is None:
        return
    if all(p.name != "players" for p in row.parameters):
        raise WrongCallError(f"{row.name} has no players", where="--players", hint="leave it out")
    if "players" in given:
        raise WrongCallError(
            "players are named twice", where="--players", found=f"also --set players={given['players']}"
        )


def _check_bare(row: Generator, given: dict[str, object]) -> None:
    """Raise InputError if there is nothing to leave out, or for something that was asked for and is left out."""
    from anabasis.cli.errors import WrongCallError

    if not row.bare:
        raise WrongCallError(f"{row.name} has nothing on it to leave out", where="--bare", hint="call it without")
    for name, _ in row.bare:
        if name in given:
            raise WrongCallError(
                f"--bare leaves out {name}",
                where="--players" if name == "players" else "--set",
                found=f"{name}={given[name]}",
                hint="take one of the two",
            )


def _save_picture(made: GameMap, picture: Path) -> None:
    """Write the picture of a map; a .png keeps the recipe."""
    from anabasis.io.atomic import write_atomic
    from anabasis.io.recipe import with_recipe
    from anabasis.view.game_maps import game_map_scene
    from anabasis.view.show import save_picture

    save_picture(game_map_scene(made), picture, width=max(1000, made.width))
    if picture.suffix.lower() == ".png" and made.recipe is not None:
        write_atomic(picture, with_recipe(picture.read_bytes(), made.recipe))
