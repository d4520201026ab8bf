"""Store: a results folder that survives a crash at any moment.

`NAME.run/` holds `manifest.json` (what was asked), `runs.sqlite` (the journal, one transaction a finished run, in WAL
mode with full syncing: see SQLite's documentation of write-ahead logging), `scenarios/` (the scenarios themselves, so
that the folder explains itself without the files it was made from), `traces/` (the first seed of each scenario and
method, for replay), and when all is done `table.csv`, `results.parquet` and `timings.csv`.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from anabasis.errors import InputError
from anabasis.lab.manifest import Manifest, check_same, manifest_of, read_manifest
from anabasis.lab.suite import Run, Suite
from anabasis.lab.trial import VALUES, Outcome, Row
from anabasis.scenario import Scenario

__all__ = ["Store", "read_rows", "read_scenario"]

JOURNAL = "runs.sqlite"

_CREATE = """CREATE TABLE IF NOT EXISTS runs (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL,
    scenario TEXT NOT NULL, method TEXT NOT NULL, seed INTEGER NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, "values" TEXT NOT NULL, arrivals BLOB NOT NULL,
    density BLOB NOT NULL, planning_seconds REAL, execution_seconds REAL)"""
_INSERT = "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT = """SELECT key, status, reason, detail, "values", arrivals, density, planning_seconds, execution_seconds
    FROM runs ORDER BY position"""


class Store:
    """A results folder opened for writing; only one process at a time can have it open."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._lock = _lock(folder)
        for leftover in folder.glob("**/.*.tmp"):  # half-written files of a process that was killed
            leftover.unlink(missing_ok=True)
        try:
            self._journal = sqlite3.connect(folder / JOURNAL, isolation_level=None)
            self._journal.execute("PRAGMA journal_mode=WAL")
            self._journal.execute("PRAGMA synchronous=FULL")
            self._journal.execute(_CREATE)
        except sqlite3.Error as error:
            raise InputError(
                f"the journal can't be read: {error}", file=folder / JOURNAL, hint="compare into a new folder"
            ) from None

    @classmethod
    def open(cls, folder: Path, suite: Suite, *, task: str, resume: bool) -> Store:
        """Open a results folder for a suite: a new one, or with `resume` one that was begun for the same suite.

        Raises InputError if the folder holds anything else.
        """
        asked = manifest_of(suite, task)
        if (folder / "manifest.json").exists():
            begun = read_manifest(folder)
            if not resume:
                raise InputError(
                    "the results folder exists already", file=folder, hint="add --resume to go on, or name another one"
                )
            check_same(folder, begun, asked)
            asked = begun
        elif folder.exists() and (not folder.is_dir() or any(not p.name.startswith(".") for p in folder.iterdir())):
            raise InputError("this is no results folder", file=folder, expected="a new or empty folder")
        else:
            from anabasis.io.atomic import write_atomic

            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(folder / "manifest.json", msgspec.json.format(msgspec.json.encode(asked), indent=2))
        store = cls(folder, asked)
        try:
            _save_scenarios(folder, asked, suite)
        except BaseException:
            store.close()
            raise
        return store

    def missing(self) -> list[Run]:
        """Return the runs that have no row yet, in the suite's order."""
        done = {key for (key,) in self._journal.execute("SELECT key FROM runs")}
        return [run for run in self.manifest.runs() if run.key not in done]

    def add(self, run: Run, outcome: Outcome) -> None:
        """Write a finished run, at once and for good."""
        values = json.dumps(outcome.values, allow_nan=False)
        place = (run.key, run.position, run.scenario, run.method, run.seed)
        texts = (outcome.status, outcome.reason, outcome.detail, values)
        rest = (outcome.arrivals, outcome.density, outcome.planning_seconds, outcome.execution_seconds)
        self._journal.execute(_INSERT, (*place, *texts, *rest))

    def finish(self) -> None:
        """Write the tables, and make the journal one plain file; every run must have its row."""
        from anabasis.lab.tables import TIMES, write_tables

        module = import_module(self.manifest.task.split(":")[0])
        values, times = getattr(module, "VALUES", VALUES), getattr(module, "TIMES", TIMES)
        write_tables(self.folder, read_rows(self.folder), values, times)
        with suppress(sqlite3.OperationalError):  # somebody reads it just now
            self._journal.execute("PRAGMA journal_mode=DELETE")

    def close(self) -> None:
        """Close the journal and let others have the folder."""
        self._journal.close()
        self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_rows(folder: Path) -> list[Row]:
    """Return the finished runs of a results folder, in the suite's order, also while others are still under way."""
    runs = {run.key: run for run in read_manifest(folder).runs()}
    if not (folder / JOURNAL).exists():
        return []
    try:
        try:
            found = _journal_rows(folder / JOURNAL, "ro")
        except sqlite3.OperationalError:  # who was killed at a bad moment left something that has to be taken back
            found = _journal_rows(folder / JOURNAL, "rw")
        return [Row(runs[key], _outcome(*columns)) for key, *columns in found if key in runs]
    except (sqlite3.Error, ValueError) as error:
        raise InputError(f"the journal can't be read: {error}", file=folder / JOURNAL) from None


def _journal_rows(file: Path, mode: str) -> list[Any]:
    """Return the columns of all finished runs, none if the journal was not begun."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode={mode}", uri=True)) as journal:
        begun = journal.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchone()
        return journal.execute(_SELECT).fetchall() if begun else []


def _outcome(status: str, reason: str, detail: str, values: str, *rest: Any) -> Outcome:
    arrivals, density, planning, execution = rest
    return Outcome(status, reason, json.loads(values), arrivals, density, detail, planning, execution)


def read_scenario(folder: Path, number: int) -> Scenario:
    """Return a scenario of a results folder by its number in the suite; raises InputError if it is not the one."""
    from anabasis.io.archive import load
    from anabasis.noun import state_hash

    entry = read_manifest(folder).scenarios[number]
    scenario = load(folder / entry.file)
    if not isinstance(scenario, Scenario) or state_hash(scenario) != entry.hash:
        raise InputError("not the scenario of this comparison", file=folder / entry.file, expected=entry.hash)
    return scenario


def _save_scenarios(folder: Path, manifest: Manifest, suite: Suite) -> None:
    """Save the scenarios that are not there yet."""
    from anabasis.io.archive import save

    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "traces").mkdir(exist_ok=True)
    for entry, case in zip(manifest.scenarios, suite.cases, strict=True):
        if not (folder / entry.file).exists():
            save(case.scenario, folder / entry.file)


def _lock(folder: Path) -> sqlite3.Connection:
    """Hold the folder for this process: the operating system frees the lock when the process ends, however it ends."""
    lock = sqlite3.connect(folder / ".lock", timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise InputError("another process is writing to this results folder", file=folder) from None
    return lock
