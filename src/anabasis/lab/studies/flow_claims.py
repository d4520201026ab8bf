"""Claims: what the study of flow networks was to show, each held against the figures that were measured.

The claims of the source are those of Pacovský: Navigation of units in video games using flow networks, 2019, chapter on
the results; its figures are derived from its printed tables. The others are bars that this project set itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anabasis.lab.comparison import Comparison, Entry
from anabasis.lab.statistics import geometric_mean
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.flow_record import BASELINES, FLOW_METHODS, Record

__all__ = ["Evidence", "best_over_best", "findings"]

_SOURCE_FLOW = ("flow-centres", "flow-gates")
_GAIN, _SET_1, _GEOMETRIC, _TIE, _SHARE, _FORECAST = 1.2, 1.15, 1.05, 1.01, 0.75, 0.25
_MISSING = "methods or scenarios that it needs were not run to the end, or do not tell the methods apart"


@dataclass(frozen=True)
class Evidence:
    """What claims are held against: the whole comparison, its part of each set, and the study's record."""

    whole: Comparison
    parts: Mapping[int, Comparison]
    record: Record


def findings(evidence: Evidence) -> list[Finding]:
    """Return every claim with what was measured."""
    tests: list[tuple[str, str, Callable[[Evidence], tuple[str, bool] | None]]] = [
        (
            f"Set 3: the best baseline takes at least {_GAIN} times as long as the better of flow-centres and "
            "flow-gates (geometric mean)",
            "1.274",
            _gain,
        ),
        ("The gain is smallest in set 1 and greatest in set 3", "1.019, 1.131, 1.274", _order),
        ("Over all sets flow-gates beats flow-centres (geometric mean of the ratios)", "1.069 to 1.100", _gates),
        (
            f"Set 1: neither flow-centres nor flow-gates is worse than {_SET_1} of the best of the thesis's four "
            "methods (geometric mean)",
            "1.113 and 1.053",
            _harmless,
        ),
        ("Set 3: flow-gates is strictly better than both baselines in most scenarios", "36 of 44", _strictly),
        (
            f"Over all sets the best flow method has a geometric mean of at most {_GEOMETRIC} to the fastest method of "
            "each scenario",
            "1.069 (flow-gates)",
            _near_best,
        ),
        (
            f"It is the fastest, or within 1 % of it, in at least {_SHARE:.0%} of all scenarios",
            "61 % (flow-gates)",
            _wins,
        ),
        ("No unit is left behind by any method in any scenario", "not printed", _all_arrive),
        (
            f"Set 3: the predicted arrival of the last unit is within {_FORECAST:.0%} of the simulated one on the "
            "median scenario",
            "not printed",
            _forecast,
        ),
        ("No run of any method is faster than the proved lower bound of its scenario", "none proved", _bounded),
        ("The vector field varies least from run to run", "very low spread", _steady),
        ("As the group grows, further routes come into use one after the other", "figure 6.10", _growing),
    ]
    found: list[Finding] = []
    for claim, source, test in tests:
        measured = test(evidence)
        text, holds = measured if measured is not None else (_MISSING, None)
        found.append(Finding(claim, source, text, holds))
    return found


def _steps(comparison: Comparison, scenario: str, methods: Sequence[str]) -> float | None:
    """The least median of methods on a scenario, of those that brought every unit to the target."""
    entries = [comparison.entry(scenario, m) for m in methods if m in comparison.methods]
    return min((e.steps for e in entries if e.comparable and e.steps is not None), default=None)


def best_over_best(
    comparison: Comparison, ours: Sequence[str] = BASELINES, theirs: Sequence[str] = FLOW_METHODS
) -> list[float]:
    """Return for each scenario how many times as long the best of `ours` takes as the best of `theirs`.

    Scenarios on which either has no comparable method are left out.
    """
    pairs = [(_steps(comparison, s, ours), _steps(comparison, s, theirs)) for s in comparison.scenarios]
    return [max(a, 1.0) / max(b, 1.0) for a, b in pairs if a is not None and b is not None]


def _has(comparison: Comparison | None, *methods: str) -> bool:
    return comparison is not None and comparison.complete and set(methods) <= set(comparison.methods)


