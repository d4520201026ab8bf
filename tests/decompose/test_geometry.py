"""Exact predicates: their signs are those of rationals, also where floating point alone errs."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis._kernel.geometry import on_segment, orient


def exact(a, b, c) -> int:
    (ax, ay), (bx, by), (cx, cy) = (tuple(map(Fraction, p)) for p in (a, b, c))
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (area > 0) - (area < 0)


def sign(value: float) -> int:
    return int(value > 0) - int(value < 0)


def test_positive_is_clockwise_on_the_screen() -> None:
    assert orient(0.0, 0.0, 1.0, 0.0, 0.0, 1.0) == 1.0
    assert orient(0.0, 0.0, 1.0, 0.0, 0.0, -1.0) == -1.0
    assert orient(0.0, 0.0, 1.0, 1.0, 2.0, 2.0) == 0.0


def test_signs_near_a_line_are_exact() -> None:
    rng, plain_errs = np.random.default_rng(1), 0
    for _ in range(3000):
        a, d = rng.uniform(-1, 1, 2) * 10.0 ** rng.integers(-6, 7), rng.uniform(-1, 1, 2)
        b, c = a + d * rng.uniform(0, 9), a + d * rng.uniform(0, 9)
        c = np.nextafter(c, c + rng.integers(-1, 2, 2))
        found = orient(*a.tolist(), *b.tolist(), *c.tolist())
        assert sign(found) == exact(a, b, c)
        plain = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        plain_errs += sign(plain) != exact(a, b, c)
    assert plain_errs > 300  # the cases are hard ones: floating point alone fails in many of them


def test_exact_zeros_are_found() -> None:
    rng = np.random.default_rng(2)
    for _ in range(500):
        a, d = rng.integers(-(2**30), 2**30, 2) / 2**10, rng.integers(-(2**20), 2**20, 2) / 2**10
        i, j = rng.integers(-50, 50, 2)
        assert orient(*a.tolist(), *(a + i * d).tolist(), *(a + j * d).tolist()) == 0.0


small = st.integers(-3, 3)
place = st.tuples(small, small)


@settings(max_examples=400, deadline=None)
@given(place, place, place)
def test_points_lie_on_segments_as_in_shapely(a, b, c) -> None:
    import shapely

    segment = shapely.LineString([a, b]) if a != b else shapely.Point(a)
    assert on_segment(*map(float, (*a, *b, *c))) == segment.intersects(shapely.Point(c))
