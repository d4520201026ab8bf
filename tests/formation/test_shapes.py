"""Shapes: every formation for 1 to 40 units: its places, its layers, who commands whom, how it fills an area."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation import shapes
from anabasis.formation.shapes import SHAPES, schema_of
from anabasis.lattice import Lattice
from anabasis.schema import Schema

LAYERED = ("line", "column", "diamond", "wedge", "box", "staggered")
RINGS = ("square", "circle")
UNITS = range(1, 41)


def apart(schema: Schema) -> np.ndarray:
    """The distance of each two spots."""
    return np.hypot(*(schema.places[:, None] - schema.places).transpose(2, 0, 1))


def layers_of(schema: Schema) -> list[list[int]]:
    """The spots of each layer, by how far back they are, each from left to right."""
    depth = schema.places[:, 1].round(6)
    return [sorted(np.flatnonzero(depth == y).tolist(), key=lambda s: schema.places[s, 0]) for y in np.unique(depth)]


def sizes(shape: str, units: int) -> list[int]:
    return [len(layer) for layer in layers_of(schema_of(shape, units))]


def mirrored(schema: Schema) -> bool:
    """Whether the left half is the right half's mirror image."""
    x, y = (schema.places - [np.ptp(schema.places[:, 0]) / 2 + schema.places[:, 0].min(), 0]).round(6).T + 0.0
    return Counter(zip(x, y, strict=True)) == Counter(zip(-x + 0.0, y, strict=True))


def both_ways(schema: Schema) -> set[frozenset[int]]:
    """The bound pairs; fails unless each is there in both directions."""
    given = Counter(map(tuple, schema.bindings.tolist()))
    assert set(given.values()) <= {1}
    assert all((t, s) in given for s, t in given)
    return {frozenset(pair) for pair in given}


@pytest.mark.parametrize(("shape", "units"), list(product(SHAPES, UNITS)))
def test_a_spot_for_each_unit_behind_the_leader_and_none_too_close(shape: str, units: int) -> None:
    schema = schema_of(shape, units)
    assert schema.spots == units and schema.leader == 0
    assert schema.places[:, 1].min() == 0
    if units > 1:
        assert apart(schema)[np.triu_indices(units, 1)].min() == pytest.approx(40)
    # of two middle spots of the front the leader holds the right one
    front = sorted(schema.places[schema.places[:, 1] == 0, 0])
    assert front.index(0) == len(front) // 2
    assert (schema.weights == 1).all() and not schema.classes.any()


@pytest.mark.parametrize(("shape", "units"), list(product(SHAPES, UNITS)))
def test_everybody_is_under_the_leader(shape: str, units: int) -> None:
    schema = schema_of(shape, units)
    pairs = both_ways(schema)
    for spot in range(units):
        above, steps = spot, 0
        while above != 0:
            assert frozenset((above, int(schema.ancestor[above]))) in pairs
            above, steps = int(schema.ancestor[above]), steps + 1
            assert steps < units


@pytest.mark.parametrize(("shape", "units"), list(product(LAYERED, UNITS)))
def test_layers_follow_the_nearest_spot_of_the_layer_before(shape: str, units: int) -> None:
    schema = schema_of(shape, units)
    layers, distance = layers_of(schema), apart(schema).round(6)
    assert [spot for layer in layers[1:] for spot in layer] == list(range(len(layers[0]), units))
    expected = {frozenset(pair) for layer in layers for pair in pairwise(layer)}
    for spot in layers[0]:  # the neighbour towards the leader
        closer = [t for t in layers[0] if distance[spot, t] == 40 and distance[0, t] < distance[0, spot]]
        assert schema.ancestor[spot] == (closer[0] if spot else 0)
    for before, layer in pairwise(layers):
        for spot in layer:
            least = min(distance[spot, t] for t in before)
            nearest = [t for t in before if distance[spot, t] == least]
            assert schema.ancestor[spot] == min(nearest)
            expected |= {frozenset((spot, t)) for t in nearest}
    assert both_ways(schema) == expected


