"""Scene: a picture as data: a rectangle of the world, layers from bottom to top, a legend and a title.

Lengths are in cells, in the project's frame (x right, y down), so one scene can be drawn at any size: by `svg`, by
`raster` and by the studio. Drawers keep what is small visible: no circle below 1½ px in radius, no line below ¾ px.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze, set_field
from anabasis.view.palette import INK, PAPER, Colour

__all__ = [
    "LEAST_LINE",
    "LEAST_RADIUS",
    "Arrows",
    "Circles",
    "ImageLayer",
    "Labels",
    "Layer",
    "LegendItem",
    "Polygons",
    "Polylines",
    "Ramp",
    "Scene",
    "Swatch",
    "dots",
]

LEAST_RADIUS = 1.5  # px
LEAST_LINE = 0.75  # px


def _check_rows(indptr: NDArray[np.int64], points: NDArray[np.float64], name: str) -> None:
    if indptr.size < 1 or indptr[0] != 0 or indptr[-1] != len(points) or (np.diff(indptr) < 0).any():
        raise InputError(f"indptr of {name}", found=f"{indptr[:8]}", expected=f"rising from 0 to {len(points)} points")


@dataclass(frozen=True, eq=False)
class ImageLayer:
    """Pixels uint8[h, w, 3 or 4] stretched over extent (x_min, y_min, x_max, y_max), without smoothing."""

    pixels: NDArray[np.uint8]
    extent: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        channels = np.shape(self.pixels)[-1] if np.ndim(self.pixels) == 3 else 0
        if channels not in (3, 4):
            raise InputError("pixels of an image", found=f"{np.shape(self.pixels)}", expected="[height, width, 3 or 4]")
        set_field(self, "pixels", freeze(self.pixels, np.uint8, (None, None, channels), "pixels"))

    def within(self, bounds: tuple[float, float, float, float]) -> ImageLayer:
        """Return the part, in whole pixels, that covers what lies within bounds; at least one pixel."""
        x0, y0, x1, y1 = self.extent
        height, width = self.pixels.shape[:2]
        dx, dy = (x1 - x0) / width, (y1 - y0) / height
        left = min(max(int((bounds[0] - x0) / dx), 0), width - 1)
        top = min(max(int((bounds[1] - y0) / dy), 0), height - 1)
        right = min(max(int(np.ceil((bounds[2] - x0) / dx - 1e-9)), left + 1), width)
        bottom = min(max(int(np.ceil((bounds[3] - y0) / dy - 1e-9)), top + 1), height)
        if (left, top, right, bottom) == (0, 0, width, height):
            return self
        extent = (x0 + left * dx, y0 + top * dy, x0 + right * dx, y0 + bottom * dy)
        return ImageLayer(self.pixels[top:bottom, left:right], extent)


@dataclass(frozen=True, eq=False)
class Polylines:
    """Lines in one colour; line k is points[indptr[k]:indptr[k + 1]]. Overlaps within a layer don't add up."""

    points: NDArray[np.float64]
    indptr: NDArray[np.int64]
    colour: Colour
    width: float

    def __post_init__(self) -> None:
        set_field(self, "points", freeze(self.points, np.float64, (None, 2), "points"))
        set_field(self, "indptr", freeze(self.indptr, np.int64, (None,), "indptr"))
        _check_rows(self.indptr, self.points, "polylines")

    @classmethod
    def of(cls, lines: list[NDArray[np.float64]], colour: Colour, width: float) -> Polylines:
        """Make a layer from a list of lines, each float64[k, 2]."""
        points = np.concatenate(lines) if lines else np.zeros((0, 2))
        return cls(points, np.cumsum([0, *(len(line) for line in lines)]), colour, width)

    def straightened(self) -> Polylines:
        """Return the same lines without the points at which a line goes straight on."""
        p = self.points
        keep = np.ones(len(p), bool)
        if len(p) > 2:
            a, b = p[1:-1] - p[:-2], p[2:] - p[1:-1]
            straight = (np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) < 1e-9) & ((a * b).sum(axis=1) > 0)
            keep[1:-1] = ~straight
        ends = self.indptr[:-1][np.diff(self.indptr) > 0], self.indptr[1:][np.diff(self.indptr) > 0] - 1
        keep[np.concatenate(ends)] = True
        counts = np.concatenate([[0], np.cumsum(keep)])
        return replace(self, points=p[keep], indptr=counts[self.indptr])


@dataclass(frozen=True, eq=False)
class Circles:
    """Discs: centres float64[n, 2], radii float64[n], colours uint8[n, 4], later ones above; outlined or not."""

    centres: NDArray[np.float64]
    radii: NDArray[np.float64]
    colours: NDArray[np.uint8]
    outline: Colour | None = None
    outline_width: float = 0.0

    def __post_init__(self) -> None:
        centres = freeze(self.centres, np.float64, (None, 2), "centres")
        set_field(self, "centres", centres)
        set_field(self, "radii", freeze(self.radii, np.float64, (len(centres),), "radii"))
        set_field(self, "colours", freeze(self.colours, np.uint8, (len(centres), 4), "colours"))


