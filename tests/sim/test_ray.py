import math

import numpy as np
import pytest

from anabasis._kernel.ray import cast_ray, in_sight
from anabasis.sim.walls import clearance_map


def entry_by_boxes(free: np.ndarray, x: float, y: float, dx: float, dy: float, length: float) -> float:
    """The oracle: the first entry into any blocked unit square, by the slab method, no walk over cells."""
    padded = np.pad(free, 1)
    ys, xs = np.nonzero(~padded)
    xs, ys = xs - 1.0, ys - 1.0
    with np.errstate(divide="ignore"):
        a, b = (xs - x) / dx, (xs + 1 - x) / dx
        c, d = (ys - y) / dy, (ys + 1 - y) / dy
    enter = np.maximum(np.minimum(a, b), np.minimum(c, d))
    leave = np.minimum(np.maximum(a, b), np.maximum(c, d))
    hits = enter[(enter < leave) & (leave > 0)]
    return min(length, float(hits.min(initial=np.inf)))


@pytest.mark.parametrize("share", [0.0, 0.02, 0.15, 0.45])
def test_rays_stop_where_the_nearest_wall_square_begins(share: float) -> None:
    rng = np.random.default_rng(int(share * 100))
    for _ in range(40):
        free = rng.random((rng.integers(1, 40), rng.integers(1, 40))) >= share
        walls = clearance_map(free)
        cells = np.argwhere(free)
        if not len(cells):
            continue
        for cy, cx in cells[rng.integers(0, len(cells), 5)].tolist():
            x, y, angle = cx + rng.random(), cy + rng.random(), rng.random() * 7
            dx, dy, length = math.cos(angle), math.sin(angle), rng.random() * 30
            assert cast_ray(walls, x, y, dx, dy, length) == pytest.approx(
                entry_by_boxes(free, x, y, dx, dy, length), abs=1e-8
            )


def test_sight_is_mutual_and_blocked_by_one_wall() -> None:
    free = np.ones((20, 20), bool)
    free[5:15, 10] = False
    walls = clearance_map(free)
    rng = np.random.default_rng(3)
    for _ in range(300):
        a, b = rng.random(2) * 20, rng.random(2) * 20
        if free[int(a[1]), int(a[0])] and free[int(b[1]), int(b[0])]:
            assert in_sight(walls, *a, *b) == in_sight(walls, *b, *a)
    assert not in_sight(walls, 5.5, 10.5, 15.5, 10.5)
    assert in_sight(walls, 5.5, 3.5, 15.5, 3.5)
    assert in_sight(walls, 5.5, 3.5, 5.5, 3.5)


def test_a_corner_is_passed_only_if_one_side_is_free() -> None:
    one_side = clearance_map(np.array([[True, True], [False, True]]))
    both_sides = clearance_map(np.array([[True, False], [False, True]]))
    assert in_sight(one_side, 0.5, 0.5, 1.5, 1.5)
    assert not in_sight(both_sides, 0.5, 0.5, 1.5, 1.5)


def test_axis_parallel_rays_and_rays_from_edges() -> None:
    walls = clearance_map(np.ones((4, 9), bool))
    assert cast_ray(walls, 2.25, 1.5, 1.0, 0.0, 50.0) == pytest.approx(6.75)
    assert cast_ray(walls, 2.25, 1.5, -1.0, 0.0, 50.0) == pytest.approx(2.25)
    assert cast_ray(walls, 3.0, 2.0, 0.0, 1.0, 50.0) == pytest.approx(2.0)
    assert cast_ray(walls, 3.0, 2.0, 0.0, -1.0, 50.0) == pytest.approx(2.0)
    assert cast_ray(walls, 3.0, 2.0, 0.0, -1.0, 1.5) == 1.5
