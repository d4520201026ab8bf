"""Rooms: each is a whole rectangle, doors are as wide as asked for, and a tree if no more are wanted."""

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.io.movingai import load_map
from anabasis.maps.structured.rooms import room_grid, room_partition


def doors_of(free, pitch, wall):
    """The free cells along each wall between two rooms of a grid: one row of them, for all rows of the wall."""
    height, width = free.shape
    for top in range(0, height, pitch):
        for left in range(0, width, pitch):
            inside_y, inside_x = slice(top + wall, top + pitch), slice(left + wall, left + pitch)
            if left and top + wall < height and left + wall < width:
                yield free[inside_y, left : left + wall].T
            if top and top + wall < height and left + wall < width:
                yield free[top : top + wall, inside_x]


def width_of_door(stretch):
    """How wide the one opening of a wall is, 0 without one."""
    assert (stretch == stretch[0]).all(), "straight through"
    assert ndimage.label(stretch[0])[1] <= 1
    return int(stretch[0].sum())


@pytest.mark.parametrize(("pitch", "door", "wall"), [(8, 1, 1), (7, 3, 2), (5, 4, 1), (16, 1, 3), (3, 1, 1)])
@pytest.mark.parametrize("size", [(64, 64), (65, 49), (50, 71)])
def test_rooms_in_rows_and_columns(pitch, door, wall, size):
    width, height = size
    columns, rows = -(-(width - wall) // pitch), -(-(height - wall) // pitch)
    walls = rows * (columns - 1) + columns * (rows - 1)
    for extra, doors in ((0.0, range(columns * rows - 1, columns * rows)), (0.5, None), (1.0, range(walls, walls + 1))):
        free = room_grid(width, height, seed=3, pitch=pitch, door=door, wall=wall, extra=extra)
        assert ndimage.label(free)[1] == 1
        y, x = np.indices(free.shape)
        assert free[(y % pitch >= wall) & (x % pitch >= wall)].all(), "rooms are empty"
        assert not free[(y % pitch < wall) & (x % pitch < wall)].any(), "posts"
        assert not free[:wall].any()
        assert not free[:, :wall].any()
        openings = [(width_of_door(stretch), stretch.shape[1]) for stretch in doors_of(free, pitch, wall)]
        assert len(openings) == walls
        assert all(opening in (0, min(door, side)) for opening, side in openings)
        if doors is not None:
            assert sum(opening > 0 for opening, _ in openings) in doors


def test_doors_stand_anywhere_in_their_walls():
    free = room_grid(641, 641, pitch=8, extra=1.0)
    places = np.array([np.flatnonzero(stretch[0])[0] for stretch in doors_of(free, 8, 1)])
    count = np.bincount(places, minlength=7)
    assert len(count) == 7
    expected = len(places) / 7
    assert ((count - expected) ** 2 / expected).sum() < 6 + 5 * 12**0.5


@pytest.mark.parametrize("name", ["16room_000", "32room_000"])
def test_as_many_doors_as_in_the_benchmarks(movingai, name):
    pitch = int(name[:2])
    theirs = load_map(movingai / "rooms" / f"{name}.map").free
    ours = room_grid(512, 512, pitch=pitch)
    share = [np.mean([width_of_door(stretch) for stretch in doors_of(free, pitch, 1)]) for free in (theirs, ours)]
    assert share[1] == pytest.approx(share[0], abs=0.04)
    y, x = np.indices(theirs.shape)
    for free in (theirs, ours):
        assert not free[(y % pitch == 0) & (x % pitch == 0)].any(), "posts"
    assert not (theirs & ~ours)[(y % pitch > 0) & (x % pitch > 0)].any(), "theirs block rooms that no door leads to"


def split(free):
    """Part a map of walls and doors one cell thick into door cells and rooms; sides are at least 3."""
    around = np.pad(free, 1)
    beside = around[1:-1, :-2].astype(int) + around[1:-1, 2:]
    above = around[:-2, 1:-1].astype(int) + around[2:, 1:-1]
    doors = free & (((beside == 0) & (above == 2)) | ((beside == 2) & (above == 0)))
    label, _ = ndimage.label(free & ~doors)
    return doors, label


@pytest.mark.parametrize(("least", "most"), [(3, 6), (3, 20), (6, 20), (9, 18)])
@pytest.mark.parametrize("size", [(64, 64), (97, 40), (33, 120), (20, 20)])
def test_rooms_of_all_sizes(least, most, size):
    for seed in range(4):
        free = room_partition(*size, seed=seed, least=least, most=most, extra=0.0)
        doors, label = split(free)
        boxes = ndimage.find_objects(label)
        for number, box in enumerate(boxes, 1):
            assert (label[box] == number).all(), "a room is a rectangle"
            sides = [s.stop - s.start for s in box]
            assert max(sides) <= most
            assert min(sides) >= least
        assert doors.sum() == len(boxes) - 1, "a tree"
        assert ndimage.label(free)[1] == 1
        edge = np.ones(free.shape, bool)
        edge[1:-1, 1:-1] = False
        assert not free[edge].any()


def test_more_doors_in_walls_between_rooms_of_all_sizes():
    counts = [split(room_partition(120, 90, seed=5, extra=extra))[0].sum() for extra in (0.0, 0.3, 1.0)]
    assert counts[0] < counts[1] < counts[2]
    tree, more = (room_partition(120, 90, seed=5, extra=extra) for extra in (0.0, 0.3))
    assert not (tree & ~more).any(), "only doors are added"


@pytest.mark.parametrize(("door", "wall"), [(2, 1), (4, 3), (6, 2)])
def test_wide_doors_and_thick_walls_between_rooms_of_all_sizes(door, wall):
    for seed in range(6):
        free = room_partition(90, 70, seed=seed, door=door, wall=wall, extra=0.5)
        assert ndimage.label(free)[1] == 1
        assert ndimage.label(ndimage.binary_opening(free, np.ones((door, door))))[1] == 1, (
            "for a unit as wide as a door"
        )


@pytest.mark.parametrize("rooms", [room_grid, room_partition])
def test_narrow_maps_are_connected(rooms):
    for size in ((3, 3), (3, 90), (90, 4), (5, 70), (16, 17)):
        for door in (1, 5):
            assert ndimage.label(rooms(*size, seed=1, door=door))[1] == 1


@pytest.mark.parametrize("rooms", [room_grid, room_partition])
def test_a_seed_repeats_and_another_differs(rooms):
    maps = [rooms(100, 80, seed=seed) for seed in (4, 4, 5, 2**63 - 1)]
    assert np.array_equal(maps[0], maps[1])
    assert not np.array_equal(maps[0], maps[2])
    assert not np.array_equal(maps[2], maps[3])


@pytest.mark.parametrize(
    ("rooms", "options", "message"),
    [
        (room_grid, {"pitch": 1}, "side of a room with its wall; found 1; expected a whole number from 2"),
        (room_grid, {"door": 16}, "width of a door; found 16; expected 1 to 15, the free side of a room"),
        (room_grid, {"extra": 2}, "share of other walls with a door"),
        (room_grid, {"width": 1}, "width; found 1; expected a whole number from 2"),
        (room_partition, {"most": 11}, "greatest side of a room; found 11; expected at least 12"),
        (room_partition, {"door": 7}, "width of a door; found 7; expected 1 to 6, the least side of a room"),
        (room_partition, {"height": 2}, "height; found 2; expected a whole number from 3"),
        (room_partition, {"least": 0}, "least side of a room"),
    ],
)
def test_wrong_options_are_named(rooms, options, message):
    with pytest.raises(InputError, match=message):
        rooms(**{"width": 40, "height": 40, **options})
