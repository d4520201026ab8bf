"""The command `formation`: runs and shows manoeuvres, says what is wrong, ends with the right code."""

from pathlib import Path

import pytest

FILE = """schema = "anabasis/manoeuvre"
schema_version = 1
name = "drill"

[map]
width = 14
height = 14

[[formation]]
shape = "column"
units = 3
start = [12, 8]
azimuth = 90

[[formation.order]]
places = [[20, 8]]
"""


@pytest.fixture
def drill(tmp_path: Path) -> Path:
    file = tmp_path / "drill.manoeuvre.toml"
    file.write_text(FILE)
    return file


def test_a_manoeuvre_is_run_measured_and_drawn(call, call_json, drill, tmp_path):
    picture, animation = tmp_path / "a.png", tmp_path / "a.gif"
    done = call("formation", "run", drill, "--picture", picture, "--animation", animation)
    assert done.exit_code == 0
    assert "drill: 3 of 3 units have arrived after 4.0 seconds" in done.stdout
    assert "seconds out of shape" in done.stdout and "E_1, F(1): error · seconds" in done.stdout
    assert picture.stat().st_size > 1000 and animation.stat().st_size > 1000
    code, data = call_json("formation", "run", drill)
    assert (code, data["status"], data["units"], data["seconds"]) == (0, "solved", 3, 4.0)
    (row,) = data["formations"]
    assert row["e1"] < 1e-9 and row["peak"] < 1e-9 and row["collisions"] == 0


def test_modules_are_set_by_name(call_json, drill):
    code, data = call_json("formation", "show", drill, "--set", "formation.0.modules.planning=trivial")
    assert code == 0
    (row,) = data["formations"]
    assert row["modules"]["planning"] == "trivial"
    places = [[200.0, pytest.approx(138.564, abs=1e-3)]]
    assert row["orders"] == [{"time": 0.0, "places": places, "places_in_file": [[20.0, 8.0]]}]


def test_overrides_speak_of_manoeuvres(call, drill):
    for command in ("run", "show"):
        said = " ".join(call("formation", command, "--help").stdout.split())
        assert "Set an option of the manoeuvre" in said and "scenario" not in said
        said = call("formation", command, drill, "--set", "limit").stderr
        assert "Hint: such as formation.0.units=8" in said
    done = call("formation", "run", drill, "--set", "schema_version=2")
    assert done.exit_code == 2 and done.stderr.startswith("error: --set schema_version=2: the format of a file can't")


def test_what_ships_can_be_shown_by_its_name(call, tmp_path):
    picture = tmp_path / "canyon.svg"
    done = call("formation", "show", "canyon", "--picture", picture)
    assert done.exit_code == 0
    assert "canyon: Lattice(" in done.stdout
    assert picture.read_text().startswith("<svg") or "<svg" in picture.read_text()[:200]


def test_orders_and_directions_are_shown(call, call_json, drill):
    drill.write_text(FILE + "\n[[formation.order]]\ntime = 2.5\nplaces = [[12, 8], [0, 0]]\n")
    said = call("formation", "show", drill).stdout.splitlines()
    assert said[1:3] == ["formation 0: 3 units from [12, 8], facing 90°", "  column"]
    assert said[3:5] == ["  order at 0 s: to [20, 8]", "  order at 2.5 s: to [12, 8] → [0, 0]"]
    assert said[5].startswith("  paths combined, ties first")
    (row,) = call_json("formation", "show", drill)[1]["formations"]
    assert [row["azimuth"], row["orders"][1]["time"]] == [90.0, 2.5]
    assert row["start_in_file"] == [12, 8] and row["start"] == [120, pytest.approx(138.564, abs=1e-3)]
    assert row["orders"][1]["places_in_file"] == [[12, 8], [0, 0]]


def test_what_is_not_as_usual_is_shown(call, call_json, drill):
    unlike = (
        "formation.0.radius=[0.25, 0.5, 0.5]",
        "formation.0.pace=[2, 2, 2]",
        "formation.0.falls=[[0, 12.5], [2, 3]]",
        "formation.0.spacing=30",
    )
    changes = [part for one in unlike for part in ("--set", one)]
    said = call("formation", "show", drill, *changes).stdout.splitlines()
    expected = "  column, spacing 30, radius 0.25 to 0.5 steps, pace 2, falls: unit 0 at 12.5 s, unit 2 at 3 s"
    assert said[2] == expected
    (row,) = call_json("formation", "show", drill, *changes)[1]["formations"]
    assert [row["shape"], row["spacing"], row["area"]] == ["column", 30, None]
    assert [row["radius"], row["pace"], row["falls"]] == [[0.25, 0.5, 0.5], [2, 2, 2], [[0, 12.5], [2, 3]]]
    assert "  column, area 60 × 40\n" in call("formation", "show", drill, "--set", "formation.0.area=[60, 40]").stdout
    drill.write_text(FILE.replace('shape = "column"\nunits = 3', "spots = [[0, 0], [9, 9]]\ncommander = [0, 0]"))
    assert "  drawn by hand\n" in call("formation", "show", drill).stdout


