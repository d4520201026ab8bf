"""Maps as cells: how much room there is in each, and the places that stand for places in walls."""

import numpy as np
import pytest

from anabasis import Graph, Grid, InputError
from anabasis.formation.cells import Cells
from anabasis.lattice import Lattice


@pytest.mark.parametrize("seed", range(12))
def test_where_a_circle_fits_is_where_its_middle_is_so_far_from_all_walls(seed):
    rng = np.random.default_rng(seed)
    free = rng.random((8, 9)) > 0.05 + 0.03 * seed
    y, x = np.nonzero(~np.pad(free, 1))

    def apart(px, py):
        return np.hypot(
            np.maximum(np.maximum(x - 1 - px, px - x), 0), np.maximum(np.maximum(y - 1 - py, py - y), 0)
        ).min()

    room = [[max(apart(i + a / 2, j + b / 2) for a in range(3) for b in range(3)) for i in range(9)] for j in range(8)]
    cells = Cells.of(Grid.from_free(free))
    for radius in (0.3, 0.5, 0.7, 1.0, 1.3, 1.5, 2.2):
        assert (cells.fits(radius) == (free & (np.array(room) >= radius - 1e-9))).all()


def test_a_place_gives_way_to_the_nearest_cell_that_is_free_and_can_be_reached():
    cells = Cells.of(Grid.from_text("..#..\n..#..\n####."))
    place = np.array((1.2, 0.4))
    assert cells.stand(place).tolist() == [1.2, 0.4]
    assert cells.stand(place, {1}).tolist() == [0.5, 0.5]
    assert cells.stand(np.array((2.2, 0.5))).tolist() == [1.5, 0.5]
    assert cells.stand(np.array((2.2, 0.5)), beside=np.array((4.5, 2.5))).tolist() == [3.5, 0.5]
    assert cells.stand(place, beside=np.array((4.5, 2.5))).tolist() == [3.5, 0.5]
    assert cells.stand(np.array((-7.0, 1.0))).tolist() == [0.5, 0.5]
    with pytest.raises(InputError, match="no free cell left"):
        cells.stand(place, set(range(15)))


def test_cells_of_triangles_are_half_a_step_wide_and_priced_by_the_least():
    ground = np.ones((6, 6))
    ground[:, 4:] = 3.0
    ground[2, 1] = np.inf
    lattice = Lattice.from_ground(ground)
    cells = Cells.of(lattice)
    assert cells.spacing == 2.0 and cells.side == lattice.spacing / 2
    places = lattice.points
    assert cells.out(cells.into(places)) == pytest.approx(places)
    x, y = np.floor(cells.into(places)).astype(int).T
    assert (cells.grid.free[y, x] | (np.arange(36) == 13)).all() and not cells.grid.free[y[13], x[13]]
    prices = cells.grid.cost[cells.grid.free]
    assert prices.min() == 1.0 and prices.max() == pytest.approx(3.0)
    with pytest.raises(InputError, match="found a graph of 2 vertices"):
        Cells.of(Graph([0, 1, 2], [1, 0], [1.0, 1.0], [[0, 0], [1, 0]]))
