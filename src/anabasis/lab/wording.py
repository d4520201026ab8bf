"""Wording: what a comparison shows, in sentences that claim no more than the data.

"Faster" is said only if all units of all runs arrived and the interval of the ratio lies above 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anabasis.lab.bounds import gap_text
from anabasis.lab.statistics import MINIMUM_PAIRS, interval_text

if TYPE_CHECKING:
    from anabasis.lab.comparison import Entry, Total

__all__ = ["headline", "listing", "sentence", "verdict"]


def verdict(entry: Entry) -> str:
    """Say in a few words how a method stands against the best of its scenario."""
    if not entry.comparable:
        faults: list[str] = []
        if entry.failed:
            faults.append(f"{entry.failed} of {entry.runs} runs failed")
        if entry.unfinished_runs:
            faults.append(f"{entry.unfinished_runs} of {entry.runs} runs left units behind")
        return "not ranked: " + (", ".join(faults) or "runs are missing")
    if entry.best:
        return "lowest median"
    if entry.interval is None:
        return f"higher median; fewer than {MINIMUM_PAIRS} seeds, so no interval"
    return "no difference shown" if entry.interval.holds_one else "slower"


def sentence(scenario: str, entries: Sequence[Entry]) -> str:
    """Say what the runs on one scenario show."""
    best = [entry for entry in entries if entry.best]
    if not best:
        head = f"{scenario}: no method brought every unit to its target in every run"
        return "; ".join([head, *_unranked(entries)]) + "."
    first = best[0]
    seeds = f" (median of {first.valid} seeds)" if first.valid > 1 else ""
    parts = [
        f"{listing([e.method for e in best])} brought the last unit to its target after {first.steps:,.0f} steps{seeds}"
    ]
    others = [entry for entry in entries if entry.comparable and not entry.best]
    slower = [_against(e) for e in others if e.interval and not e.interval.holds_one]
    same = [_against(e) for e in others if e.interval and e.interval.holds_one]
    unsure = [f"{e.method} took {e.text} times as many" for e in others if not e.interval]
    if slower:
        parts.append(f"{first.method} is faster than {listing(slower)}")
    if same:
        parts.append(f"no difference is shown between {first.method} and {listing(same)}")
    if unsure:
        parts.append(f"{listing(unsure)}, but fewer than {MINIMUM_PAIRS} seeds are too few to tell")
    text = f"{scenario}: " + "; ".join([*parts, *_unranked(entries)]) + "."
    if first.bound and first.steps is not None:
        gap = f"{first.method} is {gap_text(first.steps, first.bound)} above that"
        text += f" It is proved that no method can do so before step {first.bound:,.0f}; {gap}."
    return text


def headline(totals: Sequence[Total], scenarios: int, runs: int, done: int, failed: int, left_behind: int) -> str:
    """Say what the whole comparison is and which method did best over all of its scenarios.

    left_behind: the number of runs that left units behind.
    """
    states = [f"{failed} failed" if failed else "all valid"] if done else []
    if left_behind:
        states.append(f"{left_behind} left units behind")
    if done < runs:
        states.insert(0, f"{runs - done} still missing")
    text = f"{_count(runs, 'run')}: {_count(scenarios, 'scenario')} × {_count(len(totals), 'method')} × "
    text += f"{_count(runs // (scenarios * len(totals)), 'seed')}; {', '.join(states)}."
    able = [total for total in totals if not total.flagged and total.geometric_mean is not None]
    if not able and done < runs:
        return text
    if not able:
        return text + " No method brought every unit to its target in every run, so none is ranked first."
    best = min(able, key=lambda total: total.geometric_mean or 0.0)
    if scenarios > 1:
        text += f" {best.method} has the lowest geometric mean of the ratios to the best, {best.geometric_mean:.2f},"
        text += f" and the lowest median on {best.wins} of {scenarios} scenarios."
    return text


def listing(items: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _unranked(entries: Sequence[Entry]) -> list[str]:
    """Name the methods that are not ranked, those with the same reason together."""
    reasons = list(dict.fromkeys(entry.verdict for entry in entries if not entry.comparable))
    groups = {why: [e.method for e in entries if not e.comparable and e.verdict == why] for why in reasons}
    return [f"{listing(names)} {'is' if len(names) == 1 else 'are'} {why}" for why, names in groups.items()]


def _against(entry: Entry) -> str:
    if entry.interval is None:
        return entry.method
    return f"{entry.method} ({entry.text} times as many steps, 95 % interval {interval_text(entry.interval)})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
