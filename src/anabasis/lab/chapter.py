"""Chapter: the part of a report about one scenario: routes, ways, arrivals, crowding, one moment, counters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anabasis.io.archive import load
from anabasis.lab import charts, pictures
from anabasis.lab.bounds import gap_text
from anabasis.lab.comparison import Comparison
from anabasis.lab.manifest import Manifest
from anabasis.lab.page import Cell, figure, section, share, table, text, whole
from anabasis.lab.store import read_scenario
from anabasis.lab.trial import Row, unpack
from anabasis.lab.ways import DRAWN_UNITS, plan_file, walked_ways
from anabasis.plan import GroupPlan
from anabasis.scenario import Scenario
from anabasis.trace import COUNTERS, Trace
from anabasis.view.palette import HEAT, Colour, group_colour

__all__ = ["Material", "chapter", "key", "named"]

_MAP_WIDTH = 340  # px, as wide as the place of three in a row, so that letters keep their size


@dataclass(frozen=True)
class Material:
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


_COUNTER_NAMES = {
    "wall_collisions": "steps touching a wall, per unit",
    "unit_collisions": "steps touching another unit, per unit",
    "updates": "steps under way, per unit",
    "not_full_move": "steps below full speed, per unit",
    "cant_move": "steps hardly moving, per unit",
    "distance_travelled": "way walked in cells, per unit",
    "replans": "new plans, per unit",
}


def key(methods: tuple[str, ...]) -> str:
    """Return the list of methods with their colours."""
    items = "".join(f'<li><span class="dot m{i}"></span>{text(m)}</li>' for i, m in enumerate(methods))
    return f'<ul class="key">{items}</ul>'


def named(comparison: Comparison, method: str) -> str:
    """Return a method's name with its colour."""
    return f'<span class="dot m{comparison.methods.index(method)}"></span> {text(method)}'


def chapter(material: Material, number: int, *, brief: bool = False) -> str:
    """Return the section about the scenario of that number; a brief one has planned routes and arrivals alone."""
    comparison = material.comparison
    name = comparison.scenarios[number]
    scenario = read_scenario(material.folder, number)
    head = [f'<p class="facts">{_facts(scenario)}</p>']
    if len(comparison.scenarios) > 1:  # of one alone it stands at the top of the page
        head.append(f"<p>{text(comparison.sentences[number].removeprefix(name + ': '))}</p>")
    if scenario.note:
        head.append(f'<p class="note">{text(scenario.note)}</p>')
    kept = _kept(material, name)
    traces = {method: trace for method, file in kept.items() if isinstance(trace := load(file), Trace)}
    return section(
        f"Scenario: {name}",
        *head,
        _planned(material, scenario, kept),
        "" if brief else _walked(material, scenario, traces),
        _arrivals(material, name, number),
        "" if brief else _crowding(material, name, scenario),
        "" if brief else _moments(comparison, name, scenario, traces),
        "" if brief else _counters(material, name),
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


def _kept(material: Material, scenario: str) -> dict[str, Path]:
    """Return for each method where the trace of the first seed's run stands, if it was kept and counts."""
    places: dict[str, Path] = {}
    for method in material.comparison.methods:
        for row in material.of(scenario, method):
            file = material.folder / "traces" / f"{row.run.stem}.npz"
            if row.run.seed == material.manifest.seeds[0] and file.exists():
                places[method] = file
    return places


def _planned(material: Material, scenario: Scenario, kept: dict[str, Path]) -> str:
    """What was planned: in the colours of routes where a plan has a few, else in that of the method."""
    comparison = material.comparison
    figures: list[str] = []
    for method, file in kept.items():
        plan = _load(plan_file(file))
        if not isinstance(plan, GroupPlan):
            continue
        colours = pictures.route_colours(plan.route)
        caption = f"<b>{named(comparison, method)}</b>"
        if colours:
            picture = pictures.routes_picture(scenario, plan, colours, width=_MAP_WIDTH)
            counts = (f"{_dot(colour)} {int((plan.route == number).sum()):,}" for number, colour in colours.items())
            caption += f": units on each route {', '.join(counts)}"
        else:
            ways = [way for unit in range(plan.size) if len(way := plan.path(unit))]
            picture = pictures.ways_picture(scenario, ways, comparison.methods.index(method), width=_MAP_WIDTH)
        figures.append(figure(picture, caption, look="map"))
    note = (
        f"First plans{_some(material, scenario)}, to the targets (rings); of a shared field the lines along it from "
        "the units."
    )
    return _maps("Planned routes", figures, note)


def _walked(material: Material, scenario: Scenario, traces: dict[str, Trace]) -> str:
    """What was walked."""
    comparison = material.comparison
    figures = [
        figure(
            pictures.ways_picture(scenario, walked_ways(trace), comparison.methods.index(method), width=_MAP_WIDTH),
            f"<b>{named(comparison, method)}</b>",
            look="map",
        )
        for method, trace in traces.items()
    ]
    note = f"Ways{_some(material, scenario)}, from the starts to the targets (rings)."
    return _maps("Ways walked", figures, note)


def _some(material: Material, scenario: Scenario) -> str:
    some = f" of {DRAWN_UNITS} of the {scenario.size:,} units" if scenario.size > DRAWN_UNITS else ""
    return f"{some}, with seed {material.manifest.seeds[0]}"


def _maps(title: str, figures: list[str], note: str) -> str:
    if not figures:
        return ""
    return f'<h3>{title}</h3><div class="row">{"".join(figures)}</div><p class="note">{note}</p>'


def _load(file: Path) -> object:
    """The noun of an archive, None if there is no such file."""
    return load(file) if file.exists() else None


def _arrivals(material: Material, name: str, number: int) -> str:
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
        "First, middle and last arrival among the units that arrived, each with its own scale. Box: quartiles and "
        "median; whiskers: least and greatest; mark: one seed.",
    )
    density = figure(
        charts.density_chart(curves, salt=f"density-{number}"),
        "Kernel density of the arrivals of all seeds, as units of one run in 100 steps.",
    )
    names = key(material.comparison.methods)
    return f'<h3>Arrivals</h3>{names}<div class="pair">{curve}{density}{box}</div>'


