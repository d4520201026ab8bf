"""Heights: pictures of a height field and of its gradient map, with arrows that point downhill."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.maps.land.levels import check_field
from anabasis.maps.land.slope import gradient, steepness
from anabasis.view.ground import pen
from anabasis.view.layers import Arrows, ImageLayer, Ramp, Scene
from anabasis.view.palette import HEAT, INK, RAMP, with_alpha

__all__ = ["heights_scene", "slope_scene"]

_ARROWS = 28  # along the longer side
_READABLE = 176  # colours of the ramp, on which arrows are still seen
_DARKEST = 0.995  # the share of the cells up to the steepness drawn darkest


def heights_scene(heights: ArrayLike, *, title: str = "") -> Scene:
    """Return a height field, the higher the darker; raises InputError unless all heights are finite."""
    field = check_field(heights)
    low, high = float(field.min()), float(field.max())
    return _scene(field, (low, high), RAMP, "height", title)


def slope_scene(heights: ArrayLike, *, arrows: bool = True, title: str = "") -> Scene:
    """Return how steep a height field is, in units of height for each cell's side, the steeper the darker.

    arrows: at some 28 places along the longer side one points downhill, the longer the steeper the land around is.
    Raises InputError unless all heights are finite.
    """
    field = check_field(heights)
    steep = steepness(field)
    scene = _scene(steep, (0.0, float(np.quantile(steep, _DARKEST))), HEAT[:_READABLE], "steepness", title)
    return scene.over(_arrows(field)) if arrows else scene


def _scene(
    values: NDArray[np.float64], span: tuple[float, float], ramp: NDArray[np.uint8], label: str, title: str
) -> Scene:
    """Return values as colours of a ramp."""
    low, high = span
    share = np.clip((values - low) / (high - low), 0, 1) if high > low else np.zeros(values.shape)
    height, width = values.shape
    image = ImageLayer(ramp[np.round((len(ramp) - 1) * share).astype(np.intp)], (0, 0, width, height))
    legend = (Ramp(label, ramp, f"{low:.3g}", f"{high:.3g}"),)
    return Scene((0, 0, width, height), (image,), legend, title)


def _arrows(field: NDArray[np.float64]) -> Arrows:
    """Return arrows along the mean descent in squares of the map, at most as long as these."""
    height, width = field.shape
    edge = max(1, round(max(width, height) / _ARROWS))
    starts = [np.arange(0, side, edge) for side in (height, width)]
    right, down = (
        np.add.reduceat(np.add.reduceat(a, starts[0], axis=0), starts[1], axis=1) / edge**2 for a in gradient(field)
    )
    x, y = np.meshgrid(*(np.minimum(s + edge / 2, (s + n) / 2) for s, n in ((starts[1], width), (starts[0], height))))
    steep = np.sqrt(right * right + down * down)
    seen = steep > 0.02 * steep.max()
    way = np.stack([-right[seen], -down[seen]], axis=1)
    size = np.minimum(steep[seen] / max(float(np.quantile(steep, 0.9)), 1e-300), 1)
    way *= (0.46 * edge * (0.25 + 0.75 * size) / steep[seen])[:, None]
    centre = np.stack([x[seen], y[seen]], axis=1)
    return Arrows(centre - way, centre + way, with_alpha(INK, 0.75), pen(width, height) / 2)
