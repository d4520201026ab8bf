"""The check of motions: it finds each kind of fault, and agrees with closed formulas."""

from dataclasses import replace
from math import cos, inf, pi, sin, tan

import numpy as np
import pytest

from anabasis import Kinematics, Trajectory, World
from anabasis.metrics.kinematics import driven, trajectory_faults

CAR = Kinematics.car(2.0, 0.6, speed=3.0)
WALKER = Kinematics(2.0, 1.0, [[0, pi], [1, 1], [2, 0.5]])


def circle(reference: float = 0.0, speed: float = 2.0, steering: float = 0.5, time: float = 3.0) -> Trajectory:
    """A piece of a circle from the origin, as two entries."""
    radius = 2.0 / tan(steering)
    turn = speed * time / radius
    end = radius * sin(turn) + reference * cos(turn), radius * (1 - cos(turn)) + reference * sin(turn)
    return Trajectory([0, time], [[reference, 0], end], [0, turn], [speed] * 2, [steering] * 2)


def walk() -> Trajectory:
    """Two metres ahead, braking, a turn on the spot at speed 1, and on."""
    return Trajectory(
        [0, 4 / 3, 4 / 3, 7 / 3],
        [[0, 0], [2, 0], [2, 0], [2 + 1.5 * cos(1), 1.5 * sin(1)]],
        [0, 0, 1, 1],
        [2, 1, 1, 2],
        [0] * 4,
    )


@pytest.mark.parametrize("reference", [0.0, 1.0, 2.0, -1.0])
def test_a_circle_is_a_motion_of_a_car(reference: float) -> None:
    car = Kinematics.car(2.0, 0.6, speed=3.0, reference=reference)
    assert trajectory_faults(circle(reference), car, tolerance=1e-8) == []
    other = Kinematics.car(2.0, 0.6, speed=3.0, reference=reference + 0.5)
    assert any(fault.startswith("motion") for fault in trajectory_faults(circle(reference), other))
    poses = driven(circle(reference), car, 0)
    assert len(poses) > 100
    assert poses[-1] == pytest.approx([*circle(reference).points[1], circle(reference).headings[1]], abs=1e-9)


def test_a_walk_is_a_motion_of_a_walker() -> None:
    assert trajectory_faults(walk(), WALKER, start=(0, 0), goal=(*walk().points[-1].tolist(), 1.0)) == []


def altered(trajectory: Trajectory, name: str, k: int, value: object) -> Trajectory:
    array = getattr(trajectory, name).copy()
    array[k] = value
    return replace(trajectory, **{name: array})


FAULTS = {
    "too fast": (circle(speed=3.5), CAR, "speed: 3.5 at time 0"),
    "backwards": (circle(speed=-2.0), CAR, "backwards: speed -2"),
    "steers too far": (circle(steering=0.7), CAR, "steering: 0.7 at time 0, at that speed at most 0.6"),
    "steers too far for the speed": (circle(), Kinematics(3.0, inf, [[0, 0.6], [3, 0.1]], 2.0), "steering: 0.5"),
    "steers without wheels": (circle(), WALKER, "steering: 0.5 at time 0, the unit has nothing"),
    "another place": (altered(circle(), "points", 1, [9, 9]), CAR, "motion: from the entry at time 0"),
    "another heading": (altered(circle(), "headings", 1, 0.0), CAR, "motion: from the entry at time 0"),
    "other axles": (circle(), Kinematics.car(3.0, 0.6, speed=3.0), "motion: from the entry at time 0"),
    "a car that jumps round": (walk(), Kinematics.car(2.0, speed=3), "turn: by 57.3° on the spot at time 1.33333"),
    "a turn too sharp for the speed": (walk(), replace(WALKER, turns=[[0, pi], [1, 0.9]]), "turn: by 57.3°"),
    "a jump from place to place": (altered(walk(), "points", 2, [2, 1]), WALKER, "motion: from the entry at time 1.3"),
    "no brakes": (walk(), replace(WALKER, acceleration=0.5), "acceleration: from speed 2 to 1"),
    "a jump of the speed": (altered(walk(), "speeds", 2, 2.0), WALKER, "acceleration: from speed 1 to 2"),
    "wrong start": (walk(), WALKER, "wrong start: (0, 0), not (1, 0)", {"start": (1, 0)}),
    "wrong goal": (walk(), WALKER, "wrong goal: heading 1, not 2", {"goal": (*walk().points[-1].tolist(), 2)}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(name: str) -> None:
    trajectory, unit, message, *options = FAULTS[name]
    faults = trajectory_faults(trajectory, unit, **(options[0] if options else {}))
    assert any(fault.startswith(message) for fault in faults), faults


def test_a_way_through_an_obstacle_is_found() -> None:
    end = circle().points[1]
    radius = 2.0 / tan(0.5)
    inside = [[0.5, 0.9], [0.9, 0.9], [0.9, 1.3], [0.5, 1.3]]  # between chord and arc
    world = World.of((-9, -9, 9, 9), [inside])
    assert trajectory_faults(circle(), CAR, world=world) == []
    middle = [radius * sin(0.8), radius * (1 - cos(0.8))]
    block = [[middle[0] + dx, middle[1] + dy] for dx, dy in ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))]
    faults = trajectory_faults(circle(), CAR, world=World.of((-9, -9, 9, 9), [inside, block]))
    assert len(faults) == 1 and faults[0].startswith("obstacle: the way after time 0 leads through an obstacle")
    outside = trajectory_faults(circle(), CAR, world=World.of((-9, -9, 9, float(end[1]) - 0.1), []))
    assert outside[0].startswith("outside: the way leaves the world")
    hole = [[-1, -8], [8, -8], [8, 8], [-1, 8]]
    ring = [[-2, -8.5], [8.5, -8.5], [8.5, 8.5], [-2, 8.5]]
    assert trajectory_faults(circle(), CAR, world=World.of((-9, -9, 9, 9), [ring, hole])) == []  # free inside a hole


def test_the_way_of_a_wall_may_be_touched() -> None:
    wall = World.of((0, 0, 9, 9), [[[1, 0], [3, 0], [3, 1], [1, 1]]])
    along = Trajectory([0, 5], [[0, 1], [5, 1]], [0, 0], [1, 1], [0, 0])
    assert trajectory_faults(along, WALKER, world=wall) == []
    assert trajectory_faults(replace(along, points=along.points - [0, 0.01]), WALKER, world=wall) != []


def test_length_and_duration() -> None:
    assert circle().length == 6.0 and circle().duration == 3.0
    assert walk().length == pytest.approx(3.5)
    assert np.isclose(Trajectory([1], [[0, 0]], [0], [0], [0]).duration, 0)
