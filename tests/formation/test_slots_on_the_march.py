"""Who holds which spot on the march: each its own, or given out anew at an order; where a formation faces."""

import math

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.lattice import Lattice
from anabasis.manoeuvre import SLOTS, Formation, Manoeuvre, Modules, Order
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import measure
from anabasis.schema import Schema

STEP = 20.0
ROW = STEP * math.sqrt(3) / 2


def about(schema: Schema, rows: int, modules: Modules) -> tuple[Manoeuvre, March]:
    """Let a formation that faces north march so many rows to the south."""
    lattice = Lattice.uniform(40, 60, 1.0, STEP)
    formation = Formation.of(schema, (400.0, 10 * ROW), 0.0, (400.0, (10 + rows) * ROW), modules)
    manoeuvre = Manoeuvre(lattice, (formation,))
    found = march(manoeuvre).value
    assert found is not None
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    return manoeuvre, found


@pytest.mark.parametrize("slots", SLOTS[1:])
def test_spots_given_out_anew_save_most_of_the_way_of_a_turn(slots: str) -> None:
    schema = schema_of("square", 8, spacing=40.0)
    walked = {}
    for method in ("own", slots):
        _, found = about(schema, 24, Modules(slots=method, planning="trivial", paths="simple"))
        walked[method] = float(found.trace.counters.distance_travelled.sum())
        held = np.sort(found.spot, axis=1)
        assert (held == np.arange(8)).all()
        # in the end everybody is in the spot that it holds
        assert shape_error(schema, found.formed(0)[-1]) < 200.0
        assert (found.spot[-1] == np.arange(8)).all() == (method == "own")
    assert walked[slots] < walked["own"]


def test_a_column_that_turns_is_led_by_its_rear() -> None:
    schema = schema_of("column", 5, spacing=40.0)
    _, found = about(schema, 30, Modules(slots="total"))
    assert found.spot[0].tolist() == [4, 3, 2, 1, 0]
    assert (found.formed(0)[:, 0] == found.trace.positions[:, 4]).all()
    _, kept = about(schema, 4, Modules(slots="total"))  # the rear one is beyond the target already
    assert kept.spot[0].tolist() == [0, 1, 2, 3, 4]


def test_units_only_take_spots_of_their_class() -> None:
    places = [[0, 0], [-40, 34.6], [40, 34.6], [-40, 69.3], [40, 69.3]]
    schema = Schema.of(places, [0, 0, 0, 1, 2], classes=[0, 1, 1, 2, 2])
    _, found = about(schema, 30, Modules(slots="longest"))
    kinds = schema.classes
    assert (kinds[found.spot] == kinds).all()
    assert found.spot[0, 0] == 0


def test_a_new_order_gives_out_spots_again() -> None:
    schema = schema_of("column", 3, spacing=40.0)
    orders = (Order(np.array([[400.0, 10 * ROW]])), Order(np.array([[400.0, 50 * ROW]]), 5.0))
    formation = Formation(schema, (400.0, 30 * ROW), 0.0, orders, Modules(slots="total"))
    found = march(Manoeuvre(Lattice.uniform(40, 60, 1.0, STEP), (formation,))).value
    assert found is not None
    assert found.spot[0].tolist() == [0, 1, 2] and found.spot[-1].tolist() == [2, 1, 0]
    change = np.flatnonzero(np.diff(found.spot[:, 0]))
    assert found.seconds[change + 1].tolist() == [5.0]


def test_measures_go_by_spots_and_speeds_by_units() -> None:
    schema = schema_of("column", 3)
    places = np.repeat(schema.places[None], 4, 0)
    swapped = places.copy()
    swapped[2:] = swapped[2:, ::-1]
    spots = np.array([[0, 1, 2], [0, 1, 2], [2, 1, 0], [2, 1, 0]])
    seconds = np.arange(4.0)
    measures = measure(schema, seconds, swapped, radius=5.0, spots=spots)
    assert measures.e1 == measures.peak == measures.out_of_shape == 0
    assert measures.speed_variance > 0
    with pytest.raises(InputError, match="one that two hold"):
        measure(schema, seconds, swapped, radius=5.0, spots=np.zeros((4, 3), int))


def test_a_formation_can_face_as_its_leader_goes_on() -> None:
    """By the chord of three steps of a zigzag it is turned aside, by the way it faces north all the time."""
    off = {}
    schema = schema_of("wedge", 5)
    for facing in ("chord", "way"):
        lattice = Lattice.uniform(40, 60, 1.0, STEP)
        modules = Modules(facing=facing, ties="straight")
        formation = Formation.of(schema, (400.0, 50 * ROW), 0.0, (400.0, 10 * ROW), modules)
        found = march(Manoeuvre(lattice, (formation,))).value
        assert found is not None
        off[facing] = float(np.median(shape_error(schema, found.formed(0))))
    assert off["way"] < off["chord"]
