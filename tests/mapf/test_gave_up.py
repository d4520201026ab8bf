"""A search that stops at a limit proves nothing: whoever asked says LIMIT and why, and never that there is no way."""

from typing import Any

import numpy as np
import pytest
from small_instances import check_answer, room_instance, small_instances

from anabasis._kernel.safe_intervals import NO_WAY, STOPPED
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf import focal_tree, priority_search, reservation, single_agents
from anabasis.mapf.board import Board
from anabasis.mapf.cbs import Cbs, cbs
from anabasis.mapf.ecbs import ecbs
from anabasis.mapf.focal import focal_room
from anabasis.mapf.gave_up import TOO_LARGE
from anabasis.mapf.joint_paths import JointPaths, TooManyError
from anabasis.mapf.lns2 import LNS2, lns2
from anabasis.mapf.prioritized import hopeless, prioritized
from anabasis.mapf.priority_search import PrioritySearch
from anabasis.mapf.reservation import Reservation
from anabasis.mapf.space_time import SpaceTime
from anabasis.mapf.windowed import windowed
from anabasis.result import Status
from anabasis.search.sipp import sipp, unproved

DOOR = Instance(Grid.from_text(".#."), np.array([0]), np.array([2]), np.array([4]), np.array([1]), np.array([False]))
SHUT = Instance(  # the doors are never open one after the other
    Grid.from_text(".##."),
    np.array([0]),
    np.array([3]),
    np.array([4, 5, 8]),
    np.array([1, 1, 2]),
    np.array([False, True, False]),
)
BY_INTERVALS = {
    "prioritized": lambda instance: prioritized(instance, restarts=2),
    "windowed": windowed,
    "priority_search": priority_search.priority_search,
    "lns2": lns2,
}


@pytest.mark.parametrize("name", BY_INTERVALS)
def test_searches_over_intervals_that_stop(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solve = BY_INTERVALS[name]
    assert solve(DOOR).status is Status.SOLVED
    impossible, told = solve(SHUT), Board(SHUT, name, ["changes"]).no_way(0, changing=True)
    assert impossible.status is Status.NO_SOLUTION and impossible.reason == told.reason
    if name == "prioritized":
        stopped = [prioritized(instance, restarts=2, labels=1) for instance in (DOOR, SHUT)]
    else:
        monkeypatch.setattr(Reservation, "limit", 1)
        stopped = [solve(instance) for instance in (DOOR, SHUT)]
    for result, bound in zip(stopped, (2, 3), strict=True):
        assert result.status is Status.LIMIT and result.value is None and result.bound == bound
        assert TOO_LARGE in result.reason or result.reason.endswith("searches stopped at their limit")


def test_nobody_is_hopeless_because_a_search_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = Reservation(Board(SHUT, "test", ["changes"]))
    assert hopeless(ways, 0) is not None and ways.stops == 0
    monkeypatch.setattr(reservation, "find_way", lambda *given: (STOPPED, given[-1]))
    assert hopeless(ways, 0) is None and ways.stops == 1


def test_no_order_is_said_to_fail_where_a_search_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    corridor = Instance.of(Grid.from_text("...."), [0, 3], [3, 0])
    search = PrioritySearch(corridor)
    monkeypatch.setattr(Reservation, "limit", 1)
    assert search.advance(10)
    assert search.result.status is Status.LIMIT and search.result.reason == TOO_LARGE


def test_repairs_that_stop_are_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever searches a small limit stops, plans are valid."""
    told = set[Status]()
    for seed in range(6):
        room = room_instance(10, 0.1, 30, seed)
        for limit in (8, 30, 60):
            monkeypatch.setattr(Reservation, "limit", 0)
            search = LNS2(room, limit=60, improvements=30)
            monkeypatch.setattr(Reservation, "limit", limit)
            while not search.advance(100):
                pass
            result = search.result
            told.add(result.status)
            assert result.value is None or check_answer(room, result, compare=False) is not None
            assert (result.stats["collisions"] > 0) == (result.value is None)
    assert told == {Status.SOLVED, Status.LIMIT}


def test_labels_without_a_number_prove_nothing() -> None:
    counts: Any = np.array([1, 0, 0, 2**24 - 4096, 0, 0, 0])
    assert not unproved(NO_WAY, counts) and not unproved(5, counts) and unproved(STOPPED, counts)
    counts[3] += 1
    assert unproved(NO_WAY, counts) and not unproved(5, counts)


def test_sipp_says_what_it_has_not_proved() -> None:
    grid = Grid.from_text("....")
    waits = 2**18 - 1
    for more in (0, 1):
        stands = np.full((waits + more, 1), 1)
        result = sipp(grid, 0, 3, obstacles=np.concatenate([stands, [[-1]]]))
        assert result.value is not None and result.value.vertices.shape == (waits + more + 3, 1)
        assert result.status is (Status.LIMIT if more else Status.SOLVED)
    assert result.reason.endswith("is not proved to be the earliest") and result.bound == 3
    assert sipp(grid, 0, 3, obstacles=np.full((waits, 1), 1), limit=1).status is not Status.SOLVED


def test_searches_in_space_and_time_that_grow_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cbs(SHUT).status is Status.NO_SOLUTION is ecbs(SHUT).status
    room = room_instance(6, 0.1, 12, 2)
    assert cbs(room).status is Status.SOLVED
    monkeypatch.setattr(SpaceTime, "most_states", 2)
    monkeypatch.setattr(focal_tree, "_ROOM", 1)
    monkeypatch.setattr(focal_tree, "focal_room", lambda _: focal_room(6))
    for result in (cbs(SHUT), ecbs(SHUT), cbs(room)):
        assert result.status is Status.LIMIT and result.value is None and result.reason == TOO_LARGE


def test_a_search_that_grows_too_large_under_way_keeps_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    room = room_instance(6, 0.1, 12, 2)
    search, whole = Cbs(room), cbs(room)
    assert not search.advance(1)
    bound = search.result.bound
    monkeypatch.setattr(SpaceTime, "most_states", 2)
    assert search.advance(1000) and search.advance(1)
    result = search.result
    assert result.status is Status.LIMIT and TOO_LARGE in result.reason
    assert bound <= result.bound <= whole.bound


def test_what_is_forgotten_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [*small_instances(7, 30, agents=3), *(room_instance(8, 0.1, 14, seed) for seed in range(4))]
    rooms = [room for room in rooms if room.features <= {"following", "vanish", "changes", "directed"}]
    answers = [cbs(room, limit=150) for room in rooms]
    monkeypatch.setattr(single_agents, "_MOST_KEPT", 2000)
    for room, answer in zip(rooms, answers, strict=True):
        again = cbs(room, limit=150)
        assert (again.status, again.reason) == (answer.status, answer.reason)
        if answer.status is Status.SOLVED:
            assert again.bound == answer.bound == answer.stats["sum_of_costs"] == again.stats["sum_of_costs"]


def test_priority_search_stops_where_its_nodes_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    room = room_instance(8, 0.1, 40, 1)
    monkeypatch.setattr(priority_search, "_MOST_PAIRS", 3 * 40**2)
    result = priority_search.priority_search(room)
    assert result.status is Status.LIMIT
    assert result.reason.endswith("as 4 open ones fill the memory")


def test_joint_paths_do_not_begin_with_more_states_than_they_may_expand() -> None:
    cells = np.arange(40)
    board = Board(Instance.of(Grid.from_free(np.ones((5, 8))), cells, cells), "test")
    search = JointPaths(board, board.distances(), 1000)
    with pytest.raises(TooManyError):
        list(search.find(range(40), [[]] * 40, np.empty((0, 0), np.int32)))
