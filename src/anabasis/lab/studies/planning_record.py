"""What the studies of planning for one unit have in common: tables of rows, times and memory.

Times are processor time, so that other work on the machine weighs little: the median of five runs or more after one
that is not counted, with the least and the most. Memory is told twice: counted (bytes of the arrays of a
discretisation; records of a search, which are the states that it saw, each once), and as the peak of what tracemalloc
saw allocated. It sees what Python and NumPy allocate, and not what compiled code takes for itself.
All but times and peaks is the same in every run.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np

from anabasis.plan import Path
from anabasis.result import Result, SearchTrace

__all__ = ["PEAK", "RUNS", "Spread", "Table", "allocated", "power", "records", "shown", "timed", "walked"]

T = TypeVar("T")

PEAK = "tracemalloc peak kB"
"""The end of the name of every column of measured memory."""
_KEYS = ("map", "part", "lattice", "a px", "obstacles", "cells", "method", "discretisation", "space")
_ROOM = 150  # letters of a line of text
RUNS = 5
"""Over so many runs a time is measured."""


class Spread(float):
    """The median of some times, a number like any other, that also knows the least and the most of them."""

    __slots__ = ("least", "most")

    least: float
    most: float

    def __new__(cls, values: Sequence[float]) -> Spread:
        """Make it of the times."""
        self = super().__new__(cls, statistics.median(values))
        self.least, self.most = min(values), max(values)
        return self

    def times(self, factor: float) -> Spread:
        """Return it in another unit."""
        return Spread([self.least * factor, self * factor, self.most * factor])


@dataclass(frozen=True)
class Table:
    """A table of a study: rows by the names of their columns; names that begin with "source" are published figures."""

    title: str
    rows: tuple[Mapping[str, object], ...]
    note: str = ""

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns, of all rows."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row))

    def column(self, name: str) -> list[float]:
        """Return the numbers of a column, from top to bottom; NaN where there is none."""
        values = [row.get(name) for row in self.rows]
        return [float(v) if isinstance(v, (int, float, np.number)) else float("nan") for v in values]

    def records(self) -> list[dict[str, object]]:
        """Return the rows for programs, each by the names of its columns."""
        head, rows = self.flat()
        return [dict(zip(head, row, strict=True)) for row in rows]

    def blocks(self, names: Sequence[str], widths: Sequence[float], room: float) -> list[list[str]]:
        """Return columns in blocks that fit into some room; the columns that tell rows apart stand in each of them."""
        keys = [name for name in names if name in _KEYS or name.startswith("of ")]
        wide = dict(zip(names, widths, strict=True))
        begun = sum(wide[name] for name in keys)
        blocks, filled = [list(keys)], begun
        for name in names:
            if name in keys:
                continue
            beside = wide.get(f"source {name}", 0)  # which is not parted from ours
            follows = name.removeprefix("source ") in blocks[-1]
            if filled + wide[name] + beside > room and not follows and len(blocks[-1]) > len(keys):
                blocks.append(list(keys))
                filled = begun
            blocks[-1].append(name)
            filled += wide[name]
        return blocks

    def text(self) -> str:
        """Return the table as lines of plain text, each published column after ours; a wide one in several blocks."""
        own = [n for n in self.head if not (n.startswith("source ") and n.removeprefix("source ") in self.head)]
        names = [n for name in own for n in (name, f"source {name}") if n in self.head]
        cells = {n: [n, *(shown(row.get(n)) for row in self.rows)] for n in names}
        widths = {n: max(map(len, column)) for n, column in cells.items()}
        lines = [self.title]
        for block in self.blocks(names, [widths[n] + 2 for n in names], _ROOM):
            rows = zip(*([v.rjust(widths[n]) for v in cells[n]] for n in block), strict=True)
            lines += [*map("  ".join, rows), ""]
        return "\n".join([*lines[:-1], *([self.note] if self.note else [])])

    def flat(self) -> tuple[list[str], list[list[object]]]:
        """Return names and rows for programs: a time's least and most are columns of their own."""
        spread = {name for row in self.rows for name, value in row.items() if isinstance(value, Spread)}
        names: list[str] = []
        for name in self.head:
            names += [name, f"{name} least", f"{name} most"] if name in spread else [name]
        rows: list[list[object]] = []
        for row in self.rows:
            out: list[object] = []
            for name in self.head:
                value = row.get(name)
                wide = (float(value), value.least, value.most) if isinstance(value, Spread) else (value, None, None)
                out += wide if name in spread else [value]
            rows.append(out)
        return names, rows


def shown(value: object) -> str:
    """Return a value of a table as text, a time with its least and most; a dash for None and NaN."""
    if value is None or value != value:  # noqa: PLR0124 (NaN is no other)
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Spread):
        return f"{_short(value)} [{_short(value.least)}, {_short(value.most)}]"
    return _short(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}" if abs(value) < 10_000 else f"{value:.0f}"


def timed(action: Callable[[], T], repeats: int = RUNS, *, warm: bool = True) -> tuple[T, Spread]:
    """Return what an action returns, and its times in ms over some runs, if `warm` after one that is not counted."""
    value: T | None = action() if warm else None
    times: list[float] = []
    for _ in range(repeats):
        begin = time.process_time_ns()
        value = action()
        times.append((time.process_time_ns() - begin) / 1e6)
    return cast(T, value), Spread(times)


def allocated(action: Callable[[], object]) -> float:
    """Return by how many kB the memory that tracemalloc sees has grown at most while an action runs, after one run."""
    action()
    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        action()
        return (tracemalloc.get_traced_memory()[1] - before) / 1000
    finally:
        if not running:
            tracemalloc.stop()


def records(trace: SearchTrace | None) -> int:
    """Return how many states a traced search has seen."""
    return 0 if trace is None else len(np.unique(trace.vertex))


def walked(result: Result[Path]) -> float:
    """Return the length of a way that was found, inf if there is none."""
    return float("inf") if result.value is None else result.value.cost


def power(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the exponent p of the power law y ~ x^p that fits best."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
