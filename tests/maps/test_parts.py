"""Parts of a map against a library of graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from anabasis.maps.parts import largest_part, parts, sized_parts


def components(free, corners):
    """The vertices of each part, in reading order of their first cells."""
    width = free.shape[1]
    graph = nx.Graph()
    graph.add_nodes_from(np.flatnonzero(free).tolist())
    for y, x in np.argwhere(free).tolist():
        for j, i in ((0, 1), (1, 0), *(((1, 1), (1, -1)) if corners else ())):
            if y + j < free.shape[0] and 0 <= x + i < width and free[y + j, x + i]:
                graph.add_edge(y * width + x, (y + j) * width + x + i)
    return sorted(sorted(part) for part in nx.connected_components(graph))


def maps():
    rng = np.random.default_rng(5)
    for shape in ((1, 1), (1, 9), (9, 1), (20, 31), (40, 40)):
        for share in (0.0, 0.3, 0.6, 1.0):
            yield rng.random(shape) < share


@pytest.mark.parametrize("corners", [False, True])
def test_parts_are_connected_components_in_reading_order(corners):
    for free in maps():
        wanted = np.zeros(free.size, np.int32)
        for number, part in enumerate(components(free, corners)):
            wanted[part] = number + 1
        assert np.array_equal(parts(free, corners=corners).reshape(-1), wanted)


def test_sizes_and_the_largest_part():
    for free in maps():
        found = components(free, False)
        label, sizes = sized_parts(free)
        assert sizes.tolist() == [len(part) for part in found]
        assert np.array_equal(label, parts(free) - 1)
        largest = max(found, key=len, default=[])  # of equals the first
        assert np.flatnonzero(largest_part(free)).tolist() == largest
