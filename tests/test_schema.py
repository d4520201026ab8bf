"""The noun Schema: what it checks, how it turns, in which order commands go down."""

from __future__ import annotations

import dataclasses
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.noun import state_hash
from anabasis.schema import Schema, outermost, turn


def arrow() -> Schema:
    """The leader, two behind it, one behind those; numbered so that nothing follows from the numbers."""
    return Schema.of([[5, 9], [5, 5], [4, 7], [6, 7]], [2, 1, 1, 1], [[2, 3]], classes=[0, 1, 0, 0])


def parts(**changes: object) -> dict[str, object]:
    """What a plain schema of three in a file is made of, with changes."""
    return {
        "places": [[0, 0], [0, 1], [0, 2]],
        "ancestor": [0, 0, 1],
        "bindings": [[0, 1], [1, 0], [1, 2], [2, 1]],
        "weights": [1, 2, 3, 4],
        "classes": [0, 0, 0],
    } | changes


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], int]:
    """The commanders of some spots in any numbering, and the leader."""
    k = draw(st.integers(1, 12))
    names = draw(st.permutations(range(k)))
    ancestor = [0] * k
    for i in range(k):
        ancestor[names[i]] = names[draw(st.integers(0, max(i - 1, 0)))]
    return ancestor, names[0]


def test_places_are_as_seen_from_the_leader() -> None:
    schema = arrow()
    assert schema.spots == 4 and schema.leader == 1
    assert schema.places.tolist() == [[0, 4], [0, 0], [-1, 2], [1, 2]]
    assert schema.classes.tolist() == [0, 1, 0, 0]
    assert Schema.of([[5, 9]], [0]).classes.tolist() == [0]


def test_pairs_and_the_hierarchy_are_bound_both_ways_and_once() -> None:
    schema = arrow()
    assert schema.bindings.tolist() == [[0, 2], [1, 2], [1, 3], [2, 0], [2, 1], [2, 3], [3, 1], [3, 2]]
    assert schema.weights.tolist() == [1] * 8
    again = Schema.of(schema.places, schema.ancestor, [[3, 2], [2, 3], [2, 1]], classes=schema.classes)
    assert state_hash(again) == state_hash(schema)


def test_offsets_lead_from_the_first_spot_to_the_second() -> None:
    schema = arrow()
    for (s, t), offset in zip(schema.bindings.tolist(), schema.offsets.tolist(), strict=True):
        assert offset == (schema.places[t] - schema.places[s]).tolist()
    assert schema.offsets[0].tolist() == [-1, -2]


def test_one_spot_alone_has_no_bindings() -> None:
    schema = Schema.of([[3, 4]], [0])
    assert schema.bindings.shape == (0, 2) and schema.offsets.shape == (0, 2) and schema.weights.shape == (0,)
    assert schema.order.tolist() == [0] and schema.turned(77).tolist() == [[0, 0]]


@given(trees())
def test_any_tree_of_commanders_has_its_leader_and_its_order(tree: tuple[list[int], int]) -> None:
    ancestor, leader = tree
    schema = Schema.of(np.arange(2 * len(ancestor)).reshape(-1, 2), ancestor)
    assert schema.leader == leader
    assert not schema.places[leader].any()

    def depth(spot: int) -> int:
        return 0 if spot == leader else 1 + depth(ancestor[spot])

    assert schema.order.tolist() == sorted(range(len(ancestor)), key=lambda s: (depth(s), s))
    assert {frozenset(b) for b in schema.bindings.tolist()} == {
        frozenset((s, a)) for s, a in enumerate(ancestor) if s != a
    }


@given(st.lists(st.integers(0, 4), min_size=1, max_size=5).map(lambda a: [x % len(a) for x in a]))
@settings(max_examples=300)
def test_commanders_are_taken_only_if_all_ways_lead_to_one_leader(ancestor: list[int]) -> None:
    k = len(ancestor)
    tops = set()
    for spot in range(k):
        for _ in range(k):
            spot = ancestor[spot]  # noqa: PLW2901 - a walk up
        tops.add(spot)
    if len(tops) == 1 and ancestor[min(tops)] in tops:
        assert Schema.of(np.zeros((k, 2)), ancestor).leader == min(tops)
    else:
        with pytest.raises(InputError, match="leader"):
            Schema.of(np.zeros((k, 2)), ancestor)


def test_the_four_points_of_the_compass() -> None:
    ahead, right = [0, -1], [1, 0]
    for azimuth, forwards, sidewards in (
        (0, [0, -1], [1, 0]),
        (90, [1, 0], [0, 1]),
        (180, [0, 1], [-1, 0]),
        (270, [-1, 0], [0, -1]),
        (-90, [-1, 0], [0, -1]),
    ):
        assert turn([ahead, right], azimuth) == pytest.approx(np.array([forwards, sidewards]), abs=1e-12)


