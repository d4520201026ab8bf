"""View: which corners are seen from a place, by spreading sight through a triangulation, exactly.

F. Bungiu, M. Hemmer, J. Hershberger, K. Huang and A. Kröller, "Efficient Computation of Visibility Polygons", 2014: a
cone that enters a triangle through one side leaves it through the others, cut at the third corner. Here the sides of a
cone are rays through corners, so that every decision is the sign of an `orient` of three given points.

`mesh` is the tuple (corners, starts, twins, first, before, after, turning): corners float64[n, 2]; edge e of triangle
e // 3 begins in corner starts[e], with the inside where `orient` is positive, and is edge twins[e] of the triangle
beyond, -1 a wall; first[i] is the wall that begins in corner i; before and after float64[n, 2], the ends of the walls
at each corner; turning bool[n], whether a taut way may bend there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anabasis._kernel import kernel, leaf
from anabasis._kernel.corner import open_to
from anabasis._kernel.free_space import locate
from anabasis._kernel.geometry import orient

__all__ = ["view_from_corner", "view_from_place"]


@kernel
def view_from_corner(mesh: Any, s: int, tangent: bool, mark: Any, stamp: int, seen: Any, count: int) -> int:
    """Add the turning corners that corner s sees, and that can be reached from it tangentially; return how many.

    mark: int64[n], `stamp` where a corner is not to be added; seen: int64[n], the first `count` are filled. A corner
    right behind another turning corner is left out. tangent: only directions that are tangent at s too.
    """
    corners, starts, twins, first = mesh[0], mesh[1], mesh[2], mesh[3]
    x, y = corners[s, 0], corners[s, 1]
    stack, size = np.empty((64, 3), np.int64), 0
    e = first[s]
    while e >= 0:
        side = _next(e)
        a, b = starts[side], starts[_next(side)]
        count = _note(mesh, a, x, y, s, tangent, mark, stamp, seen, count)
        count = _note(mesh, b, x, y, s, tangent, mark, stamp, seen, count)
        stack, size = _push(mesh, stack, size, twins[side], a, b, s, tangent)
        e = twins[_next(side)]
    return _spread(mesh, x, y, s, tangent, stack, size, mark, stamp, seen, count)


@kernel
def view_from_place(mesh: Any, space: Any, x: float, y: float, mark: Any, stamp: int, seen: Any) -> int:
    """Write the turning corners that a place sees, as `view_from_corner` does; -1 if the place is blocked.

    space: the arrays of the free space, see `free_space`.
    """
    corners, starts, twins = mesh[0], mesh[1], mesh[2]
    wall = locate(space, x, y)
    if wall < 0:
        return -1
    triangle = _triangle_at(mesh, wall, x, y)
    stack, size, count = np.empty((64, 3), np.int64), 0, 0
    for k in range(3):
        a = starts[3 * triangle + k]
        if corners[a, 0] == x and corners[a, 1] == y:
            s, twin = a, space[3]
            while True:  # whoever stands in a corner sees out of all free sectors that meet there
                count = view_from_corner(mesh, s, False, mark, stamp, seen, count)
                s = twin[s]
                if s == a:
                    return count
    for k in range(3):
        e = 3 * triangle + k
        a, b = starts[e], starts[_next(e)]
        count = _note(mesh, a, x, y, -1, False, mark, stamp, seen, count)
        if orient(corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1], x, y) > 0.0:
            stack, size = _push(mesh, stack, size, twins[e], a, b, -1, False)
        elif twins[e] >= 0:  # the place is on this side: the triangle beyond holds it too
            f = _next(twins[e])
            for _ in range(2):
                a, b = starts[f], starts[_next(f)]
                count = _note(mesh, a, x, y, -1, False, mark, stamp, seen, count)
                stack, size = _push(mesh, stack, size, twins[f], a, b, -1, False)
                f = _next(f)
    return _spread(mesh, x, y, -1, False, stack, size, mark, stamp, seen, count)


@kernel
def _triangle_at(mesh: Any, wall: int, x: float, y: float) -> int:
    """Return a triangle that holds a free place, which sees the wall that begins in corner `wall` on its left.

    What `locate` returns for a place is such a wall. The line from the wall to the place is followed a hair below y, so
    that it passes no corner.
    """
    corners, starts, twins, first = mesh[0], mesh[1], mesh[2], mesh[3]
    e = first[wall]
    while True:
        out, inside = -1, True
        f = e
        for _ in range(3):
            a, b = starts[f], starts[_next(f)]
            ax, ay, bx, by = corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1]
            if orient(ax, ay, bx, by, x, y) < 0.0:
                inside = False
            if f != e and (ay <= y) != (by <= y):
                out = f
            f = _next(f)
        if inside or out < 0 or twins[out] < 0:
            return e // 3
        e = twins[out]


@kernel
def _spread(
    mesh: Any,
    x: float,
    y: float,
    s: int,
    tangent: bool,
    stack: Any,
    size: int,
    mark: Any,
    stamp: int,
    seen: Any,
    count: int,
) -> int:
    """Follow all cones on the stack: (the side by which it enters, the corners on its right ray and on its left)."""
    corners, starts, twins, turning = mesh[0], mesh[1], mesh[2], mesh[6]
    while size:
        size -= 1
        e, right, left = stack[size, 0], stack[size, 1], stack[size, 2]
        on, back = _next(e), _next(_next(e))
        c = starts[back]
        cx, cy = corners[c, 0], corners[c, 1]
        from_right = orient(x, y, corners[right, 0], corners[right, 1], cx, cy)
        from_left = orient(x, y, corners[left, 0], corners[left, 1], cx, cy)
        if from_right >= 0.0 and from_left <= 0.0:
            behind = (from_right == 0.0 and turning[right]) or (from_left == 0.0 and turning[left])
            if not behind:
                count = _note(mesh, c, x, y, s, tangent, mark, stamp, seen, count)
        if from_right > 0.0:
            limit = c if from_left < 0.0 or (from_left == 0.0 and not turning[left]) else left
            stack, size = _push(mesh, stack, size, twins[on], right, limit, s, tangent)
        if from_left < 0.0:
            limit = c if from_right > 0.0 or (from_right == 0.0 and not turning[right]) else right
            stack, size = _push(mesh, stack, size, twins[back], limit, left, s, tangent)
    return count


@kernel
def _push(mesh: Any, stack: Any, size: int, e: int, right: int, left: int, s: int, tangent: bool) -> tuple[Any, int]:
    """Put a cone on the stack unless it meets a wall or, if only tangents count, leads away from all of them."""
    if e < 0 or (tangent and _pushes_in(mesh, s, right) and _pushes_in(mesh, s, left)):
        return stack, size
    if size == len(stack):
        longer = np.empty((2 * size, 3), np.int64)
        longer[:size] = stack
        stack = longer
    stack[size, 0], stack[size, 1], stack[size, 2] = e, right, left
    return stack, size + 1


@kernel
def _pushes_in(mesh: Any, s: int, c: int) -> bool:
    """Whether the line from corner c over corner s would lead on into the obstacle."""
    corners, before, after = mesh[0], mesh[4], mesh[5]
    x, y = corners[c, 0], corners[c, 1]
    return (
        orient(before[s, 0], before[s, 1], corners[s, 0], corners[s, 1], x, y) > 0.0
        and orient(corners[s, 0], corners[s, 1], after[s, 0], after[s, 1], x, y) > 0.0
    )


@kernel
def _note(
    mesh: Any, c: int, x: float, y: float, s: int, tangent: bool, mark: Any, stamp: int, seen: Any, count: int
) -> int:
    """Add corner c to what is seen if it is new and turning, and tangents meet it; return how many there are."""
    corners, before, after, turning = mesh[0], mesh[4], mesh[5], mesh[6]
    if not turning[c] or mark[c] == stamp:
        return count
    if (corners[c, 0] == x and corners[c, 1] == y) or not open_to(corners, before, after, c, x, y, True):
        return count
    if tangent and not open_to(corners, before, after, s, corners[c, 0], corners[c, 1], True):
        return count
    mark[c] = stamp
    seen[count] = c
    return count + 1


@leaf
def _next(e: int) -> int:
    """Return the next edge of the same triangle."""
    return e - 2 if e % 3 == 2 else e + 1
