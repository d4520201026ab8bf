"""Files that a command is given: that they are there, and that results can be written, before the work begins."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from anabasis.errors import InputError

if TYPE_CHECKING:
    from anabasis.grid import Grid

__all__ = ["example", "examples", "input_file", "input_folder", "input_map", "output_file", "output_folder"]


def input_file(path: Path) -> Path:
    """Return the path of a file that exists; raises InputError that names files with similar names."""
    if path.is_dir():
        raise InputError("this is a folder", file=path, expected="a file")
    if not path.exists():
        raise InputError("there is no such file", file=path, hint=_near(path))
    return path


def input_map(path: Path, movement: str | None, *, scale: int, threshold: int) -> Grid:
    """Load a map as a movement class sees it; without one an archive keeps its prices, and others are for land."""
    from anabasis.io.maps import load_grid
    from anabasis.movement import movement_class

    seen_by = None if movement is None else movement_class(movement)
    return load_grid(input_file(path), seen_by, scale=scale, threshold=threshold)


def input_folder(path: Path) -> Path:
    """Return the path of a folder that exists; raises InputError that names folders with similar names."""
    if not path.exists():
        raise InputError("there is no such folder", file=path, hint=_near(path))
    if not path.is_dir():
        raise InputError("this is a file", file=path, expected="a folder")
    return path


def output_file(path: Path | None, *suffixes: str) -> Path | None:
    """Return the path if a file can be written there (and has one of the suffixes, if any), None for None."""
    if path is None:
        return None
    if suffixes and path.suffix.lower() not in suffixes:
        raise InputError("unknown kind of output file", found=str(path), expected=f"a name in {' or '.join(suffixes)}")
    if path.is_dir():
        raise InputError("the output can't be written: there is a folder of this name", found=str(path))
    if not path.parent.is_dir():
        raise InputError("the output can't be written: there is no such folder", found=str(path.parent))
    if not os.access(path.parent, os.W_OK):
        raise InputError("the output can't be written: the folder is not writable", found=str(path.parent))
    return path


def output_folder(path: Path) -> Path:
    """Return the path of a folder, made if need be; raises InputError if that can't be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the output folder can't be made: {reason}", found=str(path)) from None
    if not os.access(path, os.W_OK):
        raise InputError("the output folder is not writable", found=str(path))
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
