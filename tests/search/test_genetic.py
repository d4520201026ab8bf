"""Evolution of anything, and of drives: the best is never lost, ways get free and shorter."""

import os
import subprocess
import sys
from math import pi
from pathlib import Path

import numpy as np
import pytest

from anabasis import InputError, Kinematics, Status, World, state_hash
from anabasis.metrics.kinematics import trajectory_faults
from anabasis.search.evolution import evolve
from anabasis.search.genetic import genetic_drive
from anabasis.search.kinodynamic import kinodynamic_rrt

SLALOM = World.of((0, 0, 40, 30), [[[10, 0], [12, 0], [12, 20], [10, 20]], [[24, 8], [26, 8], [26, 30], [24, 30]]])
CAR = Kinematics.car(1.0, 0.5)
BACKWARDS = Kinematics(2.0, 3.0, [[0, 0.5], [2, 0.3]], 1.0, True, 0.5)


def flipped(one: str, rng: np.random.Generator) -> str:
    k = int(rng.integers(len(one)))
    return one[:k] + ("0" if one[k] == "1" else "1") + one[k + 1 :]


def crossed(a: str, b: str, rng: np.random.Generator) -> str:
    k = int(rng.integers(1, len(a)))
    return a[:k] + b[k:]


def ones(one: str) -> float:
    return float(3 ** one.count("1"))


def test_a_string_evolves_to_all_ones_and_the_best_is_never_lost() -> None:
    rng = np.random.default_rng(1)
    first = ["".join(rng.choice(["0", "1"], 16)) for _ in range(30)]
    done = evolve(first, ones, crossed, flipped, ready=lambda one: one == "1" * 16, extra=0, limit=300)
    assert done.best == "1" * 16 and done.first == done.generations > 0
    wild = evolve(first, ones, crossed, lambda one, rng: "0" * 16, mutation=1.0, limit=5, extra=9)
    assert ones(wild.best) == max(map(ones, first))  # all children are bad, the best is kept aside
    assert list(wild.history) == sorted(wild.history) and wild.generations == 5


def test_after_the_first_that_is_ready_go_as_many_generations_as_asked_for() -> None:
    done = evolve(["1111"], ones, crossed, flipped, ready=lambda one: "0" in one, mutation=1.0, extra=7, limit=100)
    assert done.generations == done.first + 7 == 8
    assert "0" in done.best  # though the first one was fitter
    never = evolve(["11"], ones, crossed, flipped, ready=lambda one: False, limit=4)
    assert (never.first, never.generations) == (-1, 4)


def test_wrong_input_of_evolution() -> None:
    for options, message in (({"population": []}, "nobody"), ({"fitness": lambda one: 0.0}, "fitness; found 0.0")):
        arguments = {"population": ["11"], "fitness": ones, "cross": crossed, "mutate": flipped, **options}
        with pytest.raises(InputError, match=message):
            evolve(**arguments)
    with pytest.raises(InputError, match="share of mutations"):
        evolve(["11"], ones, crossed, flipped, mutation=1.5)


@pytest.mark.parametrize("car", [CAR, BACKWARDS], ids=["forwards", "backwards"])
@pytest.mark.parametrize("goal", [(36, 5, pi / 2), (36, 26)])
def test_drives_are_those_of_a_car_and_better_than_the_first_and_than_a_tree(car, goal) -> None:
    result = genetic_drive(SLALOM, (4, 4, 0), goal, car, seed=3, extra=40)
    assert trajectory_faults(result.value, car, world=SLALOM, start=(4, 4, 0), goal=goal) == []
    assert result.stats["length"] <= result.stats["first_length"] + 1e-9
    assert result.stats["generations"] == result.stats["first"] + 40
    trees = [kinodynamic_rrt(SLALOM, (4, 4, 0), goal, car, seed=k) for k in range(9)]
    assert result.stats["length"] < np.median([tree.stats["length"] for tree in trees if tree])


def test_more_generations_never_make_a_longer_drive() -> None:
    lengths = [genetic_drive(SLALOM, (4, 4, 0), (36, 26), CAR, seed=5, extra=n).stats["length"] for n in (0, 10, 40)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[2] < lengths[0]


def test_ways_without_obstacles_are_free_from_the_first_generation_on() -> None:
    empty = World.of((0, 0, 40, 30), [])
    result = genetic_drive(empty, (10, 15, 0), (30, 15, 0), CAR, extra=80)
    assert result.stats["first"] == 0
    assert result.stats["length"] == pytest.approx(20, rel=0.01)


def test_ends_and_limits() -> None:
    given_up = genetic_drive(SLALOM, (4, 4, 0), (36, 26), CAR, population=1, limit=0)
    assert given_up.status is Status.LIMIT and given_up.reason == "no free way after 0 generations"
    wall = World.of((0, 0, 10, 10), [[[4, 0], [5, 0], [5, 10], [4, 10]]])
    assert genetic_drive(wall, (1, 1, 0), (9, 9), CAR).status is Status.NO_SOLUTION
    assert genetic_drive(wall, (1, 1, 0), (1, 1), CAR).value.duration == 0
    with pytest.raises(InputError, match="population"):
        genetic_drive(wall, (1, 1, 0), (2, 2), CAR, population=0)


def digests() -> list[str]:
    """What the planner returns, as hashes; also run by a process without compilation."""
    world = World.of((0, 0, 40, 30), [[[18, 14], [22, 14], [22, 17], [18, 17]]])
    options = {"seed": 2, "extra": 2, "population": 3, "limit": 6}
    return [state_hash(genetic_drive(world, (10, 5, 0), (30, 20), car, **options)) for car in (CAR, BACKWARDS)]


def test_the_same_bytes_without_compilation() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import test_genetic; print(*test_genetic.digests())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == digests()
