"""Ways inside a region: against A* and straightening on the map with everything else walled up."""

import numpy as np
import pytest
from flow_cases import THREE_ROOMS, TWO_DOORS, decomposed

from anabasis.flow.rooms import rooms_of
from anabasis.grid import Grid
from anabasis.search.astar import astar
from anabasis.search.smoothing import shorten


def alone(grid, decomposition, region):
    """The map on which only a region and its gates are free."""
    free = decomposition.region == region
    for gate in np.flatnonzero((decomposition.sides == region).any(axis=1)):
        free.ravel()[decomposition.gate(gate)] = True
    return Grid.from_free(free & grid.free)


@pytest.mark.parametrize("drawing", [TWO_DOORS, THREE_ROOMS])
def test_lengths_are_those_of_straightened_shortest_paths(drawing):
    grid, d = decomposed(drawing)
    for region, room in enumerate(rooms_of(grid, d)):
        only = alone(grid, d, region)
        cells = np.flatnonzero(only.free)
        target = int(cells[0])
        spread = room.spread(np.array([target]))
        lengths = spread.lengths(cells)
        for cell, length, cost in zip(cells.tolist(), lengths, spread.distance(cells), strict=True):
            path = astar(only, cell, target)
            assert path and cost == pytest.approx(path.value.cost, abs=1e-9)
            # shortest paths are many, so their straightened lengths may differ, but lie between these two
            assert np.hypot(*(grid.centres(cell) - grid.centres(target))) - 1e-9 <= length <= path.value.cost + 1e-9
            assert length <= shorten(only, path.value).length * 1.09 + 1e-9


def test_a_way_begins_and_ends_in_its_cells_and_stays_in_the_room():
    grid, d = decomposed(THREE_ROOMS)
    room = rooms_of(grid, d)[1]
    cells = d.gate(2)
    spread = room.spread(d.gate(0))
    indptr, points = spread.ways(cells)
    for i, cell in enumerate(cells.tolist()):
        way = points[indptr[i] : indptr[i + 1]]
        assert (way[0] == grid.centres(cell)).all()
        assert int(way[-1, 1]) * grid.width + int(way[-1, 0]) in d.gate(0)
        assert np.hypot(*np.diff(way, axis=0).T).sum() == pytest.approx(spread.lengths(cells)[i])


def test_no_way_is_an_empty_way_of_infinite_length():
    grid, d = decomposed("#####\n#a#a#\n#####")
    room = rooms_of(grid, d)[0]
    cells = np.flatnonzero(grid.free)
    spread = room.spread(cells[:1])
    assert spread.lengths(cells).tolist() == [0.0, np.inf]
    assert spread.ways(cells)[0].tolist() == [0, 1, 1]


def test_the_nearest_cell_is_the_one_with_the_cheapest_way():
    grid, d = decomposed(THREE_ROOMS)
    spread = rooms_of(grid, d)[1].spread(d.gate(0))
    assert spread.nearest(d.gate(2)) == d.gate(2)[np.argmin(spread.distance(d.gate(2)))]
