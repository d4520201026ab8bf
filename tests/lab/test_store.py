"""Results survive kill -9: no finished run lost, no half file, the same table as without interruption."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import lab_tasks
import polars as pl
import pytest

from anabasis import InputError, Scenario
from anabasis.lab.compare import compare, read_comparison
from anabasis.lab.manifest import program_hash, read_manifest
from anabasis.lab.store import Store, read_rows, read_scenario
from anabasis.lab.suite import Suite
from anabasis.lab.trial import Outcome, Row, unpack
from anabasis.noun import state_hash

SLOW = "lab_tasks:slow_walk"
PROGRAM = """
import sys, lab_tasks
from anabasis.lab.compare import compare
from anabasis.lab.suite import Suite
if __name__ == "__main__":
    suite = Suite.of([lab_tasks.scenario("a"), lab_tasks.scenario("b", 7)], ["fast", "slow"], 10)
    compare(suite, sys.argv[1], workers=int(sys.argv[2]), resume=True, task=sys.argv[3])
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return file


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}


def start(program: Path, folder: Path, workers: int, task: str = SLOW, **more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(program), str(folder), str(workers), task]
    with folder.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(command, env=environment(**more), stdout=log, stderr=log)


def finish(program: Path, folder: Path, workers: int, task: str = SLOW, **more: str) -> bytes:
    process = start(program, folder, workers, task, **more)
    assert process.wait(timeout=120) == 0, folder.with_suffix(".log").read_text()
    return (folder / "table.csv").read_bytes() + (folder / "results.parquet").read_bytes()


def content(rows: list[Row]) -> dict[str, Outcome]:
    return {row.run.key: row.outcome for row in rows}


