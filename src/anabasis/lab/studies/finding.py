"""Finding: a claim of a published source beside what was measured here, and the table of them in a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anabasis.lab.page import Cell, section, table, text

__all__ = ["Finding", "findings_section"]

_LOOKS = {True: "left b1", False: "left b3", None: "left flag"}


@dataclass(frozen=True)
class Finding:
    """A claim, what the source found, what was measured, and whether it holds; None if it could not be tested."""

    claim: str
    source: str
    measured: str
    holds: bool | None

    @property
    def verdict(self) -> str:
        """The finding in a word or two."""
        return {True: "reproduced", False: "not reproduced", None: "not tested"}[self.holds]

    def line(self, source: str = "source") -> str:
        """Return the finding in a line: verdict, claim, our figures, and those of what is called `source` there."""
        return f"{self.verdict}: {self.claim}: {self.measured} ({source}: {self.source})"


def findings_section(found: Iterable[Finding], source: str) -> str:
    """Return the section of a page with a row for each finding; source: what the source is called there."""
    rows = [
        [
            Cell(text(finding.claim), head=True),
            Cell(text(finding.source), "left"),
            Cell(text(finding.measured), "left"),
            Cell(text(finding.verdict), _LOOKS[finding.holds]),
        ]
        for finding in found
    ]
    return section("Findings", table(["claim", f"in the {source}", "measured here", "verdict"], rows))
