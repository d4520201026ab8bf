"""Pictures of multi-agent plans: agents where they are, goals where they must go, doors as they stand at each step."""

import io

import numpy as np
import pytest
from PIL import Image

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.instance import Instance, Rules
from anabasis.plan import Plan
from anabasis.view.agents import animate_plan, instance_scene, step_scene, traffic_scene, ways_scene
from anabasis.view.layers import Circles, ImageLayer, Labels, Polylines
from anabasis.view.palette import BLOCKED, FREE, INK, PAPER
from anabasis.view.raster import render

GRID = Grid.from_text("....\n....\n....")
PLAN = Plan(np.array([[0, 11], [1, 10], [2, 9], [2, 8]]))


def instance(**options):
    return Instance.of(GRID, [0, 11], [2, 8], **options)


def bodies(scene):
    return [layer for layer in scene.layers if isinstance(layer, Circles)][-1]


def test_agents_stand_at_their_starts_and_are_joined_to_their_goals():
    scene = instance_scene(instance())
    assert bodies(scene).centres.tolist() == [[0.5, 0.5], [3.5, 2.5]]
    lines = [layer.points.tolist() for layer in scene.layers if isinstance(layer, Polylines)]
    assert lines == [[[0.5, 0.5], [2.5, 0.5]], [[3.5, 2.5], [0.5, 2.5]]]
    assert scene.title == "2 agents"


def labels(scene):
    return {
        text: (*point, layer.colour)
        for layer in scene.layers
        if isinstance(layer, Labels)
        for text, point in zip(layer.texts, layer.points.tolist(), strict=True)
    }


def test_agents_and_goals_bear_numbers_where_these_can_be_read():
    starts, goals = ({}, {})
    for layer in instance_scene(instance()).layers:
        if isinstance(layer, Labels):
            part = goals if layer.colour == INK else starts
            part |= dict(zip(layer.texts, layer.points.tolist(), strict=True))
    assert starts == {"0": [0.5, 0.5], "1": [3.5, 2.5]} and goals == {"0": [2.5, 0.5], "1": [0.5, 2.5]}
    assert labels(step_scene(instance(), PLAN, 3)) == {"0": (2.5, 0.5, PAPER), "1": (0.5, 2.5, PAPER)}
    assert not labels(instance_scene(instance(), pixels=40))
    wide = Grid.from_free(np.ones((90, 90), bool))
    crowd = np.arange(100)
    assert not labels(instance_scene(Instance.of(wide, crowd, crowd + 4000)))
    few = instance_scene(Instance.of(wide, [0, 711], [2002, 808]))
    close = Instance.of(wide, [0, 1, 711], [2002, 808, 807])
    drawn = [layer.texts for layer in instance_scene(close).layers if isinstance(layer, Labels)]
    assert sorted(text for texts in drawn for text in texts) == ["0", "1", "2", "2"]  # those on top
    assert len(labels(few)) == 2 and bodies(few).radii.min() > 0.8  # their marks reach beyond their cells
    many = Instance.of(GRID, np.arange(12), np.roll(np.arange(12), 1))
    inks = {text: ink for text, (_, _, ink) in labels(instance_scene(many)).items()}
    assert len(inks) == 12 and inks["6"] == PAPER and inks["7"] == INK  # black and yellow


def test_a_goal_looks_out_from_under_an_agent_that_starts_there():
    rings, discs = [
        layer for layer in instance_scene(Instance.of(GRID, [0, 2], [2, 8])).layers if isinstance(layer, Circles)
    ]
    assert rings.radii[0] > discs.radii[1] == rings.radii[2]


def test_between_two_steps_agents_are_on_the_way():
    scene = step_scene(instance(), PLAN, 1.25)
    assert bodies(scene).centres.tolist() == [[1.75, 0.5], [2.25, 2.5]]
    assert scene.title == "step 1 of 3: 0 of 2 agents at their goals"
    assert step_scene(instance(), PLAN, 3).title == "step 3 of 3: 2 of 2 agents at their goals"


