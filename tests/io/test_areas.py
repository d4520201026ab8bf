"""Walkable areas in WKT and GeoJSON: read exactly, written so that they are read again, faults with their place."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

import anabasis as a
from anabasis.decompose.outline import grid_world
from anabasis.decompose.polygons import check_world, free_shape
from anabasis.errors import InputError
from anabasis.io.areas import load_area, save_area
from anabasis.io.wkt import polygons_of_wkt

ROOM = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0),\n  (4 3, 6 3, 6 5, 4 5, 4 3))"
HALL = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0)"  # without its last bracket
SUFFIXES = (".wkt", ".geojson")


def written(folder: Path, text: str, name: str = "area.wkt") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def square(x: float, y: float, side: float) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]


def feature(*rings: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": list(rings)}}


def collection(*features: Any, **members: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features, **members})


def test_a_room_with_a_pillar(tmp_path):
    world = load_area(written(tmp_path, ROOM))
    assert world.bounds == (0, 0, 10, 8)
    assert sorted(map(tuple, world.points.tolist())) == [(4, 3), (4, 5), (6, 3), (6, 5)]
    answer = a.find_path(world, (1, 4), (9, 4), method="polyanya")
    assert answer.cost == pytest.approx(2 * 10**0.5 + 2)


def test_case_space_and_numbers_are_as_the_standard_allows(tmp_path):
    text = "polygon(\n(-1e1 .5,+1E1 0.50 ,10. 8,-10.0 8,-10 .5))\n"
    assert load_area(written(tmp_path, text)).bounds == (-10, 0.5, 10, 8)


def test_overlapping_polygons_are_one_area_and_crossing_rings_are_repaired(tmp_path):
    text = "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0)), MULTIPOLYGON (((3 1, 6 1, 6 5, 3 5, 3 1))))"
    world = load_area(written(tmp_path, text))
    assert free_shape(world).area == pytest.approx(8 + 12 - 1)
    bow = load_area(written(tmp_path, "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"), several=True)
    assert free_shape(bow).area == pytest.approx(2)
    check_world(bow)


def test_holes_may_touch(tmp_path):
    text = HALL + ", (0 3, 4 3, 4 5, 0 5, 0 3), (4 3, 6 3, 6 5, 4 5, 4 3), (6 5, 7 5, 7 6, 6 6, 6 5))"
    world = load_area(written(tmp_path, text))
    assert free_shape(world).area == pytest.approx(80 - 8 - 4 - 1)
    divided = load_area(written(tmp_path, HALL + ", (0 4, 5 3, 10 4, 5 5, 0 4))"), several=True)
    assert free_shape(divided).area == pytest.approx(80 - 10)
    island = "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 7 2, 7 7, 2 7, 2 2)), ((3 3, 4 3, 4 4, 3 4, 3 3)))"
    assert free_shape(load_area(written(tmp_path, island), several=True)).area == pytest.approx(81 - 25 + 1)


def test_the_largest_area(tmp_path):
    hole = "(4e99 3e99, 6e99 3e99, 6e99 5e99, 4e99 5e99, 4e99 3e99)"
    text = f"POLYGON ((0 0, 1e100 0, 1e100 1e100, 0 1e100, 0 0), {hole})"
    answer = a.find_path(load_area(written(tmp_path, text)), (1e99, 4e99), (9e99, 4e99), method="polyanya")
    assert answer.cost == pytest.approx((2 * 10**0.5 + 2) * 1e99)


def test_parts_that_are_not_connected_are_refused_unless_asked_for(tmp_path):
    file = written(tmp_path, "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((1 1, 2 1, 2 2, 1 2, 1 1)))")
    with pytest.raises(InputError, match=r"not connected; found 2 parts, one of them at \(.*several=True"):
        load_area(file)
    answer = a.find_path(a.load(file), (0.5, 0.5), (1.5, 1.5), method="polyanya")
    assert not answer and "not connected" in answer.reason


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(12))
def test_written_worlds_are_read_again_exactly(tmp_path, suffix, seed):
    rng = np.random.default_rng(seed)
    if seed % 2:
        world = grid_world(
            a.Grid.from_terrain(np.where(rng.random((9, 12)) < 0.35, ord("@"), ord(".")).astype(np.uint8))
        )
    else:
        turns = np.sort(rng.random((6, 7)) * 2 * np.pi, axis=1)
        turns += np.arange(7) * 1e-3
        middle = np.stack([np.arange(6) * 3.0, rng.random(6)], axis=1)
        rings = middle[:, None] + np.stack([np.cos(turns), np.sin(turns)], axis=2) * rng.uniform(0.4, 1.4, (6, 1, 1))
        world = a.World.of((-1.5, -1.2, 15.7, 2.1), list(rings))
    file = tmp_path / f"w{suffix}"
    a.save(world, file)
    again = a.load(file)
    check_world(again)
    free = free_shape(world)
    assert shapely.area(shapely.symmetric_difference(free_shape(again), free)) == pytest.approx(0, abs=1e-12)
    assert {tuple(p) for p in shapely.get_coordinates(free_shape(again)).tolist()} == {
        tuple(p) for p in shapely.get_coordinates(free).tolist()
    }
    save_area(again, tmp_path / f"x{suffix}")
    assert (tmp_path / f"x{suffix}").read_bytes() == file.read_bytes()


def test_numbers_keep_their_last_digit(tmp_path):
    x, y = 0.1 + 0.2, 1e5 / 3
    world = a.World.of((0, 0, 1, 1e5), [[(x, y), (x + 0.1, y), (x, y + 0.1)]])
    for suffix in SUFFIXES:
        a.save(world, tmp_path / f"w{suffix}")
        assert [x, y] in a.load(tmp_path / f"w{suffix}").points.tolist()


def test_geojson_is_as_the_standard_wants_it(tmp_path):
    file = tmp_path / "w.geojson"
    a.save(load_area(written(tmp_path, ROOM)), file)
    data = json.loads(file.read_text())
    assert data["anabasis"] == {"crs": "local-metres", "y_axis": "down"}
    outer, inner = data["features"][0]["geometry"]["coordinates"]
    assert outer[0] == outer[-1] and len(outer) == 5
    assert shapely.LinearRing(outer).is_ccw and not shapely.LinearRing(inner).is_ccw


def test_kinds_of_features(tmp_path):
    text = collection(
        feature(square(0, 0, 10)),
        feature(square(8, 0, 4), kind="walkable", cost=1),
        feature(square(2, 2, 2), kind="obstacle"),
        {"type": "Feature", "properties": {"kind": "gate", "width": 2}, "geometry": {"type": "LineString"}},
        feature(square(4, 4, 1), kind="goal"),
    )
    assert free_shape(load_area(written(tmp_path, text, "a.geojson"))).area == pytest.approx(100 + 8 - 4)
    alone = json.dumps({"type": "Polygon", "coordinates": [[*map(list, square(0, 0, 2))]]})
    assert load_area(written(tmp_path, alone, "b.geojson")).bounds == (0, 0, 2, 2)
    heights = json.dumps(feature([[*p, 7.5] for p in square(0, 0, 2)]))
    assert load_area(written(tmp_path, heights, "c.geojson")).bounds == (0, 0, 2, 2)


BAD_WKT = {
    "": "line 1: no walkable area in WKT; found the end of the file; expected POLYGON",
    "POINT (1 2)": "found 'POINT'; expected POLYGON or MULTIPOLYGON or GEOMETRYCOLLECTION",
    "SRID=4326;POLYGON ((0 0, 1 0, 1 1, 0 0))": "found 'SRID'",
    "POLYGON ((0 0, 1 0,\n1 x, 0 0))": "line 2: a place of an area; found 'x'; expected two finite numbers",
    "POLYGON ((0 0, 1 0, 1 nan, 0 0))": "found 'nan'",
    "POLYGON ((0 0, 1 0, 1 1e999, 0 0))": "found '1e999'; expected two finite numbers",
    "POLYGON ((0 0, 1 0,\n1 -1e101, 0 0))": "line 2: a place of an area; found '-1e101'; expected two numbers of",
    HALL + ",\n(1 1, 4 1, 4 4, 1 4, 1 1),\n(3 2, 6 2, 6 3, 3 3, 3 2))": "line 3: holes 1 and 2 overlap; found (",
    HALL + ",\n(1 1, 5 1, 5 5, 1 5, 1 1),\n(2 2, 3 2, 3 3, 2 3, 2 2))": "line 3: holes 1 and 2 overlap; found (",
    HALL + ",\n(1 1, 5 1, 5 5, 1 5, 1 1),\n(1 1, 5 1, 5 5, 1 5, 1 1))": "line 3: holes 1 and 2 overlap; found (",
    HALL
    + ",\n(1 1, 3 3, 3 1, 1 3, 1 1))": "line 2: hole 1 crosses or touches itself; found self-intersection at (2, 2)",
    HALL + ",\n(1 1, 2 2, 3 3, 1 1))": "line 2: hole 1 has no area; found corners on one line",
    HALL + ",\n(1 1, 2 1, 2 2, 1 2, 1 1),\n(8 2, 12 2, 12 3, 8 3, 8 2))": "line 3: hole 2 reaches beyond the outline",
    HALL
    + ",\n(20 2, 22 2, 22 3, 20 3, 20 2))": "line 2: hole 1 reaches beyond the outline of its polygon; found (21, ",
    "POLYGON ((0 0, 1 0, 1 1, 0 0)": "not valid WKT; found the end of the file; expected ',' or ')'",
    "POLYGON (0 0, 1 0, 1 1, 0 0)": "found '0'; expected '('",
    "POLYGON ((0 0, 1 0, 1 1, 0 0))\n\nPOLYGON": "line 3: text behind the area; found 'POLYGON'",
    "POLYGON Z ((0 0 1, 1 0 1, 1 1 1, 0 0 1))": "an area with heights; found 'Z'",
    "POLYGON ((0 0 1, 1 0 1, 1 1 1, 0 0 1))": "found '1'; expected ',' or ')'",
    "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0),\n\n(1 1, 2 1, 1 1))": "line 3: a ring is too short; found 3 places",
    "POLYGON ((0 0, 1 0, 1 1, 0 1))": "its last place (0.0, 1.0); expected its first, (0.0, 0.0)",
    "POLYGON EMPTY": "the area is empty",
    "POLYGON ((0 0, 1 0, 2 0, 0 0))": "the area is empty",
    "GEOMETRYCOLLECTION (" * 80: "no walkable area",
}


@pytest.mark.parametrize(("text", "message"), BAD_WKT.items())
def test_faults_of_wkt_have_file_and_line(tmp_path, text, message):
    file = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_area(file)
    assert str(caught.value).startswith(str(file))
    assert message in str(caught.value)


BAD_JSON = {
    "{\n  oops": "line 2: not valid JSON",
    '{"type": "Polygon", "coordinates": [[[0, NaN]]]}': "no number of JSON; found NaN",
    "[1, 2]": "type: no walkable area in GeoJSON; found [1, 2]; expected Polygon, MultiPolygon",
    '{"type": "FeatureCollection"}': "features: no walkable area in GeoJSON; found null; expected a list",
    collection({"type": "Polygon"}): 'features[0]: no walkable area in GeoJSON; found {"type": "Polygon"}',
    collection(feature(square(0, 0, 1), kind="walkabel")): "features[0].properties.kind",
    collection(feature(square(0, 0, 1), cost=3)): "a world of polygons has no prices",
    collection(feature([[0, 0], [1, 0], [1, "1"], [0, 0]])): "features[0].geometry.coordinates[0][2]",
    collection(feature([[0, 0], [1, 0], [1, True], [0, 0]])): "features[0].geometry.coordinates[0][2]",
    collection(feature([[0, 0], [1, 0], [1], [0, 0]])): "found [1]; expected two finite numbers",
    collection(feature([[0, 0], [1, 0], [1, 10**400], [0, 0]])): "expected two finite numbers",
    collection(feature(square(0, 0, 3), [[1, 1], [2, 1], [2, 2], [1, 2]])): "coordinates[1]: a ring is not closed",
    collection(feature([[0, 0], [1, 0], [1, 1e101], [0, 0]])): "expected two numbers of at most 1e+100",
    collection(feature(square(0, 0, 9), square(1, 1, 3), square(2, 2, 3))): (
        "features[0].geometry.coordinates[2]: holes 1 and 2 overlap"
    ),
    collection(feature(square(0, 0, 9)), feature([[1, 1], [3, 3], [3, 1], [1, 3], [1, 1]], kind="obstacle")): (
        "features[1].geometry.coordinates[0]: the obstacle's outline crosses or touches itself"
    ),
    collection(feature(square(0, 0, 9)), feature([[1, 1], [2, 2], [3, 3], [1, 1]], kind="obstacle")): (
        "features[1].geometry.coordinates[0]: the obstacle's outline has no area"
    ),
    collection(feature(square(0, 0, 1)), anabasis={"crs": "EPSG:4326"}): "anabasis.crs",
    collection(feature(square(0, 0, 1)), anabasis={"y_axis": 1}): "anabasis.y_axis",
    collection(feature(square(0, 0, 1), kind="goal")): "the area is empty",
    collection(feature(square(1, 1, 1)), feature(square(0, 0, 9), kind="obstacle")): "the area is empty",
    collection({"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}}): "features[0].geometry.type",
    "[" * 200_000: "nested too deeply",
}


@pytest.mark.parametrize("number", range(len(BAD_JSON)))
def test_faults_of_geojson_have_file_and_place(tmp_path, number):
    text, message = list(BAD_JSON.items())[number]
    file = written(tmp_path, text, "area.geojson")
    with pytest.raises(InputError) as caught:
        load_area(file)
    assert str(caught.value).startswith(str(file))
    assert message in str(caught.value)


def test_other_faults(tmp_path):
    walled = a.World.of((0, 0, 1, 1), [[(-1, -1), (2, -1), (2, 2), (-1, 2)]])
    with pytest.raises(InputError, match="no free space"):
        save_area(walled, tmp_path / "w.wkt")
    with pytest.raises(InputError, match="unknown kind of area"):
        load_area(written(tmp_path, ROOM, "a.txt"))
    with pytest.raises(InputError, match=r"\.npz, \.wkt or \.geojson for a World"):
        a.save(walled, tmp_path / "w.map")
    with pytest.raises(InputError, match="no terrain"):
        a.load(written(tmp_path, ROOM), movement="water")
    with pytest.raises(InputError, match="can't be read"):
        load_area(tmp_path / "none.wkt")


def test_reading_agrees_with_shapely():
    rng = np.random.default_rng(5)
    for _ in range(50):
        shape = shapely.Point(rng.random(2)).buffer(rng.random() + 0.1, quad_segs=3)
        shape = shapely.union(shape, shapely.box(*np.sort(rng.random(2) * 5), *(5 + rng.random(2))))
        text = shapely.to_wkt(shape, rounding_precision=-1)
        rings = [ring for polygon in polygons_of_wkt(text) for ring in polygon]
        assert sum(len(ring) + 1 for ring in rings) == len(shapely.get_coordinates(shape))
        assert [p for ring in rings for p in [*ring, ring[0]]] == list(
            map(tuple, shapely.get_coordinates(shapely.from_wkt(text)).tolist())
        )
