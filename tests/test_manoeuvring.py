"""Manoeuvres in the simulator: the way of the leader, maps of cells and of triangles, what is refused."""

from itertools import pairwise

import numpy as np
import pytest
from shapely import LineString, box, union_all

from anabasis import Graph, Grid, InputError
from anabasis.divide import divided
from anabasis.formation.files import example, load_manoeuvre
from anabasis.formation.leading import leader_way, needed_room
from anabasis.formation.shapes import SHAPES, schema_of
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Modules, Order
from anabasis.manoeuvring import simulate_manoeuvre
from anabasis.metrics.moves import measure
from anabasis.metrics.simulated_marches import simulated_march_faults
from anabasis.result import Status
from anabasis.schema import Schema


def walled(rows):
    """Return the walls of a map drawn as text, as one area."""
    return union_all([box(x, y, x + 1, y + 1) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "#"])


def two_gates(narrow, wide):
    """Return a map with a wall that has a gate ahead and another one to the right."""
    wall = "#" * 14 + "." * narrow + "#" * (26 - narrow - wide) + "." * wide
    return ["." * 40] * 14 + [wall.ljust(40, "#")] * 3 + ["." * 40] * 13


def test_a_leader_takes_the_gate_that_its_formation_fits_through():
    rows = two_gates(1, 9)
    grid = Grid.from_text("\n".join(rows))
    ends = [(14.5, 26.5), (14.5, 4.5)]
    alone, broad = (leader_way(grid, ends, room) for room in (0.5, 4.5))
    for way in (alone, broad):
        assert way[0].tolist() == [14.5, 26.5] and way[-1].tolist() == [14.5, 4.5]
        assert not LineString(way).intersection(walled(rows).buffer(-1e-6)).length

    def crossing(way):
        return LineString(way).intersection(LineString([(0, 15.5), (40, 15.5)])).x

    assert 14 < crossing(alone) < 15
    assert 31 < crossing(broad) < 40


def test_a_leader_keeps_to_the_middle_of_a_road():
    price = np.full((21, 40), 6.0)
    price[6:15] = 1.0  # a road nine cells wide, from row 6 to row 14, that start and target lie at the edge of
    grid = Grid(price, np.full(price.shape, ord("."), np.uint8))
    alone, broad = (leader_way(grid, [(2.5, 6.5), (37.5, 6.5)], room) for room in (0.5, 4.0))
    assert np.ptp(alone[:, 1]) == 0
    assert LineString(broad).intersection(LineString([(20, 0), (20, 21)])).y > 8


def test_a_way_goes_through_all_places_and_says_if_there_is_none():
    grid = Grid.from_text("\n".join(["." * 20] * 20))
    way = leader_way(grid, [(2.2, 2.7), (17.5, 3.5), (16.3, 17.9)], 2.0)
    assert any(np.allclose(point, (17.5, 3.5)) for point in way)
    assert way[0].tolist() == [2.2, 2.7] and way[-1].tolist() == [16.3, 17.9]
    assert leader_way(grid, [(3.5, 3.5)], 1.0).tolist() == [[3.5, 3.5]]
    parted = Grid.from_text("..#..\n..#..")
    assert leader_way(parted, [(0.5, 0.5), (4.5, 0.5)], 1.0) is None
    for places, said in (([], "places of a way"), ([(2.5, 0.5)], "a wall at x=2"), ([(9, 9)], "a wall at x=9")):
        with pytest.raises(InputError, match=said):
            leader_way(parted, np.array(places).reshape(-1, 2), 1.0)
    assert needed_room(schema_of("line", 5, spacing=2.0), 0.5) == 4.5


@pytest.mark.parametrize("turns", ["whole", "track"])
def test_a_wedge_goes_through_a_gate_of_a_map_of_cells(turns):
    rows = ["." * 30] * 14 + ["#" * 14 + ".." + "#" * 14] * 2 + ["." * 30] * 14
    schema = schema_of("wedge", 5, spacing=2.0)
    formation = Formation.of(schema, (15.0, 22.0), 0.0, (15.0, 6.0), Modules(orientation=turns))
    result = simulate_manoeuvre(Manoeuvre(Grid.from_text("\n".join(rows)), (formation,)), tick=0.1)
    assert result.status is Status.SOLVED and result.value.trouble == ("",)
    positions = result.value.trace.positions
    walls = walled(rows).buffer(-1e-9)
    for unit in range(5):
        assert not LineString(positions[:, unit]).intersects(walls)
    assert np.hypot(*(positions[-1] - (15.0, 6.0) - schema.places).T).max() < 0.1
    assert result.value.seconds[-1] == pytest.approx(16, abs=5)  # 16 cells at a cell a second
    measures = measure(schema, result.value.seconds, positions, radius=0.25)
    assert measures.e1 > 0 and measures.collisions == 0


