"""What the source claims of RRT, held against our tables, for both lengths of a segment.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011). C and a number
is a claim of its author, T and a number a target that follows from its tables.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_record import Table
from anabasis.lab.studies.planning_rrt import CHOSEN, DISTANCE, FITTED

__all__ = ["findings", "game_findings"]

_MOST, _MEDIAN, _AVERAGE = 1, 2, 3  # the rows of a table
_ORDER, _TAIL, _CHANCE = 10.0, 30.0, 0.05
_WHY = "our search for the nearest state looks at few of them, so a late sample costs little more than an early one"


def findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what the source claims, held against the tables rrt-10, rrt-race-10, rrt-5 and rrt-race-5."""
    found: list[Finding] = []
    for step, kind in ((CHOSEN, "chosen before"), (FITTED, "fitted to its numbers of states")):
        of = _Figures(tables[f"rrt-{step:g}"], tables[f"rrt-race-{step:g}"], f"; segments of {step:g} px, {kind}")
        found += [of.lengths(), of.order(), of.faster(), of.short(), of.tail(), of.restarts()]
    return found


class _Figures:
    """The figures of the two tables for one length of a segment, and the claims held against them."""

    def __init__(self, table: Table, race: Table, which: str) -> None:
        self.table, self.race, self.which = table, race, which

    def at(self, name: str, row: int) -> float:
        """Return a statistic of a column."""
        return self.table.column(name)[row]

    def spread(self, what: str) -> list[float]:
        """Return how many times the median the most is, in the empty map and among obstacles."""
        return [self.at(f"{place} {what}", _MOST) / self.at(f"{place} {what}", _MEDIAN) for place in _PLACES]

    def ratios(self, kind: str, row: int) -> list[float]:
        """Return by how much samples of another kind of run differ from those of plain runs."""
        return [self.at(f"{place} {kind} samples", row) / self.at(f"{place} samples", row) for place in _PLACES]

    def tails(self) -> str:
        """Return the spread in our time, in samples, and as it would be if each sample looked at all states."""
        time, samples = self.spread("t ms"), self.spread("samples")
        square = [ratio**2 for ratio in self.spread("n")]
        return (
            f"{time[0]:.1f} and {time[1]:.1f} times the median in our time, {samples[0]:.1f} and {samples[1]:.1f} in "
            f"samples, and {square[0]:.0f} and {square[1]:.0f} were time the square of the states, as with a search "
            "that looks at all of them"
        )

    def lengths(self) -> Finding:
        """C12."""
        longest = self.at("free l px", _MOST) / DISTANCE
        more = self.race.column("longest")[1]
        return Finding(
            f"C12{self.which}: in free space the way is at most twice the shortest one",
            "1.955 at most, 1.38 in the mean, over 100 runs",
            f"{longest:.3f} at most, {self.at('free l px', _AVERAGE) / DISTANCE:.2f} in the mean; in the many runs "
            f"between other ends {more:.3f} at most; nothing keeps it below 2",
            longest <= 2 and more <= 2,
        )

    def order(self) -> Finding:
        """C13."""
        most, median = ([self.at(f"{place} t ms", row) for place in _PLACES] for row in (_MOST, _MEDIAN))
        return Finding(
            f"C13{self.which}: a run takes units of seconds at most, and the median an order of magnitude less (10 "
            "times, in time)",
            "8.1 and 6.3 s; medians 0.205 and 0.150 s: 39 and 42 times",
            f"{most[0]:.2f} and {most[1]:.2f} ms at most, medians {median[0]:.3f} and {median[1]:.3f} ms; the slowest "
            f"takes {self.tails()}",
            max(most) < 10_000 and min(self.spread("t ms")) >= _ORDER,
        )

    def faster(self) -> Finding:
        """C14."""
        time, samples, states, looks = (self.race.column(what) for what in ("t ms", "samples", "states", "looks"))
        other = [self.at(f"{place} t ms", _MEDIAN) for place in _PLACES]
        return Finding(
            f"C14{self.which}: faster among obstacles, which keep the tree from growing sideways (in time, between the "
            "same ends)",
            "medians 150 and 205 ms, but with other ends",
            f"{time[0]:.3f} ms among obstacles and {time[1]:.3f} without (medians; p = {time[2]:.1g}); "
            f"{samples[0]:.0f} and {samples[1]:.0f} samples (p = {samples[2]:.1g}), {states[0]:.0f} and "
            f"{states[1]:.0f} states (p = {states[2]:.1g}); had each sample looked at all states, "
            f"{looks[0] / looks[1]:.2f} times as long (p = {looks[2]:.1g}). With other ends, as in the source, "
            f"{other[1]:.3f} and {other[0]:.3f} ms",
            time[0] < time[1] and time[2] < _CHANCE,
        )

    def short(self) -> Finding:
        """T8, of lengths."""
        longest = self.at("free l px", _MOST) / DISTANCE
        return Finding(
            f"T8{self.which}: every length of 100 runs below twice the straight line",
            "1.955",
            f"{longest:.3f}",
            longest < 2,
        )

    def tail(self) -> Finding:
        """T8, of times."""
        return Finding(
            f"T8{self.which}: the slowest run takes over 30 times the median (in our time)",
            "39 and 42 times",
            f"{self.tails()}; {_WHY}",
            min(self.spread("t ms")) > _TAIL,
        )

    def restarts(self) -> Finding:
        """T8, of restarts."""
        cut, mean, bias = (
            self.ratios("restarted", _MOST),
            self.ratios("restarted", _AVERAGE),
            self.ratios("biased", _MOST),
        )
        return Finding(
            f"T8{self.which}: restarts make the tail shorter",
            "proposed, not done",
            f"the slowest run takes {cut[0]:.2f} and {cut[1]:.2f} times as many samples as without, the mean "
            f"{mean[0]:.2f} and {mean[1]:.2f} times; with 5 % of the samples at the goal the slowest takes "
            f"{bias[0]:.2f} and {bias[1]:.2f} times",
            max(cut) < 1,
        )


