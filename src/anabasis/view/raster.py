"""Raster: a scene as PNG, a run as an animated GIF.

Everything is drawn at a multiple of the size and averaged down, which smooths all edges alike.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.io.atomic import write_atomic
from anabasis.scenario import Scenario
from anabasis.trace import Trace
from anabasis.view.layers import (
    LEAST_LINE,
    LEAST_RADIUS,
    Arrows,
    Circles,
    ImageLayer,
    Labels,
    Layer,
    Polygons,
    Polylines,
    Scene,
)
from anabasis.view.layout import Page, Projection, arrange
from anabasis.view.palette import GROUP_COLOURS, PAPER
from anabasis.view.runs import Colouring, frame_scene

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["animate", "animate_scenes", "check_frames", "render", "to_png"]

_UNCHANGED = 255  # the number in the palette of pixels that stay as they were


def render(scene: Scene, *, pixels: int = 1000) -> Picture:
    """Return the scene as a Pillow image (RGB) at most `pixels` wide."""
    return _finish(scene, arrange(scene, pixels), None)


def to_png(scene: Scene, file: str | Path | IO[bytes], *, pixels: int = 1000) -> None:
    """Write the scene as PNG, at most `pixels` wide, to a path or a binary file."""
    buffer = io.BytesIO()
    render(scene, pixels=pixels).save(buffer, "PNG", optimize=True)
    _write(file, buffer.getvalue())


def animate(
    scenario: Scenario,
    trace: Trace,
    file: str | Path | IO[bytes],
    *,
    pixels: int = 640,
    frames: int = 150,
    rate: float = 20.0,
    colour: Colouring | None = None,
) -> int:
    """Write a run as an endless animated GIF and return how many frames it has.

    At most `frames` recorded frames are drawn, evenly chosen, the first and the last among them; `rate` is frames a
    second; the last one stands for a second. Pictures are at most `pixels` wide, and at most 2000.
    """
    check_frames(frames)
    chosen = np.unique(np.round(np.linspace(0, trace.times.size - 1, min(frames, trace.times.size))).astype(np.int64))

    def scenes() -> Iterator[tuple[Scene, int]]:
        for frame in chosen.tolist():
            changed = sum(change.step <= int(trace.times[frame]) for change in scenario.changes)
            yield frame_scene(scenario.grid, scenario, trace, frame, colour=colour), changed

    return animate_scenes(scenes(), file, pixels=pixels, rate=rate)


def check_frames(frames: int) -> None:
    """Raise InputError for a number of frames that makes no animation."""
    if not 1 <= frames <= 2000:
        raise InputError("frames of an animation", found=f"{frames}", expected="1 to 2000")


def animate_scenes(
    scenes: Iterable[tuple[Scene, int]], file: str | Path | IO[bytes], *, pixels: int = 640, rate: float = 20.0
) -> int:
    """Write scenes as an endless animated GIF and return how many there are; the last one stands for a second.

    With each scene comes a number that says how its map, the lowest layer, looks: it is drawn anew only when the number
    changes. `rate` is frames a second. Pictures are at most `pixels` wide, and at most 2000.
    """
    if not 64 <= pixels <= 2000:
        raise InputError("width of an animation", found=f"{pixels}", expected="64 to 2000 pixels")
    if not 0 < rate <= 50:
        raise InputError("rate of an animation", found=f"{rate}", expected="above 0, at most 50 frames a second")
    from PIL import Image, ImageOps

    below: tuple[int, Picture] | None = None
    pictures: list[Picture] = []
    for scene, ground in scenes:
        page = arrange(scene, pixels)
        if below is None or below[0] != ground:
            below = ground, _map_sheet(scene, page, scene.layers[:1], None)
        pictures.append(_finish(scene, page, below[1]))
    size = max(p.width for p in pictures), max(p.height for p in pictures)  # a change of the map may need more legend
    pictures = [p if p.size == size else ImageOps.pad(p, size, color=PAPER[:3], centering=(0, 0)) for p in pictures]
    palette = _palette([pictures[0], pictures[len(pictures) // 2], pictures[-1]])
    small = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    duration = [round(1000 / rate)] * (len(small) - 1) + [1000]
    buffer = io.BytesIO()
    frames = _changes(small)
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=duration,
        loop=0,
        optimize=False,
        transparency=_UNCHANGED,
        disposal=1,
    )
    _write(file, buffer.getvalue())
    return len(small)


def _changes(pictures: list[Picture]) -> list[Picture]:
    """Return the first picture, and of the others what differs from the one before, the rest transparent."""
    from PIL import Image

    pixels = [np.asarray(picture) for picture in pictures]
    changed = [pictures[0]]
    for before, after in pairwise(pixels):
        frame = Image.fromarray(np.where(before == after, np.uint8(_UNCHANGED), after))
        frame.putpalette(pictures[0].getpalette() or [])
        changed.append(frame)
    return changed


def _palette(pictures: list[Picture]) -> Picture:
    """Return an image with one palette for all frames; the colours of units are in it even where no unit is yet."""
    from PIL import Image

    width, height = pictures[0].size
    strip = height // 4  # large enough that the quantisation takes these colours seriously
    sample = Image.new("RGB", (width * len(pictures), height + strip))
    for k, picture in enumerate(pictures):
        sample.paste(picture, (k * width, 0))
    for k, colour in enumerate(GROUP_COLOURS):
        part = sample.width // len(GROUP_COLOURS)
        sample.paste(colour[:3], (k * part, height, (k + 1) * part, height + strip))
    return sample.quantize(255, method=Image.Quantize.MEDIANCUT)


def _write(file: str | Path | IO[bytes], data: bytes) -> None:
    if isinstance(file, str | Path):
        write_atomic(file, data)
    else:
        file.write(data)


def _fineness(page: Page) -> int:
    """How many drawn pixels, along a side, make one of the picture."""
    return 3 if page.width * page.height <= 2_500_000 else 2 if page.width * page.height <= 16_000_000 else 1


def _map_sheet(scene: Scene, page: Page, layers: tuple[Layer, ...], below: Picture | None) -> Picture:
    """Draw layers on the map's rectangle, in fine pixels, over what is below."""
    from PIL import Image

    fine = _fineness(page)
    size = page.map_width * fine, page.map_height * fine
    sheet = Image.new("RGB", size, scene.background[:3]) if below is None else below.copy()
    for layer in layers:
        _draw(sheet, layer, Projection(page.scale * fine, *scene.bounds[:2], fine))
    return sheet


