"""The planner for cars: its motions are integrated anew and keep out of obstacles; the shortest ways of a car."""

import os
import subprocess
import sys
from math import dist, inf, nan, pi, remainder
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from polygon_worlds import loose_polygons, solid_of

from anabasis import InputError, Kinematics, Status, World, state_hash
from anabasis._kernel.dubins import arc_end, dubins
from anabasis.metrics.kinematics import trajectory_faults
from anabasis.search.kinodynamic import kinodynamic_rrt

CARS = {
    "plain": Kinematics.car(1.0),
    "heavy": Kinematics(4.0, 1.0, [[0, 0.7], [4, 0.2]], 1.5),
    "backwards": Kinematics(2.0, 3.0, [[0, 0.5]], 1.0, True, 0.5),
    "front axle": Kinematics.car(2.0, 0.8, speed=3.0, reference=2.0),
}
GARAGE = World.of((0, 0, 40, 30), [[[10, 0], [12, 0], [12, 20], [10, 20]], [[24, 8], [26, 8], [26, 30], [24, 30]]])


def places(rng, world, count, room):
    """Random poses with room around them."""
    solid, found = solid_of(world), []
    while len(found) < count:
        x, y = rng.uniform(room, 100 - room, 2)
        if solid.distance(shapely.Point(x, y)) > room:
            found.append((x, y, rng.uniform(-pi, pi)))
    return found


@pytest.mark.parametrize("car", CARS.values(), ids=CARS)
def test_motions_in_random_worlds_are_those_of_a_car_and_keep_out_of_obstacles(car) -> None:
    rng, solved = np.random.default_rng(3), 0
    for number in range(5):
        world = loose_polygons(rng, 14)
        a, b, c = places(rng, world, 3, 4.0)
        for goal in (b, c[:2]):
            result = kinodynamic_rrt(world, a, goal, car, seed=number)
            if not result:
                assert result.status is Status.LIMIT
                continue
            solved += 1
            assert trajectory_faults(result.value, car, world=world, start=a, goal=goal) == []
            assert result.bound <= result.value.duration
            assert result.stats["time"] == result.value.duration
            assert result.value.speeds[0] == result.value.speeds[-1] == 0
    assert solved >= 8


def test_the_tree_is_traced_and_a_seed_gives_one_motion() -> None:
    options = {"seed": 5, "attach": 12.0}
    result = kinodynamic_rrt(GARAGE, (4, 4, 0), (36, 26, 0), CARS["plain"], traced=True, **options)
    again = kinodynamic_rrt(GARAGE, (4, 4, 0), (36, 26, 0), CARS["plain"], **options)
    assert state_hash(again.value) == state_hash(result.value)
    trace = result.trace
    assert len(trace.points) == result.stats["states"] > 10
    child = np.flatnonzero(trace.parent >= 0)
    steps = np.hypot(*(trace.points[child] - trace.points[trace.parent[child]]).T)
    assert steps.max() <= 1.0 + 1e-9  # a fiftieth of the diagonal
    other = kinodynamic_rrt(GARAGE, (4, 4, 0), (36, 26, 0), CARS["plain"], seed=6, attach=12.0)
    assert state_hash(other.value) != state_hash(result.value)


def test_a_car_with_a_width_drives_among_grown_obstacles() -> None:
    walls = shapely.box(0, 0, 40, 30).intersection(solid_of(GARAGE).buffer(1.0))
    grown = World.of(GARAGE.bounds, [shapely.get_coordinates(wall)[:-1] for wall in walls.geoms])
    result = kinodynamic_rrt(grown, (4, 4, 0), (36, 26, 0), CARS["plain"], seed=1)
    way = shapely.LineString(result.value.points)
    assert way.distance(solid_of(GARAGE)) > 1.0 - 0.05
    assert trajectory_faults(result.value, CARS["plain"], world=grown) == []


def test_a_car_stops_where_it_turns_back_and_only_if_it_can() -> None:
    alley = World.of((0, 0, 30, 4), [])
    forwards = kinodynamic_rrt(alley, (25, 2, 0), (5, 2), Kinematics.car(2.0, 0.5), limit=3000)
    assert forwards.status is Status.LIMIT
    car = Kinematics.car(2.0, 0.5, backward=True)
    result = kinodynamic_rrt(alley, (25, 2, 0), (28, 2, pi), car, seed=2, limit=20_000)
    if result:
        assert (result.value.speeds < 0).any()
        assert trajectory_faults(result.value, car, world=alley, start=(25, 2, 0), goal=(28, 2, pi)) == []


