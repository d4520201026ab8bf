"""Paths: what is wrong with one, checked in plain Python that shares no code with the planners, and how long one is.

Places and crossings are exact rationals (every float is one), so the checks know no tolerance; only costs are compared
to within rounding.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, hypot, inf, isclose

import numpy as np

from anabasis.errors import InputError
from anabasis.graph import Graph
from anabasis.grid import Grid, cell_text
from anabasis.plan import FlowField, GroupPlan, Path
from anabasis.scenario import Group

__all__ = ["group_faults", "path_faults", "step_counts"]

_FREE_SIDES = {"strict": 2, "loose": 1, "none": 0}
Place = tuple[Fraction, Fraction]


def path_faults(
    space: Grid | Graph, path: Path, *, start: int, goal: int, neighbours: int = 8, corners: str = "strict"
) -> list[str]:
    """Return what is wrong with a path from vertex `start` to vertex `goal`, a sentence each; empty if nothing is.

    A path with vertices is checked step by step, and its cost against the prices of the cells entered or of the arcs. A
    path without is a polyline through a Grid: no segment may pass through a blocked cell (to run along its side is
    allowed), a segment through a lattice corner obeys the corner rule, and the cost is the integral of the price. Each
    sentence begins with the kind of fault: empty, wrong start, wrong goal, late goal, outside, obstacle, jump, corner
    cut, points, or cost.
    """
    if corners not in _FREE_SIDES:
        raise InputError("unknown corner rule", found=repr(corners), expected=" or ".join(_FREE_SIDES))
    if path.vertices.size:
        return list(_vertex_faults(space, path, start, goal, neighbours, corners))
    if not len(path.points):
        return ["empty: the path has neither vertices nor points"]
    if isinstance(space, Graph):
        return ["empty: a path through a graph needs vertices"]
    ends = [(Fraction(2 * x + 1, 2), Fraction(2 * y + 1, 2)) for x, y in (space.cell(start), space.cell(goal))]
    points = [(Fraction(x), Fraction(y)) for x, y in path.points.tolist()]
    faults = [
        f"wrong {what}: found ({float(found[0]):g}, {float(found[1]):g}), not ({float(end[0]):g}, {float(end[1]):g})"
        for what, found, end in (("start", points[0], ends[0]), ("goal", points[-1], ends[1]))
        if found != end
    ]
    price, broken = _polyline(space, points, corners)
    return faults + broken + ([] if broken else _cost_faults(path.cost, price))


def _vertex_faults(
    space: Grid | Graph, path: Path, start: int, goal: int, neighbours: int, corners: str
) -> Iterator[str]:
    """Check a path along vertices."""
    vertices = path.vertices.tolist()
    size = space.size if isinstance(space, Graph) else space.width * space.height
    outside = [v for v in vertices if not 0 <= v < size]
    if outside:
        yield f"outside: vertex {outside[0]} does not exist, there are {size}"
        return
    if vertices[0] != start:
        yield f"wrong start: {_name(space, vertices[0])}, not {_name(space, start)}"
    if vertices[-1] != goal:
        yield f"wrong goal: {_name(space, vertices[-1])}, not {_name(space, goal)}"
    if goal in vertices[:-1]:
        yield f"late goal: the path is there after {vertices.index(goal)} steps and goes on"
    if isinstance(space, Grid):
        places = [[x + 0.5, y + 0.5] for x, y in map(space.cell, vertices)]
    else:
        places = space.points[path.vertices].tolist()
    if path.points.tolist() != places:
        yield "points: they are not the places of the vertices"
    cost = 0.0
    for number, (u, v) in enumerate(pairwise(vertices)):
        price, fault = _arc(space, u, v) if isinstance(space, Graph) else _step(space, u, v, neighbours, corners)
        if fault:
            yield f"{fault}, in step {number} from {_name(space, u)} to {_name(space, v)}"
        cost += price
    if isinstance(space, Grid):
        for v in vertices:
            if not space.is_free(*space.cell(v)):
                yield f"obstacle: the path stands on {_name(space, v)}"
    if cost < inf:
        yield from _cost_faults(path.cost, cost)


def _name(space: Grid | Graph, vertex: int) -> str:
    return cell_text(*space.cell(vertex)) if isinstance(space, Grid) else f"vertex {vertex}"


def _arc(graph: Graph, u: int, v: int) -> tuple[float, str]:
    """Return the weight of the cheapest arc, and the fault if there is none."""
    arcs = range(int(graph.indptr[u]), int(graph.indptr[u + 1]))
    weights = [float(graph.weights[k]) for k in arcs if graph.indices[k] == v]
    return (min(weights), "") if weights else (inf, "jump: there is no such arc")


def _step(grid: Grid, u: int, v: int, neighbours: int, corners: str) -> tuple[float, str]:
    """Return the price of a step between cells, and what is wrong with it."""
    (x, y), (to_x, to_y) = grid.cell(u), grid.cell(v)
    dx, dy = abs(to_x - x), abs(to_y - y)
    price = hypot(dx, dy) * float(grid.cost[to_y, to_x])
    if max(dx, dy) != 1:
        return price, "jump: the cells are no neighbours"
    if dx + dy == 2 and neighbours == 4:
        return price, "jump: a diagonal step where cells have 4 neighbours"
    if dx + dy == 2 and grid.is_free(to_x, y) + grid.is_free(x, to_y) < _FREE_SIDES[corners]:
        return price, "corner cut: a cell beside the diagonal step is blocked"
    return price, ""


def _cost_faults(stated: float, walked: float) -> list[str]:
    same = isclose(stated, walked, rel_tol=1e-9, abs_tol=1e-9)
    return [] if same else [f"cost: the path says {stated:.12g}, walking it costs {walked:.12g}"]


def _polyline(grid: Grid, points: list[Place], corners: str) -> tuple[float, list[str]]:
    """Return the integral of the price along a polyline, and what is wrong with it."""
    price, faults = 0.0, list[str]()
    for number, (a, b) in enumerate(pairwise(points)):
        part, fault = _segment(grid, a, b, corners)
        price += part
        if fault:
            faults.append(f"{fault}, in segment {number}")
    if len(points) == 1:
        x, y = map(floor, points[0])
        if not grid.is_free(x, y):
            faults.append(f"obstacle: the path stands on {cell_text(x, y)}")
    return price, faults


def _segment(grid: Grid, a: Place, b: Place, corners: str) -> tuple[float, str]:
    """Return the integral of the price along a segment, and the first thing that is wrong with it."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share: Fraction = Fraction(0)
    for t, u in pairwise(_crossings(a, b)):
        middle = (a[0] + (t + u) / 2 * dx, a[1] + (t + u) / 2 * dy)
        beside = [(x, y) for x in _cells_at(middle[0]) for y in _cells_at(middle[1])]
        prices = [float(grid.cost[y, x]) for x, y in beside if grid.is_free(x, y)]
        if not prices:
            return inf, f"obstacle: the way leads through {cell_text(*beside[0])}"
        share += (u - t) * Fraction(min(prices))
        corner = (a[0] + u * dx, a[1] + u * dy)
        if u < 1 and dx and dy and corner[0].denominator == corner[1].denominator == 1:
            x, y = int(corner[0]), int(corner[1])
            rising = dx * dy > 0  # the segment passes from one of the four cells to the opposite one
            sides = grid.is_free(x - (not rising), y - 1) + grid.is_free(x - rising, y)
            if sides < _FREE_SIDES[corners]:
                return inf, f"corner cut: a cell beside the corner ({x}, {y}) is blocked"
    return float(share) * hypot(dx, dy), ""


