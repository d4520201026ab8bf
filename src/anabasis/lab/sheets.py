"""Sheets: many maps at once, in worker processes; which worker makes a map makes no difference to it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from anabasis.errors import InputError
from anabasis.gamemap import GameMap, Recipe
from anabasis.generators import Generator, make_again
from anabasis.lab.runner import follow_parent, interrupts_held
from anabasis.options import check_count

__all__ = ["laid_out", "make_all", "sheet_recipes"]

_ACROSS = 8  # maps side by side at most


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
) -> list[GameMap | InputError]:
    """Return what each recipe makes, in their order, made in `workers` processes: its map, or why there is none."""
    count = min(check_count(workers, "number of workers", 1), max(len(recipes), 1))
    made: list[GameMap | InputError] = []
    report = progress or (lambda done, total: None)
    if count == 1:
        for recipe in recipes:
            made.append(_made(recipe))
            report(len(made), len(recipes))
        return made
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=follow_parent) as pool:
        with interrupts_held():  # the workers start here and inherit it
            waiting = pool.map(_made, recipes)
        for one in waiting:
            made.append(one)
            report(len(made), len(recipes))
    return made


def _made(recipe: Recipe) -> GameMap | InputError:
    try:
        return make_again(recipe)
    except InputError as error:
        return error


def laid_out(
    recipes: Sequence[Recipe], made: Sequence[GameMap | InputError], *, seeds: int
) -> tuple[list[GameMap | None], list[str], int]:
    """Return maps, titles and the number of columns for a sheet, the maps of each generator from the left border on.

    seeds: how many maps there are of each generator; with one of each they fill a square. Where a map was refused there
    is none, but its title; places that stay free at the end of a row have neither.
    """
    if seeds == 1:
        columns = next(side for side in range(1, len(recipes) + 1) if side * side >= len(recipes))
        return [one if isinstance(one, GameMap) else None for one in made], [_title(one) for one in recipes], columns
    lines = -(-seeds // _ACROSS)
    columns = -(-seeds // lines)
    free = lines * columns - seeds
    maps: list[GameMap | None] = []
    titles: list[str] = []
    for begin in range(0, len(recipes), seeds):
        maps += [one if isinstance(one, GameMap) else None for one in made[begin : begin + seeds]] + [None] * free
        titles += [_title(one) for one in recipes[begin : begin + seeds]] + [""] * free
    return maps, titles, columns


def _title(recipe: Recipe) -> str:
    return f"{recipe.generator}, seed {recipe.seed}"
