"""Pictures of flow networks and routes: what they show, and how wide, checked on the layers of their scenes."""

from __future__ import annotations

import numpy as np
import pytest

from anabasis.flow.navigate import Navigator
from anabasis.flow.routes import successive_routes
from anabasis.grid import Grid
from anabasis.network import PERIOD, FlowNetwork, Route
from anabasis.scenario import Group, Target
from anabasis.view.flows import network_scene, routes_scene
from anabasis.view.layers import Circles, Labels, Polygons, Polylines
from anabasis.view.palette import BLOCKED, GROUP_COLOURS, group_colour
from anabasis.view.raster import render
from anabasis.view.svg import to_svg

GRID = Grid.from_text("\n".join(["." * 19 + ("." if y in (3, 4, 16) else "#") + "." * 20 for y in range(20)]))


def network(gates=(-1, 0, -1, -1, 1, -1)):
    """Two ways from vertex 0 to vertex 5: by 1 and 2, and, backwards in numbers, by 4 and 3."""
    points = np.array([[5.5, 10.5], [18.5, 3.5], [20.5, 3.5], [20.5, 16.5], [18.5, 16.5], [35.5, 10.5]])
    tail, head = np.array([[0, 1], [1, 2], [2, 5], [0, 4], [3, 4], [3, 5]]).T  # the lower gate is stored backwards
    return FlowNetwork(points, tail, head, np.full(6, 2 * PERIOD), np.full(6, 10), np.array(gates), 0, 5)


