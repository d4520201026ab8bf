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
from anabasis.view.palette import GROUP_COLOURS, group_colour
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
    assert legend(scene) == ["group", "edge without flow"]
    assert of_kind(scene, Labels) == []


def test_edges_that_routes_use_are_the_wider_the_more_flows():
    net = network()
    scene = network_scene(GRID, net, [UPPER, LOWER])
    widths = used(scene)
    assert len(widths) == 6
    upper, lower = ({width for ends, width in widths.items() if {p[1] for p in ends} & {y}} for y in (3.5, 16.5))
    assert len(upper) == len(lower) == 1 and upper.pop() > lower.pop()
    assert legend(scene) == ["group", "edge without flow", "flow, units in 100 steps"]


def test_two_routes_over_one_edge_add_up():
    net = network()
    once, twice = (used(network_scene(GRID, net, [LOWER, *[UPPER] * k])) for k in (1, 2))
    at_gate = tuple(map(tuple, net.points[[3, 4]].tolist()))
    assert twice[at_gate] < once[at_gate], "the lower way carries a smaller part of the most"
    labels = of_kind(network_scene(GRID, net, [LOWER, UPPER, UPPER]), Labels)[0]
    assert sorted(labels.texts) == ["+40.0", "-10.0"]


def test_the_flow_is_written_at_gates_with_its_direction():
    """100 steps of 2000 in 10,000 are 20; from vertex 4 to 3, from the higher number to the lower, is negative."""
    labels = of_kind(network_scene(GRID, network(), [UPPER, LOWER]), Labels)[0]
    at = dict(zip(labels.texts, labels.points.tolist(), strict=True))
    assert sorted(at) == ["+20.0", "-10.0"]
    assert at["+20.0"][1] < 3.5 and at["-10.0"][1] < 16.5, "above the gates"
    assert {point[0] for point in at.values()} == {19.5}


def test_without_gates_the_flow_is_written_at_every_edge():
    labels = of_kind(network_scene(GRID, network([-1] * 6), [UPPER]), Labels)[0]
    assert sorted(labels.texts) == ["+20.0"] * 3


def test_the_ends_of_gates_the_group_and_the_target_are_marked():
    net = network()
    centres = [circle.centres.tolist() for circle in of_kind(network_scene(GRID, net), Circles)]
    assert net.points[1:5].tolist() in centres
    assert any(net.points[:1].tolist() == c for c in centres)
    scene = network_scene(GRID, net)
    assert any(net.points[5].tolist() in np.asarray(getattr(layer, "centres", [])).tolist() for layer in scene.layers)


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
    assert sorted(abs(float(t)) for t in texts) == pytest.approx(
        sorted(100 * c / PERIOD for c in carried if c), abs=0.06
    )
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


def test_plates_stand_behind_the_flows():
    scene = network_scene(GRID, network(), [UPPER, LOWER])
    plates, labels = of_kind(scene, Polygons)[-1], of_kind(scene, Labels)[0]
    assert np.allclose(plates.points.reshape(-1, 4, 2).mean(axis=1), labels.points)
    assert scene.layers.index(plates) < scene.layers.index(labels)
