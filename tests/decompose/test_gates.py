"""Gates: lines of cells, and where they stand on drawn maps."""

import numpy as np
import pytest

from anabasis.decompose.gates import find_gates
from anabasis.decompose.regions import decompose
from anabasis.grid import Grid


def gates_of(text, parameters=2):
    d = decompose(Grid.from_text(text), parameters)
    return d, [tuple(e) for e in d.ends.tolist()]


def hall(width, height, wall_x, gap):
    """Two halls with a wall between, which has a gap in the rows given."""
    rows = ["." * wall_x + ("." if y in gap else "#") + "." * (width - wall_x - 1) for y in range(height)]
    return "\n".join(rows)


@pytest.mark.parametrize("gap", [(5,), (0,), (10,), (4, 5, 6), (0, 1), (2, 3, 4, 5)])
def test_a_gap_has_one_gate_right_in_it(gap):
    d, ends = gates_of(hall(31, 11, 15, gap))
    assert d.regions == 2
    assert ends == [(15, gap[0], 15, gap[-1])]
    assert d.width.tolist() == [len(gap)]


def test_each_of_two_gaps_has_a_gate():
    d, ends = gates_of(hall(41, 21, 20, (3, 4, 15)))
    assert d.regions == 2
    assert ends == [(20, 3, 20, 4), (20, 15, 20, 15)]
    assert d.sides.tolist() == [[0, 1], [0, 1]]


def test_a_gate_stands_square_to_a_slanting_passage():
    free = np.ones((41, 41), bool)
    y, x = np.mgrid[:41, :41]
    free[(abs(x + y - 40) < 6) & (abs(x - y) > 4)] = False  # a thick slanting wall with a gap of about 6.4 cells
    d = decompose(Grid.from_free(free), 2)
    assert d.regions == 2
    assert d.gates == 1
    x0, y0, x1, y1 = d.ends[0]
    assert x1 - x0 == -(y1 - y0) or abs((x1 - x0) + (y1 - y0)) <= 1
    assert d.width[0] < 8


def test_a_corridor_between_halls_has_its_gates_where_it_is_narrow():
    rows = ["." * 15 + "#" * 10 + "." * 15] * 5 + ["." * 40] * 3 + ["." * 15 + "#" * 10 + "." * 15] * 5
    d, _ = gates_of("\n".join(rows))
    assert d.regions in (2, 3)
    assert set(d.width.tolist()) == {3.0}


def test_an_open_field_has_none():
    d, _ = gates_of("\n".join(["." * 40] * 30))
    assert (d.regions, d.gates) == (1, 0)


def test_a_narrow_place_at_the_edge_of_the_map():
    rows = ["." * 31] * 6 + ["." * 12 + "#" * 7 + "." * 12] * 8
    d, ends = gates_of("\n".join(rows), 1)
    assert d.regions >= 2
    assert all(0 in (y0, y1) for _, y0, _, y1 in ends)


def test_no_two_gates_share_a_cell_and_the_shortest_come_first():
    lake = np.random.default_rng(4).integers(-1, 3, (40, 50)).astype(np.int32)
    gates = find_gates(lake)
    cells = np.concatenate(gates)
    assert len(gates) > 20
    assert len(set(cells.tolist())) == cells.size
    assert (lake.reshape(-1)[cells] >= 0).all()
    x, y = (np.array([[g[0], g[-1]] for g in gates]) % 50).T, (np.array([[g[0], g[-1]] for g in gates]) // 50).T
    length = (x[0] - x[1]) ** 2 + (y[0] - y[1]) ** 2
    assert (np.diff(length) >= 0).all()


def test_without_borders_there_are_no_gates():
    assert find_gates(np.zeros((3, 4), np.int32)) == []
    assert find_gates(np.full((3, 4), -1, np.int32)) == []
