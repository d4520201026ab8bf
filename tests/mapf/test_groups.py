"""Groups: what is carried out never conflicts, costs what a search over all units costs, merges, splits, and mends."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.groups import Groups
from anabasis.mapf.priced_cbs import priced_cbs
from anabasis.mapf.turn_moves import turn_moves, turn_route
from anabasis.search.dijkstra import distances


def lattice(width: int, height: int) -> Graph:
    cells = [(x, y) for y in range(height) for x in range(width)]
    arcs = [
        (y * width + x, (y + dy) * width + x + dx)
        for x, y in cells
        for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1))
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]
    tails, heads = zip(*arcs, strict=True)
    return Graph.from_arcs(np.array(cells, float), tails, heads, np.ones(len(arcs)), "manhattan")


def ground(*rows: str) -> tuple[Graph, np.ndarray]:
    prices = {".": 1.0, "h": 2.0, "^": 8.0, "#": np.inf}
    return lattice(len(rows[0]), len(rows)), np.array([prices[c] for row in rows for c in row])


def watch(groups: Groups, steps: int) -> list[dict[str, int]]:
    """Let steps pass; check all rules on what is done, not on what is planned."""
    names = groups.names
    rows = [{name: groups.unit(name).place for name in names}]
    for _ in range(steps):
        groups.step()
        row = {name: groups.unit(name).place for name in names}
        assert len(set(row.values())) == len(row)
        if not groups.turns:
            for name, place in row.items():
                before = rows[-1][name]
                around = groups.graph.indices[groups.graph.indptr[before] : groups.graph.indptr[before + 1]]
                assert place == before or (place in around and np.isfinite(groups.prices[place]))
                if groups.rules.swap:
                    assert not any(
                        other != name and row[other] == before and rows[-1][other] == place for other in names
                    )
        rows.append(row)
        under_way = sorted(name for group in groups.groups for name in group)
        assert under_way == sorted(n for n in names if groups.unit(n).goal is not None and not groups.unit(n).held)
    return rows


def test_a_unit_without_conflict_is_a_group_of_its_own() -> None:
    groups = Groups(*ground("....", "....", "...."))
    groups.put("A", 0)
    groups.put("B", 8)
    assert groups.order("A", 3) and groups.order("B", 11)
    assert groups.groups == [("A",), ("B",)] and groups.merges == groups.solved == 0
    assert groups.unit("A").path == ((0, 0), (1, 1), (2, 2), (3, 3))
    assert watch(groups, 4)[-1] == {"A": 3, "B": 11}
    assert groups.groups == [] and groups.events == ["A has arrived", "B has arrived"]


def test_units_that_meet_merge_and_part_again_afterwards() -> None:
    groups = Groups(*ground("#.###", ".....", "#.###"))
    groups.put("A", 5)
    groups.put("B", 1)
    groups.order("A", 9)
    groups.order("B", 11)
    assert groups.groups == [("A", "B")] and groups.merges == 1 and groups.solved >= 1
    assert groups.cost("A") + groups.cost("B") == 4 + 2 + 1
    watch(groups, 1)
    assert sorted(groups.groups) == [("A",), ("B",)] and groups.splits == 1
    assert watch(groups, 4)[-1] == {"A": 9, "B": 11}


def test_a_swap_is_seen_and_the_thesis_misses_it() -> None:
    for rules, number in ((CLASSIC, 1), (Rules(swap=False), 2)):
        groups = Groups(*ground("....", "...."), rules=rules)
        groups.put("A", 1)
        groups.put("B", 2)
        groups.order("A", 3)
        groups.order("B", 0)
        assert len(groups.groups) == number
        watch(groups, 6)
        assert groups.unit("A").place == 3 and groups.unit("B").place == 0


def test_a_new_goal_frees_from_the_old_group_and_the_old_path_counts_no_more() -> None:
    groups = Groups(*ground("#.###", ".....", "#.###"))
    groups.put("A", 5)
    groups.put("B", 1)
    groups.order("A", 9)
    groups.order("B", 11)
    assert groups.groups == [("A", "B")]
    groups.order("A", 5)
    assert groups.groups == [("B",), ("A",)]
    assert groups.unit("B").path[-1] == (11, 2)


def test_parked_units_are_obstacles_that_other_paths_lead_around() -> None:
    groups = Groups(*ground(".....", "....."))
    groups.put("A", 0)
    groups.put("P", 2)
    groups.order("A", 4)
    assert groups.cost("A") == 6
    groups.halt("P")  # without an order: nothing changes
    groups.order("P", 7)  # leaves the way free: B gains by it
    assert groups.cost("A") == 4
    groups.put("Q", 3)
    assert groups.cost("A") == 6
    groups.remove("Q")
    assert groups.cost("A") == 4


def test_a_corridor_without_room_lets_the_first_order_wait_and_says_so() -> None:
    groups = Groups(*ground("..."), limit=30)
    groups.put("A", 0)
    groups.put("B", 2)
    assert groups.order("A", 2) and not groups.events  # nobody's goal is blocked by who stands there
    assert not groups.order("B", 0)
    assert "A, B: the limit of 30 nodes was reached" in groups.events
    assert "B has found no way to its goal within the limit and stays" in groups.events  # nothing is proved
    watch(groups, 4)
    assert groups.unit("B").goal == 0
    groups.halt("A")
    assert groups.unit("A").goal is None


def test_goals_that_are_each_others_starts() -> None:
    groups = Groups(*ground("......", "......", "......", "......", "......", "......"))
    corners = {"A": 0, "B": 5, "C": 30, "D": 35}
    for name, place in corners.items():
        groups.put(name, place)
    for name, goal in (("A", 35), ("D", 0), ("B", 30), ("C", 5)):
        assert groups.order(name, goal)
    rows = watch(groups, 14)
    assert rows[-1] == {"A": 35, "D": 0, "B": 30, "C": 5}


def test_a_block_on_the_way_is_mended_and_an_opening_taken() -> None:
    groups = Groups(*ground("......", ".####.", "......"))
    groups.put("A", 0)
    groups.order("A", 5)
    watch(groups, 2)
    groups.change([3], [np.inf])
    assert groups.cost("A") == 2 + 2 + 5 + 2 and groups.unit("A").changed == [3]
    groups.change([3], [2.0])
    assert groups.cost("A") == 4
    groups.change([2], [np.inf])  # under the unit: it may leave
    assert groups.cost("A") == 4
    groups.change([3, 1], np.inf)
    assert groups.unit("A").held and "finds no way" in groups.events[-1]
    groups.change([3], [1.0])
    assert not groups.unit("A").held and groups.cost("A") == 3
    assert watch(groups, 3)[-1] == {"A": 5}


@pytest.mark.parametrize("incremental", [True, False])
def test_plans_cost_what_one_search_over_all_costs_whatever_happened_before(incremental: bool) -> None:
    rng = np.random.default_rng(17)
    compared = merged = 0
    for _ in range(25):
        side = int(rng.integers(4, 7))
        graph = lattice(side, side)
        prices = rng.choice([1.0, 1, 1, 2, 8, np.inf], side * side)
        free = rng.permutation(np.flatnonzero(np.isfinite(prices)))
        k = min(4, free.size // 3)
        groups = Groups(graph, prices, incremental=incremental)
        for i in range(k):
            groups.put("ABCD"[i], int(free[i]))
        goals = rng.permutation(free)[:k]
        for i in range(k):
            groups.order("ABCD"[i], int(goals[i]))
        for _ in range(8):
            if rng.random() < 0.5:
                places = rng.integers(0, side * side, 2)
                groups.change(places, rng.choice([1.0, 2, 8, np.inf], 2))
            watch(groups, 1)
            names = [name for group in groups.groups for name in group]
            world = groups.prices.copy()
            world[groups.held()] = np.inf
            units = [groups.unit(name) for name in names]
            if len(names) < 2 or not np.isfinite(world[[v for u in units for v in (u.place, u.goal)]]).all():
                continue
            grid = Grid(world.reshape(side, side), np.full((side, side), ord("."), np.uint8))
            whole = priced_cbs(Instance.of(grid, [u.place for u in units], [u.goal for u in units]), limit=400)
            if whole:
                assert sum(groups.cost(name) for name in names) == whole.stats["cost"]
                compared += 1
        merged += groups.merges
    assert compared > 40 and merged > 5


def test_distances_below_the_groups_are_those_of_dijkstra() -> None:
    graph, prices = ground("..h..", "#^.#.", ".....")
    groups = Groups(graph, prices)
    groups.put("A", 0)
    groups.put("P", 12)
    groups.order("A", 14)
    groups.change([7, 3], [8.0, 2.0])
    weights = groups.prices.copy()
    weights[12] = np.inf
    tails = np.repeat(np.arange(15), np.diff(graph.indptr))
    keep = np.isfinite(weights[graph.indices]) & np.isfinite(weights[tails])
    back = Graph.from_arcs(graph.points, graph.indices[keep], tails[keep], weights[graph.indices[keep]], "zero")
    search = groups.searching("A")
    assert search is not None
    found = [search.distance(v) for v in range(15)]
    assert found == distances(back, [14])[0].tolist()


def test_a_turn_reaches_what_its_points_pay_for_or_one_dearer_tile() -> None:
    graph, prices = ground("..^.", "..h.", "#...")
    free = np.zeros(12, bool)
    tails, heads, costs = turn_moves(graph, prices, free, 2)
    reach = dict(zip(heads[tails == 1].tolist(), costs[tails == 1].tolist(), strict=True))
    assert reach == {0: 1, 2: 8, 4: 2, 5: 1, 9: 2}  # the hill is too dear for the last point, the mountain takes all
    assert turn_route(graph, prices, free, 2, 1, 2) == ([1, 2], 0.0)
    assert turn_route(graph, prices, free, 3, 1, 6) == ([1, 5, 6], 0.0)
    assert turn_route(graph, prices, free, 2, 1, 11) == ([], 2.0)
    free[5] = True  # somebody stands there: the way goes on by other tiles
    tails, heads, _ = turn_moves(graph, prices, free, 2)
    assert heads[tails == 1].tolist() == [0, 2, 4, 5] and heads[tails == 9].tolist() == [5, 10, 11]


def test_in_turns_only_the_ends_of_turns_count() -> None:
    groups = Groups(*ground("#..", "...", "#.."), turns=True)
    groups.put("A", 3, points=3)
    groups.put("B", 5, points=3)
    groups.order("A", 5)
    groups.order("B", 3)
    assert groups.groups == [("A",), ("B",)]  # they pass each other within the turn
    assert watch(groups, 1)[-1] == {"A": 5, "B": 3}


def test_in_turns_a_mountain_takes_one_turn_and_few_turns_are_preferred() -> None:
    groups = Groups(*ground(".....^."), turns=True)
    groups.put("A", 0, points=2)
    groups.order("A", 6)
    assert [vertex for vertex, _ in groups.unit("A").path] == [0, 2, 4, 5, 6]
    assert groups.unit("A").tiles == (1, 2, 3, 4, 5, 6)


def test_turns_with_changes_keep_one_unit_a_tile() -> None:
    rng = np.random.default_rng(5)
    arrived = 0
    for _ in range(12):
        prices = rng.choice([1.0, 1, 1, 2, 8, np.inf], 36)
        free = rng.permutation(np.flatnonzero(np.isfinite(prices)))
        groups = Groups(lattice(6, 6), prices, turns=True)
        for i in range(4):
            groups.put("ABCD"[i], int(free[i]), points=int(rng.integers(1, 4)))
        for i in range(4):
            groups.order("ABCD"[i], int(free[4 + i]))
        for _ in range(15):
            if rng.random() < 0.3:
                groups.change(rng.integers(0, 36, 2), rng.choice([1.0, 2, 8, np.inf], 2))
            watch(groups, 1)
        arrived += sum("has arrived" in event for event in groups.events)
    assert arrived > 20


def test_wrong_calls_are_answered() -> None:
    groups = Groups(*ground("..."))
    groups.put("A", 0)
    for call, message in (
        (lambda: groups.put("A", 1), "the name or the place is taken"),
        (lambda: groups.put("B", 0), "the name or the place is taken"),
        (lambda: groups.order("Z", 1), "no such unit; found Z; expected A"),
        (lambda: groups.order("A", 3), "vertex; found 3"),
        (lambda: groups.change([1], [0.5]), "prices; found 0.5; expected at least 1, or inf"),
        (lambda: groups.change([1], [1e17]), "prices; found 1e.17; expected at most 1.5.*, so that no step is lost"),
        (lambda: Groups(groups.graph, [1, 1, 1e17]), "prices; found 1e.17; expected at most 1.5"),
        (lambda: Groups(lattice(2, 2), np.ones(4), rules=Rules(wait=False)), "rules of groups"),
    ):
        with pytest.raises(InputError, match=message):
            call()
    groups.put("B", 1)
    groups.order("A", 2)
    with pytest.raises(InputError, match="found the goal of A"):
        groups.order("B", 2)