@given(st.floats(-720, 720), st.floats(-720, 720), st.integers(0, 2**32 - 1))
def test_turns_add_up_and_keep_lengths_and_angles(one: float, other: float, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(2, 3, 2))
    turned = turn(vectors, one)
    assert turned.shape == vectors.shape
    assert turn(turned, other) == pytest.approx(turn(vectors, one + other), abs=1e-9)
    assert turn(turned, -one) == pytest.approx(vectors, abs=1e-9)
    # as complex numbers a turn is one factor of length 1; with y downwards it is clockwise
    factor = np.exp(1j * np.radians(one))
    assert turned[..., 0] + 1j * turned[..., 1] == pytest.approx((vectors[..., 0] + 1j * vectors[..., 1]) * factor)


def test_a_schema_turns_about_its_leader() -> None:
    schema = arrow()
    assert schema.turned(90) == pytest.approx(np.array([[-4, 0], [0, 0], [-2, -1], [-2, 1]]), abs=1e-12)
    assert (schema.turned(0) == schema.places).all()


def test_resized_changes_distances_only() -> None:
    schema = Schema(**parts())
    wide = schema.resized(2.5)
    assert wide.places.tolist() == [[0, 0], [0, 2.5], [0, 5]]
    assert wide.offsets == pytest.approx(schema.offsets * 2.5)
    for name in ("ancestor", "bindings", "weights", "classes"):
        assert (getattr(wide, name) == getattr(schema, name)).all()
    assert state_hash(wide.resized(0.4)) == state_hash(schema)


def test_it_is_frozen_and_travels() -> None:
    schema = arrow()
    for field in dataclasses.fields(schema):
        with pytest.raises(ValueError, match="read-only"):
            getattr(schema, field.name)[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        schema.places = np.zeros((4, 2))
    again = pickle.loads(pickle.dumps(schema))  # noqa: S301 - what worker processes do with it
    assert state_hash(again) == state_hash(schema)
    assert "places=float64[4, 2]" in repr(schema)


def test_every_field_counts_in_the_hash() -> None:
    changed = (
        {},
        {"places": [[0, 0], [0, 1], [0, 3]]},
        {"ancestor": [1, 1, 1], "places": [[0, -1], [0, 0], [0, 1]]},
        {"bindings": [[1, 0], [0, 1], [1, 2], [2, 1]]},
        {"weights": [1, 2, 3, 5]},
        {"classes": [0, 0, 1]},
    )
    assert len({state_hash(Schema(**parts(**change))) for change in changed}) == len(changed)


WRONG = {
    "found no spot": parts(places=[], ancestor=[], bindings=[], weights=[], classes=[]),
    "places of a schema has the wrong shape; found 3×3": parts(places=np.zeros((3, 3))),
    "places of a schema holds NaN": parts(places=[[0, 0], [0, np.nan], [0, 2]]),
    "places of a schema; found inf": parts(places=[[0, 0], [0, np.inf], [0, 2]]),
    "the place of spot 0, the leader's; found (1, 0)": parts(places=[[1, 0], [0, 1], [0, 2]]),
    "ancestors of a schema has the wrong shape": parts(ancestor=[0, 0]),
    "a commander in a schema; found spot 3; expected a spot from 0 to 2": parts(ancestor=[0, 0, 3]),
    "a commander in a schema; found spot -1": parts(ancestor=[0, 0, -1]),
    "the leader of a schema; found none": parts(ancestor=[1, 2, 0]),
    "the leader of a schema; found 2 of them, spots 0 and 2": parts(ancestor=[0, 0, 2]),
    "the commanders of spot 1 in a schema; found a ring": parts(ancestor=[0, 2, 1]),
    "bindings of a schema must be whole numbers": parts(bindings=[[0, 1], [1, 0], [1, 2], [2, 1.5]]),
    "a binding of a schema; found spot 3; expected spots 0 to 2": parts(bindings=[[0, 1], [1, 0], [1, 2], [2, 3]]),
    "a binding of a schema; found spot 1 bound to itself": parts(bindings=[[0, 1], [1, 0], [1, 1], [2, 1]]),
    "found one of them twice; expected each ordered pair once": parts(bindings=[[0, 1], [1, 0], [0, 1], [2, 1]]),
    "the binding of spots 2 and 0; found one direction; expected both": parts(
        bindings=[[0, 1], [1, 0], [1, 2], [2, 1], [2, 0]], weights=[1] * 5
    ),
    "spot 2 of a schema; found no binding with its commander, spot 1": parts(bindings=[[0, 1], [1, 0], [0, 2], [2, 0]]),
    "weights of a schema has the wrong shape": parts(weights=[1, 1]),
    "weights of a schema; found 0.0; expected finite weights above 0": parts(weights=[1, 1, 0, 1]),
    "weights of a schema; found -2.0": parts(weights=[1, 1, -2, 1]),
    "expected finite weights above 0": parts(weights=[1, 1, np.inf, 1]),
    "classes of a schema has the wrong shape": parts(classes=[0]),
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_parts(text: str) -> None:
    assert Schema(**parts()).spots == 3
    with pytest.raises(InputError, match=re.escape(text)):
        Schema(**WRONG[text])


def test_wrong_parts_of_one_made_from_pairs() -> None:
    places = [[0, 0], [0, 1]]
    for wrong, text in (
        (lambda: Schema.of(places, [0]), "ancestors of a schema has the wrong shape"),
        (lambda: Schema.of(places, [0, 1]), "found 2 of them"),
        (lambda: Schema.of(places, [0, 0], [[0, 2]]), "a binding of a schema; found spot 2"),
        (lambda: Schema.of(places, [0, 0], [[1, 1]]), "bound to itself"),
        (lambda: Schema.of(places, [0, 0], [[0, 1, 1]]), "pairs of a schema has the wrong shape"),
        (lambda: Schema.of(places, [0, 0], classes=[1]), "classes of a schema has the wrong shape"),
    ):
        with pytest.raises(InputError, match=text):
            wrong()


def test_a_part_keeps_distances_bindings_and_the_hierarchy_that_is_left() -> None:
    #        0
    #      1   2
    #    3       4
    places = [[0, 0], [-2, 2], [2, 2], [-4, 4], [4, 4]]
    schema = Schema.of(places, [0, 0, 0, 1, 2], [[3, 4], [1, 2]])
    part = schema.part([0, 2, 3, 4])
    assert part.ancestor.tolist() == [0, 0, 0, 1] and part.places.tolist() == [[0, 0], [2, 2], [-4, 4], [4, 4]]
    pairs = {tuple(pair) for pair in part.bindings.tolist()}
    assert pairs == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 3), (3, 1), (2, 3), (3, 2)}
    beheaded = schema.part([1, 2, 3, 4])  # the first of the next rank leads
    assert beheaded.ancestor.tolist() == [0, 0, 0, 1] and beheaded.places.tolist() == [[0, 0], [4, 0], [-2, 2], [6, 2]]
    assert schema.part(range(5)).bindings.tolist() == schema.bindings.tolist()
    for wrong in ([], [1, 0], [0, 0], [0, 5], [-1]):
        with pytest.raises(InputError, match="spots of a part"):
            schema.part(np.array(wrong, np.int64))


