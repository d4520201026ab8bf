"""Validation against published optima: every row of Moving AI scenarios through our A*.

N. R. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on Computational Intelligence and AI in
Games 4(2), 2012. A row agrees if its stored length is what the origin's programs print for our numbers of straight and
diagonal steps. They print either a fixed number of decimals or six significant digits without zeros at the end, and add
√2 exactly, in single precision or as 1.414213562; nothing else is let through.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anabasis.errors import InputError
from anabasis.grid import Grid
from anabasis.io.movingai import Scen, load_map, load_scen
from anabasis.search.astar import AStar

__all__ = ["ScenReport", "ScenRow", "validate_scen"]

_SQRT2 = np.array([2.0**0.5, float(np.float32(2.0**0.5)), 1.414213562])
_CHUNK = 500  # rows between two reports of progress
_MULTI_AGENT = ("scen-random", "scen-even")


@dataclass(frozen=True)
class ScenRow:
    """A row that does not agree: its file and line, why, our length (inf: no way) and the published one."""

    file: str
    line: int
    reason: str
    ours: float
    published: float


@dataclass(frozen=True)
class ScenReport:
    """What became of all rows: `agreed` of `rows` in `files` files agree; `seconds` is wall-clock time.

    faulty: rows that are proved to be wrong, with the proof as reason. disagreeing: rows that nothing explains.
    greatest_difference: the greatest |ours - published| of the rows that agree.
    """

    files: int
    rows: int
    agreed: int
    faulty: tuple[ScenRow, ...]
    disagreeing: tuple[ScenRow, ...]
    greatest_difference: float
    seconds: float


def validate_scen(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScenReport:
    """Solve every row of the `.scen` files and compare with the published optimum.

    paths: files, or folders that are searched for single-agent scenarios (those below `scen-random` and `scen-even` are
    taken only if such a folder or a file in it is named). A map is looked for by the name in the row, then by the name
    of the scenario, beside the scenario, one folder up, anywhere below the folder that was named, and in the folders
    beside that one folder up. workers: threads, by default one a processor; the report is the same with any number.
    progress(rows done, rows) is called now and then. Raises InputError for a file that can't be read, a map that is
    missing or of another size than its rows say.
    """
    began = time.perf_counter()
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    jobs: list[tuple[Path, Scen, Grid, NDArray[np.int64]]] = []
    files = 0
    for root in map(Path, given):
        for file in _scenarios(root):
            files += 1
            scen = load_scen(file)
            for grid, rows in _maps(file, scen, root if root.is_dir() else file.parent):
                jobs += [(file, scen, grid, rows[k : k + _CHUNK]) for k in range(0, len(rows), _CHUNK)]
    total = sum(len(job[3]) for job in jobs)
    done, agreed, difference = 0, 0, 0.0
    faulty: list[ScenRow] = []
    disagreeing: list[ScenRow] = []
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for job, (good, wrong) in zip(jobs, pool.map(_check, jobs), strict=True):
            done += len(job[3])
            agreed += len(good)
            difference = max(difference, float(good.max(initial=0)))
            for row, proved in wrong:
                (faulty if proved else disagreeing).append(row)
            if progress:
                progress(done, total)
    seconds = time.perf_counter() - began
    return ScenReport(files, total, agreed, tuple(faulty), tuple(disagreeing), difference, seconds)


def _scenarios(root: Path) -> list[Path]:
    """Return the scenario files that a path stands for."""
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise InputError("no such file or folder", file=root, expected="a .scen file or a folder of them")
    inside = [file for file in sorted(root.rglob("*.scen")) if not set(file.relative_to(root).parts) & {*_MULTI_AGENT}]
    if not inside:
        raise InputError("the folder holds no single-agent scenario", file=root, expected="files named *.scen")
    return inside


def _maps(file: Path, scen: Scen, root: Path) -> list[tuple[Grid, NDArray[np.int64]]]:
    """Return the maps of a scenario, scaled to the size that the rows name, each with its rows."""
    names = np.array([Path(name.replace("\\", "/")).name for name in scen.maps])
    keys = list(dict.fromkeys(zip(names.tolist(), scen.width.tolist(), scen.height.tolist(), strict=True)))
    found: list[tuple[Grid, NDArray[np.int64]]] = []
    for name, width, height in keys:
        rows = np.flatnonzero((names == name) & (scen.width == width) & (scen.height == height))
        grid = load_map(_map_file(file, name, root))
        factor = width // grid.width
        if factor < 1 or (grid.width * factor, grid.height * factor) != (width, height):
            raise InputError(
                f"the size of the map {name!r} in a row",
                file=file,
                where=int(scen.line[rows[0]]),
                found=f"{width} × {height}",
                expected=f"{grid.width} × {grid.height} or a whole multiple",
            )
        found.append((grid.scaled(factor), rows))
    return found


def _map_file(file: Path, name: str, root: Path) -> Path:
    own = file.name.removesuffix(".scen").removesuffix(".map") + ".map"
    for wanted in (name, own):
        for folder in (file.parent, file.parent.parent):
            if (folder / wanted).is_file():
                return folder / wanted
        for place in (*sorted(root.rglob(wanted)), *sorted(file.parent.parent.parent.glob(f"*/{wanted}"))):
            return place
    raise InputError(
        f"the map {name!r} is missing", file=file, expected=f"it beside the scenario, one folder up or below {root}"
    )


def _check(
    job: tuple[Path, Scen, Grid, NDArray[np.int64]],
) -> tuple[NDArray[np.float64], list[tuple[ScenRow, bool]]]:
    """Return how far off the agreeing rows are, and the other rows, each with whether it is proved to be faulty."""
    file, scen, grid, rows = job
    starts = scen.start_y[rows] * grid.width + scen.start_x[rows]
    goals = scen.goal_y[rows] * grid.width + scen.goal_x[rows]
    agreed, ours = _solve(grid, starts, goals, scen, rows)
    wrong: list[tuple[ScenRow, bool]] = []
    for k in np.flatnonzero(~agreed):
        reason, proved = _explain(grid, starts[k : k + 1], goals[k : k + 1], scen, rows[k : k + 1], float(ours[k]))
        row = ScenRow(str(file), int(scen.line[rows[k]]), reason, float(ours[k]), float(scen.length[rows[k]]))
        wrong.append((row, proved))
    return np.abs(ours - scen.length[rows])[agreed], wrong


def _solve(
    grid: Grid,
    starts: NDArray[np.int64],
    goals: NDArray[np.int64],
    scen: Scen,
    rows: NDArray[np.int64],
    corners: str = "strict",
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return for each query whether our optimum is printed as the stored length, and our optimum (inf: no way)."""
    answers = AStar(grid, corners=corners).find_many(starts, goals)
    agreed = np.zeros(len(rows), bool)
    for k, row in enumerate(rows.tolist()):
        result = answers[k]
        if result:
            straight, diagonal = result.stats["straight"], result.stats["diagonal"]
            published = float(scen.length[row])
            error = np.abs(straight + diagonal * _SQRT2 - published).min()
            agreed[k] = error <= _half_unit(scen, published) + 1e-10
    return agreed, answers.cost


