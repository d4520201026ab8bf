import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from anabasis import Grid, InputError
from anabasis.io.placement import Disc, Rectangle, pack

NOBODY = np.zeros((0, 3))
OPEN = Grid.from_free(np.ones((20, 30), bool))


def faults(places: np.ndarray, shape: Rectangle | Disc, grid: Grid, radius: float, taken: np.ndarray) -> list[str]:
    """Check places by brute force, each pair and each cell, without the packing's own code."""
    found = []
    slack = 1e-6
    for i, (x, y) in enumerate(places.tolist()):
        if isinstance(shape, Disc):
            inside = math.hypot(x - shape.x, y - shape.y) + radius <= shape.radius + slack
        else:
            inside = (
                shape.x - slack <= x - radius
                and x + radius <= shape.x + shape.width + slack
                and shape.y - slack <= y - radius
                and y + radius <= shape.y + shape.height + slack
            )
        if not inside:
            found.append(f"{i} out of shape")
        if min(x, y, grid.width - x, grid.height - y) < radius - slack:
            found.append(f"{i} out of map")
        for cy, cx in np.argwhere(~grid.free).tolist():
            gap = math.hypot(max(cx - x, 0, x - cx - 1), max(cy - y, 0, y - cy - 1))
            if gap < radius - slack:
                found.append(f"{i} in wall")
        for j, (ox, oy) in enumerate(places[:i].tolist()):
            if math.hypot(x - ox, y - oy) < 2 * radius - slack:
                found.append(f"{i} on {j}")
        for ox, oy, r in taken.tolist():
            if math.hypot(x - ox, y - oy) < radius + r - slack:
                found.append(f"{i} on another group")
    return found


def test_the_checker_finds_each_fault() -> None:
    grid = Grid.from_text("....\n.#..\n....\n....")
    shape = Rectangle(0, 0, 4, 4)
    assert faults(np.array([[0.5, 0.5], [3.5, 3.5]]), shape, grid, 0.5, NOBODY) == []
    assert faults(np.array([[0.5, 0.5], [1.0, 0.5]]), shape, grid, 0.5, NOBODY) == ["1 on 0"]
    assert faults(np.array([[2.4, 1.5]]), shape, grid, 0.5, NOBODY) == ["0 in wall"]
    assert "0 out of map" in faults(np.array([[0.4, 0.5]]), shape, grid, 0.5, NOBODY)
    assert faults(np.array([[3.5, 3.5]]), Disc(1, 1, 1), grid, 0.5, NOBODY) == ["0 out of shape"]
    assert faults(np.array([[3.5, 3.5]]), shape, grid, 0.5, np.array([[3, 3, 0.5]])) == ["0 on another group"]


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_places_are_inside_clear_and_apart(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    grid = Grid.from_free(data.draw(arrays(bool, (height, width), elements=st.sampled_from([True, True, True, False]))))
    numbers = st.floats(-2, 10).map(lambda v: round(v, 3))
    lengths = st.floats(0.1, 12).map(lambda v: round(v, 3))
    radius = data.draw(st.sampled_from([0.2, 0.3, 0.45, 0.5, 0.77, 1.0, 1.6]))
    if data.draw(st.booleans()):
        shape: Rectangle | Disc = Rectangle(*(data.draw(s) for s in (numbers, numbers, lengths, lengths)))
    else:
        shape = Disc(data.draw(numbers), data.draw(numbers), data.draw(lengths))
    taken = data.draw(st.lists(st.tuples(numbers, numbers, st.sampled_from([0.3, 0.5, 1.2])), max_size=3))
    circles = np.array(taken, np.float64).reshape(-1, 3)
    try:
        places = pack(shape, grid, radius, taken=circles)
    except InputError as error:
        assert error.problem == "the units don't fit"
        return
    assert len(places) >= 1
    assert faults(places, shape, grid, radius, circles) == []
    fewer = pack(shape, grid, radius, max(1, len(places) // 2), taken=circles)
    assert len(fewer) == max(1, len(places) // 2)
    assert {tuple(p) for p in fewer.tolist()} <= {tuple(p) for p in places.tolist()}
    with pytest.raises(InputError, match=f"room for {len(places)} of radius"):
        pack(shape, grid, radius, len(places) + 1, taken=circles)


def test_whole_cells_hold_a_unit_each() -> None:
    corridor = Grid.from_text("#########\n#.......#\n#########")
    places = pack(Rectangle(0, 0, 9, 3), corridor, 0.5, taken=NOBODY)
    assert places.tolist() == [[x + 0.5, 1.5] for x in range(1, 8)]


def test_large_areas_are_packed_in_hexagons() -> None:
    places = pack(Rectangle(0, 0, 30, 20), OPEN, 0.5, taken=NOBODY)
    assert len(places) > 30 * 20 * 1.08
    disc = pack(Disc(15, 10, 10), OPEN, 0.5, taken=NOBODY)
    assert len(disc) * math.pi * 0.25 / (math.pi * 100) > 0.78


def test_few_units_stand_around_the_centre_in_reading_order() -> None:
    places = pack(Rectangle(4, 4, 10, 10), OPEN, 0.5, 9, taken=NOBODY)
    assert np.abs(places - 9).max() < 2.1
    assert (np.diff(places[:, 1]) >= 0).all() or (np.diff(places[:, 0]) >= 0).all()
    assert np.array_equal(places, pack(Rectangle(4, 4, 10, 10), OPEN, 0.5, 9, taken=NOBODY))


def test_a_shape_far_larger_than_the_map_is_cut_to_it() -> None:
    small = Grid.from_free(np.ones((3, 3), bool))
    assert len(pack(Rectangle(-1e9, -1e9, 2e9, 2e9), small, 0.5, taken=NOBODY)) == 9
    assert len(pack(Disc(0, 0, 1e12), small, 1.4, taken=NOBODY)) == 1
    with pytest.raises(InputError, match="room for 0 of radius 700"):
        pack(Disc(0, 0, 1e12), small, 700, taken=NOBODY)


def test_too_fine_a_lattice_is_refused() -> None:
    with pytest.raises(InputError, match="too many places for units"):
        pack(Rectangle(0, 0, 30, 20), OPEN, 1e-4, 3, taken=NOBODY)