def test_on_triangles_places_and_lengths_are_those_of_the_map():
    lattice = Lattice.uniform(20, 20)
    schema = schema_of("wedge", 5, spacing=40.0)
    formation = Formation.of(schema, (200.0, 250.0), 0.0, (200.0, 80.0))
    result = simulate_manoeuvre(Manoeuvre(lattice, (formation,)), every=7)
    found = result.value
    assert result.status is Status.SOLVED and found.trouble == ("",)
    assert np.hypot(*(found.trace.positions[0] - (200.0, 250.0) - schema.places).T).max() < 1e-9
    assert np.hypot(*(found.trace.positions[-1] - (200.0, 80.0) - schema.places).T).max() < 2.0
    assert found.trace.radius.tolist() == [5.0] * 5
    assert found.trace.planned_length == pytest.approx(170.0)
    walked = np.hypot(*np.diff(found.trace.positions, axis=0).transpose(2, 0, 1)).sum(0)
    assert found.trace.counters.distance_travelled == pytest.approx(walked, rel=0.01)
    assert found.seconds[-1] == pytest.approx(8.5, abs=2.5)  # 170 / 20 steps, a second each


def test_units_of_their_own_pace_hold_the_others_or_do_not():
    grid = Grid.from_text("\n".join(["." * 30] * 40))
    schema = schema_of("line", 3, spacing=3.0)
    times = []
    for speed in ("slowest", "weighted"):
        order = Order(np.array([[15.5, 5.5]]))
        formation = Formation(schema, (15.5, 35.5), 0.0, (order,), Modules(speed=speed), pace=np.array([1.0, 1.0, 2.0]))
        found = simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1).value
        assert found.trace.finished == 3
        times.append(found.seconds[found.trace.positions[:, 0, 1] < 20.5][0])
    assert times[0] > 29  # 15 cells at half a cell a second
    assert times[1] < 0.9 * times[0]


def test_two_formations_cross_and_the_same_again_is_the_same():
    grid = Grid.from_text("\n".join(["." * 40] * 40))
    one = Formation.of(schema_of("wedge", 5, spacing=2.0), (8.5, 20.5), 90.0, (32.5, 20.5))
    two = Formation.of(schema_of("column", 4, spacing=2.0), (20.5, 32.5), 0.0, (20.5, 8.5))
    first, again = (simulate_manoeuvre(Manoeuvre(grid, (one, two)), tick=0.1) for _ in range(2))
    assert first.status is Status.SOLVED and first.value.trouble == ("", "")
    assert first.value.trace.hash == again.value.trace.hash
    moving = first.value.trace.positions[:, :, None] - first.value.trace.positions[:, None]
    apart = np.hypot(moving[..., 0], moving[..., 1])
    both = first.value.trace.state < 2
    apart[~(both[:, :, None] & both[:, None])] = np.inf
    assert apart[:, ~np.eye(9, dtype=bool)].min() >= 0.5 * 0.85 - 1e-9  # two radii, less the greatest overlap
    for a, b in pairwise(first.value.trace.times.tolist()):
        assert b == a + 1


