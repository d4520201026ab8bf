"""Charts: arrival curves and densities, box plots, ratios and shares, as SVG to stand inside an HTML page.

The kinds of charts are those of Pacovský: Navigation of units in video games using flow networks, 2019. A method has
one colour and one dash everywhere. The same data give the same bytes. Drawn by matplotlib, which is an extra.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import MissingExtraError
from anabasis.lab.comparison import Comparison
from anabasis.view.palette import group_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

__all__ = [
    "DASHES",
    "MARKS",
    "arrival_chart",
    "density_chart",
    "method_colour",
    "need_matplotlib",
    "panels_figure",
    "plain_powers",
    "ratio_chart",
    "share_chart",
    "unit_chart",
]

_INK = "#010203"  # becomes the colour of the page's text
_FAINT = "#040506"  # becomes the same, fainter
_BLACK = "#222428"  # the palette's black, on a dark page the colour of the text
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1)), (0, (8, 2)))
MARKS = "osD^vP"
_CURVE_POINTS = 400


def need_matplotlib() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise MissingExtraError("matplotlib", "plots") from None


def method_colour(number: int) -> str:
    """Return the colour of the method at that place of the comparison, as #rrggbb; the palette repeats after eight."""
    red, green, blue, _ = group_colour(number)
    return f"#{red:02x}{green:02x}{blue:02x}"


