"""The chart of a move: the errors of its formations over time, and F(k) with the curve that is fitted to it.

The two graphs of the logs of M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from anabasis.lab.chart_file import chart_file
from anabasis.lab.charts import method_colour
from anabasis.metrics.moves import MoveLog, fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["move_chart"]

_PARTS = (("angle", (0, (1, 1))), ("distance", (0, (4, 2))), ("combined", "-"))


def move_chart(logs: Sequence[MoveLog], *, kind: str) -> bytes:
    """Return the chart as a file: "png", "svg" or "pdf"; raises MissingExtraError without matplotlib."""

    def draw(figure: Figure) -> None:
        over_time, over_k = figure.subplots(1, 2)
        for number, log in enumerate(logs):
            _errors(over_time, log, number, single=len(logs) == 1)
            _fit(over_k, log, number)
        for axes in (over_time, over_k):
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(color="0.85", linewidth=0.5)
            axes.set_axisbelow(True)
            axes.legend(frameon=False, fontsize=8.0)
        over_time.set_xlabel("seconds")
        over_time.set_ylabel("error of the shape")
        over_time.set_ylim(bottom=0)
        over_time.set_xlim(left=0)
        over_k.set_xlabel("k")
        over_k.set_ylabel("F(k), powers of ten")
        over_k.set_xscale("log")

    return chart_file(draw, 7.4, 3.2, kind=kind, salt="move")


def _errors(axes: Axes, log: MoveLog, number: int, *, single: bool) -> None:
    """Draw the errors over time; of several formations the combined one only."""
    for part, dash in _PARTS if single else _PARTS[-1:]:
        label = part if single else log.name
        axes.plot(
            log.seconds, getattr(log, part), color=method_colour(number), linestyle=dash, linewidth=1.2, label=label
        )


def _fit(axes: Axes, log: MoveLog, number: int) -> None:
    """Draw F(k) as marks and the curve as a line, both by their decimal logarithm."""
    fit, colour = fitted(log), method_colour(number)
    there = np.isfinite(fit.log_integral)
    axes.plot(fit.exponents[there], fit.log_integral[there] / np.log(10), "o", color=colour, markersize=3)
    if there.any():
        curve = (fit.log_a + fit.b * fit.exponents) / np.log(10)
        axes.plot(fit.exponents, curve, color=colour, linewidth=1, label=f"{log.name}: E_1 {fit.e1:.4g}")
