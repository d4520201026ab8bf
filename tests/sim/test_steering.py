from dataclasses import replace

import numpy as np
import pytest
from crowd_scenes import block, open_scene, straight

from anabasis import Grid, Group, GroupPlan, Scenario, Steering, Target, Trace
from anabasis.sim.neighbours import CellList
from anabasis.sim.simulate import Simulation, simulate
from anabasis.sim.steering import Forces
from anabasis.sim.units import Units
from anabasis.sim.walls import clearance_map

ALONE = Steering(separation=0.0, alignment=0.0, collision_avoidance=0.0, obstacle_avoidance=0.0, random_feeler=0.0)


def run(scenario: Scenario, steering: Steering, steps: int, seed: int = 0) -> Simulation:
    scenario = replace(scenario, steering=steering)
    simulation = Simulation(scenario, [straight(scenario, g) for g in range(len(scenario.groups))], seed=seed)
    simulation.step(steps)
    return simulation


def test_seek_goes_straight_at_full_speed_after_a_short_start() -> None:
    trace = simulate(open_scene([(5.0, 5.0)], (25.0, 20.0)), [GroupPlan.of_paths([[(25.0, 20.0)]])], seed=0)
    steps = np.diff(trace.positions[:, 0], axis=0)
    speeds = np.hypot(*steps.T)
    assert speeds[0] == pytest.approx(0.15 * 0.25)
    assert speeds[5:].min() == pytest.approx(0.15)
    assert np.abs(steps[:, 1] / steps[:, 0] - 0.75).max() < 1e-9
    assert trace.counters.distance_travelled[0] == pytest.approx(24.5, abs=0.16)
    assert trace.counters.not_full_move[0] == 3


def test_separation_keeps_units_apart() -> None:
    def spacing(weight: float) -> float:
        scenario = open_scene(block(5, 12, 5, 5, 1.05), (198.0, 15.0), 200)
        places = run(scenario, replace(ALONE, separation=weight), 60).units.position
        return float(np.sort(np.hypot(*(places[:, None] - places[None]).T), axis=1)[:, 1].mean())

    assert spacing(0.5) > spacing(0.0) + 0.05


def test_alignment_evens_velocities_out() -> None:
    def spread(weight: float) -> float:
        groups = (Group(block(10, 10, 3, 3, 2.2), Target(28, 12)), Group(block(11.1, 11.1, 3, 3, 2.2), Target(12, 28)))
        scenario = Scenario(Grid.from_free(np.ones((30, 30), bool)), groups)
        return float(run(scenario, replace(ALONE, alignment=weight), 8).units.velocity.var(axis=0).sum())

    assert spread(0.8) < 0.9 * spread(0.0)


def pillar(steering: Steering) -> Trace:
    free = np.ones((21, 40), bool)
    free[9:12, 18:21] = False
    scenario = Scenario(Grid.from_free(free), (Group([(5.0, 10.9)], Target(36, 10.5, 1.0)),), steering=steering)
    return simulate(scenario, [GroupPlan.of_paths([[(5, 10.9), (19, 8.6), (36, 10.5)]])], seed=1)


def test_rays_keep_a_unit_off_walls() -> None:
    blind, seeing = pillar(ALONE), pillar(replace(ALONE, obstacle_avoidance=0.5))
    assert blind.finished == seeing.finished == 1
    assert blind.counters.wall_collisions[0] > 0
    assert seeing.counters.wall_collisions[0] < blind.counters.wall_collisions[0]


def test_two_who_meet_head_on_pass_each_other_on_the_right() -> None:
    grid = Grid.from_free(np.ones((20, 40), bool))
    groups = (Group([(5.0, 10.0)], Target(35, 10, 0.5)), Group([(35.0, 10.0)], Target(5, 10, 0.5)))
    avoiding = run(Scenario(grid, groups), replace(ALONE, collision_avoidance=1.0, avoidance_distance=4.0), 400)
    trace = avoiding.trace()
    assert trace.finished == 2
    assert trace.counters.unit_collisions.sum() == 0
    middle = trace.positions[100]
    assert middle[0, 1] > 10 > middle[1, 1]  # y points down: the one that goes to +x has its right at +y
    assert middle.sum(axis=0) == pytest.approx((40, 20))  # both give way alike


def test_only_the_feeler_is_random() -> None:
    free = np.ones((20, 40), bool)
    free[12:, 20] = False
    scenario = Scenario(Grid.from_free(free), (Group(block(4, 9, 3, 3), Target(36, 11.2)),))
    assert np.array_equal(
        run(scenario, Steering(random_feeler=0.0), 120, seed=1).units.position,
        run(scenario, Steering(random_feeler=0.0), 120, seed=2).units.position,
    )
    assert not np.array_equal(
        run(scenario, Steering(), 120, seed=1).units.position, run(scenario, Steering(), 120, seed=2).units.position
    )


def test_walls_turn_a_unit_aside_and_do_not_stop_it() -> None:
    scenario = Scenario(Grid.from_free(np.ones((7, 12), bool)), (Group([(10.6, 3.5)], Target(11.4, 3.5, 0.3)),))
    steering = replace(ALONE, obstacle_avoidance=20.0)
    units, cells, forces = Units.of_scenario(scenario, [0]), CellList(1, 12, 7, 2.5), Forces(steering, 1)
    units.velocity[0], units.wanted[0] = (0.15, 0.0), (1.0, 0.0)  # the rays ahead meet the border
    cells.sort(units)
    forces.apply(cells, units, clearance_map(scenario.grid.free)[None], 1, 1)
    assert forces.velocity[0] == pytest.approx((0.15, 0.0))
    units.wanted[0] = (0.0, 1.0)  # along the border, so the rays turn it back
    forces.apply(cells, units, clearance_map(scenario.grid.free)[None], 1, 1)
    assert forces.velocity[0, 0] < 0.15


def test_who_does_not_get_on_steps_back_now_and_then() -> None:
    grid = Grid.from_text("....#...\n....#...")
    scenario = Scenario(grid, (Group([(2.5, 0.9)], Target(7.5, 0.9, 0.3)),), steering=ALONE)
    run_ = Simulation(scenario, [GroupPlan.of_paths([[(7.5, 0.9)]])], seed=0)
    run_.step(100)
    farthest = run_.units.position[0, 0]
    run_.step(900)
    x = run_.trace().positions[:, 0, 0]
    assert np.ptp(x[50:100]) < 0.1
    assert x[100:].min() < farthest - 0.5
    back = (np.diff(x[132:]) < -0.01).mean()
    assert 0.05 < back < 0.45


@pytest.mark.parametrize("rays", [0, 1, 2, 7])
def test_any_number_of_rays(rays: int) -> None:
    assert pillar(Steering(rays=rays)).finished == 1
