"""Passing beside shared vertices: who meets nobody stays on the map, who meets is farther from the other."""

import numpy as np

from anabasis.formation.beside import displaced
from anabasis.formation.middle_vertex import closest_approach
from anabasis.lattice import Lattice

LATTICE = Lattice.uniform(9, 9)
ROOMY = np.ones(LATTICE.size, bool)


def way(*places: tuple[int, int]) -> np.ndarray:
    return np.array([LATTICE.vertex(x, y) for x, y in places])


EAST = way((4, 4), (6, 4), (8, 4), (10, 4))
WEST = EAST[::-1]
SOUTH = way((7, 3), (8, 4), (9, 5))


def placed(ways: list[np.ndarray], times: list[list[float]]) -> list[np.ndarray]:
    first = np.array([LATTICE.points[one[0]] for one in ways])
    return displaced(ways, [np.array(time) for time in times], first, LATTICE.points, ROOMY)


def test_who_meets_nobody_stays_on_the_map() -> None:
    later = [10.0, 11.0, 12.0]
    for found, of in zip(placed([EAST, SOUTH], [[0.0, 1, 2, 3], later]), (EAST, SOUTH), strict=True):
        assert (found == LATTICE.points[of]).all()


def test_two_who_meet_pass_farther_from_each_other() -> None:
    a, b = placed([EAST, SOUTH], [[0.0, 1, 2, 3], [1.0, 2, 3]])
    times = [[1.0, 2, 3], [1.0, 2, 3]]
    straight = closest_approach(LATTICE.points[EAST[1:]], times[0], LATTICE.points[SOUTH], times[1])
    assert straight == 0
    assert closest_approach(a[1:], times[0], b, times[1]) > 5.0
    for found, of in ((a, EAST), (b, SOUTH)):
        assert (found[[0, -1]] == LATTICE.points[of][[0, -1]]).all()


def test_two_head_on_keep_apart_at_both_vertices_that_they_share() -> None:
    a, b = placed([EAST, WEST], [[0.0, 1, 2, 3], [0.0, 1, 2, 3]])
    for at in (1, 2):
        times = [float(at - 1), float(at), float(at + 1)]
        row = slice(at - 1, at + 2)
        assert closest_approach(a[row], times, b[row], times) > 5.0


def test_a_way_begins_where_the_unit_is() -> None:
    first = np.array([[77.0, 70.0]])
    (found,) = displaced([EAST], [np.arange(4.0)], first, LATTICE.points, ROOMY)
    assert (found[0] == first[0]).all()
    assert (found[1:] == LATTICE.points[EAST[1:]]).all()


def test_nobody_is_displaced_at_a_vertex_beside_closed_ground() -> None:
    roomy = ROOMY.copy()
    roomy[LATTICE.vertex(8, 4)] = False
    ways, first = [EAST, SOUTH], np.array([LATTICE.points[one[0]] for one in (EAST, SOUTH)])
    times = [np.array([0.0, 1, 2, 3]), np.array([1.0, 2, 3])]
    for found, of in zip(displaced(ways, times, first, LATTICE.points, roomy), ways, strict=True):
        assert (found == LATTICE.points[of]).all()
