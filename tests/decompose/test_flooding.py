"""Flooding: against a slow reading of the published pseudocode, word by word, on sets and dictionaries."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage

from anabasis.decompose.clearance import clearance
from anabasis.decompose.flooding import Flooding, flood
from anabasis.decompose.regions import PARAMETERS
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.movingai import load_map

MAPS = arrays(bool, st.tuples(st.integers(1, 25), st.integers(1, 25)), elements=st.sampled_from([True] * 5 + [False]))
OWN = st.tuples(st.integers(1, 14), st.integers(1, 4), st.integers(0, 5))

Cell = tuple[int, int]


def beside(cell: Cell) -> list[Cell]:
    """Return the neighbours by side in the order up, left, right, down."""
    y, x = cell
    return [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]


def slow_springs(level: dict[Cell, int]) -> tuple[dict[Cell, int], list[Cell]]:
    """Return the label of each cell and the cells of the springs."""
    label: dict[Cell, int] = {}
    springs: list[Cell] = []
    for here in sorted(set(level.values()), reverse=True):
        rest = {cell for cell, depth in level.items() if depth == here}
        while rest:
            wave = {cell: [label[n] for n in beside(cell) if n in label] for cell in sorted(rest)}
            wave = {cell: labels[0] for cell, labels in wave.items() if labels}
            if not wave:
                springs.append(min(rest))
                wave = {min(rest): len(springs) - 1}
            label.update(wave)
            rest -= wave.keys()
    return label, springs


def slow_lakes(level: dict[Cell, int], label: dict[Cell, int], springs: list[Cell], threshold: int) -> list[set[int]]:
    """Return sets of springs that are one lake: the deepest contact first, of equals that of the first cell."""
    contacts: list[tuple[int, int, int]] = []
    for cell in sorted(label):
        for other in beside(cell)[2:]:
            if other in label and label[other] != label[cell]:
                contacts.append((min(level[cell], level[other]), label[cell], label[other]))
    lakes = [{k} for k in range(len(springs))]
    for depth, a, b in sorted(contacts, key=lambda contact: -contact[0]):
        one, two = (next(lake for lake in lakes if k in lake) for k in (a, b))
        deepest = [max(level[springs[k]] for k in lake) for lake in (one, two)]
        if one is not two and min(deepest) - depth < threshold:
            one |= two
            lakes.remove(two)
    return lakes


def compare(grid: Grid, parameters: tuple[int, int, int]) -> Flooding:
    denominator, walls, threshold = parameters
    depth = clearance(grid, walls)
    level = {(int(y), int(x)): max(1, int(depth[y, x]) // denominator) for y, x in np.argwhere(grid.free)}
    label, springs = slow_springs(level)
    flooding = flood(grid, parameters)
    assert np.array_equal(flooding.depth, depth)
    for cell, own in label.items():
        assert flooding.level[cell] == level[cell]
        assert flooding.spring[cell] == own
    assert (flooding.spring[~grid.free] == -1).all()
    assert (flooding.lake[~grid.free] == -1).all()
    named: dict[int, set[int]] = {}
    for cell, own in label.items():
        named.setdefault(int(flooding.lake[cell]), set()).add(own)
    lakes = slow_lakes(level, label, springs, threshold)
    assert sorted(map(sorted, named.values())) == sorted(map(sorted, lakes))
    assert sorted(named) == list(range(len(lakes)))
    sources = [y * grid.width + x for y, x in (springs[min(named[k])] for k in range(len(lakes)))]
    assert flooding.source.tolist() == sources
    return flooding


@settings(deadline=None)
@given(MAPS, st.sampled_from(PARAMETERS))
def test_equals_the_plain_reading(free, parameters):
    compare(Grid.from_free(free), parameters)


@settings(deadline=None)
@given(MAPS, OWN)
def test_equals_the_plain_reading_at_any_numbers(free, parameters):
    compare(Grid.from_free(free), parameters)


@pytest.mark.parametrize("parameters", [PARAMETERS[k] for k in (0, 3, 5, 8)])
def test_equals_the_plain_reading_on_a_game_map(movingai, parameters):
    compare(load_map(movingai / "dao" / "arena.map"), parameters)


def dumb_bell(side: int = 11, corridor: int = 4) -> Grid:
    """Two square rooms with a corridor of one cell between them."""
    free = np.zeros((side, 2 * side + corridor), bool)
    free[:, :side], free[:, -side:] = True, True
    free[side // 2] = True
    return Grid.from_free(free)


def test_two_rooms_are_two_lakes_until_the_threshold_is_the_depth_of_a_room():
    deep, shallow = 60, 10  # tenths of a cell in the middle of a room, and in the corridor
    for threshold, lakes in ((1, 2), (deep - shallow, 2), (deep - shallow + 1, 1)):
        flooding = compare(dumb_bell(), (1, 1, threshold))
        assert len(flooding.source) == lakes
    assert [dumb_bell().cell(v) for v in flooding.source.tolist()] == [(5, 5)]


def test_lakes_are_connected_and_hold_their_source():
    free = ndimage.gaussian_filter(np.random.default_rng(5).random((90, 120)), 2) > 0.48
    grid = Grid.from_free(free)
    for parameters in PARAMETERS:
        flooding = flood(grid, parameters)
        for k, source in enumerate(flooding.source.tolist()):
            assert ndimage.label(flooding.lake == k)[1] == 1
            x, y = grid.cell(source)
            assert flooding.lake[y, x] == k
            assert flooding.level[y, x] == flooding.level[flooding.lake == k].max()


def test_a_higher_threshold_never_makes_more_lakes():
    free = np.random.default_rng(2).random((50, 50)) < 0.85
    counts = [len(flood(Grid.from_free(free), (2, 1, threshold)).source) for threshold in range(12)]
    assert all(a >= b for a, b in pairwise(counts))
    assert counts[0] > counts[-1]


@pytest.mark.parametrize(("side", "walls"), [(128, 1), (129, 2)])
def test_walls_of_0_go_by_the_size_of_the_map(side, walls):
    free = np.random.default_rng(1).random((20, side)) < 0.9
    own, adaptive = (flood(Grid.from_free(free), (5, w, 3)) for w in (walls, 0))
    assert np.array_equal(own.depth, adaptive.depth)
    assert np.array_equal(own.lake, adaptive.lake)


def test_degenerate_maps():
    wall = flood(Grid.from_free(np.zeros((4, 3), bool)), PARAMETERS[0])
    assert wall.source.size == 0
    assert (wall.lake == -1).all()
    one = flood(Grid.from_free(np.ones((1, 1), bool)), PARAMETERS[10])
    assert one.lake.tolist() == [[0]]
    assert one.source.tolist() == [0]
    line = flood(Grid.from_free(np.ones((1, 300), bool)), (4, 1, 1))
    assert len(line.source) == 1


def test_stages_of_different_sizes_are_refused():
    small, large = np.zeros((2, 2), np.int32), np.zeros((2, 3), np.int32)
    with pytest.raises(InputError, match="lake"):
        Flooding(small, small, small, large, np.zeros(1, np.int64))
