"""The lower bound of the last arrival: never above what the simulator does, and right where the answer is known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from anabasis.bound.grid import Bound, grid_bound
from anabasis.bound.reach import Reach
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.orders import execute, plan_groups
from anabasis.result import Status
from anabasis.scenario import Change, Group, Limits, Scenario, Steering, Target


def last_arrival(scenario: Scenario, method: str, group: int = 0) -> int | None:
    """Return the step at which the last unit arrived; None unless all did."""
    trace = execute(
        scenario, method, plan_groups(scenario, method, seed=scenario.seed), seed=scenario.seed, record_every=999
    )
    arrival = trace.arrival[trace.group == group]
    return None if (arrival < 0).any() else int(arrival.max())


def bound_of(scenario: Scenario, group: int = 0) -> Bound:
    own = scenario.groups[group]
    others = [g for g in scenario.groups if g is not own]
    grid = scenario.grid.with_movement(own.movement)
    result = grid_bound(grid, own, steering=scenario.steering, changes=scenario.changes, others=others)
    assert result.status is Status.SOLVED, result.reason
    assert result.value is not None
    assert result.bound == result.value.steps
    return result.value


def pack(
    draw: np.random.Generator, free: NDArray[np.bool_], count: int, apart: float, near: float
) -> NDArray[np.float64]:
    """Return places of units in free cells at least so far apart, in the part of the map left of `near`."""
    places: list[NDArray[np.float64]] = []
    height = free.shape[0]
    for _ in range(60 * count):
        place = draw.uniform((0.0, 0.0), (near, height))
        x, y = np.floor(place).astype(int)
        if free[y, x] and all(math.dist(place, other) >= apart for other in places):
            places.append(place)
        if len(places) == count:
            break
    return np.array(places).reshape(-1, 2)


def random_map(draw: np.random.Generator) -> NDArray[np.bool_]:
    """Return a small map: walls at random, or rooms with a wall between that has gaps."""
    height, width = int(draw.integers(8, 20)), int(draw.integers(16, 34))
    if draw.random() < 0.4:
        free = draw.random((height, width)) > draw.uniform(0.02, 0.25)
    else:
        free = draw.random((height, width)) > 0.02
        wall = int(draw.integers(width // 3, width // 2))
        thick = int(draw.integers(1, 5))
        free[:, wall : wall + thick] = False
        for _ in range(int(draw.integers(1, 3))):
            gap = int(draw.integers(0, height - 1))
            free[gap : gap + int(draw.integers(1, 5)), wall : wall + thick] = True
    label = ndimage.label(free)[0]
    return np.asarray(label == 1 + np.argmax(np.bincount(label.ravel())[1:]))


def random_scenario(seed: int) -> Scenario | None:
    draw = np.random.default_rng(seed)
    free = random_map(draw)
    width = free.shape[1]
    radius = float(draw.choice([0.2, 0.3, 0.45, 0.5, 0.7]))
    speed = float(draw.choice([0.05, 0.15, 0.3, 0.5]))
    overlap = float(draw.choice([0.0, 0.15, 0.15, 0.4]))
    apart = 2.0 * radius * (1.0 if draw.random() < 0.8 else 1.0 - overlap)
    places = pack(draw, free, int(draw.integers(1, 70)), apart, width * float(draw.uniform(0.2, 0.7)))
    right = np.argwhere(free[:, width // 2 :])
    if not len(places) or not len(right):
        return None
    y, x = right[draw.integers(len(right))]
    target = Target(width // 2 + x + draw.random(), y + draw.random(), float(draw.choice([0.7, 1.5, 3.0])))
    group = Group(places, target, radius, speed)
    return Scenario(
        Grid.from_free(free), (group,), limits=Limits(4000, 400, 10), steering=Steering(overlap=overlap), seed=seed
    )


def check_runs(seeds: range) -> int:
    """Compare bound and arrivals of both simple methods; return how many runs there were."""
    runs, cuts = 0, 0
    for seed in seeds:
        scenario = random_scenario(seed)
        if scenario is None:
            continue
        bound = bound_of(scenario)
        cuts += len(bound.cells) > 0
        for method in ("astar", "vector-field"):
            last = last_arrival(scenario, method)
            if last is not None:
                runs += 1
                assert bound.steps <= last, f"seed {seed}, {method}: {bound} but all arrived at step {last}"
    assert cuts > len(seeds) / 20
    return runs


def test_no_run_is_faster() -> None:
    assert check_runs(range(60)) > 80


@pytest.mark.long
def test_no_run_of_very_many_is_faster() -> None:
    assert check_runs([*range(150), *range(1000, 4000)]) > 4200


def block(draw: np.random.Generator) -> tuple[Scenario, int]:
    """Return a group that marches to its target as one block, as dense as can be, and the step at which it is there.

    The block is a piece of a triangular lattice; nobody leaves his place in it, so this is a run that nothing forbids.
    A wall with a gap that just lets the block through stands in the way.
    """
    radius, steering = float(draw.choice([0.45, 0.8, 1.2])), Steering()
    apart = 2.0 * radius * (1.0 - steering.overlap) * 1.0001
    turn, ahead = draw.uniform(0.0, math.pi / 3), draw.uniform(-0.7, 0.7)
    forward = np.array([math.cos(ahead), math.sin(ahead)])
    aside = np.array([-forward[1], forward[0]])
    i, j = np.meshgrid(np.arange(-60, 60), np.arange(-60, 60))
    spots = apart * np.column_stack([(i + j / 2).ravel(), (j * math.sqrt(3) / 2).ravel()])
    spots = spots @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    half, deep = float(draw.choice([0.5, 1.0, 2.0, 4.0])), float(draw.choice([3.0, 8.0, 14.0]))
    spots = spots[(abs(spots[:, 1]) <= half) & (abs(spots[:, 0]) <= deep)]
    target = Target(56.0, 40.0, half + 0.3)
    middle = np.array([target.x, target.y]) - 38.0 * forward
    places = middle + spots[:, :1] * forward + spots[:, 1:] * aside
    free = np.ones((80, 80), bool)
    wall, thick = int(draw.integers(35, 42)), int(draw.integers(1, 9))
    centre = middle[1] + (wall - middle[0]) * math.tan(ahead)
    other = middle[1] + (wall + thick - middle[0]) * math.tan(ahead)
    reach = half / math.cos(ahead)
    free[:, wall : wall + thick] = False
    free[math.floor(min(centre, other) - reach) : math.ceil(max(centre, other) + reach), wall : wall + thick] = True
    assert abs(spots[:, 1]).max() < target.radius
    way = 38.0 - spots[:, 0] - np.sqrt(target.radius**2 - spots[:, 1] ** 2)
    group = Group(places, target, radius)
    group.vertices(Grid.from_free(free))
    return Scenario(Grid.from_free(free), (group,)), math.ceil(float(way.max()) / group.speed)


def test_no_block_at_full_speed_is_faster() -> None:
    """The bound's cuts can't count on the slowness of the simulator's crowds."""
    near = 0
    for seed in range(60):
        scenario, last = block(np.random.default_rng(seed))
        bound = bound_of(scenario)
        assert bound.steps <= last, f"seed {seed}"
        near += bound.steps > 0.9 * last
    assert near > 40


