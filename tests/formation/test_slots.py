"""Slots: assignments against all permutations, and what must be true of any best one."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.shapes import schema_of
from anabasis.formation.slots import OBJECTIVES, assign, close_ranks
from anabasis.schema import Schema


def ways(positions, spots, taken) -> list[float]:
    """The length of each unit's way."""
    return [math.dist(positions[i], spots[j]) for i, j in enumerate(taken)]


def best(positions, spots, objective, allowed=lambda i, j: True) -> tuple[float, float] | None:
    """The least (longest, sum) or (0, sum) of all assignments, one by one; None if there is none."""
    found = None
    for taken in permutations(range(len(spots)), len(positions)):
        if all(allowed(i, j) for i, j in enumerate(taken)):
            lengths = ways(positions, spots, taken)
            # equal lengths may differ by their rounding
            key = (round(max(lengths, default=0.0), 9) if objective == "longest" else 0.0, sum(lengths))
            found = key if found is None else min(found, key)
    return found


def check(positions, spots, objective, taken, allowed=lambda i, j: True) -> None:
    """Fail unless an assignment is as good as the best."""
    assert taken.dtype == np.int64 and len(set(taken.tolist())) == len(positions)
    assert all(allowed(i, j) for i, j in enumerate(taken.tolist()))
    longest, total = best(positions, spots, objective, allowed)
    lengths = ways(positions, spots, taken.tolist())
    if objective == "longest":
        assert max(lengths) == pytest.approx(longest)
    assert sum(lengths) == pytest.approx(total)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("units", range(1, 7))
def test_no_permutation_is_better(units: int, objective: str) -> None:
    random = np.random.default_rng(units)
    for trial in range(12 if units < 6 else 4):
        # on whole numbers many assignments are equally good
        draw = random.integers(0, 4, (2, units, 2)).astype(float) if trial % 2 else random.random((2, units, 2))
        check(*draw, objective, assign(*draw, objective=objective))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_no_permutation_of_seven_is_better(objective: str) -> None:
    draw = np.random.default_rng(7).random((2, 7, 2))
    check(*draw, objective, assign(*draw, objective=objective))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_spots_may_stay_empty(objective: str) -> None:
    random = np.random.default_rng(3)
    for units, spots in ((1, 5), (2, 6), (3, 5), (4, 6)):
        positions, places = random.random((units, 2)), random.random((spots, 2))
        check(positions, places, objective, assign(positions, places, objective=objective))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_units_keep_to_spots_of_their_class(objective: str) -> None:
    random = np.random.default_rng(4)
    costs = 0
    for _ in range(15):
        positions, spots = random.random((2, 6, 2))
        kinds, rooms = random.permutation([5, 5, -1, -1, -1, 9]), random.permutation([5, 5, -1, -1, -1, 9])
        taken = assign(positions, spots, classes=kinds, spot_classes=rooms, objective=objective)
        check(positions, spots, objective, taken, lambda i, j, a=kinds, b=rooms: a[i] == b[j])
        costs += sum(ways(positions, spots, taken)) > best(positions, spots, "total")[1] + 1e-9
    assert costs > 5  # the classes made a difference


def test_the_two_objectives_differ() -> None:
    positions, spots = [[0, 0], [1, 0.2]], [[1, 0.2], [1.9, 1.0]]
    assert assign(positions, spots).tolist() == [1, 0]
    assert assign(positions, spots, objective="longest").tolist() == [0, 1]


