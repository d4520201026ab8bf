"""Manoeuvre files: what is painted is on the map, whatever is wrong is named with its line, those that ship march."""

from pathlib import Path

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.files import example, examples, load_manoeuvre
from anabasis.formation.march import march
from anabasis.grid import Grid
from anabasis.io.movingai import save_map
from anabasis.lab.studies.formation_factors import SCENARIOS
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Manoeuvre
from anabasis.metrics.marches import march_faults
from anabasis.result import Status

HEAD = """schema = "anabasis/manoeuvre"
schema_version = 1

[map]
width = 12
height = 9
"""
FORMATION = """
[[formation]]
shape = "wedge"
units = 3
start = [8, 6]

[[formation.order]]
places = [[8, 2]]
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "a.manoeuvre.toml"
    file.write_text(text)
    return file


def loaded(tmp_path: Path, text: str, *overrides: str) -> Manoeuvre:
    return load_manoeuvre(written(tmp_path, text), overrides)


def prices(manoeuvre: Manoeuvre) -> np.ndarray:
    """Return the cost of the step east out of each vertex."""
    assert isinstance(manoeuvre.space, Lattice)
    return manoeuvre.space.cost[:, :, 1]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_scenarios_of_the_source_have_its_sizes(name: str) -> None:
    manoeuvre = load_manoeuvre(example(name))
    assert isinstance(manoeuvre.space, Lattice)
    assert (manoeuvre.space.width, manoeuvre.space.height) == (50, 60 if name == "canyon" else 50)
    assert manoeuvre.name == name.replace("_", " ")
    assert len(manoeuvre.formations) == 1


@pytest.mark.parametrize("name", sorted({*examples()} - {*SCENARIOS}))
def test_whatever_else_ships_is_marched_to_its_end(name: str) -> None:
    manoeuvre = load_manoeuvre(example(name))
    result = march(manoeuvre)
    assert result.status is Status.SOLVED and result.value is not None and not any(result.value.trouble)
    assert march_faults(manoeuvre, result.value.trace, result.value.logical, tick=result.value.tick) == []


@pytest.mark.parametrize("name", examples())
def test_nobody_is_drawn_off_the_map(name: str) -> None:
    manoeuvre = load_manoeuvre(example(name))
    space = manoeuvre.space
    assert isinstance(space, (Grid, Lattice))
    width, height = (space.width, space.height) if isinstance(space, Grid) else space.extent
    for formation in manoeuvre.formations:
        places = np.array(formation.start) + formation.schema.turned(formation.azimuth)
        assert (places >= -1e-9).all() and (places <= np.array((width, height)) + 1e-9).all()


def test_the_scenarios_of_the_source_ship() -> None:
    assert len(SCENARIOS) == 6 and {*SCENARIOS} <= {*examples()}


def test_a_manoeuvre_that_ships_is_marched() -> None:
    result = march(load_manoeuvre(example("turnaround")), tick=0.1)
    assert result.status is Status.SOLVED and result.value is not None
    leader = result.value.trace.positions[-1, 0]
    assert leader.tolist() == pytest.approx([470.0, 27 * 20 * 3**0.5 / 2])


def test_the_passage_of_the_canyon_is_narrower_than_the_formations_of_the_source() -> None:
    space = load_manoeuvre(example("canyon")).space
    assert isinstance(space, Lattice)
    open_ = np.isfinite(space.cost[22]).any(axis=1)
    gap = np.flatnonzero(open_ & (np.arange(50) < 30))
    assert (np.diff(gap) == 1).all() and 2 <= len(gap) <= 4
    assert open_[40:].sum() > len(gap)


def test_strokes_are_painted_one_after_the_other(tmp_path: Path) -> None:
    text = (
        HEAD
        + """cost = 2.0

[[map.paint]]
operation = "add"
cost = 1.0

[[map.paint]]
line = [[0, 4], [22, 4]]
width = 1
operation = "multiply"
cost = 3.0

