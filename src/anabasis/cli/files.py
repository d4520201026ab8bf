"""Files that a command is given: that they are there, and that results can be written, before the work begins."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from anabasis.cli.errors import WrongCallError
from anabasis.errors import InputError

if TYPE_CHECKING:
    from anabasis.gamemap import GameMap
    from anabasis.grid import Grid
    from anabasis.world import World

__all__ = [
    "example",
    "examples",
    "input_file",
    "input_folder",
    "input_game_map",
    "input_map",
    "input_scenario",
    "input_space",
    "input_world",
    "output_file",
    "output_folder",
    "replay_file",
]


_AREAS = (".wkt", ".geojson")


def input_file(path: Path) -> Path:
    """Return the path of a file that exists; raises InputError that names files with similar names."""
    if path.is_dir():
        raise InputError("this is a folder", file=path, expected="a file")
    if not path.exists():
        raise InputError("there is no such file", file=path, hint=_near(path))
    return path


def input_map(
    path: Path, movement: str | None, *, scale: int, threshold: int, instead: str, layer: str | None = None
) -> Grid:
    """Load a map as a movement class sees it; without one an archive keeps its prices, and others are for land.

    layer: of a map of Tiled or LDtk. instead: what to call for a scenario, which is no map; `FILE` stands for its name.
    """
    from anabasis.io.maps import load_grid
    from anabasis.movement import movement_class

    seen_by = None if movement is None else movement_class(movement)
    file = input_file(path)
    if file.suffix.lower() == ".toml":
        hint = f"{_map_of(file)}; or: {instead.replace('FILE', str(file))}"
        raise InputError("this is a scenario", file=file, found="a file in .toml", expected="a map", hint=hint)
    if file.suffix.lower() in _AREAS:
        raise InputError(
            "this is a world of polygons",
            file=file,
            found=f"a file in {file.suffix}",
            expected="a map of cells",
            hint="`anabasis path`, `discretise` and `drive` take it",
        )
    return load_grid(file, seen_by, scale=scale, threshold=threshold, layer=layer)


def input_game_map(path: Path) -> GameMap | None:
    """Load the generated map of an archive, None for any other map."""
    from anabasis.gamemap import GameMap
    from anabasis.io.archive import load
    from anabasis.io.maps import file_kind

    noun = load(path) if file_kind(path) == "archive" else None
    return noun if isinstance(noun, GameMap) else None


def input_space(
    path: Path, movement: str | None, *, scale: int, threshold: int, polygons: float | None, instead: str
) -> Grid | World:
    """Load a map, or a world of polygons: a walkable area (.wkt, .geojson), or a World in an archive.

    polygons: also take a map as polygons; a picture's outlines are then simplified by so many pixels at most, 0 keeps
    them exactly. The rest is as with `input_map`.
    """
    from anabasis.io.maps import file_kind
    from anabasis.world import World

    suffix, world = input_file(path).suffix.lower(), None
    if suffix in _AREAS:
        from anabasis.io.areas import load_area

        world = load_area(path, several=True)
    elif suffix == ".npz":
        from anabasis.io.archive import load

        noun = load(path)
        world = noun if isinstance(noun, World) else None
    if world is not None:
        _check_cell_options(movement, scale, threshold, polygons)
        return world
    grid = input_map(path, movement, scale=scale, threshold=threshold, instead=instead)
    if polygons is None:
        return grid
    if polygons != 0 and file_kind(path) == "image":
        import numpy as np

        from anabasis.decompose.obstacles import world_of_picture

        return world_of_picture(np.where(grid.free, np.uint8(255), np.uint8(0)), tolerance=polygons)
    from anabasis.decompose.outline import grid_world

    return grid_world(grid)


def _check_cell_options(movement: str | None, scale: int, threshold: int, tolerance: float | None) -> None:
    """Raise InputError for an option that is not at its default and has no effect on polygons."""
    cells, picture = "has neither cells nor terrain", "is no picture"
    for option, lacks, given, without in (
        ("--movement", cells, movement, (None,)),
        ("--scale", cells, scale, (1,)),
        ("--threshold", picture, threshold, (128,)),
        ("--tolerance", picture, tolerance, (None, 1.0)),
    ):
        if given not in without:
            raise InputError(f"a world of polygons {lacks}", file=option, found=f"{given}", hint="leave it out")


def input_world(
    path: Path,
    movement: str | None,
    *,
    scale: int,
    threshold: int,
    tolerance: float,
    instead: str,
    radius: float = 0.0,
) -> World:
    """Load anything that can be taken as a world of polygons (see `input_space`), obstacles grown by a radius."""
    from anabasis.decompose.obstacles import grow
    from anabasis.world import World

    world = input_space(path, movement, scale=scale, threshold=threshold, polygons=tolerance, instead=instead)
    assert isinstance(world, World)  # noqa: S101
    try:
        return grow(world, radius) if radius else world
    except InputError as error:
        raise error.at("--radius" if "radius" in error.problem else path) from None


def input_scenario(path: Path) -> Path:
    """Return the path of a file that exists and may be a scenario; raises InputError for a map or an archive."""
    from anabasis.io.maps import MAP_SUFFIXES

    kind = MAP_SUFFIXES.get(input_file(path).suffix.lower())
    if kind is not None and kind != "text":
        raise InputError(
            "this is an archive" if kind == "archive" else "this is a map",
            file=path,
            found=f"a file in {path.suffix}",
            expected="a scenario, .toml",
            hint=f'a scenario names its map: file = "{path.name}" below [map]' if kind != "archive" else None,
        )
    return path


def input_folder(path: Path) -> Path:
    """Return the path of a folder that exists; raises InputError that names folders with similar names."""
    if not path.exists():
        raise InputError("there is no such folder", file=path, hint=_near(path))
    if not path.is_dir():
        raise InputError("this is a file", file=path, expected="a folder")
    return path


def output_file(path: Path | None, *suffixes: str, option: str) -> Path | None:
    """Return the path if a file can be written there (and has one of the suffixes, if any), None for None.

    option: where in the call the path was named.
    """
    from anabasis.io.atomic import check_writable

    if path is None:
        return None
    kinds = f"the name of a file in {' or '.join(suffixes)}" if suffixes else "the name of a file"
    if path.is_dir():
        raise WrongCallError(
            "the file can't be written",
            file=path,
            where=option,
            found="a folder of this name",
            expected=kinds,
            hint=f"such as {path / 'NAME'}{suffixes[0] if suffixes else path.suffix}",
        )
    name = path.name.lower()
    if suffixes and not any(name.endswith(suffix) and name != suffix for suffix in suffixes):
        raise WrongCallError(
            "unknown kind of output file",
            file=path,
            where=option,
            found=path.suffix or "no suffix",
            expected=kinds,
            hint=f"such as {path.with_suffix(suffixes[0])}",
        )
    try:
        check_writable(path)
    except InputError as error:
        raise WrongCallError(
            error.problem, file=path, where=option, found=error.found, expected=error.expected, hint=error.hint
        ) from None
    return path


def replay_file(path: Path | None) -> None:
    """Raise InputError unless a replay can be written there; None is none that is wanted."""
    if output_file(path, ".html", option="--replay") is not None:
        from anabasis.studio.replay import check_player

        check_player()


def output_folder(path: Path, *, option: str) -> Path:
    """Return the path if it is a folder in which files can be made, or if such a folder can be made there.

    option: where in the call the path was named.
    """
    from anabasis.io.atomic import check_writable

    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not there.is_dir():
        raise WrongCallError(
            "this is no folder",
            file=path,
            where=option,
            found=f"a file named {there}",
            expected="a folder, or a name that is free",
            hint="name another folder",
        )
    try:
        check_writable(there / "NAME")
    except InputError as error:
        raise WrongCallError(
            "the folder can't be made" if there != path else "nothing can be written into the folder",
            file=path,
            where=option,
            found=error.found,
            expected="a folder in which files can be made",
            hint="name another folder",
        ) from None
    return path


def examples() -> list[str]:
    """Return the names of the scenarios that ship with the package."""
    folder = Path(__file__).parent.parent / "data"
    return sorted(file.name.removesuffix(".scenario.toml") for file in folder.glob("*.scenario.toml"))


def example(name: str) -> Path:
    """Return the file of a scenario that ships with the package."""
    from importlib.resources import files

    return Path(str(files("anabasis") / "data" / f"{name}.scenario.toml"))


def _near(path: Path) -> str | None:
    """Return a hint with the names beside `path` that look like it."""
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist"
    names = sorted(entry.name for entry in path.parent.iterdir())
    close = get_close_matches(path.name, names, n=3, cutoff=0.6)
    return f"there is {' and '.join(str(path.parent / name) for name in close)}" if close else None


def _map_of(scenario: Path) -> str:
    """Return a hint where the map of a scenario is."""
    from anabasis.io.atomic import decode, read_bytes
    from anabasis.io.document import parse_toml

    try:
        drawn = parse_toml(decode(read_bytes(scenario), scenario), scenario).get("map")
    except InputError:
        drawn = None
    if isinstance(drawn, dict) and isinstance(drawn.get("file"), str):
        return f"its map is {scenario.parent / drawn['file']}"
    return (
        f"its map is drawn in it; in Python, anabasis.save(anabasis.load({str(scenario)!r}).grid, 'NAME.map') saves it"
    )