def _half_unit(scen: Scen, length: float) -> float:
    """Return half a unit of the last place to which a scenario's programs rounded a length."""
    fixed = int(scen.decimals.max())
    significant = 5 - int(np.floor(np.log10(max(length, 1.0))))  # decimals of a number of six digits
    places = fixed if fixed and (scen.decimals == fixed).all() else significant
    return 0.5 * 10.0**-places


def _explain(
    grid: Grid, start: NDArray[np.int64], goal: NDArray[np.int64], scen: Scen, row: NDArray[np.int64], ours: float
) -> tuple[str, bool]:
    """Return why a row does not agree, and whether that is proved to be the row's fault."""
    letters = [chr(grid.terrain.ravel()[vertex]) for vertex in (start[0], goal[0])]
    closed = [bool(np.isinf(grid.cost.ravel()[vertex])) for vertex in (start[0], goal[0])]
    if any(closed):
        ends = [
            f"the {end} is on {letter!r}"
            for end, letter, no in zip(("start", "goal"), letters, closed, strict=True)
            if no
        ]
        reason = " and ".join(ends) + ", which a land unit can't enter"
        if letters[0] == letters[1]:
            alike = Grid.from_free(grid.terrain == ord(letters[0]))
            if _solve(alike, start, goal, scen, row)[0][0]:
                reason += f"; the stored length is that of a way over {letters[0]!r} alone"
        return reason, True
    published = float(scen.length[row[0]])
    if np.isinf(ours):
        return "no way leads from the start to the goal", False
    if published > ours:
        return "the stored length is longer than our way", False
    if abs(_distance(grid, int(start[0]), int(goal[0])) - ours) > 1e-9 * ours:
        return "the stored length is shorter than our way", False
    for corners, what in (("loose", "one of the two cells"), ("none", "both cells")):
        if _solve(grid, start, goal, scen, row, corners)[0][0]:
            return f"the stored length is that of a way that cuts corners, past {what} blocked", True
    return (
        "the stored length is shorter than any way: a search by another library also finds ours to be the shortest",
        True,
    )


def _distance(grid: Grid, start: int, goal: int) -> float:
    """Return the length of the shortest way by SciPy's Dijkstra on a graph made from the free cells alone."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    free = grid.free
    number = np.arange(free.size).reshape(free.shape)
    block = free[1:, 1:] & free[1:, :-1] & free[:-1, 1:] & free[:-1, :-1]
    steps = (
        (free[:, 1:] & free[:, :-1], number[:, 1:], number[:, :-1], 1.0),
        (free[1:] & free[:-1], number[1:], number[:-1], 1.0),
        (block, number[1:, 1:], number[:-1, :-1], 2.0**0.5),
        (block, number[1:, :-1], number[:-1, 1:], 2.0**0.5),
    )
    tails = np.concatenate([a[allowed] for allowed, a, _, _ in steps])
    heads = np.concatenate([b[allowed] for allowed, _, b, _ in steps])
    lengths = np.concatenate([np.full(int(allowed.sum()), length) for allowed, _, _, length in steps])
    graph = csr_array((lengths, (tails, heads)), shape=(free.size, free.size))
    return float(dijkstra(graph, directed=False, indices=start)[goal])