@pytest.mark.parametrize(
    ("falls", "said"),
    [
        ("[[1, 1.5]]", ", 1 has fallen,"),
        ("[[1, 1.5], [2, 2]]", ", 2 have fallen,"),
        ("[[1, 999]]", ""),
    ],
)
def test_the_fallen_are_counted(call, drill, falls, said):
    done = call("formation", "run", drill, "--set", f"formation.0.falls={falls}")
    assert f"of 3 units have arrived{said} after" in done.stdout


def test_the_file_of_a_map_is_shown(call, call_json):
    assert call("formation", "show", "gates").stdout.splitlines()[0].endswith(" of gates.map")
    data = call_json("formation", "show", "gates")[1]
    assert data["map_file"] == "gates.map" and data["formations"][0]["start_in_file"] == [23.5, 31.5]


def test_what_can_not_be_done_has_a_code(call, drill):
    limited = call("formation", "run", drill, "--set", "limit=1.0")
    assert limited.exit_code == 4
    assert "3 of 3 units were under way after 1 seconds" in limited.stdout
    unknown = call("formation", "run", "canyonn")
    assert unknown.exit_code == 2
    assert "expected a file, or one of bend, canyon" in unknown.stderr
    wrong = call("formation", "run", drill, "--set", "formation.0.modules.planning=foo")
    assert wrong.exit_code == 2
    assert "unknown planning; found 'foo'" in wrong.stderr
    for simulate in ([], ["--simulate"]):
        empty = call("formation", "run", drill, "--set", "formation=[]", *simulate)
        assert empty.exit_code == 2
        assert "--set formation=[]: formation: a manoeuvre; found no formation; expected one or more" in empty.stderr
    missing = call("formation", "show", drill.with_name("none.toml"))
    assert missing.exit_code == 3 and "there is no such file" in missing.stderr


def test_a_log_is_written_and_fitted(call, call_json, drill, tmp_path):
    log, chart, table = tmp_path / "a.csv", tmp_path / "a.svg", tmp_path / "k.csv"
    turned = ("--set", "formation.0.azimuth=0")
    code, run = call_json("formation", "run", drill, *turned, "--log", log)
    assert code == 0 and run["log"] == str(log.resolve())
    code, data = call_json("formation", "fit", log, "--picture", chart, "--integral", table)
    assert code == 0
    (row,), (measured,) = data["formations"], run["formations"]
    assert (row["e1"], row["e_base"], row["f1"]) == tuple(measured[name] for name in ("e1", "e_base", "f1"))
    assert row["e1"] > 0 and "<svg" in chart.read_text() and len(table.read_text().splitlines()) == 22
    log.write_text("formation,seconds,angle,distance,combined\na,0,0,0,0\na,1,0,0,1e308\n")
    great = call("formation", "fit", log, "--picture", chart)
    assert great.exit_code == 3 and f"error: {log}: a chart of a move; found 1e+308" in great.stderr
    said = call("formation", "fit", drill).stderr
    assert "not a log of moves" in said and "Traceback" not in said


def test_units_are_put_into_shape(call, call_json, tmp_path):
    picture = tmp_path / "heat.png"
    code, data = call_json("formation", "optimise", "wedge", "3", "--iterations", "4", "--picture", picture)
    assert code == 0 and picture.stat().st_size > 1000
    assert data["distance"][-1] < 100 < data["distance"][0] and len(data["positions"]) == 3
    again = call_json("formation", "optimise", "wedge", "3", "--iterations", "4")[1]
    assert again["positions"] == data["positions"]
    few = ("--experiment", "--formations", "2", "--iterations", "1")
    code, data = call_json("formation", "optimise", "wedge", "3", *few)
    assert code == 0 and len(data["ways"]) == 7 and len(data["angle_mean"]) == 7
    assert "unknown shape" in call("formation", "optimise", "wegde", "3").stderr
    assert "a unit from 0 to 2" in call("formation", "optimise", "wedge", "3", "--unit", "3").stderr
    assert "one of them" in call("formation", "optimise", "wedge", "3", "--picture", picture, *few).stderr


def test_a_manoeuvre_is_simulated(call, call_json, drill, tmp_path):
    picture, animation, log = tmp_path / "a.png", tmp_path / "a.gif", tmp_path / "a.csv"
    files = ("--picture", picture, "--animation", animation, "--log", log, "--every", "5")
    code, data = call_json("formation", "run", drill, "--simulate", *files)
    assert (code, data["status"], data["units"]) == (0, "solved", 3)
    assert 4.0 < data["seconds"] < 7.0  # four steps of a second each, and some to start and to stand
    assert picture.stat().st_size > 1000 and animation.stat().st_size > 1000 and log.exists()
    unknown = call("formation", "run", drill, "--simulate", "--set", "formation.0.modules.speed=quick")
    assert unknown.exit_code == 2 and "slowest or weighted" in unknown.stderr
    walled = tmp_path / "walled.manoeuvre.toml"
    stroke = "\n[[map.paint]]\nline = [[16, 0], [16, 28]]\nwidth = 3\nblocked = true\n\n[[formation]]"
    walled.write_text(drill.read_text().replace("\n[[formation]]", stroke, 1))
    none = call("formation", "run", walled, "--simulate")
    assert none.exit_code == 1 and "the leader can't be at (200, 138.564)" in none.stdout
