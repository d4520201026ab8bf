import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from search_oracle import random_grid, walked

from anabasis import Grid, InputError
from anabasis._kernel.legs import leg_steps, write_leg
from anabasis.result import TraceEvent
from anabasis.search.hub_labels import HubLabels, hub_labels
from anabasis.search.hub_order import hub_order
from anabasis.search.jps_plus import JPSPlus
from anabasis.search.lattice import SIDE, SLANT
from anabasis.search.moves import Space
from anabasis.search.pruned_labels import _label, pruned_labels
from anabasis.search.subgoal import subgoal_graph


def is_corner(grid, x, y):
    """Whether a free cell stands at a convex corner of a wall: one cell is blocked, those beside it are not."""
    sides = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    inside = [(dx, dy) for dx, dy in sides if 0 <= x + dx < grid.width and 0 <= y + dy < grid.height]
    return grid.is_free(x, y) and any(
        not grid.is_free(x + dx, y + dy) and grid.is_free(x + dx, y) and grid.is_free(x, y + dy) for dx, dy in inside
    )


def nets(count, side=30, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        grid = random_grid(rng, side)
        yield grid, subgoal_graph(Space(grid))


def distances(net):
    """SciPy's distances between all subgoals, in whole numbers."""
    size = len(net.cells)
    if not size:
        return np.zeros((0, 0))
    return dijkstra(csr_array((net.lengths.astype(float), net.heads, net.indptr), shape=(size, size)))


def test_subgoals_are_the_corners_of_walls():
    for grid, net in nets(40):
        corners = [grid.vertex(x, y) for y in range(grid.height) for x in range(grid.width) if is_corner(grid, x, y)]
        assert net.cells.tolist() == corners
        assert net.number[net.cells].tolist() == list(range(len(corners)))
        assert (net.number >= 0).sum() == len(corners)


def test_subgoals_that_see_each_other_are_joined_by_a_free_leg_of_that_length():
    for grid, net in nets(40):
        tails = np.repeat(np.arange(len(net.cells)), np.diff(net.indptr))
        arcs = set(zip(tails.tolist(), net.heads.tolist(), strict=True))
        assert len(arcs) == len(tails)
        assert {(v, u) for u, v in arcs} == arcs
        for u, v, length in zip(net.cells[tails].tolist(), net.cells[net.heads].tolist(), net.lengths, strict=True):
            steps, diagonal = leg_steps(u, v, grid.width)
            for straight_first in (False, True):
                vertices = np.empty(steps, np.int64)
                write_leg(vertices, steps - 1, u, v, grid.width, straight_first)
                walked(grid, np.array([u, *vertices]))
            assert length == (steps - diagonal) * SIDE + diagonal * SLANT


def test_the_order_has_every_vertex_once():
    for _, net in nets(30):
        assert sorted(hub_order(net.indptr, net.heads, net.lengths).tolist()) == list(range(len(net.cells)))


def test_in_a_row_of_vertices_the_middle_comes_first():
    tails = np.repeat(np.arange(64), [1, *[2] * 62, 1])
    heads = np.array([v for u in range(64) for v in (u - 1, u + 1) if 0 <= v < 64], np.int32)
    indptr = np.searchsorted(tails, np.arange(65))
    order = hub_order(indptr, heads, np.ones(len(heads), np.int64))
    assert 20 < order[0] < 44
    label = _label(indptr, heads, np.ones(len(heads), np.int64), order, 10_000)[0]
    assert label[-1] < 64 * 9, "about as many hubs as a binary search has steps"
    alphabetic = _label(indptr, heads, np.ones(len(heads), np.int64), np.arange(64), 10_000)[0]
    assert alphabetic[-1] == 64 * 65 // 2


def test_labels_tell_every_distance():
    for _, net in nets(25):
        size = len(net.cells)
        labels = pruned_labels(net.indptr, net.heads, net.lengths, 10**6)
        label, hub, far, up, owner = labels.first, labels.hub, labels.distance, labels.up, labels.owner
        table = np.full((size, size), np.inf)
        table[np.repeat(np.arange(size), np.diff(label)), hub] = far
        best = np.array([(table + row).min(axis=1) for row in table]).reshape(size, size)
        wanted = distances(net)
        assert np.array_equal(best, wanted)
        for e in range(len(hub)):
            assert label[owner[e]] <= e < label[owner[e] + 1]
            assert (up[e] < 0) == (far[e] == 0) == (labels.order[hub[e]] == owner[e])
            if up[e] >= 0:
                assert hub[up[e]] == hub[e]
                assert far[up[e]] + wanted[owner[e], owner[up[e]]] == far[e]


def test_labels_that_grow_too_large_are_refused():
    grid = Grid.from_free(np.random.default_rng(2).random((30, 30)) >= 0.2)
    with pytest.raises(InputError, match=r"too many corners for hub labels; found .* more than 50 entries; .* jps"):
        HubLabels(grid, most_entries=50)
    entries = len(HubLabels(grid).tables[9])
    assert HubLabels(grid, most_entries=entries).find(0, 1) is not None


def test_limit_counts_labels():
    grid = Grid.from_free(np.random.default_rng(2).random((30, 30)) >= 0.2)
    search = HubLabels(grid)
    free = np.flatnonzero(grid.free.reshape(-1))
    start, goal = int(free[0]), int(free[-1])
    best = search.find(start, goal)
    assert best.stats["expanded"] > 2
    for limit in range(1, int(best.stats["expanded"])):
        result = search.find(start, goal, limit=limit)
        assert (result.value, result.stats["expanded"]) == (None, limit)
        assert result.bound <= best.value.cost
    for start_2, goal_2 in ((goal, start), (int(free[3]), int(free[-4]))):  # nothing of a given up query is left
        again, wanted = search.find(start_2, goal_2), hub_labels(grid, start_2, goal_2)
        assert (again.value.cost, again.stats) == (wanted.value.cost, wanted.stats)


def test_the_trace_has_the_labels_that_were_looked_up():
    grid = Grid.from_free(np.random.default_rng(2).random((30, 30)) >= 0.2)
    free = np.flatnonzero(grid.free.reshape(-1))
    result = HubLabels(grid).find(int(free[0]), int(free[-1]), traced=True)
    events = result.trace.event.tolist()
    assert events.count(TraceEvent.EXPAND.value) == result.stats["expanded"]
    assert len(events) == result.stats["expanded"] + result.stats["generated"]
    assert result.trace.vertex[0] == free[0]
    assert set(result.trace.vertex[1:].tolist()) <= set(np.flatnonzero(subgoal_graph(Space(grid)).number >= 0).tolist())
    total = result.trace.g + result.trace.h
    assert (total >= Space(grid).distance(int(free[0]), int(free[-1])) - 1e-9).all()


def test_a_traced_way_without_a_turn_begins_at_the_start():
    trace = hub_labels(Grid.from_text("...."), 0, 3, traced=True).trace
    assert (trace.vertex.tolist(), trace.h.tolist()) == ([0], [3])


def test_it_says_how_much_is_prepared():
    grid = Grid.from_text("...\n.#.\n...")
    assert {key: HubLabels(grid).stats[key] for key in ("states", "arcs")} == {"states": 4, "arcs": 8}
    assert HubLabels(grid).stats["bytes"] > 9 * 16
    assert JPSPlus(grid).stats["states"] == 9
