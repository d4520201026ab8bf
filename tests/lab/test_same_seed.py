"""The same scenario and seed are the same run: in every process, with any number of workers, with any hash seed."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import polars as pl

from anabasis.methods import names


def compared(folder: Path, workers: int, hash_seed: str) -> None:
    scenario = files("anabasis") / "data" / "closing_door.scenario.toml"  # a crowd, and a map that changes twice
    command = ["compare", str(scenario), "--seeds", "2", "--workers", str(workers), "--out", str(folder), "--quiet"]
    subprocess.run(
        [sys.executable, "-c", "from anabasis.cli import main; main()", *command],
        check=True,
        timeout=300,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
    )


def test_comparisons_with_the_real_simulator_are_the_same_to_the_byte(tmp_path: Path) -> None:
    for number, (workers, hash_seed) in enumerate(((1, "0"), (2, "12345"))):
        compared(tmp_path / f"{number}.run", workers, hash_seed)
    runs = sorted(tmp_path.glob("*.run"))
    for name in ("table.csv", "results.parquet"):
        assert len({(run / name).read_bytes() for run in runs}) == 1
    traces = [{file.name: file.read_bytes() for file in sorted(run.glob("traces/*"))} for run in runs]
    assert len(traces[0]) == 2 * len(names("group"))  # of the first seed: what happened, and what was planned
    assert traces[0] == traces[1]
    table = pl.read_parquet(runs[0] / "results.parquet")
    assert table["finished"].to_list() == [60] * 2 * len(names("group"))
    assert table["replans"].sum() > 0
    by_method = table.group_by("method").agg(pl.col("trace_hash").n_unique())
    assert by_method["trace_hash"].to_list() == [2] * len(names("group"))  # another seed is another run
    assert table["trace_hash"].n_unique() > len(names("group"))  # and so is another method, unless both plan alike
