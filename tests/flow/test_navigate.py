"""Plans for groups: the cases in which there is little or nothing to plan, and what holds for all plans."""

from itertools import pairwise

import numpy as np
import pytest
from flow_cases import block, group, walls_met
from scipy import ndimage

from anabasis.errors import InputError
from anabasis.flow.assignment import STRATEGIES
from anabasis.flow.navigate import Navigator, plan_flow_centres, plan_flow_gates, plan_flow_taut
from anabasis.flow.network import BETWEEN
from anabasis.flow.replan import plan_flow_replan
from anabasis.grid import Grid
from anabasis.result import Status

PLANS = {
    "flow-centres": plan_flow_centres,
    "flow-gates": plan_flow_gates,
    "flow-taut": plan_flow_taut,
    "flow-replan": plan_flow_replan,
}
NAVIGATORS = {
    "flow-centres": {"graph": "centres"},
    "flow-gates": {"graph": "gates"},
    "flow-taut": {"graph": "gates", "ways": "taut"},
}
every_method = pytest.mark.parametrize("method", PLANS)
every_navigator = pytest.mark.parametrize("method", NAVIGATORS)


def walled(width, height, *walls):
    """A map with upright walls (x, rows that are open)."""
    free = np.ones((height, width), bool)
    for x, rows in walls:
        free[:, x] = False
        free[list(rows), x] = True
    return Grid.from_free(free)


TWO_WAYS = walled(40, 30, (20, (4, 5, 24, 25)))
THREE_ROOMS = walled(60, 30, (20, (4, 5, 24, 25)), (40, (3, 14, 15, 16, 26)))


def check(grid, crowd, plan, *, without=()):
    """Each unit has a way from where it stands to the target, which meets no wall; those `without` have none."""
    assert plan.size == crowd.size
    for unit in range(crowd.size):
        way = plan.path(unit)
        if unit in without:
            assert len(way) == 0 and plan.route[unit] == -1
            continue
        assert plan.route[unit] >= 0
        assert (way[0] == crowd.positions[unit]).all()
        assert way[-1].tolist() == [crowd.target.x, crowd.target.y]
        assert walls_met(grid, way, step=0.25) == []


def navigate(method, grid, crowd, seed=0, **options):
    """The result of a navigator, its stages checked against one another."""
    result = Navigator(grid, **NAVIGATORS[method], **options).plan(crowd, seed=seed)
    assert result.status is Status.SOLVED
    value, n = result.value, crowd.size - int(result.stats["without_way"])
    if not result.stats["fallback"]:
        assert value.choice.counts.sum() == n
        routes = value.plan.route
        assert np.bincount(routes[routes >= 0], minlength=value.choice.counts.size).tolist() == (
            value.choice.counts.tolist()
        )
        assert result.stats["routes"] == np.count_nonzero(value.choice.counts)
        assert result.stats["predicted"] == value.choice.steps
    return result


# the cases that the issue names


@every_method
def test_no_route(method):
    grid = walled(30, 20, (15, ()))
    result = PLANS[method](grid, group(block(2, 2, 3, 3), 25.5, 10.5))
    assert result.status is Status.NO_SOLUTION and result.value is None
    assert "no unit can reach the target" in result.reason
    assert (result.stats["nearest_x"], result.stats["nearest_y"]) == (14, 10)


@every_method
def test_target_inside_the_group(method):
    crowd = group(block(3, 3, 7, 7), 6.5, 6.5)
    result = PLANS[method](TWO_WAYS, crowd)
    assert result.status is Status.SOLVED
    check(TWO_WAYS, crowd, result.value)


@every_method
def test_all_gates_too_narrow(method):
    grid = walled(40, 30, (20, (4, 25)))
    crowd = group(block(3, 3, 3, 3) * 3, 33.5, 15.5, radius=1.4)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED
    assert result.stats["fallback"] == crowd.size and result.stats["routes"] == 0
    check(grid, crowd, result.value)


