"""Result and Status: what every planner returns; SearchTrace: what a search did.

A status tells how a hard problem ended; a wrong input is an error, never a status.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary

__all__ = ["Result", "SearchTrace", "Status", "TraceEvent"]

T = TypeVar("T")


class Status(Enum):
    """How a planner ended."""

    SOLVED = "solved"
    NO_SOLUTION = "no solution"  # proved
    LIMIT = "limit reached"  # gave up


class TraceEvent(Enum):
    """What a search did to a vertex."""

    GENERATE = 0
    EXPAND = 1
    CLOSE = 2
    UPDATE = 3


@dataclass(frozen=True, eq=False)
class SearchTrace:
    """What a search did, in order.

    event: int8[k], a TraceEvent; vertex and parent: int64[k], parent -1 for none; g and h: float64[k].
    points: float64[n, 2], the places (x, y) of the vertices where the search made them itself (trees of samples, ends
    of intervals); empty where they are those of the map or graph that was searched.
    """

    event: NDArray[np.int8]
    vertex: NDArray[np.int64]
    parent: NDArray[np.int64]
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    points: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))

    __repr__ = summary

    def __post_init__(self) -> None:
        event = freeze(self.event, np.int8, (None,), "event")
        set_field(self, "event", event)
        for name, dtype in (("vertex", np.int64), ("parent", np.int64), ("g", np.float64), ("h", np.float64)):
            set_field(self, name, freeze(getattr(self, name), dtype, event.shape, name))
        set_field(self, "points", freeze(self.points, np.float64, (None, 2), "points of a trace"))


@dataclass(frozen=True, eq=False)
class Result(Generic[T]):
    """What a planner returns.

    - value: the solution, None unless there is one (LIMIT may carry a partial or suboptimal one).
    - reason: one sentence for a person, empty when solved.
    - bound: a proved lower bound of the cost (0 if none was proved).
    - stats: counts such as `expanded`, `generated`; `nearest_x`, `nearest_y` name the nearest reachable cell when the
      goal can't be reached.
    """

    status: Status
    value: T | None = None
    reason: str = ""
    bound: float = 0.0
    stats: Mapping[str, float] = field(default_factory=dict[str, float])
    trace: SearchTrace | None = None

    __repr__ = summary

    def __post_init__(self) -> None:
        if self.status is Status.SOLVED and self.value is None:
            raise InputError("a solved result without a value", expected="a value, or another status")
        if self.status is not Status.SOLVED and not self.reason:
            raise InputError("an unsolved result without a reason", expected="one sentence that says why")
        set_field(self, "stats", MappingProxyType(dict(self.stats)))

    def __bool__(self) -> bool:
        return self.status is Status.SOLVED

    def __reduce__(self) -> tuple[object, ...]:
        return (Result, (self.status, self.value, self.reason, self.bound, dict(self.stats), self.trace))