def test_what_can_not_be_simulated_is_refused_or_told():
    grid = Grid.from_text("\n".join(["." * 20] * 20))
    schema = schema_of("wedge", 3, spacing=2.0)
    ahead = Formation.of(schema, (10.5, 15.5), 0.0, (10.5, 5.5))
    later = Formation(schema, (10.5, 15.5), 0.0, (Order(np.array([[10.5, 5.5]]), 3.0),))
    twice = Formation(schema, (10.5, 15.5), 0.0, (Order(np.array([[1, 1]])), Order(np.array([[2, 2]]), 1.0)))
    split = Formation.of(schema, (10.5, 15.5), 0.0, (10.5, 5.5), Modules(orientation="split"))
    graph = Graph([0, 1, 2], [1, 0], [1.0, 1.0], [[0, 0], [1, 0]])
    for manoeuvre, options, said in (
        (Manoeuvre(grid, ()), {}, "no formation"),
        (Manoeuvre(graph, (ahead,)), {}, "found a graph"),
        (Manoeuvre(grid, (later,)), {}, "found a later one"),
        (Manoeuvre(grid, (twice,)), {}, "found 2 orders"),
        (Manoeuvre(grid, (split,)), {}, "orientation of formation 0 in the simulator; found 'split'"),
        (Manoeuvre(grid, (ahead,)), {"tick": 0.0}, "tick"),
        (Manoeuvre(grid, (ahead,)), {"tick": 0.6}, "at most 0.5 for formation 0"),
        (Manoeuvre(grid, (ahead,)), {"every": 0}, "every"),
    ):
        with pytest.raises(InputError, match=said):
            simulate_manoeuvre(manoeuvre, **options)
    parted = Grid.from_text("\n".join(["." * 20] * 9 + ["#" * 20] + ["." * 20] * 10))
    none = simulate_manoeuvre(Manoeuvre(parted, (ahead,)))
    assert none.status is Status.SOLVED and none.value.trouble[0].startswith("the leader can't be at (10.5, 5.5), in a")
    assert none.value.trace.positions[-1, 0] == pytest.approx((10.5, 10.5), abs=0.1)
    short = simulate_manoeuvre(Manoeuvre(grid, (ahead,), limit=2.0), tick=0.1)
    assert short.status is Status.LIMIT and "3 of 3 units were not in their places after 2 seconds" in short.reason
    assert short.value.trouble == ("all 3 units are under way",)
    narrow = Grid.from_text("\n".join(["..."] * 24))
    broad = Formation.of(schema_of("line", 3, spacing=2.0), (1.5, 20.5), 0.0, (1.5, 5.5))
    squeezed = simulate_manoeuvre(Manoeuvre(narrow, (broad,)), tick=0.1)
    assert squeezed.value.trouble == ("units 1 and 2 are kept from their places by walls or one another",)
    idle = simulate_manoeuvre(Manoeuvre(grid, (Formation(schema, (10.5, 15.5), 0.0, ()),)), tick=0.1)
    assert idle.status is Status.SOLVED and idle.value.seconds[-1] < 1


@pytest.mark.parametrize("seed", [0, 5, 9, 18, 35])
def test_formations_among_obstacles_never_stand_for_ever(seed):
    """Some places are in walls or cut off: their units stand elsewhere, and hold nobody."""
    rng = np.random.default_rng(seed)
    free = np.ones((40, 40), bool)
    for _ in range(int(rng.integers(3, 14))):
        x, y = rng.integers(2, 38, 2)
        width, height = rng.integers(1, 9, 2)
        free[y : y + height, x : x + width] = False
    formations = []
    speed = str(np.random.default_rng(seed + 1000).choice(["slowest", "weighted"]))
    for _ in range(int(rng.integers(1, 4))):
        start, target = rng.random(2) * 38 + 1, rng.random(2) * 38 + 1
        shape, units = str(rng.choice(list(SHAPES))), int(rng.integers(1, 12))
        schema = schema_of(shape, units, spacing=float(rng.choice([1.2, 2.0, 3.0])))
        azimuth, turns = float(rng.random() * 360), str(rng.choice(["whole", "track"]))
        formations.append(Formation.of(schema, start, azimuth, target, Modules(orientation=turns, speed=speed)))
    manoeuvre = Manoeuvre(Grid.from_free(free), tuple(formations), limit=400.0)
    result = simulate_manoeuvre(manoeuvre, tick=0.1)
    assert result.status is Status.SOLVED
    trace = result.value.trace
    x, y = np.floor(trace.positions).astype(np.int64).transpose(2, 0, 1)
    assert free[y, x].all()
    assert (trace.arrival >= 0).all()


def faults(manoeuvre, march, tick):
    """Return what the validator finds."""
    return simulated_march_faults(manoeuvre, march.trace, march.spot, march.trouble, tick=tick)


