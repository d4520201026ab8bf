"""Halls: every wall has a gap of each width, and no other way leads through."""

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.structured.halls import halls


def runs(column):
    """First row and length of each free run of a column."""
    return [(s.start, s.stop - s.start) for (s,) in ndimage.find_objects(ndimage.label(column)[0])]


def walls_of(free, rim):
    """The columns of each wall between two halls."""
    inside = free[rim : free.shape[0] - rim, rim : free.shape[1] - rim]
    label, count = ndimage.label(~inside.all(axis=0))
    return inside, [np.flatnonzero(label == number) for number in range(1, count + 1)]


@pytest.mark.parametrize("widths", [(1,), (3,), (1, 2, 4), (2, 2, 2), (5, 1)])
@pytest.mark.parametrize(("count", "thickness", "rim"), [(2, 1, 1), (3, 4, 1), (5, 2, 0), (4, 1, 3)])
def test_every_wall_has_each_gap(widths, count, thickness, rim):
    for seed in range(10):
        free = halls(71, 40, seed=seed, count=count, widths=widths, thickness=thickness, rim=rim)
        assert ndimage.label(free)[1] == 1
        inside, walls = walls_of(free, rim)
        assert len(walls) == count - 1
        for wall in walls:
            assert len(wall) == thickness
            gaps = runs(inside[:, wall[0]])
            assert all(runs(inside[:, x]) == gaps for x in wall)
            assert sorted(length for _, length in gaps) == sorted(widths)
            assert not inside[0, wall].any()
            assert not inside[-1, wall].any()
        bounds = [-1, *(x for wall in walls for x in (wall[0], wall[-1])), inside.shape[1]]
        lengths = np.diff(bounds)[::2] - 1
        assert np.ptp(lengths) <= 1, "halls are equally wide"


def test_gaps_stand_anywhere():
    """A single gap, and the first of two in either order, are found in every row where they can be."""
    one = {runs(halls(9, 14, seed=seed, count=2, widths=(3,))[:, 4])[0][0] for seed in range(400)}
    assert one == set(range(2, 10))
    two = [tuple(runs(halls(9, 12, seed=seed, count=2, widths=(1, 3))[:, 4])) for seed in range(2000)]
    assert len(set(two)) == 2 * 10, "two orders, and three spare cells shared out in ten ways"
    assert 900 < sum(gaps[0][1] == 1 for gaps in two) < 1100


def test_places():
    free = halls(40, 42, widths=(2, 4), places=(0.75, 0.25), seed=1)
    assert np.array_equal(free, halls(40, 42, widths=(2, 4), places=(0.75, 0.25), seed=2)), "nothing is random"
    inside, walls = walls_of(free, 1)
    for wall in walls:
        assert runs(inside[:, wall[0]]) == [(8, 4), (29, 2)]
    middle = halls(21, 23, count=2, widths=(3,), places=(0.5,))
    assert np.array_equal(middle, middle[::-1])
    assert np.array_equal(middle, middle[:, ::-1])


@pytest.mark.parametrize(("funnel", "thickness"), [(1, 1), (4, 1), (3, 2)])
def test_funnels(funnel, thickness):
    gap, middle = 3, 25
    free = halls(60, 2 * middle + 1 + 2, count=2, widths=(gap,), places=(0.5,), funnel=funnel, thickness=thickness)
    inside, ((*wall,),) = walls_of(free, 1)
    assert len(wall) == thickness + 2 * funnel
    opened = [inside[:, x].sum() for x in wall]
    ramp = [gap + 2 * k for k in range(funnel, 0, -1)]
    assert opened == [*ramp, *[gap] * thickness, *ramp[::-1]]
    assert all(len(runs(inside[:, x])) == 1 for x in wall)
    assert np.array_equal(inside, inside[::-1])


def test_one_hall_is_empty():
    assert halls(9, 3, count=1)[1:-1, 1:-1].all()
    assert halls(1, 1, count=1, rim=0).all()


def test_a_seed_repeats_and_another_differs():
    maps = [halls(50, 50, seed=seed) for seed in (1, 1, 2, 2**63 - 1)]
    assert np.array_equal(maps[0], maps[1])
    assert not np.array_equal(maps[0], maps[2])
    assert not np.array_equal(maps[2], maps[3])


def test_the_least_size():
    assert ndimage.label(halls(7, 13))[1] == 1
    for size, message in (((6, 13), "width; found 6; expected a whole number from 7"), ((7, 12), "height; found 12")):
        with pytest.raises(InputError, match=message):
            halls(*size)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"widths": ()}, "widths of the gaps; found none"),
        ({"widths": (0,)}, "width of a gap"),
        ({"count": 0}, "number of halls"),
        ({"thickness": 0}, "thickness of the walls"),
        ({"places": (0.5,)}, "number of places; found 1; expected 3, one for each width"),
        ({"places": (0.5, 0.5, 0.5)}, "place of a gap; found rows"),
        ({"places": (0.0, 0.5, 0.8)}, "a cell of wall on either side of each gap"),
        ({"places": (0.2, 0.5, 1.8)}, "place of a gap; found 1.8"),
        ({"funnel": -1}, "depth of the funnels"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        halls(40, 40, **options)
