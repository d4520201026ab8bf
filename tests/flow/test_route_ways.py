"""Ways along a route of gates, walked and measured on drawings."""

import itertools

import numpy as np
import pytest
from flow_cases import THREE_ROOMS, TWO_DOORS, decomposed, walls_met
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.flow.network import Passages
from anabasis.flow.ways import SPACING, corridor, gathered, placed, regions_along, through
from anabasis.grid import Grid
from anabasis.search.astar import astar

ROUTES = [  # of THREE_ROOMS, from a to c
    [0, 1],
    [0, 2],
    [3, 1],
    [3, 2],
]
WINDING = """
    ##########################
    #aaaaaaaa#bbbbbbb#ccccccc#
    #aa###aaa0bb###bb1cc###cc#
    #aaaa#aaa#bbbb#bb#cccc#cc#
    #aaaa#aaa#bbbb#bb#cccc#cc#
    #aa###aaa#bb###bb#cc###cc#
    #aaaaaaaa2bbbbbbb3ccccccc#
    #aaaaaaaa2bbbbbbb3ccccccc#
    ##########################
"""


def prepared(drawing):
    grid, d = decomposed(drawing)
    return grid, Passages(grid, d)


def split(ways):
    indptr, points = ways
    return [points[a:b] for a, b in itertools.pairwise(indptr)]


def cells_on(grid, way):
    """The vertices under a way, looked at every 0.05 cells."""
    pieces = [
        a + np.linspace(0, 1, 2 + int(20 * np.hypot(*(b - a))))[:, None] * (b - a) for a, b in itertools.pairwise(way)
    ]
    x, y = np.floor(np.concatenate([way[:1], *pieces])).astype(int).T
    return y * grid.width + x


def gates_on(passages, vertices):
    """The gates on whose cells vertices lie, in order, each once in a row."""
    of_cell = {int(cell): g for g in range(passages.decomposition.gates) for cell in passages.decomposition.gate(g)}
    met = [of_cell[v] for v in vertices.tolist() if v in of_cell]
    return [g for k, g in enumerate(met) if k == 0 or met[k - 1] != g]


def test_the_regions_along_a_route():
    _, passages = prepared(THREE_ROOMS)
    assert regions_along(passages, 0, [0, 1]) == [0, 1, 2]
    assert regions_along(passages, 2, [1, 0]) == [2, 1, 0]
    assert regions_along(passages, 1, [0, 3]) == [1, 0, 1]
    assert regions_along(passages, 2, []) == [2]


@pytest.mark.parametrize("drawing", [THREE_ROOMS, WINDING])
@pytest.mark.parametrize("gates", ROUTES)
def test_a_corridor_leads_through_the_gates_of_its_route_and_no_other(drawing, gates):
    grid, passages = prepared(drawing)
    region = passages.decomposition.region.ravel()
    if drawing == WINDING:
        gates = [{0: 0, 3: 2}[gates[0]], {1: 1, 2: 3}[gates[1]]]
    goal = grid.vertex(21, 6) if drawing == WINDING else grid.vertex(22, 5)
    cells = np.flatnonzero((region == 0) & ~np.isin(np.arange(region.size), passages.decomposition.cells))
    for cell, way in zip(cells, split(corridor(passages, 0, gates, goal).ways(cells)), strict=True):
        assert (way[0] == grid.centres(cell)).all() and (way[-1] == grid.centres(goal)).all()
        assert walls_met(grid, way) == []
        assert gates_on(passages, cells_on(grid, way)) == gates


@pytest.mark.parametrize("gates", ROUTES)
def test_a_corridor_is_as_long_as_the_shortest_path_where_all_else_is_walled_up(gates):
    grid, passages = prepared(THREE_ROOMS)
    d = passages.decomposition
    free = grid.free.copy()
    for gate in set(range(d.gates)) - set(gates):
        free.ravel()[d.gate(gate)] = False
    walled, goal = Grid.from_free(free), grid.vertex(20, 2)
    spread = corridor(passages, 0, gates, goal)
    cells = np.flatnonzero((d.region.ravel() == 0) & free.ravel())
    for cell, cost in zip(cells.tolist(), spread.distance(cells), strict=True):
        assert cost == pytest.approx(astar(walled, cell, goal).value.cost, abs=1e-9)


def test_a_corridor_does_not_lead_through_a_room_that_is_not_on_the_route():
    grid, passages = prepared(THREE_ROOMS)
    spread = corridor(passages, 1, [1], grid.vertex(20, 2))
    here = grid.vertex(8, 7)  # beside gate 3, which is shut, although the way into the room next door is short
    assert np.isfinite(spread.distance(np.array([here]))).all()
    assert np.isinf(spread.distance(passages.decomposition.gate(3))).all()


def test_a_narrow_gate_is_open_in_its_middle_alone():
    grid, passages = prepared(THREE_ROOMS)
    goal = grid.vertex(20, 2)
    cells = np.flatnonzero(passages.decomposition.region.ravel() == 0)
    cells = cells[~np.isin(cells, passages.decomposition.cells)]
    for narrow, open_cells in ((0.0, 2), (2.0, 2), (2.1, 1)):
        spread = corridor(passages, 0, [0, 1], goal, narrow=narrow)
        gate = passages.decomposition.gate(0)
        assert np.isfinite(spread.distance(gate)).sum() == open_cells
        used = np.unique(np.concatenate([cells_on(grid, way) for way in split(spread.ways(cells))]))
        assert np.isin(used, gate).sum() <= open_cells
    assert passages.centre[0] in used