def test_cuts_alone_hold_for_blocks_and_are_nearly_tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the units' own ways to the target, the number that a gap lets through makes the bound."""

    class NoWalk(Reach):
        def __init__(self, free: NDArray[np.bool_], group: Group) -> None:
            super().__init__(free, group)
            self.walk = np.zeros_like(self.walk)

    monkeypatch.setattr("anabasis.bound.grid.Reach", NoWalk)
    shares: list[float] = []
    for seed in range(1000, 1040):
        scenario, last = block(np.random.default_rng(seed))
        bound = bound_of(scenario)
        assert bound.steps <= last, f"seed {seed}"
        assert len(bound.cells) > 0
        shares.append(bound.steps / last)
    assert np.median(shares) > 0.8


def room(gap: int, thick: int = 2, count: int = 60, height: int = 20) -> Scenario:
    """Return two rooms with a gap in the wall between them, and a packed group."""
    free = np.ones((height, 44), bool)
    free[:, 20 : 20 + thick] = False
    free[(height - gap) // 2 : (height + gap) // 2, 20 : 20 + thick] = True
    x, y = np.meshgrid(np.arange(18.5, 0.0, -1.0), np.arange(2.5, height - 2.0, 1.0))
    places = np.column_stack([x.T.ravel(), y.T.ravel()])[:count]
    return Scenario(Grid.from_free(free), (Group(places, Target(34.0, height / 2, 2.0), 0.45),))


@pytest.mark.parametrize("gap", [1, 2, 4])
def test_a_gap_makes_the_bound(gap: int) -> None:
    scenario = room(gap, count=200)
    bound = bound_of(scenario)
    assert bound.steps > bound.walking
    assert set(bound.cells[:, 0].tolist()) <= {19, 20, 21, 22}
    assert len(bound.cells) == gap
    last = last_arrival(scenario, "vector-field")
    assert last is not None
    assert bound.steps <= last <= 6 * bound.steps


def test_units_that_arrive_right_behind_the_gap_are_taken_away() -> None:
    for count, radius in ((30, 0.3), (120, 0.45)):
        scenario = room(1, thick=1, count=count)
        near = replace(scenario, groups=(replace(scenario.groups[0], target=Target(22.0, 10.0, radius)),))
        last = last_arrival(near, "vector-field")
        assert last is not None
        assert bound_of(near).steps <= last


def test_more_units_never_lower_it_nor_a_narrower_gap() -> None:
    steps = [bound_of(room(2, count=count)).steps for count in (1, 5, 20, 60, 120, 200)]
    assert steps == sorted(steps)
    assert steps[-1] > 1.5 * steps[0]
    narrower = [bound_of(room(gap, count=200)).steps for gap in (8, 6, 4, 2, 1)]
    assert narrower == sorted(narrower)


def test_one_unit_needs_the_straight_way() -> None:
    grid = Grid.from_free(np.ones((30, 50), bool))
    for place in ((3.3, 4.1), (20.5, 29.9), (1.0, 15.0)):
        group = Group(np.array([place]), Target(44.2, 12.7, 2.0))
        bound = grid_bound(grid, group).value
        assert bound is not None
        assert bound.steps == math.ceil((math.dist(place, (44.2, 12.7)) - 2.0) / 0.15)
        assert bound.steps == last_arrival(Scenario(grid, (group,)), "astar") or bound.steps > 0


def test_the_way_around_a_wall_is_nearly_exact() -> None:
    free = np.ones((20, 41), bool)
    free[:16, 20] = False
    group = Group(np.array([[5.5, 3.5]]), Target(35.5, 3.5, 2.0))
    true = math.dist((5.5, 3.5), (20, 16)) + 1.0 + math.dist((21, 16), (35.5, 3.5)) - 2.0
    bound = grid_bound(Grid.from_free(free), group).value
    assert bound is not None
    assert 0.98 * true / 0.15 <= bound.steps <= math.ceil(true / 0.15)


def test_inside_the_target() -> None:
    grid = Grid.from_free(np.ones((10, 10), bool))
    bound = grid_bound(grid, Group(np.array([[5.0, 5.0], [5.0, 6.0]]), Target(5.5, 5.5, 2.0))).value
    assert bound is not None
    assert (bound.steps, bound.walking, len(bound.cells)) == (0, 0, 0)


def test_an_unreachable_target_is_told() -> None:
    grid = Grid.from_text("..#..\n..#..")
    group = Group(np.array([[0.5, 0.5]]), Target(4.5, 0.5, 1.0))
    result = grid_bound(grid, group)
    assert result.status is Status.NO_SOLUTION
    assert result.reason == "no way leads from unit 0 to the target"
    opens = Change(10, np.array([[2, 1]]), ".")
    assert grid_bound(grid, group, changes=[opens])


def test_corners_that_touch_are_no_way() -> None:
    grid = Grid.from_text(".#\n#.")
    assert grid_bound(grid, Group(np.array([[0.5, 0.5]]), Target(1.5, 1.5, 0.5))).status is Status.NO_SOLUTION


def test_a_unit_in_a_wall_is_refused() -> None:
    grid = Grid.from_text("..#")
    with pytest.raises(InputError, match="unit 0 stands in a wall"):
        grid_bound(grid, Group(np.array([[2.5, 0.5]]), Target(0.5, 0.5)))
    with pytest.raises(InputError, match="target lies in a wall"):
        grid_bound(grid, Group(np.array([[0.5, 0.5]]), Target(2.5, 0.5)))


def test_finer_cells_scale_it() -> None:
    scenario = room(2, count=100)
    fine = replace(
        scenario.groups[0],
        positions=scenario.groups[0].positions * 2,
        target=Target(68.0, 20.0, 4.0),
        radius=0.9,
        speed=0.3,
    )
    coarse, twice = bound_of(scenario), grid_bound(scenario.grid.scaled(2), fine).value
    assert twice is not None
    assert twice.steps == pytest.approx(coarse.steps, rel=0.03)


def test_units_on_one_point_pass_together_as_far_as_anyone_knows() -> None:
    scenario = room(1, count=60)
    group = replace(scenario.groups[0], positions=np.repeat(scenario.groups[0].positions[:30], 2, axis=0))
    bound = grid_bound(scenario.grid, group).value
    assert bound is not None
    assert bound.steps == bound.walking


def closing(step: int, cells: list[list[int]], count: int = 60) -> Scenario:
    scenario = room(2, count=count)
    return replace(scenario, changes=(Change(step, np.array(cells), "@"), Change(step + 300, np.array(cells), ".")))


@pytest.mark.parametrize("step", [1, 60, 120, 200, 5000])
def test_walls_that_come_and_go(step: int) -> None:
    door = [[x, y] for x in (20, 21) for y in (9, 10)]
    scenario = closing(step, door)
    bound = bound_of(scenario)
    last = last_arrival(scenario, "vector-field")
    assert last is None or bound.steps <= last
    assert bound.steps <= bound_of(room(2)).steps
    if step == 5000:
        assert bound.steps == bound_of(room(2)).steps


def test_a_way_that_opens_later_counts_from_the_start() -> None:
    scenario = room(1)
    wide = [[x, y] for x in (20, 21) for y in range(20)]
    opened = replace(scenario, changes=(Change(150, np.array(wide), "."),))
    assert bound_of(opened).steps < bound_of(scenario).steps
    last = last_arrival(opened, "vector-field")
    assert last is not None
    assert bound_of(opened).steps <= last


def test_a_buried_unit_may_be_thrown_over_a_wall() -> None:
    free = np.ones((5, 40), bool)
    free[:, 10:30] = False
    free[4, 9:31] = True
    scenario = Scenario(
        Grid.from_free(free),
        (Group(np.array([[8.5, 0.5]]), Target(31.0, 0.5, 1.0), speed=0.5),),
        changes=(Change(1, np.array([[x, y] for x in range(29) for y in range(4)]), "@"),),
    )
    bound = bound_of(scenario)
    assert bound.steps <= bound.walking <= 100


def test_other_groups_can_only_delay() -> None:
    scenario = room(2)
    free_places = np.column_stack([np.full(15, 26.5), np.arange(2.5, 17.5)])
    other = Group(free_places, Target(5.0, 10.0, 3.0), 0.45)
    both = replace(scenario, groups=(scenario.groups[0], other))
    assert bound_of(both).steps == bound_of(scenario).steps
    small = replace(other, radius=0.05)
    assert bound_of(replace(both, groups=(scenario.groups[0], small))).steps <= bound_of(scenario).steps
    for g in range(2):
        last = last_arrival(both, "vector-field", g)
        assert last is None or bound_of(both, g).steps <= last


def test_the_same_question_has_the_same_answer() -> None:
    one, two = bound_of(room(2)), bound_of(room(2))
    assert (one.steps, one.why, one.cells.tolist()) == (two.steps, two.why, two.cells.tolist())
