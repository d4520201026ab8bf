"""Findings of a study, printed in colours, and as data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.cli.output import Output
    from anabasis.lab.studies.finding import Finding
    from anabasis.lab.studies.planning_record import Table

__all__ = ["findings_data", "say_findings", "say_study"]


def say_findings(output: Output, findings: Iterable[Finding], source: str = "source") -> None:
    """Print a line for each: green if it was reproduced, red if not."""
    for finding in findings:
        output.say(finding.line(source), style={True: "green", False: "red", None: "dim"}[finding.holds])


def say_study(
    output: Output, tables: Iterable[Table], findings: Iterable[Finding], report: Path, source: str = "source"
) -> None:
    """Print the tables of a study, its findings, and where its report is."""
    for made in tables:
        output.say(made.text() + "\n")
    say_findings(output, findings, source)
    output.say(f"report:  {report.resolve()}", style="bold green")


def findings_data(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings for programs."""
    return [{"claim": f.claim, "source": f.source, "measured": f.measured, "verdict": f.verdict} for f in findings]
