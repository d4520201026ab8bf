"""Filling is the least rise on the way out, drainage never rises and loses nothing; end lakes keep their bounds."""

import heapq
import os
import subprocess
import sys

import numpy as np
import pytest
from water_fields import neighbours_of, smooth_field

from anabasis import InputError
from anabasis.maps.water.filling import accumulated, fill
from anabasis.maps.water.lakes import end_lakes, hollows


def least_rise(heights, outlets):
    """By Dijkstra: the least over all ways out of the highest cell on the way."""
    height, width = heights.shape
    level, queue = np.full(heights.shape, np.inf), []
    for y in range(height):
        for x in range(width):
            if outlets[y, x] or x in (0, width - 1) or y in (0, height - 1):
                level[y, x] = heights[y, x]
                queue.append((heights[y, x], x, y))
    heapq.heapify(queue)
    while queue:
        reached, x, y = heapq.heappop(queue)
        if reached > level[y, x]:
            continue
        for i, j in neighbours_of(x, y, width, height):
            rise = max(reached, heights[j, i])
            if rise < level[j, i]:
                level[j, i] = rise
                heapq.heappush(queue, (rise, i, j))
    return level


def random_case(rng):
    width, height = rng.integers(1, 28, 2)
    heights = rng.random((height, width)) if rng.random() < 0.5 else rng.integers(0, 5, (height, width)).astype(float)
    return heights, rng.random((height, width)) < rng.choice([0, 0.02, 0.3])


@pytest.mark.parametrize("between", [False, True])
def test_levels_are_the_least_rise_on_the_way_out(between):
    rng = np.random.default_rng(1)
    for number in range(80):
        heights, outlets = random_case(rng)
        filling = fill(heights, outlets, seed=number, between=between)
        assert np.array_equal(filling.level, least_rise(heights, outlets))


