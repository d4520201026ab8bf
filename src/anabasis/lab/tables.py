"""Tables: the finished runs of a comparison as CSV and Parquet.

One row a run, `<counter>_<statistic>` columns. Nothing that depends on the clock or on chance outside the seed is in
the table, so it has the same bytes however a comparison was carried out; wall-clock seconds stand in a table of their
own.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anabasis.io.atomic import write_atomic
from anabasis.lab.trial import VALUES, Row

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TIMES", "table", "timings", "write_tables"]

TIMES = ("planning_seconds", "execution_seconds")
"""The two times of a run of groups."""


def write_tables(
    folder: Path, rows: Sequence[Row], values: Mapping[str, type] = VALUES, times: tuple[str, str] = TIMES
) -> None:
    """Write `table.csv`, `results.parquet` (the same table) and `timings.csv`.

    values: what a run of its kind gives; times: what the two times of an outcome are called.
    """
    whole = table(rows, values)
    parquet = io.BytesIO()
    whole.write_parquet(parquet)
    write_atomic(folder / "results.parquet", parquet.getvalue())
    write_atomic(folder / "table.csv", whole.write_csv().encode())
    write_atomic(folder / "timings.csv", timings(rows, times).write_csv().encode())


def table(rows: Sequence[Row], values: Mapping[str, type] = VALUES) -> pl.DataFrame:
    """Return one row a run with every column that depends on nothing but the run."""
    import polars as pl

    kinds: dict[type, Any] = {int: pl.Int64, float: pl.Float64, str: pl.String, bool: pl.Boolean}
    place = {"scenario": str, "scenario_hash": str, "overrides": str, "method": str, "seed": int}
    columns = {name: kinds[kind] for name, kind in (place | {"status": str, "reason": str} | dict(values)).items()}
    return pl.DataFrame(
        [
            {
                "scenario": row.run.scenario,
                "scenario_hash": row.run.scenario_hash,
                "overrides": " ".join(row.run.overrides),
                "method": row.run.method,
                "seed": row.run.seed,
                "status": row.outcome.status,
                "reason": row.outcome.reason,
            }
            | {name: row.outcome.values.get(name) for name in values}
            for row in rows
        ],
        schema=columns,
    )


def timings(rows: Sequence[Row], times: tuple[str, str] = TIMES) -> pl.DataFrame:
    """Return the wall-clock seconds of every run, null where a run failed."""
    import polars as pl

    names = ("scenario", "method", "seed", *times)
    return pl.DataFrame(
        [
            (
                row.run.scenario,
                row.run.method,
                row.run.seed,
                row.outcome.planning_seconds,
                row.outcome.execution_seconds,
            )
            for row in rows
        ],
        schema=dict(zip(names, (pl.String, pl.String, pl.Int64, pl.Float64, pl.Float64), strict=True)),
        orient="row",
    )
