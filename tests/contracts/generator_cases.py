"""What the contracts ask of each generator of maps, and a digest of the maps of all of them."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import GENERATORS, Generator, Parameter, generate
from anabasis.noun import state_hash

LETTERS = {
    "structured": ".@",
    "heights": "W,G^*ithj",
    "world": "W,.GSTdfhijt^*=+~",
}
SAME_FOR_ALL_SEEDS = {
    "warehouse": "no shelf is left out by default",
}


def ends(parameter: Parameter) -> tuple[Any, ...]:
    """The least and the greatest value, or all choices."""
    if isinstance(parameter.default, bool):
        return (True, False)
    if parameter.choices:
        return parameter.choices
    if parameter.low is None or parameter.high is None:
        return (parameter.default,)
    if parameter.many or isinstance(parameter.default, int):
        return tuple(f"{value:.0f}" for value in (parameter.low, parameter.high))
    return (parameter.low, parameter.high)


def own_parameters(row: Generator) -> tuple[Parameter, ...]:
    """The parameters without those that its family has in common, which the first row of the family stands for."""
    family = [other for other in GENERATORS if other.family == row.family]
    if row == family[0]:
        return row.parameters
    common = set.intersection(*({parameter.name for parameter in other.parameters} for other in family))
    return tuple(parameter for parameter in row.parameters if parameter.name not in common)


def settings(parameters: Iterable[Parameter]) -> Iterator[dict[str, object]]:
    """Each parameter at its ends, or at each of its choices, the others as they are."""
    for parameter in parameters:
        for value in ends(parameter):
            yield {parameter.name: value}


def sizes(row: Generator) -> list[tuple[int, int]]:
    """The smallest map, strips of the smallest breadth, and a rectangle whose sides are prime."""
    least = row.least
    return [(least, least), (least, least + 37), (least + 37, least), (least + 1, least), (31, 23)]


def drawn(parameter: Parameter, rng: np.random.Generator) -> object:
    """A value at random, small numbers as often as large ones."""
    values = ends(parameter)
    if isinstance(parameter.default, bool) or parameter.choices or len(values) == 1:
        return values[int(rng.integers(len(values)))]
    low, high = float(str(values[0])), float(str(values[1]))
    step = min(1.0, high - low) / 2 ** int(rng.integers(1, 12))
    value = min(high, low + step * (((high - low) / step) ** rng.random() - rng.random()))
    if parameter.many:
        return ",".join(str(int(low + number)) for number in rng.integers(0, 6, int(rng.integers(1, 5))))
    return round(value) if isinstance(parameter.default, int) else max(low, value)


def attempt(row: Generator, width: int, height: int, *, seed: int = 0, **values: object) -> GameMap | None:
    """Return the map after checking it; None if it can't be made, for a reason that says what to do instead."""
    try:
        game_map = generate(row.name, width, height, seed=seed, **values)
    except InputError as error:
        assert error.problem and (error.expected or error.hint), f"{row.name}: {error}"
        return None
    assert map_faults(game_map, row, width, height) == []
    return game_map


def map_faults(game_map: GameMap, row: Generator, width: int, height: int) -> list[str]:
    """Return what is wrong with a map of a generator."""
    faults: list[str] = []
    if game_map.terrain.shape != (height, width) or game_map.heights.shape != (height, width):
        faults.append(f"size {game_map.terrain.shape} and {game_map.heights.shape}")
    bands = ".f" if game_map.recipe and game_map.recipe.parameters.get("bands") else ""  # see `transition_bands`
    strange = set(game_map.terrain.tobytes().decode("latin-1")) - set(LETTERS[row.family] + bands)
    if strange:
        faults.append(f"letters {sorted(strange)}")
    if not np.isfinite(game_map.heights).all():
        faults.append("heights are not finite")
    if game_map.terrain.flags.writeable or game_map.heights.flags.writeable:
        faults.append("arrays can be written to")
    recipe = game_map.recipe
    if recipe is None or (recipe.generator, recipe.width, recipe.height) != (row.name, width, height):
        faults.append("the recipe is another's")
    elif set(recipe.parameters) != {parameter.name for parameter in row.parameters}:
        faults.append("the recipe lacks parameters")
    return faults + site_faults(game_map)


def site_faults(game_map: GameMap) -> list[str]:
    """Return what is wrong with the places of a map."""
    faults: list[str] = []
    values: Mapping[str, object] = game_map.recipe.parameters if game_map.recipe else {}
    starts = game_map.places("start")
    if [start.owner for start in starts] != list(range(int(str(values.get("players", 0))))):
        faults.append(f"starts of players {[start.owner for start in starts]}")
    grid = game_map.grid(str(values.get("movement", "land")))
    for site in game_map.sites:
        letter = chr(game_map.terrain[site.y, site.x])
        if site.kind in ("start", "town") and not grid.is_free(site.x, site.y):
            faults.append(f"a {site.kind} on {letter!r}")
        if site.kind in ("bridge", "ford") and letter not in "+~":
            faults.append(f"a {site.kind} on {letter!r}")
    return faults


def small(row: Generator) -> dict[str, object]:
    """Parameters with which a map of 26 × 22 cells has room for everything."""
    wanted: dict[str, object] = {"pitch": 7, "least": 2, "most": 9, "shelf_length": 4, "nearest": 2}
    wanted |= {"population": 8, "generations": 4}
    if row.family == "heights":
        wanted |= {"scale": 8.0}
    elif row.family == "world":
        wanted |= {"players": 1, "tolerance": 2.0, "rivers": 1, "forest": 0.2, "towns": 1}
    return {p.name: wanted[p.name] for p in row.parameters if p.name in wanted}


def everything(row: Generator) -> dict[str, object]:
    """Parameters with which a world of 40 × 34 cells has all that a world can have."""
    wanted = {"players": 2, "tolerance": 2.0, "rivers": 2, "forest": 0.25, "towns": 2}
    wanted |= {"even_woods": True, "barriers": True, "units": True, "climate": "zones", "bridges": True}
    return {p.name: wanted[p.name] for p in row.parameters if p.name in wanted}


def digest(*, populated: bool) -> str:
    """Return one hash of small maps of every generator, with every choice of every parameter.

    populated: also of a world of each kind with all that belongs to players, which takes long as plain Python.
    """
    hashes: list[str] = []
    for row in GENERATORS:
        plain = small(row) | ({"players": 0} if row.family == "world" else {})
        hashes.append(_hash(row, 26, 22, plain))
        for parameter in row.parameters:
            if parameter.choices or isinstance(parameter.default, bool):
                hashes += [_hash(row, 26, 22, plain | {parameter.name: choice}) for choice in ends(parameter)]
        if row.name in ("island", "mountain-pass"):
            hashes.append(_hash(row, 16, 14, small(row)))
        if populated and row.family == "world":
            hashes.append(_hash(row, 40, 34, everything(row)))
    return state_hash(hashes)


def _hash(row: Generator, width: int, height: int, values: Mapping[str, object]) -> str:
    try:
        return state_hash(generate(row.name, width, height, seed=5, **values))
    except InputError as error:
        return str(error)


def recipe_of(row: Generator, width: int, height: int, seed: int, **values: object) -> Recipe:
    """The recipe of a map that is not made yet."""
    return Recipe(row.name, width, height, seed, row.values(values), row.version)


if __name__ == "__main__":
    print(digest(populated="populated" in sys.argv))
