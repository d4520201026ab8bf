"""priced_cbs: as cheap as a search over all agents at once, by every rule that it can do; the source's example."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import product

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.priced_cbs import PricedCBS, priced_cbs
from anabasis.result import Status

Arcs = list[dict[int, float]]


def arcs_of(instance: Instance) -> Arcs:
    """The dearest detail is spelled out: from each vertex, what each neighbour costs."""
    space = instance.space
    if isinstance(space, Graph):
        out: Arcs = [{} for _ in range(space.size)]
        for tail in range(space.size):
            for k in range(space.indptr[tail], space.indptr[tail + 1]):
                head, weight = int(space.indices[k]), float(space.weights[k])
                out[tail][head] = min(weight, out[tail].get(head, np.inf))
        return out
    out = [{} for _ in range(space.width * space.height)]
    opened = set(instance.change_vertices[~instance.change_blocked].tolist())
    for v in range(len(out)):
        x, y = space.cell(v)
        for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1)):
            if 0 <= x + dx < space.width and 0 <= y + dy < space.height:
                w = space.vertex(x + dx, y + dy)
                if space.is_free(x + dx, y + dy):
                    out[v][w] = float(space.cost[y + dy, x + dx])
                elif w in opened:
                    out[v][w] = 1.0
    return out


def closed_at(instance: Instance, last: int) -> list[set[int]]:
    space = instance.space
    now = set() if isinstance(space, Graph) else set(np.flatnonzero(~space.free.ravel()).tolist())
    changes = list(
        zip(
            instance.change_times.tolist(),
            instance.change_vertices.tolist(),
            instance.change_blocked.tolist(),
            strict=True,
        )
    )
    closed = []
    for t in range(last + 1):
        for time, vertex, blocked in changes:
            if time == t:
                now = now | {vertex} if blocked else now - {vertex}
        closed.append(now)
    return closed


def joint_cost(instance: Instance, most: int = 200_000) -> float | None:
    """The least cost by Dijkstra over (time while it matters, places, who rests for good); None if there is no plan."""
    arcs, rules, goals = arcs_of(instance), instance.rules, instance.goals.tolist()
    last = int(instance.change_times.max(initial=0))
    closed = closed_at(instance, last)
    k = instance.size

    def ends(t: int, places: tuple[int, ...]) -> Iterator[tuple[bool, ...]]:
        choices = []
        for a in range(k):
            there = places[a] == goals[a]
            # who rests must be safe for ever, so only once nothing changes there any more
            shut = any(places[a] in closed[u] for u in range(min(t, last), last + 1))
            choices.append([True] if there and not rules.stay else [False, True] if there and not shut else [False])
        return product(*choices)

    def sound(before: tuple[int, ...], gone: tuple[bool, ...], after: tuple[int, ...], t: int) -> bool:
        for a in range(k):
            if not gone[a] and after[a] in closed[min(t, last)]:
                return False
            for b in range(k):
                if a == b or (not rules.stay and (gone[a] or gone[b])):
                    # one that vanished in the step before was there in that step
                    continue
                if after[a] == after[b] or (rules.following and after[a] == before[b]):
                    return False
                if rules.swap and after[a] == before[b] and after[b] == before[a]:
                    return False
        return True

    start = tuple(instance.starts.tolist())
    if any(v in closed[0] for v in start):
        return None
    queue: list[tuple[float, int, tuple[int, ...], tuple[bool, ...]]] = []
    best: dict[tuple[int, tuple[int, ...], tuple[bool, ...]], float] = {}
    for rest in ends(0, start):
        heappush(queue, (0.0, 0, start, rest))
    while queue:
        cost, t, places, rest = heappop(queue)
        if best.get((t, places, rest), np.inf) <= cost:
            continue
        best[t, places, rest] = cost
        assert len(best) < most
        if all(rest):
            return cost
        moves = []
        for a in range(k):
            if rest[a]:
                moves.append([(places[a], 0.0)])
            else:
                stays = [(places[a], 1.0)] if rules.wait else []
                moves.append(stays + list(arcs[places[a]].items()))
        for step in product(*moves):
            after = tuple(v for v, _ in step)
            then = min(t + 1, last)
            if not sound(places, rest, after, t + 1):
                continue
            for again in ends(then, after):
                if all(new or not old for new, old in zip(again, rest, strict=True)):
                    heappush(queue, (cost + sum(c for _, c in step), then, after, again))
    return None


def faults(instance: Instance, rows: np.ndarray) -> list[str]:
    """What is wrong with a plan, by the rules that are tested here."""
    arcs, rules, found = arcs_of(instance), instance.rules, []
    closed = closed_at(instance, max(int(instance.change_times.max(initial=0)), len(rows)))
    if rows[0].tolist() != instance.starts.tolist() or rows[-1].tolist() != instance.goals.tolist():
        found.append("wrong ends")
    gone = np.zeros(instance.size, bool)
    for t in range(len(rows)):
        for a in np.flatnonzero(~gone).tolist():
            v = int(rows[t, a])
            if v in closed[t]:
                found.append(f"{a} in a closed place at {t}")
            if t and rows[t - 1, a] != v and v not in arcs[rows[t - 1, a]]:
                found.append(f"{a} jumps at {t}")
            for b in np.flatnonzero(~gone).tolist():
                if a == b:
                    continue
                if rows[t, b] == v:
                    found.append(f"{a} and {b} in one place at {t}")
                if t and rules.following and rows[t - 1, b] == v:
                    found.append(f"{a} follows {b} at {t}")
                if t and rules.swap and rows[t - 1, b] == v and rows[t, b] == rows[t - 1, a]:
                    found.append(f"{a} and {b} change places at {t}")
        if not rules.stay:
            gone |= rows[t] == instance.goals
    return found


def plan_cost(instance: Instance, rows: np.ndarray) -> float:
    arcs, total = arcs_of(instance), 0.0
    for a, arrival in enumerate(rows_arrivals(instance, rows)):
        for t in range(arrival):
            v, w = int(rows[t, a]), int(rows[t + 1, a])
            total += 1.0 if v == w else arcs[v][w]
    return total


def rows_arrivals(instance: Instance, rows: np.ndarray) -> list[int]:
    times = []
    for a, goal in enumerate(instance.goals.tolist()):
        there = (rows[:, a] == goal).tolist()
        times.append(
            there.index(True)
            if not instance.rules.stay
            else len(there) - there[::-1].index(False)
            if not all(there)
            else 0
        )
    return times


def priced_grid(rng: np.random.Generator, prices: tuple[int, ...] = (1, 2, 8)) -> Grid:
    height, width = rng.integers(2, 5, 2)
    cost = rng.choice(prices, (height, width)).astype(float)
    cost[rng.random((height, width)) < 0.2] = np.inf
    cost[0, :2] = 1
    terrain = np.where(np.isinf(cost), ord("@"), ord(".")).astype(np.uint8)
    return Grid(cost, terrain)


def drawn(rng: np.random.Generator, rules: Rules = CLASSIC, most: int = 3) -> Instance:
    grid = priced_grid(rng)
    free = np.flatnonzero(grid.free)
    k = int(rng.integers(1, min(most, free.size) + 1))
    return Instance.of(grid, rng.permutation(free)[:k], rng.permutation(free)[:k], rules=rules)


def check(instance: Instance, limit: int = 3000) -> Status:
    """Compare with the joint search; what can't be solved may end at the limit."""
    result, expected = priced_cbs(instance, limit=limit), joint_cost(instance)
    if result.status is Status.SOLVED:
        assert result.value is not None
        rows = result.value.vertices
        assert faults(instance, rows) == []
        assert result.stats["cost"] == plan_cost(instance, rows) == result.bound == expected
    elif result.status is Status.NO_SOLUTION:
        assert expected is None
    else:
        assert expected is None or result.bound <= expected
        assert result.value is None or faults(instance, result.value.vertices) == []
    return result.status


