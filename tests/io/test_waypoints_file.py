"""Files of way-points: read, written, and their faults told with file and line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.io.waypoints import Waypoints, load_waypoints, save_waypoints, waypoints_of_text, waypoints_text
from anabasis.noun import state_hash

NO_LINES = np.zeros(0, np.int64)
TEXT = """
# made by hand
anabasis way-points 1

place gate 12.5 30
link gate bridge
place bridge 40 3e1
  place ford 40 -55
link ford gate 90
one-way ford bridge 0
"""


def test_a_file_is_read() -> None:
    found = waypoints_of_text(TEXT)
    assert found.names == ("gate", "bridge", "ford")
    assert found.points.tolist() == [[12.5, 30], [40, 30], [40, -55]]
    assert found.links.tolist() == [[0, 1], [2, 0], [2, 1]]
    assert found.cost.tolist() == [np.inf, 90, 0]
    assert found.one_way.tolist() == [False, False, True]
    assert found.lines.tolist() == [5, 7, 8, 6, 9, 10]
    assert (found.line(place=2), found.line(link=0)) == (8, 6)
    assert found.number("ford") == 2


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for n in (0, 1, 5):
        pairs = [(a, b) for a in range(n) for b in range(a)]
        cost = np.where(rng.random(len(pairs)) < 0.5, np.inf, rng.random(len(pairs)))
        points = rng.normal(size=(n, 2)) * 10.0 ** rng.integers(-9, 9, (n, 2))
        one_way = rng.random(len(pairs)) < 0.5
        made = Waypoints(tuple(f"ü{k}" for k in range(n)), points, np.array(pairs), cost, one_way, NO_LINES)
        save_waypoints(made, tmp_path / "a.way")
        again = load_waypoints(tmp_path / "a.way")
        for name in ("points", "links", "cost", "one_way"):
            assert getattr(again, name).tolist() == getattr(made, name).tolist()
        assert again.names == made.names
        assert again.file == str(tmp_path / "a.way")
        assert waypoints_text(again) == waypoints_text(made)
        assert state_hash(again) == state_hash(load_waypoints(tmp_path / "a.way"))


def test_both_one_way_links_between_two_places_are_two_links() -> None:
    text = "anabasis way-points 1\nplace a 0 0\nplace b 1 0\none-way a b\none-way b a 3\n"
    assert waypoints_of_text(text).links.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("rows", "line", "text"),
    [
        ("", 1, "no file of way-points; found nothing; expected anabasis way-points 1"),
        ("version 1", 1, "no file of way-points; found version 1"),
        ("anabasis way-points 2", 1, "no file of way-points; found anabasis way-points 2"),
        ("anabasis way-points 1\nplcae a 1 2", 2, "unknown word; found 'plcae'; expected place or link or one-way"),
        ("anabasis way-points 1\nplcae a 1 2", 2, "Hint: did you mean place?"),
        (
            "anabasis way-points 1\nplace a 1",
            2,
            "a line of place with 2 values; found place a 1; expected place NAME X",
        ),
        ("anabasis way-points 1\nplace a 1 2 3", 2, "a line of place with 4 values"),
        ("anabasis way-points 1\nlink a", 2, "a line of link with 1 values; found link a; expected link NAME NAME"),
        ("anabasis way-points 1\n\nplace a 1 two", 3, "y; found 'two'; expected a finite number"),
        ("anabasis way-points 1\nplace a nan 2", 2, "x; found 'nan'; expected a finite number"),
        ("anabasis way-points 1\nplace a 1e999 2", 2, "x; found '1e999'"),
        ("anabasis way-points 1\nplace a 1 2\nplace a 1 2", 3, "place 'a' is there already; found it in line 2 too"),
        ("anabasis way-points 1\nplace a 1 2\nlink a a", 3, "a link from a place to itself; found 'a'"),
        ("anabasis way-points 1\nplace gate 1 2\nlink gate gaet", 3, "place that does not exist; found 'gaet'"),
        ("anabasis way-points 1\nplace gate 1 2\nlink gate gaet", 3, "Hint: did you mean gate?"),
        ("anabasis way-points 1\nlink a b -1", 2, "cost of a link; found -1; expected at least 0"),
        ("anabasis way-points 1\nlink a b 1\nlink b a", 3, "b and a are linked already; found a link in line 2 too"),
        ("anabasis way-points 1\none-way a b\nlink a b", 3, "a and b are linked already"),
        ("anabasis way-points 1\none-way a b\none-way a b", 3, "a and b are linked already"),
        ("anabasis way-points 1\nlink a b\none-way b a", 3, "b and a are linked already"),
    ],
)
def test_faults_are_told_with_file_and_line(tmp_path: Path, rows: str, line: int, text: str) -> None:
    file = tmp_path / "bad.way"
    file.write_text(rows)
    with pytest.raises(InputError) as caught:
        load_waypoints(file)
    assert str(caught.value).startswith(f"{file}:line {line}: ") or str(caught.value).startswith(
        f"{file}: line {line}: "
    )
    assert text in str(caught.value)


def test_no_text_and_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file can't be read"):
        load_waypoints(tmp_path / "none.way")
    (tmp_path / "bad.way").write_bytes(b"anabasis way-points 1\n\xff")
    with pytest.raises(InputError, match="the file is not text; found byte 0xff"):
        load_waypoints(tmp_path / "bad.way")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"names": ("a", "a")}, "names of places"),
        ({"names": ("a", "b c")}, "names of places"),
        ({"names": ("a", "#b")}, "names of places"),
        ({"points": [[0, 0], [np.inf, 1]]}, "points of places; found inf"),
        ({"links": [[0, 2]]}, "a link leads nowhere; found place 2; expected places 0 to 1"),
        ({"cost": [-2]}, "cost of a link; found -2"),
        ({"lines": [1, 2]}, "lines; found 2; expected 3, or none"),
    ],
)
def test_wrong_nouns_are_told(change: dict[str, Any], text: str) -> None:
    right = {"names": ("a", "b"), "points": [[0, 0], [1, 1]], "links": [[0, 1]], "cost": [1], "one_way": [True]}
    assert Waypoints(**right, lines=NO_LINES).line(link=0) is None  # type: ignore[arg-type]
    with pytest.raises(InputError, match=text):
        Waypoints(**{**right, "lines": NO_LINES, **change})  # type: ignore[arg-type]


def test_an_unknown_name_is_told_with_a_near_one() -> None:
    with pytest.raises(InputError, match=r"no place of that name; found 'gaet'. Hint: did you mean gate\?"):
        waypoints_of_text(TEXT).number("gaet")
