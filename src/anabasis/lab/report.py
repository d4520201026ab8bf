"""Report: a comparison as one HTML file that opens from disk: the result first, then what happened, then every detail.

It is made from the results folder alone, so it can be written again at any time, also of a comparison that was stopped.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anabasis.io.archive import load
from anabasis.io.atomic import write_atomic
from anabasis.lab import charts, pictures
from anabasis.lab.compare import read_comparison
from anabasis.lab.page import Cell, document, figure, section, table, text
from anabasis.lab.ranking import Comparison, Entry
from anabasis.lab.runner import TASK
from anabasis.lab.statistics import BANDS, MINIMUM_PAIRS, interval_text
from anabasis.lab.store import Manifest, Row, read_manifest, read_rows, read_scenario
from anabasis.lab.trial import unpack
from anabasis.scenario import Scenario
from anabasis.trace import COUNTERS, Trace
from anabasis.view.palette import HEAT

__all__ = ["write_report"]

_MAP_WIDTH = 400  # px; the page shrinks pictures to their place

_COUNTER_NAMES = {
    "wall_collisions": "steps touching a wall, per unit",
    "unit_collisions": "steps touching another unit, per unit",
    "updates": "steps under way, per unit",
    "not_full_move": "steps below full speed, per unit",
    "cant_move": "steps hardly moving, per unit",
    "distance_travelled": "way walked in cells, per unit",
    "replans": "new plans, per unit",
}


@dataclass(frozen=True)
class _Material:
    """What a report is made of."""

    folder: Path
    manifest: Manifest
    rows: list[Row]
    comparison: Comparison

    def of(self, scenario: str, method: str) -> list[Row]:
        """The runs of one method on one scenario that have numbers that count."""
        return [
            row
            for row in self.rows
            if row.run.scenario == scenario and row.run.method == method and row.outcome.status == "ok"
        ]


def write_report(run_folder: str | Path, path: str | Path) -> None:
    """Write the report of a results folder to an HTML file; the same results give the same bytes.

    Raises InputError for a folder without results, MissingExtraError without matplotlib.
    """
    charts.need_matplotlib()
    folder = Path(run_folder)
    material = _Material(folder, read_manifest(folder), read_rows(folder), read_comparison(folder))
    comparison = material.comparison
    methods, scenarios = comparison.methods, comparison.scenarios
    title = f"{' · '.join(methods)} on {scenarios[0] if len(scenarios) == 1 else f'{len(scenarios)} scenarios'}"
    parts = [
        _top(title, comparison),
        _result(comparison),
        *(_scenario(material, number) for number in range(len(scenarios))),
        _failures(comparison),
        _timings(comparison),
        _setting(material),
        _again(material),
    ]
    colours = [charts.method_colour(i) for i in range(len(methods))]
    write_atomic(path, document(title, *parts, colours=colours).encode())


def _top(title: str, comparison: Comparison) -> str:
    sentences = "".join(f"<li>{text(sentence)}</li>" for sentence in comparison.sentences)
    return f'<header><h1>{text(title)}</h1><p class="lead">{text(comparison.headline)}</p><ul>{sentences}</ul></header>'


def _key(methods: tuple[str, ...]) -> str:
    items = "".join(f'<li><span class="dot m{i}"></span>{text(m)}</li>' for i, m in enumerate(methods))
    return f'<ul class="key">{items}</ul>'


def _named(comparison: Comparison, method: str) -> str:
    return f'<span class="dot m{comparison.methods.index(method)}"></span> {text(method)}'


def _result(comparison: Comparison) -> str:
    """The ratio table in the thesis's bands, with totals, and the intervals as a chart."""
    rows = [
        [Cell(text(s), head=True), *(_ratio_cell(comparison.entry(s, m)) for m in comparison.methods)]
        for s in comparison.scenarios
    ]
    totals = comparison.totals
    foot = [
        [Cell("scenarios with the lowest median", head=True), *(Cell(str(t.wins)) for t in totals)],
        [
            Cell("geometric mean of the ratios", head=True),
            *(Cell(_two(t.geometric_mean) + "*" * bool(t.flagged)) for t in totals),
        ],
        [Cell("greatest ratio", head=True), *(Cell(_two(t.worst) + "*" * bool(t.flagged)) for t in totals)],
        [Cell("units left behind", head=True), *(Cell(_share(t.unfinished_units)) for t in totals)],
    ]
    bands = "".join(
        f'<li><span class="band b{i}"></span>{text(name)} above the best</li>' for i, name in enumerate(BANDS)
    )
    bands += '<li><span class="band flag"></span>not ranked (*)</li>'
    note = (
        "Step at which the last unit reached its target, median over the seeds, as a ratio to the best method of the "
        "scenario; below it that step, and the 95 % bootstrap interval of the ratio over paired seeds "
        f"(from {MINIMUM_PAIRS} seeds on). The best is printed 1, a rounded tie 1.00. A method is not ranked (*) where "
        "a run failed or left units behind; one that left units behind counts with the step at which it ended, a lower "
        "bound, and one that failed not at all."
    )
    chart = figure(
        charts.ratio_chart(comparison, salt="ratios"),
        "Ratios with their intervals; hollow: not ranked. An interval that crosses 1 shows no difference.",
        look="wide",
    )
    return section(
        "Result",
        table(["scenario", *comparison.methods], rows, foot=foot),
        f'<ul class="key note">{bands}</ul><p class="note">{note}</p>',
        _key(comparison.methods),
        chart,
    )


