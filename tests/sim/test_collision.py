import numpy as np
import pytest
from crowd_scenes import block, gap_scene, open_scene, straight
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from anabasis import Grid, Group, GroupPlan, Scenario, Target
from anabasis._kernel.ray import in_sight
from anabasis._kernel.wall import wall_gap
from anabasis.sim.collision import _bounds, _shun_walls, _walk
from anabasis.sim.simulate import simulate
from anabasis.sim.walls import clearance_map

unit = st.floats(0.0, 1.0, exclude_max=True)


@settings(max_examples=1000, deadline=None)
@given(st.integers(0, 2**16 - 1), unit, unit, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_a_step_never_ends_in_a_wall_nor_goes_through_one(
    pattern: int, fx: float, fy: float, vx: float, vy: float
) -> None:
    free = np.array([pattern >> k & 1 for k in range(16)], bool).reshape(4, 4)
    free[1, 1] = True
    walls = clearance_map(free)
    fast = float(np.hypot(vx, vy))
    if fast > 0.5:
        vx, vy = vx / fast * 0.5, vy / fast * 0.5
    x, y = min(1 + fx, 1.9999999999999998), min(1 + fy, 1.9999999999999998)  # 1 + fx may round to 2
    to_x, to_y = _walk(walls, x, y, vx, vy, 0.5)
    assert free[int(np.floor(to_y)), int(np.floor(to_x))]
    assert np.hypot(to_x - x, to_y - y) <= np.hypot(vx, vy) + 1e-12
    assert in_sight(walls, x, y, to_x, to_y)


def test_a_free_step_is_taken_in_full_and_a_blocked_one_slides() -> None:
    walls = clearance_map(np.array([[1, 1, 1], [1, 1, 0], [1, 1, 1]], bool))
    assert _walk(walls, 1.5, 1.5, -0.2, 0.1, 0.5) == (1.3, 1.6)
    assert _walk(walls, 1.9, 1.5, 0.2, 0.15, 0.2) == (1.9, 1.65)  # too far from the corner to cut it


def test_a_unit_cuts_the_corner_of_a_cell_if_a_free_cell_lies_near() -> None:
    walls = clearance_map(np.array([[1, 1, 1], [1, 1, 0], [1, 1, 0]], bool))
    x, y = _walk(walls, 1.95, 1.2, 0.15, 0.0, 0.5)
    assert (x, y) == (1.95, pytest.approx(1.05))  # along the wall, toward the free cell
    assert _walk(walls, 1.95, 1.8, 0.15, 0.0, 0.5) == (1.95, 1.8)  # the free cell is too far away


def test_wall_gap_is_the_distance_to_the_nearest_wall() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        free = rng.random((8, 8)) < 0.7
        x, y, radius = *(2 + rng.random(2) * 4), 0.2 + rng.random() * 1.8
        ys, xs = np.nonzero(~np.pad(free, 3))
        dx, dy = np.clip(x, xs - 3.0, xs - 2.0) - x, np.clip(y, ys - 3.0, ys - 2.0) - y
        assert wall_gap(clearance_map(free), x, y, radius)[2] == pytest.approx(min(radius, np.hypot(dx, dy).min()))


def test_a_crowd_in_a_narrow_gap_hardly_overlaps() -> None:
    scenario, plan = gap_scene(3, 200)
    trace = simulate(scenario, [plan], seed=1)
    depths = []
    for places, state in zip(trace.positions[1:], trace.state[1:], strict=True):
        here = places[state <= 1]
        if len(here) > 1:
            nearest = cKDTree(here).query(here, k=2)[0][:, 1]
            depths.append(np.maximum(0.0, 1.0 - nearest))
    depth = np.concatenate(depths)
    assert depth.max() <= scenario.steering.overlap + 1e-6
    assert np.median(depth) < 0.01
    assert np.quantile(depth, 0.95) < 0.1


def test_overlap_never_grows_beyond_its_bound_from_any_start() -> None:
    rng = np.random.default_rng(5)
    scenario = open_scene(10 + rng.random((150, 2)) * 10, (15.0, 15.0))
    trace = simulate(scenario, [straight(scenario)], seed=1)
    close = [min_gap(p[s <= 1]) for p, s in zip(trace.positions, trace.state, strict=True)]
    assert close[0] < 0.1
    assert min(close[30:]) > close[0]
    assert min(close[200:300]) > 0.8


def min_gap(places: np.ndarray) -> float:
    return float(cKDTree(places).query(places, k=2)[0][:, 1].min()) if len(places) > 1 else np.inf


def test_units_on_one_point_are_pushed_apart() -> None:
    scenario = open_scene(np.full((6, 2), 10.0), (25.0, 10.0))
    trace = simulate(scenario, [straight(scenario)], seed=4)
    assert min_gap(trace.positions[20]) > 0.3
    assert trace.finished == 6


def test_discs_larger_than_a_passage_get_through_it_slowly() -> None:
    grid = Grid.from_text("##########\n..........\n##########")
    runs = []
    for radius in (0.3, 0.8):
        scenario = Scenario(grid, (Group([(1.5, 1.5)], Target(8.5, 1.5, 0.5), radius=radius),))
        runs.append(simulate(scenario, [GroupPlan.of_paths([[(1.5, 1.5), (8.5, 1.5)]])], seed=0))
    assert [run.finished for run in runs] == [1, 1]
    assert runs[0].counters.wall_collisions[0] == 0
    assert runs[1].counters.wall_collisions[0] == runs[1].counters.updates[0]


def test_groups_of_several_sizes_and_speeds_cross_without_a_jam() -> None:
    grid = Grid.from_free(np.ones((40, 40), bool))
    groups = (
        Group(block(3, 12, 4, 10, 1.3), Target(36, 20, 2.0)),
        Group(block(30, 14, 4, 5, 2.2), Target(4, 20, 2.0), radius=1.0, speed=0.1),
        Group(block(17, 3, 8, 4, 0.8), Target(20, 36, 2.0), radius=0.3, speed=0.3),
    )
    scenario = Scenario(grid, groups)
    trace = simulate(scenario, [straight(scenario, g) for g in range(3)], seed=2)
    assert trace.finished == scenario.size
    assert trace.steps < 1500


def test_who_has_the_shorter_way_left_may_push_and_the_other_makes_all_the_room() -> None:
    body = np.zeros((2, 8))
    body[:, 0] = 5.0, 6.4  # radius 0.5 and speed 0.2: a gap of 0.4
    body[:, 4:6] = 0.5, 0.2
    contact, bounds = np.array([[1], [0]], np.int32), np.zeros((1, 4))

    def most(unit: int, rests: tuple[float, float]) -> float:
        body[:, 6] = rests
        _bounds(unit, body, contact, 1, 0.15, bounds)
        assert bounds[0, :2] == pytest.approx([1.0 if unit == 0 else -1.0, 0.0])
        assert bounds[0, 3] == pytest.approx(0.275)  # half of the way to the deepest overlap
        return float(bounds[0, 2])

    assert most(0, (9.0, 9.0)) == most(1, (9.0, 9.0)) == pytest.approx(0.2)
    body[1, 0] = 5.9  # deep by 0.1
    bounds_of = {}
    for rests in ((9.0, 9.0), (3.0, 9.0)):
        for unit in (0, 1):
            body[:, 6] = rests
            _bounds(unit, body, contact, 1, 0.15, bounds)
            bounds_of[unit, rests] = float(bounds[0, 2])
    assert bounds_of[0, (9.0, 9.0)] == bounds_of[1, (9.0, 9.0)] == pytest.approx(-0.05)
    assert bounds_of[0, (3.0, 9.0)] > bounds_of[0, (9.0, 9.0)]
    assert bounds_of[1, (3.0, 9.0)] == pytest.approx(-0.1)


def test_a_disc_that_reaches_into_a_wall_turns_along_it_and_drifts_out() -> None:
    walls = clearance_map(np.ones((10, 10), bool))
    vx, vy = _shun_walls(walls, 5.0, 0.3, 0.5, 0.15, 0.1, -0.1)  # the wall above, heading for it
    assert vx > 0.1
    assert -0.05 < vy < 0.0
    assert _shun_walls(walls, 5.0, 0.3, 0.5, 0.15, 0.0, 0.0) == (0.0, pytest.approx(0.015))
    assert _shun_walls(walls, 5.0, 0.6, 0.5, 0.15, 0.1, -0.1) == (0.1, -0.1)  # does not reach it
