"""Bad calls: one clean message, the right code, never a traceback."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from anabasis.cli.errors import BAD_FILE, FAULT, INTERRUPTED, LIMIT, USAGE, clean_exit
from anabasis.errors import InputError, MissingExtraError

JUNK = bytes(range(256)) * 20

BAD_CALLS = [
    # call, code, words of the message
    ("nonsense", 2, "nonsense"),
    ("--nonsense", 2, "--nonsense"),
    ("path", 2, "MAP"),
    ("path {small}", 2, "START"),
    ("path {small} 0,0", 2, "GOAL"),
    ("path {small} 0,0 9,4 extra", 2, "extra"),
    ("path {small} zero 9,4", 2, "zero"),
    ("path {small} 0 9,4", 2, "x,y"),
    ("path {small} 0,0,0 9,4", 2, "x,y"),
    ("path {small} 0.5,0 9,4", 2, "x,y"),
    ("path {small} 0,0 99,4", 2, "x=99"),
    ("path {small} 0,0 9,4 --method fastest", 2, "astar"),
    ("path {small} 0,0 9,4 --neighbours six", 2, "--neighbours"),
    ("path {small} 0,0 9,4 --neighbours 6", 2, "neighbours"),
    ("path {small} 0,0 9,4 --corners round", 2, "strict"),
    ("path {small} 0,0 9,4 --weight 0.5", 2, "weight"),
    ("path {small} 0,0 9,4 --weight nan", 2, "weight"),
    ("path {small} 0,0 9,4 --method dijkstra --weight 2", 2, "--weight"),
    ("path {small} 0,0 9,4 --movement flying", 2, "land"),
    ("path {small} 0,0 9,4 --scale 0", 2, "--scale"),
    ("path {small} 0,0 9,4 --scale 100000", None, "16384"),
    ("path {small} 0,0 9,4 --picture {here}/way.gif", 2, ".png"),
    ("path {small} 0,0 9,4 --picture {here}/missing/way.png", 2, "no folder"),
    ("path {small} 0,0 9,4 --picture {small}/way.png", 2, "a file named"),
    ("path {small} 0,0 9,4 --picture {folder}", 2, ".png"),
    ("path {here}/smal.txt 0,0 9,4", 3, "small.txt"),
    ("path {here}/missing/small.txt 0,0 9,4", 3, "missing does not exist"),
    ("path {here} 0,0 9,4", 3, "folder"),
    ("path {empty} 0,0 9,4", 3, "empty"),
    ("path {junk} 0,0 9,4", 3, "junk"),
    ("path {junk_map} 0,0 9,4", 3, "junk.map"),
    ("path {junk_png} 0,0 9,4", 3, "junk.png"),
    ("path {ragged} 0,0 1,1", 3, "line 2"),
    ("map", 2, "ommand"),
    ("map nonsense", 2, "nonsense"),
    ("map info {here}/none.map", 3, "none.map"),
    ("map show {junk_map}", 3, "junk.map"),
    ("map convert {small} {here}/copy.xyz", None, ".xyz"),
    ("map convert {small} {here}/missing/copy.map", 2, "no folder"),
    ("map convert {small} {folder}", 2, "folder"),
    ("run", 2, "SCENARIO"),
    ("run {here}/gap.scenario.tml", 3, "gap.scenario.toml"),
    ("run {here}", 3, "folder"),
    ("run {empty}", 3, "empty"),
    ("run {junk}", 3, "junk"),
    ("run {gap} --method teleport", 2, "vector-field"),
    ("run {gap} --seed -1", 2, "--seed"),
    ("run {gap} --seed one", 2, "--seed"),
    ("run {gap} --seed 99999999999999999999999", 2, "seed"),
    ("run {gap} --set nonsense", 2, "path=value"),
    ("run {gap} --set groups.0.sped=0.1", 2, "speed"),
    ("run {gap} --set groups.7.speed=0.1", 2, "groups"),
    ("run {gap} --set groups.0.speed=fast", None, "speed"),
    ("run {gap} --set groups.0.speed=nan", None, "speed"),
    ("run {gap} --set groups.0.target.x=6.5 --set groups.0.target.y=0.5", None, "target"),
    ("run {gap} --set groups.0.rectangle.count=5000", None, "room"),
    ("run {gap} --out {here}/run.txt", 2, ".npz"),
    ("run {gap} --out {here}/missing/run.npz", 2, "no folder"),
    ("run {gap} --out {folder_npz}", 2, "folder"),
    ("compare", 2, "SCENARIO"),
    ("compare {gap} --methods astar,teleport --out {here}/a.run", 2, "teleport"),
    ("compare {gap} --methods astar,astar --out {here}/b.run", 2, "twice"),
    ("compare {gap} --seeds 0 --out {here}/c.run", 2, "--seeds"),
    ("compare {gap} --workers 0 --out {here}/d.run", 2, "--workers"),
    ("compare {gap} --timeout 0 --out {here}/e.run", 2, "time"),
    ("compare {gap} --out {small}", 2, "small.txt"),
    ("compare {gap} --out {small}/x.run", 2, "small.txt"),
    ("compare {gap} {here}/other.toml --out {here}/f.run", 3, "other.toml"),
    ("report {here}/none.run", 3, "none.run"),
    ("report {small}", 3, "folder"),
    ("report {folder}", 3, "folder"),
    ("validate", 2, "ommand"),
    ("validate map", 2, "PATH"),
    ("validate map {here}/none.map", 3, "none.map"),
    ("validate map {folder}", 3, "nothing to check"),
    ("validate map {junk_map}", 3, "junk.map"),
    ("validate scenario {junk}", 3, "junk"),
    ("validate archive {small}", 3, "small.txt"),
    ("validate trace {junk}", 3, "junk"),
    ("validate scen {junk}", 3, "junk"),
    ("validate scen {here}/none.scen", 3, "none.scen"),
    ("validate scen {folder}", 3, "no single-agent scenario"),
    ("methods --family cooking", 2, "search"),
    ("demo --units 0", 2, "--units"),
    ("demo --units many", 2, "--units"),
    ("demo --units 100000 --out {here}/demo", None, "room"),
    ("demo --out {small}", 2, "small.txt"),
]


WHOLE_ERRORS = [
    # call, code, where, words of what was found, of what was expected, of the hint
    ("flow {gap} --method taut", 2, "--method", "'taut'", "flow-gates or", "did you mean flow-taut?"),
    ("flow {gap} --method astar", 2, "--method", "'astar'", "flow-gates or", "anabasis run"),
    ("flow {gap} --method flow-replan", 2, "--method", "'flow-replan'", "flow-gates or", "plan of flow-taut"),
    ("flow {gap} --stage route", 2, "--stage", "'route'", "regions or network or routes", "did you mean routes?"),
    ("flow {gap} --parameters 11", 2, "--parameters", "'11'", "auto, a number from 0", "anabasis regions"),
    ("flow {gap} --parameters 0,0,0", 2, "--parameters", "'0,0,0'", "distance denominator", "anabasis regions"),
    ("flow {gap} --assignment near", 2, "--assignment", "'near'", "by-turns or", "did you mean nearest?"),
    ("regions {small} --parameters fine", 2, "--parameters", "'fine'", "a number from 0", "anabasis regions"),
    ("regions {small} --stage gate", 2, "--stage", "'gate'", "flooding or", "did you mean gates?"),
    ("run {gap} --method flow-tout", 2, "--method", "'flow-tout'", "vector-field or", "did you mean flow-taut?"),
    ("compare {gap} --methods flow-tout", 2, "--methods", "'flow-tout'", "vector-field or", "did you mean flow-taut?"),
    ("path {small} 0,0 9,4 --method a-star", 2, "--method", "'a-star'", "dijkstra or", "did you mean astar?"),
    ("methods --family groups", 2, "--family", "'groups'", "search", "did you mean group?"),
    ("study flow-groups --sets 4", 2, "--sets", "'4'", "1 or 2 or 3", "with commas"),
    ("study flow-groups --methods flow-tout", 2, "--methods", "'flow-tout'", "astar or", "did you mean flow-taut?"),
    ("path {gap} 0,0 9,4", 3, None, ".toml", "a map", "anabasis run {gap}"),
    ("regions {gap}", 3, None, ".toml", "a map", "anabasis flow {gap} --stage regions"),
    ("regions {door}", 3, None, ".toml", "a map", "its map is {small}"),
    ("map info {gap}", 3, None, ".toml", "a map", "anabasis.load('{gap}').grid"),
    ("map convert {gap} {here}/x.map", 3, None, ".toml", "a map", "anabasis.load('{gap}').grid"),
    ("run {junk_map}", 3, None, ".map", "a scenario", 'file = "junk.map"'),
    ("compare {junk_png}", 3, None, ".png", "a scenario", 'file = "junk.png"'),
    ("run {gap} --out {folder_npz}", 2, "--out", "a folder of this name", ".npz", "folder.npz/NAME.npz"),
    ("run {gap} --picture {folder}", 2, "--picture", "a folder of this name", ".png or .svg", "folder/NAME.png"),
    ("flow {gap} --picture {here}/way", 2, "--picture", "no suffix", ".png or .svg", "way.png"),
    ("map convert {small} {folder}", 2, "FILE", "a folder of this name", "a file", "folder/NAME"),
    ("compare {gap} --out {small}", 2, "--out", "a file named", "a folder", "another folder"),
    ("compare {gap} --out {small}/a/b", 2, "--out", "a file named", "a folder", "another folder"),
]
NOBODY = [
    ("run {gap} --out /proc/foo.npz", "--out"),
    ("flow {gap} --picture /proc/foo.png", "--picture"),
    ("regions {small} --picture /proc/foo.png", "--picture"),
    ("calibrate --out /proc/foo.csv", "--out"),
    ("compare {gap} --out /proc/foo", "--out"),
    ("study flow-groups --out /proc/foo", "--out"),
    ("demo --out /proc/foo", "--out"),
]


@pytest.fixture
def places(tmp_path, small_map, gap):
    """The names that the table uses."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "ragged.txt").write_text("...\n..\n...\n")
    door = tmp_path / "door.toml"
    door.write_text('map = { file = "small.txt" }')
    for name in ("junk", "junk.map", "junk.png"):
        (tmp_path / name).write_bytes(JUNK)
    return {
        "here": tmp_path,
        "small": small_map,
        "gap": gap,
        "empty": tmp_path / "empty",
        "ragged": tmp_path / "ragged.txt",
        "folder": tmp_path / "folder",
        "folder_npz": tmp_path / "folder.npz",
        "junk": tmp_path / "junk",
        "junk_map": tmp_path / "junk.map",
        "junk_png": tmp_path / "junk.png",
        "door": door,
    }


