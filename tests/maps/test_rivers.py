"""Rivers flow downhill from neighbour to neighbour until they end; lakes are flat and held by their shores."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import ndimage
from water_fields import neighbours_of, smooth_field

from anabasis import InputError
from anabasis.maps.water.filling import accumulated, fill
from anabasis.maps.water.rivers import ENDS, Rivers, river_mask, rivers

OPTIONS = ({}, {"waver": 0}, {"between": False}, {"deepest": 0.02}, {"largest": 12}, {"least_lake": 1, "shortest": 1})


def cases():
    for seed, (width, height) in enumerate(((70, 50), (33, 90), (64, 64))):
        heights = smooth_field(width, height, seed, octaves=5)
        for options in OPTIONS:
            yield seed, heights, heights < 0.3, options


def check(made, heights, sea):
    """The promises of the record."""
    height, width = heights.shape
    taken = np.zeros(heights.shape, bool)
    for course, end in zip(made.courses, made.ends, strict=True):
        cells = [tuple(c) for c in course.tolist()]
        assert len(set(cells)) == len(cells)
        assert all(b in neighbours_of(*a, width, height) for a, b in pairwise(cells))
        stand = made.surface[course[:, 1], course[:, 0]]
        assert (np.diff(stand) <= 0).all(), "water never rises"
        flow = made.discharge[course[:, 1], course[:, 0]]
        assert (np.diff(flow) > 0).all(), "each cell adds to it"
        x, y = cells[-1]
        assert not sea[course[:-1, 1], course[:-1, 0]].any()
        border = x in (0, width - 1) or y in (0, height - 1)
        if sea[y, x]:
            assert end == "sea"
        elif border:
            assert end == "border"
        else:
            assert end == "river" if taken[y, x] and made.lake[y, x] < 0 else end in ("river", "lake")
            assert taken[y, x] or (end == "lake" and made.lake[y, x] >= 0)
        assert not taken[course[:-1, 1], course[:-1, 0]].any()
        taken[course[:, 1], course[:, 0]] = True
    assert np.array_equal(taken, made.discharge > 0)
    for number, level in enumerate(made.levels):
        inside = made.lake == number
        assert (taken & inside).any(), "a river enters"
        assert (made.surface[inside] == level).all()
        rows, columns = np.nonzero(inside)
        shore = {c for i, j in zip(columns, rows, strict=True) for c in neighbours_of(i, j, width, height)}
        assert all(made.surface[j, i] >= level for i, j in shore if not inside[j, i])
    assert set(made.ends) <= set(ENDS)


def test_the_record_keeps_its_promises():
    found = set()
    for seed, heights, sea, options in cases():
        made = rivers(heights, sea, seed=seed, count=10, **options)
        assert len(made.courses) >= 4
        check(made, heights, sea)
        found |= set(made.ends)
    assert found == set(ENDS)


def test_every_river_without_bounds_on_lakes_leaves_the_map():
    heights = smooth_field(90, 80, 4, octaves=6)
    made = rivers(heights, heights < 0.2, seed=1, count=30)
    assert "lake" not in made.ends
    assert made.ends[0] != "river"
    assert made.levels.size > 2


def test_springs_are_high_and_apart_and_rivers_long():
    for seed in range(5):
        heights = smooth_field(120, 100, seed)
        sea = heights < 0.25
        made = rivers(heights, sea, seed=seed, count=9, waver=0, apart=11, shortest=20)
        x, y = made.springs.T
        assert len(x) >= 3
        assert (heights[y, x] >= np.median(heights[~sea]) - 0.01).all()
        distance = np.hypot(x[:, None] - x, y[:, None] - y)
        assert distance[~np.eye(len(x), dtype=bool)].min() >= 11
        assert min(map(len, made.courses)) >= 20


def test_given_springs_are_followed_by_the_drainage():
    heights = smooth_field(40, 30, 2)
    made = rivers(heights, seed=3, springs=[[20, 15], [5, 9], [20, 15]], waver=0, between=False)
    assert made.springs.tolist() == [[20, 15], [5, 9]], "the third begins in the first"
    filling = fill(heights, seed=3)
    v, walked = 15 * 40 + 20, []
    while v >= 0:
        walked.append([v % 40, v // 40])
        v = int(filling.receiver[v // 40, v % 40])
    assert made.courses[0].tolist() == walked
    flow = accumulated(filling)
    x, y = made.courses[1].T
    assert np.array_equal(made.discharge[y, x], flow[y, x])


def test_a_lake_rises_to_its_outlet_and_the_river_goes_on():
    heights = np.array([[9.0] * 9, [9, 8, 3, 2, 3, 5, 4, 1, 0], [9.0] * 9])
    heights[:, 8] = 9.0
    heights[1, 8] = 0.0
    made = rivers(heights, seed=0, springs=[[1, 1]], waver=0, between=False, least_lake=3)
    assert made.courses[0].tolist() == [[x, 1] for x in range(1, 9)]
    assert made.levels.tolist() == [5.0]
    assert made.surface[1].tolist() == [9, 8, 5, 5, 5, 5, 4, 1, 0]
    assert (made.lake >= 0)[1].tolist() == [False, False, True, True, True] + [False] * 4
    assert made.ends == ("border",)
    shallow = rivers(heights, seed=0, springs=[[1, 1]], waver=0, between=False, deepest=1.5)
    assert (shallow.ends, shallow.levels.tolist()) == (("lake",), [3.5])
    assert shallow.courses[0].tolist() == [[1, 1], [2, 1]]


def test_rivers_that_meet_add_up():
    heights = smooth_field(100, 100, 8)
    made = rivers(heights, heights < 0.2, seed=2, count=25, shortest=6)
    joins = [course for course, end in zip(made.courses, made.ends, strict=True) if end == "river"]
    assert len(joins) > 5
    for course in joins:
        (x, y), (i, j) = course[-1], course[-2]
        above = [c for other in made.courses for c in pairwise(other.tolist())]
        into = {tuple(a) for a, b in above if b == [x, y]}
        assert (i, j) in into
        assert made.discharge[y, x] > sum(made.discharge[b, a] for a, b in into)


def test_the_same_seed_gives_the_same_rivers():
    heights = smooth_field(60, 60, 1)
    one, two, other = (rivers(heights, heights < 0.3, seed=seed) for seed in (7, 7, 8))
    assert [c.tolist() for c in one.courses] == [c.tolist() for c in two.courses]
    assert np.array_equal(one.surface, two.surface)
    assert one.springs.tolist() != other.springs.tolist()


def test_any_size_of_map():
    for width, height in ((1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (3, 200), (200, 2)):
        heights = smooth_field(width, height, 1)
        made = rivers(heights, seed=1, shortest=1)
        check(made, heights, np.zeros(heights.shape, bool))
        assert river_mask(made).shape == (height, width)
    assert rivers(np.zeros((5, 5)), np.ones((5, 5), bool), seed=1).courses == ()
    assert rivers(smooth_field(30, 30, 1), seed=1, count=0).courses == ()


def diagonal(size):
    cells = np.stack([np.arange(size)] * 2, axis=1)
    flow = np.zeros((size, size))
    flow[cells[:, 1], cells[:, 0]] = np.arange(1, size + 1)
    nothing = np.full((size, size), -1)
    return Rivers((cells,), ("border",), flow, np.zeros((size, size)), nothing, np.empty(0), np.empty((0, 2), int))


def test_a_mask_joined_through_sides_lets_nobody_through():
    corners = np.ones((3, 3), bool)
    thin = river_mask(diagonal(12), widest=1, neighbours=8)
    assert thin.sum() == 12
    assert ndimage.label(~thin, corners)[1] == 1
    closed = river_mask(diagonal(12), widest=1)
    assert ndimage.label(~closed, corners)[1] == 2
    assert ndimage.label(closed)[1] == 1
    assert closed.sum() == 23


def test_rivers_widen_with_their_discharge():
    heights = smooth_field(120, 120, 3)
    made = rivers(heights, heights < 0.2, seed=1, count=12)
    thin, wide = river_mask(made, widest=1, neighbours=8), river_mask(made, widest=5, neighbours=8)
    assert np.array_equal(thin, (made.discharge > 0) | (made.lake >= 0))
    assert (wide >= thin).all()
    room = ndimage.distance_transform_cdt(wide, "chessboard")
    mouth = np.unravel_index(made.discharge.argmax(), wide.shape)
    assert room[max(mouth[0] - 2, 0) : mouth[0] + 3, max(mouth[1] - 2, 0) : mouth[1] + 3].max() >= 2
    joined = river_mask(made, widest=5)
    for course in made.courses:
        assert joined[course[:, 1], course[:, 0]].all()
        for (x, y), (i, j) in pairwise(course):
            assert x == i or y == j or joined[y, i] or joined[j, x]


def test_wrong_options_say_what_is_expected():
    heights = smooth_field(20, 20, 1)
    for options, message in (
        ({"seed": -1}, "seed; found -1"),
        ({"count": -1}, "number of rivers; found -1; expected a whole number from 0"),
        ({"waver": 2}, "waver; found 2; expected a share from 0 to 1"),
        ({"apart": 0}, "distance of springs; found 0; expected a positive length"),
        ({"shortest": 0}, "least length of a river; found 0; expected a whole number from 1"),
        ({"least_lake": -1}, "least area of a lake; found -1"),
        ({"deepest": -1}, "greatest depth of a lake; found -1; expected a positive length"),
        ({"largest": 0}, "greatest area of a lake; found 0"),
        ({"springs": [[20, 0]]}, r"a spring is outside the map; found x=20 \(column\), y=0 \(row\); expected 20 × 20"),
        ({"springs": [[1, 2, 3]]}, "springs has the wrong shape"),
        ({"sea": np.ones((20, 20), bool), "springs": [[3, 4]]}, "a spring lies in the water; found x=3"),
        ({"sea": np.ones((20, 21), bool)}, "sea has the wrong shape; found 20×21; expected 20×20"),
    ):
        with pytest.raises(InputError, match=message):
            rivers(heights, **{"seed": 1, **options})
    made = rivers(heights, seed=1)
    with pytest.raises(InputError, match="neighbours of a river's cells; found 6; expected 4 or 8"):
        river_mask(made, neighbours=6)
    with pytest.raises(InputError, match="greatest width of a river; found 0; expected a whole number from 1"):
        river_mask(made, widest=0)
