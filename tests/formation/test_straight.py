"""Directions, straight runs and fragments against their definitions, on all and on random walks of the lattice."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.formation.straight import directions, fragments, straight_prefix
from anabasis.lattice import STEPS

BENDS = (8.0, 10.0, 20.0, 40.0, 50.0, 52.0)
STEP = STEPS * (0.5, math.sqrt(3) / 2) * 20.0  # what a step adds to the place


def walk(steps) -> np.ndarray:
    """The places of a path that goes these steps, by the numbers of their directions."""
    return np.concatenate(([(0.0, 0.0)], np.cumsum(STEP[np.asarray(steps, int)], axis=0)))


def random_walk(rng: np.random.Generator) -> np.ndarray:
    """A walk of 2 to 60 vertices that turns by 60° now and then, more sharply less often."""
    n = int(rng.integers(1, 60))
    turning = rng.random(n) < rng.choice([0.05, 0.2, 0.5, 0.9])
    turns = np.where(turning, rng.choice([-1, 1, -1, 1, -1, 1, 2, -2, 3], n), 0)
    return walk((rng.integers(6) + np.cumsum(turns)) % 6)


def apart(azimuths: np.ndarray) -> np.ndarray:
    """The angle of each two directions, by the cosine and sine of their difference."""
    difference = np.radians(azimuths[:, None] - azimuths)
    return np.degrees(np.abs(np.arctan2(np.sin(difference), np.cos(difference))))


def prefix_by_pairs(angles: np.ndarray, bend: float) -> int:
    """The definition: vertices before the first one that is too far from any before it; angles[i, j] of each two."""
    wrong = (np.triu(angles, 1) >= bend).any(axis=0)
    return int(wrong.argmax()) if wrong.any() else len(angles)


def check_prefixes(paths: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cut = 0
    for _ in range(paths):
        azimuths = directions(random_walk(rng))
        angles = apart(azimuths)
        for bend in BENDS:
            expected = prefix_by_pairs(angles, bend)
            assert straight_prefix(azimuths, bend) == expected
            cut += expected < len(azimuths)
    assert paths < cut < 6 * paths  # both kinds came up, often


def test_straight_prefix_is_what_its_definition_says():
    check_prefixes(1_000, 1)


@pytest.mark.long
def test_straight_prefix_is_what_its_definition_says_on_many_walks():
    check_prefixes(10_000, 2)


def test_straight_prefix_for_any_directions_and_bends():
    """Directions that drift, so that long runs come up, and bends up to 180°, for which an arc alone won't do."""
    rng = np.random.default_rng(3)
    lengths = []
    for _ in range(2_000):
        azimuths = rng.uniform(0, 360) + np.cumsum(rng.normal(0, rng.choice([2.0, 20.0, 90.0]), rng.integers(1, 30)))
        bend = rng.uniform(1e-6, 180)
        lengths.append(straight_prefix(azimuths, bend))
        assert lengths[-1] == prefix_by_pairs(apart(azimuths), bend)
    assert 3 < np.mean(lengths) < 15


def test_rounding_does_not_shrink_the_arc():
    """Around north, where differences are rounded, a direction between two others may seem to be outside of them."""
    rng = np.random.default_rng(11)
    longest = 0
    for _ in range(2_000):
        azimuths = rng.uniform(-6, 6, 12) % 360
        bend = rng.uniform(6, 12)
        found = straight_prefix(azimuths, bend)
        assert found == prefix_by_pairs(apart(azimuths), bend)
        longest += found == 12
    assert 100 < longest < 1_900


def test_above_120_degrees_directions_may_lie_all_around():
    """0, 120 and 240 differ by less than 121 each; with 300, which is opposite 120, an arc would not notice."""
    around = [0.0, 120.0, 240.0, 300.0]
    assert straight_prefix(around, 121.0) == 3
    assert straight_prefix(around, 120.0) == 1
    assert straight_prefix(around, 180.0) == 3
    assert straight_prefix(around[:3], 180.0) == 3


