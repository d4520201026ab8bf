"""mapf play: a script on stdin plays the same game each time; wrong commands are answered in one line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from anabasis.cli.play import play
from anabasis.cli.style import StyledCommand, new_app

APP = new_app()
APP.command(cls=StyledCommand)(play)

MAP = """
.....
.@@@.
.....
"""


def run(script: str, *arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(APP, [str(a) for a in arguments], input=script)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.stdout


def small(tmp_path: Path) -> Path:
    file = tmp_path / "small.txt"
    file.write_text(MAP)
    return file


def test_a_game_from_a_script(tmp_path: Path) -> None:
    script = "unit A 0 0\nmove A 4 0\nend\nblock 3 0\nend 9\nlog\nquit\nnever read\n"
    code, text = run(script, small(tmp_path))
    assert code == 0 and run(script, small(tmp_path)) == (code, text)
    drawings = text.split("turn ")
    assert drawings[3].splitlines()[1:3] == ["  0 1 2 3 4", "0 A . * . a"]  # under way, two tiles a turn
    assert drawings[4].splitlines()[2] == "0 . . A . a"
    assert drawings[5].splitlines()[:5] == ["1", "  0 1 2 3 4", "0 * . A @ a", "1 . @ @ @ .", "2 . . . . ."]
    assert text.rstrip().endswith("turn 6: A has arrived")


def test_what_has_nothing_to_show_says_so(tmp_path: Path) -> None:
    assert run("units\nlog\n", small(tmp_path))[1].endswith("there are no units yet\nnothing has happened yet\n")
    assert "nothing has" not in run("unit A 0 0\nmove A 2 0\nend\nlog\n", small(tmp_path))[1]


def test_tables_of_units_and_of_what_a_search_knows(tmp_path: Path) -> None:
    code, text = run("unit A 0 0 3\nmove A 0 2\nunits\nshow A\nunit B 4 0\nshow B\n", small(tmp_path))
    assert code == 0 and "points left" in text and "1 of 3" in text
    assert "cost" in text and "rhs" in text and "B has no order" in text
    row = next(line.split() for line in text.splitlines() if line.split()[:1] == ["0,2"])
    assert row[1:] == ["1", "0", "0"]


def test_undo_redo_save_and_load(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    script = f"unit A 0 0\nmove A 2 0\nundo\nundo\nredo\nredo\nsave '{saved}'\nend\n"
    code, text = run(script, small(tmp_path))
    end = "  0 1 2 3 4\n0 . . A . .\n1 . @ @ @ .\n2 . . . . .\n"
    assert code == 0 and f"saved: {saved}" in text and end in text
    again = run("end\n", saved)[1]
    assert f"turn 1: A has arrived\nturn 1\n{end}" in again
    assert end in run(f"load '{saved}'\nend\n", small(tmp_path))[1]


def test_a_game_takes_the_place_of_another_game_only(tmp_path: Path) -> None:
    played, notes = small(tmp_path), tmp_path / "notes.json"
    before = played.read_bytes()
    notes.write_text('{"a": 1}')
    code, text = run(
        f"save '{played}'\nsave '{notes}'\nsave '{tmp_path / 'game'}'\nquit now\nunit A 0 0\nunit B 0 0\n", played
    )
    assert code == 2 and "a game is saved as JSON" in text and "expected a name that ends in .json" in text
    assert "notes.json: it stays as it is; found" in text and "save under another name" in text
    assert (
        "quit takes other words; found now; expected none" in text
        and "unit B can't stand there; found unit A at" in text
    )
    assert played.read_bytes() == before and notes.read_text() == '{"a": 1}' and not (tmp_path / "game").exists()
    saved = tmp_path / "game.json"
    assert run(f"save '{saved}'\nunit A 0 0\nsave '{saved}'\n", played)[0] == 0
    assert "A" in saved.read_text()


def test_ground_and_orders_change(tmp_path: Path) -> None:
    script = "terrain 1 0 mountain\nfeature 2 0 forest\nfeature 2 0 none\nfeature 3 0 marsh\nfree 1 1\nunit A 0 0\n"
    code, text = run(script + "move A 4 2\nhalt A\nremove A\n", small(tmp_path))
    assert code == 0
    rows = "0 . ^ . m .\n1 . . @ @ .\n2 . . . . .\n"
    assert text.endswith(f"{rows}. plain (costs 1); ^ mountain (costs 8); @ impassable; m marsh (+2)\n")


def test_capitals_make_no_difference_and_signs_are_explained_when_there_are_new_ones(tmp_path: Path) -> None:
    code, text = run("UNIT Ann 0 0\nend\nmove aNN 2 0\nTerrain 0 2 Hill\nshow ann\nhalt ANN\nshow\n", small(tmp_path))
    assert code == 0
    ground = ". plain (costs 1); @ impassable"
    meanings = [line for line in text.splitlines() if line.startswith(". plain")]
    hilly = ". plain (costs 1); h hill (costs 2); @ impassable; units A"
    goal = "; their goals a, * where one ends this turn"
    assert meanings == [ground, f"{ground}; units A", f"{ground}; units A{goal}", f"{hilly}{goal}", hilly, hilly]
    code, text = run("unit a 0 0\nunit A 4 0\n", small(tmp_path))
    assert code == 2 and "there is such a unit; found A; expected no name like a" in text


def test_columns_and_rows_are_numbered() -> None:
    code, text = run("", "--size", "23x11", "--seed", "1")
    tens, last, *rows = text.splitlines()[1:14]
    assert code == 0
    assert tens == " " * 23 + "1" + " " * 19 + "2"
    assert last == "   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2"
    assert [row[:3] for row in rows] == [f"{y:>2} " for y in range(11)]


def test_wrong_commands_are_answered_in_one_line_and_the_rest_is_done(tmp_path: Path) -> None:
    script = (
        "fly A\nmove A 1\nmove A 1 1\nunit A 0 0\nmove A 9 9\nmove A x 1\nundo\nundo\nredo\nunit 'A\n\n# words\nend 0\n"
    )
    code, text = run(script, small(tmp_path))
    errors = [line for line in text.splitlines() if line.startswith("error: ")]
    assert code == 2
    for found, expected in zip(
        errors,
        (
            "no such command; found fly; expected move halt end unit",
            "move takes other words; found A 1; expected NAME X Y",
            "no such unit; found A; expected a unit: there is none yet",
            "tile x=9 (column), y=9 (row) is outside the map; expected x below 5, y below 3",
            "not such a number; found x; expected a whole number from 0",
            "nothing to undo",
            "No closing quotation",
            "turns; found 0; expected a whole number from 1 to 1000",
        ),
        strict=True,
    ):
        assert found.startswith(f"error: {expected}")


def test_a_new_map_quietly_and_in_hexagons() -> None:
    assert run("move A 9 9\nend\n", "--size", "10", "--seed", "1", "--quiet") == (0, "")
    code, text = run("help\n", "--size", "6x5", "--seed", "1", "--neighbours", "6", "--steps")
    rows = text.splitlines()[2:7]
    assert code == 0 and rows[1].startswith("1  ") and not rows[2].startswith("2  ")
    assert "end the turn, or N turns" in text


@pytest.mark.parametrize(
    ("file", "options", "told"),
    [
        ("m.txt", ("--size", "9", "--seed", "0"), "found --size --seed"),
        ("m.txt", ("--points", "2"), "found --points"),
        ("game.json", ("--steps", "--neighbours", "4"), "found --neighbours --steps"),
    ],
)
def test_options_without_effect_are_refused(call, tmp_path, file, options, told):
    (tmp_path / file).write_text("..\n..\n")
    result = call("mapf", "play", tmp_path / file, *options)
    assert result.exit_code == 2
    assert told in result.stderr
