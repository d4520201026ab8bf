"""Evolution: a genetic algorithm over anything that can be crossed and mutated, with the best kept aside.

J. H. Holland, "Adaptation in Natural and Artificial Systems", 1975. Parents are drawn with a probability in proportion
to their fitness; the best that ever was is kept outside the generations, where crossing and mutation can't lose it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.random import Generator

from anabasis.errors import InputError
from anabasis.options import check_count, check_share

__all__ = ["Evolution", "evolve"]

T = TypeVar("T")


@dataclass(frozen=True)
class Evolution(Generic[T]):
    """How it went: the best, its fitness, the generations made, and the first with one that was ready (-1: none).

    history: the fitness of the best after the first generation and after each further one.
    """

    best: T
    fitness: float
    generations: int
    first: int
    history: tuple[float, ...]


def evolve(
    population: Sequence[T],
    fitness: Callable[[T], float],
    cross: Callable[[T, T, Generator], T],
    mutate: Callable[[T, Generator], T],
    *,
    ready: Callable[[T], bool] = bool,
    crossover: float = 0.5,
    mutation: float = 0.5,
    extra: int = 50,
    limit: int = 1000,
    seed: int = 0,
) -> Evolution[T]:
    """Let a population evolve until one of it is ready, and then for `extra` more generations.

    fitness: above 0, the greater the better; one that is ready is better than any that is not. crossover, mutation: the
    probability that a child is crossed from two parents, and that it is mutated. limit: generations in all. The best is
    never worse than the best of the population given. Raises InputError without a population.
    """
    rng = np.random.default_rng(check_count(seed, "seed"))
    crossover, mutation = check_share(crossover, "share of crossovers"), check_share(mutation, "share of mutations")
    extra, limit = check_count(extra, "extra generations"), check_count(limit, "limit of generations")
    living = list(population)
    if not living:
        raise InputError("a population of nobody", expected="at least one")
    best, rank, first = living[0], (False, -np.inf), -1
    history: list[float] = []
    generation = 0
    while True:
        grades = np.array([fitness(one) for one in living], np.float64)
        if not (np.isfinite(grades).all() and grades.min() > 0):
            raise InputError("fitness", found=f"{grades.min()}", expected="a finite number above 0")
        for one, grade in zip(living, grades.tolist(), strict=True):
            own = (bool(ready(one)), grade)
            if own > rank:
                best, rank = one, own
        history.append(rank[1])
        if rank[0] and first < 0:
            first = generation
        if generation == limit or (first >= 0 and generation - first >= extra):
            return Evolution(best, rank[1], generation, first, tuple(history))
        shares = np.cumsum(grades) / grades.sum()

        def parent(shares: np.ndarray = shares, living: list[T] = living) -> T:
            return living[min(int(np.searchsorted(shares, rng.random(), "right")), len(living) - 1)]

        children: list[T] = []
        for _ in range(len(living)):
            child = cross(parent(), parent(), rng) if rng.random() < crossover else parent()
            children.append(mutate(child, rng) if rng.random() < mutation else child)
        living = children
        generation += 1
