import numpy as np
import pytest

from anabasis import Graph, Grid, InputError
from anabasis.search.dstar_lite import DStarLite
from anabasis.search.lpa_star import LPAStar
from anabasis.view.incremental import incremental_scene
from anabasis.view.layers import Circles, ImageLayer, Labels
from anabasis.view.raster import render
from anabasis.view.svg import to_svg

GRID = Grid.from_text("....\n.#8.\n....")


def texts(scene):
    """The three texts of each cell that has some."""
    price, g, rhs = [layer for layer in scene.layers if isinstance(layer, Labels)]
    cells = np.floor(price.points).astype(int).tolist()
    return {tuple(cell): three for cell, *three in zip(cells, price.texts, g.texts, rhs.texts, strict=True)}


def test_each_cell_that_was_looked_at_shows_price_g_and_rhs():
    unit = DStarLite(GRID, 0, 3, neighbours=4)
    scene = incremental_scene(GRID, unit, title="a unit")
    found = texts(scene)
    assert found[3, 0] == ["1", "0", "0"]
    assert found[0, 0] == ["1", "∞", "3"]
    assert found[1, 1] == ["∞", "∞", "∞"]
    assert found[2, 1] == ["8", "∞", "2"]
    assert (0, 2) not in found
    pixels = next(layer for layer in scene.layers if isinstance(layer, ImageLayer)).pixels
    free, blocked, step, goal = pixels[2, 0], pixels[1, 1], pixels[0, 1], pixels[0, 3]
    assert free[1] == free.max()
    assert blocked[0] == blocked.max()
    assert step[2] == step.max()
    assert goal[2] == goal.min()
    assert next(layer for layer in scene.layers if isinstance(layer, Circles)).centres.tolist() == [[0.5, 0.5]]
    assert scene.title == "a unit"


def test_changes_are_those_that_the_search_knows():
    unit = DStarLite(GRID, 0, 3, neighbours=4)
    unit.next_step()
    unit.change([1, 4], [np.inf, 2.0])
    found = texts(incremental_scene(GRID, unit))
    assert found[1, 0] == ["∞", "∞", "∞"]
    assert found[0, 1][0] == "2"


def test_a_search_without_a_unit_and_pictures_of_both():
    search = LPAStar(GRID, 0, 3, neighbours=4)
    search.path()
    scene = incremental_scene(GRID, search)
    assert texts(scene)[0, 0] == ["1", "0", "0"]
    assert "next step" not in [item.label for item in scene.legend]
    assert np.asarray(render(scene, pixels=200)).shape[1] >= 100
    assert "∞" in to_svg(scene)


def test_big_pictures_carry_no_texts_and_other_maps_are_refused():
    grid = Grid.from_free(np.ones((80, 80), bool))
    unit = DStarLite(grid, 0, 6399, neighbours=4)
    assert not [layer for layer in incremental_scene(grid, unit).layers if isinstance(layer, Labels)]
    for other in (grid, Grid.from_text("...\n.#.\n...\n..."), Grid.from_text("..")):
        with pytest.raises(InputError, match=r"the search is of another map; found .* cells; expected 4 × 3 cells"):
            incremental_scene(GRID, DStarLite(other, 0, 1))
    graph = Graph.from_arcs([(0.0, 0.0), (1.0, 0.0)], [0], [1], [1.0])
    with pytest.raises(InputError, match="this needs a map of cells; found a Graph"):
        incremental_scene(GRID, LPAStar(graph, 0, 1))
