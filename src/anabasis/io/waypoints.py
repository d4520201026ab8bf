"""Way-points: places and links between them, chosen by hand, in a text file.

    anabasis way-points 1
    # a comment; names have no spaces; x to the right, y down
    place gate 12.5 30
    place bridge 40 30
    place ford 40 55
    link gate bridge
    link gate ford 90
    one-way ford bridge

A link can be walked both ways, after `one-way` only from the first place to the second. It costs its length, or what
is said behind it. Links may stand before their places.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.noun import freeze, set_field, summary

__all__ = ["HEADER", "Waypoints", "load_waypoints", "save_waypoints", "waypoints_of_text", "waypoints_text"]

HEADER = "anabasis way-points 1"
_FORM = {"place": "place NAME X Y", "link": "link NAME NAME [COST]", "one-way": "one-way NAME NAME [COST]"}


@dataclass(frozen=True, eq=False)
class Waypoints:
    """Named places and the links between them.

    names: one a place, without spaces, each once. points: float64[n, 2]. links: int64[m, 2], from and to. cost:
    float64[m], inf for the length of the link. one_way: bool[m]. lines: int64[n + m], where places and links stand in
    the file, empty if there is no file; file: its name.
    """

    names: tuple[str, ...]
    points: NDArray[np.float64]
    links: NDArray[np.int64]
    cost: NDArray[np.float64]
    one_way: NDArray[np.bool_]
    lines: NDArray[np.int64]
    file: str = ""

    __repr__ = summary

    def __post_init__(self) -> None:
        n = len(self.names)
        links = freeze(self.links, np.int64, (None, 2), "links")
        set_field(self, "points", freeze(self.points, np.float64, (n, 2), "points"))
        set_field(self, "links", links)
        set_field(self, "cost", freeze(self.cost, np.float64, (len(links),), "cost"))
        set_field(self, "one_way", freeze(self.one_way, np.bool_, (len(links),), "one_way"))
        set_field(self, "lines", freeze(self.lines, np.int64, (None,), "lines"))
        if len(set(self.names)) < n or any(not name or name.split() != [name] or name[0] == "#" for name in self.names):
            raise InputError("names of places", found=f"{self.names}"[:60], expected="each once, without spaces")
        if not np.isfinite(self.points).all():
            raise InputError("points of places", found="inf", expected="finite coordinates")
        if links.size and not (links.min() >= 0 and links.max() < n):
            raise InputError("a link leads nowhere", found=f"place {links.max()}", expected=f"places 0 to {n - 1}")
        if (self.cost < 0).any():
            raise InputError("cost of a link", found=f"{self.cost.min():g}", expected="at least 0, or inf")
        if self.lines.size not in (0, n + len(links)):
            raise InputError("lines", found=f"{self.lines.size}", expected=f"{n + len(links)}, or none")

    def number(self, name: str) -> int:
        """Return the number of a place; raises InputError if there is none of that name."""
        if name not in self.names:
            near = difflib.get_close_matches(name, self.names, n=3)
            hint = "did you mean " + " or ".join(near) + "?" if near else None
            raise InputError("no place of that name", found=repr(name), hint=hint)
        return self.names.index(name)

    def line(self, place: int = -1, link: int = -1) -> int | None:
        """Return the line of a place or of a link, None if there is no file."""
        at = place if place >= 0 else len(self.names) + link
        return int(self.lines[at]) if self.lines.size else None


def load_waypoints(path: str | os.PathLike[str]) -> Waypoints:
    """Read a file of way-points; raises InputError with file and line."""
    return waypoints_of_text(decode(read_bytes(path), path), str(path))


def save_waypoints(waypoints: Waypoints, path: str | os.PathLike[str]) -> None:
    """Write way-points so that they are read again exactly."""
    write_atomic(path, waypoints_text(waypoints).encode())


def waypoints_text(waypoints: Waypoints) -> str:
    """Return way-points as the text of a file."""
    rows = [HEADER]
    for name, (x, y) in zip(waypoints.names, waypoints.points.tolist(), strict=True):
        rows.append(f"place {name} {x!r} {y!r}")
    for k, (a, b) in enumerate(waypoints.links.tolist()):
        word = "one-way" if waypoints.one_way[k] else "link"
        cost = "" if np.isinf(waypoints.cost[k]) else f" {float(waypoints.cost[k])!r}"
        rows.append(f"{word} {waypoints.names[a]} {waypoints.names[b]}{cost}")
    return "\n".join(rows) + "\n"


def waypoints_of_text(text: str, file: str = "") -> Waypoints:
    """Return the way-points that a text describes; raises InputError with the line of the fault."""
    rows = [(number, row.split()) for number, row in enumerate(text.split("\n"), 1)]
    rows = [(number, words) for number, words in rows if words and not words[0].startswith("#")]
    if not rows or " ".join(rows[0][1]) != HEADER:
        found = " ".join(rows[0][1])[:60] if rows else "nothing"
        raise InputError(
            "no file of way-points", file=file or None, where=rows[0][0] if rows else 1, found=found, expected=HEADER
        )
    places: dict[str, tuple[int, float, float]] = {}
    links: dict[tuple[str, str], tuple[int, bool, float]] = {}
    for number, words in rows[1:]:
        try:
            _read(words, number, places, links)
        except InputError as error:
            raise error.at(file or None, number) from None
    names = tuple(places)
    index = {name: k for k, name in enumerate(names)}
    for pair, (number, _, _) in links.items():
        for name in pair:
            if name not in places:
                near = difflib.get_close_matches(name, names, n=3)
                raise InputError(
                    "a link to a place that does not exist",
                    file=file or None,
                    where=number,
                    found=repr(name),
                    expected=f"a line place {name} X Y",
                    hint="did you mean " + " or ".join(near) + "?" if near else None,
                )
    return Waypoints(
        names,
        np.array([place[1:] for place in places.values()], np.float64).reshape(-1, 2),
        np.array([[index[a], index[b]] for a, b in links], np.int64).reshape(-1, 2),
        np.array([link[2] for link in links.values()], np.float64),
        np.array([link[1] for link in links.values()], bool),
        np.array([entry[0] for entry in [*places.values(), *links.values()]], np.int64),
        file,
    )


def _read(
    words: list[str],
    number: int,
    places: dict[str, tuple[int, float, float]],
    links: dict[tuple[str, str], tuple[int, bool, float]],
) -> None:
    """Enter one line."""
    word, rest = words[0], words[1:]
    if word not in _FORM:
        near = difflib.get_close_matches(word, _FORM, n=1)
        hint = f"did you mean {near[0]}?" if near else None
        raise InputError("unknown word", found=repr(word), expected=" or ".join(_FORM), hint=hint)
    if len(rest) != 3 and (word == "place" or len(rest) != 2):
        raise InputError(f"a line of {word} with {len(rest)} values", found=" ".join(words)[:60], expected=_FORM[word])
    if word == "place":
        name = rest[0]
        if name in places:
            raise InputError(f"place {name!r} is there already", found=f"it in line {places[name][0]} too")
        places[name] = (number, _number(rest[1], "x"), _number(rest[2], "y"))
        return
    a, b = rest[0], rest[1]
    cost = np.inf if len(rest) == 2 else _number(rest[2], "cost")
    if a == b:
        raise InputError("a link from a place to itself", found=repr(a), expected="two places")
    if cost < 0:
        raise InputError("cost of a link", found=rest[2], expected="at least 0")
    for pair in ((a, b), (b, a)):
        if pair in links and (pair == (a, b) or word == "link" or not links[pair][1]):
            raise InputError(f"{a} and {b} are linked already", found=f"a link in line {links[pair][0]} too")
    links[a, b] = (number, word == "one-way", cost)


def _number(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.inf
    if not np.isfinite(value):
        raise InputError(name, found=repr(text), expected="a finite number")
    return value