def test_straight_prefix_at_the_limits():
    assert straight_prefix([], 10.0) == 0
    assert straight_prefix([77.0], 0.0) == 1
    assert straight_prefix([77.0, 77.0], 0.0) == 1
    assert straight_prefix([355.0, 5.0, 359.0, 0.0], 10.5) == 4
    assert straight_prefix([0.0, 10.0], 10.0) == 1
    assert straight_prefix([0.0, 5.0, 30 - 1e-13], 30.0) == 2  # equal but for rounding
    assert straight_prefix([0.0, 0.0, 0.0, 90.0], 10.0) == 3  # the last vertex is looked at, too
    assert straight_prefix([-725.0, 355.0, 715.0], 1.0) == 3


@given(st.lists(st.integers(0, 359), max_size=20), st.integers(0, 359), st.sampled_from([7.5, 60.5, 119.5, 150.5]))
def test_straight_prefix_knows_no_north_and_no_hand(azimuths, turned, bend):
    expected = straight_prefix(azimuths, bend)
    assert straight_prefix([a + turned for a in azimuths], bend) == expected
    assert straight_prefix([-a for a in azimuths], bend) == expected
    assert straight_prefix(azimuths, bend + 20) >= expected


def test_directions_of_all_walks_of_four_steps():
    """36 of them: 6 in each 60°; and what angles two of them can form, none of which is one of the bends."""
    azimuths = [directions(walk(steps))[2] for steps in itertools.product(range(6), repeat=4) if walk(steps)[-1].any()]
    found = np.unique(np.round(azimuths, 6) % 360)
    assert len(found) == 36
    from_lattice = np.unique(np.round((found - 30) % 60, 3))
    assert from_lattice.tolist() == [0, 13.898, 19.107, 30, 40.893, 46.102]
    angles = np.unique(np.round(apart(found), 3))
    below = [0, 5.209, 10.893, 13.898, 16.102, 19.107, 21.787, 26.995, 27.796, 30, 32.204, 33.004, 38.213, 40.893]
    assert angles[angles < 60] == pytest.approx([*below, 43.898, 46.102, 49.107, 54.791], abs=1.1e-3)
    assert min(np.abs(angles - bend).min() for bend in (10, 20, 40, 50)) == pytest.approx(0.893, abs=1e-3)
    assert np.diff(angles).max() == pytest.approx(5.684, abs=1e-3)
    assert min(np.abs(angles - bend).min() for bend in (8, 52)) > 2.6


@pytest.mark.parametrize(("step", "azimuth"), list(enumerate([30, 90, 150, 210, 270, 330])))
def test_directions_of_straight_paths(step, azimuth):
    for n in range(1, 8):
        assert directions(walk([step] * n)) == pytest.approx([azimuth] * (n + 1), abs=1e-9)


def test_directions_are_clockwise_from_north_with_y_downwards():
    places = [(0, 0), (0, -1), (1, -1), (1, 0), (0, 0)]
    assert directions(places, window=1) == pytest.approx([0, 45, 135, 225, 270])
    assert directions(places) == pytest.approx([45, 90, 90 + 45, 180, 225])  # in the middle the way is closed
    assert directions([(0, 0), (-1e-300, -1.0)], window=1).tolist() == [0.0, 0.0]  # not 360


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(1, 15))
def test_directions_by_their_definition(steps, window):
    places = walk(steps)
    end = len(places) - 1
    found = directions(places, window=window)
    assert found.shape == (len(places),) and (found >= 0).all() and (found < 360).all()
    for i, azimuth in enumerate(found.tolist()):
        x, y = places[min(i + window, end)] - places[max(i - window, 0)]
        if math.hypot(x, y) > 1e-6:
            off = math.radians(azimuth)
            assert (math.sin(off), -math.cos(off)) == pytest.approx((x / math.hypot(x, y), y / math.hypot(x, y)))


def test_directions_where_the_window_is_closed():
    assert directions([(5.0, 5.0)]).tolist() == [0.0]
    assert directions([(5.0, 5.0)] * 4).tolist() == [0.0] * 4
    assert directions([]).shape == (0,)
    there_and_back = walk([1, 1, 4, 4])
    assert directions(there_and_back) == pytest.approx([90, 90, 270, 270, 270])
    assert directions(walk([1, 4])) == pytest.approx([90, 270, 270])
    stands_at_the_end = [(0, 0), (1, 0), (1, 0), (1, 0), (1, 0)]
    assert directions(stands_at_the_end, window=1) == pytest.approx([90, 90, 0, 0, 0])


