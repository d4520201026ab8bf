"""Scenes of every noun and stage: what is drawn where, and in which colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.plan import FlowField, GroupPlan, Path
from anabasis.result import SearchTrace, TraceEvent
from anabasis.scenario import Change, Group, Scenario, Target
from anabasis.view.ground import map_colours
from anabasis.view.layers import Arrows, Circles, ImageLayer, Labels, Polygons, Polylines, Ramp, Swatch
from anabasis.view.palette import BLOCKED, FREE, GROUP_COLOURS, HEAT, PRICE, RAMP, TERRAIN
from anabasis.view.runs import ground_at
from anabasis.view.scene import (
    cell_lines,
    chosen_unit,
    density_scene,
    field_scene,
    frame_scene,
    goal_lines,
    graph_scene,
    map_scene,
    path_scene,
    plan_scene,
    search_scene,
    trajectory_scene,
    unit_numbers,
    world_scene,
)
from anabasis.world import World


def of_kind(scene, kind):
    return [layer for layer in scene.layers if isinstance(layer, kind)]


def pixels(scene):
    return scene.layers[0].pixels


def labels(scene):
    return [item.label for item in scene.legend]


def test_map_has_the_colours_of_its_terrain(grid):
    scene = map_scene(grid, title="here")
    image = pixels(scene)
    assert scene.bounds == scene.layers[0].extent == (0, 0, 10, 6)
    assert tuple(image[0, 0]) == BLOCKED[:3]
    assert tuple(image[1, 1]) == FREE[:3]
    for letter, (x, y) in {"S": (3, 1), "W": (3, 2), "T": (1, 4)}.items():
        assert tuple(image[y, x]) == TERRAIN[letter][1][:3]
    five, nine = (np.linalg.norm(image[y, x].astype(float) - PRICE[:3]) for x, y in ((6, 2), (5, 4)))
    free = np.linalg.norm(np.subtract(FREE[:3], PRICE[:3], dtype=float))
    assert nine < five < free
    assert labels(scene) == ["ground", "swamp", "water", "trees", "price up to 9", "wall"]


def test_map_of_ground_and_walls_needs_no_legend():
    assert map_scene(Grid.from_text("..#")).legend == ()
    assert labels(map_scene(Grid.from_text("..T"))) == ["ground", "trees"]


def test_ground_that_is_blocked_looks_like_a_wall():
    grid = Grid(np.array([[1.0, np.inf]]), np.array([[ord("."), ord(".")]]))
    assert tuple(pixels(map_scene(grid))[0, 1]) == BLOCKED[:3]


def test_path_runs_through_its_points(grid):
    points = np.array([[1.5, 1.5], [2.5, 1.5], [3.5, 1.5], [4.5, 2.5]])
    scene = path_scene(grid, Path(np.zeros(0, int), points, 3.4))
    casing, line = of_kind(scene, Polylines)
    assert line.points.tolist() == [[1.5, 1.5], [3.5, 1.5], [4.5, 2.5]]
    assert casing.width > line.width
    target, start = of_kind(scene, Circles)
    assert target.centres[0].tolist() == [4.5, 2.5]
    assert start.centres.tolist() == [[1.5, 1.5]]


def test_path_without_points_is_only_the_map(grid):
    empty = Path(np.zeros(0, int), np.zeros((0, 2)), 0)
    assert len(path_scene(grid, empty).layers) == 1


def many_on_one_way(units=60):
    grid = Grid.from_free(np.ones((9, 40), bool))
    starts = np.array([[1.5, 1.5 + k % 7] for k in range(units)])
    paths = [np.array([start, [6.5, 4.5], [20.5, 4.5], [35.5, 4.5]]) for start in starts]
    return grid, Scenario(grid, (Group(starts, Target(35.5, 4.5)),)), paths


def test_equal_paths_are_drawn_once_and_wide():
    grid, scenario, paths = many_on_one_way()
    scene = plan_scene(grid, scenario, GroupPlan.of_paths(paths))
    lines = of_kind(scene, Polylines)
    assert sum(len(layer.points) for layer in lines) < 25  # of the 240 points of the plan
    trunk = max(lines, key=lambda layer: layer.width)
    assert trunk.points.tolist() == [[6.5, 4.5], [35.5, 4.5]]
    assert trunk.width >= 2 * min(layer.width for layer in lines)
    assert labels(scene) == ["60 units"]


def test_routes_on_one_way_show_as_stripes():
    grid, scenario, paths = many_on_one_way()
    scene = plan_scene(grid, scenario, GroupPlan.of_paths(paths, np.arange(60) % 3))
    trunk = [layer for layer in of_kind(scene, Polylines) if layer.points.tolist() == [[6.5, 4.5], [35.5, 4.5]]]
    assert [layer.colour for layer in trunk] == list(GROUP_COLOURS[:3])
    assert trunk[0].width > trunk[1].width > trunk[2].width
    assert labels(scene) == ["route 0: 20 units", "route 1: 20 units", "route 2: 20 units"]
    starts = of_kind(scene, Circles)[0]
    assert [tuple(c) for c in starts.colours[:3]] == list(GROUP_COLOURS[:3])


def test_stretches_do_not_depend_on_the_direction_they_are_walked():
    grid = Grid.from_free(np.ones((3, 9), bool))
    scenario = Scenario(grid, (Group(np.array([[0.5, 1.5], [8.5, 1.5]]), Target(4.5, 1.5)),))
    there = np.array([[0.5, 1.5], [4.5, 1.5], [8.5, 1.5]])
    scene = plan_scene(grid, scenario, GroupPlan.of_paths([there, there[::-1]], [0, 0]))
    assert [layer.points.tolist() for layer in of_kind(scene, Polylines)] == [[[0.5, 1.5], [8.5, 1.5]]]


def test_unit_without_a_way_is_named(grid, scenario):
    plan = GroupPlan.of_paths([np.array([[1.5, 1.5], [8.5, 1.5]]), np.zeros((0, 2)), np.zeros((0, 2))])
    assert labels(plan_scene(grid, scenario, plan))[-1] == "no way: 2 units"
    nobody = GroupPlan.of_paths([np.zeros((0, 2))] * 3)
    assert labels(plan_scene(grid, scenario, nobody))[-1] == "no way: 3 units"


def test_a_plan_may_be_drawn_without_units_and_targets(grid, scenario):
    starts = np.concatenate([group.positions for group in scenario.groups])
    paths = GroupPlan.of_paths([np.array([start, (20.0, 5.0)]) for start in starts])
    whole, ways = (plan_scene(grid, scenario, paths, ends=ends) for ends in (True, False))
    assert any(isinstance(layer, Circles) for layer in whole.layers)
    assert not any(isinstance(layer, Circles) for layer in ways.layers)
    assert ways.legend == whole.legend


def test_each_group_may_have_its_own_plan(grid, scenario):
    north = GroupPlan.of_paths([np.array([[1.5, 1.5], [8.5, 1.5]]), np.array([[2.5, 1.5], [8.5, 1.5]])], [0, 0])
    south = GroupPlan.of_paths([np.array([[2.5, 4.5], [8.0, 4.0]])], [0])
    scene = plan_scene(grid, scenario, [north, south])
    assert labels(scene)[-2:] == ["north: 2 units", "group 1: 1 unit"]
    both = GroupPlan(north.indptr, north.points, [0, 1])
    assert labels(plan_scene(grid, scenario, [both, south]))[-3:] == [f"route {k}: 1 unit" for k in range(3)]
    assert {layer.colour for layer in of_kind(scene, Polylines)} == set(GROUP_COLOURS[:2])
    for wrong in (north, [north], [south, north]):
        with pytest.raises(InputError, match=r"expected plans for 2 \+ 1 units"):
            plan_scene(grid, scenario, wrong)


def flow_field(grid):
    y, x = np.mgrid[0 : grid.height, 0 : grid.width]
    distance = np.where(grid.free, np.abs(x - 8.0) + np.abs(y - 1), np.inf)
    direction = np.zeros((*distance.shape, 2))
    direction[grid.free, 0] = 1
    direction[1, 8] = 0
    return FlowField(distance, direction)


def test_field_is_darker_farther_away_and_has_arrows(grid):
    scene = field_scene(grid, flow_field(grid))
    image = pixels(scene)
    assert tuple(image[1, 8]) == tuple(RAMP[0, :3])
    assert tuple(image[0, 0]) == BLOCKED[:3]
    brightness = image[1, 1:9].astype(int).sum(axis=1)
    assert (np.diff(brightness) >= 0).all()
    (arrows,) = of_kind(scene, Arrows)
    assert len(arrows.tips) == grid.free.sum() - 1
    assert (arrows.tips[:, 0] > arrows.tails[:, 0]).all()
    assert isinstance(scene.legend[-1], Ramp)


def test_field_of_a_big_map_has_few_arrows():
    free = np.ones((300, 500), bool)
    direction = np.zeros((300, 500, 2))
    direction[..., 1] = 1
    scene = field_scene(Grid.from_free(free), FlowField(np.ones((300, 500)), direction), arrows=20)
    assert len(of_kind(scene, Arrows)[0].tips) <= 20 * 12


def test_shared_field_is_the_ground_of_its_plan(grid, scenario):
    scene = plan_scene(grid, scenario, GroupPlan.of_field(flow_field(grid), 3))
    assert of_kind(scene, Arrows)
    assert labels(scene)[-2:] == ["north: 2 units", "group 1: 1 unit"]


def test_of_several_fields_the_lines_along_them_are_drawn(grid, scenario):
    fields = [GroupPlan.of_field(flow_field(grid), 2), GroupPlan.of_field(flow_field(grid), 1)]
    scene = plan_scene(grid, scenario, fields)
    assert labels(scene)[-2:] == ["north: 2 units", "group 1: 1 unit"]
    points = {colour: [] for colour in GROUP_COLOURS[:2]}
    for layer in of_kind(scene, Polylines):
        points[layer.colour] += layer.points.tolist()
    assert [max(points[colour]) for colour in points] == [[8.0, 1.5], [9.0, 4.5]]  # to the target; to the wall
    blind = [GroupPlan.of_field(FlowField(np.full((6, 10), np.inf), np.zeros((6, 10, 2))), n) for n in (2, 1)]
    assert not of_kind(plan_scene(grid, scenario, blind), Polylines)


def test_search_colours_follow_the_order_of_expansion(grid):
    columns = [3, 1, 5, 2, 4]
    cells = [grid.vertex(x, 1) for x in columns]
    kinds = [TraceEvent.EXPAND] * 5 + [TraceEvent.GENERATE, TraceEvent.GENERATE, TraceEvent.EXPAND]
    vertices = np.array([*cells, grid.vertex(6, 1), cells[0], cells[2]])
    n = len(vertices)
    trace = SearchTrace(np.array([k.value for k in kinds]), vertices, np.full(n, -1), np.zeros(n), np.zeros(n))
    scene = search_scene(grid, trace, Path(np.zeros(0, int), grid.centres(cells[:2]), 1))
    image = pixels(scene)
    expected = [tuple(RAMP[round(255 * k / 4), :3]) for k in range(5)]
    assert [tuple(image[1, x]) for x in columns] == expected  # the second expansion of a cell changes nothing
    assert labels(scene) == ["order of expansion", "generated only: 1", "path"]
    assert tuple(image[1, 6]) == scene.legend[1].colour[:3]
    assert tuple(image[1, 7]) == FREE[:3]


def test_frame_shows_units_on_the_map_at_their_places(grid, scenario, trace):
    scene = frame_scene(grid, scenario, trace, 1)
    units = of_kind(scene, Circles)[-1]
    assert units.centres.tolist() == trace.positions[1].tolist()
    assert units.radii.tolist() == [0.4, 0.4, 0.3]
    assert [tuple(c) for c in units.colours] == [GROUP_COLOURS[0], GROUP_COLOURS[0], GROUP_COLOURS[1]]
    assert scene.title == "step 3: 0 of 3 units arrived"
    assert labels(scene)[-2:] == ["north", "group 1"]
    (noses,) = of_kind(scene, Polylines)
    assert np.allclose(noses.points[1] - noses.points[0], [0, 0.36])  # a quarter turn clockwise: down


def test_frame_leaves_out_units_that_arrived(grid, scenario, trace):
    scene = frame_scene(grid, scenario, trace, -1)
    assert len(of_kind(scene, Circles)[-1].centres) == 2
    assert scene.title == "step 9: 1 of 3 units arrived"
    assert frame_scene(grid, scenario, trace, 0, title="").title == ""


@pytest.mark.parametrize(
    ("colour", "expected", "names"),
    [
        ("group", [0, 0, 1], ["north", "group 1"]),
        ("route", [0, 1, 1], ["route 0", "route 1"]),
        ("state", [0, 0, 1], ["moving", "lost"]),
    ],
)
def test_colours_of_units_mean_what_is_asked_for(scenario, trace, colour, expected, names):
    scene = frame_scene(scenario.grid, scenario, trace, 1, colour=colour)
    assert [tuple(c) for c in of_kind(scene, Circles)[-1].colours] == [GROUP_COLOURS[k] for k in expected]
    assert labels(scene)[-2:] == names


def test_one_group_that_is_split_is_in_the_colours_of_its_routes(grid, scenario, trace):
    one = replace(scenario, groups=(replace(scenario.groups[0], positions=np.full((3, 2), 1.5)),))
    together = replace(trace, group=np.zeros(3, np.int64))
    scene = frame_scene(grid, one, together, 1)
    assert [tuple(c) for c in of_kind(scene, Circles)[-1].colours] == [GROUP_COLOURS[k] for k in (0, 1, 1)]
    assert labels(scene)[-2:] == labels(trajectory_scene(grid, one, together))[-2:] == ["route 0", "route 1"]
    single = frame_scene(grid, one, replace(together, route=np.zeros(3, np.int64)), 1)
    assert {tuple(c) for c in of_kind(single, Circles)[-1].colours} == {GROUP_COLOURS[0]}
    assert not any(name.startswith("route") for name in labels(single))
    assert labels(frame_scene(scenario.grid, scenario, trace, 1))[-2:] == ["north", "group 1"]


def test_frame_shows_the_map_as_changed_by_then(grid, scenario, trace):
    before, after = (pixels(frame_scene(grid, scenario, trace, frame)) for frame in (1, 2))
    assert tuple(before[3, 5]) == FREE[:3]
    assert tuple(after[3, 5]) == TERRAIN["W"][1][:3]
    assert (before != after).any(axis=2).sum() == 1


def test_wrong_wishes_are_refused(grid, scenario, trace):
    with pytest.raises(InputError, match="frame of a trace"):
        frame_scene(grid, scenario, trace, 4)
    with pytest.raises(InputError, match="group, route or state"):
        frame_scene(grid, scenario, trace, 0, colour="mood")
    with pytest.raises(InputError, match="density to draw"):
        density_scene(grid, np.zeros((2, 2)))
    with pytest.raises(InputError, match="top of a density scale"):
        density_scene(grid, np.zeros((6, 10)), top=0)
    with pytest.raises(InputError, match="unit to mark"):
        chosen_unit(trace, 0, 3)


def test_targets_are_bulls_eyes_in_the_colour_of_their_group(grid, scenario, trace):
    north, south = of_kind(frame_scene(grid, scenario, trace, 0), Circles)[:2]
    assert north.centres[0].tolist() == [8.5, 1.5]
    assert south.radii.max() == 0.7
    assert tuple(north.colours[-1]) == GROUP_COLOURS[0]
    assert tuple(south.colours[-1]) == GROUP_COLOURS[1]


def test_density_runs_from_pale_to_dark_and_leaves_the_rest(grid):
    values = np.zeros((6, 10))
    values[1, 1:5] = [1, 2, 3, 4]
    scene = density_scene(grid, values, top=4)
    image = pixels(scene)
    assert [tuple(image[1, x]) for x in (1, 2, 4)] == [tuple(HEAT[k, :3]) for k in (64, 128, 255)]
    assert tuple(image[1, 5]) == FREE[:3]
    assert (scene.legend[0].low, scene.legend[0].high) == ("0", "4")
    assert density_scene(grid, values, top=2).legend[0].high == "2 and more"
    assert np.array_equal(pixels(density_scene(grid, 0 * values)), pixels(density_scene(grid, 0 * values, top=7)))


def test_trails_end_where_a_unit_arrived(grid, scenario, trace):
    lines = of_kind(trajectory_scene(grid, scenario, trace), Polylines)
    ends = {tuple(layer.points[0]): tuple(layer.points[-1]) for layer in lines}
    assert ends[(2.5, 1.5)] == tuple(trace.positions[2, 1])  # frame 2, not 3
    assert ends[(1.5, 1.5)] == tuple(trace.positions[3, 0])


def test_graph_draws_each_pair_of_arcs_once():
    graph = Graph.from_arcs([[0, 0], [4, 0], [4, 3]], [0, 1, 1], [1, 0, 2], [4, 4, 3])
    scene = graph_scene(graph)
    (lines,) = of_kind(scene, Polylines)
    assert lines.points.reshape(-1, 4).tolist() == [[0, 0, 4, 0], [4, 0, 4, 3]]
    assert of_kind(scene, Circles)[0].centres.tolist() == graph.points.tolist()
    assert graph_scene(Graph.from_arcs([], [], [], [])).layers


def test_world_draws_its_obstacles():
    world = World.of((-1, -2, 9, 5), [np.array([[0, 0], [2, 0], [1, 1]]), np.array([[3, 3], [5, 3], [5, 4], [3, 4]])])
    scene = world_scene(world)
    assert scene.bounds == world.bounds
    assert of_kind(scene, Polygons)[0].indptr.tolist() == [0, 3, 7]


def test_overlays_lie_where_they_belong(grid, scenario, trace):
    lines = cell_lines(grid)
    assert len(lines.indptr) - 1 == 10 + 6 + 2
    assert lines.points.min() == 0
    assert lines.points.max(axis=0).tolist() == [10, 6]
    numbers = unit_numbers(trace, 3)
    assert isinstance(numbers, Labels)
    assert numbers.texts == ("0", "2")
    goals = goal_lines(scenario, trace, 0)
    assert goals.points[1::2].tolist() == [[8.5, 1.5], [8.5, 1.5], [8, 4]]
    plan = GroupPlan.of_paths([np.array([[1.5, 1.5], [8.5, 1.5]]), np.zeros((0, 2)), np.zeros((0, 2))])
    line, triangles, trail, ring = chosen_unit(trace, -1, 0, plan)
    assert len(triangles.indptr) - 1 == 2
    assert len(line.points) == 2
    assert len(trail.points) == 4
    assert ring.centres[0].tolist() == trace.positions[3, 0].tolist()
    assert len(chosen_unit(trace, 1, 1, plan)) == 2


def test_pictures_of_big_maps_have_wider_pens():
    small, big = Grid.from_free(np.ones((20, 20), bool)), Grid.from_free(np.ones((400, 400), bool))
    path = Path(np.zeros(0, int), np.array([[1.0, 1], [9, 9]]), 1)
    widths = [of_kind(path_scene(grid, path), Polylines)[1].width for grid in (small, big)]
    assert widths[1] == pytest.approx(20 * widths[0])


def test_scenes_do_not_share_what_can_change(grid):
    scene = map_scene(grid)
    assert not of_kind(scene, ImageLayer)[0].pixels.flags.writeable
    assert replace(scene, legend=[Swatch("a", FREE)]).legend == (Swatch("a", FREE),)


def test_a_change_of_the_map_is_seen_in_the_frame_of_its_step():
    scenario = Scenario(
        Grid.from_text("...."), (Group([[0.5, 0.5]], Target(3.5, 0.5)),), (Change(7, np.array([[1, 0]]), "@"),)
    )
    assert [ground_at(scenario.grid, scenario, step).is_free(1, 0) for step in (6, 7, 8)] == [True, False, False]


def test_ground_dearer_than_nine_looks_the_same():
    dear = np.array([[1.0, 5.0, 9.0, 90.0]])
    pixels = map_colours(Grid(dear, np.full((1, 4), ord("."), np.uint8)))
    assert pixels[0, 2].tolist() == pixels[0, 3].tolist() != pixels[0, 1].tolist()
