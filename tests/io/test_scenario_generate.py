"""Scenarios whose map is generated: `[map.generate]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from anabasis import InputError, Scenario, state_hash
from anabasis.errors import AnabasisError
from anabasis.generators import GENERATORS, Generator, generate
from anabasis.io.scenario import load_scenario, save_scenario, scenario_from_dict

FAMILIES = {family: next(row for row in GENERATORS if row.family == family) for family in ("structured", "heights")}
STRUCTURED = [row for row in GENERATORS if row.family == "structured"]


def scenario_of(free: NDArray[np.bool_] | None = None, scale: int = 1, **table: Any) -> Scenario:
    """A scenario with one unit that stands on its target, on the first free cell of the map."""
    y, x = (0, 0) if free is None else np.argwhere(free)[0].tolist()
    place = {"x": x + 0.5, "y": y + 0.5}
    return scenario_from_dict(
        {
            "schema": "anabasis/scenario",
            "schema_version": 1,
            "map": {"generate": table, "scale": scale},
            "groups": [{"positions": [[x + 0.5, y + 0.5]], "radius": 0.3, "target": place}],
        }
    )


@pytest.mark.parametrize("row", [*STRUCTURED, FAMILIES["heights"]], ids=lambda row: row.name)
def test_the_map_is_that_of_the_generator(row: Generator) -> None:
    free = generate(row.name, 40, 32, seed=6).grid().free
    made = scenario_of(free, generator=row.name, width=40, height=32, seed=6)
    assert np.array_equal(made.grid.terrain, generate(row.name, 40, 32, seed=6).terrain)


def test_without_more_words_the_map_is_square_with_seed_0_and_the_defaults() -> None:
    free = generate("maze", 21).grid().free
    assert np.array_equal(scenario_of(free, generator="maze", width=21).grid.free, free)


def test_parameters_of_every_kind_reach_the_generator() -> None:
    values: dict[str, Any] = {"share": 0.35, "least": 2, "most": 3, "connected": False}
    free = generate("obstacles", 30, seed=2, **values).grid().free
    assert not np.array_equal(free, generate("obstacles", 30, seed=2).grid().free)
    made = scenario_of(free, generator="obstacles", width=30, seed=2, parameters=values)
    assert np.array_equal(made.grid.free, free)
    free = generate("maze", 21, algorithm="wilson").grid().free
    made = scenario_of(free, generator="maze", width=21, parameters={"algorithm": "wilson"})
    assert np.array_equal(made.grid.free, free)


def test_a_generated_map_can_be_scaled_and_seen_by_a_movement_class() -> None:
    free = generate("maze", 9).grid().free
    made = scenario_of(free, scale=3, generator="maze", width=9)
    assert np.array_equal(made.grid.free, free.repeat(3, axis=0).repeat(3, axis=1))
    land = generate("island", 33, seed=1, rivers=0, forest=0.0, players=0, bridges=False)
    x, y = np.argwhere((land.terrain == ord("W")).T)[0].tolist()
    data: dict[str, Any] = {
        "schema": "anabasis/scenario",
        "schema_version": 1,
        "map": {
            "generate": {
                "generator": "island",
                "width": 33,
                "seed": 1,
                "parameters": {"rivers": 0, "forest": 0, "players": 0, "bridges": False},
            },
            "movement": "water",
        },
        "groups": [{"positions": [[x + 0.5, y + 0.5]], "radius": 0.3, "target": {"x": x + 0.5, "y": y + 0.5}}],
    }
    assert np.array_equal(scenario_from_dict(data).grid.free, land.grid("water").free)
    data["map"] = {**data["map"], "movement": "land"}
    with pytest.raises(InputError, match="unit 0 of group 0"):
        scenario_from_dict(data)


def test_a_file_gives_the_same_scenario_each_time_and_after_saving(tmp_path: Path) -> None:
    file = tmp_path / "maze.toml"
    file.write_text(
        'schema = "anabasis/scenario"\nschema_version = 1\n\n'
        '[map.generate]\ngenerator = "maze"\nwidth = 15\nheight = 9\nseed = 3\nparameters = { loops = 0.5 }\n\n'
        "[[groups]]\npositions = [[1.5, 1.5]]\nradius = 0.3\ntarget = { x = 13.5, y = 7.5 }\n"
    )
    first = load_scenario(file)
    assert (first.grid.width, first.grid.height) == (15, 9)
    assert state_hash(load_scenario(file)) == state_hash(first)
    save_scenario(first, tmp_path / "copy.toml")
    assert state_hash(load_scenario(tmp_path / "copy.toml")) == state_hash(first)
    text = file.read_text()
    file.write_text(text.replace("seed = 3", "seed = 4"))
    assert state_hash(load_scenario(file)) != state_hash(first)


def test_a_map_that_can_not_be_made_says_why_and_where() -> None:
    with pytest.raises(InputError, match=r"^map\.generate: the map can't hold 4 players; found .*; expected .*Hint"):
        scenario_of(generator="plains", width=6)


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ({"width": 9}, "generator"),
        ({"generator": "maze"}, "width"),
        ({"generator": "maze", "width": 9, "height": 2}, "height"),
        ({"generator": "maze", "width": 9.5}, "width"),
        ({"generator": "maze", "width": True}, "width"),
        ({"generator": "maze", "width": 9, "seed": "x"}, "seed"),
        ({"generator": "maze", "width": 9, "seed": 2**63}, "seed"),
        ({"generator": "maze", "width": 9, "parameters": {"loops": None}}, "parameters"),
        ({"generator": "maze", "width": 9, "parameters": {"loops": "often"}}, "loops"),
        ({"generator": "maze", "width": 9, "parameters": [1]}, "parameters"),
        ({"generator": "maze", "width": 9, "parameters": {"": 1}}, "no parameter ''"),
        ({"generator": "maze", "width": 9, "parameters": {"seed": 1}}, "no parameter 'seed'"),
        ({"generator": "maze", "width": 9, "parameters": {"width": 1}}, "no parameter 'width'"),
        ({"generator": 5, "width": 9}, "generator"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(table: dict[str, Any], place: str) -> None:
    with pytest.raises(AnabasisError) as caught:
        scenario_of(**table)
    assert isinstance(caught.value, InputError)
    assert "map.generate" in str(caught.value) and place in str(caught.value)
    assert not any(word in str(caught.value) for word in ("Error", "Traceback", "object at 0x", "argument"))