@pytest.mark.parametrize(("words", "code", "message"), BAD_CALLS, ids=[words for words, _, _ in BAD_CALLS])
def test_a_bad_call_gets_a_clean_message(call, places, words, code, message):
    result = call(*(word.format(**places) for word in words.split()))
    text = result.stderr + result.stdout
    assert result.exit_code in ((2, 3) if code is None else (code,)), text
    assert message in text
    assert "Traceback" not in text
    assert "fault in Anabasis" not in text


@pytest.mark.parametrize("row", WHOLE_ERRORS, ids=[row[0] for row in WHOLE_ERRORS])
def test_errors_say_where_what_was_found_what_was_expected_and_a_hint(call_json, places, row):
    words, code, where, *parts = row
    found_code, data = call_json(*(word.format(**places) for word in words.split()))
    error = data["error"]
    assert (found_code, error["where"]) == (code, where)
    assert error["problem"]
    for name, words_of_it in zip(("found", "expected", "hint"), parts, strict=True):
        assert words_of_it.format(**places) in error[name]
    assert not any((places["here"] / name).exists() for name in ("x.map", "way", "flow-groups.run"))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder in which nobody can make files, root neither")
@pytest.mark.parametrize(("words", "option"), NOBODY, ids=[words for words, _ in NOBODY])
def test_output_where_nobody_can_write_is_refused_before_the_work(call_json, places, words, option):
    code, data = call_json(*(word.format(**places) for word in words.split()))
    error = data["error"]
    assert (code, error["file"].rpartition(".")[0] or error["file"], error["where"]) == (2, "/proc/foo", option)
    assert "no file can be made in /proc" in error["found"]
    assert error["expected"]
    assert error["hint"]


