from typing import Annotated

import msgspec
import pytest

from anabasis import InputError
from anabasis.io.document import convert, line_of, override, parse_path, parse_toml, path_text

Place = Annotated[tuple[float, float], msgspec.Meta(description="[x, y]")]


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    speed: float = 0.1
    count: int | None = None
    places: list[tuple[float, float]] | None = None
    name: str = ""
    on: bool = True


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    inner: Inner = msgspec.field(default_factory=Inner)
    items: list[Inner] = []
    seed: int = 0


class Leg(msgspec.Struct):
    places: Annotated[list[Place], msgspec.Meta(description="[[x, y], …]")]
    pace: list[Place] = []


class Way(msgspec.Struct):
    start: Place
    leg: list[Leg]
    home: Annotated[list[float], msgspec.Meta(description="[number, …]")] | None = None
    map: Inner | None = None


@pytest.mark.parametrize(
    "path", [(), ("a",), ("groups", 0, "speed"), ("a", 1, 2), ("changes", 12, "cells", 3, 0), ("a_b", "c-d")]
)
def test_paths_are_written_and_read(path: tuple[str | int, ...]) -> None:
    assert parse_path(path_text(path)) == path


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("seed=4", ("seed",), 4),
        (" seed = 4 ", ("seed",), 4),
        ("inner.speed=1e-3", ("inner", "speed"), 1e-3),
        ("inner.name=plain words", ("inner", "name"), "plain words"),
        ("inner.name='5'", ("inner", "name"), "5"),
        ('inner.name="a=b"', ("inner", "name"), "a=b"),
        ("inner.name=a=b", ("inner", "name"), "a=b"),
        ("inner.name=", ("inner", "name"), ""),
        ("inner.on=false", ("inner", "on"), False),
        ("items.1.count=7", ("items", 1, "count"), 7),
        ("items[1].count=7", ("items", 1, "count"), 7),
        ("items.0.places=[[1, 2], [3, 4.5]]", ("items", 0, "places"), [[1, 2], [3, 4.5]]),
        ("items.0.places.1.0=9", ("items", 0, "places", 1, 0), 9),
        ("items.0.name=1\nseed = 4", ("items", 0, "name"), "1\nseed = 4"),
    ],
)
def test_overrides(text: str, path: tuple[str | int, ...], value: object) -> None:
    document = {"items": [{"places": [[0, 0], [1, 1]]}, {}]}
    assert override(document, text, Outer, "a.b=1") == path
    node: object = document
    for part in path:
        node = node[part]  # type: ignore[index]
    assert node == value
    convert(document, Outer, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed", "--set seed: not an override; expected path=value. Hint: such as a.b=1"),
        ("=4", "--set =4: not an override; expected path=value. Hint: such as a.b=1"),
        ("sed=4", "--set sed=4: sed: unknown name 'sed'; expected one of inner, items, seed. Hint: did you mean seed?"),
        (
            "inner.sped=4",
            "--set inner.sped=4: inner.sped: unknown name 'sped'; expected one of speed, count, places, name, on. "
            "Hint: did you mean speed?",
        ),
        ("seed.x=4", "--set seed.x=4: seed has no parts; found 'x'; expected a shorter path"),
        ("items.2.count=1", "--set items.2.count=1: items has no such entry; found '2'; expected a number below 1"),
        ("items.-1.count=1", "--set items.-1.count=1: items has no such entry; found '-1'; expected a number below 1"),
        ("items.x.count=1", "--set items.x.count=1: items has no such entry; found 'x'; expected a number below 1"),
        (
            "inner.places.0=1",
            "--set inner.places.0=1: inner.places has no such entry; found '0'; expected entries in the file",
        ),
    ],
)
def test_wrong_overrides(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        override({"items": [{}]}, text, Outer, "a.b=1")
    assert str(caught.value) == message


def test_an_override_below_something_that_is_no_table() -> None:
    with pytest.raises(InputError, match="inner is no table in the file; found 'x'"):
        override({"inner": "x"}, "inner.speed=3", Outer, "a.b=1")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"seed": 1.5}, "f: seed: wrong kind of value; found 1.5; expected a whole number"),
        ({"seed": True}, "f: seed: wrong kind of value; found True; expected a whole number"),
        ({"inner": {"speed": "1"}}, "f: inner.speed: wrong kind of value; found '1'; expected a number"),
        ({"inner": {"on": 1}}, "f: inner.on: wrong kind of value; found 1; expected true or false"),
        ({"inner": 3}, "f: inner: wrong kind of value; found 3; expected a table. Hint: [inner]"),
        ({"items": {}}, "f: items: wrong kind of value; found {}; expected a list. Hint: [[items]]"),
        ({"inner": {"count": 1.0}}, "f: inner.count: wrong kind of value; found 1.0; expected a whole number"),
        (
            {"items": [{}, {"places": [[1]]}]},
            "f: items[1].places[0]: wrong kind of value; found [1]; expected a list of 2",
        ),
        (
            {"items": [{"places": [[1, "b"]]}]},
            "f: items[0].places[0][1]: wrong kind of value; found 'b'; expected a number",
        ),
        ({"seed": 2**63}, "f: seed: a whole number out of range; expected 64 bits"),
        ({"inner": {"speed": float("nan")}}, "f: inner.speed: not a finite number; found nan"),
        ({"x": 1}, "f: x: unknown name 'x'; expected one of inner, items, seed"),
    ],
)
def test_schema_errors(document: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        convert(document, Outer, "f")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"leg": []}, "f: 'start' is missing; expected start = [x, y]"),
        ({"start": [0, 0]}, "f: 'leg' is missing; expected [[leg]] with places"),
        ({"leg": [{}], "start": [0, 0]}, "f: leg[0]: 'places' is missing; expected places = [[x, y], …]"),
        ({"start": [0]}, "f: start: wrong kind of value; found [0]; expected a list of 2. Hint: start = [x, y]"),
        (
            {"start": [0, 0], "leg": 3},
            "f: leg: wrong kind of value; found 3; expected a list. Hint: [[leg]] with places",
        ),
        (
            {"start": [0, 0], "leg": [{"places": [1.5, 2]}]},
            "f: leg[0].places[0]: wrong kind of value; found 1.5; expected a list. Hint: places = [[x, y], …]",
        ),
        (
            {"start": [0, 0], "leg": [{"places": [], "pace": 1}]},
            "f: leg[0].pace: wrong kind of value; found 1; expected a list",
        ),
        (
            {"start": [0, 0], "home": 1},
            "f: home: wrong kind of value; found 1; expected a list. Hint: home = [number, …]",
        ),
        ({"start": [0, 0], "map": 1}, "f: map: wrong kind of value; found 1; expected a table. Hint: [map]"),
    ],
)
def test_an_error_says_how_what_is_wrong_or_missing_is_written(document: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        convert(document, Way, "f")
    assert str(caught.value) == message


TEXT = '''# a file
name = "x"  # comment
[map]
scale = 2
text = """
[groups]
speed = 3
"""
  [[groups]]
speed = 1
target.x = 4
[[groups]]

speed = 2
[groups.deep]
a = 1
[limits]
steps = 5
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("map",), 3),
        (("map", "scale"), 4),
        (("map", "text"), 5),
        (("groups", 0), 9),
        (("groups", 0, "speed"), 10),
        (("groups", 0, "target"), 9),
        (("groups", 0, "target", "x"), 11),
        (("groups", 0, "missing"), 9),
        (("groups", 1, "speed"), 14),
        (("groups", 1, "deep", "a"), 16),
        (("limits", "steps"), 18),
        (("limits", "steps", 3, "x"), 18),
        (("nowhere",), None),
        ((), None),
    ],
)
def test_lines(path: tuple[str | int, ...], line: int | None) -> None:
    assert line_of(TEXT, path) == line


def test_toml_faults_name_their_line() -> None:
    with pytest.raises(InputError, match=r"f: line 2: not valid TOML: .* in column 5; found 'b ='") as caught:
        parse_toml("a = 1\nb = \n", "f")
    assert caught.value.where == 2
    with pytest.raises(InputError, match=r"nested too deeply|not valid TOML"):
        parse_toml("a = " + "[" * 100_000, "f")
    with pytest.raises(InputError):
        parse_toml("a = " + "1" * 5000, "f")