def _crossings(a: Place, b: Place) -> list[Fraction]:
    """Return where, as shares of the way, a segment crosses lattice lines; with 0 and 1."""
    at = {Fraction(0), Fraction(1)} if a != b else {Fraction(0)}
    for p, q in zip(a, b, strict=True):
        if p != q:
            at.update((line - p) / (q - p) for line in range(ceil(min(p, q)), floor(max(p, q)) + 1))
    return sorted(at)


def _cells_at(place: Fraction) -> list[int]:
    """Return the column (or row) of a place, two on a lattice line."""
    cell = floor(place)
    return [cell - 1, cell] if place == cell else [cell]


def group_faults(grid: Grid, group: Group, plan: GroupPlan) -> list[str]:
    """Return what is wrong with a plan for a group, a sentence each with its unit; empty if nothing is.

    Every unit that can reach the target must have a way, and no other. A path must lead from the unit's position to the
    centre of the target without passing through a wall or cutting a corner; a walk along the vectors of a shared field
    must end in the cell of the target.
    """
    if plan.size != group.size:
        return [f"the plan is for {plan.size} units, the group has {group.size}"]
    connected = _connected(grid, group.target.cell)
    faults: list[str] = []
    for unit, (x, y) in enumerate(group.positions.tolist()):
        way = (floor(x), floor(y)) in connected
        path = [(Fraction(px), Fraction(py)) for px, py in plan.path(unit).tolist()]
        fault = ""
        if (plan.route[unit] >= 0) != way:
            fault = (
                "has no way in the plan, although there is one" if way else "has a way in the plan, but there is none"
            )
        elif way and plan.field is not None:
            fault = _field_fault(grid, plan.field, x, y)
        elif way and (not path or path[0] != (Fraction(x), Fraction(y))):
            fault = "does not start where it stands"
        elif way and path[-1] != (Fraction(group.target.x), Fraction(group.target.y)):
            fault = "does not end at the target"
        elif way:
            fault = "; ".join(_polyline(grid, path, "strict")[1])
        if fault:
            faults.append(f"unit {unit}: {fault}")
    return faults


