"""Errands: the three models draw what they promise, equal seeds draw the same, wrong ones are refused."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.mapf.errands import ANYBODY, Errands, intersection_errands, pickup_errands, warehouse_errands
from anabasis.noun import state_hash


def test_warehouse_gives_every_agent_a_queue_of_changing_targets() -> None:
    errands = warehouse_errands(range(10, 40), 8, 50, seed=4)
    assert errands.size == 8 and errands.tasks == 400 and np.unique(errands.starts).size == 8
    assert set(errands.places.tolist()) <= set(range(10, 40))
    for agent in range(8):
        own = np.flatnonzero(errands.agent == agent)
        way = [int(errands.starts[agent]), *(int(errands.task(i)[0]) for i in own.tolist())]
        assert len(way) == 51 and all(a != b for a, b in pairwise(way))
    assert np.unique(errands.places).size == 30  # all are drawn


def test_intersection_lets_new_agents_enter_and_leave() -> None:
    errands = intersection_errands([1, 2, 3], [3, 4], rate=0.25, steps=400, seed=2)
    assert errands.leave and errands.tasks == errands.size
    assert 240 < errands.size < 360  # 300 on average
    assert (np.diff(errands.enter) >= 0).all() and errands.enter.max() < 400
    assert (errands.places != errands.starts).all()
    assert not intersection_errands([1], [2, 3], rate=0.0, steps=50).size
    assert intersection_errands([1], [2, 3], rate=1.0, steps=50).size == 50


def test_pickups_are_anybodys_and_come_one_after_the_other() -> None:
    errands = pickup_errands([0, 1], [5, 6, 7], 20, every=2.5, seed=1)
    assert (errands.agent == ANYBODY).all()
    assert errands.release.tolist() == [int(2.5 * i) for i in range(20)]
    assert all(errands.task(i).size == 2 and errands.task(i)[0] != errands.task(i)[1] for i in range(20))


def test_the_seed_alone_decides() -> None:
    def draw(seed: int) -> list[str]:
        made = (
            warehouse_errands(range(9), 3, 5, seed=seed),
            intersection_errands([1, 2], [3, 4], rate=0.5, steps=30, seed=seed),
            pickup_errands([0], range(9), 5, seed=seed),
        )
        return [state_hash(errands) for errands in made]

    assert draw(1) == draw(1)
    assert all(a != b for a, b in zip(draw(1), draw(2), strict=True))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"indptr": [0, 0, 2]}, "at least one of the 2 places for each task"),
        ({"release": [3, 2]}, "release steps that do not fall"),
        ({"agent": [0, 2]}, "agent of a task; found 0 to 2; expected 0 to 1, or -1 for anybody"),
        ({"leave": True, "agent": [0, ANYBODY]}, "agents leave, but a task is anybody's"),
        ({"starts": [3, 3]}, "two agents enter at the same place in step 0"),
    ],
)
def test_wrong_errands_are_refused(change: dict[str, Any], text: str) -> None:
    good: dict[str, Any] = {
        "starts": [0, 1],
        "enter": [0, 0],
        "release": [0, 1],
        "agent": [0, 1],
        "indptr": [0, 1, 2],
        "places": [4, 5],
    }
    Errands(**good)
    with pytest.raises(InputError, match=text):
        Errands(**{**good, **change})


def test_drawing_needs_places() -> None:
    with pytest.raises(InputError, match="places to draw from; found 1; expected at least 2 different ones"):
        warehouse_errands([7, 7], 1, 1)
    with pytest.raises(InputError, match="agents; found 5; expected a whole number from 0 to 3"):
        warehouse_errands([1, 2, 3], 5, 1)
    with pytest.raises(InputError, match="rate of entering; found 2"):
        intersection_errands([1], [2, 3], rate=2, steps=1)
    with pytest.raises(InputError, match="rate of entering must be numbers"):
        intersection_errands([1], [2, 3], rate="often", steps=1)  # pyright: ignore[reportArgumentType]
    for every in (-1.0, np.inf, 1e300):
        with pytest.raises(InputError, match="steps between releases; found"):
            pickup_errands([0], [1, 2], 3, every=every)
