"""Line of sight: against exact rationals on all pairs of cells of small maps."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from anabasis._kernel.sight import clear, segment_cost, visible
from anabasis.grid import Grid


def crossings(x0: int, y0: int, x1: int, y1: int) -> list[Fraction]:
    """Where, as a share of the way, the segment between two centres crosses lattice lines; with 0 and 1."""
    at = {Fraction(0), Fraction(1)}
    for a, b in ((x0, x1), (y0, y1)):
        for line in range(min(a, b) + 1, max(a, b) + 1):
            at.add((line - a - Fraction(1, 2)) / (b - a))
    return sorted(at)


def place(x0: int, y0: int, x1: int, y1: int, t: Fraction) -> tuple[Fraction, Fraction]:
    return x0 + Fraction(1, 2) + t * (x1 - x0), y0 + Fraction(1, 2) + t * (y1 - y0)


def visible_by_rationals(free: np.ndarray, x0: int, y0: int, x1: int, y1: int, corners: int) -> bool:
    at = crossings(x0, y0, x1, y1)
    for a, b in pairwise(at):  # the inside of a cell between two crossings
        x, y = place(x0, y0, x1, y1, (a + b) / 2)
        if not free[int(y // 1), int(x // 1)]:
            return False
    for t in at:
        x, y = place(x0, y0, x1, y1, t)
        if x.denominator == y.denominator == 1:  # a lattice corner: the two cells that the segment does not pass
            slope = (x1 - x0) * (y1 - y0) > 0
            sides = [free[int(y) - 1, int(x) - (not slope)], free[int(y), int(x) - slope]]
            if (corners == 0 and not all(sides)) or (corners == 1 and not any(sides)):
                return False
    return bool(free[y0, x0])


def cost_by_rationals(cost: np.ndarray, x0: int, y0: int, x1: int, y1: int) -> float:
    total = Fraction(0)
    at = crossings(x0, y0, x1, y1)
    for a, b in pairwise(at):
        x, y = place(x0, y0, x1, y1, (a + b) / 2)
        total += (b - a) * Fraction(cost[int(y // 1), int(x // 1)])
    return float(total) * float(np.hypot(x1 - x0, y1 - y0))


@pytest.mark.parametrize("corners", [0, 1, 2])
def test_all_pairs_of_small_maps_agree_with_exact_rationals(corners: int) -> None:
    rng = np.random.default_rng(corners)
    answers = []
    for height, width, share in ((5, 6, 0.15), (7, 4, 0.3), (1, 9, 0.1), (6, 6, 0.08)):
        grid = Grid.from_free(rng.random((height, width)) >= share)
        for y0, x0, y1, x1 in product(range(height), range(width), range(height), range(width)):
            seen = visible(grid.cost, x0, y0, x1, y1, corners)
            assert seen == visible_by_rationals(grid.free, x0, y0, x1, y1, corners), (x0, y0, x1, y1)
            assert seen == visible(grid.cost, x1, y1, x0, y0, corners), "sight is mutual"
            answers.append(seen)
    assert 0.1 < np.mean(answers) < 0.9


def test_corner_rules_differ_only_at_corners() -> None:
    grid = Grid.from_text("..\n#.")
    assert [visible(grid.cost, 0, 0, 1, 1, rule) for rule in (0, 1, 2)] == [False, True, True]
    grid = Grid.from_text(".#\n#.")
    assert [visible(grid.cost, 0, 0, 1, 1, rule) for rule in (0, 1, 2)] == [False, False, True]


def test_the_longest_segments_of_the_largest_map_need_no_more_than_integers() -> None:
    free = np.ones((8, 16_384), bool)
    assert visible(Grid.from_free(free).cost, 0, 0, 16_383, 7, 0)
    free[3, 8_000] = False  # the segment is in row 3 from x = 5851 to 8191
    assert not visible(Grid.from_free(free).cost, 0, 0, 16_383, 7, 0)
    free[3, 8_000], free[3, 8_200] = True, False
    assert visible(Grid.from_free(free).cost, 0, 0, 16_383, 7, 0)


def test_the_cost_of_a_segment_is_the_exact_integral() -> None:
    rng = np.random.default_rng(5)
    grid = Grid(rng.integers(1, 6, (6, 7)).astype(float), np.full((6, 7), ord("."), np.uint8))
    for y0, x0, y1, x1 in product(range(6), range(7), range(6), range(7)):
        expected = cost_by_rationals(grid.cost, x0, y0, x1, y1)
        assert segment_cost(grid.cost, x0, y0, x1, y1) == pytest.approx(expected, rel=1e-14, abs=0)
        assert segment_cost(grid.cost, x1, y1, x0, y0) == pytest.approx(expected, rel=1e-14, abs=0)
    assert segment_cost(grid.cost, 3, 2, 3, 2) == 0


@pytest.mark.parametrize("seed", range(5))
def test_between_centres_any_two_places_are_clear_as_centres_see_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost = np.where(rng.random((9, 11)) < 0.2, np.inf, 1.0)
    for _ in range(500):
        x0, x1 = rng.integers(0, 11, 2)
        y0, y1 = rng.integers(0, 9, 2)
        assert clear(cost, x0 + 0.5, y0 + 0.5, x1 + 0.5, y1 + 0.5) == visible(cost, x0, y0, x1, y1, 0)


@pytest.mark.parametrize("seed", range(5))
def test_clear_between_any_places_is_what_looking_at_each_place_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost = np.where(rng.random((9, 11)) < 0.1, np.inf, 1.0)
    found = {False: 0, True: 0}
    for _ in range(400):
        a, b = rng.random((2, 2)) * (11, 9)
        x, y = np.floor(a + np.linspace(0, 1, 20_001)[:, None] * (b - a)).astype(int).T
        free = not np.isinf(cost[y, x]).any()
        if free != clear(cost, *a, *b):  # it grazes a corner by less than lies between two places looked at
            x0, y0, x1, y1 = (*a, *b)
            normal = np.array([y1 - y0, x0 - x1]) / np.hypot(x1 - x0, y1 - y0)
            corners = np.stack(np.meshgrid(np.arange(12), np.arange(10)), axis=-1).reshape(-1, 2)
            assert np.abs((corners - a) @ normal).min() < 1e-3
            continue
        found[free] += 1
    assert min(found.values()) > 50


def test_nothing_outside_the_map_is_clear() -> None:
    cost = np.ones((3, 3))
    assert clear(cost, 0.2, 0.2, 2.9, 2.9)
    assert not clear(cost, 0.2, 0.2, 3.1, 2.9)
    assert not clear(cost, -0.1, 0.2, 2.9, 2.9)