@pytest.mark.parametrize("between", [False, True])
def test_drainage_goes_to_a_neighbour_and_never_rises(between):
    rng = np.random.default_rng(2)
    for number in range(60):
        heights, outlets = random_case(rng)
        height, width = heights.shape
        filling = fill(heights, outlets, seed=number, between=between)
        place = np.empty(heights.size, int)
        place[filling.order] = np.arange(heights.size)
        for y in range(height):
            for x in range(width):
                to = int(filling.receiver[y, x])
                border = x in (0, width - 1) or y in (0, height - 1)
                assert (to < 0) == bool(border or outlets[y, x])
                if to < 0:
                    continue
                assert (to % width, to // width) in neighbours_of(x, y, width, height)
                assert filling.level[to // width, to % width] <= filling.level[y, x]
                assert place[to] < place[y * width + x]


def steepest(level, x, y):
    height, width = level.shape
    around = neighbours_of(x, y, width, height)
    return max((level[y, x] - level[j, i]) / (2**0.5 if i != x and j != y else 1) for i, j in around)


def test_drainage_is_the_steepest_descent_of_the_filled_surface():
    heights = smooth_field(40, 31, 3)
    filling = fill(heights)
    for y in range(1, 30):
        for x in range(1, 39):
            to = int(filling.receiver[y, x])
            length = 2**0.5 if to % 40 != x and to // 40 != y else 1
            slope = (filling.level[y, x] - filling.level[to // 40, to % 40]) / length
            assert slope == max(steepest(filling.level, x, y), 0)


def test_between_keeps_to_the_direction_of_a_plane_on_average():
    side, (down_x, down_y) = 400, (0.9, 0.35)
    y, x = np.mgrid[:side, :side]
    heights = -(down_x * x + down_y * y)
    ends = {}
    for between in (False, True):
        receiver, v = fill(heights, seed=5, between=between).receiver.reshape(-1), 2 * side + 2
        while receiver[v] >= 0:
            v = receiver[v]
        ends[between] = (v // side - 2) / (v % side - 2)
    assert ends[True] == pytest.approx(down_y / down_x, abs=0.06)
    assert ends[False] in (0, 1)


def test_all_rain_arrives_at_the_outlets():
    rng = np.random.default_rng(4)
    for number in range(30):
        heights, outlets = random_case(rng)
        filling = fill(heights, outlets, seed=number)
        rain = rng.integers(0, 9, heights.shape)
        flow, leaves = accumulated(filling, rain), filling.receiver < 0
        assert flow[leaves].sum() == rain.sum()
        assert accumulated(filling)[leaves].sum() == heights.size
        drained = np.zeros(heights.size)
        inner = filling.receiver[~leaves]
        np.add.at(drained, inner, flow[~leaves])
        assert np.array_equal(drained.reshape(heights.shape) + rain, flow), "what enters and falls is what leaves"


def test_a_mirrored_map_has_mirrored_levels():
    heights = smooth_field(50, 34, 6)
    level = fill(heights).level
    assert np.array_equal(fill(heights[:, ::-1]).level, level[:, ::-1])
    assert np.array_equal(fill(heights.T).level, level.T)
    assert np.array_equal(fill(heights * 4 + 1).level, level * 4 + 1)


def test_a_plain_drains_by_the_seed():
    flat = np.zeros((40, 40))
    first, again, other = fill(flat, seed=1), fill(flat, seed=1), fill(flat, seed=2)
    assert np.array_equal(first.receiver, again.receiver)
    assert (first.receiver != other.receiver).mean() > 0.3


def test_hollows_are_level():
    heights = smooth_field(80, 60, 7, octaves=6)
    filling = fill(heights)
    label = hollows(heights, filling)
    assert label.max() > 3
    assert ((label >= 0) == (filling.level > heights)).all()
    for number in range(label.max() + 1):
        assert len(np.unique(filling.level[label == number])) == 1


@pytest.mark.parametrize(("deepest", "largest"), [(0.05, None), (None, 20), (0.03, 9), (None, 1), (1e-9, None)])
def test_end_lakes_keep_their_bounds(deepest, largest):
    for seed in range(4):
        heights = smooth_field(70, 50, seed, octaves=6)
        sea = heights < 0.2
        number, levels, filling = end_lakes(heights, sea, deepest=deepest, largest=largest)
        assert len(levels) > 0
        assert not (sea & (number >= 0)).any()
        for lake, level in enumerate(levels):
            inside = number == lake
            floor = heights[inside].min()
            assert level - floor <= (deepest or np.inf) + 1e-15
            assert inside.sum() <= (largest or np.inf)
            assert (heights[inside] <= level).all()
            y, x = np.nonzero(inside)
            shore = {c for i, j in zip(x, y, strict=True) for c in neighbours_of(i, j, 70, 50)}
            assert all(heights[j, i] >= level for i, j in shore if not inside[j, i])
            assert (filling.receiver[inside] == -1).all()
        left = hollows(np.where(number >= 0, filling.level, heights), filling)
        for rest in range(left.max() + 1):
            inside = left == rest
            assert largest is None or inside.sum() <= largest
            assert (filling.level - heights)[inside].max() <= (deepest or np.inf)


def test_without_bounds_no_lake_is_an_end():
    heights = smooth_field(40, 40, 1, octaves=6)
    number, levels, filling = end_lakes(heights)
    assert (number == -1).all()
    assert not levels.size
    assert np.array_equal(filling.receiver, fill(heights).receiver)


def test_what_is_no_height_field_is_refused():
    for heights, message in (
        (np.empty((0, 3)), "heights are empty; expected at least one cell"),
        ([[0.0, np.nan]], "heights holds NaN"),
        ([[0.0, np.inf]], "heights hold an infinite value; expected finite numbers"),
        ([0.0, 1.0], "heights has the wrong shape; found 2; expected any×any"),
    ):
        with pytest.raises(InputError, match=message):
            fill(heights)
    with pytest.raises(InputError, match="outlets has the wrong shape; found 1×2; expected 2×2"):
        fill(np.zeros((2, 2)), [[True, False]])
    with pytest.raises(InputError, match="seed; found -1; expected a whole number from 0"):
        fill(np.zeros((2, 2)), seed=-1)
    with pytest.raises(InputError, match="greatest depth of a lake; found 0; expected a positive length"):
        end_lakes(np.zeros((2, 2)), deepest=0)
    with pytest.raises(InputError, match="greatest area of a lake; found 0; expected a whole number from 1"):
        end_lakes(np.zeros((2, 2)), largest=0)


REPEATABLE = """
import hashlib
import numpy as np
from anabasis.maps.water.filling import accumulated, fill
from anabasis.maps.water.lakes import end_lakes
digest = hashlib.sha256()
y, x = np.mgrid[:30, :37]
for heights in ((x * 7 + y * 13) % 11 / 3.0, x * y % 5 * 1.0):
    for between in (False, True):
        filling = fill(heights, heights < 0.4, seed=2**62 + 5, between=between)
        digest.update(filling.level.tobytes() + filling.receiver.tobytes() + accumulated(filling).tobytes())
    number, levels, filling = end_lakes(heights, deepest=1, largest=4)
    digest.update(number.tobytes() + levels.tobytes() + filling.receiver.tobytes())
print(digest.hexdigest())
"""


def test_the_same_bytes_without_the_compiler():
    def run(**variables):
        command = [sys.executable, "-W", "error", "-c", REPEATABLE]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == run(NUMBA_DISABLE_JIT="1")
