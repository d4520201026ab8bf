"""The check of ways through polygonal worlds: each fault is found and named, valid ways pass."""

import numpy as np
import pytest

from anabasis.metrics.polylines import polyline_length, world_faults
from anabasis.plan import Path
from anabasis.world import World

# two squares that touch at (4, 4); the first has a hole with an island; a wedge touches the lower bound
WORLD = World.of(
    (0, 0, 10, 10),
    [
        [[1, 1], [4, 1], [4, 4], [1, 4]],
        [[4, 4], [7, 4], [7, 7], [4, 7]],
        [[1.5, 1.5], [3.5, 1.5], [3.5, 3.5], [1.5, 3.5]],
        [[2, 2], [3, 2], [3, 3], [2, 3]],
        [[8, 8], [9, 8], [8.5, 10]],
    ],
)


def faults(*points: tuple[float, float], cost: float | None = None, **ends) -> list[str]:
    path = Path([], np.array(points, float).reshape(-1, 2), polyline_length(points) if cost is None else cost)
    ends = {"start": points[0], "goal": points[-1], **ends} if points else {"start": (0, 0), "goal": (0, 0)}
    return sorted({fault.split(":")[0] for fault in world_faults(WORLD, path, **ends)})


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (10, 0), (10, 10)],
        [(0, 0), (1, 4), (4, 7), (7, 7)],
        [(0, 5), (1, 1)],
        [(1, 4), (4, 4)],  # along an edge to the corner where obstacles touch
        [(4, 4), (7, 4)],
        [(1, 4), (4, 4), (4, 7)],  # there and on, in the same free sector
        [(0, 4), (3, 4), (3, 4), (4, 6)],
        [(1.5, 1.5), (3.5, 1.5), (3, 2), (2, 2)],
        [(8, 8), (8.5, 10), (0, 10)],
        [(5, 1), (5, 1)],
        [(0.1, 0.7), (0.3, 9.9)],
    ],
)
def test_valid_ways_pass(points: list) -> None:
    assert faults(*points) == []
    assert faults(*points[::-1]) == []


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("obstacle", [(0, 0), (5, 5)]),
        ("obstacle", [(1.25, 1.25)]),
        ("obstacle", [(2.5, 2.5)]),
        ("obstacle", [(1, 1), (2, 2)]),
        ("obstacle", [(1.5, 1.5), (3.5, 3.5)]),  # through the island
        ("obstacle", [(2, 2), (3, 3)]),
        ("obstacle", [(0, 5), (4, 5), (5, 5)]),
        ("outside", [(0, 0), (-1, 5), (0, 9)]),
        ("outside", [(5, 0), (5, -0.001)]),
        ("no width", [(3, 5), (5, 3)]),
        ("no width", [(3, 5), (4, 4), (5, 3)]),
        ("no width", [(1, 4), (7, 4)]),  # from one edge past the other square
        ("no width", [(4, 1), (4, 7)]),
        ("no width", [(0, 10), (10, 10)]),  # between the wedge and the bounds
        ("no width", [(8, 8), (8.5, 10), (9, 8)]),
    ],
)
def test_each_fault_of_a_way_is_named(kind: str, points: list) -> None:
    assert faults(*points) == [kind]
    assert faults(*points[::-1]) == [kind]


def test_ends_and_costs() -> None:
    assert faults() == ["empty"]
    assert faults((0, 0), (0, 5), start=(0, 1)) == ["wrong start"]
    assert faults((0, 0), (0, 5), goal=(0, 4)) == ["wrong goal"]
    assert faults((0, 0), (0, 5), cost=5.0001) == ["cost"]
    assert faults((0, 0), (0, np.inf), cost=1.0, goal=(0, 5)) == ["outside"]


def test_the_least_step_into_an_obstacle_is_found() -> None:
    assert faults((0, 1), (10, 1)) == []
    assert faults((0, np.nextafter(1.0, 2)), (10, 1)) == ["obstacle"]
    assert faults((0, np.nextafter(1.0, 0)), (10, 1)) == []


def test_rings_that_share_an_edge_leave_no_way_between_them() -> None:
    halves = World.of((0, 0, 4, 4), [[[1, 1], [2, 1], [2, 3], [1, 3]], [[2, 1], [3, 1], [3, 3], [2, 3]]])
    path = Path([], [[2, 0], [2, 4]], 4)
    assert world_faults(halves, path, start=(2, 0), goal=(2, 4))[0].startswith("obstacle")
    nested = World.of((0, 0, 4, 4), [[[1, 1], [3, 1], [3, 3], [1, 3]], [[1, 1], [2, 1], [2, 3], [1, 3]]])
    path = Path([], [[1.5, 0], [1.5, 4]], 4)
    assert world_faults(nested, path, start=(1.5, 0), goal=(1.5, 4)) == []  # an even number of rings: free
