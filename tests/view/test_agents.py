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
from anabasis.view.agents import _FAULT as FAULT
from anabasis.view.agents import animate_plan, instance_scene, step_scene, traffic_scene, ways_scene
from anabasis.view.layers import Circles, ImageLayer, Labels, Polylines, Swatch
from anabasis.view.palette import BLOCKED, FREE, INK, PAPER, TERRAIN
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


def test_without_starts_there_are_the_goals_alone_where_they_are():
    swap = Instance.of(GRID, [0, 3, 8], [3, 0, 10])
    for scene in (
        instance_scene(swap, starts=False),
        ways_scene(swap, Plan(np.array([[0, 3, 8], [3, 0, 10]])), starts=False),
    ):
        assert bodies(scene).centres.size == 0
        assert {text: point for text, (*point, _) in labels(scene).items()} == {
            "0": [3.5, 0.5],
            "1": [0.5, 0.5],
            "2": [2.5, 2.5],
        }
    assert not [layer for layer in instance_scene(swap, starts=False).layers if isinstance(layer, Polylines)]


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
    inks = {text: ink for text, (_, _, ink) in labels(step_scene(many, Plan(np.arange(12)[None]), 0)).items()}
    assert len(inks) == 12 and inks["6"] == PAPER and inks["7"] == INK  # black and yellow


def test_a_start_and_a_goal_in_one_cell_stand_there_side_by_side_with_their_numbers():
    swap = Instance.of(GRID, [0, 3, 8], [3, 0, 10])
    scene = instance_scene(swap)
    found = [
        (text, *np.floor(point).tolist(), layer.size)
        for layer in scene.layers
        if isinstance(layer, Labels)
        for text, point in zip(layer.texts, layer.points, strict=True)
    ]
    assert sorted(row[:3] for row in found) == [
        ("0", 0, 0), ("0", 3, 0), ("1", 0, 0), ("1", 3, 0), ("2", 0, 2), ("2", 2, 2)
    ]  # fmt: skip
    assert max(row[3] for row in found if row[0] != "2") < max(row[3] for row in found if row[0] == "2")
    rings, discs = [layer for layer in scene.layers if isinstance(layer, Circles)]
    for start, goal, radius in zip(discs.centres[:2], rings.centres[[2, 0]], discs.radii[:2], strict=True):
        assert np.hypot(*(start - goal)) > 2 * radius  # no mark lies on another
        assert (np.floor(start - radius) == np.floor(goal + radius)).all()  # nor outside the cell
    ways = ways_scene(swap, Plan(np.array([[0, 3, 8], [1, 7, 9], [2, 6, 10], [3, 5, 10], [3, 4, 10], [3, 0, 10]])))
    line = next(layer for layer in ways.layers if isinstance(layer, Polylines))
    assert line.points[[0, -1]].tolist() == [discs.centres[0].tolist(), rings.centres[0].tolist()]
    assert len(labels(instance_scene(Instance.of(GRID, [5], [5])))) == 1  # who is at its goal covers it


def test_a_goal_looks_out_from_under_an_agent_that_passes():
    rings, discs = [layer for layer in step_scene(instance(), PLAN, 2).layers if isinstance(layer, Circles)]
    assert rings.radii[0] > discs.radii[0]


def test_many_ways_are_fine_lines_between_small_marks():
    free = Grid.from_free(np.ones((32, 32), bool))

    def parts(agents):
        starts = np.arange(agents)
        scene = ways_scene(Instance.of(free, starts, starts), Plan(starts[None]))
        lines = [layer for layer in scene.layers if isinstance(layer, Polylines)]
        return lines[0].width, bodies(scene).radii[0], len(labels(scene))

    few, more, many = parts(20), parts(60), parts(61)
    assert few[0] > more[0] > many[0] and few[1] == more[1] > many[1]
    assert (few[2], more[2], many[2]) == (20, 60, 0)
    wide = Grid.from_free(np.ones((400, 400), bool))
    assert bodies(ways_scene(Instance.of(wide, range(61), range(61)), Plan(np.arange(61)[None]))).radii.min() == 1.5


def test_trees_are_walls_where_nothing_else_is_terrain():
    def drawn(text, movement="land"):
        grid = Grid.from_text(text, movement)
        scene = instance_scene(Instance.of(grid, [0], [1]))
        layer = scene.layers[0]
        assert isinstance(layer, ImageLayer)
        return tuple(layer.pixels[0, 2].tolist()), [item.label for item in scene.legend]

    tree = TERRAIN["T"][1][:3]
    assert drawn("..T@") == (BLOCKED[:3], ["agent", "its goal"])
    assert drawn("..TW") == (tree, ["ground", "water", "trees", "agent", "its goal"])
    assert drawn("..T@", ".T:1")[0] == tree  # nobody is stopped by it


def test_between_two_steps_agents_are_on_the_way():
    scene = step_scene(instance(), PLAN, 1.25)
    assert bodies(scene).centres.tolist() == [[1.75, 0.5], [2.25, 2.5]]
    assert scene.title == "step 1 of 3: 0 of 2 agents arrived"
    assert step_scene(instance(), PLAN, 3).title == "step 3 of 3: 2 of 2 agents arrived"


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
    assert traffic_scene(instance(), PLAN).title == "traffic of 2 agents: sum of costs 5, makespan 3"
    assert traffic_scene(instance(), PLAN, title="").title == ""
    with pytest.raises(InputError, match="needs a map of cells"):
        graph = Graph.from_arcs([[0, 0], [1, 0]], [0, 1], [1, 0], [1.0, 1.0])
        traffic_scene(Instance.of(graph, [0], [1]), Plan(np.array([[0], [1]])))


def crosses(scene):
    lines = [layer for layer in scene.layers if isinstance(layer, Polylines) and layer.colour == FAULT]
    return [pair.mean(axis=0).tolist() for line in lines for pair in line.points.reshape(-1, 4, 2)]


def test_pictures_of_a_plan_that_is_not_valid_say_so_and_mark_the_first_fault():
    meeting = Instance.of(GRID, [0, 3], [3, 0])
    plan = Plan(np.array([[0, 3], [1, 2], [2, 1], [3, 0]]))
    scene = ways_scene(meeting, plan)
    assert scene.title == "not valid, 1 fault; 2 agents: sum of costs 6, makespan 3"
    assert crosses(scene) == [[2.0, 0.5]]  # where they change places
    sign = scene.legend[-1]
    assert isinstance(sign, Swatch) and sign.shape == "cross" and "step 2: agents 0 and 1 change" in sign.label
    assert np.asarray(render(scene, pixels=300)).size > 0
    assert traffic_scene(meeting, plan).title.startswith("not valid, 1 fault; traffic of 2 agents")
    assert step_scene(meeting, plan, 1.5).title == "not valid, 1 fault; step 1 of 3: 0 of 2 agents arrived"
    assert [len(crosses(step_scene(meeting, plan, time))) for time in (1, 1.5, 2, 2.5)] == [0, 1, 1, 0]
    assert not crosses(ways_scene(instance(), PLAN))
    short = ways_scene(instance(), Plan(PLAN.vertices[:3]))
    assert short.title == "2 agents: 1 don't reach their goals" and not crosses(short)


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
