"""Outline: the world of a grid has its blocked cells, and its free space is the one found by polygons."""

import numpy as np
import pytest
import shapely
from polygon_cases import of_cells
from test_free_space import sectors

from anabasis.decompose.free_space import free_space
from anabasis.decompose.outline import grid_world, outline
from anabasis.decompose.polygons import blocked_of, check_world, polygons_of
from anabasis.grid import Grid
from anabasis.world import World


def test_free_space_of_a_grid_is_that_of_its_polygons() -> None:
    for k in range(120):
        world = of_cells(np.random.default_rng(k))
        space = free_space(world)
        check_world(world)
        by_polygons = free_space(World(world.bounds, world.points, world.rings))
        assert sectors(space) == sectors(by_polygons)
        assert space.parts == by_polygons.parts


def test_rings_block_exactly_the_blocked_cells() -> None:
    for k in range(40):
        rng = np.random.default_rng([4, k])
        mask = rng.random(rng.integers(1, 12, 2)) < rng.uniform(0.1, 0.9)
        points, rings = outline(mask)
        world = World((0, 0, mask.shape[1], mask.shape[0]), points, rings)
        assert shapely.is_valid(polygons_of(world)).all()
        ys, xs = np.nonzero(mask)
        cells = shapely.union_all(shapely.box(xs, ys, xs + 1, ys + 1))
        assert shapely.symmetric_difference(cells, blocked_of(world)).area == 0
        ends = np.roll(points, -1, axis=0)
        ends[rings[1:] - 1] = points[rings[:-1]]
        assert ((points == ends).sum(axis=1) == 1).all()  # along one axis


def test_cells_that_touch_at_a_corner_close_the_way() -> None:
    space = free_space(grid_world(Grid.from_text(".#\n#.")))
    assert space.parts == 2
    assert space.size == 8
    assert not space.sees((0.5, 0.5), (1.5, 1.5))


@pytest.mark.parametrize("text", ["...", "###"])
def test_plain_grids(text: str) -> None:
    space = free_space(grid_world(Grid.from_text(text)))
    assert space.size == (4 if text == "..." else 0)
    assert space.free([[1.5, 0.5]]).tolist() == [text == "..."]


def test_prices_and_sides_of_cells_change_nothing() -> None:
    grid = Grid.from_text("1#3")
    world = grid_world(Grid(grid.cost, grid.terrain, side=7.5))
    assert world.bounds == (0, 0, 3, 1)
    assert world.points.tolist() == grid_world(Grid.from_text(".#.")).points.tolist()
