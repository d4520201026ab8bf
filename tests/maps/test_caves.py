"""Caves: the automaton against a convolution, tunnels against the shortest spanning tree of all caves."""

from itertools import combinations

import numpy as np
import pytest
from scipy import ndimage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from anabasis import InputError
from anabasis.maps.structured.caves import JOINS, caves

EIGHT = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])


def raw(width, height, **options):
    """The caves as the automaton leaves them."""
    return caves(width, height, least=1, join="none", **options)


@pytest.mark.parametrize(("birth", "survival"), [(5, 4), (4, 4), (6, 3), (3, 2), (0, 0), (9, 9), (2, 8)])
@pytest.mark.parametrize("size", [(1, 1), (1, 9), (8, 2), (40, 31)])
def test_the_automaton_is_that_of_a_convolution(birth, survival, size):
    options = {"seed": 6, "birth": birth, "survival": survival}
    rock = ~raw(*size, rounds=0, **options)
    for rounds in range(1, 5):
        around = ndimage.convolve(rock.astype(int), EIGHT, mode="constant", cval=1)
        rock = np.where(rock, around >= survival, around >= birth)
        assert np.array_equal(raw(*size, rounds=rounds, **options), ~rock)


def test_noise_has_the_share_of_rock():
    for share in (0.0, 0.3, 0.48, 1.0):
        free = raw(700, 600, share=share, rounds=0)
        assert (~free).mean() == pytest.approx(share, abs=0.004)
    for pair in (free[1:] == free[:-1], free[:, 1:] == free[:, :-1]):
        assert pair.all()
    noise = raw(1000, 1000, share=0.5, rounds=0)
    for pair in (noise[1:] ^ noise[:-1], noise[:, 1:] ^ noise[:, :-1], noise[1:, 1:] ^ noise[:-1, :-1]):
        assert pair.mean() == pytest.approx(0.5, abs=0.003)


@pytest.mark.parametrize("least", [2, 12, 40])
def test_no_cave_and_no_pillar_is_too_small(least):
    for seed in range(6):
        free = caves(90, 70, seed=seed, least=least, join="none")
        for cells in (free, ~free):
            label, count = ndimage.label(cells)
            assert count
            assert np.bincount(label.ravel())[1:].min() >= least


def test_only_the_largest_cave():
    for seed in range(6):
        label, count = ndimage.label(caves(80, 60, seed=seed, share=0.53, join="none"))
        sizes = np.bincount(label.ravel())[1:]
        kept = caves(80, 60, seed=seed, share=0.53, join="largest")
        assert count > 3
        assert kept.sum() == sizes.max()
        assert np.array_equal(kept, label == 1 + sizes.argmax())


def shortest_tunnels(free):
    """The least number of rock cells between caves that a tree of them crosses, from all pairs of caves."""
    label, count = ndimage.label(free)
    places = [np.argwhere(label == number) for number in range(1, count + 1)]
    between = np.zeros((count, count))
    for a, b in combinations(range(count), 2):
        between[a, b] = cdist(places[a], places[b], "cityblock").min() - 1
    return count, minimum_spanning_tree(csr_array(between)).sum()


def test_tunnels_are_the_shortest_that_join_all_caves():
    dug, least = 0, 0
    for seed in range(12):
        size = 40 + seed, 34
        apart = caves(*size, seed=seed, share=0.55, join="none")
        free = caves(*size, seed=seed, share=0.55, tunnel=1)
        count, wanted = shortest_tunnels(apart)
        assert ndimage.label(free)[1] == 1
        assert not (apart & ~free).any()
        # where two tunnels share a part of their ways less is dug
        assert count - 1 <= (free & ~apart).sum() <= wanted
        dug, least = dug + (free & ~apart).sum(), least + wanted
    assert least > 100
    assert dug > 0.9 * least


@pytest.mark.parametrize("tunnel", [2, 3, 5])
def test_wide_tunnels(tunnel):
    for seed in range(4):
        thin, wide = (caves(70, 50, seed=seed, share=0.55, tunnel=width) for width in (1, tunnel))
        assert not (thin & ~wide).any()
        assert ndimage.label(wide)[1] == 1
        apart = caves(70, 50, seed=seed, share=0.55, join="none")
        before = (tunnel - 1) // 2
        dug = np.pad(thin & ~apart, (before, tunnel - 1 - before))
        squares = [np.roll(dug, (y - before, x - before), (0, 1)) for y in range(tunnel) for x in range(tunnel)]
        reach = np.logical_or.reduce(squares)[before:, before:][:50, :70]
        assert np.array_equal(wide, apart | reach)


def test_hardly_a_cave():
    for join in JOINS:
        assert not caves(20, 10, share=1.0, join=join).any()
        assert caves(1, 1, share=0.0, rounds=0, least=1, join=join).all()
        assert caves(30, 20, share=0.0, rounds=0, join=join).all()
        assert not caves(3, 3, share=0.0, rounds=0, join=join).any(), "smaller than the least cave"


def test_a_seed_repeats_and_another_differs():
    for join in JOINS:
        maps = [caves(60, 50, seed=seed, join=join) for seed in (1, 1, 2, 2**63 - 1)]
        assert np.array_equal(maps[0], maps[1])
        assert not np.array_equal(maps[0], maps[2])
        assert not np.array_equal(maps[2], maps[3])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"join": "bridges"}, "unknown way to join caves; found 'bridges'; expected tunnels or largest or none"),
        ({"birth": 10}, "birth limit; found 10; expected 0 to 9 of eight neighbours"),
        ({"survival": -1}, "survival limit"),
        ({"rounds": -1}, "number of rounds"),
        ({"share": 1.2}, "share of rock"),
        ({"tunnel": 0}, "width of a tunnel"),
        ({"least": 0}, "least cave"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        caves(20, 20, **options)
