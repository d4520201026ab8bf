"""Marches: units walk on the map, at its speed, to places of their own, in shape; each module does what it says."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.commander import Commander, Stand
from anabasis.formation.march import March, march
from anabasis.formation.shapes import schema_of
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import (
    ORIENTATION,
    PASSING,
    PATHS,
    PLANNING,
    RADIUS,
    SYNCHRONISATION,
    Formation,
    Manoeuvre,
    Modules,
    Order,
)
from anabasis.metrics.formations import shape_error
from anabasis.metrics.traces import record_faults
from anabasis.result import Status
from anabasis.schema import Schema

STEP = 20.0
ROW = STEP * math.sqrt(3) / 2
PLAIN = Modules(paths="simple", planning="trivial", synchronisation="none")


def wedge(units: int = 5) -> Schema:
    return schema_of("wedge", units, spacing=40.0)


def hills() -> Lattice:
    """Make a map of hills with a wall, whose only gap is in the middle."""
    rng = np.random.default_rng(4)
    price = rng.uniform(1.0, 2.0, (16, 16))
    price[8, :6] = price[8, 10:] = np.inf
    return Lattice.from_ground(price, STEP)


def across(modules: Modules, schema: Schema | None = None) -> Manoeuvre:
    """Order a formation from the lower part of the hills to the upper part."""
    formation = Formation.of(schema or wedge(), (160.0, 12 * ROW), 0.0, (160.0, 3 * ROW), modules)
    return Manoeuvre(hills(), (formation,), limit=200.0)


def finished(manoeuvre: Manoeuvre, tick: float = 0.05) -> March:
    result = march(manoeuvre, tick=tick)
    assert result.status is Status.SOLVED, result.reason
    assert result.value is not None
    return result.value


def assert_walked(manoeuvre: Manoeuvre, found: March) -> None:
    """Check, without asking the planner, that all units walk along steps of the map, no faster than they may."""
    assert isinstance(manoeuvre.space, Lattice)
    lattice, places = manoeuvre.space, found.logical
    cheapest = lattice.cost.min()
    apart = np.hypot(*np.moveaxis(np.diff(places, axis=0), -1, 0))
    assert apart.max() <= lattice.spacing / cheapest * found.tick * np.diff(found.trace.times).max() * (1 + 1e-9)
    # on the line of two neighbours that are joined by a step
    for place in places.reshape(-1, 2)[::7]:
        far = np.hypot(*(lattice.points - place).T)
        a, b = np.argsort(far)[:2].tolist()
        if far[a] < 1e-9:
            assert np.isfinite(lattice.cost.reshape(-1, 6)[a]).any()
            continue
        assert far[a] + far[b] == pytest.approx(lattice.spacing)
        both = lattice.cost.reshape(-1, 6)[
            [a, b], [lattice.heads.reshape(-1, 6)[u].tolist().index(v) for u, v in ((a, b), (b, a))]
        ]
        assert np.isfinite(both).any()


@pytest.mark.parametrize("planning", PLANNING)
@pytest.mark.parametrize("synchronisation", SYNCHRONISATION)
def test_all_units_walk_to_places_of_their_own(planning: str, synchronisation: str) -> None:
    for paths, orientation in zip((*PATHS, "whole"), ORIENTATION, strict=True):
        manoeuvre = across(
            Modules(paths=paths, planning=planning, synchronisation=synchronisation, orientation=orientation)
        )
        found = finished(manoeuvre)
        assert_walked(manoeuvre, found)
        ends = np.rint(found.trace.positions[-1] / (STEP / 2, ROW)).astype(int)
        assert len({tuple(end) for end in ends.tolist()}) == 5
        assert (found.trace.arrival >= 0).all()
        leader = found.trace.positions[-1, 0]
        assert np.hypot(*(leader - (160.0, 3 * ROW))) <= STEP / 2 + 1e-9
        assert (found.trace.positions == found.logical).all()


def test_on_open_ground_a_march_ahead_keeps_its_shape() -> None:
    schema = schema_of("column", 5)
    lattice = Lattice.uniform(30, 9, 1.0, STEP)
    formation = Formation.of(schema, (200.0, 4 * ROW), 90.0, (400.0, 4 * ROW), Modules())
    found = finished(Manoeuvre(lattice, (formation,)))
    assert shape_error(schema, found.trace.positions).max() < 1e-9
    assert found.seconds[-1] == pytest.approx(10.0, abs=2 * found.tick)  # ten steps of a second each
    # northward its way is no straight line, but a wedge stays nearly one
    schema, lattice = wedge(7), Lattice.uniform(30, 40, 1.0, STEP)
    formation = Formation.of(schema, (300.0, 30 * ROW), 0.0, (300.0, 10 * ROW), Modules())
    errors = shape_error(schema, finished(Manoeuvre(lattice, (formation,))).trace.positions)
    assert errors[0] < 1e-9 < np.median(errors) < 200.0


def test_synchronised_units_arrive_together_and_others_do_not() -> None:
    arrivals = {}
    for method in SYNCHRONISATION:
        found = finished(across(Modules(paths="simple", planning="trivial", synchronisation=method)))
        arrivals[method] = np.ptp(found.trace.arrival)
    assert arrivals["none"] > 10
    assert all(arrivals[method] <= 1 for method in SYNCHRONISATION[1:])


def test_the_same_manoeuvre_gives_the_same_march() -> None:
    manoeuvre = across(Modules(passing="displacement"))
    assert finished(manoeuvre).trace.hash == finished(manoeuvre).trace.hash
    assert finished(manoeuvre).trace.hash != finished(across(Modules(passing="none"))).trace.hash


def test_frames_that_are_left_out_change_nothing() -> None:
    manoeuvre = across(Modules())
    whole, some = march(manoeuvre).value, march(manoeuvre, every=7).value
    assert whole is not None and some is not None
    assert some.trace.steps == whole.trace.steps
    assert (some.trace.positions == whole.trace.positions[some.trace.times]).all()
    assert some.trace.hash == whole.trace.hash


@pytest.mark.parametrize(
    "modules", [Modules(), Modules(planning="bends"), Modules(period=3), Modules(planning="trivial")]
)
def test_shorter_ticks_change_nothing(modules: Modules) -> None:
    """Decisions are made when the leader comes to a vertex, wherever in a tick that is."""
    coarse, fine = (finished(across(modules), tick) for tick in (0.25, 0.03125))
    assert fine.seconds[-1] == pytest.approx(coarse.seconds[-1], abs=0.25)
    both = coarse.trace.times[coarse.seconds <= fine.seconds[-1]]
    assert coarse.trace.positions[both] == pytest.approx(fine.trace.positions[8 * both], abs=1e-6)


def test_on_even_ground_everybody_is_at_a_vertex_when_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    decide, rests = Commander.decide, []

    def noted(commander: Commander, stands: list[Stand], ends: set[int]) -> None:
        rests.extend(stand.seconds for stand in stands)
        decide(commander, stands, ends)

    monkeypatch.setattr(Commander, "decide", noted)
    lattice = Lattice.uniform(30, 9, 1.0, STEP)
    formation = Formation.of(schema_of("column", 5), (200.0, 4 * ROW), 90.0, (400.0, 4 * ROW), Modules())
    finished(Manoeuvre(lattice, (formation,)))
    assert len(rests) == 5 * 4
    assert max(rests) == 0


@pytest.mark.parametrize("modules", [Modules(), PLAIN, Modules(passing="displacement"), Modules(passing="vertex")])
def test_the_trace_tells_one_story(modules: Modules) -> None:
    """What every trace promises; what needs a scenario for groups is left out."""
    found = finished(across(modules, wedge(7)))
    assert record_faults(found.trace) == []
    limited = march(Manoeuvre(hills(), across(modules).formations, limit=3.0)).value
    assert limited is not None
    assert record_faults(limited.trace) == []


def test_two_formations_with_one_target_stand_beside_each_other() -> None:
    lattice = Lattice.uniform(20, 20, 1.0, STEP)
    for planning in PLANNING:
        both = tuple(
            Formation.of(wedge(3), (x, 15 * ROW), 0.0, (190.0, 5 * ROW), Modules(planning=planning))
            for x in (90.0, 290.0)
        )
        found = finished(Manoeuvre(lattice, both))
        ends = np.rint(found.trace.positions[-1] / (STEP / 2, ROW)).astype(int)
        assert len({tuple(end) for end in ends.tolist()}) == 6


def test_nobody_steps_aside_into_a_wall() -> None:
    """Two columns meet in a gap that is one row wide: with walls on both sides there is nowhere to go."""
    price = np.full((7, 40), np.inf)
    price[3] = 1.0
    lattice = Lattice.from_ground(price, STEP)
    modules = Modules(planning="trivial", synchronisation="none", paths="simple", passing="displacement")
    columns = tuple(
        Formation.of(schema_of("column", 2), (x + 10.0, 3 * ROW), azimuth, (to + 10.0, 3 * ROW), modules)
        for x, azimuth, to in ((100.0, 90.0, 600.0), (600.0, 270.0, 100.0))
    )
    found = finished(Manoeuvre(lattice, columns))
    assert np.abs(found.trace.positions[..., 1] - 3 * ROW).max() <= ROW * 2 / 3 + 1e-6
    assert (found.trace.counters.wall_collisions == 0).all()
    assert np.abs(found.trace.positions - found.logical).max() > 1.0


def test_a_unit_that_can_not_come_to_its_place_is_said() -> None:
    """Two pockets: the leader takes the vertex of the unit beside it, whose place is nearest to the other pocket."""
    price = np.full((6, 8), np.inf)
    price[1, :2] = price[4, 3:6] = 1.0
    formation = Formation.of(schema_of("column", 3), (20.0, 1 * ROW), 0.0, (40.0, 1 * ROW), Modules())
    found = finished(Manoeuvre(Lattice.from_ground(price, STEP), (formation,)))
    assert found.trouble[0] == "unit 1 can't reach its place; it goes to the nearest that it can reach"


def test_waypoints_are_passed_and_new_orders_followed() -> None:
    lattice = Lattice.uniform(30, 30, 1.0, STEP)
    for planning in PLANNING:
        modules = Modules(planning=planning)
        around = Formation.of(wedge(3), (300.0, 25 * ROW), 0.0, [(100.0, 15 * ROW), (300.0, 5 * ROW)], modules)
        found = finished(Manoeuvre(lattice, (around,)))
        apart = np.hypot(*np.moveaxis(found.trace.positions[:, 0] - (100.0, 15 * ROW), -1, 0))
        assert apart.min() <= STEP / 2 + 1.0  # it passes between two ticks
        orders = (Order(np.array([(300.0, 5 * ROW)])), Order(np.array([(100.0, 20 * ROW)]), 6.0))
        changed = finished(Manoeuvre(lattice, (Formation(wedge(3), (300.0, 25 * ROW), 0.0, orders, modules),)))
        assert np.hypot(*(changed.trace.positions[-1, 0] - (100.0, 20 * ROW))) <= STEP / 2 + 1e-9
        early = np.hypot(*np.moveaxis(changed.trace.positions[:, 0] - (300.0, 5 * ROW), -1, 0))
        assert early.min() > 5 * STEP  # it never came there


def test_slow_units_are_waited_for() -> None:
    lattice = Lattice.uniform(20, 40, 1.0, STEP)
    behind = {}
    for method in ("none", "adaptive"):
        orders = (Order(np.array([(200.0, 10 * ROW)])),)
        modules = Modules(synchronisation=method)
        formation = Formation(wedge(3), (200.0, 30 * ROW), 0.0, orders, modules, np.array([1.0, 2.0, 1.0]))
        found = finished(Manoeuvre(lattice, (formation,)))
        apart = np.hypot(*np.moveaxis(found.trace.positions[:, 0] - found.trace.positions[:, 1], -1, 0))
        behind[method] = apart.max()
        if method == "adaptive":
            assert found.seconds[-1] == pytest.approx(40.0, rel=0.15)
    assert behind["adaptive"] < 80.0
    assert behind["none"] > 150.0


def test_a_target_out_of_reach_is_said() -> None:
    price = np.ones((12, 12))
    price[6] = np.inf
    formation = Formation.of(wedge(3), (100.0, 9 * ROW), 0.0, (100.0, 2 * ROW), Modules())
    found = finished(Manoeuvre(Lattice.from_ground(price, STEP), (formation,)))
    assert "the leader can't reach its place" in found.trouble[0]
    assert (found.trace.positions[-1, :, 1] > 6 * ROW).all()


@pytest.mark.parametrize("planning", ["trivial", "periodic"])
def test_a_place_off_the_ground_is_said(planning: str) -> None:
    """Of several places each one: in a wall, off the map; those on the ground, up to a triangle's middle, are not."""
    modules = Modules(planning=planning)
    free = np.ones((10, 20), bool)
    free[:, 15] = False
    cells, triangles = Grid.from_free(free), Lattice.uniform(20, 10)
    for space, places, off in (
        (cells, [(3.2, 3.9), (15.5, 2.5), (6.5, 5.5)], ["(15.5, 2.5)"]),
        (cells, [(3.2, 3.9), (6.5, 10.4)], ["(6.5, 10.4)"]),
        (triangles, [(70.0, 20.0 / 12**0.5), (390.0, -12.0), (60.0, 0.0)], ["(390, -12)"]),
    ):
        formation = Formation(
            wedge(3),
            tuple(space.graph().points[0]) if space is triangles else (2.5, 2.5),
            90.0,
            (Order(np.array(places)),),
            modules,
        )
        said = march(Manoeuvre(space, (formation,))).value.trouble[0].split("; ")
        assert [one.partition(" is off the ground")[0] for one in said if "off the ground" in one] == off
    graph = replace(across(modules), space=across(modules).space.graph())
    assert "off the ground" not in march(graph).value.trouble[0]


