"""The command `gallery`."""

import pytest

from anabasis.methods import METHODS


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Only a few exhibits."""
    monkeypatch.setattr("anabasis.lab.gallery.METHODS", [row for row in METHODS if row.name in ("astar", "quadtree")])
    monkeypatch.setattr("anabasis.lab.gallery.extras", lambda hall: [])


def test_pictures_and_a_page(call, call_json, tmp_path):
    code, data = call_json("gallery", "--out", tmp_path / "a")
    assert code == 0
    assert data["page"] == str((tmp_path / "a" / "index.html").resolve())
    assert {name.rpartition("/")[2] for name in data["pictures"]} == {"search-astar.png", "space-quadtree.png"}
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [
        "index.html",
        "search-astar.png",
        "space-quadtree.png",
    ]
    assert "2 pictures" in call("gallery", "--out", tmp_path / "b").stdout
    assert call("gallery", "--out", tmp_path / "b", "--quiet").stdout == ""


def test_a_file_is_no_folder(call, tmp_path):
    (tmp_path / "a").write_text("")
    result = call("gallery", "--out", tmp_path / "a")
    assert result.exit_code == 2 and "no folder" in result.stderr
