"""Statistics of a comparison: ratios to the best, colour bands, bootstrap intervals, geometric means.

The metric, the median over the runs of the last unit's arrival as a ratio to the fastest method of the scenario, and
the bands are those of Pacovský: Navigation of units in video games using flow networks, 2019. The intervals, which the
thesis does not have, are bootstrap intervals, bias-corrected and accelerated (BCa) where there are seeds enough: Efron:
Better bootstrap confidence intervals, Journal of the American Statistical Association, 1987.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BANDS",
    "BCA_PAIRS",
    "MINIMUM_PAIRS",
    "Interval",
    "band",
    "geometric_mean",
    "geometric_mean_interval",
    "interval_text",
    "ratio_interval",
    "ratio_text",
]

BANDS = ("≤ 1 %", "≤ 10 %", "≤ 50 %", "> 50 %")  # dark green, light green, orange, red
_EDGES = (1.01, 1.10, 1.50)

MINIMUM_PAIRS = 5  # with fewer seeds a bootstrap interval means nothing
BCA_PAIRS = 12  # with fewer, 95 % BCa intervals of a ratio of medians cover the truth too rarely (10: 90 %)
RESAMPLES = 9_999
SEED = 20_190_718


@dataclass(frozen=True)
class Interval:
    """A 95 % confidence interval of a ratio.

    kind: "BCa"; "percentile" where the data are too coarse for the correction; "constant" where every seed gives the
    same ratio, so that the interval is one point.
    """

    low: float
    high: float
    kind: str

    @property
    def holds_one(self) -> bool:
        """Whether the data allow that there is no difference."""
        return self.low <= 1.0 <= self.high


def band(ratio: float) -> str:
    """Return the band (of BANDS) of a ratio to the best; the edges belong to the better band."""
    return BANDS[int(np.searchsorted(_EDGES, ratio - 1e-12, side="left"))]


def ratio_text(ratio: float, *, best: bool) -> str:
    """Return a ratio as the thesis prints it: the best is `1`, a rounded tie `1.00`."""
    return "1" if best else f"{ratio:.2f}"


def interval_text(interval: Interval) -> str:
    """Return `1.04 to 1.10`, with more digits where two would hide on which side of 1 an end lies."""

    def end(value: float) -> str:
        digits = next((d for d in (2, 3, 4) if value == 1 or round(value, d) != 1), 5)
        return f"{value:.{digits}f}"

    return f"{end(interval.low)} to {end(interval.high)}"


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of numbers above 0; raises ValueError without any."""
    if not len(values) or min(values) <= 0:
        raise ValueError("a geometric mean needs numbers above 0")
    return float(np.exp(np.log(np.asarray(values, np.float64)).mean()))


def geometric_mean_interval(values: Sequence[float]) -> Interval | None:
    """Return the 95 % bootstrap interval of the geometric mean of numbers above 0, as a sample of more such numbers.

    None with fewer than MINIMUM_PAIRS numbers. The same numbers have the same interval.
    """
    logs = np.log(np.asarray(values, np.float64))
    if logs.size < MINIMUM_PAIRS:
        return None
    if (logs == logs[0]).all():
        return Interval(float(np.exp(logs[0])), float(np.exp(logs[0])), "constant")
    for kind in ("BCa", "percentile") if logs.size >= BCA_PAIRS else ("percentile",):
        low, high = np.exp(_interval((logs,), np.mean, kind))
        if np.isfinite([low, high]).all():
            return Interval(float(low), float(high), kind)
    raise ValueError("a geometric mean needs numbers above 0")


def ratio_interval(ours: Sequence[float], best: Sequence[float]) -> Interval | None:
    """Return the 95 % interval of median(ours) / median(best), the i-th values of both being of the same seed.

    Pairs are resampled whole. None with fewer than MINIMUM_PAIRS pairs. The resampling has a fixed seed, so the same
    data have the same interval.
    """
    a, b = np.asarray(ours, np.float64), np.asarray(best, np.float64)
    if a.shape != b.shape:
        raise ValueError(f"pairs need equal lengths, not {a.size} and {b.size}")
    if a.size < MINIMUM_PAIRS:
        return None
    if (a == a[0]).all() and (b == b[0]).all():
        return Interval(float(a[0] / b[0]), float(a[0] / b[0]), "constant")
    for kind in ("BCa", "percentile") if a.size >= BCA_PAIRS else ("percentile",):
        low, high = _interval((a, b), _ratio_of_medians, kind)
        if np.isfinite([low, high]).all():
            return Interval(low, high, kind)
    raise ValueError("steps must be above 0")


def _ratio_of_medians(x: NDArray[np.float64], y: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return np.median(x, axis=axis) / np.median(y, axis=axis)


def _interval(
    samples: tuple[NDArray[np.float64], ...], statistic: Callable[..., Any], kind: str
) -> tuple[float, float]:
    """Return the ends of the bootstrap interval of a statistic; several samples are resampled as pairs."""
    from scipy import stats

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate data give nan, which the caller sees
        result = stats.bootstrap(
            samples,
            statistic,
            paired=len(samples) > 1,
            vectorized=True,
            n_resamples=RESAMPLES,
            confidence_level=0.95,
            method=kind,
            rng=np.random.default_rng(SEED),
        )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)
