import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis import Change, Grid, Group, InputError, Limits, Scenario, Steering, Target, state_hash
from anabasis.io.image import save_image
from anabasis.io.movingai import save_map
from anabasis.io.scenario import load_scenario, save_scenario, scenario_from_dict

FULL = '''
schema = "anabasis/scenario"
schema_version = 1
name = "two rooms"
note = """Why this one
matters."""
seed = 4

[map]
text = """
....................
....................
.........#..........
.........#....WWW...
.........#..........
....................
"""

[[groups]]
name = "left"
rectangle = { x = 0, y = 0, width = 6, height = 6, count = 30 }
target = { x = 18.5, y = 3 }
radius = 0.4

[[groups]]
disc = { x = 13, y = 2, radius = 2, count = 3 }
positions = [[13.5, 0.5], [15, 5.5]]
speed = 0.2
movement = "amphibious"
target = { x = 1, y = 1, radius = 1.5 }

[[changes]]
step = 100
terrain = "#"
rectangle = { x = 9, y = 0, width = 1, height = 2 }

[[changes]]
step = 50
terrain = "."
cells = [[9, 2], [9, 3]]

[limits]
steps = 500

[steering]
seek = 2
replanning = false
'''


@pytest.fixture
def full(tmp_path: Path) -> Path:
    path = tmp_path / "full.scenario.toml"
    path.write_text(FULL, "utf-8")
    return path


def document(**more: object) -> dict[str, object]:
    return {
        "schema": "anabasis/scenario",
        "schema_version": 1,
        "map": {"text": "......\n......\n......"},
        "groups": [{"positions": [[0.5, 0.5]], "target": {"x": 5.5, "y": 2.5}}],
        **more,
    }


def test_everything_is_read(full: Path) -> None:
    scenario = load_scenario(full)
    assert (scenario.name, scenario.note, scenario.seed) == ("two rooms", "Why this one\nmatters.", 4)
    assert (scenario.grid.width, scenario.grid.height) == (20, 6)
    first, second = scenario.groups
    assert (first.name, first.size, first.radius, first.speed) == ("left", 30, 0.4, 0.15)
    assert (first.target, first.movement) == (Target(18.5, 3.0, 2.0), "land")
    assert (second.size, second.speed, second.movement, second.radius) == (5, 0.2, "amphibious", 0.5)
    assert second.positions[:2].tolist() == [[13.5, 0.5], [15, 5.5]]
    assert [c.step for c in scenario.changes] == [50, 100]
    assert scenario.changes[0].letter == "." and scenario.changes[0].cells.tolist() == [[9, 2], [9, 3]]
    assert scenario.changes[1].letter == "@" and scenario.changes[1].cells.tolist() == [[9, 0], [9, 1]]
    assert scenario.limits == Limits(steps=500)
    assert scenario.steering == Steering(seek=2.0, replanning=False)


def test_defaults_are_those_of_the_nouns() -> None:
    scenario = scenario_from_dict(document())
    expected = Scenario(Grid.from_text("......\n......\n......"), (Group(np.array([[0.5, 0.5]]), Target(5.5, 2.5)),))
    assert state_hash(scenario) == state_hash(expected)


def test_every_limit_and_steering_field_can_be_set() -> None:
    for name, noun in (("limits", Limits), ("steering", Steering)):
        for field in dataclasses.fields(noun):
            value = not field.default if isinstance(field.default, bool) else field.default * 0.5
            if isinstance(field.default, int) and not isinstance(field.default, bool):
                value = field.default + 1
            scenario = scenario_from_dict(document(**{name: {field.name: value}}))
            assert getattr(getattr(scenario, name), field.name) == value
            assert type(getattr(getattr(scenario, name), field.name)) is type(field.default)


