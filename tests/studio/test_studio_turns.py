"""Games in turns: words act on sessions as the functions of the library do, and everything can be undone."""

import json

import numpy as np
import pytest
from talk import Talk

from anabasis import InputError
from anabasis.mapf import turn_based as game
from anabasis.mapf.turn_files import session_data
from anabasis.studio.work.turns import NEW

MAP = "........\n..@@@@..\n..h.....\n........"
DRAFT = {
    "scenario": {"schema": "anabasis/scenario", "schema_version": 1, "map": {"text": MAP}},
    "agents": [{"start": [0, 0], "goal": [7, 3]}, {"start": [7, 3], "goal": [0, 0]}],
}


def test_a_new_game_is_that_of_the_library() -> None:
    new = {"width": 9, "height": 7, "seed": 3, "features": 0.1}
    with Talk("turns", {"new": new}) as talk:
        head, arrays = talk.wait("turns")
        session = game.new_session(9, 7, seed=3, features=0.1)
        assert "".join(head["terrain"]) == session.terrain
        assert [unit["at"] for unit in head["units"]] == [list(session.tile(unit.place)) for unit in session.units]
        assert np.array_equal(arrays["price"].ravel(), session.prices.astype(np.float32))
        assert talk.wait("scene")[0]["name"] == "turns"
        assert talk.tell("save", "session")[0]["session"] == json.loads(json.dumps(session_data(session)))


def test_options_of_a_new_game_are_those_that_the_library_has() -> None:
    import inspect

    known = inspect.signature(game.new_session).parameters
    assert {name: option.default for name, option in NEW.items()} == {name: p.default for name, p in known.items()}


def test_a_game_goes_as_the_library_plays_it() -> None:
    with Talk("turns", {"draft": DRAFT}) as talk:
        talk.wait("turns")
        session = game.session_of(game_grid())
        for name, place in (("A", 0), ("B", 31)):
            session = game.add_unit(session, name, place)
        session = game.order(game.order(session, "A", 31), "B", 0)
        for terrain in (None, None, "impassable", None, "plain", None, None, None):
            if terrain:
                session = game.change_tile(session, session.place(3, 0), terrain=terrain)
                head, _ = talk.tell("tile", "turns", at=[3.5, 0.5], terrain=terrain)
            else:
                session = game.end_turn(session)
                head, _ = talk.tell("end", "turns")
            assert head["turn"] == session.turn
            assert [unit["at"] for unit in head["units"]] == [list(session.tile(unit.place)) for unit in session.units]
            assert [unit["path"] for unit in head["units"]] == [
                [[*session.tile(place), time] for place, time in unit.path] for unit in session.units
            ]
            steps = [game.next_step(session, unit.name) for unit in session.units]
            assert [unit["next"] and unit["next"]["left"] for unit in head["units"]] == [s and s.left for s in steps]
        head, _ = talk.tell("end", "turns", turns=20)
        assert [unit["at"] for unit in head["units"]] == [[7, 3], [0, 0]]
        said = [tuple(entry) for head, _ in talk.of("turns") for entry in head["log"]]
        while any(unit.goal is not None for unit in session.units):
            session = game.end_turn(session)
        assert said == list(session.log)


def game_grid():
    from anabasis import Grid

    return Grid.from_text(MAP)


def test_what_a_search_knows_is_shown() -> None:
    with Talk("turns", {"draft": DRAFT}) as talk:
        talk.wait("turns")
        head, arrays = talk.tell("show", "turns", unit="A")
        session = game.order(game.add_unit(game.session_of(game_grid()), "A", 0), "A", 31)
        known = game.processed(session, "A")
        assert head["shown"] == "A"
        there = dict(zip(arrays["known.tile"].tolist(), arrays["known.g"].tolist(), strict=True))
        assert there[31] == 0 and there[0] == known.g[known.vertices == 0][0]
        assert np.isinf(arrays["known.price"]).sum() + np.isfinite(arrays["known.rhs"]).sum() > 0
        head, arrays = talk.tell("show", "turns", unit=None)
        assert head["shown"] is None and "known.g" not in arrays