def test_ends_and_options() -> None:
    car = CARS["plain"]
    assert kinodynamic_rrt(GARAGE, (4, 4, 1), (4, 4), car).value.duration == 0
    assert kinodynamic_rrt(GARAGE, (4, 4, 1), (4, 4, 1), car).value.duration == 0
    turned = kinodynamic_rrt(GARAGE, (4, 4, 1), (4, 4, 2), car, seed=1)
    assert trajectory_faults(turned.value, car, world=GARAGE, start=(4, 4, 1), goal=(4, 4, 2)) == []
    assert kinodynamic_rrt(GARAGE, (11, 4, 0), (4, 4), car).reason == "the start (11, 4) lies in an obstacle"
    wall = World.of((0, 0, 10, 10), [[[4, 0], [5, 0], [5, 10], [4, 10]]])
    assert kinodynamic_rrt(wall, (1, 1, 0), (9, 9), car).status is Status.NO_SOLUTION
    stuck = kinodynamic_rrt(wall, (3.999, 5, 0), (1, 1), car)
    assert stuck.status is Status.LIMIT and stuck.reason.startswith("every arc from each of 1 places was tried")
    for start, goal, unit, message in (
        ((1, 1), (2, 2), car, "ends of a drive; found 2 and 2 numbers"),
        ((1, 1, nan), (2, 2), car, "NaN"),
        ((1, 1, inf), (2, 2), car, "finite numbers"),
        ((1, 1, 0), (99, 2), car, "the goal is outside the world"),
        ((1, 1, 0), (2, 2), Kinematics(), "this needs a car"),
    ):
        with pytest.raises(InputError, match=message):
            kinodynamic_rrt(GARAGE, start, goal, unit)


angles = st.floats(-10, 10)
spots = st.tuples(st.floats(-9, 9), st.floats(-9, 9), angles)


@settings(deadline=None, max_examples=200)
@given(spots, spots, st.floats(0.1, 5))
def test_the_shortest_way_of_a_car_gets_there(a, b, radius) -> None:
    way = dubins(*a, *b, radius)
    pose = a
    for k in range(3):
        assert way[2 + 2 * k] > -1e-300 and abs(way[1 + 2 * k]) in (0, pytest.approx(1 / radius))
        pose = arc_end(*pose, way[1 + 2 * k], way[2 + 2 * k])
    assert dist(pose[:2], b[:2]) < 1e-6 and abs(remainder(pose[2] - b[2], 2 * pi)) < 1e-6
    assert way[0] == pytest.approx(way[2] + way[4] + way[6])
    assert way[0] >= dist(a[:2], b[:2]) - 1e-6


def test_the_way_back_is_as_long() -> None:
    for a, b in np.random.default_rng(7).uniform(-9, 9, (500, 2, 3)):
        there = dubins(*a, *b, 2.0)[0]
        assert dubins(b[0], b[1], b[2] + pi, a[0], a[1], a[2] + pi, 2.0)[0] == pytest.approx(there)


def test_no_way_of_three_arcs_on_a_fine_raster_is_shorter() -> None:
    """Any other way of three arcs leads somewhere, and is no shorter than the shortest way to there."""
    lengths = np.linspace(0, 2 * pi, 41)
    rng = np.random.default_rng(4)
    for _ in range(6):
        first, middle, last = (np.ravel(m) for m in np.meshgrid(lengths, lengths, lengths))
        for kinds in ((1, 0, 1), (-1, 0, -1), (1, 0, -1), (-1, 0, 1), (1, -1, 1), (-1, 1, -1)):
            pick = rng.integers(len(first), size=30)
            for t, p, q in zip(first[pick], middle[pick], last[pick], strict=True):
                pose = (0.0, 0.0, 0.0)
                for curvature, length in zip(kinds, (t, p, q), strict=True):
                    pose = arc_end(*pose, float(curvature), float(length))
                assert dubins(0.0, 0.0, 0.0, *pose, 1.0)[0] <= t + p + q + 1e-6
    assert dubins(0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0)[0] == pytest.approx(5)
    assert dubins(0.0, 0.0, 0.0, 0.0, 2.0, pi, 1.0)[0] == pytest.approx(pi)


def digests() -> list[str]:
    """What the planner returns, as hashes; also run by a process without compilation."""
    return [
        state_hash(kinodynamic_rrt(GARAGE, (4, 4, 0), (36, 26), car, seed=1, attach=15.0, limit=3000, traced=True))
        for car in CARS.values()
    ]


def test_the_same_bytes_without_compilation() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import test_kinodynamic; print(*test_kinodynamic.digests())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == digests()