@pytest.mark.parametrize("turns", ["whole", "track", "files"])
@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize(("shape", "units"), [("box", 16), ("line", 9), ("wedge", 9), ("circle", 12)])
def test_a_gate_of_a_cell_or_two_is_passed_in_files(shape, units, width, turns):
    """Ranks that were drawn in so far would touch, and block the gate for ever."""
    rows = ["." * 40] * 19 + ["#" * (20 - width // 2) + "." * width + "#" * 20] * 3 + ["." * 40] * 18
    schema = schema_of(shape, units, spacing=1.5)
    formation = Formation.of(schema, (20.5, 33.5), 0.0, (20.5, 6.5), Modules(orientation=turns))
    manoeuvre = Manoeuvre(Grid.from_text("\n".join(row[:40] for row in rows)), (formation,), limit=200.0)
    result = simulate_manoeuvre(manoeuvre, tick=0.1)
    found = result.value
    assert result.status is Status.SOLVED and found.trouble == ("",)
    assert np.hypot(*(found.trace.positions[-1] - (20.5, 6.5) - schema.places).T).max() < 0.3
    assert faults(manoeuvre, found, 0.1) == []
    inside = (found.trace.positions[..., 1] >= 19) & (found.trace.positions[..., 1] < 22)
    if width == 1:  # nobody passes another one in the gate
        order = inside.argmax(0)
        assert np.unique(order).size == units and order[schema.leader] == order.min()
    assert inside.any(0).all()


def through_rooms(seed):
    """Return a formation somewhere in rooms with gates of 1 to 4 cells, to be sent somewhere else."""
    rng = np.random.default_rng(seed)
    free = np.ones((40, 40), bool)
    for _ in range(int(rng.integers(1, 4))):
        across, at, gate = rng.random() < 0.6, int(rng.integers(8, 32)), int(rng.integers(2, 36))
        width, thick = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        walls = free if across else free.T
        walls[at : at + thick] = False
        walls[at : at + thick, gate : gate + width] = True
    cells = np.argwhere(free)[:, ::-1] + 0.5
    start, target = cells[rng.choice(len(cells), 2)]
    shape, units = str(rng.choice(list(SHAPES))), int(rng.integers(2, 20))
    schema = schema_of(shape, units, spacing=float(rng.choice([1.0, 1.5, 2.0])))
    modules = Modules(
        orientation=str(rng.choice(["whole", "track", "files"])), speed=str(rng.choice(["slowest", "weighted"]))
    )
    order = (Order(target[None]),)
    radius = np.full(units, float(rng.choice([0.25, 0.4])))
    formation = Formation(schema, tuple(start), float(rng.random() * 360), order, modules, radius=radius)
    return Manoeuvre(Grid.from_free(free), (formation,), limit=400.0)


@pytest.mark.parametrize(
    "seeds", [range(40), *(pytest.param(range(k, k + 100), marks=pytest.mark.long) for k in range(40, 440, 100))]
)
def test_formations_get_through_rooms_and_gates(seeds):
    """Whatever stands across their way, wherever they start: nobody is given up, and nobody waits for ever."""
    looked = 0
    for seed in seeds:
        manoeuvre = through_rooms(seed)
        result = simulate_manoeuvre(manoeuvre, tick=0.1, every=10)
        if result.value is None:
            continue
        looked += 1
        assert result.status is Status.SOLVED, seed
        assert faults(manoeuvre, result.value, 0.1) == [], seed
    assert looked > len(seeds) / 2


def test_a_way_that_is_too_narrow_for_a_unit_is_told_and_a_wider_one_taken():
    wide = Grid.from_text("\n".join(two_gates(1, 5)))
    alone = Grid.from_text("\n".join(two_gates(1, 0)))
    schema = schema_of("column", 2, spacing=3.0)
    order = (Order(np.array([(14.5, 4.5)])),)
    fat = Formation(schema, (14.5, 22.5), 0.0, order, radius=np.array([0.25, 1.2]))
    around, through = (simulate_manoeuvre(Manoeuvre(grid, (fat,)), tick=0.1).value for grid in (wide, alone))
    assert around.trouble == ("",) and around.trace.positions[..., 0].max() > 30
    assert through.trouble[0].startswith("at (14.5, 17.5) it is too narrow for unit 1 of radius 1.2")
    for width, radius, told in ((2, 1.0, False), (2, 1.1, True), (1, 0.5, False), (1, 0.6, True)):
        grid = Grid.from_text("\n".join(two_gates(width, 0)))
        one = Formation(schema_of("column", 1), (14.5, 22.5), 0.0, order, radius=np.array([radius]))
        assert ("too narrow" in simulate_manoeuvre(Manoeuvre(grid, (one,)), tick=0.1).value.trouble[0]) == told
    walled_in = Formation.of(schema, (14.5, 26.5), 0.0, (5.5, 15.5))
    beside = simulate_manoeuvre(Manoeuvre(alone, (walled_in,)), tick=0.1).value
    assert beside.trouble[0].startswith("the leader can't be at (5.5, 15.5), in a wall")


def test_who_starts_beside_the_others_is_on_their_side_of_a_wall():
    """Places in a wall, or behind it: their units stand where they can reach the others from."""
    rows = ["." * 20] * 9 + ["#" * 20] + ["." * 20] * 10
    formation = Formation.of(schema_of("column", 6, spacing=1.5), (10.5, 5.5), 0.0, (3.5, 2.5))
    found = simulate_manoeuvre(Manoeuvre(Grid.from_text("\n".join(rows)), (formation,)), tick=0.1).value
    assert (found.trace.positions[0, :, 1] < 9).all() and found.trace.finished == 6


@pytest.mark.parametrize(
    ("start", "target", "radius"),
    [((0.5, 0.5), (15.5, 15.5), 0.6), ((10.5, 1.5), (15.5, 15.5), 1.6), ((10.5, 10.5), (19.5, 0.5), 0.6)],
)
def test_a_wide_unit_may_start_or_end_beside_a_wall(start, target, radius):
    order = (Order(np.array([target])),)
    alone = Formation(schema_of("column", 1), start, 0.0, order, radius=np.array([radius]))
    found = simulate_manoeuvre(Manoeuvre(Grid.from_text("\n".join(["." * 20] * 20)), (alone,)), tick=0.1).value
    assert found.trouble == ("",) and found.trace.finished == 1


@pytest.mark.parametrize(("spacing", "told"), [(1.2, True), (1.25, False), (2.0, False)])
def test_spots_that_are_too_near_for_their_units_are_told(spacing, told):
    order = (Order(np.array([(14.5, 4.5)])),)
    schema = schema_of("column", 2, spacing=spacing)
    formation = Formation(schema, (14.5, 22.5), 0.0, order, radius=np.array([0.25, 0.72]))
    grid = Grid.from_text("\n".join(["." * 30] * 30))
    trouble = simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1).value.trouble[0]
    assert trouble.startswith("its spots are 1.2 steps apart, too near for units of radius 0.72") is told


def test_two_spots_at_one_place_are_no_crash():
    schema = Schema.of([[0, 0], [2, 1], [2, 1]], [0, 0, 0])
    grid = Grid.from_text("\n".join(two_gates(2, 0)))
    for turns in ("whole", "track", "files"):
        formation = Formation.of(schema, (14.5, 26.5), 0.0, (14.5, 4.5), Modules(orientation=turns))
        assert simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1).value.trace.finished == 3


