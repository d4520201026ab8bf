"""Layout: where on the page the map, the title, the scale bar and the legend go; the same for every format.

The page is measured in px. What stands around the map is returned as layers too, in px, so a drawer needs nothing new
for it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.view.layers import ImageLayer, Labels, Layer, LegendItem, Polylines, Ramp, Scene, Swatch, dots
from anabasis.view.palette import INK, Colour

__all__ = ["Page", "Projection", "arrange", "cut_text", "text_width"]

_MARGIN, _TEXT, _TITLE, _ROW, _GAP, _RAMP = 12.0, 12.0, 15.0, 22.0, 18.0, 120.0
_TALLEST = 1.25  # a map taller than so many widths is drawn narrower
_FRAME: Colour = (120, 124, 130, 255)


@dataclass(frozen=True)
class Projection:
    """From cells to px: `scale` px a cell, (x, y) at the origin; `fine` is how many px make one of the picture."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    fine: int = 1

    def places(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points float64[n, 2] in px."""
        return (points - (self.x, self.y)) * self.scale


@dataclass(frozen=True, eq=False)
class Page:
    """A page of width × height px: where the map stands on it, how large a cell is, and what stands around the map."""

    width: int
    height: int
    left: int
    top: int
    map_width: int
    map_height: int
    scale: float
    around: tuple[Layer, ...]


def text_width(text: str, size: float) -> float:
    """Return about how wide a text will be: no font is at hand, and pages must not depend on one."""
    return size * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.57 for c in text)


def cut_text(text: str, size: float, width: float) -> str:
    """Return the text in one line, with `…` for what does not fit into the width."""
    line = " ".join(text.split())
    if text_width(line, size) <= width:
        return line
    while line and text_width(line + "…", size) > width:
        line = line[:-1]
    return line.rstrip() + "…"


def arrange(scene: Scene, width: int) -> Page:
    """Lay a scene out on a page at most `width` px wide."""
    if not 64 <= width <= 20_000:
        raise InputError("width of a picture", found=f"{width}", expected="64 to 20000 pixels")
    zoom = max(width / 800, 0.75)  # letters grow with the page, but stay legible on a small one
    margin = round(_MARGIN * zoom)
    scale = min((width - 2 * margin) / scene.width, _TALLEST * width / scene.height)
    if scale >= 8:
        scale = float(int(scale))  # all cells equally large, to the pixel
    map_width, map_height = max(1, round(scene.width * scale)), max(1, round(scene.height * scale))
    page_width = max(map_width + 2 * margin, min(width, round(420 * zoom)))
    left = (page_width - map_width) // 2
    top = margin
    around: list[Layer] = []
    if scene.title:
        size = _TITLE * zoom
        text = cut_text(scene.title, size, page_width - 2 * margin)
        around.append(Labels(np.array([[margin, margin + size / 2]]), (text,), size, INK, "start", bold=True))
        top += round(size + 9 * zoom)
    x0, y0, x1, y1 = left, top, left + map_width, top + map_height
    frame = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], np.float64)
    around.append(Polylines.of([frame], _FRAME, max(1.0, zoom)))
    items, rows = _legend(scene, scale, (margin, y1 + 6 * zoom, page_width - 2 * margin), zoom)
    height = round(y1 + 6 * zoom + rows * _ROW * zoom + margin / 2)
    return Page(page_width, height, left, top, map_width, map_height, scale, (*around, *items))


def _legend(scene: Scene, scale: float, box: tuple[float, float, float], zoom: float) -> tuple[list[Layer], int]:
    """Set the scale bar and the legend in rows, like words in a paragraph; return the layers and the number of rows."""
    left, top, width = box
    layers: list[Layer] = []
    x, row = 0.0, 0
    for item in (None, *scene.legend):
        room = _bar_width(scene, scale, zoom) if item is None else _item_width(item, zoom)
        if x and x + room > width:
            x, row = 0.0, row + 1
        y = top + (row + 0.5) * _ROW * zoom
        if item is None:
            layers += _bar(scene, scale, left + x, y, zoom)
        else:
            layers += _item(item, left + x, y, zoom, width)
        x += room + _GAP * zoom
    return layers, row + 1


def _bar_cells(scene: Scene) -> float:
    """Return the round number of cells (1, 2 or 5 times a power of ten) that is at most a fifth of the map's width."""
    most = scene.width / scene.pitch / 5
    power = 10.0 ** np.floor(np.log10(most))
    return float(max(f * power for f in (1, 2, 5) if f * power <= most * (1 + 1e-9)))


def _bar_text(scene: Scene) -> str:
    cells = _bar_cells(scene)
    return f"{cells:g} {scene.measure}" if cells == 1 else f"{cells:g} {scene.measure}s"


def _bar_width(scene: Scene, scale: float, zoom: float) -> float:
    return _bar_cells(scene) * scene.pitch * scale + 6 * zoom + text_width(_bar_text(scene), _TEXT * zoom)


def _bar(scene: Scene, scale: float, x: float, y: float, zoom: float) -> list[Layer]:
    end, tick = x + _bar_cells(scene) * scene.pitch * scale, 4 * zoom
    bar = [[[x, y], [end, y]], [[x, y - tick], [x, y + tick]], [[end, y - tick], [end, y + tick]]]
    return [
        Polylines.of([np.array(line, np.float64) for line in bar], INK, 1.5 * zoom),
        _text(_bar_text(scene), end + 6 * zoom, y, zoom),
    ]


def _text(text: str, x: float, y: float, zoom: float) -> Labels:
    return Labels(np.array([[x, y]]), (text,), _TEXT * zoom, INK, "start")


def _item_width(item: LegendItem, zoom: float) -> float:
    if isinstance(item, Ramp):
        words = sum(text_width(word, _TEXT * zoom) for word in (item.label, item.low, item.high))
        return words + (_RAMP + 18) * zoom
    return text_width(item.label, _TEXT * zoom) + 24 * zoom


def _item(item: LegendItem, x: float, y: float, zoom: float, width: float) -> list[Layer]:
    if isinstance(item, Swatch):
        text = cut_text(item.label, _TEXT * zoom, width - 24 * zoom)
        return [*_mark(item, x, y, zoom), _text(text, x + 24 * zoom, y, zoom)]
    layers: list[Layer] = [_text(item.label, x, y, zoom)]
    x += text_width(item.label, _TEXT * zoom) + 6 * zoom
    layers.append(_text(item.low, x, y, zoom))
    x += text_width(item.low, _TEXT * zoom) + 6 * zoom
    layers.append(ImageLayer(item.colours[None, :, :], (x, y - 6 * zoom, x + _RAMP * zoom, y + 6 * zoom)))
    layers.append(_text(item.high, x + (_RAMP + 6) * zoom, y, zoom))
    return layers


def _mark(item: Swatch, x: float, y: float, zoom: float) -> list[Layer]:
    middle = x + 9 * zoom
    if item.shape == "line":
        line = np.array([[x, y], [x + 18 * zoom, y]], np.float64)
        return [Polylines.of([line], item.colour, 3 * zoom)]
    if item.shape == "cross":
        arms = [np.array([[middle - 5 * zoom, y - d], [middle + 5 * zoom, y + d]]) for d in (5 * zoom, -5 * zoom)]
        return [Polylines.of(arms, item.colour, 2.5 * zoom)]
    if item.shape == "dot":
        return [dots([[middle, y]], 5 * zoom, item.colour)]
    if item.shape == "target":
        white: Colour = (255, 255, 255, 255)
        return [dots([[middle, y]], r * zoom, c) for r, c in ((6.5, item.colour), (4.3, white), (2.1, item.colour))]
    square = np.array([[[x + 2 * zoom, y - 6 * zoom]], [[x + 16 * zoom, y + 6 * zoom]]]).ravel().tolist()
    pixels = np.array(item.colour, np.uint8).reshape(1, 1, 4)
    frame = np.array([[square[i], square[j]] for i, j in ((0, 1), (2, 1), (2, 3), (0, 3), (0, 1))])
    return [
        ImageLayer(pixels, (square[0], square[1], square[2], square[3])),
        Polylines.of([frame], _FRAME, 0.75 * zoom),
    ]
