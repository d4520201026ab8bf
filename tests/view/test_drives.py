"""Pictures of motions."""

import numpy as np
import pytest

import anabasis as a
from anabasis.plan import Path
from anabasis.search.kinodynamic import kinodynamic_rrt
from anabasis.search.timing import retimed, timed
from anabasis.trajectory import Kinematics, Trajectory
from anabasis.view.drives import drive_scene
from anabasis.view.layers import Circles, Polygons, Polylines

WORLD = a.World.of((0, 0, 20, 12), [[(8, 3), (12, 3), (12, 9), (8, 9)]])


def test_a_car_is_drawn_where_it_is_at_equal_times():
    car = Kinematics.car(1.0, speed=2.0)
    motion = kinodynamic_rrt(WORLD, (2, 6, 0), (18, 6, 0), car, seed=1).value
    assert motion is not None
    scene = drive_scene(WORLD, motion, car, radius=1.0)
    boxes = [la for la in scene.layers if isinstance(la, Polygons)][-1]
    rear = boxes.points.reshape(-1, 5, 2)[:, [0, 4]].mean(axis=1)
    nose = boxes.points.reshape(-1, 5, 2)[:, 2]
    assert np.allclose(np.hypot(*(nose - rear).T), 1.45)
    order = np.argsort(np.arange(len(rear)))[1:]  # the last pose comes first
    steps = np.hypot(*np.diff(rear[order], axis=0).T)
    assert steps.max() <= 1.03 * motion.length / 24  # at one speed; the tail swings out a little
    assert np.median(steps) == pytest.approx(motion.length / 24, rel=0.05)
    assert [item.label for item in scene.legend] == ["speed"]


def test_a_car_without_a_radius_has_no_body():
    car = Kinematics.car(4.0)
    motion = retimed(Trajectory([0, 6], [(2, 1), (8, 1)], [0, 0], [1, 1], [0, 0]), car).value
    assert motion is not None
    point, body = drive_scene(WORLD, motion, car), drive_scene(WORLD, motion, car, radius=1.0)
    assert sum(isinstance(la, Polygons) for la in point.layers) + 1 == sum(
        isinstance(la, Polygons) for la in body.layers
    )
    ticks = [la for la in point.layers if isinstance(la, Polylines)][-1].points.reshape(-1, 2, 2)
    assert (ticks[:, 0, 1] == 1).all() and ticks[0, 0].tolist() == [8, 1]
    assert (ticks[:, 1, 0] > ticks[:, 0, 0]).all() and np.hypot(*(ticks[:, 1] - ticks[:, 0]).T).max() < 1


def test_driving_backwards_has_a_colour_of_its_own():
    car = Kinematics.car(1.0, backward=True)
    way = Trajectory([0, 2, 2, 5], [(5, 1), (7, 1), (7, 1), (4, 1)], [0] * 4, [1, 1, -1, -1], [0] * 4)
    motion = retimed(way, car).value
    assert motion is not None
    assert [item.label for item in drive_scene(WORLD, motion, car).legend] == ["speed", "backwards"]


def test_on_foot_there_are_dots_that_are_close_where_it_is_slow():
    walker = Kinematics(1.0, 0.1)
    motion = timed(Path([], [(1, 1), (19, 1)], 18.0), walker).value
    assert motion is not None
    scene = drive_scene(WORLD, motion, walker)
    places = next(la for la in scene.layers if isinstance(la, Circles)).centres[1:, 0]
    steps = np.diff(np.sort(places))
    assert steps[0] < 0.3 * steps.max()
    assert steps.max() == pytest.approx(motion.duration / 24, rel=0.05)


def test_somebody_who_stays_is_drawn():
    walker = Kinematics()
    motion = timed(Path([], [(1, 1)], 0.0), walker).value
    assert motion is not None
    scene = drive_scene(WORLD, motion, walker)
    assert not any(isinstance(la, Polylines) and len(la.points) for la in scene.layers)
