"""A results folder as a table: its finished runs, also while others are still under way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anabasis.lab.manifest import read_manifest
from anabasis.lab.store import read_rows
from anabasis.studio.channel import Channel

__all__ = ["say_results"]

_FIRST = ("scenario", "method", "seed", "status")


def say_results(folder: Path, name: str, out: Channel) -> None:
    """Say the table of a results folder; raises InputError for a folder that is none.

    A row for each finished run, in the suite's order: scenario, method, seed, status and its values; last the path of
    its trace within the folder, None where none is kept. `done` and `total` count runs.
    """
    manifest = read_manifest(folder)
    rows = read_rows(folder)
    values = list(dict.fromkeys(column for row in rows for column in row.outcome.values))
    table: list[list[Any]] = []
    for row in rows:
        trace = f"traces/{row.run.stem}.npz"
        table.append(
            [
                row.run.scenario,
                row.run.method,
                row.run.seed,
                row.outcome.status,
                *(row.outcome.values.get(column) for column in values),
                trace if (folder / trace).is_file() else None,
            ]
        )
    head = {
        "title": Path(name).name.removesuffix(".run"),
        "folder": name,
        "columns": [*_FIRST, *values, "trace"],
        "rows": table,
        "done": len(rows),
        "total": len(manifest.runs()),
        "reasons": [row.outcome.reason for row in rows],
    }
    out.say("table", head)
