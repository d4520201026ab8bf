"""Rasterize: cells are blocked as Shapely's exact predicates say, and there are as many as fit."""

import numpy as np
import pytest
import shapely
from polygon_cases import worlds

from anabasis.decompose.outline import grid_world
from anabasis.decompose.polygons import blocked_of
from anabasis.decompose.rasterize import rasterize
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.world import World


@pytest.mark.parametrize("side", [1.0, 0.5, 0.75, 1.375])
def test_cells_are_blocked_as_by_polygons(side: float) -> None:
    for world, _ in worlds(45, seed=int(side * 10)):
        if side > min(world.bounds[2] - world.bounds[0], world.bounds[3] - world.bounds[1]):
            continue
        blocked = blocked_of(world)
        touched, centre = rasterize(world, side=side), rasterize(world, side=side, rule="centre")
        xs, ys = (world.bounds[k] + side * np.arange(n + 1) for k, n in ((0, touched.width), (1, touched.height)))
        left, top = np.meshgrid(xs[:-1], ys[:-1])
        right, bottom = np.meshgrid(xs[1:], ys[1:])
        inside = shapely.relate_pattern(shapely.box(left, top, right, bottom), blocked, "T********")
        assert (touched.free == ~inside).all()
        points = shapely.points(left + side / 2, top + side / 2)
        assert (centre.free == ~shapely.intersects(points, blocked) | shapely.touches(points, blocked)).all()
        assert (centre.free >= touched.free).all()
        assert touched.side == centre.side == side


def test_a_grid_comes_back_from_its_world() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        grid = Grid.from_free(rng.random(rng.integers(1, 12, 2)) < 0.6)
        for rule in ("touched", "centre"):
            assert (rasterize(grid_world(grid), side=1, rule=rule).free == grid.free).all()
        assert (rasterize(grid_world(grid), side=1 / 4).free == grid.scaled(4).free).all()


@pytest.mark.parametrize(("side", "cells"), [(2, 225 * 150), (3, 150 * 100), (6, 75 * 50), (7, 64 * 42), (10, 45 * 30)])
def test_only_cells_wholly_inside_the_bounds_are_made(side: float, cells: int) -> None:
    assert rasterize(World.of((0, 0, 450, 300), []), side=side).free.sum() == cells
    assert rasterize(World.of((0, 0, 4.5, 3), []), side=side / 100).free.sum() == cells


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"side": 0}, "side of a cell; found 0; expected a positive length"),
        ({"side": float("nan")}, "side of a cell"),
        ({"side": 5}, "which makes 2 × 0 cells"),
        ({"side": 1e-5}, "side of a cell; found 1e-05, which makes 1000000 × 400000 cells"),
        ({"side": 1, "rule": "corner"}, "unknown rule for cells; found 'corner'; expected touched or centre"),
    ],
)
def test_wrong_options(options: dict, text: str) -> None:
    with pytest.raises(InputError, match=text):
        rasterize(World.of((0, 0, 10, 4), []), **options)
