"""Instance: a multi-agent path finding problem: where agents start, where each must end, and by what rules.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid, cell_text
from anabasis.noun import array_of, freeze, set_field, summary
from anabasis.options import check_kind, check_switch

__all__ = ["CLASSIC", "FEATURES", "Instance", "Rules"]

FEATURES = {
    "following": "no agent may enter what another has just left",
    "cycle": "agents may not move round in a ring",
    "swaps": "two agents may change places",
    "sharing": "two agents may be in one place",
    "no wait": "an agent may not wait before it has arrived",
    "vanish": "an agent is gone once it has arrived",
    "sizes": "an agent covers more than one cell",
    "changes": "places are blocked and freed at times known beforehand",
    "directed": "there are arcs of one direction",
}
"""By what an instance may depart from the classic problem."""


@dataclass(frozen=True)
class Rules:
    """What agents must not do, and what they may.

    Forbidden, if True:

    - vertex: two agents in one place at one time;
    - edge: two agents in the same step, from the same place to the same place;
    - following: an agent enters the place that another was in one step before;
    - cycle: three or more agents move round in a ring, each into the place of the next;
    - swap: two agents change places.

    What is forbidden with another is set too: vertex forbids edge; following forbids cycle and swap; cycle forbids
    swap.
    Allowed, if True: wait, to stay in a place before having arrived; stay, to remain at the goal, in the way of others
    (else the agent vanishes after the step in which it arrives first).
    """

    vertex: bool = True
    edge: bool = True
    following: bool = False
    cycle: bool = False
    swap: bool = True
    wait: bool = True
    stay: bool = True

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            set_field(self, name, check_switch(value, f"the rule {name}"))
        for name, value in (
            ("edge", self.edge or self.vertex),
            ("cycle", self.cycle or self.following),
            ("swap", self.swap or self.cycle or self.following),
        ):
            set_field(self, name, value)


CLASSIC = Rules()
"""Vertex and swap conflicts are forbidden; agents may wait and stay at their goals."""


@dataclass(frozen=True, eq=False)
class Instance:
    """Agents on a grid or graph: agent a goes from vertex starts[a] to goals[a] (int64[k]).

    No start occurs twice, nor does a goal if agents stay there. A step leads to one of the four neighbours on a Grid,
    along an arc on a Graph, and takes one unit of time whatever the price; a wait takes one too.

    - change_times int64[c], change_vertices int64[c], change_blocked bool[c]: changes known beforehand: from that time
      step on the vertex is blocked (True) or free.
    - rules: what agents may do.
    - sizes: int64[k], the side of the square of cells that each covers, right and down from its vertex; more than 1
      only on a Grid. One number stands for all.
    """

    space: Grid | Graph
    starts: NDArray[np.int64]
    goals: NDArray[np.int64]
    change_times: NDArray[np.int64]
    change_vertices: NDArray[np.int64]
    change_blocked: NDArray[np.bool_]
    rules: Rules = CLASSIC
    sizes: NDArray[np.int64] = dataclass_field(default_factory=lambda: np.array(1))

    __repr__ = summary

    def __post_init__(self) -> None:
        check_kind(self.space, (Grid, Graph), "space of an instance")
        check_kind(self.rules, Rules, "rules of an instance", "such as Rules(following=True)")
        starts = freeze(self.starts, np.int64, (None,), "starts")
        goals = freeze(self.goals, np.int64, starts.shape, "goals")
        times = freeze(self.change_times, np.int64, (None,), "change_times")
        vertices = freeze(self.change_vertices, np.int64, times.shape, "change_vertices")
        blocked = freeze(self.change_blocked, np.bool_, times.shape, "change_blocked")
        given = array_of(self.sizes, "sizes")
        sizes = np.broadcast_to(given, starts.shape) if given.ndim == 0 else given
        for name, value in (
            ("starts", starts),
            ("goals", goals),
            ("change_times", times),
            ("change_vertices", vertices),
            ("change_blocked", blocked),
            ("sizes", freeze(sizes, np.int64, starts.shape, "sizes")),
        ):
            set_field(self, name, value)
        if times.size and (times.min() < 0 or (np.diff(times) < 0).any()):
            raise InputError("change_times of an instance", expected="times that do not fall, from 0")
        self._check_vertices()
        self._check_sizes()

    def _check_vertices(self) -> None:
        size = self.vertex_count
        for name in ("starts", "goals", "change_vertices"):
            array = getattr(self, name)
            if array.size and (array.min() < 0 or array.max() >= size):
                raise InputError(
                    f"{name} of an instance",
                    found=f"vertex {array.min()} to {array.max()}",
                    expected=f"vertices 0 to {size - 1}",
                )
        opened = self.change_vertices[~self.change_blocked]
        for name, array in (("start", self.starts), ("goal", self.goals)):
            values, counts = np.unique(array, return_counts=True)
            shared = not self.rules.vertex or (name == "goal" and not self.rules.stay)
            if (counts > 1).any() and not shared:
                raise InputError(
                    f"two agents have the same {name}",
                    found=f"vertex {int(values[counts > 1][0])}",
                    expected=f"every {name} once",
                )
            if isinstance(self.space, Grid) and array.size:
                free = self.space.free.ravel()[array] | (np.isin(array, opened) if name == "goal" else False)
                if not free.all():
                    raise InputError(
                        f"a {name} is blocked", found=f"vertex {int(array[~free][0])}", expected="free cells"
                    )

    def _check_sizes(self) -> None:
        if self.sizes.size and self.sizes.min() < 1:
            raise InputError("size of an agent", found=f"{self.sizes.min()}", expected="at least 1 cell")
        if not (self.sizes > 1).any():
            return
        if not isinstance(self.space, Grid):
            raise InputError("size of an agent", found=f"{self.sizes.max()}", expected="1 on a graph")
        for name, array in (("start", self.starts), ("goal", self.goals)):
            for agent in np.flatnonzero(self.sizes > 1).tolist():
                side, (x, y) = int(self.sizes[agent]), self.space.cell(int(array[agent]))
                under = self.space.free[y : y + side, x : x + side]
                if under.shape != (side, side) or not under.all():
                    raise InputError(
                        f"no room at a {name}",
                        found=f"agent {agent}, {side} × {side} cells at {cell_text(x, y)}",
                        expected="free cells under all of it",
                    )

    @classmethod
    def of(
        cls, space: Grid | Graph, starts: ArrayLike, goals: ArrayLike, *, rules: Rules = CLASSIC, sizes: ArrayLike = 1
    ) -> Instance:
        """Make an instance without changes."""
        none = np.zeros(0, np.int64)
        ends = array_of(starts, "starts"), array_of(goals, "goals")
        return cls(space, *ends, none, none, none.astype(bool), rules, array_of(sizes, "sizes"))

    @property
    def size(self) -> int:
        """Number of agents."""
        return int(self.starts.size)

    @property
    def vertex_count(self) -> int:
        """Number of vertices, blocked cells among them."""
        return self.space.size if isinstance(self.space, Graph) else self.space.width * self.space.height

    @property
    def features(self) -> frozenset[str]:
        """The names of `FEATURES` by which this instance departs from the classic problem."""
        rules = self.rules
        found = {
            "following": rules.following,
            "cycle": rules.cycle and not rules.following,
            "swaps": not rules.swap,
            "sharing": not rules.vertex,
            "no wait": not rules.wait,
            "vanish": not rules.stay,
            "sizes": bool((self.sizes > 1).any()),
            "changes": bool(self.change_times.size),
            "directed": isinstance(self.space, Graph) and not self.space.symmetric,
        }
        return frozenset(name for name, there in found.items() if there)
