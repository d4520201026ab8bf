"""Spectrum: how the power of a height field is spread over frequencies, and over directions.

The slope of the power over the frequency, on scales of logarithms, is the usual measure of the roughness of terrain: D.
Turcotte, "Fractals and Chaos in Geology and Geophysics", 2nd edition, 1997, chapter 7. Directions show the lattice that
a field was made on: R. Cook and T. DeRose, "Wavelet Noise", 2005.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.noun import freeze
from anabasis.options import check_count

__all__ = ["directional_spectrum", "radial_spectrum", "spectral_slope"]

Floats = NDArray[np.float64]


def radial_spectrum(
    heights: ArrayLike, *, rings: int = 24, low: float | None = None, high: float = 0.5, seamless: bool = False
) -> tuple[Floats, Floats]:
    """Return the frequencies of rings, in cycles a cell, and the mean power of a wave in each of them.

    Rings are equally wide on the scale of logarithms from `low` (by default four waves along the shorter side, at most
    `high` / 4) to `high`; rings in which no wave lies are left out. Unless the field is seamless it is faded out
    towards its borders (Hann's window), after its mean was taken away. Raises InputError for a field below 8×8 cells or
    not finite, and for frequencies that are not in order from above 0 to 0.5.
    """
    frequency, _, power = _waves(heights, seamless)
    low, high = _span(low, high, min(np.shape(heights)))
    count = check_count(rings, "rings", least=1)
    edges = np.geomspace(low, high, count + 1)
    ring = np.searchsorted(edges, frequency, side="right") - 1
    inside = (ring >= 0) & (ring < count)
    waves = np.bincount(ring[inside], minlength=count)
    total = np.bincount(ring[inside], power[inside], minlength=count)
    middle = np.bincount(ring[inside], np.log(frequency[inside]), minlength=count)
    there = waves > 0
    return np.exp(middle[there] / waves[there]), total[there] / waves[there]


def spectral_slope(
    heights: ArrayLike, *, low: float | None = None, high: float = 0.25, seamless: bool = False
) -> float:
    """Return the slope of power by frequency between two frequencies, both on scales of logarithms.

    White noise has 0. A fractal field whose octaves lose amplitude by the factor g where frequencies grow by l has
    2 · log(g) / log(l) - 2. Least squares over the rings of `radial_spectrum`, whose errors it raises, and InputError
    for a field that is flat.
    """
    frequency, power = radial_spectrum(heights, low=low, high=high, seamless=seamless)
    if len(power) < 2 or not (power > 0).all():
        found = f"{(power > 0).sum()} of {len(power)} rings with power"
        raise InputError("a spectrum without a slope", found=found, expected="power in all of at least 2 rings")
    return float(np.polyfit(np.log(frequency), np.log(power), 1)[0])


def directional_spectrum(
    heights: ArrayLike, *, sectors: int = 16, low: float | None = None, high: float = 0.5, seamless: bool = False
) -> Floats:
    """Return float64[sectors], the mean power of a wave by its direction, relative to the mean of all sectors.

    Sector k has its middle at the angle k · 180° / sectors from the x axis towards the y axis; waves count from
    frequency `low` to `high`. A field without preferred directions has 1 everywhere but for chance. Errors are those of
    `radial_spectrum`.
    """
    frequency, angle, power = _waves(heights, seamless)
    low, high = _span(low, high, min(np.shape(heights)))
    count = check_count(sectors, "sectors", least=1)
    inside = (frequency >= low) & (frequency <= high)
    sector = np.floor(angle[inside] / np.pi * count + 0.5).astype(np.int64) % count
    waves = np.bincount(sector, minlength=count)
    if (waves == 0).any():
        raise InputError("a sector without waves", found=f"{count} sectors", hint="fewer sectors or more frequencies")
    mean = np.bincount(sector, power[inside], minlength=count) / waves
    total = mean.mean()
    return mean / total if total > 0 else np.ones(count)


def _waves(heights: ArrayLike, seamless: bool) -> tuple[Floats, Floats, Floats]:
    """Return frequency, direction (0 to π) and power of all waves, each pair of opposite ones twice."""
    field = freeze(heights, np.float64, (None, None), "heights")
    if min(field.shape) < 8:
        found = f"{field.shape[1]} × {field.shape[0]} cells"
        raise InputError("a field too small for a spectrum", found=found, expected="sides of at least 8")
    if not np.isfinite(field).all():
        raise InputError("heights", found="a height that is not finite", expected="finite heights")
    field = field - field.mean()
    if not seamless:
        field = field * np.outer(*(0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(n) + 0.5) / n) for n in field.shape))
    power = np.abs(np.fft.fft2(field)) ** 2 / field.size
    y, x = np.meshgrid(*(np.fft.fftfreq(n) for n in field.shape), indexing="ij")
    there = (x != 0) | (y != 0)
    return np.hypot(x, y)[there], np.arctan2(y, x)[there] % np.pi, power[there]


def _span(low: float | None, high: float, side: int) -> tuple[float, float]:
    if low is None:
        low = min(4 / side, high / 4)
    if not 0 < low < high <= 0.5:
        raise InputError("frequencies", found=f"{low:.3g} to {high:.3g}", expected="0 < low < high ≤ 0.5")
    return low, high
