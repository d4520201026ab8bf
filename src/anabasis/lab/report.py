"""Report: a comparison as one HTML file that opens from disk: the result first, then what happened, then every detail.

It is made from the results folder alone, so it can be written again at any time, also of a comparison that was stopped.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from anabasis.io.atomic import write_atomic
from anabasis.lab import charts
from anabasis.lab.chapter import Material, chapter, key, named
from anabasis.lab.compare import read_comparison
from anabasis.lab.comparison import Comparison, Entry, Total
from anabasis.lab.manifest import read_manifest
from anabasis.lab.page import Cell, document, figure, section, share, table, text
from anabasis.lab.runner import TASK
from anabasis.lab.statistics import BANDS, MINIMUM_PAIRS, interval_text
from anabasis.lab.store import read_rows, read_scenario

__all__ = [
    "failures_section",
    "ratio_notes",
    "ratio_table",
    "setting_section",
    "timings_section",
    "write_report",
]


def write_report(run_folder: str | Path, path: str | Path) -> None:
    """Write the report of a results folder to an HTML file; the same results give the same bytes.

    Raises InputError for a folder without results, MissingExtraError without matplotlib.
    """
    charts.need_matplotlib()
    folder = Path(run_folder)
    material = Material(folder, read_manifest(folder), read_rows(folder), read_comparison(folder))
    comparison = material.comparison
    methods, scenarios = comparison.methods, comparison.scenarios
    title = f"{' · '.join(methods)} on {scenarios[0] if len(scenarios) == 1 else f'{len(scenarios)} scenarios'}"
    parts = [
        _top(title, comparison),
        _result(comparison),
        *(chapter(material, number) for number in range(len(scenarios))),
        failures_section(comparison),
        timings_section(comparison),
        setting_section(material),
        _again(material),
    ]
    colours = [charts.method_colour(i) for i in range(len(methods))]
    write_atomic(path, document(title, *parts, colours=colours).encode())


def _top(title: str, comparison: Comparison) -> str:
    sentences = "".join(f"<li>{text(sentence)}</li>" for sentence in comparison.sentences)
    return f'<header><h1>{text(title)}</h1><p class="lead">{text(comparison.headline)}</p><ul>{sentences}</ul></header>'


def ratio_table(comparison: Comparison) -> str:
    """Return the table of ratios in the thesis's bands, with totals."""
    rows = [
        [Cell(text(s), head=True), *(_ratio_cell(comparison.entry(s, m)) for m in comparison.methods)]
        for s in comparison.scenarios
    ]
    totals = comparison.totals
    stars = ["*" * bool(t.flagged) for t in totals]

    def line(what: str, cells: Iterable[str], *, starred: bool = True) -> list[Cell]:
        marked = (cell + star * starred for cell, star in zip(cells, stars, strict=True))
        return [Cell(what, head=True), *map(Cell, marked)]

    foot = [line("scenarios with the lowest median", (str(t.wins) for t in totals), starred=False)]
    if len(comparison.scenarios) > 1:
        foot += [line(f"scenarios {name} above the best", (str(t.bands[name]) for t in totals)) for name in BANDS]
        foot += [
            line("mean of the ratios", (_two(t.mean) for t in totals)),
            line("median of the ratios", (_two(t.median) for t in totals)),
            line("geometric mean of the ratios", (_mean_and_interval(t) for t in totals)),
            line("greatest ratio", (_two(t.worst) for t in totals)),
        ]
    foot.append(line("units left behind", (share(t.unfinished_units) for t in totals), starred=False))
    return table(["scenario", *comparison.methods], rows, foot=foot)


def _mean_and_interval(total: Total) -> str:
    span = f"<small>{text(interval_text(total.interval))}</small>" if total.interval else ""
    return f"{_two(total.geometric_mean)}{span}"


