"""The report of the study of flow networks: findings, ratio tables of the sets, forecasts, each scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from anabasis.io.atomic import write_atomic
from anabasis.lab import charts
from anabasis.lab.bounds import gap_text
from anabasis.lab.chapter import Material, chapter, key, named
from anabasis.lab.comparison import Comparison, Entry
from anabasis.lab.manifest import read_manifest
from anabasis.lab.page import Cell, document, figure, section, table, text, whole
from anabasis.lab.ranking import summarise
from anabasis.lab.report import failures_section, ratio_notes, ratio_table, setting_section, timings_section
from anabasis.lab.statistics import geometric_mean, geometric_mean_interval, interval_text
from anabasis.lab.store import read_rows
from anabasis.lab.studies.finding import Finding, findings_section
from anabasis.lab.studies.flow_claims import Evidence, best_over_best, findings
from anabasis.lab.studies.flow_record import BASELINES, FLOW_METHODS, Record, read_record
from anabasis.lab.studies.flow_scenarios import SETS

__all__ = ["read_evidence", "write_flow_report"]

_TITLE = "Splitting a group over routes: flow networks against the shortest way"


def read_evidence(folder: Path) -> Evidence:
    """Return what the folder of a study shows: over all scenarios, and for each set."""
    manifest, rows, record = read_manifest(folder), read_rows(folder), read_record(folder)
    parts = {
        number: [entry.name for entry in manifest.scenarios if record.sets[entry.name] == number]
        for number in sorted(set(record.sets.values()))
    }

    def part(names: Sequence[str]) -> Comparison:
        return summarise([r for r in rows if r.run.scenario in names], names, manifest.methods, manifest.seeds)

    names = [entry.name for entry in manifest.scenarios]
    return Evidence(part(names), {number: part(names) for number, names in parts.items()}, record)


def write_flow_report(run_folder: str | Path, path: str | Path) -> None:
    """Write the report of a study's folder to one HTML file; the same results give the same bytes.

    Raises InputError for a folder that holds no study, MissingExtraError without matplotlib.
    """
    charts.need_matplotlib()
    folder = Path(run_folder)
    evidence = read_evidence(folder)
    material = Material(folder, read_manifest(folder), read_rows(folder), evidence.whole)
    found = findings(evidence)
    parts = [
        _top(evidence, found),
        findings_section(found, "thesis"),
        *(_set(number, part) for number, part in evidence.parts.items()),
        ratio_notes(),
        _derived(evidence),
        _foreseen(evidence),
        _growing(evidence.record),
        _membership(evidence),
        _chapters(material),
        failures_section(evidence.whole),
        timings_section(evidence.whole),
        setting_section(material),
    ]
    colours = [charts.method_colour(k) for k in range(max(8, len(evidence.whole.methods)))]
    write_atomic(path, document(_TITLE, *parts, colours=colours).encode())


def _top(evidence: Evidence, found: Sequence[Finding]) -> str:
    comparison = evidence.whole
    counts = {verdict: sum(f.verdict == verdict for f in found) for verdict in ("reproduced", "not reproduced")}
    quick = (
        "<p>This is the quick study: few scenarios, smaller groups, few seeds. What it shows is a hint, no more.</p>"
        if evidence.record.quick
        else ""
    )
    return (
        f'<header><h1>{text(_TITLE)}</h1><p class="lead">{text(comparison.headline)} Of {len(found)} claims '
        f"{counts['reproduced']} are reproduced and {counts['not reproduced']} are not.</p>{quick}"
        "<p>After Pacovský: Navigation of units in video games using flow networks, Charles University, Prague 2019. "
        "The scenarios are our own, as the thesis does not print its; flow-centres is its method Flow 1, flow-gates "
        f"its Flow 2.</p></header>{key(comparison.methods)}"
    )


def _set(number: int, part: Comparison) -> str:
    chart = figure(
        charts.ratio_chart(part, salt=f"ratios-{number}"),
        "Ratios with their intervals; hollow: not ranked. An interval that crosses 1 shows no difference.",
        look="wide",
    )
    return section(
        f"Set {number}: {SETS[number]}",
        ratio_table(part),
        key(part.methods),
        chart,
        anchor=f"set-{number}",
    )


def _derived(evidence: Evidence) -> str:
    """Baselines against flow methods, a column a set."""
    columns = [*evidence.parts.values(), evidence.whole]
    flow = [m for m in evidence.whole.methods if m in FLOW_METHODS]
    base = [m for m in evidence.whole.methods if m in BASELINES]
    if not flow or not base:
        return ""
    rows = [
        [Cell("a flow method has the lowest median", head=True), *(Cell(_flow_wins(c, flow)) for c in columns)],
        [
            Cell("best baseline / best flow method", head=True),
            *(Cell(_ratio_cell(best_over_best(c, base, flow))) for c in columns),
        ],
    ]
    rows += [
        [Cell(f"best baseline / {m}", head=True), *(Cell(_ratio_cell(best_over_best(c, base, [m]))) for c in columns)]
        for m in flow
    ]
    rows += [
        [
            Cell(f"{m} strictly beats both baselines", head=True),
            *(Cell(f"{sum(r > 1 for r in best_over_best(c, base, [m]))} of {len(c.scenarios)}") for c in columns),
        ]
        for m in flow
    ]
    rows += [
        [
            Cell(f"{b} / flow-gates", head=True),
            *(Cell(_ratio_cell(best_over_best(c, [b], ["flow-gates"]))) for c in columns),
        ]
        for b in base
        if "flow-gates" in flow
    ]
    head = ["", *(f"set {number}" for number in evidence.parts), "all"]
    note = (
        "Ratios of medians: the geometric mean over scenarios, below it its 95 % bootstrap interval and the greatest. "
        "Above 1 the flow method is faster. A scenario on which one side left units behind is not counted."
    )
    return section("Baselines and flow methods", table(head, rows), f'<p class="note">{note}</p>')


def _flow_wins(comparison: Comparison, flow: Sequence[str]) -> str:
    won = {e.scenario for e in comparison.entries if e.best and e.method in flow}
    return f"{len(won)} of {len(comparison.scenarios)}"


def _ratio_cell(ratios: Sequence[float]) -> str:
    if not ratios:
        return "–"
    interval = geometric_mean_interval(ratios)
    span = f"{text(interval_text(interval))}, " if interval else ""
    return f"<b>{geometric_mean(ratios):.3f}</b><small>{span}max {max(ratios):.2f}</small>"


def _foreseen(evidence: Evidence) -> str:
    """Predictions and bounds beside what was simulated."""
    comparison = evidence.whole
    methods = [
        m for m in comparison.methods if any(e.predicted or e.bound for e in comparison.entries if e.method == m)
    ]
    if not methods:
        return ""
    rows: list[list[Cell]] = []
    for scenario in comparison.scenarios:
        for method in methods:
            entry = comparison.entry(scenario, method)
            rows.append(
                [
                    Cell(text(scenario), head=True),
                    Cell(named(comparison, method), "left"),
                    Cell(whole(entry.bound)),
                    Cell(whole(entry.network_bound)),
                    Cell(whole(entry.predicted)),
                    Cell(entry.steps_text),
                    Cell(_of(entry.predicted, entry)),
                    Cell(gap_text(entry.steps, entry.bound)),
                ]
            )
    head = [
        "scenario",
        "method",
        "proved bound",
        "quickest flow",
        "predicted",
        "simulated",
        "predicted / simulated",
        "gap to the proved bound",
    ]
    note = (
        "Arrival of the last unit in steps, medians. The proved bound follows from the map, the group and the rules of "
        "the simulator alone: no plan whatever can bring the last unit in sooner. The gap is how much longer it took. "
        "The quickest flow is the best that the method's network has, by its lengths and the rates that gates were "
        "measured to have. It says how well the routes were chosen and proves nothing about runs. The prediction is "
        "that of the plan, made before the run."
    )
    return section("Predictions and bounds", table(head, rows), f'<p class="note">{note}</p>')


def _of(value: float | None, entry: Entry) -> str:
    return "–" if value is None or not entry.steps else f"{value / entry.steps:.2f}"


def _growing(record: Record) -> str:
    """The use of routes as the group grows: figure 6.10 of the thesis."""
    if not record.uses:
        return ""
    counts = {name: np.array(use.units, np.int64).reshape(-1, len(use.sizes)) for name, use in record.uses.items()}
    sizes = next(iter(record.uses.values())).sizes
    chart = figure(
        charts.share_chart(counts, sizes, salt="growing"),
        f"Units on each route as the group grows, from the plans alone: {text(record.growing)}. A colour is a "
        "route, the same in all panels; dots are the sizes that were planned for.",
    )
    return section("A growing group", chart)


def _membership(evidence: Evidence) -> str:
    """Why each scenario is in its set."""
    record = evidence.record
    rows: list[list[Cell]] = []
    for scenario, kind in record.kinds.items():
        ways = [" / ".join(f"{100 * s:.0f}" for s in shares[:4] if s >= 0.005) for shares in kind.ways.values()]
        rows.append(
            [
                Cell(text(scenario), head=True),
                Cell(f"{kind.widths[0]} to {kind.widths[-1]}"),
                Cell(f"{kind.routes[0]} / {kind.useful}"),
                *(Cell(way) for way in ways),
                Cell(whole(kind.alone)),
                Cell(whole(kind.all)),
                Cell(f"{kind.alone / kind.all:.2f}"),
                Cell(str(kind.set or "–")),
            ]
        )
    head = [
        "scenario",
        "width",
        "routes own / useful",
        *(f"{b}: ways, %" for b in BASELINES),
        "own routes",
        "all",
        "ratio",
        "set by these",
    ]
    note = (
        "Measured without any flow method. Width: cells side by side in all ways from the group to the target that are "
        f"at most {record.detours[0]:g} cells longer than a unit's shortest, and at most {record.detours[-1]:g}. "
        "Routes: how many there are within the smaller detour, and how many bring units in before all have arrived. "
        "Ways: shares of the units whose plans pass the large obstacles on the same sides. Own routes, all: a rough "
        "forecast of the last arrival, by the routes of the smaller detour and by all. Set 2: by the plans of every "
        "baseline a tenth of the units or more take a second way. Else set 1 if no second route is useful. Else set 3 "
        "if by this forecast all routes together are at least 1.2 times as fast."
    )
    return section("Why a scenario is in its set", table(head, rows), f'<p class="note">{note}</p>')


def _chapters(material: Material) -> str:
    """Each scenario, folded away."""
    names = material.comparison.scenarios
    folded = (
        f"<details><summary>{text(name)}</summary>{chapter(material, number, brief=True)}</details>"
        for number, name in enumerate(names)
    )
    return section("Each scenario", *folded)
