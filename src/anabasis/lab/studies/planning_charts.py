"""Charts of the studies of planning for one unit: lines over two logarithmic axes, as scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

import numpy as np

from anabasis.view.layers import Circles, Labels, Layer, Polylines, Scene, Swatch
from anabasis.view.palette import INK, PAPER, group_colour, with_alpha

__all__ = ["log_chart"]

_WIDTH, _HEIGHT = 100.0, 62.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 13.0, 98.0, 3.0, 52.0
_TEXT = 3.0

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def log_chart(series: Series, *, across: str, up: str, title: str = "") -> Scene:
    """Return a chart of lines by name, each of points (x, y) above 0; labels of the axes across and up.

    A name that begins with "source" has the colour of the series before it and open marks.
    """
    xs = np.concatenate([np.asarray(x, np.float64) for x, _ in series.values()])
    ys = np.concatenate([np.asarray(y, np.float64) for _, y in series.values()])
    left, right = log10(xs.min()) - 0.04, log10(xs.max()) + 0.04
    low, high = floor(log10(ys.min())), ceil(log10(ys.max()) + 1e-9)

    def at(x: Sequence[float], y: Sequence[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        u = (np.log10(np.asarray(x, np.float64)) - left) / (right - left)
        v = (np.log10(np.asarray(y, np.float64)) - low) / (high - low)
        return np.stack((_LEFT + u * (_RIGHT - _LEFT), _BOTTOM + v * (_TOP - _BOTTOM)), axis=1)

    decades = [10.0**k for k in range(low, high + 1)]
    ticks = sorted(set(xs.tolist()))
    rules = [at([10**left, 10**right], [y, y]) for y in decades]
    columns = at(ticks, [10.0**low] * len(ticks))
    layers: list[Layer] = []
    layers += [
        Polylines.of(rules, with_alpha(INK, 0.15), 0.15),
        Labels(
            at([10**left] * len(decades), decades) - np.array((1.2, 0)),
            tuple(map(_power, decades)),
            _TEXT,
            anchor="end",
        ),
        Labels(columns + np.array((0, 2.6)), tuple(f"{x:g}" for x in ticks), _TEXT),
        Labels(np.array([[(_LEFT + _RIGHT) / 2, 59.5]]), (across,), _TEXT),
        Labels(np.array([[_LEFT + 1, _TOP + 0.5]]), (up,), _TEXT, anchor="start"),
    ]
    legend: list[Swatch] = []
    number = -1
    for name, (x, y) in series.items():
        source = name.startswith("source")
        number += not source
        colour = group_colour(number)
        points = at(x, y)
        shade = with_alpha(colour, 0.45) if source else colour
        layers.append(Polylines.of([points], shade, 0.5))
        fill = np.tile(np.array(PAPER if source else colour, np.uint8), (len(points), 1))
        layers.append(Circles(points, np.full(len(points), 0.9), fill, colour, 0.3))
        legend.append(Swatch(name, shade, "line" if source else "dot"))
    return Scene((0.0, 0.0, _WIDTH, _HEIGHT), tuple(layers), tuple(legend), title)


def _power(value: float) -> str:
    return f"{value:g}" if 1e-3 <= value <= 1e4 else f"1e{log10(value):.0f}"