def _connected(grid: Grid, cell: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the cells connected with a cell, by their sides: without corner cutting no others are reached."""
    seen, queue = {cell}, deque([cell])
    while queue:
        x, y = queue.popleft()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near not in seen and grid.is_free(*near):
                seen.add(near)
                queue.append(near)
    return seen


def _field_fault(grid: Grid, field: FlowField, x: float, y: float) -> str:
    """Walk along a field from cell border to cell border; return what is wrong, nothing if the target is reached."""
    cell_x, cell_y = floor(x), floor(y)
    for _ in range(8 * grid.width * grid.height):
        if not grid.is_free(cell_x, cell_y):
            return f"obstacle: the field leads into {cell_text(cell_x, cell_y)}"
        if field.distance[cell_y, cell_x] == 0:
            return ""
        vx, vy = field.direction[cell_y, cell_x].tolist()
        to_x = (cell_x + (vx > 0) - x) / vx if vx else inf
        to_y = (cell_y + (vy > 0) - y) / vy if vy else inf
        if to_x == to_y == inf:
            return f"the field stands still in {cell_text(cell_x, cell_y)}"
        both = isclose(to_x, to_y, rel_tol=1e-12, abs_tol=1e-15)
        t = min(to_x, to_y)
        x, y = x + t * vx, y + t * vy
        if both or to_x < to_y:
            x, cell_x = float(cell_x + (vx > 0)), cell_x + (1 if vx > 0 else -1)
        if both or to_y < to_x:
            y, cell_y = float(cell_y + (vy > 0)), cell_y + (1 if vy > 0 else -1)
    return "the field leads round in a circle"


def step_counts(grid: Grid, path: Path) -> tuple[int, int]:
    """Return the numbers of straight and of diagonal steps of a path along vertices."""
    cells = np.stack([path.vertices % grid.width, path.vertices // grid.width], axis=1)
    diagonal = int((np.diff(cells, axis=0) != 0).all(axis=1).sum())
    return max(0, len(cells) - 1) - diagonal, diagonal
