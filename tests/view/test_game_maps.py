"""Pictures of generated maps: the marks of their sites, roads on large maps, the legend, and sheets."""

import numpy as np
import pytest
from PIL import Image

from anabasis import GameMap, InputError
from anabasis.gamemap import Site
from anabasis.generators import generate
from anabasis.movement import TERRAIN_LETTERS
from anabasis.view.game_maps import game_map_scene, sheet_scene
from anabasis.view.layers import Circles, ImageLayer, Labels, Polygons, Polylines, Swatch
from anabasis.view.palette import BLOCKED, INK, PAPER, group_colour
from anabasis.view.raster import render
from anabasis.view.relief import relief_colours
from anabasis.view.svg import to_svg

SITES = (
    Site("start", 30, 5, 1),
    Site("start", 4, 20, 0),
    Site("town", 20, 10, amount=3.0),
    Site("resource", 8, 6, 0, "gold", 500.0),
    Site("resource", 28, 14, 1, "gold", 500.0),
    Site("resource", 18, 18, -1, "iron", 500.0),
    Site("unit", 10, 10, name="ship"),
    Site("unit", 12, 4, name="land unit"),
    Site("pass", 16, 15),
    Site("bridge", 2, 2),
)


def land(width=36, height=24, sites=SITES):
    terrain = np.full((height, width), ord("G"), np.uint8)
    terrain[:2] = ord("W")
    heights = np.add.outer(np.linspace(0, 1, height), np.linspace(0, 0.5, width))
    return GameMap(terrain, heights, 0.05, sites)


def of_kind(scene, kind):
    return [layer for layer in scene.layers if isinstance(layer, kind)]


def named(scene):
    return [item.label for item in scene.legend]


def centre(layer, k=0):
    """The middle of the box around a ring of a layer."""
    ring = layer.points[layer.indptr[k] : layer.indptr[k + 1]]
    return (ring.min(axis=0) + ring.max(axis=0)) / 2


def test_starts_bear_the_numbers_and_colours_of_the_players():
    scene = game_map_scene(land())
    (discs,), (numbers,) = of_kind(scene, Circles), of_kind(scene, Labels)
    assert discs.centres.tolist() == [[4.5, 20.5], [30.5, 5.5]]
    assert discs.colours.tolist() == [list(group_colour(0)), list(group_colour(1))]
    assert numbers.texts == ("1", "2") and np.array_equal(numbers.points, discs.centres)
    assert numbers.size < 2 * discs.radii.min()
    assert scene.layers[-1] is numbers and scene.layers[-2] is discs, "nothing hides a start"


def test_each_site_has_its_mark_where_it_is():
    scene = game_map_scene(land())
    marks = of_kind(scene, Polygons)
    places = sorted(tuple(np.round(centre(mark, k))) for mark in marks for k in range(len(mark.indptr) - 1))
    there = [(site.x, site.y) for site in SITES if site.kind in ("town", "resource", "unit", "pass")]
    assert len(places) == len(there)
    for x, y in there:
        assert min(np.hypot(x + 0.5 - a, y + 0.5 - b) for a, b in places) < 1
    assert named(scene)[-6:] == ["pass", "town", "gold", "iron", "ship and land unit", "start of a player"]


def test_resources_have_a_colour_for_each_name_and_a_rim_for_each_owner():
    marks = [m for m in of_kind(game_map_scene(land()), Polygons) if len(m.points) == 4]
    assert [m.outline for m in marks] == [group_colour(0), group_colour(1), INK]
    gold, other, iron = (m.fill for m in marks)
    assert gold == other != iron
    legend = {item.label: item.colour for item in game_map_scene(land()).legend if isinstance(item, Swatch)}
    assert (legend["gold"], legend["iron"]) == (gold, iron)


def test_the_legend_names_what_is_there_and_no_more():
    plain = game_map_scene(land(sites=()))
    assert not of_kind(plain, Circles) and not of_kind(plain, Polygons)
    assert set(named(plain)) == {"sea", "river or lake", "grass"}
    assert named(game_map_scene(land(sites=SITES[:2])))[-1] == "start of a player"
    assert game_map_scene(land(), title="Here").title == "Here"


def test_the_land_below_is_the_lit_land():
    game_map = land()
    image = of_kind(game_map_scene(game_map), ImageLayer)[0]
    detail = image.pixels.shape[0] // game_map.height
    lit = relief_colours(game_map.terrain, game_map.heights, sea=game_map.sea, detail=detail)
    assert np.array_equal(image.pixels, lit) and image.extent == (0, 0, 36, 24)


def roads(scene):
    return [{tuple(map(tuple, line)) for line in layer.points.reshape(-1, 2, 2)} for layer in of_kind(scene, Polylines)]


def test_roads_are_lines_on_large_maps_and_cells_on_small_ones():
    terrain = np.full((300, 400), ord("G"), np.uint8)
    for y, x, letter in ((5, 5, "="), (5, 6, "="), (6, 7, "="), (7, 6, "+"), (7, 5, "="), (200, 200, "=")):
        terrain[y, x] = ord(letter)
    scene = game_map_scene(GameMap(terrain, np.zeros(terrain.shape)))
    casing, line, bridges = roads(scene)
    assert (
        casing
        == line
        == {
            ((5.5, 5.5), (6.5, 5.5)),
            ((6.5, 5.5), (7.5, 6.5)),
            ((7.5, 6.5), (6.5, 7.5)),
            ((5.5, 7.5), (6.5, 7.5)),
        }
    )
    assert bridges == set()
    small = GameMap(terrain[:60, :60], np.zeros((60, 60)))
    assert roads(game_map_scene(small)) == []


