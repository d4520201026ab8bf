"""SVG: a scene as a compact vector picture; images of cells are embedded as PNG.

World Wide Web Consortium, "Scalable Vector Graphics (SVG) 2", 2018. The map is a nested `svg` element, which clips
what it holds and needs no identifiers, so several pictures can stand in one HTML page.
"""

from __future__ import annotations

import base64
import html
import io
import re

import numpy as np
from numpy.typing import NDArray

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
from anabasis.view.layout import Projection, arrange
from anabasis.view.palette import PAPER, Colour

__all__ = ["to_svg"]

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(scene: Scene, *, width: int = 800, height: int | None = None) -> str:
    """Return the scene as an SVG document at most `width` px wide; the same scene gives the same text.

    With a height the document is exactly `width` × `height` px large, and the scene in its middle.

    Any text may stand in titles, labels and legends: it is escaped, and characters that XML can't hold are replaced.
    """
    page = arrange(scene, width)
    on_map = Projection(page.scale, *scene.bounds[:2])
    size, box, corner = (page.width, page.height), f"0 0 {page.width} {page.height}", ""
    if height is not None:
        side = max(page.width / width, page.height / height)  # of a pixel
        left, top = (page.width - side * width) / 2, (page.height - side * height) / 2
        size, box = (width, height), f"{left:.7g} {top:.7g} {side * width:.7g} {side * height:.7g}"
        corner = f' x="{left:.7g}" y="{top:.7g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="{box}" font-family="Helvetica, Arial, sans-serif" role="img">',
        f"<title>{_text(scene.title or 'map')}</title>",
        f'<rect{corner} width="100%" height="100%"{_fill(PAPER)}/>',
        f'<svg x="{page.left}" y="{page.top}" width="{page.map_width}" height="{page.map_height}">',
        f'<rect width="100%" height="100%"{_fill(scene.background)}/>',
        *(
            _draw(layer.within(scene.bounds) if isinstance(layer, ImageLayer) else layer, on_map)
            for layer in scene.layers
        ),
        "</svg>",
        *(_draw(layer, Projection()) for layer in page.around),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _draw(layer: Layer, to: Projection) -> str:
    """Return one layer as projected."""
    if isinstance(layer, ImageLayer):
        return _image(layer, to)
    if isinstance(layer, Polylines):
        return _polylines(layer, to)
    if isinstance(layer, Circles):
        return _circles(layer, to)
    if isinstance(layer, Polygons):
        if not len(layer.points):
            return ""
        d = _path(_hundredths(layer.points, to), layer.indptr, "z")
        return f'<path d="{d}"{_fill(layer.fill)}{_outline(layer.outline, layer.outline_width * to.scale)}/>'
    if isinstance(layer, Arrows):
        return "\n".join(filter(None, (_draw(shape, to) for shape in layer.shapes())))
    return _labels(layer, to)