_PLACES = ("free", "obstacles")


def game_findings(tables: Mapping[str, Table]) -> list[Finding]:
    """Return what of the claims can be asked of maps of games, held against the table rrt-games."""
    table = tables["rrt-games"]
    rows = {(str(row["map"]), str(next(v for k, v in row.items() if k.startswith("of ")))): row for row in table.rows}
    maps = list(dict.fromkeys(name for name, _ in rows))

    def at(name: str, statistic: str, column: str) -> float:
        return float(str(rows[name, statistic][column]))

    longest = [at(m, "max", "free l px") / at(m, "max", "straight px") for m in maps]
    among = [at(m, "max", "obstacles l px") / at(m, "max", "optimum px") for m in maps]
    tails = [at(m, "max", "obstacles t ms") / at(m, "median", "obstacles t ms") for m in maps]
    open_tails = [at(m, "max", "free t ms") / at(m, "median", "free t ms") for m in maps]
    race = [at(m, "median", "obstacles t ms") / at(m, "median", "free t ms") for m in maps]
    beside = ", ".join("no way found" if np.isnan(r) else f"{r:.2f}" for r in among)
    gave_up = ", ".join(f"{m} {at(m, 'max', 'obstacles gave up'):.0f}" for m in maps)
    return [
        Finding(
            "C12 on maps of games: without obstacles the way is at most twice the shortest one",
            "1.955 at most",
            f"{', '.join(f'{r:.2f}' for r in longest)} at most; among obstacles, to the optimum, {beside} "
            f"(runs that gave up: {gave_up})",
            max(longest) <= 2,
        ),
        Finding(
            "C13 on maps of games: the median is an order of magnitude below the slowest run (10 times, in time)",
            "39 and 42 times",
            f"among obstacles {', '.join(f'{r:.1f}' for r in tails)} times, without them "
            f"{', '.join(f'{r:.1f}' for r in open_tails)}; where runs gave up the limit cuts the slowest off",
            min(*tails, *open_tails) >= _ORDER,
        ),
        Finding(
            "C14 on maps of games: faster among obstacles than without them (medians of time, the same ends)",
            "150 to 205 ms: 0.73, with other ends",
            f"{', '.join(f'{r:.2f}' for r in race)} times as long ({', '.join(maps)})",
            bool(np.max(race) < 1),
        ),
    ]
