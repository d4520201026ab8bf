"""What commands print."""

import json
import math

import numpy as np
import pytest

from anabasis.cli.output import Output, counted
from anabasis.cli.tables import show_comparison
from anabasis.lab.ranking import summarise
from anabasis.lab.suite import Run
from anabasis.lab.trial import Outcome, Row


def test_json_has_no_number_that_json_lacks(capsys):
    Output(json=True).result(
        {"a": math.inf, "b": [math.nan, np.float64(2)], "c": np.arange(2), "d": np.bool_(True), 5: None}
    )
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 2.0], "c": [0, 1], "d": True, "5": None}


@pytest.mark.parametrize("output", [Output(json=True), Output(quiet=True), Output(json=True, quiet=True)], ids=str)
def test_nothing_for_people_without_people(output, capsys):
    output.say("hello")
    output.note("hello")
    output.table(["a"], [["b"]])
    printed = capsys.readouterr()
    assert printed.out == printed.err == ""


def test_a_table_in_a_file_keeps_its_lines_whole(capsys):
    Output().table(["name", "number"], [["x" * 100, 1]])
    assert any(line.split() == ["x" * 100, "1"] for line in capsys.readouterr().out.splitlines())


def _row(method: str, seed: int, steps: int, left: int = 0) -> Row:
    values = {"steps": steps, "not_finished": left, "units": 10, "first_arrival": 5, "middle_arrival": steps - 1}
    run = Run(seed, 0, "a gap", "0", method, seed, ())
    return Row(run, Outcome("ok", values=values, planning_seconds=0.5, execution_seconds=1.0))


def test_the_table_of_a_comparison(capsys):
    methods = {"quick": 100, "fair": 105, "slow": 300}
    rows = [_row(method, seed, steps + seed) for method, steps in methods.items() for seed in range(5)]
    rows += [_row("lossy", seed, 50, left=2) for seed in range(5)]
    comparison = summarise(rows, ["a gap"], [*methods, "lossy"], range(5))
    show_comparison(Output(), comparison)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    shown = {line[0]: line[1:] for line in lines if line and line[0] in (*methods, "lossy")}
    assert shown["quick"][0] == "1"
    assert shown["fair"][0] == "1.05"
    assert shown["slow"][0] == "2.96"
    assert shown["lossy"][0].endswith("*")
    assert "20.0%" in shown["lossy"]


def test_what_a_line_in_a_table_stands_for_is_told_where_there_is_one(capsys):
    def printed(rows: list[Row]) -> str:
        show_comparison(Output(), summarise(rows, ["a gap"], ["quick", "failed"], range(2)))
        return capsys.readouterr().out

    good = [_row(method, seed, 100) for method in ("quick", "failed") for seed in range(2)]
    bad = [Row(row.run, Outcome("crash", reason="odd")) if row.run.method == "failed" else row for row in good]
    assert "–" not in printed(good)
    assert "–: no run was valid, or nobody arrived" in printed(bad)


def test_one_thing_is_no_things():
    assert [counted(n, "cell") for n in (0, 1, 2, 1000)] == ["0 cells", "1 cell", "2 cells", "1,000 cells"]
    assert [counted(n, "process") for n in (1, 2)] == ["1 process", "2 processes"]
