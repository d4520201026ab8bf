"""Validator of simulated marches: what is wrong with one, found from its frames, the map and the orders alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.graph import Graph
from anabasis.grid import Grid
from anabasis.lattice import Lattice
from anabasis.manoeuvre import Formation, Manoeuvre
from anabasis.metrics.traces import record_faults
from anabasis.noun import freeze
from anabasis.options import check_kind, check_length
from anabasis.scenario import Steering
from anabasis.trace import Trace, UnitState

__all__ = ["simulated_march_faults"]

Floats, Longs = NDArray[np.float64], NDArray[np.int64]

_SLACK = 1e-9
_LOOKED_AT = 500  # frames in which all pairs of units are measured
_OFF = 0.25  # how far from its place, in steps of the map, a unit may stand without trouble


def simulated_march_faults(
    manoeuvre: Manoeuvre, trace: Trace, spots: NDArray[np.int64], trouble: tuple[str, ...], *, tick: float
) -> list[str]:
    """Return what is wrong with a march in the simulator, nothing if it is as it has to be.

    - units are those of the formations, in order; states, events and counters tell one story;
    - nobody is where nobody can walk, or is quicker than its pace allows;
    - who is on its way overlaps others by no more than steering lets it, or than they did at the start;
    - a formation of which no trouble is told stands as it was drawn, its leader at its target, each on its own spot.

    spots int64[T, n]: who holds which spot; trouble: what is told of each formation; tick: seconds of a step of the
    trace. A cell of the simulator may reach over the edge of a map of triangles by half a step. Pairs are looked at in
    at most 500 frames, evenly spaced.
    """
    check_kind(manoeuvre, Manoeuvre, "what was carried out")
    check_kind(trace, Trace, "trace of a march")
    held = freeze(spots, np.int64, trace.state.shape, "spots of a march")
    sizes = [formation.schema.spots for formation in manoeuvre.formations]
    if not np.array_equal(trace.group, np.repeat(np.arange(len(sizes)), sizes)):
        return [f"its {trace.size} units are not those of the formations"]
    if not np.isfinite(trace.positions).all():
        return ["a position is no number"]
    faults = record_faults(trace)
    faults += _off_ground(manoeuvre.space, trace)
    faults += _too_quick(manoeuvre, trace, check_length(tick, "tick"))
    faults += _overlaps(trace)
    for i, formation in enumerate(manoeuvre.formations):
        if not trouble[i] and formation.orders:
            units = np.flatnonzero(trace.group == i)
            faults += _out_of_place(formation, trace, held[-1], units, _OFF * _step(manoeuvre.space))
    return faults


def _step(space: Lattice | Grid | Graph) -> float:
    return space.spacing if isinstance(space, Lattice) else 1.0


def _off_ground(space: Lattice | Grid | Graph, trace: Trace) -> list[str]:
    """Find units off free cells; on triangles, units to which no vertex with steps is about as near as the nearest."""
    places = trace.positions.reshape(-1, 2)
    if isinstance(space, Grid):
        x, y = np.floor(places).astype(np.int64).T
        inside = (x >= 0) & (y >= 0) & (x < space.width) & (y < space.height)
        wrong = ~(inside & space.free[np.where(inside, y, 0), np.where(inside, x, 0)])
    else:
        from scipy.spatial import KDTree

        graph = space.graph() if isinstance(space, Lattice) else space
        walkable = np.zeros(graph.size, bool)
        walkable[graph.indices] = walkable[np.diff(graph.indptr) > 0] = True
        nearest = np.asarray(KDTree(graph.points).query(places)[0])
        apart = np.asarray(KDTree(graph.points[walkable]).query(places)[0])
        # the middle of its cell, half a step wide, has that vertex as its nearest one
        wrong = apart > nearest + _step(space) * 0.5**0.5 * (1 + _SLACK)
    return _first(wrong.reshape(trace.state.shape), trace, "is where nobody can walk")


def _too_quick(manoeuvre: Manoeuvre, trace: Trace, tick: float) -> list[str]:
    """Find units that went further between two frames than a step of the map in the seconds of their pace."""
    pace = np.concatenate([formation.pace for formation in manoeuvre.formations])
    walked = np.hypot(*np.diff(trace.positions, axis=0).transpose(2, 0, 1))
    most = np.diff(trace.times)[:, None] * tick * _step(manoeuvre.space) / pace
    wrong = np.zeros(trace.state.shape, bool)
    wrong[1:] = walked > most * (1 + _SLACK) + _SLACK
    return _first(wrong, trace, "is there quicker than its pace allows")


def _overlaps(trace: Trace) -> list[str]:
    """Find two units on their way that are too deep in one another."""
    least = np.add.outer(trace.radius, trace.radius) * (1 - Steering().overlap)
    at_first = _apart(trace.positions[0])
    least = np.minimum(least, at_first) * (1 - _SLACK) - _SLACK
    np.fill_diagonal(least, -np.inf)
    frames = np.unique(np.linspace(0, len(trace.times) - 1, _LOOKED_AT).astype(np.int64))
    for frame in frames.tolist():
        moving = trace.state[frame] < UnitState.ARRIVED
        deep = (_apart(trace.positions[frame]) < least) & moving & moving[:, None]
        if deep.any():
            a, b = np.argwhere(deep)[0].tolist()
            return [f"step {trace.times[frame]}, units {a} and {b} are in one another"]
    return []


def _apart(places: Floats) -> Floats:
    return np.hypot(*(places[:, None] - places).transpose(2, 0, 1))


def _out_of_place(formation: Formation, trace: Trace, held: Longs, units: Longs, most: float) -> list[str]:
    """Find units that are not where their spots are if the leader's is at the target, whatever way all face."""
    left = units[held[units] >= 0]
    if not left.size:
        return []
    target, drawn = formation.orders[-1].places[-1], formation.schema.places[held[left]]
    if len(np.unique(held[left])) < len(left):
        return ["two units hold one spot"]
    stands = trace.positions[-1, left] - target
    # the turn that brings the drawn places nearest to where all stand
    along, across = (drawn * stands).sum(), (drawn[:, 0] * stands[:, 1] - drawn[:, 1] * stands[:, 0]).sum()
    length = np.hypot(along, across)
    c, s = (along / length, across / length) if length > 0 else (1.0, 0.0)
    turned = np.stack((c * drawn[:, 0] - s * drawn[:, 1], s * drawn[:, 0] + c * drawn[:, 1]), 1)
    off = np.hypot(*(stands - turned).T)
    wrong = left[off > most * (1 + _SLACK)]
    return [f"unit {wrong[0]} of {len(wrong)} stands {off.max():.3g} from its place"] if wrong.size else []


def _first(wrong: NDArray[np.bool_], trace: Trace, what: str) -> list[str]:
    """Return a fault for the first frame and unit that is wrong, and how many there are."""
    found = np.argwhere(wrong)
    if not len(found):
        return []
    frame, unit = found[0].tolist()
    more = f", and {len(found) - 1} more times" if len(found) > 1 else ""
    return [f"step {trace.times[frame]}, unit {unit}: {what}{more}"]
