"""Options: what is taken for a count, a share and a length, and what the errors say."""

import math

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.options import check_choice, check_count, check_length, check_seed, check_share


def test_numbers_of_any_kind_become_plain_ones() -> None:
    for value in (3, 3.0, np.int32(3), np.float64(3)):
        count, length = check_count(value, "n"), check_length(value, "n")
        assert (count, type(count), length, type(length)) == (3, int, 3.0, float)
    assert check_share(0, "n") == 0 and check_share(True, "n") == 1


@pytest.mark.parametrize(
    ("check", "value", "text"),
    [
        (check_count, -1, "n; found -1; expected a whole number from 0"),
        (check_count, 1.5, "n must be whole numbers"),
        (check_count, math.nan, "n must be whole numbers"),
        (check_count, "3", "n must be numbers"),
        (check_count, None, "n must be numbers"),
        (check_count, [3], "n has the wrong shape"),
        (check_seed, -1, r"n; found -1; expected a whole number from 0 to 9223372036854775807"),
        (check_seed, 2**63, "expected a whole number from 0 to 9223372036854775807"),
        (check_share, 1.01, "n; found 1.01; expected a share"),
        (check_share, -math.inf, "n; found -inf; expected a share"),
        (check_share, math.nan, "n holds NaN"),
        (check_length, 0, "n; found 0; expected a positive length"),
        (check_length, math.inf, "n; found inf; expected a positive length"),
        (check_length, math.nan, "n holds NaN"),
    ],
)
def test_anything_else_is_told(check, value, text: str) -> None:
    with pytest.raises(InputError, match=text):
        check(value, "n")


def test_a_range_and_words_of_ones_own() -> None:
    assert (check_count(1, "n", 1, 5), check_count(5, "n", 1, 5)) == (1, 5)
    for value in (0, 6):
        with pytest.raises(InputError, match="expected a whole number from 1 to 5"):
            check_count(value, "n", 1, 5)
        with pytest.raises(InputError, match="expected a few"):
            check_count(value, "n", 1, 5, expected="a few")


def test_a_choice_is_a_place_in_a_list() -> None:
    assert [check_choice(word, "rule", ("one", "two")) for word in ("one", "two")] == [0, 1]
    with pytest.raises(InputError, match="unknown rule; found 'three'; expected one or two"):
        check_choice("three", "rule", ("one", "two"))
