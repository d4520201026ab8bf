import numpy as np
import pytest

from anabasis import Grid, Group, GroupPlan, InputError, Scenario, Steering, Target
from anabasis.sim.path_following import LOOK_EVERY, follow_path
from anabasis.sim.plans import Plans
from anabasis.sim.simulate import Simulation, simulate
from anabasis.sim.units import Units
from anabasis.sim.walls import clearance_map
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


@pytest.mark.parametrize("cut", [0.05, 1.0])
def test_a_unit_cuts_its_path_short_by_no_more_than_the_plan_allows(cut: float) -> None:
    scenario = Scenario(Grid.from_free(np.ones((40, 40), bool)), (Group([(5.5, 5.5)], Target(30.5, 30.5, 0.5)),))
    around = [(5.5 + k, 5.5) for k in range(26)] + [(30.5, 6.5 + k) for k in range(25)]
    plan = GroupPlan.of_paths([around])
    free = simulate(scenario, [plan], seed=0).counters.distance_travelled[0]
    kept = simulate(scenario, [GroupPlan(plan.indptr, plan.points, plan.route, cut=np.array(cut))], seed=0)
    assert free < np.hypot(25, 25) + 0.2, "else it walks straight to the target, which it sees"
    # it cuts from where it looks, which is up to a few steps after the point that it measures from, and rounds the bend
    assert 50 - 3 * cut - 1.0 < kept.counters.distance_travelled[0] <= 50
    assert kept.finished == 1


def test_on_a_straight_path_a_unit_that_may_not_cut_sees_as_far_as_another() -> None:
    points = [(2.0 + k, 10.0) for k in range(30)]
    goals = []
    for cut in (np.inf, 0.0):
        units, plans, layers = walker(*points)
        units.cut[0] = cut
        look_from((2.0, 10.0), units, plans, layers)
        goals.append(int(units.goal[0]))
    assert goals[0] == goals[1] > 3


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

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
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

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        asked.append(cause)
        return GroupPlan.of_paths([np.zeros((0, 2))])

    trace = simulate(scenario, [GroupPlan.of_paths([[(1.5, 0.5), (9.5, 0.5)]])], seed=0, replan=replan)
    assert asked == [Cause.STUCK]
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.UNREACHABLE]


def test_new_plans_that_do_not_help_keep_nobody_from_being_stuck() -> None:
    scenario = one("....#.....\n....#.....", (1.5, 0.5), (9.5, 0.5), steering=Steering(stuck_steps=200, lost_steps=20))

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        return GroupPlan.of_paths([[p, (9.5, 0.5)] for p in places.tolist()])

    trace = simulate(scenario, [GroupPlan.of_paths([[(1.5, 0.5), (9.5, 0.5)]])], seed=0, replan=replan)
    assert trace.counters.replans[0] > 5
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.STUCK]
    assert trace.steps < 400


def test_new_plans_that_do_not_help_are_asked_for_again_and_again() -> None:
    text = "..........\n.########.\n.########.\n.########.\n.........."
    scenario = one(text, (5.5, 0.5), (9.5, 4.5), steering=Steering(lost_steps=40, stuck_steps=150))

    def replan(
        grid: Grid, group: int, units: np.ndarray, places: np.ndarray, cause: Cause, target: Target
    ) -> GroupPlan:
        return GroupPlan.of_paths([[(2.5, 4.5), (9.5, 4.5)]])

    trace = simulate(scenario, [GroupPlan.of_paths([[(2.5, 4.5), (9.5, 4.5)]])], seed=0, replan=replan)
    assert trace.event_kind[:4].tolist() == [Event.LOST, Event.REPLANNED, Event.LOST, Event.REPLANNED]


def test_a_new_plan_has_to_be_one() -> None:
    scenario = one(CORNER, (5.5, 0.5), (9.5, 4.5), steering=Steering(lost_steps=20))
    hidden = GroupPlan.of_paths([[(2.5, 4.5), (9.5, 4.5)]])
    nothing = GroupPlan.of_paths([np.zeros((0, 2))], route=[0])
    trace = simulate(scenario, [hidden], seed=0, replan=lambda *_: nothing)
    assert trace.event_cause[trace.event_kind == Event.REMOVED].tolist() == [Cause.NO_PLAN]
    two = GroupPlan.of_paths([[(0, 0)], [(0, 0)]])
    with pytest.raises(InputError, match="wrong size"):
        simulate(scenario, [hidden], seed=0, replan=lambda *_: two)


def walker(*points: tuple[float, float]) -> tuple[Units, Plans, np.ndarray]:
    """One unit in the open that follows points."""
    scenario = Scenario(Grid.from_free(np.ones((50, 50), bool)), (Group([(1.5, 1.5)], Target(*points[-1])),))
    units, plans = Units.of_scenario(scenario, [0]), Plans()
    plans.take(units, np.array([0]), GroupPlan.of_paths([points]))
    return units, plans, clearance_map(scenario.grid.free)[None]


def look_from(place: tuple[float, float], units: Units, plans: Plans, layers: np.ndarray) -> int:
    """Put the unit there, let it look, and return the number of the point approached last."""
    units.position[0] = place
    units.look[0] = 1
    follow_path(units, plans.points, layers, 1)
    return int(units.near[0] - units.first[0])


def test_a_point_is_passed_when_the_distance_to_it_rises_again_beside_its_neighbours() -> None:
    scene = walker((2.0, 10.0), (10.0, 10.0), (30.0, 10.0), (48.0, 10.0))
    assert look_from((6.5, 13.0), *scene) == 1  # nearer to the second point than to the first: skipped to
    assert [look_from((x, 13.0), *scene) for x in (8.0, 9.0, 9.9)] == [1, 1, 1]
    assert look_from((11.0, 13.0), *scene) == 2  # rises, while the next point is far away


def test_a_later_point_that_is_nearer_is_skipped_to() -> None:
    scene = walker(*((2.0 + 3 * k, 10.0) for k in range(15)))
    assert look_from((2.0, 11.0), *scene) == 0
    assert look_from((14.2, 11.0), *scene) == 4


def test_too_far_a_goal_counts_as_lost_until_it_is_near_again() -> None:
    units, plans, layers = walker((2.0, 10.0), (4.0, 10.0))
    look_from((3.0, 10.0), units, plans, layers)
    assert units.lost[0] == 0
    look_from((40.0, 40.0), units, plans, layers)  # carried off, everything still in sight
    assert units.lost[0] == LOOK_EVERY
    look_from((5.0, 12.0), units, plans, layers)
    assert units.lost[0] == 0
