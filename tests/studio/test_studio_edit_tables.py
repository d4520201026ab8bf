"""What Edit mode asks the server for: forms of limits and steering, and places of shapes."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.formation.shapes import SHAPES, schema_of
from anabasis.scenario import Limits, Steering
from anabasis.studio.channel import Channel
from anabasis.studio.jobs import job
from anabasis.studio.tables import tables
from anabasis.studio.wire import unpack


def test_tables_are_plain_json() -> None:
    assert json.loads(json.dumps(tables(), allow_nan=False)) == tables()


@pytest.mark.parametrize(("name", "noun"), [("limits", Limits), ("steering", Steering)])
def test_forms_of_a_scenario_have_all_fields_with_their_defaults(name: str, noun: type) -> None:
    rows = tables()[name]
    assert {row["name"]: row["default"] for row in rows} == dataclasses.asdict(noun())
    assert all(row["help"] for row in rows)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("more", "look"), [({}, {"spacing": 1.0}), ({"area": [9, 6]}, {"area": (9, 6)})])
def test_places_of_a_shape_are_those_of_its_schema(shape: str, more: dict[str, Any], look: dict[str, Any]) -> None:
    said: list[bytes] = []
    job("shape").run({"shape": shape, "units": 7, **more}, Channel("j", said.append))
    (message,) = map(unpack, said)
    assert message[0]["kind"] == "shape"
    np.testing.assert_allclose(message[1]["places"], schema_of(shape, 7, **look).places, atol=1e-6)


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"shape": "heap", "units": 3},
        {"shape": "box", "units": 0},
        {"shape": "box", "units": "x"},
        {"shape": "box", "units": 4, "area": "x"},
        {"shape": "box", "units": 4, "area": [1, 2, 3]},
    ],
)
def test_an_unknown_shape_is_refused(args: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        job("shape").run(args, Channel("j", lambda _: None))
