"""Throughput: how many units pass a gate of a given width.

By J. Pacovský, "Navigation of units in video games using flow networks", 2019, as many units pass side by side as fit
into the gate, one row in the time in which a unit moves by its diameter. Units that throng pass more slowly than that,
so the default is what the simulator was measured to let pass (`anabasis calibrate`).
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anabasis.errors import InputError
from anabasis.network import PERIOD

__all__ = ["FOLLOWS", "PASSAGES", "TABLE", "capacity", "measured_rates"]

PASSAGES = ("gap", "corridor", "bend")
FOLLOWS = ("paths", "points", "lanes", "field", "own")
TABLE = "throughput.csv"


def capacity(
    width: ArrayLike,
    *,
    radius: float,
    speed: float,
    calibrated: bool = True,
    passage: str = "gap",
    follows: str = "paths",
) -> NDArray[np.int64]:
    """Return for each gate the units that pass it in PERIOD steps, in the shape of `width`.

    - width: of the gates, in cells. radius, speed: of a unit, in cells and cells a step.
    - calibrated: by the measured rates; else as many units as fit side by side at full speed, the source's formula.
    - passage: what lies behind the gate, one of PASSAGES. follows: what the units follow, one of FOLLOWS; both are
      explained in `anabasis.lab.calibration`.

    Never falls as the width grows; 0 for a gate narrower than any that lets units through. Rates were measured at 0.15
    diameters a step; twice as fast, units get in each other's way more, and up to a third fewer pass than said here.
    Raises InputError for a width that is negative or not finite, and a radius or speed not above 0.
    """
    gates = np.asarray(width, np.float64)
    if not (np.isfinite(gates).all() and (gates >= 0).all()):
        raise InputError("width of a gate", found=f"{gates.ravel().tolist()}", expected="finite numbers of at least 0")
    for name, value in (("radius", radius), ("speed", speed)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{name} of a unit", found=f"{value}", expected="a number above 0")
    diameters = gates / (2.0 * radius)
    # a hair more, so that a width that is meant to be whole counts as whole
    a_slice = _interpolated(diameters, passage, follows) if calibrated else np.floor(diameters + 1e-9)
    return np.floor(a_slice * (PERIOD * speed / (2.0 * radius)) + 1e-9).astype(np.int64)


def _interpolated(diameters: NDArray[np.float64], passage: str, follows: str) -> NDArray[np.float64]:
    """Return the units a slice at widths in unit diameters: straight lines between the measured widths and beyond."""
    known, rate = measured_rates(passage, follows)
    slope = (rate[-1] - rate[-2]) / (known[-1] - known[-2])
    beyond = rate[-1] + slope * (diameters - known[-1])
    within = np.where(diameters < known[0] - 1e-9, 0.0, np.interp(diameters, known, rate))
    return np.where(diameters > known[-1], beyond, within)


@cache
def measured_rates(passage: str, follows: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return widths in unit diameters, rising, and the units that passed in one slice, never falling.

    A slice is the time in which a unit moves by its diameter at full speed. Raises InputError for an unknown name.
    """
    for name, value, known in (("passage", passage, PASSAGES), ("what units follow", follows, FOLLOWS)):
        if value not in known:
            raise InputError(name, found=repr(value), expected=" or ".join(known))
    text = (files("anabasis") / "data" / TABLE).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = [row for row in csv.DictReader(lines) if (row["passage"], row["follows"]) == (passage, follows)]
    width = np.array([float(row["width"]) for row in rows])
    rate = np.maximum.accumulate(np.array([float(row["rate"]) for row in rows]))
    for array in (width, rate):
        array.flags.writeable = False  # kept for all callers
    return width, rate
