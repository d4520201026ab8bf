"""Timed search: its ways meet nobody and are as early as those of a breadth-first search in space and time."""

from collections import deque

import numpy as np

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance
from anabasis.mapf.board import FAR, Board
from anabasis.mapf.timed_search import Distances, Reserved


class Model:
    """What is reserved, in plain sets and dictionaries."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.at: dict[tuple[int, int], int] = {}
        self.rests: dict[int, int] = {}

    def add(self, agent: int, way: list[int], first: int, rest: bool) -> None:
        for i, place in enumerate(way):
            self.at[first + i, place] = agent
        if rest:
            self.rests[way[-1]] = first + len(way) - 1

    def free(self, u: int, v: int, t: int) -> bool:
        """Whether one may go from u to v in the step after t."""
        if (t + 1, v) in self.at or self.rests.get(v, FAR) <= t + 1:
            return False
        other = self.at.get((t, v))
        return u == v or other is None or self.at.get((t + 1, u)) != other

    def earliest(self, start: int, first: int, places: list[int], until: int) -> int | None:
        """Return the first step in which all places are passed and the last is nobody's any more."""
        label = 0
        while label < len(places) and places[label] == start:
            label += 1
        queue, seen = deque([(start, first, label)]), {(start, first, label)}
        while queue:
            u, t, label = queue.popleft()
            later = any(time >= t and place == places[-1] for time, place in self.at if time != t)
            if label == len(places) and u == places[-1] and not later:
                return t
            if t >= until:
                continue
            around = self.board.indices[self.board.indptr[u] : self.board.indptr[u + 1]].tolist()
            for v in [u, *around]:
                stage = label
                while stage < len(places) and places[stage] == v:
                    stage += 1
                state = v, t + 1, stage
                if self.free(u, v, t) and state not in seen:
                    seen.add(state)
                    queue.append(state)
        return None


def random_board(rng: np.random.Generator) -> Board:
    free = rng.random((5, 6)) > 0.25
    free[0, :3] = True
    return Board(Instance.of(Grid.from_free(free), [], []), "test")


def test_ways_are_earliest_and_meet_nobody() -> None:
    rng = np.random.default_rng(8)
    found = lost = 0
    for _ in range(150):
        board = random_board(rng)
        reserved, model, distances = Reserved(board), Model(board), Distances(board, 2)
        for agent in range(7):
            start, first = int(rng.integers(board.count)), int(rng.integers(4))
            places = rng.integers(0, board.count, rng.integers(1, 4)).tolist()
            if not model.free(start, start, first - 1):
                continue
            way = reserved.way(start, first, places, distances, until=40, rest=True, limit=100_000)
            best = model.earliest(start, first, places, 40)
            if way is None:
                assert best is None
                lost += 1
                continue
            assert first + len(way) - 1 == best
            steps = list(zip(way.tolist(), way.tolist()[1:], strict=False))
            assert way[0] == start and all(model.free(u, v, first + i) for i, (u, v) in enumerate(steps))
            assert all(u == v or v in board.indices[board.indptr[u] : board.indptr[u + 1]] for u, v in steps)
            found += 1
            reserved.reserve(agent, way, first, rest=True)
            model.add(agent, way.tolist(), first, True)
    assert found > 500 and lost > 20


def test_a_window_ends_the_search_and_what_comes_after_it_does_not_count() -> None:
    board = Board(Instance.of(Grid.from_text("......"), [], []), "test")
    reserved, distances = Reserved(board), Distances(board, 1)
    reserved.reserve(0, [3, 3, 3, 3], 0)  # it stands there up to step 3
    way = reserved.way(0, 0, [5], distances, until=3, rest=False, limit=1000)
    assert way is not None and len(way) == 4 and way[-1] == 2  # as near as can be
    way = reserved.way(0, 0, [5], distances, until=4, rest=False, limit=1000)
    assert way is not None and way.tolist()[-2:] == [2, 3]
    way = reserved.way(1, 0, [1], distances, until=3, rest=False, limit=1000)
    assert way is not None and way.tolist() == [1, 1, 1, 1]  # nothing to do: it stays


def test_tolls_let_a_way_through_others_and_name_them() -> None:
    board = Board(Instance.of(Grid.from_text("....."), [], []), "test")
    reserved, distances = Reserved(board), Distances(board, 2)
    coming = [4, 3, 2, 1, 0]
    reserved.reserve(1, coming, 0)
    assert reserved.way(0, 0, [4], distances, until=4, rest=False, limit=1000) is None
    tolls = np.array([9, 1], np.int32)
    way = reserved.way(0, 0, [4], distances, until=4, rest=False, limit=1000, tolls=tolls)
    assert way is not None and way.tolist() == [0, 1, 2, 3, 4]  # meets it once, in the middle
    assert reserved.met(way, 0).tolist() == [1]
    reserved.release(coming, 0)
    assert reserved.met(way, 0).size == 0
    assert reserved.way(0, 0, [4], distances, until=4, rest=False, limit=1000) is not None