def test_a_part_keeps_weights() -> None:
    schema = Schema.of([[0, 0], [0, 1], [0, 2]], [0, 0, 1])
    heavy = Schema(schema.places, schema.ancestor, schema.bindings, np.arange(1.0, 5.0), schema.classes)
    part = heavy.part([1, 2])
    assert part.weights.tolist() == heavy.weights[2:].tolist()


def test_spacing_is_that_of_different_places() -> None:
    assert Schema.of([[0, 0], [3, 4], [3, 5.5]], [0, 0, 0]).spacing == 1.5
    assert Schema.of([[0, 0], [3, 4], [3, 4]], [0, 0, 0]).spacing == 5.0
    assert Schema.of([[0, 0]], [0]).spacing == 1.0


def test_the_outermost_of_a_rank_is_told_for_each_side() -> None:
    places = [[0, 0], [-1, 2], [3, 2], [2, 2], [-4, 4], [0, 4]]
    assert outermost(places).tolist() == [0, 1, 3, 3, 4, 0]


def test_how_little_room_ranks_can_do_with() -> None:
    """A rank of four, 2 apart, and one of a single spot far to the right, which can be drawn in as far as one likes."""
    schema = Schema.of([[0, 0], [-2, 0], [2, 0], [4, 0], [9, 3]], [0, 0, 0, 0, 0])
    assert schema.least_room(0.5).tolist() == [0.5, 1.0]
    assert schema.least_room(5.0).tolist() == [2.0, 4.0]  # no wider than the rank is
    assert Schema.of([[0, 0], [0, 1], [0, 1]], [0, 0, 0]).least_room(1.0).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("left", "right", "files", "middle"), [(2, 2, 5, 0), (0.2, 3.8, 5, 1.8), (0.4, 0.4, 1, 0)])
def test_files_are_beside_the_way_as_the_room_is(left: float, right: float, files: int, middle: float) -> None:
    schema = Schema.of([[x * 2.0, y * 2.0] for y in range(4) for x in range(-2, 3)], [2] * 20)
    places = schema.in_files(left, right, 1.0)
    assert (places[2] == 0).all()
    others = np.delete(places, 2, axis=0)
    assert others[:, 0].min() >= -left - 1e-9 and others[:, 0].max() <= right + 1e-9
    first = np.sort(others[others[:, 1] == 2.0, 0])
    assert len(first) == files and first.mean() == pytest.approx(middle)
    assert len(np.unique(others.round(9), axis=0)) == 19
