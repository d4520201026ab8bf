"""The sides of a map that is to be made, as every kind of generator checks them."""

from __future__ import annotations

import pytest

from anabasis.errors import InputError
from anabasis.maps.cover.groves import groves
from anabasis.maps.cover.trees import Trees
from anabasis.maps.land.climate import latitude
from anabasis.maps.shape import check_shape
from anabasis.maps.structured.caves import caves
from anabasis.maps.terrain.diamond_square import diamond_square
from anabasis.maps.terrain.hills import hills
from anabasis.maps.terrain.value_noise import value_noise

MAKERS = (groves, latitude, caves, diamond_square, hills, value_noise)


def test_shape_is_rows_and_columns():
    assert check_shape(3, 2) == (2, 3)
    assert check_shape(16384, 4096) == (4096, 16384)
    assert check_shape(5, 4, least_width=5, least_height=4) == (4, 5)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("width", "height", "message"),
    [
        (0, 5, "width; found 0; expected a whole number from 1 to 16384"),
        (5, 16385, "height; found 16385; expected a whole number from 1 to 16384"),
        (5, 2.5, "height must be whole numbers"),
        (16384, 16384, "the map is too large; found 16384 × 16384 cells = 268435456; expected at most 67108864 cells"),
    ],
)
def test_wrong_sides_are_refused_alike(make, width, height, message):
    with pytest.raises(InputError, match=message):
        make(width, height, seed=1)


def test_least_sides_and_maps_of_trees():
    with pytest.raises(InputError, match="width; found 4; expected a whole number from 5 to 16384"):
        check_shape(4, 4, least_width=5)
    with pytest.raises(InputError, match="the map is too large"):
        Trees(16384, 16384, [], [], ())
