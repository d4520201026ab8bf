"""Groves: a field of density whose woods are an exact share of the map, and hang together."""

import numpy as np
import pytest

from anabasis import InputError
from anabasis.maps.cover.groves import groves


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.8, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (67, 31), (130, 90)])
def test_the_share_of_woods_is_exact(shape, share):
    width, height = shape
    field = groves(width, height, seed=4, share=share)
    assert field.shape == (height, width)
    assert field.min() >= 0 and field.max() <= 1
    assert (field > 0).sum() == round(share * width * height)


def test_a_wider_share_holds_the_narrower():
    narrow, wide = groves(90, 70, seed=9, share=0.2), groves(90, 70, seed=9, share=0.5)
    assert (wide >= narrow).all()


def test_woods_are_groves_and_no_noise():
    """Neighbours of a wood cell are wood far more often than in independent cells, and more so in larger groves."""

    def alike(size):
        woods = groves(200, 200, seed=3, size=size, share=0.35) > 0
        return (woods[:, 1:] & woods[:, :-1]).sum() / woods[:, :-1].sum()

    assert 0.35 < alike(2) < alike(8) < alike(24)
    assert alike(16) > 0.9


def test_seed_and_layer_make_other_fields_and_the_same_ones_repeat():
    one = groves(60, 50, seed=1)
    assert np.array_equal(one, groves(60, 50, seed=1))
    for other in (groves(60, 50, seed=2), groves(60, 50, seed=1, layer=1)):
        assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.35


def test_a_grove_larger_than_the_map():
    assert groves(20, 20, seed=1, size=1e9, share=0.5).shape == (20, 20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0.0}, "size of a grove; found 0.0; expected a positive length"),
        ({"share": 1.5}, "share of woods; found 1.5; expected a share from 0 to 1"),
        ({"seed": -1}, "seed; found -1"),
        ({"width": 0}, "width; found 0; expected a whole number from 1 to 16384"),
        ({"layer": -1}, "layer; found -1"),
    ],
)
def test_wrong_options_are_refused(options, message):
    given = {"width": 5, "height": 5, "seed": 1, **options}
    with pytest.raises(InputError, match=message):
        groves(given.pop("width"), given.pop("height"), **given)
