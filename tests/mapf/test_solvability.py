"""Solvability agrees with the joint search under all rules, and gives up where it must."""

import numpy as np
import pytest
from joint_search import solvable as oracle
from tiny_instances import tiny_instance

from anabasis.grid import Grid
from anabasis.instance import FEATURES, Instance
from anabasis.mapf.board import Board
from anabasis.mapf.solvability import solvable

PAIRS = [("changes", "vanish"), ("following", "vanish"), ("changes", "no wait"), ("no wait", "vanish")]
KINDS = [(), *((name,) for name in FEATURES if name != "sizes"), *PAIRS, ("following", "no wait", "vanish")]


@pytest.mark.parametrize("features", KINDS, ids=lambda names: "+".join(names) or "classic")
def test_it_agrees_with_the_joint_search(features: tuple[str, ...]) -> None:
    answers = set[bool | None]()
    for seed in range(60):
        instance = tiny_instance(seed, features, most=3)
        answer = solvable(Board(instance, "test", can=features))
        assert answer is oracle(instance), seed
        answers.add(answer)
    assert answers == {True, False} or features in (("swaps",), ("sharing",))


def test_nothing_is_said_where_it_would_take_too_long() -> None:
    grid = Grid.from_text("\n".join(["." * 9] * 9))
    few = Board(Instance.of(grid, [0, 1, 2], [3, 4, 5]), "test")
    assert solvable(few, limit=100) is None
    many = Board(Instance.of(grid, np.arange(12), np.arange(12) + 20), "test")
    assert solvable(many) is None
    late = np.array([1000]), np.array([40]), np.array([True])
    changed = Instance(grid, np.array([0, 1]), np.array([3, 4]), *late)
    assert solvable(Board(changed, "test", can=("changes",)), limit=10_000) is None
    large = Board(Instance.of(grid, [0], [20], sizes=[2]), "test", can=("sizes",))
    assert solvable(large) is None
