"""Advice: which method for this map and this use, chosen by trying the methods on the map itself.

Nothing is looked up in a table of opinions: each search that fits the question answers the same sample of queries,
prepared as it is meant to be, and the one that is through first with all queries asked for is named, with the figures
that speak for it. For a group the plans of the group methods are compared in the same way.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anabasis.decompose.regions import DEFAULT, decompose
from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.lab.discretisations import noun_bytes
from anabasis.maps.parts import largest_part, sized_parts
from anabasis.methods import METHODS, Method
from anabasis.options import check_count
from anabasis.result import Result, Status
from anabasis.scenario import Group, Target

__all__ = ["Advice", "Candidate", "Terrain", "advise", "look"]

_PATIENCE = 1.0  # seconds in which a method may answer its sample
_ENTRIES = 2**21  # of labels: what takes longer to prepare than some seconds is not tried to the end
_TIE, _MOMENT = 1.25, 1e-3  # times, or seconds more, are no reason to prefer another method
_GROUPS = 3  # sample groups
_SPLIT = 0.9  # of the time by one route, below which more routes are worth their plan


@dataclass(frozen=True)
class Terrain:
    """What was measured of a map.

    free: share of free cells. components: free parts that are not connected. largest: the share of the free cells in
    the largest. clutter: corners of walls for each 100 free cells. passages: how many there are; narrowest, usual:
    their least and median width in cells (None without any). prices: whether free cells differ in price.
    """

    width: int
    height: int
    free: float
    components: int
    largest: float
    clutter: float
    passages: int
    narrowest: float | None
    usual: float | None
    prices: bool


@dataclass(frozen=True)
class Candidate:
    """A method that was tried: seconds to prepare it and for a query or plan (mean), bytes that it keeps.

    longer: by which share its paths are longer than the shortest found, on average. total: seconds for all queries.
    answered: of the sample, before patience ended. slowest: seconds for the slowest of these.
    """

    name: str
    optimal: bool
    prepare: float
    query: float
    bytes: int
    longer: float
    total: float
    answered: int
    slowest: float


@dataclass(frozen=True)
class Advice:
    """The method that is named, why, and what was measured; `candidates` begins with the best."""

    method: str
    family: str
    reason: str
    terrain: Terrain
    candidates: tuple[Candidate, ...]


def look(grid: Grid) -> Terrain:
    """Measure a map."""
    free = grid.free
    sizes = sized_parts(free)[1]
    padded = np.pad(free, 1).astype(np.int64)
    around = padded[:-1, :-1] + padded[1:, :-1] + padded[:-1, 1:] + padded[1:, 1:]
    cut = decompose(grid, DEFAULT)
    count = int(free.sum())
    return Terrain(
        width=grid.width,
        height=grid.height,
        free=float(free.mean()),
        components=len(sizes),
        largest=float(sizes.max(initial=0) / max(count, 1)),
        clutter=100 * float((around == 3).sum()) / max(count, 1),
        passages=cut.gates,
        narrowest=float(cut.width.min()) if cut.gates else None,
        usual=float(np.median(cut.width)) if cut.gates else None,
        prices=not grid.uniform,
    )


def advise(
    grid: Grid,
    *,
    units: int = 1,
    queries: int = 1,
    dynamic: bool = False,
    any_angle: bool = False,
    seed: int = 0,
    samples: int = 25,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Advice:
    """Try the methods that fit on a map, and name the one that is through first.

    queries: of one unit, on the same map; dynamic: the map changes before each, so that what was prepared is lost.
    any_angle: paths may turn anywhere, not only at the centres of cells. units: more than one are a group with one
    target. samples: pairs of places that every method is asked for, drawn by `seed` in the largest part of the map.
    Only complete methods are tried, and only optimal ones are named; others are shown for comparison. Timings differ
    from run to run, so two methods of nearly the same speed may change places.
    Raises InputError for counts below 1, a seed that is none, and a map with fewer than two free cells.
    """
    units, queries = check_count(units, "number of units", 1), check_count(queries, "number of queries", 1)
    samples = check_count(samples, "number of samples", 1)
    cells = np.flatnonzero(largest_part(grid.free))
    if len(cells) < 2:
        raise InputError("nothing to plan on", found=f"{len(cells)} free cells", expected="at least 2")
    rng = np.random.default_rng(check_count(seed, "seed"))
    if units > 1:
        return _for_groups(grid, look(grid), cells, units, dynamic, rng, progress)
    pairs = rng.choice(cells, (samples, 2))
    rows = [row for row in METHODS if _fits(row, grid, any_angle)]
    tried: list[tuple[Method, float, list[float], list[float], int]] = []
    for done, row in enumerate(rows):
        progress(done, len(rows))
        try:
            tried.append((row, *_try(row, grid, pairs)))
        except InputError:
            continue  # a method may refuse a map that it finds too large while it prepares
    progress(len(rows), len(rows))
    best = np.nanmin([costs + [np.nan] * (samples - len(costs)) for _, _, _, costs, _ in tried], axis=0)
    candidates: list[Candidate] = []
    for row, prepare, times, costs, size in tried:
        query = statistics.fmean(times)
        ratio = [cost / least for cost, least in zip(costs, best, strict=False) if least > 0 and np.isfinite(cost)]
        total = (prepare + query) * queries if dynamic else prepare + query * queries
        longer = float(np.mean(ratio)) - 1 if ratio else 0.0
        candidates.append(Candidate(row.name, row.optimal, prepare, query, size, longer, total, len(costs), max(times)))
    candidates.sort(key=lambda c: (not c.optimal, c.total))
    level = _level(candidates)
    candidates.remove(best_one := min(level, key=lambda c: c.prepare + c.slowest))
    candidates.insert(0, best_one)
    return Advice(candidates[0].name, "search", _why(candidates, queries, dynamic), look(grid), tuple(candidates))


def _fits(row: Method, grid: Grid, any_angle: bool) -> bool:
    takes = "grid" in row.spaces or ("world" in row.spaces and grid.uniform)
    return (
        row.family == "search"
        and row.complete
        and takes
        and row.any_angle == any_angle
        and not row.seeded
        and (row.priced or grid.uniform)
    )


def _try(row: Method, grid: Grid, pairs: NDArray[np.int64]) -> tuple[float, list[float], list[float], int]:
    """Return seconds to prepare, seconds and cost of each query answered in time, and the bytes kept."""
    space: Any = grid
    ends = pairs.tolist()
    begun = time.perf_counter()
    if "grid" not in row.spaces:
        from anabasis.decompose.outline import grid_world

        space = grid_world(grid)
        ends = grid.centres(pairs).tolist()
    outline = time.perf_counter() - begun
    options: dict[str, Any] = {}
    if row.any_angle and "grid" in row.spaces and "loose" in row.corners:
        options["corners"] = "loose"  # the rule of polygons, so that all any-angle methods solve the same problem
    prepared = row.load_prepared()
    if prepared is not None and "most_entries" in signature(prepared).parameters:
        options["most_entries"] = _ENTRIES
    _compile(row, grid.uniform, options)
    begun = time.perf_counter()
    ready = None if prepared is None else prepared(space, **options)
    prepare = 0.0 if ready is None else time.perf_counter() - begun
    find = partial(row.load(), space, **options) if ready is None else ready.find
    size = 0 if ready is None else noun_bytes(ready)
    times: list[float] = []
    costs: list[float] = []
    for start, goal in ends:
        begun = time.perf_counter()
        result: Result[Any] = find(start, goal)
        times.append(time.perf_counter() - begun)
        costs.append(result.value.cost if result.value is not None else float("nan"))
        if sum(times) > _PATIENCE:
            break
    return outline + prepare, times, costs, size


def _compile(row: Method, uniform: bool, options: dict[str, Any]) -> None:
    """Let a method compile its kernels, on a map that costs no time."""
    cost = np.ones((24, 24)) if uniform else np.where(np.arange(24) % 2, 2.0, 1.0)[:, None].repeat(24, axis=1)
    cost[4:20, 12] = np.inf
    grid = Grid(cost, np.full(cost.shape, ord("."), np.uint8))
    space: Any = grid
    start, goal = 8 * 24 + 2, 12 * 24 + 22
    ends: list[Any] = [start, goal]
    if "grid" not in row.spaces:
        from anabasis.decompose.outline import grid_world

        space, ends = grid_world(grid), grid.centres([start, goal]).tolist()
    prepared = row.load_prepared()
    find = partial(row.load(), space, **options) if prepared is None else prepared(space, **options).find
    find(*ends)


def _level(candidates: list[Candidate]) -> list[Candidate]:
    """Return the optimal candidates that are through as soon as the first, as far as anybody notices."""
    optimal = [c for c in candidates if c.optimal]
    least = min(c.total for c in optimal)
    return [c for c in optimal if c.total <= max(_TIE * least, least + _MOMENT)]


def _why(candidates: list[Candidate], queries: int, dynamic: bool) -> str:
    """Return the reason for the first candidate, in figures."""
    best = candidates[0]
    many = "1 query takes" if queries == 1 else f"{queries:,} queries take"
    parts = [f"{many} {_time(best.total)}"]
    if best.prepare > 0.01 * best.total:
        share = "each time, since the map changes" if dynamic else "once"
        parts.append(f"of it {_time(best.prepare)} to prepare the map {share} ({best.bytes / 1e6:.1f} MB)")
    others = [c for c in candidates[1:] if c.optimal]
    if others:
        level = [c.name for c in _level(candidates) if c is not best]
        if level:
            parts.append(
                f"{', '.join(level)} as well: nobody notices the difference; its slowest query is the quickest of these"
            )
        elif others[0].total / best.total < 1000:
            parts.append(f"{others[0].name}, the next, needs {others[0].total / best.total:.1f} times that")
    quick = min((c for c in candidates if not c.optimal), key=lambda c: c.total, default=None)
    if quick is not None and quick.total < best.total / 2:
        ratio = best.total / quick.total
        parts.append(f"{quick.name} is {ratio:.1f} times faster, with paths {100 * quick.longer:.1f} % longer")
    return "; ".join(parts)


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _for_groups(
    grid: Grid,
    terrain: Terrain,
    cells: NDArray[np.int64],
    units: int,
    dynamic: bool,
    rng: np.random.Generator,
    progress: Callable[[int, int], None],
) -> Advice:
    """Plan for sample groups with the group methods, over one route and over several."""
    from anabasis.flow.navigate import Navigator
    from anabasis.search.flow_field import plan_vector_field
    from anabasis.search.uncoordinated import plan_astar

    groups = [_group(grid, cells, units, rng) for _ in range(_GROUPS)]
    planners: dict[str, Callable[[Group], Result[Any]]] = {
        "astar": lambda group: plan_astar(grid, group),
        "vector-field": lambda group: plan_vector_field(grid, group, seed=0),
    }
    candidates: list[Candidate] = []
    gains: list[float] = []
    routes: list[int] = []
    for done, (name, plan) in enumerate(planners.items()):
        progress(done, len(planners) + 1)
        plan(groups[0])
        candidates.append(_planned(name, 0.0, [_timed(plan, group)[0] for group in groups]))
    progress(len(planners), len(planners) + 1)
    Navigator(grid, ways="taut").plan(groups[0])
    begun = time.perf_counter()
    many = Navigator(grid, ways="taut")
    prepare = time.perf_counter() - begun
    one = Navigator(grid, ways="taut", most=1)
    times: list[float] = []
    for group in groups:
        seconds, split = _timed(many.plan, group)
        single = one.plan(group)
        times.append(seconds)
        if split.status is single.status is Status.SOLVED and single.stats.get("predicted", 0) > 0:
            gains.append(split.stats["predicted"] / single.stats["predicted"])
            routes.append(int(split.stats["routes"]))
    progress(len(planners) + 1, len(planners) + 1)
    flow = _planned("flow-replan" if dynamic else "flow-taut", prepare, times)
    gain = statistics.median(gains) if gains else 1.0
    if gain <= _SPLIT:
        width = f": passages here are usually {terrain.usual:.3g} cells wide" if terrain.usual is not None else ""
        said = (
            f"split over {statistics.median(routes):.0f} routes, {units} units should all be there after "
            f"{100 * gain:.0f} % of the time that one route takes{width}; a plan takes {_time(flow.query)}"
        )
        return Advice(flow.name, "group", said, terrain, (flow, *sorted(candidates, key=lambda c: c.total)))
    candidates.sort(key=lambda c: c.total)
    best, other = candidates
    saved = max(0.0, 100 * (1 - gain))
    narrow = (
        f"more routes than one would save {saved:.0f} % of the time" if terrain.passages else "no passage is narrow"
    )
    said = f"{narrow}; a plan for {units} units takes {_time(best.query)}, with {other.name} {_time(other.query)}"
    return Advice(best.name, "group", said, terrain, (*candidates, flow))


def _group(grid: Grid, cells: NDArray[np.int64], units: int, rng: np.random.Generator) -> Group:
    """Return a group that stands in the cells around a random one, with a random target."""
    middle, goal = grid.centres(rng.choice(cells, 2, replace=False))
    places = grid.centres(cells)
    near = np.argsort(((places - middle) ** 2).sum(axis=1), kind="stable")[:units]
    chosen = places[np.resize(near, units)]
    return Group(chosen, Target(float(goal[0]), float(goal[1])))


def _timed(plan: Callable[[Group], Result[Any]], group: Group) -> tuple[float, Result[Any]]:
    begun = time.perf_counter()
    result = plan(group)
    return time.perf_counter() - begun, result


def _planned(name: str, prepare: float, times: list[float]) -> Candidate:
    query = statistics.median(times)
    return Candidate(name, False, prepare, query, 0, 0.0, prepare + query, len(times), max(times))
