"""Maps drawn in the terminal: one letter a cell, or two rows of coloured cells in one row of letters."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from anabasis.cli.output import Output
from anabasis.grid import Grid

__all__ = ["draw_map"]

_COLOURS = {
    "@": "grey30",
    "O": "grey30",
    "T": "dark_green",
    "W": "steel_blue",
    "S": "dark_olive_green3",
    "G": "dark_sea_green2",
    "f": "dark_sea_green4",
    "j": "green4",
    "h": "light_goldenrod3",
    "^": "grey50",
    "*": "grey93",
    "i": "light_cyan1",
    "t": "grey66",
    "d": "light_goldenrod2",
    "=": "dark_orange3",
    "+": "orange4",
    "~": "light_sky_blue1",
}
_GROUND = "wheat1"
_PATH = "red3"
_WAY = "\1"  # stands for a cell of the path, whatever terrain is there


def draw_map(output: Output, grid: Grid, path: Sequence[tuple[int, int]] = (), *, reduce: bool = False) -> None:
    """Draw a map that fits the terminal, with a path marked; a larger one only with `reduce`, made smaller."""
    columns, lines = shutil.get_terminal_size((100, 50))
    colours = sys.stdout.isatty()
    height = (lines - 4) * (2 if colours else 1)
    step = max(-(-grid.width // columns), -(-grid.height // max(height, 8)))
    if not output.chatty or (step > 1 and not reduce):
        return
    rows, across = (slice(min(step, side) // 2, None, step) for side in (grid.height, grid.width))
    letters = _letters(grid, path)[rows, across]
    if step > 1:
        output.say(f"{grid.width} × {grid.height} cells, one in {step} drawn each way")
    if colours:
        _print_coloured(letters)
    else:
        mark = "o" if "*" in letters else "*"  # the star is snow
        for row in letters:
            output.say("".join(row).replace(_WAY, mark))


def _letters(grid: Grid, path: Sequence[tuple[int, int]]) -> NDArray[np.str_]:
    """Return str[height, width]: each cell's terrain letter, the path as `_WAY`."""
    letters = grid.terrain.view("S1").astype("U1")
    for x, y in path:
        letters[y, x] = _WAY
    return letters


def _print_coloured(letters: NDArray[np.str_]) -> None:
    """Print two rows of cells as one row of half blocks."""
    from rich.console import Console
    from rich.style import Style
    from rich.text import Text

    def colour(letter: str) -> str:
        return _PATH if letter == _WAY else _COLOURS.get(letter, _GROUND)

    console = Console(highlight=False)
    for y in range(0, len(letters), 2):
        above = [colour(letter) for letter in letters[y].tolist()]
        below = [colour(letter) for letter in letters[y + 1].tolist()] if y + 1 < len(letters) else [None] * len(above)
        row = Text()
        for (top, bottom), cells in groupby(zip(above, below, strict=True)):
            row.append("▀" * len(list(cells)), Style(color=top, bgcolor=bottom))
        console.print(row, soft_wrap=True)