def test_who_vanishes_is_drawn_no_more():
    vanishing = instance(rules=Rules(stay=False))
    assert len(bodies(step_scene(vanishing, PLAN, 2)).centres) == 2
    assert bodies(step_scene(vanishing, PLAN, 2.5)).centres.tolist() == [[1.0, 2.5]]
    assert len(bodies(step_scene(instance(), PLAN, 2.5)).centres) == 2


def test_large_agents_are_drawn_over_all_their_cells():
    large = Instance.of(GRID, [0], [2], sizes=[2])
    circles = bodies(instance_scene(large))
    assert circles.centres.tolist() == [[1.0, 1.0]] and circles.radii[0] > 0.9


def test_doors_are_drawn_as_they_stand():
    changes = np.array([2, 3]), np.array([5, 5]), np.array([True, False])
    doors = Instance(GRID, np.array([0, 11]), np.array([2, 8]), *changes)

    def colour(time):
        layer = step_scene(doors, PLAN, time).layers[0]
        assert isinstance(layer, ImageLayer)
        return tuple(layer.pixels[1, 1])

    assert [colour(time) for time in (1, 2, 3)] == [FREE[:3], BLOCKED[:3], FREE[:3]]


def test_ways_and_traffic_count_what_was_walked():
    scene = ways_scene(instance(), PLAN)
    assert scene.title == "2 agents: sum of costs 5, makespan 3"
    traffic = traffic_scene(instance(), PLAN).layers[0]
    assert isinstance(traffic, ImageLayer)
    walked = {(y, x) for y, x in np.argwhere((traffic.pixels != np.array(FREE[:3])).any(axis=2)).tolist()}
    assert walked == {(0, 0), (0, 1), (2, 3), (2, 2), (2, 1)}  # not the goals, where nobody is under way any more
    with pytest.raises(InputError, match="needs a map of cells"):
        graph = Graph.from_arcs([[0, 0], [1, 0]], [0, 1], [1, 0], [1.0, 1.0])
        traffic_scene(Instance.of(graph, [0], [1]), Plan(np.array([[0], [1]])))


def test_graphs_have_pictures_too():
    graph = Graph.from_arcs([[0, 0], [2, 0]], [0, 1], [1, 0], [2.0, 2.0])
    scene = step_scene(Instance.of(graph, [0], [1]), Plan(np.array([[0], [1]])), 0.5)
    assert bodies(scene).centres.tolist() == [[1.0, 0.0]]


def test_an_animation_shows_each_step_smoothly():
    buffer = io.BytesIO()
    assert animate_plan(instance(), PLAN, buffer, pixels=200, smoothness=4) == 13
    assert Image.open(buffer).n_frames == 13
    assert animate_plan(instance(), PLAN, io.BytesIO(), pixels=200, frames=2) == 2
    still = Plan(np.array([[2, 8]]))
    assert animate_plan(Instance.of(GRID, [2, 8], [2, 8]), still, io.BytesIO(), pixels=200) == 1


def test_frames_of_an_animation_are_whole_pictures_again():
    buffer = io.BytesIO()
    animate_plan(instance(), PLAN, buffer, pixels=200, smoothness=2)
    film = Image.open(buffer)
    for frame, time in ((0, 0.0), (3, 1.5), (6, 3.0)):
        film.seek(frame)
        drawn = np.asarray(render(step_scene(instance(), PLAN, time, pixels=200), pixels=200)).astype(int)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - drawn).mean() < 3  # 255 colours are not all


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: step_scene(instance(), PLAN, 4), "time to draw; found 4; expected 0 to 3"),
        (lambda: ways_scene(instance(), Plan(np.array([[0]]))), "a plan for another number of agents"),
        (lambda: animate_plan(instance(), PLAN, io.BytesIO(), frames=0), "frames of an animation"),
        (lambda: animate_plan(instance(), PLAN, io.BytesIO(), smoothness=0), "frames of a step"),
    ],
)
def test_what_can_not_be_drawn_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