@pytest.mark.parametrize(("shape", "units"), list(product(RINGS, UNITS)))
def test_rings_follow_the_neighbour_towards_the_leader(shape: str, units: int) -> None:
    schema = schema_of(shape, units)
    centre = np.array((schema.places[:, 0].min() + np.ptp(schema.places[:, 0]) / 2, np.ptp(schema.places[:, 1]) / 2))
    x, y = (schema.places - centre).T
    ring = np.argsort(np.arctan2(x, -y), kind="stable").tolist()  # clockwise
    ring = ring[ring.index(0) :] + ring[: ring.index(0)]
    if shape == "square" and units < 4:
        assert schema.ancestor.tolist() == [0] * units
        return
    assert both_ways(schema) == {frozenset((s, t)) for s, t in pairwise([*ring, ring[0]]) if s != t}
    for i, spot in enumerate(ring):
        ways = (i, ring[i - 1]), (units - i, ring[(i + 1) % units])
        assert schema.ancestor[spot] == (min(ways)[1] if 2 * i != units else min(ways[0][1], ways[1][1])) * (i > 0)
    # numbered outwards, left before right
    assert [ring.index(s) for s in range(units)] == [(-(s + 1) // 2 if s % 2 else s // 2) % units for s in range(units)]


@pytest.mark.parametrize(("shape", "units"), list(product(SHAPES, UNITS)))
def test_complete_formations_are_their_own_mirror_image(shape: str, units: int) -> None:
    rows = sizes(shape, units)
    complete = {
        "line": True,
        "column": True,
        "diamond": math.isqrt(units) ** 2 == units,
        "wedge": units % 2 == 1,
        "square": units >= 4,
        "circle": True,
        "box": True,
        "staggered": rows[-1] == (rows[0] if len(rows) % 2 else rows[1]),
    }
    if complete[shape]:
        assert mirrored(schema_of(shape, units))


def test_a_cut_layer_has_no_mirror_image() -> None:
    assert not mirrored(schema_of("wedge", 4))
    assert not mirrored(schema_of("diamond", 2))


@pytest.mark.parametrize(("shape", "units"), list(product(SHAPES, UNITS)))
def test_an_area_is_filled_and_changes_nothing_else(shape: str, units: int) -> None:
    plain, fitted = schema_of(shape, units), schema_of(shape, units, area=(300, 70))
    extent = np.ptp(plain.places, axis=0)
    for axis, side in enumerate((300, 70)):
        if extent[axis] > 1:
            assert np.ptp(fitted.places[:, axis]) == pytest.approx(side)
            assert fitted.places[:, axis] / side == pytest.approx(plain.places[:, axis] / extent[axis])
        else:
            assert fitted.places[:, axis] == pytest.approx(np.zeros(units))
    assert (fitted.ancestor == plain.ancestor).all() and (fitted.bindings == plain.bindings).all()


def test_the_sides_that_count() -> None:
    assert schema_of("column", 3, area=(5, 60)).places.tolist() == [[0, 0], [0, 30], [0, 60]]
    assert schema_of("line", 3, area=(60, 5)).places.tolist() == [[0, 0], [-30, 0], [30, 0]]
    assert schema_of("circle", 2, area=(50, 60)).places == pytest.approx(np.array([[0, 0], [0, 60]]))
    assert schema_of("wedge", 1, area=(5, 5)).places.tolist() == [[0, 0]]


@pytest.mark.parametrize(("shape", "units"), list(product(SHAPES, (1, 2, 7, 16, 33))))
def test_twice_the_spacing_is_the_schema_resized(shape: str, units: int) -> None:
    small, big = schema_of(shape, units, spacing=15), schema_of(shape, units, spacing=30)
    assert big.places == pytest.approx(small.resized(2).places)
    assert (big.bindings == small.bindings).all() and (big.ancestor == small.ancestor).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_a_function_too(shape: str) -> None:
    own = getattr(shapes, shape)(6, area=(50, 60))
    assert (own.places == schema_of(shape, 6, area=(50, 60)).places).all()
    assert shape in shapes.__all__


def test_sizes_of_layers() -> None:
    assert sizes("line", 7) == [7]
    assert sizes("column", 7) == [1] * 7
    assert sizes("diamond", 9) == [1, 2, 3, 2, 1]
    assert sizes("diamond", 16) == [1, 2, 3, 4, 3, 2, 1]
    assert sizes("wedge", 9) == [1, 2, 2, 2, 2]
    assert sizes("wedge", 8) == [1, 2, 2, 2, 1]
    assert sizes("box", 12) == [4, 4, 4]
    assert sizes("box", 14) == [4, 4, 4, 2]
    assert sizes("staggered", 14) == [4, 3, 4, 3]
    assert sizes("staggered", 13) == [4, 3, 4, 2]


@pytest.mark.parametrize("n", range(1, 7))
def test_a_diamond_is_the_next_larger_one_without_its_rear(n: int) -> None:
    whole = schema_of("diamond", n * n)
    assert sizes("diamond", n * n) == [min(i, 2 * n - i) for i in range(1, 2 * n)]
    spots = {tuple(place) for place in whole.places.round(6).tolist()}
    for units in range((n - 1) ** 2 + 1, n * n):
        cut = schema_of("diamond", units)
        kept = {tuple(place) for place in cut.places.round(6).tolist()}
        assert kept < spots
        assert min(y for _, y in spots - kept) >= max(y for _, y in kept)
        last = layers_of(cut)[-1]
        assert np.diff(cut.places[last, 0]) == pytest.approx(np.full(len(last) - 1, 40.0))
        # off the middle by half a spot at most, to the left
        assert round(float(cut.places[last, 0].mean()), 6) in {0.0, -20.0}


def test_a_wedge_grows_wider_from_layer_to_layer() -> None:
    schema = schema_of("wedge", 41)
    widths = [np.ptp(schema.places[layer, 0]) for layer in layers_of(schema)]
    assert widths == pytest.approx([40 * i for i in range(21)])
    assert schema_of("wedge", 40).places == pytest.approx(schema.places[:40])


def test_a_box_is_as_near_to_a_square_as_it_can_be() -> None:
    for units in UNITS:
        rows = sizes("box", units)
        assert len(set(rows[:-1])) <= 1 and rows[-1] <= rows[0]
        # no other number of columns has a smaller longer side
        longer = min(max(wide, -(-units // wide)) for wide in range(1, units + 1))
        assert max(rows[0], len(rows)) == longer
        assert rows[0] - len(rows) in {0, 1}


def test_staggered_rows_are_shifted_by_half_a_spacing() -> None:
    for units in UNITS:
        schema = schema_of("staggered", units, spacing=2)
        for i, layer in enumerate(layers_of(schema)):
            off = schema.places[layer, 0] % 2
            assert (off == i % 2).all()


@pytest.mark.parametrize("shape", ["line", "diamond", "wedge", "staggered"])
@pytest.mark.parametrize("units", [1, 8, 25, 40])
def test_by_default_spots_are_vertices_of_a_lattice(shape: str, units: int) -> None:
    lattice = Lattice.uniform(90, 90)
    start = lattice.points[lattice.vertex(88, 2)]
    away = lattice.points[:, None] - (start + schema_of(shape, units).places)
    assert np.hypot(away[..., 0], away[..., 1]).min(0) == pytest.approx(np.zeros(units), abs=1e-9)


SQUARES = {  # the layouts of the specification, on a side of 1, as seen from the leader
    4: [(0, 0), (-1, 0), (0, 1), (-1, 1)],
    5: [(0, 0), ("-1/2", 0), ("1/2", 0), ("-1/2", 1), ("1/2", 1)],
    7: [(0, 0), ("-1/2", 0), ("1/2", 0), ("-1/2", "1/2"), ("1/2", "1/2"), ("-1/2", 1), ("1/2", 1)],
    8: [(0, 0), ("-1/2", 0), ("1/2", 0), ("-1/2", "1/2"), ("1/2", "1/2"), ("-1/2", 1), ("1/2", 1), (0, 1)],
    9: [
        *[(0, 0), ("-1/2", 0), ("1/2", 0), ("-1/2", "1/2"), ("1/2", "1/2"), ("-1/2", 1), ("1/2", 1)],
        *[("-1/6", 1), ("1/6", 1)],
    ],
}


@pytest.mark.parametrize("units", SQUARES)
def test_small_squares(units: int) -> None:
    expected = [[float(Fraction(c)) for c in place] for place in SQUARES[units]]
    assert schema_of("square", units, area=(1, 1)).places == pytest.approx(np.array(expected))


def test_squares_of_less_than_four_hold_corners() -> None:
    whole = schema_of("square", 4)
    for units in (1, 2, 3):
        assert (schema_of("square", units).places == whole.places[:units]).all()


@pytest.mark.parametrize("units", range(5, 200))
def test_the_sides_of_a_square_are_as_even_as_they_can_be(units: int) -> None:
    places = schema_of("square", units, area=(1, 1)).places.round(6)
    left, right, rear = places[:, 0] == -0.5, places[:, 0] == 0.5, places[:, 1] == 1
    front = places[:, 1] == 0
    assert (left | right | rear | front).all()
    assert ((left | right) & (front | rear)).sum() == 4
    parts = [int(side.sum()) - 1 for side in (front, left, right, rear)]
    assert sum(parts) == units and parts[1] == parts[2] and parts[0] % 2 == 0
    for side, axis in ((front, 0), (left, 1), (right, 1), (rear, 0)):
        steps = np.diff(np.sort(places[side, axis]))
        assert steps == pytest.approx(np.full(len(steps), 1 / len(steps)), abs=1e-5)
    unevenness = sum(n * n for n in parts)
    for a in range(2, units, 2):
        for b in range(1, (units - a) // 2 + 1):
            c = units - a - 2 * b
            assert c < 1 or a * a + 2 * b * b + c * c >= unevenness


def test_a_circle_is_round_and_its_neighbours_equally_far() -> None:
    for units in range(2, 41):
        schema = schema_of("circle", units, spacing=1)
        radius = 0.5 / math.sin(math.pi / units)
        assert np.hypot(*(schema.places - [0, radius]).T) == pytest.approx(np.full(units, radius))
        assert np.hypot(*schema.offsets.T) == pytest.approx(np.ones(len(schema.bindings)))


BAD = {
    "unknown shape of a formation; found 'colunm'; expected line or column": lambda: schema_of("colunm", 3),
    "units of a formation; found 0; expected a whole number from 1": lambda: schema_of("line", 0),
    "units of a formation; found 1000001": lambda: schema_of("circle", 1_000_001),
    "units of a formation must be whole numbers": lambda: schema_of("wedge", 2.5),  # pyright: ignore
    "found both a spacing and an area": lambda: schema_of("box", 3, spacing=40, area=(10, 10)),
    "spacing of a formation; found 0; expected a positive length": lambda: schema_of("box", 3, spacing=0),
    "spacing of a formation; found inf": lambda: schema_of("box", 3, spacing=math.inf),
    "area of a formation has the wrong shape": lambda: schema_of("box", 3, area=(1, 2, 3)),  # pyright: ignore
    "width of a formation; found -1": lambda: schema_of("box", 3, area=(-1, 2)),
    "depth of a formation; found inf": lambda: schema_of("box", 3, area=(1, math.inf)),
}


@pytest.mark.parametrize("text", BAD)
def test_wrong_input(text: str) -> None:
    with pytest.raises(InputError) as error:
        BAD[text]()
    assert text in str(error.value)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_refuses_what_is_no_number_of_units(shape: str) -> None:
    for units in (0, -1, 1_000_001):
        with pytest.raises(InputError, match="units of a formation"):
            schema_of(shape, units)