@every_method
def test_one_gate_of_two_is_too_narrow(method):
    grid = walled(40, 30, (20, (4, 22, 23, 24, 25)))
    crowd = group(block(2, 1, 3, 3) * 3 - (1, 0), 33.5, 5.5, radius=1.3)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED and result.stats["fallback"] == 0
    for unit in range(crowd.size):
        x, y = result.value.path(unit).T
        assert np.interp(20.5, x, y) > 20, "through the wide gate although the way is longer"


@every_method
def test_one_unit(method):
    crowd = group(np.array([[3.2, 5.9]]), 33.5, 5.5)
    result = PLANS[method](TWO_WAYS, crowd)
    assert result.status is Status.SOLVED
    assert result.stats["routes"] == 1
    check(TWO_WAYS, crowd, result.value)


@every_method
def test_ten_thousand_units(method):
    grid = walled(260, 120, (130, [*range(10, 16), *range(100, 104)]))
    crowd = group(block(5, 10, 100, 100), 200.5, 30.5)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED and result.stats["routes"] == 2
    plan = result.value
    assert (plan.route >= 0).all()
    first = plan.points[plan.indptr[:-1]]
    last = plan.points[plan.indptr[1:] - 1]
    assert (first == crowd.positions).all() and (last == (200.5, 30.5)).all()
    for unit in range(0, crowd.size, 173):
        assert walls_met(grid, plan.path(unit), step=0.25) == []


@every_method
def test_disconnected_group(method):
    grid = walled(60, 20, (20, (5, 6)), (40, ()))
    units = np.concatenate([block(2, 2, 3, 2), block(50, 2, 2, 2), block(25, 10, 1, 3)])
    crowd = group(units, 30.5, 5.5)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED
    assert result.stats["without_way"] == 4
    check(grid, crowd, result.value, without=range(6, 10))


@every_method
def test_gates_at_the_edge_of_the_map(method):
    grid = walled(40, 30, (20, (0, 1, 28, 29)))
    crowd = group(block(2, 5, 10, 20), 33.5, 15.5)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED and result.stats["routes"] == 2
    check(grid, crowd, result.value)


@every_method
def test_target_in_a_wall(method):
    with pytest.raises(InputError, match="the target lies in a wall"):
        PLANS[method](TWO_WAYS, group(block(2, 2, 2, 2), 20.5, 10.5))
    with pytest.raises(InputError, match="unit 1 stands in a wall"):
        PLANS[method](TWO_WAYS, group(np.array([[2.5, 2.5], [20.5, 2.5]]), 30.5, 10.5))
    with pytest.raises(InputError, match="outside the map"):
        PLANS[method](TWO_WAYS, group(block(2, 2, 2, 2), 40.5, 10.5))


@every_method
def test_group_spread_over_several_regions(method):
    units = np.concatenate([block(3, 10, 8, 8), block(25, 10, 6, 6), block(45, 20, 2, 2)])
    crowd = group(units, 55.5, 6.5)
    result = PLANS[method](THREE_ROOMS, crowd)
    assert result.status is Status.SOLVED and result.stats["without_way"] == 0
    check(THREE_ROOMS, crowd, result.value)


@every_method
def test_units_and_target_in_one_region(method):
    grid = Grid.from_text("\n".join(["." * 14, *["." * 4 + "#" * 6 + "." * 4] * 3, "." * 14, "." * 14]))
    crowd = group(block(1, 2, 3, 2), 12.5, 2.5)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED
    check(grid, crowd, result.value)


@every_method
@pytest.mark.parametrize("cell", [4, 5])
def test_target_on_a_gate(method, cell):
    crowd = group(block(3, 10, 6, 6), 20.5, cell + 0.5)
    result = PLANS[method](TWO_WAYS, crowd)
    assert result.status is Status.SOLVED
    check(TWO_WAYS, crowd, result.value)
    from_behind = group(block(30, 10, 6, 6), 20.5, cell + 0.5)
    result = PLANS[method](TWO_WAYS, from_behind)
    assert result.status is Status.SOLVED
    check(TWO_WAYS, from_behind, result.value)