def done_so_far(folder: Path) -> int:
    """Return how many runs stand in the journal of a folder that a process is writing."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'runs.sqlite'}?mode=ro", uri=True)) as journal:
            return int(journal.execute("SELECT COUNT(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:  # there is none yet, or it is being made
        return 0


@pytest.mark.parametrize("kills", [7, pytest.param(20, marks=pytest.mark.long)])
def test_kills_lose_nothing(program: Path, tmp_path: Path, kills: int) -> None:
    whole = finish(program, tmp_path / "whole.run", 1)
    dice = random.Random(20)
    folder, folders, kept = tmp_path / "0.run", 1, dict[str, Outcome]()
    moments: list[int] = []
    for kill in range(kills):
        process = start(program, folder, 1 + kill % 2)
        wanted = len(kept) + dice.randint(0, 12)
        while done_so_far(folder) < wanted and process.poll() is None:
            time.sleep(0.005)
        time.sleep(dice.uniform(0, 0.05))  # into the middle of the next one
        process.kill()
        process.wait()
        if (folder / "manifest.json").exists():
            now = content(read_rows(folder))
            assert kept.items() <= now.items(), "a finished run was lost or changed"
            kept = now
            assert [p.name for p in folder.rglob("*.npz") if p.stat().st_size == 0] == []
        moments.append(len(kept))
        if (folder / "timings.csv").exists():  # this one came to its end before the kill
            assert (folder / "table.csv").read_bytes() + (folder / "results.parquet").read_bytes() == whole
            folder, folders, kept = tmp_path / f"{folders}.run", folders + 1, {}
    assert finish(program, folder, 1) == whole
    assert kept.items() <= content(read_rows(folder)).items()
    assert any(0 < done < 40 for done in moments), f"every kill came too early or too late: {moments}"


def test_the_table_does_not_depend_on_workers_or_on_the_hash_seed(program: Path, tmp_path: Path) -> None:
    walk = "lab_tasks:walk"
    tables = [
        finish(program, tmp_path / f"{workers}-{seed}.run", workers, walk, PYTHONHASHSEED=seed)
        for workers, seed in ((1, "0"), (2, "1"), (2, "12345"))
    ]
    assert tables[0] == tables[1] == tables[2]
    traces = [{p.name: p.read_bytes() for p in sorted(f.glob("traces/*.npz"))} for f in sorted(tmp_path.glob("*.run"))]
    assert len(traces[0]) == 4
    assert traces[0] == traces[1] == traces[2]


def test_workers_end_with_their_parent(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    process = start(program, folder, 1, "lab_tasks:wait_for_ever")
    deadline = time.monotonic() + 60
    while not (notes := list(folder.glob("traces/*.pid"))) or not notes[0].read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.wait()
    worker = int(notes[0].read_text())
    while Path(f"/proc/{worker}").exists() and "Z" not in Path(f"/proc/{worker}/stat").read_text().split()[2]:
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.05)


def test_ctrl_c_in_a_terminal_ends_all_processes_quietly(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    command = [sys.executable, str(program), str(folder), "2", SLOW]
    with folder.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(command, env=environment(), stdout=log, stderr=log, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (folder / "manifest.json").exists() or len(read_rows(folder)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT
    assert folder.with_suffix(".log").read_text().count("Traceback") == 1  # the parent's own
    assert 3 <= len(read_rows(folder)) < 40


def small_suite() -> Suite:
    return Suite.of([lab_tasks.scenario("a")], ["fast", "slow"], 2, sources=["a.scenario.toml"])


def test_a_finished_folder_holds_everything(tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    rows = read_rows(folder)
    assert [(r.run.method, r.run.seed) for r in rows] == [("fast", 0), ("fast", 1), ("slow", 0), ("slow", 1)]
    trace = lab_tasks.made_up_trace(lab_tasks.scenario("a"), "fast", 1)
    assert unpack(rows[1].outcome.arrivals).tolist() == trace.arrival.tolist()
    assert rows[1].outcome.values["trace_hash"] == trace.hash
    under_way = trace.arrival.sum() / trace.steps  # every unit is on the map until it arrives
    assert unpack(rows[1].outcome.density).sum() == pytest.approx(under_way, rel=0.05)
    assert isinstance(read_scenario(folder, 0), Scenario)
    assert state_hash(read_scenario(folder, 0)) == state_hash(lab_tasks.scenario("a"))
    table = pl.read_parquet(folder / "results.parquet")
    assert table.height == 4
    assert table["steps"].to_list() == [r.outcome.values["steps"] for r in rows]
    assert {"updates_mean", "distance_travelled_third_quartile", "replans_sum"} <= set(table.columns)
    assert not [name for name in table.columns if "second" in name]
    timings = pl.read_csv(folder / "timings.csv")
    assert timings.columns == ["scenario", "method", "seed", "planning_seconds", "execution_seconds"]
    assert timings.rows() == [
        (r.run.scenario, r.run.method, r.run.seed, r.outcome.planning_seconds, r.outcome.execution_seconds)
        for r in rows
    ]
    assert pl.read_csv(folder / "table.csv")["trace_hash"].to_list() == table["trace_hash"].to_list()
    assert pl.read_csv(folder / "timings.csv").columns[-1] == "execution_seconds"
    assert sorted(p.name for p in folder.iterdir() if not p.name.startswith(".")) == [
        "manifest.json",
        "results.parquet",
        "runs.sqlite",
        "scenarios",
        "table.csv",
        "timings.csv",
        "traces",
    ]


def test_resume_runs_only_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    before = (folder / "table.csv").read_bytes()
    seen: list[int] = []
    compare(small_suite(), folder, task="lab_tasks:walk", resume=True, progress=lambda p: seen.append(p.done))
    assert seen == [4]
    assert (folder / "table.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("suite", "word"),
    [
        (Suite.of([lab_tasks.scenario("a")], ["fast", "slow"], 3), "seeds"),
        (Suite.of([lab_tasks.scenario("a")], ["slow", "fast"], 2), "methods"),
        (Suite.of([lab_tasks.scenario("a", 5)], ["fast", "slow"], 2), "scenarios"),
        (Suite.of([lab_tasks.scenario("a")], ["fast", "slow"], 2, overrides=["limits.steps=9"]), "overrides"),
    ],
)
def test_results_of_another_suite_can_not_be_resumed(suite: Suite, word: str, tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    with pytest.raises(InputError, match=f"can't be resumed: other {word}"):
        compare(suite, folder, task="lab_tasks:walk", resume=True)


def test_folders_that_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    with pytest.raises(InputError, match=r"exists already.*--resume"):
        compare(small_suite(), folder, task="lab_tasks:walk")
    other = tmp_path / "photos"
    other.mkdir()
    (other / "holiday.png").write_bytes(b"x")
    with pytest.raises(InputError, match="no results folder"):
        compare(small_suite(), other, task="lab_tasks:walk", resume=True)
    with pytest.raises(InputError, match="no results folder"):
        read_comparison(other)
    with (
        Store.open(folder, small_suite(), task="lab_tasks:walk", resume=True),
        pytest.raises(InputError, match="another process"),
    ):
        Store.open(folder, small_suite(), task="lab_tasks:walk", resume=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "faulty manifest"),
        ("{", "faulty manifest"),
        ("{}", "missing required field"),
        ('{"kind": 3}', "Expected `str`"),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "faulty manifest"),
    ],
)
def test_faulty_manifests(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=message) as error:
        read_manifest(tmp_path)
    assert "manifest.json" in str(error.value)


def test_a_newer_folder_and_a_broken_journal_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    manifest = folder / "manifest.json"
    good = manifest.read_text()
    manifest.write_text(good.replace('"schema": 1', '"schema": 99'))
    with pytest.raises(InputError, match="version 99"):
        read_comparison(folder)
    manifest.write_text(good)
    (folder / "runs.sqlite").write_bytes(b"this is no database, " * 100)
    with pytest.raises(InputError, match="journal can't be read"):
        read_comparison(folder)


def test_a_journal_whose_writer_was_killed_while_it_wrote_is_read(tmp_path: Path) -> None:
    compare(small_suite(), tmp_path / "whole.run", task="lab_tasks:walk")
    before = content(read_rows(tmp_path / "whole.run"))
    with closing(sqlite3.connect(tmp_path / "whole.run" / "runs.sqlite")) as journal:
        journal.execute("PRAGMA journal_mode=DELETE")
        journal.execute("PRAGMA cache_size=1")
        journal.execute("BEGIN IMMEDIATE")
        journal.execute("DELETE FROM runs")
        journal.execute(
            "CREATE TABLE big AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n LIMIT 20000) "
            "SELECT k, hex(randomblob(20)) AS text FROM n"
        )
        shutil.copytree(tmp_path / "whole.run", tmp_path / "killed.run")  # as a kill would leave it
        journal.rollback()
    assert (tmp_path / "killed.run" / "runs.sqlite-journal").stat().st_size > 0
    assert content(read_rows(tmp_path / "killed.run")) == before


def test_files_left_half_written_are_swept_away(tmp_path: Path) -> None:
    folder = tmp_path / "x.run"
    (folder / "traces").mkdir(parents=True)
    (folder / "traces").rmdir()
    (folder / ".manifest.json.abc.tmp").write_bytes(b"half")
    compare(small_suite(), folder, task="lab_tasks:walk")
    assert list(folder.rglob("*.tmp")) == []


def test_interrupted_by_the_user(tmp_path: Path) -> None:
    suite = Suite.of([lab_tasks.scenario("a")], ["fast"], 4)
    with pytest.raises(KeyboardInterrupt):
        compare(suite, tmp_path / "x.run", task="lab_tasks:interrupt")
    assert [row.run.seed for row in read_rows(tmp_path / "x.run")] == [0, 1]
    assert not read_comparison(tmp_path / "x.run").complete
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_edited_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "x.run"
    compare(small_suite(), folder, task="lab_tasks:walk")
    compare(small_suite(), folder, task="lab_tasks:walk", resume=True)
    monkeypatch.setattr("anabasis.lab.manifest.program_hash", lambda: "f" * 64)
    with pytest.raises(
        InputError, match=r"the program was changed .* expected f{12}\. Hint: begin again in a new folder"
    ):
        compare(small_suite(), folder, task="lab_tasks:walk", resume=True)
    assert read_comparison(folder).complete


def test_the_program_hash_is_that_of_all_source_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "sub" / "b.py").write_text("")
    hashes = [program_hash(tmp_path)]
    (tmp_path / "a.pyc").write_text("not a source file")
    assert program_hash(tmp_path) == hashes[0]
    (tmp_path / "sub" / "b.py").write_text("y = 2")
    hashes.append(program_hash(tmp_path))
    (tmp_path / "sub" / "b.py").rename(tmp_path / "sub" / "c.py")
    hashes.append(program_hash(tmp_path))
    (tmp_path / "a.py").write_text("x = 2")
    hashes.append(program_hash(tmp_path))
    assert len(set(hashes)) == 4
    assert read_only_hash() == program_hash()


def read_only_hash() -> str:
    """The hash that another process finds for the package."""
    code = "from anabasis.lab.manifest import program_hash; print(program_hash())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_finished_run_is_synced_before_the_next_one_is_reported(tmp_path: Path) -> None:
    with Store.open(tmp_path / "x.run", small_suite(), task="lab_tasks:walk", resume=False) as store:
        assert store._journal.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: at every commit
        assert store._journal.execute("PRAGMA journal_mode").fetchone() == ("wal",)
