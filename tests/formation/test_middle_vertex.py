"""Passages beside a shared vertex against the table of their lengths, dense sampling and brute force."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from anabasis.errors import InputError
from anabasis.formation.middle_vertex import closest_approach, most_distant, passages
from anabasis.lattice import STEPS

EDGE = 20.0
AROUND = STEPS * (0.5, math.sqrt(3) / 2) * EDGE  # the six neighbours, clockwise from the north-east
V = np.array((130.0, 70.0))


def lattice_passages(came: int, goes: int) -> np.ndarray:
    """The passages through V from neighbour `came` to neighbour `goes`."""
    return passages(V + AROUND[came], V, V + AROUND[goes])


def length(way: np.ndarray) -> float:
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


def side(way: np.ndarray) -> float:
    """Above 0 where the middle is to the right of the line from the first place to the last, y downwards."""
    (ax, ay), (bx, by) = way[2] - way[0], way[1] - way[0]
    return ax * by - ay * bx


TABLE = [  # degrees between the edges; square of the length of the left and of the right alternative, of the original's
    (0, 0.25, 2.25),
    (60, 0.4375, 1.9375),  # misprinted as 2.4375
    (120, 0.75, 1.75),
    (180, 1.1875, 1.1875),
    (240, 1.75, 0.75),
    (300, 1.9375, 0.4375),
]


@pytest.mark.parametrize("came", range(6))
@pytest.mark.parametrize(("angle", "left", "right"), TABLE)
def test_lengths_of_the_table(came, angle, left, right):
    """Angles are clockwise from the way in to the way out, so below 180° the way turns left."""
    found = lattice_passages(came, (came + angle // 60) % 6)
    squares = [(length(way) / (2 * EDGE)) ** 2 for way in found]
    assert squares == pytest.approx([1.0, left, right] if angle == 180 else [1.0, min(left, right)])
    beyond = found[1].copy()
    beyond[1] = 2 * V - beyond[1]  # displaced the other way, which is offered in a straight passage only
    assert (length(beyond) / (2 * EDGE)) ** 2 == pytest.approx(max(left, right))
    if angle:
        (x, y), (aside_x, aside_y) = V - found[0, 0], found[1, 1] - V
        leftwards = aside_x * y - aside_y * x  # y downwards
        assert (leftwards > 0) == (left <= right)


@pytest.mark.parametrize(("came", "goes"), list(itertools.product(range(6), repeat=2)))
def test_displacement_is_half_way_to_the_hexagon(came, goes):
    found = lattice_passages(came, goes)
    assert found[0].tolist() == [(V + AROUND[came]).tolist(), V.tolist(), (V + AROUND[goes]).tolist()]
    assert (found[:, (0, 2)] == found[0, (0, 2)]).all()
    assert len(found) == (3 if (came - goes) % 6 == 3 else 2)
    for way in found[1:]:
        aside = way[1] - V
        # on the hexagon: twice the displacement ends on the rim, the nearest of its six sides
        rim = max(2 * aside @ (AROUND[i] + AROUND[i - 1]) / np.hypot(*(AROUND[i] + AROUND[i - 1])) for i in range(6))
        assert rim == pytest.approx(EDGE * math.sqrt(3) / 2)
        # on the axis: as far from both neighbours
        assert math.dist(way[1], way[0]) == pytest.approx(math.dist(way[1], way[2]))


def test_straight_passages_go_left_first_and_others_inside():
    for came in range(6):
        straight = lattice_passages(came, (came + 3) % 6)
        assert side(straight[1]) < 0 < side(straight[2])
        assert straight[1, 1] + straight[2, 1] == pytest.approx(2 * V)
        for goes in (came + 1, came + 2, came + 4, came + 5):
            bent = lattice_passages(came, goes % 6)
            assert abs(side(bent[1])) < abs(side(bent[0])) - 1
    northwards = passages((0, 1), (0, 0), (0, -1))
    assert northwards[1:, 1].tolist() == [pytest.approx([-(3**0.5) / 4, 0]), pytest.approx([3**0.5 / 4, 0])]


@given(st.integers(0, 5), st.integers(0, 5), st.floats(0, 360), st.floats(0.01, 100), st.booleans())
def test_passages_turn_and_grow_and_reverse_with_the_map(came, goes, angle, scale, backwards):
    c, s = math.cos(math.radians(angle)) * scale, math.sin(math.radians(angle)) * scale
    turn = np.array([(c, s), (-s, c)])
    p, q = AROUND[came] @ turn, AROUND[goes] @ turn
    expected = passages(AROUND[came], (0, 0), AROUND[goes]) @ turn
    if backwards:
        p, q, expected = q, p, expected[:, ::-1]
        if len(expected) == 3:
            expected = expected[[0, 2, 1]]  # left is right
    assert passages(p, (0, 0), q) == pytest.approx(expected, abs=1e-9 * scale * EDGE)


def test_edges_of_different_lengths():
    """The shorter one counts, so the way back is the same; and on cells a right angle is in between."""
    there = passages((3, 0), (0, 0), (0, 1))
    assert there[1, 1] == pytest.approx(np.full(2, 0.5 * math.cos(math.pi / 6) / math.cos(math.pi / 12) / math.sqrt(2)))
    assert passages((0, 1), (0, 0), (3, 0))[:, ::-1] == pytest.approx(there)
    assert passages((-5, 0), (0, 0), (1, 0))[2, 1] == pytest.approx((0, math.sqrt(3) / 4))


# closest approach


def place(way, times, t):
    """Where a unit is at a time, by the definition of walking evenly along both edges."""
    k = 0 if t < times[1] else 1
    share = (t - times[k]) / (times[k + 1] - times[k])
    return [a + share * (b - a) for a, b in zip(way[k], way[k + 1], strict=True)]


def distance_at(f, f_times, g, g_times, t) -> float:
    return math.dist(place(f, f_times, t), place(g, g_times, t))


def random_motion(rng):
    return rng.normal(size=(3, 2)) * rng.choice([0.3, 1.0, 5.0]), np.cumsum(
        rng.uniform(0.05, 1.0, 3)
    ) + rng.normal() * 0.3


def test_closest_approach_against_dense_sampling_and_search():
    rng = np.random.default_rng(5)
    inside = apart = 0
    for _ in range(300):
        (f, ft), (g, gt) = random_motion(rng), random_motion(rng)
        found = closest_approach(f, ft, g, gt)
        start, end = max(ft[0], gt[0]), min(ft[2], gt[2])
        if start > end:
            assert found == math.inf
            apart += 1
            continue
        times = np.linspace(start, end, 400)
        way = [np.stack([np.interp(times, t, w[:, i]) for i in (0, 1)], 1) for w, t in ((f, ft), (g, gt))]
        sampled = np.hypot(*(way[0] - way[1]).T)
        speeds = [np.hypot(*np.diff(w, axis=0).T) / np.diff(t) for w, t in ((f, ft), (g, gt))]
        step = (end - start) / 399 * (speeds[0].max() + speeds[1].max())
        assert sampled.min() - step <= found <= sampled.min() + 1e-12
        best = int(sampled.argmin())
        around = (times[max(best - 1, 0)], times[min(best + 1, 399)])
        if around[1] > around[0]:
            searched = minimize_scalar(
                lambda t, a=(f, ft, g, gt): distance_at(*a, t),
                bounds=around,
                method="bounded",
                options={"xatol": 1e-10},
            )
            assert found <= searched.fun + 1e-9
            assert found == pytest.approx(min(searched.fun, sampled.min()), abs=1e-3)
        inside += sampled.min() < min(sampled[0], sampled[-1])
    assert inside > 60 and apart > 20


def exact_square(f, ft, g, gt) -> Fraction | None:
    """The least squared distance in fractions: at the ends of all pieces, and where its derivative is 0."""
    start, end = max(ft[0], gt[0]), min(ft[2], gt[2])
    if start > end:
        return None
    cuts = sorted({start, end, *(t for t in (ft[1], gt[1]) if start < t < end)})
    apart = [[a - b for a, b in zip(place(f, ft, t), place(g, gt, t), strict=True)] for t in cuts]
    squares = [x * x + y * y for x, y in apart]
    for (x, y), (x1, y1) in itertools.pairwise(apart):
        s = (x1 - x) ** 2 + (y1 - y) ** 2
        t = Fraction(-(x * (x1 - x) + y * (y1 - y)), s) if s else Fraction(0)
        if 0 < t < 1:
            squares.append((x + t * (x1 - x)) ** 2 + (y + t * (y1 - y)) ** 2)
    return min(squares)


fractions = st.integers(-12, 12).map(lambda n: Fraction(n, 4))
ways = st.lists(st.tuples(fractions, fractions), min_size=3, max_size=3)
rising = st.lists(fractions, min_size=3, max_size=3, unique=True).map(sorted)


@given(ways, rising, ways, rising)
def test_closest_approach_in_fractions(f, ft, g, gt):
    as_floats = [np.array(value, float) for value in (f, ft, g, gt)]
    exact = exact_square(f, ft, g, gt)
    found = closest_approach(*as_floats)
    assert found == (math.inf if exact is None else pytest.approx(math.sqrt(exact), abs=1e-12))
    assert closest_approach(*as_floats[2:], *as_floats[:2]) == pytest.approx(found, abs=1e-12)


@given(ways, rising, ways, rising, fractions, st.sampled_from([0.5, 3.0]))
def test_closest_approach_knows_no_origin_of_time_or_place(f, ft, g, gt, shift, scale):
    f, ft, g, gt = (np.array(value, float) for value in (f, ft, g, gt))
    found = closest_approach(f, ft, g, gt)
    moved = closest_approach(f * scale + float(shift), ft, g * scale + float(shift), gt)
    later = closest_approach(f, ft * scale + 100, g, gt * scale + 100)
    assert moved == pytest.approx(found * scale, abs=1e-10) and later == pytest.approx(found, abs=1e-10)


def test_closest_approach_by_hand():
    f, g = [(-2, 0), (0, 0), (2, 0)], [(2, 1), (0, 1), (-2, 1)]
    assert closest_approach(f, [0, 2, 4], g, [0, 2, 4]) == pytest.approx(1)
    assert closest_approach(f, [0, 2, 4], f, [0, 2, 4]) == 0
    assert closest_approach(f, [0, 2, 4], np.add(f, (0, 3)), [0, 2, 4]) == 3  # side by side, no relative velocity
    assert closest_approach(f, [0, 2, 4], g, [4, 6, 8]) == pytest.approx(1)  # only at second 4, both at (2, ·)
    assert closest_approach(f, [0, 2, 4], g, [4.001, 6, 8]) == math.inf
    assert closest_approach(f, [0, 2, 4], g, [3, 5, 7]) == pytest.approx(1)  # from (1, 0) and (2, 1): they meet at 1.5


# most distant


def head_on() -> tuple[list[np.ndarray], list[list[float]]]:
    return [lattice_passages(4, 1), lattice_passages(1, 4)], [[0.0, 1.0, 2.0]] * 2


def least(choices, times, taken) -> float:
    """The closest approach of any two units: the definition."""
    ways = [choice[k] for choice, k in zip(choices, taken, strict=True)]
    pairs = itertools.combinations(range(len(ways)), 2)
    return min((closest_approach(ways[i], times[i], ways[j], times[j]) for i, j in pairs), default=math.inf)


def by_brute_force(choices, times) -> tuple[tuple[int, ...], float]:
    """All combinations, with distances rounded so that equal ones are; what should be taken and how good that is."""
    every = itertools.product(*(range(len(choice)) for choice in choices))
    scored = [(-round(least(choices, times, taken), 6), sum(k > 0 for k in taken), taken) for taken in every]
    best = min(scored)
    return best[2], -best[0]


def random_crossing(rng, units):
    """Units that pass one vertex, each from and to a neighbour of its own choice, at times of its own."""
    choices = [lattice_passages(*rng.integers(0, 6, 2)) for _ in range(units)]
    times = rng.choice([0.0, 0.5, 1.0], units)[:, None] + np.cumsum(rng.choice([1.0, 1.5, 2.0], (units, 3)), axis=1)
    return choices, times


def test_two_units_that_meet_head_on_pass_on_different_sides():
    choices, times = head_on()
    assert least(choices, times, (0, 0)) == 0
    taken = most_distant(choices, times)
    assert taken.dtype == np.int64
    assert taken.tolist() == [1, 1]  # each to its own left, so one passes north of the vertex and the other south of it
    north, south = (choice[k, 1, 1] - V[1] for choice, k in zip(choices, taken, strict=True))
    assert north < 0 < south
    assert least(choices, times, taken) > EDGE * 0.7


def test_most_distant_is_what_all_combinations_give():
    rng = np.random.default_rng(6)
    moved = 0
    for units in (1, 2, 2, 2, 3, 3, 3, 4, 4, 4):
        for _ in range(3):
            choices, times = random_crossing(rng, units)
            taken = most_distant(choices, times)
            expected, value = by_brute_force(choices, times)
            assert tuple(taken.tolist()) == expected
            assert least(choices, times, taken) == pytest.approx(value, abs=1e-5)
            moved += taken.any()
    assert 10 < moved < 30


def test_most_distant_of_passages_anywhere():
    rng = np.random.default_rng(7)
    for _ in range(20):
        choices = [rng.normal(size=(rng.integers(1, 5), 3, 2)) for _ in range(3)]
        times = np.cumsum(rng.uniform(0.1, 1.0, (3, 3)), axis=1)
        assert tuple(most_distant(choices, times).tolist()) == by_brute_force(choices, times)[0]


def test_units_that_do_not_meet_are_not_displaced():
    choices, _ = head_on()
    assert most_distant(choices, [[0.0, 1.0, 2.0], [2.5, 3.0, 4.0]]).tolist() == [0, 0]
    assert most_distant(choices[:1], [[0.0, 1.0, 2.0]]).tolist() == [0]
    assert most_distant([], np.zeros((0, 3))).tolist() == []
    # a third unit that comes later changes nothing
    assert most_distant([*choices, choices[0]], [[0, 1, 2], [0, 1, 2], [9, 10, 11]]).tolist() == [1, 1, 0]


def test_of_equals_the_fewest_are_displaced():
    """Of two units in a crossing, two that come later are nearest, whatever they do; so the others stay."""
    (one, other), _ = head_on()
    stuck = one[:1]
    times = [[0, 1, 2], [0, 1, 2], [5, 6, 7], [5, 6, 7]]
    assert most_distant([one, other, stuck, stuck], times).tolist() == [0, 0, 0, 0]
    assert most_distant([one, other, stuck], times[:3]).tolist() == [1, 1, 0]


def test_one_displaced_unit_is_better_than_two_with_lower_numbers():
    """Unit 0 walks between two others. It may leave them, or both may leave it: two more units are nearer by then."""
    along = np.array([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])
    beside = [(0, 50), (1, 5), (-1, -5)]  # y of the unchanged passage and of the other one
    choices = [np.array([np.add(along, (0, y)) for y in ys]) for ys in [*beside, (1000,), (1001.5,)]]
    times = [[0, 1, 2]] * 5
    assert least(choices, times, (0, 1, 1, 0, 0)) == least(choices, times, (1, 0, 0, 0, 0)) == 1.5
    assert most_distant(choices, times).tolist() == [1, 0, 0, 0, 0]


def test_nobody_is_displaced_for_nothing_in_a_crowd():
    """The last two are nearest, whatever the seven others do, who walk abreast far from them."""
    crowd = [np.add(lattice_passages(4, 1), (0, 1000 * unit)) for unit in range(7)]
    choices = [*crowd, crowd[0][:1] - (0, 5000), crowd[0][:1] - (0, 5001)]
    assert most_distant(choices, [[0, 1, 2]] * 9).tolist() == [0] * 9
    # and where one of them is met head-on, only those two make room
    meeting = [*crowd, np.add(crowd[0][:, ::-1], (0, 3000))]
    taken = most_distant(meeting, [[0, 1, 2]] * 8)
    assert taken[[0, 1, 2, 4, 5, 6]].tolist() == [0] * 6
    assert least(meeting, [[0, 1, 2]] * 8, taken) > EDGE * 0.7


def test_many_units_are_sampled_and_improved():
    """Seven straight passages have 3⁷ combinations. The best of some is never worse than none, and nearly the best."""
    rng = np.random.default_rng(8)
    shares = []
    for seed in range(8):
        choices = [lattice_passages(came, came + 3 if came < 3 else came - 3) for came in (0, 1, 2, 3, 4, 5, 0)]
        starts = np.array((0, 0, 0, 0, 0, 0, 3)) + rng.uniform(0, 1.5, 7)
        times = starts[:, None] + np.cumsum(rng.uniform(0.8, 1.2, (7, 3)), axis=1)
        taken = most_distant(choices, times, seed=seed)
        assert (taken == most_distant(choices, times, seed=seed)).all()
        found = least(choices, times, taken)
        assert found >= least(choices, times, [0] * 7) - 1e-6
        # one unit alone can't make it better
        for unit, k in itertools.product(range(7), range(3)):
            changed = taken.copy()
            changed[unit] = k
            if seed < 2:
                assert least(choices, times, changed) <= found + 1e-6
        table = {}
        for i, j in itertools.combinations(range(7), 2):
            for a, b in itertools.product(range(3), repeat=2):
                table[i, j, a, b] = closest_approach(choices[i][a], times[i], choices[j][b], times[j])
        every = np.array(list(itertools.product(range(3), repeat=7)))
        best = np.full(len(every), np.inf)
        for i, j in itertools.combinations(range(7), 2):
            pair = np.array([[table[i, j, a, b] for b in range(3)] for a in range(3)])
            best = np.minimum(best, pair[every[:, i], every[:, j]])
        shares.append(found / best.max())
    assert max(shares) <= 1 + 1e-9 and min(shares) > 0.9 and np.mean(shares) > 0.97


def test_a_crowd_of_units_with_different_numbers_of_passages():
    rng = np.random.default_rng(9)
    choices, times = random_crossing(rng, 20)
    choices[3] = choices[3][:1]
    for sampled in (None, 0, 5):
        taken = most_distant(choices, times, sampled=sampled)
        assert all(0 <= k < len(choice) for k, choice in zip(taken.tolist(), choices, strict=True))
    few, many = (least(choices, times, most_distant(choices, times, sampled=n)) for n in (0, 300))
    assert few <= many + 1e-6


WAY = np.array([[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]])
TIMES = [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: passages((0, 0), (0, 0), (1, 0)), "places of a passage; found [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]"),
        (lambda: passages((1, 0), (0, 0), (0, 0)), "the middle one different from both others"),
        (lambda: passages((math.inf, 0), (0, 0), (1, 0)), "expected finite ones"),
        (lambda: passages((0, 0), (0, math.nan), (1, 0)), "places of a passage holds NaN"),
        (lambda: passages((0, 0), (0, 1, 2), (1, 0)), "places of a passage must be an array"),
        (
            lambda: closest_approach(WAY[0], [0, 2, 1], WAY[0], TIMES),
            "times of unit 0's passage; found [0.0, 2.0, 1.0]",
        ),
        (lambda: closest_approach(WAY[0], TIMES, WAY[0], [0, 0, 1]), "times of unit 1's passage"),
        (lambda: closest_approach(WAY[0], TIMES, WAY[0], [0, 1, math.inf]), "each later than the one before"),
        (lambda: closest_approach(WAY[0, :2], TIMES, WAY[0], TIMES), "passages of unit 0 has the wrong shape"),
        (lambda: closest_approach(WAY[0], TIMES, WAY[0] * math.inf, TIMES), "passages of unit 1"),
        (lambda: most_distant([WAY, WAY[:0]], [TIMES, TIMES]), "passages of unit 1; found none"),
        (lambda: most_distant([WAY, WAY], [TIMES]), "times of passages has the wrong shape; found 1×3; expected 2×3"),
        (lambda: most_distant([WAY], [TIMES], sampled=-1), "sampled combinations; found -1"),
        (lambda: most_distant([WAY], [TIMES], seed=-1), "seed; found -1"),
    ],
)
def test_wrong_input(call, said):
    with np.errstate(invalid="ignore"), pytest.raises(InputError) as error:
        call()
    assert said in str(error.value)
