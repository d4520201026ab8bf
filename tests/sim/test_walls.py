import numpy as np
import pytest
from scipy.ndimage import distance_transform_cdt

from anabasis import Change, Grid
from anabasis.sim.walls import Walls, clearance_map, nearest_free


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.7, 1.0])
def test_clearance_is_the_chessboard_distance(share: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        free = rng.random((rng.integers(1, 60), rng.integers(1, 60))) >= share
        expected = distance_transform_cdt(np.pad(free, 1), "chessboard")
        assert (clearance_map(free) == expected).all()


def test_clearance_stops_at_255() -> None:
    assert clearance_map(np.ones((600, 600), bool)).max() == 255


def test_nearest_free_cell() -> None:
    rng = np.random.default_rng(2)
    free = rng.random((20, 30)) < 0.1
    layer = clearance_map(free)
    ys, xs = np.nonzero(free)
    for _ in range(50):
        x, y = rng.random() * 30, rng.random() * 20
        best = np.hypot(xs + 0.5 - x, ys + 0.5 - y).min()
        found = nearest_free(layer, x, y)
        assert found is not None
        assert np.hypot(found[0] - x, found[1] - y) == pytest.approx(best)
    assert nearest_free(clearance_map(np.zeros((3, 3), bool)), 1.0, 1.0) is None


def test_a_change_touches_only_the_classes_that_feel_it() -> None:
    grid = Grid.from_text("....\n....\n....")
    walls = Walls(grid, ["land", "water", "amphibious"])
    assert walls.change([Change(1, [(1, 1)], "W")]) == [0, 1]  # amphibious walk and swim at the same price
    assert [int(layer[2, 2]) for layer in walls.layers] == [0, 1, 2]
    assert walls.change([Change(2, [(2, 2)], "5")]) == [0, 2]
    assert walls.grids[0].cost[2, 2] == 5.0
    assert grid.terrain[1, 1] == ord(".")
