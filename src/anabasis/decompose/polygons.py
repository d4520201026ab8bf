"""Polygons: the rings of a world as shapes of Shapely (GEOS), what is wrong with them, and what they leave free."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray

from anabasis._kernel.geometry import orient
from anabasis.errors import InputError
from anabasis.world import World

__all__ = ["blocked_of", "bound_world", "check_kind", "check_rings", "check_world", "free_shape", "polygons_of"]


def check_kind(world: object) -> None:
    """Raise InputError for what is no World."""
    if not isinstance(world, World):
        raise InputError(
            "no world of polygons",
            found=type(world).__name__,
            expected="a World",
            hint="anabasis.decompose.outline.grid_world makes one of a Grid",
        )


def check_world(world: World) -> None:
    """Raise InputError unless every ring is a simple polygon with an area, and no two rings cross or overlap in part.

    The text names the ring and says what is wrong with it. A ring inside another is a hole, or an island in a hole.
    """
    check_kind(world)
    polygons = polygons_of(world)
    check_rings(polygons)
    tree = shapely.STRtree(polygons)
    pairs = _pairs(tree, polygons, "overlaps")
    inner = _pairs(tree, polygons, "covers")
    pairs |= {(i, j) for i, j in inner if (j, i) in inner and i != j}  # the same polygon twice
    if pairs:
        i, j = sorted(min(pairs))
        x, y = shapely.get_coordinates(shapely.point_on_surface(shapely.intersection(polygons[i], polygons[j])))[0]
        raise InputError(
            f"obstacle rings {i} and {j} overlap",
            found=f"({x:g}, {y:g}) lies in both, and neither lies in the other",
            expected="rings that lie apart, touch, or lie one inside the other",
            hint="merge overlapping obstacles first (decompose.obstacles.merged_world)",
        )


def check_rings(polygons: NDArray[Any]) -> None:
    """Raise InputError unless every polygon is simple and has an area."""
    for k in np.flatnonzero(~shapely.is_valid(polygons)):
        ring = f"obstacle ring {k}"
        if shapely.area(shapely.convex_hull(polygons[k])) == 0:
            raise InputError(f"{ring} has no area", found="corners on one line", expected="a polygon with an inside")
        reason = str(shapely.is_valid_reason(polygons[k]))
        what, _, place = reason.partition("[")
        raise InputError(
            f"{ring} crosses or touches itself",
            found=f"{what.lower()} at ({place.rstrip(']').replace(' ', ', ')})" if place else what.lower(),
            expected="a simple polygon",
            hint="cut it into simple rings at that point",
        )


def polygons_of(world: World) -> NDArray[Any]:
    """Return one Shapely polygon a ring, holes not subtracted."""
    if len(world.rings) < 2:
        return np.empty(0, object)
    ring = np.repeat(np.arange(len(world.rings) - 1), np.diff(world.rings))
    return cast("NDArray[Any]", shapely.polygons(shapely.linearrings(world.points, indices=ring)))


def blocked_of(world: World) -> Any:
    """Return the Shapely geometry of what the obstacles of a checked world block, also beyond its bounds."""
    polygons = polygons_of(world)
    tree = shapely.STRtree(polygons)
    _, inner = tree.query(polygons, predicate="covers") if len(polygons) else (np.empty(0, np.int64),) * 2
    depth = np.bincount(inner, minlength=len(polygons)) - 1  # each is covered by itself
    blocked = shapely.Polygon()
    for level in range(int(depth.max(initial=-1)) + 1):
        layer = shapely.multipolygons(polygons[depth == level])
        layer = layer if shapely.is_valid(layer) else shapely.union_all(layer)  # some share an edge
        if level == 0:
            blocked = layer
        else:
            blocked = shapely.difference(blocked, layer) if level % 2 else shapely.union(blocked, layer)
    return blocked


def free_shape(world: World) -> Any:
    """Return the free space of a world as a Shapely geometry, a polygon for each part; InputError as `check_world`.

    Where obstacles reach beyond the bounds it is that of `bound_world`.
    """
    check_world(world)
    return shapely.difference(shapely.box(*world.bounds), blocked_of(bound_world(world)))


def bound_world(world: World) -> World:
    """Return the world with a corner wherever a slanted edge crosses the bounds, at the nearest place of two floats.

    Such a corner lies on the bounds, and within half a unit in the last place of where the edge crosses them; the edge
    bends there by as little. Corners of rings that lie on the edge become corners of it first, so that what touches it
    still does. A world without such edges is returned as it is.
    """
    starts, ends = world.points, world.points[_after(world)]
    x0, y0, x1, y1 = world.bounds
    added: list[tuple[int, list[list[float]]]] = []
    slanted = (starts != ends).all(axis=1)
    for k in np.flatnonzero(slanted & _passes(starts, ends, (x0, y0, x1, y1))).tolist():
        a, b = starts[k].tolist(), ends[k].tolist()
        places = _crossings(a, b, world.bounds)
        if places:
            places += [(_share(a, b, c), c) for c in _corners_on(world, a, b)]
            added.append((k + 1, [p for _, p in sorted(places)]))
    if not added:
        return world
    where = np.repeat([k for k, _ in added], [len(p) for _, p in added])
    points = np.insert(world.points, where, np.concatenate([p for _, p in added]), axis=0)
    lengths = np.diff(world.rings) + np.histogram(where - 1, world.rings)[0]
    ring = np.repeat(np.arange(len(lengths)), lengths)
    keep = np.append(True, (points[1:] != points[:-1]).any(axis=1) | (ring[1:] != ring[:-1]))
    return World(world.bounds, points[keep], np.append(0, np.cumsum(np.bincount(ring[keep], minlength=len(lengths)))))


def _after(world: World) -> NDArray[np.int64]:
    """Return the number of the next corner of each corner."""
    after = np.arange(1, len(world.points) + 1)
    after[world.rings[1:] - 1] = world.rings[:-1]
    return after


def _passes(starts: Any, ends: Any, bounds: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """Return which edges have their ends on both sides of a side of the bounds, drawn out."""
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    lines = np.reshape(bounds, (2, 1, 2))
    return np.asarray(((low < lines) & (lines < high)).any(axis=(0, 2)))


def _crossings(
    a: list[float], b: list[float], bounds: tuple[float, float, float, float]
) -> list[tuple[Fraction, list[float]]]:
    """Return where the edge from a to b crosses the sides of the bounds, in shares of it and rounded."""
    found: list[tuple[Fraction, list[float]]] = []
    for axis in (0, 1):
        other = 1 - axis
        for line in (bounds[axis], bounds[axis + 2]):
            if not min(a[axis], b[axis]) < line < max(a[axis], b[axis]):
                continue
            share = (Fraction(line) - Fraction(a[axis])) / (Fraction(b[axis]) - Fraction(a[axis]))
            place = Fraction(a[other]) + share * (Fraction(b[other]) - Fraction(a[other]))
            if bounds[other] <= place <= bounds[other + 2]:
                found.append((share, [line, float(place)] if axis == 0 else [float(place), line]))
    return found


def _share(a: list[float], b: list[float], c: list[float]) -> Fraction:
    return (Fraction(c[0]) - Fraction(a[0])) / (Fraction(b[0]) - Fraction(a[0]))


def _corners_on(world: World, a: list[float], b: list[float]) -> list[list[float]]:
    """Return the corners of the world that lie on a slanted edge, between its ends."""
    points = world.points
    between = (points > np.minimum(a, b)).all(axis=1) & (points < np.maximum(a, b)).all(axis=1)
    return [c for c in points[between].tolist() if orient(*a, *b, *c) == 0]


def _pairs(tree: shapely.STRtree, polygons: NDArray[Any], relation: str) -> set[tuple[int, int]]:
    """Return which polygons are in a relation of Shapely to which others or themselves, by number."""
    if not len(polygons):
        return set()
    first, second = tree.query(polygons, predicate=cast("Any", relation))
    return set(zip(first.tolist(), second.tolist(), strict=True))