def _ratio_cell(entry: Entry) -> Cell:
    look = f"ratio b{BANDS.index(entry.band)}" if entry.band else "ratio flag"
    if entry.ratio is None:
        return Cell("–<small>no valid run</small>", look)
    span = f"<small>{text(interval_text(entry.interval))}</small>" if entry.interval else ""
    return Cell(f"<b>{text(entry.text)}</b><small>{entry.steps:,.0f} steps</small>{span}", look)


def _scenario(material: _Material, number: int) -> str:
    """All about one scenario."""
    comparison = material.comparison
    name = comparison.scenarios[number]
    scenario = read_scenario(material.folder, number)
    head = [
        f'<p class="facts">{_facts(scenario)}</p>',
        f"<p>{text(comparison.sentences[number].removeprefix(name + ': '))}</p>",
    ]
    if scenario.note:
        head.append(f'<p class="note">{text(scenario.note)}</p>')
    traces = {m: t for m in comparison.methods if (t := _trace(material, name, m)) is not None}
    return section(
        f"Scenario: {name}",
        *head,
        _ways(comparison, scenario, traces),
        _arrivals(material, name, number),
        _crowding(material, name, scenario),
        _moments(comparison, name, scenario, traces),
        _counters(material, name),
        anchor=f"scenario-{number}",
    )


def _facts(scenario: Scenario) -> str:
    grid = scenario.grid
    parts = [f"{grid.width} × {grid.height} cells"]
    for group in scenario.groups:
        who = f"{group.name}: " if group.name and len(scenario.groups) > 1 else ""
        parts.append(
            f"{who}{group.size:,} units of radius {group.radius:g} at up to {group.speed:g} cells a step, "
            f"target at x = {group.target.x:g}, y = {group.target.y:g}"
        )
    if scenario.changes:
        parts.append(f"{len(scenario.changes)} changes of the map")
    return text("; ".join(parts))


def _trace(material: _Material, scenario: str, method: str) -> Trace | None:
    """The recorded run of the first seed, if it was kept and counts."""
    for row in material.of(scenario, method):
        file = material.folder / "traces" / f"{row.run.stem}.npz"
        if row.run.seed == material.manifest.seeds[0] and file.exists():
            trace = load(file)
            return trace if isinstance(trace, Trace) else None
    return None


def _ways(comparison: Comparison, scenario: Scenario, traces: dict[str, Trace]) -> str:
    if not traces:
        return ""
    figures = "".join(
        figure(
            pictures.ways_picture(scenario, trace, comparison.methods.index(method), width=_MAP_WIDTH),
            f"<b>{_named(comparison, method)}</b>",
            look="map",
        )
        for method, trace in traces.items()
    )
    some = f" of {pictures.MOST_WAYS} units" if scenario.size > pictures.MOST_WAYS else ""
    note = f"Ways walked{some}, with seed {next(iter(traces.values())).seed}, from the start to the target (rings)."
    return f'<h3>Ways</h3><div class="row">{figures}</div><p class="note">{note}</p>'


