"""Tasks: starts and goals on a map, always connected: at random, bucketed by length, or for many agents at once.

Buckets of four lengths are those of N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012; agents that each
have a start and a goal of their own, those of R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and
Benchmarks", 2019. Lengths are counted in steps of 1 and √2, as a `.scen` file has them: prices of cells don't count.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_word, stream_key
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.movingai import Scen, save_scen
from anabasis.maps.parts import parts
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_seed
from anabasis.search.astar import AStar
from anabasis.search.integration import integrate
from anabasis.search.jps import JPS
from anabasis.search.moves import Space

__all__ = ["Tasks", "bucketed_tasks", "multi_agent_tasks", "sample_tasks", "save_tasks"]

Ints, Floats = NDArray[np.int64], NDArray[np.float64]

_STREAM = 330
_TURNS, _CHOICES = 331, 332
_PAIRS, _END, _STARTS, _GOALS = range(4)
_EACH_TURN = 8  # tasks from one start: fewer would take longer, more would let many begin at one place
_PATIENCE = 8  # trials for each task of a bucket before it is left with fewer
_NONE = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)


@dataclass(frozen=True, eq=False)
class Tasks:
    """Pairs of cells on a map, and how far apart they are.

    starts, goals: int64[k], vertices y · width + x. lengths: float64[k], of the shortest way by steps to one of so many
    neighbours, with a corner rule (see `astar`), where every free cell has the price 1.
    """

    starts: Ints
    goals: Ints
    lengths: Floats
    neighbours: int
    corners: str

    __repr__ = summary

    def __post_init__(self) -> None:
        set_field(self, "lengths", freeze(self.lengths, np.float64, (None,), "lengths"))
        for name in ("starts", "goals"):
            set_field(self, name, freeze(getattr(self, name), np.int64, self.lengths.shape, name))

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def buckets(self) -> Ints:
        """int64[k]: the bucket of each task, a quarter of its length rounded down."""
        return (self.lengths / 4).astype(np.int64)


def sample_tasks(
    grid: Grid, count: int, *, seed: int = 0, apart: float = 1.0, neighbours: int = 8, corners: str = "strict"
) -> Tasks:
    """Return `count` tasks at random: the start any free cell, the goal any cell that can be reached from it.

    apart: the least length of the shortest way. Start and goal always differ; a pair may be drawn twice. Raises
    InputError if fewer than about one pair in a hundred is so far apart, and for an unknown option.
    """
    check_count(count, "number of tasks")
    if not 0 <= apart < np.inf:
        raise InputError("least length of a task", found=f"{apart}", expected="a length from 0")
    space, label = _laid_out(grid, seed, neighbours, corners)
    cells = np.flatnonzero(label)
    cells = cells[np.argsort(label[cells], kind="stable")]
    part = label[cells].astype(np.int64)
    first = np.searchsorted(part, np.arange(part.max(initial=0) + 2))
    search, key, found, drawn = _search(space), stream_key(seed, _STREAM, _PAIRS), 0, 0
    kept: list[tuple[Ints, Ints, Floats]] = []
    while found < count and len(cells) and drawn < 10_000 + 100 * count:
        batch = min(64 + (count - found) * max(drawn, 1) // max(found, 1), 10_000 + count)
        pairs = cells[_pairs(key, drawn, batch, part, first)]
        starts, goals = pairs[pairs[:, 0] != pairs[:, 1]].T
        length = search.find_many(starts, goals).cost
        far = length >= apart
        kept.append((starts[far], goals[far], length[far]))
        found, drawn = found + int(far.sum()), drawn + batch
    if found < count:
        raise InputError(
            "too few pairs of cells are connected and so far apart",
            found=f"{found} of {drawn} drawn",
            expected=f"{count} tasks with a length of at least {apart:g}",
            hint="ask for fewer or shorter tasks",
        )
    starts, goals, lengths = (np.concatenate(column)[:count] for column in zip(*kept, strict=True)) if kept else _NONE
    return Tasks(starts, goals, lengths, neighbours, corners)


def bucketed_tasks(
    grid: Grid, *, seed: int = 0, per_bucket: int = 10, neighbours: int = 8, corners: str = "strict"
) -> Tasks:
    """Return tasks ordered by bucket, `per_bucket` in each: lengths from 4·b to below 4·b + 4 in bucket b.

    All lie in the largest part of the map, and the last bucket is that of the longest way from an end of it: of the
    cell farthest from the one that is farthest from a random one. No task is there twice, so a bucket of few pairs may
    have fewer. Raises InputError if no two free cells are connected, and for an unknown option.
    """
    check_count(per_bucket, "tasks in a bucket", 1)
    space, label = _laid_out(grid, seed, neighbours, corners)
    cells = _largest(label, 2)
    end = int(cells[random_word(stream_key(seed, _STREAM, _END), 0, 0) * len(cells) >> 32])
    for _ in range(2):
        end = int(cells[_lengths(space, end)[cells].argmax()])
    far = (_lengths(space, end)[cells] / 4).astype(np.int64)
    missing = np.full(int(far.max()) + 1, per_bucket)
    patience = _PATIENCE * missing
    rows: dict[tuple[int, int], tuple[int, float]] = {}
    turn = 0
    while len(wanted := np.flatnonzero((missing > 0) & (patience > 0))):
        key = stream_key(seed, _TURNS, turn)
        # in turns from anywhere, for any buckets, and from where the way to the end is long enough, for the last ones
        near = cells[far >= wanted[-1]] if turn & 1 else cells
        start = int(near[random_word(key, 0, 0) * len(near) >> 32])
        length = _lengths(space, start)[cells]
        wanted = wanted[wanted <= length.max() / 4]
        if not turn & 1:
            wanted = wanted[[random_word(key, 1, k) * len(wanted) >> 32 for k in range(_EACH_TURN) if len(wanted)]]
        chosen = np.zeros(len(missing), np.bool_)
        chosen[wanted[-_EACH_TURN:]] = True
        goals = _one_of_each(stream_key(seed, _CHOICES, turn), length, chosen)
        for bucket in np.flatnonzero(chosen).tolist():
            patience[bucket] -= 1
            goal = int(cells[goals[bucket]])
            task = (start, goal) if random_word(key, 2, bucket) & 1 else (goal, start)
            if goals[bucket] >= 0 and task not in rows:
                rows[task] = bucket, float(length[goals[bucket]])
                missing[bucket] -= 1
        turn += 1
    tasks = sorted(rows, key=lambda task: rows[task][0])
    starts, goals = np.array(tasks).T
    return Tasks(starts, goals, np.array([rows[task][1] for task in tasks]), neighbours, corners)


def multi_agent_tasks(grid: Grid, agents: int, *, seed: int = 0, neighbours: int = 8, corners: str = "strict") -> Tasks:
    """Return a task for each agent: no two share a start, no two share a goal, and no agent has its start for a goal.

    All cells lie in the largest part of the map, each as likely as the others, so any agent could go to any goal. The
    first k tasks are those for k agents, unless agents start everywhere. Raises InputError if the part has fewer cells
    than there are agents.
    """
    check_count(agents, "number of agents", 1)
    space, label = _laid_out(grid, seed, neighbours, corners)
    cells = _largest(label, max(2, agents))
    starts = _drawn(stream_key(seed, _STREAM, _STARTS), cells, agents)
    goals = _goals(stream_key(seed, _STREAM, _GOALS), cells, starts)
    return Tasks(starts, goals, _search(space).find_many(starts, goals).cost, neighbours, corners)


def save_tasks(tasks: Tasks, grid: Grid, path: str | os.PathLike[str], *, map_name: str) -> None:
    """Write tasks on a map as a `.scen` file that names the map so; lengths get eight decimals.

    Raises InputError for tasks with other lengths than a `.scen` file has: eight neighbours, strict corners.
    """
    if tasks.neighbours != 8 or tasks.corners != "strict":
        raise InputError(
            "lengths of the tasks",
            file=path,
            found=f"{tasks.neighbours} neighbours, corners {tasks.corners!r}",
            expected="8 neighbours, corners 'strict', as a .scen file has them",
        )
    count = len(tasks)
    scen = Scen(
        bucket=tasks.buckets,
        maps=(map_name,) * count,
        width=np.full(count, grid.width),
        height=np.full(count, grid.height),
        start_x=tasks.starts % grid.width,
        start_y=tasks.starts // grid.width,
        goal_x=tasks.goals % grid.width,
        goal_y=tasks.goals // grid.width,
        length=tasks.lengths,
        decimals=np.full(count, 8),
        line=np.arange(count) + 2,
    )
    save_scen(scen, path)


def _laid_out(grid: Grid, seed: int, neighbours: int, corners: str) -> tuple[Space, NDArray[np.int32]]:
    """Return the map without prices, and int32[height · width], the connected part of each free cell from 1, else 0."""
    check_seed(seed)
    space = Space(Grid.from_free(grid.free), neighbours, corners)
    slant = neighbours == 8 and corners == "none"  # by the other rules diagonal steps lead no farther
    return space, parts(grid.free, corners=slant).reshape(-1)


def _largest(label: NDArray[np.int32], least: int) -> Ints:
    """Return the cells of the largest part, of equals the first; raises InputError if it has fewer than `least`."""
    count = np.bincount(label)
    count[0] = 0
    if count.max() < least:
        raise InputError(
            "the largest connected part of the map is too small",
            found=f"{count.max()} cells",
            expected=f"at least {least}",
        )
    return np.flatnonzero(label == count.argmax())


def _search(space: Space) -> JPS | AStar:
    """Return the fastest search for shortest ways there that needs no preparation."""
    if space.neighbours == 8:
        return JPS(space.grid, corners=space.corners)
    return AStar(space.grid, neighbours=space.neighbours, corners=space.corners)


def _lengths(space: Space, start: int) -> Floats:
    """Return float64[height · width]: how far each cell is from a start."""
    return integrate(space, np.array([start]))[0].reshape(-1)


@kernel
def _pairs(key: int, drawn: int, count: int, part: Ints, first: Ints) -> Ints:
    """Return int64[count, 2], pairs number `drawn` and on: any place and any of its part; parts are contiguous."""
    pairs = np.empty((count, 2), np.int64)
    for k in range(count):
        start = random_word(key, drawn + k, 0) * len(part) >> 32
        begin, end = first[part[start]], first[part[start] + 1]
        pairs[k, 0], pairs[k, 1] = start, begin + (random_word(key, drawn + k, 1) * (end - begin) >> 32)
    return pairs


@kernel
def _one_of_each(key: int, length: Floats, chosen: NDArray[np.bool_]) -> Ints:
    """Return a random place in each chosen bucket, each place of a bucket as likely as the others, -1 without one."""
    seen, place = np.zeros(len(chosen), np.int64), np.full(len(chosen), -1, np.int64)
    for k in range(len(length)):
        bucket = int(length[k] / 4.0)
        if length[k] > 0 and bucket < len(chosen) and chosen[bucket]:
            seen[bucket] += 1
            if random_word(key, k, 0) * seen[bucket] >> 32 == 0:
                place[bucket] = k
    return place


@kernel
def _drawn(key: int, cells: Ints, count: int) -> Ints:
    """Return so many of the cells, each once, in random order."""
    order = cells.copy()
    for k in range(count):
        other = k + (random_word(key, k, 0) * (len(cells) - k) >> 32)
        order[k], order[other] = order[other], order[k]
    return order[:count].copy()


def _goals(key: int, cells: Ints, starts: Ints) -> Ints:
    """Return a goal for each agent, each cell once, and none where its agent starts."""
    goals = _drawn(key, cells, min(len(starts) + 1, len(cells)))
    for agent in np.flatnonzero(goals[: len(starts)] == starts).tolist():
        other = (agent + 1) % len(goals)
        goals[[agent, other]] = goals[[other, agent]]
    return goals[: len(starts)]