@every_method
def test_units_on_gates(method):
    units = np.array([[20.5, 4.5], [20.5, 5.5], [20.5, 24.5], [20.5, 25.5], [19.5, 4.5], [21.5, 25.5], [3.5, 15.5]])
    for x in (33.5, 5.5):
        crowd = group(units, x, 12.5)
        result = PLANS[method](TWO_WAYS, crowd)
        assert result.status is Status.SOLVED
        check(TWO_WAYS, crowd, result.value)


@every_method
def test_a_map_without_walls_or_gates(method):
    for grid in (Grid.from_text("\n".join(["." * 12] * 8)), Grid.from_text(".....")):
        crowd = group(np.array([[0.5, 0.5], [1.5, 0.5]]), 4.5, 0.5)
        result = PLANS[method](grid, crowd)
        assert result.status is Status.SOLVED
        check(grid, crowd, result.value)


@every_method
def test_units_in_any_place_of_their_cells(method):
    rng = np.random.default_rng(5)
    grid = caves(5)
    cells = np.flatnonzero(ndimage.label(grid.free)[0].ravel() == 1)
    assert cells.size > 800
    start = rng.choice(cells, 80, replace=False)
    units = grid.centres(start) - 0.5 + rng.random((80, 2))
    x, y = (grid.centres(int(rng.choice(cells))) - 0.5 + rng.random(2)).tolist()
    crowd = group(units, x, y, radius=0.3)
    result = PLANS[method](grid, crowd)
    assert result.status is Status.SOLVED
    check(grid, crowd, result.value)


# what holds for all plans


def caves(seed, side=50):
    free = ndimage.gaussian_filter(np.random.default_rng(seed).random((side, side)), 1.8) > 0.48
    labels, _ = ndimage.label(free)
    return Grid.from_free(labels == np.bincount(labels[labels > 0]).argmax())


def anywhere(grid, units, seed):
    """A crowd in the cells nearest to some cell, and a target anywhere."""
    cells = np.flatnonzero(grid.free)
    start, goal = np.random.default_rng(seed).choice(cells, 2).tolist()
    near = cells[np.argsort(((grid.centres(cells) - grid.centres(start)) ** 2).sum(axis=1), kind="stable")]
    return group(grid.centres(near[:units]), *grid.centres(goal).tolist(), radius=0.4)


@every_navigator
@pytest.mark.parametrize("seed", range(8))
def test_plans_on_any_map_are_valid_and_no_sooner_than_the_bound(method, seed):
    grid = caves(seed)
    for units in (1, 40, 150):
        crowd = anywhere(grid, units, seed + 100)
        result = navigate(method, grid, crowd)
        check(grid, crowd, result.value.plan)
        if method != "flow-centres":  # a route is there walked another way than by the centres that the bound counts
            slack = 4  # steps: lengths are rounded for each edge of the network, and for each way as a whole
            assert result.stats["predicted"] >= result.stats["bound"] - slack


@every_navigator
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_of_assignment_gives_each_route_its_units(method, strategy):
    crowd = group(block(3, 8, 10, 12), 55.5, 16.5)
    result = navigate(method, THREE_ROOMS, crowd, assignment=strategy)
    assert result.stats["routes"] > 1
    check(THREE_ROOMS, crowd, result.value.plan)


def test_an_unknown_strategy_is_refused():
    with pytest.raises(InputError, match="assignment of a navigator"):
        Navigator(TWO_WAYS, assignment="fairest").plan(group(block(3, 8, 10, 12), 35.5, 15.5))


@every_navigator
@pytest.mark.parametrize("parameters", [0, 5, 10, (1, 2, 3), "auto"])
@pytest.mark.parametrize("between", BETWEEN)
def test_any_parameters_and_either_measure_do(method, parameters, between):
    grid = caves(2)
    crowd = anywhere(grid, 60, 7)
    result = navigate(method, grid, crowd, parameters=parameters, between=between)
    check(grid, crowd, result.value.plan)
    if isinstance(parameters, tuple):
        assert result.value.passages.decomposition.parameters == parameters


