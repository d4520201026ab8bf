"""Turn-based play: sessions are values; with and without memory, saved and loaded, they go on alike."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.mapf.groups import Groups
from anabasis.mapf.turn_based import (
    FEATURE_COSTS,
    TERRAIN,
    Memory,
    Session,
    Unit,
    add_unit,
    change_tile,
    end_turn,
    halt,
    new_session,
    next_step,
    order,
    processed,
    remove_unit,
    session_of,
)
from anabasis.mapf.turn_files import load_session, save_session, session_data, session_from


def drawn(*rows: str, turns: bool = True, neighbours: int = 4) -> Session:
    return Session(len(rows[0]), len(rows), "".join(rows), turns=turns, neighbours=neighbours)


def play(session: Session, most: int = 60, memory: Memory | None = None) -> Session:
    while any(unit.goal is not None for unit in session.units) and most:
        session, most = end_turn(session, memory=memory), most - 1
        places = [unit.place for unit in session.units]
        assert len(set(places)) == len(places)
        assert np.isfinite(session.prices[places]).all()
    return session


def test_terrain_and_features_have_the_prices_of_the_source() -> None:
    session = drawn(".h^@", "....")
    assert {"plain": 1, "hill": 2, "mountain": 8, "impassable": np.inf} == TERRAIN
    session = change_tile(session, 5, feature="forest")
    session = change_tile(change_tile(session, 1, feature="forest"), 6, feature="wall")
    assert session.prices.tolist() == [1, 2 + FEATURE_COSTS["forest"], 8, np.inf, 1, 2, np.inf, 1]
    assert change_tile(session, 1, feature="", terrain="plain").prices[1] == 1
    dear = replace(session, costs=(("forest", 5.0), ("wall", np.inf)))
    assert dear.prices[5] == 6


def test_a_new_session_is_that_of_the_seed_and_its_corners_are_joined() -> None:
    session = new_session(seed=3)
    assert session == new_session(seed=3) != new_session(seed=4)
    assert (session.width, session.height, session.neighbours, session.turns) == (20, 20, 4, True)
    assert [(unit.name, unit.place, unit.points) for unit in session.units] == [
        ("A", 0, 2),
        ("B", 399, 2),
        ("C", 19, 2),
        ("D", 380, 2),
    ]
    assert 50 < session.terrain.count("@") < 110 and 30 < session.terrain.count("h") < 90
    for place in (399, 19, 380):
        assert not order(session, "A", place).unit("A").held
    assert len(new_session(features=0.3).features) > 40
    assert [unit.place for unit in new_session(1, 3, units=4, impassable=0).units] == [0, 2]


def test_a_unit_goes_as_far_as_its_points_allow_and_has_them_again_in_the_next_turn() -> None:
    session = add_unit(drawn("..h.^."), "A", 0)
    session = order(session, "A", 5)
    step = next_step(session, "A")
    assert step is not None and (step.tiles, step.place, step.left) == ((1,), 1, 1.0)  # a point is left: hills cost 2
    steps = []
    while (step := next_step(session, "A")) is not None:
        session = end_turn(session)
        assert session.unit("A").place == step.place
        steps.append((step.tiles, step.left))
    assert steps == [((1,), 1), ((2,), 0), ((3,), 1), ((4,), 0), ((5,), 1)]
    assert session.turn == 5 and session.log[-1] == (5, "A has arrived")
    strong = order(add_unit(drawn("..h.^."), "A", 0, points=5), "A", 5)
    assert [place for place, _ in strong.unit("A").path] == [0, 3, 4, 5]


def test_what_lies_behind_a_unit_is_not_ahead() -> None:
    session = order(add_unit(drawn("......"), "A", 0, points=2), "A", 5)
    ways = [session.unit("A").ahead]
    for _ in range(3):
        session = end_turn(session)
        ways.append(session.unit("A").ahead)
    assert ways == [(1, 2, 3, 4, 5), (3, 4, 5), (5,), ()]


def test_one_tile_a_turn_whatever_it_costs() -> None:
    session = order(add_unit(drawn("..^.", turns=False), "A", 0), "A", 3)
    assert session.unit("A").path == ((0, 0), (1, 1), (2, 2), (3, 3))
    step = next_step(session, "A")
    assert step is not None and step.left == 1


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("neighbours", [4, 6, 8])
def test_with_and_without_memory_and_from_a_file_it_is_the_same_game(
    tmp_path: Path, turns: bool, neighbours: int
) -> None:
    rng = np.random.default_rng(neighbours)
    plain = known = new_session(9, 9, seed=5, neighbours=neighbours, turns=turns, features=0.1)
    memory, file = Memory(), tmp_path / "game.json"
    acts: list[Callable[[Session, Memory | None], Session]] = [
        lambda s, m: order(s, "A", 80, memory=m),
        lambda s, m: order(s, "B", 0, memory=m),
        lambda s, m: order(s, "C", 72, memory=m),
        lambda s, m: order(s, "D", 8, memory=m),
    ]
    for _ in range(14):
        place = int(rng.integers(81))
        kind = str(rng.choice(list(TERRAIN)))
        acts.append(lambda s, m: end_turn(s, memory=m))
        acts.append(lambda s, m, p=place, k=kind: change_tile(s, p, terrain=k, memory=m))
    acts += [lambda s, m: halt(s, "A", memory=m), lambda s, m: remove_unit(s, "B", memory=m)]
    for act in acts:
        plain, known = act(plain, None), act(known, memory)
        assert known == plain
        save_session(plain, file)
        plain = load_session(file)
        assert known == plain


def test_four_units_whose_goals_are_each_others_corners_all_arrive() -> None:
    memory = Memory()
    session = new_session(seed=2)
    for name, goal in (("A", 399), ("B", 0), ("C", 380), ("D", 19)):
        session = order(session, name, goal, memory=memory)
    done = play(session, 100, memory)
    assert [unit.place for unit in done.units] == [399, 0, 380, 19]
    assert end_turn(session) == end_turn(session)  # undoing is to go on from an earlier value


def test_no_way_is_logged_once_and_the_order_goes_on_when_there_is_one() -> None:
    session = add_unit(drawn("..@."), "A", 0)
    session = order(session, "A", 3)
    assert session.unit("A").held and session.log == ((0, "A finds no way to its goal and stays"),)
    assert next_step(session, "A") is None
    session = end_turn(end_turn(session))
    assert len(session.log) == 1 and session.unit("A").goal == 3
    session = change_tile(session, 2, terrain="plain")
    assert not session.unit("A").held and session.unit("A").changed == (2,)
    assert play(session).unit("A").place == 3


def test_what_a_search_knows_can_be_looked_at() -> None:
    session = order(add_unit(drawn("....", ".@@.", "...."), "A", 0), "A", 11)
    known = processed(session, "A")
    assert known is not None
    table = dict(zip(known.vertices.tolist(), known.rhs.tolist(), strict=True))
    assert table[11] == 0 and table[7] == 1 and table[0] == 5
    assert processed(add_unit(session, "B", 3), "B") is None


def test_a_session_of_a_map() -> None:
    grid = Grid.from_text(".h^\n@..")
    session = session_of(grid, neighbours=8)
    assert session.terrain == ".h^@.." and session.neighbours == 8


def test_wrong_calls_are_answered_and_change_nothing() -> None:
    session, memory = add_unit(drawn("..@."), "A", 0), Memory()
    for call, message in (
        (lambda: add_unit(session, "A", 1, memory=memory), "there is such a unit; found A; expected another name"),
        (lambda: add_unit(session, "B", 2, memory=memory), "x=2 \\(column\\), y=0 \\(row\\) is impassable"),
        (lambda: add_unit(session, "a b", 1, memory=memory), "name of a unit; found 'a b'"),
        (lambda: order(session, "Q", 1, memory=memory), "no such unit; found Q; expected A"),
        (lambda: order(session, "A", 4, memory=memory), "vertex; found 4"),
        (lambda: change_tile(session, 1, terrain="lava"), "unknown terrain; found 'lava'; expected plain or hill"),
        (lambda: change_tile(session, 1, feature="inn"), "unknown feature; found 'inn'; expected forest or"),
        (lambda: session.place(4, 0), "outside the map; expected x below 4"),
        (lambda: session.place(-1, 0), "outside the map; expected x below 4"),
        (lambda: session.place("1", 0), "x must be numbers"),  # pyright: ignore[reportArgumentType]
        (lambda: session.place(1.5, 0), "x must be whole numbers"),  # pyright: ignore[reportArgumentType]
        (lambda: session.tile(4), "place; found 4"),
        (lambda: add_unit(session, 5, 1), "name of a unit; found 5"),  # pyright: ignore[reportArgumentType]
        (lambda: add_unit(session, "B", 1, points=0), "movement points; found 0"),
        (lambda: end_turn(None), "turn-based play goes on from sessions; found NoneType"),  # pyright: ignore[reportArgumentType]
        (lambda: order(None, "A", 1), "turn-based play goes on from sessions"),  # pyright: ignore[reportArgumentType]
        (lambda: end_turn(session, memory=5), "memory of a game; found int"),  # pyright: ignore[reportArgumentType]
        (lambda: session_of(None), "the map of a session; found NoneType; expected Grid"),  # pyright: ignore[reportArgumentType]
        (lambda: session_data(None), "a session to save; found NoneType"),  # pyright: ignore[reportArgumentType]
        (lambda: session_from(None), "the data of a session; found NoneType"),  # pyright: ignore[reportArgumentType]
        (lambda: replace(session, terrain=None), "terrain of a session; found NoneType"),
        (lambda: replace(session, terrain="..x."), "terrain of a session; found 4 letters, . x"),
        (lambda: replace(session, neighbours=5), "neighbours of a tile; found 5"),
        (lambda: new_session(impassable=0.9, hills=0.5), "shares of terrain; found 1.45 together"),
        (lambda: new_session(9, 9, impassable=0.8, hills=0), "no map on which the corners are joined was found"),
    ):
        with pytest.raises(InputError, match=message):
            call()
    assert order(session, "A", 1, memory=memory) == order(session, "A", 1)


def test_a_call_that_is_broken_off_leaves_nothing_in_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    session, memory = order(add_unit(drawn("....."), "A", 0), "A", 4), Memory()
    session = end_turn(session, memory=memory)

    def broken(self: Groups, places: object, *, fallen: bool, also: object = ()) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Groups, "_mend", broken)
        end_turn(session, memory=memory)
    assert end_turn(session, memory=memory) == end_turn(session)


def test_movement_points_are_bounded_by_the_size_of_the_map() -> None:
    plain = Session(256, 256, "." * 65536)
    with pytest.raises(InputError, match="movement points; found 8; expected at most 7 on a map of 65536 tiles"):
        add_unit(plain, "A", 0, points=8)
    assert add_unit(plain, "A", 0, points=7).unit("A").points == 7
    with pytest.raises(InputError, match="movement points; found 1000; expected at most 7"):
        replace(plain, units=(Unit("A", 0, 1000),))
    assert add_unit(drawn("....."), "A", 0, points=1000).unit("A").points == 1000


def test_bad_files_of_sessions_are_answered(tmp_path: Path) -> None:
    session = order(add_unit(add_unit(drawn("....", "...."), "A", 0), "B", 4), "A", 3)
    good = session_data(session)
    assert session_from(json.loads(json.dumps(good))) == session

    def message(**changes: object) -> str:
        with pytest.raises(InputError) as caught:
            session_from({**json.loads(json.dumps(good)), **changes}, "game.json")
        return str(caught.value)

    unit = good["units"][0]
    assert message(schema="x") == "game.json: schema: not a session; found 'x'; expected 'anabasis/session'"
    assert message(schema_version=9).startswith("game.json: schema_version: not a session; found 9; expected 1")
    assert "game.json: terrain[1]: a row has the wrong length; found 3 tiles" in message(terrain=["....", "..."])
    assert "game.json: terrain of a session" in message(terrain=["....", "..x."])
    assert "game.json: turn: wrong kind of value; found 'a'" in message(turn="a")
    assert "unknown name 'extra'" in message(extra=1)
    assert "unit A: a place outside the map; found 99" in message(units=[{**unit, "goal": 99}])
    assert "the name or the place is taken" in message(units=[unit, unit])
    for broken in ({"path": [[0, 0], [3, 1]]}, {"goal": 2}, {"path": [[0, 5]]}, {"held": True}):
        assert "don't fit together" in message(units=[{**unit, **broken}, good["units"][1]])
    assert "don't fit together" in message(groups=[])
    file = tmp_path / "bad.json"
    file.write_text("{")
    with pytest.raises(InputError, match=r"bad.json: line 1: not valid JSON"):
        load_session(file)
