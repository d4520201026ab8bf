"""Instance: a multi-agent path finding problem: where agents start and where each must end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.noun import freeze, set_field, summary

__all__ = ["Instance"]


@dataclass(frozen=True, eq=False)
class Instance:
    """Agents on a grid or graph: agent a goes from vertex starts[a] to goals[a] (int64[k]; no vertex twice in either).

    change_times int64[c], change_vertices int64[c], change_blocked bool[c]: changes known beforehand: from that time
    step on the vertex is blocked (True) or free.
    """

    space: Grid | Graph
    starts: NDArray[np.int64]
    goals: NDArray[np.int64]
    change_times: NDArray[np.int64]
    change_vertices: NDArray[np.int64]
    change_blocked: NDArray[np.bool_]

    __repr__ = summary

    def __post_init__(self) -> None:
        starts = freeze(self.starts, np.int64, (None,), "starts")
        goals = freeze(self.goals, np.int64, starts.shape, "goals")
        times = freeze(self.change_times, np.int64, (None,), "change_times")
        vertices = freeze(self.change_vertices, np.int64, times.shape, "change_vertices")
        blocked = freeze(self.change_blocked, np.bool_, times.shape, "change_blocked")
        size = self.space.size if isinstance(self.space, Graph) else self.space.width * self.space.height
        for name, array in (("starts", starts), ("goals", goals), ("change_vertices", vertices)):
            if array.size and (array.min() < 0 or array.max() >= size):
                raise InputError(
                    f"{name} of an instance",
                    found=f"vertex {array.min()} to {array.max()}",
                    expected=f"vertices 0 to {size - 1}",
                )
        for name, array in (("start", starts), ("goal", goals)):
            values, counts = np.unique(array, return_counts=True)
            if (counts > 1).any():
                raise InputError(
                    f"two agents have the same {name}",
                    found=f"vertex {int(values[counts > 1][0])}",
                    expected=f"every {name} once",
                )
            if isinstance(self.space, Grid) and array.size and not self.space.free.ravel()[array].all():
                raise InputError(
                    f"a {name} is blocked",
                    found=f"vertex {int(array[~self.space.free.ravel()[array]][0])}",
                    expected="free cells",
                )
        if times.size and (times.min() < 0 or (np.diff(times) < 0).any()):
            raise InputError("change_times of an instance", expected="times that do not fall, from 0")
        for name, value in (
            ("starts", starts),
            ("goals", goals),
            ("change_times", times),
            ("change_vertices", vertices),
            ("change_blocked", blocked),
        ):
            set_field(self, name, value)

    @classmethod
    def of(cls, space: Grid | Graph, starts: object, goals: object) -> Instance:
        """Make an instance without changes."""
        none = np.zeros(0, np.int64)
        return cls(space, starts, goals, none, none, none.astype(bool))  # pyright: ignore[reportArgumentType]
