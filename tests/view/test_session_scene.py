"""session_scene: tiles, units, next steps, goals and the numbers of a search stand where they are."""

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.mapf.turn_based import Session, add_unit, order
from anabasis.view.layers import Circles, ImageLayer, Labels, Polygons, Polylines
from anabasis.view.palette import INK, PAPER
from anabasis.view.raster import render
from anabasis.view.tiles import GOAL, IMPASSABLE, NEXT, PASSABLE
from anabasis.view.turns import session_scene


def game(neighbours: int) -> Session:
    session = add_unit(Session(4, 3, ".h^.@@.....@", neighbours=neighbours), "A", 0)
    return order(session, "A", 10)


def test_tiles_units_and_numbers() -> None:
    session = game(4)
    scene = session_scene(session, unit="A")
    ground, units, names = (
        next(layer for layer in scene.layers if isinstance(layer, kind)) for kind in (ImageLayer, Circles, Labels)
    )
    numbers = [layer for layer in scene.layers if isinstance(layer, Labels)][-1]
    assert ground.pixels[1, 0].tolist() == [*IMPASSABLE[:3]] and ground.pixels[2, 2].tolist() == [*GOAL[:3]]
    y, x = divmod(session.unit("A").path[1][0], 4)
    assert ground.pixels[y, x].tolist() == [*NEXT[:3]]
    assert units.centres.tolist() == [[0.5, 0.5]] and names.texts == ("A",)
    assert units.colours.tolist() == [list(PAPER)] and units.outline == names.colour == INK
    (way,) = (layer for layer in scene.layers if isinstance(layer, Polylines))
    assert way.colour == (*INK[:3], 120) and way.points[0].tolist() == [0.5, 0.5]
    assert "1, 0, 0" in numbers.texts and "∞, ∞, ∞" in numbers.texts
    assert np.asarray(render(scene, pixels=200)).size > 0


def test_goals_bear_the_names_of_the_units_that_go_there_and_ways_lie_side_by_side() -> None:
    session = Session(6, 2, "............")
    for name, place, goal in (("A", 0, 4), ("B", 5, 1), ("C", 11, 7)):
        session = order(add_unit(session, name, place), name, goal)
    scene = session_scene(session)
    goals = [layer for layer in scene.layers if isinstance(layer, Labels)][-1]
    named = dict(zip(goals.texts, np.floor(goals.points).tolist(), strict=True))
    assert named == {"A": [4, 0], "B": [1, 0], "C": [1, 1]}
    assert (goals.points % 1 > 0.6).any(axis=1).all()  # at the side, where a unit that stands there leaves room
    lines = [layer for layer in scene.layers if isinstance(layer, Polylines)]
    assert len({round(float(line.points[0, 1] % 1), 6) for line in lines}) == 3


def test_hexagons_are_shifted_and_nobody_is_drawn_of_nobody() -> None:
    scene = session_scene(Session(2, 2, "....", neighbours=6))
    (tiles,) = scene.layers
    assert isinstance(tiles, Polygons) and tiles.fill == PASSABLE
    corners = tiles.points.reshape(4, 6, 2)
    assert corners.mean(1).tolist() == pytest.approx(np.array([[0.5, 0.5], [1.5, 0.5], [1, 1.5], [2, 1.5]]))
    # without gaps: a corner between two rows belongs to three tiles
    assert (np.abs(corners - (1.0, 5 / 6)).sum(2) < 1e-9).any(1).sum() == 3
    assert (np.abs(corners - (1.5, 7 / 6)).sum(2) < 1e-9).any(1).sum() == 3
    assert scene.bounds == (0, -1 / 6, 2.5, 2 + 1 / 6)
    colours = {layer.fill for layer in session_scene(game(6)).layers if isinstance(layer, Polygons)}
    assert {IMPASSABLE, GOAL, NEXT} < colours
    assert len(session_scene(game(8)).layers) == 5
    with pytest.raises(InputError, match="no such unit"):
        session_scene(game(6), unit="Z")