def _image(layer: ImageLayer, to: Projection) -> str:
    (left, top), (right, bottom) = to.places(np.reshape(layer.extent, (2, 2))).tolist()
    width, height = right - left, bottom - top
    data = base64.b64encode(_png(layer.pixels, int(layer.pixels.shape[1] // width) if width > 1 else 1)).decode()
    # cells that are smaller than a pixel look better smoothed
    look = ' image-rendering="pixelated"' if layer.pixels.shape[1] <= width else ""
    return (
        f'<image x="{_number(left)}" y="{_number(top)}" width="{_number(width)}" '
        f'height="{_number(height)}" preserveAspectRatio="none"{look} href="data:image/png;base64,{data}"/>'
    )


def _png(pixels: NDArray[np.uint8], factor: int) -> bytes:
    """Return the pixels as a small PNG, `factor` × `factor` of them averaged into one if that is more than 1."""
    from PIL import Image

    image = Image.fromarray(pixels)
    if factor > 1:
        size = max(1, image.width // factor), max(1, image.height // factor)
        image = image.resize(size, Image.Resampling.BOX)
        pixels = np.asarray(image)
    buffer = io.BytesIO()
    packed = np.zeros(pixels.shape[:2], np.uint32)
    for channel in range(pixels.shape[2]):
        packed = packed * np.uint32(256) + pixels[:, :, channel]
    colours, numbers = np.unique(packed, return_inverse=True)
    if colours.size <= 256 and pixels.shape[2] == 3:  # few colours: one byte or less a pixel
        image = Image.fromarray(numbers.reshape(packed.shape).astype(np.uint8))
        image.putpalette(b"".join(int(c).to_bytes(3, "big") for c in colours))
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _polylines(layer: Polylines, to: Projection) -> str:
    if not len(layer.points):
        return ""
    d = _path(_hundredths(layer.points, to), layer.indptr, "")
    return f'<path d="{d}" fill="none"{_outline(layer.colour, layer.width * to.scale)} {_ROUND}/>'


_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


def _circles(layer: Circles, to: Projection) -> str:
    if not len(layer.centres):
        return ""
    places = _hundredths(layer.centres, to).tolist()
    radii = np.maximum(layer.radii * to.scale, LEAST_RADIUS).tolist()
    visible = layer.outline_width * to.scale >= 0.3
    out: list[str] = []
    before = None
    for (x, y), radius, colour in zip(places, radii, layer.colours.tolist(), strict=True):
        if colour != before:
            out.append(f"{'</g>' if before else ''}<g{_fill(tuple(colour))}>\n")
            before = colour
        out.append(f'<circle cx="{_cut(x)}" cy="{_cut(y)}" r="{_number(radius)}"/>\n')
    outline = _outline(layer.outline, layer.outline_width * to.scale) if visible else ""
    return f"<g{outline}>{''.join(out)}</g></g>"


def _labels(layer: Labels, to: Projection) -> str:
    if not layer.texts:
        return ""
    size = layer.size * to.scale
    weight = ' font-weight="bold"' if layer.bold else ""
    lines = [
        # a third of the size below the middle is where the letters stand
        f'<text x="{_number(x)}" y="{_number(y + 0.35 * size)}">{_text(text)}</text>'
        for (x, y), text in zip(to.places(layer.points).tolist(), layer.texts, strict=True)
    ]
    attributes = f'font-size="{_number(size)}" text-anchor="{layer.anchor}"{weight}{_fill(layer.colour)}'
    return f"<g {attributes}>" + "\n".join(lines) + "</g>"


def _hundredths(points: NDArray[np.float64], to: Projection) -> NDArray[np.int64]:
    """Return points in whole hundredths of a px."""
    return np.round(100 * to.places(points)).astype(np.int64)


def _path(points: NDArray[np.int64], indptr: NDArray[np.int64], end: str) -> str:
    """Return path data: each line from an absolute point in steps relative to the point before."""
    steps = np.diff(points, axis=0, prepend=0)
    parts: list[str] = []
    for first, last in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        if first < last:
            x, y = points[first].tolist()
            rest = " ".join(f"{_cut(dx)} {_cut(dy)}" for dx, dy in steps[first + 1 : last].tolist())
            parts.append(f"M{_cut(x)} {_cut(y)}" + (f"l{rest}" if rest else "h0") + end)
    return "".join(parts)


def _cut(hundredths: int) -> str:
    """Return a number of hundredths as the shortest decimal."""
    text = f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _number(value: float) -> str:
    return _cut(round(value * 100))


def _hex(colour: Colour | tuple[int, ...]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in colour[:3])


def _fill(colour: Colour | tuple[int, ...]) -> str:
    opacity = "" if colour[3] == 255 else f' fill-opacity="{_number(colour[3] / 255)}"'
    return f' fill="{_hex(colour)}"{opacity}'


def _outline(colour: Colour | None, width: float) -> str:
    if colour is None:
        return ""
    opacity = "" if colour[3] == 255 else f' stroke-opacity="{_number(colour[3] / 255)}"'
    return f' stroke="{_hex(colour)}" stroke-width="{_number(max(width, LEAST_LINE))}"{opacity}'


def _text(text: str) -> str:
    return html.escape(_NOT_XML.sub("\ufffd", text))