def _mean(comparison: Comparison, method: str) -> float | None:
    return next(total.geometric_mean for total in comparison.totals if total.method == method)


def _gain(evidence: Evidence) -> tuple[str, bool] | None:
    part = evidence.parts.get(3)
    if part is None or not _has(part, *BASELINES, *_SOURCE_FLOW) or not (ours := _ratios(part, _SOURCE_FLOW)):
        return None
    mean = geometric_mean(ours)
    text = f"{mean:.3f} (greatest {max(ours):.2f})"
    if set(FLOW_METHODS) & set(part.methods) - set(_SOURCE_FLOW):
        text += f"; with all our flow methods {geometric_mean(_ratios(part, FLOW_METHODS)):.3f}"
    return text, mean >= _GAIN


def _ratios(part: Comparison, flow: Sequence[str]) -> list[float]:
    return best_over_best(part, BASELINES, flow)


def _order(evidence: Evidence) -> tuple[str, bool] | None:
    parts = [evidence.parts.get(number) for number in (1, 2, 3)]
    ratios = [_ratios(p, _SOURCE_FLOW) if p is not None and _has(p, *BASELINES, *_SOURCE_FLOW) else [] for p in parts]
    if not all(ratios):
        return None
    one, two, three = map(geometric_mean, ratios)
    return f"{one:.3f}, {two:.3f}, {three:.3f}", one <= two <= three


def _gates(evidence: Evidence) -> tuple[str, bool] | None:
    if not _has(evidence.whole, *_SOURCE_FLOW) or set(evidence.parts) != {1, 2, 3}:
        return None
    centres, gates = (_mean(evidence.whole, m) for m in _SOURCE_FLOW)
    if centres is None or gates is None or _same(evidence.whole, *_SOURCE_FLOW):
        return None
    return f"{gates:.3f} to {centres:.3f}", gates < centres


def _same(whole: Comparison, one: str, other: str) -> bool:
    """Return whether two methods did the same on every scenario, so that neither can be better."""
    return all(whole.entry(s, one).steps == whole.entry(s, other).steps for s in whole.scenarios)


def _harmless(evidence: Evidence) -> tuple[str, bool] | None:
    part = evidence.parts.get(1)
    if part is None or not _has(part, *BASELINES, *_SOURCE_FLOW):
        return None
    ratios = [best_over_best(part, (m,), (*BASELINES, *_SOURCE_FLOW)) for m in _SOURCE_FLOW]
    if not all(ratios):
        return None
    means = [geometric_mean(of_one) for of_one in ratios]
    text = "{:.3f} and {:.3f}".format(*means)
    if set(part.methods) - {*BASELINES, *_SOURCE_FLOW}:
        text += "; of the best of all methods {:.3f} and {:.3f}".format(
            *(_mean(part, m) or np.inf for m in _SOURCE_FLOW)
        )
    return text, max(means) <= _SET_1


def _strictly(evidence: Evidence) -> tuple[str, bool] | None:
    part = evidence.parts.get(3)
    if part is None or not _has(part, *BASELINES, "flow-gates"):
        return None
    better = sum(ratio > 1 for ratio in best_over_best(part, BASELINES, ("flow-gates",)))
    return f"{better} of {len(part.scenarios)}", 2 * better > len(part.scenarios)


def best_flow(comparison: Comparison) -> str | None:
    """Return the flow method with the lowest geometric mean, None without any."""
    means = {m: mean for m in comparison.methods if m in FLOW_METHODS and (mean := _mean(comparison, m)) is not None}
    return min(means, key=means.__getitem__, default=None)


def _near_best(evidence: Evidence) -> tuple[str, bool] | None:
    name = best_flow(evidence.whole) if _has(evidence.whole, *BASELINES) else None
    if name is None or set(evidence.parts) != {1, 2, 3}:
        return None
    mean = _mean(evidence.whole, name) or np.inf
    return f"{mean:.3f} ({name})", mean <= _GEOMETRIC


