"""Measures of a run: counters and their statistics, arrivals, density, throughput, detours, unfinished units, overlap.

The counters and their nine statistics are those of a master's thesis on group navigation with flow networks (Charles
University, Prague, 2019). Density and throughput follow the definitions in use for pedestrians: U. Weidmann,
"Transporttechnik der Fussgänger", 1993.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.trace import COUNTERS, Cause, Ending, Event, Trace, UnitState

__all__ = [
    "STATISTICS",
    "Line",
    "arrival_times",
    "counter_columns",
    "counter_statistics",
    "crossings",
    "density",
    "detour",
    "first_middle_last",
    "flow_rate",
    "overlap",
    "region_density",
    "throughput",
    "unfinished",
]

Line = tuple[tuple[float, float], tuple[float, float]]

STATISTICS = (
    "mean",
    "median",
    "minimum",
    "maximum",
    "standard_deviation",
    "variance",
    "first_quartile",
    "third_quartile",
    "sum",
)


def counter_statistics(trace: Trace, *, units: NDArray[np.bool_] | None = None) -> dict[str, dict[str, float]]:
    """Return the nine STATISTICS of each of the COUNTERS, `result[counter][statistic]`.

    They are taken over the units that arrived, so a run that was ended early still has its results and the others
    enter only as a count (`trace.size - trace.finished`); `units` (bool[n]) chooses others. Standard deviation and
    variance are those of the whole population (divided by n); quartiles are interpolated linearly between order
    statistics. Of no units at all the sum is 0 and every other statistic nan.
    """
    chosen = trace.arrival >= 0 if units is None else np.asarray(units, bool)
    if chosen.shape != (trace.size,):
        raise InputError("units to take statistics of", found=f"{chosen.shape}", expected=f"{trace.size} truth values")
    return {name: _statistics(getattr(trace.counters, name)[chosen].astype(np.float64)) for name in COUNTERS}


def counter_columns(trace: Trace, *, units: NDArray[np.bool_] | None = None) -> dict[str, float]:
    """Return `counter_statistics` as one row of a table: `<counter>_<statistic>` → value."""
    nested = counter_statistics(trace, units=units)
    return {f"{counter}_{name}": value for counter, row in nested.items() for name, value in row.items()}


def _statistics(values: NDArray[np.float64]) -> dict[str, float]:
    if not values.size:
        return {name: 0.0 if name == "sum" else float("nan") for name in STATISTICS}
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return {
        "mean": float(values.mean()),
        "median": float(middle),
        "minimum": float(values.min()),
        "maximum": float(values.max()),
        "standard_deviation": float(values.std()),
        "variance": float(values.var()),
        "first_quartile": float(low),
        "third_quartile": float(high),
        "sum": float(values.sum()),
    }


def arrival_times(trace: Trace, *, group: int | None = None) -> NDArray[np.int64]:
    """Return int64[k]: the steps at which units (of one group) arrived, first to last; the others are left out."""
    arrived = trace.arrival >= 0
    if group is not None:
        arrived = arrived & (trace.group == group)
    return np.sort(trace.arrival[arrived])


def first_middle_last(trace: Trace) -> tuple[int, int, int] | None:
    """Return the arrival steps of the first, the middle and the last unit that arrived; None if none did.

    The middle one is the ⌈k/2⌉-th of k, so it is always the arrival of a real unit.
    """
    times = arrival_times(trace)
    if not times.size:
        return None
    return int(times[0]), int(times[(times.size - 1) // 2]), int(times[-1])


def _present(trace: Trace) -> NDArray[np.bool_]:
    """bool[T, n]: which units are on the map in each frame: neither arrived nor removed."""
    return (trace.state == UnitState.MOVING) | (trace.state == UnitState.LOST)


def _cells(trace: Trace, frame: int, units: NDArray[np.bool_], grid: Grid) -> NDArray[np.int64]:
    """Return the vertices under units in one frame, a centre on the very edge of the map counted inside."""
    place = np.floor(trace.positions[frame, units]).astype(np.int64)
    x, y = np.clip(place[:, 0], 0, grid.width - 1), np.clip(place[:, 1], 0, grid.height - 1)
    return y * grid.width + x


def density(trace: Trace, grid: Grid, *, start: int = 0, stop: int | None = None) -> NDArray[np.float64]:
    """Return float64[height, width]: for each cell the unit-steps spent in it from step `start` to before `stop`.

    A frame stands for the steps up to the next one, the last frame for none; so with every step recorded the sum is
    the sum of all `updates`, and with fewer frames it is as exact as the recording.
    """
    present = _present(trace)
    edges = np.clip(trace.times, start, trace.steps if stop is None else stop)
    total = np.zeros(grid.width * grid.height)
    for frame, weight in enumerate(np.diff(edges).tolist()):
        if weight > 0:
            np.add.at(total, _cells(trace, frame, present[frame], grid), float(weight))
    return total.reshape(grid.height, grid.width)


def region_density(trace: Trace, grid: Grid, region: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return float64[T]: units per free cell inside `region` (bool[height, width]) in each frame."""
    inside = np.asarray(region, bool)
    if inside.shape != (grid.height, grid.width):
        raise InputError(
            "region to measure density in", found=f"{inside.shape}", expected=f"[{grid.height}, {grid.width}]"
        )
    area = int((inside & grid.free).sum())
    if not area:
        raise InputError("region to measure density in", found="no free cell", expected="at least one free cell")
    present, flat = _present(trace), inside.ravel()
    counts = [flat[_cells(trace, frame, present[frame], grid)].sum() for frame in range(trace.times.size)]
    return np.asarray(counts, np.float64) / area


