"""Facts and tables as messages: names with values, rows under columns.

What the clock says is marked, since it is not the same twice: a row of facts has a third part, "seconds", then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, cast

import numpy as np

from anabasis.studio.channel import Channel

__all__ = ["Fact", "counted", "plain", "say_facts", "say_table"]

Fact = tuple[str, object] | tuple[str, object, str]
"""A name, a value, and "seconds" for what a clock has measured."""


def say_facts(out: Channel, title: str, rows: Iterable[Fact]) -> None:
    """Say names with their values; those without a value (None) are left out."""
    said = [[row[0], plain(row[1]), *row[2:]] for row in rows if row[1] is not None]
    out.say("facts", {"title": title, "rows": said})


def say_table(out: Channel, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Say rows under columns."""
    said = [[plain(value) for value in row] for row in rows]
    out.say("table", {"title": title, "columns": list(columns), "rows": said})


def plain(value: object) -> Any:
    """Return a value as JSON holds it: a number that is not finite and whatever else there is as a text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def counted(count: int, what: str) -> str:
    """Return how many of something there are, in words: `1 unit`, `2 units`."""
    return f"{count} {what}{'' if count == 1 else 's'}"