def test_files_have_places_of_their_own_where_the_way_is_beside_a_wall():
    """A passage of 3 cells, and a leader that keeps to its left: the files share what is to the right."""
    schema = schema_of("box", 16, spacing=1.5)
    places = schema.in_files(0.05, 2.45, 0.625)
    assert len(np.unique(places.round(6), axis=0)) == 16 and places[:, 0].min() >= -0.05 - 1e-9


def behind_a_wall(falls):
    """Return a march of four, of whom one starts behind a wall, and has a long way round on its own."""
    free = np.ones((40, 40), bool)
    free[:34, 26:31] = False
    schema = Schema.of([[0, 0], [9, 0], [0, 2], [0, 4]], [0, 0, 0, 0])
    pace = np.array([5.0, 1.0, 5.0, 5.0])
    order = (Order(np.array([[12.5, 4.5]])),)
    formation = Formation(schema, (20.5, 20.5), 0.0, order, pace=pace, falls=np.array(falls))
    manoeuvre = Manoeuvre(Grid.from_free(free), (formation,), limit=400.0)
    march = simulate_manoeuvre(manoeuvre, tick=0.1).value
    assert faults(manoeuvre, march, 0.1) == []
    return march


def test_who_goes_alone_goes_to_its_own_place():
    march = behind_a_wall([np.inf] * 4)
    assert march.trace.counters.replans.tolist() == [0, 1, 0, 0] and march.trouble == ("",)
    assert march.spot[-1].tolist() == [0, 1, 2, 3]


def test_ranks_close_also_when_one_that_went_alone_has_arrived():
    march = behind_a_wall([np.inf, np.inf, 75.0, np.inf])
    assert 0 < march.trace.arrival[1] < 750
    assert march.spot[-1].tolist() == [0, -1, -1, 1]  # the hole is filled, by the spot of who has left it
    assert march.trouble == ("unit 1 is without a spot, others closed ranks",)


