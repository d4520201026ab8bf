"""Areas: a World from a walkable area in WKT or GeoJSON, and back.

The numbers of a file are the coordinates, as lengths. Where its y axis points up (as is usual in WKT; a GeoJSON may
say so in `anabasis.y_axis`) they stay the same, and only pictures are seen upside down: ways don't change.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from anabasis.errors import InputError
from anabasis.io.atomic import decode, read_bytes, write_atomic
from anabasis.io.geojson import geojson_text, polygons_of_geojson
from anabasis.io.rings import Ring
from anabasis.io.wkt import polygons_of_wkt, wkt_text
from anabasis.world import World

__all__ = ["AREA_SUFFIXES", "load_area", "save_area"]

AREA_SUFFIXES = (".wkt", ".geojson")


def load_area(path: str | os.PathLike[str], *, several: bool = False) -> World:
    """Read a walkable area: `.wkt` (POLYGON, MULTIPOLYGON, GEOMETRYCOLLECTION) or `.geojson`.

    Polygons may overlap: walkable is what lies in any of them, less the features of the kind obstacle. Outlines of
    walkable polygons that cross themselves are repaired by the rule of even and odd; obstacles and holes must be simple
    polygons, holes lie inside the outline and don't overlap. The bounds of the world are those of the area, everything
    else in them is blocked; corners keep their numbers exactly. several: also take an area whose parts are not
    connected. Raises InputError with file and place.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in AREA_SUFFIXES:
        raise InputError("unknown kind of area", file=path, found=repr(suffix), expected=" or ".join(AREA_SUFFIXES))
    text = decode(read_bytes(path), path)
    walkable, obstacles = (polygons_of_wkt(text, path), []) if suffix == ".wkt" else polygons_of_geojson(text, path)
    return _world(_union(walkable), _union(obstacles), path, several)


def save_area(world: World, path: str | os.PathLike[str]) -> None:
    """Write the free space of a world as `.wkt` or `.geojson`, so that reading gives exactly the same free space.

    Raises InputError for a world that has no free space, or another suffix.
    """
    import shapely

    x0, y0, x1, y1 = world.bounds
    free = shapely.difference(shapely.box(x0, y0, x1, y1), _blocked(world))
    area: Any = shapely.orient_polygons(shapely.normalize(shapely.MultiPolygon(_polygonal(free))))
    suffix = Path(path).suffix.lower()
    if area.is_empty:
        raise InputError("the world has no free space", file=path, expected="an area to write")
    if suffix not in AREA_SUFFIXES:
        raise InputError("unknown kind of area", file=path, found=repr(suffix), expected=" or ".join(AREA_SUFFIXES))
    polygons = [
        [[(float(x), float(y)) for x, y in shapely.get_coordinates(ring)[:-1].tolist()] for ring in rings]
        for rings in map(shapely.get_rings, shapely.get_parts(area))
    ]
    text = wkt_text(polygons) if suffix == ".wkt" else geojson_text(polygons)
    write_atomic(path, text.encode())


def _union(polygons: list[list[Ring]]) -> Any:
    """Return what lies in any of the polygons, as a Shapely geometry made of valid ones."""
    import shapely

    return shapely.union_all([part for rings in polygons for part in _polygonal(_valid(rings))])


def _valid(rings: list[Ring]) -> Any:
    """Return the outline less the holes, which may touch along edges, as a valid Shapely geometry."""
    import shapely

    shape = shapely.Polygon(rings[0], rings[1:])
    if shapely.is_valid(shape):
        return shape
    outline = shapely.make_valid(shapely.Polygon(rings[0]))
    return shapely.difference(outline, shapely.union_all([shapely.Polygon(ring) for ring in rings[1:]]))


def _polygonal(shape: Any) -> list[Any]:
    """Return the polygons of a geometry, without lines and points."""
    import shapely

    parts = [shape]
    while any(part.geom_type not in ("Polygon", "LineString", "Point", "LinearRing") for part in parts):
        parts = list(shapely.get_parts(parts))
    return [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]


def _world(walkable: Any, obstacles: Any, path: object, several: bool) -> World:
    import shapely

    area = shapely.MultiPolygon(_polygonal(shapely.difference(walkable, obstacles)))
    if area.is_empty:
        raise InputError("the area is empty", file=path, expected="at least one walkable polygon with an inside")
    if len(area.geoms) > 1 and not several:
        x, y = shapely.get_coordinates(area.geoms[1])[0].tolist()
        raise InputError(
            "the area is not connected",
            file=path,
            found=f"{len(area.geoms)} parts, one of them at ({x:g}, {y:g})",
            expected="one part",
            hint="load_area(file, several=True) takes them",
        )
    x0, y0, x1, y1 = (float(v) for v in shapely.bounds(area))
    rings = shapely.get_rings(_polygonal(shapely.difference(shapely.box(x0, y0, x1, y1), area)))
    return World.of((x0, y0, x1, y1), [shapely.get_coordinates(ring)[:-1] for ring in rings])


def _blocked(world: World) -> Any:
    """Return what lies inside an odd number of rings."""
    import shapely

    shapes: Any = np.array([shapely.Polygon(world.points[a:b]) for a, b in pairwise(world.rings.tolist())], object)
    while len(shapes) > 1:  # in pairs: many small ones are quicker to combine than one large with each small one
        rest = shapes[-1:] if len(shapes) % 2 else shapes[:0]
        even = len(shapes) // 2 * 2
        shapes = np.append(shapely.symmetric_difference(shapes[:even:2], shapes[1:even:2]), rest)
    return shapes[0] if len(shapes) else shapely.Polygon()
