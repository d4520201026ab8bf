"""Board: numbers, neighbours, distances and closed spans agree with the instance; what a method can't do is refused."""

import networkx as nx
import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import CLASSIC, Instance, Rules
from anabasis.mapf.board import FAR, Board


def open_grid(text: str) -> Grid:
    rows = text.split()
    return Grid.from_terrain(np.array([[ord(c) for c in row] for row in rows], np.uint8))


def test_neighbours_and_distances_are_those_of_the_map() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        height, width = rng.integers(2, 9, 2)
        terrain = np.where(rng.random((height, width)) < 0.3, ord("@"), ord(".")).astype(np.uint8)
        terrain[0, 0] = ord(".")
        grid = Grid.from_terrain(terrain)
        free = np.flatnonzero(grid.free)
        board = Board(Instance.of(grid, free[:1], free[-1:]), "test")
        model = nx.grid_2d_graph(int(height), int(width))
        model.remove_nodes_from([(int(y), int(x)) for y, x in np.argwhere(~grid.free)])
        assert board.count == len(model)
        for i in range(board.count):
            around = board.vertices[board.indices[board.indptr[i] : board.indptr[i + 1]]].tolist()
            y, x = divmod(int(board.vertices[i]), int(width))
            assert sorted(around) == sorted(v * width + u for v, u in model[(y, x)])
            assert around == sorted(around)  # up, left, right, down
        y, x = divmod(int(free[-1]), int(width))
        steps = nx.single_source_shortest_path_length(model, (y, x))
        expected = [steps.get(divmod(int(v), int(width)), FAR) for v in board.vertices]
        assert board.distances()[0].tolist() == expected


def test_arcs_of_one_direction_are_turned_round_for_distances() -> None:
    graph = Graph.from_arcs(np.zeros((4, 2)), [0, 1, 2, 3], [1, 2, 3, 0], [1.0] * 4)
    board = Board(Instance.of(graph, [0], [3]), "test", can=("directed",))
    assert board.distances()[0].tolist() == [3, 2, 1, 0]
    with pytest.raises(InputError, match="test can't solve this instance; found there are arcs of one direction"):
        Board(Instance.of(graph, [0], [3]), "test")


def test_closed_spans_follow_the_changes() -> None:
    grid = open_grid("...\n.@.")
    times, vertices, blocked = [0, 2, 5, 5, 9], [4, 1, 1, 1, 4], [False, True, False, True, True]
    changes = np.array(times), np.array(vertices), np.array(blocked)
    instance = Instance(grid, np.array([0]), np.array([4]), *changes)
    board = Board(instance, "test", can=("changes",))
    indptr, first, last = board.closed
    spans = {
        int(board.vertices[i]): list(
            zip(first[indptr[i] : indptr[i + 1]], last[indptr[i] : indptr[i + 1]], strict=True)
        )
        for i in range(board.count)
    }
    assert spans == {0: [], 1: [(2, 4), (5, FAR)], 2: [], 3: [], 4: [(9, FAR)], 5: []}


def test_steps_from_a_place_are_the_distances_to_it_the_other_way() -> None:
    graph = Graph.from_arcs(np.zeros((5, 2)), [0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [1.0] * 5)
    board = Board(Instance.of(graph, [0], [3]), "test", can=("directed",))
    assert board.steps_from(0).tolist() == [0, 1, 1, 2, FAR]
    table = board.distances(np.arange(5))
    for place in range(5):
        assert board.steps_from(place).tolist() == table[:, place].tolist()


def test_plans_lose_idle_rows_and_tell_their_costs() -> None:
    board = Board(Instance.of(open_grid("..."), [0, 1], [1, 2]), "test")
    result = board.solved([[0, 1], [0, 2], [1, 2], [1, 2], [1, 2]], bound=2.0, expanded=7)
    assert result.value is not None
    assert result.value.vertices.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert dict(result.stats) == {"sum_of_costs": 3.0, "makespan": 2.0, "expanded": 7}


def test_who_is_cut_off_is_named() -> None:
    board = Board(Instance.of(open_grid(".@."), [0, 2], [0, 2]), "test")
    assert board.out_of_reach(np.array([0, 0], np.int32)) is None
    lost = board.out_of_reach(np.array([0, FAR], np.int32))
    assert lost is not None and "agent 1 can't get from x=2 (column), y=0 (row)" in lost.reason


def test_rules_imply_each_other() -> None:
    assert Rules(vertex=True, edge=False, swap=True) == CLASSIC
    assert Rules(following=True, swap=False).swap and Rules(following=True).cycle
    assert Rules(cycle=True, swap=False).swap
    loose = Rules(vertex=False, edge=False, swap=False)
    assert not (loose.vertex or loose.edge or loose.swap or loose.cycle)
    grid = open_grid("...")
    assert Instance.of(grid, [0], [1], rules=loose).features == {"swaps", "sharing"}
    assert Instance.of(grid, [0, 1], [2, 2], rules=Rules(stay=False)).features == {"vanish"}


def test_what_is_no_instance_is_refused() -> None:
    grid = open_grid("...")
    with pytest.raises(InputError, match="lacam solves instances; found Grid"):
        Board(grid, "lacam")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="space of an instance; found NoneType"):
        Instance.of(None, [0], [1])  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="rules of an instance; found str; expected Rules"):
        Instance.of(grid, [0], [1], rules="following")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="the rule following; found 'yes'"):
        Rules(following="yes")  # pyright: ignore[reportArgumentType]
