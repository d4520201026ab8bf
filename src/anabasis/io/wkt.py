"""WKT: polygons in well-known text, read with the line of a fault.

OGC, "Simple feature access: common architecture", 2011, 7.2. Only what covers an area is read: POLYGON, MULTIPOLYGON
and GEOMETRYCOLLECTION of them, in the plane.
"""

from __future__ import annotations

import math
import re

from anabasis.errors import InputError
from anabasis.io.rings import Ring, check_holes, check_ring
from anabasis.world import FARTHEST

__all__ = ["polygons_of_wkt", "wkt_text"]

_TOKEN = re.compile(r"\s*([A-Za-z_]\w*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\S)")
_AREAS = ("POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION")
_DEEPEST = 50  # collections inside each other


def polygons_of_wkt(text: str, file: object = None) -> list[list[Ring]]:
    """Return the polygons of a text: each a list of rings, the outer one first, without the repeated last corner.

    Raises InputError with the line of a fault: of the syntax, of a ring (`check_ring`) or a hole (`check_holes`).
    """
    reader = _Reader(text, file)
    polygons = reader.geometry(0)
    if reader.peek():
        raise reader.error("text behind the area", "the end of the file", hint="put areas into a GEOMETRYCOLLECTION")
    return polygons


def wkt_text(polygons: list[list[Ring]]) -> str:
    """Return polygons (rings not closed) as WKT, a ring a line, every number with all its digits."""
    written = ["(" + ",\n ".join(map(_ring_text, rings)) + ")" for rings in polygons]
    return f"POLYGON {written[0]}\n" if len(written) == 1 else "MULTIPOLYGON (" + ",\n".join(written) + ")\n"


def _ring_text(ring: Ring) -> str:
    return f"({', '.join(f'{x!r} {y!r}' for x, y in [*ring, ring[0]])})"


class _Reader:
    """A text cut into words, numbers and marks, read from left to right."""

    def __init__(self, text: str, file: object) -> None:
        self.text, self.file, self.next = text, file, 0
        self.found = [(match[1], match.start(1)) for match in _TOKEN.finditer(text)]

    def peek(self) -> str:
        """Return the next word, number or mark; nothing at the end."""
        return self.found[self.next][0] if self.next < len(self.found) else ""

    def error(self, problem: str, expected: str, *, hint: str | None = None) -> InputError:
        """Return the error for what comes next."""
        found = repr(self.peek()) if self.peek() else "the end of the file"
        return InputError(problem, file=self.file, where=self.line(), found=found, expected=expected, hint=hint)

    def line(self) -> int:
        """Return the line of what comes next."""
        end = self.found[self.next][1] if self.next < len(self.found) else len(self.text.rstrip())
        return self.text.count("\n", 0, end) + 1

    def take(self, *marks: str) -> str:
        """Return the next mark, one of those expected."""
        mark = self.peek()
        if mark not in marks:
            raise self.error("not valid WKT", " or ".join(repr(m) for m in marks))
        self.next += 1
        return mark

    def geometry(self, depth: int) -> list[list[Ring]]:
        word = self.peek().upper()
        if word not in _AREAS or depth > _DEEPEST:
            raise self.error("no walkable area in WKT", " or ".join(_AREAS))
        self.next += 1
        if self.peek().upper() == "EMPTY":
            self.next += 1
            return []
        if self.peek().upper() in ("Z", "M", "ZM"):
            raise self.error("an area with heights", "places of two numbers, x and y")
        polygons: list[list[Ring]] = []
        if word == "POLYGON":
            return [self.polygon()]
        self.take("(")
        while True:
            polygons += [self.polygon()] if word == "MULTIPOLYGON" else self.geometry(depth + 1)
            if self.take(",", ")") == ")":
                return polygons

    def polygon(self) -> list[Ring]:
        rings: list[Ring] = []
        lines: list[int] = []
        self.take("(")
        while True:
            lines.append(self.line())
            rings.append(self.ring())
            if self.take(",", ")") == ")":
                break
        check_holes(rings, self.file, lines)
        return rings

    def ring(self) -> Ring:
        first, ring = self.line(), Ring()
        self.take("(")
        while True:
            ring.append((self.number(), self.number()))
            if self.take(",", ")") == ")":
                break
        try:
            return check_ring(ring)
        except InputError as error:
            raise error.at(self.file, first) from None

    def number(self) -> float:
        try:
            value = float(self.peek())
        except ValueError:
            value = math.nan
        if not abs(value) <= FARTHEST:
            kind = f"numbers of at most {FARTHEST:g}" if math.isfinite(value) else "finite numbers"
            raise self.error("a place of an area", f"two {kind}, x and y")
        self.next += 1
        return value