def test_the_limit_ends_a_march() -> None:
    manoeuvre = across(Modules())
    result = march(Manoeuvre(manoeuvre.space, manoeuvre.formations, limit=2.0))
    assert result.status is Status.LIMIT
    assert result.reason == "5 of 5 units were under way after 2 seconds, the limit"
    assert result.value is not None and result.value.seconds[-1] == 2.0


def test_those_who_meet_step_aside() -> None:
    """Two columns on one road, head on: with displacement fewer touch, and all are back on their ways in the end."""
    lattice = Lattice.uniform(30, 11, 1.0, STEP)
    touched = {}
    for passing in ("none", "displacement"):
        modules = Modules(planning="trivial", synchronisation="none", paths="simple", passing=passing)
        east = Formation.of(schema_of("column", 3), (130.0, 5 * ROW), 90.0, (530.0, 5 * ROW), modules)
        west = Formation.of(schema_of("column", 3), (450.0, 5 * ROW), 270.0, (50.0, 5 * ROW), modules)
        found = finished(Manoeuvre(lattice, (east, west)))
        touched[passing] = int(found.trace.counters.unit_collisions.sum())
        assert np.abs(found.trace.positions[-1] - found.logical[-1]).max() < STEP
        if passing == "displacement":
            aside = (found.trace.positions - found.logical)[..., 1]
            assert aside[:, :3].max() > 0 > aside[:, 3:].min()  # each to its right: south for those who go east
    assert touched["none"] > touched["displacement"]


