"""RRT a hundred times: how long it takes and how long its ways are, without and with restarts.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011): its table 5.7.
Its length of a segment, its rule for attaching the goal and its ends among obstacles are not printed. Two lengths stand
side by side: 10 pixels, chosen before any figure was seen, and 5 pixels, which of whole numbers from 3 to 10 comes
nearest to the published numbers of states and so is fitted to them. The goal is attached from as far if it is seen. The
ends among obstacles have a shortest way that is to the published lengths as in the empty map; between them RRT is run
in the empty map too, so that obstacles are all that differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from anabasis.lab.studies.planning_games import GameMap
from anabasis.lab.studies.planning_maps import empty_map, obstacle_map
from anabasis.lab.studies.planning_record import PEAK, Table, allocated, timed
from anabasis.lab.studies.planning_source import RRT
from anabasis.search.rrt import rrt
from anabasis.search.visibility_graph import VisibilityGraph
from anabasis.world import World

__all__ = ["AMONG", "CHOSEN", "DISTANCE", "FITTED", "FREE", "game_table", "race_table", "rrt_table"]

DISTANCE = 240.6
CHOSEN, FITTED = 10.0, 5.0  # px, the greatest length of a segment
BIAS = 0.05
FREE = ((330.0, 92.5), (118.0, 92.5 + (DISTANCE**2 - 212.0**2) ** 0.5))
AMONG = ((300.0, 40.0), (90.0, 220.0))
Ends = tuple[tuple[float, float], tuple[float, float]]
_STATISTICS = {"min": np.nanmin, "max": np.nanmax, "median": np.nanmedian, "average": np.nanmean}
_NAMES = ("free t ms", "free l px", "free n", "obstacles t ms", "obstacles l px", "obstacles n")
_TESTED = ("samples", "states", "looks", "t ms")


def rrt_table(*, runs: int = 100, restart: int | None = None, step: float = FITTED) -> Table:
    """Return table 5.7, as columns "place figure" with the places free, obstacles, and open: without the obstacles.

    restart: samples after which a tree is given up in further columns, by default the median of the runs without
    restarts in the empty map. Yet other columns have every twentieth sample at the goal itself.
    """
    places = {"free": (empty_map(), FREE), "obstacles": (obstacle_map(), AMONG), "open": (empty_map(), AMONG)}
    columns: dict[str, list[float]] = {}
    for name, (world, ends) in places.items():
        columns |= _figures(name, world, ends, runs, step)
    threshold = restart or int(np.median(columns["free samples"]))
    for name in ("free", "obstacles"):
        columns |= _figures(f"{name} restarted", *places[name], runs, step, restart=threshold)
        columns |= _figures(f"{name} biased", *places[name], runs, step, bias=BIAS)
    rows = [
        {
            f"of {runs} runs": statistic,
            **{name: float(take(values)) for name, values in columns.items()},
            **{f"source {name}": value for name, value in zip(_NAMES, RRT[statistic], strict=True)},
        }
        for statistic, take in _STATISTICS.items()
    ]
    best = {name: VisibilityGraph(world).find(*ends).value for name, (world, ends) in places.items()}
    lengths = ", ".join(f"{path.cost:.1f} px ({name})" for name, path in best.items() if path is not None)
    peaks = ", ".join(
        f"{allocated(partial(rrt, *places[name][:1], *places[name][1], step=step)):.0f} ({name})"
        for name in ("free", "obstacles")
    )
    note = (
        f"segments of {step:g} px at most; shortest ways: {lengths}; n: states of the tree; samples: of all trees; "
        f"restarts after {threshold} samples; {PEAK} of one run, with "
        f"room for 100,000 samples from the beginning: {peaks}"
    )
    return Table(f"Table 5.7: RRT with segments of {step:g} px", tuple(rows), note)


def _figures(
    name: str,
    world: World,
    ends: Ends,
    runs: int,
    step: float,
    *,
    restart: int = 0,
    bias: float = 0.0,
    may_fail: bool = False,
) -> dict[str, list[float]]:
    """Return time, length, states and samples of each run; the length of one that gave up is NaN if that is allowed."""
    figures: dict[str, list[float]] = {f"{name} {what}": [] for what in ("t ms", "l px", "n", "samples")}
    for seed in range(runs):
        run = partial(rrt, world, *ends, seed=seed, step=step, restart=restart, bias=bias)
        result, spent = timed(run, 1, warm=not seed)
        if result.value is None and not may_fail:
            raise ValueError(f"RRT found no way with seed {seed}: {result.reason}")
        length = np.nan if result.value is None else result.value.cost
        values = spent, length, result.stats["states"], result.stats["iterations"]
        for row, value in zip(figures.values(), values, strict=True):
            row.append(float(value))
    return figures


def race_table(*, runs: int = 1000, step: float = FITTED) -> Table:
    """Return how RRT does between the same ends with and without obstacles, as medians over many runs.

    longest: the longest way, to the straight line. looks: samples times states, what a search for the nearest state
    that looks at all of them takes. p: how likely numbers at least so different are without any difference (H. Mann
    and D. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other", 1947).
    """
    from scipy.stats import mannwhitneyu

    figures: dict[str, dict[str, list[float]]] = {}
    longest: dict[str, float] = {}
    for name, world in (("obstacles", obstacle_map()), ("open", empty_map())):
        columns = _figures(name, world, AMONG, runs, step)
        samples, states = columns[f"{name} samples"], columns[f"{name} n"]
        looks = [a * b for a, b in zip(samples, states, strict=True)]
        longest[name] = max(columns[f"{name} l px"]) / float(np.hypot(*np.subtract(*AMONG)))
        figures[name] = dict(zip(_TESTED, (samples, states, looks, columns[f"{name} t ms"]), strict=True))
    rows: list[dict[str, object]] = [
        {"map": name, **{what: float(np.median(v)) for what, v in of.items()}, "longest": longest[name]}
        for name, of in figures.items()
    ]
    chance = {
        what: float(mannwhitneyu(values, figures["open"][what]).pvalue) for what, values in figures["obstacles"].items()
    }
    title = f"RRT with and without obstacles, segments of {step:g} px, medians of {runs} runs"
    note = "looks: samples times states; p: how likely so great a difference is without any (Mann and Whitney)"
    return Table(title, (*rows, {"map": "p", **chance}), note)


def game_table(games: Sequence[GameMap], *, runs: int = 100) -> Table:
    """Return table 5.7 for maps of games, between the ends of part 2: free is the same map without its obstacles.

    A segment is as long, to the diagonal of the map, as the chosen one is on the source's. A run may give up, after
    100,000 samples; its way has no length then, and its time and states count.
    """
    rows: list[dict[str, object]] = []
    for game in games:
        query = game.parts().get(2)
        if query is None:
            continue
        ends = game.ends(query)
        bare = World.of(game.world.bounds, [])
        step = CHOSEN * float(np.hypot(game.grid.width, game.grid.height)) / 540.833
        columns = _figures("free", bare, ends, runs, step)
        columns |= _figures("obstacles", game.world, ends, runs, step, may_fail=True)
        threshold = int(np.median(columns["free samples"]))
        again = partial(_figures, world=game.world, ends=ends, runs=runs, step=step, may_fail=True)
        columns |= again("obstacles restarted", restart=threshold) | again("obstacles biased", bias=BIAS)
        gave_up = {
            f"{name} gave up": int(np.isnan(columns[f"{name} l px"]).sum())
            for name in ("obstacles", "obstacles restarted", "obstacles biased")
        }
        best = game.exact.find(*ends).value
        lengths = {
            "straight px": float(np.hypot(*np.subtract(*ends))),
            "optimum px": np.nan if best is None else best.cost,
        }
        for statistic, take in _STATISTICS.items():
            values = {n: float("nan") if np.isnan(v).all() else float(take(v)) for n, v in columns.items()}
            rows.append(
                {"map": game.name, f"of {runs} runs": statistic, **values, **gave_up, **lengths, "step px": step}
            )
    return Table(
        "Table 5.7 on maps of games: RRT", tuple(rows), "free: the same ends in the same bounds without obstacles"
    )
