"""Findings of a study, printed in colours, and as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anabasis.cli.output import Output
    from anabasis.lab.studies.finding import Finding

__all__ = ["findings_data", "say_findings"]


def say_findings(output: Output, findings: Iterable[Finding], source: str = "source") -> None:
    """Print a line for each: green if it was reproduced, red if not."""
    for finding in findings:
        output.say(finding.line(source), style={True: "green", False: "red", None: "dim"}[finding.holds])


def findings_data(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings for programs."""
    return [{"claim": f.claim, "source": f.source, "measured": f.measured, "verdict": f.verdict} for f in findings]
