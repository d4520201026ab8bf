"""The five studies of planning for one unit: which tables each makes, and which findings it draws from them.

The source is a bachelor thesis on trajectory planning in a virtual two-dimensional environment (2011); the studies are
its experiments on discretisations, on A*, post-smoothing and Theta*, and on RRT, with two of our own beside them. Each
is run on the source's maps, made again, and on some of Moving AI's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anabasis.errors import InputError
from anabasis.lab.machine import machine
from anabasis.lab.studies import (
    planning_discretisation,
    planning_discretisation_claims,
    planning_discretisation_games,
    planning_rrt,
    planning_rrt_claims,
    planning_searches,
    planning_searches_claims,
    planning_smoothing,
    planning_theta,
    planning_theta_claims,
)
from anabasis.lab.studies.finding import Finding
from anabasis.lab.studies.planning_games import MAPS, GameMap, game_maps
from anabasis.lab.studies.planning_maps import OBSTACLES
from anabasis.lab.studies.planning_record import RUNS, Table

__all__ = ["PlanningStudy", "run_planning"]

Makers = Mapping[str, Callable[[], Table]]
Judge = Callable[[Mapping[str, Table]], list[Finding]]


@dataclass(frozen=True)
class PlanningStudy:
    """A study that was run: its tables by name, what was found, the maps of games, and on which machine."""

    name: str
    tables: Mapping[str, Table]
    findings: tuple[Finding, ...]
    games: tuple[str, ...]
    machine: str
    quick: bool


@dataclass(frozen=True)
class _Study:
    """The tables of a study by name, those of maps of games apart, and what judges them."""

    own: Callable[[bool], Makers]
    games: Callable[[bool, Sequence[GameMap]], Makers]
    judge: Judge
    judge_games: Judge
    most: int = len(MAPS)  # maps of games


def run_planning(
    name: str, *, quick: bool = False, data: Path | None = None, progress: Callable[[int, int], None] | None = None
) -> PlanningStudy:
    """Run one of the studies: discretisation, theta, rrt, smoothing or searches.

    quick: fewer runs and queries, fewer maps of games. data: the folder of the Moving AI maps, without which that part
    is left out. progress: is told how many of the tables are made. All figures but times and peaks of memory are the
    same in every run. Raises InputError for another name.
    """
    if name not in _STUDIES:
        raise InputError("unknown study", found=repr(name), expected=", ".join(_STUDIES))
    study = _STUDIES[name]
    games = game_maps(data, quick=quick)[: study.most]
    make = {**study.own(quick), **(study.games(quick, games) if games else {})}
    tables: dict[str, Table] = {}
    for table, maker in make.items():
        tables[table] = maker()
        if progress is not None:
            progress(len(tables), len(make))
    found = [*study.judge(tables), *(study.judge_games(tables) if games else [])]
    return PlanningStudy(name, tables, tuple(found), tuple(game.name for game in games), machine(), quick)


def _discretisation(quick: bool) -> Makers:
    counts = (16, 42, 86) if quick else OBSTACLES
    return {
        "polygons": lambda: planning_discretisation.polygon_table(counts),
        "polygon-searches": lambda: planning_discretisation.polygon_search_table(counts),
        "grids": planning_discretisation.grid_table,
        "cover": planning_discretisation.cover_table,
    }


def _discretisation_games(_: bool, games: Sequence[GameMap]) -> Makers:
    return {
        "polygons-games": lambda: planning_discretisation_games.polygon_table(games),
        "polygon-searches-games": lambda: planning_discretisation_games.polygon_search_table(games),
        "grids-games": lambda: planning_discretisation_games.grid_table(games),
        "cover-games": lambda: planning_discretisation_games.cover_table(games),
    }


def _theta(_: bool) -> Makers:
    return {kind: (lambda kind=kind: planning_theta.theta_table(kind)) for kind in planning_theta.LATTICES}


def _rrt(quick: bool) -> Makers:
    runs = 20 if quick else 100
    make: dict[str, Callable[[], Table]] = {}
    for step in (planning_rrt.CHOSEN, planning_rrt.FITTED):
        make[f"rrt-{step:g}"] = lambda step=step: planning_rrt.rrt_table(runs=runs, step=step)
        make[f"rrt-race-{step:g}"] = lambda step=step: planning_rrt.race_table(runs=10 * runs, step=step)
    return make


_STUDIES = {
    "discretisation": _Study(
        _discretisation,
        _discretisation_games,
        planning_discretisation_claims.findings,
        planning_discretisation_claims.game_findings,
    ),
    "theta": _Study(
        _theta,
        lambda _, games: {"theta-games": lambda: planning_theta.game_table(games)},
        planning_theta_claims.findings,
        planning_theta_claims.game_findings,
    ),
    "rrt": _Study(
        _rrt,
        lambda quick, games: {"rrt-games": lambda: planning_rrt.game_table(games, runs=10 if quick else 50)},
        planning_rrt_claims.findings,
        planning_rrt_claims.game_findings,
    ),
    "smoothing": _Study(
        lambda quick: {"smoothing": lambda: planning_smoothing.smoothing_table(queries=20 if quick else 100)},
        lambda quick, games: {
            "smoothing-games": lambda: planning_smoothing.game_table(games, queries=RUNS if quick else 2 * RUNS)
        },
        planning_smoothing.findings,
        planning_smoothing.game_findings,
    ),
    "searches": _Study(
        lambda _: {"searches": planning_searches.search_table, "spaces": planning_searches.space_table},
        lambda _, games: {
            "searches-games": lambda: planning_searches.game_search_table(games),
            "spaces-games": lambda: planning_searches.game_space_table(games),
        },
        planning_searches_claims.findings,
        planning_searches_claims.game_findings,
        most=3,
    ),
}
