"""The chart of a move: the errors of its formations over time, and F(k) with the curve that is fitted to it.

The two graphs of the logs of M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from anabasis.errors import InputError
from anabasis.lab.chart_file import chart_file
from anabasis.lab.charts import method_colour
from anabasis.metrics.moves import MoveLog, fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["move_chart"]

_PARTS = (("angle", (0, (1, 1))), ("distance", (0, (4, 2))), ("combined", "-"))
_GREATEST = 1e300  # where the axes end is computed from a few times as much


def move_chart(logs: Sequence[MoveLog], *, kind: str) -> bytes:
    """Return the chart as a file: "png", "svg" or "pdf"; raises MissingExtraError without matplotlib.

    Raises InputError for numbers too great for the axes.
    """
    every = (values for log in logs for values in (log.seconds, log.angle, log.distance, log.combined))
    greatest = max(float(values.max()) for values in every)
    if greatest > _GREATEST:
        raise InputError("a chart of a move", found=f"{greatest:g}", expected=f"numbers of at most {_GREATEST:g}")

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
        label = part if single else _shown(log.name)
        axes.plot(
            log.seconds, getattr(log, part), color=method_colour(number), linestyle=dash, linewidth=1.2, label=label
        )


def _fit(axes: Axes, log: MoveLog, number: int) -> None:
    """Draw F(k) as marks and the curve as a line, both by their decimal logarithm."""
    fit, colour = fitted(log), method_colour(number)
    there = np.isfinite(fit.log_integral)
    axes.plot(fit.exponents[there], fit.log_integral[there] / np.log(10), "o", color=colour, markersize=3)
    curve = (fit.log_a + fit.b * fit.exponents[there]) / np.log(10)  # all of them, or none without an error
    axes.plot(fit.exponents[there], curve, color=colour, linewidth=1, label=f"{_shown(log.name)}: E_1 {fit.e1:.4g}")


def _shown(name: str) -> str:
    """Return a name so that a legend shows it as it is: not as mathematics, and also if it begins with "_"."""
    return " " * name.startswith("_") + (name.replace("$", r"\$") or "formation")
