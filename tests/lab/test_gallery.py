"""The gallery: an exhibit for every discretisation and every search of the table."""

from pathlib import Path

import pytest

from anabasis.lab.gallery import example_hall, exhibits, write_gallery
from anabasis.methods import METHODS
from anabasis.view.layers import Circles, ImageLayer, Polygons, Polylines


@pytest.fixture(scope="module")
def shown():
    return list(exhibits(example_hall()))


def test_every_row_of_the_table_is_exhibited_on_the_same_map(shown):
    wanted = [(row.family, row.name) for row in METHODS if row.family in ("space", "search")]
    assert [(exhibit.row.family, exhibit.row.name) for exhibit in shown] == wanted
    assert {exhibit.scene.bounds for exhibit in shown} == {(0, 0, 64, 40)}


def test_each_shows_more_than_the_map(shown):
    for exhibit in shown:
        drawn = [la for la in exhibit.scene.layers if isinstance(la, (Polylines, Circles, Polygons, ImageLayer))]
        assert len(drawn) > 2, exhibit.row.name
        assert exhibit.caption


def test_searches_show_what_they_looked_at_and_find_the_way(shown):
    for exhibit in shown:
        if exhibit.row.family == "search":
            legend = [item.label for item in exhibit.scene.legend]
            assert any(label.startswith("order of") for label in legend), exhibit.row.name
            assert "path" in legend, exhibit.row.name
            assert "length" in exhibit.caption


def test_the_page_holds_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    few = [row for row in METHODS if row.name in ("square-8", "astar", "visibility-graph")]
    monkeypatch.setattr("anabasis.lab.gallery.METHODS", few)
    moves: list[tuple[int, int]] = []
    files = write_gallery(tmp_path, example_hall(), progress=lambda done, total: moves.append((done, total)))
    assert [file.name for file in files] == [
        "index.html",
        "search-astar.png",
        "search-visibility-graph.png",
        "space-square-8.png",
    ]
    assert all(file.stat().st_size for file in files)
    page = files[0].read_text()
    assert page.count("<figure") == 3
    assert moves[-1] == (3, 3)
