"""The gallery: an exhibit for every discretisation and every search of the table, and more."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from anabasis.lab.gallery import MORE, example_hall, exhibits, write_gallery
from anabasis.lab.gallery_extras import extras
from anabasis.methods import METHODS
from anabasis.view.layers import Circles, ImageLayer, Polygons, Polylines

ROWS = [(row.family, row.name) for row in METHODS if row.family in ("space", "search")]


@pytest.fixture(scope="module")
def shown():
    return list(exhibits(example_hall()))


def test_every_row_of_the_table_is_exhibited_on_the_same_map(shown):
    assert [(exhibit.group, exhibit.name) for exhibit in shown[: len(ROWS)]] == ROWS
    assert {exhibit.scene.bounds for exhibit in shown} == {(0, 0, 64, 40)}
    assert len({(exhibit.group, exhibit.name) for exhibit in shown}) == len(shown)


def test_each_shows_more_than_the_map(shown):
    for exhibit in shown:
        drawn = [la for la in exhibit.scene.layers if isinstance(la, (Polylines, Circles, Polygons, ImageLayer))]
        assert len(drawn) > 2, exhibit.name
        assert exhibit.caption and exhibit.summary


def test_searches_show_what_they_looked_at_and_find_the_way(shown):
    for exhibit in shown:
        if exhibit.group == "search":
            legend = [item.label for item in exhibit.scene.legend]
            assert any(label.startswith("order of") for label in legend), exhibit.name
            assert "path" in legend, exhibit.name
            assert "length" in exhibit.caption


def test_lattices_show_the_outlines_of_their_cells(shown):
    for name, sides in (("square-8", 4), ("hexagonal-6", 6), ("triangular-12", 3), ("quadtree", 4)):
        scene = next(exhibit.scene for exhibit in shown if exhibit.name == name)
        cells = [la for la in scene.layers if isinstance(la, Polygons)][-1]
        assert (np.diff(cells.indptr) == sides).all() and len(cells.indptr) > 100


def test_what_is_shown_beside_the_table(shown):
    more = shown[len(ROWS) :]
    assert len(more) == MORE
    names = ["way-points", "levels", "grown", "smoothing", "coarse-fine-layers", "hpa-outline"]
    drives = [row.name for row in METHODS if row.family == "drive"]
    assert [exhibit.name for exhibit in more] == [*names, *drives, "timed"]
    by_name = {exhibit.name: exhibit for exhibit in more}
    lengths = [float(part.split()[1]) for part in by_name["smoothing"].caption.split(", ")]
    assert lengths == sorted(lengths, reverse=True)  # A*, post_smooth, look_ahead, shorten, taut
    assert "bridge" in [item.label for item in by_name["levels"].scene.legend]


def test_the_path_over_two_levels_takes_the_bridge(shown):
    scene = next(exhibit.scene for exhibit in shown if exhibit.name == "levels")
    path = [la for la in scene.layers if isinstance(la, Polylines)][-1].points
    assert any(24 < x < 27 and 20.5 < y < 23.5 for x, y in _dense(path))  # where there is a wall below


def _dense(points):
    return [tuple(a + (b - a) * t) for a, b in pairwise(points) for t in np.linspace(0, 1, 50)]


def test_the_page_holds_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    few = [row for row in METHODS if row.name in ("square-8", "astar", "visibility-graph")]
    monkeypatch.setattr("anabasis.lab.gallery.METHODS", few)
    monkeypatch.setattr("anabasis.lab.gallery.extras", lambda hall: [next(iter(extras(hall)))])
    moves: list[tuple[int, int]] = []
    files = write_gallery(tmp_path, example_hall(), progress=lambda done, total: moves.append((done, total)))
    assert [file.name for file in files] == [
        "index.html",
        "search-astar.png",
        "search-visibility-graph.png",
        "space-square-8.png",
        "more-way-points.png",
    ]
    assert all(file.stat().st_size for file in files)
    page = files[0].read_text()
    assert page.count("<figure") == 4
    assert [done for done, _ in moves] == sorted(done for done, _ in moves)
    assert all(done <= total for done, total in moves)