def test_everything_can_be_undone_and_done_again() -> None:
    with Talk("turns", {"draft": DRAFT}) as talk:
        talk.wait("turns")
        saved = [talk.tell("save", "session")[0]["session"]]
        acts = [
            ("end", {}),
            ("halt", {"unit": "A"}),
            ("add", {"at": [4, 3]}),
            ("order", {"unit": "C", "to": [4, 0]}),
            ("tile", {"at": [0, 3], "feature": "marsh"}),
            ("tile", {"tiles": [[2, 2], [3, 2], [3, 3]], "terrain": "hill"}),
            ("end", {"turns": 3}),
            ("remove", {"unit": "B"}),
        ]
        for say, word in acts:
            talk.tell(say, "turns", **word)
            saved.append(talk.tell("save", "session")[0]["session"])
        for k in range(len(acts)):
            head, _ = talk.tell("undo", "turns")
            assert (head["undo"], head["redo"]) == (len(acts) - 1 - k, k + 1)
            assert talk.tell("save", "session")[0]["session"] == saved[-2 - k]
        assert "nothing to undo" in talk.tell("undo", "refused")[0]["problem"]
        for k in range(len(acts)):
            talk.tell("redo", "turns")
            assert talk.tell("save", "session")[0]["session"] == saved[k + 1]
        assert "nothing to redo" in talk.tell("redo", "refused")[0]["problem"]
    with Talk("turns", {"session": saved[3]}) as talk:
        talk.wait("turns")
        talk.tell("order", "turns", unit="C", to=[4, 0])
        assert talk.tell("save", "session")[0]["session"] == saved[4]
        talk.tell("load", "turns", session=saved[1])
        assert talk.tell("save", "session")[0]["session"] == saved[1]


def test_hexagons_and_one_tile_a_turn() -> None:
    with Talk("turns", {"draft": {**DRAFT, "agents": []}, "neighbours": 6, "steps": True}) as talk:
        head, _ = talk.wait("turns")
        assert (head["neighbours"], head["steps"], head["units"]) == (6, True, [])
    with Talk("turns", {"draft": {"scenario": DRAFT["scenario"], "ends": {"start": [0, 3], "goal": [7, 0]}}}) as talk:
        (unit,) = talk.wait("turns")[0]["units"]
        assert (unit["at"], unit["goal"]) == ([0, 3], [7, 0])


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ({"say": "order", "unit": "Z", "to": [1, 1]}, "no such unit"),
        ({"say": "order", "unit": "A", "to": [8, 0]}, "outside the map"),
        ({"say": "order", "unit": "A", "to": None}, "a place"),
        ({"say": "order", "to": [1, 1]}, "unit of a job"),
        ({"say": "tile", "at": [1, 1]}, "what a tile becomes"),
        ({"say": "tile", "at": [1, 1], "terrain": "lava"}, "terrain"),
        ({"say": "tile", "at": [1, 1], "feature": "castle"}, "feature"),
        ({"say": "add", "at": [2, 1]}, "can't stand there"),
        ({"say": "add", "at": [1, 1], "name": "<b>"}, "name of a unit"),
        ({"say": "add", "at": [1, 1], "name": "A"}, "there is such a unit"),
        ({"say": "end", "turns": 0}, "turns of a job"),
        ({"say": "show", "unit": "Z"}, "no such unit"),
        ({"say": "load", "session": {}}, "not a session"),
        ({"say": "win"}, "unknown word"),
    ],
)
def test_wrong_words_are_refused_and_change_nothing(word: dict, problem: str) -> None:
    with Talk("turns", {"draft": DRAFT}) as talk:
        talk.wait("turns")
        saved = talk.tell("save", "session")[0]["session"]
        talk.words.put(word)
        refused, _ = talk.wait("refused")
        assert problem in f"{refused['problem']} {refused['found']}"
        assert talk.tell("save", "session")[0]["session"] == saved
        talk.tell("end", "turns")


@pytest.mark.parametrize(
    "args",
    [
        {"new": {"width": 0}},
        {"new": {"size": 3}},
        {"new": {"impassable": 0.9, "hills": 0.9}},
        {"session": {"schema": "x"}},
        {"draft": {}},
        {"draft": DRAFT, "neighbours": 5},
        {"draft": {**DRAFT, "agents": [{"start": [2, 1], "goal": [0, 0]}]}},
    ],
)
def test_wrong_arguments_are_errors(args: dict) -> None:
    with pytest.raises(InputError), Talk("turns", args) as talk:
        talk.wait("turns")


@pytest.mark.parametrize("ends", [None, {}, {"start": None, "goal": None}])
def test_a_map_without_anybody_is_a_game_to_which_units_are_added(ends: object) -> None:
    with Talk("turns", {"draft": {"scenario": DRAFT["scenario"], "ends": ends}}) as talk:
        assert talk.wait("turns")[0]["units"] == []
