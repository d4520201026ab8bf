"""Genetic planner for cars: ways made of arcs are crossed and mutated, their parts joined by small trees of arcs.

After G. Erinc, S. Carpin, "A genetic algorithm for nonholonomic motion planning", 2007: the first ways heed the car and
not the obstacles; parts that cross obstacles are cut out by mutations that only ways with such parts undergo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from anabasis._kernel.dubins import arc_end
from anabasis.options import check_count
from anabasis.result import Result, Status
from anabasis.search.drive import Drive, merged
from anabasis.search.evolution import evolve
from anabasis.search.sampling import default_step
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.world import World

__all__ = ["genetic_drive"]

Floats = NDArray[np.float64]
_PENALTY = 10.0  # by how much more a length in obstacles counts
_TREE = 400  # samples of the tree that joins two poses


@dataclass(frozen=True)
class _Way:
    """A chromosome: k arcs (curvature, signed length), the k + 1 poses at their ends, which arcs are free."""

    arcs: Floats
    poses: Floats
    free: NDArray[np.bool_]

    @property
    def feasible(self) -> bool:
        return bool(self.free.all())

    @property
    def fitness(self) -> float:
        lengths = np.abs(self.arcs[:, 1])
        return 1.0 / float((lengths * np.where(self.free, 1.0, 1.0 + _PENALTY)).sum())


def genetic_drive(
    world: World,
    start: Sequence[float],
    goal: Sequence[float],
    car: Kinematics,
    *,
    seed: int = 0,
    population: int = 20,
    crossover: float = 0.3,
    mutation: float = 0.8,
    extra: int = 100,
    near: float | None = None,
    step: float | None = None,
    pace: float = 0.25,
    limit: int = 500,
) -> Result[Trajectory]:
    """Find a motion of a car and shorten it, from a pose (x, y, radians) to a place (x, y) or a pose.

    population: ways in a generation. crossover, mutation: the probabilities that a child has two parents, and that it
    is mutated; with the few percent and less of the textbooks far more generations are needed. The search runs to the
    first free way and `extra` generations more, `limit` in all. near: two places of a way that one of the mutations
    joins anew are at most that far apart, by default a fifth of the diagonal. step, pace, the car's reference point,
    the motion in time and the errors are as with `kinodynamic_rrt`.

    The mutations: (1) the part between two places that are near each other is replaced by the shortest way of the car;
    (2) the part between any two places is replaced by a random tree's; for ways that cross obstacles, (3) the first
    part that does is replaced by one that goes round, and (4) a longer part around any such. The result is no longer
    than the shortest free way of the first generation. LIMIT if none is free in the end. stats: `generations`, `first`
    (that of the first free way), `first_length`, `length`, `time`, `expanded` = `generated` (ways made).
    """
    drive = Drive(world, start, goal, car, step, pace)
    population = check_count(population, "population", 1)
    near = default_step(world, near, 0.2, "near")
    if drive.closed is not None:
        return drive.closed
    breed = _Breed(drive, near)
    rng = np.random.default_rng([check_count(seed, "seed"), 7])
    first = [breed.stray(rng) for _ in range(population)]
    done = evolve(
        first,
        lambda way: way.fitness,
        breed.crossed,
        breed.mutated,
        ready=lambda way: way.feasible,
        crossover=crossover,
        mutation=mutation,
        extra=extra,
        limit=limit,
        seed=seed,
    )
    made = population * (done.generations + 1)
    stats: dict[str, float] = {"generations": done.generations, "expanded": made, "generated": made, "states": made}
    if done.first < 0:
        return Result(Status.LIMIT, None, f"no free way after {done.generations} generations", drive.least, stats)
    stats |= {"first": done.first, "first_length": 1.0 / done.history[done.first]}
    return drive.result(merged(done.best.arcs), stats, None)


def _pose(way: _Way, k: int) -> tuple[float, float, float]:
    x, y, heading = way.poses[k].tolist()
    return x, y, heading


class _Breed:
    """Makes ways for one query."""

    def __init__(self, drive: Drive, near: float) -> None:
        self.drive, self.near = drive, near
        self.reach = 4.0 / drive.tightest + 2.0 * drive.step  # from how far a tree that heeds no obstacles is joined

    def way(self, arcs: Floats) -> _Way:
        """Return arcs from the start as a way; long arcs are cut, so that there are places to change it at."""
        parts = np.maximum(1, np.ceil(np.abs(arcs[:, 1]) / (2 * self.drive.step))).astype(int)
        arcs = np.repeat(arcs / np.stack([np.ones(len(arcs)), parts], axis=1), parts, axis=0)
        poses = [self.drive.start]
        for curvature, length in arcs.tolist():
            poses.append(arc_end(*poses[-1], curvature, length))
        return _Way(arcs, np.array(poses), self.drive.free(arcs))

    def spliced(
        self, head: _Way, i: int, tail: _Way, j: int, rng: Generator, *, samples: int = 1, attach: float = inf
    ) -> _Way:
        """Return the head up to its place i, joined to the tail from its place j on; the head if they don't join.

        samples: of the tree that joins them; with more than one it keeps off obstacles unless it is to be joined to j
        only from nearby (attach).
        """
        arcs = self.drive.link(
            _pose(head, i),
            _pose(tail, j),
            int(rng.integers(2**31)),
            samples,
            bias=0.2,
            attach=attach,
            checked=samples > 1 and attach == inf,
        ).arcs
        return head if arcs is None else self.way(merged(np.concatenate([head.arcs[:i], arcs, tail.arcs[j:]])))

    def crossed(self, a: _Way, b: _Way, rng: Generator) -> _Way:
        """Cut each parent at a place of its own and join the two halves."""
        i, j = int(rng.integers(len(a.poses))), int(rng.integers(len(b.poses)))
        return self.spliced(a, i, b, j, rng)

    def mutated(self, way: _Way, rng: Generator) -> _Way:
        """Change a way by one of the mutations that it may undergo."""
        kind, last = int(rng.integers(2 if way.feasible else 4)), len(way.poses) - 1
        if kind < 2:
            i = int(rng.integers(last))
            away = np.hypot(*(way.poses[i + 1 :, :2] - way.poses[i, :2]).T)
            others = i + 1 + (np.flatnonzero(away <= self.near) if kind == 0 else np.arange(last - i))
            if not others.size:
                return way
            j = int(rng.choice(others))
            if kind == 0:
                return self.spliced(way, i, way, j, rng)
            return self.spliced(way, i, way, j, rng, samples=_TREE, attach=self.reach)
        blocked = np.flatnonzero(~way.free)
        first = int(blocked[0] if kind == 2 else rng.choice(blocked))
        after = first + int(np.argmax(np.append(way.free[first:], True)))
        while first and not way.free[first - 1]:
            first -= 1
        if kind == 2:
            return self.spliced(way, first, way, after, rng, samples=_TREE)
        # places from which and to which one can drive at all
        sure = np.append(True, way.free) | np.append(way.free, True)
        i = int(rng.choice(np.flatnonzero(sure[: first + 1])))
        j = after + int(rng.choice(np.flatnonzero(sure[after:])))
        return self.spliced(way, i, way, j, rng, samples=4 * _TREE)

    def stray(self, rng: Generator) -> _Way:
        """Return a random way that heeds no obstacles."""
        arcs, seed = None, int(rng.integers(2**31))
        for samples, attach in ((5 * _TREE, self.reach), (1, inf)):
            if arcs is None:
                ends = self.drive.start, self.drive.goal
                arcs = self.drive.link(*ends, seed, samples, attach=attach, checked=False).arcs
        return self.way(np.empty((0, 2)) if arcs is None else arcs)