def arrival_chart(curves: Mapping[str, Sequence[NDArray[np.int64]]], *, salt: str) -> str:
    """Return the arrival curves: the share of units that have arrived at each step.

    curves: for each method one int64[n] a seed, the steps of arrival, -1 for none. The line is the median over the
    seeds of the k-th arrival, the band reaches from the fastest to the slowest seed.
    """

    def draw(axes: Axes) -> None:
        for number, runs in enumerate(curves.values()):
            if not len(runs):
                continue
            ranks = np.array([np.sort(np.where(run < 0, np.inf, run)) for run in runs])
            every = max(1, -(-ranks.shape[1] // _CURVE_POINTS))
            chosen = np.unique(np.append(np.arange(0, ranks.shape[1], every), ranks.shape[1] - 1))
            share = 100 * (chosen + 1) / ranks.shape[1]
            low, high = ranks.min(axis=0)[chosen], ranks.max(axis=0)[chosen]
            middle = np.quantile(ranks, 0.5, axis=0, method="lower")[chosen]
            colour = method_colour(number)
            inside = np.isfinite(high)
            if len(runs) > 1:
                axes.fill_betweenx(share[inside], low[inside], high[inside], color=colour, alpha=0.18, linewidth=0)
            inside = np.isfinite(middle)
            axes.plot(
                middle[inside], share[inside], color=colour, linestyle=DASHES[number % len(DASHES)], linewidth=1.8
            )
        axes.set_xlim(left=0)
        axes.set_ylim(0, 103)
        axes.set_yticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
        axes.set_xlabel("step")
        axes.set_ylabel("units arrived")
        axes.xaxis.set_major_formatter("{x:,.0f}")

    return panels_figure([draw], 5.4, 3.3, salt)


def density_chart(arrivals: Mapping[str, Sequence[NDArray[np.int64]]], *, salt: str) -> str:
    """Return the kernel density of arrivals: units of a run that arrive in each hundred steps.

    arrivals: for each method one int64[n] a seed, the steps of arrival, -1 for none. The arrivals of all seeds are one
    sample; the kernel is Gaussian, its width by Scott's rule.
    """
    from scipy.stats import gaussian_kde

    pooled = {m: np.concatenate([run[run >= 0] for run in runs] or [np.zeros(0)]) for m, runs in arrivals.items()}
    last = max((float(times.max()) for times in pooled.values() if times.size), default=1.0)

    def draw(axes: Axes) -> None:
        steps = np.linspace(0, 1.05 * last, _CURVE_POINTS)
        for number, (method, times) in enumerate(pooled.items()):
            if np.unique(times).size < 2:
                continue
            units = times.size / len(arrivals[method])
            line = DASHES[number % len(DASHES)]
            height = 100 * units * gaussian_kde(times)(steps)
            axes.plot(steps, height, color=method_colour(number), linestyle=line, linewidth=1.8)
        axes.set_xlim(0, 1.05 * last)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("step")
        axes.set_ylabel("arrivals in 100 steps")
        axes.xaxis.set_major_formatter("{x:,.0f}")

    return panels_figure([draw], 5.4, 3.3, salt)


def share_chart(counts: Mapping[str, NDArray[np.int64]], sizes: Sequence[int], *, salt: str) -> str:
    """Return how a group is shared out as it grows: for each title one panel, int64[parts, sizes] stacked as areas."""

    def draw(axes: Axes, title: str, parts: NDArray[np.int64]) -> None:
        colours = [method_colour(k) for k in range(len(parts))]
        axes.stackplot(sizes, parts, colors=[colour + "b0" for colour in colours], edgecolor=colours, linewidth=0.8)
        axes.plot(sizes, parts.sum(axis=0), "o", color=_INK, markersize=2.5)
        axes.set_xlim(0, max(sizes))
        axes.set_ylim(0, 1.03 * max(sizes))
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("units")
        axes.set_ylabel("on each route" if title == next(iter(counts)) else "")

    return panels_figure([partial(draw, title=title, parts=parts) for title, parts in counts.items()], 9.6, 2.7, salt)


def unit_chart(units: Mapping[str, Mapping[str, Sequence[float]]], *, salt: str) -> str:
    """Return box plots of the first, the middle and the last arrival: `units[method][which]` has one number a seed.

    The box reaches from quartile to quartile with the median in it, the whiskers to the least and the greatest; each
    seed is a mark. Each of the three has its own scale, which does not begin at 0.
    """
    kinds = list(dict.fromkeys(which for by_kind in units.values() for which in by_kind))

    def draw(axes: Axes, which: str) -> None:
        for x, by_kind in enumerate(units.values()):
            values = np.asarray(by_kind.get(which, ()), np.float64)
            if values.size:
                _box(axes, x, values, method_colour(x), MARKS[x % len(MARKS)])
        axes.set_xlim(-0.6, len(units) - 0.4)
        axes.set_xticks([])
        axes.set_xlabel(which)
        axes.set_ylabel("step of arrival" if which == kinds[0] else "")
        axes.spines["bottom"].set_visible(False)
        axes.margins(y=0.12)
        axes.locator_params(axis="y", integer=True, nbins=6)
        axes.yaxis.set_major_formatter("{x:,.0f}")

    return panels_figure([partial(draw, which=which) for which in kinds], 5.4, 3.3, salt)


def _box(axes: Axes, x: float, values: NDArray[np.float64], colour: str, mark: str) -> None:
    """Draw one box with its seeds; with fewer than three seeds the marks alone."""
    line = {"color": colour, "linewidth": 1.1}
    if values.size >= 3:
        axes.boxplot(
            values,
            positions=[x],
            widths=0.62,
            whis=(0, 100),
            manage_ticks=False,
            patch_artist=True,
            boxprops={"facecolor": colour + "38", "edgecolor": colour, "linewidth": 1.1},
            medianprops={"color": colour, "linewidth": 2.4, "solid_capstyle": "butt"},
            whiskerprops=line,
            capprops=line,
        )
    shift = np.linspace(-0.2, 0.2, values.size) if values.size > 1 else np.zeros(1)
    axes.plot(x + shift, values, mark, color=colour, markersize=3)


def ratio_chart(comparison: Comparison, *, salt: str) -> str:
    """Return every method's ratio to the best of each scenario, with its interval; the best stands at 1."""
    scenarios, methods = comparison.scenarios, comparison.methods
    step = 0.7 / max(1, len(methods))

    def draw(axes: Axes) -> None:
        for row, scenario in enumerate(scenarios):
            if row % 2:
                axes.axhspan(row - 0.5, row + 0.5, color=_FAINT, alpha=0.06, linewidth=0)
            for number, method in enumerate(methods):
                entry = comparison.entry(scenario, method)
                if entry.ratio is None:
                    continue
                y = row + (number - (len(methods) - 1) / 2) * step
                colour = method_colour(number)
                if entry.interval is not None:
                    axes.plot([entry.interval.low, entry.interval.high], [y, y], color=colour, linewidth=1.6)
                fill = colour if entry.comparable else "none"
                axes.plot(entry.ratio, y, MARKS[number % len(MARKS)], color=colour, markerfacecolor=fill, markersize=6)
        axes.axvline(1, color=_INK, linewidth=0.8)
        axes.set_ylim(len(scenarios) - 0.5, -0.5)
        axes.set_yticks(range(len(scenarios)), [_cut(name) for name in scenarios])
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("ratio to the best, with its 95 % interval")

    return panels_figure([draw], 7.6, 0.9 + max(0.42, 0.17 * len(methods)) * len(scenarios), salt, grid="x")


def _cut(name: str) -> str:
    return name if len(name) <= 28 else name[:27] + "…"


def plain_powers(axis: Axis, subs: Sequence[float] = (1.0, 2.0, 5.0)) -> None:
    """Label a logarithmic axis at `subs` times powers of ten, as plain numbers: charts read no text as a formula."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=tuple(subs)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def panels_figure(
    panels: Sequence[Callable[[Axes], None]],
    width: float,
    height: float,
    salt: str,
    *,
    grid: Literal["x", "y"] = "y",
) -> str:
    """Draw panels side by side (sizes in inches) and return SVG without anything that changes or points outside."""
    need_matplotlib()
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "text.parse_math": False,
        "font.family": "DejaVu Sans",
        "font.size": 9.0,
        "text.color": _INK,
        "axes.labelcolor": _INK,
        "axes.edgecolor": _FAINT,
        "xtick.color": _INK,
        "ytick.color": _INK,
        "axes.linewidth": 0.8,
        "axes.unicode_minus": False,
        "path.simplify": True,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        for number, draw in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(axis=grid, color=_FAINT, alpha=0.25, linewidth=0.6)
            axes.set_axisbelow(True)
            draw(axes)
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    return _inline(buffer.getvalue())


def _inline(document: str) -> str:
    """Return an SVG document as an element for a page: sized by the page, in the page's text colour and font."""
    svg = document[document.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)  # it would rule the whole page
    head = re.match(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', svg)
    assert head is not None  # noqa: S101
    svg = (
        f'<svg viewBox="{head[1]}" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'style="stroke-linejoin: round; stroke-linecap: butt" role="img">'
    ) + svg[head.end() :]
    svg = re.sub(r' id="[A-Za-z.]+[A-Za-z0-9.]*_[0-9_]+"', "", svg)  # numbers of parts, of no use and not unique
    svg = re.sub(r"'DejaVu Sans'(, ?(sans-serif|'[^']*'))*", "system-ui, sans-serif", svg)
    for colour in (_INK, _FAINT, _BLACK):
        svg = svg.replace(colour, "currentColor")
    return svg.strip()