def fragments_by_definition(places: np.ndarray, bend: float, shortest: int) -> list[tuple[int, int]]:
    """From the definition of a straight run; what is too short at the end is taken back."""
    angles = apart(directions(places))
    end, cuts = len(places) - 1, [0]
    while cuts[-1] < end:
        run = prefix_by_pairs(angles[cuts[-1] :, cuts[-1] :], bend) - 1
        cuts.append(cuts[-1] + max(run, shortest))
    if end > 0 and cuts[-1] != end:
        cuts[-1] = end
    if len(cuts) > 2 and cuts[-1] - cuts[-2] < shortest:
        del cuts[-2]
    return list(itertools.pairwise(cuts))


def test_fragments_cover_the_path_and_are_long_enough():
    rng = np.random.default_rng(4)
    counts = []
    for _ in range(700):
        places, bend, shortest = random_walk(rng), float(rng.choice(BENDS)), int(rng.integers(1, 6))
        found = fragments(places, bend=bend, shortest=shortest)
        end = len(places) - 1
        assert found[0][0] == 0 and found[-1][1] == end
        assert all(one[1] == other[0] for one, other in itertools.pairwise(found))
        assert min(last - first for first, last in found) >= min(shortest, end)
        assert found == fragments_by_definition(places, bend, shortest)
        counts.append(len(found))
    assert min(counts) == 1 and max(counts) > 5


def test_fragments_of_a_bend():
    """Ten steps east and ten to the south-east: around vertex 10 the directions are 90, 103.9, 120, 136.1 and 150."""
    places = walk([1] * 10 + [2] * 10)
    assert directions(places)[8:13] == pytest.approx([90, 103.898, 120, 136.102, 150], abs=1e-3)
    assert fragments(places, bend=10) == [(0, 8), (8, 11), (11, 14), (14, 20)]
    assert fragments(places, bend=10, shortest=1) == [(0, 8), (8, 9), (9, 10), (10, 11), (11, 12), (12, 20)]
    assert fragments(places, bend=20) == [(0, 9), (9, 12), (12, 20)]
    assert fragments(places, bend=61) == [(0, 20)]
    assert fragments(places, bend=61, shortest=30) == [(0, 20)]
    assert fragments(places, bend=0, shortest=6) == [(0, 6), (6, 12), (12, 20)]


def test_fragments_of_short_paths():
    assert fragments([], bend=10) == []
    assert fragments(walk([]), bend=10) == []
    assert fragments(walk([0]), bend=10) == [(0, 1)]
    assert fragments(walk([0, 3, 0, 3]), bend=10) == [(0, 4)]  # 3 edges, and the fourth is too short
    assert fragments(walk([0, 2, 4, 0, 2, 4]), bend=10) == [(0, 3), (3, 6)]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: directions([(0, 0), (math.inf, 0)]), "points of a path; found inf"),
        (lambda: directions([(0, 0), (math.nan, 0)]), "points of a path holds NaN"),
        (lambda: directions([0, 0]), "points of a path has the wrong shape"),
        (lambda: directions(walk([0]), window=0), "window of a direction; found 0"),
        (lambda: straight_prefix([math.inf], 10), "directions of a path; found inf"),
        (lambda: straight_prefix([0.0], 180.5), "bend of a path; found 180.5; expected degrees from 0 to 180"),
        (lambda: straight_prefix([0.0], -1), "bend of a path; found -1"),
        (lambda: straight_prefix([0.0], math.nan), "bend of a path holds NaN"),
        (lambda: fragments(walk([0]), bend=181), "bend of a path; found 181"),
        (lambda: fragments(walk([0]), bend=10, shortest=0), "shortest fragment; found 0"),
        (lambda: fragments(walk([0]), bend=10, shortest=2.5), "shortest fragment must be whole numbers"),
    ],
)
def test_wrong_input(call, said):
    with pytest.raises(InputError) as error:
        call()
    assert said in str(error.value)
