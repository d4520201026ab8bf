"""Warehouse: the benchmarks' maps cell by cell, and the same rule for other sizes."""

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.io.movingai import load_map
from anabasis.maps.structured.warehouse import warehouse


@pytest.mark.parametrize(
    ("name", "size", "stations"),
    [("warehouse-10-20-10-2-1", (161, 63), 25), ("warehouse-20-40-10-2-1", (321, 123), 50)],
)
def test_it_is_the_benchmark(movingai, name, size, stations):
    theirs = load_map(movingai / "mapf" / f"{name}.map").free
    assert np.array_equal(warehouse(*size, stations=stations), theirs)
    assert np.array_equal(warehouse(*size), theirs)


def test_the_default_is_the_first_benchmark():
    assert np.array_equal(warehouse(), warehouse(161, 63, shelf_length=10, shelf_depth=2, stations=25))


def shelves_of(free, wall):
    inside = ~free[wall : free.shape[0] - wall, wall : free.shape[1] - wall]
    return ndimage.find_objects(ndimage.label(inside)[0])


@pytest.mark.parametrize("length", [1, 4, 10])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize(("aisle", "cross"), [(1, 1), (2, 1), (1, 3)])
@pytest.mark.parametrize("wall", [0, 1, 2])
def test_shelves_and_aisles(length, depth, aisle, cross, wall):
    width, height, stations = 61, 44, 5
    options = {"aisle": aisle, "cross_aisle": cross, "stations": stations, "wall": wall}
    free = warehouse(width, height, shelf_length=length, shelf_depth=depth, **options)
    assert ndimage.label(free)[1] == 1
    shelves = shelves_of(free, wall)
    assert {(s[0].stop - s[0].start, s[1].stop - s[1].start) for s in shelves} == {(depth, length)}
    lefts, tops = (sorted({s[axis].start for s in shelves}) for axis in (1, 0))
    assert len(shelves) == len(lefts) * len(tops)
    assert set(np.diff(lefts)) <= {length + cross}
    assert set(np.diff(tops)) <= {depth + aisle}
    for places, side, gap, span, least in (
        (lefts, length, cross, width, stations),
        (tops, depth, aisle, height, aisle),
    ):
        before, after = places[0], span - 2 * wall - places[-1] - side
        assert min(before, after) >= least
        assert abs(before - after) <= 1, "in the middle"
        assert before + after < 2 * least + side + gap, "there is no room for one more"


def test_missing_shelves():
    full = warehouse()
    more = full
    for missing in (0.1, 0.35, 0.8, 1.0):
        free = warehouse(seed=3, missing=missing)
        assert len(shelves_of(free, 1)) == 200 - round(missing * 200)
        assert not (more & ~free).any(), "what is missing with few is missing with many"
        more = free
    counts = np.zeros(full.shape)
    for seed in range(400):
        counts += warehouse(seed=seed, missing=0.25)
    missing = counts[2::3, 26::11][:20, :10]
    assert missing.sum() == 400 * 50
    assert ((missing - 100) ** 2 / 75).sum() < 199 + 5 * (2 * 199) ** 0.5, "each shelf as often"


def test_a_seed_repeats_and_another_differs():
    maps = [warehouse(seed=seed, missing=0.2) for seed in (1, 1, 2)]
    assert np.array_equal(maps[0], maps[1])
    assert not np.array_equal(maps[0], maps[2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 61, "stations": 25}, "width; found 61; expected a whole number from 62"),
        ({"width": 13}, "width; found 13; expected a whole number from 14"),
        ({"height": 5}, "height; found 5; expected a whole number from 6"),
        ({"aisle": 0}, "width of the aisles"),
        ({"cross_aisle": 0}, "width of the cross aisles"),
        ({"shelf_length": 0}, "length of a shelf"),
        ({"stations": 0}, "width of the stations"),
        ({"missing": -1}, "share of missing shelves"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        warehouse(**options)


def test_the_least_size_holds_one_shelf():
    assert len(shelves_of(warehouse(62, 6, stations=25), 1)) == 1
    for width in range(14, 25):
        assert len(shelves_of(warehouse(width, 6), 1)) == 1
