"""What passes a gate: the source's formula, and the table between and beyond what was measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import InputError
from anabasis.flow.throughput import FOLLOWS, PASSAGES, capacity, measured_rates

UNIT = {"radius": 0.5, "speed": 0.15}
KINDS = [(passage, follows) for passage in PASSAGES for follows in FOLLOWS]


def test_at_full_speed_as_many_pass_as_fit_side_by_side():
    got = capacity([0, 0.99, 1, 1.5, 3, 3.99], **UNIT, calibrated=False)
    assert got.tolist() == [0, 0, 1500, 1500, 4500, 4500]
    assert capacity([0.6], radius=0.1, speed=0.05, calibrated=False).tolist() == [7500]  # 0.6 / 0.2 is below 3
    assert capacity(4.0, radius=1.0, speed=0.2, calibrated=False) == 2000


def test_the_shape_is_kept_and_numbers_are_whole():
    assert capacity(3.0, **UNIT).shape == ()
    got = capacity(np.ones((2, 3)), **UNIT)
    assert got.shape == (2, 3)
    assert got.dtype == np.int64
    assert capacity([], **UNIT).size == 0


@pytest.mark.parametrize(("passage", "follows"), KINDS)
def test_at_measured_widths_it_is_what_was_measured(passage, follows):
    width, rate = measured_rates(passage, follows)
    got = capacity(width, **UNIT, passage=passage, follows=follows)
    assert got.tolist() == np.floor(rate * 1500 + 1e-9).astype(int).tolist()
    assert width[:2].tolist() == [0.5, 1.0]
    assert width[-1] == 16


@pytest.mark.parametrize(("passage", "follows"), KINDS)
@settings(deadline=None)
@given(widths=st.lists(st.floats(0, 60), min_size=2, max_size=20))
def test_it_never_falls_with_the_width_and_stays_below_full_speed(passage, follows, widths):
    widths = np.sort(widths)
    got = capacity(widths, **UNIT, passage=passage, follows=follows)
    assert (np.diff(got) >= 0).all()
    assert (got <= np.maximum(widths, 0.4) * 1500).all()


def test_between_and_beyond_it_is_straight_and_below_the_narrowest_nothing():
    width, rate = measured_rates("gap", "paths")
    halfway = capacity((width[3] + width[4]) / 2, **UNIT)
    assert halfway == int((rate[3] + rate[4]) / 2 * 1500)
    slope = (rate[-1] - rate[-2]) / (width[-1] - width[-2])
    assert capacity(width[-1] + 10, **UNIT) == int((rate[-1] + 10 * slope) * 1500)
    assert capacity([0, 0.3, 0.49], **UNIT).tolist() == [0, 0, 0]
    assert capacity(0.5, **UNIT) > 0


@given(width=st.floats(0, 40), scale=st.sampled_from((0.25, 0.5, 2.0, 4.0)))
def test_only_widths_in_diameters_and_speeds_in_diameters_count(width, scale):
    assert capacity(width, **UNIT) == capacity(width * scale, radius=0.5 * scale, speed=0.15 * scale)


def test_what_units_follow_and_what_lies_behind_the_gate_matter_at_wide_gates():
    def at(width, passage, follows):
        return int(capacity(width, **UNIT, passage=passage, follows=follows))

    assert at(8, "gap", "lanes") > 1.5 * at(8, "gap", "paths")
    assert at(8, "gap", "paths") > 1.5 * at(8, "bend", "paths")
    assert at(2, "gap", "lanes") < 1.2 * at(2, "gap", "paths")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"width": -1.0}, "width of a gate"),
        ({"width": [1.0, np.nan]}, "width of a gate"),
        ({"width": np.inf}, "width of a gate"),
        ({"radius": 0.0}, "radius of a unit"),
        ({"speed": -0.1}, "speed of a unit"),
        ({"follows": "leaders"}, "paths or points or lanes or field or own"),
        ({"passage": "door"}, "gap or corridor or bend"),
    ],
)
def test_wrong_input_is_named(change, problem):
    given = {"width": 1.0, **UNIT, **change}
    with pytest.raises(InputError, match=problem):
        capacity(given.pop("width"), **given)


def test_the_kept_table_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        measured_rates("gap", "field")[1][0] = 9
