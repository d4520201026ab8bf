"""The noun NavMesh: what it checks, how its parts fit together."""

import numpy as np
import pytest

from anabasis import InputError, NavMesh

SQUARE = [[0, 0], [2, 0], [2, 2], [0, 2]]


def mesh() -> NavMesh:
    """A square and a triangle on its right side."""
    return NavMesh.of([*SQUARE, [3, 1]], [[0, 1, 2, 3], [1, 4, 2]])


def test_polygons_know_their_neighbours_and_edges() -> None:
    m = mesh()
    assert m.size == 2
    assert m.neighbours.tolist() == [-1, 1, -1, -1, -1, -1, 0]
    assert m.twins.tolist() == [-1, 6, -1, -1, -1, -1, 1]
    assert m.owner.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert m.portals.tolist() == [1]
    assert m.polygon(1).tolist() == [[2, 0], [3, 1], [2, 2]]
    assert m.areas.tolist() == [4, 1]
    assert m.centres.tolist() == [[1, 1], pytest.approx([7 / 3, 1])]
    assert (m.after[m.before] == np.arange(7)).all()
    assert (m.ends == m.corners[m.after]).all()
    assert not m.turns.any()


def test_ways_turn_where_the_free_angle_is_above_180_degrees() -> None:
    m = NavMesh.of([[0, 0], [2, 0], [2, 2], [0, 2], [4, 0], [4, 1], [2, 1]], [[0, 1, 6, 2, 3], [1, 4, 5, 6]])
    assert m.points[m.turns].tolist() == [[2, 1]]


def test_parts_that_touch_in_a_point_get_one_each() -> None:
    m = NavMesh.of([*SQUARE, [4, 2], [4, 4], [2, 4]], [[0, 1, 2, 3], [2, 4, 5, 6]])
    assert len(m.points) == 8
    assert (m.neighbours == -1).all()
    assert sorted(map(tuple, m.points.tolist())).count((2.0, 2.0)) == 2


def test_a_mesh_may_be_empty() -> None:
    m = NavMesh.of([], [])
    assert m.size == 0 and m.areas.size == 0 and m.centres.shape == (0, 2) and m.portals.size == 0


def test_edges_that_only_overlap_are_walls() -> None:
    m = NavMesh.of([*SQUARE, [4, 0], [4, 1], [2, 1]], [[0, 1, 2, 3], [1, 4, 5, 6]])
    assert (m.neighbours == -1).all()


WRONG = {
    "is not convex": lambda: NavMesh.of([[0, 0], [4, 0], [4, 4], [3, 1]], [[0, 1, 2, 3]]),
    "polygon 0 of a mesh is not convex": lambda: NavMesh.of(SQUARE, [[3, 2, 1, 0]]),
    "polygon 1 of a mesh is not convex": lambda: NavMesh.of(
        [*SQUARE, [2, 3]], [[0, 1, 2, 3], [0, 1, 4, 2, 3, 0, 1, 4]]
    ),
    "at least 3 a polygon": lambda: NavMesh([[0, 0], [1, 0]], [0, 2], [0, 1], [-1, -1]),
    "corners of a mesh": lambda: NavMesh(SQUARE, [0, 3], [0, 1, 9], [-1, -1, -1]),
    "expected 0 to 3": lambda: NavMesh.of(SQUARE, [[0, 1, 7]]),
    "neighbours of a mesh": lambda: NavMesh(SQUARE, [0, 3], [0, 1, 2], [-1, 5, -1]),
    "twice in the same direction": lambda: NavMesh(SQUARE, [0, 3, 6], [0, 1, 2, 0, 1, 3], [-1] * 6),
    "does not share its edge": lambda: NavMesh(SQUARE, [0, 3, 6], [0, 1, 2, 0, 2, 3], [1, -1, -1, 0, -1, -1]),
    "a neighbour that does not share": lambda: NavMesh(SQUARE, [0, 3, 6], [0, 1, 2, 0, 2, 3], [-1, -1, 1, -1, -1, -1]),
    "touch in a point": lambda: NavMesh(
        [*SQUARE, [4, 2], [4, 4], [2, 4]], [0, 4, 8], [0, 1, 2, 3, 2, 4, 5, 6], [-1] * 8
    ),
    "finite coordinates": lambda: NavMesh([[0, 0], [1, 0], [1, np.inf]], [0, 3], [0, 1, 2], [-1] * 3),
    "NaN": lambda: NavMesh([[0, 0], [1, 0], [1, np.nan]], [0, 3], [0, 1, 2], [-1] * 3),
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_meshes_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=text):
        WRONG[text]()
