"""Pictures of searches on graphs and in worlds, and of worlds with holes."""

import numpy as np

from anabasis.graph import Graph
from anabasis.plan import Path
from anabasis.result import SearchTrace
from anabasis.search.astar import astar
from anabasis.view.layers import Circles, Polygons, Polylines
from anabasis.view.palette import BLOCKED, FREE
from anabasis.view.raster import render
from anabasis.view.scene import path_scene, search_scene, world_scene
from anabasis.world import World


def square(x: float, y: float, side: float) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def test_holes_and_islands_in_holes_are_seen() -> None:
    world = World.of((0, 0, 40, 40), [square(15, 15, 10), square(5, 5, 30), square(10, 10, 20), square(1, 1, 2)])
    pixels = np.asarray(render(world_scene(world), pixels=400))
    scale = pixels.shape[1] / 42  # a frame of one cell all around

    def colour(x: float, y: float) -> list[int]:
        return pixels[int((y + 1) * scale), int((x + 1) * scale), :3].tolist()

    assert colour(7, 20) == colour(20, 20) == colour(2, 2) == list(BLOCKED[:3])
    assert colour(12, 20) == colour(4, 30) == list(FREE[:3])
    assert [len(layer.indptr) - 1 for layer in world_scene(world).layers if isinstance(layer, Polygons)] == [2, 1, 1]


def test_the_tree_of_a_search_in_a_graph_is_drawn() -> None:
    graph = Graph.from_arcs([[0, 0], [2, 0], [2, 2], [5, 5]], [0, 0, 1], [1, 2, 2], [2, 3, 2])
    result = astar(graph, 0, 2, traced=True)
    scene = search_scene(graph, result.trace, result.value)
    assert scene.legend[0].label == "order of expansion"
    edges = [layer for layer in scene.layers if isinstance(layer, Polylines)]
    assert any(graph.points[2].tolist() in layer.points.tolist() for layer in edges)


def test_a_tree_of_samples_is_drawn_by_the_order_in_which_it_grew() -> None:
    world = World.of((0, 0, 9, 9), [square(3, 3, 2)])
    points = [[1, 1], [2, 1], [2, 2]]
    trace = SearchTrace([0, 0, 0], [0, 1, 2], [-1, 0, 1], [0, 1, 2], [0, 0, 0], points)
    scene = search_scene(world, trace, Path([], points, 2.0))
    assert [item.label for item in scene.legend] == ["order of generation", "path"]
    grown = [layer for layer in scene.layers if isinstance(layer, Circles) and len(layer.centres) == 3]
    assert grown[0].centres.tolist() == points
    assert (grown[0].colours[0] != grown[0].colours[2]).any()


def test_a_path_lies_over_any_scene() -> None:
    world = World.of((0, 0, 9, 9), [])
    scene = path_scene(world_scene(world), Path([], [[1, 1], [8, 8]], float(np.hypot(7, 7))), title="a way")
    assert scene.title == "a way"
    assert len(scene.layers) == 4
