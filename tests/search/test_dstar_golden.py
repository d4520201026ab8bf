"""The one numeric picture of the source: cost, g and rhs of 55 cells after the first search of D* Lite."""

import numpy as np
import pytest
from change_worlds import cell_changes, ground
from search_oracle import all_distances

from anabasis import Grid
from anabasis._kernel import mending
from anabasis._kernel.key_queue import queue_remove
from anabasis.search.dstar_lite import DStarLite

TABLE = """
    .     .     #     .     #     .     .     .     .     .
    .     #     1/3/3 #     1/3/3 #     #     .     1/-/- .
    .     #     1/2/2 1/1/1 1/2/2 #     1/4/4 #     1/-/10 #
    1/-/3 1/2/2 1/1/1 1/0/0 1/1/1 1/2/2 1/3/3 #     1/9/9 1/-/10
    1/-/4 1/3/3 1/2/2 1/1/1 1/2/2 #     #     #     1/8/8 1/-/9
    .     #     1/3/3 #     1/3/3 1/4/4 1/5/5 1/6/6 1/7/7 1/-/8
    .     .     1/-/4 1/-/5 1/4/4 #     #     1/-/7 #     .
    .     .     .     .     1/-/5 .     .     .     .     .
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]
MARGIN = 12  # free cells around what the picture shows
SIDE = 34


def vertex(row, column):
    return (row + MARGIN) * SIDE + column - 2 + MARGIN


START, GOAL = vertex(2, 10), vertex(3, 5)


def picture():
    """The map, and of each touched cell its price, g and rhs."""
    free, known = np.ones((SIDE, SIDE), bool), {}
    for r, row in enumerate(ROWS):
        for c, entry in enumerate(row):
            v = vertex(r, c + 2)
            if entry == "#":
                free.flat[v], known[v] = False, (np.inf,) * 3
            elif entry != ".":
                known[v] = tuple(np.inf if part == "-" else float(part) for part in entry.split("/"))
    return Grid.from_free(free), known


def table_of(unit):
    known = unit.touched()
    return {
        v: (price, g, rhs)
        for v, price, g, rhs in zip(
            known.vertices.tolist(), known.price.tolist(), known.g.tolist(), known.rhs.tolist(), strict=True
        )
    }


def test_all_55_cells_of_the_picture():
    grid, known = picture()
    assert len(known) == 55
    unit = DStarLite(grid, START, GOAL, neighbours=4, metric="floor-euclidean")
    assert unit.next_step() == vertex(3, 10)
    assert table_of(unit) == known
    assert (unit.expanded, sum(np.isinf(price) for price, _, _ in known.values())) == (25, 19)
    assert unit.path().value.cost == 10
    assert unit.distance(START) == 10


def test_other_estimates_agree_where_both_expand():
    grid, known = picture()
    for metric, different in (("manhattan", 8), ("euclidean", None), ("chebyshev", None), ("zero", None)):
        unit = DStarLite(grid, START, GOAL, neighbours=4, metric=metric)
        assert unit.next_step() == vertex(3, 10)
        assert unit.distance(START) == 10
        found = table_of(unit)
        both = [v for v in known if v in found and np.isfinite(known[v][1]) and np.isfinite(found[v][1])]
        assert len(both) >= 22
        assert all(known[v] == found[v] for v in both)
        if different:
            assert sum(found.get(v) != known.get(v) for v in {*found, *known}) == different
            assert unit.expanded == 22


def test_rounded_estimates_stay_right_as_the_unit_walks_and_the_world_changes():
    """Whole parts of distances break the triangle inequality that raised keys rely on, unless they are raised more."""
    rng, answers = np.random.default_rng(8), 0
    for _ in range(60):
        grid = Grid.from_free(rng.random((12, 12)) > 0.25)
        unit = DStarLite(grid, *rng.integers(0, 144, 2).tolist(), neighbours=4, metric="floor-euclidean")
        cost = grid.cost.copy().reshape(-1)
        for _ in range(12):
            cells, prices = cell_changes(rng, cost, [1.0], 20)
            keep = cells != unit.start
            unit.change(cells[keep], prices[keep])
            cost[cells[keep]] = prices[keep]
            best = all_distances(ground(cost.reshape(12, 12)), [unit.start], 4)[0][unit.goal]
            if np.isinf(cost[unit.start]) or unit.start == unit.goal:
                break
            step = unit.next_step()
            assert (step is None) == np.isinf(best)
            assert unit.distance(unit.start) == best
            if step is not None:
                unit.move_to(step)
                answers += 1
    assert answers > 150


def force(search, vertices):
    """Do as the source does: call a changed cell known by setting its g to its rhs."""
    for v in vertices.tolist():
        if search.cells[v, mending.MARK] == search.book[mending.NOW]:
            search.cells[v, mending.G] = search.cells[v, mending.RHS]
            if search.place[v]:
                search.book[mending.SIZE] = queue_remove(search.rows, search.place, int(search.book[mending.SIZE]), v)


@pytest.mark.parametrize(("forced", "least", "most"), [(False, 0, 0), (True, 10, 160)])
def test_the_shortcut_of_the_source_goes_wrong(forced, least, most):
    """With g of changed cells forced to rhs distances come out wrong; by the published rule never."""
    rng, wrong = np.random.default_rng(9), 0
    for _ in range(40):
        cost = np.where(rng.random(400) < 0.2, np.inf, rng.choice([1.0, 2.0, 8.0], 400))
        unit = DStarLite(ground(cost.reshape(20, 20)), 0, 399, neighbours=4)
        unit.distance(0)
        for _ in range(4):
            cells, prices = cell_changes(rng, cost, [1.0, 2.0, 8.0], 60)
            unit.change(cells, prices)
            cost[cells] = prices
            if forced:
                force(unit._search, cells[cells != 399])
            wrong += unit.distance(0) != all_distances(ground(cost.reshape(20, 20)), [0], 4)[0][399]
    assert least <= wrong <= most
