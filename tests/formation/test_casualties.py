"""Units that fall: they stay where they fell, the others close ranks and carry the order on."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.grid import Grid
from anabasis.manoeuvre import ORIENTATION, PASSING, PLANNING, SLOTS, Formation, Manoeuvre, Modules, Order
from anabasis.metrics.formations import shape_error
from anabasis.metrics.marches import march_faults
from anabasis.metrics.moves import formed, measure, move_log
from anabasis.schema import Schema
from anabasis.trace import Event, UnitState

GRID = Grid.from_text("\n".join(["." * 44] * 44))


def ordered(shape: str, units: int, falls: dict[int, float], **modules: object) -> Manoeuvre:
    schema = schema_of(shape, units, spacing=2.0)
    times = np.full(units, np.inf)
    for unit, seconds in falls.items():
        times[unit] = seconds
    order = Order(np.array([(22.5, 24.5), (22.5, 8.5)]))
    formation = Formation(schema, (22.5, 36.5), 0.0, (order,), Modules(**modules), falls=times)  # type: ignore[arg-type]
    return Manoeuvre(GRID, (formation,), limit=300.0)


def foremost(schema: Schema, count: int) -> list[int]:
    """The leader's spot and those that are farthest ahead."""
    ahead = sorted(range(schema.spots), key=lambda spot: (spot != schema.leader, schema.places[spot, 1], spot))
    return sorted(ahead[:count])


def marched(manoeuvre: Manoeuvre) -> March:
    result = march(manoeuvre)
    assert result.status.value == "solved" and result.value is not None
    found = result.value
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    return found


def assert_ranks_are_closed(manoeuvre: Manoeuvre, found: March) -> None:
    """The survivors stand in the foremost spots, in their shape, at the target."""
    (formation,) = manoeuvre.formations
    fallen = np.isfinite(formation.falls)
    left = int((~fallen).sum())
    held = found.spot[-1]
    assert (held[fallen] == -1).all()
    assert sorted(held[~fallen].tolist()) == foremost(formation.schema, left)
    places = found.formed(0)[-1]
    there = np.flatnonzero(~np.isnan(places).any(1))
    wanted = np.array((22.5, 8.5)) + formation.schema.places
    assert np.hypot(*(places[there] - wanted[there]).T).max() <= 0.5**0.5 + 1e-9  # the nearest cell's middle
    if (wanted % 1 == 0.5).all():
        assert shape_error(formation.schema.part(there), places[there]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("planning", PLANNING)
@pytest.mark.parametrize("orientation", ORIENTATION)
def test_ranks_close_and_the_order_is_carried_on(planning: str, orientation: str) -> None:
    manoeuvre = ordered("box", 12, {0: 6.0, 5: 3.0, 7: 6.0}, planning=planning, orientation=orientation)
    found = marched(manoeuvre)
    assert_ranks_are_closed(manoeuvre, found)
    trace = found.trace
    assert trace.state[-1, [0, 5, 7]].tolist() == [UnitState.REMOVED] * 3
    assert trace.finished == 9 and (trace.arrival[[0, 5, 7]] == -1).all()
    fell = trace.event_kind == Event.REMOVED
    assert sorted(zip(trace.event_step[fell].tolist(), trace.event_unit[fell].tolist(), strict=True)) == [
        (60, 5),
        (120, 0),
        (120, 7),
    ]
    assert trace.counters.updates[5] == 60
    # the fallen stay where they were just then
    assert (trace.positions[60:, 5] == trace.positions[60, 5]).all()
    assert (found.spot[:60, 5] >= 0).all() and (found.spot[60:, 5] == -1).all()
    # the new leader still goes by way of the first place
    leader = found.formed(0)[:, 0]
    assert np.nanmin(np.hypot(*(leader - (22.5, 24.5)).T)) < found.tick


@pytest.mark.parametrize("passing", PASSING)
@pytest.mark.parametrize("slots", SLOTS)
def test_all_ways_to_march_bear_the_fall_of_leaders(passing: str, slots: str) -> None:
    manoeuvre = ordered("wedge", 7, {0: 2.0, 1: 8.0}, passing=passing, slots=slots)
    assert_ranks_are_closed(manoeuvre, marched(manoeuvre))


def test_who_falls_at_the_target_leaves_no_gap_either_and_nobody_turns() -> None:
    manoeuvre = ordered("box", 9, {1: 45.0})
    other = Formation.of(Schema.of([[0, 0]], [0]), (2.5, 2.5), 0.0, (2.5, 42.5))
    other = dataclasses.replace(other, pace=np.array([2.0]))
    both = dataclasses.replace(manoeuvre, formations=(*manoeuvre.formations, other))
    found = march(both).value
    assert march_faults(both, found.trace, found.logical, tick=found.tick) == []
    before = found.trace.state[899, :9]  # all stood when it fell
    assert (before == UnitState.ARRIVED).all()
    places = found.formed(0)[-1]
    left = np.flatnonzero(~np.isnan(places).any(1))
    assert left.tolist() == foremost(manoeuvre.formations[0].schema, 8)
    assert places[left] == pytest.approx((np.array((22.5, 8.5)) + manoeuvre.formations[0].schema.places)[left])


def test_units_that_fall_one_after_the_other_until_nobody_is_left() -> None:
    manoeuvre = ordered("column", 4, {unit: 2.0 + unit for unit in range(4)})
    found = marched(manoeuvre)
    assert (found.spot[-1] == -1).all() and found.seconds[-1] == pytest.approx(5.0)
    (formation,) = manoeuvre.formations
    measures = measure(formation.schema, found.seconds, found.trace.positions, radius=0.25, spots=found.spot)
    assert math.isfinite(measures.e1) and measures.speed_variance == 0.0


def test_units_of_a_class_take_only_spots_of_theirs() -> None:
    schema = schema_of("box", 9, spacing=2.0)
    kinds = np.array([0, 1, 1, 0, 0, 1, 0, 0, 1])
    schema = Schema(schema.places, schema.ancestor, schema.bindings, schema.weights, kinds)
    falls = np.full(9, np.inf)
    falls[[0, 2]] = 4.0
    formation = Formation(schema, (22.5, 36.5), 0.0, (Order(np.array([(22.5, 8.5)])),), falls=falls)
    found = marched(Manoeuvre(GRID, (formation,)))
    left = found.spot[-1] >= 0
    assert (kinds[found.spot[-1, left]] == kinds[left]).all()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6))
