"""Incremental: a picture of what D* Lite or LPA* knows: in each cell where it has been its price, g and rhs.

A white disc is the unit; the colours of cells are those of `tiles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.options import check_kind
from anabasis.view.layers import Circles, ImageLayer, Labels, Layer, LegendItem, Scene, Swatch, dots
from anabasis.view.overlays import cell_lines
from anabasis.view.palette import INK, PAPER
from anabasis.view.tiles import GOAL, NEXT, tile_colours, tile_legend

if TYPE_CHECKING:
    from anabasis.search.dstar_lite import DStarLite
    from anabasis.search.lpa_star import LPAStar

__all__ = ["incremental_scene"]

_LINE = 0.22  # height of a line of text, in cells
_DOWN = (-0.27, 0.0, 0.27)  # where the three lines stand, from the middle of a cell
_TEXTS = 4_000  # cells: a bigger picture can't be read


def incremental_scene(grid: Grid, search: DStarLite | LPAStar, *, title: str = "") -> Scene:
    """Return the map as a search knows it: in each cell where it has been price, g and rhs, ∞ where there is none.

    grid: the map from which the search began; what has changed since is taken from the search. The next step of a unit
    is the one that it would get now, so it is asked for. On more than 4,000 touched cells the numbers are left out.
    Raises InputError for the search of a graph or of a map of another size.
    """
    from anabasis.search.dstar_lite import DStarLite
    from anabasis.search.lpa_star import LPAStar
    from anabasis.search.moves import Space

    check_kind(grid, Grid, "the map of a search")
    check_kind(search, (DStarLite, LPAStar), "the search of a picture")
    check_kind(title, str, "title of a picture")
    searched = Space(search.space).grid
    if searched.cost.shape != grid.cost.shape:
        found, expected = f"{searched.width} × {searched.height} cells", f"{grid.width} × {grid.height} cells"
        raise InputError("the search is of another map", found=found, expected=expected)
    step = search.next_step() if isinstance(search, DStarLite) else None
    known = search.touched()  # to look for the next step may have touched more
    price = grid.cost.reshape(-1).copy()
    price[known.vertices] = known.price
    pixels = tile_colours(price)[:, :3]
    if step is not None:
        pixels[step] = NEXT[:3]
    pixels[search.goal] = GOAL[:3]
    bounds = (0, 0, grid.width, grid.height)
    unit: Circles = dots(grid.centres([search.start]), 0.47, PAPER, outline=INK, width=0.04)
    layers: list[Layer] = [ImageLayer(pixels.reshape(grid.height, grid.width, 3), bounds), cell_lines(grid), unit]
    if known.vertices.size <= _TEXTS:
        centres = grid.centres(known.vertices)
        for down, numbers in zip(_DOWN, (known.price, known.g, known.rhs), strict=True):
            layers.append(Labels(centres + np.array([0.0, down]), tuple(map(_text, numbers.tolist())), _LINE))
    legend: tuple[LegendItem, ...] = (
        *tile_legend(price, step=step is not None),
        Swatch("price, g, rhs in each cell that was looked at", PAPER),
    )
    return Scene(bounds, tuple(layers), legend, title)


def _text(number: float) -> str:
    return "∞" if np.isinf(number) else f"{number:.4g}"
