import numpy as np
import pytest
from crowd_scenes import field_to_target

from anabasis import FlowField, Grid, Group, GroupPlan, InputError, Scenario, Steering, Target
from anabasis.sim.plans import Plans
from anabasis.sim.simulate import Simulation, simulate
from anabasis.sim.units import Units
from anabasis.trace import Cause, Ending, Event

CORNER = """
    ..........
    .########.
    .########.
    .########.
    ..........
    """


def one(text: str, start: tuple[float, float], target: tuple[float, float], **options: object) -> Scenario:
    return Scenario(Grid.from_text(text), (Group([start], Target(*target, 0.4)),), **options)


def test_a_unit_goes_around_corners_over_cell_by_cell_points() -> None:
    scenario = one(CORNER, (0.5, 0.5), (9.5, 4.5))
    points = [(x + 0.5, 0.5) for x in range(10)] + [(9.5, y + 0.5) for y in range(1, 5)]
    trace = simulate(scenario, [GroupPlan.of_paths([points])], seed=1)
    assert trace.finished == 1
    assert trace.planned_length[0] == 13
    assert trace.counters.distance_travelled[0] < 13.5


def test_walking_to_the_farthest_point_in_sight_is_shorter_than_the_plan() -> None:
    scenario = Scenario(Grid.from_free(np.ones((30, 30), bool)), (Group([(1.5, 1.5)], Target(25.5, 9.5, 0.5)),))
    stairs = [(1.5 + k, 1.5 + min(k, 8)) for k in range(25)]
    trace = simulate(scenario, [GroupPlan.of_paths([stairs])], seed=0)
    straight = np.hypot(24, 8)
    assert trace.planned_length[0] > straight + 2
    assert trace.counters.distance_travelled[0] < straight + 0.2


def test_points_passed_at_a_distance_are_passed() -> None:
    free = np.ones((20, 40), bool)
    scenario = Scenario(Grid.from_free(free), (Group([(2.0, 4.0)], Target(38, 4, 0.5)),))
    points = [(float(x), 8.0) for x in range(2, 39, 3)]
    run = Simulation(scenario, [GroupPlan.of_paths([points])], seed=0)
    before = -1
    while run.ending is None and run.now < 240:
        run.step(8)
        near = int(run.units.near[0] - run.units.first[0])
        assert near >= before
        assert near <= run.units.farthest[0] - run.units.first[0]
        before = near
    assert before > 5


def test_the_goal_is_kept_until_a_farther_one_is_seen() -> None:
    scenario = one(CORNER, (0.5, 0.5), (9.5, 4.5))
    points = [(0.5, 0.5), (9.5, 0.5), (9.5, 4.5)]
    run = Simulation(scenario, [GroupPlan.of_paths([points])], seed=1)
    goals = []
    while run.ending is None:
        run.step()
        goals.append(int(run.units.goal[0]))
    assert sorted(goals) == goals
    assert set(goals) == {1, 2}


def test_a_lost_unit_asks_for_a_new_plan_after_the_delay() -> None:
    text = "..........\n.########.\n.########.\n.########.\n.........."
    scenario = one(text, (5.5, 0.5), (9.5, 4.5), steering=Steering(lost_steps=40))
    asked = []

    def replan(grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause) -> GroupPlan:
        asked.append((group, units.tolist(), cause))
        return GroupPlan.of_paths([[p, (9.5, 0.5), (9.5, 4.5)] for p in places.tolist()])

    hidden = GroupPlan.of_paths([[(2.5, 4.5), (9.5, 4.5)]])
    trace = simulate(scenario, [hidden], seed=0, replan=replan)
    assert asked == [(0, [0], Cause.PLAN_OUT_OF_SIGHT)]
    assert trace.finished == 1
    assert trace.counters.replans.tolist() == [1]
    kinds = list(zip(trace.event_kind.tolist(), trace.event_cause.tolist(), strict=True))
    assert kinds == [
        (Event.LOST, Cause.PLAN_OUT_OF_SIGHT),
        (Event.REPLANNED, Cause.PLAN_OUT_OF_SIGHT),
        (Event.ARRIVED, Cause.TARGET_REACHED),
        (Event.ENDED, Cause.ALL_DONE),
    ]
    assert 36 <= trace.event_step[1] <= 48


