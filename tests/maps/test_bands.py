"""Bands: distances against SciPy, votes and specks against plain Python, and the land turned and mirrored."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.land.bands import coast, near, smoothed, transition_bands, without_specks

LANDS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.sampled_from(b"WG^"))
TURNS = [lambda a: a[:, ::-1], lambda a: a[::-1], np.transpose, np.rot90]


def land(*rows):
    return np.array([list(row.encode()) for row in rows], np.uint8)


def rows(terrain):
    return ["".join(map(chr, row)) for row in terrain.tolist()]


def parts(terrain):
    """The connected parts of one letter, as sets of cells."""
    height, width = terrain.shape
    graph = nx.grid_2d_graph(height, width)
    graph.remove_edges_from([(a, b) for a, b in graph.edges if terrain[a] != terrain[b]])
    return list(nx.connected_components(graph))


@settings(max_examples=100, deadline=None)
@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=14)), st.sampled_from([0.3, 1, 1.5, 2, 3.2, 50]))
def test_near_is_the_distance_of_centres(mask, distance):
    if mask.any():
        wanted = ndimage.distance_transform_edt(~mask) <= distance
        assert np.array_equal(near(mask, distance), wanted)
    else:
        assert not near(mask, distance).any()


def test_a_coast_lies_along_water_and_nowhere_else():
    terrain = np.random.default_rng(1).choice(np.frombuffer(b"WGGGG^*=", np.uint8), (40, 60))
    for width in (1, 2, 4.5):
        beach = coast(terrain, width=width)
        close = ndimage.distance_transform_edt(terrain != ord("W")) <= width
        kept = (terrain == ord("W")) | (terrain == ord("="))
        assert np.array_equal(beach == ord(","), close & ~kept)
        assert np.array_equal(beach[~(close & ~kept)], terrain[~(close & ~kept)])


def test_coasts_of_other_letters():
    terrain = land("SGGG^W")
    assert rows(coast(terrain, width=1)) == ["SGGG,W"]
    assert rows(coast(terrain, width=2, water="S", beach=".")) == ["S..G^W"]
    assert rows(coast(terrain, width=2, keep="^")) == ["SGG,^W"]
    assert rows(coast(land("GG"))) == ["GG"]


def test_bands_lie_on_both_sides_of_a_border():
    assert rows(transition_bands(land("jjjjdddd"), {"jd": "G"})) == ["jjjGGddd"]
    assert rows(transition_bands(land("jjjjdddd"), {"dj": "G"}, width=2)) == ["jjGGGGdd"]
    assert rows(transition_bands(land("SSSjjjddd"))) == ["SSGGjGGdd"]
    assert rows(transition_bands(land("SSjddt"), {"Sj": "G", "jd": ","})) == ["SGG,dt"]  # the first band stands
    assert rows(transition_bands(land("jjdd"), {})) == ["jjdd"]
    terrain = np.random.default_rng(3).choice(np.frombuffer(b"jd", np.uint8), (30, 30))
    for width in (1, 2.5):
        other = np.where(
            terrain == ord("j"),
            ndimage.distance_transform_edt(terrain == ord("j")),
            ndimage.distance_transform_edt(terrain == ord("d")),
        )
        assert np.array_equal(transition_bands(terrain, {"jd": "G"}, width=width) == ord("G"), other <= width)


@settings(max_examples=100, deadline=None)
@given(LANDS, st.integers(1, 3))
def test_the_most_votes_win(terrain, radius):
    height, width = terrain.shape
    after = smoothed(terrain, radius=radius)
    for y in range(height):
        for x in range(width):
            window = terrain[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
            votes = np.bincount(window.ravel(), minlength=256)
            best = [int(k) for k in np.flatnonzero(votes == votes.max())]
            assert after[y, x] == (terrain[y, x] if terrain[y, x] in best else best[0])


def test_smoothing_shortens_borders_and_stops():
    terrain = np.where(np.random.default_rng(4).random((80, 80)) < 0.5, ord("W"), ord("G")).astype(np.uint8)

    def border(a):
        return int((a[:, 1:] != a[:, :-1]).sum() + (a[1:] != a[:-1]).sum())

    lengths = [border(smoothed(terrain, rounds=k)) for k in range(5)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[4] < lengths[0] / 3
    assert np.array_equal(smoothed(terrain, rounds=0), terrain)
    twice = smoothed(smoothed(terrain, radius=2), radius=2)
    assert np.array_equal(smoothed(terrain, radius=2, rounds=2), twice)
    one = np.full((3, 4), ord("G"), np.uint8)
    assert np.array_equal(smoothed(one, rounds=9), one)


@settings(max_examples=150, deadline=None)
@given(LANDS, st.integers(1, 9))
def test_no_speck_is_left_and_large_parts_only_grow(terrain, least):
    after = without_specks(terrain, least=least)
    large = [part for part in parts(terrain) if len(part) >= least]
    if not large:
        assert np.array_equal(after, terrain)
        return
    assert min(map(len, parts(after))) >= least
    for part in large:
        assert len({int(terrain[cell]) for cell in part} | {int(after[cell]) for cell in part}) == 1
    assert set(after.ravel()) <= set(terrain.ravel())


def test_a_speck_takes_the_letter_of_most_around_it():
    assert rows(without_specks(land("GGGGG", "GGWGG", "GGGGG"), least=2)) == ["GGGGG"] * 3
    assert rows(without_specks(land("WWWWW", "WW^GG", "GGGGG"), least=3)) == ["WWWWW", "WWGGG", "GGGGG"]  # two each
    assert rows(without_specks(land("WW^^GG"), least=2)) == ["WW^^GG"]
    assert rows(without_specks(land("WWW^*GGG"), least=3)) == ["WWWWGGGG"]  # from both sides at once
    assert rows(without_specks(land("WW^GG"), least=2)) == ["WWGGG"]  # one each: the least code


@pytest.mark.parametrize("turn", TURNS, ids=["mirrored", "upside down", "transposed", "turned"])
@pytest.mark.parametrize("change", [coast, smoothed, without_specks, transition_bands])
def test_directions_are_all_alike(change, turn):
    terrain = np.random.default_rng(6).choice(np.frombuffer(b"WSGGjjd^", np.uint8), (23, 31))
    terrain = ndimage.zoom(terrain, 2, order=0)
    assert np.array_equal(change(turn(terrain)), turn(change(terrain)))


def test_one_cell_is_land():
    one = land("G")
    for change in (coast, smoothed, without_specks, transition_bands):
        assert rows(change(one)) == ["G"]


def test_wrong_input_is_refused():
    terrain = land("WG")
    with pytest.raises(InputError, match="width of a band; found 0; expected a positive length"):
        coast(land("WG"), width=0)
    with pytest.raises(InputError, match="letter of water; found 'w'; expected terrain letters"):
        coast(terrain, water="w")
    for wrong in ("", ",,"):
        with pytest.raises(InputError, match=r"letter of the beach; found '(|,,)'; expected one terrain letter"):
            coast(terrain, beach=wrong)
    with pytest.raises(InputError, match="letter of the beach; found '!'"):
        coast(terrain, beach="!")
    with pytest.raises(InputError, match="letter to keep; found 'q'"):
        coast(terrain, keep="q")
    with pytest.raises(InputError, match="band; found 'j': 'G'; expected a letter for a pair of letters"):
        transition_bands(terrain, {"j": "G"})
    with pytest.raises(InputError, match="letter of a band; found 'q'"):
        transition_bands(terrain, {"jd": "q"})
    with pytest.raises(InputError, match="radius of smoothing; found 0"):
        smoothed(terrain, radius=0)
    with pytest.raises(InputError, match="rounds of smoothing; found -1"):
        smoothed(terrain, rounds=-1)
    with pytest.raises(InputError, match="least cells of a part; found 0"):
        without_specks(terrain, least=0)
    with pytest.raises(InputError, match="terrain has the wrong shape"):
        smoothed([1, 2])
