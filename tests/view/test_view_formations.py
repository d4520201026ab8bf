"""Pictures of formations: the map in its colours, everybody in place, moments, an animation."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from anabasis.errors import InputError
from anabasis.formation.march import March, march
from anabasis.formation.shapes import wedge
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre, Order
from anabasis.view.formations import (
    animate_march,
    error_scene,
    lattice_scene,
    manoeuvre_scene,
    march_scene,
    moment_scene,
)
from anabasis.view.layers import Circles, ImageLayer, Polylines, Swatch
from anabasis.view.palette import BLOCKED, FREE, WORTH

ROW = 20 * 3**0.5 / 2


@pytest.fixture(scope="module")
def marched() -> tuple[Manoeuvre, March]:
    formation = Formation.of(wedge(3), (100.0, 9 * ROW), 0.0, (100.0, 4 * ROW))
    manoeuvre = Manoeuvre(Lattice.uniform(12, 12), (formation,))
    found = march(manoeuvre, tick=0.25).value
    assert found is not None
    return manoeuvre, found


def test_each_place_of_a_lattice_has_the_colour_of_its_nearest_vertex() -> None:
    price = np.ones((7, 9))
    price[2, 4], price[5] = np.inf, 8.0
    lattice = Lattice.from_ground(price)
    scene = lattice_scene(lattice)
    (image,) = scene.layers
    assert isinstance(image, ImageLayer)
    x0, y0, x1, y1 = scene.bounds
    rows, columns, _ = image.pixels.shape
    rng = np.random.default_rng(0)
    for x, y in rng.uniform((x0, y0), (x1, y1), (300, 2)).tolist():
        column, row = int((x - x0) / (x1 - x0) * columns), int((y - y0) / (y1 - y0) * rows)
        centre = x0 + (column + 0.5) * (x1 - x0) / columns, y0 + (row + 0.5) * (y1 - y0) / rows
        nearest = int(np.hypot(*(lattice.points - centre).T).argmin())
        grey = tuple(image.pixels[row, column].tolist()) == BLOCKED[:3]
        assert grey == bool(np.isinf(lattice.cost.reshape(-1, 6)[nearest]).all())
    assert [item.label for item in scene.legend] == ["1 s a step", "8 s", "no way"]
    (plain,) = lattice_scene(Lattice.uniform(5, 5)).layers
    assert isinstance(plain, ImageLayer) and (plain.pixels == FREE[:3]).all()


def test_everybody_is_drawn_where_the_march_says(marched: tuple[Manoeuvre, March]) -> None:
    manoeuvre, found = marched
    scene = moment_scene(manoeuvre, found, 7)
    dots = [layer for layer in scene.layers if isinstance(layer, Circles)]
    drawn = np.concatenate([layer.centres for layer in dots])
    for place in found.trace.positions[7]:
        assert (np.abs(drawn - place).max(axis=1) < 1e-9).any()
    assert scene.title == "1.8 s"
    lines = [layer for layer in march_scene(manoeuvre, found, moments=3).layers if isinstance(layer, Polylines)]
    assert len(lines) == 1 + 3  # the ways, and the bindings of each moment
    assert len(lines[0].indptr) - 1 == 3
    with pytest.raises(InputError, match="frame of a march"):
        moment_scene(manoeuvre, found, len(found.trace.times))


def test_the_scale_bar_counts_steps(marched: tuple[Manoeuvre, March]) -> None:
    scene = manoeuvre_scene(*marched[:1], title="before")
    assert (scene.measure, scene.pitch, scene.title) == ("step", 20.0, "before")


def test_an_animation_has_as_many_frames_as_asked_for(marched: tuple[Manoeuvre, March]) -> None:
    file = BytesIO()
    assert animate_march(*marched, file, pixels=200, frames=9) == 9
    picture = Image.open(BytesIO(file.getvalue()))
    assert picture.format == "GIF"
    assert picture.n_frames == 9  # pyright: ignore[reportAttributeAccessIssue]


def test_two_formations_on_cells_have_colours_and_names() -> None:
    grid = Grid.from_free(np.ones((14, 14), bool))
    formations = tuple(Formation.of(wedge(3, spacing=2.0), (x, 10.5), 0.0, (x, 4.5)) for x in (3.5, 10.5))
    manoeuvre = Manoeuvre(grid, formations)
    found = march(manoeuvre, tick=0.25).value
    assert found is not None
    labels = [item.label for item in march_scene(manoeuvre, found).legend]
    assert labels[-2:] == ["formation 0", "formation 1"]


@pytest.mark.parametrize("seconds", [2.0, 1000.0])
def test_the_cross_of_the_fallen_is_explained_where_somebody_falls(seconds: float) -> None:
    falls = np.array([np.inf, seconds, np.inf])
    formation = Formation(wedge(3, spacing=2.0), (7.5, 10.5), 0.0, (Order([[7.5, 4.5]]),), falls=falls)
    manoeuvre = Manoeuvre(Grid.from_free(np.ones((14, 14), bool)), (formation,))
    found = march(manoeuvre, tick=0.25).value
    assert found is not None
    for scene in (march_scene(manoeuvre, found), moment_scene(manoeuvre, found, 0)):  # the same in each moment
        crosses = [item for item in scene.legend if isinstance(item, Swatch) and item.shape == "cross"]
        assert [item.label for item in crosses] == (["fallen"] if seconds < 1000 else [])
    assert "fallen" not in [item.label for item in manoeuvre_scene(manoeuvre).legend]


def test_the_error_at_every_place_is_least_where_the_unit_belongs() -> None:
    schema = wedge(5)
    places = schema.places + 100.0
    scene = error_scene(schema, places, 3, (0.0, 0.0, 240.0, 240.0), title="error")
    image = next(layer for layer in scene.layers if isinstance(layer, ImageLayer))
    far = np.abs(image.pixels.astype(int) - WORTH[0, :3]).sum(2)  # from the colour of the best
    row, column = np.unravel_index(int(far.argmin()), far.shape)
    side = 240.0 / len(far)
    assert np.hypot(*(np.array([column + 0.5, row + 0.5]) * side - places[3])) < 2 * side
    assert scene.legend and scene.title == "error"
    with pytest.raises(InputError):
        error_scene(schema, places, 5, (0.0, 0.0, 240.0, 240.0))