def test_replanning_can_be_turned_off_and_the_stuck_are_removed() -> None:
    text = "..........\n.########.\n.########.\n.########.\n.........."

    def replan(*_: object) -> GroupPlan:
        raise AssertionError("asked for a plan")

    scenario = one(text, (5.5, 0.5), (9.5, 4.5), steering=Steering(replanning=False, stuck_steps=300))
    trace = simulate(scenario, [GroupPlan.of_paths([[(5.5, 4.5), (9.5, 4.5)]])], seed=0, replan=replan)
    assert trace.finished == 0
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.STUCK]
    assert trace.ending is Ending.ALL_DONE


def test_a_stuck_unit_first_gets_a_new_plan() -> None:
    scenario = one(
        "....#.....\n....#.....", (1.5, 0.5), (9.5, 0.5), steering=Steering(stuck_steps=200, lost_steps=10**6)
    )
    asked = []

    def replan(grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause) -> GroupPlan:
        asked.append(cause)
        return GroupPlan.of_paths([np.zeros((0, 2))])

    trace = simulate(scenario, [GroupPlan.of_paths([[(1.5, 0.5), (9.5, 0.5)]])], seed=0, replan=replan)
    assert asked == [Cause.STUCK]
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.UNREACHABLE]


def test_the_field_is_followed_from_any_place() -> None:
    text = "#########\n#...#...#\n#.#.#.#.#\n#.#...#.#\n#########"
    grid = Grid.from_text(text)
    places = grid.centres(np.flatnonzero(grid.free.ravel()))
    for place in places.tolist():
        scenario = Scenario(grid, (Group([place], Target(7.5, 3.5, 0.4), radius=0.3),))
        assert simulate(scenario, [field_to_target(scenario)], seed=0).finished == 1


def test_a_unit_off_the_field_is_lost() -> None:
    scenario = one("...#...", (0.5, 0.5), (6.5, 0.5))
    plan = field_to_target(scenario)
    run = Simulation(scenario, [plan], seed=0)
    run.step(3)
    assert run.trace().event_kind.tolist() == [Event.LOST]


def test_the_vector_of_a_wall_cell_leads_out() -> None:
    scenario = one("....\n....", (0.5, 0.5), (3.5, 0.5))
    direction = np.zeros((2, 4, 2))
    direction[:, :, 0] = 1
    run = Simulation(scenario, [GroupPlan.of_field(FlowField(np.full((2, 4), np.inf), direction), 1)], seed=0)
    run.step(10)
    assert run.units.position[0, 0] > 1.0


def test_old_points_are_forgotten() -> None:
    scenario = Scenario(Grid.from_free(np.ones((9, 9), bool)), (Group([(1, 1), (2, 2)], Target(8, 8)),))
    units, plans = Units.of_scenario(scenario, [0]), Plans()
    rng = np.random.default_rng(0)
    for _ in range(50):
        unit = int(rng.integers(2))
        path = rng.random((int(rng.integers(1, 60)), 2)) * 9
        plans.take(units, np.array([unit]), GroupPlan.of_paths([path]))
        held = plans.points[units.first[unit] : units.end[unit]]
        assert np.array_equal(held[:-1, :2], path)
        assert held[-1].tolist() == [8, 8, 0]
        assert held[0, 2] == pytest.approx(np.hypot(*np.diff(held[:, :2], axis=0).T).sum())
    assert len(plans.points) < 1300


def test_plans_that_do_not_fit_are_refused() -> None:
    scenario = one("....", (0.5, 0.5), (3.5, 0.5))
    good = GroupPlan.of_paths([[(0.5, 0.5)]])
    small = GroupPlan.of_field(FlowField(np.ones((1, 3)), np.zeros((1, 3, 2))), 1)
    for plans in ([], [good, good], [GroupPlan.of_paths([[(0, 0)], [(0, 0)]])], [small]):
        with pytest.raises(InputError):
            simulate(scenario, plans, seed=0)
    for options in ({"seed": -1}, {"seed": 0, "record_every": 0}):
        with pytest.raises(InputError):
            simulate(scenario, [good], **options)


def test_new_plans_that_do_not_help_keep_nobody_from_being_stuck() -> None:
    scenario = one("....#.....\n....#.....", (1.5, 0.5), (9.5, 0.5), steering=Steering(stuck_steps=200, lost_steps=20))

    def replan(grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause) -> GroupPlan:
        return GroupPlan.of_paths([[p, (9.5, 0.5)] for p in places.tolist()])

    trace = simulate(scenario, [GroupPlan.of_paths([[(1.5, 0.5), (9.5, 0.5)]])], seed=0, replan=replan)
    assert trace.counters.replans[0] > 5
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.STUCK]
    assert trace.steps < 400