@every_navigator
def test_more_units_never_arrive_sooner_and_take_more_routes(method):
    rows = block(2, 2, 17, 26)
    nearest = rows[np.argsort(np.hypot(*(rows - (10, 15)).T), kind="stable")]
    navigator = Navigator(THREE_ROOMS, **NAVIGATORS[method])
    stats = [navigator.plan(group(nearest[:n], 55.5, 4.5)).stats for n in (1, 3, 10, 30, 100, 300, 441)]
    predicted = [s["predicted"] for s in stats]
    assert all(a <= b for a, b in pairwise(predicted)) and predicted[0] < predicted[-1]
    bounds = [s["bound"] for s in stats]
    assert all(a <= b for a, b in pairwise(bounds))
    assert stats[0]["routes"] == 1 < stats[-1]["routes"]


@every_method
def test_the_same_call_gives_the_same_bytes(method):
    crowd = group(block(3, 8, 10, 12), 55.5, 16.5)
    one, two = (PLANS[method](THREE_ROOMS, crowd, seed=4) for _ in range(2))
    for field in ("indptr", "points", "route"):
        assert getattr(one.value, field).tobytes() == getattr(two.value, field).tobytes()
    assert dict(one.stats) == dict(two.stats)


@every_navigator
def test_a_navigator_that_planned_before_gives_the_same_plan(method):
    crowd = group(block(3, 8, 10, 12), 55.5, 16.5)
    used = Navigator(THREE_ROOMS, **NAVIGATORS[method])
    used.plan(group(block(45, 8, 10, 12), 5.5, 6.5))
    fresh = Navigator(THREE_ROOMS, **NAVIGATORS[method])
    one, two = used.plan(crowd).value.plan, fresh.plan(crowd).value.plan
    assert one.points.tobytes() == two.points.tobytes() and one.route.tobytes() == two.route.tobytes()


@every_navigator
def test_a_gate_without_room_is_not_used(method):
    navigator = Navigator(TWO_WAYS, **NAVIGATORS[method])
    crowd = group(block(3, 8, 10, 12), 35.5, 15.5)
    both = navigator.plan(crowd)
    d = both.value.passages.decomposition
    upper = int(np.argmin(d.ends[:, 1]))
    assert both.stats["routes"] == 2
    room = np.ones(d.gates)
    room[upper] = 0.0
    one = navigator.plan(crowd, room=room)
    assert one.stats["routes"] == 1 and one.stats["predicted"] > both.stats["predicted"]
    used = {
        gate for leg, n in zip(one.value.choice.legs, one.value.choice.counts, strict=True) if n for gate in leg.gates
    }
    assert used and upper not in used
    none = navigator.plan(crowd, room=np.zeros(d.gates))
    assert none.status is Status.SOLVED and none.stats["fallback"] == crowd.size
    check(TWO_WAYS, crowd, none.value.plan)


def test_twice_as_fast_units_arrive_in_half_the_time():
    slow, fast = (
        Navigator(THREE_ROOMS).plan(group(block(3, 8, 10, 12), 55.5, 16.5, speed=speed)).stats["predicted"]
        for speed in (0.1, 0.2)
    )
    assert slow == pytest.approx(2 * fast, rel=0.02)


@every_navigator
def test_a_mirrored_map_gives_a_plan_as_fast(method):
    units = block(3, 8, 10, 12)
    plain = navigate(method, THREE_ROOMS, group(units, 55.5, 16.5))
    upside_down = Grid.from_free(THREE_ROOMS.free[::-1].copy())
    turned = navigate(method, upside_down, group(units * (1, -1) + (0, 30), 55.5, 13.5))
    assert turned.stats["predicted"] == pytest.approx(plain.stats["predicted"], rel=0.02)
    assert turned.stats["routes"] == plain.stats["routes"]
