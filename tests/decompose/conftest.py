"""What a decomposition promises, checked without the code that made it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

from anabasis.decomposition import Decomposition
from anabasis.grid import Grid

ROUND_ABOUT = np.ones((3, 3), bool)


def strict_steps(free: Any) -> list[tuple[Any, Any]]:
    """Return all steps between free cells that cut no corner, as pairs of arrays of vertices; each pair once."""
    height, width = free.shape
    number = np.arange(free.size).reshape(free.shape)
    steps = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        rows, below = slice(0, height - dy), slice(dy, height)
        here = slice(max(-dx, 0), width - max(dx, 0))
        there = slice(max(dx, 0), width + min(dx, 0))
        may = free[rows, here] & free[below, there]
        if dx and dy:
            may &= free[below, here] & free[rows, there]
        steps.append((number[rows, here][may], number[below, there][may]))
    return steps


def faults_of(grid: Grid, d: Decomposition) -> list[str]:
    """Return what is wrong with a decomposition of a map, in words."""
    found: list[str] = []
    free, region = grid.free, d.region
    if region.shape != free.shape or ((region >= 0) != free).any():
        return ["free cells and cells with a region differ"]
    pieces = [int(ndimage.label(region == r)[1]) for r in range(d.regions)] if d.regions < 400 else []
    if any(n != 1 for n in pieces):
        found.append(f"region {next(r for r, n in enumerate(pieces) if n != 1)} is not one piece")
    touching = ndimage.binary_dilation(np.pad(~free, 1, constant_values=True), ROUND_ABOUT)[1:-1, 1:-1]
    width = grid.width
    owner: dict[int, int] = {}
    for g in range(d.gates):
        cells = d.gate(g)
        x, y = cells % width, cells // width
        if (x[0], y[0], x[-1], y[-1]) != tuple(d.ends[g]):
            found.append(f"gate {g}: its ends are not its first and last cells")
        if not free.reshape(-1)[cells].all():
            found.append(f"gate {g}: a blocked cell")
        if cells.size > 1 and (np.maximum(abs(np.diff(x)), abs(np.diff(y))) != 1).any():
            found.append(f"gate {g}: a hole between cells")
        if not (touching[y[0], x[0]] and touching[y[-1], x[-1]]):
            found.append(f"gate {g}: an end in the open")
        if abs(d.width[g] - np.hypot(x[0] - x[-1], y[0] - y[-1]) - 1) > 1e-9:
            found.append(f"gate {g}: wrong width")
        length = max(np.hypot(x[0] - x[-1], y[0] - y[-1]), 1)
        away = abs((x[-1] - x[0]) * (y - y[0]) - (y[-1] - y[0]) * (x - x[0])) / length
        if away.max() > 0.5 + 1e-9:
            found.append(f"gate {g}: not straight")
        for cell in cells.tolist():
            if cell in owner:
                found.append(f"gates {owner[cell]} and {g} share a cell")
            owner[cell] = g
    open_cells = free.copy()
    open_cells.reshape(-1)[d.cells] = False
    flat = region.reshape(-1)
    for a, b in strict_steps(open_cells):
        if (flat[a] != flat[b]).any():
            found.append("a step between two regions goes through no gate")
    sides = {g: {int(s) for s in d.sides[g]} for g in range(d.gates)}
    for a, b in strict_steps(free):
        changing = flat[a] != flat[b]
        for u, v in zip(a[changing].tolist(), b[changing].tolist(), strict=True):
            pair = {int(flat[u]), int(flat[v])}
            square = {u, v, u // width * width + v % width, v // width * width + u % width}
            if not any(sides.get(owner.get(w, -1)) == pair for w in square):
                found.append(f"a step from {grid.cell(u)} to {grid.cell(v)} goes through no gate between its regions")
    return found


@pytest.fixture(scope="session")
def faults() -> Callable[[Grid, Decomposition], list[str]]:
    return faults_of
