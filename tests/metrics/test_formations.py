"""Measures of formations against plain loops, exact decimals, NumPy's own fit, and moves made by hand."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.metrics import formations as m
from anabasis.metrics import moves
from anabasis.schema import Schema


def random_schema(rng, k, more=0.4):
    """A schema of k spots: a random tree of commanders, some of the other pairs bound, too."""
    ancestor = [0] + [int(rng.integers(0, i)) for i in range(1, k)]
    label = rng.permutation(k)  # so that the leader is not always spot 0
    above = np.empty(k, np.int64)
    above[label] = label[ancestor]
    pairs = [pair for pair in combinations(range(k), 2) if rng.random() < more]
    return Schema.of(rng.normal(0, 50, (k, 2)), above, pairs)


def loop_distance(schema, places):
    total = 0.0
    for (s, t), (ox, oy) in zip(schema.bindings.tolist(), schema.offsets.tolist(), strict=True):
        dx, dy = places[t][0] - places[s][0], places[t][1] - places[s][1]
        total += (math.hypot(dx, dy) - math.hypot(ox, oy)) ** 2
    return total / len(schema.bindings)


def angle_to(u, v):
    return (math.degrees(math.atan2(v[1], v[0])) - math.degrees(math.atan2(u[1], u[0]))) % 360


def loop_angle(schema, places, wrapped=True):
    total = 0.0
    for spot in range(schema.spots):
        bound = [i for i, (s, _) in enumerate(schema.bindings.tolist()) if s == spot]
        if len(bound) < 2:
            continue
        errors = []
        for b1, b2 in combinations(bound, 2):
            found = [np.subtract(places[schema.bindings[b, 1]], places[spot]) for b in (b1, b2)]
            error = angle_to(*found) - angle_to(schema.offsets[b1], schema.offsets[b2])
            if wrapped:
                error = min((error + turn for turn in (-360, 0, 360)), key=abs)
            errors.append(error**2)
        total += len(bound) * sum(errors) / math.comb(len(bound), 2)
    return total / len(schema.bindings)


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_errors_agree_with_plain_loops(k):
    rng = np.random.default_rng(k)
    for _ in range(8):
        schema = random_schema(rng, k)
        places = rng.normal(0, 70, (3, 2, k, 2))
        distance, angle = m.distance_error(schema, places), m.angle_error(schema, places)
        literal = m.angle_error(schema, places, wrapped=False)
        assert distance.shape == angle.shape == literal.shape == (3, 2)
        for at in np.ndindex(3, 2):
            assert distance[at] == pytest.approx(loop_distance(schema, places[at].tolist()), rel=1e-12)
            assert angle[at] == pytest.approx(loop_angle(schema, places[at]), rel=1e-9, abs=1e-9)
            assert literal[at] == pytest.approx(loop_angle(schema, places[at], wrapped=False), rel=1e-9, abs=1e-9)
        assert (literal >= angle * (1 - 1e-12)).all()


def test_turning_moving_and_resizing():
    rng = np.random.default_rng(1)
    for _ in range(20):
        schema, places = random_schema(rng, 6), rng.normal(0, 70, (6, 2))
        a = rng.uniform(0, 2 * np.pi)
        turned = places @ np.array(((np.cos(a), np.sin(a)), (-np.sin(a), np.cos(a)))) + rng.normal(0, 500, 2)
        assert m.distance_error(schema, turned) == pytest.approx(float(m.distance_error(schema, places)), rel=1e-9)
        assert m.angle_error(schema, turned) == pytest.approx(float(m.angle_error(schema, places)), rel=1e-9)
        assert m.angle_error(schema, 3 * places) == pytest.approx(float(m.angle_error(schema, places)), rel=1e-9)
        assert abs(m.distance_error(schema, 3 * places) - m.distance_error(schema, places)) > 1
        mirrored = places * (-1, 1)
        assert m.distance_error(schema, mirrored) == pytest.approx(float(m.distance_error(schema, places)), rel=1e-12)


def test_a_perfect_shape_has_no_error():
    rng = np.random.default_rng(2)
    for k in (1, 2, 5, 9):
        schema = random_schema(rng, k)
        assert m.angle_error(schema, schema.places) == m.distance_error(schema, schema.places) == 0
        assert m.angle_error(schema, schema.places, wrapped=False) == 0
        turned = schema.turned(77.0) + 1000
        assert m.shape_error(schema, turned) == pytest.approx(0, abs=1e-18)
    mirrored = schema.places * (-1, 1)
    assert m.distance_error(schema, mirrored) == pytest.approx(0, abs=1e-18)
    assert m.angle_error(schema, mirrored) > 100  # folded over: only angles tell


def test_angles_go_the_short_way_round():
    # two bindings that should be 1° apart and are 1° apart the other way: 2° off, or 358° by the letter
    ray = lambda degrees: (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))  # noqa: E731
    schema = Schema.of([(0, 0), ray(0), ray(1)], [0, 0, 0])
    found = [(0, 0), ray(0), ray(-1)]
    # spot 0 has 2 of the 4 bindings, the others have one each
    assert m.angle_error(schema, found) == pytest.approx(2 / 4 * 2**2)
    assert m.angle_error(schema, found, wrapped=False) == pytest.approx(2 / 4 * 358**2)
    # 180° is the greatest error, reached from both sides
    for far in (180, -180, 179.9999, -179.9999):
        assert m.angle_error(schema, [(0, 0), ray(0), ray(1 + far)]) == pytest.approx(2 / 4 * 180**2, rel=1e-5)


def test_bindings_in_one_direction_by_the_letter():
    # 0° should not become 360° by rounding
    rng = np.random.default_rng(8)
    for along in rng.normal(0, 50, (200, 2)):
        schema = Schema.of([along, (0, 0), 3 * along], [1, 1, 1])
        assert m.angle_error(schema, schema.places, wrapped=False) == 0


def test_two_units_in_one_place_have_a_direction():
    rng = np.random.default_rng(3)
    schema = random_schema(rng, 5, more=1.0)
    places = rng.normal(0, 50, (5, 2))
    places[3] = places[1]
    beside = places.copy()
    beside[1, 0] -= 1e-9
    assert m.angle_error(schema, places) == pytest.approx(float(m.angle_error(schema, beside)), rel=1e-6)


def test_combinations_of_two_errors():
    # f^A, f^D, f^M, f^N, f^S, f^P, f^H of 4 and 16
    assert [float(m.combined(4, 16, how)) for how in m.COMBINED] == pytest.approx([4, 16, 16, 4, 8, 10, 6.4])
    rng = np.random.default_rng(4)
    a, d = rng.random((2, 100)) * 10.0 ** rng.integers(-3, 6, (2, 100))
    order = [m.combined(a, d, how) for how in ("min", "harmonic", "geometric", "mean", "max")]
    assert all((low <= high * (1 + 1e-12)).all() for low, high in pairwise(order))
    assert m.combined([0, 0, 3], [0, 5, 0], "harmonic").tolist() == [0, 0, 0]
    assert m.combined(1e300, 1e300, "geometric") == pytest.approx(1e300)
    assert m.combined(1e300, 1e300, "harmonic") == pytest.approx(1e300)
    with pytest.raises(InputError, match="combination of errors"):
        m.combined(1, 2, "median")


def test_integral_agrees_with_exact_sums_and_its_bounds():
    assert moves.EXPONENTS.shape == (21,)
    assert (moves.EXPONENTS[0], moves.EXPONENTS[10], moves.EXPONENTS[20]) == (0.1, 1, 10)
    rng = np.random.default_rng(5)
    times = np.cumsum(rng.uniform(0.05, 0.2, 40))
    f = rng.uniform(0.5, 900, 40)
    found = moves.integral(times, f)
    lasting, late = np.diff(times), f[1:]
    for k in (1, 10):
        pairs = zip(lasting.tolist(), late.tolist(), strict=True)
        exact = sum((Fraction(t) * Fraction(e) ** k for t, e in pairs), Fraction(0))
        assert found[list(moves.EXPONENTS).index(k)] == pytest.approx(float(exact), rel=1e-12)
    n = len(lasting)
    assert (n * lasting.min() * late.min() ** moves.EXPONENTS <= found * (1 + 1e-12)).all()
    assert (found <= n * lasting.max() * late.max() ** moves.EXPONENTS * (1 + 1e-12)).all()
    # an error that lasts: T · c^k; the first observation counts for nothing
    assert moves.integral([5, 6, 9], [1e5, 2, 2], [1, 3]) == pytest.approx([8, 32])


def test_integral_of_errors_too_great_for_doubles():
    logs = moves.log_integral([0, 1, 3], [0, 1e40, 1e40], [0.5, 1, 10])
    assert logs == pytest.approx([math.log(3) + k * 40 * math.log(10) for k in (0.5, 1, 10)], rel=1e-13)
    assert moves.integral([0, 1, 3], [0, 1e40, 1e40], [1, 10]).tolist() == [pytest.approx(3e40), math.inf]
    assert moves.log_integral([0, 1], [0, 0]).tolist() == [-math.inf] * 21
    assert moves.integral([0], [7]).tolist() == [0.0] * 21


@pytest.mark.parametrize(
    ("times", "errors", "text"),
    [
        ([0, 1, 1], [1, 1, 1], "1 after 1"),
        ([0, 1, math.inf], [1, 1, 1], "finite seconds"),
        ([0, 1], [1, -1], "from 0"),
        ([0, 1], [1, math.inf], "finite numbers"),
        ([0, 1], [1, 1, 1], "wrong shape"),
    ],
)
def test_integral_refuses(times, errors, text):
    with pytest.raises(InputError, match=text):
        moves.log_integral(times, errors)


def textbook(x, y):
    """The fit as it stands in the source, in doubles: (ln A, B)."""
    l = np.log(y)  # noqa: E741
    delta = y.sum() * (x * x * y).sum() - (x * y).sum() ** 2
    a = ((x * x * y).sum() * (y * l).sum() - (x * y).sum() * (x * y * l).sum()) / delta
    return a, (y.sum() * (x * y * l).sum() - (x * y).sum() * (y * l).sum()) / delta


def exact_fit(x, log_y):
    """The same formula with 120 digits, from doubles x and ln y."""
    with localcontext() as context:
        context.prec = 120
        xs, ls = [Decimal(float(v)) for v in x], [Decimal(float(v)) for v in log_y]
        ys = [v.exp() for v in ls]

        def total(*factors):
            return sum((math.prod(row) for row in zip(*factors, strict=True)), Decimal(0))

        sy, sxy, sxxy, syl, sxyl = total(ys), total(xs, ys), total(xs, xs, ys), total(ys, ls), total(xs, ys, ls)
        delta = sy * sxxy - sxy**2
        return float((sxxy * syl - sxy * sxyl) / delta), float((sy * sxyl - sxy * syl) / delta)


def bell(peak):
    """150 observations, 0.1 s each, of an error that rises to its peak and falls."""
    times = np.arange(151) * 0.1
    return times, peak * np.exp(-(((times - 7.5) / 2.5) ** 2))


def test_fit_agrees_with_numpy_and_the_textbook_where_these_can():
    rng = np.random.default_rng(6)
    for _ in range(20):
        x = np.sort(rng.uniform(0, 4, 12))
        y = np.exp(0.4 + 0.9 * x + rng.normal(0, 0.3, 12))
        log_a, b = moves.exponential_fit(x, np.log(y))
        slope, intercept = np.polyfit(x, np.log(y), 1, w=np.sqrt(y))
        assert (log_a, b) == pytest.approx((intercept, slope), rel=1e-8)
        assert (log_a, b) == pytest.approx(textbook(x, y), rel=1e-8)
        shuffled = rng.permutation(12)
        assert moves.exponential_fit(x[shuffled], np.log(y)[shuffled]) == pytest.approx((log_a, b), rel=1e-10)
        assert moves.exponential_fit(x, np.log(y) + 900) == pytest.approx((log_a + 900, b), rel=1e-10)  # any unit of y


@pytest.mark.parametrize("peak", [1e2, 1e4, 1e7, 1e12, 1e25])
def test_fit_agrees_with_exact_arithmetic(peak):
    times, f = bell(peak)
    logs = moves.log_integral(times, f)
    log_a, b = moves.exponential_fit(moves.EXPONENTS, logs)
    exact_log_a, exact_b = exact_fit(moves.EXPONENTS, logs)
    assert b == pytest.approx(exact_b, rel=1e-12)
    assert log_a + b == pytest.approx(exact_log_a + exact_b, rel=1e-11)
    # F(k) of this bell goes as peak^k / √k, and the last two exponents have nearly all weight: e^B is all but the peak,
    # and the curve comes to k = 1 at about half of F(1)
    last = moves.EXPONENTS[-2:]
    bend = 0.5 * math.log(last[1] / last[0]) / (last[1] - last[0])
    assert math.exp(b) == pytest.approx(peak * math.exp(-bend), rel=3e-3)
    assert math.exp(log_a + b - logs[10]) == pytest.approx(math.exp(9 * bend) / math.sqrt(10), rel=0.03)


def test_the_textbook_formula_fails_at_peaks_of_ten_millions():
    times, f = bell(1e7)
    logs = moves.log_integral(times, f)
    log_a, b = moves.exponential_fit(moves.EXPONENTS, logs)
    wrong = math.fsum(textbook(moves.EXPONENTS, np.exp(logs)))
    assert abs(wrong - (log_a + b)) > math.log(10)  # more than ten times off, or the other way
    times, f = bell(1e3)
    logs = moves.log_integral(times, f)
    assert math.fsum(textbook(moves.EXPONENTS, np.exp(logs))) == pytest.approx(
        sum(moves.exponential_fit(moves.EXPONENTS, logs)), abs=1e-2
    )


def test_fit_of_few_points():
    assert moves.exponential_fit([], []) == (-math.inf, 0)
    assert moves.exponential_fit([1, 2], [-math.inf, -math.inf]) == (-math.inf, 0)
    assert moves.exponential_fit([1, 2, 3], [-math.inf, 5, -math.inf]) == (5, 0)
    log_a, b = moves.exponential_fit([1, 2, 3], [7, -math.inf, 11])
    assert (log_a, b) == pytest.approx((5, 2))
    assert moves.exponential_fit([2, 2], [math.log(1), math.log(3)]) == pytest.approx((0.75 * math.log(3), 0))
    # weights so far apart that only the greatest two count
    log_a, b = moves.exponential_fit([0, 1, 2], [0, 2000, 5000])
    assert (log_a, b) == pytest.approx((-1000, 3000))
    for x, log_y in (([1, math.inf], [1, 2]), ([1, 2], [1, math.inf])):
        with pytest.raises(InputError, match="points of a fit"):
            moves.exponential_fit(x, log_y)
    with pytest.raises(InputError, match="NaN"):
        moves.exponential_fit([1, 2], [1, math.nan])


PAIR = Schema.of([(0, 0), (0, 10)], [0, 0])


def pair_at(*apart, north=0.0):
    """Frames of PAIR with these distances of the two units; the leader walks north by `north` each frame."""
    return np.array([[(0, -north * i), (0, -north * i + d)] for i, d in enumerate(apart)], float)


def test_a_perfect_march():
    found = moves.measure(PAIR, [0, 1, 2, 4], pair_at(10, 10, 10, 10), radius=3)
    assert found == moves.MoveMeasures(
        e1=0,
        e_base=0,
        f1=0,
        duration=4,
        peak=0,
        mean=0,
        collisions=0,
        collision_seconds=0,
        cohesion=1,
        out_of_shape=0,
        speed_variance=0,
    )
    assert moves.measure(PAIR, [3], pair_at(12), radius=3).mean == 2  # one observation: a mean, but no seconds
    assert moves.measure(PAIR, [3], pair_at(12), radius=3).f1 == 0


def test_measures_of_a_move_by_hand():
    # too near twice; f^D = (apart - 10)², f^A = 0, and the mean of both is half of that
    apart = [10, 4, 3, 10, 14, 5, 12.4]
    times = [0, 1, 3, 4, 6, 7, 8]
    found = moves.measure(PAIR, times, pair_at(*apart), radius=3)
    assert found.duration == 8
    assert found.f1 == pytest.approx((1 * 36 + 2 * 49 + 2 * 16 + 25 + 2.4**2) / 2)
    assert found.mean == pytest.approx(found.f1 / 8)
    assert found.peak == 24.5
    assert (found.collisions, found.collision_seconds) == (2, 1 + 2 + 1)
    assert found.cohesion == pytest.approx((4 + 2 * 3 + 10 + 2 * 14 + 5 + 12.4) / 8 / 10)
    assert found.out_of_shape == 1 + 2 + 2 + 1  # 12.4 is within a quarter of 10
    assert moves.measure(PAIR, times, pair_at(*apart), radius=3, tolerance=0.2).out_of_shape == 7
    assert moves.measure(PAIR, times, pair_at(*apart), radius=3, how="distance").f1 == pytest.approx(2 * found.f1)
    log_a, b = moves.exponential_fit(moves.EXPONENTS, np.log(moves.integral(times, [(a - 10) ** 2 / 2 for a in apart])))
    assert found.e1 == pytest.approx(math.exp(log_a) * math.exp(b))
    assert found.e_base == pytest.approx(math.exp(b))


def test_an_error_that_lasts_is_fitted_exactly():
    found = moves.measure(PAIR, [0, 2, 5], pair_at(16, 16, 16), radius=1)  # F(k) = 5 · 18^k
    assert (found.e1, found.e_base, found.f1) == pytest.approx((90, 18, 90))


def test_pairs_that_start_too_near_collide_once():
    found = moves.measure(PAIR, [0, 1, 2], pair_at(5, 5, 10), radius=3)
    assert (found.collisions, found.collision_seconds) == (1, 1)
    touching = moves.measure(PAIR, [0, 1], pair_at(6, 6), radius=3)
    assert touching.collisions == 0
    three = Schema.of([(0, 0), (0, 10), (0, 20)], [0, 0, 1])
    heap = moves.measure(three, [0, 1], [three.places, np.zeros((3, 2))], radius=3)
    assert (heap.collisions, heap.collision_seconds, heap.cohesion) == (3, 1, 0)


def test_variance_of_speed():
    # the leader walks 1, 1 and 4 long in 1, 1 and 2 seconds: speeds 1, 1, 2, 2 by the second; the other one stands
    places = np.zeros((4, 2, 2))
    places[:, 0, 1] = (0, -1, -2, -6)
    places[:, 1, 1] = 10
    assert moves.measure(PAIR, [0, 1, 2, 4], places, radius=1).speed_variance == pytest.approx(0.25 / 2)
    even = pair_at(10, 10, 10, north=2.0)
    assert moves.measure(PAIR, [0, 1, 2], even, radius=1).speed_variance == 0
    assert moves.measure(PAIR, [0, 1, 3], even, radius=1).speed_variance > 0.1


def off_by(schema, left, places, limit):
    """Tell by the letter whether a binding is off among the spots that are left, with new commanders for the fallen."""
    pairs = [(s, t) for s, t in schema.bindings.tolist() if s in left and t in left]
    orphans = []
    for spot in schema.order.tolist():
        above = spot
        while above != schema.leader and (above == spot or above not in left):
            above = int(schema.ancestor[above])
        if spot in left and above != spot and above in left:
            pairs.append((spot, above))
        elif spot in left:
            orphans.append(spot)
    pairs += [(orphans[0], spot) for spot in orphans[1:]]
    return any(
        abs(math.dist(places[s], places[t]) - math.dist(schema.places[s], schema.places[t])) > limit for s, t in pairs
    )


def test_who_is_bound_anew_after_casualties_counts_as_out_of_shape():
    three = Schema.of([(0, 0), (0, 10), (0, 20)], [0, 0, 1])
    places = np.array([three.places, three.places * 2, three.places, three.places * 2])
    spots = np.array([[0, 1, 2], [0, -1, 2], [0, -1, 2], [-1, -1, 2]])
    assert moves.measure(three, [0, 1, 3, 7], places, radius=1, spots=spots).out_of_shape == 1
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(60):
        k = int(rng.integers(2, 8))
        schema = Schema.of(rng.uniform(-30, 30, (k, 2)), [0, *(int(rng.integers(0, i)) for i in range(1, k))])
        places = schema.places + rng.normal(0, 5, (6, k, 2))
        spots = np.tile(np.arange(k), (6, 1))
        for unit in range(k):
            spots[int(rng.integers(1, 12)) :, unit] = -1
        lengths = [math.dist(schema.places[s], schema.places[t]) for s, t in schema.bindings.tolist()]
        limit = 0.25 * sum(lengths) / len(lengths)
        wanted = sum(
            2.0**i * off_by(schema, {u for u in range(k) if spots[i, u] >= 0}, places[i], limit)
            for i in range(1, 6)
            if (spots[i] >= 0).any()
        )
        times = [0, *np.cumsum(2.0 ** np.arange(1, 6)).tolist()]
        assert moves.measure(schema, times, places, radius=0.1, spots=spots).out_of_shape == wanted
        seen.add(wanted)
    assert len(seen) > 10


def test_a_formation_of_one():
    alone = Schema.of([(0, 0)], [0])
    found = moves.measure(alone, [0, 1], [[(3, 4)], [(5, 6)]], radius=1)
    assert (found.e1, found.collisions, found.cohesion, found.out_of_shape) == (0, 0, 1, 0)


def test_errors_beyond_doubles_are_infinite_not_wrong():
    found = moves.measure(PAIR, [0, 1], pair_at(10, 1e150), radius=1, how="distance")
    assert found.peak == pytest.approx(1e300)
    assert found.e1 == pytest.approx(1e300, rel=1e-9)  # F(10) is 1e3000
    assert found.e_base == pytest.approx(1e300, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"positions": np.zeros((2, 3, 2))}, "wrong shape"),
        ({"positions": np.zeros((3, 2, 2))}, "wrong shape"),
        ({"positions": np.full((2, 2, 2), np.inf)}, "finite coordinates"),
        ({"times": [1, 0]}, "0 after 1"),
        ({"times": [], "positions": np.zeros((0, 2, 2))}, "at least one"),
        ({"radius": 0}, "radius"),
        ({"tolerance": -0.1}, "tolerance"),
        ({"how": "sum"}, "combination of errors"),
        ({"schema": None}, "schema"),
    ],
)
def test_measure_refuses(change, text):
    given = {"schema": PAIR, "times": [0, 1], "positions": pair_at(10, 10), "radius": 1} | change
    with pytest.raises(InputError, match=text):
        moves.measure(given.pop("schema"), given.pop("times"), given.pop("positions"), **given)
