"""The study of formations written down: a page, a text, a CSV file for each table.

The source is M. Švagerka, "Adaptivní formace pro virtuální agenty", Charles University, 2011.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anabasis.formation.files import example, load_manoeuvre
from anabasis.formation.march import march
from anabasis.lab.charts import method_colour, panels_figure, plain_powers
from anabasis.lab.page import document, figure, section, text
from anabasis.lab.studies.finding import Finding, findings_section
from anabasis.lab.studies.formation_factors import FACTORS, SCENARIOS, Factor
from anabasis.lab.studies.formation_findings import formation_findings
from anabasis.lab.studies.formation_study import Move
from anabasis.lab.studies.formation_tables import formation_tables, of_option
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.written import finding_lines, table_section, write_study
from anabasis.view.formations import march_scene
from anabasis.view.svg import to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FormationStudy", "formation_text", "judged", "write_formations"]

_TITLE = "Formations that hold their shape through terrain"
_FACTS = (
    "E_1 is the value at k = 1 of the exponential that is fitted to F(k), the integral of the k-th power of the error "
    "of the shape over the march; lower is better. The error is the mean of that of distances and that of angles.",
    "The source's terrain is lost, all but its descriptions; so are its constants of time, and which 128 of the 6,144 "
    "marches it left out. Here the terrain is designed anew, and all are made. Ours and the source's Ë can't be "
    "compared: its fit breaks down in the arithmetic of computers at the size of its own figures.",
    "Everything here is the same in every run.",
)
_QUICK = "This is the quick study, of three of the eight formations, without two methods of synchronisation: a hint."


@dataclass(frozen=True)
class FormationStudy:
    """The study: tables by name, what was found, and how many marches it is made of."""

    tables: dict[str, Table]
    findings: tuple[Finding, ...]
    moves: tuple[Move, ...]
    quick: bool


def judged(moves: Sequence[Move], *, quick: bool = False) -> FormationStudy:
    """Return tables and findings of the marches."""
    tables = formation_tables(moves)
    return FormationStudy(tables, tuple(formation_findings(moves, tables)), tuple(moves), quick)


def formation_text(study: FormationStudy) -> str:
    """Return findings and tables as plain text."""
    head = "\n".join([_TITLE, *_facts(study)])
    tables = [made.text() for made in study.tables.values()]
    return "\n\n".join([head, finding_lines(study.findings), *tables]) + "\n"


def write_formations(study: FormationStudy, folder: str | Path) -> Path:
    """Write `report.html`, `report.txt` and a CSV file for each table into a folder; return the page's path."""
    return write_study(folder, study.tables, {"report.txt": formation_text(study)}, _page(study))


def _facts(study: FormationStudy) -> list[str]:
    return [f"{len(study.moves)} marches.", *_FACTS, *([_QUICK] if study.quick else [])]


def _page(study: FormationStudy) -> str:
    counts = {kind: sum(f.holds is kind for f in study.findings) for kind in (True, False)}
    facts = "".join(f'<p class="note">{text(line)}</p>' for line in _facts(study))
    top = (
        f'<header><h1>{text(_TITLE)}</h1><p class="lead">Of {len(study.findings)} claims {counts[True]} are reproduced '
        f"and {counts[False]} {'is' if counts[False] == 1 else 'are'} not.</p><p>After a Czech master's thesis on "
        f"adaptive formations, 2011: four modules that can be chosen each by itself, on six scenarios.</p>{facts}"
        "</header>"
    )
    return document(
        _TITLE,
        top,
        findings_section(study.findings, "source"),
        _chart_section(study.moves),
        _way_section(),
        *(table_section(made) for made in study.tables.values()),
        colours=[],
    )


def _chart_section(moves: Sequence[Move]) -> str:
    """Return how E_1 spreads for each option of each factor, the source's medians beside."""
    figures = [
        figure(
            panels_figure([_spread(factor, moves)], 5.4, 0.9 + 0.36 * len(factor.options), factor.name, grid="x"),
            text(
                f"{factor.name}: median, quartiles, and the middle nine tenths of E_1; "
                "the source's medians as crosses, of another scale of their own."
            ),
        )
        for factor in FACTORS
    ]
    return section("E_1 by module", f'<div class="pair">{"".join(figures)}</div>')


def _spread(factor: Factor, moves: Sequence[Move]) -> Callable[[Axes], None]:
    def draw(axes: Axes) -> None:
        shown = {o: [m.values["e1"] for m in of_option(moves, factor.name, o)] for o in factor.options}
        shown = {option: values for option, values in shown.items() if values}
        for row, (option, values) in enumerate(shown.items()):
            low, first, middle, third, high = np.quantile(np.maximum(values, 1.0), (0.05, 0.25, 0.5, 0.75, 0.95))
            colour = method_colour(0)
            axes.plot([low, high], [row, row], color=colour, linewidth=1)
            axes.plot([first, third], [row, row], color=colour, linewidth=6, alpha=0.4, solid_capstyle="butt")
            axes.plot(middle, row, "o", color=colour, markersize=6)
            axes.plot(1000 * factor.medians[option][0], row, "x", color=method_colour(1), markersize=6)
        axes.set_xscale("log")
        plain_powers(axes.xaxis, (1.0,))
        axes.set_yticks(range(len(shown)), list(shown))
        axes.set_ylim(len(shown) - 0.5, -0.5)
        axes.set_xlabel("E_1")

    return draw


def _way_section() -> str:
    """Return a march in each scenario as it is by default."""
    figures: list[str] = []
    for name in SCENARIOS:
        manoeuvre = load_manoeuvre(example(name))
        found = march(manoeuvre, every=5).value
        if found is not None:
            caption = f"{name.replace('_', ' ')}: a wedge of five, in the combined space, by periodic planning."
            figures.append(figure(to_svg(march_scene(manoeuvre, found), width=480), text(caption), look="map"))
    return section("The scenarios", f'<div class="pair">{"".join(figures)}</div>')
