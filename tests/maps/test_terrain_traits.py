"""Traits of terrain: NumPy and SciPy measure the same, and a likeness is what its definition says."""

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.terrain.traits import TerrainTraits, likeness, sampled_cells, terrain_traits


def wavy(height, width, seed=1):
    noise = np.random.default_rng(seed).standard_normal((height, width))
    return ndimage.gaussian_filter(noise, 2, mode="wrap") * 5


def sizes(land, seamless):
    """The numbers of cells of all land parts."""
    labels, count = ndimage.label(land)
    parts = nx.Graph()
    parts.add_nodes_from(range(1, count + 1))
    if seamless:
        meet = [*zip(labels[0], labels[-1], strict=True), *zip(labels[:, 0], labels[:, -1], strict=True)]
        parts.add_edges_from((a, b) for a, b in meet if a and b)
    cells = np.bincount(labels.ravel(), minlength=count + 1)
    return np.array([sum(cells[k] for k in part) for part in nx.connected_components(parts)])


@pytest.mark.parametrize("seamless", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (5, 1), (40, 40), (64, 23), (31, 64)])
def test_numpy_and_scipy_measure_the_same(shape, seamless):
    for seed in range(4):
        heights = wavy(*shape, seed)
        found = terrain_traits(heights, sea=0.1, seamless=seamless)
        assert found.water == (heights < 0.1).mean()
        assert found.lands == (sizes(heights >= 0.1, seamless) * 200 >= heights.size).sum()
        lapped = np.pad(heights, ((0, 1), (0, 1)), mode="wrap") if seamless else heights
        across, down = np.diff(lapped, axis=1)[: shape[0]], np.diff(lapped, axis=0)[:, : shape[1]]
        steps = [across.ravel(), down.ravel()]
        slopes = np.abs(np.concatenate(steps)) * max(shape) / (np.ptp(heights) or 1)
        assert found.ruggedness == pytest.approx(slopes.mean() if slopes.size else 0)
        shares = np.histogram(slopes, bins=[0, 1, 2, 3, 4, 5, 6, 7, np.inf])[0] / max(1, slopes.size)
        assert found.slopes == pytest.approx(shares if slopes.size else [1, *[0] * 7])


def test_islets_do_not_count():
    heights = np.full((60, 60), -1.0)
    heights[5:9, 5:9] = 1
    heights[30:32, 30:32] = 1  # four cells of 3600
    heights[9, 9] = heights[50:55, 50:55] = 1  # (9, 9) touches only a corner
    assert terrain_traits(heights).lands == 1
    heights[45, 40:58] = 1
    assert terrain_traits(heights).lands == 2


def test_large_maps_are_measured_on_a_sample():
    heights = wavy(40, 60)
    rows, columns = sampled_cells(280, 420)
    assert (len(rows), len(columns)) == (43, 64)
    assert set(np.diff(columns)) <= {6, 7} and columns[0] < 7 and columns[-1] >= 413
    large = np.kron(heights, np.ones((7, 7)))
    assert terrain_traits(large) == terrain_traits(large[np.ix_(rows, columns)])
    assert [len(side) for side in sampled_cells(1, 4000)] == [1, 64]


def test_the_unit_of_height_does_not_count():
    heights = wavy(40, 40)
    assert terrain_traits(heights * 4, sea=0.4) == terrain_traits(heights, sea=0.1)


def test_likeness_by_hand():
    found = TerrainTraits(0.5, 4, 2.0, (0.5, 0.5, 0, 0, 0, 0, 0, 0))
    assert likeness(found, found) == 1
    assert likeness(found, TerrainTraits()) == 1
    assert likeness(found, TerrainTraits(water=0.2)) == pytest.approx(0.7)
    assert likeness(found, TerrainTraits(lands=1)) == pytest.approx(0.25)
    assert likeness(found, TerrainTraits(lands=0)) == 0
    assert likeness(found, TerrainTraits(ruggedness=2.5)) == pytest.approx(0.8)
    assert likeness(found, TerrainTraits(slopes=(0.5, 0, 0.5, 0, 0, 0, 0, 0))) == pytest.approx(0.5)
    assert likeness(found, TerrainTraits(0.2, 1, 2.5)) == pytest.approx((0.7 + 0.25 + 0.8) / 3)
    assert likeness(TerrainTraits(0.0, 0, 0.0), TerrainTraits(0.0, 0, 0.0)) == 1


@pytest.mark.parametrize(
    ("traits", "text"),
    [
        ({"water": 1.5}, "water"),
        ({"lands": -1}, "lands"),
        ({"ruggedness": -1.0}, "ruggedness"),
        ({"ruggedness": float("inf")}, "ruggedness"),
        ({"slopes": (1.0, 0.0)}, "slopes has the wrong shape"),
        ({"slopes": (0.5,) * 8}, "add up to 1"),
    ],
)
def test_traits_that_no_terrain_has(traits, text):
    with pytest.raises(InputError, match=text):
        TerrainTraits(**traits)


def test_wrong_input():
    with pytest.raises(InputError, match="at least one cell"):
        terrain_traits(np.zeros((0, 3)))
    with pytest.raises(InputError, match="NaN"):
        terrain_traits([[np.nan]])
    with pytest.raises(InputError, match="no lands"):
        likeness(TerrainTraits(0.5), TerrainTraits(0.5, 3))
