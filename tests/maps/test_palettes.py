"""Palettes: letters at levels, shares that come out as asked, and what is refused."""

import re

import numpy as np
import pytest

from anabasis import Grid, InputError
from anabasis.maps.land.levels import levels, thresholds
from anabasis.maps.land.palettes import PALETTES, Palette, paint, paint_heights, palette
from anabasis.movement import TERRAIN_NAMES


def field(seed, side=129):
    return np.random.default_rng(seed).normal(size=(side, side)).cumsum(axis=0).cumsum(axis=1)


def shares_of(terrain):
    return {letter: float((terrain == ord(letter)).mean()) for letter in TERRAIN_NAMES}


@pytest.mark.parametrize("name", PALETTES)
def test_each_terrain_has_its_share_of_the_cells(name):
    known, real = PALETTES[name], shares_of(paint_heights(field(1), name))
    wanted = dict.fromkeys(TERRAIN_NAMES, 0.0)
    for letter, part in zip(known.letters, np.diff([0, *known.shares, 1]), strict=True):
        wanted[letter] += part
    assert real == pytest.approx(wanted, abs=1e-3)


def test_the_five_types_of_the_source_and_who_can_walk_on_them():
    terrain = paint_heights(np.arange(100.0).reshape(10, 10))
    assert "".join(map(chr, terrain.ravel())) == "W" * 50 + "," * 6 + "G" * 29 + "^" * 10 + "*" * 5
    land, ship = (Grid.from_terrain(terrain, movement).free.ravel() for movement in ("land", "water"))
    assert np.flatnonzero(land).tolist() == list(range(50, 85))
    assert np.flatnonzero(ship).tolist() == list(range(50))


def test_the_same_heights_in_another_palette_keep_their_levels():
    heights = field(3)
    for known in PALETTES.values():
        level = levels(heights, thresholds(heights, known.shares))
        painted = paint(level, known)
        for k, letter in enumerate(known.letters):
            assert (painted[level == k] == ord(letter)).all()
    low = heights < thresholds(heights, [0.25])
    assert (paint_heights(heights, "hot")[low] == ord("S")).all()
    assert (paint_heights(heights, "temperate")[low] == ord("W")).all()


def test_by_range_is_another_map():
    heights = field(4) ** 3
    assert (paint_heights(heights) != paint_heights(heights, by="range")).mean() > 0.1


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_is_read_back_from_its_text(name):
    known = PALETTES[name]
    again = palette(known.text)
    assert (again.letters, again.name) == (known.letters, known.text)
    assert again.shares == pytest.approx(known.shares, abs=1e-12)


def test_palettes_are_named_and_written():
    assert palette("arctic") is PALETTES["arctic"]
    own = palette("W33.5 .90 T")
    assert palette(own) is own
    assert (own.letters, own.shares) == ("W.T", (0.335, 0.9))
    assert PALETTES["temperate"].text == "W50 ,56 G85 ^95 *"
    assert PALETTES["temperate"].about() == "water 50 %, coast 6 %, grass 29 %, rock 10 %, snow 5 %"
    assert palette("150 .50 2").about() == "ground at price 1 50 %, ground 0 %, ground at price 2 50 %"


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_a_sea_of_another_size(name, share):
    known = PALETTES[name]
    other = known.with_lowest(share)
    assert other.shares[0] == share
    assert other.letters == known.letters
    parts, before = (np.diff([*palette.shares, 1]) for palette in (other, known))
    assert parts == pytest.approx(before * (1 - share) / (1 - known.shares[0]), abs=1e-12)
    assert known.with_lowest(known.shares[0]).shares == pytest.approx(known.shares)


def test_a_sea_over_everything_or_nothing():
    drowned = Palette("drowned", "WG*", (1.0, 1.0))
    assert drowned.with_lowest(0.5).shares == (0.5, 0.5)
    assert palette("W0 G100 *").with_lowest(1).shares == (1, 1)
    assert Palette("one", "G", ()).with_lowest(0.3).shares == ()
    with pytest.raises(InputError, match="share in the palette 'temperate'; found 3; expected a share from 0 to 1"):
        palette("temperate").with_lowest(3)


def test_a_level_that_does_not_rise_has_no_cell():
    assert shares_of(paint_heights(field(5), "W50 ,50 G85 *"))[","] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mild", "unknown palette; found 'mild'; expected temperate or lakeland or"),
        ("", "unknown palette; found ''"),
        ("W50 q60 G", "letter of the palette 'W50 q60 G'; found 'q'; expected terrain letters: . G S"),
        ("W50 ,x G", "a level of a palette; found ',x'; expected a terrain letter and a percentage, such as W50"),
        ("W50 , G", "a level of a palette; found ','"),
        ("W50 G100", "highest level of a palette; found 'G100'; expected a letter alone"),
        ("W150 G", "share in the palette 'W150 G'; found 1.5; expected a cumulative share from 0 to 1"),
        ("W-5 G", "share in the palette 'W-5 G'; found -0.05"),
        ("Wnan G", "share in the palette 'Wnan G'; found nan"),
        ("Ö50 G", "letter of the palette 'Ö50 G'; found 'Ö'"),
    ],
)
def test_wrong_texts_are_refused(text, message):
    with pytest.raises(InputError, match=re.escape(message)):
        palette(text)


def test_wrong_palettes_and_levels_are_refused():
    with pytest.raises(InputError, match="palette 'mine'; found 3 letters and 1 shares; expected a share for"):
        Palette("mine", "W,G", (0.5,))
    with pytest.raises(InputError, match="palette 'mine'; found 0 letters"):
        Palette("mine", "", ())
    with pytest.raises(InputError, match="level for the palette 'arctic'; found 5; expected 0 to 4"):
        paint(np.array([[0, 5]]), "arctic")
    with pytest.raises(InputError, match="levels is out of range"):
        paint(np.array([[0, -1]]))
    with pytest.raises(InputError, match="heights must be finite"):
        paint_heights([[np.inf]])
    with pytest.raises(InputError, match="unknown way to cut levels"):
        paint_heights([[1.0]], by="share")
