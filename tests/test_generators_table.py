"""The table of generators: parameters by name and range, near names, versions."""

from dataclasses import replace

import numpy as np
import pytest

from anabasis import generators
from anabasis.errors import InputError
from anabasis.gamemap import Recipe
from anabasis.generators import GENERATORS, Generator, Parameter, generate, generator, make_again
from anabasis.noun import state_hash

WHOLE = Parameter("count", 3, 1, 9, "how many")
REAL = Parameter("share", 0.5, 0, 1, "how much")
FREE = Parameter("free", 3)
TRUTH = Parameter("open", True)
CHOICE = Parameter("kind", "sum", choices=("sum", "ridged"))
TEXT = Parameter("movement", "land")
MANY = Parameter("widths", "1,2", 1, 9, many=True)


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        (WHOLE, 4, 4),
        (WHOLE, "4", 4),
        (WHOLE, " 9 ", 9),
        (WHOLE, 1.0, 1),
        (WHOLE, np.int64(5), 5),
        (REAL, 1, 1.0),
        (REAL, "0.25", 0.25),
        (REAL, "1e-3", 0.001),
        (REAL, np.float64(0.1), 0.1),
        (FREE, -7, -7),
        (TRUTH, False, False),
        (TRUTH, "yes", True),
        (TRUTH, "No", False),
        (TRUTH, 0, False),
        (CHOICE, "ridged", "ridged"),
        (TEXT, "G:1", "G:1"),
        (MANY, "3", "3"),
        (MANY, 3, "3"),
        (MANY, "1, 2 ,9", "1,2,9"),
        (MANY, (4, 5), "4,5"),
        (MANY, [4, np.int64(5)], "4,5"),
    ],
)
def test_values_become_the_parameter_s_type(parameter: Parameter, given: object, value: object) -> None:
    found = parameter.check(given, "it")
    assert found == value
    assert type(found) is type(value)
    assert parameter.check(found, "it") == found


@pytest.mark.parametrize(
    ("parameter", "given", "message"),
    [
        (WHOLE, 0, "count of it; found 0; expected a whole number from 1 to 9"),
        (WHOLE, 10, "count of it; found 10; expected a whole number from 1 to 9"),
        (WHOLE, 2.5, "count of it; found 2.5; expected a whole number from 1 to 9"),
        (WHOLE, "two", "count of it; found 'two'; expected a whole number from 1 to 9"),
        (WHOLE, "", "count of it; found ''; expected a whole number from 1 to 9"),
        (WHOLE, True, "count of it; found True; expected a whole number from 1 to 9"),
        (WHOLE, None, "count of it; found None; expected a whole number from 1 to 9"),
        (WHOLE, float("nan"), "count of it; found nan; expected a whole number from 1 to 9"),
        (FREE, float("inf"), "free of it; found inf; expected a whole number"),
        (FREE, "-inf", "free of it; found -inf; expected a whole number"),
        (REAL, 1.001, "share of it; found 1.001; expected a number from 0 to 1"),
        (REAL, -1e-9, "share of it; found -1e-09; expected a number from 0 to 1"),
        (REAL, "nan", "share of it; found nan; expected a number from 0 to 1"),
        (REAL, "half", "share of it; found 'half'; expected a number from 0 to 1"),
        (TRUTH, "perhaps", "open of it; found 'perhaps'; expected true or false"),
        (TRUTH, 2, "open of it; found 2; expected true or false"),
        (CHOICE, "Sum", "kind of it; found 'Sum'; expected sum or ridged"),
        (CHOICE, 1, "kind of it; found 1; expected sum or ridged"),
        (MANY, "", "widths of it; found ''; expected a whole number from 1 to 9"),
        (MANY, "1,,2", "widths of it; found ''; expected a whole number from 1 to 9"),
        (MANY, "1,10", "widths of it; found 10; expected a whole number from 1 to 9"),
        (MANY, (1, 2.5), "widths of it; found 2.5; expected a whole number from 1 to 9"),
    ],
)
def test_wrong_values_say_what_is_expected(parameter: Parameter, given: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parameter.check(given, "it")
    assert str(caught.value) == message


def test_spans_are_for_people() -> None:
    spans = [parameter.span for parameter in (WHOLE, REAL, FREE, TRUTH, CHOICE, TEXT, MANY)]
    assert spans == ["1 to 9", "0 to 1", "", "yes or no", "sum ridged", "text", "1 to 9"]


def test_functions_get_many_numbers_as_a_tuple() -> None:
    assert MANY.given("1,2,9") == (1, 2, 9)
    assert MANY.given("7") == (7,)
    assert [p.given(p.default) for p in (WHOLE, REAL, TRUTH, CHOICE)] == [3, 0.5, True, "sum"]


def test_unknown_names_say_which_are_near() -> None:
    with pytest.raises(
        InputError, match=r"unknown generator; found 'maz'; expected island or .*Hint: did you mean maze"
    ):
        generator("maz")
    with pytest.raises(InputError, match="unknown generator; found 'xyz'") as caught:
        generate("xyz")
    assert caught.value.hint is None
    with pytest.raises(InputError, match="unknown generator; found 7"):
        generator(7)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match=r"no parameter 'lops'; expected one of algorithm.*did you mean loops"):
        generate("maze", 9, lops=1)
    bare = Generator("bare", "structured", "nowhere:nothing", "", "")
    with pytest.raises(InputError, match="bare has no parameter 'x'; expected none"):
        bare.values({"x": 1})


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "seven", float("nan"), None])
def test_seeds_are_whole_numbers(seed: object) -> None:
    with pytest.raises(InputError, match="seed of a recipe"):
        generate("maze", 9, seed=seed)  # pyright: ignore[reportArgumentType]


