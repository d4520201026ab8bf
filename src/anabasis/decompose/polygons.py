"""Polygons: the rings of a world as shapes of Shapely (GEOS), what is wrong with them, and what they leave free."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.world import World

__all__ = ["blocked_of", "check_rings", "check_world", "free_shape", "polygons_of"]


def check_world(world: World) -> None:
    """Raise InputError unless every ring is a simple polygon with an area, and no two rings cross or overlap in part.

    The text names the ring and says what is wrong with it. A ring inside another is a hole, or an island in a hole.
    """
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
    """Return the free space of a world as a Shapely geometry, a polygon for each part; InputError as `check_world`."""
    check_world(world)
    return shapely.difference(shapely.box(*world.bounds), blocked_of(world))


def _pairs(tree: shapely.STRtree, polygons: NDArray[Any], relation: str) -> set[tuple[int, int]]:
    """Return which polygons are in a relation of Shapely to which others or themselves, by number."""
    if not len(polygons):
        return set()
    first, second = tree.query(polygons, predicate=cast("Any", relation))
    return set(zip(first.tolist(), second.tolist(), strict=True))