def test_exchanges_of_places_are_met_too() -> None:
    board = Board(Instance.of(Grid.from_text(".."), [], []), "test")
    reserved = Reserved(board)
    reserved.reserve(0, [0, 1], 5)
    assert reserved.met([1, 0], 5).tolist() == [0]
    assert reserved.met([1, 0], 6).tolist() == [0]  # both at 1 in step 6
    assert reserved.met([1, 0], 7).size == 0


def test_the_table_grows_and_forgets() -> None:
    board = Board(Instance.of(Grid.from_free(np.ones((30, 30))), [], []), "test")
    reserved = Reserved(board)
    for agent in range(40):
        reserved.reserve(agent, [agent] * 50, 0)
    for agent in range(40):
        assert reserved.met([agent] * 50, 0).tolist() == [agent]
    reserved.forget(49)
    assert reserved.met([3] * 49, 0).size == 0 and reserved.met([3], 49).tolist() == [3]
    reserved.clear()
    assert reserved.met([3], 49).size == 0


def test_distances_are_kept_for_few_places_and_always_right() -> None:
    graph = Graph.from_arcs(np.zeros((6, 2)), [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0], [1.0] * 6)
    board = Board(Instance.of(graph, [], []), "test", {"directed"})
    distances = Distances(board, 2)
    for places in ([0], [1, 0], [5, 2, 2, 3], [0, 5], [4, 4]):
        rows = distances.rows(places)
        for row, place in zip(rows, places, strict=True):
            assert distances.table[row].tolist() == [(place - v) % 6 for v in range(6)]


def passed(way: list[int], places: list[int]) -> int:
    """Return how many of the places a way has passed, in their order."""
    label = 0
    for v in way:
        while label < len(places) and v == places[label]:
            label += 1
    return label


def price(model: Model, places: list[int], tolls: list[int], way: list[int]) -> int:
    """Return what the last step of a way from step 0 on costs."""
    u, v, t = way[-2], way[-1], len(way) - 2
    cost = int(passed(way[:-1], places) < len(places) or u != places[-1] or v != places[-1])
    there, came = model.at.get((t + 1, v)), model.at.get((t, v)) if u != v else None
    cost += tolls[there] if there is not None else 0
    return cost + (tolls[came] if came is not None and model.at.get((t + 1, u)) == came else 0)


def ahead(distances: Distances, places: list[int], v: int, label: int) -> int:
    """Return the steps from a vertex through the places that are left."""
    table, first = distances.table[distances.rows(places)], min(label, len(places) - 1)
    return int(table[first, v]) + sum(int(table[i + 1, places[i]]) for i in range(first, len(places) - 1))


def cheapest(
    board: Board, model: Model, distances: Distances, places: list[int], tolls: list[int], start: int, until: int
) -> int | None:
    """Return the least that a way costs until a step, with the steps that are left then."""
    layer = {(start, passed([start], places)): (0, [start])}
    for _ in range(until):
        after: dict[tuple[int, int], tuple[int, list[int]]] = {}
        for (u, _), (cost, way) in layer.items():
            for v in [u, *board.around(u)]:
                state = v, passed([*way, v], places)
                total = cost + price(model, places, tolls, [*way, v])
                if total < after.get(state, (FAR, way))[0]:
                    after[state] = total, [*way, v]
        layer = after
    best = min(cost + ahead(distances, places, *state) for state, (cost, _) in layer.items())
    return best if best < FAR else None


def test_ways_with_tolls_are_the_cheapest() -> None:
    """The first way to a state isn't always the cheapest: the one that pays a toll may be taken up before."""
    rng, met = np.random.default_rng(3), 0
    for _ in range(150):
        board = random_board(rng)
        reserved, model, distances = Reserved(board), Model(board), Distances(board, 5)
        tolls = rng.integers(1, 6, 8).tolist()
        for agent in range(8):
            way = [int(rng.integers(board.count))]
            while len(way) < 7:
                free = [v for v in [way[-1], *board.around(way[-1])] if model.free(way[-1], v, len(way) - 1)]
                if not free:
                    break
                way.append(int(rng.choice(free)))
            if (0, way[0]) not in model.at:
                reserved.reserve(agent, way, 0)
                model.add(agent, way, 0, False)
        places, start = rng.integers(0, board.count, rng.integers(1, 4)).tolist(), int(rng.integers(board.count))
        best = cheapest(board, model, distances, places, tolls, start, 6)
        prices = np.array(tolls, np.int32)
        found = reserved.way(start, 0, places, distances, until=6, rest=False, limit=100_000, tolls=prices)
        assert (found is None) == (best is None)
        if found is not None:
            way = found.tolist()
            total = sum(price(model, places, tolls, way[: t + 1]) for t in range(1, len(way)))
            assert total + ahead(distances, places, way[-1], passed(way, places)) == best
            met += bool(reserved.met(way, 0).size)
    assert met > 15