RULES = {
    "classic": CLASSIC,
    "thesis": Rules(swap=False),
    "following": Rules(following=True),
    "vanish": Rules(stay=False),
    "no wait": Rules(wait=False),
}


@pytest.mark.parametrize("name", RULES)
def test_costs_are_those_of_the_joint_search(name: str) -> None:
    rng = np.random.default_rng(7)
    seen = [check(drawn(rng, RULES[name]), limit=200) for _ in range(50)]
    assert seen.count(Status.SOLVED) > 25


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_costs_are_those_of_the_joint_search_many(name: str) -> None:
    rng = np.random.default_rng(8)
    seen = [check(drawn(rng, RULES[name]), limit=1000) for _ in range(400)]
    assert seen.count(Status.SOLVED) > 200


def test_changes_known_beforehand_are_obeyed() -> None:
    rng = np.random.default_rng(11)
    seen = []
    for _ in range(60):
        plain = drawn(rng)
        size, c = plain.vertex_count, int(rng.integers(1, 5))
        changes = np.sort(rng.integers(0, 6, c)), rng.integers(0, size, c), rng.random(c) < 0.6
        seen.append(check(Instance(plain.space, plain.starts, plain.goals, *changes), limit=200))
    assert seen.count(Status.SOLVED) > 25 and seen.count(Status.NO_SOLUTION) > 2


def test_directed_graphs_with_prices() -> None:
    rng = np.random.default_rng(13)
    seen = []
    for _ in range(60):
        n = int(rng.integers(2, 8))
        tails, heads = rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n)
        weights = rng.integers(0, 5, 3 * n) / 2
        keep = tails != heads
        graph = Graph.from_arcs(rng.random((n, 2)), tails[keep], heads[keep], weights[keep], "zero")
        k = min(3, n)
        seen.append(check(Instance.of(graph, rng.permutation(n)[:k], rng.permutation(n)[:k]), limit=200))
    assert seen.count(Status.SOLVED) > 30


