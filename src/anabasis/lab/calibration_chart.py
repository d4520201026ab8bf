"""The calibration curve: units that pass a gate in one slice over the gate's width, for print.

Every seed is a mark, the line is what the table gives between the measured widths, the dashed line is the source's
formula: as many units as fit side by side at full speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anabasis.flow.throughput import FOLLOWS
from anabasis.lab.calibration import Measurement
from anabasis.lab.chart_file import chart_file
from anabasis.lab.charts import method_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["calibration_chart"]

_NAMES = {
    "paths": "cell by cell through the gate's centre",
    "points": "points: gate's centre, target",
    "lanes": "lanes side by side through the gate",
    "field": "one vector field",
    "own": "each its own shortest path",
}
_TITLES = {"gap": "gap: straight on", "corridor": "corridor, 12 diameters long", "bend": "bend of 45° behind a gap"}
_MARKS = "osD^v"
_DASHES: tuple[Any, ...] = ("-", (0, (6, 1.5)), (0, (2, 1)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 2)))


def calibration_chart(measurements: Sequence[Measurement], *, kind: str) -> bytes:
    """Return the picture as a file of that kind: "png", "svg" or "pdf"; the same measurements give the same bytes.

    Raises MissingExtraError without matplotlib.
    """
    passages = list(dict.fromkeys(m.passage for m in measurements))

    def draw(figure: Figure) -> None:
        panels: list[Axes] = []
        for number, passage in enumerate(passages):
            share = panels[0] if panels else None
            axes = figure.add_subplot(1, len(passages), number + 1, sharex=share, sharey=share)
            panels.append(axes)
            _draw(axes, [m for m in measurements if m.passage == passage])
            axes.set_title(_TITLES[passage], loc="left")
            axes.set_xlabel("width of the gate, unit diameters")
            if number:
                axes.tick_params(labelleft=False)
        panels[0].set_ylabel("units that pass in one slice")
        panels[0].set_ylim(0, 1.12 * max(m.rate for m in measurements))
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8.0)

    return chart_file(draw, 2.5 * len(passages) + 0.6, 3.6, kind=kind, salt="calibration")


def _draw(axes: Axes, measurements: Sequence[Measurement]) -> None:
    """Draw one passage: the bound, and for each thing to follow the seeds and the line of the table."""
    widths = sorted({m.width for m in measurements})
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.85", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.plot(
        [0, widths[-1]], [0, widths[-1]], color="0.35", linestyle=(0, (4, 3)), linewidth=1, label="full speed (bound)"
    )
    for number, follows in enumerate(FOLLOWS):
        runs = [m for m in measurements if m.follows == follows]
        if not runs:
            continue
        colour, mark = method_colour(number), _MARKS[number]
        rates = [float(np.median([m.rate for m in runs if m.width == width])) for width in widths]
        line = np.maximum.accumulate(rates)
        axes.plot([m.width for m in runs], [m.rate for m in runs], mark, color=colour, markersize=2.4, alpha=0.55)
        axes.plot(
            widths, line, color=colour, linestyle=_DASHES[number], linewidth=1.3, marker=mark, markersize=3.4,
            markerfacecolor="white", label=_NAMES[follows],
        )  # fmt: skip
    axes.set_xlim(0, 1.03 * widths[-1])
