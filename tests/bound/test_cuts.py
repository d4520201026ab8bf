"""Cuts: the fewest cells, against networkx."""

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from anabasis.bound.cuts import chains, fewest_cells


def least_cut(free: NDArray[np.bool_], source: NDArray[np.bool_], sink: NDArray[np.bool_]) -> int:
    """Return the size of a smallest vertex cut by networkx; -1 if source and sink touch."""
    graph = nx.DiGraph()
    graph.add_nodes_from("st")
    for y, x in np.argwhere(free):
        here = "s" if source[y, x] else "t" if sink[y, x] else (x, y, 1)
        if here == (x, y, 1):
            graph.add_edge((x, y, 0), here, capacity=1)
        for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= x + i < free.shape[1] and 0 <= y + j < free.shape[0] and free[y + j, x + i]:
                there = "s" if source[y + j, x + i] else "t" if sink[y + j, x + i] else (x + i, y + j, 0)
                if here == "s" and there == "t":
                    return -1
                graph.add_edge(here, there)
    return int(nx.maximum_flow_value(graph, "s", "t"))


def parted(free: NDArray[np.bool_], source: NDArray[np.bool_], sink: NDArray[np.bool_]) -> bool:
    label = ndimage.label(free)[0]
    return not set(label[source & free]) & set(label[sink & free])


@pytest.mark.parametrize("seed", range(60))
def test_both_cuts_are_smallest_and_part(seed: int) -> None:
    draw = np.random.default_rng(seed)
    height, width = draw.integers(4, 14, 2)
    free = draw.random((height, width)) > draw.uniform(0.05, 0.4)
    source, sink = np.zeros((2, height, width), bool)
    source[draw.integers(0, height, 2), 0] = True
    sink[draw.integers(0, height, 2), -1] = True
    size = least_cut(free, source & free, sink & free)
    found = fewest_cells(free, source, sink, 100)
    if size < 0:
        assert found is None
        return
    assert found is not None
    for cut in found:
        assert cut.sum() == size
        assert parted(free & ~cut, source, sink)
        assert not (cut & (source | sink)).any() and not (cut & ~free).any()
        assert sum(len(part) for part in chains(cut)) == size


def test_nearest_to_the_source_and_to_the_sink() -> None:
    free = np.array(
        [[c == "." for c in row] for row in ("#########", "....#....", ".........", "....#....", "#########")]
    )
    free[:, 2] = [False, False, True, False, False]
    source, sink = np.zeros((2, 5, 9), bool)
    source[1:4, 0] = True
    sink[1:4, 8] = True
    found = fewest_cells(free, source, sink, 5)
    assert found is not None
    assert [np.argwhere(cut).tolist() for cut in found] == [[[2, 1]], [[2, 5]]]


def test_too_many_cells_and_no_cut() -> None:
    free = np.ones((6, 6), bool)
    source, sink = np.zeros((2, 6, 6), bool)
    source[:, 0] = True
    sink[:, 5] = True
    assert fewest_cells(free, source, sink, 5) is None
    assert fewest_cells(free, source, sink, 6) is not None
    assert fewest_cells(free, source, source, 6) is None
    source[:, 4] = True
    assert fewest_cells(free, source, sink, 6) is None


def test_chains_hang_together_over_corners() -> None:
    cut = np.zeros((5, 7), bool)
    cut[[0, 1, 2, 4, 4], [0, 1, 1, 5, 6]] = True
    assert [part.tolist() for part in chains(cut)] == [[[0, 0], [1, 1], [1, 2]], [[5, 4], [6, 4]]]
