"""Obstacles: polygons with holes from pictures, and obstacles grown by the radius of a unit.

The outline of dark pixels is exact, that of a grey picture lies below a pixel (`contour`); `simplify` gives it few
corners. Obstacles are grown by the sum with the shape
of the unit: T. Lozano-Pérez and M. A. Wesley, "An algorithm for planning collision-free paths among polyhedral
obstacles", 1979.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from anabasis._kernel import kernel
from anabasis.decompose.contour import contour, is_grey
from anabasis.decompose.outline import outline
from anabasis.decompose.polygons import blocked_of, check_rings, check_world, polygons_of
from anabasis.decompose.simplify import simplify_outline
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.noun import freeze
from anabasis.world import World

__all__ = ["grow", "grow_grid", "merged_world", "world_of_picture"]


def world_of_picture(grey: ArrayLike, *, threshold: int = 128, tolerance: float = 1.0) -> World:
    """Return the world whose obstacles are the dark places of a picture, uint8[height, width].

    A pixel below `threshold` (1 to 255) is dark; pixel (x, y) covers [x, x+1) × [y, y+1). In a picture of hard edges
    the obstacles are exactly the dark pixels. In one of soft edges (one in fifty at least, see `contour.is_grey`), as
    drawn with anti-aliasing, their outline passes where the grey between the centres of pixels comes to the threshold;
    four pixels dark and light in turn are joined if their mean is dark; a dark pixel at the border reaches the bounds.

    With tolerance 0 this is all; else every outline is simplified so that each place of one lies within `tolerance`
    pixels of the other. Straight edges of any angle come back as one edge each (an octagon as 8 corners); from soft
    edges with corners where the lines through the edges meet. No obstacle is lost, none merges with another, holes
    stay, and what touches each other or the border touches it as before; where simplification would break that, an
    outline is simplified less.
    """
    pixels = freeze(grey, np.uint8, (None, None), "picture")
    if pixels.size == 0:
        raise InputError("the picture is empty", expected="at least one pixel")
    if threshold != int(threshold) or not 1 <= threshold <= 255:
        raise InputError("threshold of a picture", found=f"{threshold}", expected="a whole number from 1 to 255")
    if not (np.isfinite(tolerance) and tolerance >= 0):
        raise InputError("tolerance of outlines", found=f"{tolerance}", expected="a length of at least 0 pixels")
    height, width = pixels.shape
    soft = is_grey(pixels, int(threshold))
    points, rings = contour(pixels, int(threshold)) if soft else outline(pixels < threshold)
    if len(points):
        points, rings = simplify_outline(points, rings, width, height, tolerance, grey=soft)
    return World((0.0, 0.0, float(width), float(height)), points, rings)


def merged_world(bounds: tuple[float, float, float, float], obstacles: list[ArrayLike]) -> World:
    """Return a world of simple polygons, each float[k, 2], that may overlap: what lies in any of them is blocked.

    Other than in `World.of`, a polygon inside another one makes no hole. Raises InputError for a polygon that crosses
    itself or has no area.
    """
    polygons = polygons_of(World.of(bounds, obstacles))
    check_rings(polygons)
    return _world(bounds, shapely.union_all(polygons))


def _world(bounds: tuple[float, float, float, float], blocked: Any) -> World:
    rings = shapely.get_rings(shapely.get_parts(blocked))
    return World.of(bounds, [shapely.get_coordinates(ring)[:-1] for ring in rings])


def grow(world: World, radius: float, *, error: float = 0.01) -> World:
    """Return the world in which the centre of a round unit moves as the unit does in this one.

    Obstacles grow by `radius`, the bounds shrink by it. Edges move out by exactly `radius`. Around corners, a circle is
    replaced by a polygon around it that sticks out by at most `error · radius`: so nothing that is too near is left
    free. A single corner stays where that is near enough; from an error of 0.083 on octagons keep their 8 corners, from
    0.415 on rectangles their 4. All of this is up to rounding. Raises InputError if nothing is left of the bounds.
    """
    if not (np.isfinite(radius) and radius >= 0):
        raise InputError("radius of a unit", found=f"{radius}", expected="a length of at least 0")
    if not 1e-6 <= error <= 10:
        raise InputError("error of a grown obstacle", found=f"{error}", expected="a share of the radius, 1e-6 to 10")
    x0, y0, x1, y1 = world.bounds
    shorter = min(x1 - x0, y1 - y0)
    if shorter <= 2 * radius:
        raise InputError(
            "radius of a unit", found=f"{radius:g}", expected=f"less than half of {shorter:g}, the side of the world"
        )
    check_world(world)
    if radius == 0:
        return world
    blocked = blocked_of(world)
    most = 2 * math.acos(1 / (1 + error))  # the angle of a circle that one corner around it may stand for
    rings = shapely.get_rings(shapely.get_parts(shapely.orient_polygons(blocked)))
    margins = [m for ring in rings for m in _margins(shapely.get_coordinates(ring)[:-1], radius, most)]
    grown = shapely.union_all([blocked, *margins])
    return _world((x0 + radius, y0 + radius, x1 - radius, y1 - radius), grown)


def _margins(ring: NDArray[np.float64], radius: float, most: float) -> list[shapely.Polygon]:
    """Return what an obstacle grows by along each edge and corner of a ring; free is where orient is negative."""
    ways = np.roll(ring, -1, axis=0) - ring
    ways /= np.hypot(ways[:, 0], ways[:, 1])[:, None]
    before = np.roll(ways, 1, axis=0)
    turns = np.arctan2(before[:, 0] * ways[:, 1] - before[:, 1] * ways[:, 0], (before * ways).sum(axis=1))
    tips: list[NDArray[np.float64]] = []  # the corners around each corner of the ring
    for corner, came, goes, turn in zip(ring, before, ways, turns, strict=True):
        if turn <= 0:
            tips.append(corner + radius * np.array([[came[1], -came[0]], [goes[1], -goes[0]]]))
            continue
        parts = max(1, math.ceil(turn / most - 1e-9))
        angles = math.atan2(-came[0], came[1]) + turn * (np.arange(parts) + 0.5) / parts
        out = radius / math.cos(turn / parts / 2)
        tips.append(corner + out * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    edges = [
        shapely.Polygon([ring[k - 1], tips[k - 1][-1], tips[k][0], ring[k]])
        for k in range(len(ring))
        if np.hypot(*(ring[k] - ring[k - 1])) > 0
    ]
    fans = [shapely.Polygon([c, *t]) for c, t, turn in zip(ring, tips, turns, strict=True) if turn > 0 and len(t) > 1]
    return edges + fans


def grow_grid(grid: Grid, radius: float) -> Grid:
    """Return the grid in which a cell is blocked if a disc around its centre overlaps a wall or leaves the map.

    radius: in cells; the disc, without its edge, is compared with whole square cells, exactly. Prices and terrain of
    free cells stay, new walls have the terrain `@`. A disc moves straight from centre to centre without overlap; on a
    diagonal step between such cells it may overlap a wall by up to radius - √(radius² - ½).
    """
    if not (np.isfinite(radius) and radius >= 0):
        raise InputError("radius of a unit", found=f"{radius}", expected="a length of at least 0 cells")
    near = math.ceil(4 * Fraction(radius) ** 2) - 1  # the greatest squared distance, in half cells, that is too near
    free = grid.free
    reach = min(math.ceil(radius), max(grid.width, grid.height))
    after = _standing(free, reach, min(near, 2**62))
    return Grid(np.where(after, grid.cost, np.inf), np.where(after | ~free, grid.terrain, ord("@")), grid.side)


@kernel
def _standing(free: NDArray[np.bool_], reach: int, near: int) -> NDArray[np.bool_]:
    """Return the free cells from whose centre no wall is as near as `near`, in squared half cells."""
    height, width = free.shape
    wall = np.empty((height, width), np.int64)  # half cells from a cell's centre to the next wall above or below it
    for x in range(width):
        gap = 0  # beyond the map is wall
        for y in range(height):
            gap = 0 if not free[y, x] else 1 if gap == 0 else gap + 2
            wall[y, x] = gap
        gap = 0
        for y in range(height - 1, -1, -1):
            gap = 0 if not free[y, x] else 1 if gap == 0 else gap + 2
            wall[y, x] = min(wall[y, x], gap)
    out = free.copy()
    for y in range(height):
        for x in range(width):
            if not free[y, x]:
                continue
            for dx in range(-reach, reach + 1):
                beside = max(2 * abs(dx) - 1, 0)
                along = wall[y, x + dx] if 0 <= x + dx < width else 0
                if beside * beside + along * along <= near:
                    out[y, x] = False
                    break
    return out
