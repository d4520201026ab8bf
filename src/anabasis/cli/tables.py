"""The table of a comparison in the terminal, its ratios in the colour bands of the thesis."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from anabasis.cli.output import Output

if TYPE_CHECKING:
    from anabasis.lab.comparison import Comparison, Entry

__all__ = ["band_style", "comparison_data", "show_comparison"]

_COLUMNS = ("method", "ratio", "95 % interval", "steps", "least", "most", "first", "middle", "left", "plan s", "run s")
_STYLES = ("bold green", "green", "yellow", "red")
_NOTHING = "–"  # also of `Entry.text`
_LEGEND = """\
ratio: arrival of the last unit, median over the seeds, to that of the best, * not ranked; steps, least, most: that
arrival; first, middle: of the first and the middle unit; left: units left behind; s: seconds"""


def show_comparison(output: Output, comparison: Comparison) -> None:
    """Print one table a scenario, what it shows in a sentence, the runs that failed and who was left behind."""
    if not output.chatty:
        return
    gaps = False
    for scenario, sentence in zip(comparison.scenarios, comparison.sentences, strict=True):
        rows = [_row(entry) for entry in comparison.entries if entry.scenario == scenario]
        output.table(_COLUMNS, rows, title=scenario)
        gaps = gaps or any(str(cell) == _NOTHING for row in rows for cell in row)
        output.say(sentence)
    output.say()
    output.say(_LEGEND + f"; {_NOTHING}: no run was valid, or nobody arrived" * gaps)
    output.say()
    output.say(comparison.headline, style="bold")
    for entry in comparison.entries:
        if entry.unfinished_runs:
            output.say(
                f"left behind: {entry.scenario}, {entry.method}: {entry.unfinished_units:.1%} of the units, "
                f"in {entry.unfinished_runs} of {entry.runs} runs",
                style="yellow",
            )
    for failure in comparison.failures:
        output.say(
            f"{failure.status}: {failure.scenario}, {failure.method}, seed {failure.seed}: {failure.reason}",
            style="red",
        )


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON knows it."""
    return {**asdict(comparison), "complete": comparison.complete}


def band_style(band: str) -> str:
    """Return how the terminal shows a ratio of that band (of BANDS); dim without one."""
    from anabasis.lab.statistics import BANDS

    styles: dict[str, str] = dict(zip(BANDS, _STYLES, strict=True))
    return styles.get(band, "dim")


def _row(entry: Entry) -> list[object]:
    from rich.text import Text

    from anabasis.lab.statistics import interval_text

    return [
        entry.method,
        Text(entry.text, style=band_style(entry.band)),
        "" if entry.interval is None else interval_text(entry.interval),
        entry.steps_text,
        *(_whole(v) for v in (entry.steps_low, entry.steps_high, entry.first, entry.middle)),
        _NOTHING if not entry.valid else f"{entry.unfinished_units:.1%}" if entry.unfinished_units else "0",
        *(_NOTHING if v is None else f"{v:.2f}" for v in (entry.planning_seconds, entry.execution_seconds)),
    ]


def _whole(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:,.0f}"