def test_a_broad_road_has_no_diagonals():
    terrain = np.full((200, 200), ord("G"), np.uint8)
    terrain[10:12, 10:12] = ord("=")
    casing, *_ = roads(game_map_scene(GameMap(terrain, np.zeros(terrain.shape))))
    assert len(casing) == 4


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 2)])
def test_maps_of_any_shape_are_drawn(shape):
    game_map = GameMap(np.full(shape, ord("G"), np.uint8), np.zeros(shape), sites=(Site("start", 0, 0, 0),))
    assert render(game_map_scene(game_map), pixels=200).width >= 64
    assert "<svg" in to_svg(game_map_scene(game_map))
    assert render(sheet_scene([game_map], ["one"], columns=3), pixels=200).width >= 64


def test_every_letter_and_many_players_and_resources_are_drawn():
    terrain = np.frombuffer((TERRAIN_LETTERS * 40).encode(), np.uint8)[: 30 * 36].reshape(30, 36)
    sites = [Site("start", 2 * k, 3, k) for k in range(16)]
    sites += [Site("resource", k, 20, -1, f"kind {k:02}") for k in range(9)]
    scene = game_map_scene(GameMap(terrain, np.zeros(terrain.shape), sites=tuple(sites)))
    assert of_kind(scene, Labels)[0].texts[-1] == "16"
    assert render(scene).height > 0


def test_a_start_is_seen_in_the_picture():
    pixels = np.asarray(render(game_map_scene(land()), pixels=800))
    for player in (0, 1):
        assert (pixels == group_colour(player)[:3]).all(axis=2).sum() > 100
    assert (pixels == PAPER[:3]).all(axis=2).sum() > 100


def test_a_sheet_has_each_map_where_its_title_is():
    maps = [land(sites=()), land(sites=SITES[:1]), land(30, 20, sites=()), None, None]
    titles = ["a", "b", "c", "refused", ""]
    scene = sheet_scene(maps, titles, columns=2)
    images = of_kind(scene, ImageLayer)
    assert len(images) == 3
    captions = [(label.texts[0], *label.points[0]) for label in of_kind(scene, Labels) if label.anchor == "start"]
    for image, (title, x, y) in zip(images, captions, strict=False):
        left, top, right, bottom = image.extent
        assert x == left and 0 < top - y < 4, title
        assert 0 < left < right < scene.width and 0 < top < bottom < scene.height
    boxes = [image.extent for image in images]
    assert boxes[0][1] == boxes[1][1] < boxes[2][1] and boxes[0][0] == boxes[2][0] < boxes[1][0]
    assert np.subtract(boxes[2][2:], boxes[2][:2]).tolist() == pytest.approx([30, 20])
    frames = [layer for layer in of_kind(scene, Polygons) if layer.outline == BLOCKED]
    assert len(frames) == 1 and centre(frames[0])[0] == pytest.approx(boxes[1][0] + 18)
    assert [label.texts for label in of_kind(scene, Labels) if label.colour == BLOCKED] == [("refused",)]
    assert [title for title, *_ in captions] == titles[:4]


def test_the_marks_of_a_sheet_lie_on_their_map():
    scene = sheet_scene([land(sites=()), land()], ["a", "b"], columns=2)
    image = of_kind(scene, ImageLayer)[1]
    discs = of_kind(scene, Circles)[0]
    assert (discs.centres - image.extent[:2]).tolist() == pytest.approx(np.array([[4.5, 20.5], [30.5, 5.5]]))
    for mark in of_kind(scene, Polygons):
        left, top, right, bottom = image.extent
        assert (mark.points >= (left - 2, top - 2)).all() and (mark.points <= (right + 2, bottom + 2)).all()


@pytest.mark.parametrize(("count", "columns"), [(1, 4), (2, 2), (40, 8)])
def test_sheets_of_few_and_many_maps_are_legible(count, columns):
    maps = [land(sites=())] * count
    scene = sheet_scene(maps, [f"map, seed {k}" for k in range(count)], columns=columns)
    picture = render(scene, pixels=max(1000, 260 * columns))
    assert isinstance(picture, Image.Image)
    scale = picture.width / scene.width
    titles = [label for label in of_kind(scene, Labels) if label.anchor == "start"]
    assert len(titles) == count
    assert min(label.size for label in titles) * scale > 11, "px of a line"
    assert len(of_kind(scene, ImageLayer)) == count


def test_wrong_sheets_are_refused():
    for maps, titles, columns in (([], [], 4), ([None], ["a"], 4), ([land()], [], 4), ([land()], ["a"], 0)):
        with pytest.raises(InputError, match="sheet"):
            sheet_scene(maps, titles, columns=columns)


def test_pictures_are_the_same_each_time():
    one, again = (render(game_map_scene(generate("island", 65, seed=1, players=1)), pixels=400) for _ in range(2))
    assert np.array_equal(np.asarray(one), np.asarray(again))
