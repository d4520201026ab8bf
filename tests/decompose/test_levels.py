"""Levels joined by links: a bridge over a river, a tunnel, a lift."""

import networkx as nx
import numpy as np
import pytest
from lattice_worlds import arcs_of, polygon_worlds

from anabasis.decompose.lattices import square_lattice
from anabasis.decompose.levels import Levels, Link, joined_levels
from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.result import Status
from anabasis.search.astar import astar
from anabasis.world import World

GROUND = Grid.from_text("....@....\n" * 5)  # a river from top to bottom
BRIDGE = Grid.from_text("@@@@@@@@@\n@@@@@@@@@\n@@.....@@\n@@@@@@@@@\n@@@@@@@@@")
ONTO, OFF = Link(0, (2.5, 2.5), 1, (2.5, 2.5)), Link(1, (6.5, 2.5), 0, (6.5, 2.5))


def levels(*links: Link) -> Levels:
    return joined_levels([(GROUND, square_lattice(GROUND)), (BRIDGE, square_lattice(BRIDGE))], links)


def test_a_bridge_leads_over_the_river_and_the_way_under_it_stays() -> None:
    whole = levels(ONTO, OFF)
    start, goal = whole.nearest(0, (0.5, 2.5)), whole.nearest(0, (8.5, 2.5))
    result = astar(whole.graph, start, goal)
    assert result.value
    assert result.value.cost == pytest.approx(8)
    used = whole.level[result.value.vertices]
    assert used.min() == 0
    assert used.max() == 1
    assert np.count_nonzero(np.diff(used)) == 2
    assert astar(levels(ONTO).graph, start, goal - 0).status is Status.NO_SOLUTION
    along = astar(whole.graph, whole.nearest(0, (3.5, 0.5)), whole.nearest(0, (3.5, 4.5)))
    assert along.value
    assert (whole.level[along.value.vertices] == 0).all()


def test_a_state_above_another_is_another() -> None:
    whole = levels(ONTO, OFF)
    below, above = whole.nearest(0, (3.5, 2.5)), whole.nearest(1, (3.5, 2.5))
    assert below != above
    assert whole.graph.points[below].tolist() == whole.graph.points[above].tolist()
    result = astar(whole.graph, below, above)
    assert result.value
    assert result.value.cost == pytest.approx(2)  # back to the foot of the bridge, and up


def test_levels_and_states_keep_their_order() -> None:
    whole = levels(ONTO, OFF)
    ground, bridge = square_lattice(GROUND), square_lattice(BRIDGE)
    assert whole.level.tolist() == [0] * (ground.size + 2) + [1] * (bridge.size + 2)
    assert whole.graph.points[: ground.size].tolist() == ground.points.tolist()
    arcs, n = arcs_of(whole.graph), ground.size + 2
    assert {a: w for a, w in arcs.items() if max(a) < ground.size} == arcs_of(ground)
    crossing = {(u, v) for u, v in arcs if (u < n) != (v < n)}
    assert crossing == {(n - 2, n + 5), (n + 5, n - 2), (n - 1, n + 6), (n + 6, n - 1)}


def test_costs_and_directions_of_links() -> None:
    lift = Link(0, (2.5, 2.5), 1, (2.5, 2.5), cost=4, one_way=True)
    whole = levels(lift)
    up = astar(whole.graph, whole.nearest(0, (2.5, 2.5)), whole.nearest(1, (2.5, 2.5)))
    assert up.value
    assert up.value.cost == 4
    assert astar(whole.graph, whole.nearest(1, (2.5, 2.5)), whole.nearest(0, (2.5, 2.5))).status is Status.NO_SOLUTION
    tunnel = Link(0, (0.5, 0.5), 0, (8.5, 4.5), cost=1)
    assert levels(tunnel).graph.metric == "zero"
    assert levels(lift).graph.metric == "octile"
    assert levels(Link(0, (2.5, 2.5), 1, (2.9, 2.6), cost=9)).graph.metric == "euclidean"


def test_many_levels_against_networkx() -> None:
    rng = np.random.default_rng(4)
    worlds = list(polygon_worlds(4, seed=70))
    spaces = [(world, square_lattice(world, edge=1.2)) for world in worlds]
    places = [graph.points[rng.integers(graph.size, size=6)] + 0.1 for _, graph in spaces]
    links = []
    for _ in range(8):
        a, b = rng.integers(4, size=2).tolist()
        start, end = (tuple(places[k][int(rng.integers(6))].tolist()) for k in (a, b))
        cost = None if rng.random() < 0.5 else float(rng.uniform(0, 30))
        links.append(Link(a, start, b, end, cost=cost, one_way=bool(rng.random() < 0.3)))
    whole = joined_levels(spaces, links)
    model = nx.DiGraph()
    model.add_nodes_from(range(whole.graph.size))
    tails = np.repeat(np.arange(whole.graph.size), np.diff(whole.graph.indptr)).tolist()
    for u, v, w in zip(tails, whole.graph.indices.tolist(), whole.graph.weights.tolist(), strict=True):
        model.add_edge(u, v, weight=min(w, model.get_edge_data(u, v, {"weight": w})["weight"]))
    for _ in range(60):
        a, b = rng.integers(whole.graph.size, size=2).tolist()
        result = astar(whole.graph, a, b)
        if result.value is None:
            assert not nx.has_path(model, a, b)
        else:
            assert result.value.cost == pytest.approx(nx.dijkstra_path_length(model, a, b))


@pytest.mark.parametrize(
    ("link", "text"),
    [
        (Link(0, (2.5, 2.5), 2, (2.5, 2.5)), "link 0; found level 2; expected levels 0 to 1"),
        (Link(0, (4.5, 2.5), 1, (2.5, 2.5)), r"link 0 hangs in the air; found no state of level 0 that \(4.5, 2.5\) s"),
        (Link(0, (2.5, 2.5), 1, (2.5, 9.5)), "link 0 hangs in the air; found no state of level 1"),
        (Link(0, (2.5, 2.5), 1, (2.5, 2.5), cost=-1), "cost of link 0; found -1"),
        (Link(0, (2.5, float("nan")), 1, (2.5, 2.5)), "place of a link holds NaN"),
    ],
)
def test_wrong_links_are_told(link: Link, text: str) -> None:
    with pytest.raises(InputError, match=text):
        levels(link)


def test_no_levels_are_told() -> None:
    with pytest.raises(InputError, match="no levels"):
        joined_levels([], [])
    empty = World.of((0, 0, 1, 1), [])
    whole = joined_levels([(empty, Graph.from_arcs(np.zeros((0, 2)), [], [], []))], [])
    with pytest.raises(InputError, match="the level has no states; found level 0"):
        whole.nearest(0, (0, 0))
