"""Options: what is taken for a count, a share and a length, and what the errors say."""

import math

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.options import (
    check_choice,
    check_count,
    check_each,
    check_kind,
    check_length,
    check_pairs,
    check_seed,
    check_share,
    check_switch,
)


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
        (check_count, [[1], [2, 3]], "n must be an array; found a list that is none"),
        (check_count, 2**63, "n; found 9223372036854775808; expected a whole number from 0 to 9223372036854775807"),
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
    for wrong in ([], np.zeros(2), None):
        with pytest.raises(InputError, match="unknown rule"):
            check_choice(wrong, "rule", ("one", "two"))


def test_a_switch_is_on_or_off() -> None:
    assert [check_switch(value, "n") for value in (True, False, np.True_)] == [True, False, True]
    for wrong in (1, 0, "no", None, []):
        with pytest.raises(InputError, match=r"n; found .*; expected True or False"):
            check_switch(wrong, "n")


def test_things_are_of_a_kind() -> None:
    check_kind(3, int, "n")
    check_kind("a", (int, str), "n")
    check_each((1, 2), int, "n")
    check_pairs([("a", 1), [2, 3]], "n", "(name, cost)")
    for call, message in (
        (lambda: check_kind(None, int, "n"), r"^n; found NoneType; expected int$"),
        (
            lambda: check_kind(3, (str, list), "n", "like this"),
            r"^n; found int; expected str or list. Hint: like this$",
        ),
        (lambda: check_kind(3, str, "n", file="a.txt"), "^a.txt: n; found int; expected str$"),
        (lambda: check_each(3, int, "n"), "^n; found int; expected list or tuple$"),
        (lambda: check_each([1, "a"], int, "n"), "^n, one of them; found str; expected int$"),
        (lambda: check_pairs(["ab"], "n", "(name, cost)"), "^n, one of them; found str; expected list or tuple"),
        (lambda: check_pairs([(1,)], "n", "(name, cost)"), r"^n, one of them; found \(1,\); expected \(name, cost\)$"),
    ):
        with pytest.raises(InputError, match=message):
            call()