@pytest.mark.parametrize("words", ["map info m.map --bogus", "mapf solve", "bogus", "methods --family"])
def test_with_json_a_call_that_can_not_be_read_is_an_object_too(call_json, words):
    code, data = call_json(*words.split())
    assert code == 2 and data["error"]["text"]


@pytest.mark.parametrize("words", ["path {here}/smal.txt 0,0 9,4", "run {junk}", "path {small} 0,0 99,4"])
def test_with_json_the_error_is_an_object_on_stdout(call_json, places, words):
    code, data = call_json(*(word.format(**places) for word in words.split()))
    assert code in (USAGE, BAD_FILE)
    assert set(data) == {"error"}
    assert data["error"]["text"]
    assert data["error"]["problem"] in data["error"]["text"]


@pytest.mark.parametrize(
    "words", ["path {here}/smal.txt 0,0 9,4", "run {junk}", "report {small}", "validate map {junk_map}"]
)
def test_the_same_in_a_process_of_its_own(shell, places, words):
    done = shell(*(word.format(**places) for word in words.split()))
    assert done.returncode == BAD_FILE
    assert "Traceback" not in done.stderr + done.stdout


def test_an_error_on_a_terminal_is_in_parts(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with pytest.raises(typer.Exit) as end, clean_exit():
        raise InputError("odd [bold]cost", file="a.map", where=7, found=3, expected="4", hint="count again")
    assert end.value.exit_code == BAD_FILE
    text = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().err)
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    assert lines == [
        ["error:", "odd [bold]cost"],
        ["in", "a.map, line 7"],
        ["found", "3"],
        ["expected", "4"],
        ["hint", "count again"],
    ]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("odd"), USAGE),
        (InputError("odd", file="a.map"), BAD_FILE),
        (InputError("odd", file="--set a=1"), USAGE),
        (MissingExtraError("matplotlib", "plots"), USAGE),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.map"), BAD_FILE),
        (PermissionError(errno.EACCES, "Permission denied", "b.png"), USAGE),
        (OSError(errno.ENOSPC, "No space left on device"), USAGE),
        (KeyboardInterrupt(), INTERRUPTED),
        (ZeroDivisionError("division by zero"), FAULT),
        (MemoryError(), FAULT),
        (BrokenPipeError(), 0),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_every_failure_has_its_code(monkeypatch, capsys, error, code):
    monkeypatch.setattr("anabasis.cli.errors._drop_stdout", lambda: None)
    monkeypatch.delenv("ANABASIS_DEBUG", raising=False)
    with pytest.raises(typer.Exit) as end, clean_exit():
        raise error
    assert end.value.exit_code == code
    assert "Traceback" not in capsys.readouterr().err