def _finish(scene: Scene, page: Page, below: Picture | None) -> Picture:
    """Draw the whole page; `below` is the first layer, if it has been drawn already."""
    from PIL import Image

    fine = _fineness(page)
    sheet = Image.new("RGB", (page.width * fine, page.height * fine), PAPER[:3])
    layers = scene.layers if below is None else scene.layers[1:]
    sheet.paste(_map_sheet(scene, page, layers, below), (page.left * fine, page.top * fine))
    for layer in page.around:
        _draw(sheet, layer, Projection(fine, fine=fine))
    return sheet if fine == 1 else sheet.reduce(fine)


def _draw(sheet: Picture, layer: Layer, to: Projection) -> None:
    """Draw one layer as projected."""
    from PIL import ImageDraw

    if isinstance(layer, ImageLayer):
        _draw_image(sheet, layer, to)
    elif isinstance(layer, Polylines):
        _draw_lines(sheet, layer, to)
    elif isinstance(layer, Circles):
        _draw_circles(ImageDraw.Draw(sheet, "RGBA"), layer, to)
    elif isinstance(layer, Polygons):
        draw = ImageDraw.Draw(sheet, "RGBA")
        points = _places(layer.points, to)
        width = max(1, round(max(layer.outline_width * to.scale, LEAST_LINE * to.fine)))
        for ring in np.split(points, layer.indptr[1:-1]):
            if len(ring):
                draw.polygon(ring.ravel().tolist(), layer.fill, layer.outline, width)
    elif isinstance(layer, Arrows):
        for shape in layer.shapes():
            _draw(sheet, shape, to)
    else:
        _draw_labels(ImageDraw.Draw(sheet, "RGBA"), layer, to)