def _arrivals(material: _Material, name: str, number: int) -> str:
    """Arrival curves and box plots."""
    curves: dict[str, list[NDArray[np.int64]]] = {}
    boxes: dict[str, dict[str, list[float]]] = {}
    for method in material.comparison.methods:
        rows = material.of(name, method)
        curves[method] = [unpack(row.outcome.arrivals) for row in rows]
        boxes[method] = {
            which: [float(v) for row in rows if (v := row.outcome.values[f"{which}_arrival"]) is not None]
            for which in ("first", "middle", "last")
        }
    if not any(curves.values()):
        return ""
    boxes = {m: {f"{which} unit": values for which, values in kinds.items()} for m, kinds in boxes.items()}
    curve = figure(
        charts.arrival_chart(curves, salt=f"curve-{number}"),
        "Share of the units that have arrived. Line: median over the seeds; band: fastest to slowest seed.",
    )
    box = figure(
        charts.unit_chart(boxes, salt=f"box-{number}"),
        "Steps of arrival, each panel with its own scale. Box: quartiles and median; whiskers: least and greatest; "
        "mark: one seed.",
    )
    return f'<h3>Arrivals</h3>{_key(material.comparison.methods)}<div class="pair">{curve}{box}</div>'


def _crowding(material: _Material, name: str, scenario: Scenario) -> str:
    """Heat maps, mean over the seeds."""
    densities: dict[str, NDArray[np.float64]] = {}
    for method in material.comparison.methods:
        grids = [unpack(row.outcome.density).astype(np.float64) for row in material.of(name, method)]
        if grids:
            densities[method] = np.mean(grids, axis=0)
    if not densities:
        return ""
    maps = pictures.density_pictures(scenario, densities, width=_MAP_WIDTH)
    figures = "".join(
        figure(maps[method], f"<b>{_named(material.comparison, method)}</b>", look="map") for method in maps
    )
    shape = next(iter(densities.values())).shape
    block = -(-max(scenario.grid.width, scenario.grid.height) // max(shape))
    place = "cell" if block == 1 else f"block of {block} × {block} cells"
    top = pictures.density_top(densities)
    note = f"Mean number of units in each {place} over the steps of a run and over the seeds, on one scale:"
    return f'<h3>Crowding</h3><div class="row">{figures}</div><div class="note">{note}{_heat_scale(top)}</div>'


def _heat_scale(top: float) -> str:
    """The colours of the heat maps; half way along stands a quarter of the top, as the scale is a square root."""
    stops = ",".join(f"rgb({r},{g},{b})" for r, g, b in HEAT[:: len(HEAT) // 16, :3].tolist())
    ends = f"<span>0</span><span>{top / 4:.2g}</span><span>≥ {top:.2g}</span>"
    bar = f'<div class="heat" style="background:linear-gradient(90deg,{stops})"></div>'
    return f'<div class="scale">{ends}</div>{bar}'


def _moments(comparison: Comparison, name: str, scenario: Scenario, traces: dict[str, Trace]) -> str:
    """The same step of every method, half way through the best one's run."""
    medians = [steps for m in traces if (steps := comparison.entry(name, m).steps) is not None]
    if not medians:
        return ""
    step = round(min(medians) / 2)
    figures: list[str] = []
    for method, trace in traces.items():
        picture, arrived = pictures.moment_picture(
            scenario, trace, comparison.methods.index(method), step, width=_MAP_WIDTH
        )
        caption = f"<b>{_named(comparison, method)}</b>: {arrived} of {trace.size} units arrived"
        figures.append(figure(picture, caption, look="map"))
    note = f"Around step {step}, half of the lowest median, with seed {next(iter(traces.values())).seed}."
    return f'<h3>One moment</h3><div class="row">{"".join(figures)}</div><p class="note">{note}</p>'


def _counters(material: _Material, name: str) -> str:
    """Means of the counters for a unit, and arrivals."""
    comparison = material.comparison
    entries = [comparison.entry(name, method) for method in comparison.methods]
    rows = [
        [Cell("arrival of the first unit", head=True), *(Cell(_whole(e.first)) for e in entries)],
        [Cell("arrival of the middle unit", head=True), *(Cell(_whole(e.middle)) for e in entries)],
        [Cell("arrival of the last unit", head=True), *(Cell(_whole(e.steps)) for e in entries)],
    ]
    for counter in COUNTERS:
        cells = [Cell(_COUNTER_NAMES[counter], head=True)]
        for method in comparison.methods:
            means = [v for row in material.of(name, method) if (v := row.outcome.values[f"{counter}_mean"]) is not None]
            cells.append(Cell(f"{np.median(np.array(means, np.float64)):,.1f}" if means else "–"))
        rows.append(cells)
    rows.append([Cell("units left behind", head=True), *(Cell(_share(e.unfinished_units)) for e in entries)])
    head = ["", *comparison.methods]
    note = (
        "Arrivals: median over the seeds. Counters: mean over the units that arrived, then median over the seeds. All "
        "nine statistics of every counter and run are in <code>table.csv</code> and <code>results.parquet</code>."
    )
    return f'<h3>Counters</h3>{table(head, rows)}<p class="note">{note}</p>'


def _failures(comparison: Comparison) -> str:
    if not comparison.failures:
        return ""
    rows = [
        [
            Cell(text(f.scenario), head=True),
            Cell(text(f.method), "left"),
            Cell(str(f.seed)),
            Cell(text(f.status), "left"),
            Cell(text(f.reason), "left"),
        ]
        for f in comparison.failures
    ]
    note = "These runs have no numbers in the tables above; their methods are not ranked on these scenarios."
    return section(
        "Runs that failed",
        table(["scenario", "method", "seed", "status", "reason"], rows),
        f'<p class="note">{note}</p>',
    )


def _timings(comparison: Comparison) -> str:
    rows = [
        [
            Cell(text(e.scenario), head=True),
            Cell(_named(comparison, e.method), "left"),
            Cell(_seconds(e.planning_seconds)),
            Cell(_seconds(e.execution_seconds)),
        ]
        for e in comparison.entries
    ]
    note = (
        "Wall-clock time, median over the seeds. It depends on the machine and on what else it did, which is why it is "
        "kept out of the other tables. Planning is for all groups; loading the map is not part of it."
    )
    return section(
        "Computing time", table(["scenario", "method", "planning", "execution"], rows), f'<p class="note">{note}</p>'
    )


def _setting(material: _Material) -> str:
    """Everything that a result depends on."""
    manifest = material.manifest
    rows: list[list[Cell]] = []
    for number, entry in enumerate(manifest.scenarios):
        scenario = read_scenario(material.folder, number)
        limits, steering = scenario.limits, scenario.steering
        values = [f"{k} = {v:g}" if isinstance(v, float) else f"{k} = {v}" for k, v in vars(limits).items()]
        forces = [f"{k} = {v:g}" if isinstance(v, float) else f"{k} = {v}" for k, v in vars(steering).items()]
        rows.append(
            [
                Cell(text(entry.name) + f"<br/><small>{text(entry.source)}</small>", head=True),
                Cell(f"<code>{text(entry.hash)}</code>", "left"),
                Cell(text(", ".join(values)), "left"),
                Cell(text(", ".join(forces)), "left"),
            ]
        )
    seeds = ", ".join(map(str, manifest.seeds))
    made = ", ".join(f"{k} {v}" for k, v in manifest.platform.items())
    changed = (
        f"<li>options changed: <code>{text(' '.join(manifest.overrides))}</code></li>" if manifest.overrides else ""
    )
    facts = (
        f"<ul><li>seeds, the same for every method: {text(seeds)}</li>{changed}"
        f"<li>anabasis {text(manifest.package)} on {text(made)}</li></ul>"
    )
    return section("Setting", facts, table(["scenario", "state hash", "limits", "steering"], rows))


def _again(material: _Material) -> str:
    """How to get the same results."""
    manifest = material.manifest
    seeds = list(manifest.seeds)
    sources = [entry.source for entry in manifest.scenarios]
    parts: list[str] = []
    if manifest.task == TASK and all(sources) and seeds == list(range(len(seeds))):
        words = ["anabasis", "compare", *sources, "--methods", ",".join(manifest.methods), "--seeds", str(len(seeds))]
        for override in manifest.overrides:
            words += ["--set", override]
        parts.append(f"<pre>{text(shlex.join([*words, '--out', 'again.run']))}</pre>")
    parts.append(
        "<p>The scenarios themselves are in the results folder under <code>scenarios/</code>. The same version gives "
        "the same <code>table.csv</code>, byte for byte, with any number of workers. To write this page again:</p>"
        f"<pre>{text(shlex.join(['anabasis', 'report', material.folder.name]))}</pre>"
    )
    return section("Do it again", *parts)


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _whole(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %" if value else "0"


def _seconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{1000 * value:,.1f} ms" if value < 1 else f"{value:,.2f} s"
