"""Height maps as 16-bit grey PNG, as game engines and terrain tools exchange them; one pixel a cell, white is high."""

from __future__ import annotations

import io
import os

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import Recipe
from anabasis.grid import MAX_CELLS, MAX_SIDE
from anabasis.io.atomic import read_bytes, write_atomic
from anabasis.io.recipe import with_recipe
from anabasis.io.size import check_size
from anabasis.noun import freeze

__all__ = ["load_heightmap", "save_heightmap"]

_TOP = 65535


def save_heightmap(heights: NDArray[np.float64], path: str | os.PathLike[str], *, recipe: Recipe | None = None) -> None:
    """Write heights as a 16-bit grey PNG: the least is black, the greatest white, those between in equal steps.

    recipe: of a generated map, kept in the file. Raises InputError for heights that are not finite.
    """
    from PIL import Image

    field = freeze(heights, np.float64, (None, None), "heights")
    if not np.isfinite(field).all():
        raise InputError("heights must be finite", file=path, found="inf", expected="numbers")
    low, high = float(field.min()), float(field.max())
    steps = np.zeros(field.shape, np.uint16) if high == low else np.rint((field - low) * (_TOP / (high - low)))
    buffer = io.BytesIO()
    Image.fromarray(steps.astype(np.uint16)).save(buffer, "PNG")
    data = buffer.getvalue()
    write_atomic(path, data if recipe is None else with_recipe(data, recipe))


def load_heightmap(path: str | os.PathLike[str]) -> NDArray[np.float64]:
    """Read a grey PNG of 8 or 16 bits as float64[height, width] from 0 (black) to 1 (white).

    Raises InputError for a file that is no PNG, is in colour, is damaged or too large.
    """
    from PIL import Image

    data = read_bytes(path, 2**29)
    try:
        image = Image.open(io.BytesIO(data), formats=("PNG",))
    except Exception:  # a decoder meets damage in too many ways to list them
        raise InputError(
            "not a height map that can be read", file=path, found=f"{data[:8]!r}", expected="a grey PNG"
        ) from None
    with image:
        check_size(*image.size, path, max_side=MAX_SIDE, max_cells=MAX_CELLS)
        if image.mode not in ("L", "I", "I;16", "I;16B"):
            raise InputError("the picture is no height map", file=path, found=image.mode, expected="a grey PNG")
        top = 255 if image.mode == "L" else _TOP
        try:
            return np.asarray(image).astype(np.float64) / top
        except Exception:
            raise InputError("the height map is damaged: its pixels can't be decoded", file=path) from None
