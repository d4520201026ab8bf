"""Timing: the fastest motion that keeps the limits, checked by a validator that integrates it anew."""

from math import cos, inf, pi, sin, tan

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from anabasis import InputError, Kinematics, Path, Status, Trajectory, World
from anabasis.metrics.kinematics import corner_angles, trajectory_faults, turn_faults
from anabasis.search.rrt_connect import rrt_connect
from anabasis.search.timing import retimed, timed
from anabasis.search.visibility_graph import visibility_graph

RUNNER = Kinematics(5.0, 2.0, [[0, pi], [2, pi / 2], [5, pi / 6]])
CAR = Kinematics(4.0, 1.0, [[0, 0.7], [4, 0.2]], axle=2.0, backward=True, reference=1.0)


def path_of(*points: tuple[float, float]) -> Path:
    places = np.array(points, float)
    return Path([], places, float(np.hypot(*np.diff(places, axis=0).T).sum()))


def drive(controls: list[tuple[float, float]], car: Kinematics, speed: float = 1.0) -> Trajectory:
    """Arcs (steering, signed length) driven at one speed, by the closed formulas of a circle."""
    x, y, heading, time, rows = 0.0, 0.0, 0.0, 0.0, []

    def row(v: float, angle: float) -> list[float]:
        return [time, x + car.reference * cos(heading), y + car.reference * sin(heading), heading, v, angle]

    for steering, length in controls:
        v = speed if length > 0 else -speed
        rows.append(row(v, steering))
        turn = length * tan(steering) / car.axle
        if turn:
            radius = car.axle / tan(steering)
            x, y = x + radius * (sin(heading + turn) - sin(heading)), y - radius * (cos(heading + turn) - cos(heading))
        else:
            x, y = x + length * cos(heading), y + length * sin(heading)
        heading, time = heading + turn, time + abs(length) / speed
        rows.append(row(v, steering))
    table = np.array(rows)
    return Trajectory(table[:, 0], table[:, 1:3], table[:, 3], table[:, 4], table[:, 5])


def test_a_straight_run_is_a_trapezoid() -> None:
    result = timed(path_of((0, 0), (20, 0)), RUNNER)
    assert result.value.duration == pytest.approx(2.5 + 2.5 + (20 - 2 * 6.25) / 5)
    assert result.value.speeds.tolist() == [0, 5, 5, 0]
    short = timed(path_of((0, 0), (2, 0)), RUNNER).value
    assert short.speeds.max() == pytest.approx(2) and short.duration == pytest.approx(2)


def test_a_corner_is_passed_no_faster_than_its_turn_allows() -> None:
    result = timed(path_of((0, 0), (20, 0), (20, 20)), RUNNER, start_speed=5, goal_speed=5)
    jump = np.flatnonzero(np.diff(result.value.headings))
    assert result.value.speeds[jump].tolist() == [2.0]
    slight = timed(path_of((0, 0), (20, 0), (40, 3)), RUNNER, start_speed=5, goal_speed=5)
    assert (slight.value.speeds == 5).all() and slight.value.duration == pytest.approx(slight.bound)


def test_without_inertia_only_the_turns_cost_time() -> None:
    unit = Kinematics(5.0, inf, RUNNER.turns)
    result = timed(path_of((0, 0), (20, 0), (20, 20)), unit)
    assert result.value.duration == pytest.approx(8.0)
    assert trajectory_faults(result.value, unit, start=(0, 0), goal=(20, 20)) == []


def test_what_is_too_sharp_at_any_speed_has_no_solution() -> None:
    stiff = Kinematics(1.0, turns=[[0, 1.0]])
    result = timed(path_of((0, 0), (4, 0), (4, 4)), stiff)
    assert result.status is Status.NO_SOLUTION
    assert result.reason == "the turn by 90° at (4, 0) is more than the unit can do at any speed"
    assert timed(path_of((0, 0), (4, 0), (4, 4)), CAR).status is Status.NO_SOLUTION
    assert timed(path_of((0, 0), (4, 0), (9, 0)), CAR).value.duration > 0


def test_corners_that_are_near_count_together() -> None:
    stair = path_of((0, 0), (9, 0), (9.5, 0.5), (9.5, 9))
    apart, together = timed(stair, RUNNER).value, timed(stair, RUNNER, within=1.0).value
    assert together.duration > apart.duration
    assert trajectory_faults(apart, RUNNER, within=1.0) != []
    assert trajectory_faults(together, RUNNER, within=1.0) == []
    assert corner_angles(stair.points, 1.0).tolist() == pytest.approx([pi / 2, pi / 2])


def test_a_unit_too_fast_to_brake_has_no_solution() -> None:
    result = timed(path_of((0, 0), (4, 0)), RUNNER, start_speed=5)
    assert result.status is Status.NO_SOLUTION and "can brake in time from at most 4" in result.reason
    assert timed(path_of((0, 0), (7, 0)), RUNNER, start_speed=5).value.speeds[0] == 5


def test_a_single_place_takes_no_time() -> None:
    assert timed(path_of((3, 4)), RUNNER).value.duration == 0
    assert timed(path_of((3, 4), (3, 4)), RUNNER).value.points.tolist() == [[3, 4]]


