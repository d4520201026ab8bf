"""The table of a comparison in the terminal, its ratios in the colour bands of the thesis."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.lab.compare import Comparison
    from anabasis.lab.comparison import Entry

__all__ = ["comparison_data", "show_comparison"]

_COLUMNS = ("method", "ratio", "95 % interval", "steps", "least", "most", "first", "middle", "left", "plan s", "run s")
_STYLES = ("bold green", "green", "yellow", "red")


def show_comparison(output: Output, comparison: Comparison) -> None:
    """Print one table a scenario, what it shows in a sentence, and the runs that failed."""
    if not output.chatty:
        return
    for scenario, sentence in zip(comparison.scenarios, comparison.sentences, strict=True):
        entries = [entry for entry in comparison.entries if entry.scenario == scenario]
        output.table(
            [
                "method",
                "ratio",
                "95 % interval",
                "steps",
                "least",
                "most",
                "first",
                "middle",
                "left",
                "plan s",
                "run s",
            ],
            [_row(entry) for entry in entries],
            title=scenario,
        )
        output.say(sentence)
    output.say()
    output.say("ratio: arrival of the last unit, median over the seeds, to that of the best; steps, least, most: that")
    output.say("arrival; first, middle: of the first and the middle unit; left: units left behind; s: seconds")
    for failure in comparison.failures:
        output.say(
            f"{failure.status}: {failure.scenario}, {failure.method}, seed {failure.seed}: {failure.reason}",
            style="red",
        )


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON knows it."""
    return {**asdict(comparison), "complete": comparison.complete}


def _row(entry: Entry) -> list[object]:
    from rich.text import Text

    from anabasis.lab.statistics import BANDS

    styles: dict[str, str] = dict(zip(BANDS, _STYLES, strict=True))
    interval = "" if entry.interval is None else f"{entry.interval.low:.2f} to {entry.interval.high:.2f}"
    left = f"{entry.unfinished_units:.1%}" if entry.unfinished_units else "0"
    return [
        entry.method,
        Text(entry.text, style=styles.get(entry.band, "dim")),
        interval,
        *(_whole(v) for v in (entry.steps, entry.steps_low, entry.steps_high, entry.first, entry.middle)),
        left,
        *("–" if v is None else f"{v:.2f}" for v in (entry.planning_seconds, entry.execution_seconds)),
    ]


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"