UPPER = Route(np.array([0, 1, 2, 5]), np.array([0, 1, 2]), PERIOD // 5, 30)
LOWER = Route(np.array([0, 4, 3, 5]), np.array([3, 4, 5]), PERIOD // 10, 30)


def of_kind(scene, kind):
    return [layer for layer in scene.layers if isinstance(layer, kind)]


def legend(scene):
    return [item.label for item in scene.legend]


def used(scene):
    """The lines with flow: ends and width."""
    return {
        tuple(map(tuple, layer.points.tolist())): layer.width
        for layer in of_kind(scene, Polylines)
        if layer.colour == GROUP_COLOURS[0]
    }


def test_a_network_without_routes_has_all_edges_faint():
    net = network()
    scene = network_scene(GRID, net, title="network")
    assert used(scene) == {}
    quiet = of_kind(scene, Polylines)[0]
    assert quiet.colour[3] < 255
    assert quiet.points.reshape(-1, 2, 2).tolist() == net.points[np.stack([net.tail, net.head], axis=1)].tolist()
    assert legend(scene) == ["group", "target", "gate", "edge without flow"]
    assert of_kind(scene, Labels) == []


def test_edges_that_routes_use_are_the_wider_the_more_flows():
    net = network()
    scene = network_scene(GRID, net, [UPPER, LOWER])
    widths = used(scene)
    assert len(widths) == 6
    upper, lower = ({width for ends, width in widths.items() if {p[1] for p in ends} & {y}} for y in (3.5, 16.5))
    assert len(upper) == len(lower) == 1 and upper.pop() > lower.pop()
    assert legend(scene) == ["group", "target", "gate", "flow, units in 100 steps"], "no edge is without flow"


def arrows(scene):
    """The heads of arrows in flow's colour: tips and middles of their backs."""
    heads = [layer.points.reshape(-1, 3, 2) for layer in of_kind(scene, Polygons) if layer.fill == GROUP_COLOURS[0]]
    return [(head[0], head[1:].mean(axis=0)) for layer in heads for head in layer]


def test_two_routes_over_one_edge_add_up():
    net = network()
    once, twice = (used(network_scene(GRID, net, [LOWER, *[UPPER] * k])) for k in (1, 2))
    at_gate = tuple(map(tuple, net.points[[4, 3]].tolist()))
    assert twice[at_gate] < once[at_gate], "the lower way carries a smaller part of the most"
    labels = of_kind(network_scene(GRID, net, [LOWER, UPPER, UPPER]), Labels)[0]
    assert sorted(labels.texts) == ["10.0", "40.0"]


def test_the_flow_is_written_beside_gates():
    """100 steps of 2000 in 10,000 are 20."""
    labels = of_kind(network_scene(GRID, network(), [UPPER, LOWER]), Labels)[0]
    at = dict(zip(labels.texts, labels.points, strict=True))
    assert sorted(at) == ["10.0", "20.0"]
    for text, gate in (("20.0", (19.5, 3.5)), ("10.0", (19.5, 16.5))):
        assert 0.2 < np.hypot(*(at[text] - gate)) < 4, "beside the gate, not on it"


def test_arrows_point_where_the_flow_goes():
    """The lower way is walked against the numbers of its edges; between the sides of a gate there is no room."""
    found = arrows(network_scene(GRID, network(), [UPPER, LOWER]))
    assert len(found) == 4
    assert all(tip[0] > back[0] for tip, back in found)
    back_again = Route(UPPER.vertices[::-1], UPPER.edges[::-1], UPPER.amount, UPPER.length)
    found = arrows(network_scene(GRID, network(), [back_again]))
    assert len(found) == 2
    assert all(tip[0] < back[0] for tip, back in found)


def test_without_gates_the_flow_is_written_at_every_edge():
    labels = of_kind(network_scene(GRID, network([-1] * 6), [UPPER]), Labels)[0]
    assert sorted(labels.texts) == ["20.0"] * 3


def test_the_gates_the_group_and_the_target_are_marked():
    net = network()
    scene = network_scene(GRID, net)
    centres = [circle.centres.tolist() for circle in of_kind(scene, Circles)]
    assert [[19.5, 3.5], [19.5, 16.5]] in centres
    assert [net.points[0].tolist()] in centres
    assert any(net.points[5].tolist() in centre for centre in centres)


def test_in_a_centre_graph_two_edges_meet_in_a_gate_and_its_number_stands_there_once():
    points = np.array([[5.5, 10.5], [9.5, 10.5], [19.5, 3.5], [29.5, 10.5], [35.5, 10.5]])
    tail, head = np.array([[0, 1], [1, 2], [3, 2], [3, 4]]).T
    ones = np.full(4, PERIOD)
    net = FlowNetwork(points, tail, head, ones, ones, np.array([-1, 0, 0, -1]), 0, 4)
    scene = network_scene(GRID, net, [Route(np.arange(5), np.arange(4), PERIOD // 5, 30)])
    assert of_kind(scene, Labels)[0].texts == ("20.0",)
    assert "region" in legend(scene)
    centres = [circle.centres.tolist() for circle in of_kind(scene, Circles)]
    assert [points[2].tolist()] in centres
    assert points[[1, 3]].tolist() in centres


def test_routes_have_the_colours_of_routes_and_are_the_wider_the_more_take_them():
    ways = [np.array([[5.5, 10.5], [19.5, 3.5], [35.5, 10.5]]), np.array([[5.5, 10.5], [19.5, 16.5], [35.5, 10.5]])]
    scene = routes_scene(GRID, ways, ["upper: 30", "lower: 10"], [30, 10], title="routes")
    assert legend(scene) == ["upper: 30", "lower: 10"]
    lines = {layer.colour: layer for layer in of_kind(scene, Polylines)}
    first, second = lines[group_colour(0)], lines[group_colour(1)]
    assert first.points.tolist() == ways[0].tolist() and second.points.tolist() == ways[1].tolist()
    assert first.width > second.width
    assert [item.colour for item in scene.legend] == [group_colour(0), group_colour(1)]
    below = scene.layers[scene.layers.index(first) - 1]
    assert below.width > first.width, "a pale line below parts it from what it crosses"


def test_as_many_labels_as_routes_are_asked_for():
    with pytest.raises(ValueError, match="shorter"):
        routes_scene(GRID, [np.zeros((2, 2))] * 2, ["one"], [1, 2])


def test_no_routes_make_a_plain_map():
    scene = routes_scene(GRID, [], [], [])
    assert legend(scene) == [] and of_kind(scene, Polylines) == []


def test_the_network_of_a_plan_is_drawn_with_what_flows():
    y, x = np.mgrid[2:18, 2:12]
    group = Group(np.stack([x.ravel(), y.ravel()], axis=1) + 0.5, Target(33.5, 10.5))
    plan = Navigator(GRID).plan(group).value
    scene = network_scene(GRID, plan.network, plan.choice.routes, title="plan")
    d = plan.passages.decomposition
    texts = of_kind(scene, Labels)[0].texts
    carried = [
        sum(abs(r.amount) for r in plan.choice.routes if (plan.network.gate[r.edges] == g).any())
        for g in range(d.gates)
    ]
    assert sorted(float(t) for t in texts) == pytest.approx(sorted(100 * c / PERIOD for c in carried if c), abs=0.06)
    assert sum(carried) == sum(r.amount for r in successive_routes(plan.network).snapshots[-1])


@pytest.mark.parametrize(
    "make",
    [
        lambda: network_scene(GRID, network(), [UPPER, LOWER], title="flow"),
        lambda: routes_scene(GRID, [np.array([[1.5, 1.5], [30.5, 9.5]])], ["a"], [3], title="flow"),
    ],
)
def test_the_same_input_gives_the_same_picture(make):
    one, two = to_svg(make()), to_svg(make())
    assert one == two and "flow" in one
    assert render(make(), pixels=200).width <= 200


def test_plates_stand_behind_the_flows_and_cover_nothing():
    scene = network_scene(GRID, network(), [UPPER, LOWER])
    plates, labels = of_kind(scene, Polygons)[-1], of_kind(scene, Labels)[0]
    assert np.allclose(plates.points.reshape(-1, 4, 2).mean(axis=1), labels.points)
    assert scene.layers.index(plates) < scene.layers.index(labels)
    low, high = plates.points.reshape(-1, 4, 2).min(axis=1), plates.points.reshape(-1, 4, 2).max(axis=1)
    ways = [np.linspace(*np.reshape(ends, (2, 2)), 200) for ends in used(scene)]
    gates = np.array([[19.5, 3.5], [19.5, 16.5]])
    for point in np.concatenate([*ways, gates]):
        assert not ((low < point) & (point < high)).all(axis=1).any()
    assert (low >= 0).all() and (high <= (GRID.width, GRID.height)).all()


def test_walls_are_paler_than_on_a_map():
    ground = network_scene(GRID, network()).layers[0].pixels
    assert ground[10, 19].min() > 2 * BLOCKED[0] - 30
    assert ground[10, 19].max() < ground[3, 19].min()