def test_a_goal_on_a_gate_that_is_shut_is_reached():
    grid, passages = prepared(TWO_DOORS)
    goal = int(passages.decomposition.gate(1)[0])
    spread = corridor(passages, 0, [], goal)
    assert np.isfinite(spread.distance(np.array([grid.vertex(2, 2)]))).all()


@pytest.mark.parametrize("gates", ROUTES)
def test_ways_through_centres_pass_the_middle_of_each_gate_in_order(gates):
    grid, passages = prepared(THREE_ROOMS)
    goal, spots = grid.vertex(20, 5), passages.centre[gates]
    cells = np.flatnonzero(passages.decomposition.region.ravel() == 0)
    cells = cells[~np.isin(cells, passages.decomposition.cells)]
    ways = split(through(passages, 0, gates, spots, cells, goal))
    stops = [grid.centres(v).tolist() for v in [*spots.tolist(), goal]]
    for cell, way in zip(cells, ways, strict=True):
        assert (way[0] == grid.centres(cell)).all()
        at = [way.tolist().index(stop) for stop in stops]
        assert at == sorted(at) and at[-1] == len(way) - 1
        assert walls_met(grid, way) == []
        assert (way[at[0] :] == ways[0][ways[0].tolist().index(stops[0]) :]).all(), "from the first gate on all alike"


def test_ways_without_gates_lead_straight_to_the_goal():
    grid, passages = prepared(TWO_DOORS)
    goal = grid.vertex(3, 9)
    (way,) = split(through(passages, 0, [], np.zeros(0, np.int64), np.array([grid.vertex(3, 2)]), goal))
    assert way.tolist() == [[3.5, 2.5], [3.5, 9.5]]


def test_a_unit_without_a_way_to_the_first_gate_has_an_empty_one():
    grid, passages = prepared("#########\n#aa#aa0b#\n#aa#aa0b#\n#########")
    cells = np.array([grid.vertex(1, 1), grid.vertex(4, 1)])
    ways = through(passages, 0, [0], passages.centre[:1], cells, grid.vertex(7, 1))
    assert np.diff(ways[0]).tolist()[0] == 0 and np.diff(ways[0]).tolist()[1] >= 2


polylines = st.lists(
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), min_size=0, max_size=6), min_size=1, max_size=8
)


def packed(lists):
    indptr = np.cumsum([0, *(len(way) for way in lists)])
    return indptr, np.array([point for way in lists for point in way], float).reshape(-1, 2)


@settings(deadline=None)
@given(polylines, st.tuples(st.floats(0, 90), st.floats(0, 90)))
def test_placed_ways_start_at_the_units_end_at_the_place_and_have_no_long_piece(lists, end):
    ways = packed(lists)
    starts = np.arange(2.0 * len(lists)).reshape(-1, 2) / 7
    result = split(placed(np.ones((91, 91)), ways, starts, end))  # no walls: all is clear
    for start, before, after in zip(starts, lists, result, strict=True):
        if not before:
            assert len(after) == 0
            continue
        assert after[0].tolist() == start.tolist() and after[-1].tolist() == list(end)
        steps = np.hypot(*np.diff(after, axis=0).T)
        assert (steps <= SPACING + 1e-9).all()
        corners = np.array([start, *before[1:-1], end])
        assert steps.sum() == pytest.approx(np.hypot(*np.diff(corners, axis=0).T).sum())
        left = after.tolist()
        for corner in corners.tolist():  # all corners are there, in order
            left = left[left.index(corner) :]


def test_placed_breaks_no_piece_that_is_short_enough():
    (way,) = split(placed(np.ones((40, 40)), packed([[(0, 0), (16, 0), (16, 33)]]), np.zeros((1, 2)), (16.0, 33.0)))
    assert way.tolist() == [[0, 0], [16, 0], [16, 11], [16, 22], [16, 33]]


def test_the_centre_of_a_cell_is_left_out_only_where_the_way_is_clear_without_it():
    grid = Grid.from_text("......\n..#...\n......")
    ways = packed([[(1.5, 1.5), (1.5, 0.5), (4.5, 0.5), (4.5, 1.5)]] * 2)
    starts = np.array([[1.5, 1.9], [1.99, 1.9]])  # from the second place the wall's corner would be cut
    ends = {}
    for x in (4.5, 4.01):
        one, two = split(placed(grid.cost, ways, starts, (x, 1.9)))
        assert walls_met(grid, one) == walls_met(grid, two) == []
        assert one[:2].tolist() == [[1.5, 1.9], [1.5, 0.5]]
        assert two[0].tolist() == [1.99, 1.9]
        ends[x] = one.tolist()
    assert ends[4.5][-2:] == [[4.5, 0.5], [4.5, 1.9]]


@settings(deadline=None)
@given(polylines, st.randoms(use_true_random=False))
def test_gathered_ways_are_those_of_each_unit(lists, random):
    group = [random.randrange(3) for _ in lists]
    members = [np.flatnonzero(np.array(group) == g) for g in range(3)]
    pieces = [packed([lists[u] for u in units.tolist()]) for units in members]
    for mine, whole in zip(lists, split(gathered(pieces, members, len(lists))), strict=True):
        assert whole.tolist() == [[float(x), float(y)] for x, y in mine]


def test_units_in_no_piece_have_no_way():
    indptr, points = gathered([packed([[(1, 2)]])], [np.array([2])], 4)
    assert indptr.tolist() == [0, 0, 0, 1, 1] and points.tolist() == [[1.0, 2.0]]


def test_nobody_has_a_way_without_pieces():
    indptr, points = gathered([], [], 3)
    assert indptr.tolist() == [0, 0, 0, 0] and points.shape == (0, 2)