def crossings(trace: Trace, *, line: Line) -> NDArray[np.int64]:
    """Return int64[T, 2]: units that crossed `line` since the frame before, forwards and backwards.

    Forwards is from the left hand to the right hand of someone who walks the line from its first to its second point
    (on a line drawn upwards, toward +x). A unit's way between two frames counts as straight. A unit on the line itself
    counts as to the right of it, and the second end does not belong to the line: so touching counts nothing, and lines
    laid end to end count every unit once.
    """
    (x0, y0), (x1, y1) = line
    dx, dy = x1 - x0, y1 - y0
    if not (np.isfinite([dx, dy]).all() and (dx or dy)):
        raise InputError("line to count crossings of", found=f"{line}", expected="two different points")
    counts = np.zeros((trace.times.size, 2), np.int64)
    present = _present(trace)
    for frame in range(1, trace.times.size):
        before = trace.positions[frame - 1, present[frame - 1]]
        after = trace.positions[frame, present[frame - 1]]
        side0 = dx * (before[:, 1] - y0) - dy * (before[:, 0] - x0)
        side1 = dx * (after[:, 1] - y0) - dy * (after[:, 0] - x0)
        crossed = (side0 >= 0) != (side1 >= 0)
        before, after, side0, side1 = before[crossed], after[crossed], side0[crossed], side1[crossed]
        # where on the line, from 0 at its first point: the two projections, weighted by the distances to the line
        along0, along1 = ((p[:, 0] - x0) * dx + (p[:, 1] - y0) * dy for p in (before, after))
        along = (along0 * side1 - along1 * side0) / ((side1 - side0) * (dx * dx + dy * dy))
        hit = (along >= 0) & (along < 1)
        counts[frame] = (hit & (side1 >= 0)).sum(), (hit & (side1 < 0)).sum()
    return counts


def throughput(trace: Trace, *, line: Line) -> NDArray[np.int64]:
    """Return int64[T]: units that crossed `line` since the frame before, forwards less backwards (see `crossings`)."""
    counts = crossings(trace, line=line)
    return counts[:, 0] - counts[:, 1]


def flow_rate(trace: Trace, *, line: Line, window: int = 100) -> NDArray[np.float64]:
    """Return float64[T]: units a step across `line`, forwards less backwards, over the last `window` steps.

    At a frame less than `window` steps from the first frame the mean is over the steps there were; it is 0 at the
    first. Frames recorded more rarely than `window` steps are averaged over their own distance.
    """
    if window < 1:
        raise InputError("window of a flow rate", found=f"{window}", expected="at least 1 step")
    times = trace.times
    total = np.cumsum(throughput(trace, line=line))
    # the last frame at or before the window's begin, never the frame itself
    first = np.maximum(np.searchsorted(times, times - window, side="right") - 1, 0)
    span = times - times[first]
    return (total - total[first]) / np.maximum(span, 1)


def detour(trace: Trace) -> NDArray[np.float64]:
    """Return float64[n]: the way each unit walked as a ratio to the length of its first plan; nan without a plan."""
    walked, planned = trace.counters.distance_travelled, trace.planned_length
    return np.divide(walked, planned, out=np.full(trace.size, np.nan), where=planned > 0)


def unfinished(trace: Trace) -> dict[int, Cause]:
    """Return for each unit that did not arrive, in order, why: the cause of its removal, else of the run's end."""
    end = {Ending.STEP_LIMIT: Cause.STEP_LIMIT, Ending.STALL: Cause.STALL, Ending.ALL_DONE: Cause.NONE}[trace.ending]
    causes = {int(unit): end for unit in np.flatnonzero(trace.arrival < 0)}
    for event in np.flatnonzero(trace.event_kind == Event.REMOVED):
        unit = int(trace.event_unit[event])
        if unit in causes:
            causes[unit] = Cause(int(trace.event_cause[event]))
    return causes


def overlap(trace: Trace) -> NDArray[np.float64]:
    """Return float64[T]: in each frame the deepest overlap of two units on the map, in cell units; 0 without any."""
    from scipy.spatial import KDTree

    present = _present(trace)
    deepest = np.zeros(trace.times.size)
    for frame in range(trace.times.size):
        place, radius = trace.positions[frame, present[frame]], trace.radius[present[frame]]
        if len(place) < 2:
            continue
        pairs = KDTree(place).query_pairs(2 * float(radius.max()), output_type="ndarray")
        if len(pairs):
            i, j = pairs[:, 0], pairs[:, 1]
            apart = np.hypot(*(place[i] - place[j]).T)
            deepest[frame] = max(0.0, float((radius[i] + radius[j] - apart).max()))
    return deepest
