"""Labels beside points: off lines, marks, the edge of the map and one another."""

from __future__ import annotations

import numpy as np
import pytest

from anabasis.view.labelling import beside

HALF = np.array([[2.0, 1.0]])
SIZE = (40, 30)


def covered(middle, half, line):
    """How many of many points of a line a label covers."""
    points = np.linspace(line[0], line[1], 1001)
    return int((np.abs(points - middle) < half).all(axis=1).sum())


def test_a_label_alone_stands_above_its_point():
    (place,) = beside([(20, 15)], HALF, np.zeros((0, 2, 2)), [], SIZE)
    assert place[0] == pytest.approx(20)
    assert 13 < place[1] < 14


@pytest.mark.parametrize("point", [(0, 0), (40, 0), (0, 30), (40, 30), (20, 0), (0, 15)])
def test_it_stays_on_the_map(point):
    (place,) = beside([point], HALF, np.zeros((0, 2, 2)), [], SIZE)
    assert (place - HALF[0] >= -1e-9).all() and (place + HALF[0] <= np.array(SIZE) + 1e-9).all()


def test_lines_and_marks_are_left_free():
    lines = np.array([[[20, 15], [20, 0]], [[20, 15], [40, 15]], [[20, 15], [5, 28]]], float)
    marks = [(20, 15, 0.8), (16, 13, 1.0)]
    (place,) = beside([(20, 15)], HALF, lines, marks, SIZE)
    assert [covered(place, HALF[0], line) for line in lines] == [0, 0, 0]
    for x, y, radius in marks:
        assert np.hypot(*np.maximum(np.abs(place - (x, y)) - HALF[0], 0)) >= radius


def test_labels_of_near_points_do_not_cover_one_another():
    points = [(20 + 1.5 * k, 15) for k in range(4)]
    half = np.tile(HALF, (4, 1))
    places = beside(points, half, np.zeros((0, 2, 2)), [(*point, 0.3) for point in points], SIZE)
    apart = np.abs(places[:, None] - places)
    assert ((apart >= 2 * HALF[0] - 1e-9).any(axis=2) | np.eye(4, dtype=bool)).all()


def test_none_are_no_trouble():
    assert beside([], np.zeros((0, 2)), np.zeros((2, 2, 2)), [], SIZE).shape == (0, 2)
