"""The workspace: the one folder whose files the page may see, open and write."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anabasis.errors import InputError
from anabasis.studio.bodies import MAX_BODY
from anabasis.studio.failures import RefusedError

__all__ = ["KINDS", "SAVED", "Workspace", "checked_name", "files_of"]

KINDS = {
    ".scenario.toml": "scenario",
    ".manoeuvre.toml": "manoeuvre",
    ".toml": "scenario",
    ".map": "map",
    ".txt": "map",
    ".tmj": "map",
    ".ldtk": "map",
    ".png": "picture",
    ".gif": "picture",
    ".bmp": "picture",
    ".pbm": "picture",
    ".pgm": "picture",
    ".ppm": "picture",
    ".scen": "tasks",
    ".wkt": "area",
    ".geojson": "area",
    ".npz": "archive",
    ".draft.json": "draft",
    ".json": "plan",
    ".csv": "plan",
    ".run": "results",
}
"""What is listed, by the ending of its name; the first that fits says what it is. `.run` is a folder."""

SAVED = (".scenario.toml", ".manoeuvre.toml", ".map", ".txt", ".png", ".npz", ".scen")
"""What a draft can be written as; the first is what it is written as if nothing is said."""

_LISTED, _SEEN, _DEEP = 1000, 20_000, 6  # files of a list, entries looked at for it, folders below one another
_LONG = 1024  # characters of a path
# separators and control characters, plain or escaped once more, and what could not be decoded
_FORBIDDEN = re.compile(r"[/\\:\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffd]|%(25|2[ef]|5c|[01c][0-9a-f])", re.IGNORECASE)
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)


def checked_name(name: str) -> str:
    """Return the name of a file or a folder, without its place; raises RefusedError for what is none, or hidden."""
    if (
        not name
        or name.startswith(".")
        or name.endswith((".", " "))
        or len(name.encode("utf-8", "replace")) > 255
        or _FORBIDDEN.search(name)
        or _DEVICES.fullmatch(name)
    ):
        raise RefusedError(400, "a name that files here don't have", found=repr(name[:_LONG]))
    return name


def files_of(place: Path) -> list[Path]:
    """Return the files that saving a draft under a name writes: the map beside it, too, where the file names it."""
    for ending, other in ((".manoeuvre.toml", ".txt"), (".scen", ".map")):
        if place.name.lower().endswith(ending):
            return [place, place.with_name(place.name[: -len(ending)] + other)]
    return [place]


class Workspace:
    """One folder; paths are relative to it, with `/` between names."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError("there is no such folder", file=folder)
        self.folder = folder.resolve()

    def resolve(self, path: str) -> Path:
        """Return the place of a path; raises RefusedError for one that is absolute or leads out, by links too."""
        if len(path) > _LONG:
            raise RefusedError(400, "a path that is too long", found=f"{len(path)} characters", expected=f"{_LONG}")
        names = [checked_name(name) for name in path.split("/")]
        place = self.folder.joinpath(*names)
        try:
            real = place.resolve()
        except (OSError, RuntimeError, ValueError) as error:  # such as a circle of links
            raise RefusedError(404, "there is no such file", file=path, found=str(error)) from None
        if not real.is_relative_to(self.folder):
            raise RefusedError(403, "the file lies outside of the workspace", file=path)
        return real

    def file(self, path: str) -> Path:
        """Return the place of a file that can be opened, or of a folder of results; raises RefusedError for others."""
        place = self.resolve(path)
        try:
            found = place.stat()
        except OSError:
            raise RefusedError(404, "there is no such file", file=path) from None
        if stat.S_ISDIR(found.st_mode) and _kind(place.name) == "results":
            return place
        if not stat.S_ISREG(found.st_mode):
            raise RefusedError(404, "this is no file", file=path)
        if found.st_size > MAX_BODY:
            raise RefusedError(
                413,
                "the file is too large for the studio",
                file=path,
                found=f"{found.st_size} bytes",
                expected=f"at most {MAX_BODY} bytes (64 MiB)",
                hint="the command line takes larger ones",
            )
        return place

    def target(self, path: str, *, overwrite: bool) -> Path:
        """Return the place of a file that may be written; raises RefusedError for another one.

        overwrite: there may be such a file already.
        """
        place = self.resolve(path)
        ending = next((ending for ending in SAVED if place.name.lower().endswith(ending)), None)
        if ending is None or len(place.name) == len(ending):
            raise RefusedError(400, "unknown kind of file", file=path, expected="a name in " + ", ".join(SAVED))
        if not place.parent.is_dir():
            raise RefusedError(404, "there is no such folder", file=path)
        if place.is_dir():
            raise RefusedError(409, "there is a folder of this name", file=path)
        there = next((other for other in files_of(place) if other.exists()), None)
        if there is not None and not overwrite:
            hint = "save it under another name, or allow that it is overwritten"
            raise RefusedError(409, "there is such a file", file=there.name, hint=hint)
        return place

    def files(self) -> dict[str, Any]:
        """Return the `name` of the folder, and its `files`: path, kind, size in bytes and time of change of each.

        What is hidden or of no known kind is left out, and so is what lies behind links; `more`: that there are others.
        """
        found: list[dict[str, Any]] = []
        more = False
        for seen, entry in enumerate(_entries(self.folder, _DEEP)):
            if seen >= _SEEN or len(found) >= _LISTED:
                more = True
                break
            kind = _kind(entry.name)
            fits = entry.is_dir if kind == "results" else entry.is_file
            if kind is None or not fits(follow_symlinks=False):
                continue
            path = Path(entry.path).relative_to(self.folder).as_posix()
            try:
                self.resolve(path)
                about = entry.stat(follow_symlinks=False)
            except (OSError, RefusedError):
                continue
            found.append({"path": path, "kind": kind, "size": about.st_size, "changed": about.st_mtime})
        return {"name": self.folder.name, "files": sorted(found, key=lambda file: file["path"]), "more": more}


def _kind(name: str) -> str | None:
    low = name.lower()
    return next((kind for ending, kind in KINDS.items() if low.endswith(ending) and low != ending), None)


def _entries(folder: Path, deep: int) -> Iterator[os.DirEntry[str]]:
    """Yield what a folder holds, then what its folders hold, but for links, hidden ones and folders of results."""
    folders: list[Path] = []
    try:
        with os.scandir(folder) as inside:
            for entry in inside:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False) and _kind(entry.name) != "results":
                    folders.append(Path(entry.path))
    except OSError:  # not ours to read
        return
    for inner in folders if deep > 1 else ():
        yield from _entries(inner, deep - 1)
