"""What the studies of planning for one unit have in common: tables of rows, times, and records of a search.

Times are processor time, so that other work on the machine weighs little, and the median of several repetitions after
one that is not counted. Memory is counted and not sampled: bytes of the arrays of a discretisation, and records of a
search, which are the states that it saw, each once. So all but the times is the same in every run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from anabasis.plan import Path
from anabasis.result import Result, SearchTrace

__all__ = ["Table", "power", "records", "shown", "timed", "walked"]

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """A table of a study: rows by the names of their columns; names that begin with "source" are published figures."""

    title: str
    rows: tuple[Mapping[str, object], ...]
    note: str = ""

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0]) if self.rows else ()

    def column(self, name: str) -> list[float]:
        """Return the numbers of a column, from top to bottom; NaN where there is none."""
        values = [row.get(name) for row in self.rows]
        return [float(v) if isinstance(v, (int, float, np.number)) else float("nan") for v in values]

    def text(self) -> str:
        """Return the table as lines of plain text."""
        cells = [[shown(row.get(name)) for name in self.head] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.head, *cells, strict=True)]
        lines = ["  ".join(v.rjust(w) for v, w in zip(row, widths, strict=True)) for row in [list(self.head), *cells]]
        return "\n".join([self.title, *lines, *([self.note] if self.note else [])])


def shown(value: object) -> str:
    """Return a value of a table as text; a dash for None."""
    if value is None:
        return "–"
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}" if abs(value) < 100 else f"{value:.1f}"
    return str(value)


def timed(action: Callable[[], T], repeats: int = 5) -> tuple[T, float]:
    """Return what an action returns, and its time in ms: the median of `repeats` runs after one that is not counted."""
    value = action()
    times: list[float] = []
    for _ in range(repeats):
        begin = time.process_time_ns()
        value = action()
        times.append((time.process_time_ns() - begin) / 1e6)
    return value, statistics.median(times)


def records(trace: SearchTrace | None) -> int:
    """Return how many states a traced search has seen."""
    return 0 if trace is None else len(np.unique(trace.vertex))


def walked(result: Result[Path]) -> float:
    """Return the length of a way that was found, inf if there is none."""
    return float("inf") if result.value is None else result.value.cost


def power(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the exponent p of the power law y ~ x^p that fits best."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
