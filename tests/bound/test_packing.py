"""How many units have room and can cross: against packings that were found, and what the simulator does."""

import math

import numpy as np
import pytest

from anabasis.bound.gaps import SPANS, chain_gap, line_gap, most_crossing
from anabasis.bound.packing import in_convex, in_corner, kept_apart, near_chain
from anabasis.grid import Grid
from anabasis.metrics.crowds import overlap, throughput
from anabasis.orders import execute, plan_groups
from anabasis.scenario import Group, Limits, Scenario, Steering, Target


def lattice(width: float, length: float) -> int:
    """Return how many points of a triangular or square lattice, 1 apart, lie in a rectangle."""
    rows = math.floor(width / (math.sqrt(3) / 2) + 1e-9) + 1
    full, less = math.floor(length + 1e-9) + 1, math.floor(length - 0.5 + 1e-9) + 1 if length >= 0.5 else 0
    triangular = (rows + 1) // 2 * full + rows // 2 * less
    return max(triangular, (math.floor(width + 1e-9) + 1) * full)


@pytest.mark.parametrize("width", [0.0, 0.5, 0.9, 1.0, 2.0, 3.5, 7.0])
def test_at_least_what_a_lattice_packs_and_not_much_more(width: float) -> None:
    for length in (0.0, 0.7, 1.0, 2.0, 5.0, 12.0):
        most = float(in_convex(width * length, 2.0 * (width + length), 1.0))
        assert lattice(width, length) <= most <= 1.35 * lattice(width, length) + 3
        assert near_chain(length, np.array([width / 2.0]), 1.0)[0] >= lattice(width, length)


def test_scale_does_not_matter() -> None:
    assert in_convex(12.0, 14.0, 1.0) == in_convex(12.0 * 9, 14.0 * 3, 3.0)


def test_quarters_of_discs() -> None:
    assert in_corner(np.array([0.0, 0.5, 0.7, 0.8]), 1.0).tolist() == [0.0, 1.0, 1.0, 3.0]


def test_what_is_guaranteed_of_distances() -> None:
    group = Group(np.array([[1.0, 1.0]]), Target(5.0, 5.0), 0.45)
    steering = Steering()
    assert kept_apart(group, steering) == pytest.approx(0.85 * 0.9, rel=1e-5)
    assert kept_apart(group, steering, start=0.7) == pytest.approx(0.7, rel=1e-5)
    assert kept_apart(group, steering, start=0.0) == 0.0
    assert kept_apart(group, steering, start=0.3) == 0.0  # too many could be in reach to be heeded
    tiny = Group(np.array([[1.0, 1.0]]), Target(5.0, 5.0), 0.05, 0.5)
    assert kept_apart(tiny, steering) == 0.0
    assert kept_apart(group, steering, (tiny,)) == 0.0
    assert kept_apart(group, Steering(avoidance_distance=1.0)) == pytest.approx(0.6, rel=1e-5)


def crowd(gap: int, thick: int, count: int = 150) -> Scenario:
    free = np.ones((16, 40), bool)
    free[:, 16 : 16 + thick] = False
    free[8 - gap // 2 : 8 + (gap + 1) // 2, 16 : 16 + thick] = True
    x, y = np.meshgrid(np.arange(15.4, 0.5, -0.95), np.arange(0.6, 15.5, 0.95))
    places = np.column_stack([x.T.ravel(), y.T.ravel()])[:count]
    return Scenario(Grid.from_free(free), (Group(places, Target(34.0, 8.0, 3.0), 0.45),), limits=Limits(4000, 500))


@pytest.mark.parametrize(("gap", "thick"), [(1, 1), (2, 1), (2, 5), (4, 2)])
def test_no_more_cross_in_any_window_than_are_allowed(gap: int, thick: int) -> None:
    scenario = crowd(gap, thick)
    trace = execute(scenario, "vector-field", plan_groups(scenario, "vector-field", seed=1), seed=1)
    apart = kept_apart(scenario.groups[0], scenario.steering)
    assert float(overlap(trace).max()) <= 0.15 + 1e-6
    at, low = 16 + thick // 2, 8 - gap // 2
    found = line_gap(scenario.grid.free, (at, low), True, False, apart)
    assert found is not None
    assert (found.width, found.line) == (gap, (True, at, low, low + gap))
    through = np.cumsum(throughput(trace, line=((at, 16.0), (at, 0.0))))
    assert through[-1] > 100
    for window in (1, 4, 10, 30, 100, 400):
        peak = int((through[window:] - through[:-window]).max())
        assert peak <= most_crossing(found, window * 0.15)


def test_a_corridor_lets_fewer_through_than_a_thin_wall() -> None:
    free = {thick: crowd(2, thick).grid.free for thick in (1, 3, 9)}
    gaps = {thick: line_gap(f, (16 + thick // 2, 7), True, False, 0.765) for thick, f in free.items()}
    rooms = [most_crossing(g, 30.0) for g in gaps.values() if g is not None]
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[-1] < 1.25 * 30.0 * (2.0 * 2.0 / math.sqrt(3.0) / 0.765**2 + 1.0 / 0.765)
    turned = line_gap(free[9].T, (7, 20), False, False, 0.765)
    straight = gaps[9]
    assert turned is not None and straight is not None
    assert turned.room.tolist() == straight.room.tolist()
    assert turned.cells.tolist() == straight.cells[:, ::-1].tolist()


def test_lines_end_at_walls_and_at_the_edge() -> None:
    free = np.ones((6, 6), bool)
    free[3, 2] = False
    gap = line_gap(free, (2, 1), True, True, 0.8)
    assert gap is not None and gap.line == (True, 3, 0, 3)
    assert line_gap(free, (0, 0), True, False, 0.8) is None
    assert line_gap(free, (2, 3), True, False, 0.8) is None


def test_a_chain_allows_no_less_than_a_line() -> None:
    free = crowd(3, 1).grid.free
    line = line_gap(free, (16, 8), True, False, 0.765)
    chain = chain_gap(np.array([[16, y] for y in (7, 8, 9)]), 0.765)
    assert line is not None
    assert (chain.room >= line.room).all()
    assert most_crossing(chain, -0.1) == 0.0
    assert most_crossing(line.before(0.0), 1.0) == np.inf
    assert most_crossing(line.before(2.0), 1.0) == most_crossing(line, 1.0)
    assert (np.diff(SPANS) > 0).all()
