"""Which method is declared the best, and what a comparison may and may not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from anabasis.lab.comparison import Comparison
from anabasis.lab.ranking import summarise
from anabasis.lab.statistics import BANDS
from anabasis.lab.suite import Run
from anabasis.lab.trial import Outcome, Row, Value


def row(
    scenario: str,
    method: str,
    seed: int,
    steps: int | None,
    *,
    left: int = 0,
    status: str = "ok",
    bound: int | None = None,
) -> Row:
    run = Run(0, 0, scenario, "0" * 64, method, seed, ())
    if status != "ok":
        return Row(run, Outcome(status, "because"))
    last = None if left else steps
    values: dict[str, Value] = {
        "steps": steps,
        "not_finished": left,
        "units": 10,
        "first_arrival": 5,
        "middle_arrival": 9,
    }
    values |= {"last_arrival": last, "bound_steps": bound}
    return Row(run, Outcome("ok", values=values, planning_seconds=0.5, execution_seconds=2.0))


def comparison(table: Mapping[str, Mapping[str, Sequence[int]]], *, bound: int | None = None) -> Comparison:
    rows = [
        row(s, m, seed, steps, bound=bound)
        for s, by in table.items()
        for m, runs in by.items()
        for seed, steps in enumerate(runs)
    ]
    first = next(iter(table.values()))
    return summarise(rows, list(table), list(first), range(len(next(iter(first.values())))))


def test_median_of_maxima_and_ratio_to_the_best() -> None:
    found = comparison({"a": {"x": [100, 300, 200], "y": [250, 210, 900]}})
    x, y = found.entries
    assert (x.steps, y.steps) == (200, 250)
    assert (x.ratio, y.ratio) == (1, 1.25)
    assert (x.text, y.text) == ("1", "1.25")
    assert (x.best, y.best) == (True, False)
    assert (x.band, y.band) == (BANDS[0], BANDS[2])
    assert (x.steps_low, x.steps_high) == (100, 300)
    assert (x.planning_seconds, x.execution_seconds) == (0.5, 2.0)
    assert found.complete


def test_an_even_number_of_seeds_takes_the_mean_of_the_two_in_the_middle() -> None:
    assert comparison({"a": {"x": [100, 200, 300, 400]}}).entries[0].steps == 250


# the first and the last row of the thesis's set 3, and two of set 1, in hundredths
THESIS = {
    "3": (128, 100, 103, 143),
    "266": (113, 140, 100, 116),
    "2": (101, 100, 100, 101),
    "120": (100, 231, 101, 108),
}


def test_aggregates_of_rows_of_the_thesis() -> None:
    names = ("A*", "Flow 1", "Flow 2", "Vector")
    exact = {"2": {"Flow 1": 10049}}  # printed 1.00 beside a winner printed 1: a rounded tie
    found = comparison(
        {
            s: {m: [exact.get(s, {}).get(m, 100 * v)] * 3 for m, v in zip(names, row, strict=True)}
            for s, row in THESIS.items()
        }
    )
    table = {s: tuple(found.entry(s, m).text for m in names) for s in THESIS}
    assert table["2"] == ("1.01", "1.00", "1", "1.01")
    assert table["120"] == ("1", "2.31", "1.01", "1.08")
    totals = {total.method: total for total in found.totals}
    assert [totals[m].wins for m in names] == [1, 1, 2, 0]
    assert [list(totals[m].bands.values()) for m in names] == [[2, 0, 2, 0], [2, 0, 1, 1], [3, 1, 0, 0], [1, 1, 2, 0]]
    product = 1.28 * 1.13 * 1.01 * 1.00
    assert totals["A*"].geometric_mean == pytest.approx(product**0.25)
    assert totals["Vector"].mean == pytest.approx((1.43 + 1.16 + 1.01 + 1.08) / 4)
    assert totals["Vector"].median == pytest.approx((1.08 + 1.16) / 2)
    assert totals["Flow 1"].worst == pytest.approx(2.31)
    assert "Flow 2 has the lowest geometric mean" in found.headline


def test_exact_ties_share_the_win() -> None:
    found = comparison({"a": {"x": [100] * 5, "y": [100] * 5}})
    assert [entry.text for entry in found.entries] == ["1", "1"]
    assert "x and y brought the last unit to its target after 100 steps" in found.sentences[0]
    assert "faster" not in found.sentences[0]


def test_the_proved_bound_is_named_beside_the_best() -> None:
    found = comparison({"a": {"x": [150, 150, 150], "y": [250, 210, 900]}}, bound=100)
    assert [entry.bound for entry in found.entries] == [100, 100]
    assert "proved that no method can do so before step 100; x is 50 % above that" in found.sentences[0]
    assert "proved" not in comparison({"a": {"x": [150]}}).sentences[0]


def test_faster_is_said_only_when_the_interval_leaves_out_one() -> None:
    clear = comparison({"a": {"x": [100, 101, 102, 103, 104], "y": [150, 151, 152, 153, 154]}})
    assert "x is faster than y (1.49 times as many steps, 95 % interval 1.4" in clear.sentences[0]
    assert clear.entry("a", "y").verdict == "slower"
    blurred = comparison({"a": {"x": [100, 140, 102, 180, 104], "y": [150, 101, 152, 103, 106]}})
    assert "faster" not in blurred.sentences[0]
    assert "no difference is shown between" in blurred.sentences[0]
    few = comparison({"a": {"x": [100, 101], "y": [150, 151]}})
    assert "faster" not in few.sentences[0]
    assert "too few to tell" in few.sentences[0]


def test_units_left_behind_are_flagged_and_never_the_best() -> None:
    rows = [row("a", "x", seed, 50, left=seed == 2) for seed in range(5)]
    rows += [row("a", "y", seed, 90 + seed) for seed in range(5)]
    found = summarise(rows, ["a"], ["x", "y"], range(5))
    x, y = found.entries
    assert not x.best
    assert not x.comparable
    assert x.band == ""
    assert x.interval is None
    assert x.text == "0.54*"  # quicker on paper
    assert x.unfinished_runs == 1
    assert x.unfinished_units == pytest.approx(0.02)
    assert x.verdict == "not ranked: 1 of 5 runs left units behind"
    assert y.best
    assert y.text == "1"
    assert "x is not ranked" in found.sentences[0]
    assert "faster" not in found.sentences[0]
    assert [total.flagged for total in found.totals] == [1, 0]


@pytest.mark.parametrize("status", ["invalid", "timeout", "memory", "crash"])
def test_failed_runs_are_flagged_and_listed(status: str) -> None:
    rows = [row("a", "x", seed, 50, status=status if seed == 2 else "ok") for seed in range(5)]
    rows += [row("a", "y", seed, 90 + seed) for seed in range(5)]
    found = summarise(rows, ["a"], ["x", "y"], range(5))
    assert found.entry("a", "x").verdict == "not ranked: 1 of 5 runs failed"
    assert found.entry("a", "y").best
    assert [(f.method, f.seed, f.status, f.reason) for f in found.failures] == [("x", 2, status, "because")]
    assert "1 failed" in found.headline


def test_nobody_is_the_best_when_everybody_fails() -> None:
    rows = [row("a", m, 0, None, status="crash") for m in ("x", "y")]
    found = summarise(rows, ["a"], ["x", "y"], [0])
    assert [(e.text, e.steps, e.best) for e in found.entries] == [("–", None, False)] * 2
    assert found.sentences[0].startswith("a: no method brought every unit")
    assert "none is ranked first" in found.headline
    assert [total.geometric_mean for total in found.totals] == [None, None]


def test_an_unfinished_comparison_ranks_only_whole_methods() -> None:
    rows = [row("a", "x", 0, 10), row("a", "y", 0, 20), row("a", "y", 1, 20)]
    found = summarise(rows, ["a"], ["x", "y"], [0, 1])
    assert not found.complete
    assert found.entry("a", "x").verdict == "not ranked: runs are missing"
    assert found.entry("a", "y").best
    assert "1 still missing" in found.headline
    empty = summarise([], ["a"], ["x"], [0])
    assert empty.headline == "1 run: 1 scenario × 1 method × 1 seed; 1 still missing."