@pytest.mark.parametrize("within", [-1.0, float("nan")])
def test_a_wrong_distance_of_corners_is_an_error(within: float) -> None:
    with pytest.raises(InputError, match="within"):
        timed(path_of((0, 0), (4, 0)), RUNNER, within=within)


@pytest.mark.parametrize("speed", [-1.0, 6.0])
def test_a_wrong_speed_is_an_error(speed: float) -> None:
    with pytest.raises(InputError, match="speed at the start"):
        timed(path_of((0, 0), (4, 0)), RUNNER, start_speed=speed)


places = st.tuples(st.floats(-20, 20), st.floats(-20, 20))


@example(points=[(0.0, 0.0), (-0.8, 8.296875), (-1.4375, 15.5), (0.0, 1.7734375)], acceleration=0.5, within=0.0)
@settings(deadline=None, max_examples=60)
@given(st.lists(places, min_size=1, max_size=8), st.sampled_from([inf, 0.5, 8.0]), st.sampled_from([0.0, 3.0]))
def test_random_paths_are_timed_within_all_limits(points, acceleration, within) -> None:
    unit = Kinematics(5.0, acceleration, RUNNER.turns)
    result = timed(path_of(*points), unit, within=within)
    if result:
        assert trajectory_faults(result.value, unit, start=points[0], goal=points[-1], within=within) == []
        assert result.value.length == pytest.approx(path_of(*points).cost)
        assert result.value.duration >= result.bound - 1e-9
    else:
        assert within and "the turn by" in result.reason


@example(controls=[(0.004, 4.0)], heavy=True)
@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.floats(-0.69, 0.69), st.floats(-9, 9)), min_size=1, max_size=8), st.booleans())
def test_random_drives_are_timed_within_all_limits(controls, heavy) -> None:
    controls = [(round(s, 3), length) for s, length in controls if abs(length) > 0.01] or [(0.1, 1.0)]
    car = Kinematics(4.0, 1.0 if heavy else inf, CAR.turns, 2.0, True, 1.0)
    slow = drive(controls, car, 0.25)
    result = retimed(slow, car)
    assert trajectory_faults(result.value, car, start=slow.points[0], goal=slow.points[-1]) == []
    assert result.value.length == pytest.approx(slow.length)
    assert result.value.headings[-1] == pytest.approx(slow.headings[-1])
    if not heavy:
        best = sum(abs(length) / car.speed_for(s) for s, length in controls)
        assert result.value.duration == pytest.approx(best)


def test_a_car_slows_down_for_its_steering_and_stops_to_turn_back() -> None:
    result = retimed(drive([(0.0, 9), (0.45, 5), (0.45, -5)], CAR, 0.5), CAR)
    at = np.flatnonzero(result.value.steering == 0.45)
    assert np.abs(result.value.speeds[at]).max() == pytest.approx(2.0)
    assert (result.value.speeds == 0).sum() >= 3
    assert "0.8" in retimed(drive([(0.8, 1)], CAR), CAR).reason


def test_turns_of_a_path_at_a_speed() -> None:
    path = path_of((0, 0), (4, 0), (4, 4), (8, 8))
    assert turn_faults(path, RUNNER, 1.0) == []
    assert turn_faults(path, RUNNER, 3.0) == ["turn: by 90° at (4, 0), at speed 3 at most 70°"]
    assert len(turn_faults(path, RUNNER, 5.0)) == 2
    assert len(turn_faults(path, CAR, 1.0)) == 2
    assert turn_faults(Path([], np.empty((0, 2)), 0.0), RUNNER, 5.0) == []


def test_the_greatest_speed_for_an_angle_is_the_inverse_of_the_table() -> None:
    for unit in (RUNNER, CAR):
        for angle in np.linspace(0, unit.turns[0, 1], 50).tolist():
            speed = unit.speed_for(angle)
            assert unit.turn(speed) >= angle - 1e-9
            assert speed == unit.speed or unit.turn(speed + 1e-6) < angle
    assert RUNNER.speed_for(pi + 0.1) == -1
    assert CAR.radius == pytest.approx(2 / tan(0.7))
    flat = Kinematics(9.0, turns=[[0, 1], [2, 1], [3, 0.5], [4, 0.5]])
    assert (flat.speed_for(1), flat.speed_for(0.5), flat.speed_for(0.75)) == (2, 9, 2.5)


def test_a_path_among_obstacles_is_timed_and_stays_out_of_them() -> None:
    world = World.of((0, 0, 100, 100), [[[30, 20], [70, 20], [70, 80], [65, 80], [65, 25], [30, 25]]])
    for planner in (rrt_connect, visibility_graph):
        path = planner(world, (50, 50), (90, 50)).value
        result = timed(path, RUNNER)
        assert trajectory_faults(result.value, RUNNER, world=world, start=(50, 50), goal=(90, 50)) == []
        assert turn_faults(path, RUNNER, 5.0) and result.value.duration > result.bound


def test_no_path_and_degrees_are_refused():
    with pytest.raises(InputError, match="no path to be timed; found None"):
        timed(None, Kinematics())
    with pytest.raises(InputError, match="angles in radians, at most π"):
        Kinematics(turns=[[0, 180], [2, 30]])
