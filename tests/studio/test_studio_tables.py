from __future__ import annotations

import json
import re
from typing import Any

import pytest
from studio_cases import Said, draft

from anabasis.cli.options import method_options
from anabasis.errors import InputError
from anabasis.generators import GENERATORS, generator
from anabasis.manoeuvre import Modules
from anabasis.method_options import check_options, options_of
from anabasis.methods import METHODS
from anabasis.movement import TERRAIN_LETTERS
from anabasis.studio.requests import asked_options, form_of
from anabasis.studio.tables import tables


def test_tables_are_plain_json_and_hold_all() -> None:
    told = json.loads(json.dumps(tables(), allow_nan=False))
    families = [row["name"] for row in told["families"]]
    assert [(row["family"], row["name"]) for row in told["methods"][: len(METHODS)]] == [
        (row.family, row.name) for row in METHODS
    ]
    assert {row["family"] for row in told["methods"]} == set(families)
    assert [row["name"] for row in told["generators"]] == [row.name for row in GENERATORS]
    assert "".join(row["letter"] for row in told["terrain"]) == TERRAIN_LETTERS
    assert all(len(row["colour"]) == 4 for row in told["terrain"])
    assert [row["name"] for row in told["formations"]["modules"]] == [*vars(Modules())]


def _fields() -> list[dict[str, Any]]:
    told = tables()
    of_methods = [field for row in told["methods"] for field in row["options"]]
    of_overlays = [field for row in told["overlays"] for field in row["parameters"]]
    return [*of_methods, *of_overlays, *told["formations"]["modules"]]


def test_every_field_is_one_that_a_form_can_have() -> None:
    kinds = {"bool": bool, "int": int, "float": (int, float), "text": str, "choice": str}
    for field in _fields():
        assert field["help"] and re.fullmatch(r"[a-z_]+", field["name"])
        assert field["default"] is None or isinstance(field["default"], kinds[field["kind"]]), field
        if field["kind"] == "choice" and field["default"] is not None:
            assert field["default"] in field["choices"], field
        assert field["low"] is None or field["default"] is None or field["default"] >= field["low"]


def test_the_defaults_of_every_form_are_taken() -> None:
    for row in tables()["methods"]:
        values = {field["name"]: field["default"] for field in row["options"]}
        own, beside = asked_options(row["family"], row["name"], {"options": values, "seed": 5})
        assert own.get("seed") == (5 if row["seeded"] else None)
        given = {name for name, value in values.items() if value is not None}  # the rest is left to the method
        assert given <= set(own) | set(beside) <= {*values, "seed"}
    for row in tables()["generators"]:
        generator(row["name"]).values({field["name"]: field["default"] for field in row["parameters"]})


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"weight": "much"}, "options.weight"),
        ({"weight": True}, "options.weight"),
        ({"weight": float("nan")}, "options.weight"),
        ({"neighbours": 5}, "options.neighbours"),
        ({"corners": "round"}, "options.corners"),
        ({"limit": 1.5}, "options.limit"),
        ({"limit": 2**70}, "options.limit"),
        ({"wieght": 1.5}, "options"),
        ({"seed": 1}, "options"),
        ([], "options"),
    ],
)
def test_wrong_options_are_named(options: object, where: str) -> None:
    with pytest.raises(InputError) as error:
        asked_options("search", "astar", {"options": options})
    assert error.value.where == where


def test_choices_of_numbers_may_be_texts() -> None:
    own, _ = asked_options("search", "astar", {"options": {"neighbours": "4", "weight": 2}})
    assert own == {"neighbours": 4, "weight": 2.0} and isinstance(own["weight"], float)


def test_the_command_line_knows_the_same_options() -> None:
    read = method_options("search", "rrt", ["step=2", "seed=3", "traced=yes", "bias=0.5"], "--set")
    assert read == {"step": 2.0, "seed": 3, "traced": True, "bias": 0.5}
    assert check_options(options_of("search", "rrt"), read) == read
    assert set(form_of("search", "rrt")) == set(options_of("search", "rrt")) - {"seed", "traced"} | {
        "shorten",
        "space",
        "ends",
    }


@pytest.mark.parametrize("do", ["group", "search", "space", "drive", "mapf", "formation"])
def test_unknown_methods_are_answered_with_those_that_there_are(do: str) -> None:
    with pytest.raises(InputError, match=r"expected .* or "):
        Said(do, {"draft": draft(), "method": "magic"})
