"""GeoJSON: walkable areas as features, read with the place of a fault, and written.

H. Butler and others, "The GeoJSON format", RFC 7946, 2016. A feature says in its property `kind` what it is: walkable
(also without that property), obstacle, or gate, spawn, goal, region, which are no part of the ground and are skipped.
By the standard coordinates are degrees; ours are lengths, as the foreign member `anabasis` says.
"""

from __future__ import annotations

import json
import math
from typing import Any, cast

from anabasis.errors import InputError
from anabasis.io.rings import Ring, check_holes, check_obstacle, check_ring
from anabasis.world import FARTHEST

__all__ = ["KINDS", "geojson_text", "polygons_of_geojson"]

KINDS = ("walkable", "obstacle", "gate", "spawn", "goal", "region")
_FRAME = {"crs": "local-metres", "y_axis": "down"}
_GEOMETRIES = "Polygon, MultiPolygon or GeometryCollection"

Polygon = list[Ring]


def polygons_of_geojson(text: str, file: object = None) -> tuple[list[Polygon], list[Polygon]]:
    """Return the polygons that are walkable and those that are obstacles, each a list of rings, the outer one first.

    Rings lose their repeated last corner; their winding does not matter. Heights are dropped. Raises InputError with
    the place of a fault, such as `features[2].geometry.coordinates[0][3]`.
    """
    try:
        data = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise InputError("the file is nested too deeply", file=file) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg.lower()}", file=file, where=error.lineno) from None
    except InputError as error:
        raise error.at(file) from None
    try:
        return _read(data)
    except InputError as error:
        raise error.at(file) from None


def geojson_text(polygons: list[Polygon]) -> str:
    """Return a file with one walkable feature; rings (not closed) as they are: outer ones must wind upwards."""
    rings = [[[*ring, ring[0]] for ring in polygon] for polygon in polygons]
    geometry = {
        "type": "Polygon" if len(rings) == 1 else "MultiPolygon",
        "coordinates": rings[0] if len(rings) == 1 else rings,
    }
    feature = {"type": "Feature", "properties": {"kind": "walkable"}, "geometry": geometry}
    head = {"type": "FeatureCollection", "anabasis": _FRAME, "features": [feature]}
    return json.dumps(head, allow_nan=False) + "\n"


def _no_number(name: str) -> float:
    raise InputError("no number of JSON", found=name, expected="finite numbers")


def _read(data: Any) -> tuple[list[Polygon], list[Polygon]]:
    features, place = [data], ""
    if isinstance(data, dict) and data.get("type") == "FeatureCollection":
        features, place = data.get("features"), "features[{}]"
        if not isinstance(features, list):
            raise _fault("features", features, "a list")
        _check_frame(data.get("anabasis", _FRAME))
    found: tuple[list[Polygon], list[Polygon]] = ([], [])
    for k, feature in enumerate(features):
        at = place.format(k)
        geometry, kind = feature, "walkable"
        if isinstance(feature, dict) and feature.get("type") == "Feature":
            kind = _kind(feature.get("properties") or {}, _join(at, "properties"))
            geometry, at = feature.get("geometry"), _join(at, "geometry")
        elif place:
            raise _fault(at, feature, 'an object with "type": "Feature"')
        if kind in KINDS[:2]:
            found[KINDS.index(kind)].extend(_geometry(geometry, at, solid=kind == "obstacle"))
    return found


def _check_frame(frame: Any) -> None:
    """Raise InputError for a frame that is not ours: the numbers of the file are taken as they are."""
    if not isinstance(frame, dict):
        raise _fault("anabasis", frame, "an object")
    if frame.get("crs", "local-metres") != "local-metres":
        raise _fault("anabasis.crs", frame["crs"], '"local-metres"')
    if frame.get("y_axis", "down") not in ("up", "down"):
        raise _fault("anabasis.y_axis", frame["y_axis"], '"down" or "up"')


def _kind(properties: Any, at: str) -> str:
    if not isinstance(properties, dict):
        raise _fault(at, properties, "an object")
    kind, cost = properties.get("kind", "walkable"), properties.get("cost", 1)
    if kind not in KINDS:
        raise _fault(f"{at}.kind", kind, " or ".join(KINDS))
    if kind == "walkable" and cost not in (1, None):
        raise _fault(f"{at}.cost", cost, "1: a world of polygons has no prices")
    return kind


def _geometry(geometry: Any, at: str, *, solid: bool) -> list[Polygon]:
    """Return the polygons of a geometry; solid: it is an obstacle."""
    geometry = cast("dict[str, Any]", geometry if isinstance(geometry, dict) else {"type": geometry})
    kind = geometry.get("type")
    name = "geometries" if kind == "GeometryCollection" else "coordinates"
    if kind not in ("Polygon", "MultiPolygon", "GeometryCollection"):
        raise _fault(_join(at, "type"), kind, _GEOMETRIES)
    parts, at = _list(geometry.get(name), _join(at, name)), _join(at, name)
    if kind == "Polygon":
        return [_polygon(parts, at, solid=solid)] if parts else []
    if kind == "MultiPolygon":
        return [_polygon(_list(part, f"{at}[{k}]"), f"{at}[{k}]", solid=solid) for k, part in enumerate(parts)]
    return [polygon for k, part in enumerate(parts) for polygon in _geometry(part, f"{at}[{k}]", solid=solid)]


def _polygon(rings: list[Any], at: str, *, solid: bool) -> Polygon:
    found = [
        [_position(p, f"{at}[{k}][{i}]") for i, p in enumerate(_list(ring, f"{at}[{k}]"))]
        for k, ring in enumerate(rings)
    ]
    for k, ring in enumerate(found):
        try:
            found[k] = check_ring(ring)
        except InputError as error:
            raise error.at(None, f"{at}[{k}]") from None
    if not found:
        raise _fault(at, [], "at least one ring")
    if solid:
        check_obstacle(found[0], None, f"{at}[0]")
    check_holes(found, None, [f"{at}[{k}]" for k in range(len(found))])
    return found


def _position(position: Any, at: str) -> tuple[float, float]:
    numbers = [v for v in _list(position, at) if isinstance(v, (int, float)) and not isinstance(v, bool)]
    try:
        x, y = float(numbers[0]), float(numbers[1])
    except (IndexError, OverflowError):
        x = y = math.nan
    if len(numbers) != len(position) or not (math.isfinite(x) and math.isfinite(y)):
        raise _fault(at, position, "two finite numbers, x and y")
    if max(abs(x), abs(y)) > FARTHEST:
        raise _fault(at, position, f"two numbers of at most {FARTHEST:g}, x and y")
    return x, y


def _list(value: Any, at: str) -> list[Any]:
    if not isinstance(value, list):
        raise _fault(at, value, "a list")
    return cast("list[Any]", value)


def _join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def _fault(at: str, found: Any, expected: str) -> InputError:
    return InputError("no walkable area in GeoJSON", where=at, found=json.dumps(found)[:60], expected=expected)