def test_those_whose_ways_cross_pass_beside_the_vertex() -> None:
    """A wedge turns about: all ways cross in the middle; nobody comes as near to another as without."""
    nearest, away = {}, {}
    for passing in ("none", "vertex"):
        modules = Modules(planning="trivial", synchronisation="multiplicative", paths="simple", passing=passing)
        formation = Formation.of(wedge(5), (300.0, 10 * ROW), 0.0, (300.0, 16 * ROW), modules)
        found = finished(Manoeuvre(Lattice.uniform(30, 30, 1.0, STEP), (formation,)))
        places = found.trace.positions
        apart = np.hypot(*np.moveaxis(places[:, :, None] - places[:, None], -1, 0))
        nearest[passing] = (apart + 1e9 * np.eye(5)).min()
        away[passing] = np.hypot(*np.moveaxis(places - found.logical, -1, 0)).max()
        assert (places[-1] == found.logical[-1]).all()
    assert away["none"] == 0 < away["vertex"] <= STEP / 2 + 1e-9
    assert nearest["vertex"] > nearest["none"]


@pytest.mark.parametrize("passing", PASSING)
def test_formations_march_on_cells_and_on_graphs(passing: str) -> None:
    grid = Grid.from_free(np.ones((20, 20), bool))
    schema = Schema.of([[0, 0], [-2, 2], [2, 2]], [0, 0, 0])
    formation = Formation.of(schema, (10.5, 16.5), 0.0, (10.5, 4.5), Modules(passing=passing))
    for space in (grid, triangles()):
        found = finished(Manoeuvre(space, (formation,)))
        assert np.hypot(*(found.trace.positions[-1, 0] - (10.5, 4.5))) < 1.0
        assert shape_error(schema, found.logical[-1]) < (1e-9 if space is grid else 300.0)