def test_the_published_example_rises_from_6_to_7_with_the_first_agent_waiting() -> None:
    names = ["S1", "A1", "D", "G1", "S2", "B1", "G2"]
    edges = [("S1", "A1"), ("A1", "D"), ("D", "G1"), ("S2", "B1"), ("B1", "D"), ("D", "G2")]
    pairs = [(names.index(a), names.index(b)) for a, b in edges]
    tails, heads = zip(*pairs, *((b, a) for a, b in pairs), strict=True)
    graph = Graph.from_arcs(np.zeros((7, 2)), tails, heads, np.ones(12), "zero")
    search = PricedCBS(Instance.of(graph, [0, 4], [3, 6]))
    assert search.result.bound == 6 and search.result.status is Status.LIMIT
    assert not search.advance(1) and search.result.bound == 7
    assert search.advance(1)
    result = search.result
    assert result.value is not None and result.stats["cost"] == 7 and result.stats["expanded"] == 1
    first, second = result.value.vertices.T.tolist()
    assert [names[v] for v in second] == ["S2", "B1", "D", "G2", "G2"]
    assert [names[v] for v in first] in (["S1", "A1", "A1", "D", "G1"], ["S1", "S1", "A1", "D", "G1"])


def test_a_wait_is_cheaper_than_a_hill_and_dearer_than_nothing() -> None:
    cost = np.array([[1.0, 1, 1, 1, 1], [9, 9, 1, 9, 9]])
    grid = Grid(cost, np.full(cost.shape, ord("."), np.uint8))
    result = priced_cbs(Instance.of(grid, [0, 4], [4, 0]))
    # one steps aside, onto the only cheap cell, waits there for one step and comes back
    assert result.stats["cost"] == 4 + 6 + 1 == joint_cost(Instance.of(grid, [0, 4], [4, 0]))


def test_swaps_are_seen_by_default_and_not_by_the_thesis() -> None:
    grid = Grid.from_text("....\n.@@.\n....")
    instance = Instance.of(grid, [1, 2], [2, 1])
    assert priced_cbs(instance).stats["cost"] > 2
    assert priced_cbs(Instance.of(grid, [1, 2], [2, 1], rules=Rules(swap=False))).stats["cost"] == 2


def test_nobody_one_agent_and_one_cell() -> None:
    cell = Grid.from_text(".")
    empty = priced_cbs(Instance.of(cell, [], []))
    assert empty.status is Status.SOLVED and empty.stats["cost"] == 0
    there = priced_cbs(Instance.of(cell, [0], [0]))
    assert there.value is not None and there.value.vertices.tolist() == [[0]] and there.bound == 0
    grid = Grid(np.array([[1.0, 2, 8]]), np.full((1, 3), ord("."), np.uint8))
    assert priced_cbs(Instance.of(grid, [0], [2])).stats["cost"] == 10


def test_what_has_no_plan_is_proved_or_given_up() -> None:
    walled = priced_cbs(Instance.of(Grid.from_text(".@."), [0], [2]))
    assert walled.status is Status.NO_SOLUTION and "agent 0 can't get from x=0" in walled.reason
    corridor = Instance.of(Grid.from_text("..."), [0, 2], [2, 0])
    result = priced_cbs(corridor, limit=50)
    assert result.status is Status.LIMIT and result.value is None
    assert result.reason == "the limit of 50 nodes was reached" and result.bound >= 4


def test_at_the_limit_the_plan_is_made_agent_by_agent() -> None:
    grid = Grid.from_text("\n".join(["." * 8] * 8))
    left, right = [8 * y for y in range(8)], [8 * y + 7 for y in range(8)]
    instance = Instance.of(grid, left + right, right[::-1] + left[::-1])
    result = priced_cbs(instance, limit=2)
    assert result.status is Status.LIMIT and result.value is not None
    assert "made agent by agent" in result.reason
    assert faults(instance, result.value.vertices) == []
    assert result.stats["cost"] == plan_cost(instance, result.value.vertices) >= result.bound > 0


def test_other_rules_and_limits_are_refused() -> None:
    grid = Grid.from_text("..")
    with pytest.raises(InputError, match="priced_cbs can't solve this instance; found agents may not move round"):
        priced_cbs(Instance.of(grid, [0], [1], rules=Rules(cycle=True)))
    with pytest.raises(InputError, match="count; found -1; expected a whole number from 0"):
        PricedCBS(Instance.of(grid, [0], [1])).advance(-1)
    with pytest.raises(InputError, match="limit; found 0; expected a whole number from 1"):
        priced_cbs(Instance.of(grid, [0], [1]), limit=0)


def test_rows_of_the_wrong_number_or_length_are_refused() -> None:
    instance = Instance.of(Grid.from_text("..."), [0, 1], [1, 2])
    good = [np.array([1.0, 0, 1]), np.array([2.0, 1, 0])]
    assert PricedCBS(instance, to_goal=good, weights=[np.ones(4)] * 2).advance(100)
    with pytest.raises(InputError, match="to_goal of the agents; found 1 rows; expected 2, one for each agent"):
        PricedCBS(instance, to_goal=good[:1])
    with pytest.raises(InputError, match="to_goal of agent 1 has the wrong shape; found 2; expected 3"):
        PricedCBS(instance, to_goal=[good[0], good[1][:2]])
    with pytest.raises(InputError, match="weights of agent 0 has the wrong shape; found 3; expected 4"):
        PricedCBS(instance, weights=[np.ones(3), np.ones(4)])
