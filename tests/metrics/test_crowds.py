"""Measures of a run against the standard library, exact fractions and brute force."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.metrics import crowds
from anabasis.trace import COUNTERS, Cause, Counters, Ending, Event, Trace, UnitState

MOVING, LOST, ARRIVED, REMOVED = UnitState


def make_trace(positions, *, times=None, state=None, arrival=None, counters=None, planned=None, events=(), **more):
    """A trace from positions [T][n][2]; everything else by default quiet."""
    positions = np.asarray(positions, float)
    frames, n = positions.shape[:2]
    zero = np.zeros(n, np.int64)
    values = dict.fromkeys(COUNTERS, zero) | {"distance_travelled": zero.astype(float)} | (counters or {})
    columns = np.array(list(events), np.int64).reshape(-1, 4).T
    return Trace(
        times=np.arange(frames) if times is None else np.asarray(times),
        positions=positions,
        headings=np.zeros((frames, n)),
        state=np.zeros((frames, n), np.uint8) if state is None else np.asarray(state, np.uint8),
        hashes=np.arange(frames).astype(np.uint64),
        group=more.pop("group", zero),
        radius=np.asarray(more.pop("radius", np.full(n, 0.5)), float),
        route=zero,
        arrival=np.full(n, -1) if arrival is None else np.asarray(arrival),
        planned_length=np.zeros(n) if planned is None else np.asarray(planned, float),
        event_step=columns[0],
        event_kind=columns[1],
        event_unit=columns[2],
        event_cause=columns[3],
        counters=Counters(**values),
        ending=more.pop("ending", Ending.STEP_LIMIT),
        seed=0,
    )


@given(
    st.lists(st.integers(0, 10_000), min_size=2, max_size=40),
    st.lists(st.floats(0, 1e4, allow_nan=False), min_size=2, max_size=40),
)
def test_nine_statistics_agree_with_the_standard_library(updates, distances):
    n = min(len(updates), len(distances))
    updates, distances = updates[:n], distances[:n]
    trace = make_trace(
        np.zeros((1, n, 2)), arrival=np.ones(n), counters={"updates": updates, "distance_travelled": distances}
    )
    for name, values in (("updates", updates), ("distance_travelled", distances)):
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        expected = {
            "mean": statistics.fmean(values),
            "median": statistics.median(values),
            "minimum": min(values),
            "maximum": max(values),
            "standard_deviation": statistics.pstdev(values),
            "variance": statistics.pvariance(values),
            "first_quartile": low,
            "third_quartile": high,
            "sum": math.fsum(values),
        }
        found = crowds.counter_statistics(trace)[name]
        assert list(found) == list(crowds.STATISTICS)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_units_that_did_not_arrive_are_left_out_of_statistics():
    trace = make_trace(np.zeros((1, 3, 2)), arrival=[5, -1, 7], counters={"updates": [5, 1000, 7]})
    assert crowds.counter_statistics(trace)["updates"]["maximum"] == 7
    everybody = np.ones(3, bool)
    assert crowds.counter_statistics(trace, units=everybody)["updates"]["maximum"] == 1000
    with pytest.raises(InputError, match="3 truth values"):
        crowds.counter_statistics(trace, units=np.ones(2, bool))


def test_columns_are_named_counter_and_statistic():
    row = crowds.counter_columns(make_trace(np.zeros((1, 2, 2)), arrival=[3, 4], counters={"updates": [3, 4]}))
    assert len(row) == len(COUNTERS) * 9
    assert row["updates_mean"] == 3.5
    assert row["wall_collisions_third_quartile"] == 0


def test_statistics_of_nobody():
    row = crowds.counter_columns(make_trace(np.zeros((1, 2, 2))))
    assert row["updates_sum"] == 0
    assert all(math.isnan(value) for name, value in row.items() if not name.endswith("_sum"))


def test_arrivals_are_sorted_and_by_group():
    trace = make_trace(np.zeros((1, 5, 2)), arrival=[9, -1, 3, 7, 5], group=np.array([0, 0, 1, 1, 0]))
    assert crowds.arrival_times(trace).tolist() == [3, 5, 7, 9]
    assert crowds.arrival_times(trace, group=1).tolist() == [3, 7]
    assert crowds.first_middle_last(trace) == (3, 5, 9)
    assert crowds.first_middle_last(make_trace(np.zeros((1, 2, 2)))) is None
    assert crowds.first_middle_last(make_trace(np.zeros((1, 1, 2)), arrival=[4])) == (4, 4, 4)


def walk(seed=0, frames=30, n=12, size=8.0, step=0.7):
    rng = np.random.default_rng(seed)
    places = np.cumsum(rng.normal(0, step, (frames, n, 2)), axis=0) + rng.random((n, 2)) * size
    places = np.clip(places, 0, size)
    arrival = rng.integers(-1, frames, n)
    state = np.where(np.arange(frames)[:, None] >= np.where(arrival < 0, frames, arrival), ARRIVED, MOVING)
    return places, state, arrival


def test_density_sums_to_the_steps_taken_and_agrees_with_a_loop():
    places, state, arrival = walk()
    frames, n = state.shape
    updates = np.where(arrival < 0, frames - 1, arrival)
    trace = make_trace(places, state=state, arrival=arrival, counters={"updates": updates})
    grid = Grid.from_free(np.ones((8, 8), bool))
    found = crowds.density(trace, grid)
    assert found.sum() == updates.sum()
    expected = np.zeros((8, 8))
    for frame in range(frames - 1):
        for unit in range(n):
            if state[frame, unit] == MOVING:
                x, y = places[frame, unit]
                expected[min(int(y), 7), min(int(x), 7)] += 1
    assert np.array_equal(found, expected)


def test_density_weighs_frames_by_the_steps_between_them():
    trace = make_trace([[[0.5, 1.5]], [[2.5, 0.5]], [[2.5, 1.5]]], times=[0, 10, 14])
    grid = Grid.from_free(np.ones((2, 3), bool))
    assert crowds.density(trace, grid).tolist() == [[0, 0, 4], [10, 0, 0]]
    assert crowds.density(trace, grid, start=8, stop=11).tolist() == [[0, 0, 1], [2, 0, 0]]
    parts = crowds.density(trace, grid, stop=7) + crowds.density(trace, grid, start=7)
    assert np.array_equal(parts, crowds.density(trace, grid))


def test_region_density_counts_units_on_the_map_per_free_cell():
    grid = Grid.from_text("..#\n...")
    region = np.array([[True, True, True], [False, False, False]])
    places = [[[0.5, 0.5], [1.5, 0.9], [1.5, 1.5]]] * 2
    trace = make_trace(places, state=[[MOVING, LOST, MOVING], [MOVING, ARRIVED, REMOVED]])
    assert crowds.region_density(trace, grid, region).tolist() == [1.0, 0.5]
    with pytest.raises(InputError, match="free cell"):
        crowds.region_density(trace, grid, np.array([[False, False, True], [False] * 3]))
    with pytest.raises(InputError, match=r"\[2, 3\]"):
        crowds.region_density(trace, grid, np.ones((3, 2), bool))


def crossing(a, b, p, q):
    """+1, -1 or 0: how the step p → q crosses the line a → b, in exact fractions."""
    a, b, p, q = ([Fraction(v) for v in point] for point in (a, b, p, q))
    d = [b[0] - a[0], b[1] - a[1]]

    def side(r):
        return d[0] * (r[1] - a[1]) - d[1] * (r[0] - a[0])

    s, e = side(p), side(q)
    if (s >= 0) == (e >= 0):
        return 0
    t = s / (s - e)
    at = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]
    along = ((at[0] - a[0]) * d[0] + (at[1] - a[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2)
    return 0 if not 0 <= along < 1 else 1 if e >= 0 else -1


eighths = st.integers(0, 24).map(lambda v: v / 4)
point = st.tuples(eighths, eighths)


@settings(max_examples=300)
@given(point, point, st.lists(st.tuples(point, point, point), min_size=1, max_size=8))
def test_crossings_agree_with_exact_fractions(a, b, units):
    if a == b:
        return
    trace = make_trace(np.array(units).transpose(1, 0, 2))
    counts = crowds.crossings(trace, line=(a, b))
    for frame in (1, 2):
        each = [crossing(a, b, unit[frame - 1], unit[frame]) for unit in units]
        assert counts[frame].tolist() == [each.count(1), each.count(-1)]
    assert np.array_equal(crowds.throughput(trace, line=(a, b)), counts[:, 0] - counts[:, 1])


def test_a_line_turned_round_swaps_forwards_and_backwards():
    places, state, arrival = walk(3)
    trace = make_trace(places, state=state, arrival=arrival)
    there, back = (crowds.crossings(trace, line=line) for line in (((1.3, 7.9), (6.1, 0.2)), ((6.1, 0.2), (1.3, 7.9))))
    assert there.sum() > 10
    assert np.array_equal(there, back[:, ::-1])


def test_forwards_across_a_line_drawn_upwards_is_to_the_right():
    trace = make_trace([[[1, 1]], [[3, 1]], [[1, 1]]])
    assert crowds.throughput(trace, line=((2, 5), (2, 0))).tolist() == [0, 1, -1]
    assert crowds.throughput(trace, line=((2, 0), (2, 5))).tolist() == [0, -1, 1]


def test_lines_end_to_end_count_every_unit_once():
    trace = make_trace([[[1, 2], [1, 3]], [[3, 2], [3, 3]]])
    pieces = [((2, 5), (2, 3)), ((2, 3), (2, 2)), ((2, 2), (2, 0))]
    assert sum(crowds.throughput(trace, line=line)[1] for line in pieces) == 2


def test_a_unit_that_arrived_crosses_nothing_more():
    trace = make_trace([[[1, 1]], [[1.5, 1]], [[3, 1]]], state=[[MOVING], [ARRIVED], [ARRIVED]])
    assert crowds.throughput(trace, line=((2, 5), (2, 0))).sum() == 0


def test_a_line_needs_two_points():
    with pytest.raises(InputError, match="two different points"):
        crowds.crossings(make_trace([[[0, 0]]]), line=((1, 1), (1, 1)))


def test_flow_rate_is_crossings_over_the_window():
    # one unit crosses between every two frames, to and fro: net 1 or 0
    places = [[[1.0 + 2 * (k >= u), 1.0] for u in range(1, 6)] for k in range(10)]
    trace = make_trace(places, times=np.arange(10) * 2)
    line = ((2, 5), (2, 0))
    net = crowds.throughput(trace, line=line)
    assert net.tolist() == [0, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    rate = crowds.flow_rate(trace, line=line, window=4)
    assert rate.tolist() == [0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0, 0, 0]
    assert crowds.flow_rate(trace, line=line, window=10**6)[-1] == 5 / 18
    rare = crowds.flow_rate(trace, line=line, window=1)
    assert np.array_equal(rare[1:], net[1:] / 2)
    with pytest.raises(InputError):
        crowds.flow_rate(trace, line=line, window=0)


def test_detour_is_the_walked_way_over_the_planned():
    trace = make_trace(
        np.zeros((1, 3, 2)), planned=[10, 0, 4], counters={"distance_travelled": np.array([15.0, 3.0, 4.0])}
    )
    assert np.array_equal(crowds.detour(trace), [1.5, np.nan, 1.0], equal_nan=True)


def test_unfinished_units_have_their_cause():
    trace = make_trace(
        np.zeros((1, 4, 2)),
        arrival=[5, -1, -1, -1],
        events=[
            (5, Event.ARRIVED, 0, Cause.TARGET_REACHED),
            (6, Event.LOST, 1, Cause.PLAN_OUT_OF_SIGHT),
            (7, Event.REMOVED, 1, Cause.STUCK),
            (8, Event.REMOVED, 3, Cause.UNREACHABLE),
            (9, Event.ENDED, -1, Cause.STALL),
        ],
        ending=Ending.STALL,
    )
    assert crowds.unfinished(trace) == {1: Cause.STUCK, 2: Cause.STALL, 3: Cause.UNREACHABLE}


@pytest.mark.parametrize("seed", range(5))
def test_overlap_agrees_with_all_pairs(seed):
    places, state, arrival = walk(seed, frames=10, n=15, size=6.0)
    radius = np.random.default_rng(seed).uniform(0.1, 0.8, 15)
    found = crowds.overlap(make_trace(places, state=state, arrival=arrival, radius=radius))
    for frame in range(10):
        on = np.flatnonzero(state[frame] == MOVING)
        depths = [
            radius[i] + radius[j] - math.dist(places[frame, i], places[frame, j]) for i in on for j in on if i < j
        ]
        assert found[frame] == pytest.approx(max([0.0, *depths]))


def test_units_side_by_side_do_not_overlap_and_coincident_ones_do():
    assert crowds.overlap(make_trace([[[0, 0], [1, 0], [5, 5]]])).tolist() == [0]
    assert crowds.overlap(make_trace([[[2, 2], [2, 2]]])).tolist() == [1]
    assert crowds.overlap(make_trace([[[2, 2]]])).tolist() == [0]