def triangles() -> Graph:
    """Make a graph of scattered points, each joined with its nearest ones."""
    rng = np.random.default_rng(2)
    points = np.stack(np.meshgrid(np.arange(20), np.arange(20)), -1).reshape(-1, 2) + rng.uniform(0.2, 0.8, (400, 2))
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    tails, heads = np.nonzero((apart < 1.6) & (apart > 0))
    return Graph.from_arcs(points, tails, heads, apart[tails, heads])


def test_wrong_calls_are_refused() -> None:
    small = Lattice.uniform(2, 1, 1.0, STEP)
    with pytest.raises(InputError, match="found 3 units; expected at most 2"):
        march(Manoeuvre(small, (Formation.of(wedge(3), (0.0, 0.0), 0.0, (20.0, 0.0)),)))
    with pytest.raises(InputError, match="tick; found 0"):
        march(across(Modules()), tick=0.0)
    with pytest.raises(InputError, match="every"):
        march(across(Modules()), every=0)
    for limit, tick in ((1e-9, 0.05), (3600.0, 3601.0), (3600.0, 1e-5), (1e300, 0.05)):
        said = f"limit of a manoeuvre; found {limit:g} seconds, and a tick of {tick:g}; expected a limit of 1 to"
        with pytest.raises(InputError, match=said.replace("+", r"\+")):
            march(replace(across(Modules()), limit=limit), tick=tick)


def test_nobody_starts_on_the_place_of_another() -> None:
    lattice = Lattice.uniform(10, 10, 1.0, STEP)
    same = [Formation.of(wedge(5), (90.0, 3 * ROW), 0.0, (90.0, 3 * ROW), PLAIN) for _ in range(2)]
    found = finished(Manoeuvre(lattice, tuple(same)))
    first = found.trace.positions[0]
    for a, b in itertools.combinations(range(10), 2):
        assert np.hypot(*(first[a] - first[b])) > 2 * RADIUS * STEP


@pytest.mark.parametrize("planning", PLANNING)
def test_an_order_may_go_through_the_place_where_the_formation_stands(planning: str) -> None:
    lattice, schema = Lattice.uniform(20, 9, 1.0, STEP), schema_of("column", 3)
    places = [(200.0, 4 * ROW), (200.0, 4 * ROW), (300.0, 4 * ROW)]
    found = finished(
        Manoeuvre(lattice, (Formation.of(schema, (200.0, 4 * ROW), 90.0, places, Modules(planning=planning)),))
    )
    assert found.trace.positions[-1, 0].tolist() == pytest.approx([300.0, 4 * ROW])
