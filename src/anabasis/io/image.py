"""Maps as images: dark pixels are walls, light ones are free; one pixel a cell.

Colours count by their luminance (ITU-R 601-2, as Pillow converts them). Transparent pixels are laid on white, so what
is not drawn is free. Of an animation the first picture is read.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.gamemap import Recipe
from anabasis.grid import MAX_CELLS, MAX_SIDE, Grid
from anabasis.io.atomic import read_bytes, write_atomic
from anabasis.io.recipe import with_recipe
from anabasis.io.size import check_size
from anabasis.movement import MovementClass

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["IMAGE_SUFFIXES", "load_image", "save_image"]

IMAGE_SUFFIXES = {".png": "PNG", ".bmp": "BMP", ".gif": "GIF", ".pbm": "PPM", ".pgm": "PPM", ".ppm": "PPM"}
_FORMATS = ("PNG", "BMP", "GIF", "PPM")
_IMAGE_BYTES = 2**29


def load_image(
    path: str | os.PathLike[str],
    movement: str | MovementClass = "land",
    *,
    threshold: int = 128,
    invert: bool = False,
    max_side: int = MAX_SIDE,
    max_cells: int = MAX_CELLS,
) -> Grid:
    """Read a PNG, BMP, GIF, PBM, PGM or PPM image: a pixel below `threshold` (1 to 255 of 255) is a wall `@`.

    invert: light pixels are the walls instead. The size is checked before the pixels are decoded. Raises InputError
    for a file that is no image, is damaged, or is larger than the caps.
    """
    if not 1 <= threshold <= 255:
        raise InputError("threshold of an image", found=f"{threshold}", expected="a whole number from 1 to 255")
    dark = _grey(read_bytes(path, _IMAGE_BYTES), path, max_side, max_cells) < threshold
    codes = np.where(dark != invert, np.uint8(ord("@")), np.uint8(ord(".")))
    codes.flags.writeable = False
    return Grid.from_terrain(codes, movement)


def save_image(grid: Grid, path: str | os.PathLike[str], *, recipe: Recipe | None = None) -> None:
    """Write free cells white and blocked ones black, one pixel a cell, in the format of the suffix.

    Terrain and prices are lost: the image says only where a unit may stand. recipe: of a generated map, kept in a PNG.
    """
    from PIL import Image

    suffix = Path(path).suffix.lower()
    if suffix not in IMAGE_SUFFIXES:
        raise InputError("unknown image format", file=path, found=repr(suffix), expected=" or ".join(IMAGE_SUFFIXES))
    image = Image.fromarray(np.where(grid.free, np.uint8(255), np.uint8(0)))
    if suffix in (".png", ".bmp", ".pbm"):  # one bit a pixel
        image = image.convert("1")
    if suffix == ".ppm":
        image = image.convert("RGB")
    buffer = io.BytesIO()
    image.save(buffer, IMAGE_SUFFIXES[suffix])
    data = buffer.getvalue()
    write_atomic(path, data if recipe is None or suffix != ".png" else with_recipe(data, recipe))


def _grey(data: bytes, path: object, max_side: int, max_cells: int) -> NDArray[np.float64 | np.uint8]:
    """Return the brightness of each pixel, 0 to 255."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own warnings of large and odd images; our caps are stricter
        try:
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
        except Image.DecompressionBombError as error:
            raise InputError(
                "the image is too large",
                file=path,
                found=" ".join(re.findall(r"\d+ pixels", str(error))[:1]),
                expected=f"at most {min(max_cells, MAX_CELLS)} pixels",
                hint="crop or shrink the image",
            ) from None
        except Exception:  # a decoder meets damage in too many ways to list them
            raise InputError(
                "not an image that can be read",
                file=path,
                found=f"{len(data)} bytes that begin with {data[:8]!r}",
                expected="PNG, BMP, GIF, PBM, PGM or PPM",
            ) from None
        with image:
            check_size(*image.size, path, max_side=max_side, max_cells=max_cells)
            try:
                Image.open(io.BytesIO(data), formats=_FORMATS).verify()  # sums of a PNG to its end, not only its pixels
                return _brightness(image)
            except Exception:
                raise InputError(
                    "the image is damaged: its pixels can't be decoded", file=path, hint="save or download it again"
                ) from None


def _brightness(image: Image.Image) -> NDArray[np.float64 | np.uint8]:
    from PIL import Image

    if image.mode.startswith(("I", "F")):  # 16 bits a pixel, or a PGM with a maximum above 255
        return np.asarray(image).astype(np.float64) / 257
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        drawn = image.convert("RGBA")
        white = Image.new("RGBA", drawn.size, "white")
        image = Image.alpha_composite(white, drawn)
    return np.asarray(image.convert("L"))
