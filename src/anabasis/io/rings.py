"""Rings of the polygons in a file: closed, and holes and obstacles such as a world may have.

The rules are those of a World's obstacles, told with the place in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anabasis.errors import InputError

__all__ = ["Ring", "check_holes", "check_obstacle", "check_ring"]

Ring = list[tuple[float, float]]


def check_ring(ring: Ring) -> Ring:
    """Return a ring without the repeated last corner; raises InputError if it is not closed or too short."""
    if len(ring) < 4:
        raise InputError("a ring is too short", found=f"{len(ring)} places", expected="at least 4, the last the first")
    if ring[0] != ring[-1]:
        first, last = (f"({x!r}, {y!r})" for x, y in (ring[0], ring[-1]))
        raise InputError("a ring is not closed", found=f"its last place {last}", expected=f"its first, {first}")
    return ring[:-1]


def check_obstacle(ring: Ring, file: object, where: int | str, name: str = "the obstacle's outline") -> Any:
    """Return a ring as a Shapely polygon; raises InputError unless it is simple and has an area."""
    import shapely

    polygon = shapely.Polygon(ring)
    if shapely.is_valid(polygon):
        return polygon
    if shapely.area(shapely.convex_hull(polygon)) == 0:
        found, expected = "corners on one line", "a polygon with an inside"
        raise InputError(f"{name} has no area", file=file, where=where, found=found, expected=expected)
    what, _, place = str(shapely.is_valid_reason(polygon)).partition("[")
    raise InputError(
        f"{name} crosses or touches itself",
        file=file,
        where=where,
        found=f"{what.lower()} at ({place.rstrip(']').replace(' ', ', ')})" if place else what.lower(),
        expected="a simple polygon",
        hint="cut it into simple rings at that point",
    )


def check_holes(rings: Sequence[Ring], file: object, places: Sequence[int | str]) -> None:
    """Raise InputError unless the holes of a polygon are simple, lie inside its outline (rings[0]) and don't overlap.

    Holes may touch each other and the outline, also along an edge. places: where in the file each ring stands.
    """
    import shapely

    if len(rings) < 2 or shapely.is_valid(shapely.Polygon(rings[0], rings[1:])):
        return
    holes = [check_obstacle(ring, file, places[k], f"hole {k}") for k, ring in enumerate(rings[1:], 1)]
    outline: Any = shapely.Polygon(rings[0])
    outline = outline if shapely.is_valid(outline) else shapely.make_valid(outline)
    shapely.prepare(outline)
    for k, hole in enumerate(holes, 1):
        if not shapely.covers(outline, hole):
            raise InputError(
                f"hole {k} reaches beyond the outline of its polygon",
                file=file,
                where=places[k],
                found=f"{_place(shapely.difference(hole, outline))} lies in the hole only",
                expected="holes inside the outline",
                hint="cut the hole off at the outline",
            )
    first, second = shapely.STRtree(holes).query(holes, predicate="intersects")
    for i, j in sorted((int(j), int(i)) for i, j in zip(first, second, strict=True) if i < j):
        if shapely.relate_pattern(holes[j], holes[i], "T********"):
            raise InputError(
                f"holes {j + 1} and {i + 1} overlap",
                file=file,
                where=places[i + 1],
                found=f"{_place(shapely.intersection(holes[i], holes[j]))} lies in both",
                expected="holes that lie apart or touch",
                hint="merge holes that overlap; an island in a hole is a polygon of its own",
            )


def _place(shape: Any) -> str:
    """Return a place of a shape."""
    import shapely

    x, y = shapely.get_coordinates(shapely.point_on_surface(shape))[0].tolist()
    return f"({x:g}, {y:g})"
