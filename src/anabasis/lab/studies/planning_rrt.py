"""RRT a hundred times: how long it takes and how long its ways are, without and with restarts.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011): its table 5.7.
Its length of a segment, its rule for attaching the goal and its ends among obstacles are not printed. Here a segment is
at most 5 pixels long and the goal is attached from as far if it is seen: of whole numbers from 3 to 10 that comes
nearest to the published numbers of states. The ends among obstacles have a shortest way that is to the published
lengths as in the empty map; between them RRT is run in the empty map too, so that obstacles are all that differs.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from anabasis.lab.studies.flow_claims import Finding
from anabasis.lab.studies.planning_maps import empty_map, obstacle_map
from anabasis.lab.studies.planning_record import Table, timed
from anabasis.search.rrt import rrt
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["AMONG", "FREE", "findings", "race_table", "rrt_table"]

DISTANCE = 240.6
STEP, BIAS = 5.0, 0.05
FREE = ((330.0, 92.5), (118.0, 92.5 + (DISTANCE**2 - 212.0**2) ** 0.5))
AMONG = ((300.0, 40.0), (90.0, 220.0))
Ends = tuple[tuple[float, float], tuple[float, float]]
_STATISTICS = {"min": np.min, "max": np.max, "median": np.median, "average": np.mean}
# free: time, length, states; among obstacles: time and length (of the states only the average is known)
_SOURCE = {
    "min": (2, 274.1, 94, 5, 335.9, None),
    "max": (8075, 470.4, 6729, 6333, 560.9, None),
    "median": (205, 322.1, 1287, 150, 389.3, None),
    "average": (605.6, 332.5, 1585, 437.3, 399.0, 1366),
}


def rrt_table(*, runs: int = 100, restart: int | None = None) -> Table:
    """Return table 5.7, as columns "place figure" with the places free, obstacles, and open: without the obstacles.

    restart: samples after which a tree is given up in further columns, by default the median of the runs without
    restarts in the empty map. Yet other columns have every twentieth sample at the goal itself.
    """
    places = {"free": (empty_map(), FREE), "obstacles": (obstacle_map(), AMONG), "open": (empty_map(), AMONG)}
    columns: dict[str, list[float]] = {}
    for name, (world, ends) in places.items():
        columns |= _figures(name, world, ends, runs)
    threshold = restart or int(np.median(columns["free samples"]))
    for name in ("free", "obstacles"):
        columns |= _figures(f"{name} restarted", *places[name], runs, restart=threshold)
        columns |= _figures(f"{name} biased", *places[name], runs, bias=BIAS)
    names = "free t ms", "free l px", "free n", "obstacles t ms", "obstacles l px", "obstacles n"
    rows = [
        {
            f"of {runs} runs": statistic,
            **{name: float(take(values)) for name, values in columns.items()},
            **{f"source {name}": value for name, value in zip(names, _SOURCE[statistic], strict=True)},
        }
        for statistic, take in _STATISTICS.items()
    ]
    best = {name: VisibilityGraph(world).find(*ends).value for name, (world, ends) in places.items()}
    lengths = ", ".join(f"{path.cost:.1f} px ({name})" for name, path in best.items() if path is not None)
    note = f"shortest ways: {lengths}; n: states of the tree; samples: of all trees; restarts after {threshold} samples"
    return Table("Table 5.7: RRT", tuple(rows), note)


def _figures(
    name: str, world: World, ends: Ends, runs: int, *, restart: int = 0, bias: float = 0.0
) -> dict[str, list[float]]:
    """Return time, length, states and samples of each run."""
    figures: dict[str, list[float]] = {f"{name} {what}": [] for what in ("t ms", "l px", "n", "samples")}
    for seed in range(runs):
        run = partial(rrt, world, *ends, seed=seed, step=STEP, restart=restart, bias=bias)
        result, spent = timed(run, 1)
        if result.value is None:
            raise ValueError(f"RRT found no way with seed {seed}: {result.reason}")
        values = spent, result.value.cost, result.stats["states"], result.stats["iterations"]
        for row, value in zip(figures.values(), values, strict=True):
            row.append(float(value))
    return figures


def race_table(*, runs: int = 1000) -> Table:
    """Return how RRT does between the same ends with and without obstacles, as medians over many runs.

    longest: the longest way, to the straight line. looks: samples times states, what a search for the nearest state
    that looks at all of them takes. p: how likely numbers at least so different are without any difference (H. Mann
    and D. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other", 1947).
    """
    from scipy.stats import mannwhitneyu

    figures: dict[str, dict[str, list[float]]] = {}
    longest: dict[str, float] = {}
    for name, world in (("obstacles", obstacle_map()), ("open", empty_map())):
        columns = _figures(name, world, AMONG, runs)
        samples, states = columns[f"{name} samples"], columns[f"{name} n"]
        looks = [a * b for a, b in zip(samples, states, strict=True)]
        longest[name] = max(columns[f"{name} l px"]) / float(np.hypot(*np.subtract(*AMONG)))
        figures[name] = {"samples": samples, "states": states, "looks": looks}
    rows: list[dict[str, object]] = [
        {"map": name, **{what: float(np.median(v)) for what, v in of.items()}, "longest": longest[name]}
        for name, of in figures.items()
    ]
    chance = {
        what: float(mannwhitneyu(values, figures["open"][what]).pvalue) for what, values in figures["obstacles"].items()
    }
    return Table(f"RRT with and without obstacles, medians of {runs} runs", (*rows, {"map": "p", **chance}))


def findings(table: Table, race: Table) -> list[Finding]:
    """Return what the source claims of RRT, held against our tables."""
    _, most, median, average = range(4)

    def at(name: str, which: int) -> float:
        return table.column(name)[which]

    longest = at("free l px", most) / DISTANCE
    names = ("free", "obstacles")
    tail = [at(f"{name} samples", most) / at(f"{name} samples", median) for name in names]
    # a search for the nearest state that looks at all of them takes time in proportion to the square of the states
    linear = [(at(f"{name} n", most) / at(f"{name} n", median)) ** 2 for name in names]
    cut = [at(f"{name} restarted samples", most) / at(f"{name} samples", most) for name in names]
    mean = [at(f"{name} restarted samples", average) / at(f"{name} samples", average) for name in names]
    bias = [at(f"{name} biased samples", most) / at(f"{name} samples", most) for name in names]
    samples, states, looks = (race.column(what) for what in ("samples", "states", "looks"))
    return [
        Finding(
            "C12: in free space the way is at most twice the shortest one",
            "1.955 at most, 1.38 in the mean, over 100 runs",
            f"{longest:.3f} at most, {at('free l px', average) / DISTANCE:.2f} in the mean; over ten times as many "
            f"runs between other ends {race.column('longest')[1]:.3f} at most; nothing keeps it below 2",
            longest <= 2,
        ),
        Finding(
            "C13: a run takes units of seconds at most, and the median an order of magnitude less (5 times at least)",
            "8.1 and 6.3 s; medians 0.205 and 0.150 s",
            f"{at('free t ms', most):.1f} and {at('obstacles t ms', most):.1f} ms at most, medians "
            f"{at('free t ms', median):.2f} and {at('obstacles t ms', median):.2f} ms; {tail[0]:.1f} and "
            f"{tail[1]:.1f} times as many samples as the median",
            max(at("free t ms", most), at("obstacles t ms", most)) < 8000 and min(tail) > 5,
        ),
        Finding(
            "C14: faster among obstacles, which keep the tree from growing sideways",
            "medians 150 and 205 ms, but with other ends",
            f"between the same ends {samples[0]:.0f} samples among obstacles and {samples[1]:.0f} without, "
            f"{states[0]:.0f} and {states[1]:.0f} states (medians; p = {samples[2]:.1g} and {states[2]:.1g}); had each "
            f"sample looked at all states, {looks[0] / looks[1]:.2f} times as long (p = {looks[2]:.1g})",
            looks[0] < looks[1] and looks[2] < 0.05,
        ),
        Finding(
            "T8: lengths below twice the straight line, and the slowest run takes over 30 times the median",
            "1.955; 39 and 42 times",
            f"{longest:.3f}; {tail[0]:.1f} and {tail[1]:.1f} times as many samples; had each looked at all states "
            f"for the nearest, {linear[0]:.0f} and {linear[1]:.0f} times as long",
            longest < 2 and min(linear) > 30,
        ),
        Finding(
            "T8: restarts make the tail shorter",
            "proposed, not done",
            f"the slowest run takes {cut[0]:.2f} and {cut[1]:.2f} times as many samples as without, the mean "
            f"{mean[0]:.2f} and {mean[1]:.2f} times: a tree that fills the map waits for a sample near the goal, and "
            "forgets nothing by waiting. With 5 % of the samples at the goal the slowest takes "
            f"{bias[0]:.2f} and {bias[1]:.2f} times",
            max(cut) < 1,
        ),
    ]
