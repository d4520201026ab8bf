"""Stencils: heights given before a map is made, which shape an island or a central lake whatever the seed.

They lie on the quarters and eighths of the first squares, whose turn comes early, so that they shape whole regions; on
a map that is no square they go on along its longer side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.maps.terrain.squares import axis, fit_squares

__all__ = ["island_stencil", "lake_stencil"]


def island_stencil(
    width: int, height: int, *, square: int | None = None, seamless: bool = False
) -> NDArray[np.float64]:
    """Return float64[n, 3], rows (x, y, height) for `diamond_square`: an island with a high centre, water around it.

    The border is -100 at each quarter of a square, the points inside are 40, those two quarters or more from the
    border 100. For a map that is spread over its squares; square and seamless have to be those of the map. Raises
    InputError as `diamond_square` does.
    """
    columns, rows = _lines(width, height, 2, square, seamless)
    depth = [np.minimum(parts, parts[-1] - parts) for _, parts in (columns, rows)]
    heights = np.array([-100.0, 40.0, 100.0])[np.minimum(np.minimum(depth[0], depth[1][:, None]), 2)]
    return _rows(columns[0], rows[0], heights)


def lake_stencil(width: int, height: int, *, square: int | None = None, seamless: bool = False) -> NDArray[np.float64]:
    """Return float64[n, 3], rows (x, y, height) for `diamond_square`: low ground in the centre, the rest left free.

    The eighths of squares from ⅜ to ⅝ of the width and of the height are -100. For a map that is spread over its
    squares; square and seamless have to be those of the map. Raises InputError as `diamond_square` does.
    """
    columns, rows = (
        cells[(8 * parts >= 3 * parts[-1]) & (8 * parts <= 5 * parts[-1])]
        for cells, parts in _lines(width, height, 3, square, seamless)
    )
    return _rows(columns, rows, np.full((rows.size, columns.size), -100.0))


def _lines(
    width: int, height: int, halvings: int, square: int | None, seamless: bool
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return, for columns and rows, the cells and the numbers of the lines after so many halvings."""
    grid = fit_squares(width, height, square=square, seamless=seamless)
    level = min(halvings, grid.side.bit_length() - 1)  # the least maps have no such parts
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for size, squares in ((width, grid.columns), (height, grid.rows)):
        cells = axis(size, squares, grid.side, seamless=seamless).cells[level]
        found.append((cells, np.arange(cells.size) << (halvings - level)))
    return found


def _rows(columns: NDArray[np.int64], rows: NDArray[np.int64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows (x, y, height) of the lines that lie on cells of the map, the first for each cell."""
    x, y = np.broadcast_arrays(columns, rows[:, None])
    there = (x >= 0) & (y >= 0)
    found = np.stack([x[there], y[there], heights[there]], axis=1).astype(np.float64)
    _, first = np.unique(found[:, :2], axis=0, return_index=True)
    return found[np.sort(first)]
