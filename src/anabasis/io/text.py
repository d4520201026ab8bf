"""Maps drawn as text: one line a row, `.` free, `#` or `@` blocked, the other terrain letters, digits for prices."""

from __future__ import annotations

import os

import numpy as np

from anabasis.errors import InputError
from anabasis.gamemap import Recipe
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid, cell_text
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.recipe import recipe_line, split_recipe
from anabasis.io.size import check_size
from anabasis.movement import TERRAIN_LETTERS, MovementClass

__all__ = ["grid_text", "load_text", "save_text"]


def load_text(
    path: str | os.PathLike[str],
    movement: str | MovementClass = "land",
    *,
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> Grid:
    """Read a map drawn as text (see `Grid.from_text`); raises InputError with file and line."""
    text = decode(split_recipe(read_bytes(path))[0], path)
    lines = [line for line in (line.strip() for line in text.splitlines()) if line]
    if lines:
        check_size(max(map(len, lines)), len(lines), path, max_side=max_side, max_cells=max_cells)
    try:
        return Grid.from_text(text, movement)
    except InputError as error:
        raise error.at(path) from None


def save_text(grid: Grid, path: str | os.PathLike[str], *, recipe: Recipe | None = None) -> None:
    """Write a map as text, its terrain letters row by row; prices follow from the letters when it is read.

    recipe: of a generated map, for a last line.
    """
    try:
        write_atomic(path, grid_text(grid).encode() + recipe_line(recipe))
    except InputError as error:
        raise error.at(path) from None


def grid_text(grid: Grid) -> str:
    """Return a map drawn as text, each row with its line end; raises InputError for terrain without a letter."""
    known = np.isin(grid.terrain, np.frombuffer(TERRAIN_LETTERS.encode(), np.uint8))
    if not known.all():
        y, x = map(int, np.argwhere(~known)[0])
        raise InputError(
            f"terrain of cell {cell_text(x, y)} has no letter",
            found=f"code {grid.terrain[y, x]}",
            expected="one of " + " ".join(TERRAIN_LETTERS),
            hint="save it as .npz (everything)",
        )
    rows = np.full((grid.height, grid.width + 1), ord("\n"), np.uint8)
    rows[:, :-1] = grid.terrain
    return rows.tobytes().decode("ascii")
