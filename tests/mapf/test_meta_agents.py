"""meta_agent_cbs: as cheap as a search over all agents at once, whenever groups merge; proofs, limits, parts."""

import numpy as np
import pytest
from joint_search import joint_search
from small_instances import room_instance
from tiny_instances import tiny_instance

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.mapf.board import Board
from anabasis.mapf.joint_paths import JointPaths, TooManyError
from anabasis.mapf.meta_agents import MetaAgentCBS, meta_agent_cbs
from anabasis.mapf.priced_search import Row, timetable
from anabasis.metrics.plan_review import review_plan
from anabasis.metrics.plans import plan_faults
from anabasis.result import Status

MERGES = (-1, 0, 1, 5)
FEATURES = (
    (),
    ("changes",),
    ("directed",),
    ("vanish",),
    ("changes", "directed"),
    ("changes", "vanish"),
    ("directed", "vanish"),
    ("changes", "directed", "vanish"),
)


def crossing() -> Instance:
    """S1-A1-D-G1 and S2-B1-D-G2: the two meet in D."""
    arcs = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 2), (2, 6)]
    tails, heads = zip(*arcs, *((b, a) for a, b in arcs), strict=True)
    return Instance.of(Graph.from_arcs(np.zeros((7, 2)), np.array(tails), np.array(heads), np.ones(12)), [0, 4], [3, 6])


def joint_paths(instance: Instance, bans: list[list[tuple[int, int, int]]], limit: int = 10_000) -> list[Row] | None:
    """All agents as one group, to the end."""
    board = Board(instance, "a test", ("changes", "directed", "vanish"))
    work = JointPaths(board, board.distances(), limit).find(range(board.agents), bans, np.empty((0, 0), np.int32))
    while True:
        try:
            next(work)
        except StopIteration as stop:
            return stop.value


@pytest.mark.parametrize("features", FEATURES)
def test_it_is_as_cheap_as_a_search_over_all_agents_at_once(features: tuple[str, ...]) -> None:
    solved, merged = compare(features, range(24))
    assert solved > 36
    assert merged > 0


@pytest.mark.long
@pytest.mark.parametrize("features", FEATURES)
def test_it_is_as_cheap_on_hundreds_of_instances(features: tuple[str, ...]) -> None:
    solved, merged = compare(features, range(24, 124))
    assert solved > 130
    assert merged > 4


def compare(features: tuple[str, ...], seeds: range) -> tuple[int, int]:
    """A solution is optimal, and of what has none only merging nothing leaves the proof open."""
    solved = merged = 0
    for seed in seeds:
        instance = tiny_instance(seed, features)
        answer = joint_search(instance)
        for merge_after in MERGES:
            result = meta_agent_cbs(instance, merge_after=merge_after, limit=200)
            merged += int(result.stats.get("merged", 0))
            if result.status is Status.SOLVED:
                assert answer is not None and result.value is not None
                assert result.stats["sum_of_costs"] == result.bound == answer.cost
                assert plan_faults(instance, result.value) == review_plan(instance, result.value) == []
                solved += 1
            elif result.status is Status.LIMIT:
                assert merge_after == -1
                assert answer is None or result.bound <= answer.cost
            else:
                assert answer is None
    return solved, merged


@pytest.mark.parametrize("merge_after", MERGES)
def test_the_worked_example_costs_seven(merge_after: int) -> None:
    search = MetaAgentCBS(crossing(), merge_after=merge_after)
    assert not search.advance(1)
    assert (search.result.status, search.result.bound) == (Status.LIMIT, 6)
    assert search.advance(1000)
    assert (search.result.status, search.result.bound) == (Status.SOLVED, 7)
    assert search.result.stats["sum_of_costs"] == 7
    assert search.result.stats["merged"] == (merge_after == 0)
    assert search.result.stats["largest"] == (2 if merge_after == 0 else 1)


def test_groups_merge_at_the_conflict_after_so_many() -> None:
    """Two agents that cannot pass each other conflict for ever."""
    corridor = Instance.of(Grid.from_text("....."), [0, 4], [4, 0])
    for merge_after in range(4):
        result = meta_agent_cbs(corridor, merge_after=merge_after)
        assert result.status is Status.NO_SOLUTION
        assert "leaves some of them without paths" in result.reason
        assert (result.stats["expanded"], result.stats["largest"]) == (result.stats["merged"] + merge_after, 2)
    never = meta_agent_cbs(corridor, merge_after=-1, limit=50)
    assert (never.status, never.value, never.stats["expanded"]) == (Status.LIMIT, None, 50)


def test_merging_at_once_leaves_one_node_where_two_must_pass_each_other() -> None:
    """Two agents change ends of a corridor with one bay in the middle."""
    instance = Instance.of(Grid.from_text(".......\n@@@.@@@"), [0, 6], [6, 0])
    answer = joint_search(instance)
    merged, never = (meta_agent_cbs(instance, merge_after=m, limit=100_000) for m in (0, -1))
    assert answer is not None
    assert merged.stats["sum_of_costs"] == never.stats["sum_of_costs"] == answer.cost
    assert (merged.stats["expanded"], merged.stats["merged"]) == (1, 1)
    assert never.stats["expanded"] > 5