@dataclass(frozen=True, eq=False)
class Polygons:
    """Filled rings; ring k is points[indptr[k]:indptr[k + 1]], the last corner not repeating the first."""

    points: NDArray[np.float64]
    indptr: NDArray[np.int64]
    fill: Colour
    outline: Colour | None = None
    outline_width: float = 0.0

    def __post_init__(self) -> None:
        set_field(self, "points", freeze(self.points, np.float64, (None, 2), "points"))
        set_field(self, "indptr", freeze(self.indptr, np.int64, (None,), "indptr"))
        _check_rows(self.indptr, self.points, "polygons")


@dataclass(frozen=True, eq=False)
class Arrows:
    """Arrows in one colour from tails to tips, both float64[n, 2]."""

    tails: NDArray[np.float64]
    tips: NDArray[np.float64]
    colour: Colour
    width: float

    def __post_init__(self) -> None:
        tails = freeze(self.tails, np.float64, (None, 2), "tails")
        set_field(self, "tails", tails)
        set_field(self, "tips", freeze(self.tips, np.float64, tails.shape, "tips"))

    def shapes(self) -> tuple[Polylines, Polygons]:
        """Return the shafts and the heads; a head is 5 widths long, but at most half the arrow."""
        way = self.tips - self.tails
        length = np.hypot(way[:, 0], way[:, 1])[:, None]
        unit = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
        head = np.minimum(5 * self.width, length / 2)
        neck = self.tips - unit * head
        across = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * head * 0.4
        n = len(way)
        shafts = np.stack([self.tails, neck], axis=1).reshape(-1, 2)
        heads = np.stack([self.tips, neck + across, neck - across], axis=1).reshape(-1, 2)
        return (
            Polylines(shafts, 2 * np.arange(n + 1), self.colour, self.width),
            Polygons(heads, 3 * np.arange(n + 1), self.colour),
        )


@dataclass(frozen=True, eq=False)
class Labels:
    """Texts of one size (height of a line in cells) at points float64[n, 2], vertically centred on them."""

    points: NDArray[np.float64]
    texts: tuple[str, ...]
    size: float
    colour: Colour = INK
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False

    def __post_init__(self) -> None:
        set_field(self, "texts", tuple(self.texts))
        set_field(self, "points", freeze(self.points, np.float64, (len(self.texts), 2), "points of labels"))


Layer = ImageLayer | Polylines | Circles | Polygons | Arrows | Labels


@dataclass(frozen=True)
class Swatch:
    """A line of the legend: what a colour means."""

    label: str
    colour: Colour
    shape: Literal["area", "line", "dot", "target", "cross"] = "area"


@dataclass(frozen=True, eq=False)
class Ramp:
    """A line of the legend: colours uint8[k, 4] from the value `low` to `high`, as texts."""

    label: str
    colours: NDArray[np.uint8]
    low: str
    high: str

    def __post_init__(self) -> None:
        set_field(self, "colours", freeze(self.colours, np.uint8, (None, 4), "colours"))


LegendItem = Swatch | Ramp


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture: what lies within bounds (x_min, y_min, x_max, y_max, in cells), layers from bottom to top.

    measure, pitch: what the scale bar counts, in one word, and the length of one.
    """

    bounds: tuple[float, float, float, float]
    layers: tuple[Layer, ...] = ()
    legend: tuple[LegendItem, ...] = ()
    title: str = ""
    background: Colour = PAPER
    measure: str = "cell"
    pitch: float = 1.0

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = (float(v) for v in self.bounds)
        if not (np.isfinite([x0, y0, x1, y1]).all() and x0 < x1 and y0 < y1):
            raise InputError(
                "bounds of a scene", found=f"{self.bounds}", expected="(x_min, y_min, x_max, y_max) with min below max"
            )
        set_field(self, "bounds", (x0, y0, x1, y1))
        set_field(self, "layers", tuple(self.layers))
        set_field(self, "legend", tuple(self.legend))

    @property
    def width(self) -> float:
        """Width in cells."""
        return self.bounds[2] - self.bounds[0]

    @property
    def height(self) -> float:
        """Height in cells."""
        return self.bounds[3] - self.bounds[1]

    def over(self, *layers: Layer, legend: tuple[LegendItem, ...] = (), title: str = "") -> Scene:
        """Return the scene with more layers on top, a longer legend and, if given, another title."""
        return replace(self, layers=(*self.layers, *layers), legend=(*self.legend, *legend), title=title or self.title)

    def window(self, x_min: float, y_min: float, x_max: float, y_max: float) -> Scene:
        """Return a part of the scene, enlarged."""
        return replace(self, bounds=(x_min, y_min, x_max, y_max))


def dots(
    points: ArrayLike, radius: float, colour: Colour, *, outline: Colour | None = None, width: float = 0.0
) -> Circles:
    """Return circles of one size and colour."""
    centres = np.asarray(points, np.float64).reshape(-1, 2)
    n = len(centres)
    return Circles(centres, np.full(n, radius), np.tile(np.array(colour, np.uint8), (n, 1)), outline, width)