def test_a_place_in_a_closed_court_gives_way_to_one_that_can_be_reached():
    rows = ["." * 20] * 5 + ["...#####" + "." * 12, "...#.#.#" + "." * 12, "...#####" + "." * 12] + ["." * 20] * 12
    grid = Grid.from_text("\n".join(rows))
    formation = Formation.of(schema_of("column", 2, spacing=1.0), (10.5, 15.5), 0.0, (5.2, 6.5))
    found = simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1).value
    assert found.trouble[0].startswith("the leader can't be at (5.2, 6.5)") and found.trace.finished == 2
    still = Formation(schema_of("column", 1), (5.5, 6.5), 0.0, ())
    said = simulate_manoeuvre(Manoeuvre(grid, (still,)), tick=0.1).value.trouble[0]
    assert said.startswith("the leader can't start from (5.5, 6.5)")


def test_who_falls_in_the_simulator_stays_there_and_the_others_close_ranks():
    grid = Grid.from_text("\n".join(["." * 30] * 40))
    schema = schema_of("wedge", 7, spacing=2.0)
    falls = np.full(7, np.inf)
    falls[[0, 3]] = 6.0, 9.0
    formation = Formation(schema, (15.5, 32.5), 0.0, (Order(np.array([(15.5, 8.5)])),), falls=falls)
    result = simulate_manoeuvre(Manoeuvre(grid, (formation,), limit=120.0), tick=0.1)
    found = result.value
    assert result.status is Status.SOLVED and found.trouble == ("",)
    assert np.flatnonzero(found.spot[-1] < 0).tolist() == [0, 3]
    assert (found.trace.positions[61:, 0] == found.trace.positions[61, 0]).all()
    assert (found.spot[:61, 0] == 0).all() and (found.spot[61:, 0] == -1).all()
    assert found.spot[-1][[1, 2, 4, 5, 6]].min() == 0  # somebody leads
    places = found.formed(0)[-1]
    left = np.flatnonzero(~np.isnan(places).any(1))
    assert len(left) == 5 and np.hypot(*(places[left] - (15.5, 8.5) - schema.places[left]).T).max() < 0.5
    measures = measure(schema, found.seconds, found.trace.positions, radius=found.trace.radius, spots=found.spot)
    assert measures.collisions == 0 and np.isfinite(measures.e1)


def test_a_divided_formation_is_simulated_and_forms_up_again():
    manoeuvre = load_manoeuvre(example("gates"), ["formation.0.units=12", "limit=300"])
    division = divided(manoeuvre)
    assert len(division.branches[0]) > 1
    result = simulate_manoeuvre(division.parts, tick=0.1, every=5)
    assert result.status is Status.SOLVED and not any(result.value.trouble)
    whole = division.reunited(result.value)
    wanted = manoeuvre.formations[0].orders[0].places[-1] + manoeuvre.formations[0].schema.places
    assert np.hypot(*(whole.formed(0)[-1] - wanted).T).max() < 0.25


def test_a_way_that_bends_just_before_its_end_is_no_trouble():
    grid = Grid.from_text("\n".join(["." * 40] * 40))
    formation = Formation.of(schema_of("wedge", 7, spacing=2.0), (20.5, 32.5), 0.0, [(20.5, 20.5), (21.5, 20.5)])
    result = simulate_manoeuvre(Manoeuvre(grid, (formation,)), tick=0.1)
    assert result.status is Status.SOLVED and result.value.trouble == ("",)


def test_who_has_arrived_neither_falls_nor_loses_its_spot():
    grid = Grid.from_text("\n".join(["." * 30] * 30))
    schema = schema_of("line", 2, spacing=3.0)
    early = Formation(schema, (6.5, 20.5), 0.0, (Order(np.array([[6.5, 16.5]])),), falls=np.array([np.inf, 25.0]))
    late = Formation.of(schema, (20.5, 28.5), 0.0, (20.5, 2.5))
    found = simulate_manoeuvre(Manoeuvre(grid, (early, late)), tick=0.1).value
    assert found.seconds[-1] > 25.0
    assert found.trace.finished == 4 and not found.trace.fallen.any() and (found.spot >= 0).all()


def test_ways_of_leaders_keep_out_of_walls():
    rng = np.random.default_rng(4)
    looked = 0
    for _ in range(300):
        free = rng.random((9, 9)) > 0.3
        cells = np.argwhere(free)[:, ::-1]
        places = cells[rng.choice(len(cells), 2)] + rng.uniform(0.01, 0.99, (2, 2))
        way = leader_way(Grid.from_free(free), places, 1.0)
        if way is None:
            continue
        looked += 1
        walls = union_all([box(x, y, x + 1, y + 1) for y, x in np.argwhere(~free)]).buffer(-1e-6)
        assert not LineString(way).intersects(walls) if len(way) > 1 else True
    assert looked > 100
