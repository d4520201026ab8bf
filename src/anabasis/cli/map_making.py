"""The commands `map generate`, `map presets`, `map sheet` and `map tasks`: maps from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anabasis.cli.options import Json, MapFile, Movement, Quiet, known
from anabasis.cli.output import Output, counted
from anabasis.cli.style import StyledCommand

if TYPE_CHECKING:
    from anabasis.gamemap import GameMap
    from anabasis.generators import Generator

__all__ = ["add_commands"]

Size = Annotated[str, typer.Option(metavar="N|WxH", help="Cells a side, or width and height such as 400x300.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same map for ever.", min=0)]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter, see `anabasis map presets NAME`; say it again."),
]


def add_commands(app: typer.Typer) -> None:
    """Add the commands to the group `map`."""
    for function in (generate, presets, sheet, tasks):
        app.command(cls=StyledCommand)(function)


def generate(
    *,
    preset: Annotated[
        str | None, typer.Option(help="What to make, see `anabasis map presets`.", show_default=False)
    ] = None,
    size: Size = "257",
    seed: Seed = 0,
    players: Annotated[int | None, typer.Option(help="Start positions, where the preset has them.", min=0)] = None,
    settings: Settings = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="The land alone: no rivers, forests, players or anything on it.")
    ] = False,
    again: Annotated[Path | None, typer.Option(help="Make the map of this file again, from the recipe in it.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The map's file: .map, .txt, .npz or .png.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture, .png or .svg.")] = None,
    heightmap: Annotated[Path | None, typer.Option(help="Write the heights as a 16-bit grey .png.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a map from a seed.

    The files hold the preset and all its parameters, so --again makes the map again from any of them.

    \b
    Example:
      anabasis map generate --preset island --size 1025 --seed 7 --players 4 -o island.map --picture island.png
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_file, output_file
    from anabasis.cli.progress import compiling
    from anabasis.generators import generate as generate_map
    from anabasis.generators import generator, make_again
    from anabasis.io.heightmap import save_heightmap
    from anabasis.io.maps import MAP_SUFFIXES, save_grid
    from anabasis.io.recipe import load_recipe

    output = Output(json, quiet)
    output_file(out, *MAP_SUFFIXES, option="--out")
    output_file(picture, ".png", ".svg", option="--picture")
    output_file(heightmap, ".png", option="--heightmap")
    if (preset is None) == (again is None):
        raise WrongCallError(
            "what to make", found="both" if preset else "neither", expected="--preset NAME or --again FILE"
        )
    with compiling(output):
        if again is not None:
            made = make_again(load_recipe(input_file(again)))
        else:
            row = _row(str(preset))
            width, height = _size(size)
            given: dict[str, object] = dict(row.bare) if bare else {}
            given |= _settings(settings)
            if players is not None:
                if all(p.name != "players" for p in row.parameters):
                    raise WrongCallError(f"{row.name} has no players", where="--players", hint="leave it out")
                given["players"] = players
            made = generate_map(row.name, width, height, seed=seed, **given)
    assert made.recipe is not None  # noqa: S101
    row = generator(made.recipe.generator)
    _report(output, made, row)
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
    output.result(_summary(made) | {"file": out, "picture": picture, "heightmap": heightmap})


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
    row = _row(name)
    output.say(f"{row.name}: {row.summary}")
    output.say(f"source: {row.source}")
    output.table(
        ["parameter", "default", "range", "what it is"],
        [[p.name, _word(p.default), p.span, p.summary] for p in row.parameters],
        text=4,
    )
    output.result(_described(row))


def sheet(
    *,
    preset: Annotated[
        str, typer.Option(help="What to make, with commas between several. [default: all worlds]", show_default=False)
    ] = "",
    size: Size = "129",
    seeds: Annotated[str, typer.Option(help="Seeds, such as 1..6 or 3,5,8.")] = "1..4",
    settings: Settings = None,
    picture: Annotated[Path, typer.Option(help="The picture, .png or .svg.")] = Path("sheet.png"),
    workers: Annotated[int | None, typer.Option(help="Worker processes. [default: one a core]", min=1)] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a contact sheet: a row of maps for each preset, a column for each seed.

    \b
    Example:
      anabasis map sheet --preset island,canyon --seeds 1..5 --picture sheet.png
    """
    import os

    from anabasis.cli.files import output_file
    from anabasis.cli.progress import compiling, progress_bar
    from anabasis.generators import GENERATORS
    from anabasis.lab.sheets import make_all, sheet_recipes
    from anabasis.view.game_maps import sheet_scene
    from anabasis.view.show import save_picture

    output = Output(json, quiet)
    output_file(picture, ".png", ".svg", option="--picture")
    names = [name.strip() for name in preset.split(",") if name.strip()]
    rows = [_row(name) for name in names] or [row for row in GENERATORS if row.family == "world"]
    width, height = _size(size)
    recipes = sheet_recipes(rows, _seeds(seeds), width, height, _settings(settings))
    with compiling(output), progress_bar(output, "maps") as move:
        maps = make_all(recipes, workers=workers or os.cpu_count() or 1, progress=move)
    columns = len(recipes) // len(rows)
    titles = [f"{recipe.generator}, seed {recipe.seed}" for recipe in recipes]
    save_picture(sheet_scene(maps, titles, columns=columns), picture, width=max(1000, 260 * columns))
    output.say(f"{counted(len(maps), 'map')}: {picture.resolve()}")
    output.result({"picture": picture.resolve(), "maps": [_summary(made) for made in maps]})