def test_the_bound_never_falls_nor_exceeds_the_least_cost() -> None:
    for seed in range(12):
        instance = room_instance(4, 0.2, 4, seed)
        answer = joint_search(instance)
        search, before = MetaAgentCBS(instance, merge_after=1, limit=300), 0.0
        done = False
        while not done:
            done = search.advance(1)
            if search.result.status is not Status.NO_SOLUTION:
                assert before <= search.result.bound
                assert answer is not None
                assert search.result.bound <= answer.cost
                before = search.result.bound


def test_in_parts_it_gives_the_same_bytes() -> None:
    instance = room_instance(5, 0.2, 5, 9)
    whole = meta_agent_cbs(instance, merge_after=2)
    search = MetaAgentCBS(instance, merge_after=2)
    while not search.advance(3):
        assert search.result.status is Status.LIMIT
    assert whole.value is not None and search.result.value is not None
    assert whole.value.vertices.tobytes() == search.result.value.vertices.tobytes()
    assert whole.stats == search.result.stats
    assert whole.stats["merged"] > 0


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"limit": 1, "merge_after": -1}, "the limit of 1 nodes was reached"),
        ({"joint_limit": 7, "merge_after": 0}, "the limit of 7 states of joint searches was reached"),
    ],
)
def test_at_a_limit_the_plan_is_sound_and_the_bound_below_it(limits: dict[str, int], reason: str) -> None:
    instance = room_instance(5, 0.2, 4, 8)
    result = meta_agent_cbs(instance, **limits)
    assert result.status is Status.LIMIT
    assert reason in result.reason
    assert "agent by agent" in result.reason
    assert result.value is not None
    assert plan_faults(instance, result.value) == []
    answer = joint_search(instance)
    assert answer is not None
    assert 0 < result.bound <= answer.cost <= result.stats["sum_of_costs"]


def test_joint_paths_obey_the_bans_on_each_agent() -> None:
    """In the worked example one agent must wait one step; bans decide which one, and how long."""
    instance = crossing()
    assert [path.size for path in joint_paths(instance, [[(0, -1, 1), (1, 1, 2)], []]) or []] in ([4, 5], [5, 4])
    alone = joint_paths(instance, [[(2, -1, 2)], []])
    assert alone is not None
    assert [path.size - 1 for path in alone] == [4, 3]
    late = joint_paths(instance, [[(3, -1, 6)], []])
    assert late is not None
    assert [path.size - 1 for path in late] == [7, 3]
    assert timetable(late)[6, 0] != 3
    moved = joint_paths(instance, [[(1, 2, 2), (1, 2, 3), (1, 2, 4)], []])
    assert moved is not None
    assert [path.size - 1 for path in moved] == [6, 3]


def test_joint_paths_stop_at_their_limit_and_prove_that_there_are_none() -> None:
    with pytest.raises(TooManyError):
        joint_paths(crossing(), [[], []], limit=3)
    assert joint_paths(crossing(), [[(v, -1, 1) for v in range(3)], []]) is None
    assert joint_paths(Instance.of(Grid.from_text("..."), [0, 2], [2, 0]), [[], []]) is None


def test_an_agent_at_its_goal_makes_way_and_returns_or_vanishes() -> None:
    instance = Instance.of(Grid.from_text("...\n@.@"), [0, 1], [2, 1])
    assert meta_agent_cbs(instance, merge_after=0).stats["sum_of_costs"] == 4
    gone = Instance.of(instance.space, [0, 1], [2, 1], rules=Rules(stay=False))
    assert meta_agent_cbs(gone, merge_after=0).stats["sum_of_costs"] == 2


def test_the_smallest_instances() -> None:
    row = Grid.from_text("..")
    for merge_after in (-1, 0):
        nobody = meta_agent_cbs(Instance.of(row, [], []), merge_after=merge_after)
        assert (nobody.status, nobody.stats["largest"]) == (Status.SOLVED, 0)
        assert meta_agent_cbs(Instance.of(Grid.from_text("."), [0], [0])).stats["sum_of_costs"] == 0
        assert meta_agent_cbs(Instance.of(row, [0], [1])).stats["sum_of_costs"] == 1
        assert meta_agent_cbs(Instance.of(row, [0, 1], [0, 1]), merge_after=merge_after).bound == 0


def test_agents_without_a_way_alone() -> None:
    walled = meta_agent_cbs(Instance.of(Grid.from_text(".@."), [0], [2]))
    assert walled.status is Status.NO_SOLUTION
    assert "agent 0 can't get from" in walled.reason
    shut = Instance(Grid.from_text("..."), np.array([0]), np.array([2]), np.array([0]), np.array([2]), np.array([True]))
    assert meta_agent_cbs(shut).status is Status.NO_SOLUTION


def test_what_it_refuses() -> None:
    instance = Instance.of(Grid.from_text(".."), [0], [1])
    with pytest.raises(InputError, match="meta_agent_cbs can't solve this instance"):
        meta_agent_cbs(Instance.of(instance.space, [0], [1], rules=Rules(following=True)))
    with pytest.raises(InputError, match="count; found -1; expected a whole number from 0"):
        MetaAgentCBS(instance).advance(-1)
    with pytest.raises(InputError, match=r"merge_after.*a whole number from -1"):
        meta_agent_cbs(instance, merge_after=-2)
    with pytest.raises(InputError, match=r"limit.*a whole number from 1"):
        meta_agent_cbs(instance, limit=0)
    with pytest.raises(InputError, match=r"joint_limit.*a whole number from 1"):
        meta_agent_cbs(instance, joint_limit=0)