def _places(points: NDArray[np.float64], to: Projection) -> NDArray[np.float64]:
    """Return points in Pillow's frame, in which whole numbers are the centres of pixels."""
    return to.places(points) - 0.5


def _draw_image(sheet: Picture, layer: ImageLayer, to: Projection) -> None:
    from PIL import Image

    layer = layer.within((to.x, to.y, to.x + sheet.width / to.scale, to.y + sheet.height / to.scale))
    (x, y), (right, bottom) = np.round(to.places(np.reshape(layer.extent, (2, 2)))).astype(int).tolist()
    size = max(1, right - x), max(1, bottom - y)
    image = Image.fromarray(layer.pixels)
    shrinks = size[0] < image.width or size[1] < image.height
    image = image.resize(size, Image.Resampling.BOX if shrinks else Image.Resampling.NEAREST)
    sheet.paste(image, (x, y), image if image.mode == "RGBA" else None)


def _draw_lines(sheet: Picture, layer: Polylines, to: Projection) -> None:
    """Draw lines as one stencil, so that their overlaps don't add up, and colour it."""
    from PIL import Image, ImageDraw

    if not len(layer.points):
        return
    opaque = layer.colour[3] == 255
    stencil = sheet if opaque else Image.new("L", sheet.size)
    draw = ImageDraw.Draw(stencil)
    ink: Any = layer.colour[:3] if opaque else layer.colour[3]
    width = max(1, round(max(layer.width * to.scale, LEAST_LINE * to.fine)))
    # Where a line turns by all but 180°, as it seems to at a repeated point, Pillow's joint reaches to the border.
    # Between whole pixels, to which Pillow cuts anyway, there are no such turns.
    points, cap = np.rint(_places(layer.points, to)), width / 2
    for first, last in zip(layer.indptr[:-1].tolist(), layer.indptr[1:].tolist(), strict=True):
        if first == last:
            continue
        line = points[first:last]
        line = line[np.append((line[1:] != line[:-1]).any(1), True)]
        line = np.repeat(line, 2, 0) if len(line) == 1 else line
        draw.line(line.ravel().tolist(), ink, width, "curve")
        if width > 2:
            for x, y in (line[0].tolist(), line[-1].tolist()):
                draw.ellipse((x - cap, y - cap, x + cap, y + cap), ink)
    if not opaque and (box := stencil.getbbox()) is not None:
        sheet.paste(layer.colour[:3], box, stencil.crop(box))


def _draw_circles(draw: Any, layer: Circles, to: Projection) -> None:
    centres = _places(layer.centres, to).tolist()
    radii = np.maximum(layer.radii * to.scale, LEAST_RADIUS * to.fine).tolist()
    width = round(max(layer.outline_width * to.scale, LEAST_LINE * to.fine))
    outline = layer.outline if layer.outline_width * to.scale >= 0.3 * to.fine else None
    for (x, y), r, colour in zip(centres, radii, layer.colours.tolist(), strict=True):
        draw.ellipse((x - r, y - r, x + r, y + r), tuple(colour), outline, width)


_ALIKE = str.maketrans(
    {"×": "x", "–": "-", "—": "-", "−": "-", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "…": "...", "∞": "inf"}
)


@lru_cache(maxsize=16)
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _letters(text: str) -> str:
    """Return a text in the letters that Pillow's font has: without accents, `?` for a script that it lacks."""
    plain = unicodedata.normalize("NFKD", " ".join(text.translate(_ALIKE).split()))
    kept = (c for c in plain if not unicodedata.combining(c))
    return "".join(c if (c.isascii() and c.isprintable()) or c in "°±·«»‘’“”" else "?" for c in kept)


def _draw_labels(draw: Any, layer: Labels, to: Projection) -> None:
    size = max(1, round(layer.size * to.scale))
    anchor = {"start": "lm", "middle": "mm", "end": "rm"}[layer.anchor]
    shifts = (0, max(1, size // 32)) if layer.bold else (0,)  # the font has no bold face
    places = _places(layer.points, to).tolist()
    for (x, y), text in zip(places, layer.texts, strict=True):
        line = _letters(text)
        for shift in shifts:
            draw.text((x + shift, y), line, layer.colour, _font(size), anchor)
