"""Ranks that follow their leader's track: through a gate narrower than the formation, and in shape again behind it."""

import math

import numpy as np
import pytest

from anabasis.formation.ground import Ground
from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults

STEP = 20.0
ROW = STEP * math.sqrt(3) / 2


def gate(width: int) -> Lattice:
    """Make a map with a wall across, whose gate is so many vertices wide."""
    price = np.ones((50, 30))
    price[24:26] = np.inf
    price[24:26, 15 - width // 2 : 15 - width // 2 + width] = 1.0
    return Lattice.from_ground(price, STEP)


def through(width: int, orientation: str) -> tuple[Manoeuvre, March]:
    modules = Modules(paths="simple", ties="straight", orientation=orientation, fragment=4)
    formation = Formation.of(schema_of("wedge", 7), (300.0, 40 * ROW), 0.0, (300.0, 8 * ROW), modules)
    manoeuvre = Manoeuvre(gate(width), (formation,))
    found = march(manoeuvre).value
    assert found is not None
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    assert (found.trace.arrival >= 0).all() and found.trouble == ("",)
    return manoeuvre, found


def spread(found: March, row: float) -> float:
    """Return how wide the last rank is when its middle crosses a row."""
    rear = found.formed(0)[:, 5:7]
    frame = int(np.abs(rear[..., 1].mean(1) - row * ROW).argmin())
    return float(np.ptp(rear[frame, :, 0]))


def test_a_wedge_is_drawn_in_at_a_gate_and_forms_again() -> None:
    _, found = through(3, "track")
    wide = float(np.ptp(schema_of("wedge", 7).places[5:7, 0]))
    assert spread(found, 24.5) <= 2 * STEP + 1e-6 < wide
    assert spread(found, 14) == pytest.approx(wide, abs=STEP)
    errors = shape_error(schema_of("wedge", 7), found.formed(0))
    assert errors[-1] < 1e-9 or errors[-1] < 0.1 * errors.max()


def test_nobody_is_drawn_in_where_there_is_room() -> None:
    _, found = through(15, "track")
    wide = float(np.ptp(schema_of("wedge", 7).places[5:7, 0]))
    for row in (30, 24.5, 14):
        assert spread(found, row) == pytest.approx(wide, abs=STEP)


def test_a_column_goes_around_a_corner_in_its_leaders_track() -> None:
    lattice = Lattice.uniform(40, 60, 1.0, STEP)
    schema = schema_of("column", 6, spacing=40.0)
    off = {}
    for orientation in ("whole", "track"):
        modules = Modules(paths="simple", ties="straight", orientation=orientation)
        formation = Formation.of(schema, (200.0, 50 * ROW), 0.0, [(200.0, 20 * ROW), (600.0, 20 * ROW)], modules)
        found = march(Manoeuvre(lattice, (formation,))).value
        assert found is not None
        track, rear = found.trace.positions[:, 0], found.trace.positions[::20, 5]
        begun = int((rear[:, 1] > 50 * ROW).sum())  # until then it walks where its leader never was
        apart = [np.hypot(*(track - place).T).min() for place in rear[begun:]]
        off[orientation] = max(apart)
    assert off["track"] < 1.5 * STEP < off["whole"]


def test_a_new_order_goes_on_from_the_track() -> None:
    lattice = Lattice.uniform(40, 60, 1.0, STEP)
    orders = (Order(np.array([[200.0, 10 * ROW]])), Order(np.array([[600.0, 30 * ROW]]), 12.0))
    for slots in ("own", "total"):
        modules = Modules(orientation="track", ties="straight", slots=slots)
        formation = Formation(schema_of("column", 5), (200.0, 50 * ROW), 0.0, orders, modules)
        manoeuvre = Manoeuvre(lattice, (formation,))
        found = march(manoeuvre).value
        assert found is not None and (found.trace.arrival >= 0).all()
        assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
        assert np.hypot(*(found.formed(0)[-1, 0] - (600.0, 30 * ROW))) <= STEP / 2 + 1e-9


def test_the_room_beside_a_place_is_measured() -> None:
    free = np.ones((20, 30), bool)
    free[:, :10] = free[:, 17:] = False
    ground = Ground.of(Grid.from_free(free))
    north, east = ground.room(np.array([[12.5, 10.5], [12.5, 10.5]]), np.array([0.0, 90.0]), 8.0)
    assert north == pytest.approx((2.5, 4.5), abs=0.51) and east == pytest.approx((8.0, 8.0), abs=0.51)
    lattice = Ground.of(gate(3))
    left, right = lattice.room(np.array([[300.0, 24 * ROW]]), np.array([0.0]), 200.0)[0]
    assert 0 < left < 2 * STEP and 0 < right < 2 * STEP
    points = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), -1).reshape(-1, 2)
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    tails, heads = np.nonzero((apart < 1.1) & (apart > 0))
    graph = Ground.of(Graph.from_arcs(points, tails, heads, apart[tails, heads]))
    both = graph.room(np.array([[4.0, 4.0]]), np.array([0.0]), 20.0)[0]
    assert both.min() >= 4.0 and both.max() <= 5.0