def ratio_notes() -> str:
    """Return what the table of ratios says and what its colours mean."""
    bands = "".join(
        f'<li><span class="band b{i}"></span>{text(name)} above the best</li>' for i, name in enumerate(BANDS)
    )
    bands += '<li><span class="band flag"></span>not ranked (*)</li>'
    note = (
        "Step at which the last unit reached its target, median over the seeds, as a ratio to the best method of the "
        "scenario; below it that step, and the 95 % bootstrap interval of the ratio over paired seeds "
        f"(from {MINIMUM_PAIRS} seeds on). The best is printed 1, a rounded tie 1.00. A method is not ranked (*) where "
        "a run failed or left units behind; one that left units behind counts with the step at which it ended, a lower "
        "bound, and one that failed not at all. The interval of a geometric mean is over scenarios."
    )
    return f'<ul class="key note">{bands}</ul><p class="note">{note}</p>'


def _result(comparison: Comparison) -> str:
    """The ratios as a table and as a chart."""
    chart = figure(
        charts.ratio_chart(comparison, salt="ratios"),
        "Ratios with their intervals; hollow: not ranked. An interval that crosses 1 shows no difference.",
        look="wide",
    )
    return section(
        "Result",
        ratio_table(comparison),
        ratio_notes(),
        key(comparison.methods),
        chart,
    )


def _ratio_cell(entry: Entry) -> Cell:
    look = f"ratio b{BANDS.index(entry.band)}" if entry.band else "ratio flag"
    if entry.ratio is None:
        return Cell("–<small>no valid run</small>", look)
    span = f"<small>{text(interval_text(entry.interval))}</small>" if entry.interval else ""
    return Cell(f"<b>{text(entry.text)}</b><small>{entry.steps_text} steps</small>{span}", look)


def failures_section(comparison: Comparison) -> str:
    """Return the list of runs without numbers that count, nothing if there are none."""
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


def timings_section(comparison: Comparison) -> str:
    """Return how long planning and execution took."""
    rows = [
        [
            Cell(text(e.scenario), head=True),
            Cell(named(comparison, e.method), "left"),
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


def setting_section(material: Material) -> str:
    """Return everything that a result depends on."""
    manifest = material.manifest
    rows: list[list[Cell]] = []
    steering: dict[str, list[str]] = {}
    for number, entry in enumerate(manifest.scenarios):
        scenario = read_scenario(material.folder, number)
        rows.append(
            [
                Cell(text(entry.name), head=True),
                Cell(text(entry.source or "made by a program"), "left"),
                Cell(f"<code>{text(entry.hash)}</code>", "left hash"),
                Cell(text(_settings(scenario.limits)), "left"),
            ]
        )
        steering.setdefault(_settings(scenario.steering), []).append(entry.name)
    forces = "".join(
        f"<p>Steering{text(' of ' + ', '.join(names)) if len(steering) > 1 else ''}: {text(values)}.</p>"
        for values, names in steering.items()
    )
    seeds = ", ".join(map(str, manifest.seeds))
    system, machine, *libraries = manifest.platform.items()
    made = f"{system[1]} {machine[1]}, with {', '.join(f'{name} {version}' for name, version in libraries)}"
    changed = (
        f"<li>options changed: <code>{text(' '.join(manifest.overrides))}</code></li>" if manifest.overrides else ""
    )
    facts = (
        f"<ul><li>seeds, the same for every method: {text(seeds)}</li>{changed}"
        f"<li>anabasis {text(manifest.package)}, source files <code>{text(manifest.program[:12] or 'unknown')}</code>, "
        f"on {text(made)}</li></ul>"
    )
    return section("Setting", facts, table(["scenario", "source", "state hash", "limits"], rows), forces)


def _settings(options: object) -> str:
    """Name and value of each option, as a scenario file writes them."""
    return ", ".join(
        f"{k} {v:g}" if isinstance(v, float) else f"{k} {str(v).lower()}" for k, v in vars(options).items()
    )


def _again(material: Material) -> str:
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
        f"<pre>{text(shlex.join(['anabasis', 'report', material.folder.resolve().name]))}</pre>"
    )
    return section("Do it again", *parts)


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _seconds(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{1000 * value:,.1f} ms" if value < 1 else f"{value:,.2f} s"