def test_saved_and_loaded_again(full: Path, tmp_path: Path) -> None:
    scenario = load_scenario(full)
    save_scenario(scenario, tmp_path / "again.scenario.toml")
    again = load_scenario(tmp_path / "again.scenario.toml")
    assert state_hash(again) == state_hash(scenario)
    first = (tmp_path / "again.scenario.toml").read_bytes()
    save_scenario(again, tmp_path / "again.scenario.toml")
    assert (tmp_path / "again.scenario.toml").read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.scenario.toml", "full.scenario.toml"]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_scenario_comes_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    letters = data.draw(st.text(".GSE159W", min_size=width * height, max_size=width * height))
    terrain = np.frombuffer(letters.encode(), np.uint8).reshape(height, width)
    x = st.floats(0, width, exclude_max=True, allow_subnormal=False)
    y = st.floats(0, height, exclude_max=True, allow_subnormal=False)
    small = st.floats(0.001, 0.5)
    groups = tuple(
        Group(
            np.array(data.draw(st.lists(st.tuples(x, y), min_size=1, max_size=4))),
            Target(data.draw(x), data.draw(y), data.draw(small)),
            data.draw(small),
            data.draw(small),
            "amphibious",
            data.draw(texts),
        )
        for _ in range(data.draw(st.integers(1, 3)))
    )
    cells = st.lists(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)), max_size=3)
    changes = tuple(
        Change(data.draw(st.integers(0, 9)), np.array(data.draw(cells)), data.draw(st.sampled_from("@.W5")))
        for _ in range(data.draw(st.integers(0, 3)))
    )
    grid = Grid.from_terrain(terrain, data.draw(st.sampled_from(["land", "amphibious"])))
    scenario = Scenario(
        grid,
        groups,
        changes,
        Limits(steps=data.draw(st.integers(1, 2**40))),
        Steering(seek=data.draw(st.floats(0, 1e9))),
        data.draw(st.integers(0, 2**63 - 1)),
        data.draw(texts),
        data.draw(texts),
    )
    path = tmp_path_factory.getbasetemp() / "any.toml"
    save_scenario(scenario, path)
    assert state_hash(load_scenario(path)) == state_hash(scenario)


@pytest.mark.parametrize(
    ("grid", "beside"),
    [
        (Grid.from_free(np.ones((256, 256), bool)), None),
        (Grid.from_free(np.ones((256, 257), bool)), "a.map"),
        (Grid.from_terrain(np.full((256, 257), ord("5"))), "a.txt"),
        (Grid(np.full((3, 3), 1.5), np.full((3, 3), 46)), "a.npz"),
        (Grid(np.ones((3, 3)), np.full((3, 3), 46), 2.0), "a.npz"),
    ],
)
def test_where_the_map_goes(grid: Grid, beside: str | None, tmp_path: Path) -> None:
    scenario = Scenario(grid, (Group(np.array([[0.5, 0.5]]), Target(1.0, 1.0)),))
    save_scenario(scenario, tmp_path / "a.scenario.toml")
    files = {p.name for p in tmp_path.iterdir()} - {"a.scenario.toml"}
    assert files == ({beside} if beside else set())
    assert state_hash(load_scenario(tmp_path / "a.scenario.toml")) == state_hash(scenario)


def test_map_files_and_images(tmp_path: Path) -> None:
    grid = Grid.from_text("...\n.@.\n..W", "water")
    save_map(grid, tmp_path / "a.map")
    (tmp_path / "maps").mkdir()
    save_image(Grid.from_text("...\n.@.\n..."), tmp_path / "maps" / "b.png")
    group = {"positions": [[0.5, 0.5]], "target": {"x": 2.5, "y": 0.5}}
    for table, free in (
        ({"file": "a.map"}, "111/101/110"),
        ({"file": "a.map", "movement": "amphibious"}, "111/101/111"),
        ({"file": "maps/b.png"}, "111/101/111"),
        ({"file": "./maps/b.png", "threshold": 255}, "111/101/111"),
    ):
        scenario = scenario_from_dict(document(map=table, groups=[group]), folder=tmp_path)
        assert "/".join("".join(str(int(c)) for c in row) for row in scenario.grid.free) == free
    with pytest.raises(InputError, match=r"map.file: a map file without a folder; found 'a.map'; expected map.text"):
        scenario_from_dict(document(map={"file": "a.map"}))


def test_maps_stay_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    save_map(Grid.from_text("..."), tmp_path / "out.map")
    (tmp_path / "in" / "link.map").symlink_to(tmp_path / "out.map")
    for name in ("../out.map", str(tmp_path / "out.map"), "link.map", "a\0b", "sub/../../out.map"):
        with pytest.raises(InputError, match="the map file must lie in the folder of the scenario"):
            scenario_from_dict(document(map={"file": name}), folder=tmp_path / "in")


