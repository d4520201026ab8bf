"""Every family of structured maps, at any size: a map of one part, or an error that says the least size."""

import re
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.structured.caves import caves
from anabasis.maps.structured.halls import halls
from anabasis.maps.structured.maze_trees import ALGORITHMS
from anabasis.maps.structured.mazes import maze
from anabasis.maps.structured.obstacles import random_obstacles
from anabasis.maps.structured.rooms import room_grid, room_partition
from anabasis.maps.structured.warehouse import warehouse

FAMILIES = {
    "obstacles": random_obstacles,
    "rectangles": partial(random_obstacles, least=2, most=6, share=0.4),
    "caves": caves,
    "low caves": partial(caves, share=0.6, least=1, tunnel=3),
    "room_grid": room_grid,
    "rooms with thick walls": partial(room_grid, pitch=6, wall=3, door=2),
    "room_partition": room_partition,
    "closets": partial(room_partition, least=1, most=3, wall=2, extra=0.5),
    "warehouse": warehouse,
    "small shelves": partial(warehouse, shelf_length=1, shelf_depth=1, wall=0),
    "halls": halls,
    "funnels": partial(halls, widths=(1,), funnel=2, count=2),
    **{algorithm: partial(maze, algorithm=algorithm, loops=0.5) for algorithm in ALGORITHMS},
    "wide maze": partial(maze, corridor=3, wall=2),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_any_size_or_the_least(name):
    make, made = FAMILIES[name], 0
    for width, height in product((1, 2, 3, 4, 5, 8, 14, 33, 70), repeat=2):
        for seed in (0, 1):
            try:
                free = make(width, height, seed=seed)
            except InputError as error:
                said = re.match(r"(\w+); found (\d+); expected a whole number from (\d+)", str(error))
                assert said
                side, found, least = said.groups()
                assert int(found) == {"width": width, "height": height}[side] < int(least)
                sizes = {"width": 90, "height": 90, side: int(least)}
                assert make(**sizes, seed=seed).any(), "the least size is enough"
                with pytest.raises(InputError, match=side):
                    make(**{**sizes, side: int(least) - 1}, seed=seed)
                continue
            made += 1
            assert free.shape == (height, width)
            assert free.dtype == np.bool_
            assert ndimage.label(free)[1] == 1 or (not free.any() and "caves" in name)
    assert made >= 2 * 9


@pytest.mark.long
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("size", [(4097, 4097), (16_384, 40), (40, 16_384), (2049, 1025)])
def test_big_maps(name, size):
    width, height = size
    free = FAMILIES[name](width, height, seed=3)
    assert free.shape == (height, width)
    assert ndimage.label(free)[1] == 1
