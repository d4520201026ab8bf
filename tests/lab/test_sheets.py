"""Sheets of maps: the recipes of a table of settings, and many maps made in worker processes."""

import pytest

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import generate, generator
from anabasis.lab.sheets import laid_out, make_all, sheet_recipes
from anabasis.noun import state_hash

ROWS = [generator("maze"), generator("obstacles"), generator("value-noise")]


def test_each_generator_has_a_recipe_for_each_seed_in_order() -> None:
    recipes = sheet_recipes(ROWS, [3, 1], 20, 12, {})
    assert [(recipe.generator, recipe.seed) for recipe in recipes] == [
        (name, seed) for name in ("maze", "obstacles", "value-noise") for seed in (3, 1)
    ]
    assert all((recipe.width, recipe.height) == (20, 12) for recipe in recipes)
    assert recipes[0] == generate("maze", 20, 12, seed=3).recipe


def test_settings_go_to_those_that_have_them() -> None:
    recipes = sheet_recipes(ROWS, [0], 20, 12, {"loops": "0.5", "share": 0.4})
    assert recipes[0].parameters["loops"] == 0.5
    assert recipes[1].parameters["share"] == 0.4
    assert "loops" not in recipes[1].parameters and "share" not in recipes[0].parameters
    assert recipes[2].parameters == generator("value-noise").values({})


def test_a_setting_that_none_has_is_refused() -> None:
    with pytest.raises(InputError, match=r"maze has no parameter 'lops'.*did you mean loops"):
        sheet_recipes(ROWS, [0], 20, 12, {"lops": 1})
    with pytest.raises(InputError, match="loops of maze; found 2; expected a number from 0 to 1"):
        sheet_recipes(ROWS, [0], 20, 12, {"loops": 2})


def hashes(made: list[GameMap | InputError]) -> list[str]:
    """The hash of each map, the text of each error."""
    return [str(one) if isinstance(one, InputError) else state_hash(one) for one in made]


def test_workers_make_no_difference_and_report() -> None:
    recipes = sheet_recipes(ROWS, [1, 2], 15, 11, {})
    seen: list[tuple[int, int]] = []
    alone = make_all(recipes, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 6) for number in range(1, 7)]
    assert [one.recipe for one in alone if isinstance(one, GameMap)] == recipes
    seen.clear()
    together = make_all(recipes, workers=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 6) for number in range(1, 7)]
    assert hashes(together) == hashes(alone)
    assert len(set(hashes(alone))) == 6


def test_no_map_and_more_workers_than_maps() -> None:
    assert make_all([], workers=4) == []
    only = make_all(sheet_recipes(ROWS[:1], [5], 9, 9, {}), workers=4)
    assert hashes(only) == [state_hash(generate("maze", 9, 9, seed=5))]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_refused_map_leaves_its_reason_and_the_others(workers: int) -> None:
    good = sheet_recipes(ROWS[:1], [0], 9, 9, {})
    bad = Recipe("maze", 2, 9, 0, generator("maze").values({}))
    before, error, after = make_all([*good, bad, *good], workers=workers)
    assert isinstance(error, InputError)
    assert str(error) == "width of maze; found 2; expected a whole number from 3 to 16384"
    assert error.expected == "a whole number from 3 to 16384"
    assert hashes([before]) == hashes([after]) == [state_hash(generate("maze", 9, 9))]


@pytest.mark.parametrize(("seeds", "columns", "places"), [(2, 2, 6), (8, 8, 24), (9, 5, 30), (16, 8, 48), (17, 6, 54)])
def test_each_generator_begins_a_line_of_the_sheet(seeds: int, columns: int, places: int) -> None:
    recipes = sheet_recipes(ROWS, range(seeds), 3, 3, {})
    made: list[GameMap | InputError] = [*make_all(recipes)]
    made[seeds] = InputError("no map")
    maps, titles, across = laid_out(recipes, made, seeds=seeds)
    assert (across, len(maps), len(titles)) == (columns, places, places)
    a_row = places // 3
    assert a_row % columns == 0, "whole lines"
    for number, row in enumerate(ROWS):
        begin = number * a_row
        assert titles[begin : begin + seeds] == [f"{row.name}, seed {seed}" for seed in range(seeds)]
        assert titles[begin + seeds : begin + a_row] == [""] * (a_row - seeds)
        assert maps[begin + seeds : begin + a_row] == [None] * (a_row - seeds)
    assert maps[a_row] is None and titles[a_row] == "obstacles, seed 0", "a refused map leaves its place and title"
    assert sum(one is not None for one in maps) == 3 * seeds - 1


def test_one_map_of_each_fills_a_square() -> None:
    recipes = sheet_recipes(ROWS, [5], 3, 3, {})
    maps, titles, across = laid_out(recipes, make_all(recipes), seeds=1)
    assert across == 2 and len(maps) == 3 and titles[0] == f"{ROWS[0].name}, seed 5"


@pytest.mark.parametrize("workers", [0, -1, 1.5])
def test_the_number_of_workers_is_checked(workers: object) -> None:
    with pytest.raises(InputError, match="number of workers"):
        make_all([], workers=workers)  # pyright: ignore[reportArgumentType]