def test_any_units_fall_at_any_time(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = int(rng.integers(2, 10))
    who = rng.permutation(units)[: int(rng.integers(1, units))]
    falls = {int(unit): float(seconds) for unit, seconds in zip(who, rng.uniform(0, 40, len(who)), strict=True)}
    shape = str(rng.choice(["column", "wedge", "diamond", "square", "box", "line"]))
    manoeuvre = ordered(shape, units, falls, slots=str(rng.choice(SLOTS)), planning=str(rng.choice(PLANNING)))
    found = march(manoeuvre).value
    assert march_faults(manoeuvre, found.trace, found.logical, tick=found.tick) == []
    ended = found.seconds[-1]
    for unit, seconds in falls.items():
        assert (found.spot[-1, unit] == -1) == (seconds <= ended + 1e-9)
    places = found.formed(0)[-1]
    left = np.flatnonzero(~np.isnan(places).any(1))
    schema = manoeuvre.formations[0].schema
    assert sorted(left.tolist()) == foremost(schema, len(left))


def test_the_errors_of_a_thinned_formation_are_those_of_its_part() -> None:
    schema = schema_of("box", 6, spacing=2.0)
    rng = np.random.default_rng(3)
    places = schema.places + rng.normal(0, 0.3, (4, 6, 2))
    spots = np.tile(np.arange(6), (4, 1))
    spots[2:] = [0, 1, -1, 3, -1, 2]
    seen = formed(places, spots)
    assert np.isnan(seen[2:, [4, 5]]).all() and (seen[2:, 2] == places[2:, 5]).all()
    log = move_log(schema, np.arange(4.0), seen)
    part = schema.part([0, 1, 2, 3])
    assert log.combined[:2] == pytest.approx(shape_error(schema, seen[:2]))
    assert log.combined[2:] == pytest.approx(shape_error(part, seen[2:, :4]))


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_orders_to_those_who_have_all_fallen_are_no_orders(seconds: float) -> None:
    schema = schema_of("column", 2, spacing=2.0)
    orders = (Order(np.array([(22.5, 8.5)])), Order(np.array([(8.5, 8.5)]), 10.0))
    gone = Formation(schema, (22.5, 36.5), 0.0, orders, falls=np.full(2, seconds))
    other = Formation.of(schema, (2.5, 36.5), 0.0, (2.5, 2.5))
    for formations in ((gone,), (gone, other)):
        found = marched(Manoeuvre(GRID, formations))
        assert found.trace.fallen[:2].all() and (found.trace.arrival[:2] == -1).all()


def test_a_unit_that_falls_where_it_stood_has_not_finished() -> None:
    other = dataclasses.replace(
        Formation.of(schema_of("column", 1), (2.5, 2.5), 0.0, (2.5, 42.5)), pace=np.array([2.0])
    )
    manoeuvre = ordered("box", 4, {3: 60.0})
    found = march(dataclasses.replace(manoeuvre, formations=(*manoeuvre.formations, other))).value
    assert found.trace.finished == 4 and found.trace.arrival[3] == -1


def test_cohesion_is_that_of_the_spots_that_are_held() -> None:
    schema = schema_of("column", 5, spacing=2.0)
    spots = np.array([[0, 1, 2, 3, 4], [0, 1, 2, -1, -1], [0, 1, 2, -1, -1]])
    places = np.tile(schema.places, (3, 1, 1))
    assert measure(schema, [0.0, 1.0, 2.0], places, radius=0.25, spots=spots).cohesion == pytest.approx(1.0)
