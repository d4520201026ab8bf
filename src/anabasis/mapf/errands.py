"""Errands: what agents of a lifelong problem have to do: who enters when, and tasks of one place or more in order.

R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", 2019, for the warehouse, intersection
and hybrid models of online problems; H. Ma, J. Li, T. K. S. Kumar, S. Koenig, "Lifelong Multi-Agent Path Finding for
Online Pickup and Delivery Tasks", 2017, for streams of tasks of two places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel.random import random_fraction, random_word, stream_key
from anabasis.errors import InputError
from anabasis.noun import freeze, set_field, summary
from anabasis.options import check_count, check_kind, check_seed, check_share, check_switch

__all__ = ["ANYBODY", "Errands", "intersection_errands", "pickup_errands", "warehouse_errands"]

ANYBODY = -1
"""The agent of a task that whoever is free may take."""

_STREAM = 3401  # of the random streams of this module
Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Errands:
    """k agents and m tasks.

    - starts, enter: int64[k]: agent a appears at vertex starts[a] in step enter[a], or as soon after it as nobody is
      there; agents that enter in step 0 have different starts;
    - release: int64[m], not falling: the step from which each task is known; agent: int64[m], whose it is, or ANYBODY;
    - indptr: int64[m + 1], places: int64[p]: task i is done by being at places[indptr[i]:indptr[i + 1]] in this order;
      at least one;
    - leave: whether an agent is gone in the step after its last task; only where every task is somebody's.

    An agent does its own tasks in the order in which they are given.
    """

    starts: Longs
    enter: Longs
    release: Longs
    agent: Longs
    indptr: Longs
    places: Longs
    leave: bool = False

    __repr__ = summary

    def __post_init__(self) -> None:
        starts = freeze(self.starts, np.int64, (None,), "starts")
        enter = freeze(self.enter, np.int64, starts.shape, "enter")
        release = freeze(self.release, np.int64, (None,), "release")
        agent = freeze(self.agent, np.int64, release.shape, "agent")
        indptr = freeze(self.indptr, np.int64, (release.size + 1,), "indptr")
        places = freeze(self.places, np.int64, (None,), "places")
        check_switch(self.leave, "whether agents leave")
        for name, value in (
            ("starts", starts),
            ("enter", enter),
            ("release", release),
            ("agent", agent),
            ("indptr", indptr),
            ("places", places),
        ):
            set_field(self, name, value)
        if indptr[0] != 0 or indptr[-1] != places.size or (np.diff(indptr) < 1).any():
            raise InputError("indptr of errands", expected=f"at least one of the {places.size} places for each task")
        if (release.size and (release.min() < 0 or (np.diff(release) < 0).any())) or (enter.size and enter.min() < 0):
            raise InputError("steps of errands", expected="release steps that do not fall, and no step below 0")
        if agent.size and (agent.min() < ANYBODY or agent.max() >= starts.size):
            raise InputError(
                "agent of a task",
                found=f"{agent.min()} to {agent.max()}",
                expected=f"0 to {starts.size - 1}, or -1 for anybody",
            )
        if self.leave and (agent == ANYBODY).any():
            raise InputError("agents leave, but a task is anybody's", expected="an agent for every task")
        first = starts[enter == 0]
        if np.unique(first).size < first.size:
            raise InputError("two agents enter at the same place in step 0", expected="different starts")

    @property
    def size(self) -> int:
        """Number of agents."""
        return int(self.starts.size)

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return int(self.release.size)

    def task(self, number: int) -> Longs:
        """Return int64: the places of a task."""
        return self.places[self.indptr[number] : self.indptr[number + 1]]

    @classmethod
    def of_queues(cls, starts: ArrayLike, queues: list[ArrayLike]) -> Errands:
        """Make errands in which agent a has to go to the places queues[a] one after the other, all known at once."""
        check_kind(queues, (list, tuple), "queues of agents", "a list of the places to go to, for each agent")
        lists = [freeze(queue, np.int64, (None,), "queue") for queue in queues]
        places = np.concatenate([*lists, np.zeros(0, np.int64)])
        agent = np.repeat(np.arange(len(lists)), [queue.size for queue in lists])
        start = freeze(starts, np.int64, (len(lists),), "starts")
        return cls(start, np.zeros_like(start), np.zeros_like(places), agent, np.arange(places.size + 1), places)


def warehouse_errands(places: ArrayLike, agents: int, tasks: int, *, seed: int = 0) -> Errands:
    """Draw the warehouse model: a fixed number of agents, a new target on each arrival.

    places: int[n], the vertices to draw from: `agents` different starts, and `tasks` targets for each agent of which no
    two one after the other are the same.
    """
    pool = _pool(places, 2)
    agents = check_count(agents, "agents", most=pool.size)
    tasks = check_count(tasks, "tasks")
    key = stream_key(check_seed(seed), _STREAM, 0)
    starts = _sample(pool, agents, key)
    queues: list[ArrayLike] = []
    for agent in range(agents):
        queue, here = np.empty(tasks, np.int64), int(starts[agent])
        for i in range(tasks):
            here = _other(pool, here, random_word(key, agent + 1, i))
            queue[i] = here
        queues.append(queue)
    return Errands.of_queues(starts, queues)


def intersection_errands(entries: ArrayLike, exits: ArrayLike, *, rate: float, steps: int, seed: int = 0) -> Errands:
    """Draw the intersection model: new agents appear, each has one target and is gone once there.

    entries, exits: int[n] and int[m] vertices. In each of `steps` steps an agent wants to enter at each entry with
    the chance `rate`; its exit is drawn evenly among those elsewhere.
    """
    into, out = _pool(entries, 1), _pool(exits, 2)
    rate = check_share(rate, "rate of entering")
    seed, found = check_seed(seed), list[tuple[int, int, int]]()
    for step in range(check_count(steps, "steps")):
        key = stream_key(seed, _STREAM + 1, step)
        for number, entry in enumerate(into.tolist()):
            if random_fraction(key, number, 0) < rate:
                found.append((step, entry, _other(out, entry, random_word(key, number, 1))))
    table = np.array(found, np.int64).reshape(-1, 3)
    indptr = np.arange(len(table) + 1)
    return Errands(table[:, 1], table[:, 0], table[:, 0], indptr[:-1], indptr, table[:, 2], leave=True)


def pickup_errands(starts: ArrayLike, places: ArrayLike, tasks: int, *, every: float = 0.0, seed: int = 0) -> Errands:
    """Draw a common stream of tasks, each a pickup and a delivery at two different places.

    starts: int[k]. places: int[n], the vertices to draw from. every: steps between one release and the next.
    """
    pool, first = _pool(places, 2), freeze(starts, np.int64, (None,), "starts")
    tasks = check_count(tasks, "tasks")
    every = float(freeze(every, np.float64, (), "steps between releases"))
    if not 0 <= every * tasks < 2**62:
        raise InputError("steps between releases", found=f"{every}", expected="at least 0, and not for ever")
    key = stream_key(check_seed(seed), _STREAM + 2, 0)
    ends = np.empty((tasks, 2), np.int64)
    for i in range(tasks):
        ends[i, 0] = pool[random_word(key, i, 0) % pool.size]
        ends[i, 1] = _other(pool, int(ends[i, 0]), random_word(key, i, 1))
    release = np.floor(np.arange(tasks) * every).astype(np.int64)
    anybody = np.full(tasks, ANYBODY)
    return Errands(first, np.zeros_like(first), release, anybody, np.arange(0, 2 * tasks + 1, 2), ends.reshape(-1))


def _pool(places: ArrayLike, least: int) -> Longs:
    pool = np.unique(freeze(places, np.int64, (None,), "places"))
    if pool.size < least:
        raise InputError("places to draw from", found=f"{pool.size}", expected=f"at least {least} different ones")
    return pool


def _other(pool: Longs, place: int, word: int) -> int:
    """Return a place of the pool that is not this one."""
    at = int(np.searchsorted(pool, place))
    there = at < pool.size and int(pool[at]) == place
    number = int(word) % (pool.size - there)
    return int(pool[number + (there and number >= at)])


def _sample(pool: Longs, count: int, key: int) -> Longs:
    """Return some places of the pool, all different."""
    order = np.argsort([random_word(key, 0, i) for i in range(pool.size)], kind="stable")
    return pool[order[:count]]