[[map.paint]]
line = [[8, 0]]
width = 2
blocked = true
"""
    )
    cost = prices(loaded(tmp_path, text + FORMATION))
    assert (cost[7, :-1] == 3.0).all()
    assert (cost[4, :-1] == 9.0).all()
    blocked = np.isinf(cost[:, :-1])
    assert blocked[0, 2:6].tolist() == [True, True, True, True]  # the centre and who is beside it, and steps to them
    assert not blocked[0, 6:].any() and not blocked[3:].any()


def test_places_of_triangles_are_logical_coordinates_and_those_of_cells_are_cells(tmp_path: Path) -> None:
    (formation,) = loaded(tmp_path, HEAD + FORMATION).formations
    assert formation.start == pytest.approx((80.0, 6 * 20 * 3**0.5 / 2))
    assert np.hypot(*formation.schema.places[1]) == pytest.approx(40.0)
    (tmp_path / "hall.map").write_text("type octile\nheight 9\nwidth 12\nmap\n" + "............\n" * 9)
    text = HEAD.replace("width = 12\nheight = 9\n", 'file = "hall.map"\n')
    manoeuvre = loaded(tmp_path, text + FORMATION.replace("[8, 6]", "[8.5, 6.5]"))
    assert isinstance(manoeuvre.space, Grid)
    assert manoeuvre.formations[0].start == (8.5, 6.5)
    assert np.hypot(*manoeuvre.formations[0].schema.places[1]) == pytest.approx(2.0)


def test_spots_orders_and_modules_may_be_written_out(tmp_path: Path) -> None:
    text = (
        HEAD
        + """
[[formation]]
spots = [[0, 0], [-40, 30], [40, 30]]
commander = [0, 0, 0]
bound = [[1, 2]]
start = [8, 6]
pace = [1, 2, 1]

[formation.modules]
planning = "bends"
bend = 20

[[formation.order]]
places = [[8, 2], [2, 2]]

