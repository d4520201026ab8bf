"""Octaves: one noise added to itself at ever finer scales, plain, ridged or as billows, and warped by itself.

Sums: B. Mandelbrot and J. Van Ness, "Fractional Brownian Motions, Fractional Noises and Applications", 1968; K. Perlin,
"An Image Synthesizer", 1985 (billows are its turbulence). Ridges: F. K. Musgrave in D. Ebert and others, "Texturing and
Modeling: A Procedural Approach", 3rd edition, 2003, chapter 16. Warping: I. Quilez, "Domain warping", 2002.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis._kernel.random import random_fraction, stream_key
from anabasis.errors import InputError
from anabasis.maps.shape import check_shape
from anabasis.noun import freeze, set_field
from anabasis.options import check_choice, check_count, check_length, check_seed, check_share

__all__ = ["FINEST", "KINDS", "Noise", "Octaves", "noise_at", "noise_grid"]

KINDS = ("sum", "billow", "ridged")
FINEST = 0.25  # cells: the least step of a lattice, below which noise is no more than white
FARTHEST = 2.0**31  # cells from the origin
_CHUNK = 32768  # points at a time, so that what lies between two octaves stays in the processor's cache
_SHIFTS, _STEPS = 129, 64

Floats, Ints = NDArray[np.float64], NDArray[np.int64]


@dataclass(frozen=True)
class Noise:
    """A noise of one octave: what writes it to float64[h, w] and to float64[n], in lattice steps from the origin."""

    stream: int
    grid: Callable[[Floats, Floats, Floats, int, Ints], None]  # out, x of columns, y of rows, key, periods
    points: Callable[[Floats, Floats, int, Ints], None]  # out, float64[d, n], key, periods
    row: float = 1.0  # the distance of lattice rows, in steps
    rows: int = 1  # a period has a multiple of so many rows
    warped_by: Noise | None = None  # None: by itself


@dataclass(frozen=True)
class Octaves:
    """How octaves are added; their amplitudes add up to 1.

    - scale: cells in a step of the first octave's lattice; each next lattice is finer by the factor `lacunarity`, and
      shifted at random, so that lattice points of different octaves don't meet.
    - roughness: the amplitude of an octave as a share of that of the octave before it. A sum of octaves has the
      spectral slope 2 · log(roughness) / log(lacunarity) - 2 (power by frequency, in two dimensions).
    - kind: *sum* adds octaves n in -1 … 1, and the result lies there too; *billow* adds |n|, *ridged* adds (1 - |n|)²
      times twice the octave before it (at most 1), so that ridges are rough and valleys smooth: both lie in 0 … 1.
    - warp: points are moved before the noise is asked for, by at most so many cells along each axis, by further fields
      that are plain sums of the same octaves.
    - period: the size in cells after which everything repeats, or None. Each lattice step is then rounded, for each
      axis on its own, so that it fits in it a whole number of times, at least once.

    Raises InputError for values out of range and for octaves finer than a quarter of a cell.
    """

    seed: int
    scale: float
    octaves: int
    roughness: float
    lacunarity: float
    kind: str = "sum"
    warp: float = 0.0
    period: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        set_field(self, "seed", check_seed(self.seed))
        set_field(self, "scale", check_length(self.scale, "scale"))
        set_field(self, "octaves", check_count(self.octaves, "octaves", least=1, most=32))
        set_field(self, "roughness", check_share(self.roughness, "roughness"))
        set_field(self, "lacunarity", check_length(self.lacunarity, "lacunarity"))
        if not 1 < self.lacunarity <= 16:
            raise InputError("lacunarity", found=f"{self.lacunarity:g}", expected="a factor above 1, at most 16")
        sizes = [self.scale / self.lacunarity**k for k in range(self.octaves)]
        if sizes[-1] < FINEST:
            most = sum(size >= FINEST for size in sizes)
            hint = f"at most {most} octaves at this scale" if most else "a scale of some cells"
            found = f"a lattice step of {sizes[-1]:.3g} cells"
            raise InputError("octaves finer than cells", found=found, expected="at least 1/4 cell", hint=hint)
        check_choice(self.kind, "kind of octaves", KINDS)
        set_field(self, "warp", float(freeze(self.warp, np.float64, (), "warp")))
        if not 0 <= self.warp <= FARTHEST:
            raise InputError("warp", found=f"{self.warp:g}", expected="a number of cells from 0")
        if self.period is not None:
            set_field(
                self,
                "period",
                tuple(check_length(side, "period") for side in freeze(self.period, np.float64, (None,), "period")),
            )

    def amplitudes(self) -> list[float]:
        """Return the amplitude of each octave."""
        parts = [1.0]
        for _ in range(self.octaves - 1):
            parts.append(parts[-1] * self.roughness)
        return [part / sum(parts) for part in parts]

    def fields(self, noise: Noise, axes: int) -> list[list[_Lattice]]:
        """Return the lattices of all octaves, of the field and then of those that warp it along each axis."""
        bend = noise.warped_by or noise
        return [self._lattices(bend if field else noise, axes, field) for field in range(axes + 1 if self.warp else 1)]

    def _lattices(self, noise: Noise, axes: int, field: int) -> list[_Lattice]:
        lattices: list[_Lattice] = []
        frequency = 1.0 / self.scale
        for k, amplitude in enumerate(self.amplitudes()):
            step = field * _STEPS + k
            frequencies, periods = [frequency] * axes, [0] * axes
            if axes == 2:
                frequencies[1] /= noise.row
            for axis, side in enumerate(self.period or ()):
                unit = noise.rows if axis == 1 else 1
                periods[axis] = unit * max(1, round(side * frequencies[axis] / unit))
                frequencies[axis] = periods[axis] / side
            shift = stream_key(self.seed, _SHIFTS, step)
            shifts = [random_fraction(shift, noise.stream, axis) for axis in range(axes)]
            key = stream_key(self.seed, noise.stream, step)
            lattices.append(_Lattice(key, frequencies, shifts, np.array(periods, np.int64), amplitude))
            frequency *= self.lacunarity
        return lattices


@dataclass(frozen=True)
class _Lattice:
    key: int
    frequencies: list[float]
    shifts: list[float]
    periods: Ints
    amplitude: float

    def along(self, axis: int, places: Floats) -> Floats:
        """Return places along an axis, in cells, as numbers of lattice steps."""
        return places * self.frequencies[axis] + self.shifts[axis]


def noise_grid(
    noise: Noise, width: int, height: int, octaves: Octaves, *, seamless: bool, offset: tuple[float, float]
) -> Floats:
    """Return float64[height, width], the noise at the centres of cells.

    seamless: copies side by side fit together; offset: where the corner of the first cell lies, in cells.
    """
    rows, columns = check_shape(width, height)
    if seamless:
        octaves = replace(octaves, period=(columns, rows))
    corner = freeze(offset, np.float64, (2,), "offset")
    if not (np.abs(corner) <= FARTHEST).all():
        raise InputError("offset", found=f"{offset}", expected="two numbers of cells, at most 2^31 from 0")
    xs, ys = np.arange(columns) + 0.5 + corner[0], np.arange(rows) + 0.5 + corner[1]
    out, kind = np.zeros((rows, columns)), KINDS.index(octaves.kind)
    fields, bend = octaves.fields(noise, 2), noise.warped_by or noise
    band = max(1, _CHUNK // columns)
    for top in range(0, rows, band):
        part, y = out[top : top + band], ys[top : top + band]
        if octaves.warp:
            moved = np.stack([np.broadcast_to(xs, part.shape), np.broadcast_to(y[:, None], part.shape)])
            for axis in range(2):
                field = np.zeros(part.shape)
                _add_grid(bend, field, xs, y, fields[axis + 1], 0)
                moved[axis] += octaves.warp * field
            _add_points(noise, part.reshape(-1), moved.reshape(2, -1), fields[0], kind)
        else:
            _add_grid(noise, part, xs, y, fields[0], kind)
    return out


def noise_at(noise: Noise, points: ArrayLike, octaves: Octaves, axes: tuple[int, ...]) -> Floats:
    """Return float64[n], the noise at float64[n, d], places in cells; d must be one of `axes`."""
    places = np.ascontiguousarray(_places(points, axes).T)
    count = len(places)
    if octaves.period is not None and len(octaves.period) != count:
        raise InputError("period", found=f"{len(octaves.period)} sides", expected=f"{count}, one for each axis")
    out, kind = np.zeros(places.shape[1]), KINDS.index(octaves.kind)
    fields, bend = octaves.fields(noise, count), noise.warped_by or noise
    for first in range(0, len(out), _CHUNK):
        part, place = out[first : first + _CHUNK], places[:, first : first + _CHUNK]
        if octaves.warp:
            moved = place.copy()
            for axis in range(count):
                field = np.zeros(len(part))
                _add_points(bend, field, place, fields[axis + 1], 0)
                moved[axis] += octaves.warp * field
            place = moved
        _add_points(noise, part, place, fields[0], kind)
    return out


def _places(points: ArrayLike, axes: tuple[int, ...]) -> Floats:
    known = " or ".join(str(count) for count in axes)
    try:
        places = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            "points", found="something else than numbers", expected=f"n rows of {known} numbers"
        ) from error
    if places.ndim != 2 or places.shape[1] not in axes:
        raise InputError("points", found=f"an array of shape {places.shape}", expected=f"n rows of {known} numbers")
    if not (np.abs(places) <= FARTHEST).all():
        bad = int(np.flatnonzero(~(np.abs(places) <= FARTHEST).all(axis=1))[0])
        raise InputError("points", found=f"{places[bad].tolist()} in row {bad}", expected="places within 2^31 cells")
    return places


def _add_grid(noise: Noise, out: Floats, xs: Floats, ys: Floats, lattices: list[_Lattice], kind: int) -> None:
    one, ceiling = np.empty(out.shape), np.ones(out.size)
    for lattice in lattices:
        noise.grid(one, lattice.along(0, xs), lattice.along(1, ys), lattice.key, lattice.periods)
        _fold(out.reshape(-1), one.reshape(-1), ceiling, lattice.amplitude, kind)


def _add_points(noise: Noise, out: Floats, places: Floats, lattices: list[_Lattice], kind: int) -> None:
    one, ceiling = np.empty(out.shape), np.ones(out.size)
    for lattice in lattices:
        steps = np.stack([lattice.along(axis, place) for axis, place in enumerate(places)])
        noise.points(one, steps, lattice.key, lattice.periods)
        _fold(out, one, ceiling, lattice.amplitude, kind)


@kernel
def _fold(out: Any, one: Any, ceiling: Any, amplitude: float, kind: int) -> None:
    """Add an octave; `ceiling` is what the octave before allows a ridge."""
    if kind == 0:
        for i in range(out.shape[0]):
            out[i] += amplitude * one[i]
    elif kind == 1:
        for i in range(out.shape[0]):
            out[i] += amplitude * abs(one[i])
    else:
        for i in range(out.shape[0]):
            ridge = 1.0 - abs(one[i])
            ridge = ridge * ridge * ceiling[i]
            out[i] += amplitude * ridge
            ceiling[i] = min(1.0, 2.0 * ridge)