def _wins(evidence: Evidence) -> tuple[str, bool] | None:
    whole = evidence.whole
    name = best_flow(whole) if _has(whole, *BASELINES) else None
    if name is None or set(evidence.parts) != {1, 2, 3}:
        return None
    entries = [whole.entry(s, name) for s in whole.scenarios]
    near = sum(e.comparable and e.ratio is not None and e.ratio <= _TIE + 1e-12 for e in entries)
    return f"{near} of {len(entries)}, {near / len(entries):.0%} ({name})", near >= _SHARE * len(entries)


def _all_arrive(evidence: Evidence) -> tuple[str, bool] | None:
    whole = evidence.whole
    if not whole.complete:
        return None
    guilty = [f"{e.scenario}, {e.method}" for e in whole.entries if e.unfinished_runs or e.failed]
    text = f"{whole.runs:,} runs; units left behind or failed runs in {len(guilty)} of {len(whole.entries)} cells"
    return text + (f": {_few(guilty)}" if guilty else ""), not guilty


def _few(names: Sequence[str]) -> str:
    return "; ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _forecast(evidence: Evidence) -> tuple[str, bool] | None:
    part = evidence.parts.get(3)
    if part is None or not part.complete:
        return None
    errors = {
        method: [
            abs(e.predicted / max(e.steps, 1.0) - 1)
            for s in part.scenarios
            if (e := part.entry(s, method)).predicted is not None and e.steps is not None and e.comparable
        ]
        for method in part.methods
    }
    medians = {method: float(np.median(found)) for method, found in errors.items() if found}
    if not medians:
        return None
    text = ", ".join(f"{method} off by {value:.0%}" for method, value in medians.items())
    return f"on the median scenario {text}", all(value <= _FORECAST for value in medians.values())


def _bounded(evidence: Evidence) -> tuple[str, bool] | None:
    entries = [e for e in evidence.whole.entries if e.bound is not None and e.steps_low is not None and e.comparable]
    if not entries:
        return None
    broken = [f"{e.scenario}, {e.method}" for e in entries if _least(e) < _bound(e)]
    nearest = [
        min(_least(e) / max(_bound(e), 1.0) for e in entries if e.scenario == scenario)
        for scenario in dict.fromkeys(e.scenario for e in entries)
    ]
    text = f"{len(nearest)} scenarios with a bound; the fastest run took {min(nearest):.2f} to {max(nearest):.2f} times"
    text += f" as long, {float(np.median(nearest)):.2f} on the median scenario"
    return text + (f"; broken by {_few(broken)}" if broken else ""), not broken


def _least(entry: Entry) -> float:
    return float(entry.steps_low or 0)


def _bound(entry: Entry) -> float:
    return float(entry.bound or 0)


def _steady(evidence: Evidence) -> tuple[str, bool] | None:
    whole = evidence.whole
    if not _has(whole, *BASELINES) or len(whole.seeds) < 3:
        return None
    spread = {
        method: float(
            np.median([_spread(e) for s in whole.scenarios if (e := whole.entry(s, method)).comparable] or [0])
        )
        for method in whole.methods
    }
    text = ", ".join(f"{method} {value:.1%}" for method, value in spread.items())
    least = min(spread, key=spread.__getitem__)
    return f"from least to greatest, of the median: {text}", least == "vector-field"


def _spread(entry: Entry) -> float:
    return ((entry.steps_high or 0) - (entry.steps_low or 0)) / max(entry.steps or 1.0, 1.0)


def _growing(evidence: Evidence) -> tuple[str, bool] | None:
    if not evidence.record.uses:
        return None
    used = {name: (np.array(use.units) > 0).sum(axis=0).tolist() for name, use in evidence.record.uses.items()}
    sizes = next(iter(evidence.record.uses.values())).sizes
    text = "; ".join(f"{name} {_compressed(counts, sizes)}" for name, counts in used.items())
    return text, all(_rises(counts) for counts in used.values())


def _rises(counts: list[int]) -> bool:
    return all(a <= b for a, b in pairwise(counts)) and counts[0] < counts[-1]


def _compressed(counts: list[int], sizes: list[int]) -> str:
    """Return where the number of routes changes."""
    at = [k for k in range(len(counts)) if k == 0 or counts[k] != counts[k - 1]]
    return ", ".join(f"{counts[k]} from {sizes[k]} units on" for k in at)