def _crowding(material: Material, name: str, scenario: Scenario) -> str:
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
        figure(maps[method], f"<b>{named(material.comparison, method)}</b>", look="map") for method in maps
    )
    block = pictures.density_block(scenario.grid, next(iter(densities.values())))
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
    split = False
    for method, trace in traces.items():
        picture, arrived = pictures.moment_picture(
            scenario, trace, comparison.methods.index(method), step, width=_MAP_WIDTH
        )
        caption = f"<b>{named(comparison, method)}</b>: {arrived:,} of {trace.size:,} units arrived"
        split |= len(scenario.groups) == 1 and bool(pictures.route_colours(trace.route))
        figures.append(figure(picture, caption, look="map"))
    note = f"Around step {step:,}, half of the lowest median, with seed {next(iter(traces.values())).seed}."
    if len(scenario.groups) > 1:
        names = (
            f"{_dot(group_colour(g))} {text(group.name or f'group {g}')}" for g, group in enumerate(scenario.groups)
        )
        note += f" Colours are those of the groups: {', '.join(names)}."
    elif split:
        note += " A group that was split is in the colours of the planned routes above."
    return f'<h3>One moment</h3><div class="row">{"".join(figures)}</div><p class="note">{note}</p>'


def _dot(colour: Colour) -> str:
    """A colour as a dot."""
    red, green, blue, _ = colour
    return f'<span class="dot" style="--method:rgb({red},{green},{blue})"></span>'


def _counters(material: Material, name: str) -> str:
    """Means of the counters for a unit, and arrivals."""
    comparison = material.comparison
    entries = [comparison.entry(name, method) for method in comparison.methods]
    rows = [
        [Cell("arrival of the first unit", head=True), *(Cell(whole(e.first)) for e in entries)],
        [Cell("arrival of the middle unit", head=True), *(Cell(whole(e.middle)) for e in entries)],
        [Cell("arrival of the last unit", head=True), *(Cell(e.steps_text) for e in entries)],
    ]
    if any(e.predicted is not None for e in entries):
        rows.append([Cell("its prediction", head=True), *(Cell(whole(e.predicted)) for e in entries)])
    if any(e.network_bound is not None for e in entries):
        rows.append([Cell("quickest flow in the network", head=True), *(Cell(whole(e.network_bound)) for e in entries)])
    if any(e.bound is not None for e in entries):
        rows.append([Cell("proved lower bound", head=True), *(Cell(whole(e.bound)) for e in entries)])
        rows.append([Cell("gap to the proved bound", head=True), *(Cell(gap_text(e.steps, e.bound)) for e in entries)])
    for counter in COUNTERS:
        cells = [Cell(_COUNTER_NAMES[counter], head=True)]
        for method in comparison.methods:
            means = [v for row in material.of(name, method) if (v := row.outcome.values[f"{counter}_mean"]) is not None]
            cells.append(Cell(f"{np.median(np.array(means, np.float64)):,.1f}" if means else "–"))
        rows.append(cells)
    rows.append([Cell("units left behind", head=True), *(Cell(share(e.unfinished_units)) for e in entries)])
    head = ["", *comparison.methods]
    note = (
        "Arrivals: median over the seeds. The proved lower bound holds for any plan whatever. The quickest flow is the "
        "best that a method's network has, by its lengths and the rates that gates were measured to have; it proves "
        "nothing about runs. Counters: mean over the units that arrived, then median over the seeds. All nine "
        "statistics of every counter and run are in <code>table.csv</code> and <code>results.parquet</code>."
    )
    return f'<h3>Counters</h3>{table(head, rows)}<p class="note">{note}</p>'
