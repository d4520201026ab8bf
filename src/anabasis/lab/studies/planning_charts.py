"""Charts of the studies of planning for one unit: lines over two logarithmic axes, as SVG to stand in a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from anabasis.lab.charts import method_colour
from anabasis.lab.page import text

__all__ = ["log_chart"]

_WIDTH, _HEIGHT = 560, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 548.0, 28.0, 300.0
_ROWS = 3  # of the key, under the axis

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def log_chart(series: Series, *, across: str, up: str) -> str:
    """Return a chart of lines by name, each of points (x, y) above 0, with names for its axes; an SVG element.

    A name that begins with "source" has the colour of the series before it and open marks.
    """
    xs = sorted({float(v) for x, _ in series.values() for v in x})
    ys = [float(v) for _, y in series.values() for v in y]
    left, right = log10(xs[0]) - 0.04, log10(xs[-1]) + 0.04
    low, high = floor(log10(min(ys))), ceil(log10(max(ys)) + 1e-9)

    def place(x: float, y: float) -> tuple[float, float]:
        u, v = (log10(x) - left) / (right - left), (log10(y) - low) / (high - low)
        return round(_LEFT + u * (_RIGHT - _LEFT), 1), round(_BOTTOM + v * (_TOP - _BOTTOM), 1)

    parts: list[str] = []
    for power in range(low, high + 1):
        y = place(xs[0], 10.0**power)[1]
        parts.append(f'<path d="M{_LEFT} {y}H{_RIGHT}" stroke="currentColor" stroke-opacity="0.2"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{10.0**power:g}", "end"))
    parts += [_text(place(x, 10.0**low)[0], _BOTTOM + 18, f"{x:g}") for x in xs]
    parts += [_text((_LEFT + _RIGHT) / 2, _BOTTOM + 38, across), _text(_LEFT, _TOP - 14, up, "end")]
    number = -1
    for k, (name, (x, y)) in enumerate(series.items()):
        source = name.startswith("source")
        number += not source
        colour = method_colour(number)
        points = [place(a, b) for a, b in zip(x, y, strict=True)]
        key = (_LEFT + k // _ROWS * 170, _BOTTOM + 58 + k % _ROWS * 18)
        parts += _line(points, colour, source)
        parts += _line([key, (key[0] + 24, key[1])], colour, source)
        parts.append(_text(key[0] + 32, key[1] + 4, name, "start"))
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" xmlns="http://www.w3.org/2000/svg" role="img" font-size="12" '
        f'font-family="system-ui, sans-serif" fill="currentColor">{"".join(parts)}</svg>'
    )


def _line(points: Sequence[tuple[float, float]], colour: str, source: bool) -> list[str]:
    """Return a line with marks; dashed, with open marks, if it is the source's."""
    way = " ".join(f"{x},{y}" for x, y in points)
    dash, fill = (' stroke-dasharray="4 3"', "none") if source else ("", colour)
    marks = "".join(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{fill}" stroke="{colour}"/>' for x, y in points)
    return [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>', marks]


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text(words)}</text>'