def test_the_longest_way_of_all_classes_bounds_each() -> None:
    # the same two units; where one of another class has a longer way anyhow, theirs may be long for a smaller sum
    positions, spots = [[0, 0], [1, 0.2], [50, 0]], [[1, 0.2], [1.9, 1.0], [60, 0]]
    for far, expected in ((60, [1, 0, 2]), (51, [0, 1, 2])):
        spots[2][0] = far
        taken = assign(positions, spots, classes=[0, 0, 1], spot_classes=[0, 0, 1], objective="longest")
        assert taken.tolist() == expected


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("units", [1, 2, 9, 40, 150])
def test_properties_of_larger_ones(units: int, objective: str) -> None:
    random = np.random.default_rng(units)
    positions, spots = random.random((2, units, 2))
    taken = assign(positions, spots, objective=objective)
    assert sorted(taken) == list(range(units))
    here = ways(positions, spots, taken)
    measure = max if objective == "longest" else sum
    for other in (np.arange(units), *(random.permutation(units) for _ in range(20))):
        assert measure(here) <= measure(ways(positions, spots, other)) + 1e-9
    # moved, made larger, turned, or in another order: the same
    turn, shift = np.array([[0.6, 0.8], [-0.8, 0.6]]), np.array([3, -8])
    assert (assign(positions + shift, spots + shift, objective=objective) == taken).all()
    assert (assign(positions * 64, spots * 64, objective=objective) == taken).all()
    assert (assign(positions @ turn, spots @ turn, objective=objective) == taken).all()
    order = random.permutation(units)
    assert (assign(positions[order], spots, objective=objective) == taken[order]).all()
    # who is in place stays there
    assert (assign(spots[order], spots, objective=objective) == order).all()


def test_the_longest_way_against_the_total() -> None:
    random = np.random.default_rng(8)
    shorter = 0
    for _ in range(20):
        positions, spots = random.random((2, 12, 2))
        total, longest = (ways(positions, spots, assign(positions, spots, objective=name)) for name in OBJECTIVES)
        assert sum(total) <= sum(longest) + 1e-9 and max(longest) <= max(total) + 1e-9
        shorter += max(longest) < max(total) - 1e-9
    assert shorter > 3


def crosses(a, b, c, d) -> bool:
    """Whether the inner parts of segments a-b and c-d have a point in common, neither lying along the other."""

    def side(p, q, r) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def crossings(positions, spots, taken) -> int:
    segments = [(positions[i], spots[j]) for i, j in enumerate(taken)]
    return sum(crosses(*one, *other) for one, other in combinations(segments, 2))


def test_ways_of_the_least_total_do_not_cross() -> None:
    random = np.random.default_rng(2)
    crossed = 0
    for _ in range(25):
        positions, spots = random.random((2, 20, 2))
        crossed += crossings(positions, spots, range(20))
        assert crossings(positions, spots, assign(positions, spots)) == 0
    assert crossed > 100


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("steps", [0.5, 1, 3, 7])
def test_a_column_that_moves_ahead_keeps_its_order(steps: float, objective: str) -> None:
    # the sum is the same if the last overtakes all
    column = schema_of("column", 8, spacing=1).places
    assert assign(column, column - [0, steps], objective=objective).tolist() == list(range(8))


def test_lengths_that_differ_by_rounding_are_equal() -> None:
    # unit 1 can go 5 to either spot, but for rounding; only if it takes the one that seems longer, unit 0 stays
    positions, spots = [[5, 0], [0, 0]], [[5, 0], [3, 4 + 4e-15]]
    seems = math.dist([0, 0], spots[1])
    assert 5 < seems < 5 * (1 + 1e-14)
    assert assign(positions, spots, objective="longest").tolist() == [0, 1]
    spots[1][1] += 1e-6  # no rounding any more
    assert assign(positions, spots, objective="longest").tolist() == [1, 0]


def test_a_formation_that_takes_another_shape() -> None:
    wedge, square = schema_of("wedge", 5), schema_of("square", 5)
    taken = assign(wedge.places, square.places)
    check(wedge.places, square.places, "total", taken)
    assert taken[0] == 0


def test_nobody_and_one_place_for_all() -> None:
    for objective in OBJECTIVES:
        assert assign([], [], objective=objective).shape == (0,)
        assert assign([], [[1, 2]], objective=objective).shape == (0,)
        assert assign([], [], classes=[], spot_classes=[], objective=objective).shape == (0,)
        assert sorted(assign([[1, 1]] * 3, [[1, 1]] * 3, objective=objective)) == [0, 1, 2]


