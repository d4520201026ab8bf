"""The validator of simulated marches finds each way in which one can be wrong."""

from dataclasses import replace

import numpy as np
import pytest

from anabasis import Grid
from anabasis.formation.shapes import schema_of
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Order
from anabasis.manoeuvring import simulate_manoeuvre
from anabasis.metrics.simulated_marches import simulated_march_faults

TICK = 0.1


def marched(space=None, scale=1.0):
    """Return a manoeuvre of three units, and its march."""
    grid = Grid.from_text("\n".join(["." * 19 + "#"] * 20))
    schema = schema_of("line", 3, spacing=2.0 * scale)
    order = (Order(np.array([[10.5, 5.5]]) * scale),)
    formation = Formation(schema, (10.5 * scale, 14.5 * scale), 0.0, order, pace=np.array([1.0, 1.0, 1.5]))
    manoeuvre = Manoeuvre(grid if space is None else space, (formation,))
    return manoeuvre, simulate_manoeuvre(manoeuvre, tick=TICK).value


def faults(manoeuvre, march, trace=None, spot=None, trouble=("",)):
    """Return what is found wrong with a march, or with another trace of it."""
    trace, spot = march.trace if trace is None else trace, march.spot if spot is None else spot
    return simulated_march_faults(manoeuvre, trace, spot, trouble, tick=TICK)


def moved(trace, frame, unit, place):
    """Return a trace in which a unit is elsewhere in one frame."""
    positions = trace.positions.copy()
    positions[frame, unit] = place
    return replace(trace, positions=positions)


def test_sound_marches_have_no_faults():
    for manoeuvre, march in (marched(), marched(Lattice.uniform(20, 20), 20.0)):
        assert march.trace.finished == 3 and march.trouble == ("",)
        assert faults(manoeuvre, march) == []


@pytest.mark.parametrize(
    ("frame", "unit", "place", "said"),
    [
        (20, 1, (19.5, 10.5), "unit 1: is where nobody can walk, and"),
        (20, 1, (-0.1, 10.5), "is where nobody can walk"),
        (20, 0, (10.5, 9.0), "unit 0: is there quicker than its pace allows"),
        (20, 0, (np.inf, 9.0), "a position is no number"),
    ],
)
def test_a_unit_elsewhere_is_found(frame, unit, place, said):
    manoeuvre, march = marched()
    found = faults(manoeuvre, march, moved(march.trace, frame, unit, place))
    assert any(said.removesuffix(", and") in fault for fault in found)


def test_a_unit_that_is_a_little_too_quick_is_found():
    manoeuvre, march = marched()
    positions = march.trace.positions.copy()
    positions[11:, 2] -= (0.0, 0.04)  # a tenth of a second at its pace are 0.067 cells
    found = faults(manoeuvre, march, replace(march.trace, positions=positions))
    assert any("step 11, unit 2: is there quicker" in fault for fault in found)


def test_units_in_one_another_are_found():
    manoeuvre, march = marched()
    positions = march.trace.positions.copy()
    positions[:, 2] = positions[:, 0] + (0.3, 0.0)
    positions[0] = march.trace.positions[0]
    found = faults(manoeuvre, march, replace(march.trace, positions=positions))
    assert any("units 0 and 2 are in one another" in fault for fault in found)


def test_who_does_not_stand_in_its_place_is_found_unless_it_is_told():
    manoeuvre, march = marched()
    last = len(march.trace.times) - 1
    x, y = march.trace.positions[-1, 1].tolist()
    away = moved(march.trace, last, 1, (x, y + 1.5))
    assert any("stands" in fault and "from its place" in fault for fault in faults(manoeuvre, march, away))
    assert not any("stands" in fault for fault in faults(manoeuvre, march, away, trouble=("told",)))
    turned = march.spot.copy()
    turned[-1, [0, 1]] = turned[-1, [1, 0]]
    assert any("from its place" in fault for fault in faults(manoeuvre, march, spot=turned))
    twice = march.spot.copy()
    twice[-1] = 0
    assert "formation 0: two units hold one spot" in faults(manoeuvre, march, spot=twice, trouble=("told",))
    assert any("a spot that there isn't" in fault for fault in faults(manoeuvre, march, spot=march.spot + 1))
    assert faults(manoeuvre, march, trouble=()) != []


def test_records_that_contradict_themselves_are_found():
    manoeuvre, march = marched()
    early = replace(march.trace, arrival=march.trace.arrival - 1)
    assert any("arrived at step" in fault for fault in faults(manoeuvre, march, early))
    assert faults(manoeuvre, march, replace(march.trace, group=np.array([0, 0, 1])))[0].startswith("its 3 units")


def test_nobody_on_triangles_is_off_the_ground():
    ground = np.ones((20, 20))
    ground[8:, 5] = np.inf
    manoeuvre, march = marched(Lattice.from_ground(ground), 20.0)
    assert faults(manoeuvre, march) == []
    row = 11 * 10 * 3**0.5
    beside = [faults(manoeuvre, march, moved(march.trace, 20, 1, (x, row))) for x in (70.0, 110.0, 180.0)]
    for x, y in ((-1000.0, -1000.0), (1e6, 0.0), (200.0, -20.1)):
        assert any("nobody can walk" in fault for fault in faults(manoeuvre, march, moved(march.trace, 20, 1, (x, y))))
    walls = [any("nobody can walk" in fault for fault in found) for found in beside]
    assert walls == [False, True, False]
