"""Validation of scenarios: what agrees, what is proved to be faulty, what nothing explains."""

from pathlib import Path

import pytest

from anabasis.errors import InputError
from anabasis.lab.validate import ScenReport, validate_scen

MAP = "type octile\nheight 4\nwidth 6\nmap\n......\n.@....\n..@.WW\n....WW\n"


def write(folder: Path, rows: list[str], name: str = "own.map.scen", size: str = "6\t4") -> Path:
    """Write a map and a scenario; a row is `start_x start_y goal_x goal_y length`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "own.map").write_text(MAP)
    lines = [f"0\tmaps/old/own.map\t{size}\t" + "\t".join(row.split()) for row in rows]
    (folder / name).write_text("\n".join(["version 1", *lines]) + "\n")
    return folder / name


def found(report: ScenReport) -> tuple[int, int, dict[int, str], dict[int, str]]:
    return (
        report.rows,
        report.agreed,
        {row.line: row.reason for row in report.faulty},
        {row.line: row.reason for row in report.disagreeing},
    )


def test_six_significant_digits_as_the_origin_prints_them(tmp_path: Path) -> None:
    file = write(tmp_path, ["0 0 5 0 5", "0 0 5 1 5.41421", "0 0 0 0 0", "2 0 0 2 4", "3 0 3 3 3", "0 0 5 0 5.5"])
    rows, agreed, faulty, disagreeing = found(validate_scen(file))
    assert (rows, agreed, faulty) == (6, 5, {})
    assert list(disagreeing) == [7]
    assert validate_scen(file).disagreeing[0].ours == pytest.approx(5)


def test_a_wrong_digit_is_seen_in_every_way_of_printing(tmp_path: Path) -> None:
    ways = {"5.41": "5.42", "5.41421": "5.41422", "5.41421356": "5.41421358", "5.4142135624": "5.4142135628"}
    for right, wrong in ways.items():
        file = write(tmp_path, [f"0 0 5 1 {right}", f"0 0 5 1 {wrong}", f"3 1 4 0 1{right[1:]}"])
        rows, agreed, faulty, disagreeing = found(validate_scen(file))
        assert (rows, agreed, faulty, disagreeing) == (3, 2, {}, {3: "the stored length is longer than our way"})


def test_faulty_rows_are_listed_with_the_proof(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        [
            "4 2 5 3 1.41421",  # water to water
            "0 0 4 2 4.82843",  # ends on water
            "1 1 0 0 1.41421",  # starts in a wall
            "0 1 1 2 1.41421",  # past one blocked cell
            "2 1 1 2 1.41421",  # between two blocked cells
            "0 0 5 0 4.5",
            "0 0 5 0 5.5",
        ],
    )
    rows, agreed, faulty, disagreeing = found(validate_scen(file))
    assert (rows, agreed) == (7, 0)
    assert faulty == {
        2: "the start is on 'W' and the goal is on 'W', which a land unit can't enter; "
        "the stored length is that of a way over 'W' alone",
        3: "the goal is on 'W', which a land unit can't enter",
        4: "the start is on '@', which a land unit can't enter",
        5: "the stored length is that of a way that cuts corners, past one of the two cells blocked",
        6: "the stored length is that of a way that cuts corners, past both cells blocked",
        7: "the stored length is shorter than any way: a search by another library also finds ours to be the shortest",
    }
    assert disagreeing == {8: "the stored length is longer than our way"}


def test_no_way_is_no_excuse(tmp_path: Path) -> None:
    (tmp_path / "wall.map").write_text("type octile\nheight 1\nwidth 3\nmap\n.@.\n")
    (tmp_path / "wall.map.scen").write_text("version 1\n0 wall.map 3 1 0 0 2 0 2\n")
    _, _, faulty, disagreeing = found(validate_scen(tmp_path))
    assert (faulty, disagreeing) == ({}, {2: "no way leads from the start to the goal"})


def test_rows_of_another_size_scale_the_map(tmp_path: Path) -> None:
    assert validate_scen(write(tmp_path, ["0 0 11 0 11"], size="12\t8")).agreed == 1
    with pytest.raises(InputError, match=r"line 2: the size of the map .* in a row; found 12 × 9; expected 6 × 4"):
        validate_scen(write(tmp_path, ["0 0 5 0 5"], size="12\t9"))


def test_folders_and_maps_are_found(tmp_path: Path) -> None:
    write(tmp_path / "a", ["0 0 5 0 5"])
    write(tmp_path / "a" / "scen-random", ["0 0 5 0 5", "0 0 0 1 1"], name="own-random-1.scen")
    (tmp_path / "a" / "scen-random" / "own.map").unlink()
    seen: list[tuple[int, int]] = []
    report = validate_scen(tmp_path, progress=lambda done, rows: seen.append((done, rows)))
    assert (report.files, report.rows, report.agreed) == (1, 1, 1)
    assert seen == [(1, 1)]
    report = validate_scen([tmp_path / "a" / "scen-random", tmp_path / "a" / "own.map.scen"], workers=2)
    assert (report.files, report.rows, report.agreed) == (2, 3, 3)
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "own.map").rename(tmp_path / "b" / "own.map")
    assert validate_scen(tmp_path / "a" / "scen-random").agreed == 2


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        validate_scen(tmp_path / "nothing")
    with pytest.raises(InputError, match="holds no single-agent scenario"):
        validate_scen(tmp_path)
    file = write(tmp_path, ["0 0 5 0 5"])
    (tmp_path / "own.map").unlink()
    with pytest.raises(InputError, match=r"the map .* is missing"):
        validate_scen(file)


def test_the_published_rows_of_some_maps(movingai: Path) -> None:
    report = validate_scen([movingai / "dao" / "arena.map.scen", movingai / "wc3maps512" / "battleground.map.scen"])
    assert (report.rows, report.agreed, len(report.faulty), report.disagreeing) == (1397, 1327, 70, ())


@pytest.mark.long
def test_all_published_rows(movingai: Path) -> None:
    report = validate_scen(movingai)
    assert (report.files, report.rows, report.agreed, len(report.faulty)) == (21, 60881, 60796, 85)
    assert report.disagreeing == ()
    assert {Path(row.file).parent.name for row in report.faulty} == {"wc3maps512"}