def test_scale_stretches_the_map_and_leaves_the_units() -> None:
    plain = document(
        groups=[
            {
                "positions": [[0.5, 0.5]],
                "disc": {"x": 2, "y": 1, "radius": 1},
                "target": {"x": 5.5, "y": 2.5, "radius": 1},
            }
        ],
        changes=[{"step": 1, "terrain": "T", "cells": [[3, 1]]}],
    )
    one = scenario_from_dict(plain)
    two = scenario_from_dict(plain, ["map.scale=2"])
    assert (two.grid.width, two.grid.height) == (12, 6)
    assert two.groups[0].positions[0].tolist() == [1, 1]
    assert two.groups[0].target == Target(11.0, 5.0, 2.0)
    assert (two.groups[0].radius, two.groups[0].speed) == (one.groups[0].radius, one.groups[0].speed)
    assert two.groups[0].size > 2 * one.groups[0].size
    assert sorted(two.changes[0].cells.tolist()) == [[6, 2], [6, 3], [7, 2], [7, 3]]
    by_hand = two.grid.with_terrain(two.changes[0].cells, "T")
    first = one.grid.with_terrain(one.changes[0].cells, "T").scaled(2)
    assert np.array_equal(by_hand.terrain, first.terrain)


def test_groups_are_packed_beside_each_other() -> None:
    area = {"rectangle": {"x": 0, "y": 0, "width": 6, "height": 3, "count": 9}, "target": {"x": 1, "y": 1}}
    scenario = scenario_from_dict(document(groups=[area, area]))
    places = np.concatenate([g.positions for g in scenario.groups])
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))[~np.eye(18, dtype=bool)]
    assert gaps.min() >= 1 - 1e-6
    with pytest.raises(InputError, match=r"groups\[2\].rectangle: the units don't fit; found room for 0 of radius 0.5"):
        scenario_from_dict(document(groups=[area] * 3))


def test_movement_of_the_map_is_the_default_of_its_groups() -> None:
    group = {"positions": [[0.5, 0.5]], "target": {"x": 1, "y": 0}}
    scenario = scenario_from_dict(document(map={"text": "WW", "movement": "water"}, groups=[group]))
    assert scenario.groups[0].movement == "water"
    assert scenario.grid.free.all()


def test_overrides(full: Path) -> None:
    scenario = load_scenario(full, ["groups.0.speed=0.3", "seed=9", "name=other words", "groups[1].target.x=2"])
    assert (scenario.groups[0].speed, scenario.seed, scenario.name) == (0.3, 9, "other words")
    assert scenario.groups[1].target.x == 2
    assert load_scenario(full, ["groups.0.rectangle.count=7"]).groups[0].size == 7
    assert load_scenario(full, ["steering.replanning=true"]).steering.replanning


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["groups.0.speed=0.9"],
            "--set groups.0.speed=0.9: groups[0].speed: speed of a group; found 0.9; "
            "expected at most 0.5 cells a step, so that no step can jump a wall",
        ),
        (
            ["seed=1", "limits.steps=ten"],
            "--set limits.steps=ten: limits.steps: wrong kind of value; found 'ten'; expected a whole number",
        ),
        (["name=5"], "--set name=5: name: wrong kind of value; found 5; expected a text in quotes"),
        (
            ["seed=2", "groups.1.target.x=99", "name=x"],
            "--set groups.1.target.x=99: groups[1].target: the target of group 1 lies in a wall or outside the map",
        ),
        (["map.scale=0"], "--set map.scale=0: map.scale: scale of the map; found 0; expected at least 1"),
        (
            ["groups.0.radius=2.9"],
            "--set groups.0.radius=2.9: groups[0].rectangle: the units don't fit; found room for 1",
        ),
        (["map.scale=9000"], "--set map.scale=9000: the map is too large; found 180000 × 54000 cells"),
    ],
)
def test_faulty_overrides_are_named(full: Path, overrides: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_scenario(full, overrides)
    assert str(caught.value).startswith(message)


def test_a_fault_of_the_file_is_not_laid_on_an_override(full: Path) -> None:
    full.write_text(FULL.replace("x = 18.5", "x = 9.5"), "utf-8")
    with pytest.raises(InputError) as caught:
        load_scenario(full, ["seed=3"])
    assert str(caught.value).startswith(f"{full}: line 22, groups[0].target: the target of group 0 lies in a wall")


def test_the_document_is_not_changed() -> None:
    given_ = document()
    scenario_from_dict(given_, ["groups.0.speed=0.3", "limits.steps=7"])
    assert given_ == document()


def test_the_number_of_units_is_capped(full: Path) -> None:
    with pytest.raises(InputError, match=r"groups\[1\]: too many units; found 35; .* at most 34. Hint: .*--max-units"):
        load_scenario(full, max_units=34)
    assert load_scenario(full, max_units=35).size == 35


def test_a_text_that_utf8_cannot_hold(tmp_path: Path) -> None:
    scenario = dataclasses.replace(scenario_from_dict(document()), name="\ud800")
    with pytest.raises(InputError, match="a text that can't be written"):
        save_scenario(scenario, tmp_path / "a.toml")
    assert not list(tmp_path.iterdir())
