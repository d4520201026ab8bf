"""Sheets: many maps at once, in worker processes; which worker makes a map makes no difference to it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import Generator, make_again
from anabasis.options import check_count

__all__ = ["make_all", "sheet_recipes"]


def sheet_recipes(
    rows: Sequence[Generator], seeds: Sequence[int], width: int, height: int, settings: Mapping[str, object]
) -> list[Recipe]:
    """Return a recipe for each generator and seed, generator by generator.

    Settings that a generator lacks are left out for it.

    Raises InputError for a setting that none of them has.
    """
    anybody = {p.name for row in rows for p in row.parameters}
    recipes: list[Recipe] = []
    for row in rows:
        own = {p.name for p in row.parameters} | (settings.keys() - anybody)
        values = row.values({name: value for name, value in settings.items() if name in own})
        recipes += [Recipe(row.name, width, height, seed, values, row.version) for seed in seeds]
    return recipes


def make_all(
    recipes: Sequence[Recipe], *, workers: int = 1, progress: Callable[[int, int], object] | None = None
) -> list[GameMap]:
    """Return the maps of recipes in their order, made in `workers` processes; raises the InputError of any of them."""
    count = min(check_count(workers, "number of workers", 1), max(len(recipes), 1))
    made: list[GameMap] = []
    report = progress or (lambda done, total: None)
    if count == 1:
        for recipe in recipes:
            made.append(make_again(recipe))
            report(len(made), len(recipes))
        return made
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        for game_map in pool.map(make_again, recipes):
            made.append(game_map)
            report(len(made), len(recipes))
    return made
