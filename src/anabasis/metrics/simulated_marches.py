"""Validator of simulated marches: what is wrong with one, found from its frames, the map and the orders alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
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
_OFF = 0.25  # how far from its place, in steps of the map, a unit may stand without trouble


def simulated_march_faults(
    manoeuvre: Manoeuvre, trace: Trace, spots: NDArray[np.int64], trouble: tuple[str, ...], *, tick: float
) -> list[str]:
    """Return what is wrong with a march in the simulator, nothing if it is as it has to be.

    - units are those of the formations, in order; states, events and counters tell one story;
    - nobody is where nobody can walk, or is quicker than its pace allows;
    - who is on its way overlaps others by no more than steering lets it, or than they did at the start;
    - nobody holds a spot that there isn't, or that another one holds;
    - a formation of which no trouble is told stands as it was drawn, its leader at its target, each on its own spot.

    spots int64[T, n]: who holds which spot; trouble: what is told of each formation; tick: seconds of a step of the
    trace. Raises InputError for a manoeuvre on a graph, which can't be simulated.
    """
    check_kind(manoeuvre, Manoeuvre, "what was carried out")
    check_kind(trace, Trace, "trace of a march")
    if isinstance(manoeuvre.space, Graph):
        raise InputError("map of a simulated march", found="a graph", expected="a map of triangles or of cells")
    held = freeze(spots, np.int64, trace.state.shape, "spots of a march")
    sizes = [formation.schema.spots for formation in manoeuvre.formations]
    if not np.array_equal(trace.group, np.repeat(np.arange(len(sizes)), sizes)) or len(trouble) != len(sizes):
        return [f"its {trace.size} units in {len(trouble)} formations are not those of the manoeuvre"]
    if not np.isfinite(trace.positions).all():
        return ["a position is no number"]
    step = manoeuvre.space.spacing if isinstance(manoeuvre.space, Lattice) else 1.0
    pace = np.concatenate([formation.pace for formation in manoeuvre.formations])
    faults = [
        *record_faults(trace),
        *_off_ground(manoeuvre.space, trace),
        *_too_quick(trace, check_length(tick, "tick") * step / pace),
        *_overlaps(trace),
    ]
    for i, formation in enumerate(manoeuvre.formations):
        units = np.flatnonzero(trace.group == i)
        wrong = _spots_twice(held[:, units], len(units))
        faults += [f"formation {i}: {fault}" for fault in wrong]
        if not (trouble[i] or wrong) and formation.orders:
            faults += _out_of_place(formation, trace, held[-1], units, 2 * _OFF * step)
    return faults


def _off_ground(space: Lattice | Grid, trace: Trace) -> list[str]:
    """Find units off free cells; on triangles, those whose cell is not on ground.

    Such a cell is half a step wide, one of them with its corner half a step before the first vertex; it is on ground if
    the vertex nearest to its middle has steps, and is no farther than a corner of a triangle is from its middle.
    """
    places = trace.positions.reshape(-1, 2)
    if isinstance(space, Grid):
        x, y = np.floor(places).astype(np.int64).T
        inside = (x >= 0) & (y >= 0) & (x < space.width) & (y < space.height)
        wrong = ~(inside & space.free[np.where(inside, y, 0), np.where(inside, x, 0)])
    else:
        from scipy.spatial import KDTree

        graph, half = space.graph(), space.spacing / 2
        walkable = np.zeros(graph.size, bool)
        walkable[graph.indices] = walkable[np.diff(graph.indptr) > 0] = True
        middles = (np.floor((places + half) / half) - 0.5) * half
        apart, vertex = KDTree(graph.points).query(middles)
        wrong = ~walkable[vertex] | (apart > space.spacing * 3**-0.5 * (1 + _SLACK))
    return _first(wrong.reshape(trace.state.shape), trace, "is where nobody can walk")


def _too_quick(trace: Trace, most: Floats) -> list[str]:
    """Find units that went further between two frames than so far, float64[n], in a step."""
    walked = np.hypot(*np.diff(trace.positions, axis=0).transpose(2, 0, 1))
    wrong = np.zeros(trace.state.shape, bool)
    wrong[1:] = walked > np.diff(trace.times)[:, None] * most * (1 + _SLACK) + _SLACK
    return _first(wrong, trace, "is there quicker than its pace allows")


def _overlaps(trace: Trace) -> list[str]:
    """Find two units on their way that are too deep in one another."""
    from scipy.spatial import KDTree

    share, first = 1 - Steering().overlap, trace.positions[0]
    for frame, places in enumerate(trace.positions):
        moving = np.flatnonzero(trace.state[frame] < UnitState.ARRIVED)
        if len(moving) < 2:
            continue
        reach = 2 * share * float(trace.radius[moving].max())
        a, b = moving[KDTree(places[moving]).query_pairs(reach, output_type="ndarray")].reshape(-1, 2).T
        least = np.minimum((trace.radius[a] + trace.radius[b]) * share, np.hypot(*(first[a] - first[b]).T))
        deep = np.flatnonzero(np.hypot(*(places[a] - places[b]).T) < least * (1 - _SLACK) - _SLACK)
        if deep.size:
            return [f"step {trace.times[frame]}, units {a[deep[0]]} and {b[deep[0]]} are in one another"]
    return []


def _spots_twice(held: Longs, count: int) -> list[str]:
    """Find spots of so many that are not there or that two hold; held int64[T, k], -1 for none."""
    rows = np.sort(held, axis=1)
    twice = (rows[:, 1:] == rows[:, :-1]) & (rows[:, 1:] >= 0)
    faults = ["two units hold one spot"] if twice.any() else []
    return faults + (["a unit holds a spot that there isn't"] if (held < -1).any() or (held >= count).any() else [])


def _out_of_place(formation: Formation, trace: Trace, held: Longs, units: Longs, most: float) -> list[str]:
    """Find units that are not where their spots are if the leader's is at the target, whatever way all face.

    That way is fitted, so that who stands well may seem to be as far off as another one is.
    """
    left = units[held[units] >= 0]
    if not left.size:
        return []
    target, drawn = formation.orders[-1].places[-1], formation.schema.places[held[left]]
    stands = trace.positions[-1, left] - target
    # the turn that brings the drawn places nearest to where all stand
    along, across = (drawn * stands).sum(), (drawn[:, 0] * stands[:, 1] - drawn[:, 1] * stands[:, 0]).sum()
    length = np.hypot(along, across)
    c, s = (along / length, across / length) if length > 0 else (1.0, 0.0)
    turned = np.stack((c * drawn[:, 0] - s * drawn[:, 1], s * drawn[:, 0] + c * drawn[:, 1]), 1)
    off = np.hypot(*(stands - turned).T)
    wrong = left[off > most * (1 + _SLACK)]
    more = f", and {len(wrong) - 1} more units" if len(wrong) > 1 else ""
    return [f"unit {wrong[0]} stands {off[left == wrong[0]][0]:.3g} from its place{more}"] if wrong.size else []


def _first(wrong: NDArray[np.bool_], trace: Trace, what: str) -> list[str]:
    """Return a fault for the first frame and unit that is wrong, and how many there are."""
    found = np.argwhere(wrong)
    if not len(found):
        return []
    frame, unit = found[0].tolist()
    more = f", and {len(found) - 1} more times" if len(found) > 1 else ""
    return [f"step {trace.times[frame]}, unit {unit}: {what}{more}"]
