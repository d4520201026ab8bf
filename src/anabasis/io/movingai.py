"""Moving AI maps (`.map`) and scenarios (`.scen`), read and written.

N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational Intelligence and AI in
Games 4(2), 2012; the formats are described at movingai.com/benchmarks/formats.html. The dialect `lorr` is that of the
League of Robot Runners, where S is a service point and E an emitter, both open to traffic.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import Recipe
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid, cell_text
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.recipe import recipe_line, split_recipe
from anabasis.io.size import check_size
from anabasis.movement import MovementClass
from anabasis.noun import freeze, set_field

__all__ = ["DIALECTS", "Scen", "load_map", "load_scen", "save_map", "save_scen"]

DIALECTS = {"movingai": ".G@OTSW", "lorr": ".G@OTSWE", "lenient": ".G@OTSWE"}
"""The letters of each dialect; `lenient` reads any other visible letter as `@`, blocked."""

_WRITTEN_AS = {**dict.fromkeys(",dtijfh=+", "."), "~": "S", "^": "@", "*": "O"}
"""Letters of our own as those that units on land see alike, but for prices; ships lose their way under bridges."""

_TYPES = ("octile", "tile", "octile_unicost")
_HEADER_LINES = 100


def load_map(
    path: str | os.PathLike[str],
    movement: str | MovementClass = "land",
    *,
    dialect: str = "movingai",
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> Grid:
    """Read a `.map` file as a movement class sees it.

    Accepts LF and CRLF, header lines in any order, and at the end blank lines and the line of a recipe. Raises
    InputError with the line of the fault: a bad header, a row of the wrong length, a letter that the dialect does not
    have.
    """
    if dialect not in DIALECTS:
        raise InputError("unknown map dialect", found=repr(dialect), expected=" or ".join(DIALECTS))
    data, _ = split_recipe(read_bytes(path).removeprefix(b"\xef\xbb\xbf"))
    width, height, start, header = _read_header(data, path)
    check_size(width, height, path, max_side=max_side, max_cells=max_cells)
    codes = _rows_at_once(data, start, width, height)
    if codes is None:
        codes = _rows_one_by_one(data, start, width, height, header=header, path=path)
    codes = _check_letters(codes, header, dialect, path)
    codes.flags.writeable = False
    return Grid.from_terrain(codes, movement)


def save_map(
    grid: Grid, path: str | os.PathLike[str], *, dialect: str = "movingai", recipe: Recipe | None = None
) -> None:
    """Write a `.map` file: the terrain letters, LF line ends; below them the recipe, if there is one.

    Prices are not written: they follow from the letters and the movement class that reads them. The land of generated
    maps becomes what is nearest to it: coast `.`, rock `@`, snow `O`, fords `S` and so on. Raises InputError for any
    other letter that the dialect does not have.
    """
    codes = np.arange(256, dtype=np.uint8)
    for letter, plain in _WRITTEN_AS.items():
        codes[ord(letter)] = ord(plain)
    terrain = codes[grid.terrain]
    known = np.isin(terrain, np.frombuffer(DIALECTS[dialect].encode(), np.uint8))
    if not known.all():
        y, x = map(int, np.argwhere(~known)[0])
        raise InputError(
            f"terrain of cell {cell_text(x, y)} has no letter in a .map file of dialect {dialect!r}",
            file=path,
            found=repr(chr(grid.terrain[y, x])),
            expected="one of " + " ".join(DIALECTS[dialect]),
            hint="save it as .txt (all terrain letters) or .npz (everything)",
        )
    rows = np.full((grid.height, grid.width + 1), ord("\n"), np.uint8)
    rows[:, :-1] = terrain
    write_atomic(
        path,
        f"type octile\nheight {grid.height}\nwidth {grid.width}\nmap\n".encode() + rows.tobytes() + recipe_line(recipe),
    )


def _read_header(data: bytes, path: object) -> tuple[int, int, int, int]:
    """Return width, height, the offset of the first row and the number of header lines."""
    values: dict[str, str] = {}
    start = 0
    for number in range(1, _HEADER_LINES):
        end = data.find(b"\n", start)
        if start >= len(data):
            break
        end = len(data) if end < 0 else end
        words = data[start : min(end, start + 200)].decode("ascii", "replace").split()
        start = end + 1
        if not words:
            continue
        if words == ["map"]:
            for key in ("type", "height", "width"):
                if key not in values:
                    raise InputError(f"the header has no {key!r} line", file=path, where=number, expected=f"{key} …")
            return int(values["width"]), int(values["height"]), start, number
        key, value = words[0], " ".join(words[1:])
        _check_header_line(key, value, values, path, number)
        values[key] = value
    raise InputError("the header has no 'map' line", file=path, expected="type, height, width, then map")


def _check_header_line(key: str, value: str, before: dict[str, str], path: object, line: int) -> None:
    if key not in ("type", "height", "width"):
        raise InputError(
            "not a header line of a map",
            file=path,
            where=line,
            found=repr(f"{key} {value}".strip()[:40]),
            expected="type, height, width or map",
        )
    if key in before:
        raise InputError(f"a second {key!r} line in the header", file=path, where=line, expected="it once")
    if key == "type" and value not in _TYPES:
        hint = "hexagonal maps are not square grids and can't be read" if value == "hex" else None
        raise InputError(
            "unknown map type", file=path, where=line, found=repr(value), expected=" or ".join(_TYPES), hint=hint
        )
    if key != "type" and not (value.isascii() and value.isdigit() and len(value) <= 9):
        expected = f"a whole number from 1 to {MAX_SIDE}"
        raise InputError(f"{key} of the map", file=path, where=line, found=repr(value), expected=expected)


def _rows_at_once(data: bytes, start: int, width: int, height: int) -> NDArray[np.uint8] | None:
    """Return the letters if every row ends in the same way, None if the rows must be looked at one by one."""
    end = b"\r\n" if data[start + width : start + width + 2] == b"\r\n" else b"\n"
    stride = width + len(end)
    body = data[start : start + stride * height]
    if len(body) == stride * height - len(end):
        body += end
    if len(body) != stride * height or data[start + stride * height :].strip():
        return None
    block = np.frombuffer(body, np.uint8).reshape(height, stride)
    codes = block[:, :width]
    if (block[:, width:] != np.frombuffer(end, np.uint8)).any() or (codes == 10).any() or (codes == 13).any():
        return None
    return codes.copy()


def _rows_one_by_one(
    data: bytes, start: int, width: int, height: int, *, header: int, path: object
) -> NDArray[np.uint8]:
    """Return the letters of rows with mixed line ends, or raise the error that names the faulty row."""
    rows = [row.removesuffix(b"\r") for row in data[start:].split(b"\n")]
    while rows and not rows[-1].strip():
        rows.pop()
    for y, row in enumerate(rows[:height]):
        if len(row) != width:
            raise InputError(
                "a row of the map has the wrong length",
                file=path,
                where=header + 1 + y,
                found=f"{len(row)} letters",
                expected=f"{width}, the width in the header",
            )
    if len(rows) != height:
        raise InputError(
            "the map has the wrong number of rows",
            file=path,
            where=header + 1 + min(height, len(rows)),
            found=f"{len(rows)} rows",
            expected=f"{height}, the height in the header",
        )
    return np.frombuffer(b"".join(rows), np.uint8).reshape(height, width).copy()


def _check_letters(codes: NDArray[np.uint8], header: int, dialect: str, path: object) -> NDArray[np.uint8]:
    """Return the letters as the dialect reads them; raises InputError for one that it does not have."""
    letters = DIALECTS[dialect]
    meaning = np.zeros(256, np.uint8)
    if dialect == "lenient":
        meaning[33:127] = ord("@")
    for letter in letters:
        meaning[ord(letter)] = ord(letter)
    read = meaning[codes]
    if read.all():
        return read
    y, x = map(int, np.argwhere(read == 0)[0])
    letter = chr(codes[y, x])
    shown = repr(letter) if letter.isascii() else f"byte 0x{codes[y, x]:02x}"
    raise InputError(
        f"unknown terrain letter in column {x}",
        file=path,
        where=header + 1 + y,
        found=shown,
        expected="one of " + " ".join(letters),
        hint="E is a letter of the dialect 'lorr'" if letter == "E" else None,
    )


@dataclass(frozen=True, eq=False)
class Scen:
    """The queries of a `.scen` file, in its order; in a multi-agent scenario the first k rows are the k agents.

    bucket, width, height, start_x, start_y, goal_x, goal_y: int64[k]. maps: the map named in each row. length:
    float64[k], the published optimum of octile moves without corner cutting; decimals: int64[k], how many decimals of
    it are printed. line: int64[k], the line of each row in the file.
    """

    bucket: NDArray[np.int64]
    maps: tuple[str, ...]
    width: NDArray[np.int64]
    height: NDArray[np.int64]
    start_x: NDArray[np.int64]
    start_y: NDArray[np.int64]
    goal_x: NDArray[np.int64]
    goal_y: NDArray[np.int64]
    length: NDArray[np.float64]
    decimals: NDArray[np.int64]
    line: NDArray[np.int64]

    def __post_init__(self) -> None:
        k = len(self.maps)
        for name in ("bucket", *_NUMBERS, "decimals", "line"):
            set_field(self, name, freeze(getattr(self, name), np.int64, (k,), name))
        set_field(self, "length", freeze(self.length, np.float64, (k,), "length"))

    @property
    def size(self) -> int:
        """Number of queries."""
        return len(self.maps)


_NUMBERS = ("width", "height", "start_x", "start_y", "goal_x", "goal_y")
_ROW = re.compile(
    r"(\d{1,9})[\t ]+(\S(?:[^\t]*\S)?)" + r"[\t ]+(\d{1,9})" * 6 + r"[\t ]+(\d{1,12})(?:\.(\d{0,15}))?", re.ASCII
)
_FIELDS = ("bucket", "map", *_NUMBERS, "length")


def load_scen(path: str | os.PathLike[str]) -> Scen:
    """Read a `.scen` file: a version line, then nine fields a row, parted by tabs or blanks.

    The map field keeps what the file says; match it with a map by its last part. Raises InputError with the line of
    the fault: a missing version, a field that is not a number, a place outside the row's own width and height.
    """
    lines = decode(read_bytes(path), path).split("\n")
    words = lines[0].split()
    if len(words) != 2 or words[0] != "version" or words[1] not in ("1", "1.0"):
        raise InputError(
            "not a scenario of Moving AI", file=path, where=1, found=repr(lines[0][:40].strip()), expected="version 1"
        )
    rows: list[tuple[int, str, int, int, int, int, int, int, float, int, int]] = []
    for number, text in enumerate(lines[1:], 2):
        row = text.strip()
        if not row:
            continue
        match = _ROW.fullmatch(row)
        if match is None:
            raise _bad_row(row, path, number)
        bucket, name, *numbers, whole, part = match.groups()
        w, h, sx, sy, gx, gy = map(int, numbers)
        if sx >= w or gx >= w or sy >= h or gy >= h:
            x, y, what = (sx, sy, "start") if sx >= w or sy >= h else (gx, gy, "goal")
            raise InputError(
                f"the {what} lies outside the map",
                file=path,
                where=number,
                found=cell_text(x, y),
                expected=f"x below {w}, y below {h}",
            )
        length = float(f"{whole}.{part or 0}")
        rows.append((int(bucket), name, w, h, sx, sy, gx, gy, length, len(part or ""), number))
    columns = list(zip(*rows, strict=True)) or [()] * 11
    return Scen(columns[0], tuple(columns[1]), *columns[2:])  # pyright: ignore[reportArgumentType]


def save_scen(scen: Scen, path: str | os.PathLike[str]) -> None:
    """Write a `.scen` file: version 1, fields parted by tabs, each length with its number of decimals."""
    lines = ["version 1"]
    numbers = zip(*(getattr(scen, name).tolist() for name in ("bucket", *_NUMBERS, "length", "decimals")), strict=True)
    for name, (bucket, *places, length, decimals) in zip(scen.maps, numbers, strict=True):
        if not name or name != name.strip() or any(c in name for c in "\t\n\r"):
            raise InputError("map name of a query", file=path, found=repr(name), expected="a name without tabs")
        lines.append("\t".join([str(bucket), name, *map(str, places), f"{length:.{decimals}f}"]))
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def _bad_row(row: str, path: object, line: int) -> InputError:
    """Return the error that names what is wrong with a row."""
    fields = re.split(r"\t", row) if row.count("\t") == len(_FIELDS) - 1 else row.split()
    if len(fields) != len(_FIELDS):
        return InputError(
            "a row has the wrong number of fields",
            file=path,
            where=line,
            found=f"{len(fields)} fields",
            expected=f"{len(_FIELDS)}: " + " ".join(_FIELDS),
        )
    for name, field in zip(_FIELDS, fields, strict=True):
        pattern, kind = (
            (r"\d{1,9}", "a whole number from 0") if name != "length" else (r"\d{1,12}(\.\d{0,15})?", "a length from 0")
        )
        if name != "map" and not re.fullmatch(pattern, field.strip(), re.ASCII):
            return InputError(f"the field {name!r} of a row", file=path, where=line, found=repr(field), expected=kind)
    return InputError("a row can't be read", file=path, where=line, found=repr(row[:80]), expected=" ".join(_FIELDS))
