"""Passages: what hung together before the trees hangs together after them, by as few cells as the shortest links."""

import networkx as nx
import numpy as np
import pytest
from scipy import ndimage

from anabasis import InputError
from anabasis.maps.cover.passages import open_passages

LAND, TREE, WATER, OPEN = (ord(letter) for letter in ".TWf")


def random_lands(rng, trees):
    shape = (int(rng.integers(1, 26)), int(rng.integers(1, 26)))
    before = np.where(rng.random(shape) < 0.15, WATER, LAND).astype(np.uint8)
    after = np.where((rng.random(shape) < trees) & (before == LAND), TREE, before).astype(np.uint8)
    return before, after


def parts(land):
    return ndimage.label((land == LAND) | (land == OPEN))[0]


def test_pieces_that_hung_together_do_again():
    rng = np.random.default_rng(1)
    opened = 0
    for number in range(300):
        before, after = random_lands(rng, (0.3, 0.6, 0.9)[number % 3])
        least = (1, 4)[number % 2]
        made = open_passages(before, after, least=least)
        changed = made != after
        assert (after[changed] == TREE).all() and (made[changed] == OPEN).all()
        pieces, whole, joined = parts(after), parts(before), parts(made)
        large = np.isin(pieces, np.flatnonzero(np.bincount(pieces.ravel()) >= least)) & (pieces > 0)
        pairs = set(zip(whole[large].tolist(), joined[large].tolist(), strict=True))
        assert len(pairs) == len({one for one, _ in pairs}), "one part after for each part before"
        assert len({two for _, two in pairs}) == len(pairs), "and no part joined to another that was apart"
        opened += changed.any()
    assert opened > 100


def test_no_more_cells_than_a_least_spanning_tree_of_the_pieces():
    """Shortest distances between all pieces by networkx; their least spanning tree opens as many cells, or fewer."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        before, after = random_lands(rng, 0.85)
        made, pieces = open_passages(before, after, least=1), parts(after)
        graph = nx.grid_2d_graph(*before.shape)
        graph.remove_nodes_from(list(map(tuple, np.argwhere(before == WATER).tolist())))
        between = nx.Graph()
        for piece in range(1, pieces.max() + 1):
            sources = set(map(tuple, np.argwhere(pieces == piece).tolist()))
            for cell, length in nx.multi_source_dijkstra_path_length(graph, sources).items():
                other = int(pieces[cell])
                if other and other != piece:
                    known = between.get_edge_data(piece, other, {"weight": 10**9})["weight"]
                    between.add_edge(piece, other, weight=min(known, length))
        tree = nx.minimum_spanning_tree(between)
        assert (made != after).sum() <= sum(w["weight"] - 1 for _, _, w in tree.edges(data=True))


def test_one_wood_one_way():
    before = np.full((9, 15), LAND, np.uint8)
    after = before.copy()
    after[:, 6:9] = TREE
    made = open_passages(before, after)
    assert (made == OPEN).sum() == 3 and (made == OPEN).any(axis=1).sum() == 1
    assert np.array_equal(open_passages(before, before), before)
    assert np.array_equal(open_passages(after, after), after), "trees that stood before part nothing"


def test_small_clearings_stay_without_a_way():
    before = np.full((20, 20), LAND, np.uint8)
    after = np.full((20, 20), TREE, np.uint8)
    after[2:4, 2:7], after[10:19, 10:19] = LAND, LAND
    assert np.array_equal(open_passages(before, after, least=11), after)
    assert (open_passages(before, after, least=10) != after).sum() == 10, "between (6, 3) and (10, 10)"
    assert parts(open_passages(before, after, least=10)).max() == 1


def test_wrong_input_is_refused():
    land = np.full((3, 4), LAND, np.uint8)
    with pytest.raises(InputError, match="land after has the wrong shape; found 2×4; expected 3×4"):
        open_passages(land, land[1:])
    with pytest.raises(InputError, match="least cells of a piece; found 0"):
        open_passages(land, land, least=0)
    with pytest.raises(InputError, match="unknown movement class; found 'air'"):
        open_passages(land, land, movement="air")
