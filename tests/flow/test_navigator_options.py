"""Options of the navigator beyond the source: few routes, short detours, parameter sets, groups that share gates."""

from dataclasses import replace

import numpy as np
import pytest
from flow_cases import block, group

from anabasis.errors import InputError
from anabasis.flow.navigate import AUTO, Navigator
from anabasis.grid import Grid
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Scenario


def three_doors():
    """A wall with a door of 2 cells in front of the group, and two of 3 cells farther and farther away."""
    free = np.ones((60, 40), bool)
    free[:, 20] = False
    free[28:30, 20] = free[8:11, 20] = free[50:53, 20] = True
    return Grid.from_free(free), group(block(4, 22, 12, 14), 33.5, 28.5)


def chosen(**options):
    grid, crowd = three_doors()
    result = Navigator(grid, **options).plan(crowd)
    legs = [leg for leg, units in zip(result.value.choice.legs, result.value.choice.counts, strict=True) if units]
    return result, legs


def test_the_group_splits_over_three_doors():
    result, legs = chosen()
    assert len({leg.gates for leg in legs}) == len(legs) >= 3
    assert result.value.choice.counts.sum() == result.value.plan.size == 168


@pytest.mark.parametrize("most", [1, 2])
def test_at_most_k_routes(most):
    result, legs = chosen(most=most)
    assert len(legs) == most
    assert result.stats["predicted"] >= chosen()[0].stats["predicted"]


def test_no_route_is_longer_than_the_detour_allows():
    all_legs = chosen()[1]
    shortest, longest = min(leg.time for leg in all_legs), max(leg.time for leg in all_legs)
    assert longest > 1.3 * shortest, "there is something to forbid"
    legs = chosen(detour=0.3)[1]
    assert legs and max(leg.time for leg in legs) <= 1.3 * shortest + 1
    assert len(chosen(detour=0.0)[1]) == 1


def test_auto_plans_on_one_of_its_sets_and_is_judged_no_worse_than_any_of_them():
    grid, crowd = three_doors()
    navigator = Navigator(grid, parameters="auto")
    plan = navigator.plan(crowd).value
    assert plan.passages in navigator.maps and len(navigator.maps) == len(AUTO)
    assert len({leg.gates for leg in plan.choice.legs}) >= 3


def test_a_coarse_set_that_sees_no_gate_is_not_believed():
    grid, crowd = three_doors()
    coarse = Navigator(grid, parameters=10).plan(crowd)
    auto = Navigator(grid, parameters="auto").plan(crowd)
    assert coarse.value.passages.decomposition.gates < auto.value.passages.decomposition.gates
    assert coarse.stats["predicted"] < auto.stats["predicted"], "it promises too much"


def test_two_groups_share_the_gates_that_both_would_use():
    grid, crowd = three_doors()
    other = group(block(4, 2, 12, 14), 33.5, 28.5)
    navigator = Navigator(grid)
    alone, (beside, _) = navigator.plan(crowd).value, [r.value for r in navigator.plan_together([crowd, other])]
    assert beside.choice.steps > alone.choice.steps
    both = plan_groups(Scenario(grid, (crowd, other)), "flow-taut", seed=0)
    expected = Navigator(grid, ways="taut").plan_together([crowd, other])
    assert [np.array_equal(a.value.route, b.value.plan.route) for a, b in zip(both, expected, strict=True)] == [
        True
    ] * 2


def test_a_straight_first_leg_leads_from_the_unit_to_the_first_gate():
    grid, crowd = three_doors()
    plan = Navigator(grid, first_leg="straight").plan(crowd).value
    for unit in (0, 50, 167):
        leg = plan.choice.legs[plan.plan.route[unit]]
        centre = grid.centres(plan.passages.centre[leg.gates[0]])
        way = plan.plan.path(unit)
        ahead = way[1] - way[0]
        to_gate = centre - way[0]
        assert abs(ahead[0] * to_gate[1] - ahead[1] * to_gate[0]) < 1e-6 * np.hypot(*to_gate) * np.hypot(*ahead) + 1e-6


@pytest.mark.parametrize(
    "options",
    [
        {"graph": "edges"},
        {"ways": "curved"},
        {"first_leg": "no"},
        {"parameters": "best"},
        {"parameters": 11},
        {"most": 0},
        {"detour": -0.1},
        {"detour": float("nan")},
        {"detour": float("inf")},
    ],
)
def test_wrong_options_are_refused(options):
    grid, _ = three_doors()
    with pytest.raises(InputError):
        Navigator(grid, **options)


def test_where_the_usual_set_finds_no_gate_a_finer_one_is_taken():
    free = np.ones((12, 24), bool)
    free[:, 12] = False
    free[4:6, 12] = free[9, 12] = True
    navigator = Navigator(Grid.from_free(free))
    assert navigator.maps[0].decomposition.gates >= 1


def test_a_map_without_gates_can_be_watched():
    grid = Grid.from_free(np.ones((30, 60), bool))
    crowd = group(block(2, 2, 20, 8), 55.5, 25.5)
    trace = execute(
        Scenario(grid, (crowd,)), "flow-replan", plan_groups(Scenario(grid, (crowd,)), "flow-replan", seed=0), seed=0
    )
    assert trace.finished == crowd.size and trace.steps > 200


def test_a_single_unit_beside_a_great_group_has_its_turn_at_the_gate():
    grid = Grid.from_text("\n".join(["." * 60 + "#" + "." * 20 if y not in (30, 31) else "." * 81 for y in range(62)]))
    many, one = group(block(1, 2, 52, 58), 75.5, 30.5), group([(58.5, 30.5)], 75.5, 30.5)
    results = Navigator(grid).plan_together([many, one])
    assert [result.stats["fallback"] for result in results] == [0, 0]
    assert results[1].stats["predicted"] > 0


def test_a_group_on_another_decomposition_takes_its_share_of_the_right_gates():
    grid, crowd = three_doors()
    other = group(block(4, 2, 12, 14), 33.5, 28.5)
    navigator, coarse = Navigator(grid), Navigator(grid, parameters=10)
    alone, theirs, elsewhere = navigator.plan(crowd), navigator.plan(other), coarse.plan(other)
    assert elsewhere.value.passages.decomposition.gates < alone.value.passages.decomposition.gates
    found = [navigator._beside(0, [crowd, other], [alone, plan], 0).value for plan in (theirs, elsewhere)]
    assert found[0].choice.counts.tolist() == found[1].choice.counts.tolist()
    assert found[0].choice.steps == found[1].choice.steps > alone.value.choice.steps


def test_the_bound_knows_that_no_part_can_go_in_anothers_stead():
    """Units beside the target help those behind the wall nothing: the bound is that of the far ones."""
    grid, crowd = three_doors()
    far = Navigator(grid).plan(crowd)
    beside = block(30, 26, 6, 6)
    both = Navigator(grid).plan(replace(crowd, positions=np.concatenate([crowd.positions, beside])))
    assert len({leg.part for leg in both.value.choice.legs}) == 2
    assert both.stats["bound"] >= far.stats["bound"] > 0
    assert both.stats["predicted"] >= both.stats["bound"] - 1