[[formation.order]]
time = 9.5
places = [[8, 6]]
"""
    )
    (formation,) = loaded(tmp_path, text, "formation.0.modules.paths=simple").formations
    assert len(formation.schema.bindings) == 6
    assert [order.time for order in formation.orders] == [0.0, 9.5]
    assert (formation.modules.planning, formation.modules.bend, formation.modules.paths) == ("bends", 20.0, "simple")
    assert formation.pace.tolist() == [1.0, 2.0, 1.0]


STROKE = "\n[[map.paint]]\n"
WRONG = {
    "a formation of a shape; found commander": HEAD + FORMATION.replace("units", "commander = [0]\nunits"),
    "a formation of spots; found units": HEAD
    + FORMATION.replace('shape = "wedge"', "spots = [[0, 0]]\ncommander = [0]"),
    "a map of triangles; found movement": HEAD + 'movement = "land"\n' + FORMATION,
    "width of a stroke; found 0": HEAD + STROKE + "cost = 1.0\nwidth = 0\n" + FORMATION,
    "a factor of costs; found 0": HEAD + STROKE + 'cost = 0.0\noperation = "multiply"\n' + FORMATION,
    "line 4, map: a map; found neither file nor both": HEAD.replace("width = 12\n", "") + FORMATION,
    "line 8, map.paint[0]: a stroke; found neither cost nor blocked": HEAD + STROKE + "width = 3\n" + FORMATION,
    "operation of a stroke; found 'mix'": HEAD + STROKE + 'cost = 1.0\noperation = "mix"\n' + FORMATION,
    "costs of a map; found -1 somewhere": HEAD + STROKE + 'cost = -2.0\noperation = "add"\n' + FORMATION,
    "formation[0]: a formation; found neither shape nor spots": HEAD + FORMATION.replace('shape = "wedge"\n', ""),
    "formation[0]: a formation of a shape; found no units": HEAD + FORMATION.replace("units = 3\n", ""),
    "unknown shape of a formation; found 'blob'": HEAD + FORMATION.replace("wedge", "blob"),
    "line 13, formation[0].order[0]: places of an order; found none": HEAD + FORMATION.replace("[[8, 2]]", "[]"),
    "a.manoeuvre.toml: 'map' is missing; expected [map]": HEAD[: HEAD.index("[map]")] + FORMATION,
    "line 3, formation: a manoeuvre; found no formation; expected one or more. Hint: each is a table [[formation]]": (
        HEAD.replace("\n\n", "\nformation = []\n\n")
    ),
    "a.manoeuvre.toml: 'formation' is missing; expected [[formation]] with start and order": HEAD,
    "unknown name 'unts'": HEAD + FORMATION.replace("units", "unts"),
    "not a manoeuvre; found 'anabasis/scenario'": HEAD.replace("manoeuvre", "scenario") + FORMATION,
    "schema_version: not a manoeuvre; found 2": HEAD.replace("version = 1", "version = 2") + FORMATION,
    "not valid TOML": HEAD + "[[formation]",
    "line 5, map.file: the map file must lie in the folder of the manoeuvre; found '../hall.map'; expected a relative "
    "path in it or below it. Hint: put the map beside the manoeuvre": HEAD.replace(
        "width = 12\nheight = 9\n", 'file = "../hall.map"\n'
    )
    + FORMATION,
    "line 5, map.file: there is no such map file; found 'hall.map'; expected a file in the folder of the manoeuvre. "
    "Hint: put the map beside the manoeuvre": HEAD.replace("width = 12\nheight = 9\n", 'file = "hall.map"\n')
    + FORMATION,
    "formation[0]: 'order' is missing; expected [[formation.order]] with places": HEAD
    + FORMATION[: FORMATION.index("[[formation.order]]")],
    "a map of a file; found width, height besides file; expected file, and movement at most": HEAD
    + 'file = "hall.map"\n'
    + FORMATION,
}


@pytest.mark.parametrize("message", WRONG)
def test_whatever_is_wrong_is_named_with_its_place(tmp_path: Path, message: str) -> None:
    with pytest.raises(InputError) as error:
        loaded(tmp_path, WRONG[message])
    assert str(error.value).startswith(str(tmp_path))
    assert message in str(error.value)


def test_an_override_that_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"^--set formation\.0\.modules\.planning=foo: formation\[0\]\.modules: unknown"
    ):
        loaded(tmp_path, HEAD + FORMATION, "formation.0.azimuth=3", "formation.0.modules.planning=foo")
    with pytest.raises(InputError, match=r"^--set formation\.0\.azimuth=north: formation\[0\]\.azimuth: wrong kind"):
        loaded(tmp_path, HEAD + FORMATION, "formation.0.azimuth=north")


def test_a_map_file_that_is_missing_is_named_with_who_asks_for_it(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    save_map(Grid.from_text("\n".join(["." * 12] * 9)), tmp_path / "maps" / "hall.map")
    text = HEAD.replace("width = 12\nheight = 9\n", 'file = "maps/hall.map"\n') + FORMATION
    assert isinstance(loaded(tmp_path, text).space, Grid)
    with pytest.raises(InputError) as error:
        loaded(tmp_path, text, "map.file=maps/hal.map")
    assert str(error.value) == (
        "--set map.file=maps/hal.map: map.file: there is no such map file; found 'maps/hal.map'; "
        "expected a file in the folder of the manoeuvre. Hint: there is maps/hall.map"
    )


def test_units_may_differ(tmp_path: Path) -> None:
    more = ["formation.0.radius=[0.25, 0.5, 1.0]", "formation.0.classes=[0, 1, 1]", "formation.0.falls=[[1, 2.5]]"]
    (formation,) = loaded(tmp_path, HEAD + FORMATION, "formation.0.units=3", *more).formations
    assert formation.radius.tolist() == [0.25, 0.5, 1.0]
    assert formation.schema.classes.tolist() == [0, 1, 1]
    assert formation.falls.tolist() == [np.inf, 2.5, np.inf]
    for wrong, said in (
        ("formation.0.falls=[[9, 2.5]]", "a unit that falls"),
        ("formation.0.radius=[1.0]", "radius of a formation"),
        ("formation.0.classes=[1]", "classes of a schema"),
        ("formation.0.radius=[1.0, 0, 1]", "radius of unit 1; found 0; expected a finite number above 0"),
        ("formation.0.pace=[1.0, 1, -2]", "pace of unit 2; found -2; expected a finite number above 0"),
        ("formation.0.falls=[[1, -3]]", "falls of unit 1; found -3; expected seconds from 0, inf for never"),
        (
            "formation.0.radius=0.4",
            r"found 0.4; expected a list. Hint: radius = \[number, …\], .* one for each unit",
        ),
        ("formation.0.pace=2.0", r"found 2.0; expected a list. Hint: pace = \[number, …\], a list, one for each unit"),
        ("formation.0.falls=3", r"found 3; expected a list. Hint: falls = \[\[unit, seconds\], …\]"),
        ("formation.0.order.0.places=[15.5, 5.5]", r"found 15.5; expected a list. Hint: places = \[\[x, y\], …\]"),
        ("formation.0.area=4", r"expected a list. Hint: area = \[width, depth\]"),
    ):
        with pytest.raises(InputError, match=said):
            loaded(tmp_path, HEAD + FORMATION, "formation.0.units=3", wrong)