TWO = [[0, 0], [1, 1]]
BAD = {
    "spots for units; found 2 units and 1 spots; expected a spot for each unit": lambda: assign(TWO, [[0, 0]]),
    "spots for units of class 7; found 2 units and 1 spots": lambda: assign(
        TWO, TWO, classes=[7, 7], spot_classes=[7, 3]
    ),
    "spots for units of class 4; found 1 units and 0 spots": lambda: assign(
        TWO, TWO, classes=[3, 4], spot_classes=[3, 3], objective="longest"
    ),
    "found none of the spots; expected both or neither": lambda: assign(TWO, TWO, classes=[0, 0]),
    "found none of the units; expected both or neither": lambda: assign(TWO, TWO, spot_classes=[0, 0]),
    "classes of units has the wrong shape": lambda: assign(TWO, TWO, classes=[0], spot_classes=[0, 0]),
    "classes of spots must be whole numbers": lambda: assign(TWO, TWO, classes=[0, 0], spot_classes=[0, 0.5]),
    "unknown objective; found 'least'; expected total or longest": lambda: assign(TWO, TWO, objective="least"),
    "positions of units has the wrong shape": lambda: assign([[0, 0, 0]], TWO),
    "positions of units holds NaN": lambda: assign([[0, math.nan]], TWO),
    "expected finite coordinates": lambda: assign([[0, math.inf]], [[0, math.inf]]),
}


@pytest.mark.parametrize("text", BAD)
def test_wrong_input(text: str) -> None:
    with pytest.raises(InputError) as error:
        BAD[text]()
    assert text in str(error.value)


def test_ranks_close_from_the_rear():
    wedge = schema_of("wedge", 7)
    # who stands behind a hole moves up: the sum of ways is the least, so nobody else moves
    assert close_ranks(wedge, [0, 1, 2, 3, 4, 5]).tolist() == [0, 1, 2, 3, 4, 5]
    assert sorted(close_ranks(wedge, [1, 2, 3, 4, 5, 6]).tolist()) == [0, 1, 2, 3, 4, 5]
    column = schema_of("column", 6)
    assert close_ranks(column, [0, 1, 3, 4, 5]).tolist() == [0, 1, 2, 3, 4]
    assert close_ranks(column, [5, 3, 1]).tolist() == [2, 1, 0]
    assert close_ranks(column, []).tolist() == []


def test_closed_ranks_keep_their_classes_and_cost_the_least():
    rng = np.random.default_rng(3)
    for _ in range(40):
        k = int(rng.integers(2, 6))
        places = np.concatenate(([[0, 0]], rng.integers(-3, 4, (k - 1, 2)) + np.array([0, 4])))
        schema = Schema.of(places, np.zeros(k, int), classes=rng.integers(0, 2, k))
        held = np.sort(rng.permutation(k)[: int(rng.integers(1, k + 1))])
        taken = close_ranks(schema, held)
        assert np.array_equal(schema.classes[taken], schema.classes[held])
        assert np.unique(taken).size == held.size
        for kind in (0, 1):  # no spot of a class is empty in front of one that is taken
            mine, spots = taken[schema.classes[taken] == kind], np.flatnonzero(schema.classes == kind)
            empty = np.setdiff1d(spots, mine)
            if mine.size and empty.size:
                behind = mine[mine != schema.leader]
                assert not behind.size or schema.places[behind, 1].max() <= schema.places[empty, 1].min()
        ways = np.hypot(*(schema.places[held] - schema.places[taken]).T).sum()
        least = min(
            np.hypot(*(schema.places[held] - schema.places[list(order)]).T).sum()
            for order in permutations(taken.tolist())
            if np.array_equal(schema.classes[list(order)], schema.classes[held])
        )
        assert ways <= least + 1e-6