def test_sizes_and_defaults() -> None:
    square = generate("maze", 9)
    assert square.recipe == Recipe("maze", 9, 9, 0, generator("maze").values({}), generator("maze").version)
    assert (generate("maze", 9, 7).width, generate("maze", 9, 7).height) == (9, 7)
    with pytest.raises(InputError, match="width of maze; found 2; expected a whole number from 3 to 16384"):
        generate("maze", 2)
    with pytest.raises(InputError, match="height of maze; found 16385; expected a whole number from 3 to 16384"):
        generate("maze", 9, 16385)
    with pytest.raises(InputError, match="at most 67108864 cells"):
        generate("maze", 16384)


def test_the_recipe_holds_every_parameter_as_it_was_checked() -> None:
    game_map = generate("halls", 40, 30, seed=3, widths=(2, 3), count="2")
    assert game_map.recipe is not None
    assert game_map.recipe.parameters == {"count": 2, "funnel": 0, "rim": 1, "thickness": 1, "widths": "2,3"}
    assert state_hash(game_map) == state_hash(generate("halls", 40, 30, seed=3, widths="2,3", count=2))


def test_every_row_can_be_loaded() -> None:
    for row in GENERATORS:
        assert generator(row.name) is row
        assert row.values({}) == {parameter.name: parameter.default for parameter in row.parameters}


def test_a_recipe_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = generate("maze", 9, seed=4).recipe
    assert recipe is not None
    assert state_hash(make_again(recipe)) == state_hash(generate("maze", 9, seed=4))
    newer = tuple(replace(row, version=row.version + 1) for row in GENERATORS)
    monkeypatch.setattr(generators, "GENERATORS", newer)
    with pytest.raises(InputError) as caught:
        make_again(recipe)
    assert str(caught.value) == (
        f"the map was made by another version of maze; found version {recipe.version}; expected version "
        f"{recipe.version + 1}. Hint: make a new one from the same seed, which will differ"
    )
    again = generate("maze", 9, seed=4).recipe
    assert again is not None and again.version == recipe.version + 1


def test_a_recipe_with_wrong_parameters_is_refused() -> None:
    values = generator("maze").values({})
    for parameters, message in (
        ({**values, "loops": 2.0}, "loops of maze"),
        ({**values, "colour": 1}, "maze has no parameter 'colour'"),
    ):
        with pytest.raises(InputError, match=message):
            make_again(Recipe("maze", 9, 9, 0, parameters))
    with pytest.raises(InputError, match="unknown generator"):
        make_again(Recipe("labyrinth", 9, 9, 0, {}))


def test_strips_of_climate_refuse_a_palette_and_keep_their_sea():
    with pytest.raises(InputError, match="strips of climate have palettes of their own; found palette=hot"):
        generate("hills", 33, climate="strips", palette="hot")
    made = generate("genetic-terrain", 65, seed=3, climate="strips")
    below = (made.heights < made.sea).mean()
    assert abs(below - 0.5) < 0.02, "half of the cells are sea in every strip"
