"""Reasons: why a unit of a run is where it is: its way ahead, the next gate and who is before it, forces, blockers.

Whoever stands nearer to a gate, along its own way, than another that has the same next gate, is before that one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anabasis.campaign import Campaign
from anabasis.decomposition import Decomposition
from anabasis.flow.navigate import Navigator
from anabasis.sim.simulate import Simulation
from anabasis.sim.steering import NOTHING, Felt
from anabasis.trace import UnitState
from anabasis.view.plans import field_lines

__all__ = ["Gate", "Reasons", "reasons"]

Floats, Ints = NDArray[np.float64], NDArray[np.int64]

_FINE = 8  # places looked at on a cell's length of a line
_MOST_BEFORE = 500  # units that are looked at for a place in a queue
_LONGEST = 4_000  # points of a way ahead
_TOUCH = 1.2  # who is nearer than so many distances at touch is in the way
_CHAIN = 50  # of units that wait for one another


@dataclass(frozen=True, eq=False)
class Gate:
    """The next gate on a unit's way: its cells int64[c, 2], its width, how far it is, and the units before it there."""

    cells: Ints
    width: float
    distance: float
    before: Ints


@dataclass(frozen=True, eq=False)
class Reasons:
    """What is known of a unit after a step.

    ahead: float64[k, 2], its way from where it is, empty if it has none. region: the number of the region that it is
    in, -1 in a wall. room: how far the next wall is, in cells. felt: what it felt in the last step. blockers: the chain
    of units that it waits for: each is in the way of the one before. against: whether the first of them comes the other
    way. narrow: whether the way ahead is too narrow for it.
    """

    ahead: Floats
    region: int
    room: float
    gate: Gate | None
    felt: Felt
    blockers: tuple[int, ...]
    against: bool
    narrow: bool


def reasons(campaign: Campaign, unit: int) -> Reasons:
    """Return the reasons why a unit is where it is now. The run stays where it is; its last step is made again."""
    run = campaign.run
    felt = campaign.at(run.now - 1).step_watching(unit) if run.now else NOTHING
    x, y = np.floor(run.units.position[unit]).astype(np.int64).tolist()
    layer = int(run.units.layer[unit])
    grid = run.walls.grids[layer]
    parts = Navigator(grid).maps[0].decomposition  # as methods of flow see the map
    under_way = run.units.state[unit] <= UnitState.LOST
    ahead = _ahead(run, np.array([unit]))[0] if under_way else np.zeros((0, 2))
    chain, against = _blockers(run, unit) if under_way else ((), False)
    return Reasons(
        ahead,
        int(parts.region[y, x]),
        max(float(run.walls.layers[layer, y + 1, x + 1]) - 0.5, 0.0),
        _next_gate(run, parts, unit, ahead),
        felt,
        chain,
        against,
        _is_narrow(run, unit, ahead),
    )


def _ahead(run: Simulation, who: Ints) -> list[Floats]:
    """Return the way ahead of each of some units, from where it is; of one in formation just to its spot."""
    units, ways = run.units, [np.zeros((0, 2))] * len(who)
    for number, field in run.plans.fields.items():
        mine = np.flatnonzero(units.field[who] == number)
        for k, line in zip(mine.tolist(), field_lines(field, units.position[who[mine]]), strict=True):
            ways[k] = np.asarray(line, np.float64)[:_LONGEST]
    for k, unit in enumerate(who.tolist()):
        place = units.position[unit][None]
        if units.field[unit] < 0 and units.first[unit] < units.end[unit]:
            rest = run.plans.points[units.goal[unit] : units.end[unit], :2][:_LONGEST]
            ways[k] = np.concatenate((place, rest))
        elif units.field[unit] in run.plans.formations:
            ways[k] = np.concatenate((place, units.target[unit, :2][None]))
    return ways