def tasks(
    map_file: MapFile,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The .scen file.")],
    per_bucket: Annotated[
        int | None, typer.Option(help="So many in each bucket of lengths, up to the longest way. [default: 10]", min=1)
    ] = None,
    count: Annotated[int | None, typer.Option(help="So many at random instead.", min=1)] = None,
    agents: Annotated[int | None, typer.Option(help="One for each of so many agents instead.", min=1)] = None,
    apart: Annotated[float, typer.Option(help="With --count: the least length of a way.", min=0.0)] = 1.0,
    seed: Seed = 0,
    movement: Movement = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw starts and goals on a map, connected, with their shortest lengths, as a .scen file.

    \b
    Example:
      anabasis map tasks island.map --per-bucket 5 -o island.map.scen
    """
    from anabasis.cli.errors import WrongCallError
    from anabasis.cli.files import input_map, output_file
    from anabasis.cli.progress import compiling
    from anabasis.maps.tasks import bucketed_tasks, multi_agent_tasks, sample_tasks, save_tasks

    output = Output(json, quiet)
    output_file(out, ".scen", option="--out")
    named = [name for name, value in (("--per-bucket", per_bucket), ("--count", count), ("--agents", agents)) if value]
    if len(named) > 1:
        raise WrongCallError("one kind of tasks at a time", found=" and ".join(named), expected="one of them")
    if apart != 1.0 and count is None:
        raise WrongCallError("a least length belongs to --count", where="--apart", hint="name it, or leave this out")
    grid = input_map(map_file, movement, scale=1, threshold=128, instead="anabasis validate scenario FILE")
    with compiling(output):
        if count is not None:
            drawn = sample_tasks(grid, count, seed=seed, apart=apart)
        elif agents is not None:
            drawn = multi_agent_tasks(grid, agents, seed=seed)
        else:
            drawn = bucketed_tasks(grid, seed=seed, per_bucket=per_bucket or 10)
        save_tasks(drawn, grid, out, map_name=map_file.name)
    longest = float(drawn.lengths.max())
    output.say(f"{counted(len(drawn), 'task')}, the longest way {longest:,.2f}: {out.resolve()}")
    output.result({"file": out.resolve(), "tasks": len(drawn), "longest": longest, "map": map_file.name})


def _report(output: Output, made: GameMap, row: Generator) -> None:
    """Tell of a map what a person asks first: what it is, what it is made of, how fair it is, what was changed."""
    summary = _summary(made)
    assert made.recipe is not None  # noqa: S101
    output.say(f"{row.name}, seed {made.recipe.seed}: {made.width} × {made.height} cells")
    output.say(", ".join(f"{name} {share:.1%}" for name, share in summary["terrain"].items()))
    if summary["sites"]:
        output.say(", ".join(counted(number, kind) for kind, number in summary["sites"].items()))
    if summary["fairness"]:
        rows = [
            [name, *(f"{value:,.0f}" for value in one["values"]), f"{one['spread']:.1%}", f"{one['tolerance']:.0%}"]
            for name, one in summary["fairness"].items()
        ]
        players = [f"player {site.owner + 1}" for site in made.places("start")]
        output.table(["who has what", *players, "spread", "at most"], rows)
    for note in made.notes:
        output.say(note)


def _summary(made: GameMap) -> dict[str, Any]:
    """Return what there is to say of a map."""
    from collections import Counter

    import numpy as np

    from anabasis.movement import TERRAIN_NAMES
    from anabasis.noun import state_hash

    codes, counts = np.unique(made.terrain, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    sites = Counter(site.kind for site in made.sites)
    recipe = made.recipe
    return {
        "generator": None if recipe is None else recipe.generator,
        "seed": None if recipe is None else recipe.seed,
        "parameters": None if recipe is None else dict(recipe.parameters),
        "width": made.width,
        "height": made.height,
        "terrain": {TERRAIN_NAMES[chr(codes[i])]: float(counts[i]) / made.terrain.size for i in order},
        "sites": dict(sites),
        "fairness": _fairness(made),
        "notes": list(made.notes),
        "hash": state_hash(made),
    }


def _fairness(made: GameMap) -> dict[str, Any]:
    """Return the criteria of a map with several players, measured on the finished map; empty without."""
    from anabasis.maps.worlds.settling import fairness_of

    fairness = fairness_of(made)
    if fairness is None:
        return {}
    return {
        one.name: {"values": one.values.tolist(), "spread": one.spread, "tolerance": one.tolerance}
        for one in fairness.criteria
    }


def _save_picture(made: GameMap, picture: Path) -> None:
    """Write the picture of a map; a .png keeps the recipe."""
    from anabasis.io.atomic import write_atomic
    from anabasis.io.recipe import with_recipe
    from anabasis.view.game_maps import game_map_scene
    from anabasis.view.show import save_picture

    save_picture(game_map_scene(made), picture, width=max(1000, made.width))
    if picture.suffix.lower() == ".png" and made.recipe is not None:
        write_atomic(picture, with_recipe(picture.read_bytes(), made.recipe))


def _row(name: str) -> Generator:
    from anabasis.generators import GENERATORS, generator

    known(name, [row.name for row in GENERATORS], what="preset", option="--preset")
    return generator(name)


def _size(text: str) -> tuple[int, int]:
    """Return width and height of `257` or `400x300`."""
    from anabasis.cli.errors import WrongCallError

    parts = text.lower().replace("×", "x").split("x")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        raise WrongCallError("size of a map", where="--size", found=repr(text), expected="257 or 400x300")
    return int(parts[0]), int(parts[-1])


def _seeds(text: str) -> list[int]:
    """Return the seeds of `1..6` or `3,5,8`."""
    from anabasis.cli.errors import WrongCallError

    seeds: list[int] = []
    for part in text.split(","):
        first, dots, last = part.strip().partition("..")
        if not all(end.isascii() and end.isdigit() and len(end) < 19 for end in ([first, last] if dots else [first])):
            raise WrongCallError("seeds", where="--seeds", found=repr(text), expected="1..6 or 3,5,8")
        span = range(int(first), int(last or first) + 1)
        if not 0 < len(span) <= 1000:
            raise WrongCallError(
                "seeds", where="--seeds", found=repr(part), expected="1 to 1000 of them, from low to high"
            )
        seeds.extend(span)
    return seeds


def _settings(settings: list[str] | None) -> dict[str, object]:
    """Return the parameters that were set, as texts."""
    from anabasis.cli.errors import WrongCallError

    given: dict[str, object] = {}
    for text in settings or []:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise WrongCallError("not a parameter", where="--set", found=repr(text), expected="NAME=VALUE")
        given[name.strip()] = value.strip()
    return given


def _described(row: Generator) -> dict[str, Any]:
    return {
        "name": row.name,
        "family": row.family,
        "summary": row.summary,
        "source": row.source,
        "version": row.version,
        "parameters": [
            {
                "name": p.name,
                "default": p.default,
                "low": p.low,
                "high": p.high,
                "choices": list(p.choices),
                "summary": p.summary,
            }
            for p in row.parameters
        ],
    }


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
