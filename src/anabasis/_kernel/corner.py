"""Corners of obstacles: into which directions a straight way may leave one, and which ways are taut around one.

A corner is three places in a row along the boundary, before, here and after, with the free side where
orient(a, b, p) > 0 (see `geometry`). A place without edges is a corner whose three places are the same.
"""

from __future__ import annotations

from typing import Any

from anabasis._kernel import kernel
from anabasis._kernel.geometry import orient

__all__ = ["open_to", "taut"]


@kernel
def open_to(here: Any, before: Any, after: Any, i: int, x: float, y: float, tangent: bool) -> bool:
    """Whether the straight way from corner i to (x, y) begins inside its free sector, borders included.

    tangent: and would not point into the obstacle either if it were carried on backwards beyond the corner; this is
    for corners with a free sector larger than 180° only.
    """
    hx, hy = here[i, 0], here[i, 1]
    bx, by = before[i, 0], before[i, 1]
    if bx == hx and by == hy:
        return True
    first, last = orient(bx, by, hx, hy, x, y), orient(hx, hy, after[i, 0], after[i, 1], x, y)
    if tangent:
        return (first >= 0.0 or last >= 0.0) and (first <= 0.0 or last <= 0.0)
    if orient(bx, by, hx, hy, after[i, 0], after[i, 1]) < 0.0:
        return first >= 0.0 or last >= 0.0
    return first >= 0.0 and last >= 0.0


@kernel
def taut(here: Any, before: Any, after: Any, i: int, ux: float, uy: float, x: float, y: float) -> bool:
    """Whether the way from (ux, uy) over corner i to (x, y) goes straight on or bends towards the obstacle.

    Both parts of the way must be tangent at the corner.
    """
    hx, hy = here[i, 0], here[i, 1]
    turn = orient(ux, uy, hx, hy, x, y)
    if turn == 0.0:  # straight on, or back where it came from
        return (hx - ux) * (x - hx) + (hy - uy) * (y - hy) > 0.0
    side = orient(ux, uy, hx, hy, before[i, 0], before[i, 1])
    if side == 0.0:
        side = orient(ux, uy, hx, hy, after[i, 0], after[i, 1])
    return (turn > 0.0) == (side > 0.0)
