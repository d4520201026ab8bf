"""The maps of the studies of planning: what the source says of its lost pictures holds for ours."""

from itertools import combinations

import numpy as np
import pytest
import shapely

from anabasis.decompose.obstacles import world_of_picture
from anabasis.decompose.polygons import polygons_of
from anabasis.decompose.rasterize import rasterize
from anabasis.errors import InputError
from anabasis.lab.studies.planning_maps import (
    BOUNDS,
    OBSTACLES,
    corner_place,
    empty_map,
    obstacle_map,
    octagon_map,
    picture_of,
)
from anabasis.search.visibility_graph import visibility_graph


@pytest.mark.parametrize("count", OBSTACLES)
def test_octagons(count):
    world = octagon_map(count)
    polygons = polygons_of(world)
    assert len(polygons) == count
    assert (np.diff(world.rings) == 8).all()
    assert all(a.distance(b) >= 4 for a, b in combinations(polygons, 2))
    assert all(shapely.box(*BOUNDS).boundary.distance(p) >= 4 for p in polygons)
    edges = np.concatenate([np.diff(np.vstack((p, p[:1])), axis=0) for p in np.split(world.points, world.rings[1:-1])])
    dx, dy = np.abs(edges).T
    assert ((dx == 0) | (dy == 0) | (dx == dy)).all()
    assert (world.points == np.round(world.points)).all()
    assert 0.2 < sum(shapely.area(polygons)) / (450 * 300) < 0.26
    assert (octagon_map(count).points == world.points).all()
    assert (octagon_map(count, seed=2).points != world.points).any()


@pytest.mark.parametrize("count", [0, 2000])
def test_so_many_octagons_there_are_not(count):
    with pytest.raises(InputError, match="number of octagons"):
        octagon_map(count)


def test_octagons_come_back_from_their_picture():
    world = octagon_map(42)
    again = world_of_picture(picture_of(world))
    assert (np.diff(again.rings) == 8).all()
    assert len(again.rings) == 43


def ratio(start, goal):
    x0, y0 = corner_place(start)
    x1, y1 = corner_place(goal)
    a, b = (abs(x0 - 3), abs(y0 - 3)), (abs(x1 - 3), abs(y1 - 3))
    return visibility_graph(obstacle_map(), a, b).value.cost / np.hypot(a[0] - b[0], a[1] - b[1])


def test_the_stand_in_has_the_ratios_of_the_lost_map():
    assert 1.02 <= ratio("upper right", "lower left") <= 1.03
    assert 1.12 <= ratio("upper left", "lower right") <= 1.14
    dx, dy = np.abs(np.diff(obstacle_map().points, axis=0)).T
    within = np.diff(np.repeat(np.arange(9), np.diff(obstacle_map().rings))) == 0
    assert ((dx == 0) | (dy == 0))[within].all()


def staircase(free):
    """Whether steps to the right and down lead from the first cell to the last one, and which cells they reach."""
    reached = np.zeros_like(free)
    for y, x in np.ndindex(free.shape):
        if free[y, x]:
            reached[y, x] = (x, y) == (0, 0) or (x > 0 and reached[y, x - 1]) or (y > 0 and reached[y - 1, x])
    return bool(reached[-1, -1])


@pytest.mark.parametrize("edge", [2, 6, 10])
def test_a_staircase_leads_along_both_diagonals(edge):
    free = rasterize(obstacle_map(), side=edge).free
    assert staircase(free)
    assert staircase(free[:, ::-1])
    assert staircase(rasterize(empty_map(), side=edge).free)
    walled = free.copy()
    walled[free.shape[0] // 2] = False
    assert not staircase(walled)