def test_a_fault_of_our_own_asks_for_a_report(monkeypatch, capsys):
    monkeypatch.delenv("ANABASIS_DEBUG", raising=False)
    with pytest.raises(typer.Exit), clean_exit(as_json=True):
        raise ZeroDivisionError("division by zero")
    printed = capsys.readouterr()
    assert "report it" in printed.err
    assert json.loads(printed.out)["error"]["fault"] is True


def test_the_traceback_of_a_fault_is_shown_on_demand(monkeypatch, capsys):
    monkeypatch.setenv("ANABASIS_DEBUG", "1")
    with pytest.raises(typer.Exit), clean_exit():
        raise ZeroDivisionError("division by zero")
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    file = tmp_path / "large.txt"
    file.write_text("\n".join(["." * 90] * 40))
    code = "from anabasis.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "methods", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert errors == ""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_an_interrupted_comparison_ends_with_130_and_can_be_resumed(call_json, gap, tmp_path):
    folder = tmp_path / "gap.run"
    gap.write_text(gap.read_text().replace("steps = 2000", "steps = 2000000000\nstall_steps = 2000000000"))
    gap.write_text(gap.read_text().replace("speed = 0.15", "speed = 1e-9") + "[steering]\nstuck_steps = 2000000000\n")
    words = ["compare", str(gap), "--methods", "astar", "--seeds", "1", "--workers", "1", "--out", str(folder)]
    code = "from anabasis.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (folder / "runs.sqlite").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == INTERRUPTED
    assert "Traceback" not in errors
    assert errors.endswith(f"interrupted; finished runs are kept in {folder}: the same call with --resume goes on\n")
    code, data = call_json(*words, "--resume", "--timeout", 1)
    assert code == LIMIT
    assert data["done"] == 1