def _next_gate(run: Simulation, parts: Decomposition, unit: int, ahead: Floats) -> Gate | None:
    """Return the next gate on a way, None if there is none, with the units before this one there."""
    gate_at = np.full(parts.region.size, -1, np.int64)
    gate_at[parts.cells] = np.repeat(np.arange(parts.gates), np.diff(parts.indptr))
    met = _meets(gate_at.reshape(parts.region.shape), ahead)
    if met is None:
        return None
    number, distance = met
    units, cells = run.units, parts.gate(number)
    places = np.stack((cells % parts.region.shape[1], cells // parts.region.shape[1]), 1)
    others = np.flatnonzero((units.state <= UnitState.LOST) & (units.layer == units.layer[unit]))
    gap = np.hypot(*(units.position[others] - (places.mean(0) + 0.5)).T)
    nearest = others[np.argsort(gap, kind="stable")]
    nearest = nearest[nearest != unit][:_MOST_BEFORE]
    before: list[tuple[float, int]] = []
    for other, way in zip(nearest.tolist(), _ahead(run, nearest), strict=True):
        theirs = _meets(gate_at.reshape(parts.region.shape), way)
        if theirs is not None and theirs[0] == number and theirs[1] < distance:
            before.append((theirs[1], other))
    return Gate(
        places, float(parts.width[number]), distance, np.array([other for _, other in sorted(before)], np.int64)
    )


def _meets(gate_at: Ints, line: Floats) -> tuple[int, float] | None:
    """Return the first gate that a line leads over, and how far along the line it is; None if there is none."""
    if len(line) < 2:
        return None
    lengths = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(lengths)))
    fine = np.linspace(0, along[-1], int(_FINE * along[-1]) + 2)
    places = np.stack([np.interp(fine, along, line[:, k]) for k in (0, 1)], 1)
    gates = np.full(len(fine), -1)
    # a little to all sides, as a line can slip through between two cells of a slanting gate
    for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        x, y = np.floor(places + np.array((dx, dy)) / (2 * _FINE)).astype(np.int64).T
        inside = (x >= 0) & (y >= 0) & (x < gate_at.shape[1]) & (y < gate_at.shape[0])
        gates[inside] = np.maximum(gates[inside], gate_at[y[inside], x[inside]])
    found = np.flatnonzero(gates >= 0)
    return (int(gates[found[0]]), float(fine[found[0]])) if found.size else None


def _blockers(run: Simulation, unit: int) -> tuple[tuple[int, ...], bool]:
    """Return the chain of units that a unit waits for, and whether the first of them comes the other way."""
    units = run.units
    moving = np.flatnonzero(units.state <= UnitState.LOST)
    chain: list[int] = []
    here, against = unit, False
    while len(chain) < _CHAIN:
        others = moving[moving != here]
        apart = units.position[others] - units.position[here]
        gap = np.hypot(*apart.T)
        ahead = apart @ units.wanted[here] > 0.5 * gap
        close = ahead & (gap < _TOUCH * (units.radius[others] + units.radius[here]))
        if not close.any():
            break
        following = int(others[close][gap[close].argmin()])
        if not chain:
            against = bool(units.wanted[following] @ units.wanted[here] < -0.3)
        if following == unit or following in chain:
            break
        chain.append(following)
        here = following
    return tuple(chain), against


def _is_narrow(run: Simulation, unit: int, ahead: Floats) -> bool:
    """Whether within the next few cells of its way a unit has no room between the walls."""
    if len(ahead) < 2:
        return False
    layer, radius = run.walls.layers[run.units.layer[unit]], float(run.units.radius[unit])
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(ahead, axis=0).T))))
    near = np.arange(0.0, min(along[-1], 2 + 4 * radius), 0.25)
    x, y = np.floor(np.stack([np.interp(near, along, ahead[:, k]) for k in (0, 1)], 1)).astype(np.int64).T
    inside = (x >= 0) & (y >= 0) & (x < layer.shape[1] - 2) & (y < layer.shape[0] - 2)
    return bool((layer[y[inside] + 1, x[inside] + 1] - 0.5 < radius - 0.05).any())
