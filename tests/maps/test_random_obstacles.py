"""Random obstacles: the share is exact, every cell as likely, and what stays free is one part."""

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.io.movingai import load_map
from anabasis.maps.structured.obstacles import random_obstacles


def graph_of(free):
    """The free cells and the straight steps between them."""
    height, width = free.shape
    graph = nx.grid_2d_graph(height, width)
    graph.remove_nodes_from([(y, x) for y in range(height) for x in range(width) if not free[y, x]])
    return graph


@pytest.mark.parametrize("share", [0, 0.1, 0.25, 0.333, 0.6, 0.9, 1])
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (33, 2), (31, 24), (64, 64)])
@pytest.mark.parametrize("most", [1, 5])
def test_the_share_is_exact(share, shape, most):
    width, height = shape
    free = random_obstacles(width, height, seed=5, share=share, most=most, connected=False)
    assert free.shape == (height, width)
    assert free.dtype == np.bool_
    assert (~free).sum() == round(share * width * height)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.5])
@pytest.mark.parametrize("most", [1, 4])
def test_only_the_largest_part_stays_free(share, most):
    for seed in range(8):
        loose = random_obstacles(30, 22, seed=seed, share=share, most=most, connected=False)
        free = random_obstacles(30, 22, seed=seed, share=share, most=most)
        sizes = sorted(map(len, nx.connected_components(graph_of(loose))))
        assert free.sum() == sizes[-1]
        assert not (free & ~loose).any()
        assert nx.is_connected(graph_of(free))


def test_nothing_free_is_no_error():
    assert not random_obstacles(7, 5, share=1).any()


def test_each_cell_is_as_likely_as_the_others():
    runs, cells, share = 2000, 12 * 9, 0.25
    times = sum((~random_obstacles(12, 9, seed=seed, share=share, connected=False)).astype(int) for seed in range(runs))
    chi_square = ((times - runs * share) ** 2).sum() / (runs * share * (1 - share))
    # the number of blocked cells is fixed, so that one degree of freedom is lost
    assert abs(chi_square - (cells - 1)) < 5 * (2 * cells) ** 0.5


def test_neighbours_are_independent():
    free = random_obstacles(1000, 1000, seed=2, share=0.3, connected=False)
    for pair in (free[1:] & free[:-1], free[:, 1:] & free[:, :-1], free[1:, 1:] & free[:-1, :-1]):
        assert pair.mean() == pytest.approx(0.49, abs=0.003)


def test_obstacles_are_rectangles_of_the_given_sides():
    for seed in range(10):
        blocked = ~random_obstacles(80, 60, seed=seed, share=0.2, least=3, most=3, connected=False)
        around = np.pad(blocked, 3, mode="edge")  # those at the edge may stick out of the map
        opened = ndimage.binary_opening(around, np.ones((3, 3)))[3:-3, 3:-3]
        assert (blocked & ~opened).sum() < 9, "only the last one is cut off"
    wide = ~random_obstacles(400, 400, seed=1, share=0.01, least=2, most=7, connected=False)
    label, count = ndimage.label(wide)
    sides = [max(s.stop - s.start for s in box) for box in ndimage.find_objects(label)]
    assert count > 40
    assert set(range(2, 8)) <= set(sides)


def test_a_seed_repeats_and_another_differs():
    for most in (1, 4):
        maps = [random_obstacles(40, 40, seed=seed, most=most) for seed in (1, 1, 2, 2**63 - 1)]
        assert np.array_equal(maps[0], maps[1])
        assert not np.array_equal(maps[0], maps[2])
        assert not np.array_equal(maps[2], maps[3])


@pytest.mark.parametrize("name", ["random512-20-0", "random512-35-0"])
def test_as_much_is_blocked_as_in_the_benchmarks(movingai, name):
    theirs = (~load_map(movingai / "random" / f"{name}.map").free).sum()
    share = int(name.split("-")[1]) / 100
    for seed in range(3):
        ours = (~random_obstacles(512, 512, seed=seed, share=share)).sum()
        assert ours == pytest.approx(theirs, rel=0.02)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"share": 1.5}, "share of blocked cells"),
        ({"share": float("nan")}, "share of blocked cells"),
        ({"least": 0}, "least side of an obstacle"),
        ({"least": 4, "most": 3}, "at least the least side, 4"),
        ({"seed": -1}, "seed"),
        ({"width": 0}, "width; found 0; expected a whole number from 1 to 16384"),
        ({"width": 16384, "height": 16384}, "at most 67108864 cells"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        random_obstacles(**{"width": 10, "height": 10, **options})
