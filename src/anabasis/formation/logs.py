"""Move logs as CSV: one row an observation, `formation,seconds,angle,distance,combined`, formation by formation."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence

import numpy as np

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.metrics.moves import MoveLog

__all__ = ["load_move_logs", "save_move_logs"]

_HEAD = ["formation", "seconds", "angle", "distance", "combined"]


def save_move_logs(logs: Sequence[MoveLog], path: str | os.PathLike[str]) -> None:
    """Write logs, each under its name; numbers are written so that they come back the same."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for log in logs:
        columns = (log.seconds, log.angle, log.distance, log.combined)
        writer.writerows([log.name, *map(repr, row)] for row in zip(*(c.tolist() for c in columns), strict=True))
    write_atomic(path, out.getvalue().encode())


def load_move_logs(path: str | os.PathLike[str]) -> list[MoveLog]:
    """Read logs, in the order in which they begin; raises InputError with file and line for what is wrong.

    How the combined error was made is not in the file.
    """
    rows = csv.reader(io.StringIO(decode(read_bytes(path), path)))
    found: dict[str, list[list[float]]] = {}
    try:
        if next(rows, None) != _HEAD:
            raise InputError("not a log of moves", file=path, where="line 1", expected=",".join(_HEAD))
        for row in rows:
            where = f"line {rows.line_num}"
            if len(row) != len(_HEAD):
                expected = f"{len(_HEAD)} of them"
                raise InputError(
                    "values of an observation", file=path, where=where, found=f"{len(row)}", expected=expected
                )
            values = [_number(word, name, path, where) for word, name in zip(row[1:], _HEAD[1:], strict=True)]
            before = found.setdefault(row[0], [])
            if before and values[0] <= before[-1][0]:
                said = f"{values[0]:g} after {before[-1][0]:g}"
                raise InputError("seconds of a move", file=path, where=where, found=said, expected="seconds that rise")
            before.append(values)
    except csv.Error as error:
        raise InputError("not a log of moves", file=path, where=f"line {rows.line_num}", found=str(error)) from None
    if not found:
        raise InputError("a log of moves without any observation", file=path, expected="rows below the first line")
    return [MoveLog(*np.array(rows, np.float64).T, name=name) for name, rows in found.items()]


def _number(word: str, name: str, path: str | os.PathLike[str], where: str) -> float:
    """Return a finite number from 0, or raise InputError."""
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InputError(
            f"{name} of an observation", file=path, where=where, found=repr(word), expected="a number from 0"
        )
    return value
